package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/event"
)

// answers are said to every kind of event on every client.
func answers() []struct {
	name string
	a    Answer
} {
	return []struct {
		name string
		a    Answer
	}{
		{"nothing", Answer{}},
		{"allow", Answer{Verdict: Allow}},
		{"block", Answer{Verdict: Block, Text: "read REQ-005.md first\nthen repeat the call"}},
		{"block without a reason", Answer{Verdict: Block}},
		{"warn", Answer{Verdict: Warn, Text: "patterns.md was not read in this turn"}},
		{"context", Answer{Context: "<memory-bank>\nx & <y>\n</memory-bank>\n"}},
		{"context and warn", Answer{Verdict: Warn, Text: "w", Context: "c\n"}},
		{"context that looks like JSON", Answer{Context: "{x}"}},
		{"person", Answer{ToPerson: "no recovery is pending"}},
		{"person, kept from the model", Answer{Verdict: Block, ToPerson: "the recovery was cleared"}},
		{"person and context", Answer{ToPerson: "p", Context: "c"}},
	}
}

// said are the events that are answered: one of each kind, as the client names it.
func said() []event.Event {
	var list []event.Event
	clients := Clients()
	add := func(client string, name string, k event.Kind, injects bool) {
		for i := range clients {
			if clients[i].Name == client {
				list = append(list, event.Event{Kind: k, Name: name, Client: &clients[i], Injects: injects})
			}
		}
	}
	add("claude-code", "PreToolUse", event.ToolBefore, false)
	add("claude-code", "PostToolUse", event.ToolAfter, false)
	add("claude-code", "SessionStart", event.SessionStart, false)
	add("claude-code", "SessionStart", event.Compacted, true)
	add("claude-code", "PostCompact", event.Compacted, false)
	add("claude-code", "PreCompact", event.Compacting, false)
	add("claude-code", "SessionStart", event.Forked, true)
	add("claude-code", "UserPromptSubmit", event.Prompt, false)
	add("claude-code", "Stop", event.Stop, false)
	add("claude-code", "ConfigChange", event.ConfigChange, false)
	add("claude-code", "SessionEnd", event.SessionEnd, false)
	add("claude-code", "", event.ToolBefore, false)
	add("opencode", "tool.execute.before", event.ToolBefore, false)
	add("opencode", "experimental.chat.system.transform", event.Notice, false)
	add("opencode", "experimental.session.compacting", event.Compacted, true)
	add("opencode", "chat.message", event.Prompt, false)
	add("generic", "", event.ToolBefore, false)
	add("generic", "", event.Compacted, true)
	add("generic", "", event.Prompt, false)
	return list
}

// TestEncode holds what every client is answered.
func TestEncode(t *testing.T) {
	var b strings.Builder
	for _, ev := range said() {
		for _, a := range answers() {
			out := Encode(ev, a.a)
			fmt.Fprintf(&b, "%s %s %s | %s: %d\n", ev.Client.Name, ev.Kind, ev.Name, a.name, out.Exit)
			for _, s := range [...]struct {
				name string
				text []byte
			}{{"stdout", out.Stdout}, {"stderr", out.Stderr}} {
				for l := range bytes.Lines(s.text) {
					fmt.Fprintf(&b, "  %s %s\n", s.name, bytes.TrimRight(l, "\n"))
				}
			}
			sound(t, ev, a.a, out)
		}
	}
	golden(t, filepath.Join("testdata", "encode.golden"), b.String())
}

// sound is what holds for every client and every answer.
func sound(t *testing.T, ev event.Event, a Answer, out Output) {
	t.Helper()
	where := fmt.Sprintf("%s %s %+v: %d %q %q", ev.Client.Name, ev.Kind, a, out.Exit, out.Stdout, out.Stderr)
	if refused := a.Verdict == Block && refusable(ev.Kind); refused != (out.Exit == Blocked) || !refused && out.Exit != 0 {
		t.Errorf("status: %s", where)
	}
	if out.Exit == Blocked && (len(out.Stderr) == 0 || len(out.Stdout) > 0) {
		t.Errorf("a refusal is a reason on standard error and nothing else: %s", where)
	}
	if a == (Answer{}) && len(out.Stdout)+len(out.Stderr) > 0 {
		t.Errorf("nothing to say: %s", where)
	}
	for _, s := range [][]byte{out.Stdout, out.Stderr} {
		if len(s) > 0 && (s[len(s)-1] != '\n' || bytes.HasSuffix(s, []byte("\n\n"))) {
			t.Errorf("no line: %s", where)
		}
		for _, approving := range []string{"allow", "approve", "permissionDecision", "continue"} {
			if bytes.Contains(s, []byte(approving)) {
				t.Errorf("an approving decision: %s", where)
			}
		}
	}
	if ev.Client.Name == "claude-code" && len(out.Stdout) > 0 && out.Stdout[0] == '{' && !json.Valid(out.Stdout) {
		t.Errorf("no JSON: %s", where)
	}
	if ev.Kind == event.Compacting && len(out.Stdout) > 0 && ev.Client.Name == "claude-code" {
		t.Errorf("it would be added to the instructions for the summary: %s", where)
	}
}

// TestNoApproval: whatever the verdict, no client is told that the call is fine.
func TestNoApproval(t *testing.T) {
	for _, ev := range said() {
		if out := Encode(ev, Answer{Verdict: Allow}); out.Exit != 0 || len(out.Stdout)+len(out.Stderr) > 0 {
			t.Errorf("%s %s: %+v", ev.Client.Name, ev.Kind, out)
		}
	}
}

// TestMaxOutput: what is given to the model stays within what the client passes on, however long the text is.
func TestMaxOutput(t *testing.T) {
	c, _ := ClientByName("claude-code")
	ev := event.Event{Kind: event.SessionStart, Name: "SessionStart", Client: &c}
	for name, text := range map[string]string{
		"lines":   strings.Repeat("one line of text\n", 2000),
		"one":     strings.Repeat("x", 20_000),
		"two":     strings.Repeat("😀", 20_000), // two units each
		"exactly": strings.Repeat("é", c.MaxOutput),
	} {
		got := strings.TrimSuffix(string(Encode(ev, Answer{Context: text}).Stdout), "\n")
		if units(got) > c.MaxOutput || units(got) < c.MaxOutput-100 {
			t.Errorf("%s: %d units", name, units(got))
		}
		if whole := name == "exactly"; whole != (got == text) || whole == strings.Contains(got, "cut by mbgate") {
			t.Errorf("%s: cut wrongly", name)
		}
		if name == "lines" && !strings.Contains(got, "one line of text\n[cut") {
			t.Errorf("%s: cut within a line", name)
		}
	}
}

func TestFailure(t *testing.T) {
	for _, c := range Clients() {
		if out := Failure(&c, "state: no space", false); out.Exit != 1 || string(out.Stderr) != "state: no space\n" || out.Stdout != nil {
			t.Errorf("%s: %+v", c.Name, out)
		}
		if out := Failure(&c, "state: no space", true); out.Exit != Blocked || string(out.Stderr) != "state: no space\n" || out.Stdout != nil {
			t.Errorf("%s: %+v", c.Name, out)
		}
	}
	if out := Failure(nil, "x", false); out.Exit != 1 {
		t.Errorf("%+v", out)
	}
	if out := Encode(event.Event{Kind: event.ToolBefore}, Answer{Verdict: Block, Text: "r"}); out.Exit != Blocked {
		t.Errorf("%+v", out)
	}
}
