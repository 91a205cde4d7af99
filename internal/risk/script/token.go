package script

import "strings"

// tkind is the kind of a token.
type tkind uint8

const (
	tEOF      tkind = iota
	tIdent          // identifier or keyword
	tVar            // variable with its sigil: $x @x %x &x $#x
	tNum            // number, as written
	tStr            // string; parts when it interpolates
	tOp             // operator or bracket
	tRegex          // regular expression literal or substitution
	tShell          // text for a shell: backticks, qx, %x
	tReadline       // perl's <FH>; text is what stands between
	tWords          // qw(...), %w[...]; text is the words
)

// token is one lexical unit. All languages share it.
type token struct {
	kind  tkind
	text  string
	parts []part
	// nl is set on the first token of a line, where lines matter; sp when white space stands before it.
	nl, sp bool
	col    int
	pos    int
}

// part is a piece of an interpolating string: text as it stands, or code of the same language.
type part struct {
	text string
	code bool
}

// lexer is what the scanners of all languages share.
type lexer struct {
	s    string
	i    int
	toks []token
	// bad says what was left open at the end: a string, a comment, a here-document, a bracket. A script that does not
	// lex cleanly is never taken for harmless.
	bad   string
	nl    bool
	sp    bool
	stack []byte // open brackets
}

func (l *lexer) at(n int) byte {
	if l.i+n < len(l.s) {
		return l.s[l.i+n]
	}
	return 0
}

func (l *lexer) has(prefix string) bool { return strings.HasPrefix(l.s[l.i:], prefix) }

// add appends a token that began at start.
func (l *lexer) add(k tkind, text string, start int) *token {
	l.toks = append(l.toks, token{kind: k, text: text, nl: l.nl, sp: l.sp, pos: start})
	l.nl, l.sp = false, false
	return &l.toks[len(l.toks)-1]
}

// prev is the last token so far.
func (l *lexer) prev() token {
	if len(l.toks) == 0 {
		return token{}
	}
	return l.toks[len(l.toks)-1]
}

func (l *lexer) fail(what string) {
	if l.bad == "" {
		l.bad = what
	}
}

// bracket keeps the stack of open brackets.
func (l *lexer) bracket(c byte) {
	switch c {
	case '(', '[', '{':
		l.stack = append(l.stack, c)
	case ')', ']', '}':
		open := map[byte]byte{')': '(', ']': '[', '}': '{'}[c]
		if n := len(l.stack); n > 0 && l.stack[n-1] == open {
			l.stack = l.stack[:n-1]
		} else {
			l.fail("a bracket that does not match")
		}
	}
}

// finish closes the token list.
func (l *lexer) finish() ([]token, string) {
	if len(l.stack) > 0 {
		l.fail("a bracket that is not closed")
	}
	l.nl = true
	l.add(tEOF, "", len(l.s))
	return l.toks, l.bad
}

func isAlpha(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isWord(c byte) bool  { return isAlpha(c) || isDigit(c) }
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' }

// word scans an identifier; extra are further bytes that belong to it.
func (l *lexer) word(extra string) string {
	start := l.i
	for l.i < len(l.s) && (isWord(l.s[l.i]) || strings.IndexByte(extra, l.s[l.i]) >= 0) {
		l.i++
	}
	return l.s[start:l.i]
}

// number scans a number; every language here writes them alike enough.
func (l *lexer) number() {
	start := l.i
	for l.i < len(l.s) {
		c := l.s[l.i]
		switch {
		case isWord(c) && c < 0x80:
		case c == '.' && isDigit(l.at(1)):
		case (c == '+' || c == '-') && (l.s[l.i-1] == 'e' || l.s[l.i-1] == 'E') && isDigit(l.at(1)) && !strings.HasPrefix(l.s[start:], "0x"):
		default:
			l.add(tNum, l.s[start:l.i], start)
			return
		}
		l.i++
	}
	l.add(tNum, l.s[start:l.i], start)
}

// op scans the longest of the operators, given longest first in groups of equal length.
func (l *lexer) op(ops ...string) {
	start := l.i
	for _, o := range ops {
		if l.has(o) {
			l.i += len(o)
			l.add(tOp, o, start)
			return
		}
	}
	c := l.s[l.i]
	l.i++
	l.bracket(c)
	l.add(tOp, l.s[start:l.i], start)
}

// quoted returns the raw text up to the unescaped end, which it skips; ok is false when the text ends first.
func (l *lexer) quoted(end string) (string, bool) {
	start := l.i
	for l.i < len(l.s) {
		if l.s[l.i] == '\\' {
			l.i += 2
			continue
		}
		if strings.HasPrefix(l.s[l.i:], end) {
			raw := l.s[start:l.i]
			l.i += len(end)
			return raw, true
		}
		l.i++
	}
	l.i = len(l.s)
	l.fail("a string that is not closed")
	return l.s[min(start, len(l.s)):], false
}

// nested is quoted for brackets that nest, as in q{a{b}c}. open == end does not nest.
func (l *lexer) nested(open, end byte) (string, bool) {
	start, depth := l.i, 1
	for l.i < len(l.s) {
		switch c := l.s[l.i]; {
		case c == '\\':
			l.i++
		case c == end:
			if depth--; depth == 0 {
				raw := l.s[start:l.i]
				l.i++
				return raw, true
			}
		case c == open:
			depth++
		}
		l.i++
	}
	l.i = len(l.s)
	l.fail("a string that is not closed")
	return l.s[min(start, len(l.s)):], false
}

// unescape resolves the backslash sequences that the languages have in common.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 >= len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'a':
			b.WriteByte(7)
		case 'b':
			b.WriteByte(8)
		case 'f':
			b.WriteByte(12)
		case 'v':
			b.WriteByte(11)
		case 'e':
			b.WriteByte(27)
		case '\n':
		case 'x', 'u', 'U':
			n := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
			if i+1 < len(s) && s[i+1] == '{' {
				if e := strings.IndexByte(s[i:min(len(s), i+12)], '}'); e > 0 {
					writeRune(&b, s[i+2:i+e], 16, c == 'x')
					i += e
					continue
				}
			}
			j := i + 1
			for j < len(s) && j <= i+n && isHex(s[j]) {
				j++
			}
			writeRune(&b, s[i+1:j], 16, c == 'x')
			i = j - 1
		case '0', '1', '2', '3', '4', '5', '6', '7':
			j := i
			for j < len(s) && j < i+3 && s[j] >= '0' && s[j] <= '7' {
				j++
			}
			writeRune(&b, s[i:j], 8, true)
			i = j - 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func isHex(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }

// writeRune writes the character with a number in a base, as one byte when it is a byte escape.
func writeRune(b *strings.Builder, digits string, base int, asByte bool) {
	n := 0
	for i := range len(digits) {
		d := int(digits[i]|0x20) - '0'
		if d > 9 {
			d = int(digits[i]|0x20) - 'a' + 10
		}
		if n = n*base + d; n > 0x10ffff {
			return
		}
	}
	if asByte && n < 256 {
		b.WriteByte(byte(n))
		return
	}
	b.WriteRune(rune(n))
}

// rawUnescape resolves only what single-quoted strings of perl, ruby and php know: \\ and the delimiter.
func rawUnescape(s string, delim byte) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (s[i+1] == '\\' || s[i+1] == delim) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
