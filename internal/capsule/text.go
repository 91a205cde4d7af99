package capsule

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a capsule holds was written by agents, by people, and by whoever wrote what they read. In the rendered text each
// of it is one line that shows what it holds and ends nothing: no line break, no control character, no character that
// reorders or hides text, no code fence, no tag of a block.

// oneLine is a text as it may stand in a line of ours.
func oneLine(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	blank := false
	for i, w := 0, 0; i < len(s); i += w {
		var r rune
		r, w = utf8.DecodeRuneInString(s[i:])
		if r == ' ' || r == '\n' || r == '\r' || r == '\t' {
			blank = true
			continue
		}
		if blank && b.Len() > 0 {
			b.WriteByte(' ')
		}
		blank = false
		switch {
		case r == utf8.RuneError && w == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case !shows(r):
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		case r == '<' && tag(s[i+w:]):
			b.WriteString("&lt;")
		case fence(s[i:], r):
			b.WriteByte('\'')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// plain reports whether a text is a line of ordinary ASCII already, as nearly every one is.
func plain(s string) bool {
	blank := true
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c > '~' || c == '<' || c == '`' || c == '~' || c == ' ' && blank {
			return false
		}
		blank = c == ' '
	}
	return !blank || s == ""
}

// shows reports whether a character is what it seems. It is package render's rule.
func shows(r rune) bool {
	return r == '\u200d' || r == '\ufe0f' || unicode.IsGraphic(r) && !unicode.Is(unicode.Bidi_Control, r)
}

// tag reports whether what follows a < makes it the tag of a block that a model may know: any end tag, and the begin of
// ours and of what clients wrap around what hooks say.
func tag(rest string) bool {
	rest = strings.TrimLeft(rest, " \t\n\r")
	if rest == "" {
		return false
	}
	if rest[0] == '/' || rest[0] == '!' || rest[0] == '|' {
		return true
	}
	for _, name := range [...]string{"memory-bank", "system", "compact", "hook", "user", "assistant", "tool", "function"} {
		if len(rest) >= len(name) && strings.EqualFold(rest[:len(name)], name) {
			return true
		}
	}
	return false
}

// fence reports whether a code fence begins here: three of a kind. Each of them is looked at, so the last two of a row
// stay.
func fence(s string, r rune) bool {
	return (r == '`' || r == '~') && len(s) >= 3 && s[1] == s[0] && s[2] == s[0]
}

// short is a text as one line of at most so many tokens.
func short(s string, tokens int) string {
	if most := 16 * tokens; len(s) > most {
		// Of what is cut anyway no more is looked at than could be shown: no token takes more than four bytes.
		for most > 0 && !utf8.RuneStart(s[most]) {
			most--
		}
		return strings.TrimSuffix(cut(oneLine(s[:most]), tokens-1), "…") + "…"
	}
	return cut(oneLine(s), tokens)
}

// cut is a line of at most so many tokens.
func cut(s string, tokens int) string {
	if Tokens(s) <= tokens {
		return s
	}
	var n size
	for i, r := range s {
		n.add(string(r))
		if n.tokens() > tokens-1 {
			return strings.TrimSuffix(s[:i], "…") + "…"
		}
	}
	return s
}
