package render

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// DemoStep is one event of `mbgate demo` and what the real command answered.
type DemoStep struct {
	Title string
	// Command is the command line, Event the payload shortened for people, "" if there is none.
	Command, Event string
	Stdout, Stderr string
	Exit           int
	// Means says in words what the answer does.
	Means string
	// Fault is why the answer is not what it should be, "" if it is.
	Fault string
}

// demoLines is how many lines of one answer are shown.
const demoLines = 16

// Text is a step on a screen; n counts from 1.
func (s DemoStep) Text(screen *Screen, n int) string {
	p := &page{Screen: screen}
	p.hang(p.in(inkStrong, pad(fmt.Sprintf("%d.", n), 4)), inkStrong, s.Title)
	p.line("    ", p.in(inkStrong, "$ "+s.Command))
	if s.Event != "" {
		p.body("    < ", inkFaint, s.Event)
	}
	p.body("    > ", inkPlain, s.Stdout)
	p.body("    ! ", inkWarn, s.Stderr)
	mark, in := "✓", inkGood
	if s.Fault != "" {
		mark, in = "✗", inkBad
	}
	p.hang("    "+p.in(in, mark+" "), in, fmt.Sprintf("exit %d: %s", s.Exit, s.Means))
	if s.Fault != "" {
		p.prose(6, inkBad, "not as it should be: "+Clean(s.Fault))
	}
	p.line()
	return p.b.String()
}

// Line is a step in the story: what happens, what it leads to, and with quote the words that the agent is told.
func (s DemoStep) Line(screen *Screen, quote bool) string {
	p := &page{Screen: screen}
	in := inkGood
	if s.Exit != 0 {
		in = inkWarn
	}
	p.hang("  "+pad(s.Title, 38), in, s.Means)
	if quote {
		p.body("      │ ", inkFaint, s.Stderr)
	}
	return p.b.String()
}

// body is an answer with a mark before each of its lines, folded where it is wider than the screen.
func (p *page) body(mark string, i ink, text string) {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return
	}
	lines := strings.Split(visible(text), "\n")
	more := 0
	if len(lines) > demoLines {
		more = len(lines) - demoLines + 1
		lines = lines[:demoLines-1]
	}
	for _, l := range lines {
		for part := range strings.SplitSeq(ansi.Wrap(l, p.width-columns(mark), ","), "\n") {
			p.line(p.in(inkFaint, mark), p.in(i, part))
		}
	}
	if more > 0 {
		p.line(p.in(inkFaint, fmt.Sprintf("%s… and %d more", mark, more)))
	}
}

// visible is a text of our own programs for a terminal: nothing in it steers one, but our own tags stay as they are,
// since it is not given to a model.
func visible(text string) string {
	return strings.NewReplacer("&lt;memory-bank", "<memory-bank", "&lt;/memory-bank", "</memory-bank").Replace(Clean(text))
}
