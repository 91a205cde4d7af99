package gate

import (
	"github.com/mbgate/mbgate/internal/bank"
	"github.com/mbgate/mbgate/internal/capsule"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/risk"
	"github.com/mbgate/mbgate/internal/risk/reason"
)

// gates decide a tool call, in the order of SPEC §2: the first one with an opinion gives the call's one refusal or
// reminder, and a call on which none has one is allowed. A gate puts what the agent has to know into the decision; what is
// to be remembered of an allowed call is not its business but noteAllowed's.
var gates = [...]func(*call) (event.Verdict, Rule){
	(*call).ownFilesGate, // R6
	(*call).writeGate,    // §11
	(*call).recoveryGate, // §7
	(*call).capsuleGate,  // C5
	(*call).patternsGate, // §10
}

// call is a tool call that is about to run, as the gates look at it.
type call struct {
	*step
	risk.Assessment
	// recovery is what the context has to read first, nil for nothing.
	recovery *pending
}

// before judges and answers a tool call.
func (st *step) before() {
	if st.ev.Cwd != "" {
		st.ctx.Cwd = st.ev.Cwd
	}
	p, a := st.judgeCall()
	if p != nil && a.Level != risk.Low && st.creditRecorded() {
		p, a = st.judgeCall()
	}
	st.answerCall(p, a)
}

// judgeCall judges a call that is about to run, and says what has to be read before a risky one.
func (st *step) judgeCall() (*pending, risk.Assessment) {
	p := st.pending()
	return p, risk.Judge(st.ev.Tool, st.ev.Cwd, st.world(), risk.Rules{
		Sensitive: st.Policy.Sensitive,
		Safe:      st.Policy.Safe,
		Unread:    p.has,
		Wrote:     st.hasChanged,
		Recovery:  p != nil,
	})
}

// answerCall asks the gates about a call that was judged, and remembers what becomes of it.
func (st *step) answerCall(p *pending, a risk.Assessment) {
	c := &call{step: st, recovery: p, Assessment: a}
	st.d.Assessment = a
	st.d.Verdict, st.d.Rule = c.decide()
	switch {
	case st.d.Rule == RuleOwn: // an attempt on mbgate itself is no write of the project
	case st.d.Verdict == event.Block:
		st.recordWrites(c.Assessment, capsule.Blocked)
	default:
		c.noteAllowed()
		st.recordWrites(c.Assessment, capsule.Planned)
	}
}

func (c *call) decide() (event.Verdict, Rule) {
	for _, gate := range gates {
		if verdict, rule := gate(c); verdict != event.NoOpinion {
			return verdict, rule
		}
	}
	return event.Allow, RuleNone
}

// ownFilesGate refuses what touches mbgate itself, at all times.
func (c *call) ownFilesGate() (event.Verdict, Rule) {
	if c.Own.Kind == reason.None {
		return event.NoOpinion, RuleNone
	}
	return event.Block, RuleOwn
}

// writeGate refuses what the write guard does not let this context write.
func (c *call) writeGate() (event.Verdict, Rule) {
	if c.d.Guarded = c.guard(c.Assessment); c.d.Guarded == nil {
		return event.NoOpinion, RuleNone
	}
	return event.Block, RuleGuard
}

// capsuleGate refuses what the capsule binds.
func (c *call) capsuleGate() (event.Verdict, Rule) {
	b := c.binding(c.Assessment)
	if b == nil {
		return event.NoOpinion, RuleNone
	}
	if c.s.first(c.copyID()) {
		c.s.BindingRefusals++
	}
	b.Count, b.Session = max(c.s.BindingRefusals, 1), c.s.ID
	c.d.Binding = b
	return event.Block, RuleCapsule
}

// noteAllowed remembers what the gate needs of a call that is let through.
func (c *call) noteAllowed() {
	st, tool := c.step, c.ev.Tool
	st.noteLooked(c.Reads)
	if c.Level >= risk.Medium {
		st.ctx.ReadOut = 0
	}
	if !st.s.Reported && st.s.Announced < announcedEnough {
		st.s.Announced++
	}
	for _, t := range c.Targets {
		if t.OfProject && t.Rule == risk.RuleBuilt {
			continue // running it is like running tests
		}
		if t.Place.Inside() && t.Place.Key != "" && st.isNewChange(t.Place.Key) {
			st.s.change(t.Place.Key, st.Now)
		}
		if t.Place.Under(bank.Dir) && st.bankMissing() {
			st.s.Creating = true
		}
	}
	if c.RunsInit && st.bankMissing() {
		st.s.Creating = true
	}
	if tool.Unreported {
		st.forgetUnreportedWrites(c.Assessment)
	}
	if st.asksForPatterns(c.Reads) {
		st.turn().Asked = true
	}
	st.freeUnreportedReads(c.Assessment)
	if c.recovery != nil {
		st.notePrintedRead(c.recovery, c.Reads)
	}
	if tool.Class == event.Subagent {
		c.noteSubagent()
	}
}

// noteSubagent remembers that a subagent starts.
func (c *call) noteSubagent() {
	st, typ := c.step, c.ev.Tool.Subagent
	if client := st.client(); !client.NamesSubagents && client.AfterEvents {
		st.s.Running++
		if client.BracketsSubagents {
			st.s.openBracket(typ)
		}
	}
	if typ == Writer && st.s.Consent.Since.Equal(st.s.Turn.Since) {
		st.s.Consent.Writer = !st.s.Consent.Since.IsZero()
	}
	if typ == Reader && st.readerDefined() {
		c.startReader()
	}
}

// bankMissing reports whether the memory bank has no MEMORY.md yet.
func (st *step) bankMissing() bool { return st.Disk.Anchor(bank.Entry).Kind == place.Missing }

// hasChanged reports whether a judged call of this session changed a file.
func (st *step) hasChanged(key string) bool {
	_, ok := st.s.Changed[key]
	return ok
}

// isNewChange reports whether it has to be remembered that a file is changed: for the first time, or for the first time
// since the compaction. A session that writes one file again and again does not save its state each time.
func (st *step) isNewChange(key string) bool {
	at, known := st.s.Changed[key]
	rec := st.effective()
	return !known || rec != nil && at.Before(rec.ActivatedAt)
}

// copyID identifies a call so that a copy of its event is not counted again; "" where the client gives no call ids.
func (st *step) copyID() string {
	if st.ev.Call == "" {
		return ""
	}
	return string(st.ev.Kind) + " " + st.ev.Call + " " + st.ev.Digest
}
