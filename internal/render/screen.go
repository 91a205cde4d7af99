package render

import (
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
	"golang.org/x/term"
)

// Screen is where a person reads: a number of columns, and colours if the place has any.
//
// The colours are the terminal's own first eight, which its owner chose to fit the background; so there is no need to ask the
// terminal whether it is dark or light, which some answer only after seconds. No colour says anything that a word beside
// it does not say too. Of the eight as xterm has them only red and magenta can be read on black and on white alike
// (a contrast of 3.6 and more), so status gives words no other; yellow on white has 1.7, cyan 2.0, green 2.2, and blue on
// black 2.2.
type Screen struct {
	width  int
	styles [inkCount]lipgloss.Style
}

// ink is the style of a piece of text.
type ink int

const (
	inkPlain ink = iota
	inkStrong
	inkFaint
	inkGood
	inkWarn
	inkBad
	inkCount
)

// The widths that a layout is made for, in columns.
const (
	minWidth     = 40
	maxWidth     = 200
	defaultWidth = 80
)

// NewScreen looks at what out is: a terminal has colours, unless the environment says otherwise (NO_COLOR, TERM=dumb,
// CLICOLOR=0), and its own width; a pipe has no colours and is 80 columns wide, or as many as COLUMNS says.
func NewScreen(out io.Writer, env func(string) string) *Screen {
	r := lipgloss.NewRenderer(out, termenv.WithEnvironment(environ{env}))
	return newScreen(r, r.ColorProfile() != termenv.Ascii, widthOf(out, env))
}

// newScreen is a screen of a width, with colours or without.
func newScreen(r *lipgloss.Renderer, colour bool, width int) *Screen {
	r.SetHasDarkBackground(true) // else the terminal would be asked
	r.SetColorProfile(termenv.Ascii)
	if colour {
		r.SetColorProfile(termenv.ANSI)
	}
	plain := r.NewStyle()
	return &Screen{width: max(minWidth, min(width, maxWidth)), styles: [inkCount]lipgloss.Style{
		inkPlain:  plain,
		inkStrong: plain.Bold(true),
		inkFaint:  plain.Faint(true),
		inkGood:   plain.Foreground(lipgloss.Color("2")),
		inkWarn:   plain.Foreground(lipgloss.Color("5")),
		inkBad:    plain.Foreground(lipgloss.Color("1")),
	}}
}

// Colour reports whether the screen has colours.
func (s *Screen) Colour() bool { return s.styles[inkBad].Render("x") != "x" }

// Width is the number of columns.
func (s *Screen) Width() int { return s.width }

func widthOf(out io.Writer, env func(string) string) int {
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			return w
		}
	}
	n, err := strconv.Atoi(env("COLUMNS"))
	if err != nil || n <= 0 {
		return defaultWidth
	}
	return n
}

// environ is the environment as termenv asks for it.
type environ struct{ get func(string) string }

func (e environ) Getenv(k string) string { return e.get(k) }
func (e environ) Environ() []string      { return nil }

// in is a text of one line in an ink.
func (s *Screen) in(i ink, text string) string {
	if text == "" || i == inkPlain {
		return text
	}
	return s.styles[i].Render(text)
}

// columns is how many columns a text takes, styled or not: two for Chinese characters and most emoji.
func columns(text string) int { return lipgloss.Width(text) }

// pad fills a text up to n columns.
func pad(text string, n int) string { return text + blank(n-columns(text)) }

// blank is n columns of nothing.
func blank(n int) string { return strings.Repeat(" ", max(0, n)) }

// wrap breaks a text into lines of at most n columns, between words. A word is never cut: it may be a path, a flag or a
// command that somebody wants to copy. The wrappers of x/ansi and lipgloss break at every hyphen.
func wrap(text string, n int) []string {
	var lines []string
	for part := range strings.Lines(text) {
		line := ""
		for _, w := range strings.Fields(part) {
			switch {
			case line == "":
				line = w
			case columns(line)+1+columns(w) > n:
				lines, line = append(lines, line), w
			default:
				line += " " + w
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// Prose is a text in lines that fit the screen, with so many columns of indent; an empty line stays one. A path or command
// that is longer stays whole.
func (s *Screen) Prose(indent int, text string) string {
	p := page{Screen: s}
	p.prose(indent, inkPlain, text)
	return p.b.String()
}

// page is a text for a screen as it grows.
type page struct {
	*Screen
	b strings.Builder
}

func (p *page) line(parts ...string) {
	p.b.WriteString(strings.TrimRight(strings.Join(parts, ""), " "))
	p.b.WriteByte('\n')
}

// hang writes a text behind a head and wraps it in its own column.
func (p *page) hang(head string, i ink, text string) {
	column := columns(head)
	for _, l := range wrap(text, p.width-column) {
		p.line(head, p.in(i, l))
		head = blank(column)
	}
}

// prose is a text that is wrapped, with so many columns of indent.
func (p *page) prose(indent int, i ink, text string) { p.hang(blank(indent), i, text) }

// entry is a label and a text beside it, wrapped in its own column.
func (p *page) entry(indent, column int, label string, i ink, text string) {
	p.hang(blank(indent)+p.in(inkFaint, pad(label, column)), i, text)
}

// verbatim is a label and a text that is not wrapped, since it is there to be copied; where it does not fit beside the
// label it stands on the next line. It returns the column in which the text begins.
func (p *page) verbatim(indent, column int, label, text string) int {
	if indent+column+columns(text) <= p.width {
		p.line(blank(indent), p.in(inkFaint, pad(label, column)), p.in(inkStrong, text))
		return indent + column
	}
	p.line(blank(indent), p.in(inkFaint, label))
	p.line(blank(indent+2), p.in(inkStrong, text))
	return indent + 2
}

// item is one row of a list: a mark, a name and a note.
type item struct {
	mark    string
	ink     ink
	name    string
	nameInk ink
	note    string
	noteInk ink
}

// minNote is the narrowest column for notes: a narrower one breaks every other phrase.
const minNote = 24

// items are rows whose notes stand in one column, or below their names where they do not fit beside them.
func (p *page) items(indent int, rows []item) {
	name, note := 0, 0
	for _, r := range rows {
		name, note = max(name, columns(r.name)), max(note, columns(r.note))
	}
	below := p.width-indent-name-4 < min(note, minNote)
	for _, r := range rows {
		head := blank(indent) + p.in(r.ink, pad(r.mark, 2))
		if r.note == "" || below {
			p.line(head, p.in(r.nameInk, r.name))
			p.hang(blank(indent+4), r.noteInk, r.note)
		} else {
			p.hang(head+p.in(r.nameInk, pad(r.name, name))+"  ", r.noteInk, r.note)
		}
	}
}

// dotted joins the parts that are not empty.
func dotted(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}
