package gate

import (
	"slices"
	"time"

	"github.com/mbgate/mbgate/internal/bank"
	"github.com/mbgate/mbgate/internal/event"
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

// readGate judges a risky write that nothing else stops: has this context read the project's patterns in this turn?
func (st *step) readGate(a risk.Assessment) {
	if st.Policy.Read == event.ModeOff || a.Level < risk.Medium || inBank(a) {
		return
	}
	at, ok := st.patterns()
	if !ok || st.turn().Reader {
		return
	}
	cr, err := st.credited(at)
	if err != nil || cr.Done() && st.turn().Asked {
		return
	}
	block := st.Policy.Read == event.ModeBlock && a.Level >= risk.High && st.ev.Kind == event.ToolBefore
	if !block && (st.turn().Warned || st.ev.Kind == event.ToolBefore && st.remindsLater()) {
		return
	}
	u := Unread{Path: at.Shown, Abs: at.Abs, Read: cr.Got.Count(), Need: cr.Need.Count(), Total: cr.Total, Left: cr.Left()}
	p := &Patterns{Path: at.Shown, Abs: at.Abs, Read: u.Read, Need: u.Need}
	if !cr.Done() {
		p.Next = st.next(&u)
	}
	st.d.Patterns, st.d.Rule = p, RuleRead
	if block {
		st.d.Verdict = event.Block
		return
	}
	st.turn().Warned = true
	st.d.Verdict = event.Warn
}

// remindsLater reports whether the model hears a reminder with the finished call only: what is said with one that is
// about to run does not reach it.
func (st *step) remindsLater() bool {
	c := st.client()
	return !c.RemindsBefore && c.InjectsAfterTools
}

// readGateAfter reminds behind a call that was let through, where before it nobody would have heard.
func (st *step) readGateAfter(a risk.Assessment) {
	if st.remindsLater() {
		st.d.Assessment = a
		st.readGate(a)
	}
}

// asks remembers that the patterns were asked for in this turn. A search or a count of their lines is no question for
// them.
func (st *step) asks(reads []shell.Read) {
	if len(reads) == 0 {
		return
	}
	p, ok := st.patterns()
	if ok && slices.ContainsFunc(reads, func(r shell.Read) bool { return r.Verbatim && r.Place.Key == p.Key }) {
		st.turn().Asked = true
	}
}
