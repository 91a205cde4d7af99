// Package bank reads the memory bank's entry, memory-bank/MEMORY.md: the current focus that the anchor block repeats
// (R2), and the fingerprint by which two versions are told apart (SPEC §14). It is pure and imports no other
// package of mbgate. Start with Focus.
package bank

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Where the memory bank's files are (SPEC §1), as canonical paths.
const (
	Dir      = "memory-bank"
	Details  = "memory-bank/details"
	Entry    = "memory-bank/MEMORY.md"
	Patterns = "memory-bank/details/patterns.md"
)

// Limits of the current focus (R2).
const (
	focusItems = 5
	focusRunes = 160
)

// headings are the words that make a heading the one of the current focus.
var headings = [...]string{"Current Focus", "当前焦点", "当前重点"}

// Focus lists the items below the first heading that names the current focus, up to the next heading of its level or a
// higher one: the first five, as they stand, 160 characters each.
func Focus(memory string) []string {
	var out []string
	level, fence := 0, ""
	for line := range strings.Lines(memory) {
		line = strings.TrimRight(line, "\r\n")
		t := strings.TrimSpace(line)
		if f := fenceOf(t); f != "" && (fence == "" || f == fence) {
			if fence == "" {
				fence = f
			} else {
				fence = ""
			}
			continue
		}
		if fence != "" {
			continue
		}
		if n := headingLevel(t); n > 0 {
			if level > 0 && n <= level {
				return out
			}
			if level == 0 && namesFocus(t) {
				level = n
			}
			continue
		}
		if level == 0 {
			continue
		}
		if item := listItem(t); item != "" {
			out = append(out, cut(item, focusRunes))
			if len(out) == focusItems {
				return out
			}
		}
	}
	return out
}

func headingLevel(t string) int {
	n := 0
	for n < len(t) && t[n] == '#' {
		n++
	}
	if n == 0 || n > 6 || n < len(t) && t[n] != ' ' && t[n] != '\t' {
		return 0
	}
	return n
}

func namesFocus(heading string) bool {
	for _, h := range headings {
		if strings.Contains(heading, h) {
			return true
		}
	}
	return false
}

func fenceOf(t string) string {
	for _, f := range [...]string{"```", "~~~"} {
		if strings.HasPrefix(t, f) {
			return f
		}
	}
	return ""
}

// listItem is the text of a list item, "" when the line is none.
func listItem(t string) string {
	for _, m := range [...]string{"- ", "* ", "+ "} {
		if s, ok := strings.CutPrefix(t, m); ok {
			return strings.TrimSpace(s)
		}
	}
	i := 0
	for i < len(t) && t[i] >= '0' && t[i] <= '9' {
		i++
	}
	if i > 0 && i < 4 && i+1 < len(t) && (t[i] == '.' || t[i] == ')') && t[i+1] == ' ' {
		return strings.TrimSpace(t[i+2:])
	}
	return ""
}

func cut(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i] + "…"
		}
		n--
	}
	return s
}

// Fingerprint names a version of MEMORY.md by 12 hexadecimal digits.
func Fingerprint(memory []byte) string {
	sum := sha256.Sum256(memory)
	return hex.EncodeToString(sum[:6])
}
