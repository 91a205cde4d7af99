package script

import "strings"

// lexPython splits Python text into tokens. A token that begins a logical line carries its column, which takes the place
// of INDENT and DEDENT.
func lexPython(src string) ([]token, string) {
	l := &lexer{s: src, nl: true}
	lineStart := 0
	for l.i < len(l.s) {
		c := l.s[l.i]
		switch {
		case c == '\n':
			l.i++
			if len(l.stack) == 0 {
				l.nl = true
			}
			lineStart = l.i
		case isSpace(c):
			l.i++
			l.sp = true
		case c == '\\' && (l.at(1) == '\n' || l.at(1) == '\r' && l.at(2) == '\n'):
			l.i += 2
			if l.s[l.i-1] == '\r' {
				l.i++
			}
			l.sp = true
		case c == '#':
			for l.i < len(l.s) && l.s[l.i] != '\n' {
				l.i++
			}
		default:
			n := len(l.toks)
			nl, begin := l.nl, l.i
			l.python(c)
			if nl && len(l.toks) > n {
				l.toks[n].col = column(l.s[lineStart:begin])
			}
		}
	}
	toks, bad := l.finish()
	return toks, bad
}

// column is the width of an indentation.
func column(indent string) int {
	n := 0
	for i := range len(indent) {
		if indent[i] == '\t' {
			n = n/8*8 + 8
		} else {
			n++
		}
	}
	return n
}

func (l *lexer) python(c byte) {
	switch {
	case c == '"' || c == '\'':
		l.pyString("")
	case isAlpha(c):
		start := l.i
		w := l.word("")
		if q := l.at(0); (q == '"' || q == '\'') && len(w) <= 2 && strings.Trim(strings.ToLower(w), "rbuft") == "" {
			l.i = start + len(w)
			l.pyString(strings.ToLower(w))
			return
		}
		l.add(tIdent, w, start)
	case isDigit(c) || c == '.' && isDigit(l.at(1)):
		l.number()
	default:
		l.op("**=", "//=", ">>=", "<<=", "...", "!=", "==", "<=", ">=", "<>", "->", ":=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "@=", "**", "//", "<<", ">>")
	}
}

// pyString scans a string whose prefix is read already.
func (l *lexer) pyString(prefix string) {
	start := l.i
	q := l.s[l.i : l.i+1]
	if l.has(q + q + q) {
		q = q + q + q
	}
	l.i += len(q)
	raw := strings.Contains(prefix, "r")
	if strings.ContainsAny(prefix, "ft") {
		parts := l.pyFormat(q, raw)
		l.add(tStr, "", start).parts = parts
		return
	}
	bodyStart := l.i
	text, ok := l.quoted(q)
	if len(q) == 1 {
		// A plain string ends with its line; a missing quote must not swallow the rest of the script.
		if n := lineEnd(text); n >= 0 {
			l.fail("a string that is not closed")
			text, l.i = text[:n], bodyStart+n
		}
	}
	_ = ok
	if !raw {
		text = unescape(text)
	}
	l.add(tStr, text, start)
}

// lineEnd is the index of the first newline that no backslash escapes, -1 if there is none.
func lineEnd(s string) int {
	if strings.IndexByte(s, '\n') < 0 {
		return -1
	}
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '\n':
			return i
		}
	}
	return -1
}

// pyFormat scans an f-string up to its closing quote q. Inside braces quotes nest (Python 3.12).
func (l *lexer) pyFormat(q string, raw bool) []part {
	parts := []part{}
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			s := text.String()
			if !raw {
				s = unescape(s)
			}
			parts = append(parts, part{text: s})
			text.Reset()
		}
	}
	for l.i < len(l.s) {
		c := l.s[l.i]
		switch {
		case l.has(q):
			l.i += len(q)
			flush()
			return parts
		case c == '\\' && l.i+1 < len(l.s):
			text.WriteString(l.s[l.i : l.i+2])
			l.i += 2
		case c == '\n' && len(q) == 1:
			l.fail("a string that is not closed")
			flush()
			return parts
		case c == '{' && l.at(1) == '{', c == '}' && l.at(1) == '}':
			text.WriteByte(c)
			l.i += 2
		case c == '{':
			flush()
			code, ok := l.pyField(len(q) == 1)
			if !ok {
				return parts
			}
			parts = append(parts, part{text: code, code: true})
		default:
			text.WriteByte(c)
			l.i++
		}
	}
	l.fail("a string that is not closed")
	flush()
	return parts
}

// pyField scans {expr!r:spec} and returns the expression.
func (l *lexer) pyField(oneLine bool) (string, bool) {
	l.i++
	start, end, depth := l.i, -1, 0
	for l.i < len(l.s) {
		switch c := l.s[l.i]; {
		case c == '\'' || c == '"':
			if end < 0 {
				q := string(c)
				if l.has(q + q + q) {
					q = q + q + q
				}
				l.i += len(q)
				if _, ok := l.quoted(q); !ok {
					return "", false
				}
				continue
			}
		case c == '\n' && oneLine && depth == 0:
			l.fail("a string that is not closed")
			return "", false
		case c == '(' || c == '[' || c == '{':
			depth++
		case (c == ')' || c == ']' || c == '}') && depth > 0:
			depth--
		case c == '}':
			if end < 0 {
				end = l.i
			}
			code := l.s[start:end]
			l.i++
			return strings.TrimSuffix(strings.TrimSpace(code), "="), true
		case depth == 0 && end < 0 && (c == ':' || c == '!' && l.at(1) != '='):
			end = l.i
		}
		l.i++
	}
	l.fail("a string that is not closed")
	return "", false
}

// pyProgram parses a whole script.
func (p *parser) pyProgram() *node {
	b := mk(nBlock, "")
	for p.toks[p.i].kind != tEOF {
		start := p.i
		p.line = p.i
		if s := p.pyStatement(); s != nil {
			b.kids = append(b.kids, s)
		}
		for p.accept(";") {
		}
		if p.i == start {
			p.skip()
		}
	}
	return b
}

// pyBlock parses what belongs to a colon: the rest of the line, or the lines that are indented deeper than col.
func (p *parser) pyBlock(col int) *node {
	p.toColon()
	b := mk(nBlock, "")
	if !p.enter() {
		return b
	}
	defer p.leave()
	first := p.toks[p.i]
	for p.toks[p.i].kind != tEOF {
		t := p.toks[p.i]
		if first.nl && (t.nl && t.col <= col) || !first.nl && t.nl {
			break
		}
		start := p.i
		if t.nl {
			p.line = p.i
		}
		if s := p.pyStatement(); s != nil {
			b.kids = append(b.kids, s)
		}
		for p.accept(";") {
		}
		if p.i == start {
			p.skip()
		}
	}
	return b
}

// toColon passes over a block's colon and what may stand before it (a return annotation).
func (p *parser) toColon() {
	for !p.eof() && !p.isOp(":") {
		if p.tok().nl {
			return
		}
		p.skip()
	}
	p.accept(":")
}

func (p *parser) pyStatement() *node {
	t := p.tok()
	if t.kind == tOp && t.text == "@" {
		p.next()
		d := p.assign()
		return mk(nBlock, "decorated", d)
	}
	if t.kind != tIdent {
		return p.pySimple()
	}
	col := t.col
	if !t.nl {
		col = p.toks[p.line].col
	}
	u := p.peek(1)
	switch t.text {
	case "async":
		if u.kind == tIdent {
			p.next()
			p.toks[p.i].col = col
			return p.pyStatement()
		}
	case "import", "from":
		p.next()
		return p.pyImport(t.text == "from")
	case "def":
		p.next()
		f := mk(nFunc, p.next().text)
		if p.isOp("[") {
			p.next()
			p.closeIndex("]")
		}
		if p.accept("(") {
			f.keys = p.pyParams(")")
		}
		if p.accept("->") {
			p.climb(precCond)
		}
		f.kids = []*node{p.pyBlock(col)}
		return f
	case "class":
		p.next()
		c := mk(nClass, p.next().text)
		if p.accept("(") {
			p.args(&node{kind: nCall, kids: []*node{mk(nUnit, "")}}, ")")
			c.keys = []string{"base"}
		}
		c.kids = []*node{p.pyBlock(col)}
		return c
	case "if", "while":
		p.next()
		cond := p.commas()
		body := p.pyBlock(col)
		if t.text == "while" {
			n := mk(nWhile, "", cond, body)
			return p.pyElse(mk(nBlock, "", n), col)
		}
		return p.pyElse(mk(nIf, "", cond, body), col)
	case "for":
		p.next()
		target := p.targets()
		p.accept("in")
		iter := p.commas()
		return p.pyElse(mk(nBlock, "", mk(nFor, "", target, iter, p.pyBlock(col))), col)
	case "try":
		p.next()
		n := mk(nTry, "", p.pyBlock(col))
		for p.continues(col, "except", "finally", "else") {
			w := p.next().text
			if w == "except" {
				p.accept("*")
				if !p.isOp(":") {
					p.commas()
				}
				if p.accept("as") {
					p.next()
				}
			}
			b := p.pyBlock(col)
			if w != "except" {
				b.text = "always"
			}
			n.kids = append(n.kids, b)
		}
		return n
	case "with":
		p.next()
		b := mk(nBlock, "")
		wrapped := p.isOp("(") && p.withParens()
		if wrapped {
			p.next()
		}
		for !p.eof() && !p.isOp(":") {
			start := p.i
			v := p.assign()
			if p.accept("as") {
				target := p.targetOf()
				b.kids = append(b.kids, mk(nAssign, "=", target, v))
			} else {
				b.kids = append(b.kids, v)
			}
			if !p.accept(",") && p.i == start {
				break
			}
			if wrapped && p.accept(")") {
				break
			}
		}
		b.kids = append(b.kids, p.pyBlock(col))
		return b
	case "return", "yield", "raise", "assert", "del":
		p.next()
		n := mk(nReturn, t.text)
		if !p.tok().nl && !p.isOp(";") && !p.eof() {
			p.accept("from")
			n.kids = append(n.kids, p.commas())
			if t.text == "raise" && p.accept("from") {
				p.assign()
			}
		}
		if t.text != "return" {
			n.kind = nBlock
		}
		return n
	case "pass":
		p.next()
		return nil
	case "break", "continue":
		p.next()
		return mk(nJump, t.text)
	case "global", "nonlocal":
		p.next()
		for !p.eof() && !p.tok().nl && !p.isOp(";") {
			p.next()
		}
		return nil
	case "print", "exec":
		// Python 2's statements.
		if !u.nl && (u.kind == tStr || u.kind == tIdent && u.text != "in" && u.text != "is" && u.text != "if" && u.text != "and" && u.text != "or" || u.kind == tNum || u.kind == tOp && u.text == ">>") {
			p.next()
			c := mk(nCall, "", mk(nName, t.text))
			stderr := p.accept(">>")
			if !p.tok().nl && !p.isOp(";") && !p.eof() {
				a := p.commas()
				if a.kind == nList && a.text == "tuple" {
					c.kids = append(c.kids, a.kids...)
				} else {
					c.kids = append(c.kids, a)
				}
			}
			if stderr && len(c.kids) > 1 {
				c.keys = make([]string, len(c.kids))
				c.keys[1] = "file"
			}
			return c
		}
	case "match":
		if u.kind != tOp || u.text == "(" || u.text == "[" {
			if n := p.pyMatch(col); n != nil {
				return n
			}
		}
	}
	return p.pySimple()
}

// pyMatch is a match statement; nil when "match" is an ordinary name here.
func (p *parser) pyMatch(col int) *node {
	for j := p.i + 1; j < len(p.toks) && !p.toks[j].nl; j++ {
		if p.toks[j].kind == tOp && p.toks[j].text == ":" && p.toks[j+1].nl && p.toks[j+1].text == "case" {
			p.next()
			n := mk(nIf, "", p.commas())
			p.toColon()
			for p.toks[p.i].text == "case" && p.toks[p.i].nl && p.toks[p.i].col > col {
				p.line = p.i
				c := p.tok().col
				p.next()
				p.commas()
				n.kids = append(n.kids, p.pyBlock(c))
			}
			return n
		}
	}
	return nil
}

// withParens reports whether with is followed by a bracketed list of items that have names.
func (p *parser) withParens() bool {
	depth := 0
	for j := p.i; j < len(p.toks) && j < p.i+400; j++ {
		t := p.toks[j]
		if t.kind == tIdent && t.text == "as" && depth == 1 {
			return true
		}
		if t.kind != tOp {
			continue
		}
		switch t.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 {
				return false
			}
		}
	}
	return false
}

// targetOf is the name behind "as".
func (p *parser) targetOf() *node { return p.climb(precBit) }

// continues reports whether the next line goes on with a statement at that column, and enters it.
func (p *parser) continues(col int, words ...string) bool {
	t := p.toks[p.i]
	if t.kind != tIdent || !t.nl || t.col != col {
		return false
	}
	for _, w := range words {
		if t.text == w {
			p.line = p.i
			return true
		}
	}
	return false
}

// pyElse collects the branches that belong to an if or a loop.
func (p *parser) pyElse(n *node, col int) *node {
	for p.continues(col, "elif", "else") {
		if p.next().text == "elif" {
			cond := p.commas()
			b := p.pyBlock(col)
			n.kids = append(n.kids, mk(nBlock, "", cond, b))
			continue
		}
		n.kids = append(n.kids, p.pyBlock(col))
	}
	return n
}

// pyParams are parameter names; defaults are dropped but their code is kept nowhere, they only hold constants in life.
func (p *parser) pyParams(closer string) []string {
	var names []string
	for !p.eof() && !p.isOp(closer) {
		start := p.i
		star := p.accept("*") || p.accept("**")
		p.accept("/")
		if p.tok().kind == tIdent {
			name := p.next().text
			if star {
				name = "*" + name
			}
			names = append(names, name)
		}
		if closer == ")" && p.accept(":") {
			p.climb(precCond)
		}
		if p.accept("=") {
			p.climb(precCond)
		}
		if !p.accept(",") && p.i == start {
			p.skip()
		}
		if closer == ":" && p.tok().nl {
			break
		}
	}
	p.accept(closer)
	return names
}

// pyImport is the rest of an import statement.
func (p *parser) pyImport(from bool) *node {
	b := mk(nBlock, "")
	if !from {
		for !p.eof() && !p.tok().nl && !p.isOp(";") {
			start := p.i
			mod := p.pyModule()
			alias := mod
			if i := strings.IndexByte(mod, '.'); i >= 0 {
				alias = mod[:i]
			}
			imp := &node{kind: nImport, text: alias, keys: []string{alias}}
			if p.accept("as") {
				imp.text, imp.keys[0] = mod, p.next().text
			}
			b.kids = append(b.kids, imp)
			if !p.accept(",") || p.i == start {
				break
			}
		}
		return b
	}
	mod := p.pyModule()
	if !p.accept("import") {
		return b
	}
	paren := p.accept("(")
	for !p.eof() && !p.isOp(")") && (paren || !p.tok().nl) && !p.isOp(";") {
		t := p.next()
		imp := &node{kind: nImport, text: mod + "." + t.text, keys: []string{t.text}}
		if t.text == "*" {
			imp.text = mod
		}
		if p.accept("as") {
			imp.keys[0] = p.next().text
		}
		b.kids = append(b.kids, imp)
		if !p.accept(",") {
			break
		}
	}
	if paren {
		p.accept(")")
	}
	return b
}

func (p *parser) pyModule() string {
	var b strings.Builder
	for p.isOp(".") || p.isOp("...") {
		b.WriteString(p.next().text)
	}
	for p.tok().kind == tIdent && p.tok().text != "import" && p.tok().text != "as" {
		b.WriteString(p.next().text)
		if !p.isOp(".") {
			break
		}
		b.WriteString(p.next().text)
	}
	return b.String()
}

// pySimple is an expression statement or an assignment.
func (p *parser) pySimple() *node {
	if !p.enter() {
		return mk(nUnit, "")
	}
	defer p.leave()
	left := p.commas()
	if p.isOp(":") && !p.tok().nl { // annotation
		p.next()
		p.climb(precCond)
	}
	if p.tok().nl {
		return left
	}
	if t := p.tok(); t.kind == tOp && p.binary() == precAssign {
		p.next()
		return mk(nAssign, t.text, left, p.pySimple())
	}
	return left
}

// pyWord is an operand that begins with a word.
func (p *parser) pyWord(t token) *node {
	switch t.text {
	case "None":
		p.next()
		return mk(nUnit, "None")
	case "True", "False":
		p.next()
		return mk(nBool, t.text)
	case "lambda":
		p.next()
		f := mk(nFunc, "")
		f.keys = p.pyParams(":")
		f.kids = []*node{mk(nReturn, "return", p.climb(precCond))}
		return f
	case "yield":
		p.next()
		p.accept("from")
		if !p.closes() && !p.tok().nl {
			return p.commas()
		}
		return mk(nUnit, "")
	case "else", "elif", "for", "import", "as", "except", "finally", "def", "class", "return", "while", "with", "try", "if", "in", "is", "and", "or", "raise", "break", "continue", "pass", "del", "global", "nonlocal", "assert", "from":
		return mk(nUnit, "")
	}
	p.next()
	return mk(nName, t.text)
}
