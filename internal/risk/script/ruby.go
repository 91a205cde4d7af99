package script

import "strings"

// lexRuby splits ruby into tokens.
func lexRuby(src string) ([]token, string) {
	l := &perlLexer{lexer: lexer{s: src, nl: true}}
	for l.i < len(l.s) {
		c := l.s[l.i]
		switch {
		case c == '\n':
			l.i++
			l.nl = true
			l.rubyBodies()
			l.rubyComment()
		case isSpace(c):
			l.i++
			l.sp = true
		case c == '\\' && l.at(1) == '\n':
			l.i += 2
			l.sp = true
		case c == '#':
			l.toLineEnd()
		case l.i == 0 && l.has("=begin"):
			l.rubyComment()
		default:
			if l.ruby(c) {
				l.i = len(l.s)
			}
		}
	}
	if len(l.here) > 0 {
		l.fail("a here-document that is not closed")
	}
	return l.finish()
}

// rubyComment passes over =begin … =end.
func (l *lexer) rubyComment() {
	if !l.has("=begin") {
		return
	}
	e := strings.Index(l.s[l.i:], "\n=end")
	if e < 0 {
		l.i = len(l.s)
		return
	}
	l.i += e + 1
	l.toLineEnd()
}

func (l *perlLexer) rubyBodies() {
	for _, h := range l.here {
		body, end, ok := hereText(l.s, l.i, h.name, h.indented)
		l.i = end
		if !ok {
			l.fail("a here-document that is not closed")
		}
		t := &l.toks[h.tok]
		if h.indented {
			body = dedent(body)
		}
		if h.quoted {
			t.text = body
			continue
		}
		sub := &lexer{s: body}
		t.parts = sub.rubyParts(0, 0)
	}
	l.here = nil
}

// dedent takes away the indentation that all lines have.
func dedent(s string) string {
	least := -1
	for line := range strings.Lines(s) {
		t := strings.TrimLeft(line, " \t")
		if t == "" || t == "\n" {
			continue
		}
		if n := len(line) - len(t); least < 0 || n < least {
			least = n
		}
	}
	if least <= 0 {
		return s
	}
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString(line[min(least, len(line)-len(strings.TrimLeft(line, " \t"))):])
	}
	return b.String()
}

// rubyParts scans interpolating text up to end; open is its opening bracket if it nests. end 0 takes all the text.
func (l *lexer) rubyParts(open, end byte) []part {
	parts := []part{}
	begin, depth := l.i, 0
	flush := func(to int) {
		if to > begin {
			parts = append(parts, part{text: unescape(l.s[begin:to])})
		}
	}
	for l.i < len(l.s) {
		c := l.s[l.i]
		switch {
		case c == '\\':
			l.i += 2
			continue
		case c == '#' && l.at(1) == '{':
			flush(l.i)
			l.i += 2
			code, ok := l.code('}')
			if !ok {
				return parts
			}
			parts = append(parts, part{text: code, code: true})
			begin = l.i
			continue
		case end != 0 && c == end && depth == 0:
			flush(l.i)
			l.i++
			return parts
		case end != 0 && c == end:
			depth--
		case open != 0 && open != end && c == open:
			depth++
		}
		l.i++
	}
	l.i = min(l.i, len(l.s))
	flush(l.i)
	if end != 0 {
		l.fail("a string that is not closed")
	}
	return parts
}

// ruby scans one token; it is true at __END__.
func (l *perlLexer) ruby(c byte) bool {
	start := l.i
	operand := l.rubyOperand()
	switch {
	case c == '\'':
		l.i++
		raw, _ := l.quoted("'")
		l.add(tStr, rawUnescape(raw, '\''), start)
	case c == '"':
		l.i++
		parts := l.rubyParts(0, '"')
		if l.at(0) == ':' && l.at(1) != ':' && (l.prev().text == "{" || l.prev().text == "," || l.prev().text == "(") {
			l.i++
			l.add(tStr, "", start).parts = parts
			l.add(tOp, "=>", start)
			return false
		}
		l.add(tStr, "", start).parts = parts
	case c == '`':
		l.i++
		parts := l.rubyParts(0, '`')
		l.add(tShell, "", start).parts = parts
	case c == '%' && operand && l.percent():
	case c == '/' && operand:
		l.i++
		parts := l.rubyParts(0, '/')
		l.word("")
		t := l.add(tRegex, "m", start)
		for _, p := range parts {
			if p.code {
				t.parts = append(t.parts, p)
			}
		}
	case c == '<' && l.has("<<") && (operand || l.sp && l.at(2) != ' ') && l.rubyHere():
	case c == ':' && l.at(1) == '"' && operand:
		l.i += 2
		l.add(tStr, "", start).parts = l.rubyParts(0, '"')
	case c == ':' && isAlpha(l.at(1)) && (operand || l.sp || l.prev().text == "(" || l.prev().kind != tIdent):
		l.i++
		w := l.word("")
		if n := l.at(0); (n == '?' || n == '!') && l.at(1) != '=' {
			l.i++
			w += string(n)
		}
		l.add(tStr, w, start)
	case c == '?' && operand && l.at(1) != 0 && !isSpace(l.at(1)) && l.at(1) != '\n' && !isWord(l.at(2)):
		l.i += 2
		l.add(tStr, l.s[start+1:l.i], start)
	case c == '$' && (isAlpha(l.at(1)) || isDigit(l.at(1))):
		l.i++
		l.add(tVar, "$"+l.word(""), start)
	case c == '$' && l.at(1) != 0:
		l.i += 2
		l.add(tVar, l.s[start:l.i], start)
	case c == '@':
		l.i++
		if l.at(0) == '@' {
			l.i++
		}
		l.word("")
		l.add(tVar, l.s[start:l.i], start)
	case isAlpha(c):
		w := l.word("")
		if n := l.at(0); (n == '?' || n == '!') && l.at(1) != '=' && !(n == '?' && l.at(1) == ':' && l.at(2) != ':') {
			l.i++
			w += string(n)
		}
		if w == "__END__" {
			return true
		}
		l.add(tIdent, w, start)
	case isDigit(c):
		l.number()
	default:
		l.op("**=", "<=>", "===", "...", "<<=", ">>=", "&&=", "||=", "&.", "->", "=>", "==", "!=", "=~", "!~", "<=", ">=", "&&", "||", "..", "::", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "**", "<<", ">>")
	}
	return false
}

// rubyOperand reports whether an operand is expected: behind an operator, or behind a method's name and a space where no
// space follows (puts /x/, puts %w[a]).
func (l *lexer) rubyOperand() bool {
	if l.nl {
		return true
	}
	p := l.prev()
	if p.kind == tIdent {
		switch p.text {
		case "if", "unless", "while", "until", "and", "or", "not", "when", "in", "return", "then", "do", "else", "elsif", "puts", "p", "print":
			return true
		}
		return l.sp && !isSpace(l.at(1)) && l.at(1) != '=' && l.at(1) != '\n'
	}
	return l.operandAhead()
}

// percent scans %q(), %w[], %x{} and their kin.
func (l *perlLexer) percent() bool {
	start := l.i
	kind := l.at(1)
	d := kind
	n := 2
	if isAlpha(kind) {
		if strings.IndexByte("qQwWiIxrs", kind) < 0 {
			return false
		}
		d = l.at(2)
		n = 3
	} else {
		kind = 'Q'
	}
	if d == 0 || isWord(d) || isSpace(d) || d == '\n' || d == '=' {
		return false
	}
	l.i += n
	switch kind {
	case 'q', 's':
		l.add(tStr, rawUnescape(l.delimited(d), d), start)
	case 'w', 'i', 'W', 'I':
		l.add(tWords, l.delimited(d), start)
	case 'x':
		parts := l.rubyParts(d, closing(d))
		l.add(tShell, "", start).parts = parts
	case 'r':
		l.rubyParts(d, closing(d))
		l.word("")
		l.add(tRegex, "m", start)
	default:
		parts := l.rubyParts(d, closing(d))
		l.add(tStr, "", start).parts = parts
	}
	return true
}

// rubyHere scans the announcement of a here-document.
func (l *perlLexer) rubyHere() bool {
	start := l.i
	h := hereDoc{}
	j := l.i + 2
	if j < len(l.s) && (l.s[j] == '~' || l.s[j] == '-') {
		h.indented = true
		j++
	}
	if j >= len(l.s) {
		return false
	}
	l.i = j
	shell := false
	switch q := l.s[j]; {
	case q == '"' || q == '\'' || q == '`':
		l.i++
		h.name, _ = l.quoted(string(q))
		h.quoted, shell = q == '\'', q == '`'
	case q >= 'A' && q <= 'Z' || q == '_' || h.indented && isAlpha(q):
		h.name = l.word("")
	default:
		l.i = start
		return false
	}
	kind := tStr
	if shell {
		kind = tShell
	}
	l.add(kind, "", start)
	h.tok = len(l.toks) - 1
	l.here = append(l.here, h)
	return true
}
