package script

import "strings"

// lexLua splits lua into tokens.
func lexLua(src string) ([]token, string) {
	l := &lexer{s: src, nl: true}
	if l.has("#!") {
		l.toLineEnd()
	}
	for l.i < len(l.s) {
		c := l.s[l.i]
		start := l.i
		switch {
		case c == '\n':
			l.i++
			l.nl = true
		case isSpace(c):
			l.i++
			l.sp = true
		case l.has("--"):
			l.i += 2
			if n := l.longBracket(); n >= 0 {
				l.longString(n)
				break
			}
			l.toLineEnd()
		case c == '"' || c == '\'':
			l.i++
			raw, _ := l.quoted(string(c))
			if n := lineEnd(raw); n >= 0 {
				l.fail("a string that is not closed")
				raw, l.i = raw[:n], start+1+n
			}
			l.add(tStr, luaUnescape(raw), start)
		case c == '[' && l.longBracket() >= 0:
			s := l.longString(l.longBracket())
			l.add(tStr, s, start)
		case isAlpha(c):
			l.add(tIdent, l.word(""), start)
		case isDigit(c) || c == '.' && isDigit(l.at(1)):
			l.number()
		default:
			l.op("...", "..", "==", "~=", "<=", ">=", "::", "//", "<<", ">>")
		}
	}
	return l.finish()
}

// longBracket is the number of = in [==[, -1 when there is none here.
func (l *lexer) longBracket() int {
	if l.at(0) != '[' {
		return -1
	}
	n := 0
	for l.at(1+n) == '=' && n < 200 {
		n++
	}
	if l.at(1+n) == '[' {
		return n
	}
	return -1
}

// longString scans [==[ … ]==].
func (l *lexer) longString(n int) string {
	l.i += n + 2
	end := "]" + strings.Repeat("=", n) + "]"
	e := strings.Index(l.s[min(l.i, len(l.s)):], end)
	if e < 0 {
		l.fail("a string that is not closed")
		s := l.s[min(l.i, len(l.s)):]
		l.i = len(l.s)
		return s
	}
	s := l.s[l.i : l.i+e]
	l.i += e + len(end)
	return strings.TrimPrefix(s, "\n")
}

// luaUnescape resolves lua's escapes: \065 is decimal there, and \z swallows white space.
func luaUnescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 >= len(s) {
			b.WriteByte(s[i])
			continue
		}
		switch c := s[i+1]; {
		case isDigit(c):
			n, j := 0, i+1
			for j < len(s) && j < i+4 && isDigit(s[j]) {
				n = n*10 + int(s[j]-'0')
				j++
			}
			if n < 256 {
				b.WriteByte(byte(n))
			}
			i = j - 1
		case c == 'z':
			i++
			for i+1 < len(s) && (isSpace(s[i+1]) || s[i+1] == '\n') {
				i++
			}
		case c == 'x' || c == 'u':
			j := i + 2
			for j < len(s) && j < i+10 && (isHex(s[j]) || s[j] == '{' || s[j] == '}') {
				if j++; s[j-1] == '}' || c == 'x' && j == i+4 {
					break
				}
			}
			b.WriteString(unescape(s[i:j]))
			i = j - 1
		default:
			b.WriteString(unescape(s[i : i+2]))
			i++
		}
	}
	return b.String()
}
