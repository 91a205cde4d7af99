package gate

import (
	"slices"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/risk"
	"github.com/mbgate/mbgate/internal/risk/shell"
)

// announcedEnough is how many allowed calls have to be announced before a session that reports none counts as one
// whose reads are hidden (R5).
const announcedEnough = 3

// maxTries is how often the very call that a refusal printed may bring no line before the anchor is dropped (R5).
const maxTries = 3

// recoveryGate answers a risky write while a recovery is pending: with a refusal, or with a reminder where the gate stood
// down or only warns. Then what the capsule binds comes first.
func (c *call) recoveryGate() (event.Verdict, Rule) {
	st, p := c.step, c.recovery
	if p == nil && c.Level != risk.Low {
		return c.sayDropped()
	}
	if p == nil || c.Level == risk.Low || st.writerInBank(c.Assessment) || st.onlyReminds(p.rec) && st.binding(c.Assessment) != nil {
		return event.NoOpinion, RuleNone
	}
	counted, rec := st.s.first(st.copyID()), p.rec
	if rec.Cause == Inherited {
		st.ctx.Recovery = rec
	}
	if counted && rec.StoodDown == "" {
		st.countRefusal(rec)
	}
	p = st.pending()
	if p == nil {
		return c.sayDropped()
	}
	dropped := st.droppedNow()
	r := st.refusal(p, dropped)
	if i := rec.required(p.unread[0].Path); i >= 0 {
		q := &rec.Required[i]
		if !counted && q.Printed != nil {
			r.Next = *q.Printed // a copy is told the same
		} else if counted {
			next := r.Next
			q.Printed, q.Looked = &next, false
		}
	}
	verdict := event.Block
	if st.onlyReminds(rec) {
		if st.deferReminder(dropped) {
			return event.Allow, RuleNone
		}
		verdict = event.Warn
	}
	st.d.Refusal = r
	return verdict, RuleRecovery
}

// onlyReminds reports whether a pending recovery refuses nothing.
func (st *step) onlyReminds(rec *Recovery) bool {
	return st.Policy.Recovery == event.ModeWarn || rec.StoodDown != ""
}

// writerInBank reports whether a call is ruled by the write guard alone: the writer's, inside the memory bank, but for
// unread required anchors (SPEC §11, R6).
func (st *step) writerInBank(a risk.Assessment) bool {
	return st.writer() && inBank(a) && !protected(a)
}

// countRefusal counts a refusal, drops the anchors whose printed read was made in vain too often, and stands the gate down
// where something hides the session's reads (R5).
func (st *step) countRefusal(rec *Recovery) {
	rec.Refusals++
	for i := range rec.Required {
		r := &rec.Required[i]
		if !r.ReadMade {
			continue
		}
		r.ReadMade = false
		if r.Tries++; r.Tries >= maxTries && r.Dropped == "" {
			st.drop(r, DropFutile)
		}
	}
	if rec.Refusals > st.Policy.Ceiling && st.Policy.Ceiling > 0 && !st.s.Reported && st.s.Announced >= announcedEnough {
		rec.StoodDown = NoReadReported
		st.log(LogEntry{What: StoodDown})
	}
}

// droppedNow are the anchors that this event dropped.
func (st *step) droppedNow() []Dropped {
	var out []Dropped
	for _, e := range st.d.Log {
		if e.What == AnchorDropped {
			out = append(out, Dropped{e.Path, e.Drop})
		}
	}
	return out
}

// sayDropped names the anchors that this event dropped, where they were the last that the call had to wait for.
func (c *call) sayDropped() (event.Verdict, Rule) {
	st := c.step
	dropped := st.droppedNow()
	if len(dropped) == 0 || st.binding(c.Assessment) != nil || st.deferReminder(dropped) {
		return event.NoOpinion, RuleNone
	}
	st.d.Refusal = &Refusal{Dropped: dropped, Session: st.s.ID, Sub: !st.ev.Main()}
	return event.Warn, RuleDrop
}

// refusal says what is unread, and how to go on.
func (st *step) refusal(p *pending, dropped []Dropped) *Refusal {
	return &Refusal{
		Count: p.rec.Refusals, Again: p.rec.refused(), Cause: p.rec.Cause, Unread: p.unread, StoodDown: p.rec.StoodDown, Next: st.next(&p.unread[0]),
		Reader: st.ev.Main() && st.readerDefined(), Strict: st.isStrict(), Session: st.s.ID, Sub: !st.ev.Main(), Dropped: dropped,
	}
}

// refused reports whether a refusal or reminder was given since the recovery was armed.
func (r *Recovery) refused() bool {
	return slices.ContainsFunc(r.Required, func(q Required) bool { return q.Printed != nil })
}

// deferReminder keeps a reminder for the next finished call where the model does not hear one before a call; it reports
// whether it did.
func (st *step) deferReminder(dropped []Dropped) bool {
	if !st.remindsLater() {
		return false
	}
	if st.ctx.Deferred == nil {
		st.ctx.Deferred = &Deferred{}
	}
	left := maxRequired - len(st.ctx.Deferred.Dropped)
	st.ctx.Deferred.Dropped = append(st.ctx.Deferred.Dropped, dropped[:min(len(dropped), max(left, 0))]...)
	return true
}

// flushReminder gives the reminder that was deferred; it reports whether there was one.
func (st *step) flushReminder(a risk.Assessment) bool {
	deferred := st.ctx.Deferred
	if deferred == nil {
		return false
	}
	st.ctx.Deferred = nil
	r := &Refusal{Dropped: deferred.Dropped, Session: st.s.ID, Sub: !st.ev.Main()}
	if p := st.pending(); p != nil {
		r = st.refusal(p, deferred.Dropped)
	} else if len(deferred.Dropped) == 0 {
		return false // all was read since
	}
	st.d.Assessment, st.d.Verdict, st.d.Rule, st.d.Refusal = a, event.Warn, RuleRecovery, r
	return true
}

// notePrintedRead remembers that the very read was made that the last refusal printed (R5). What a script reads and does not
// show proves nothing about the client.
func (st *step) notePrintedRead(p *pending, reads []shell.Read) {
	if st.ev.Script != "" {
		return
	}
	if p.rec != st.ctx.Recovery {
		return
	}
	for _, r := range reads {
		i := slices.Index(p.keys, r.Place.Key)
		if i < 0 {
			continue
		}
		q := &p.rec.Required[p.rec.required(p.unread[i].Path)]
		if q.Printed == nil {
			continue
		}
		if r.Full || len(r.Spans) == 1 && r.Spans[0].First <= q.Printed.First &&
			(r.Spans[0].Last == 0 || r.Spans[0].Last >= q.Printed.Last) {
			q.ReadMade = true
		}
	}
}

// noteLooked remembers that the context reads something: its read calls reach the hooks.
func (st *step) noteLooked(reads []shell.Read) {
	if rec := st.ctx.Recovery; rec != nil && len(reads) > 0 && st.client().HidesReads {
		for i := range rec.Required {
			rec.Required[i].Looked = rec.Required[i].Printed != nil
		}
	}
}

// next is the read call to print for an unread anchor: all of it if one call shows it, else the first unread range that
// one call shows (R3). The zero Call is "read it without a range". After a printed call that was made in vain another one
// is printed: with a range, since a client may answer the same read by a stub that says "unchanged", and then with half of
// it, since it may cut the output to nothing. A printed call after which nothing at all was read may be one that the client
// turns down before its hooks (Gemini: a path outside of its workspace); then every other one is a command of the shell (R5).
func (st *step) next(u *Unread) Call {
	call := st.nextLines(u)
	if rec := st.effective(); rec != nil && st.client().HidesReads {
		if i := rec.required(u.Path); i >= 0 {
			q := rec.Required[i]
			call.Shell = q.Printed != nil && !q.Printed.Shell && !q.Looked
		}
	}
	return call
}

func (st *step) nextLines(u *Unread) Call {
	c := st.client()
	if len(u.Left) == 0 {
		return Call{}
	}
	fits := (c.ReadLines == 0 || u.Total <= c.ReadLines) && (c.ReadBytes == 0 || st.size(u) <= int64(c.ReadBytes))
	tries := st.tries(u)
	if u.Read == 0 && !u.Part && fits && tries == 0 {
		return Call{}
	}
	call := Call{First: u.Left[0].First, Last: u.Left[0].Last}
	if c.ReadLines > 0 {
		call.Last = min(call.Last, call.First+c.ReadLines-1)
	}
	if c.ReadBytes > 0 {
		call.Last = st.within(u, call, c.ReadBytes)
	}
	for range tries - 1 {
		call.Last = call.First + (call.Last-call.First)/2
	}
	return call
}

// tries is how often a printed read of an unread anchor was made in vain.
func (st *step) tries(u *Unread) int {
	if rec := st.effective(); rec != nil {
		if i := rec.required(u.Path); i >= 0 {
			return rec.Required[i].Tries
		}
	}
	return 0
}

func (st *step) size(u *Unread) int64 {
	stamp, _ := st.Disk.Stamp(st.Disk.Anchor(u.Path))
	return stamp.Size
}

// within shortens a call so that its lines fit into the bytes that one read of this client shows; at least one line.
func (st *step) within(u *Unread, call Call, limit int) int {
	d, err := st.Disk.Doc(st.Disk.Anchor(u.Path))
	if err != nil {
		return call.Last
	}
	used := 0
	for n := call.First; n <= call.Last; n++ {
		used += d.LineBytes(n) + 1
		if used > limit && n > call.First {
			return n - 1
		}
	}
	return call.Last
}
