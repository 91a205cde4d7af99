package gate_test

import (
	"slices"
	"testing"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
)

func TestWhatTheReadersAnswerLeavesOut(t *testing.T) {
	const s, e, q, f = gate.PartSummary, gate.PartEvidence, gate.PartQuestions, gate.PartSources
	for name, c := range map[string]struct {
		text string
		want []gate.ReaderPart
	}{
		"all three":            {"## Context Summary\nA.\n\n## Evidence\n- `" + req + ":3-5`: \"x\"\n\n## Open Questions\nNone.", nil},
		"bold and numbered":    {"**1. Context Summary**\nA.\n**2. Evidence**\n" + req + " says so.\n**3. Open Questions:** none", nil},
		"lines without marks":  {"Context Summary\nA.\nEVIDENCE:\n(" + req + ")\nOpen questions\nNone.", nil},
		"in Chinese":           {"## 上下文摘要\n甲\n## 证据\n" + req + "：第 3 行\n## 未决问题\n无", nil},
		"an absolute path":     {"## Context Summary\nA.\n## Evidence\n" + root + "/" + req + ".\n## Open Questions\n-", nil},
		"in a client's frame":  {"<task id=\"1\">\n<task_result>\n## Context Summary\nA.\n## Evidence\n" + req + "\n## Open Questions\n-\n</task_result>", nil},
		"no questions":         {"## Context Summary\nA.\n## Evidence\n" + req, []gate.ReaderPart{q}},
		"no file":              {"## Context Summary\nA.\n## Evidence\nI know. It is so, e.g. often.\n## Open Questions\n-", []gate.ReaderPart{f}},
		"a file that is not":   {"## Context Summary\nA.\n## Evidence\nsrc/none.go:1\n## Open Questions\n-", []gate.ReaderPart{f}},
		"a file elsewhere":     {"## Context Summary\n" + req + "\n## Evidence\n-\n## Open Questions\n" + req, []gate.ReaderPart{f}},
		"prose":                {"It is all about the limiter, and the evidence is open questions.", []gate.ReaderPart{s, e, q}},
		"nothing":              {"", []gate.ReaderPart{s, e, q}},
		"an empty evidence":    {"## Context Summary\n## Evidence\n## Open Questions", []gate.ReaderPart{f}},
		"a folder is no file":  {"## Context Summary\n## Evidence\nmemory-bank/details\n## Open Questions", []gate.ReaderPart{f}},
		"evidence comes twice": {"## Evidence\n-\n## Context Summary\n## Evidence\n" + req + "\n## Open Questions", nil},
	} {
		w := newWorld(t)
		w.readers = true
		ask := func(sub string, res *event.Result) []gate.ReaderPart {
			tool := event.Tool{Name: "Agent", Class: event.Subagent, Subagent: sub}
			return w.send(event.Event{Kind: event.ToolAfter, Call: w.id(), Tool: tool, Result: res}).LeftOut
		}
		if got := ask(gate.Reader, &event.Result{HasText: true, Text: c.text}); !slices.Equal(got, c.want) {
			t.Errorf("%s: it leaves out %q, want %q", name, got, c.want)
		}
		for why, got := range map[string][]gate.ReaderPart{
			"another subagent":  ask("general", &event.Result{HasText: true, Text: c.text}),
			"it failed":         ask(gate.Reader, &event.Result{HasText: true, Text: c.text, Failed: true}),
			"in the background": ask(gate.Reader, &event.Result{HasText: true, Text: c.text, Running: true}),
			"no text is told":   ask(gate.Reader, &event.Result{}),
			"no result is told": ask(gate.Reader, nil),
		} {
			if len(got) > 0 {
				t.Errorf("%s, %s: it leaves out %q", name, why, got)
			}
		}
	}
}
