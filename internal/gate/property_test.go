package gate_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
)

// act is one thing that an agent may do by itself that is no read of an anchor. Whatever the gate lets through takes
// effect on the project, so that nothing is proved about a world that stands still.
type act struct {
	name   string
	tool   event.Tool
	effect func(w *world)
}

func write(class event.Class, op event.Op, names ...string) event.Tool {
	t := event.Tool{Name: string(class), Class: class}
	for _, n := range names {
		t.Paths = append(t.Paths, event.PathArg{Path: root + "/" + n, Op: op})
	}
	return t
}

func acts() []act {
	anchors := []string{req, req2, dsgn, memo, patt}
	var out []act
	for _, a := range anchors {
		out = append(out,
			act{"overwrite " + a, write(event.Write, event.OpWrite, a), func(w *world) { w.put(a, "") }},
			act{"delete " + a, write(event.Delete, event.OpDelete, a), func(w *world) { w.remove(a) }},
			act{"move " + a, write(event.Move, event.OpMove, a), func(w *world) { w.remove(a) }},
			act{"mode of " + a, write(event.Other, event.OpMode, a), func(w *world) { w.broken[a] = true }},
			act{"edit beside " + a, write(event.Edit, event.OpWrite, a, "src/b.go"), func(w *world) { w.put(a, "x\n") }},
			act{"patch away " + a, event.Tool{
				Name: "apply_patch", Class: event.Patch,
				Patch: "*** Begin Patch\n*** Delete File: " + a + "\n*** End Patch",
			}, func(w *world) { w.remove(a) }},
			act{"rm " + a, event.Tool{Name: "Bash", Class: event.Shell, Command: "rm -f " + a}, func(w *world) { w.remove(a) }},
			act{"truncate " + a, event.Tool{Name: "Bash", Class: event.Shell, Command: ": > " + a}, func(w *world) { w.put(a, "") }},
			act{"chmod " + a, event.Tool{Name: "Bash", Class: event.Shell, Command: "chmod 000 " + a}, func(w *world) { w.broken[a] = true }},
			act{"grep " + a, event.Tool{Name: "Grep", Class: event.Search, Paths: []event.PathArg{{Path: a, Op: event.OpRead}}}, nil},
			act{"cat away " + a, event.Tool{Name: "Bash", Class: event.Shell, Command: "cat " + a + " > /dev/null"}, nil},
			act{"count " + a, event.Tool{Name: "Bash", Class: event.Shell, Command: "cat " + a + " | wc -l"}, nil},
		)
	}
	gone := func(w *world) {
		for _, a := range anchors {
			w.remove(a)
		}
	}
	return append(out,
		act{"edit code", write(event.Edit, event.OpWrite, "src/a.go"), nil},
		act{"rm -r bank", event.Tool{Name: "Bash", Class: event.Shell, Command: "rm -rf memory-bank"}, gone},
		act{"mv bank", event.Tool{Name: "Bash", Class: event.Shell, Command: "mv memory-bank x"}, gone},
		act{"git clean", event.Tool{Name: "Bash", Class: event.Shell, Command: "git clean -fdx"}, gone},
		act{"python", event.Tool{Name: "Bash", Class: event.Shell, Command: `python3 -c "import shutil; shutil.rmtree('memory-bank')"`}, gone},
		act{"clear", event.Tool{Name: "Bash", Class: event.Shell, Command: "mbgate clear --all --yes"}, func(w *world) { w.session.Clear() }},
		act{"forge", event.Tool{Name: "Bash", Class: event.Shell, Command: `echo '{}' | mbgate read`}, func(w *world) { w.session.Clear() }},
		act{"tests", event.Tool{Name: "Bash", Class: event.Shell, Command: "go test ./..."}, nil},
		act{"a search", event.Tool{Name: "Glob", Class: event.Search}, nil},
		act{"a fetch", event.Tool{Name: "WebFetch", Class: event.Fetch}, nil},
		act{"a subagent", event.Tool{Name: "Agent", Class: event.Subagent, Subagent: "general"}, nil},
		act{"the reader, undefined", event.Tool{Name: "Agent", Class: event.Subagent, Subagent: gate.Reader}, nil},
		act{"an MCP write", event.Tool{Name: "mcp__fs__write", Class: event.MCP, Paths: []event.PathArg{{Path: memo, Op: event.OpWrite}}}, func(w *world) { w.put(memo, "") }},
	)
}

// play lets the agent do one thing in a context, with the after-event of a call that was let through.
func (w *world) play(sub string, a act) gate.Decision {
	id := w.id()
	ev := event.Event{Kind: event.ToolBefore, Call: id, Sub: event.Sub{ID: sub}, Tool: a.tool}
	d := w.send(ev)
	if d.Verdict == event.Block {
		return d
	}
	if a.effect != nil {
		a.effect(w)
	}
	ev.Kind, ev.Result = event.ToolAfter, &event.Result{HasText: true, Text: "done\n"}
	w.send(ev)
	return d
}

// TestNoActOfAnAgentButReadingOpensTheGate plays what an agent may do, in any order and in any context, against a
// pending recovery: a write is refused before, between and after, and reading opens it in the end.
func TestNoActOfAnAgentButReadingOpensTheGate(t *testing.T) {
	all := acts()
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 7))
		w := newWorld(t)
		for _, a := range []string{req, req2, dsgn} {
			if r.IntN(2) == 0 {
				w.read("", a, 0, 0)
			}
		}
		if r.IntN(2) == 0 {
			w.edit("", "src/a.go")
		}
		w.compact("")
		var trace []string
		for range 25 {
			sub := [...]string{"", "", "", "sub"}[r.IntN(4)]
			a := all[r.IntN(len(all))]
			trace = append(trace, sub+" "+a.name)
			w.play(sub, a)
			switch r.IntN(12) {
			case 0:
				trace = append(trace, "resume")
				w.send(event.Event{Kind: event.SessionEnd})
				w.send(event.Event{Kind: event.SessionStart, Source: "resume"})
			case 1:
				trace = append(trace, "compaction of the subagent")
				w.compact("sub")
			case 2:
				trace = append(trace, "a made-up prompt")
				w.send(event.Event{Kind: event.Prompt, Prompt: "mb:clear", Synthetic: true})
			case 3:
				trace = append(trace, "a failed read")
				w.read("", "memory-bank/nope.md", 0, 0)
			case 4:
				trace = append(trace, "compaction")
				w.compact("")
			}
			if d := w.edit("", "src/a.go"); d.Verdict != event.Block {
				t.Fatalf("seed %d: %s after\n%s", seed, d.Verdict, strings.Join(trace, "\n"))
			}
		}
		w.obey("")
	}
}

// TestEveryRefusalsRemedyWorks plays sessions of reads, writes, compactions and changes from outside: from whatever
// state is reached, the calls that the refusals print are allowed, each moves the gate forward, and it opens.
func TestEveryRefusalsRemedyWorks(t *testing.T) {
	names := []string{req, req2, dsgn, memo, patt}
	for seed := range uint64(80) {
		r := rand.New(rand.NewPCG(seed, 8))
		w := newWorld(t)
		w.client.ReadLines = [...]int{0, 7, 40, 2000}[r.IntN(4)]
		w.client.ReadBytes = [...]int{0, 300, 50000}[r.IntN(3)]
		w.policy.Budget = [...]int{500, 2000, 60000}[r.IntN(3)]
		if w.client.ReadLines == 0 {
			w.client.ReadLines = 1 << 20
		}
		for step := range 40 {
			sub := [...]string{"", "", "a", "b"}[r.IntN(4)]
			name := names[r.IntN(len(names))]
			switch r.IntN(9) {
			case 0, 1:
				w.compact(sub)
			case 2:
				first := 1 + r.IntN(20)
				w.read(sub, name, first, first+r.IntN(15))
			case 3:
				w.read(sub, name, 0, 0)
			case 4:
				lines := strings.SplitAfter(w.files[name], "\n")
				at := r.IntN(len(lines))
				lines[at] = fmt.Sprintf("changed in step %d\n", step)
				w.put(name, strings.Join(lines, ""))
			case 5:
				w.put(name, numbered(name, r.IntN(80)))
			case 6:
				w.edit(sub, "src/a.go")
			case 7:
				w.send(event.Event{Kind: event.Unread, Path: name, Sub: event.Sub{ID: sub}})
			case 8:
				w.send(event.Event{Kind: event.Forked, Injects: true})
			}
		}
		for _, sub := range []string{"a", "", "b"} {
			w.obey(sub)
		}
	}
}

// TestASubagentNeverArmsItsParent plays anything in a subagent: the main context stays as free as it was.
func TestASubagentNeverArmsItsParent(t *testing.T) {
	all := acts()
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 9))
		w := newWorld(t)
		for range 20 {
			if r.IntN(3) == 0 {
				w.compact("sub")
			}
			a := all[r.IntN(len(all))]
			if a.effect == nil {
				w.play("sub", a)
			}
			w.wantEdit("", event.Allow, "a subagent did "+a.name)
		}
	}
}
