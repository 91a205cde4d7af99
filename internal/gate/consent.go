package gate

import (
	"time"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/prompt"
)

// consentLasts is how long a person's consent lasts at most (SPEC §12).
const consentLasts = 30 * time.Minute

// Consent is a person's word that the memory bank may be written. It lasts for the turn that it was given in, and for a writer
// that was called in that turn until that ends.
type Consent struct {
	// Since is the beginning of that turn, zero for no consent.
	Since time.Time `json:"since"`
	// Writer is set while a writer may run that was called under it.
	Writer bool `json:"writer,omitempty"`
}

// callsWriter reports whether the call starts the writer.
func (st *step) callsWriter() bool {
	return st.ev.Tool.Class == event.Subagent && st.ev.Tool.Subagent == Writer
}

// hasConsent reports whether the context at hand may write the memory bank, or call the writer, by a person's word.
func (st *step) hasConsent() bool {
	c := st.s.Consent
	if c.Since.IsZero() || st.Now.Sub(c.Since) >= consentLasts {
		return false
	}
	return c.Since.Equal(st.s.Turn.Since) || c.Writer && st.writer()
}

// settleWriter ends the consent of a writer whose call is reported. One that goes on in the background has its 30 minutes.
func (st *step) settleWriter() {
	if r := st.ev.Result; st.callsWriter() && (r == nil || !r.Running) {
		st.s.Consent.Writer = false
	}
}

// takeAnswer takes a person's answer to a proposal, and the request to write that a prompt itself makes. A prompt with both words
// means no: it may quote the reminder.
func (st *step) takeAnswer(c prompt.Command) {
	p, text := &st.s.Proposals, st.ev.Prompt
	mode, _ := st.GuardInForce(st.ev.Client)
	switch {
	case c.Word == prompt.No || prompt.Has(text, prompt.No):
		p.Answered, p.Written, p.Settled = st.Now, nil, false // the person decided about these
		st.s.Consent, st.d.Person = Consent{}, Declined
		return
	case c.Word == prompt.Write || prompt.Says(text, prompt.Write):
		p.Answered, st.d.Person = st.Now, WriteItself
		if onlyWriter(mode) {
			st.d.Person = CallWriter
		}
	case mode == event.ModeConsent && prompt.AsksToWrite(text):
		p.Answered, st.d.Person = st.Now, Asked
	default:
		return
	}
	if mode == event.ModeConsent {
		st.s.Consent = Consent{Since: st.s.Turn.Since, Writer: st.s.Consent.Writer}
	}
}
