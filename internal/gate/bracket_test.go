package gate_test

import (
	"fmt"
	"testing"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
)

// newBracketed is a world whose client names no subagents, as Gemini CLI does not.
func newBracketed(t *testing.T) *world {
	w := newWorld(t)
	w.client.NamesSubagents, w.client.BracketsSubagents = false, true
	w.readers = true
	return w
}

// delegate starts a subagent, report ends it, asks is a request to the model of the main context ("") or of a subagent.
func (w *world) delegate(typ string) gate.Decision {
	return w.send(event.Event{Kind: event.ToolBefore, Tool: event.Tool{Name: "invoke_agent", Class: event.Subagent, Subagent: typ}})
}

func (w *world) report() {
	w.send(event.Event{
		Kind: event.ToolAfter, Tool: event.Tool{Name: "invoke_agent", Class: event.Subagent}, Result: &event.Result{HasText: true},
	})
}

func (w *world) asks(sub string) {
	w.send(event.Event{Kind: event.Notice, Name: "BeforeModel", Sub: event.Sub{ID: sub}})
}

// The reads of an unnamed subagent count for it alone, and open its own gate.
func TestUnnamedSubagentReadsForItself(t *testing.T) {
	w := newBracketed(t)
	w.read("", req, 0, 0)
	w.compact("")
	w.asks("")
	w.delegate("generalist")
	w.asks(event.Unnamed)
	w.wantEdit("", event.Block, "a subagent that read nothing")
	w.obey("")
	w.asks(event.Unnamed)
	w.report()
	w.wantEdit("", event.Block, "the main context after its subagent read")
	w.asks("")
	w.wantEdit("", event.Block, "the main context in its next answer")
	w.delegate("generalist")
	w.asks(event.Unnamed)
	w.wantEdit("", event.Block, "a second subagent, which was shown nothing")
	w.report()
	w.obey("")
}

// What the main context has running beside a subagent stays its own, also when it ends after the subagent began to ask.
func TestCallsBesideAnUnnamedSubagent(t *testing.T) {
	w := newBracketed(t)
	w.read("", req, 0, 0)
	w.compact("")
	w.asks("")
	read := func(name string, kind event.Kind) {
		tool := event.Tool{Name: "Read", Class: event.Read, Paths: []event.PathArg{{Path: root + "/" + name, Op: event.OpRead}}}
		w.send(event.Event{Kind: kind, Tool: tool, Result: &event.Result{Text: w.files[name], HasText: true}})
	}
	read(req, event.ToolBefore) // the calls of one answer are announced before one of them runs
	w.delegate("generalist")
	w.asks(event.Unnamed)
	read(req2, event.ToolBefore)
	read(req2, event.ToolAfter)
	read(req, event.ToolAfter)
	w.asks(event.Unnamed)
	w.report()
	w.wantEdit("", event.Allow, "the main context after its own read")
	if c := w.session.Contexts[event.Unnamed]; c == nil || len(c.Reads) != 1 {
		t.Errorf("the subagent's reads: %+v", c)
	}
	if w.session.Bracket != nil || w.session.Running != 0 {
		t.Errorf("still open: %+v", w.session.Bracket)
	}
}

// Whatever gets lost of a subagent, the next word of the main context closes the bracket: its reads count again.
func TestBracketNeverStaysOpen(t *testing.T) {
	for name, over := range map[string]event.Event{
		"request": {Kind: event.Notice, Name: "BeforeModel"}, "prompt": {Kind: event.Prompt, Prompt: "go on"}, "stop": {Kind: event.Stop},
		"start": {Kind: event.SessionStart}, "end": {Kind: event.SessionEnd},
	} {
		w := newBracketed(t)
		w.read("", req, 0, 0)
		w.compact("")
		w.delegate("a")
		w.delegate("b")
		w.asks(event.Unnamed)
		w.send(over)
		w.obey("")
		if w.session.Main().Recovery != nil || w.session.Bracket != nil {
			t.Errorf("%s: the main context read, and its recovery is pending", name)
		}
	}
	w := newBracketed(t)
	w.asks(event.Unnamed)
	if w.session.Bracket != nil || len(w.session.Contexts) != 0 {
		t.Errorf("a request of a subagent that nobody started: %+v", w.session)
	}
	w.compact("")
	w.delegate("a")
	w.asks(event.Unnamed)
	if d := w.prompt("mb:clear"); d.Person != gate.Cleared {
		t.Errorf("answered %q although prompts of subagents can be told", d.Person)
	}
	w.delegate("a")
	w.asks(event.Unnamed)
	for i := range 200 {
		w.shell("", fmt.Sprint("ls ", i))
	}
	if n := len(w.session.Bracket.Calls); n > 64 {
		t.Errorf("%d calls are remembered", n)
	}
}

// The writer is who the client runs as the writer, alone.
func TestUnnamedWriter(t *testing.T) {
	w := newBracketed(t)
	w.policy.WriteGuard = event.ModeWriter
	const note = "memory-bank/details/new.md"
	write := func(want event.Verdict, when string) {
		t.Helper()
		if d := w.edit("", note); d.Verdict != want {
			t.Errorf("%s: %s", when, d.Verdict)
		}
	}
	write(event.Block, "the main context")
	w.delegate(gate.Writer)
	write(event.Block, "before the writer asked the model")
	w.asks(event.Unnamed)
	write(event.Allow, "the writer")
	w.report()
	write(event.Block, "after the writer's report")
	w.asks("")
	w.delegate(gate.Writer)
	w.delegate("generalist")
	w.asks(event.Unnamed)
	write(event.Block, "the writer and another one")
	w.report()
	write(event.Block, "one of the two")
	w.report()
	w.delegate("generalist")
	w.asks(event.Unnamed)
	write(event.Block, "another one")
	w.asks("")
	w.compact("")
	w.delegate(gate.Writer)
	w.asks(event.Unnamed)
	write(event.Allow, "the writer during a recovery")
}
