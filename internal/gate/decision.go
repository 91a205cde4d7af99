package gate

import (
	"github.com/mbgate/mbgate/internal/anchor"
	"github.com/mbgate/mbgate/internal/capsule"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/risk"
)

// Rule names what decided, as the log and people see it.
type Rule string

// The rules that decide a call or end a recovery; the numbers are SPEC's.
const (
	RuleNone     Rule = ""
	RuleRecovery Rule = "R3"
	RuleReader   Rule = "R4"
	RuleDrop     Rule = "R5"
	RuleOwn      Rule = "R6"
	RuleConfig   Rule = "R6-config"
	RuleArm      Rule = "R1"
	RulePerson   Rule = "mb:clear"
	RuleDamage   Rule = "S3"
	RuleGuard    Rule = "§11"
	RuleRead     Rule = "§10"
	RuleProposal Rule = "§12"
	RuleCapsule  Rule = "C5"
)

// Decision is what the gate answers to one event. Everything that is said to an agent or a person comes from it.
type Decision struct {
	Verdict event.Verdict
	Rule    Rule
	// Assessment is the judgement of a tool call.
	Assessment risk.Assessment
	// Refusal is set when a pending recovery refuses the call, or would and stood down.
	Refusal *Refusal
	// Guarded is set when the write guard refuses the call, Patterns when the read gate refuses or reminds.
	Guarded  *Guarded
	Patterns *Patterns
	// Binding is set when what the capsule binds refuses the call.
	Binding *Binding
	// Proposal is set when the agent is to be reminded of proposing an update.
	Proposal *Proposal
	// Block is the anchor block to be given to the model (R2), Bank what of the memory bank is to be given too.
	Block *AnchorBlock
	Bank  Bank
	// Capsule is to be given to the model behind the anchor block, nil for none.
	Capsule *capsule.Capsule
	// Cleared are the tracked documents that the client took out of the context since the last prompt.
	Cleared []string
	// LeftOut is what the reader's answer lacks.
	LeftOut []ReaderPart
	// Carried is to be named to the model in the anchor block or in its place (A7, C7), nil for nothing; Summary is what whoever
	// writes a summary is told.
	Carried *Carried
	Summary *Summary
	// Plan is a prompt that is to be kept as a file beside the state, "" for none; DropPlan says to remove that file.
	Plan     string
	DropPlan bool
	// Person is what is answered to a person's mb: word, Word the sentence that it kept or dropped.
	Person Answer
	Word   string
	// Route is the document that answers what a person's prompt asks about, "" for none.
	Route string
	// Log is what else changed in the session.
	Log []LogEntry
}

// Answer is what a person's mb: word brought.
type Answer string

// The answers to the mb: words.
const (
	NoAnswer       Answer = ""
	Cleared        Answer = "cleared"
	NothingToClear Answer = "nothing to clear"
	ShowStatus     Answer = "status"
	// KeptWord and DroppedWord answer mb:keep and mb:drop; the others say why nothing was done.
	KeptWord     Answer = "kept"
	DroppedWord  Answer = "dropped"
	NoSuchWord   Answer = "no such word"
	KeepsNothing Answer = "keeps nothing"
	HoldsSecret  Answer = "holds a secret"
	// NotNow: a word that changes something while a subagent may be running whose prompts cannot be told from a person's.
	NotNow Answer = "not now"
	// CallWriter tells the agent, not the person, that the person agreed to a proposal; WriteItself too, where the writer
	// is not defined or cannot be told from others.
	CallWriter  Answer = "call the writer"
	WriteItself Answer = "write it"
	// Asked tells it that the person's own words ask for the update, Declined that the answer is no.
	Asked    Answer = "asked"
	Declined Answer = "declined"
	// ShowWords lists the mb: words, since the prompt asks for them or begins with one that does not exist or stands alone.
	ShowWords Answer = "words"
	// IgnoreWord tells the agent that the mb: word at the beginning of the prompt was left over from before.
	IgnoreWord Answer = "ignore"
)

// What is one kind of thing that changes in a session. Its word stands in the log.
type What string

// The things that change; Rule says by which rule.
const (
	Armed          What = "armed"
	AnchorRead     What = "read"
	Recovered      What = "recovered"
	AnchorDropped  What = "dropped"
	StoodDown      What = "stood down"
	RecoveryEnded  What = "cleared"
	ReaderCalled   What = "reader"
	ReaderFailed   What = "reader failed"
	StateDamaged   What = "damaged"
	CapsuleMade    What = "capsule"
	ProposalAsked  What = "proposal"
	SourceKnown    What = "source known again"
	SourceReleased What = "source let go"
)

// Rule is the rule by which something changes.
func (w What) Rule() Rule {
	switch w {
	case Armed:
		return RuleArm
	case AnchorRead, Recovered:
		return RuleRecovery
	case AnchorDropped, StoodDown:
		return RuleDrop
	case RecoveryEnded:
		return RulePerson
	case ReaderCalled, ReaderFailed:
		return RuleReader
	case StateDamaged:
		return RuleDamage
	case CapsuleMade, SourceKnown, SourceReleased:
		return RuleCapsule
	case ProposalAsked:
		return RuleProposal
	}
	return RuleNone
}

// LogEntry is one thing that changed in a session.
type LogEntry struct {
	What What
	// Path is the document or file that it is about.
	Path string
	// Cause is why a recovery was Armed, Drop why an anchor was dropped, Signature what a proposal was asked for.
	Cause     Cause
	Drop      DropReason
	Signature string
}

// DropReason is why an anchor is not demanded any more: one of the constants, or why it cannot be read in the disk's words.
type DropReason string

const (
	// DropFutile: the read that refusals printed was made three times and brought nothing.
	DropFutile DropReason = "futile"
	// DropReplaced: it vanished or was emptied unread, and another document is required in its place (R4).
	DropReplaced DropReason = "replaced"
	// DropGone: it vanished or was emptied unread, and there is no document to take its place.
	DropGone DropReason = "gone"
)

// StandDown is why refusals became reminders, "" while they have not.
type StandDown string

// NoReadReported: the client reports none of the session's reads.
const NoReadReported StandDown = "no read reported"

// Unread is one required anchor that was not read in full.
type Unread struct {
	// Path is the canonical path, Abs the absolute one for the printed call: it is right in every folder (P4).
	Path, Abs string
	// Read of Need required lines were shown; Total is the file's number of lines.
	Read, Need, Total int
	// Part is set when only the beginning and the end of the file are required (A3).
	Part bool
	// Changed is set when the file changed after it was read (A5).
	Changed bool
	// Left are the required lines that were not shown.
	Left anchor.Spans
	// Broken is why it cannot be read although it may not be dropped (R5).
	Broken string
}

// Refusal is what a refused agent has to know (R3).
type Refusal struct {
	// Count is the number of this refusal (R9). Again is set when it is not the first since the last compaction.
	Count  int
	Again  bool
	Cause  Cause
	Unread []Unread
	// Next is the read to make next; its path is Unread[0]'s.
	Next Call
	// Reader is set when calling the reader subagent is a way out, Strict when only what it is shown counts.
	Reader, Strict bool
	// StoodDown is why this is a reminder only.
	StoodDown StandDown
	// Dropped are anchors that are not demanded any more; they are named once, when it happens.
	Dropped []Dropped
	// Session is the id to use with people's commands.
	Session string
	// Sub is set in a subagent's context.
	Sub bool
}

// Bank is what of the memory bank is given to the model (SPEC §14): the rules, and MEMORY.md.
type Bank struct{ Rules, Entry bool }

// AnchorBlock is what the model is told after a compaction (R2).
type AnchorBlock struct {
	Compactions int
	Cause       Cause
	Unread      []Unread
	Also        []string
	// Focus are the items of MEMORY.md's current focus.
	Focus []string
	Mode  event.Mode
	// Unbound is why writes are not refused all the same: the recovery could not be saved (S6); "" if it was.
	Unbound string
}
