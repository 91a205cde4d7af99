package gate_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mbgate/mbgate/internal/capsule"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/render"
)

// change plays a whole write: announced, done unless refused, and reported.
func (w *world) change(sub, name, text string) gate.Decision {
	w.t.Helper()
	id := w.id()
	tool := event.Tool{Name: "Write", Class: event.Write, Paths: []event.PathArg{{Path: root + "/" + name, Op: event.OpWrite}}}
	d := w.send(event.Event{Kind: event.ToolBefore, Call: id, Sub: event.Sub{ID: sub}, Tool: tool})
	if d.Verdict == event.Block {
		return d
	}
	w.put(name, text)
	w.send(event.Event{Kind: event.ToolAfter, Call: id, Sub: event.Sub{ID: sub}, Tool: tool, Result: &event.Result{}})
	return d
}

// noted adds a note.
func (w *world) noted(n gate.Note) string {
	w.t.Helper()
	w.now = w.now.Add(time.Second)
	id, _, err := w.session.AddNote(n, w.now)
	if err != nil {
		w.t.Fatal(err)
	}
	return id
}

func (w *world) answer(id string) {
	w.t.Helper()
	w.now = w.now.Add(time.Second)
	if err := w.session.AnswerNote(id, "yes", false, w.now); err != nil {
		w.t.Fatal(err)
	}
}

// recover reads the anchors of a pending recovery in the main context.
func (w *world) recover() {
	w.t.Helper()
	for _, f := range []string{memo, patt} {
		w.read("", f, 0, 0)
	}
	if w.session.Main().Recovery != nil {
		w.t.Fatalf("still in recovery: %+v", w.session.Main().Recovery)
	}
}

func (w *world) wantHeld(d gate.Decision, by gate.BindingKind, why string) {
	w.t.Helper()
	switch {
	case by == "" && d.Verdict != event.Allow:
		w.t.Errorf("%s: %s %+v %+v, want it allowed", why, d.Verdict, d.Binding, d.Refusal)
	case by != "" && (d.Verdict != event.Block || d.Rule != gate.RuleCapsule || d.Binding == nil || d.Binding.Kind != by):
		w.t.Errorf("%s: %s %s %+v, want it held by %s", why, d.Verdict, d.Rule, d.Binding, by)
	}
}

func status(s gate.Session, path string) capsule.Status {
	for _, x := range s.Writes {
		if x.Path == path {
			return x.Status
		}
	}
	return ""
}

func TestOverTwoCompactions(t *testing.T) {
	w := newWorld(t)
	w.put("src/b.go", numbered("b", 5))
	w.put("src/c.go", numbered("c", 5))
	w.read("", "src/b.go", 0, 0)
	deny := w.noted(gate.Note{Kind: gate.NoteDeny, Text: "keep the API", Paths: []string{"api/**"}})
	told := w.noted(gate.Note{Kind: gate.NoteDeny, Text: "be kind"})
	ask := w.noted(gate.Note{Kind: gate.NoteQuestion, Text: "Which?", Blocking: true})
	w.noted(gate.Note{Kind: gate.NoteNext, Text: "old"})
	w.noted(gate.Note{Kind: gate.NoteNext, Text: "write the parser", Phase: "implement"})
	w.wantHeld(w.edit("", "src/a.go"), "", "a question before a compaction")
	w.wantHeld(w.edit("", "api/x.go"), gate.BindDeny, "a deny before a compaction")

	w.compact("")
	d := w.compact("")
	c := d.Capsule
	if c == nil {
		t.Fatal("no capsule is injected")
	}
	want := capsule.Capsule{
		Schema: 1, TraceID: "s1", CreatedAt: c.CreatedAt,
		HardDenies: []string{}, Constraints: []string{"keep the API (paths: api/**)", "be kind"},
		Questions: []capsule.Question{{ID: ask, Question: "Which?", Blocking: true}},
		Resume:    &capsule.Resume{Phase: "implement", NextAction: "write the parser", PendingQuestionID: ask},
		Gate:      capsule.Gate{Findings: []capsule.Finding{}},
		Writes:    []capsule.Write{{ID: "w6", Path: "src/a.go", Status: capsule.Planned}, {ID: "w7", Path: "api/x.go", Status: capsule.Blocked}},
		Sources:   c.Sources,
	}
	if !reflect.DeepEqual(*c, want) || len(c.Sources) != 1 || c.Sources[0].Path != "src/b.go" || c.Sources[0].Refs != 1 {
		t.Errorf("got  %+v\nwant %+v", *c, want)
	}
	if raw, _ := json.Marshal(w.session.Capsule); true {
		if _, r := capsule.Validate(raw); !r.Valid {
			t.Errorf("the capsule is invalid: %+v", r)
		}
	}

	if d := w.edit("", "src/a.go"); d.Rule != gate.RuleRecovery {
		t.Errorf("the recovery comes first: %+v", d)
	}
	w.wantHeld(w.shell("", "mbgate note question 'May I?' --blocking --session s1"), "", "a note while a recovery is pending")
	if d := w.shell("", "mbgate note drop "+deny); d.Rule != gate.RuleOwn {
		t.Errorf("an agent drops a deny: %+v", d)
	}
	w.recover()
	d = w.edit("", "src/a.go")
	w.wantHeld(d, gate.BindQuestion, "an open blocking question")
	if d2 := w.edit("", "src/a.go"); d2.Binding.Count == d.Binding.Count || d2.Binding.ID != ask {
		t.Errorf("two refusals alike: %+v", d2.Binding)
	}
	w.wantHeld(w.shell("", "go test ./..."), "", "a test")
	w.wantHeld(w.shell("", "mbgate note answer "+ask+" 'THE ANSWER' --session s1"), "", "the printed remedy")
	w.answer(ask)
	w.wantHeld(w.change("", "src/a.go", "package a // 2\n"), "", "the question is answered")
	w.wantHeld(w.edit("", "api/x.go"), gate.BindDeny, "the deny still holds")

	w.put("src/b.go", numbered("b", 6))
	d = w.edit("", "src/b.go")
	w.wantHeld(d, gate.BindStale, "a source that changed")
	w.read("", d.Binding.Abs, d.Binding.Next.First, d.Binding.Next.Last)
	w.wantHeld(w.edit("", "src/b.go"), "", "the printed read was made")
	w.put("src/b.go", numbered("b", 7))
	w.wantHeld(w.edit("", "src/b.go"), "", "it is free until the next compaction")

	w.compact("")
	w.recover()
	w.wantHeld(w.edit("", "src/b.go"), gate.BindStale, "until the next compaction")
	if _, err := w.session.Drop(deny); err != nil {
		t.Fatal(err)
	}
	w.wantHeld(w.edit("", "api/x.go"), "", "a person dropped it")
	if _, err := w.session.Drop(told); err != nil {
		t.Fatal(err)
	}
}

func TestDeniedPaths(t *testing.T) {
	for _, c := range []struct {
		globs, command string
		held           bool
	}{
		{"src/**", "echo x > src/a.go", true},
		{"src/", "echo x > src/deep/new.go", true},
		{"src", "echo x > src/deep/new.go", true},
		{"./src/a.go", "echo x > src/a.go", true},
		{"src/a.go", "echo x > src/b.go", false},
		{"src/a.go", "rm -rf src", true},
		{"src/a.go", "rm -rf docs", false},
		{"dst/x/**", "cp -r src dst", true},
		{"other/x/**", "cp -r src dst", false},
		{"**/*.sql", "rm -rf src", true}, // nobody knows what is in it
		{"**/*.sql", "echo x > db/1.sql", true},
		{"**/*.sql", "echo x > db/1.go", false},
		{"*.md", "echo x > docs/a.md", false},
		{"src/*.go", "chmod +x src/a.go", true},
		{"src/*.go", "mv src/a.go src/b.txt", true},
		{"src/*.go", "mv docs/a.md src/new.go", true},
		{"src/**", "git reset --hard", true},
		{"src/**", "cat src/a.go", false},
		{"src/**", "go build ./...", false},
		{"src/**", "echo x > /tmp/src/a.go", false},
		{"memory-bank/details/progress.md", "echo x >> memory-bank/details/progress.md", true}, // low risk, denied all the same
	} {
		w := newWorld(t)
		w.put("docs/a.md", "x\n")
		w.policy.WriteGuard = event.ModeOff
		w.noted(gate.Note{Kind: gate.NoteDeny, Text: "no", Paths: []string{c.globs}})
		d := w.shell("", c.command)
		if held := d.Binding != nil && d.Verdict == event.Block; held != c.held {
			t.Errorf("%s, %s: held %v, want %v (%s)", c.globs, c.command, held, c.held, d.Verdict)
		}
	}
}

func TestAnAgentCannotLockTheProject(t *testing.T) {
	for _, g := range []string{"**", "*", "**/*", "./**", "*/**", "**/**", "{**,a}", "?*", "**/?*", ".", "**/", "*/", "[a-z]*/**"} {
		w := newWorld(t)
		if _, _, err := w.session.AddNote(gate.Note{Kind: gate.NoteDeny, Text: "x", Paths: []string{g}, Agent: true}, w.now); err == nil {
			t.Errorf("an agent denies %s", g)
		}
		if _, _, err := w.session.AddNote(gate.Note{Kind: gate.NoteDeny, Text: "x", Paths: []string{g}}, w.now); err != nil {
			t.Errorf("a person cannot deny %s: %v", g, err)
		}
	}
	for _, g := range []string{"src/**", "**/*.sql", "go.mod", ".github/", "docs/*.md"} {
		w := newWorld(t)
		if _, _, err := w.session.AddNote(gate.Note{Kind: gate.NoteDeny, Text: "x", Paths: []string{g}, Agent: true}, w.now); err != nil {
			t.Errorf("%s: %v", g, err)
		}
	}
	for _, g := range []string{"", " ", "/etc/**", "../x", "a/../../x", "~/x", "[", "a{", strings.Repeat("x", 300), "\xff"} {
		w := newWorld(t)
		if _, _, err := w.session.AddNote(gate.Note{Kind: gate.NoteDeny, Text: "x", Paths: []string{g}}, w.now); err == nil || !strings.Contains(err.Error(), ";") {
			t.Errorf("%q: %v", g, err)
		}
	}
}

func TestNotesAreBounded(t *testing.T) {
	w := newWorld(t)
	first := w.noted(gate.Note{Kind: gate.NoteDeny, Text: "the first deny"})
	long := strings.Repeat("why 界 ", 20_000)
	refused := 0
	for i := range 10_000 {
		kind := []gate.NoteKind{gate.NoteDeny, gate.NoteQuestion, gate.NoteNext}[i%3]
		id, cut, err := w.session.AddNote(gate.Note{Kind: kind, Text: fmt.Sprint(i, " ", long[:2500+i%50/49*100_000]), Blocking: i%2 == 0, Agent: true}, w.now)
		if err != nil {
			refused++
			if !strings.Contains(err.Error(), "which is the most; ") {
				t.Fatal(err)
			}
		} else if !cut {
			t.Fatal("100 kB are kept")
		}
		if kind == gate.NoteQuestion && err == nil && i%9 == 1 {
			if err := w.session.AnswerNote(id, long, false, w.now); err != nil {
				t.Fatal(err)
			}
		}
	}
	if refused == 0 || w.session.Notes[0].ID != first {
		t.Errorf("refused %d; the first deny is gone: %+v", refused, w.session.Notes[0].ID)
	}
	raw, err := json.Marshal(w.session)
	if err != nil || len(raw) > 400_000 {
		t.Errorf("the state has %d bytes", len(raw))
	}
	d := w.compact("")
	text, dropped := render.CapsuleText(*d.Capsule, 600)
	if n := render.Tokens(text); n > 600 || len(dropped) == 0 || !strings.Contains(text, "the first deny") {
		t.Errorf("%d tokens, dropped %q:\n%s", n, dropped, text)
	}
}

func TestStaleSources(t *testing.T) {
	const file = "src/b.go"
	read := func(w *world) { w.read("", file, 0, 0) }
	alter := func(w *world) { w.put(file, numbered("changed", 9)) }
	compact := func(w *world) { w.compact(""); w.recover() }
	unreported := func(w *world) {
		w.send(event.Event{Kind: event.ToolBefore, Call: w.id(), Tool: event.Tool{
			Name: "Bash", Class: event.Shell, Command: "echo x >> " + file, Unreported: true,
		}})
	}
	for _, c := range []struct {
		name string
		do   []func(*world)
		held bool
	}{
		{"never read", []func(*world){alter, compact}, false},
		{"changed before the compaction, not after", []func(*world){read, alter}, false},
		{"changed, then compacted", []func(*world){read, alter, compact}, true},
		{"compacted, then changed", []func(*world){read, compact, alter}, true},
		{"unchanged", []func(*world){read, compact}, false},
		{"touched only", []func(*world){read, compact, func(w *world) { w.put(file, w.files[file]) }}, false},
		{"gone", []func(*world){read, compact, func(w *world) { w.remove(file) }}, false},
		{"emptied", []func(*world){read, compact, func(w *world) { w.put(file, "") }}, false},
		{"made binary", []func(*world){read, compact, func(w *world) { w.put(file, "\x00\x01") }}, false},
		{"written by this context since", []func(*world){read, alter, func(w *world) { w.change("", file, "x\n") }, compact}, false},
		{"written by a call that is never reported", []func(*world){read, unreported, alter, compact}, false},
		{"written by a call that is never reported, after the compaction", []func(*world){read, compact, unreported, alter}, false},
		{"announced, and not reported", []func(*world){read, compact, func(w *world) { w.shell("", "echo x >> "+file) }, alter}, true},
		{"written, then formatted by another", []func(*world){func(w *world) { w.change("", file, "x\n") }, alter, compact}, true},
		{"another file was read", []func(*world){read, alter, compact, func(w *world) { w.read("", "src/a.go", 0, 0) }}, true},
		{"one line was read", []func(*world){read, alter, compact, func(w *world) { w.read("", file, 2, 2) }}, false},
		{"read beyond its end", []func(*world){read, alter, compact, func(w *world) { w.read("", file, 900, 901) }}, true},
		{"read in vain three times", []func(*world){
			read, alter, compact,
			func(w *world) { w.read("", file, 900, 901) }, func(w *world) { w.read("", file, 900, 901) }, func(w *world) { w.read("", file, 900, 901) },
		}, false},
	} {
		w := newWorld(t)
		w.put(file, numbered("b", 5))
		for _, f := range c.do {
			f(w)
		}
		by := gate.BindingKind("")
		if c.held {
			by = gate.BindStale
		}
		w.wantHeld(w.edit("", file), by, c.name)
		w.wantHeld(w.shell("", "echo x >> "+file), by, c.name+", by the shell")
		w.wantHeld(w.shell("", "cat "+file), "", c.name+", read")
	}
}

func TestStaleSourceOfAClientWithoutResults(t *testing.T) {
	w := newWorld(t)
	w.client.AfterEvents = false
	w.put("src/b.go", numbered("b", 5))
	tool := event.Tool{Name: "Read", Class: event.Read, Paths: []event.PathArg{{Path: root + "/src/b.go", Op: event.OpRead}}}
	w.send(event.Event{Kind: event.ToolAfter, Tool: tool, ReadsOnly: true})
	w.session.Reported = false
	w.policy.Recovery = event.ModeOff
	w.compact("")
	w.put("src/b.go", numbered("b", 6))
	for range 3 {
		w.shell("", "ls")
	}
	w.wantHeld(w.edit("", "src/b.go"), gate.BindStale, "changed")
	w.send(event.Event{Kind: event.ToolBefore, Call: w.id(), Tool: tool})
	w.wantHeld(w.edit("", "src/b.go"), "", "the read was announced, and nothing is ever reported")
}

func TestSubagentsAreBound(t *testing.T) {
	w := newWorld(t)
	w.policy.Recovery = event.ModeOff
	w.put("src/b.go", numbered("b", 5))
	ask := w.noted(gate.Note{Kind: gate.NoteQuestion, Text: "Which?", Blocking: true})
	w.noted(gate.Note{Kind: gate.NoteDeny, Text: "no", Paths: []string{"api/**"}})
	w.wantHeld(w.edit("sub", "api/x"), gate.BindDeny, "a deny holds for all")
	w.read("", "src/b.go", 0, 0)
	w.read("sub", "src/b.go", 0, 0)
	w.compact("")
	w.wantHeld(w.edit("sub", "src/a.go"), gate.BindQuestion, "the session's question")
	w.answer(ask)
	w.wantHeld(w.edit("sub", "src/a.go"), "", "answered")
	w.put("src/b.go", numbered("b", 6))
	w.wantHeld(w.edit("sub", "src/b.go"), "", "the subagent's own context was not compacted")
	w.wantHeld(w.edit("", "src/b.go"), gate.BindStale, "the main one was")
	before := w.session.Capsule
	if d := w.compact("sub"); d.Capsule == nil || len(d.Capsule.Sources) != 0 {
		t.Errorf("the subagent gets no capsule of its own, or sources, which are the main context's: %+v", d.Capsule)
	}
	if !reflect.DeepEqual(before, w.session.Capsule) {
		t.Error("a subagent's compaction changed the session's capsule")
	}
	w.wantHeld(w.edit("sub", "src/b.go"), "", "sources are the main context's (S5)")
	w.read("sub", "src/b.go", 0, 0)
	w.wantHeld(w.edit("", "src/b.go"), gate.BindStale, "and for nobody else")
}

func TestClearSuspends(t *testing.T) {
	w := newWorld(t)
	w.policy.RunFile = "run.json"
	w.put("run.json", `{"id":"r","gate":{"passed":false,"reason":"red"}}`)
	w.put("src/b.go", numbered("b", 5))
	w.read("", "src/b.go", 0, 0)
	w.noted(gate.Note{Kind: gate.NoteDeny, Text: "no", Paths: []string{"api/**"}})
	w.noted(gate.Note{Kind: gate.NoteQuestion, Text: "Which?", Blocking: true})
	bound := func(want bool) {
		t.Helper()
		by := [...]gate.BindingKind{"", "", ""}
		if want {
			by = [...]gate.BindingKind{gate.BindDeny, gate.BindGate, gate.BindGate}
		}
		w.wantHeld(w.edit("", "api/x"), by[0], "deny")
		w.wantHeld(w.edit("", "src/a.go"), by[1], "gate")
		w.wantHeld(w.edit("", "src/b.go"), by[2], "stale")
	}
	clear := func() gate.Answer {
		return w.send(event.Event{Kind: event.Prompt, Prompt: "mb:clear"}).Person
	}
	w.compact("")
	w.recover()
	w.put("src/b.go", numbered("b", 6))
	bound(true)
	if n := len((gate.Gate{Policy: w.policy, Disk: w, Now: w.now, Root: root}).Bindings(w.session, "", &w.client)); n != 4 {
		t.Errorf("%d bindings are shown", n)
	}
	if a := clear(); a != gate.Cleared {
		t.Error(a)
	}
	bound(false)
	if a := clear(); a != gate.NothingToClear {
		t.Error(a)
	}
	if b := (gate.Gate{Policy: w.policy, Disk: w, Now: w.now, Root: root}).Bindings(w.session, "", &w.client); len(b) != 0 {
		t.Errorf("%+v", b)
	}
	w.noted(gate.Note{Kind: gate.NoteDeny, Text: "new", Paths: []string{"new/**"}})
	w.wantHeld(w.edit("", "new/x"), gate.BindDeny, "a deny that was noted after the clear")
	w.wantHeld(w.edit("", "api/x"), "", "the older one")
	w.put("src/b.go", numbered("b", 7))
	w.compact("")
	w.recover()
	bound(true)
}

func TestNothingToSuspend(t *testing.T) {
	w := newWorld(t)
	w.noted(gate.Note{Kind: gate.NoteDeny, Text: "only told"})
	w.noted(gate.Note{Kind: gate.NoteQuestion, Text: "Nice?"})
	w.compact("")
	w.recover()
	w.wantHeld(w.edit("", "src/a.go"), "", "what is told refuses nothing")
	if s := w.session.Clone(); s.Clear() || s.Suspended {
		t.Error("something was cleared")
	}
}

func TestRunFile(t *testing.T) {
	w := newWorld(t)
	w.policy.Recovery = event.ModeOff
	w.policy.RunFile = ".runs/now.json"
	run := func(text string) { w.put(".runs/now.json", text) }
	run(`{"id":"r","gate":{"passed":false,"reason":"red"},"questions":[{"id":"q1","question":"Ship?","blocking":true,"status":"open"},{"id":"q2","question":"Nice?","blocking":false,"status":"open"}]}`)
	w.wantHeld(w.edit("", "src/a.go"), "", "before a compaction")
	w.compact("")
	if c := w.session.Capsule; !slices.Equal(c.HardDenies, []string{"red"}) || len(c.Questions) != 2 || c.TraceID != "s1" {
		t.Errorf("%+v", c)
	}
	d := w.edit("", "src/a.go")
	w.wantHeld(d, gate.BindGate, "a failed gate")
	if d.Binding.Path != ".runs/now.json" || d.Binding.Text != "red" {
		t.Errorf("%+v", d.Binding)
	}
	run(`{"id":"r","gate":`)
	w.wantHeld(w.edit("", "src/a.go"), gate.BindGate, "a torn file holds what it said")
	run(`{"id":"r","gate":{"passed":true},"questions":[{"id":"q1","question":"Ship?","blocking":true,"status":"open"}]}`)
	w.wantHeld(w.edit("", "src/a.go"), gate.BindQuestion, "a question of the run")
	if err := w.session.AnswerNote("q1", "yes", true, w.now); err != nil {
		t.Fatal(err)
	}
	w.wantHeld(w.edit("", "src/a.go"), "", "answered by a note")
	w.compact("")
	if len(w.session.Capsule.Questions) != 0 {
		t.Errorf("%+v", w.session.Capsule.Questions)
	}
	run(`{"id":"r","gate":{"passed":false}}`)
	w.wantHeld(w.edit("", "src/a.go"), gate.BindGate, "read anew at each event")
	w.remove(".runs/now.json")
	w.wantHeld(w.edit("", "src/a.go"), "", "there is none any more")
}

func TestBindsBeforeAReminder(t *testing.T) {
	w := newWorld(t)
	w.policy.Recovery = event.ModeWarn
	w.noted(gate.Note{Kind: gate.NoteQuestion, Text: "Which?", Blocking: true})
	w.compact("")
	w.wantHeld(w.edit("", "src/a.go"), gate.BindQuestion, "a recovery that only reminds lets nothing by")
}

func TestWriteTransactions(t *testing.T) {
	w := newWorld(t)
	want := func(path string, s capsule.Status) {
		t.Helper()
		if got := status(w.session, path); got != s {
			t.Errorf("%s is %q, want %q", path, got, s)
		}
	}
	w.edit("", "src/a.go")
	want("src/a.go", capsule.Planned)
	w.change("", "src/a.go", "package a // 1\n")
	want("src/a.go", capsule.Written)
	w.read("", "src/a.go", 0, 0)
	want("src/a.go", capsule.Verified)
	w.change("", "src/new.go", "package a\n")
	want("src/new.go", capsule.Written)

	// A failed edit wrote nothing; of a failed command nobody knows.
	id := w.id()
	tool := write(event.Edit, event.OpWrite, "src/f.go")
	w.send(event.Event{Kind: event.ToolBefore, Call: id, Tool: tool})
	w.send(event.Event{Kind: event.ToolAfter, Call: id, Tool: tool, Result: &event.Result{Failed: true}})
	want("src/f.go", "")
	sh := event.Tool{Name: "Bash", Class: event.Shell, Command: "echo x > src/g.go"}
	w.send(event.Event{Kind: event.ToolBefore, Call: "g", Tool: sh})
	w.send(event.Event{Kind: event.ToolAfter, Call: "g", Tool: sh, Result: &event.Result{Failed: true}})
	want("src/g.go", capsule.Planned)

	// A removal is done when the file is gone.
	rm := event.Tool{Name: "Bash", Class: event.Shell, Command: "rm src/new.go"}
	w.send(event.Event{Kind: event.ToolBefore, Call: "r", Tool: rm})
	want("src/new.go", capsule.Planned)
	w.remove("src/new.go")
	w.send(event.Event{Kind: event.ToolAfter, Call: "r", Tool: rm, Result: &event.Result{}})
	want("src/new.go", capsule.Written)

	w.compact("")
	w.edit("", "src/h.go")
	want("src/h.go", capsule.Blocked)
	want("src/g.go", capsule.Planned)
	w.send(event.Event{Kind: event.Prompt, Prompt: "go on"})
	want("src/g.go", "")
	want("src/h.go", capsule.Blocked)
	w.recover()
	for i := range 100 {
		w.change("", fmt.Sprint("src/many", i, ".go"), "x\n")
	}
	if len(w.session.Writes) != 32 {
		t.Errorf("%d write transactions", len(w.session.Writes))
	}
	want("src/h.go", capsule.Blocked)
	seen := map[string]bool{}
	for _, x := range w.session.Writes {
		if seen[x.ID] || seen[x.Path] {
			t.Errorf("%s %s is there twice", x.ID, x.Path)
		}
		seen[x.ID], seen[x.Path] = true, true
	}
	for i := range 100 {
		w.read("", fmt.Sprint("src/many", i, ".go"), 0, 0)
	}
	if n := len(w.session.Main().Sources); n != 32 {
		t.Errorf("%d sources", n)
	}
}

// A copy of an event counts nothing twice.
func TestCopiesAreNotCounted(t *testing.T) {
	w := newWorld(t)
	ev := event.Event{
		Kind: event.ToolAfter, Call: "c1", Digest: "x", Tool: write(event.Read, event.OpRead, "src/a.go"),
		Result: &event.Result{Text: w.files["src/a.go"], HasText: true},
	}
	w.send(ev)
	before := w.session.Clone()
	w.send(ev)
	if n := w.session.Main().Sources[0].Refs; n != 1 || !reflect.DeepEqual(before.Main().Sources, w.session.Main().Sources) {
		t.Errorf("%d references", n)
	}
	ev.Call = "c2"
	w.send(ev)
	if n := w.session.Main().Sources[0].Refs; n != 2 {
		t.Errorf("%d references", n)
	}
}

func TestCurrentFocusFillsIn(t *testing.T) {
	w := newWorld(t)
	w.put(memo, "# M\n\n## Current Focus\n\n- Goal: tenants\n- **Blocked by**: the schema\n- Remaining: the parser\n")
	if d := w.compact(""); d.Capsule != nil || len(d.Block.Focus) != 3 {
		t.Errorf("what the block says is repeated: %+v", d.Capsule)
	}
	c := w.session.Capsule
	if c == nil || c.Resume == nil || c.Resume.NextAction != "Remaining: the parser" {
		t.Fatalf("%+v", c)
	}
	if !slices.Contains(c.Gate.Findings, capsule.Finding{Severity: capsule.Warning, Policy: "current-focus", Message: "**Blocked by**: the schema"}) {
		t.Errorf("%+v", c.Gate.Findings)
	}
	w.recover()
	w.wantHeld(w.edit("", "src/a.go"), "", "the focus never binds")
	w.noted(gate.Note{Kind: gate.NoteNext, Text: "the lexer"})
	if d := w.compact(""); d.Capsule.Resume.NextAction != "the lexer" {
		t.Errorf("%+v", d.Capsule.Resume)
	}
}

// A client without another channel is given the capsule before every request until the next compaction, always the same.
func TestNoticeGivesTheCapsule(t *testing.T) {
	w := newWorld(t)
	w.client.InjectsAtStart = false
	notice := func() gate.Decision { return w.send(event.Event{Kind: event.Notice}) }
	if d := notice(); d.Capsule != nil {
		t.Errorf("%+v", d.Capsule)
	}
	w.noted(gate.Note{Kind: gate.NoteDeny, Text: "no"})
	w.compact("")
	first := notice().Capsule
	if first == nil {
		t.Fatal("none")
	}
	if again := notice().Capsule; !reflect.DeepEqual(first, again) {
		t.Errorf("%+v\n%+v", first, again)
	}
	w.recover()
	w.change("", "src/a.go", "x\n")
	after, again := notice().Capsule, notice().Capsule
	if after == nil || !reflect.DeepEqual(after, again) {
		t.Errorf("%+v\n%+v", after, again)
	}
	w.client.InjectsAtStart = true
	if d := notice(); d.Capsule != nil {
		t.Error("given although the client has another channel and no recovery is pending")
	}
}

// TestBindingsAlwaysOpen: whatever an agent notes and does, and whatever changes on disk, doing what the refusals say
// opens the way to every file that no deny names.
func TestBindingsAlwaysOpen(t *testing.T) {
	files := []string{"src/a.go", "src/b.go", "docs/x.md", "package.json"}
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 9))
		w := newWorld(t)
		for _, f := range files {
			w.put(f, numbered(f, 3+r.IntN(90)))
		}
		for range 60 {
			f := files[r.IntN(len(files))]
			switch r.IntN(9) {
			case 0:
				_, _, _ = w.session.AddNote(gate.Note{Kind: gate.NoteQuestion, Text: "why?", Blocking: r.IntN(2) == 0, Agent: true}, w.now)
			case 1:
				_, _, _ = w.session.AddNote(gate.Note{Kind: gate.NoteDeny, Text: "no", Paths: []string{"api/**"}, Agent: true}, w.now)
			case 2:
				w.compact("")
			case 3:
				w.put(f, numbered(fmt.Sprint(f, seed), r.IntN(90)))
			case 4:
				w.read("", f, 0, 0)
			case 5:
				w.change("", f, numbered("mine", 1+r.IntN(5)))
			case 6:
				w.shell("", "rm -rf docs && git reset --hard")
			case 7:
				w.compact("sub")
			case 8:
				w.read("", req, 0, 0)
			}
		}
		for _, f := range files {
			free := false
			for range 200 {
				d := w.edit("", f)
				if free = d.Verdict == event.Allow; free {
					break
				}
				switch {
				case d.Refusal != nil:
					w.read("", d.Refusal.Unread[0].Abs, d.Refusal.Next.First, d.Refusal.Next.Last)
				case d.Binding != nil && d.Binding.Kind == gate.BindQuestion:
					w.answer(d.Binding.ID)
				case d.Binding != nil && d.Binding.Kind == gate.BindStale:
					w.read("", d.Binding.Abs, d.Binding.Next.First, d.Binding.Next.Last)
				default:
					t.Fatalf("seed %d: refused without a way out: %+v", seed, d)
				}
			}
			if !free {
				t.Fatalf("seed %d: %s does not open", seed, f)
			}
		}
	}
}

// A finished call that shows nothing of the project changes no state, so that it needs no lock.
func TestOtherCallsChangeNothing(t *testing.T) {
	w := newWorld(t)
	w.read("", "src/a.go", 0, 0)
	w.compact("")
	for range 3 {
		w.shell("", "go test ./...")
	}
	before := w.session.Clone()
	w.send(event.Event{Kind: event.ToolAfter, Call: "l", Digest: "d", Tool: event.Tool{Name: "Bash", Class: event.Shell, Command: "go test ./..."}, Result: &event.Result{Text: "ok", HasText: true}})
	w.send(event.Event{Kind: event.ToolBefore, Call: "m", Digest: "e", Tool: event.Tool{Name: "Bash", Class: event.Shell, Command: "cat src/a.go"}})
	if !reflect.DeepEqual(before, w.session) {
		t.Errorf("%+v\n%+v", before, w.session)
	}
}
