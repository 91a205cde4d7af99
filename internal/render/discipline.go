package render

import (
	"fmt"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
)

// guarded tells an agent that it may not write the memory bank (SPEC §11).
func guarded(g *gate.Guarded) string {
	switch g.Kind {
	case gate.GuardConsent:
		return "mbgate refused this: no user has agreed to this update of the memory bank. Propose it to the user first: the file and two " +
			"to five points, to be answered with mb:write. Then call " + gate.Writer + ".\n"
	case gate.GuardOutside:
		return "mbgate refused this: you are " + gate.Writer + " and may write only in memory-bank/. Skip this, and mention it in your answer.\n"
	case gate.GuardShell:
		return "mbgate refused this: you are " + gate.Writer + " and may not write through a shell. Use the edit or write tool on the .md file.\n"
	case gate.GuardUserBlock:
		return fmt.Sprintf("mbgate refused this: it changes or may change the text between USER_BLOCK_START and USER_BLOCK_END in %s, which "+
			"belongs to the user. Read the file, then make an edit whose old text is outside that block and occurs once, word for word.\n", Safe(g.Path))
	case gate.GuardMarkdown:
		return fmt.Sprintf("mbgate refused this: %s is not a Markdown file, and memory-bank/ holds only those. "+
			"Write it elsewhere, or as a .md file.\n", Safe(g.Path))
	case gate.GuardWhole:
		what := Safe(g.Path) + "/"
		if g.Path == "." || g.Path == "" {
			what = "the whole project"
		}
		return fmt.Sprintf("mbgate refused this: it changes everything in %s, memory-bank/ included, which only the subagent %s "+
			"writes. Name the files and folders you mean, leave memory-bank/ out, and repeat the call.\n", what, gate.Writer)
	case gate.GuardDirty:
		return "mbgate refused this: the command may change memory-bank/, which has uncommitted changes. " +
			"Commit memory-bank/ first (git add memory-bank && git commit), or leave it out of the command, and repeat the call.\n"
	}
	return fmt.Sprintf("mbgate refused this: %s belongs to the memory bank, which only the subagent %s writes. "+
		"Propose the change to the user (which file, which points); when the user answers mb:write, call %s with the proposal.\n",
		Safe(g.Path), gate.Writer, gate.Writer)
}

// patterns tells an agent that it writes without having read the project's patterns in this turn (SPEC §10).
func patterns(d gate.Decision, c event.Client) string {
	p := d.Patterns
	var b strings.Builder
	if d.Verdict == event.Block {
		fmt.Fprintf(&b, "mbgate refused this call: %s", Safe(p.Path))
	} else {
		fmt.Fprintf(&b, "mbgate reminder (mbgate does not refuse this call): %s", Safe(p.Path))
	}
	if p.Read > 0 && p.Read < p.Need {
		fmt.Fprintf(&b, " was only partly read (%d of %s)", p.Read, plural(p.Need, "line"))
	} else {
		b.WriteString(" was not read in this turn")
	}
	if why := riskWhy(d); why != "" {
		fmt.Fprintf(&b, ", and this is %s risk: %s", d.Assessment.Level, why)
	}
	fmt.Fprintf(&b, ".\nNext: %s\n", readCall(c, p.Abs, p.Next))
	if d.Verdict == event.Block {
		b.WriteString("Then repeat the refused call.\n")
	}
	return b.String()
}

// maxProposed is how many written files a reminder names.
const maxProposed = 10

// Proposal reminds an agent that stops to propose an update of the memory bank (SPEC §12).
func Proposal(p *gate.Proposal) string {
	var b strings.Builder
	b.WriteString(event.Reminder)
	if len(p.Files) > 0 {
		b.WriteString("wrote code since the memory bank was last updated:\n")
		bullets(&b, p.Files, maxProposed, Safe)
	} else {
		b.WriteString("settled something since the memory bank was last updated.\n")
	}
	b.WriteString(`If something of it is worth keeping, propose an update to the user now: the target file and two to five points.
A bug and its cause: memory-bank/details/learnings/ · a feature: requirements/ · a redesign: design/ ·
a decision or convention: patterns.md · else progress.md.
`)
	then := "call " + gate.Writer
	if !p.Writer {
		then = "write it"
	}
	fmt.Fprintf(&b, "Write nothing yet. The user answers mb:write (then %s) or mb:no. Nothing worth keeping: just stop.\n", then)
	return b.String()
}

// Route names the document that answers a prompt.
func Route(path string) string {
	return "mbgate: read " + Safe(path) + " before you answer; the project records there what this asks about.\n"
}

// ToAgent tells the agent what a person's prompt means for it, "" where that is nothing.
func ToAgent(a gate.Answer) string {
	switch a {
	case gate.CallWriter:
		return "The user answered mb:write: call the subagent " + gate.Writer + " with the proposal that was agreed to, in this turn.\n"
	case gate.Asked:
		return "The user asks to write the memory bank: call the subagent " + gate.Writer + " with what the user asked for, in this turn.\n"
	case gate.WriteItself:
		return "The user answered mb:write: write what was agreed to into memory-bank/, as Markdown.\n"
	case gate.Declined:
		return "The user answered mb:no: leave memory-bank/ as it is, and do not propose this again.\n"
	case gate.IgnoreWord:
		return "The mb: word at the beginning of this prompt was answered already and is left over: ignore it.\n"
	}
	return ""
}
