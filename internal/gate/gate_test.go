package gate_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
)

func paths(us []gate.Unread) string {
	var out []string
	for _, u := range us {
		out = append(out, u.Path[strings.LastIndexByte(u.Path, '/')+1:])
	}
	return strings.Join(out, " ")
}

func TestNothingIsRefusedBeforeACompaction(t *testing.T) {
	w := newWorld(t)
	w.wantEdit("", event.Allow, "no compaction yet")
	w.wantEdit("", event.Allow, "no compaction yet")
}

func TestFallbackAnchorsAreRequired(t *testing.T) {
	w := newWorld(t)
	d := w.compact("")
	if d.Block == nil || paths(d.Block.Unread) != "MEMORY.md patterns.md" {
		t.Fatalf("the block names %+v", d.Block)
	}
	w.wantEdit("", event.Block, "nothing read")
	w.obey("")
	w.wantEdit("", event.Allow, "all read")
}

func TestTrackedAnchorsAreRequiredNewestFirst(t *testing.T) {
	w := newWorld(t)
	w.read("", req, 0, 0)
	w.read("", dsgn, 1, 1) // the first credited line is enough to be tracked
	d := w.compact("")
	if got := paths(d.Block.Unread); got != "d.md REQ-1.md" {
		t.Errorf("required: %s", got)
	}
	w.obey("")
}

func TestReadsBeforeTheCompactionDoNotCount(t *testing.T) {
	w := newWorld(t)
	w.read("", req, 0, 0)
	w.compact("")
	w.wantEdit("", event.Block, "read before the compaction only")
}

func TestPartialReadsAddUp(t *testing.T) {
	w := newWorld(t)
	w.read("", req, 0, 0)
	w.compact("")
	w.read("", req, 1, 20)
	d := w.wantEdit("", event.Block, "20 of 30 lines")
	if u := d.Refusal.Unread[0]; u.Read != 20 || u.Need != 30 || d.Refusal.Next != (gate.Call{First: 21, Last: 30}) {
		t.Errorf("progress %+v, next %+v", u, d.Refusal.Next)
	}
	w.read("", req, 21, 30)
	w.wantEdit("", event.Allow, "all 30 lines")
}

func TestFailedAndEmptyReadsCountNothing(t *testing.T) {
	w := newWorld(t)
	w.read("", req, 0, 0)
	w.compact("")
	w.read("", req, 900, 999)
	w.send(event.Event{
		Kind: event.ToolAfter, Call: w.id(), Result: &event.Result{Unchanged: true},
		Tool: event.Tool{Name: "Read", Class: event.Read, Paths: []event.PathArg{{Path: root + "/" + req, Op: event.OpRead}}},
	})
	w.send(event.Event{
		Kind: event.ToolAfter, Call: w.id(), Result: &event.Result{Text: w.files[req], HasText: true, Preview: true},
		Tool: event.Tool{Name: "Read", Class: event.Read, Paths: []event.PathArg{{Path: root + "/" + req, Op: event.OpRead}}},
	})
	if d := w.wantEdit("", event.Block, "nothing was shown"); d.Refusal.Unread[0].Read != 0 {
		t.Errorf("credited %+v", d.Refusal.Unread)
	}
}

func TestRefusalsDiffer(t *testing.T) {
	w := newWorld(t)
	w.compact("")
	a, b := w.edit("", "src/a.go"), w.edit("", "src/a.go")
	if a.Refusal.Count != 1 || b.Refusal.Count != 2 {
		t.Errorf("counts %d, %d", a.Refusal.Count, b.Refusal.Count)
	}
}

func TestACopyIsNotCountedAgain(t *testing.T) {
	w := newWorld(t)
	w.compact("")
	ev := event.Event{
		Kind: event.ToolBefore, Call: "c1", Digest: "d1",
		Tool: event.Tool{Name: "Edit", Class: event.Edit, Paths: []event.PathArg{{Path: root + "/src/a.go", Op: event.OpWrite}}},
	}
	a, b := w.send(ev), w.send(ev)
	ev.Digest = "d2"
	c := w.send(ev)
	if a.Verdict != event.Block || b.Verdict != event.Block || a.Refusal.Count != 1 || b.Refusal.Count != 1 || c.Refusal.Count != 2 {
		t.Errorf("%d, %d, %d", a.Refusal.Count, b.Refusal.Count, c.Refusal.Count)
	}
}

func TestOneCompactionHasTwoAfterEvents(t *testing.T) {
	after := func(name string) event.Event {
		return event.Event{Kind: event.Compacted, Name: name, Injects: name == "SessionStart"}
	}
	before := event.Event{Kind: event.Compacting, Name: "PreCompact"}
	for _, c := range []struct {
		name   string
		events []event.Event
		want   int
	}{
		{"the pair", []event.Event{after("SessionStart"), after("PostCompact")}, 1},
		{"the pair the other way round", []event.Event{after("PostCompact"), after("SessionStart")}, 1},
		{"two pairs", []event.Event{before, after("SessionStart"), after("PostCompact"), before, after("SessionStart"), after("PostCompact")}, 2},
		{"two pairs without before-events", []event.Event{after("SessionStart"), after("PostCompact"), after("SessionStart"), after("PostCompact")}, 2},
		{"one kind only", []event.Event{after("PostCompact"), after("PostCompact")}, 2},
		{"a before-event parts them", []event.Event{after("SessionStart"), before, after("PostCompact")}, 2},
		{"before-events only", []event.Event{before, before, before}, 0},
	} {
		w := newWorld(t)
		for _, e := range c.events {
			w.send(e)
		}
		if got := w.session.Main().Compactions; got != c.want {
			t.Errorf("%s: %d compactions, want %d", c.name, got, c.want)
		}
		if armed := w.session.Main().Recovery != nil; armed != (c.want > 0) {
			t.Errorf("%s: armed %v", c.name, armed)
		}
	}
}

func TestTheSecondOfAPairKeepsReads(t *testing.T) {
	w := newWorld(t)
	w.send(event.Event{Kind: event.Compacted, Name: "SessionStart", Injects: true})
	w.read("", memo, 0, 0)
	w.send(event.Event{Kind: event.Compacted, Name: "PostCompact"})
	if d := w.wantEdit("", event.Block, "patterns.md is left"); paths(d.Refusal.Unread) != "patterns.md" {
		t.Errorf("unread %s", paths(d.Refusal.Unread))
	}
}

func TestAForkArmsWithoutCounting(t *testing.T) {
	w := newWorld(t)
	d := w.send(event.Event{Kind: event.Forked, Injects: true})
	if d.Block == nil || d.Block.Cause != gate.ByFork || w.session.Main().Compactions != 0 {
		t.Errorf("%+v", d.Block)
	}
	w.wantEdit("", event.Block, "forked")
	w.obey("")
}

func TestAResumedSessionThatNobodyKnowsIsAFork(t *testing.T) {
	w := newWorld(t)
	w.client.ForksResume = true
	d := w.send(event.Event{Kind: event.SessionStart, Source: "resume", Injects: true})
	if d.Block == nil || d.Block.Cause != gate.ByFork || w.session.Main().Compactions != 0 {
		t.Errorf("%+v", d.Block)
	}
	w.wantEdit("", event.Block, "forked")
	w.obey("")
	w.wantEdit("", event.Allow, "what was asked for is read")
	w.send(event.Event{Kind: event.SessionStart, Source: "resume", Injects: true})
	w.wantEdit("", event.Allow, "the session itself goes on")

	w = newWorld(t)
	w.client.ForksResume = true
	w.send(event.Event{Kind: event.Prompt, Prompt: "go on"})
	w.send(event.Event{Kind: event.SessionStart, Source: "resume", Injects: true})
	w.wantEdit("", event.Block, "its first prompt came before its start")

	w = newWorld(t)
	w.client.ForksResume = true
	w.send(event.Event{Kind: event.Prompt, Prompt: "go on"})
	w.now = w.now.Add(time.Minute)
	w.send(event.Event{Kind: event.SessionStart, Source: "resume", Injects: true})
	w.wantEdit("", event.Allow, "it was heard of a minute ago")

	for _, source := range []string{"startup", "clear", ""} {
		w := newWorld(t)
		w.client.ForksResume = true
		w.send(event.Event{Kind: event.SessionStart, Source: source})
		w.wantEdit("", event.Allow, "a new session, by "+source)
	}
	w = newWorld(t)
	w.send(event.Event{Kind: event.SessionStart, Source: "resume"})
	w.wantEdit("", event.Allow, "the client tells forks apart")
}

func TestResumingDoesNotDisarm(t *testing.T) {
	w := newWorld(t)
	w.compact("")
	w.send(event.Event{Kind: event.SessionEnd})
	if d := w.send(event.Event{Kind: event.SessionStart, Source: "resume"}); d.Block == nil {
		t.Error("a resumed session is not told of its recovery")
	}
	w.wantEdit("", event.Block, "resumed")
}

func TestASubagentsCompactionArmsOnlyItself(t *testing.T) {
	w := newWorld(t)
	w.compact("sub")
	w.wantEdit("", event.Allow, "the parent was not compacted")
	w.wantEdit("sub", event.Block, "the subagent was")
	w.wantEdit("other", event.Allow, "another subagent was not")
	w.obey("sub")
}

func TestAParentsRecoveryBindsEveryContext(t *testing.T) {
	w := newWorld(t)
	w.wantEdit("old", event.Allow, "before the compaction")
	w.compact("")
	w.readers = true
	if d := w.wantEdit("sub", event.Block, "the parent's recovery"); d.Refusal.Reader {
		t.Error("a subagent is offered the reader")
	}
	w.wantEdit("sub", event.Block, "still")
	w.obey("sub")
	w.wantEdit("sub", event.Allow, "its own reads")
	w.wantEdit("", event.Block, "a subagent's reads do not count for its parent")
	w.obey("")
	w.wantEdit("old", event.Allow, "the parent's recovery is over")
}

func TestTheReader(t *testing.T) {
	call := func(w *world, kind event.Kind, id string, res *event.Result) gate.Decision {
		return w.send(event.Event{
			Kind: kind, Call: id, Result: res,
			Tool: event.Tool{Name: "Agent", Class: event.Subagent, Subagent: gate.Reader},
		})
	}
	w := newWorld(t)
	w.compact("")
	call(w, event.ToolBefore, "c1", nil)
	w.wantEdit("", event.Block, "the reader is not defined")
	w.readers = true
	if d := w.wantEdit("", event.Block, "not called since"); !d.Refusal.Reader {
		t.Error("the way out is not named")
	}
	call(w, event.ToolBefore, "c2", nil)
	w.wantEdit("", event.Allow, "the reader was called")
	call(w, event.ToolAfter, "c2", &event.Result{Failed: true})
	w.wantEdit("", event.Block, "the call failed")
	call(w, event.ToolBefore, "c3", nil)
	call(w, event.ToolAfter, "c3", &event.Result{})
	w.wantEdit("", event.Allow, "the reader answered")
}

// TestTheReaderOfAStrictRecovery: its call opens nothing; what it was shown counts when it has returned.
func TestTheReaderOfAStrictRecovery(t *testing.T) {
	for name, c := range map[string]struct {
		typ    string
		before bool // it read before the compaction
		read   []string
		change bool // a document changes after it was read
		res    *event.Result
		left   []string
	}{
		"all of it":           {typ: gate.Reader, read: []string{memo, patt}, res: &event.Result{}},
		"no result is told":   {typ: gate.Reader, read: []string{memo, patt}},
		"one of two":          {typ: gate.Reader, read: []string{memo}, res: &event.Result{}, left: []string{patt}},
		"nothing":             {typ: gate.Reader, res: &event.Result{}, left: []string{memo, patt}},
		"another subagent":    {typ: "general", read: []string{memo, patt}, res: &event.Result{}, left: []string{memo, patt}},
		"before it was armed": {typ: gate.Reader, before: true, read: []string{memo, patt}, res: &event.Result{}, left: []string{memo, patt}},
		"changed since":       {typ: gate.Reader, read: []string{memo, patt}, change: true, res: &event.Result{}, left: []string{memo}},
		"it failed":           {typ: gate.Reader, read: []string{memo, patt}, res: &event.Result{Failed: true}, left: []string{memo, patt}},
		"in the background":   {typ: gate.Reader, read: []string{memo, patt}, res: &event.Result{Running: true}, left: []string{memo, patt}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.policy.Recovery, w.readers = event.ModeStrict, true
			sub := event.Sub{ID: "r", Type: c.typ}
			look := event.Event{Kind: event.ToolBefore, Call: w.id(), Sub: sub, Tool: event.Tool{Name: "Glob", Class: event.Search}}
			if c.before {
				w.now = w.now.Add(time.Hour)
				w.send(look)
				for _, f := range c.read {
					w.read("r", f, 0, 0)
				}
				w.now = w.now.Add(-time.Hour) // the clock is set
				c.read = nil
			}
			w.compact("")
			call := event.Event{Kind: event.ToolBefore, Call: "c", Tool: event.Tool{Name: "Agent", Class: event.Subagent, Subagent: gate.Reader}}
			w.send(call)
			if d := w.wantEdit("", event.Block, "the reader was called"); !d.Refusal.Reader || !d.Refusal.Strict {
				t.Errorf("the reader is not named: %+v", d.Refusal)
			}
			w.send(look)
			for _, f := range c.read {
				w.read("r", f, 0, 0)
			}
			w.wantEdit("", event.Block, "the reader has not returned")
			if c.change {
				w.put(memo, "other\n")
			}
			call.Kind, call.Result = event.ToolAfter, c.res
			w.send(call)
			var left []string
			if d := w.edit("", "src/a.go"); d.Refusal != nil {
				for _, u := range d.Refusal.Unread {
					left = append(left, u.Path)
				}
			}
			if !slices.Equal(left, c.left) {
				t.Errorf("left is %v, want %v", left, c.left)
			}
			w.obey("")
		})
	}
}

func TestASubagentCannotUseTheReader(t *testing.T) {
	w := newWorld(t)
	w.readers = true
	w.compact("")
	w.send(event.Event{Kind: event.ToolBefore, Call: "c", Sub: event.Sub{ID: "sub"}, Tool: event.Tool{Name: "Agent", Class: event.Subagent, Subagent: gate.Reader}})
	w.wantEdit("", event.Block, "a subagent called the reader")
	w.wantEdit("sub", event.Block, "a subagent called the reader")
}

func TestAPersonClears(t *testing.T) {
	for prompt, want := range map[string]event.Verdict{
		"mb:clear": event.Allow, " mb:clear\n": event.Allow, "MB: Clear.": event.Allow,
		"please mb:clear": event.Block, "mb:clear now": event.Block, "": event.Block, "mb:clearing": event.Block,
	} {
		w := newWorld(t)
		w.compact("")
		d := w.send(event.Event{Kind: event.Prompt, Prompt: prompt})
		if (d.Person == gate.Cleared) != (want == event.Allow) {
			t.Errorf("%q is answered %q", prompt, d.Person)
		}
		w.wantEdit("", want, prompt)
	}
	for name, ev := range map[string]event.Event{
		"a subagent's prompt": {Kind: event.Prompt, Prompt: "mb:clear", Sub: event.Sub{ID: "x"}},
		"a made-up prompt":    {Kind: event.Prompt, Prompt: "mb:clear", Synthetic: true},
	} {
		w := newWorld(t)
		w.compact("")
		w.send(ev)
		w.wantEdit("", event.Block, name)
	}
}

func TestAChangedAnchorIsReadAgainWhereItChanged(t *testing.T) {
	w := newWorld(t)
	w.read("", req, 0, 0)
	w.read("", req2, 0, 0)
	w.compact("")
	w.read("", req, 0, 0)
	w.put(req, strings.Replace(w.files[req], "says 7\n", "says seven\nand more\n", 1))
	w.read("", req2, 0, 0)
	d := w.wantEdit("", event.Block, "two lines changed")
	if u := d.Refusal.Unread[0]; !u.Changed || u.Left.Count() != 2 || d.Refusal.Next != (gate.Call{First: 7, Last: 8}) {
		t.Errorf("%+v, next %+v", u, d.Refusal.Next)
	}
	w.obey("")
}

func TestVanishedAndUnreadableAnchors(t *testing.T) {
	w := newWorld(t)
	w.compact("")
	w.remove(memo)
	w.broken[patt] = true
	if d := w.wantEdit("", event.Warn, "one is gone, the other cannot be read"); len(d.Refusal.Dropped) != 2 {
		t.Errorf("%+v", d.Refusal)
	}
	w.wantEdit("", event.Allow, "it was said")

	w = newWorld(t)
	w.edit("", patt) // changed before the compaction: that is no reason to hold on to it
	w.compact("")
	w.read("", memo, 0, 0)
	w.broken[patt] = true
	w.wantEdit("", event.Warn, "unreadable, and not by a call since the compaction")

	// A safe anchor may be changed once it is read. What that call did to it is no way out.
	w = newWorld(t)
	w.read("", req, 0, 0)
	w.read("", req2, 0, 0)
	w.compact("")
	w.read("", req, 0, 0)
	if d := w.edit("", req); d.Verdict != event.Allow {
		t.Fatalf("a safe anchor that is read may not be changed: %+v", d)
	}
	w.broken[req] = true
	w.version[req]++
	w.read("", req2, 0, 0)
	d := w.wantEdit("", event.Block, "this session changed it since the compaction")
	if len(d.Refusal.Unread) != 1 || d.Refusal.Unread[0].Broken == "" {
		t.Errorf("%+v", d.Refusal.Unread)
	}
}

// TestAPrintedReadThatNoHookSees: where the client turns reads down before its hooks, a refusal that comes again without a
// read in between prints the shell's form (R5).
func TestAPrintedReadThatNoHookSees(t *testing.T) {
	w := newWorld(t)
	w.client.HidesReads = true
	w.compact("")
	for i, shell := range []bool{false, true, false, true} {
		if d := w.wantEdit("", event.Block, "nothing was read"); d.Refusal.Next.Shell != shell {
			t.Errorf("refusal %d: %+v", i+1, d.Refusal.Next)
		}
	}
	w.read("", "src/a.go", 0, 0)
	if d := w.wantEdit("", event.Block, "another file was read"); d.Refusal.Next.Shell {
		t.Errorf("its reads are seen: %+v", d.Refusal.Next)
	}
	if len(w.session.Main().Recovery.Required) != 2 || w.session.Main().Recovery.Required[0].Tries > 0 {
		t.Errorf("no refusal counts as a read: %+v", w.session.Main().Recovery.Required)
	}
	w.obey("")
}

// TestShortageLetsNothingGo: a document that cannot be opened for want of descriptors is as it was.
func TestShortageLetsNothingGo(t *testing.T) {
	w := newWorld(t)
	w.compact("")
	w.short = true
	if d := w.wantEdit("", event.Block, "no descriptors"); len(d.Refusal.Dropped) != 0 || d.Refusal.Unread[0].Broken == "" {
		t.Errorf("%+v", d.Refusal)
	}
	w.short = false
	w.wantEdit("", event.Block, "nothing was read meanwhile")
	w.obey("")
}

// TestAVanishedAnchorIsReplaced: taking documents away opens nothing while there is another one to read (R4).
func TestAVanishedAnchorIsReplaced(t *testing.T) {
	w := newWorld(t)
	w.read("", req, 0, 0)
	w.read("", dsgn, 0, 0)
	w.compact("")
	w.read("", req, 0, 0)
	w.remove(req) // it was read, so nothing takes its place
	w.remove(dsgn)
	d := w.wantEdit("", event.Block, "a document vanished unread")
	if r := d.Refusal; len(r.Unread) != 1 || r.Unread[0].Path != memo || len(r.Dropped) != 1 || r.Dropped[0] != (gate.Dropped{Path: dsgn, Why: gate.DropReplaced}) {
		t.Errorf("%+v", r)
	}
	w.put(memo, "")
	if d := w.wantEdit("", event.Block, "its replacement was emptied"); d.Refusal.Unread[0].Path != patt {
		t.Errorf("%+v", d.Refusal)
	}
	w.wantEdit("sub", event.Block, "for a subagent too")
	w.read("", patt, 0, 0)
	w.wantEdit("", event.Allow, "the replacement is read")

	w = newWorld(t)
	w.read("", req, 0, 0)
	w.compact("")
	for _, f := range []string{req, req2, dsgn, memo, patt} {
		w.remove(f)
	}
	d = w.wantEdit("", event.Warn, "every document was read")
	if len(d.Refusal.Dropped) != 1 || d.Refusal.Dropped[0] != (gate.Dropped{Path: req, Why: gate.DropGone}) {
		t.Errorf("%+v", d.Refusal)
	}
	w.wantEdit("", event.Allow, "it was said")
}

// TestAnEmptiedAnchorIsNoFrame: a tracked anchor that was emptied before the compaction gives way to the fallback (R4).
func TestAnEmptiedAnchorIsNoFrame(t *testing.T) {
	w := newWorld(t)
	w.read("", req, 0, 0)
	w.put(req, "")
	w.compact("")
	if d := w.wantEdit("", event.Block, "the fallback is required"); len(d.Refusal.Unread) != 2 || d.Refusal.Unread[0].Path != memo {
		t.Errorf("%+v", d.Refusal)
	}
}

func TestALargeAnchorThatCannotBeReadStandsForNoOther(t *testing.T) {
	binary := "\x00" + strings.Repeat("x", 100_000)
	w := newWorld(t)
	w.read("", req, 0, 0)
	w.read("", req2, 0, 0)
	w.put(req2, binary)
	w.compact("")
	d := w.wantEdit("", event.Block, "the older anchor is still to be read")
	if len(d.Refusal.Unread) != 1 || d.Refusal.Unread[0].Path != req {
		t.Errorf("%+v", d.Refusal.Unread)
	}

	w.put(req, binary)
	w.compact("")
	d = w.wantEdit("", event.Block, "no tracked anchor can be read, so the fallback is required")
	if len(d.Refusal.Unread) != 2 || d.Refusal.Unread[0].Path != memo || d.Refusal.Unread[1].Path != patt {
		t.Errorf("%+v", d.Refusal.Unread)
	}

	w = newWorld(t)
	w.put(memo, binary)
	w.compact("")
	w.wantEdit("", event.Block, "of the fallback, what can be read is required")
}

func TestNoAnchorNoRecovery(t *testing.T) {
	w := newWorld(t)
	w.remove(memo)
	w.remove(patt)
	w.compact("")
	w.wantEdit("", event.Allow, "there is nothing to read")
	if w.session.Main().Compactions != 1 {
		t.Error("the count did not rise")
	}
}

func TestAPrintedReadInVainDropsTheAnchor(t *testing.T) {
	w := newWorld(t)
	w.remove(patt)
	w.compact("")
	for range 3 {
		d := w.wantEdit("", event.Block, "not tried three times yet")
		tool := event.Tool{Name: "Read", Class: event.Read, Paths: []event.PathArg{{Path: d.Refusal.Unread[0].Abs, Op: event.OpRead}}}
		w.send(event.Event{Kind: event.ToolBefore, Call: w.id(), Tool: tool})
		w.send(event.Event{Kind: event.ToolAfter, Call: w.id(), Tool: tool, Result: &event.Result{Text: "***", HasText: true}})
	}
	if d := w.edit("", "src/a.go"); d.Verdict != event.Warn || len(d.Refusal.Dropped) != 1 {
		t.Errorf("after three reads in vain: %s %+v", d.Verdict, d.Refusal)
	}
	w.wantEdit("", event.Allow, "nothing is left")
}

// TestAReadInVainIsNotPrintedAgain: a client that answers a repeated read by a stub, or cuts its output to nothing, is
// asked in another way.
func TestAReadInVainIsNotPrintedAgain(t *testing.T) {
	w := newWorld(t)
	w.put(req, strings.Repeat("a line\n", 40))
	w.read("", req, 0, 0)
	w.compact("")
	for i, want := range []gate.Call{{}, {First: 1, Last: 40}, {First: 1, Last: 20}} {
		d := w.wantEdit("", event.Block, "read in vain")
		if d.Refusal.Next != want {
			t.Errorf("after %d reads in vain: %+v, want %+v", i, d.Refusal.Next, want)
		}
		tool := event.Tool{Name: "Read", Class: event.Read, Paths: []event.PathArg{{Path: d.Refusal.Unread[0].Abs, Op: event.OpRead}}}
		if want.Last > 0 {
			tool.Offset, tool.Limit = want.First, want.Last-want.First+1
		}
		w.send(event.Event{Kind: event.ToolBefore, Call: w.id(), Tool: tool})
		w.send(event.Event{Kind: event.ToolAfter, Call: w.id(), Tool: tool, Result: &event.Result{Unchanged: true}})
	}
	if d := w.edit("", "src/a.go"); d.Verdict != event.Warn || len(d.Refusal.Dropped) != 1 {
		t.Errorf("after three reads in vain: %s %+v", d.Verdict, d.Refusal)
	}
}

func TestRefusalsAloneNeverOpenTheGate(t *testing.T) {
	w := newWorld(t)
	w.compact("")
	for range 100 {
		w.wantEdit("", event.Block, "reads of this session are seen")
	}
}

func TestItStandsDownWhereReadsAreHidden(t *testing.T) {
	w := newWorld(t)
	w.client.AfterEvents = true
	w.compact("")
	for range 3 {
		w.send(event.Event{
			Kind: event.ToolBefore, Call: w.id(),
			Tool: event.Tool{Name: "Read", Class: event.Read, Paths: []event.PathArg{{Path: root + "/src/a.go", Op: event.OpRead}}},
		})
	}
	for i := range 12 {
		w.wantEdit("", event.Block, "refusal "+string(rune('a'+i)))
	}
	if d := w.wantEdit("", event.Warn, "after twelve refusals"); d.Refusal.StoodDown == "" {
		t.Errorf("%+v", d.Refusal)
	}
	w.compact("")
	w.wantEdit("", event.Block, "the next compaction arms again")
}

func TestASecondCompactionAsksForTheUnion(t *testing.T) {
	w := newWorld(t)
	w.read("", req, 0, 0)
	w.compact("")
	w.read("", req2, 0, 0) // not demanded: tracked
	d := w.compact("")
	if got := paths(d.Block.Unread); got != "REQ-2.md REQ-1.md" {
		t.Errorf("required: %s", got)
	}
}

func TestReadingLargeAnchorsDoesNotCompactForEver(t *testing.T) {
	w := newWorld(t)
	for _, f := range []string{req, req2, dsgn} {
		w.read("", f, 0, 0)
	}
	w.compact("")
	n := 0
	for ; n < 10; n++ {
		d := w.edit("", "src/a.go")
		if d.Verdict == event.Allow {
			break
		}
		// The context holds one anchor only: after each read it is compacted.
		w.read("", d.Refusal.Unread[0].Abs, 0, 0)
		if w.edit("", "src/a.go").Verdict == event.Allow {
			break
		}
		w.compact("")
	}
	if n == 10 {
		t.Error("reading never gets out of the recovery")
	}
}

func TestADamagedStateIsInRecovery(t *testing.T) {
	w := newWorld(t)
	w.read("", req, 0, 0)
	w.session.Damaged = true
	d := w.wantEdit("", event.Block, "damaged")
	if paths(d.Refusal.Unread) != "REQ-1.md" {
		t.Errorf("unread %s", paths(d.Refusal.Unread))
	}
	w.obey("")

	w = newWorld(t)
	w.session.Damaged = true
	w.wantEdit("sub", event.Block, "damaged, seen by a subagent first")
	w.wantEdit("", event.Block, "and by the main context")
}

func TestTakenBackCredit(t *testing.T) {
	w := newWorld(t)
	w.compact("")
	w.read("", memo, 0, 0)
	w.send(event.Event{Kind: event.Unread, Path: memo})
	w.read("", patt, 0, 0)
	if d := w.wantEdit("", event.Block, "its content was dropped"); paths(d.Refusal.Unread) != "MEMORY.md" {
		t.Errorf("unread %s", paths(d.Refusal.Unread))
	}
	w.obey("")
	w.send(event.Event{Kind: event.Unread, Path: memo})
	w.wantEdit("", event.Allow, "it never arms")
}

func TestModes(t *testing.T) {
	w := newWorld(t)
	w.policy.Recovery = event.ModeOff
	if d := w.compact(""); d.Block != nil || (d.Bank == gate.Bank{}) {
		t.Errorf("off: %+v", d)
	}
	w.wantEdit("", event.Allow, "off")
	w = newWorld(t)
	w.policy.Recovery = event.ModeWarn
	w.compact("")
	w.wantEdit("", event.Warn, "warn")
	w.read("", memo, 0, 0)
	w.read("", patt, 0, 0)
	w.wantEdit("", event.Allow, "warn, read")
}

func TestHooksStayWhileARecoveryIsPending(t *testing.T) {
	w := newWorld(t)
	change := event.Event{Kind: event.ConfigChange, Path: root + "/.claude/settings.json"}
	w.send(event.Event{Kind: event.SessionStart, Source: "startup"})
	w.compact("")
	if d := w.send(change); d.Verdict != event.NoOpinion {
		t.Errorf("a change that keeps the hooks: %s", d.Verdict)
	}
	w.hooked = false
	if d := w.send(change); d.Verdict != event.Block {
		t.Errorf("a change that drops the hooks: %q", d.Verdict)
	}
	w.obey("")
	if d := w.send(change); d.Verdict != event.NoOpinion {
		t.Errorf("without a recovery: %s", d.Verdict)
	}
}

func TestOldFramesFade(t *testing.T) {
	w := newWorld(t)
	for _, f := range []string{req, req2, dsgn} {
		w.read("", f, 0, 0)
	}
	w.now = w.now.Add(30 * time.Hour)
	if d := w.compact(""); paths(d.Block.Unread) != "d.md REQ-2.md" {
		t.Errorf("required: %s", paths(d.Block.Unread))
	}
}

func TestADemandedReadDoesNotRenewThePlace(t *testing.T) {
	w := newWorld(t)
	w.read("", req, 0, 0)
	w.read("", req2, 0, 0)
	w.compact("")
	w.read("", req2, 0, 0)
	w.read("", req, 0, 0)
	w.wantEdit("", event.Allow, "read")
	if d := w.compact(""); paths(d.Block.Unread) != "REQ-2.md REQ-1.md" {
		t.Errorf("required: %s", paths(d.Block.Unread))
	}
}

func TestHugeAnchorsAreReadInParts(t *testing.T) {
	w := newWorld(t)
	w.policy.Budget = 2000
	w.put(req, numbered(req, 900))
	w.read("", req, 1, 5)
	d := w.compact("")
	if u := d.Block.Unread[0]; !u.Part || u.Need >= u.Total || u.Total != 900 {
		t.Fatalf("%+v", d.Block.Unread)
	}
	w.obey("")
}
