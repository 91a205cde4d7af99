package render

import (
	"strings"
	"unicode/utf8"
)

// The texts in a capsule come from agents, from people and from what they read. In a prompt each of them is one line without
// anything that could end a line or a block: line breaks, control characters, characters that reorder or hide text, code
// fences, tags.

// oneLine is a text as it may stand in a line of ours.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(Clean(s)), " ")
	if !strings.ContainsAny(s, "<`~") {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c == '<' && startsTag(s[i+1:]):
			b.WriteString("&lt;")
		case (c == '`' || c == '~') && len(s) >= i+3 && s[i+1] == c && s[i+2] == c:
			b.WriteByte('\'') // a code fence: three of a kind
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// startsTag reports whether what follows a < makes it the tag of a block that a model may know: any end tag, and the
// beginning of ours and of what clients wrap around what hooks say.
func startsTag(rest string) bool {
	rest = strings.TrimLeft(rest, " ")
	if rest == "" {
		return false
	}
	if strings.IndexByte("/!|", rest[0]) >= 0 {
		return true
	}
	for _, name := range [...]string{"memory-bank", "system", "compact", "hook", "user", "assistant", "tool", "function"} {
		if len(rest) >= len(name) && strings.EqualFold(rest[:len(name)], name) {
			return true
		}
	}
	return false
}

// short is a text as one line of at most so many tokens.
func short(s string, tokens int) string {
	cut := ""
	if most := 16 * tokens; len(s) > most {
		// No more of a long text is looked at than could be shown: no token takes more than four bytes.
		for most > 0 && !utf8.RuneStart(s[most]) {
			most--
		}
		s, cut = s[:most], "…"
	}
	s = oneLine(s) + cut
	if Tokens(s) <= tokens {
		return s
	}
	var n tokenCount
	for i, r := range s {
		n.add(string(r))
		if n.tokens() > tokens-1 {
			return strings.TrimSuffix(s[:i], "…") + "…"
		}
	}
	return s
}
