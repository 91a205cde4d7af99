package agents

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

// Code modes: the model has one tool that runs a script, and the script calls the others. Hooks see each of these calls as if
// the model had made it, but the model sees what the script shows, and that stands in the result of the script (A6).

// maxNamed is how many files the code of a script may name.
const maxNamed = 64

// showScript makes the report of a script one of a read: what it shows, of the files that its code names.
func showScript(ev *event.Event, code string, shows ...string) {
	ev.Script = event.OfScript
	ev.Tool = event.Tool{Name: ev.Tool.Name, Class: event.Read}
	ev.Result = &event.Result{HasText: true}
	for _, text := range shows {
		for _, s := range [...]string{text, inspected(text)} {
			if s != "" {
				ev.Result.Text += strings.TrimSuffix(s, "\n") + "\n"
			}
		}
	}
	for word := range strings.FieldsFuncSeq(code, func(r rune) bool { return strings.ContainsRune("'\"`(){}[],;=<>|& \t\r\n", r) }) {
		path := event.PathArg{Path: word, Op: event.OpRead}
		if len(ev.Tool.Paths) < maxNamed && strings.Contains(word, ".") && !slices.Contains(ev.Tool.Paths, path) {
			ev.Tool.Paths = append(ev.Tool.Paths, path)
		}
	}
}

// inspected are the texts in a value as Node.js prints it for people: each line of a text is a literal of its own, with a plus
// sign behind it ('one\n' +).
func inspected(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimRight(strings.TrimSpace(line), "+, ")
		at := strings.IndexAny(line, "'\"`")
		if at < 0 || len(line) < at+2 || line[len(line)-1] != line[at] || at > 0 && !strings.HasSuffix(line[:at], ": ") {
			continue
		}
		b.WriteString(unescapeLiteral(line[at+1 : len(line)-1]))
	}
	return b.String()
}

// unescapeLiteral is the text of a literal of JavaScript, without its quotes.
func unescapeLiteral(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		digits := map[byte]int{'x': 2, 'u': 4}[s[i]]
		if n, err := strconv.ParseUint(s[min(i+1, len(s)):min(i+1+digits, len(s))], 16, 32); digits > 0 && err == nil {
			b.WriteRune(rune(n))
			i += digits
			continue
		}
		if at := strings.IndexByte("ntrbfv", s[i]); at >= 0 {
			b.WriteByte("\n\t\r\b\f\v"[at])
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}
