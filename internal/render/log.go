package render

import (
	"strings"

	"github.com/mbgate/mbgate/internal/journal"
)

// logIndent is the column in which what was decided stands, behind the time.
const logIndent = 21

// Log is the journal on a screen, one decision after the other, in the reader's own time zone.
func Log(records []journal.Record, screen *Screen) string {
	p := &page{Screen: screen}
	if len(records) == 0 {
		p.prose(0, inkPlain, "No decision is written down here yet; `mbgate log --all` shows other projects.")
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
		what := []string{r.Tool, r.Target}
		if r.Excerpt != "" {
			what[1] = r.Excerpt // it says more; the reason names the file
		}
		about := Safe(strings.TrimSpace(strings.Join(what, " ")))
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
