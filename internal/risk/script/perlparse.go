package script

import "strings"

// modifiers are what perl and ruby put behind a statement: print if /x/.
func (p *parser) modifiers(n *node) *node {
	for {
		t := p.tok()
		if t.kind != tIdent || p.lang == Ruby && t.nl {
			return n
		}
		switch t.text {
		case "if", "unless":
			p.next()
			n = mk(nIf, "", p.low(), n)
		case "while", "until":
			p.next()
			n = mk(nWhile, "", p.low(), n)
		case "for", "foreach":
			if p.lang != Perl {
				return n
			}
			p.next()
			n = mk(nFor, "", mk(nName, "$_"), p.low(), n)
		case "rescue":
			if p.lang != Ruby {
				return n
			}
			p.next()
			n = mk(nTry, "", n, p.low())
		default:
			return n
		}
	}
}

// perlFor is a loop behind its keyword.
func (p *parser) perlFor() *node {
	target := mk(nName, "$_")
	if p.accept("my") || p.accept("our") || p.accept("state") || p.accept("local") {
		target = mk(nName, p.next().text)
	} else if p.tok().kind == tVar {
		target = mk(nName, p.next().text)
	}
	if !p.accept("(") {
		return mk(nUnit, "")
	}
	first := mk(nList, "tuple")
	if !p.isOp(";") && !p.isOp(")") {
		first = p.low()
	}
	if p.accept(";") {
		cond, step := mk(nUnit, ""), mk(nUnit, "")
		if !p.isOp(";") {
			cond = p.low()
		}
		p.accept(";")
		if !p.isOp(")") {
			step = p.low()
		}
		p.closeIndex(")")
		return mk(nBlock, "", first, mk(nWhile, "", cond, p.braceBlock(), step))
	}
	p.closeIndex(")")
	if first.kind != nList {
		first = mk(nList, "tuple", first)
	}
	return mk(nFor, "", target, first, p.braceBlock())
}

// perlUse is use, no or package.
func (p *parser) perlUse(t token) (*node, bool) {
	p.next()
	mod := p.tok()
	if mod.kind == tIdent {
		p.next()
	}
	if t.text == "use" && mod.text == "constant" {
		b := mk(nBlock, "")
		list := p.low()
		if list.kind == nList && len(list.kids) > 1 {
			b.kids = append(b.kids, mk(nAssign, "=", mk(nName, list.kids[0].text), list.kids[1]))
		} else if list.kind == nDict {
			for i := 0; i+1 < len(list.kids); i += 2 {
				b.kids = append(b.kids, mk(nAssign, "=", mk(nName, list.kids[i].text), list.kids[i+1]))
			}
		}
		return b, true
	}
	if t.text == "package" && p.isOp("{") {
		return p.braceBlock(), true
	}
	for !p.eof() && !p.isOp(";") && !p.isOp("}") {
		p.next()
	}
	if t.text == "use" {
		return &node{kind: nImport, text: mod.text, keys: []string{"*"}}, true
	}
	return nil, true
}

// perlOperator reports whether a word is an operator or begins a modifier.
func perlOperator(w string) bool {
	switch w {
	case "x", "eq", "ne", "lt", "gt", "le", "ge", "cmp", "and", "or", "xor", "not", "if", "unless", "while", "until", "for", "foreach", "isa":
		return true
	}
	return false
}

// perlTerm reports whether the token begins an operand behind a function's name.
func (p *parser) perlTerm(t token) bool {
	switch t.kind {
	case tVar, tStr, tNum, tRegex, tShell, tReadline, tWords:
		return true
	case tIdent:
		return !perlOperator(t.text) || t.text == "not"
	case tOp:
		return t.text == "\\" || t.text == "[" && t.sp || strings.HasPrefix(t.text, deref) || t.text == "+" && t.sp || t.text == "-" && t.sp && !p.peek(2).sp || t.text == "!"
	}
	return false
}

// perlWordNode is an operand that begins with a word.
func (p *parser) perlWordNode(t token) *node {
	u := p.peek(1)
	if u.kind == tOp && u.text == "=>" {
		p.next()
		return mk(nStr, t.text)
	}
	switch t.text {
	case "my", "our", "local", "state":
		p.next()
		return p.postfix(p.primary())
	case "undef":
		p.next()
		if p.tok().kind == tVar {
			return mk(nAssign, "=", mk(nName, p.next().text), mk(nUnit, "undef"))
		}
		return mk(nUnit, "undef")
	case "sub":
		p.next()
		f := p.method("")
		return f
	case "do":
		if u.kind == tOp && u.text == "{" {
			p.next()
			return mk(nTry, "", p.braceBlock())
		}
	case "eval":
		if u.kind == tOp && u.text == "{" {
			p.next()
			return mk(nTry, "", p.braceBlock())
		}
	case "map", "grep", "sort", "first", "any", "all", "none":
		paren := u.kind == tOp && u.text == "("
		block := u.kind == tOp && u.text == "{" || paren && p.peek(2).kind == tOp && p.peek(2).text == "{"
		if block {
			p.next()
			if paren {
				p.next()
			}
			f := mk(nFunc, "", p.braceBlock())
			p.accept(",")
			list := mk(nList, "tuple")
			if !p.closes() {
				list = p.commas()
			}
			if paren {
				p.closeIndex(")")
			}
			return mk(nCall, "", mk(nName, deref+t.text), f, list)
		}
		if t.text == "map" || t.text == "grep" {
			// map EXPR, LIST
			p.next()
			p.accept("(")
			f := mk(nFunc, "", mk(nReturn, "value", p.assign()))
			p.accept(",")
			list := mk(nList, "tuple")
			if !p.closes() {
				list = p.commas()
			}
			if paren {
				p.closeIndex(")")
			}
			return mk(nCall, "", mk(nName, deref+t.text), f, list)
		}
	case "print", "printf", "say":
		return p.perlPrint()
	case "new":
		if u.kind == tIdent && !perlOperator(u.text) {
			p.next()
			class := mk(nName, p.next().text)
			c := &node{kind: nCall, kids: []*node{mk(nAttr, "new", class)}}
			if p.accept("(") {
				p.args(c, ")")
			}
			return c
		}
	case "return", "next", "last", "redo", "die":
		p.next()
		n := mk(nJump, t.text)
		if t.text == "return" {
			n = mk(nReturn, "return")
		} else if t.text == "die" {
			n = mk(nBlock, "")
		}
		if !p.closes() && p.perlTerm(p.tok()) || p.isOp("(") {
			n.kids = append(n.kids, p.commas())
		}
		return n
	case "__PACKAGE__":
		p.next()
		return mk(nStr, "main")
	case "x", "and", "or", "if", "unless", "while", "until", "eq", "ne", "cmp", "else", "elsif":
		if t.text != "x" {
			return mk(nUnit, "")
		}
	}
	p.next()
	if u.kind == tOp && (u.text == "(" || u.text == "->" || u.text == "::") {
		return mk(nName, t.text)
	}
	n := mk(nName, t.text)
	if t.text == "shift" || t.text == "pop" {
		c := mk(nCall, "", n)
		if p.tok().kind == tVar {
			c.kids = append(c.kids, mk(nName, p.next().text))
		}
		return c
	}
	if perlOperator(t.text) || !p.perlTerm(u) {
		if perlNoArgs(t.text) {
			return mk(nCall, "", n)
		}
		return n
	}
	c := &node{kind: nCall, kids: []*node{n}, pos: t.pos}
	if perlUnary(t.text) {
		c.kids = append(c.kids, p.climb(precAdd))
		return c
	}
	if strings.ToUpper(t.text) == t.text && u.kind != tStr && u.kind != tVar {
		return n // a constant or a handle
	}
	if list := p.commas(); list.kind == nList && list.text == "tuple" {
		c.kids = append(c.kids, list.kids...)
	} else {
		c.kids = append(c.kids, list)
	}
	return c
}

// perlNoArgs are the functions that work on $_ when nothing is given and have effects.
func perlNoArgs(name string) bool {
	switch name {
	case "unlink", "rmdir", "mkdir", "wait", "getcwd", "cwd":
		return true
	}
	return false
}

// perlUnary are the named operators that take one operand.
func perlUnary(name string) bool {
	switch name {
	case "chdir", "rmdir", "readlink", "chomp", "chop", "defined", "ref", "scalar", "lc", "uc", "length", "close", "chroot", "require", "exists", "delete", "each", "keys", "values", "int", "hex", "oct", "ord", "chr", "quotemeta", "eval", "do", "readline", "fc", "lock", "umask", "sleep", "exit", "stat", "lstat":
		return true
	}
	return false
}

// perlPrint is print with its handle.
func (p *parser) perlPrint() *node {
	n := mk(nPrint, p.next().text, mk(nUnit, ""))
	paren := p.isOp("(")
	if paren {
		p.next()
	}
	t, u := p.tok(), p.peek(1)
	switch {
	case t.kind == tOp && t.text == "{":
		p.next()
		n.kids[0] = p.low()
		p.closeIndex("}")
	case t.kind == tIdent && u.kind != tOp && !perlOperator(u.text) && u.kind != tEOF && !perlFunction(t.text),
		t.kind == tIdent && strings.ToUpper(t.text) == t.text && u.kind == tOp && (u.text == ";" || u.text == ")" || strings.HasPrefix(u.text, deref)),
		t.kind == tIdent && (t.text == "STDERR" || t.text == "STDOUT"):
		n.kids[0] = mk(nName, p.next().text)
	case t.kind == tVar && t.text[0] == '$' && (u.kind == tStr || u.kind == tVar || u.kind == tNum || u.kind == tReadline || u.kind == tIdent && !perlOperator(u.text) || u.kind == tOp && strings.HasPrefix(u.text, deref)) && u.sp:
		n.kids[0] = mk(nName, p.next().text)
	}
	if !p.closes() {
		old := p.noIn
		list := p.commas()
		p.noIn = old
		if list.kind == nList && list.text == "tuple" {
			n.kids = append(n.kids, list.kids...)
		} else {
			n.kids = append(n.kids, list)
		}
	}
	if paren {
		p.closeIndex(")")
	}
	return n
}

// perlFunction reports whether a word behind print is a function rather than a handle.
func perlFunction(w string) bool {
	return strings.ToLower(w) == w
}

// perlDeref is a sigil applied to a block or a variable.
func (p *parser) perlDeref(t token) *node {
	p.next()
	sigil := strings.TrimPrefix(t.text, deref)
	var in *node
	if p.accept("{") {
		b := mk(nBlock, "")
		for !p.eof() && !p.isOp("}") {
			p.statementInto(b)
		}
		p.accept("}")
		in = b
		if len(b.kids) == 1 {
			in = b.kids[0]
		}
	} else {
		if !p.enter() {
			return mk(nUnit, "")
		}
		in = p.primary()
		p.leave()
	}
	switch sigil {
	case "@", "%":
		return mk(nSpread, sigil, in)
	case "&":
		c := &node{kind: nCall, kids: []*node{in}, pos: t.pos}
		if p.accept("(") {
			p.args(c, ")")
		}
		return c
	}
	return in
}
