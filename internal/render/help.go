package render

import (
	"strings"
)

// Help is the content of `mbgate COMMAND --help`.
type Help struct {
	// About is running text in paragraphs, with indented lines kept as they are. A line "EXIT STATUS" and the statuses end
	// it.
	About string
	// Usage are the forms of the command line, Examples are lines that stand as they are.
	Usage    []string
	Examples string
	// Lists are commands, arguments and flags.
	Lists []HelpList
	// More is a line at the end.
	More string
}

// HelpList is a titled list of names and what they are.
type HelpList struct {
	Title string
	Rows  []HelpRow
}

// HelpRow is a command or a flag.
type HelpRow struct{ Name, What string }

// maxHelp is how wide a help is at most, in columns: longer lines are hard to read.
const maxHelp = 80

// exitStatus is the title of the exit statuses in a command's text.
const exitStatus = "\nEXIT STATUS\n"

// Text is the help on a screen.
func (h Help) Text(screen *Screen) string {
	narrow := *screen
	narrow.width = min(narrow.width, maxHelp)
	p := &page{Screen: &narrow}
	about, status, _ := strings.Cut(h.About, exitStatus)
	p.paragraphs(strings.TrimSpace(about))
	p.title("Usage:")
	for _, u := range h.Usage {
		p.line("  ", strings.Join(wrap(u, p.width-4), "\n    "))
	}
	if h.Examples != "" {
		p.title("Examples:")
		p.line(strings.TrimRight(h.Examples, "\n"))
	}
	for _, l := range h.Lists {
		p.title(l.Title)
		var rows []item
		for _, r := range l.Rows {
			rows = append(rows, item{name: r.Name, note: r.What})
		}
		p.items(0, rows)
	}
	if list := Statuses(status); len(list) > 0 {
		p.title("EXIT STATUS")
		for _, r := range list {
			p.entry(2, 4, r.Name, inkPlain, r.What)
		}
	}
	if h.More != "" {
		p.line()
		p.prose(0, inkPlain, h.More)
	}
	return p.b.String()
}

// title is the heading of a part, with an empty line above.
func (p *page) title(text string) {
	p.line()
	p.line(p.in(inkStrong, text))
}

// paragraphs are texts with an empty line between them, each wrapped as one; indented lines stand as they are.
func (p *page) paragraphs(text string) {
	var running []string
	flush := func() {
		if len(running) > 0 {
			p.prose(0, inkPlain, strings.Join(running, " "))
			running = nil
		}
	}
	for l := range strings.Lines(text) {
		l = strings.TrimRight(l, "\n ")
		if l != "" && !strings.HasPrefix(l, "  ") {
			running = append(running, l)
			continue
		}
		flush()
		p.line(l)
	}
	flush()
}

// Statuses are a command's exit statuses: "0 fine · 1 no", each with what it means; 0 alone means done.
func Statuses(text string) []HelpRow {
	var list []HelpRow
	for part := range strings.SplitSeq(strings.Join(strings.Fields(text), " "), " · ") {
		name, what, _ := strings.Cut(part, " ")
		name, comma := strings.CutSuffix(name, ",")
		if comma || what == "" {
			what = strings.TrimSuffix("done, "+what, ", ")
		}
		if name != "" {
			list = append(list, HelpRow{name, what})
		}
	}
	return list
}
