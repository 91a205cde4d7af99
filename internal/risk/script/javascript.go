package script

import "strings"

// lexJS splits JavaScript into tokens.
func lexJS(src string) ([]token, string) {
	l := &lexer{s: src, nl: true}
	if l.has("#!") {
		for l.i < len(l.s) && l.s[l.i] != '\n' {
			l.i++
		}
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
		case l.has("//"):
			for l.i < len(l.s) && l.s[l.i] != '\n' {
				l.i++
			}
		case l.has("/*"):
			e := strings.Index(l.s[l.i+2:], "*/")
			if e < 0 {
				l.fail("a comment that is not closed")
				e = len(l.s) - l.i - 4
			}
			if strings.IndexByte(l.s[l.i:min(len(l.s), l.i+e+4)], '\n') >= 0 {
				l.nl = true
			}
			l.i = min(len(l.s), l.i+max(e, 0)+4)
		case c == '"' || c == '\'':
			l.i++
			raw, _ := l.quoted(string(c))
			if n := lineEnd(raw); n >= 0 {
				l.fail("a string that is not closed")
				raw, l.i = raw[:n], start+1+n
			}
			l.add(tStr, unescape(raw), start)
		case c == '`':
			l.i++
			parts := l.template()
			t := l.add(tStr, "", start)
			t.parts = parts
		case c == '/' && l.regexAhead():
			l.i++
			if !l.slashRegex() {
				l.fail("a regular expression that is not closed")
			}
			l.word("")
			l.add(tRegex, "m", start)
		case isAlpha(c) || c == '$':
			l.add(tIdent, l.word("$"), start)
		case c == '#' && isAlpha(l.at(1)):
			l.i++
			l.add(tIdent, "#"+l.word("$"), start)
		case isDigit(c) || c == '.' && isDigit(l.at(1)):
			l.number()
		default:
			l.op(">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "**")
		}
	}
	return l.finish()
}

// template scans a template literal behind its first backtick.
func (l *lexer) template() []part {
	parts := []part{}
	begin := l.i
	flush := func(end int) {
		if end > begin {
			parts = append(parts, part{text: unescape(l.s[begin:end])})
		}
	}
	for l.i < len(l.s) {
		switch c := l.s[l.i]; {
		case c == '\\':
			l.i += 2
		case c == '`':
			flush(l.i)
			l.i++
			return parts
		case c == '$' && l.at(1) == '{':
			flush(l.i)
			l.i += 2
			code, ok := l.code('}')
			if !ok {
				return parts
			}
			parts = append(parts, part{text: code, code: true})
			begin = l.i
		default:
			l.i++
		}
	}
	l.i = len(l.s)
	l.fail("a string that is not closed")
	flush(len(l.s))
	return parts
}

// code scans embedded code up to its closing bracket, which it skips.
func (l *lexer) code(closer byte) (string, bool) {
	start, depth := l.i, 0
	templates := 0
	for l.i < len(l.s) {
		c := l.s[l.i]
		switch {
		case c == '\\':
			l.i++
		case c == '"' || c == '\'':
			l.i++
			if _, ok := l.quoted(string(c)); !ok {
				return "", false
			}
			continue
		case c == '`' && templates < maxLevel:
			templates++
			l.i++
			l.skipTemplate(1)
			continue
		case c == '{' || c == '(' || c == '[':
			depth++
		case depth > 0 && (c == '}' || c == ')' || c == ']'):
			depth--
		case c == closer:
			code := l.s[start:l.i]
			l.i++
			return code, true
		}
		l.i++
	}
	l.i = len(l.s)
	l.fail("a string that is not closed")
	return "", false
}

// skipTemplate skips a template literal inside embedded code.
func (l *lexer) skipTemplate(level int) {
	for l.i < len(l.s) {
		switch c := l.s[l.i]; {
		case c == '\\':
			l.i++
		case c == '`':
			l.i++
			return
		case c == '$' && l.at(1) == '{' && level < 2*maxLevel:
			l.i += 2
			for depth := 1; l.i < len(l.s) && depth > 0; l.i++ {
				switch l.s[l.i] {
				case '{':
					depth++
				case '}':
					depth--
				case '`':
					l.i++
					l.skipTemplate(level + 1)
					l.i--
				}
			}
			continue
		}
		l.i++
	}
}

// jsWord is an operand that begins with a word.
func (p *parser) jsWord(t token) *node {
	u := p.peek(1)
	switch t.text {
	case "null", "undefined":
		p.next()
		return mk(nUnit, "null")
	case "true", "false":
		p.next()
		return mk(nBool, t.text)
	case "function":
		p.next()
		p.accept("*")
		name := ""
		if p.tok().kind == tIdent {
			name = p.next().text
		}
		return p.method(name)
	case "class":
		p.next()
		name := ""
		if p.tok().kind == tIdent && p.tok().text != "extends" {
			name = p.next().text
		}
		return p.classBody(name)
	case "async":
		if u.kind == tIdent && (u.text == "function" || p.peek(2).text == "=>") {
			p.next()
			return p.primary()
		}
	case "yield":
		p.next()
		p.accept("*")
		if p.closes() || p.tok().nl {
			return mk(nUnit, "")
		}
		return p.assign()
	case "import":
		if u.kind == tOp && u.text == "(" {
			p.next()
			return mk(nName, "require")
		}
	case "of", "in", "instanceof", "case", "default", "else", "catch", "finally":
		if t.text != "of" && t.text != "default" && t.text != "catch" && t.text != "finally" {
			return mk(nUnit, "")
		}
	}
	p.next()
	if p.isOp("=>") {
		return p.arrow(mk(nList, "tuple", mk(nName, t.text)))
	}
	return mk(nName, t.text)
}

// jsImport is an import or export statement.
func (p *parser) jsImport(t, u token) (*node, bool) {
	if t.text == "export" {
		p.next()
		p.accept("default")
		if p.isOp("{") || p.isOp("*") {
			for !p.eof() && !p.isOp(";") && !(p.tok().nl && !p.isOp("}")) {
				p.next()
			}
			return nil, true
		}
		return p.braceStatement(), true
	}
	if u.kind == tOp && (u.text == "(" || u.text == ".") {
		return nil, false
	}
	p.next()
	type binding struct{ name, as string }
	var names []binding
	for !p.eof() && p.tok().kind != tStr && !p.isOp(";") {
		w := p.next()
		switch {
		case w.kind == tOp && w.text == "*":
			if p.accept("as") {
				names = append(names, binding{"*", p.next().text})
			}
		case w.kind == tOp && w.text == "{":
			for !p.eof() && !p.isOp("}") {
				b := binding{name: p.next().text}
				b.as = b.name
				if p.accept("as") {
					b.as = p.next().text
				}
				names = append(names, b)
				p.accept(",")
			}
			p.accept("}")
		case w.kind == tIdent && w.text != "from" && w.text != "type":
			names = append(names, binding{"*", w.text})
		}
	}
	b := mk(nBlock, "")
	if p.tok().kind != tStr {
		return b, true
	}
	mod := p.next().text
	for _, n := range names {
		imp := &node{kind: nImport, text: mod, keys: []string{n.as}}
		if n.name != "*" && n.name != "default" {
			imp.text += "." + n.name
		}
		b.kids = append(b.kids, imp)
	}
	return b, true
}
