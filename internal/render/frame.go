package render

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Frame lays a text out on a screen of a size that is redrawn again and again: long lines are folded, lines that do not fit
// are counted, and the last line shows end.
func Frame(text string, width, height int, end string) []string {
	lines := strings.Split(ansi.Hardwrap(strings.TrimRight(text, "\n"), width, true), "\n")
	if room := max(0, height-1); len(lines) > room {
		cut := len(lines) - room
		lines = lines[:room]
		end = fmt.Sprintf("%s · %s below; make the window taller", end, plural(cut, "more line"))
	}
	return append(lines, ansi.Truncate(end, width, "…"))
}
