package render

import (
	"cmp"
	"slices"
	"time"
)

// Health is the result of a check, the worst being the greatest.
type Health int

// The results. The zero value is none, so that a forgotten result never means that all is well.
const (
	Unexamined Health = iota
	Note
	Good
	Warning
	Bad
)

// String is the word that stands in the table and in the JSON.
func (h Health) String() string {
	switch h {
	case Note:
		return "note"
	case Good:
		return "ok"
	case Warning:
		return "warning"
	case Bad:
		return "error"
	}
	return "unknown"
}

func (h Health) mark() (string, ink) {
	switch h {
	case Note:
		return "·", inkFaint
	case Good:
		return "✓", inkGood
	case Warning:
		return "!", inkWarn
	}
	return "✗", inkBad
}

// Finding is one result of `mbgate doctor`: what was looked at, how it is, and what to do about it. Says and Remedy have
// no full stop; Remedy is "" where there is nothing to do.
type Finding struct {
	Check  string
	Health Health
	Says   string
	Remedy string
}

// Examined is what was found about one agent, or with an empty Agent about mbgate itself and the project.
type Examined struct {
	// Agent is the stable name, Title is for people.
	Agent, Title string
	Findings     []Finding
	// Says is the group in one sentence where nothing is wrong.
	Says string
}

// Doctor is what `mbgate doctor` found.
type Doctor struct {
	Root   string
	Groups []Examined
}

// Worst is the worst result of all.
func (d Doctor) Worst() Health {
	worst := Unexamined
	for _, g := range d.Groups {
		for _, f := range g.Findings {
			worst = max(worst, f.Health)
			if f.Health == Unexamined {
				worst = Bad
			}
		}
	}
	return worst
}

type doctorJSON struct {
	Schema int    `json:"schema"`
	Root   string `json:"root"`
	// OK is false where there is an error; warnings leave it true.
	OK     bool        `json:"ok"`
	Checks []checkJSON `json:"checks"`
}

type checkJSON struct {
	// Agent is left out for what is true of all.
	Agent  string `json:"agent,omitempty"`
	Check  string `json:"check"`
	Result string `json:"result"`
	Says   string `json:"says"`
	Remedy string `json:"remedy,omitempty"`
}

// JSON is the findings for machines, in the order of the screen.
func (d Doctor) JSON() any {
	out := doctorJSON{Schema: 1, Root: d.Root, OK: d.Worst() < Bad, Checks: []checkJSON{}}
	for _, g := range d.Groups {
		for _, f := range g.Findings {
			out.Checks = append(out.Checks, checkJSON{g.Agent, f.Check, f.Health.String(), f.Says, f.Remedy})
		}
	}
	return out
}

// Text is the findings on a screen: a line for each group in which nothing is wrong, else what is wrong and how to mend
// it. verbose shows every check.
func (d Doctor) Text(screen *Screen, verbose bool) string {
	p := &page{Screen: screen}
	if d.Root != "" {
		p.line(p.in(inkStrong, Safe(d.Root)))
	}
	column := 0
	for _, g := range d.Groups {
		column = max(column, columns(g.Title))
	}
	for _, g := range d.Groups {
		wrong := slices.DeleteFunc(slices.Clone(g.Findings), func(f Finding) bool { return f.Health == Good || f.Health == Note })
		switch {
		case verbose:
			p.line()
			p.line(p.in(inkStrong, Safe(g.Title)))
			p.findings(g.Findings)
		case len(wrong) > 0:
			p.line(p.in(inkStrong, Safe(g.Title)))
			p.findings(wrong)
		default:
			mark, ink := Good.mark()
			p.hang(p.in(ink, mark)+" "+p.in(inkStrong, pad(Safe(g.Title), column))+"  ", inkPlain, Clean(g.Says))
		}
	}
	if verbose {
		p.line()
	}
	d.count(p, verbose)
	return p.b.String()
}

// Table is every finding, for what has a head of its own.
func (d Doctor) Table(screen *Screen) string {
	p := &page{Screen: screen}
	for _, g := range d.Groups {
		p.findings(g.Findings)
	}
	return p.b.String()
}

// findings are rows: a mark, what was looked at, and what was found with the remedy below it, in a column of its own where
// that has 36 columns at least.
func (p *page) findings(rows []Finding) {
	column := 0
	for _, f := range rows {
		column = max(column, columns(f.Check)+2)
	}
	below, last := p.width-4-column < 36, ""
	for _, f := range rows {
		mark, ink := f.Health.mark()
		name := f.Check
		if name == last && !below {
			name = ""
		}
		last = f.Check
		head := "  " + p.in(ink, pad(mark, 2)) + pad(name, column)
		if below {
			p.line(head)
			head = blank(6)
		}
		said := inkPlain
		if f.Health == Note {
			said = inkFaint
		}
		p.hang(head, said, Clean(cmp.Or(f.Says, "not checked")))
		if f.Remedy != "" {
			p.hang(blank(columns(head))+p.in(inkFaint, "→ "), inkStrong, Clean(f.Remedy))
		}
	}
}

// count is the last line: how many errors and warnings there are.
func (d Doctor) count(p *page, verbose bool) {
	n := map[Health]int{}
	for _, g := range d.Groups {
		for _, f := range g.Findings {
			n[f.Health]++
		}
	}
	errors, warnings := n[Bad]+n[Unexamined], n[Warning]
	text, ink := "Nothing is wrong.", inkPlain
	switch {
	case errors > 0:
		text, ink = plural(errors, "error")+", "+plural(warnings, "warning")+".", inkBad
	case warnings > 0:
		text, ink = plural(warnings, "warning")+", no error.", inkWarn
	}
	if !verbose {
		text += " -v shows every check."
	}
	p.prose(0, ink, text)
}

// Age says how long ago something was, as people say it.
func Age(at, now time.Time) string { return age(at, now) }

// Count is a number of things, the word in its plural where that is due.
func Count(n int, word string) string { return plural(n, word) }
