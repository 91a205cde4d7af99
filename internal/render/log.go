package render

import (
	"strings"

	"github.com/mbgate/mbgate/internal/journal"
)

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
		if r.Target == "" {
			what[1] = r.Excerpt
		}
		about := Safe(strings.TrimSpace(strings.Join(what, " ")))
		decision := Safe(r.Decision)
		if about != "" {
			decision = pad(decision, 9)
		}
		p.line(p.in(inkFaint, r.At.Local().Format("2006-01-02 15:04:05")), "  ", p.in(in, decision), " ", about)
		var facts []string
		for _, f := range []string{r.Risk, r.Rule, r.Agent, r.Session} {
			if f != "" {
				facts = append(facts, Safe(f))
			}
		}
		p.facts(21, inkFaint, facts)
		if r.Reason != "" {
			p.prose(21, inkFaint, Safe(r.Reason))
		}
	}
	return p.b.String()
}
