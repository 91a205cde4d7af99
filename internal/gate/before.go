package gate

import (
	"slices"

	"github.com/mbgate/mbgate/internal/anchor"
	"github.com/mbgate/mbgate/internal/bank"
	"github.com/mbgate/mbgate/internal/capsule"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/risk"
)

// announcedEnough is how many allowed calls have to be announced before a session that reports none counts as one
// whose reads are hidden (R5).
const announcedEnough = 3

// maxTries is how often the very call that a refusal printed may bring no line before the anchor is dropped (R5).
const maxTries = 3

// before judges a tool call.
func (st *step) before() {
	if st.ev.Cwd != "" {
		st.ctx.Cwd = st.ev.Cwd
	}
	p := st.pending()
	a := risk.Judge(st.ev.Tool, st.ev.Cwd, st.world(), risk.Rules{
		Sensitive: st.Policy.Sensitive,
		Safe:      st.Policy.Safe,
		Unread:    p.has,
		Wrote:     st.wrote,
		Recovery:  p != nil,
	})
	st.d.Assessment = a
	if a.Own != "" {
		st.d.Verdict, st.d.Rule = event.Block, RuleOwn
		return
	}
	// One refusal or reminder a call at most, in the order of SPEC §2: write guard, recovery gate, capsule, read gate.
	st.judged(p, a)
	if st.d.Verdict == event.Block {
		st.transact(a, capsule.Blocked)
	} else {
		st.transact(a, capsule.Planned)
	}
}

// judged asks one gate after the other.
func (st *step) judged(p *pending, a risk.Assessment) {
	if st.d.Guarded = st.guard(a); st.d.Guarded != nil {
		st.d.Verdict, st.d.Rule = event.Block, RuleGuard
		return
	}
	held := st.hold(a)
	free := st.writer() && inBank(a) && !protected(a) // §11 rules the writer inside the memory bank
	if p != nil && a.Level != risk.Low && !free && (held == nil || !st.reminds(p)) {
		st.refuse(p, a)
		return
	}
	if held != nil {
		st.refuseHeld(held)
		return
	}
	st.allow(p, a)
	st.readGate(a)
}

func (st *step) wrote(key string) bool {
	_, ok := st.s.Changed[key]
	return ok
}

// news reports whether it has to be remembered that a file is changed: for the first time, or for the first time since
// the compaction. A session that writes one file again and again does not save its state each time.
func (st *step) news(key string) bool {
	at, known := st.s.Changed[key]
	rec := st.effective()
	return !known || rec != nil && at.Before(rec.ActivatedAt)
}

// allow lets a call pass and remembers what the gate needs of it later.
func (st *step) allow(p *pending, a risk.Assessment) {
	st.d.Verdict = event.Allow
	if !st.s.Reported && st.s.Announced < announcedEnough {
		st.s.Announced++
	}
	for _, t := range a.Targets {
		if t.Place.Inside() && t.Place.Key != "" && st.news(t.Place.Key) {
			st.s.change(t.Place.Key, st.Now)
		}
		if t.Place.Under(bank.Dir) && st.Disk.Anchor(bank.Entry).Kind == place.Missing {
			st.s.Creating = true
		}
	}
	if RunsInit(st.ev.Tool.Command) && st.Disk.Anchor(bank.Entry).Kind == place.Missing {
		st.s.Creating = true
	}
	if st.ev.Tool.Unreported {
		st.writesUnseen(a)
	}
	st.asks(a.Reads)
	st.readUnseen(a)
	if st.ev.Tool.Class == event.Subagent && !st.client().NamesSubagents && st.client().AfterEvents {
		st.s.Running++
		if st.client().BracketsSubagents {
			st.s.openBracket(st.ev.Tool.Subagent)
		}
	}
	reads := st.ev.Tool.Class == event.Subagent && st.ev.Tool.Subagent == Reader && st.readerDefined()
	if reads {
		st.turn().Reader = true
	}
	if p == nil {
		return
	}
	st.made(p, a)
	if reads && st.ev.Main() {
		st.ctx.Reader = &ReaderCall{Call: st.ev.Call, Recovery: p.rec}
		st.ctx.Recovery = nil
		st.note(RuleReader, "reader", "", "the reader subagent was called")
	}
}

func (st *step) readerDefined() bool {
	return st.ev.Client != nil && st.Disk.Defined(st.ev.Client, Reader)
}

// made remembers that the very read was made that the last refusal printed (R5).
func (st *step) made(p *pending, a risk.Assessment) {
	if p.rec != st.ctx.Recovery {
		return
	}
	for _, r := range a.Reads {
		i := slices.Index(p.keys, r.Place.Key)
		if i < 0 {
			continue
		}
		for j := range p.rec.Required {
			q := &p.rec.Required[j]
			if q.Path != p.unread[i].Path || q.Printed == nil {
				continue
			}
			if r.Full || len(r.Spans) == 1 && r.Spans[0].First <= q.Printed.First &&
				(r.Spans[0].Last == 0 || r.Spans[0].Last >= q.Printed.Last) {
				q.Made = true
			}
		}
	}
}

// refuse answers a risky write while a recovery is pending: with a refusal, or with a reminder where the gate stood
// down or only warns.
func (st *step) refuse(p *pending, a risk.Assessment) {
	counted := st.s.first(st.copyID())
	rec := p.rec
	if rec.Cause == Inherited {
		st.ctx.Recovery = rec
	}
	if counted && rec.StoodDown == "" {
		rec.Refusals++
		st.tire(p)
		if rec.Refusals > st.Policy.Ceiling && st.Policy.Ceiling > 0 && !st.s.Reported && st.s.Announced >= announcedEnough {
			rec.StoodDown = "no read of this session was ever reported back by the client"
			st.note(RuleDrop, "stood down", "", rec.StoodDown)
		}
	}
	dropped := st.d.Notes
	if p = st.pending(); p == nil {
		// The last anchor was dropped just now: say it and let the call pass.
		st.allow(nil, a)
		if len(dropped) > 0 && !st.owe(dropped) {
			st.d.Verdict, st.d.Rule = event.Warn, RuleDrop
			st.d.Refusal = &Refusal{Dropped: dropped, Session: st.s.ID, Sub: !st.ev.Main()}
		}
		return
	}
	r := st.refusal(p, dropped)
	for i := range rec.Required {
		if rec.Required[i].Path == p.unread[0].Path && counted {
			next := r.Next
			rec.Required[i].Printed = &next
		}
	}
	if rec.StoodDown != "" || st.Policy.Recovery == event.ModeWarn {
		st.allow(nil, a)
		if !st.owe(dropped) {
			st.d.Verdict, st.d.Rule, st.d.Refusal = event.Warn, RuleRecovery, r
		}
		return
	}
	st.d.Verdict, st.d.Rule, st.d.Refusal = event.Block, RuleRecovery, r
}

// refusal says what is unread, and how to go on.
func (st *step) refusal(p *pending, dropped []Note) *Refusal {
	return &Refusal{
		Count: p.rec.Refusals, Cause: p.rec.Cause, Unread: p.unread, StoodDown: p.rec.StoodDown, Next: st.next(&p.unread[0]),
		Reader: st.ev.Main() && st.readerDefined(), Session: st.s.ID, Sub: !st.ev.Main(), Dropped: dropped,
	}
}

// owe keeps a reminder for the next finished call, where before a call the model hears none.
func (st *step) owe(dropped []Note) bool {
	if !st.remindsLater() {
		return false
	}
	if st.ctx.Owed == nil {
		st.ctx.Owed = &Owed{}
	}
	for _, n := range dropped {
		if n.What == "dropped" && len(st.ctx.Owed.Dropped) < maxRequired {
			st.ctx.Owed.Dropped = append(st.ctx.Owed.Dropped, Dropped{n.Path, n.Why})
		}
	}
	return true
}

// pay gives the reminder that is owed; it reports whether there was one.
func (st *step) pay(a risk.Assessment) bool {
	owed := st.ctx.Owed
	if owed == nil {
		return false
	}
	st.ctx.Owed = nil
	var dropped []Note
	for _, d := range owed.Dropped {
		dropped = append(dropped, Note{Rule: RuleDrop, What: "dropped", Path: d.Path, Why: d.Why})
	}
	r := &Refusal{Dropped: dropped, Session: st.s.ID, Sub: !st.ev.Main()}
	if p := st.pending(); p != nil {
		r = st.refusal(p, dropped)
	} else if len(dropped) == 0 {
		return false // all was read since
	}
	st.d.Assessment, st.d.Verdict, st.d.Rule, st.d.Refusal = a, event.Warn, RuleRecovery, r
	return true
}

// copyID identifies a call so that a copy of its event is not counted again; "" where the client gives no call ids.
func (st *step) copyID() string {
	if st.ev.Call == "" {
		return ""
	}
	return string(st.ev.Kind) + " " + st.ev.Call + " " + st.ev.Digest
}

// tire drops anchors whose printed read was made in vain again and again (R5).
func (st *step) tire(p *pending) {
	for i := range p.rec.Required {
		r := &p.rec.Required[i]
		if !r.Made {
			continue
		}
		r.Made = false
		if r.Tries++; r.Tries >= maxTries && r.Dropped == "" {
			r.Dropped = "the read that was asked for brought nothing, three times"
			st.note(RuleDrop, "dropped", r.Path, r.Dropped)
		}
	}
}

// next is the read call to print for an unread anchor: all of it if one call shows it, else the first unread range that
// one call shows (R3). The zero Call is "read it without a range". Where a printed call was made in vain, the next one is
// another: with a range, since a client may answer the same read by a stub that says "unchanged", and then with half of it,
// since it may cut the output to nothing.
func (st *step) next(u *Unread) Call {
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
	rec := st.effective()
	if rec == nil {
		return 0
	}
	i := slices.IndexFunc(rec.Required, func(r Required) bool { return r.Path == u.Path })
	if i < 0 {
		return 0
	}
	return rec.Required[i].Tries
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

// tracked gives the name by which a place is a document whose reading is followed, and whether that is an anchor.
func (st *step) tracked(at place.Place) (name string, isAnchor bool) {
	if name = anchor.Match(st.Policy.Anchors, at); name != "" {
		return name, true
	}
	for _, f := range append([]string{bank.Patterns, bank.Entry}, st.Policy.Fallback...) {
		if at.Is(f) {
			return f, false
		}
	}
	return "", false
}
