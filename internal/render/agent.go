package render

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
)

// maxListed is how many files a message names one by one.
const maxListed = 8

// Refusal tells a refused agent what is unread, which call to make next, how to get out, and that it may then repeat its call
// (R3). From the second refusal on it says only what is left and the next call. unsaved is why the state could not be saved,
// "" if it was (R5).
func Refusal(d gate.Decision, c event.Client, unsaved string) string {
	var b strings.Builder
	switch d.Rule {
	case gate.RuleOwn:
		fmt.Fprintf(&b, "mbgate refused this: %s. No agent may do this. ", Clean(why(d.Assessment.Own)))
		b.WriteString("Go on without it, or ask the person to do it in their own terminal")
		if c.PromptEvents {
			b.WriteString(", or send the prompt mb:clear to end a recovery")
		}
		b.WriteString(".\n")
	case gate.RuleConfig:
		b.WriteString("mbgate refused this change: it would remove mbgate's hooks during a recovery. ")
		b.WriteString("Read the documents first, or ask the person.\n")
	case gate.RuleGuard:
		b.WriteString(guarded(d.Guarded))
	case gate.RuleCapsule:
		b.WriteString(bindingRefusal(d.Binding, c))
	case gate.RuleRead:
		b.WriteString(patterns(d, c))
	default:
		recovery(&b, d, c)
	}
	if unsaved != "" {
		fmt.Fprintf(&b, "Note for the person: the state could not be saved (%s), so reads may not be remembered.\n", Clean(unsaved))
	}
	return b.String()
}

func recovery(b *strings.Builder, d gate.Decision, c event.Client) {
	r := d.Refusal
	for _, d := range r.Dropped {
		fmt.Fprintf(b, "mbgate: %s is no longer required: %s.\n", Safe(d.Path), dropReason(d.Why))
	}
	if len(r.Unread) == 0 {
		return
	}
	say := cause(r)
	if r.Again {
		say = "not read in full yet: " + stillUnread(r.Unread)
	}
	if d.Verdict == event.Warn {
		why := ""
		if r.StoodDown != "" {
			why = " (the gate stood down: " + standDown(r.StoodDown) + ")"
		}
		fmt.Fprintf(b, "mbgate reminder %d: mbgate does not refuse this call%s, but %s.\n", r.Count, why, say)
	} else {
		fmt.Fprintf(b, "mbgate refused this call (refusal %d): %s.\n", r.Count, say)
	}
	if r.Again {
		fmt.Fprintf(b, "Next: %s\n", readCall(c, r.Unread[0].Abs, r.Next))
		if c.EchoesCall {
			b.WriteString("Then repeat the refused call.\n")
		}
		return
	}
	if why := riskWhy(d); why != "" {
		fmt.Fprintf(b, "It is %s risk: %s.\n", d.Assessment.Level, why)
	}
	b.WriteString("Not read in full since then:\n")
	bullets(b, r.Unread, maxListed, unread)
	fmt.Fprintf(b, "Next: %s\n", readCall(c, r.Unread[0].Abs, r.Next))
	if len(r.Unread) > 1 || r.Next.Last > 0 {
		b.WriteString("Continue until every document is read, then repeat")
	} else {
		b.WriteString("Then repeat")
	}
	b.WriteString(" the refused call. ")
	if r.Reader {
		fmt.Fprintf(b, "You can also call the subagent %s", gate.Reader)
		if r.Strict {
			b.WriteString(": what it reads counts for you once it has answered")
		}
		b.WriteString(". ")
	}
	b.WriteString("Reads, searches, tests and builds pass.\n")
	fmt.Fprintf(b, "(A person can end this: %smbgate clear --session %s)\n", clearWord(c), ShellWord(r.Session))
}

// stillUnread are the unread anchors on one line.
func stillUnread(list []gate.Unread) string {
	const most = 3
	var names []string
	for _, u := range list[:min(len(list), most)] {
		names = append(names, unread(u))
	}
	if n := len(list) - most; n > 0 {
		names = append(names, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(names, ", ")
}

func clearWord(c event.Client) string {
	if c.PromptEvents {
		return "the prompt mb:clear, or "
	}
	return ""
}

func cause(r *gate.Refusal) string {
	switch r.Cause {
	case gate.ByFork:
		return "this session was forked, and you have not read the documents that frame the task in it"
	case gate.ByDamage:
		return "the session's state was damaged or could not be saved, and the documents that frame the task must be read again"
	case gate.ByClearing:
		return "documents that frame the task were cleared from your context, and you have not re-read them"
	case gate.Inherited:
		return "the main agent's context was compacted, and you have not read the documents that frame the task"
	}
	return "the context was compacted, and you have not re-read the documents that frame the task"
}

// riskWhy is why a call is risky, in one line: a reason names files as the call spells them, and a name with a newline in
// it must not become a line of ours.
func riskWhy(d gate.Decision) string {
	all := reasons(d.Assessment)
	var list []string
	for _, why := range all[:min(2, len(all))] {
		if folder, ok := strings.CutSuffix(why, " ."); ok {
			why = folder + " the current folder" // a second full stop would make it the one above
		}
		list = append(list, why)
	}
	why := Clean(strings.Join(list, "; "))
	return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(why)
}

// unread says how far one anchor is read.
func unread(u gate.Unread) string {
	var notes []string
	if u.Broken != "" {
		notes = append(notes, "cannot be read: "+Clean(u.Broken))
	} else if u.Read > 0 {
		notes = append(notes, fmt.Sprintf("%d of %s read", u.Read, plural(u.Need, "line")))
	} else if u.Need > 0 {
		notes = append(notes, plural(u.Need, "line"))
	}
	if u.Part {
		notes = append(notes, "only its beginning and end: "+lines(u))
	}
	if u.Changed {
		notes = append(notes, "changed since you last read it")
	}
	s := Safe(u.Path)
	if len(notes) > 0 {
		s += " (" + strings.Join(notes, ", ") + ")"
	}
	return s
}

func lines(u gate.Unread) string {
	var parts []string
	for _, s := range u.Left {
		parts = append(parts, fmt.Sprintf("%d–%d", s.First, s.Last))
	}
	return "lines " + strings.Join(parts, ", ") + " of " + strconv.Itoa(u.Total)
}

// readCall is the exact call that reads a file with this client's own tool (R3).
func readCall(c event.Client, abs string, call gate.Call) string {
	t := c.ReadTool
	if t.Script != "" {
		s := strings.Replace(t.Script, "%s", jsonString(abs), 1)
		if call.Last > 0 {
			s = fmt.Sprintf(`(%s).split("\n").slice(%d, %d).join("\n")`, s, call.First-1, call.Last)
		}
		return s + "  // the script's last expression, which shows it; write in the next script"
	}
	if t.Tool == "" || call.Shell {
		if call.Last == 0 {
			return "cat " + ShellWord(abs)
		}
		return fmt.Sprintf("sed -n '%d,%dp' %s", call.First, call.Last, ShellWord(abs))
	}
	s := fmt.Sprintf("%s {%q: %s", t.Tool, t.Path, jsonString(abs))
	if call.Last > 0 {
		s += ", " + t.Lines(call.First, call.Last)
	}
	return s + "}"
}

// AnchorBlock tells the model after a compaction what it must read (R2). carried stands in it, and is the whole block where nothing
// must be read.
func AnchorBlock(a *gate.AnchorBlock, carried string) string {
	if a == nil {
		return "<memory-bank-anchors>\n" + carried + "</memory-bank-anchors>\n"
	}
	var b strings.Builder
	b.WriteString("<memory-bank-anchors>\n## POST-COMPACTION RECOVERY (MANDATORY) · ")
	title := "damaged state"
	if a.Compactions > 0 {
		title = fmt.Sprintf("compaction #%d", a.Compactions)
	}
	why := "The context was compacted."
	switch a.Cause {
	case gate.ByFork:
		title, why = "forked", "This session was forked: its context is inherited or compacted."
	case gate.ByDamage:
		why = "The record of what you read was lost."
	case gate.ByClearing:
		title, why = "documents cleared", "Documents that frame the task were cleared from your context."
	}
	b.WriteString(title + "\n\n" + why + " Before any medium- or high-risk write you MUST read:\n")
	bullets(&b, a.Unread, maxListed, func(u gate.Unread) string {
		switch {
		case u.Changed:
			return Safe(u.Path) + " (changed since you last read it)"
		case u.Part:
			return Safe(u.Path) + " (" + lines(u) + ")"
		}
		return Safe(u.Path)
	})
	if len(a.Also) > 0 {
		b.WriteString("Also relevant: " + safeList(a.Also[:min(len(a.Also), maxListed)]) + "\n")
	}
	if len(a.Focus) > 0 {
		b.WriteString("\nSession state (MEMORY.md, Current Focus):\n")
		bullets(&b, a.Focus, len(a.Focus), Safe)
	}
	switch {
	case a.Unbound != "":
		b.WriteString("\nWrites will not be refused until then, because mbgate could not save this: " + Clean(a.Unbound) + "\n")
	case a.Mode == event.ModeWarn:
		b.WriteString("\nUntil then, writes pass with a reminder.\n")
	default:
		b.WriteString("\nWrites are refused until these files are read in full.\n")
	}
	if carried != "" {
		b.WriteString("\n" + carried)
	}
	b.WriteString("</memory-bank-anchors>\n")
	return b.String()
}

// Cleared tells the model which documents the client took out of its context, "" for none (A8).
func Cleared(paths []string, c event.Client) string {
	if len(paths) == 0 {
		return ""
	}
	return "mbgate: " + Safe(c.Title) + " cleared what you read of " + safeList(paths) + " from your context. Read it again before you rely on it.\n"
}

// ShellWord quotes a word for a POSIX shell.
func ShellWord(s string) string {
	plain := s != ""
	for _, r := range s {
		plain = plain && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:@%+,=", r))
	}
	if plain {
		return s
	}
	if !printable(s, false) {
		// Control characters would reach the terminal: $'…' carries them escaped.
		return "$'" + strings.ReplaceAll(strings.Trim(strconv.Quote(s), `"`), "'", `\'`) + "'"
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// jsonString is s as a JSON string, printable.
func jsonString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r > 0xffff && !shows(r):
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+(r>>10), 0xdc00+(r&0x3ff))
		case !shows(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// EmptyTheBox is said where a client puts a prompt back into its input box that mbgate has answered.
const EmptyTheBox = "(The prompt is back in the input box: empty it before you type on.)"

// Person answers a person's mb: word (SPEC §12).
func Person(d gate.Decision) string {
	switch d.Person {
	case gate.KeptWord:
		return "mbgate keeps this and shows it to the agent after each compaction: " + Safe(d.Word) + "\n"
	case gate.DroppedWord:
		return "mbgate no longer keeps this: " + Safe(d.Word) + "\n"
	case gate.NoSuchWord:
		return "mbgate keeps no sentence of that number; mb:status lists them.\n"
	case gate.KeepsNothing:
		return "mbgate keeps nothing that you say here: the configuration has keep_words = false.\n"
	case gate.HoldsSecret:
		return "mbgate does not keep this, because it looks like it holds a secret.\n"
	case gate.Cleared:
		return "mbgate: the recovery of this session has ended, and the limits in its capsule are suspended. The next compaction " +
			"arms the gate again.\n"
	case gate.NotNow:
		return "mbgate: a subagent may be running, and this client does not distinguish its prompts from yours. Send this again " +
			"after it has finished. To end a recovery now, run mbgate clear in a terminal.\n"
	case gate.NothingToClear:
		return "mbgate: no recovery is pending in this session.\n"
	case gate.ShowWords:
		return "mbgate answers these prompts, each alone: mb:status shows the session, mb:clear ends its recovery, mb:keep TEXT keeps a sentence " +
			"for the agent, mb:drop N drops one, mb:help shows this list.\n" +
			"In any prompt, mb:write lets the agent have the memory bank written in this turn, and mb:no declines.\n"
	}
	return ""
}

// LeftOut tells the model what the reader's answer lacks, "" for nothing.
func LeftOut(parts []gate.ReaderPart) string {
	var lacks []string
	for _, p := range parts {
		if p == gate.PartSources {
			lacks = append(lacks, `no existing file under "`+string(gate.PartEvidence)+`"`)
		} else {
			lacks = append(lacks, `no part "`+string(p)+`"`)
		}
	}
	if lacks == nil {
		return ""
	}
	return "mbgate: the answer of " + gate.Reader + " is incomplete: " + strings.Join(lacks, ", ") +
		". Check its claims in the documents before you rely on them, or ask it for what is missing.\n"
}
