package script

// The statements of JavaScript, PHP and Perl: blocks in braces, conditions in brackets.

// braceProgram parses a whole script.
func (p *parser) braceProgram() *node {
	b := mk(nBlock, "")
	for !p.eof() {
		start := p.i
		if s := p.braceStatement(); s != nil {
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

// braceBlock is a block in braces, or a single statement, or PHP's colon form.
func (p *parser) braceBlock() *node {
	b := mk(nBlock, "")
	if !p.enter() {
		return b
	}
	defer p.leave()
	if p.lang == PHP && p.accept(":") {
		for !p.eof() && !phpEnds(p.tok()) {
			p.statementInto(b)
		}
		return b
	}
	if !p.accept("{") {
		if s := p.braceStatement(); s != nil {
			b.kids = append(b.kids, s)
		}
		p.accept(";")
		return b
	}
	oldIn, oldCond := p.noIn, p.noCond
	p.noIn, p.noCond = false, false
	for !p.eof() && !p.isOp("}") {
		p.statementInto(b)
	}
	p.noIn, p.noCond = oldIn, oldCond
	p.accept("}")
	return b
}

func (p *parser) statementInto(b *node) {
	start := p.i
	if s := p.braceStatement(); s != nil {
		b.kids = append(b.kids, s)
	}
	for p.accept(";") {
	}
	if p.i == start {
		p.skip()
	}
}

// phpEnds reports whether a word ends PHP's colon form.
func phpEnds(t token) bool {
	if t.kind != tIdent {
		return false
	}
	switch t.text {
	case "endif", "endwhile", "endfor", "endforeach", "endswitch", "else", "elseif":
		return true
	}
	return false
}

// condition is an expression in brackets.
func (p *parser) condition() *node {
	if !p.accept("(") {
		return p.low()
	}
	n := mk(nBlock, "")
	for !p.eof() && !p.isOp(")") {
		start := p.i
		n.kids = append(n.kids, p.low())
		p.accept(";")
		if p.i == start {
			if p.isOp("}") || p.isOp("{") {
				return n
			}
			p.skip()
		}
	}
	p.accept(")")
	if len(n.kids) == 1 {
		return n.kids[0]
	}
	return n
}

// braceStatement parses one statement.
func (p *parser) braceStatement() *node {
	if !p.enter() {
		p.skip()
		return nil
	}
	defer p.leave()
	t := p.tok()
	if t.kind == tOp {
		switch t.text {
		case ";":
			return nil
		case "{":
			return p.braceBlock()
		case "#", "@":
			if p.lang == Node { // a decorator or private name
				p.next()
				return nil
			}
		}
	}
	if t.kind == tIdent && !(p.peek(1).kind == tOp && (p.peek(1).text == "=>" || p.peek(1).text == "." || p.peek(1).text == "=")) {
		if n, ok := p.braceKeyword(t); ok {
			return n
		}
	}
	n := p.low()
	if p.lang == Perl {
		n = p.modifiers(n)
	}
	return n
}

func (p *parser) braceKeyword(t token) (*node, bool) {
	u := p.peek(1)
	switch t.text {
	case "if", "unless":
		if t.text == "unless" && p.lang != Perl {
			return nil, false
		}
		p.next()
		n := mk(nIf, "", p.condition(), p.braceBlock())
		for {
			p.softSemicolon("else")
			switch {
			case p.accept("elsif") || p.accept("elseif"):
				c := p.condition()
				n.kids = append(n.kids, mk(nBlock, "", c, p.braceBlock()))
				continue
			case p.accept("else"):
				n.kids = append(n.kids, p.braceBlock())
				if last := n.kids[len(n.kids)-1]; len(last.kids) == 1 && last.kids[0].kind == nIf {
					continue
				}
			}
			break
		}
		p.accept("endif")
		return n, true
	case "while", "until":
		p.next()
		n := mk(nWhile, "", p.condition(), p.braceBlock())
		p.accept("endwhile")
		return n, true
	case "do":
		if u.kind == tOp && u.text == "{" || p.lang == Node || p.lang == PHP {
			if p.lang == Perl {
				return nil, false
			}
			p.next()
			body := p.braceBlock()
			cond := mk(nUnit, "")
			if p.accept("while") {
				cond = p.condition()
			}
			return mk(nWhile, "", cond, body), true
		}
	case "for", "foreach":
		p.next()
		return p.braceFor(), true
	case "switch", "match", "given":
		if t.text == "match" || t.text == "given" && p.lang != Perl {
			return nil, false
		}
		p.next()
		return p.switchBody(), true
	case "try":
		p.next()
		n := mk(nTry, "", p.braceBlock())
		for p.isWord("catch") || p.isWord("finally") {
			w := p.next().text
			if p.isOp("(") {
				p.next()
				for !p.eof() && !p.isOp(")") {
					p.next()
				}
				p.accept(")")
			}
			b := p.braceBlock()
			if w == "finally" {
				b.text = "always"
			}
			n.kids = append(n.kids, b)
		}
		return n, true
	case "return", "throw", "yield":
		p.next()
		n := mk(nReturn, t.text)
		if t.text != "return" {
			n.kind = nBlock
		}
		if !p.closes() && !(p.lang == Node && p.tok().nl) {
			p.accept("*")
			n.kids = append(n.kids, p.low())
		}
		if p.lang == Perl {
			return p.modifiers(n), true
		}
		return n, true
	case "break", "continue", "next", "last", "redo", "goto":
		if p.lang != Perl && (t.text == "next" || t.text == "last" || t.text == "redo") {
			return nil, false
		}
		p.next()
		n := mk(nJump, t.text)
		if p.tok().kind == tIdent && !p.closes() && !p.tok().nl || p.tok().kind == tNum {
			p.next()
		}
		if p.lang == Perl {
			return p.modifiers(n), true
		}
		return n, true
	case "function", "async", "sub", "class", "abstract", "final", "interface", "trait", "readonly", "enum":
		return p.braceDefinition(t, u)
	case "var", "let", "const", "static", "global", "my", "our", "local", "state":
		if p.lang == Perl {
			return nil, false // they may stand in any expression
		}
		if u.kind == tOp && (u.text == "::" || u.text == "(" || u.text == ".") || u.kind == tEOF {
			return nil, false
		}
		p.next()
		return p.commas(), true
	case "import", "export":
		if p.lang == Node {
			return p.jsImport(t, u)
		}
	case "namespace", "use", "package", "declare", "no":
		if p.lang == PHP && t.text != "package" && t.text != "no" {
			for !p.eof() && !p.isOp(";") && !p.isOp("{") {
				p.next()
			}
			return nil, true
		}
		if p.lang == Perl {
			return p.perlUse(t)
		}
	case "echo":
		if p.lang == PHP {
			p.next()
			c := mk(nCall, "", mk(nName, "echo"))
			list := p.commas()
			if list.kind == nList && list.text == "tuple" {
				c.kids = append(c.kids, list.kids...)
			} else {
				c.kids = append(c.kids, list)
			}
			return c, true
		}
	case "BEGIN", "END", "INIT", "CHECK", "UNITCHECK":
		if p.lang == Perl && u.kind == tOp && u.text == "{" {
			p.next()
			return p.braceBlock(), true
		}
	}
	if u.kind == tOp && u.text == ":" && p.lang != PHP && p.peek(2).text != ":" { // a label
		p.next()
		p.next()
		return p.braceStatement(), true
	}
	return nil, false
}

// softSemicolon passes over a semicolon before a word that goes on with the statement.
func (p *parser) softSemicolon(word string) {
	if p.isOp(";") && p.peek(1).kind == tIdent && p.peek(1).text == word && p.lang != Perl {
		p.next()
	}
}

// braceFor is a loop behind its keyword.
func (p *parser) braceFor() *node {
	p.accept("await")
	if p.lang == Perl {
		return p.perlFor()
	}
	if !p.accept("(") {
		return mk(nUnit, "")
	}
	for p.isWord("var") || p.isWord("let") || p.isWord("const") {
		p.next()
	}
	old := p.noIn
	p.noIn = true
	var init *node
	if p.isOp(";") {
		init = mk(nUnit, "")
	} else {
		init = p.commas()
	}
	p.noIn = old
	switch {
	case p.accept("of") || p.accept("in"):
		iter := p.commas()
		p.closeIndex(")")
		return mk(nFor, "", init, iter, p.braceBlock())
	case p.accept("as"):
		target := p.assign()
		if p.accept("=>") {
			target = mk(nList, "pair", target, p.assign())
		}
		p.closeIndex(")")
		n := mk(nFor, "", target, init, p.braceBlock())
		if target.text == "pair" {
			n.kids[1] = mk(nCall, "", mk(nName, "\x00pairs"), init)
		}
		p.accept("endforeach")
		return n
	}
	p.accept(";")
	cond, step := mk(nUnit, ""), mk(nUnit, "")
	if !p.isOp(";") {
		cond = p.commas()
	}
	p.accept(";")
	if !p.isOp(")") {
		step = p.commas()
	}
	p.closeIndex(")")
	n := mk(nBlock, "", init, mk(nWhile, "", cond, p.braceBlock(), step))
	p.accept("endfor")
	return n
}

// switchBody is a switch behind its keyword: each case may run.
func (p *parser) switchBody() *node {
	n := mk(nIf, "open", p.condition())
	if !p.accept("{") && !p.accept(":") {
		return n
	}
	cur := mk(nBlock, "")
	for !p.eof() && !p.isOp("}") && !p.isWord("endswitch") {
		start := p.i
		switch {
		case p.isWord("case") || p.isWord("default"):
			if p.next().text == "case" {
				p.low()
			}
			p.accept(":")
			cur = mk(nBlock, "")
			n.kids = append(n.kids, cur)
		default:
			if s := p.braceStatement(); s != nil && s.kind != nJump {
				cur.kids = append(cur.kids, s)
			}
			for p.accept(";") {
			}
		}
		if p.i == start {
			p.skip()
		}
	}
	p.accept("}")
	p.accept("endswitch")
	return n
}

// braceDefinition is a function or a class.
func (p *parser) braceDefinition(t, u token) (*node, bool) {
	switch t.text {
	case "async":
		if u.kind != tIdent || u.text != "function" {
			return nil, false
		}
		p.next()
		return p.braceDefinition(p.tok(), p.peek(1))
	case "function", "sub":
		if t.text == "sub" && p.lang != Perl {
			return nil, false
		}
		if u.kind != tIdent && !(u.kind == tOp && (u.text == "*" || u.text == "&")) {
			return nil, false
		}
		p.next()
		p.accept("*")
		p.accept("&")
		return p.method(p.next().text), true
	case "abstract", "final", "readonly":
		if u.kind != tIdent || p.lang != PHP {
			return nil, false
		}
		p.next()
		return p.braceDefinition(p.tok(), p.peek(1))
	}
	if u.kind != tIdent || p.lang == Perl {
		return nil, false
	}
	p.next()
	return p.classBody(p.next().text), true
}

// classBody is a class behind its name.
func (p *parser) classBody(name string) *node {
	c := mk(nClass, name, mk(nBlock, ""))
	for !p.eof() && !p.isOp("{") {
		if p.isWord("extends") || p.isWord("implements") {
			c.keys = []string{"base"}
			p.next()
			p.unary()
			continue
		}
		if p.tok().kind == tOp && p.tok().text != "," && p.tok().text != ":" {
			return c
		}
		p.next()
	}
	if !p.accept("{") || !p.enter() {
		return c
	}
	defer p.leave()
	body := c.kids[0]
	for !p.eof() && !p.isOp("}") {
		start := p.i
		t := p.next()
		switch {
		case t.kind == tOp && t.text == "{": // static { }
			p.i--
			body.kids = append(body.kids, p.braceBlock())
		case (t.kind == tIdent || t.kind == tStr) && t.text == "function" && p.tok().kind == tIdent:
			name := p.next().text
			body.kids = append(body.kids, p.method(name))
		case (t.kind == tIdent || t.kind == tStr) && p.isOp("(") && p.lang == Node:
			body.kids = append(body.kids, p.method(t.text))
		case (t.kind == tIdent || t.kind == tVar) && p.isOp("="):
			p.next()
			body.kids = append(body.kids, mk(nAssign, "=", mk(nName, t.text), p.assign()))
		}
		if p.i == start {
			p.skip()
		}
	}
	p.accept("}")
	return c
}

// method is a function behind its name: parameters and body.
func (p *parser) method(name string) *node {
	f := mk(nFunc, name)
	var pats []*node
	if p.isOp("(") {
		p.next()
		list := mk(nList, "tuple")
		if p.lang == Node {
			p.parenItems(list)
			f.keys, pats = params(list), patterns(list)
		} else {
			for depth := 1; !p.eof() && depth > 0; {
				t := p.next()
				switch {
				case t.kind == tVar:
					f.keys = append(f.keys, t.text)
				case t.kind == tOp && (t.text == "(" || t.text == "["):
					depth++
				case t.kind == tOp && (t.text == ")" || t.text == "]"):
					depth--
				}
			}
		}
	}
	for p.lang != Node && !p.eof() && !p.isOp("{") && !p.isOp(";") && !p.isOp("}") {
		if p.isWord("use") && p.peek(1).text == "(" || p.isOp("(") { // PHP's captured variables
			for !p.eof() && !p.isOp(")") {
				p.next()
			}
		}
		p.next()
	}
	f.kids = []*node{mk(nBlock, "")}
	if p.isOp("{") {
		f.kids[0] = p.braceBlock()
	}
	f.kids = append(f.kids, pats...)
	return f
}

// arrow is what stands behind an arrow function's parameters.
func (p *parser) arrow(list *node) *node {
	p.accept("=>")
	f := mk(nFunc, "")
	f.keys = params(list)
	if p.isOp("{") {
		f.kids = []*node{p.braceBlock()}
	} else {
		f.kids = []*node{mk(nReturn, "return", p.assign())}
	}
	f.kids = append(f.kids, patterns(list)...)
	return f
}

// patterns are the parameters as nodes when one of them takes a value apart.
func patterns(list *node) []*node {
	for _, k := range list.kids {
		if k.kind == nDict || k.kind == nList {
			return list.kids
		}
	}
	return nil
}
