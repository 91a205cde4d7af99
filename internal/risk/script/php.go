package script

import "strings"

// lexPHP splits PHP into tokens. A text with an opening tag is a page: what stands outside the tags is printed and no
// code. A text without one is code (php -r).
func lexPHP(src string) ([]token, string) {
	l := &lexer{s: src, nl: true}
	if l.has("#!") {
		for l.i < len(l.s) && l.s[l.i] != '\n' {
			l.i++
		}
	}
	page := strings.Contains(src, "<?php") || strings.Contains(src, "<?=")
	if page {
		l.phpOutside()
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
		case l.has("?>"):
			l.i += 2
			l.add(tOp, ";", start)
			l.phpOutside()
		case l.has("#["):
			l.i++ // an attribute
		case c == '#' || l.has("//"):
			for l.i < len(l.s) && l.s[l.i] != '\n' && !l.has("?>") {
				l.i++
			}
		case l.has("/*"):
			e := strings.Index(l.s[l.i+2:], "*/")
			if e < 0 {
				l.fail("a comment that is not closed")
				l.i = len(l.s)
				break
			}
			l.i += e + 4
		case c == '\'':
			l.i++
			raw, _ := l.quoted("'")
			l.add(tStr, rawUnescape(raw, '\''), start)
		case c == '"':
			l.i++
			raw, _ := l.quoted(`"`)
			l.add(tStr, "", start).parts = dollarParts(raw, PHP)
		case c == '`':
			l.i++
			raw, _ := l.quoted("`")
			l.add(tShell, "", start).parts = dollarParts(raw, PHP)
		case l.has("<<<"):
			l.phpHeredoc()
		case c == '$' && isAlpha(l.at(1)):
			l.i++
			l.add(tVar, "$"+l.word(""), start)
		case isAlpha(c) || c == '\\' && isAlpha(l.at(1)):
			l.add(tIdent, strings.TrimPrefix(l.word("\\"), "\\"), start)
		case isDigit(c) || c == '.' && isDigit(l.at(1)):
			l.number()
		default:
			l.op("<=>", "**=", "...", "<<=", ">>=", "===", "!==", "??=", "?->", "=>", "->", "::", "==", "!=", "<>", "<=", ">=", "&&", "||", "??", "++", "--", "+=", "-=", "*=", "/=", ".=", "%=", "&=", "|=", "^=", "<<", ">>", "**")
		}
	}
	return l.finish()
}

// phpOutside passes over a page's text up to the next opening tag.
func (l *lexer) phpOutside() {
	for l.i < len(l.s) {
		n := strings.Index(l.s[l.i:], "<?")
		if n < 0 {
			l.i = len(l.s)
			return
		}
		l.i += n + 2
		switch {
		case l.has("php"):
			l.i += 3
			return
		case l.has("="):
			start := l.i
			l.i++
			l.add(tIdent, "echo", start)
			return
		}
	}
}

// phpHeredoc scans <<<EOT … EOT.
func (l *lexer) phpHeredoc() {
	start := l.i
	l.i += 3
	for l.i < len(l.s) && isSpace(l.s[l.i]) {
		l.i++
	}
	quote := l.at(0)
	if quote == '\'' || quote == '"' {
		l.i++
	}
	name := l.word("")
	if name == "" {
		l.i = start + 2
		l.add(tOp, "<<", start)
		return
	}
	body, ok := l.hereBody(name, true, strings.IndexByte(l.s[l.i:], '\n')+l.i+1)
	if !ok {
		l.fail("a here-document that is not closed")
	}
	t := l.add(tStr, body, start)
	if quote != '\'' {
		t.parts = dollarParts(body, PHP)
	}
}

// hereBody reads the lines from at up to the one that begins with the end word, and continues behind that word.
func (l *lexer) hereBody(name string, indented bool, at int) (string, bool) {
	begin := at
	for at <= len(l.s) && at > 0 && at < len(l.s) {
		line := l.s[at:]
		if n := strings.IndexByte(line, '\n'); n >= 0 {
			line = line[:n]
		}
		trimmed := line
		if indented {
			trimmed = strings.TrimLeft(line, " \t")
		}
		if rest, ok := strings.CutPrefix(trimmed, name); ok && (rest == "" || !isWord(rest[0])) {
			body := strings.TrimSuffix(l.s[begin:at], "\n")
			l.i = at + len(line) - len(rest)
			return body, true
		}
		at += len(line) + 1
	}
	body := l.s[min(max(begin, 0), len(l.s)):]
	l.i = len(l.s)
	return body, false
}

// dollarParts splits a string that interpolates $x, $x[1], $x->y, {$x…} and ${x}, as PHP and perl have them.
func dollarParts(s string, lang Lang) []part {
	parts := []part{}
	begin := 0
	flush := func(end int) {
		if end > begin {
			parts = append(parts, part{text: unescape(s[begin:end])})
		}
	}
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '\\':
			i += 2
			continue
		case c == '{' && lang == PHP && i+1 < len(s) && s[i+1] == '$':
			e := matching(s, i, '{', '}')
			if e < 0 {
				i++
				continue
			}
			flush(i)
			parts = append(parts, part{text: s[i+1 : e], code: true})
			i = e + 1
			begin = i
			continue
		case (c == '$' || c == '@' && lang == Perl) && i+1 < len(s):
			e, code := dollarEnd(s, i, lang)
			if e > i {
				flush(i)
				parts = append(parts, part{text: code, code: true})
				i, begin = e, e
				continue
			}
		}
		i++
	}
	flush(len(s))
	return parts
}

// matching is the index of the bracket that closes the one at i, -1 if there is none.
func matching(s string, i int, open, end byte) int {
	depth := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case open:
			depth++
		case end:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// dollarEnd is the end of the variable that begins at i, and its code; i when there is none.
func dollarEnd(s string, i int, lang Lang) (int, string) {
	sigil := s[i]
	j := i + 1
	switch {
	case s[j] == '{':
		e := matching(s, j, '{', '}')
		if e < 0 {
			return i, ""
		}
		in := s[j+1 : e]
		j = e + 1
		if isName(strings.TrimPrefix(in, "^")) {
			in = "$" + in
			if sigil == '@' {
				in = "@" + in[1:]
			}
			return dollarTail(s, i, j, in, lang)
		}
		if sigil == '@' {
			return j, in // @{[ … ]}
		}
		return dollarTail(s, i, j, in, lang)
	case isAlpha(s[j]) || lang == Perl && s[j] == ':' && j+2 < len(s) && s[j+1] == ':' && isAlpha(s[j+2]):
		for j < len(s) && (isWord(s[j]) || lang == Perl && s[j] == ':' && j+2 < len(s) && s[j+1] == ':' && isAlpha(s[j+2])) {
			if s[j] == ':' {
				j++
			}
			j++
		}
	case lang == Perl && sigil == '$' && (isDigit(s[j]) || strings.IndexByte("&0!@/\\,;.", s[j]) >= 0):
		j++
		return j, s[i:j]
	case lang == Perl && sigil == '$' && s[j] == '$' && j+1 < len(s) && (isAlpha(s[j+1]) || s[j+1] == '{'):
		e, code := dollarEnd(s, j, lang)
		return e, code
	default:
		return i, ""
	}
	return dollarTail(s, i, j, s[i:j], lang)
}

// dollarTail takes in the subscripts and arrows behind a variable.
func dollarTail(s string, i, j int, code string, lang Lang) (int, string) {
	for j < len(s) {
		rest := s[j:]
		k := j
		arrow := strings.HasPrefix(rest, "->")
		if arrow {
			k += 2
		}
		if k >= len(s) {
			break
		}
		switch {
		case s[k] == '[' && (lang == Perl || !arrow):
			e := matching(s, k, '[', ']')
			if e < 0 || lang == Perl && !arrow && !isIndex(s[k+1:e]) {
				return j, code
			}
			in := s[k+1 : e]
			if lang == PHP && isName(in) {
				in = "'" + in + "'"
			}
			code += s[j:k] + "[" + in + "]"
			j = e + 1
			continue
		case s[k] == '{' && lang == Perl:
			e := matching(s, k, '{', '}')
			if e < 0 {
				return j, code
			}
			code += s[j : e+1]
			j = e + 1
			continue
		case arrow && lang == PHP && isAlpha(s[k]):
			e := k
			for e < len(s) && isWord(s[e]) {
				e++
			}
			code += s[j:e]
			j = e
		}
		break
	}
	return j, code
}

// isIndex reports whether a text in square brackets in a perl string is an index, not a character class.
func isIndex(s string) bool {
	if s == "" {
		return false
	}
	return s[0] == '$' || isDigit(s[0]) || s[0] == '-' && len(s) > 1 && isDigit(s[1])
}

// phpWord is an operand that begins with a word.
func (p *parser) phpWord(t token) *node {
	u := p.peek(1)
	switch strings.ToLower(t.text) {
	case "null":
		p.next()
		return mk(nUnit, "null")
	case "true", "false":
		p.next()
		return mk(nBool, strings.ToLower(t.text))
	case "function", "fn":
		p.next()
		p.accept("&")
		if p.isOp("(") {
			if t.text == "fn" {
				f := mk(nFunc, "")
				for !p.eof() && !p.isOp("=>") && !p.isOp(";") {
					if w := p.next(); w.kind == tVar {
						f.keys = append(f.keys, w.text)
					}
				}
				p.accept("=>")
				f.kids = []*node{mk(nReturn, "return", p.assign())}
				return f
			}
			return p.method("")
		}
		return mk(nName, t.text)
	case "class":
		if u.kind == tOp && (u.text == "{" || u.text == "(") {
			p.next()
			if p.isOp("(") {
				p.paren()
			}
			return p.classBody("")
		}
	case "array", "list":
		if u.kind == tOp && u.text == "(" {
			p.next()
			p.next()
			list := mk(nList, "")
			p.args(list, ")")
			return phpArray(list)
		}
	case "static":
		if u.kind == tIdent && (u.text == "fn" || u.text == "function") {
			p.next()
			return p.primary()
		}
	case "throw", "yield":
		p.next()
		if p.closes() {
			return mk(nUnit, "")
		}
		return p.assign()
	case "match":
		if u.kind == tOp && u.text == "(" {
			p.next()
			n := mk(nIf, "open", p.condition())
			if p.accept("{") {
				d := p.dict()
				for i := 1; i < len(d.kids); i += 2 {
					n.kids = append(n.kids, d.kids[i])
				}
			}
			return n
		}
	case "exit", "die":
		p.next()
		if p.isOp("(") {
			return mk(nName, "exit")
		}
		return mk(nUnit, "exit")
	}
	p.next()
	return mk(nName, t.text)
}

// phpArray turns an array with keys into a dictionary.
func phpArray(list *node) *node {
	keyed := false
	for _, k := range list.keys[min(1, len(list.keys)):] {
		keyed = keyed || k != ""
	}
	if !keyed {
		list.keys = nil
		return list
	}
	d := mk(nDict, "")
	for i, v := range list.kids {
		d.kids = append(d.kids, mk(nStr, list.keys[i+1]), v)
	}
	return d
}
