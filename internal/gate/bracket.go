package gate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/mbgate/mbgate/internal/event"
)

// maxBracketed is how many calls of subagents are remembered until they are reported (S5).
const maxBracketed = 64

// Bracket is the time from the call that starts a subagent to its report, with a client that does not name subagents in
// their calls and whose requests tell them apart (event.Client.BracketsSubagents). From a subagent's first request on, each
// announced call is a subagent's: the main context announces the calls of one answer before it runs any of them. A call
// that is reported meanwhile may be the main context's; only one that was announced in the bracket is a subagent's.
type Bracket struct {
	// Type is the type of the subagent, "" when subagents of several types were started.
	Type string `json:"type,omitempty"`
	// Asked is set once a subagent sent a request to the model.
	Asked bool `json:"asked,omitempty"`
	// Calls are the signatures of the calls that were announced since then and not reported yet.
	Calls []string `json:"calls,omitempty"`
}

func (b *Bracket) clone() *Bracket {
	if b == nil {
		return nil
	}
	out := *b
	out.Calls = slices.Clone(b.Calls)
	return &out
}

// openBracket remembers that a subagent was started.
func (s *Session) openBracket(typ string) {
	switch {
	case s.Bracket == nil:
		s.Bracket = &Bracket{Type: typ}
	case s.Bracket.Type != typ:
		s.Bracket.Type = ""
	}
}

// closeBrackets forgets the running subagents: the client sent what it sends only when none runs.
func (s *Session) closeBrackets() { s.Running, s.Bracket = 0, nil }

// attribute finds the context that an event comes from where the client does not say it. known is false for a request of a
// subagent that was never seen to start, which tells nothing.
func (s *Session) attribute(ev event.Event) (sub event.Sub, known bool) {
	if ev.Client == nil || !ev.Client.BracketsSubagents {
		return ev.Sub, true
	}
	b := s.Bracket
	switch ev.Kind {
	case event.Notice:
		if ev.Main() {
			s.closeBrackets() // no request of the main context while it waits for a subagent
			return ev.Sub, true
		}
		if b == nil {
			return ev.Sub, false
		}
		if !b.Asked {
			b.Asked = true
			delete(s.Contexts, event.Unnamed) // what an earlier one was shown is not in this one's context
		}
		return event.Sub{ID: event.Unnamed, Type: b.Type}, true
	case event.Prompt, event.Stop, event.SessionStart, event.SessionEnd, event.Compacted:
		s.closeBrackets()
	case event.ToolBefore:
		if b != nil && b.Asked && ev.Tool.Class != event.Subagent {
			b.Calls = append(b.Calls, signatureOf(ev.Tool))
			b.Calls = b.Calls[max(0, len(b.Calls)-maxBracketed):]
			return event.Sub{ID: event.Unnamed, Type: b.Type}, true
		}
	case event.ToolAfter:
		if b == nil || ev.Tool.Class == event.Subagent {
			break
		}
		if i := slices.Index(b.Calls, signatureOf(ev.Tool)); i >= 0 {
			b.Calls = slices.Delete(b.Calls, i, i+1)
			return event.Sub{ID: event.Unnamed, Type: b.Type}, true
		}
	}
	return ev.Sub, true
}

// signatureOf identifies a call by what it does.
func signatureOf(t event.Tool) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %q %d %d", t.Name, t.Paths, t.Command, t.Workdir, t.Patch, t.Offset, t.Limit))
	return hex.EncodeToString(sum[:8])
}
