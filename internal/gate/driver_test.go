package gate_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
)

var driverRuns = flag.Int("driver.runs", 40, "how many sessions TestDriver plays")

// driver plays one session in a world where saves fail, the clock jumps, documents change, subagents come and go, scripts of a code
// mode read, and a person speaks. It keeps its own account of what each context was shown and what a person allowed, and
// holds each verdict against that.
//
// What a person said, the end of a writer and a dropped result are always saved: a full disk forgets them, as it does all but what arms.
type driver struct {
	*world
	r      *rand.Rand
	trace  []string
	counts map[string]int
	// shown are the lines that each context was shown since its compaction. Each line of the world's files is unique.
	shown map[string]map[string]bool
	// required are the documents of each context's recovery; it is open once all was shown or a rule opened it.
	required map[string][]string
	open     map[string]bool
	// vain counts the reads of a context and document that were not in a script and brought nothing that was saved.
	vain map[string]int
	// dropped are documents, by context and path, that are no longer demanded since their reads were in vain.
	dropped map[string]bool
	// readerCall is the call of the reader that opened the main context, readers those with an id.
	readerCall string
	readers    []string
	// consented is set in the turn of a person's word, since agreed; writing while a writer may run that was called in it.
	consented, writing bool
	agreed             time.Time
}

func newDriver(t *testing.T, seed uint64) *driver {
	d := &driver{
		world: newWorld(t), r: rand.New(rand.NewPCG(seed, 12)), counts: map[string]int{},
		shown: map[string]map[string]bool{}, required: map[string][]string{}, open: map[string]bool{}, vain: map[string]int{}, dropped: map[string]bool{},
	}
	d.world.readers = true
	d.world.policy.Recovery = [...]event.Mode{event.ModeBlock, event.ModeStrict}[d.r.IntN(2)]
	d.client.ReadLines = [...]int{7, 40, 2000}[d.r.IntN(3)]
	d.watch = d.account
	d.read("", "src/a.go", 0, 0) // the client is seen to report its reads
	return d
}

func (d *driver) fatal(format string, args ...any) {
	d.t.Helper()
	d.t.Fatalf("%s after\n%s", fmt.Sprintf(format, args...), strings.Join(d.trace, "\n"))
}

// account keeps the driver's own account of an event.
func (d *driver) account(ev event.Event, a gate.Decision, next gate.Session) {
	sub := ev.Sub.ID
	d.counts["events"]++
	d.counts["unsaved"] += map[bool]int{true: 1}[d.full]
	if ev.Kind == event.Compacted && ev.Name == "SessionStart" {
		d.shown[sub] = nil
	}
	for _, e := range a.Log {
		switch {
		case e.What == gate.Armed && e.Cause == gate.ByDamage:
			for id := range next.Contexts {
				d.arm(id, next)
			}
		case e.What == gate.Armed:
			d.arm(sub, next)
		case e.What == gate.StoodDown:
			d.fatal("the gate stood down")
		case e.What == gate.AnchorDropped && (e.Drop != gate.DropFutile || d.vain[sub+e.Path] < 3):
			d.fatal("%q dropped %s: %s", sub, e.Path, e.Drop)
		case e.What == gate.AnchorDropped:
			d.dropped[sub+e.Path] = true
			d.counts["dropped"]++
		}
	}
	if ev.Kind == event.ToolAfter && ev.Script != event.InScript && ev.Result != nil {
		d.show(sub, ev.Result.Text)
		for _, s := range ev.Result.Shown {
			d.show(sub, s.Text)
		}
	}
	if ev.Tool.Subagent == gate.Reader && sub == "" {
		d.accountReader(ev)
	}
	d.settle()
}

func (d *driver) arm(sub string, next gate.Session) {
	if d.full && sub != "" && d.session.Contexts[sub] == nil {
		return // nobody knows of a subagent of which nothing was ever saved; the main context's recovery holds it
	}
	rec := next.Contexts[sub].Recovery
	d.required[sub], d.open[sub] = nil, rec == nil
	if rec == nil {
		return
	}
	for _, r := range rec.Required {
		d.required[sub] = append(d.required[sub], r.Path)
		d.vain[sub+r.Path], d.dropped[sub+r.Path] = 0, false
	}
	if sub == "" {
		clear(d.dropped)
		d.readerCall = ""
		for _, id := range d.readers {
			d.shown[id] = nil // only what they are shown from now on counts
		}
	}
	d.counts["armed"]++
}

func (d *driver) show(sub, text string) {
	if d.shown[sub] == nil {
		d.shown[sub] = map[string]bool{}
	}
	for line := range strings.Lines(text) {
		d.shown[sub][strings.TrimSuffix(line, "\n")] = true
	}
}

// accountReader: its call opens unless the recovery is strict; under strict its return brings what it was shown.
func (d *driver) accountReader(ev event.Event) {
	strict := d.policy.Recovery == event.ModeStrict
	switch {
	case ev.Kind == event.ToolBefore && !strict && !d.open[""]:
		d.open[""], d.readerCall = true, ev.Call
	case ev.Kind == event.ToolAfter && !strict && ev.Call == d.readerCall:
		d.readerCall = ""
		d.open[""] = d.open[""] && (d.full || !ev.Result.Failed)
	case ev.Kind == event.ToolAfter && strict && !ev.Result.Failed && !ev.Result.Running:
		for _, id := range d.readers {
			for line := range d.shown[id] {
				d.show("", line)
			}
		}
	}
}

// has reports whether a context was shown all lines of the documents, as they are now.
func (d *driver) has(sub string, docs []string) bool {
	for _, name := range docs {
		if d.dropped[sub+name] {
			continue
		}
		for line := range strings.Lines(d.files[name]) {
			if !d.shown[sub][strings.TrimSuffix(line, "\n")] {
				return false
			}
		}
	}
	return true
}

// settle opens the contexts that have read all.
func (d *driver) settle() {
	for sub, docs := range d.required {
		d.open[sub] = d.open[sub] || d.has(sub, docs)
	}
}

// mayWrite reports whether a context has read what its own recovery requires, and the main one's.
func (d *driver) mayWrite(sub string) bool {
	own := d.required[sub] == nil || d.open[sub] || d.has(sub, d.required[sub])
	main := d.required[""] == nil || d.open[""] || d.has(sub, d.required[""])
	return own && main
}

// consent reports whether a person's word holds for a writer that runs, or for a call of one.
func (d *driver) consent(runs bool) bool {
	return (d.consented || runs && d.writing) && d.now.Sub(d.agreed) < 30*time.Minute
}

// write asks for a write of the code, and follows the remedy now and then.
func (d *driver) write(sub string) {
	a := d.edit(sub, "src/a.go")
	d.counts[string(a.Verdict)]++
	if a.Verdict != event.Block {
		if !d.mayWrite(sub) {
			d.fatal("%q writes, although it has not read %q and %q", sub, d.required[sub], d.required[""])
		}
		return
	}
	if a.Refusal == nil {
		d.fatal("%q is refused without a remedy: %+v", sub, a)
	}
	if u := a.Refusal.Unread[0]; d.r.IntN(3) == 0 {
		if d.r.IntN(2) == 0 {
			d.script(sub, u.Path, d.r.IntN(3))
			return
		}
		d.visit(sub, u.Path, a.Refusal.Next.First, a.Refusal.Next.Last)
	}
}

// visit plays a read that the client shows; nothing of it counts while nothing can be saved.
func (d *driver) visit(sub, name string, first, last int) {
	if d.full {
		d.vain[sub+name]++
	}
	d.read(sub, name, first, last)
}

// script plays a script of a code mode that reads a document and shows nothing, a preview, or all of it.
func (d *driver) script(sub, name string, shows int) {
	tool := event.Tool{Name: "Read", Class: event.Read, Paths: []event.PathArg{{Path: root + "/" + name, Op: event.OpRead}}}
	text := d.files[name]
	ev := event.Event{Kind: event.ToolBefore, Call: d.id(), Sub: event.Sub{ID: sub}, Tool: tool, Script: event.InScript}
	if d.send(ev).Verdict == event.Block {
		d.fatal("a script's read is refused")
	}
	ev.Kind, ev.Result = event.ToolAfter, &event.Result{Shown: []event.Shown{{Path: root + "/" + name, First: 1, Last: strings.Count(text, "\n"), Text: text, HasText: true}}}
	d.send(ev)
	ev.Call, ev.Script, ev.Tool.Name = d.id(), event.OfScript, "REPL"
	ev.Result = &event.Result{HasText: true, Text: [...]string{"done\n", text[:min(200, len(text))], text}[shows]}
	d.send(ev)
}

// say plays a prompt of the person.
func (d *driver) say(text string) {
	full := d.full
	d.full = false
	d.prompt(text)
	d.full = full
	switch text {
	case "mb:clear":
		for sub := range d.required {
			d.open[sub] = true
		}
		d.readerCall = ""
	case "mb:no":
		d.consented, d.writing = false, false
	case "mb:write", "write that into the memory bank":
		d.consented, d.agreed = true, d.now
	case "mb:status":
	default:
		d.consented = false
	}
}

// bank plays the ways to the memory bank: nobody but the writer writes it, with a person's word.
func (d *driver) bank() {
	runs := d.as(gate.Writer, note)
	if runs.Verdict != event.Block && !d.consent(true) {
		d.fatal("a writer writes without consent")
	}
	for who, a := range map[string]gate.Decision{
		"the main context": d.edit("", note), "a shell": d.shell("", "echo x >> "+note), "a subagent": d.edit("a", note),
		"the reader": d.as(gate.Reader, note), "the writer, the code": d.as(gate.Writer, "src/a.go"),
	} {
		if a.Verdict != event.Block {
			d.fatal("%s may write", who)
		}
	}
	d.counts["bank "+string(runs.Verdict)]++
	if d.r.IntN(2) == 0 {
		if d.callWriter().Verdict == event.Block {
			return
		}
		if !d.consent(false) {
			d.fatal("the writer is called without consent")
		}
		d.writing = d.writing || !d.full
	}
}

// reader plays a call of the reader: what it reads, and how it ends.
func (d *driver) reader() {
	ev := event.Event{Kind: event.ToolBefore, Call: d.id(), Tool: event.Tool{Name: "Agent", Class: event.Subagent, Subagent: gate.Reader}}
	d.send(ev)
	id := fmt.Sprint("r", d.r.IntN(2))
	if !slices.Contains(d.readers, id) {
		d.readers = append(d.readers, id)
	}
	d.send(event.Event{Kind: event.ToolBefore, Call: d.id(), Sub: event.Sub{ID: id, Type: gate.Reader}, Tool: event.Tool{Name: "Glob", Class: event.Search}})
	for range d.r.IntN(8) {
		d.read(id, documents[d.r.IntN(len(documents))], 0, 0)
	}
	if d.r.IntN(3) == 0 {
		d.write("")
	}
	ev.Kind, ev.Result = event.ToolAfter, &event.Result{Failed: d.r.IntN(4) == 0, Running: d.r.IntN(4) == 0}
	d.send(ev)
}

var documents = []string{req, req2, dsgn, memo, patt}

// step plays one thing.
func (d *driver) step(n int) {
	sub, name := [...]string{"", "", "a", "b"}[d.r.IntN(4)], documents[d.r.IntN(len(documents))]
	d.full = d.r.IntN(5) == 0
	if d.r.IntN(12) == 0 {
		d.now = d.now.Add([...]time.Duration{-time.Second / 2, -time.Hour, -25 * time.Hour, 29 * time.Minute, 2 * time.Hour, 25 * time.Hour}[d.r.IntN(6)])
	}
	op := d.r.IntN(17)
	d.trace = append(d.trace, fmt.Sprintf("%d: %d %q %s full %t at %s", n, op, sub, name, d.full, d.now.Format(time.DateTime)))
	switch op {
	case 0:
		d.compact(sub)
	case 1:
		first := 1 + d.r.IntN(20)
		d.visit(sub, name, first, first+d.r.IntN(15))
	case 2, 3:
		d.visit(sub, name, 0, 0)
	case 4:
		d.script(sub, name, d.r.IntN(3))
	case 5:
		lines := strings.SplitAfter(d.files[name], "\n")
		lines[d.r.IntN(len(lines))] = fmt.Sprintf("changed in step %d\n", n)
		d.put(name, strings.Join(lines, ""))
	case 6:
		d.put(name, numbered(name, 1+d.r.IntN(60)))
	case 7, 8, 9:
		d.write(sub)
	case 10:
		d.full = false
		if docs := d.required[sub]; len(docs) > 0 && d.r.IntN(2) == 0 {
			name = docs[d.r.IntN(len(docs))]
		}
		d.send(event.Event{Kind: event.Unread, Path: name, Sub: event.Sub{ID: sub}})
		for line := range strings.Lines(d.files[name]) {
			delete(d.shown[sub], strings.TrimSuffix(line, "\n"))
		}
	case 11:
		d.say([...]string{"go on", "mb:write", "write that into the memory bank", "should we write that into the memory bank?", "mb:no", "mb:status"}[d.r.IntN(6)])
	case 12:
		d.send(event.Event{Kind: event.Prompt, Prompt: [...]string{"mb:write", "mb:clear"}[d.r.IntN(2)], Synthetic: d.r.IntN(2) == 0, Sub: event.Sub{ID: "a"}})
	case 13:
		d.bank()
		if d.r.IntN(3) == 0 {
			d.say([...]string{"go on", "mb:no"}[d.r.IntN(2)])
			d.bank()
		}
	case 14:
		d.full = false
		running := d.r.IntN(2) == 0
		d.writerEnds(running)
		d.writing = d.writing && running
	case 15:
		d.reader()
	case 16:
		if d.r.IntN(6) == 0 {
			d.say("mb:clear")
		} else if d.shell(sub, "mbgate clear --all --yes").Verdict != event.Block {
			d.fatal("an agent clears")
		}
	}
	d.settle()
}

// TestDriver plays sessions of 150 steps. However each of them went, reading opens it in the end, and its state is small.
func TestDriver(t *testing.T) {
	counts := map[string]int{}
	for seed := range uint64(*driverRuns) {
		d := newDriver(t, seed)
		d.trace = []string{fmt.Sprintf("seed %d, %s", seed, d.policy.Recovery)}
		for n := range 150 {
			d.step(n)
			if n%50 == 49 {
				d.full = false
				d.obey([...]string{"", "a", "b"}[n/50])
			}
		}
		for _, sub := range []string{"a", "", "b"} {
			d.obey(sub)
		}
		raw, err := json.Marshal(d.session)
		if err != nil || len(raw) >= 64<<10 {
			t.Fatalf("the state has %d bytes, %v", len(raw), err)
		}
		for what, n := range d.counts {
			counts[what] += n
		}
	}
	t.Logf("%v", counts)
	for _, what := range [...]string{"armed", "unsaved", "allow", "block", "bank allow", "bank block"} {
		if counts[what] == 0 {
			t.Errorf("nothing was %s", what)
		}
	}
}

// TestAnUnsavedCompactionBindsItsSubagent: whose compaction was lost is not known, so every context has to read again, and the
// reader of the main one opens none of the others.
func TestAnUnsavedCompactionBindsItsSubagent(t *testing.T) {
	w := newWorld(t)
	w.readers = true
	w.read("a", memo, 0, 0)
	w.read("a", patt, 0, 0)
	w.wantEdit("a", event.Allow, "no recovery is pending")
	w.full = true
	w.compact("a")
	w.full = false
	w.wantEdit("a", event.Block, "its compaction could not be saved")
	w.send(event.Event{Kind: event.ToolBefore, Call: w.id(), Tool: event.Tool{Name: "Agent", Class: event.Subagent, Subagent: gate.Reader}})
	w.wantEdit("", event.Allow, "the reader opens the main context")
	w.wantEdit("a", event.Block, "the reader opens no subagent")
	w.obey("a")
}
