package render

import (
	"fmt"
	"io"

	"github.com/charmbracelet/lipgloss"
)

// lineWidth is how many columns Line takes at most: it shares a prompt with other things.
const lineWidth = 40

// Line is a session for a prompt or the status line of an agent: a mark where a recovery is pending, mbgate's name, the
// state in a few words. unread is set where the read gate refuses writes of high risk until the project's patterns are
// read. The line is the text itself, without an end.
func (e SessionStatus) Line(unread, colour bool) string {
	word, ink := e.state()
	p := e.Main.Progress
	for _, c := range e.Subs {
		if c.Progress != nil && p == nil && !e.Damaged && e.Problem == "" {
			read, of := count(c.Progress)
			p, word, ink = c.Progress, fmt.Sprintf("subagent %d/%d", read, of), inkWarn
		}
	}
	switch {
	case p != nil && p.Refusals > 0:
		word += fmt.Sprintf(" · %d refused", p.Refusals)
	case unread && word == ready:
		word, ink = "patterns not read", inkWarn
	}
	return line(p != nil || e.Damaged, word, ink, colour)
}

func line(pending bool, word string, i ink, colour bool) string {
	s := newScreen(lipgloss.NewRenderer(io.Discard), colour, lineWidth)
	mark := ""
	if pending {
		mark = s.in(i, "●") + " "
	}
	return mark + "mbgate " + s.in(wordInk(i), word)
}

// NoEvent is the line of a session without an event: its hooks are not installed, not trusted, or turned off.
func NoEvent(colour bool) string { return line(false, "no event yet", inkFaint, colour) }
