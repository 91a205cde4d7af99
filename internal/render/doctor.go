package render

import (
	"strings"
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

// Text is the findings on a screen: a table of the results for mbgate itself and for each agent, and the count.
func (d Doctor) Text(screen *Screen) string {
	p := &page{Screen: screen}
	if d.Root != "" {
		p.line(p.in(inkStrong, Safe(d.Root)))
	}
	column := 0
	for _, g := range d.Groups {
		for _, f := range g.Findings {
			column = max(column, columns(f.Check))
		}
	}
	for _, g := range d.Groups {
		p.line()
		p.line(p.in(inkStrong, Safe(g.Title)))
		p.findings(g.Findings, column)
	}
	p.line()
	d.count(p)
	return p.b.String()
}

// Table is the rows of one group alone, for what has a head of its own.
func (d Doctor) Table(screen *Screen) string {
	p := &page{Screen: screen}
	for _, g := range d.Groups {
		column := 0
		for _, f := range g.Findings {
			column = max(column, columns(f.Check))
		}
		p.findings(g.Findings, column)
	}
	return p.b.String()
}

// findings are rows of four columns: a mark, the result, what was looked at, and what was found with the remedy below it.
// Where that leaves fewer than 36 columns for the text, it stands below.
func (p *page) findings(rows []Finding, column int) {
	const result, least = len("warning"), 36
	left := 2 + 2 + result + 2 + column + 2
	below := p.width-left < least
	if below {
		left = 6
	}
	indent, last := strings.Repeat(" ", left), ""
	for _, f := range rows {
		mark, ink := f.Health.mark()
		name := f.Check
		if name == last && !below {
			name = ""
		}
		last = f.Check
		head := "  " + p.in(ink, pad(mark, 2)+pad(f.Health.String(), result)) + "  " + pad(name, column) + "  "
		if below || f.Says == "" {
			p.line(head)
			head = indent
		}
		for _, l := range wrap(Clean(f.Says), p.width-left) {
			p.line(head, p.said(f.Health, l))
			head = indent
		}
		arrow := p.in(inkFaint, "→ ")
		for _, l := range wrap(Clean(f.Remedy), p.width-left-2) {
			if l != "" {
				p.line(indent, arrow, p.in(inkStrong, l))
			}
			arrow = "  "
		}
	}
}

func (p *page) said(h Health, text string) string {
	if h == Note {
		return p.in(inkFaint, text)
	}
	return text
}

// count is the last line: how many errors and warnings there are.
func (d Doctor) count(p *page) {
	errors, warnings := 0, 0
	for _, g := range d.Groups {
		for _, f := range g.Findings {
			switch f.Health {
			case Bad, Unexamined:
				errors++
			case Warning:
				warnings++
			}
		}
	}
	switch {
	case errors+warnings == 0:
		p.line(p.in(inkGood, "Nothing is wrong."))
	case errors == 0:
		p.line(p.in(inkWarn, plural(warnings, "warning")+", no error."))
	default:
		p.line(p.in(inkBad, plural(errors, "error")+", "+plural(warnings, "warning")+"."))
	}
}

// Age says how long ago something was, as people say it.
func Age(at, now time.Time) string { return age(at, now) }

// Count is a number of things, the word in its plural where that is due.
func Count(n int, word string) string { return plural(n, word) }
