package render

import (
	"fmt"
	"io"

	"github.com/charmbracelet/lipgloss"
)

// LineWidth is how many columns Line takes at most: it shares a line with what else stands in a prompt.
const LineWidth = 40

// Line is a session for a prompt or the status line of an agent: a mark, mbgate's name, the state in a few words. unread is
// set where the read gate refuses writes of high risk until the project's patterns are read. The line is the text itself,
// without an end.
func (e SessionStatus) Line(unread, colour bool) string {
	mark, word, i := "○", e.State(), e.ink()
	p := e.Main.Progress
	for _, c := range e.Subs {
		if c.Progress != nil && p == nil && !e.Damaged && e.Problem == "" {
			read, of := count(c.Progress)
			p, word, i = c.Progress, fmt.Sprintf("subagent %d/%d", read, of), inkWarn
		}
	}
	switch {
	case p != nil:
		mark = "●"
		if p.Refusals > 0 {
			word += fmt.Sprintf(" · %d refused", p.Refusals)
		}
	case e.Damaged:
		mark = "●"
	case unread && e.ink() == inkGood:
		word, i = "guard · patterns not read", inkWarn
	}
	return line(mark, word, i, colour)
}

func line(mark, word string, i ink, colour bool) string {
	if !colour {
		return mark + " mbgate " + word
	}
	s := newScreen(lipgloss.NewRenderer(io.Discard), true, LineWidth)
	words := i
	if i == inkGood {
		words = inkPlain // green is for marks
	}
	return s.in(i, mark) + " mbgate " + s.in(words, word)
}

// NoEvent is the line of a session that mbgate has not heard of: its hooks are not installed, not trusted, or turned off.
func NoEvent(colour bool) string {
	return line("○", "no event yet", inkFaint, colour)
}
