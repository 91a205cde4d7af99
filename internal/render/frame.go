package render

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Frame is a text as the lines of a screen of that size, which is drawn over and over: what is longer than a line goes on
// in the next one, what does not fit below is counted, and on the last line stands how it is ended.
func Frame(text string, width, height int, end string) []string {
	lines := strings.Split(ansi.Hardwrap(strings.TrimRight(text, "\n"), width, true), "\n")
	if room := max(0, height-1); len(lines) > room {
		cut := len(lines) - room
		lines = lines[:room]
		end = fmt.Sprintf("%s · %s below; make the window taller", end, plural(cut, "more line"))
	}
	return append(lines, ansi.Truncate(end, width, "…"))
}
