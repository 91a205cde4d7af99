package gate

import (
	"slices"
	"time"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
)

// Progress is how far one context is in its recovery: what `status` shows. The code that decides a call makes it, so it
// says what the next write would be told.
type Progress struct {
	Cause       Cause
	ActivatedAt time.Time
	Refusals    int
	// StoodDown is why refusals became reminders, "" while they have not (R5).
	StoodDown StandDown
	Required  []Standing
	// Also are tracked anchors beyond the budget (A3).
	Also []string
	// Next is the read to make next and Abs the absolute path of the file to read.
	Next Call
	Abs  string
	// Reader is set when calling the reader subagent is a way out (R4).
	Reader bool
}

// Standing is one required anchor with how far it is read.
type Standing struct {
	Unread
	// Done is set when nothing of it is left to be read. Of a file that is not there any more nothing is.
	Done, Missing bool
	// Dropped is why it is not demanded any more, "" while it is (R5).
	Dropped DropReason
}

// Left is the number of required anchors that are still demanded and not read.
func (p *Progress) Left() int {
	n := 0
	for _, r := range p.Required {
		if !r.Done && r.Dropped == "" {
			n++
		}
	}
	return n
}

// Progress says how far the context of a subagent id, "" for the main one, is in its recovery; nil when none is
// pending. c is the session's client. Nothing is changed.
func (g Gate) Progress(old Session, sub string, c *event.Client) *Progress {
	st := g.peek(old, sub, c)
	if st.s.Damaged {
		st.damaged()
	}
	p := st.pending()
	if p == nil {
		return nil
	}
	out := &Progress{
		Cause: p.rec.Cause, ActivatedAt: p.rec.ActivatedAt, Refusals: p.rec.Refusals, StoodDown: p.rec.StoodDown,
		Also: slices.Clone(p.rec.Also), Next: st.next(&p.unread[0]), Abs: p.unread[0].Abs,
		Reader: st.ev.Main() && st.readerDefined(),
	}
	for _, r := range p.rec.Required {
		standing := st.standing(r, p.unread)
		standing.Path = st.spelled(standing.Path)
		out.Required = append(out.Required, standing)
	}
	return out
}

// standing is one required anchor of a recovery, as it is or as one of the unread.
func (st *step) standing(r Required, unread []Unread) Standing {
	if i := slices.IndexFunc(unread, func(u Unread) bool { return u.Path == r.Path }); i >= 0 {
		return Standing{Unread: unread[i]}
	}
	s := Standing{Unread: Unread{Path: r.Path}, Dropped: r.Dropped, Done: r.Dropped == ""}
	at := st.Disk.Anchor(r.Path)
	s.Abs, s.Missing = spelledAbs(at), at.Kind == place.Missing
	if s.Done && !s.Missing {
		if cr, err := st.credited(at); err == nil {
			st.measure(&s.Unread, r, at, cr)
		}
	}
	return s
}

// TurnState is what the read gate knows of a context's present turn (SPEC §10), for people.
type TurnState struct {
	// PatternsRead is set when a risky write would be let through without a word, Warned when the context was reminded.
	PatternsRead, Warned bool
}

// TurnState says what the read gate knows of the context of a subagent id, "" for the main one. Nothing is changed.
func (g Gate) TurnState(old Session, sub string) TurnState {
	st := g.peek(old, sub, nil)
	out := TurnState{Warned: st.turn().Warned}
	at, ok := st.patterns()
	if !ok {
		return out
	}
	if st.turn().Reader {
		out.PatternsRead = true
	} else if st.turn().Asked {
		cr, err := st.credited(at)
		out.PatternsRead = err == nil && cr.Done()
	}
	return out
}

// peek is a step that only looks: on a copy, for an event that never happened.
func (g Gate) peek(old Session, sub string, c *event.Client) *step {
	s := old.Clone()
	return &step{Gate: g, s: &s, ctx: s.context(sub, "", g.Now), ev: event.Event{Client: c, Sub: event.Sub{ID: sub}}}
}
