package gate

import (
	"bytes"
	"slices"
	"time"

	"github.com/mbgate/mbgate/internal/capsule"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/risk"
)

// maxRun is how large a run file is that is looked at in every event, in bytes.
const maxRun = 1 << 20

// BindingKind is what refuses a call after a compaction, or always (C5).
type BindingKind string

// What can bind a call, in the order in which it is looked for.
const (
	BindDeny     BindingKind = "deny"
	BindGate     BindingKind = "gate"
	BindQuestion BindingKind = "question"
	BindStale    BindingKind = "stale source"
)

// Binding is why a call is refused by what the capsule binds, and how that is lifted.
type Binding struct {
	Kind BindingKind
	// ID is the note's or the run's question, "" for a deny of the configuration; Text what it says.
	ID, Text string
	// Globs are the paths of a deny.
	Globs []string
	// Path is the file it is about and Abs where it lies: the denied target, the run file, the stale source. A deny has none
	// where the call may change more than can be listed.
	Path, Abs string
	// Next is the read that lifts a stale source.
	Next Call
	// Count is the number of this refusal (R9), 0 where none was made. Session is the id to use with notes.
	Count   int
	Session string
}

// binding is what refuses a call, nil when nothing does.
func (st *step) binding(a risk.Assessment) *Binding {
	if h := st.Policy.denies(a); h != nil {
		return h
	}
	if h := st.denyBinding(a); h != nil {
		return h
	}
	if st.s.Suspended {
		return nil
	}
	if a.Level != risk.Low {
		if list := st.decisionBindings(); len(list) > 0 {
			return &list[0]
		}
	}
	for _, t := range a.Targets {
		if t.Op == event.OpMode || t.Op == event.OpLink {
			continue
		}
		if i := st.ctx.source(t.Place.Key); i >= 0 {
			if h := st.staleBinding(st.ctx.Sources[i], t.Place); h != nil {
				return h
			}
		}
	}
	return nil
}

// denies looks for a target that the configuration denies, whatever the risk and the mode. What a call may change
// besides does not count: a deny that no session can lift must not refuse a test run.
func (p Policy) denies(a risk.Assessment) *Binding {
	for _, t := range a.Targets {
		if t.Certain && deniesTarget(p.Deny, t) {
			return &Binding{Kind: BindDeny, Globs: p.Deny, Path: t.Place.Shown, Abs: t.Place.Abs}
		}
	}
	return nil
}

// denyBinding looks for a noted deny whose paths a call changes. It holds before and after a compaction, whatever the risk.
func (st *step) denyBinding(a risk.Assessment) *Binding {
	for _, n := range st.s.Notes {
		if !n.denies() {
			continue
		}
		h := &Binding{Kind: BindDeny, ID: n.ID, Text: n.Text, Globs: n.Paths}
		for _, t := range a.Targets {
			if deniesTarget(n.Paths, t) {
				h.Path, h.Abs = t.Place.Shown, t.Place.Abs
				return h
			}
		}
		if len(a.Unbounded) > 0 {
			return h
		}
	}
	return nil
}

func deniesTarget(globs []string, t risk.Target) bool {
	names := t.Place.Names()
	whole := t.Place.Kind != place.File && (t.Tree || t.Op == event.OpDelete || t.Op == event.OpMove)
	for _, g := range globs {
		g = place.Fold(g, t.Place.Folding)
		for _, name := range names {
			if denies(g, name) || whole && deniesBelow(g, name) {
				return true
			}
		}
	}
	return false
}

// boundSince is the compaction after which the context at hand is bound: its own, or in a subagent its parent's; the
// zero time while there was none.
func (st *step) boundSince() time.Time {
	since := st.ctx.BoundAt
	if main := st.s.Main(); main != nil && main.BoundAt.After(since) {
		since = main.BoundAt
	}
	return since
}

// decisionBindings are a failed gate of the run and the open blocking questions, after a compaction.
func (st *step) decisionBindings() []Binding {
	since := st.boundSince()
	if since.IsZero() {
		return nil
	}
	var out []Binding
	run, at, broken := st.run()
	if run != nil && run.Gate != nil && !run.Gate.Passed {
		out = append(out, Binding{Kind: BindGate, Text: run.Gate.Reason, Path: at.Shown, Abs: at.Abs})
	}
	if broken && st.s.Capsule != nil {
		// The file may be half written: what it said at the compaction holds until it can be read.
		findings := st.s.Capsule.Gate.Findings
		if i := slices.IndexFunc(findings, isGateFinding); i >= 0 {
			out = append(out, Binding{Kind: BindGate, Text: findings[i].Message, Path: at.Shown, Abs: at.Abs})
		}
	}
	for _, n := range st.s.Notes {
		if n.blocks(since) {
			out = append(out, Binding{Kind: BindQuestion, ID: n.ID, Text: n.Text})
		}
	}
	if run == nil {
		return out
	}
	for _, q := range run.Questions {
		if q.Blocking && q.Status == capsule.StatusOpen && !st.s.answers(q.ID) {
			out = append(out, Binding{Kind: BindQuestion, ID: q.ID, Text: q.Question})
		}
	}
	return out
}

func isGateFinding(f capsule.Finding) bool { return f.Policy == capsule.PolicyGate }

// answers reports whether a note answers a question of the run file.
func (s *Session) answers(id string) bool {
	return slices.ContainsFunc(s.Notes, func(n Note) bool { return n.Kind == NoteAnswer && n.ID == id })
}

// run reads the session's run file anew in every event; nil where there is none. broken is set when there is one that
// cannot be read.
func (st *step) run() (run *capsule.Run, at place.Place, broken bool) {
	if st.Policy.RunFile == "" {
		return nil, at, false
	}
	if at = st.Disk.Anchor(st.Policy.RunFile); at.Kind == place.Missing {
		return nil, at, false
	}
	raw, ok := st.Disk.Text(at.Phys, maxRun)
	if !ok {
		return nil, at, true
	}
	r, report := capsule.ParseRun(raw)
	if !report.Valid {
		return nil, at, true
	}
	return &r, at, false
}

func (st *step) staleBinding(s Source, at place.Place) *Binding {
	text, stale := st.stale(s, at)
	if !stale {
		return nil
	}
	h := &Binding{Kind: BindStale, Path: at.Shown, Abs: at.Abs}
	c := st.client()
	if n := bytes.Count(text, []byte("\n")) + 1; c.ReadLines > 0 && n > c.ReadLines {
		h.Next = Call{First: 1, Last: c.ReadLines}
	}
	if c.ReadBytes > 0 && len(text) > c.ReadBytes {
		n := max(1, bytes.Count(text[:c.ReadBytes], []byte("\n")))
		if c.ReadLines > 0 {
			n = min(n, c.ReadLines)
		}
		h.Next = Call{First: 1, Last: n}
	}
	return h
}

// hasBindings reports whether there is anything that a person's clear would suspend.
func (s *Session) hasBindings() bool {
	if slices.ContainsFunc(s.Notes, Note.denies) {
		return true
	}
	if s.Suspended {
		return false
	}
	since := time.Time{}
	for _, c := range s.Contexts {
		if c.BoundAt.After(since) {
			since = c.BoundAt
		}
	}
	return !since.IsZero() && s.BindingRefusals > 0 ||
		slices.ContainsFunc(s.Notes, func(n Note) bool { return n.blocks(since) }) ||
		s.Capsule != nil && slices.ContainsFunc(s.Capsule.Gate.Findings, isGateFinding)
}

// suspend lifts everything that binds until the next compaction.
func (s *Session) suspend() {
	s.Suspended, s.BindingRefusals = true, 0
	s.Notes = slices.Clone(s.Notes)
	for i := range s.Notes {
		s.Notes[i].Suspended = true
	}
}

// Bindings are everything that binds the context of a subagent id, "" for the main one, for people. Nothing is changed.
func (g Gate) Bindings(old Session, sub string, c *event.Client) []Binding {
	st := g.peek(old, sub, c)
	var out []Binding
	if len(g.Policy.Deny) > 0 {
		out = append(out, Binding{Kind: BindDeny, Globs: g.Policy.Deny, Session: st.s.ID})
	}
	for _, n := range st.s.Notes {
		if n.denies() {
			out = append(out, Binding{Kind: BindDeny, ID: n.ID, Text: n.Text, Globs: n.Paths, Session: st.s.ID})
		}
	}
	if st.s.Suspended {
		return out
	}
	out = append(out, st.decisionBindings()...)
	for _, s := range st.ctx.Sources {
		if !s.Bound {
			continue
		}
		if h := st.staleBinding(s, st.Disk.Locate(st.Root, s.key())); h != nil {
			out = append(out, *h)
		}
	}
	for i := range out {
		out[i].Session = st.s.ID
	}
	return out
}
