package render

import (
	"fmt"

	"github.com/mbgate/mbgate/internal/gate"
)

// dropReason says why an anchor is not demanded any more.
func dropReason(r gate.DropReason) string {
	switch r {
	case gate.DropFutile:
		return "three reads of it showed nothing"
	case gate.DropReplaced:
		return "it was removed before it was read, so another document is required instead"
	case gate.DropGone:
		return "it was removed before it was read, and no other document can be required instead"
	}
	return Clean(string(r))
}

// standDown says why refusals became reminders, "" where they did not.
func standDown(s gate.StandDown) string {
	if s == gate.NoReadReported {
		return "this client has reported no read in this session"
	}
	return Clean(string(s))
}

// GuardReason says why the write guard in force is not the configured one, "" where it is.
func GuardReason(r gate.GuardReason) string {
	switch r {
	case gate.GuardNoMemory:
		return "memory-bank/ has no MEMORY.md yet, or has another layout"
	case gate.GuardNoSubagents:
		return "this client does not name its subagents"
	case gate.GuardNoPrompts:
		return "this client reports no prompts, so nobody can agree by one"
	case gate.GuardNoWriter:
		return "the subagent " + gate.Writer + " is not defined"
	}
	return string(r)
}

// LogReason says why something changed in a session, for the log. The capsule is the session's.
func LogReason(e gate.LogEntry, s gate.Session) string {
	switch e.What {
	case gate.Armed:
		return string(e.Cause)
	case gate.Recovered:
		return "every document was read"
	case gate.AnchorDropped:
		return dropReason(e.Drop)
	case gate.StoodDown:
		return standDown(gate.NoReadReported)
	case gate.RecoveryEnded:
		return "a person sent mb:clear"
	case gate.ReaderCalled:
		return "the reader subagent was called"
	case gate.ReaderFailed:
		return "the call of the reader subagent failed"
	case gate.StateDamaged:
		return "the state could not be read"
	case gate.SourceReleased:
		return "three reads of it showed no line"
	case gate.ProposalAsked:
		return e.Signature
	case gate.CapsuleMade:
		if c := s.Capsule; c != nil {
			return fmt.Sprintf("denies: %d, questions: %d, writes: %d, sources: %d",
				len(c.HardDenies), len(c.Questions), len(c.Writes), len(c.Sources))
		}
	}
	return ""
}
