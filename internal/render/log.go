package render

import (
	"cmp"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/journal"
	"github.com/mbgate/mbgate/internal/risk"
)

// LogRecord is the record of a verdict about a tool call. It is made of names alone: the tool, the programs, the files,
// the rule. What an agent or a person wrote (a command, a script, a note, a prompt) is never in it (SPEC §18).
func LogRecord(d gate.Decision) journal.Record {
	a := d.Assessment
	r := journal.Record{
		Decision: string(d.Verdict), Rule: string(d.Rule), Risk: a.Level.String(), Reason: callReason(d),
		Programs: strings.Join(a.Programs, ", "),
	}
	if len(a.Targets) > 0 {
		r.Target = pathOf(a.Targets[0].Place)
	}
	return r
}

// callReason says why the refusing gate refuses a call, or reminds of it, and what an allowed call changes.
func callReason(d gate.Decision) string {
	switch {
	case d.Binding != nil:
		return bindingWord(d.Binding)
	case d.Rule == gate.RuleOwn:
		return "mbgate's own files and commands are for people"
	case d.Rule == gate.RuleConfig:
		return "mbgate's hooks stay in during a recovery"
	case d.Guarded != nil:
		return "memory-bank/ is for " + gate.Writer
	case d.Patterns != nil:
		return path.Base(d.Patterns.Path) + " not read in this turn"
	case d.Refusal != nil && len(d.Refusal.Unread) > 0:
		return plural(len(d.Refusal.Unread), "document") + " unread"
	}
	var parts []string
	targets := d.Assessment.Targets
	const most = 3
	for _, t := range targets[:min(len(targets), most)] {
		part := pathOf(t.Place) + " " + happens(t.Op)
		if word := ruleWords(t.Rule); word != "" && t.Level == risk.High {
			part += " (" + word + ")"
		}
		parts = append(parts, part)
	}
	if n := len(targets) - most; n > 0 {
		parts = append(parts, fmt.Sprintf("%d more files", n))
	}
	if len(d.Assessment.Unbounded) > 0 {
		parts = append(parts, "may change more files than mbgate can list")
	}
	if len(d.Assessment.Unknown) > 0 {
		parts = append(parts, "it is unclear what it changes")
	}
	return strings.Join(parts, "; ")
}

// bindingWord says which binding refuses a call, without what a note says.
func bindingWord(b *gate.Binding) string {
	switch b.Kind {
	case gate.BindDeny:
		if b.ID == "" {
			return "denied by the configuration"
		}
		return "denied by note " + b.ID
	case gate.BindGate:
		return "the gate of " + b.Path + " has not passed"
	case gate.BindQuestion:
		return "the blocking question " + b.ID + " is open"
	}
	return b.Path + " changed on disk and was not read since"
}

// LogScreen shows the log, one line an entry, in the reader's own time zone.
type LogScreen struct {
	*Screen
	// Verbose adds the risk, the rule and the rest of each record, All the project.
	Verbose, All bool

	head string // above the last entry
}

// Text is the next entries; a line with the day and the session stands above those of another one.
func (l *LogScreen) Text(records []journal.Record) string {
	p := &page{Screen: l.Screen}
	for _, r := range records {
		if r.Decision == "capsule" && !l.Verbose {
			continue // every compaction makes one
		}
		id, root := ShortID(r.Session), ""
		if l.Verbose {
			id = r.Session
		}
		if l.All {
			root = r.Root
		}
		if head := Safe(dotted(r.At.Local().Format(time.DateOnly), "session "+id, r.Agent, root)); head != l.head {
			l.head = head
			p.prose(0, inkFaint, head)
		}
		l.entry(p, r)
	}
	return p.b.String()
}

func (l *LogScreen) entry(p *page, r journal.Record) {
	in, word := inkFaint, r.Decision
	for _, w := range LogDecisions() {
		if w.Word == r.Decision {
			word = w.Says
		}
	}
	switch r.Decision {
	case "block":
		in = inkBad
	case "warn", "armed", "dropped", "stood down", "damaged":
		in = inkWarn
	case "recovered", "read", "cleared":
		in = inkGood
	}
	about := Safe(strings.TrimSpace(r.Tool + " " + cmp.Or(r.Programs, r.Target))) // programs say more than the first file
	reason := Safe(r.Reason)
	if r.Decision == "allow" && !l.Verbose {
		reason = "" // what it changes, which the target says already
	}
	head := p.in(inkFaint, r.At.Local().Format("15:04")) + "  " + p.in(wordInk(in), pad(Safe(word), 8)) + "  "
	if columns(head)+columns(about)+2+columns(reason) <= p.width {
		p.line(head, about, "  ", p.in(inkFaint, reason))
	} else {
		p.hang(head, inkPlain, about)
		p.prose(columns(head), inkFaint, reason)
	}
	if l.Verbose {
		p.prose(columns(head), inkFaint, Safe(dotted(r.Rule, r.Risk, r.Event, r.Sub, r.Target)))
	}
}
