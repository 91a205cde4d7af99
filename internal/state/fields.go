package state

import (
	"time"

	"github.com/mbgate/mbgate/internal/anchor"
	"github.com/mbgate/mbgate/internal/gate"
)

// These are the fields of a state file, one line each, in the order of the types in packages gate and anchor: the name
// in the file, the field, when it is written, and what kind of value it is. A new field of a type needs its line here;
// TestFields fails without it.

func session(c *coder, s *gate.Session) { object(c, s, sessionFields) }

func sessionFields(c *coder, s *gate.Session) {
	field(c, "schema", &s.Schema, always, number)
	field(c, "id", &s.ID, always, text)
	field(c, "agent", &s.Agent, s.Agent != "", text)
	field(c, "root", &s.Root, s.Root != "", text)
	field(c, "started_at", &s.StartedAt, always, instant)
	field(c, "last_at", &s.LastAt, always, instant)
	field(c, "ended_at", &s.EndedAt, !s.EndedAt.IsZero(), instant)
	field(c, "damaged", &s.Damaged, s.Damaged, truth)
	table(c, "contexts", &s.Contexts, len(s.Contexts) > 0, contextPointer)
	field(c, "turn", &s.Turn, s.Turn != gate.Turn{}, turn)
	field(c, "announced", &s.Announced, s.Announced != 0, number)
	field(c, "reported", &s.Reported, s.Reported, truth)
	table(c, "changed", &s.Changed, len(s.Changed) > 0, instant)
	list(c, "hooks", &s.Hooks, len(s.Hooks) > 0, text)
	field(c, "creating", &s.Creating, s.Creating, truth)
	field(c, "proposals", &s.Proposals, hasProposals(s.Proposals), proposals)
	field(c, "running", &s.Running, s.Running != 0, number)
	field(c, "bracket", &s.Bracket, s.Bracket != nil, bracketPointer)
	list(c, "notes", &s.Notes, len(s.Notes) > 0, noted)
	list(c, "writes", &s.Writes, len(s.Writes) > 0, transaction)
	field(c, "seq", &s.Seq, s.Seq != 0, number)
	field(c, "capsule", &s.Capsule, s.Capsule != nil, capsulePointer)
	field(c, "held", &s.Held, s.Held != 0, number)
	field(c, "suspended", &s.Suspended, s.Suspended, truth)
	list(c, "seen", &s.Seen, len(s.Seen) > 0, text)
}

func bracketPointer(c *coder, p **gate.Bracket) { pointer(c, p, bracket) }
func bracket(c *coder, b *gate.Bracket)         { object(c, b, bracketFields) }

func bracketFields(c *coder, b *gate.Bracket) {
	field(c, "type", &b.Type, b.Type != "", text)
	field(c, "asked", &b.Asked, b.Asked, truth)
	list(c, "calls", &b.Calls, len(b.Calls) > 0, text)
}

func turn(c *coder, t *gate.Turn) { object(c, t, turnFields) }

func turnFields(c *coder, t *gate.Turn) {
	field(c, "id", &t.ID, t.ID != "", text)
	field(c, "since", &t.Since, always, instant)
}

func contextPointer(c *coder, p **gate.Context) { pointer(c, p, context) }
func context(c *coder, x *gate.Context)         { object(c, x, contextFields) }

func contextFields(c *coder, x *gate.Context) {
	field(c, "type", &x.Type, x.Type != "", text)
	field(c, "cwd", &x.Cwd, x.Cwd != "", text)
	field(c, "started_at", &x.StartedAt, always, instant)
	field(c, "used_at", &x.UsedAt, always, instant)
	list(c, "anchors", &x.Anchors, len(x.Anchors) > 0, entry)
	table(c, "reads", &x.Reads, len(x.Reads) > 0, credit)
	field(c, "compactions", &x.Compactions, x.Compactions != 0, number)
	field(c, "pair", &x.Pair, x.Pair != gate.Pair{}, pair)
	field(c, "summary", &x.Summary, x.Summary != "", text)
	field(c, "recovery", &x.Recovery, x.Recovery != nil, recoveryPointer)
	field(c, "turn", &x.Turn, x.Turn != gate.InTurn{}, inTurn)
	list(c, "sources", &x.Sources, len(x.Sources) > 0, source)
	field(c, "counted", &x.Counted, x.Counted != "", text)
	field(c, "bound_at", &x.BoundAt, !x.BoundAt.IsZero(), instant)
	field(c, "reader", &x.Reader, x.Reader != nil, readerPointer)
	field(c, "owed", &x.Owed, x.Owed != nil, owedPointer)
}

func owedPointer(c *coder, p **gate.Owed) { pointer(c, p, owed) }
func owed(c *coder, o *gate.Owed)         { object(c, o, owedFields) }

func owedFields(c *coder, o *gate.Owed) {
	list(c, "dropped", &o.Dropped, len(o.Dropped) > 0, dropped)
}

func dropped(c *coder, d *gate.Dropped) { object(c, d, droppedFields) }

func droppedFields(c *coder, d *gate.Dropped) {
	field(c, "path", &d.Path, always, text)
	field(c, "why", &d.Why, always, text)
}

// hasProposals is what omitzero means for a struct that holds slices: any of them is there, an empty one too.
func hasProposals(p gate.Proposals) bool {
	return p.Written != nil || p.Signed != nil || p.Asked != time.Time{} || p.Answered != time.Time{}
}

func proposals(c *coder, p *gate.Proposals) { object(c, p, proposalsFields) }

func proposalsFields(c *coder, p *gate.Proposals) {
	list(c, "written", &p.Written, len(p.Written) > 0, text)
	field(c, "asked", &p.Asked, !p.Asked.IsZero(), instant)
	list(c, "signed", &p.Signed, len(p.Signed) > 0, text)
	field(c, "answered", &p.Answered, !p.Answered.IsZero(), instant)
}

func inTurn(c *coder, t *gate.InTurn) { object(c, t, inTurnFields) }

func inTurnFields(c *coder, t *gate.InTurn) {
	field(c, "of", &t.Of, always, instant)
	field(c, "asked", &t.Asked, t.Asked, truth)
	field(c, "reader", &t.Reader, t.Reader, truth)
	field(c, "warned", &t.Warned, t.Warned, truth)
}

func entry(c *coder, e *anchor.Entry) { object(c, e, entryFields) }

func entryFields(c *coder, e *anchor.Entry) {
	field(c, "path", &e.Path, always, text)
	field(c, "at", &e.At, always, instant)
}

func credit(c *coder, r *anchor.Credit) { object(c, r, creditFields) }

func creditFields(c *coder, r *anchor.Credit) {
	field(c, "stamp", &r.Stamp, always, stamp)
	field(c, "total", &r.Total, always, number)
	list(c, "need", (*[]anchor.Span)(&r.Need), len(r.Need) > 0, span)
	list(c, "got", (*[]anchor.Span)(&r.Got), len(r.Got) > 0, span)
	field(c, "sums", &r.Sums, len(r.Sums) > 0, octets)
	field(c, "at", &r.At, always, instant)
	field(c, "changed", &r.Changed, r.Changed, truth)
}

func stamp(c *coder, s *anchor.Stamp) { object(c, s, stampFields) }

func stampFields(c *coder, s *anchor.Stamp) {
	field(c, "size", &s.Size, always, number)
	field(c, "mod", &s.Mod, always, number)
	field(c, "id", &s.ID, s.ID != 0, natural)
}

func span(c *coder, s *anchor.Span) { object(c, s, spanFields) }

func spanFields(c *coder, s *anchor.Span) {
	field(c, "first", &s.First, always, number)
	field(c, "last", &s.Last, always, number)
}

func pair(c *coder, p *gate.Pair) { object(c, p, pairFields) }

func pairFields(c *coder, p *gate.Pair) {
	field(c, "opener", &p.Opener, p.Opener != "", text)
	field(c, "closed", &p.Closed, p.Closed, truth)
}

func recoveryPointer(c *coder, p **gate.Recovery) { pointer(c, p, recovery) }
func recovery(c *coder, r *gate.Recovery)         { object(c, r, recoveryFields) }

func recoveryFields(c *coder, r *gate.Recovery) {
	field(c, "cause", &r.Cause, always, text)
	field(c, "activated_at", &r.ActivatedAt, always, instant)
	field(c, "from", &r.From, !r.From.IsZero(), instant)
	list(c, "required", &r.Required, always, required)
	list(c, "also", &r.Also, len(r.Also) > 0, text)
	field(c, "refusals", &r.Refusals, r.Refusals != 0, number)
	field(c, "stood_down", &r.StoodDown, r.StoodDown != "", text)
	field(c, "rearmed", &r.Rearmed, r.Rearmed != 0, number)
	field(c, "halvings", &r.Halvings, r.Halvings != 0, number)
	field(c, "credited", &r.Credited, r.Credited, truth)
	field(c, "told", &r.Told, r.Told, truth)
}

func required(c *coder, q *gate.Required) { object(c, q, requiredFields) }

func requiredFields(c *coder, q *gate.Required) {
	field(c, "path", &q.Path, always, text)
	field(c, "dropped", &q.Dropped, q.Dropped != "", text)
	field(c, "printed", &q.Printed, q.Printed != nil, callPointer)
	field(c, "made", &q.Made, q.Made, truth)
	field(c, "tries", &q.Tries, q.Tries != 0, number)
}

func callPointer(c *coder, p **gate.Call) { pointer(c, p, call) }
func call(c *coder, x *gate.Call)         { object(c, x, callFields) }

func callFields(c *coder, x *gate.Call) {
	field(c, "first", &x.First, always, number)
	field(c, "last", &x.Last, always, number)
}

func readerPointer(c *coder, p **gate.ReaderCall) { pointer(c, p, reader) }
func reader(c *coder, r *gate.ReaderCall)         { object(c, r, readerFields) }

func readerFields(c *coder, r *gate.ReaderCall) {
	field(c, "call", &r.Call, always, text)
	field(c, "recovery", &r.Recovery, always, recoveryPointer)
}

// instant is a time, as RFC 3339 in its own zone with nanoseconds.
func instant(c *coder, t *time.Time) {
	if !c.reading {
		c.put(t.AppendText(append(c.out, '"')))
		c.out = append(c.out, '"')
		return
	}
	if from := c.in.Pos; c.in.Value() {
		c.ok(t.UnmarshalJSON(c.in.Data[from:c.in.Pos]) == nil)
		return
	}
	c.ok(false)
}
