package gate_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/transcript"
)

// putIn is what the client puts into the context: the lines first to last of a file.
func (w *world) putIn(at time.Time, name string, first, last int) {
	lines := strings.SplitAfter(w.files[name], "\n")
	w.recorded.Files = append(w.recorded.Files, transcript.File{At: at, Shown: event.Shown{
		Path: root + "/" + name, First: first, Last: last, Text: strings.Join(lines[first-1:min(last, len(lines))], ""), HasText: true,
	}})
}

func TestWhatTheClientPutsBackCounts(t *testing.T) {
	type test struct {
		name   string
		put    func(w *world, armed time.Time)
		unread []string // of the first refusal, nil where the write passes
	}
	whole := func(w *world, at time.Time) { w.putIn(at, req, 1, 31); w.putIn(at, dsgn, 1, 31) }
	for _, c := range []test{
		{"nothing", func(*world, time.Time) {}, []string{dsgn, req}},
		{"both whole", func(w *world, armed time.Time) { w.recorded.Compacted = armed; whole(w, armed.Add(-time.Second)) }, nil},
		{"both whole, in a record that lacks the compaction", func(w *world, armed time.Time) { whole(w, armed.Add(time.Second)) }, nil},
		{"one in part", func(w *world, armed time.Time) {
			w.recorded.Compacted = armed
			w.putIn(armed, req, 1, 31)
			w.putIn(armed, dsgn, 1, 20)
		}, []string{dsgn}},
		{"before the recovery, in a record that lacks the compaction", func(w *world, armed time.Time) { whole(w, armed.Add(-time.Second)) }, []string{dsgn, req}},
		{"after an earlier compaction", func(w *world, armed time.Time) {
			w.recorded.Compacted = armed.Add(-time.Hour)
			whole(w, armed.Add(-30*time.Minute))
		}, []string{dsgn, req}},
		{"another version", func(w *world, armed time.Time) {
			w.recorded.Compacted = armed
			whole(w, armed)
			w.put(req, numbered("other", 30))
		}, []string{req}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.read("", req, 0, 0)
			w.read("", dsgn, 0, 0)
			w.compact("")
			c.put(w, w.session.Main().Recovery.ActivatedAt)
			d := w.edit("", "src/a.go")
			var unread []string
			if d.Refusal != nil {
				for _, u := range d.Refusal.Unread {
					unread = append(unread, u.Path)
				}
			}
			if !slices.Equal(unread, c.unread) || (d.Verdict == event.Block) != (c.unread != nil) {
				t.Errorf("%s, unread %v; want %v", d.Verdict, unread, c.unread)
			}
		})
	}
}

// TestPuttingBackOpensProtectedAnchors: a document that was put back may be changed, as one that was read.
func TestPuttingBackOpensProtectedAnchors(t *testing.T) {
	w := newWorld(t)
	w.read("", dsgn, 0, 0)
	w.compact("")
	if d := w.edit("", dsgn); d.Verdict != event.Block {
		t.Fatalf("an unread anchor may be changed: %+v", d)
	}
	w.recorded.Compacted = w.now
	w.putIn(w.now, dsgn, 1, 31)
	if d := w.edit("", dsgn); d.Verdict != event.Allow || w.session.Main().Recovery != nil {
		t.Errorf("%+v", d)
	}
}

func TestClearedDocumentsAreNamedOnce(t *testing.T) {
	w := newWorld(t)
	prompt := func() []string { return w.send(event.Event{Kind: event.Prompt, Prompt: "go on"}).Cleared }
	w.read("", req, 0, 0)
	w.read("", dsgn, 0, 0)
	w.recorded.Cleared = []transcript.Cleared{{At: w.now, Path: root + "/" + req}, {At: w.now, Path: root + "/src/a.go"}}
	if got := prompt(); !slices.Equal(got, []string{req}) {
		t.Errorf("named are %v", got)
	}
	if got := prompt(); len(got) > 0 {
		t.Errorf("named again are %v", got)
	}
	if w.edit("", "src/a.go").Verdict != event.Allow {
		t.Error("it is no recovery")
	}
	w.read("", req, 0, 0)
	if got := prompt(); len(got) > 0 {
		t.Errorf("named after it was read again: %v", got)
	}
}

// TestClearedDocumentsAreRequiredWhereItIsStrict: the recovery asks for what was cleared, and for nothing else.
func TestClearedDocumentsAreRequiredWhereItIsStrict(t *testing.T) {
	w := newWorld(t)
	w.policy.Recovery, w.client.InjectsAtPrompt = event.ModeStrict, true
	for _, name := range []string{req, dsgn, req2} {
		w.read("", name, 0, 0)
	}
	for _, name := range []string{req, dsgn} {
		w.recorded.Cleared = append(w.recorded.Cleared, transcript.Cleared{At: w.now, Path: root + "/" + name})
		d := w.send(event.Event{Kind: event.Prompt, Prompt: "go on"})
		if d.Block == nil || d.Block.Cause != gate.ByClearing || len(d.Cleared) > 0 {
			t.Errorf("%s: the block is %+v, named are %v", name, d.Block, d.Cleared)
		}
	}
	d := w.wantEdit("", event.Block, "documents were cleared")
	if got := d.Refusal.Unread; len(got) != 2 || got[0].Path != req || got[1].Path != dsgn {
		t.Errorf("asked for are %+v", got)
	}
	w.obey("")
	if d := w.send(event.Event{Kind: event.Prompt, Prompt: "go on"}); d.Block != nil {
		t.Error("armed again after it was read")
	}
}

// TestWhatMbgatePrintsCounts: the memory bank's entry that was printed whole is not asked for, in a client that passes it on.
func TestWhatMbgatePrintsCounts(t *testing.T) {
	for name, c := range map[string]struct {
		prints, injects bool
		unread          []string
	}{
		"whole":          {true, true, []string{patt}},
		"in part":        {false, true, []string{memo, patt}},
		"not passed on":  {true, false, []string{memo, patt}},
		"no one prints ": {false, false, []string{memo, patt}},
	} {
		w := newWorld(t)
		w.client.InjectsAtCompaction = c.injects
		w.prints = c.prints
		d := w.compact("")
		var unread []string
		if d.Block != nil {
			for _, u := range d.Block.Unread {
				unread = append(unread, u.Path)
			}
		}
		if !slices.Equal(unread, c.unread) {
			t.Errorf("%s: the block asks for %v", name, unread)
		}
	}
	w := newWorld(t)
	w.remove(patt)
	w.prints = true
	if d := w.compact(""); d.Block != nil || w.edit("", "src/a.go").Verdict != event.Allow {
		t.Errorf("the entry alone is asked for: %+v", d)
	}
	if w.put(memo, "other\n"); w.compact("").Block != nil {
		t.Error("the entry is asked for after it changed and was printed")
	}
}
