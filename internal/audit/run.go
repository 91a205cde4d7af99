package audit

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/anchor"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/jsonscan"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/project"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/risk"
	"github.com/mbgate/mbgate/internal/transcript"
	"github.com/mbgate/mbgate/internal/wire"
)

// maxOpen is how many calls may wait for their results; more were interrupted.
const maxOpen = 256

// run plays one session.
type run struct {
	audit   *Audit
	agent   agents.Agent
	started bool
	repeats bool // another file had this record first
	policy  gate.Policy
	root    string
	cwd     string // of the last record that names one
	sub     string // whose record this is, where the first one says it for all
	disk    *disk
	state   gate.Session
	out     render.AuditSession
	// open are calls without a result yet.
	open map[string]transcript.Call
	// after is the last compaction of each context, and the calls since.
	after map[string]*followed
	docs  map[string]*history // by canonical path
	// prompts counts the person's prompts.
	prompts int
}

// followed is a compaction and the calls since.
type followed struct {
	counted
	calls int
}

// counted is where the report has a compaction, or will have it when the session ends.
type counted struct{ session, index int }

// history is what the session did with a document.
type history struct {
	read    transcript.Record // the last record that read it
	prompts int               // how many prompts had come then
	own     bool
}

// start begins with the first record that names a folder; false where the session is not asked for.
func (r *run) start(rec transcript.Record) bool {
	a := r.audit
	if a.Within != "" && !place.Under(rec.Cwd, a.Within) && rec.Cwd != a.Within {
		return false
	}
	r.started = true
	policy, root := a.Project(rec.Cwd)
	r.root, r.policy = root.Dir, policy
	r.disk = &disk{Disk: project.New(root, project.Options{Cwd: rec.Cwd}), files: map[string]*file{}}
	switch {
	case len(a.Anchors) > 0:
		r.policy.Anchors = a.Anchors
	case len(r.policy.Anchors) == 0:
		r.policy.Anchors = Framing()
	}
	// Only the recovery is judged, and it never stands down: nobody was refused.
	r.policy.Recovery, r.policy.Ceiling, r.policy.Fallback = event.ModeBlock, 0, nil
	r.policy.WriteGuard, r.policy.Read, r.policy.Proposals = event.ModeOff, event.ModeOff, event.ModeOff
	r.disk.budget = r.policy.Budget
	r.open, r.after, r.docs = map[string]transcript.Call{}, map[string]*followed{}, map[string]*history{}
	r.out = render.AuditSession{Agent: r.agent.Name(), ID: rec.Session, Root: r.root}
	return true
}

// take plays one record; false where the session is not asked for.
func (r *run) take(rec transcript.Record) bool {
	if !r.started && rec.Cwd != "" && !r.start(rec) {
		return false
	}
	if rec.Cwd != "" {
		r.cwd = rec.Cwd
	}
	if rec.Kind == transcript.Begin {
		r.sub = rec.Sub
	}
	rec.Cwd, rec.Session, rec.Sub = r.cwd, r.out.ID, cmp.Or(rec.Sub, r.sub)
	if !r.started {
		return true
	}
	switch rec.Kind {
	case transcript.Prompt:
		r.prompts++
		r.named(rec, func(d *render.AuditDocument) { d.InPrompts = true })
	case transcript.Summary:
		r.named(rec, func(d *render.AuditDocument) { d.InSummary = true })
	case transcript.Compaction:
		r.compact(rec)
	case transcript.PutBack:
		if rec.Sub == "" {
			r.disk.found.Files = append(r.disk.found.Files, transcript.File{At: rec.At, Shown: rec.File})
			r.learn(rec.Cwd, rec.File)
		}
	case transcript.Work:
		for _, c := range rec.Calls {
			if len(r.open) >= maxOpen {
				clear(r.open)
			}
			c.Input = slices.Clone(c.Input) // the line is overwritten
			r.open[c.ID] = c
		}
		for _, res := range rec.Results {
			if c, ok := r.open[res.ID]; ok {
				delete(r.open, res.ID)
				r.call(rec, c, res)
			}
		}
	}
	return true
}

// handle asks the gate.
func (r *run) handle(rec transcript.Record, ev event.Event) gate.Decision {
	g := gate.Gate{Policy: r.policy, Disk: r.disk, Now: rec.At, Root: r.root}
	var d gate.Decision
	r.state, d = g.Handle(r.state, ev)
	return d
}

// decode makes an event of a payload as the agent's adapter does.
func (r *run) decode(rec transcript.Record, o jsonscan.Object) (event.Event, bool) {
	ev := event.Event{Client: r.agent.Facts()}
	err := r.agent.Decode(o, wire.Options{Getenv: func(string) string { return "" }}, &ev)
	ev.Cwd, ev.Session, ev.Sub = rec.Cwd, r.out.ID, event.Sub{ID: rec.Sub}
	return ev, err == nil
}

// compact plays a compaction.
func (r *run) compact(rec transcript.Record) {
	if rec.Sub == "" {
		r.disk.found = transcript.Found{Compacted: rec.At}
	}
	d := r.handle(rec, event.Event{
		Kind: event.Compacted, Name: "compaction", Client: r.agent.Facts(), Session: r.out.ID, Sub: event.Sub{ID: rec.Sub}, Cwd: rec.Cwd,
	})
	// Each one opens a compaction: there is no second event to pair.
	ctx := r.state.Contexts[rec.Sub]
	ctx.Pair = gate.Pair{}
	at, known := r.audit.counted[rec.ID]
	if r.repeats && known {
		r.after[rec.Sub] = &followed{counted: at}
		return
	}
	if r.repeats || rec.At.Before(r.audit.Since) {
		delete(r.after, rec.Sub)
		return
	}
	c := render.Compaction{At: rec.At, Trigger: rec.Trigger, Sub: rec.Sub, Documents: []render.AuditDocument{}, Calls: -1}
	if rec := ctx.Recovery; rec != nil && slices.ContainsFunc(d.Log, func(e gate.LogEntry) bool { return e.What == gate.Armed }) {
		for _, q := range rec.Required {
			c.Documents = append(c.Documents, r.document(q.Path, c))
			r.audit.read[q.Path]++
		}
	}
	r.out.Compactions = append(r.out.Compactions, c)
	at = counted{len(r.audit.report.Sessions), len(r.out.Compactions) - 1}
	r.after[rec.Sub] = &followed{counted: at}
	if rec.ID != "" {
		r.audit.counted[rec.ID] = at
	}
	if rec.Text != "" {
		r.named(rec, func(d *render.AuditDocument) { d.InSummary = true })
	}
}

// document says what is known of a document when it is compacted.
func (r *run) document(name string, c render.Compaction) render.AuditDocument {
	d := render.AuditDocument{Path: name, ReadAgain: -1}
	doc, err := r.disk.Doc(r.disk.Anchor(name))
	if f := r.disk.files[r.disk.Anchor(name).Phys]; err == nil && (f == nil || !slices.Contains(f.lines, unknown)) {
		d.Lines, d.Tokens = doc.Total, int(doc.Size+3)/4
	}
	if h := r.docs[name]; h != nil {
		d.Own, d.Prompts = h.own, r.prompts-h.prompts
		if !h.read.At.IsZero() {
			d.Hours = c.At.Sub(h.read.At).Hours()
		}
	}
	return d
}

// current is the compaction that a context works after, nil while there was none.
func (r *run) current(sub string) (*render.Compaction, *followed) {
	f := r.after[sub]
	if f == nil {
		return nil, nil
	}
	if f.session < len(r.audit.report.Sessions) {
		return &r.audit.report.Sessions[f.session].Compactions[f.index], f
	}
	return &r.out.Compactions[f.index], f
}

// named notes the documents whose names a text holds.
func (r *run) named(rec transcript.Record, note func(*render.AuditDocument)) {
	if c, _ := r.current(rec.Sub); c != nil {
		for i := range c.Documents {
			if strings.Contains(rec.Text, path.Base(c.Documents[i].Path)) {
				note(&c.Documents[i])
			}
		}
	}
}

// call plays a finished call: what the gate would have said to it, and what it showed.
func (r *run) call(rec transcript.Record, call transcript.Call, res transcript.Result) {
	hooks := r.agent.Records
	before, ok := r.decode(rec, payload(cmp.Or(hooks.Before, "PreToolUse"), rec, call, nil))
	if !ok {
		return
	}
	if !res.Failed {
		r.suppose(rec, before.Tool.Command)
	}
	d := r.handle(rec, before)
	c, f := r.current(rec.Sub)
	if r.repeats {
		c = nil
	}
	if c != nil {
		f.calls++
		r.note(c, f.calls, d, true)
		if !res.Failed {
			r.judge(rec, c, f, d)
		}
	}
	if res.Failed {
		return // it showed and changed nothing that counts
	}
	after, ok := r.decode(rec, payload(cmp.Or(hooks.After, "PostToolUse"), rec, call, res.Response))
	if !ok {
		return
	}
	r.observe(rec, call, d.Assessment, after)
	d = r.handle(rec, after)
	if c != nil {
		r.note(c, f.calls, d, false)
	}
}

// suppose takes the documents that a command names for there, if it succeeded: a command is judged by the files that it finds.
func (r *run) suppose(rec transcript.Record, command string) {
	for word := range strings.FieldsSeq(command) {
		if word = strings.Trim(word, `"';`); strings.HasSuffix(word, ".md") {
			if p := r.disk.Locate(rec.Cwd, word); p.Kind == place.Missing && anchor.Match(r.policy.Anchors, p) != "" {
				r.disk.file(p)
			}
		}
	}
}

// judge counts a call that was made.
func (r *run) judge(rec transcript.Record, c *render.Compaction, f *followed, d gate.Decision) {
	if len(c.Documents) == 0 || d.Assessment.Level == risk.Low {
		return
	}
	refused := d.Verdict == event.Block && d.Rule == gate.RuleRecovery
	if d.Assessment.Writes != risk.WritesProject {
		if refused {
			c.Harmless++
		}
		return
	}
	c.Writes++
	r.written(c, d.Assessment.Targets)
	if c.Calls < 0 {
		c.Calls = f.calls - 1
	}
	if refused {
		c.WritesUnread++
		if c.First.IsZero() {
			c.First = rec.At
		}
	}
}

// written notes the documents that name a file that is written, as far as the record shows their lines.
func (r *run) written(c *render.Compaction, targets []risk.Target) {
	for i := range c.Documents {
		doc := r.disk.files[r.disk.Anchor(c.Documents[i].Path).Phys]
		for _, t := range targets {
			name := path.Base(t.Place.Abs)
			if doc != nil && t.Certain && slices.ContainsFunc(doc.lines, func(line string) bool { return strings.Contains(line, name) }) {
				c.Documents[i].NamesWritten = true
			}
		}
	}
}

// note remembers which documents are read again; before a call it can only be what the client put back.
func (r *run) note(c *render.Compaction, calls int, d gate.Decision, putBack bool) {
	for _, e := range d.Log {
		i := slices.IndexFunc(c.Documents, func(d render.AuditDocument) bool { return d.Path == e.Path })
		if e.What == gate.AnchorRead && i >= 0 && c.Documents[i].ReadAgain < 0 && !c.Documents[i].PutBack {
			if c.Documents[i].PutBack = putBack; !putBack {
				c.Documents[i].ReadAgain = calls
			}
		}
	}
}

// observe learns from a finished call what files say.
func (r *run) observe(rec transcript.Record, call transcript.Call, a risk.Assessment, ev event.Event) {
	if ev.Result != nil {
		for _, s := range ev.Result.Shown {
			r.learn(rec.Cwd, s)
		}
		for _, read := range a.Reads {
			if read.Verbatim {
				r.touch(rec, read.Place.Abs, false)
			}
		}
		// A tool or a command that shows one file, and nothing else.
		if text := ev.Result.Text; text != "" && len(ev.Result.Shown) == 0 && len(a.Reads) == 1 && a.Reads[0].Full && a.Reads[0].Verbatim && len(a.Targets) == 0 {
			r.learn(rec.Cwd, whole(a.Reads[0].Place.Abs, text))
		}
	}
	input, _ := jsonscan.Members(call.Input)
	for _, t := range a.Targets {
		if !t.Certain || t.Op == event.OpDelete || t.Op == event.OpMove {
			continue
		}
		if content := input.Text("content"); ev.Tool.Class == event.Write && content != "" {
			r.disk.files[t.Place.Phys] = &file{version: int64(r.prompts)}
			r.learn(rec.Cwd, whole(t.Place.Abs, content))
		}
		r.touch(rec, t.Place.Abs, true)
	}
}

// whole is a file that was shown or written as a whole.
func whole(file, text string) event.Shown {
	return event.Shown{Path: file, First: 1, Total: strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1, Text: text}
}

// learn remembers what was shown of a file.
func (r *run) learn(cwd string, s event.Shown) {
	p := r.disk.Locate(cwd, s.Path)
	if f := r.disk.file(p); anchor.Match(r.policy.Anchors, p) != "" {
		f.show(max(s.First, 1), s.Text, s.Total)
	}
}

// touch remembers when a document was read or written.
func (r *run) touch(rec transcript.Record, file string, wrote bool) {
	p := r.disk.Locate(rec.Cwd, file)
	h := r.docs[p.Shown]
	if p.Shown == "" || h == nil && !strings.HasSuffix(p.Shown, ".md") {
		return
	}
	if h == nil {
		h = &history{}
		r.docs[p.Shown] = h
	}
	if wrote {
		h.own = true
		return
	}
	h.read, h.prompts = transcript.Record{At: rec.At}, r.prompts
}

// close ends the session.
func (r *run) close() {
	if r.started && len(r.out.Compactions) > 0 {
		r.audit.report.Sessions = append(r.audit.report.Sessions, r.out)
	}
}
