package gate_test

import (
	"testing"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
)

// Where the model hears nothing before a call, what a gate that only reminds has to say comes with the call's result.
func TestReminderWithTheResult(t *testing.T) {
	finish := func(w *world, name string) gate.Decision {
		tool := event.Tool{Name: "Edit", Class: event.Edit, Paths: []event.PathArg{{Path: root + "/" + name, Op: event.OpWrite}}}
		return w.send(event.Event{Kind: event.ToolAfter, Tool: tool, Result: &event.Result{HasText: true}})
	}
	deaf := func(t *testing.T) *world {
		w := newWorld(t)
		w.client.InjectsAfterTools = true
		w.read("", req, 0, 0)
		w.compact("")
		return w
	}
	t.Run("recovery = warn", func(t *testing.T) {
		w := deaf(t)
		w.policy.Recovery = event.ModeWarn
		if d := w.edit("", "src/a.go"); d.Verdict != event.Allow || d.Refusal != nil {
			t.Errorf("before the call: %s %+v", d.Verdict, d.Refusal)
		}
		d := finish(w, "src/a.go")
		if d.Verdict != event.Warn || d.Rule != gate.RuleRecovery || d.Refusal == nil || d.Refusal.Count != 1 || len(d.Refusal.Unread) != 1 {
			t.Errorf("with the result: %s %s %+v", d.Verdict, d.Rule, d.Refusal)
		}
		if d := finish(w, "src/a.go"); d.Refusal != nil {
			t.Errorf("once more: %+v", d.Refusal)
		}
		w.edit("", "src/a.go")
		w.read("", req, 0, 0)
		if d := finish(w, "src/a.go"); d.Refusal != nil {
			t.Errorf("after the read: %+v", d.Refusal)
		}
	})
	t.Run("stood down", func(t *testing.T) {
		w := deaf(t)
		w.session.Main().Recovery.StoodDown = "for a test"
		w.edit("", "src/a.go")
		if d := finish(w, "src/a.go"); d.Verdict != event.Warn || d.Refusal == nil || d.Refusal.StoodDown != "for a test" {
			t.Errorf("%s %+v", d.Verdict, d.Refusal)
		}
	})
	t.Run("the last anchor is dropped", func(t *testing.T) {
		w := deaf(t)
		w.wantEdit("", event.Block, "before")
		r := &w.session.Main().Recovery.Required[0]
		r.ReadMade, r.Tries = true, 2
		if d := w.edit("", "src/a.go"); d.Verdict != event.Allow || d.Refusal != nil {
			t.Errorf("before the call: %s %+v", d.Verdict, d.Refusal)
		}
		d := finish(w, "src/a.go")
		if d.Verdict != event.Warn || d.Refusal == nil || len(d.Refusal.Dropped) != 1 || d.Refusal.Dropped[0].Path != req {
			t.Errorf("with the result: %s %+v", d.Verdict, d.Refusal)
		}
	})
	t.Run("a client that reminds before", func(t *testing.T) {
		w := deaf(t)
		w.client.RemindsBefore = true
		w.policy.Recovery = event.ModeWarn
		if d := w.edit("", "src/a.go"); d.Verdict != event.Warn || d.Refusal == nil {
			t.Errorf("%s %+v", d.Verdict, d.Refusal)
		}
		if d := finish(w, "src/a.go"); d.Refusal != nil {
			t.Errorf("said twice: %+v", d.Refusal)
		}
	})
}
