package gate

import (
	"slices"
	"time"

	"github.com/mbgate/mbgate/internal/bank"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/layout"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/risk"
	"github.com/mbgate/mbgate/internal/risk/shell"
)

// InTurn is what a context did in one turn of the session.
type InTurn struct {
	// Of is the beginning of that turn; a later turn starts from nothing.
	Of time.Time `json:"of"`
	// Asked is set once the patterns were asked for, Reader once the reader was called, Warned once the context was
	// reminded.
	Asked  bool `json:"asked,omitempty"`
	Reader bool `json:"reader,omitempty"`
	Warned bool `json:"warned,omitempty"`
}

// Patterns is what the read gate demands: the document, and the call that reads it.
type Patterns struct {
	Path, Abs string
	Next      Call
	// Count is how many lines of Need were shown to this context.
	Read, Need int
}

// turn is the context's account of the present turn, made new when that began after the last one.
func (st *step) turn() *InTurn {
	if !st.ctx.Turn.Of.Equal(st.s.Turn.Since) {
		st.ctx.Turn = InTurn{Of: st.s.Turn.Since}
	}
	return &st.ctx.Turn
}

// patterns is the document that the read gate asks for; false where the project has none.
func (st *step) patterns() (place.Place, bool) {
	for _, name := range [...]string{bank.Patterns, bank.Entry} {
		if at := st.Disk.Anchor(name); at.Kind == place.File {
			return at, true
		}
	}
	return place.Place{}, false
}

// untouched reports whether a document still says what init wrote.
func (st *step) untouched(at place.Place) bool {
	text, ok := st.Disk.Text(at.Phys, maxBankFile)
	return ok && layout.Untouched(at.Canon, string(text))
}

// patternsGate refuses or reminds of a risky write in a turn that has not read the project's patterns. The call itself may
// ask for them.
func (c *call) patternsGate() (event.Verdict, Rule) {
	return c.askForPatterns(c.Assessment, c.asksForPatterns(c.Reads))
}

// askForPatterns judges a risky write that nothing else stops: has this context read the project's patterns in this turn?
// asking is set where the call at hand asks for them.
func (st *step) askForPatterns(a risk.Assessment, asking bool) (event.Verdict, Rule) {
	if st.Policy.Read == event.ModeOff || a.Level < risk.Medium || inBank(a) {
		return event.NoOpinion, RuleNone
	}
	at, ok := st.patterns()
	if !ok || st.turn().Reader {
		return event.NoOpinion, RuleNone
	}
	cr, err := st.credited(at)
	if err != nil || cr.Done() && (asking || st.turn().Asked) || st.untouched(at) {
		return event.NoOpinion, RuleNone
	}
	before, strict := st.ev.Kind == event.ToolBefore, st.Policy.Read == event.ModeStrict
	blocks := strict || st.Policy.Read == event.ModeBlock
	block := before && blocks && (strict || a.Level >= risk.High)
	switch {
	case block:
	case before && !blocks && st.s.Reminded:
		return event.Allow, RuleRead // said before; the log has it
	case !blocks && st.s.Reminded, blocks && st.turn().Warned, before && st.remindsLater():
		return event.NoOpinion, RuleNone
	}
	u := Unread{Path: at.Shown, Abs: at.Abs, Read: cr.Got.Count(), Need: cr.Need.Count(), Total: cr.Total, Left: cr.Left()}
	st.d.Patterns = &Patterns{Path: at.Shown, Abs: at.Abs, Read: u.Read, Need: u.Need}
	if !cr.Done() {
		st.d.Patterns.Next = st.next(&u)
	}
	if block {
		return event.Block, RuleRead
	}
	st.turn().Warned, st.s.Reminded = true, true
	return event.Warn, RuleRead
}

// remindsLater reports whether the model hears a reminder with the finished call only: what is said with one that is
// about to run does not reach it.
func (st *step) remindsLater() bool {
	c := st.client()
	return !c.RemindsBefore && c.InjectsAfterTools
}

// asksForPatterns reports whether reads ask for the patterns. A search or a count of their lines does not.
func (st *step) asksForPatterns(reads []shell.Read) bool {
	if len(reads) == 0 {
		return false
	}
	p, ok := st.patterns()
	return ok && slices.ContainsFunc(reads, func(r shell.Read) bool { return r.Verbatim && r.Place.Key == p.Key })
}
