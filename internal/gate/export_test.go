package gate

import (
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/risk"
)

// AnswerAs answers a tool call of a session as if it had been judged that way.
func (g Gate) AnswerAs(s Session, ev event.Event, a risk.Assessment) Decision {
	s = s.Clone()
	st := &step{Gate: g, s: &s, ev: ev}
	st.ctx = s.context("", "", g.Now)
	st.answerCall(st.pending(), a)
	return st.d
}
