package gate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/layout"
	"github.com/mbgate/mbgate/internal/place"
)

// newTurn is a world whose read gate is on, at the beginning of a turn.
func newTurn(t *testing.T, mode event.Mode) *world {
	w := newWorld(t)
	w.policy.Read = mode
	w.client.RemindsBefore = true
	w.prompt("do it")
	return w
}

func (w *world) prompt(text string) gate.Decision {
	return w.send(event.Event{Kind: event.Prompt, Prompt: text})
}

func (w *world) stop() gate.Decision { return w.send(event.Event{Kind: event.Stop}) }

// as plays a write of one file by a subagent of a type.
func (w *world) as(typ, name string) gate.Decision {
	return w.send(event.Event{
		Kind: event.ToolBefore, Call: w.id(), Sub: event.Sub{ID: "id-" + typ, Type: typ},
		Tool: event.Tool{Name: "Write", Class: event.Write, Paths: []event.PathArg{{Path: root + "/" + name, Op: event.OpWrite}}},
	})
}

// wrote plays a finished write of one file.
func (w *world) wrote(sub, name string) gate.Decision {
	return w.send(event.Event{
		Kind: event.ToolAfter, Call: w.id(), Sub: event.Sub{ID: sub}, Result: &event.Result{HasText: true},
		Tool: event.Tool{Name: "Edit", Class: event.Edit, Paths: []event.PathArg{{Path: root + "/" + name, Op: event.OpWrite}}},
	})
}

func (w *world) want(d gate.Decision, want event.Verdict, rule gate.Rule, why string) {
	w.t.Helper()
	if d.Verdict != want || d.Rule != rule {
		w.t.Errorf("%s: %s by %q, want %s by %q", why, d.Verdict, d.Rule, want, rule)
	}
}

// The read gate (SPEC §10).

func TestOneReminderASessionAndCompaction(t *testing.T) {
	w := newTurn(t, event.ModeWarn)
	w.policy.Recovery = event.ModeOff
	w.want(w.edit("", "src/a.go"), event.Warn, gate.RuleRead, "nothing read in this session")
	w.want(w.edit("", "src/a.go"), event.Allow, gate.RuleRead, "reminded already: only the log says it")
	w.want(w.edit("", "package.json"), event.Allow, gate.RuleRead, "warn never refuses")
	w.prompt("go on")
	w.want(w.edit("", "src/a.go"), event.Allow, gate.RuleRead, "a new turn")
	w.want(w.shell("", "ls"), event.Allow, gate.RuleNone, "no write")
	w.compact("sub")
	w.want(w.edit("sub", "src/a.go"), event.Allow, gate.RuleRead, "a subagent was compacted")
	w.compact("")
	w.want(w.edit("", "src/a.go"), event.Warn, gate.RuleRead, "a compaction")
	w.want(w.edit("", "src/a.go"), event.Allow, gate.RuleRead, "once")
}

func TestStrictRefusesAMediumWrite(t *testing.T) {
	w := newTurn(t, event.ModeStrict)
	w.want(w.edit("", "src/a.go"), event.Block, gate.RuleRead, "not read in this turn")
	w.want(w.shell("", "ls"), event.Allow, gate.RuleNone, "no write")
	w.read("", patt, 0, 0)
	w.want(w.edit("", "src/a.go"), event.Allow, gate.RuleNone, "read")
	w.prompt("go on")
	w.want(w.edit("", "src/a.go"), event.Block, gate.RuleRead, "the next turn")
}

func TestAnUntouchedDocumentAsksForNothing(t *testing.T) {
	w := newTurn(t, event.ModeStrict)
	for _, l := range []layout.Language{layout.English, layout.Chinese} {
		for _, f := range layout.Bank(layout.Facts{Name: "shop"}, l) {
			w.put(f.Path, f.Text)
		}
		w.want(w.edit("", "src/a.go"), event.Allow, gate.RuleNone, "it is as init wrote it")
		w.put(patt, w.files[patt]+"- tabs\n")
		w.want(w.edit("", "src/a.go"), event.Block, gate.RuleRead, "somebody wrote there")
	}
}

func TestReadingOpensTheTurn(t *testing.T) {
	w := newTurn(t, event.ModeBlock)
	d := w.edit("", "package.json")
	w.want(d, event.Block, gate.RuleRead, "high risk")
	if d.Patterns.Path != patt || d.Patterns.Abs != root+"/"+patt || d.Patterns.Next != (gate.Call{}) {
		t.Errorf("%+v", d.Patterns)
	}
	w.want(w.edit("", "src/a.go"), event.Warn, gate.RuleRead, "medium risk is reminded, also where it blocks")
	w.read("", patt, 1, 20)
	d = w.edit("", "package.json")
	w.want(d, event.Block, gate.RuleRead, "read in part")
	if d.Patterns.Read != 20 || d.Patterns.Next != (gate.Call{First: 21, Last: 30}) {
		t.Errorf("%+v", d.Patterns)
	}
	w.read("", patt, 21, 30)
	w.want(w.edit("", "package.json"), event.Allow, gate.RuleNone, "read")
	w.put(patt, strings.Replace(w.files[patt], "says 7\n", "says seven\n", 1))
	d = w.edit("", "package.json")
	w.want(d, event.Block, gate.RuleRead, "changed since")
	if d.Patterns.Next != (gate.Call{First: 7, Last: 7}) {
		t.Errorf("%+v", d.Patterns)
	}
	w.read("", patt, 7, 7)
	w.want(w.edit("", "package.json"), event.Allow, gate.RuleNone, "the changed line is read")
}

// The remedy that is printed is itself allowed, and opens the gate, however the document lies.
func TestTheReadGatesRemedyWorks(t *testing.T) {
	for name, text := range map[string]string{
		"short": "one\n", "no line end": "one\ntwo", "long": numbered("p", 200), "empty": "", "blank": "\n\n\n",
	} {
		w := newTurn(t, event.ModeBlock)
		w.put(patt, text)
		for n := 0; ; n++ {
			d := w.edit("", "package.json")
			if d.Verdict == event.Allow {
				break
			}
			if n == 20 || d.Patterns == nil {
				t.Fatalf("%s: the gate does not open: %+v", name, d)
			}
			w.read("", d.Patterns.Abs, d.Patterns.Next.First, d.Patterns.Next.Last)
		}
	}
}

func TestAStubSufficesForWhatIsKnown(t *testing.T) {
	w := newTurn(t, event.ModeBlock)
	tool := event.Tool{Name: "Read", Class: event.Read, Paths: []event.PathArg{{Path: root + "/" + patt, Op: event.OpRead}}}
	stub := func() {
		w.send(event.Event{Kind: event.ToolBefore, Call: "stub", Tool: tool})
		w.send(event.Event{Kind: event.ToolAfter, Call: "stub", Tool: tool, Result: &event.Result{Unchanged: true, HasText: true}})
	}
	stub()
	w.want(w.edit("", "package.json"), event.Block, gate.RuleRead, "a stub for what this context never saw")
	w.read("", patt, 0, 0)
	w.prompt("next")
	w.want(w.edit("", "package.json"), event.Block, gate.RuleRead, "known, but not asked for in this turn")
	for _, search := range []string{"grep says " + patt, "wc -l " + patt, "ls " + patt, "cat " + patt + " > /dev/null"} {
		w.shell("", search)
	}
	w.want(w.edit("", "package.json"), event.Block, gate.RuleRead, "a search does not ask for it")
	stub()
	w.want(w.edit("", "package.json"), event.Allow, gate.RuleNone, "known, unchanged, asked for")
	w.compact("")
	w.obey("")
	w.prompt("after the compaction")
	stub()
	w.want(w.edit("", "package.json"), event.Allow, gate.RuleNone, "read again for the recovery, and asked for")
}

func TestACompactionTakesThePatternsAway(t *testing.T) {
	w := newTurn(t, event.ModeBlock)
	w.policy.Recovery = event.ModeOff
	w.read("", patt, 0, 0)
	w.compact("")
	w.want(w.edit("", "package.json"), event.Block, gate.RuleRead, "the context was compacted since")
	w.read("", patt, 0, 0)
	w.want(w.edit("", "package.json"), event.Allow, gate.RuleNone, "read again")
}

// What looks like reading the patterns and is not.
func TestWaysRoundTheReadGate(t *testing.T) {
	after := func(w *world, tool event.Tool, res *event.Result) {
		id := w.id()
		w.send(event.Event{Kind: event.ToolBefore, Call: id, Tool: tool})
		w.send(event.Event{Kind: event.ToolAfter, Call: id, Tool: tool, Result: res})
	}
	sh := func(command, out string) func(w *world) {
		return func(w *world) {
			after(w, event.Tool{Name: "Bash", Class: event.Shell, Command: command}, &event.Result{Text: out, HasText: true})
		}
	}
	of := func(class event.Class, path string, res *event.Result) func(w *world) {
		return func(w *world) {
			after(w, event.Tool{Name: "T", Class: class, Paths: []event.PathArg{{Path: path, Op: event.OpRead}}}, res)
		}
	}
	whole := numbered(patt, 30)
	for name, way := range map[string]func(w *world){
		"cat to nowhere":        sh("cat "+patt+" > /dev/null", ""),
		"its first line":        sh("head -1 "+patt, numbered(patt, 1)),
		"a search":              sh("grep says "+patt, whole),
		"a count":               sh("wc -l "+patt, "30"),
		"a command that failed": of(event.Read, patt, &event.Result{Failed: true}),
		"an empty result":       of(event.Read, patt, &event.Result{HasText: true}),
		"a preview":             of(event.Read, patt, &event.Result{Text: whole, HasText: true, Preview: true}),
		"a listing":             of(event.List, "memory-bank/details", &event.Result{Text: whole, HasText: true}),
		"a search tool":         of(event.Search, patt, &event.Result{Text: whole, HasText: true}),
		"another patterns.md":   of(event.Read, "docs/patterns.md", &event.Result{Text: whole, HasText: true}),
		"the entry instead":     func(w *world) { w.read("", memo, 0, 0) },
		"a subagent's read":     func(w *world) { w.read("sub", patt, 0, 0) },
		"an echo of it":         sh("echo '"+whole+"'", whole),
		"another subagent": func(w *world) {
			w.readers = true
			w.send(event.Event{Kind: event.ToolBefore, Call: "c", Tool: event.Tool{Name: "Agent", Class: event.Subagent, Subagent: "general-purpose"}})
		},
		"a reader that is not defined": func(w *world) {
			w.send(event.Event{Kind: event.ToolBefore, Call: "c", Tool: event.Tool{Name: "Agent", Class: event.Subagent, Subagent: gate.Reader}})
		},
		"a subagent's prompt": func(w *world) {
			w.send(event.Event{Kind: event.Prompt, Prompt: "x", Sub: event.Sub{ID: "s"}})
		},
		"an offset past the end": func(w *world) { w.read("", patt, 900, 950) },
	} {
		w := newTurn(t, event.ModeBlock)
		way(w)
		if d := w.edit("", "package.json"); d.Verdict != event.Block {
			t.Errorf("%s opened the gate: %s", name, d.Verdict)
		}
	}
}

func TestTheReaderServesOneTurn(t *testing.T) {
	w := newTurn(t, event.ModeBlock)
	w.readers = true
	call := event.Tool{Name: "Agent", Class: event.Subagent, Subagent: gate.Reader}
	w.send(event.Event{Kind: event.ToolBefore, Call: w.id(), Tool: call})
	w.want(w.edit("", "package.json"), event.Allow, gate.RuleNone, "the reader was called in this turn")
	w.want(w.edit("sub", "package.json"), event.Block, gate.RuleRead, "by the main context, not by this one")
	w.prompt("next")
	w.want(w.edit("", "package.json"), event.Block, gate.RuleRead, "not in this turn")
}

func TestPatternsMissing(t *testing.T) {
	w := newTurn(t, event.ModeBlock)
	w.remove(patt)
	d := w.edit("", "package.json")
	w.want(d, event.Block, gate.RuleRead, "MEMORY.md serves")
	if d.Patterns.Path != memo {
		t.Errorf("%+v", d.Patterns)
	}
	w.read("", memo, 0, 0)
	w.want(w.edit("", "package.json"), event.Allow, gate.RuleNone, "MEMORY.md is read")
	w.prompt("next")
	w.remove(memo)
	w.want(w.edit("", "package.json"), event.Allow, gate.RuleNone, "there is neither")
	w.put(patt, "x\n")
	w.broken[patt] = true
	w.want(w.edit("", "package.json"), event.Allow, gate.RuleNone, "what cannot be read is asked of nobody")
}

func TestEachContextIsJudgedForItself(t *testing.T) {
	w := newTurn(t, event.ModeBlock)
	w.read("", patt, 0, 0)
	w.want(w.edit("", "package.json"), event.Allow, gate.RuleNone, "read by the main context")
	w.want(w.edit("sub", "package.json"), event.Block, gate.RuleRead, "not by the subagent")
	w.want(w.edit("sub", "src/a.go"), event.Warn, gate.RuleRead, "which is reminded for itself")
	w.want(w.edit("sub", "src/a.go"), event.Allow, gate.RuleNone, "once")
	w.want(w.edit("other", "src/a.go"), event.Warn, gate.RuleRead, "and so is every other")
	w.read("sub", patt, 0, 0)
	w.want(w.edit("sub", "package.json"), event.Allow, gate.RuleNone, "read by the subagent")
}

func TestWithoutPromptEventsTheSessionIsTheTurn(t *testing.T) {
	w := newWorld(t)
	w.policy.Read, w.client.PromptEvents, w.client.RemindsBefore = event.ModeBlock, false, true
	w.want(w.edit("", "src/a.go"), event.Warn, gate.RuleRead, "not read in this session")
	w.read("", patt, 0, 0)
	w.now = w.now.Add(10 * time.Hour)
	w.stop()
	w.want(w.edit("", "package.json"), event.Allow, gate.RuleNone, "read in this session")
	w.compact("")
	w.obey("")
	w.want(w.edit("", "package.json"), event.Allow, gate.RuleNone, "and again after the compaction")
}

func TestOnlyAPersonsPromptStartsATurn(t *testing.T) {
	for name, ev := range map[string]event.Event{
		"a subagent's": {Prompt: "do it", Sub: event.Sub{ID: "s", Type: "x"}},
		"a made-up":    {Prompt: "<task-notification>", Synthetic: true},
		"an empty":     {Prompt: " \n"},
	} {
		w := newTurn(t, event.ModeBlock)
		w.read("", patt, 0, 0)
		ev.Kind = event.Prompt
		w.send(ev)
		if d := w.edit("", "package.json"); d.Verdict != event.Allow {
			t.Errorf("%s prompt started a turn", name)
		}
	}
}

func TestAReminderIsSaidWhereItIsHeard(t *testing.T) {
	w := newTurn(t, event.ModeWarn)
	w.client.RemindsBefore, w.client.InjectsAfterTools = false, true
	w.want(w.edit("", "src/a.go"), event.Allow, gate.RuleNone, "nobody hears what is said before")
	w.want(w.wrote("", "src/a.go"), event.Warn, gate.RuleRead, "it is said with the result")
	w.want(w.wrote("", "src/a.go"), event.NoOpinion, gate.RuleNone, "once")
	w.policy.Read = event.ModeBlock
	w.want(w.edit("", "package.json"), event.Block, gate.RuleRead, "a refusal is always heard")
}

func TestOneRefusalACall(t *testing.T) {
	w := newTurn(t, event.ModeBlock)
	w.readers = true
	w.compact("")
	w.want(w.shell("", "mbgate clear; echo x > "+patt), event.Block, gate.RuleOwn, "mbgate's own commands come first")
	if _, _, err := w.session.AddNote(gate.Note{Kind: gate.NoteDeny, Text: "no", Paths: []string{"package.json"}}, w.now); err != nil {
		t.Fatal(err)
	}
	d := w.edit("", patt)
	w.want(d, event.Block, gate.RuleGuard, "then the write guard")
	if d.Refusal != nil || d.Patterns != nil {
		t.Errorf("%+v", d)
	}
	d = w.edit("", "package.json")
	w.want(d, event.Block, gate.RuleRecovery, "then the recovery")
	if d.Patterns != nil {
		t.Errorf("%+v", d)
	}
	w.obey("")
	w.prompt("next")
	d = w.edit("", "package.json")
	w.want(d, event.Block, gate.RuleCapsule, "then what the capsule binds")
	if d.Patterns != nil {
		t.Errorf("%+v", d)
	}
	w.session.Notes = nil
	w.want(w.edit("", "package.json"), event.Block, gate.RuleRead, "then the read gate")
}

// The write guard (SPEC §11).

// newGuarded is a world with a memory bank and a writer.
func newGuarded(t *testing.T) *world {
	w := newWorld(t)
	w.readers = true
	return w
}

func TestWhoWritesTheBank(t *testing.T) {
	const md, txt = "memory-bank/details/x.md", "memory-bank/x.txt"
	type row struct {
		who, path string
		want      event.Verdict
	}
	for mode, rows := range map[string][]row{
		"writer": {
			{"", md, event.Block},
			{"general-purpose", md, event.Block},
			{gate.Reader, md, event.Block},
			{gate.Writer, md, event.Allow},
			{gate.Writer, txt, event.Block},
			{gate.Writer, "memory-bank/x", event.Block},
			{gate.Writer, "memory-bank/x.md.bak", event.Block},
			{gate.Writer, "memory-bank/.md", event.Allow},
			{gate.Writer, "memory-bank/X.MD", event.Allow},
			{gate.Writer, "src/a.go", event.Block},
		},
		"markdown": {{"", md, event.Allow}, {"general-purpose", md, event.Allow}, {"", txt, event.Block}, {gate.Writer, txt, event.Block}},
		"off":      {{"", md, event.Allow}, {"", txt, event.Allow}},
	} {
		for _, r := range rows {
			w := newGuarded(t)
			w.policy.WriteGuard = map[string]event.Mode{"writer": event.ModeWriter, "markdown": event.ModeMarkdown, "off": event.ModeOff}[mode]
			d := gate.Decision{}
			if r.who == "" {
				d = w.edit("", r.path)
			} else {
				d = w.as(r.who, r.path)
			}
			if d.Verdict != r.want {
				t.Errorf("%s: %q writes %s: %s", mode, r.who, r.path, d.Verdict)
			}
		}
	}
}

func TestTheGuardThatIsInForce(t *testing.T) {
	for name, c := range map[string]struct {
		change func(w *world)
		want   event.Mode
		why    bool
	}{
		"by default":               {func(*world) {}, event.ModeConsent, false},
		"configured writer":        {func(w *world) { w.policy.WriteGuard = event.ModeWriter }, event.ModeWriter, false},
		"no prompts":               {func(w *world) { w.client.PromptEvents = false }, event.ModeWriter, true},
		"configured off":           {func(w *world) { w.policy.WriteGuard = event.ModeOff }, event.ModeOff, false},
		"configured markdown":      {func(w *world) { w.policy.WriteGuard = event.ModeMarkdown }, event.ModeMarkdown, false},
		"no writer":                {func(w *world) { w.readers = false }, event.ModeMarkdown, true},
		"subagents have no names":  {func(w *world) { w.client.NamesSubagents = false }, event.ModeMarkdown, true},
		"no MEMORY.md":             {func(w *world) { w.remove(memo) }, event.ModeOff, true},
		"no MEMORY.md, markdown":   {func(w *world) { w.remove(memo); w.policy.WriteGuard = event.ModeMarkdown }, event.ModeOff, true},
		"nothing there, no writer": {func(w *world) { w.remove(memo); w.readers = false }, event.ModeOff, true},
	} {
		w := newGuarded(t)
		c.change(w)
		g := gate.Gate{Policy: w.policy, Disk: w, Now: w.now, Root: root}
		mode, why := g.GuardInForce(&w.client)
		if mode != c.want || (why != "") != c.why {
			t.Errorf("%s: %q because %q", name, mode, why)
		}
	}
}

func TestTheWritersExemption(t *testing.T) {
	w := newGuarded(t)
	w.policy.WriteGuard = event.ModeWriter
	w.read("", req, 0, 0)
	w.compact("")
	w.want(w.as(gate.Writer, "memory-bank/details/tech.md"), event.Allow, gate.RuleNone, "not held by a recovery in the bank")
	w.want(w.as(gate.Writer, req), event.Block, gate.RuleRecovery, "but an unread required anchor stays (R6)")
	w.want(w.as(gate.Writer, "src/a.go"), event.Block, gate.RuleGuard, "it writes nothing outside")
	w.want(w.send(event.Event{
		Kind: event.ToolBefore, Call: w.id(), Sub: event.Sub{ID: "w", Type: gate.Writer},
		Tool: event.Tool{Name: "T", Class: event.MultiEdit, Paths: []event.PathArg{
			{Path: root + "/memory-bank/details/tech.md", Op: event.OpWrite}, {Path: root + "/src/a.go", Op: event.OpWrite},
		}},
	}), event.Block, gate.RuleGuard, "nor with a call that writes both")
	w.obey("id-" + gate.Writer)
	w.want(w.as(gate.Writer, req), event.Allow, gate.RuleNone, "read by the writer itself")
}

func TestIdentityComesFromTheClient(t *testing.T) {
	w := newGuarded(t)
	tool := event.Tool{Name: "Write", Class: event.Write, Paths: []event.PathArg{{Path: root + "/memory-bank/details/x.md", Op: event.OpWrite}}}
	// A main context that was started as an agent of that name has no id, so it is no subagent.
	w.want(w.send(event.Event{Kind: event.ToolBefore, Call: w.id(), Tool: tool, Sub: event.Sub{Type: gate.Writer}}), event.Block, gate.RuleGuard, "a main context")
	tool.Subagent = gate.Writer
	w.want(w.send(event.Event{Kind: event.ToolBefore, Call: w.id(), Tool: tool}), event.Block, gate.RuleGuard, "an argument of the call")
	w.want(w.send(event.Event{Kind: event.ToolBefore, Call: w.id(), Tool: tool, Sub: event.Sub{ID: gate.Writer, Type: "x"}}), event.Block, gate.RuleGuard, "an id of that name")
}

func TestWhoeverMakesTheBankCompletesIt(t *testing.T) {
	w := newGuarded(t)
	for name := range w.files {
		if strings.HasPrefix(name, "memory-bank/") {
			w.remove(name)
		}
	}
	w.want(w.edit("", memo), event.Allow, gate.RuleNone, "there is no bank")
	w.put(memo, "x\n")
	w.want(w.edit("", patt), event.Allow, gate.RuleNone, "the same session completes it")
	w.want(w.as("general-purpose", patt), event.Allow, gate.RuleNone, "with its subagents")
	w.want(w.edit("", "memory-bank/x.txt"), event.Block, gate.RuleGuard, "with Markdown only")
	w.send(event.Event{Kind: event.Prompt, Prompt: "x", Sub: event.Sub{ID: "s"}})
	w.want(w.edit("", patt), event.Allow, gate.RuleNone, "a subagent's prompt ends nothing")
	w.prompt("thanks")
	w.want(w.edit("", patt), event.Block, gate.RuleGuard, "until a person's next prompt")
}

func TestInitMakesTheBankToo(t *testing.T) {
	for command, want := range map[string]bool{
		"mbgate init": true, "mbgate init --preset memory-bank": true, "mbgate init --preset docs": false, "/usr/bin/mbgate init && ls": true, "cd x; mbgate init": true,
		"git init": false, "npm init": false, "mbgate status; git init": false, "mbgate explain init": false,
	} {
		w := newGuarded(t)
		w.remove(memo)
		w.policy.HasBank = false
		w.shell("", command)
		if got := w.session.Creating; got != want {
			t.Errorf("%s: %v", command, got)
		}
	}
	w := newGuarded(t)
	w.remove(memo)
	w.policy.HasBank = false
	w.shell("", "mbgate init")
	w.put(memo, "x\n")
	w.want(w.edit("", memo), event.Allow, gate.RuleNone, "init made it")
}

func TestWhatTakesTheBankWithIt(t *testing.T) {
	for command, want := range map[string]struct {
		verdict event.Verdict
		whole   bool
	}{
		"rm -rf /repo":          {event.Block, true},
		"rm -rf .":              {event.Block, true},
		"mv /repo /tmp/x":       {event.Block, true},
		"chmod -R 700 .":        {event.Block, true},
		"prettier --write .":    {event.Block, true},
		"prettier --write src":  {event.Allow, false},
		"gofmt -w .":            {event.Allow, false},
		"black . && ruff check": {event.Allow, false},
		"gofmt -w memory-bank":  {event.Block, false},
		"rm -rf src":            {event.Allow, false},
		"git checkout -- .":     {event.Block, true},
	} {
		w := newGuarded(t)
		d := w.shell("", command)
		if d.Verdict != want.verdict || want.whole != (d.Guarded != nil && d.Guarded.Kind == gate.GuardWhole) {
			t.Errorf("%s: %s, %+v", command, d.Verdict, d.Guarded)
		}
		w.policy.WriteGuard = event.ModeMarkdown
		if d := w.shell("", command); d.Guarded != nil && d.Guarded.Kind == gate.GuardWhole {
			t.Errorf("%s: whoever may write the bank is refused the folder above it", command)
		}
	}
}

func TestChangesInNoCommit(t *testing.T) {
	for command, throws := range map[string]bool{
		"git stash": true, "git reset --hard": true, "git clean -fd": true, `rm -rf "$X"`: true,
		"cargo fmt": false, "go generate ./...": false, "git commit -am x": false, "git add memory-bank": false, "npm install": false,
	} {
		w := newGuarded(t)
		if d := w.shell("", command); d.Guarded != nil {
			t.Errorf("%s is refused although everything is in a commit", command)
		}
		w.dirty = true
		if d := w.shell("", command); throws != (d.Guarded != nil && d.Guarded.Kind == gate.GuardDirty) {
			t.Errorf("%s with changes: %+v", command, d.Guarded)
		}
	}
}

// foldedWorld is a world whose disk takes upper and lower case, and composed and decomposed letters, for the same.
type foldedWorld struct {
	*world
	mode place.Folding
}

func (f foldedWorld) Locate(cwd, p string) place.Place {
	// The tree knows only one spelling of a name, so it is asked for that.
	at := f.world.Locate(cwd, p)
	for _, name := range [...]string{memo, patt, "memory-bank/details", "memory-bank", "src/a.go", "src"} {
		full := root + "/" + name
		if rest, ok := strings.CutPrefix(place.Fold(at.Abs, f.mode), place.Fold(full, f.mode)); ok && (rest == "" || rest[0] == '/') {
			at = f.world.Locate("/", full+rest)
			break
		}
	}
	at.Folding = f.mode
	at.Canon, at.Lex, at.Via = place.Fold(at.Canon, f.mode), place.Fold(at.Lex, f.mode), place.Fold(at.Via, f.mode)
	return at
}

func (f foldedWorld) Anchor(p string) place.Place { return f.Locate(root, p) }

func TestSpellingsOfTheBank(t *testing.T) {
	spellings := []string{
		"Memory-Bank/MEMORY.md", "MEMORY-BANK/MEMORY.MD", "memory-bank/memory.md", "memory-banK/MEMORY.md", // the Kelvin sign
		"Memory-bank/Details/new.md", "memory-bank/Details/Patterns.md", "src/../MEMORY-bank/x.md", "MEMORY-BANK",
		"memory-bank/details/re\u0301sume\u0301.md", "Memory-Bank/r\u00e9sum\u00e9.md",
	}
	commands := []string{"echo x > Memory-Bank/MEMORY.md", "cd MEMORY-BANK && echo x > MEMORY.md", "rm -rf Memory-bank", "mv Memory-Bank x", "cp src/a.go MEMORY-BANK/a.md"}
	for mode, want := range map[place.Folding]event.Verdict{place.Folded: event.Block, place.Exact: event.Allow} {
		w := newGuarded(t)
		g := gate.Gate{Policy: w.policy, Disk: foldedWorld{w, mode}, Now: w.now, Root: root}
		for _, s := range spellings {
			tool := event.Tool{Name: "Write", Class: event.Write, Paths: []event.PathArg{{Path: root + "/" + s, Op: event.OpWrite}}}
			_, d := g.Handle(gate.Session{}, event.Event{Kind: event.ToolBefore, Client: &w.client, Cwd: root, Tool: tool})
			exact := place.Under(s, "memory-bank") // the spelling on disk is the bank everywhere
			if d.Verdict != want && !exact || exact && d.Verdict != event.Block {
				t.Errorf("folding %v: %s is %s", mode, s, d.Verdict)
			}
		}
		for _, c := range commands {
			_, d := g.Handle(gate.Session{}, event.Event{
				Kind: event.ToolBefore, Client: &w.client, Cwd: root, Tool: event.Tool{Name: "Bash", Class: event.Shell, Command: c},
			})
			if d.Verdict != want {
				t.Errorf("folding %v: %s is %s", mode, c, d.Verdict)
			}
		}
	}
}

// Turns and proposals (SPEC §12).

func TestWords(t *testing.T) {
	for prompt, want := range map[string]bool{
		"mb:write": true, "mb:write please": true, "yes, mb:write.": true, "(mb:write)": true, "ok\nmb:write\n": true,
		"`mb:write`": true, "mb:write!": true, "mb:write: the first": true, "mb:write，谢谢": true, "好的mb:write": true,
		"mb:writer": false, "xmb:write": false, "mb:write-up": false, "mb:write.txt": false, "a/mb:write": false, "mb:write/x": false,
		"http://x/?mb:write=1": false, "MB:WRITE": true, "mb: write": true, "so mb: write": false, "mb:write_x": false, "@mb:write": false,
		"a mb:writes; or else mb:write": true, "émb:write": false, "mb:write mb:no": false,
	} {
		w := newWorld(t)
		if got := w.prompt(prompt).Person; (got == gate.WriteItself) != want {
			t.Errorf("%q is answered %q", prompt, got)
		}
	}
	w := newGuarded(t)
	if got := w.prompt("mb:write").Person; got != gate.CallWriter {
		t.Errorf("with a writer: %q", got)
	}
	for name, ev := range map[string]event.Event{
		"a subagent's": {Prompt: "mb:write", Sub: event.Sub{ID: "s"}},
		"a made-up":    {Prompt: "mb:write", Synthetic: true},
		"our own":      {Prompt: event.Reminder + " since.\nThe user answers mb:write\n"},
	} {
		ev.Kind = event.Prompt
		if d := w.send(ev); d.Person != gate.NoAnswer {
			t.Errorf("%s prompt is obeyed: %q", name, d.Person)
		}
	}
	if d := w.send(event.Event{Kind: event.ToolBefore, Tool: event.Tool{Name: "Bash", Class: event.Shell, Command: "echo mb:write"}}); d.Person != gate.NoAnswer {
		t.Error("a command is no prompt")
	}
	w.want(w.edit("", "memory-bank/details/x.md"), event.Block, gate.RuleGuard, "mb:write lets the main context write nothing")
}

func TestProposals(t *testing.T) {
	w := newGuarded(t)
	w.prompt("do it")
	if w.stop().Proposal != nil {
		t.Error("nothing was written")
	}
	w.wrote("", "src/b.go")
	w.wrote("sub", "src/a.go")
	d := w.stop()
	if d.Proposal == nil || !slices.Equal(d.Proposal.Files, []string{"src/a.go", "src/b.go"}) || !d.Proposal.Writer {
		t.Fatalf("%+v", d.Proposal)
	}
	if w.stop().Proposal != nil {
		t.Error("asked twice")
	}
	w.now = w.now.Add(time.Hour)
	if w.stop().Proposal != nil {
		t.Error("the same files are asked for again")
	}
	w.wrote("", "src/c.go")
	if d := w.stop(); d.Proposal == nil || len(d.Proposal.Files) != 3 {
		t.Errorf("other files: %+v", d.Proposal)
	}
	w.wrote("", "src/d.go")
	w.now = w.now.Add(29 * time.Minute)
	if w.stop().Proposal != nil {
		t.Error("asked again within 30 minutes")
	}
	w.now = w.now.Add(2 * time.Minute)
	if w.stop().Proposal == nil {
		t.Error("not asked after 30 minutes")
	}
	w.now = w.now.Add(time.Hour)
	w.wrote("", "src/e.go")
	w.wrote("w", "memory-bank/details/progress.md")
	if w.stop().Proposal != nil {
		t.Error("the memory bank was updated since")
	}
}

func TestWhenNoProposalIsAskedFor(t *testing.T) {
	for name, c := range map[string]struct {
		change func(w *world)
		ev     event.Event
	}{
		"a stop hook is active":      {func(*world) {}, event.Event{StopActive: true}},
		"in a subagent":              {func(*world) {}, event.Event{Sub: event.Sub{ID: "s"}}},
		"turned off":                 {func(w *world) { w.policy.Proposals = event.ModeOff }, event.Event{}},
		"mb:no in this turn":         {func(w *world) { w.prompt("mb:no"); w.wrote("", "src/b.go") }, event.Event{}},
		"mb:write in this turn":      {func(w *world) { w.prompt("mb:write"); w.wrote("", "src/b.go") }, event.Event{}},
		"mb:no in an earlier turn":   {func(w *world) { w.prompt("mb:no"); w.prompt("go on") }, event.Event{}},
		"no memory bank":             {func(w *world) { w.remove(memo) }, event.Event{}},
		"only a look at reads":       {func(w *world) { w.session.Proposals = gate.Proposals{} }, event.Event{}},
		"what was written lies afar": {func(w *world) { w.session.Proposals = gate.Proposals{}; w.wrote("", "../other/x.go") }, event.Event{}},
		"a write that failed":        {func(w *world) { w.session.Proposals = gate.Proposals{}; w.failed("src/b.go") }, event.Event{}},
		"`mbgate read` of a write":   {func(w *world) { w.session.Proposals = gate.Proposals{}; w.onlyReads("src/b.go") }, event.Event{}},
	} {
		w := newGuarded(t)
		w.prompt("do it")
		w.wrote("", "src/a.go")
		c.change(w)
		c.ev.Kind = event.Stop
		if d := w.send(c.ev); d.Proposal != nil {
			t.Errorf("%s: %+v", name, d.Proposal)
		}
	}
}

func TestWordsThatAskForAProposal(t *testing.T) {
	w := newGuarded(t)
	w.prompt("From now on every handler logs.")
	if d := w.stop(); d.Proposal == nil || len(d.Proposal.Files) != 0 {
		t.Errorf("%+v", d.Proposal)
	}
	w.now = w.now.Add(time.Hour)
	if w.stop().Proposal != nil {
		t.Error("asked again for the same")
	}
	for _, answered := range []string{"我们决定用 tabs, mb:no", "mb:write: we decided that"} {
		w.prompt(answered)
		if w.stop().Proposal != nil {
			t.Errorf("%q was answered", answered)
		}
	}
	w.prompt("约定：接口都用 v2")
	w.wrote("w", "memory-bank/details/progress.md")
	if w.stop().Proposal != nil {
		t.Error("the memory bank was updated since")
	}
	w.prompt("约定：接口都用 v3")
	for name := range w.files {
		if strings.HasPrefix(name, "memory-bank/") {
			w.remove(name)
		}
	}
	for _, f := range layout.Bank(layout.Facts{Name: "shop"}, layout.English) {
		w.put(f.Path, f.Text)
	}
	if w.stop().Proposal != nil {
		t.Error("the memory bank holds what init wrote")
	}
	w.put("memory-bank/details/learnings/x.md", "x\n")
	if w.stop().Proposal == nil {
		t.Error("the memory bank holds a note")
	}
}

func TestAQuestionIsRouted(t *testing.T) {
	w := newGuarded(t)
	tech := "memory-bank/details/tech.md"
	w.put(tech, "Postgres\n")
	for _, c := range []struct{ prompt, want string }{
		{"fix it", ""},
		{"which database do we use?", tech},
		{"and which framework?", ""},
		{"what is this project about?", memo},
		{"为什么选 Postgres？", patt},
		{"why did we choose tabs", ""},
	} {
		if d := w.prompt(c.prompt); d.Route != c.want {
			t.Errorf("%q is routed to %q", c.prompt, d.Route)
		}
	}
	w = newGuarded(t)
	w.read("", memo, 0, 0)
	if d := w.prompt("what is this project about?"); d.Route != "" {
		t.Errorf("what was read is named: %q", d.Route)
	}
}

func (w *world) failed(name string) {
	w.send(event.Event{
		Kind: event.ToolAfter, Call: w.id(), Result: &event.Result{Failed: true},
		Tool: event.Tool{Name: "Edit", Class: event.Edit, Paths: []event.PathArg{{Path: root + "/" + name, Op: event.OpWrite}}},
	})
}

func (w *world) onlyReads(name string) {
	w.send(event.Event{
		Kind: event.ToolAfter, Call: w.id(), ReadsOnly: true,
		Tool: event.Tool{Name: "Edit", Class: event.Edit, Paths: []event.PathArg{{Path: root + "/" + name, Op: event.OpWrite}}},
	})
}

// The folder after a command is not the one that its paths were relative to.
func TestOneWriteIsRecordedOnce(t *testing.T) {
	w := newGuarded(t)
	command := event.Tool{Name: "Bash", Class: event.Shell, Command: "cd src && echo x > a.go"}
	w.send(event.Event{Kind: event.ToolBefore, Call: "c", Tool: command})
	w.send(event.Event{Kind: event.ToolAfter, Call: "c", Tool: command, Cwd: root + "/src", Result: &event.Result{HasText: true}})
	if got := w.session.Proposals.Written; !slices.Equal(got, []string{"src/a.go"}) {
		t.Errorf("%q", got)
	}
}

// What a call removes or moves is no longer there when it is reported.
func TestRemovedFilesAreWritten(t *testing.T) {
	for command, want := range map[string]string{
		"rm src/a.go": "src/a.go", "mv src/a.go src/z.go": "src/a.go src/z.go", "rm -f src/never.go": "",
	} {
		w := newGuarded(t)
		tool := event.Tool{Name: "Bash", Class: event.Shell, Command: command}
		w.send(event.Event{Kind: event.ToolBefore, Call: "c", Tool: tool})
		if strings.Contains(command, "src/a.go") {
			w.remove("src/a.go")
		}
		if strings.HasPrefix(command, "mv") {
			w.put("src/z.go", "package a\n")
		}
		w.send(event.Event{Kind: event.ToolAfter, Call: "c", Tool: tool, Result: &event.Result{HasText: true}})
		if got := strings.Join(w.session.Proposals.Written, " "); got != want {
			t.Errorf("%s: %q", command, got)
		}
	}
}

func TestNoClearWhileASubagentMayAsk(t *testing.T) {
	w := newWorld(t)
	w.client.NamesSubagents = false
	sub := func(kind event.Kind) {
		w.send(event.Event{Kind: kind, Tool: event.Tool{Name: "invoke_agent", Class: event.Subagent, Subagent: "x"}, Result: &event.Result{HasText: true}})
	}
	w.compact("")
	sub(event.ToolBefore)
	sub(event.ToolBefore)
	sub(event.ToolAfter)
	if d := w.prompt("mb:clear"); d.Person != gate.NotNow {
		t.Errorf("answered %q", d.Person)
	}
	w.wantEdit("", event.Block, "not cleared")
	sub(event.ToolAfter)
	if d := w.prompt("mb:clear"); d.Person != gate.Cleared {
		t.Errorf("answered %q", d.Person)
	}
	for _, over := range []event.Kind{event.Stop, event.SessionStart, event.SessionEnd} {
		w.compact("")
		sub(event.ToolBefore) // its report gets lost
		w.send(event.Event{Kind: over})
		if d := w.prompt("mb:clear"); d.Person != gate.Cleared {
			t.Errorf("after %s: answered %q", over, d.Person)
		}
	}
	w.client.NamesSubagents = true
	w.compact("")
	sub(event.ToolBefore)
	if d := w.prompt("mb:clear"); d.Person != gate.Cleared {
		t.Errorf("answered %q although prompts of subagents can be told", d.Person)
	}
}

// Everything that is remembered is bounded (S5).
func TestProposalsAreBounded(t *testing.T) {
	w := newGuarded(t)
	for i := range 400 {
		w.wrote("", fmt.Sprintf("src/f%03d.go", i))
	}
	if n := len(w.session.Proposals.Written); n > 256 {
		t.Errorf("%d files", n)
	}
	for i := range 50 {
		w.session.Proposals.Written = []string{fmt.Sprint(i)}
		w.now = w.now.Add(time.Hour)
		w.stop()
	}
	if n := len(w.session.Proposals.Signed); n > 32 {
		t.Errorf("%d signatures", n)
	}
}
