// Package render turns decisions into words: plain text for agents, tables and colour for people.
//
// The voice of the program, for agents and people alike: lower case where it is a message, short sentences, the thing
// by its name, and at the end what to do next. Nothing that comes from a file name, a session id or a prompt reaches a
// terminal or a block of ours as it is (SPEC §18): Safe stands between.
package render

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mbgate/mbgate/internal/event"
)

// sentinel is what the tags of our own blocks begin with (memory-bank, memory-bank-anchors, memory-bank-capsule). A text from
// outside that holds one could end its block early.
const sentinel = "memory-bank"

// Safe is a text of one line, as it may stand in a message: printable as it is, else quoted with Go's escapes.
func Safe(s string) string {
	if printable(s, false) {
		return disarm(s)
	}
	return disarm(strconv.Quote(s))
}

// Clean is a text of several lines without what a terminal or a reader of our blocks would take for more than text:
// control characters and invisible ones are shown escaped, our own tags are broken.
func Clean(s string) string {
	if printable(s, true) {
		return disarm(s)
	}
	var b strings.Builder
	for i, w := 0, 0; i < len(s); i += w {
		var r rune
		r, w = utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\r' && strings.HasPrefix(s[i+w:], "\n"):
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r == utf8.RuneError && w == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case !shows(r):
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		default:
			b.WriteRune(r)
		}
	}
	return disarm(b.String())
}

func printable(s string, lines bool) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if lines && (r == '\n' || r == '\t') {
			continue
		}
		if !shows(r) {
			return false
		}
	}
	return true
}

// shows reports whether a character is what it seems: no control character, none that reorders or hides text. The
// joiner and the variation selector of emoji pass.
func shows(r rune) bool {
	return r == ' ' || r == '\u200d' || r == '\ufe0f' || unicode.IsGraphic(r) && !unicode.Is(unicode.Bidi_Control, r)
}

// disarm breaks our own tags in a text from outside, in whatever case and with blanks in them: a model is no strict
// parser.
func disarm(s string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	var b strings.Builder
	done := 0
	for i := range len(s) {
		if s[i] == '<' && opensTag(s[i+1:]) {
			b.WriteString(s[done:i] + "&lt;")
			done = i + 1
		}
	}
	if done == 0 {
		return s
	}
	return b.String() + s[done:]
}

// opensTag reports whether a text goes on like one of our tags behind its first character.
func opensTag(s string) bool {
	s = strings.TrimLeft(s, "/ \t")
	return len(s) >= len(sentinel) && strings.EqualFold(s[:len(sentinel)], sentinel)
}

// units is the number of UTF-16 units of s, which is how clients written in JavaScript count (SPEC §14).
func units(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}

// Limit is how much of one output a client passes on to the model: Most UTF-16 units, or bytes of UTF-8. The zero Limit is
// none.
type Limit struct {
	Most  int
	Bytes bool
}

// LimitOf is the limit of a client.
func LimitOf(c *event.Client) Limit {
	if c.MaxBytes > 0 {
		return Limit{c.MaxBytes, true}
	}
	return Limit{Most: c.MaxOutput}
}

// size is how much of the limit s takes.
func (l Limit) size(s string) int {
	if l.Bytes {
		return len(s)
	}
	return units(s)
}

// fit is the beginning of s that takes n at most, in whole lines where there is one.
func (l Limit) fit(s string, n int) string {
	if l.size(s) <= n {
		return s
	}
	end, used := 0, 0
	for end < len(s) {
		_, width := utf8.DecodeRuneInString(s[end:])
		if used += l.size(s[end : end+width]); used > n {
			break
		}
		end += width
	}
	s = s[:end]
	if i := strings.LastIndexByte(s, '\n'); i > 0 {
		s = s[:i+1]
	}
	return s
}

// bullets writes a line for each of the first elements of a list and counts the others.
func bullets[T any](b *strings.Builder, list []T, most int, say func(T) string) {
	for _, x := range list[:min(len(list), most)] {
		b.WriteString("- " + say(x) + "\n")
	}
	if n := len(list) - most; n > 0 {
		fmt.Fprintf(b, "- and %d more\n", n)
	}
}

// safeList is a list of texts of one line, with commas between them.
func safeList(list []string) string {
	var safe []string
	for _, s := range list {
		safe = append(safe, Safe(s))
	}
	return strings.Join(safe, ", ")
}

// plural is "1 line", "2 lines".
func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}
