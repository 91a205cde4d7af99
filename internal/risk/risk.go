// Package risk judges one tool call: how dangerous it is to let an agent do it that may have lost the frame of its
// task, which files it changes and which it shows (SPEC §8). It is pure: what it must know about the disk it asks of an
// injected place.Files.
package risk

import (
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/risk/reason"
	"github.com/mbgate/mbgate/internal/risk/shell"
)

// Level is how much a call can spoil. The zero Level is "nobody judged", and must be treated like High.
type Level uint8

// The levels of SPEC §8.
const (
	Unjudged Level = iota
	Low
	Medium
	High
)

// String is the level's name in messages and in JSON.
func (l Level) String() string {
	switch l {
	case Low:
		return "low"
	case Medium:
		return "medium"
	case High:
		return "high"
	}
	return "unjudged"
}

// Scope is what a call writes, as SPEC §19 prints it.
type Scope string

// The scopes of SPEC §19.
const (
	WritesNone    Scope = "none"
	WritesProject Scope = "project"
	WritesOutside Scope = "outside"
	WritesUnknown Scope = "unknown"
)

// Target is one file a call changes.
type Target struct {
	Place   place.Place
	Op      event.Op
	Certain bool
	Tree    bool
	// Code is set when only files of programming languages below a folder are meant: nothing that a memory bank holds.
	Code bool
	// Built and OfProject are those of shell.Effect.
	Built, OfProject bool
	Why              reason.Reason
	// Level is this target's own level, Rule the row that decided it.
	Level Level
	Rule  Rule
	// Group is what is sensitive about a target of RuleSensitive, for people: "manifest".
	Group string
}

// Rule is the row of SPEC §8 that decides the level of a target.
type Rule uint8

// The rows in their precedence. The zero Rule is none: nobody judged the target.
const (
	RuleNone Rule = iota
	RuleOwn
	RuleAnchor
	RuleSensitive
	RuleBuilt // a build output (SPEC §9)
	RuleTree  // a folder with all it holds
	RuleDelete
	RuleMove
	RuleSeveral
	RuleMultiEdit // a tool named multiedit
	RuleSafe
	RuleOutside
	RuleMissing // deletes or moves what does not exist
	RuleGit     // .git/ but for hooks and configuration is not the project (SPEC §9)
	RuleOrdinary
)

// Assessment is the judgement of one call. The zero Assessment allows nothing: its Level is Unjudged.
type Assessment struct {
	Level   Level
	Writes  Scope
	Targets []Target
	Reads   []shell.Read
	// Unknown are the reasons why the effect cannot be told: medium while a recovery is pending (SPEC §9).
	Unknown []reason.Reason
	// Unbounded are the reasons why the call may change more files than can be listed.
	Unbounded []reason.Reason
	// BadPatch is why a patch cannot be read: high.
	BadPatch reason.Reason
	// Own is why the call is refused to every agent at all times (R6).
	Own reason.Reason
	// Programs are the programs that a command runs, as shell.Report names them.
	Programs []string
	// RunsInit is set when the call runs `mbgate init`, which makes a memory bank.
	RunsInit bool
	// Cwd is the folder a shell is in after the call, "" when that cannot be known or the call is no shell command.
	Cwd string
}

// Rules are the parts of a judgement that a project configures (SPEC §16), and what the state of the session adds.
type Rules struct {
	// Sensitive and Safe are globs over canonical paths.
	Sensitive, Safe []string
	// Unread says whether a place is a required anchor that this context has not read: any change of it is high (R6).
	// May be nil.
	Unread func(place.Place) bool
	// Wrote says whether this session changed the file with that place.Key. May be nil.
	Wrote func(key string) bool
	// Recovery is set while a recovery is pending: then what cannot be told counts as medium.
	Recovery bool
}
