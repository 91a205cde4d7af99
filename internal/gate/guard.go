package gate

import (
	"path"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/bank"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/risk"
	"github.com/mbgate/mbgate/internal/risk/reason"
)

// Guarded is what the write guard refused, and why.
type Guarded struct {
	Kind GuardKind
	// Path is the file in the memory bank, or the folder that is about.
	Path string
}

// GuardKind is what the write guard has against a call. The zero GuardKind is that somebody else than the writer writes.
type GuardKind int

// The kinds beside the zero one.
const (
	GuardWriter GuardKind = iota
	// GuardConsent: no person agreed that the memory bank is written; the call starts the writer or is its own.
	GuardConsent
	// GuardMarkdown: the file is no .md file, which nobody may write there.
	GuardMarkdown
	// GuardWhole: the call is about a folder that the memory bank lies in, which Path is then.
	GuardWhole
	// GuardUserBlock: the call changes, or may change, what stands between the marks of a person's block.
	GuardUserBlock
	// GuardOutside: the writer changes something outside of the memory bank, or what cannot be told; GuardShell: it writes through a
	// shell.
	GuardOutside
	GuardShell
	// GuardDirty: the command throws away changes of the memory bank that are in no commit.
	GuardDirty
)

// GuardReason is why the write guard in force is not the configured one, "" where it is.
type GuardReason string

// The reasons: the memory bank has no MEMORY.md, the client does not tell subagents apart or reports no prompts, the writer
// is not defined.
const (
	GuardNoMemory    GuardReason = "no memory"
	GuardNoSubagents GuardReason = "no subagents"
	GuardNoWriter    GuardReason = "no writer"
	GuardNoPrompts   GuardReason = "no prompts"
)

// GuardInForce is the mode that holds for a client in this project, and why it is not the configured one: consent and writer need a
// MEMORY.md, a client that names subagents, and a writer that is defined there; consent needs prompts of a person, too.
func (g Gate) GuardInForce(c *event.Client) (event.Mode, GuardReason) {
	switch {
	case g.Policy.WriteGuard == event.ModeOff:
		return event.ModeOff, ""
	case g.Disk.Anchor(bank.Entry).Kind != place.File:
		return event.ModeOff, GuardNoMemory
	case g.Policy.WriteGuard == event.ModeMarkdown:
		return event.ModeMarkdown, ""
	case c == nil || !c.TellsSubagents():
		return event.ModeMarkdown, GuardNoSubagents
	case !g.Disk.Defined(c, Writer):
		return event.ModeMarkdown, GuardNoWriter
	case g.Policy.WriteGuard == event.ModeWriter:
		return event.ModeWriter, ""
	case !c.PromptEvents:
		return event.ModeWriter, GuardNoPrompts
	}
	return event.ModeConsent, ""
}

// onlyWriter reports whether under a mode only the writer writes the memory bank.
func onlyWriter(mode event.Mode) bool { return mode == event.ModeConsent || mode == event.ModeWriter }

// writer reports whether the event comes from the writer. Identity is what the client says of the subagent.
func (st *step) writer() bool { return !st.ev.Main() && st.ev.Sub.Type == Writer }

// guard says what the write guard has against a call, nil if nothing.
func (st *step) guard(a risk.Assessment) *Guarded {
	writer := st.writer()
	if len(a.Targets) == 0 && len(a.Unbounded) == 0 && !st.callsWriter() && !(writer && len(a.Unknown) > 0) {
		return nil // most calls: nothing is looked up for them
	}
	mode, _ := st.GuardInForce(st.ev.Client)
	if mode == event.ModeOff {
		return nil
	}
	if writer && onlyWriter(mode) && !onlyInBank(a) {
		return &Guarded{Kind: GuardOutside}
	}
	if writer && onlyWriter(mode) && st.ev.Tool.Class == event.Shell {
		return &Guarded{Kind: GuardShell}
	}
	if mode == event.ModeConsent && (writer || st.callsWriter()) && !st.s.Creating && !st.hasConsent() {
		return &Guarded{Kind: GuardConsent, Path: bank.Dir}
	}
	free := !onlyWriter(mode) || writer || st.s.Creating
	for _, t := range a.Targets {
		in := t.Place.Under(bank.Dir)
		switch {
		case in && !free:
			return &Guarded{Path: named(t)}
		case in && !st.mayHold(t):
			return &Guarded{Kind: GuardMarkdown, Path: named(t)}
		case !in && !free && st.holdsBank(t):
			return &Guarded{Kind: GuardWhole, Path: t.Place.Shown}
		case (in || st.holdsBank(t)) && st.changesUserBlock(t):
			return &Guarded{Kind: GuardUserBlock, Path: named(t)}
		}
	}
	if !free && slices.ContainsFunc(a.Unbounded, reason.Reason.MayBeBank) && st.Disk.BankDirty() {
		return &Guarded{Kind: GuardDirty, Path: bank.Dir}
	}
	return nil
}

// holdsBank reports whether a target is a folder that the memory bank lies in, and the call is about all of it.
func (st *step) holdsBank(t risk.Target) bool {
	whole := t.Tree || t.Op == event.OpDelete || t.Op == event.OpMove || t.Place.Kind == place.Folder && t.Op == event.OpWrite
	if !whole || t.Op == event.OpWrite && (t.Code || t.Built) {
		return false
	}
	// The copy of the worktree that the context works in, and the root's own.
	for _, at := range [...]place.Place{st.Disk.Anchor(bank.Dir), st.Disk.Locate(st.Root, bank.Dir)} {
		if at.Kind == place.Missing {
			continue
		}
		for _, dir := range [...]string{t.Place.Phys, t.Place.Abs} {
			if dir != "" && (place.Under(at.Phys, dir) || place.Under(at.Abs, dir)) {
				return true
			}
		}
	}
	return false
}

// mayHold reports whether the memory bank may hold what a call makes there: Markdown, and folders for it.
func (st *step) mayHold(t risk.Target) bool {
	switch t.Op {
	case event.OpDelete, event.OpMove, event.OpMode:
		return true
	}
	if t.Place.Kind == place.Folder {
		return !t.Tree
	}
	for _, n := range t.Place.Names() {
		if place.Under(n, bank.Dir) && !strings.EqualFold(path.Ext(n), ".md") {
			// A folder that is to be made has no extension either; what is written into it is judged by itself.
			return t.Op == event.OpCreate && t.Place.Kind == place.Missing && path.Ext(n) == "" && st.ev.Tool.Class == event.Shell
		}
	}
	return true
}

func named(t risk.Target) string {
	for _, n := range t.Place.Names() {
		if place.Under(n, bank.Dir) {
			if n == t.Place.Canon {
				return t.Place.Shown
			}
			return n
		}
	}
	return bank.Dir
}

// onlyInBank reports whether all that a call changes is known and in the memory bank.
func onlyInBank(a risk.Assessment) bool {
	return len(a.Unknown) == 0 && len(a.Unbounded) == 0 && !slices.ContainsFunc(a.Targets, func(t risk.Target) bool { return !t.Place.Under(bank.Dir) })
}

// inBank reports whether every file of the project that a call changes is in the memory bank.
func inBank(a risk.Assessment) bool {
	some := false
	for _, t := range a.Targets {
		if !t.Place.Inside() {
			continue
		}
		if !t.Place.Under(bank.Dir) {
			return false
		}
		some = true
	}
	return some && len(a.Unknown) == 0 && len(a.Unbounded) == 0
}

// protected reports whether a call changes an anchor that this context has to read first: that holds for the writer
// too (R6).
func protected(a risk.Assessment) bool {
	return slices.ContainsFunc(a.Targets, func(t risk.Target) bool { return t.Rule == risk.RuleAnchor })
}
