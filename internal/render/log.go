package render

import (
	"fmt"
	"strings"

	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/journal"
	"github.com/mbgate/mbgate/internal/risk"
	"github.com/mbgate/mbgate/internal/risk/reason"
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

// callReason says what a call does, or which binding refuses it.
func callReason(d gate.Decision) string {
	if b := d.Binding; b != nil {
		switch b.Kind {
		case gate.BindDeny:
			return "the deny " + b.ID + " holds"
		case gate.BindGate:
			return "the gate of the run file " + b.Path + " has not passed"
		case gate.BindQuestion:
			return "the blocking question " + b.ID + " is open"
		case gate.BindStale:
			return b.Path + " changed on disk since it was last read or written here"
		}
	}
	var parts []string
	if d.Assessment.Own.Kind != reason.None {
		parts = append(parts, "mbgate's own files and commands are for people")
	}
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
		parts = append(parts, "may change more files than can be listed")
	}
	if len(d.Assessment.Unknown) > 0 {
		parts = append(parts, "what it changes cannot be told")
	}
	return strings.Join(parts, "; ")
}

// logIndent is the column of the decision, behind the time.
const logIndent = 21

// Log is the journal on a screen, one decision after the other, in the reader's own time zone.
func Log(records []journal.Record, screen *Screen) string {
	p := &page{Screen: screen}
	if len(records) == 0 {
		p.prose(0, inkPlain, "The log has no decision of this project yet; `mbgate log --all` shows other projects.")
	}
	for _, r := range records {
		in := inkFaint
		switch r.Decision {
		case "block":
			in = inkBad
		case "warn", "armed", "dropped", "stood down", "damaged":
			in = inkWarn
		case "recovered", "read", "cleared":
			in = inkGood
		}
		what := r.Programs // they say more than the first file, which the reason names too
		if what == "" {
			what = r.Target
		}
		about := Safe(strings.TrimSpace(r.Tool + " " + what))
		decision := Safe(r.Decision)
		if about != "" {
			decision = pad(decision, 9)
		}
		// Beside the decision, or below it where that is too narrow for a command of more than one line.
		at := logIndent + columns(decision) + 1
		room := p.width - at
		if columns(about) > room && room < 40 {
			p.line(p.in(inkFaint, r.At.Local().Format("2006-01-02 15:04:05")), "  ", p.in(in, decision))
			p.prose(logIndent, inkPlain, about)
		} else {
			lines := wrap(about, room)
			p.line(p.in(inkFaint, r.At.Local().Format("2006-01-02 15:04:05")), "  ", p.in(in, decision), " ", strings.Join(lines[:min(1, len(lines))], ""))
			for _, l := range lines[min(1, len(lines)):] {
				p.line(strings.Repeat(" ", at), l)
			}
		}
		var facts []string
		for _, f := range []string{r.Risk, r.Rule, r.Agent, r.Session} {
			if f != "" {
				facts = append(facts, Safe(f))
			}
		}
		p.facts(logIndent, inkFaint, facts)
		if r.Reason != "" {
			p.prose(logIndent, inkFaint, Safe(r.Reason))
		}
	}
	return p.b.String()
}
