package script

// The statements of ruby and lua: blocks that a word ends.

// endProgram parses a whole script.
func (p *parser) endProgram() *node {
	b := mk(nBlock, "")
	for !p.eof() {
		p.endInto(b)
	}
	return b
}

func (p *parser) endInto(b *node) {
	start := p.i
	for p.accept(";") {
	}
	if p.eof() {
		return
	}
	var s *node
	if p.lang == Lua {
		s = p.luaStatement()
	} else {
		s = p.rubyStatement()
	}
	if s != nil {
		b.kids = append(b.kids, s)
	}
	for p.accept(";") {
	}
	if p.i == start {
		p.skip()
	}
}

// until parses statements up to one of the words, which it leaves.
func (p *parser) until(words ...string) *node {
	b := mk(nBlock, "")
	if !p.enter() {
		return b
	}
	defer p.leave()
	old := p.noBlock
	p.noBlock = false
	defer func() { p.noBlock = old }()
	for !p.eof() {
		if t := p.tok(); t.kind == tIdent {
			for _, w := range words {
				if t.text == w {
					return b
				}
			}
		}
		p.endInto(b)
	}
	return b
}

func (p *parser) luaStatement() *node {
	t := p.tok()
	if t.kind == tOp && t.text == "::" {
		p.next()
		p.next()
		p.accept("::")
		return nil
	}
	if t.kind != tIdent {
		return p.luaSimple()
	}
	switch t.text {
	case "if":
		p.next()
		n := mk(nIf, "", p.assign())
		p.accept("then")
		n.kids = append(n.kids, p.until("elseif", "else", "end"))
		for p.accept("elseif") {
			c := p.assign()
			p.accept("then")
			n.kids = append(n.kids, mk(nBlock, "", c, p.until("elseif", "else", "end")))
		}
		if p.accept("else") {
			n.kids = append(n.kids, p.until("end"))
		}
		p.accept("end")
		return n
	case "while":
		p.next()
		c := p.assign()
		p.accept("do")
		n := mk(nWhile, "", c, p.until("end"))
		p.accept("end")
		return n
	case "do":
		p.next()
		b := p.until("end")
		p.accept("end")
		return b
	case "repeat":
		p.next()
		b := p.until("until")
		p.accept("until")
		return mk(nWhile, "", p.assign(), b)
	case "for":
		p.next()
		target := mk(nList, "tuple")
		for p.tok().kind == tIdent && p.tok().text != "in" {
			target.kids = append(target.kids, mk(nName, p.next().text))
			if !p.accept(",") {
				break
			}
		}
		if len(target.kids) == 1 {
			target = target.kids[0]
		}
		var iter *node
		if p.accept("=") {
			p.commas()
			iter = mk(nUnit, "")
		} else {
			p.accept("in")
			iter = p.commas()
		}
		p.accept("do")
		n := mk(nFor, "", target, iter, p.until("end"))
		p.accept("end")
		return n
	case "local":
		p.next()
		if p.isWord("function") {
			return p.luaStatement()
		}
		return p.luaSimple()
	case "function":
		if p.peek(1).kind == tIdent {
			p.next()
			name := p.next().text
			for p.accept(".") || p.accept(":") {
				name = p.next().text
			}
			return p.luaFunction(name)
		}
	case "return":
		p.next()
		n := mk(nReturn, "return")
		if !p.closes() && !p.isWord("end") && !p.isWord("else") && !p.isWord("elseif") && !p.isWord("until") {
			n.kids = append(n.kids, p.commas())
		}
		return n
	case "break", "goto":
		p.next()
		if t.text == "goto" {
			p.next()
		}
		return mk(nJump, t.text)
	case "end", "then", "else", "elseif", "until", "in":
		return nil
	}
	return p.luaSimple()
}

// luaSimple is an assignment or a call; several targets may stand left of the sign.
func (p *parser) luaSimple() *node {
	left := p.climb(precCond)
	if p.isOp("<") && p.peek(1).kind == tIdent && p.peek(2).text == ">" { // an attribute: local x <const>
		p.next()
		p.next()
		p.next()
	}
	if p.isOp(",") {
		list := mk(nList, "tuple", left)
		for p.accept(",") {
			list.kids = append(list.kids, p.climb(precCond))
		}
		left = list
	}
	if p.accept("=") {
		right := p.commas()
		if left.kind == nList && right.kind != nList {
			// x, err = f(): the first result is what matters.
			return mk(nAssign, "=", left.kids[0], right)
		}
		return mk(nAssign, "=", left, right)
	}
	return left
}

// luaFunction is a function behind its name.
func (p *parser) luaFunction(name string) *node {
	f := mk(nFunc, name)
	if p.accept("(") {
		for !p.eof() && !p.isOp(")") {
			if t := p.next(); t.kind == tIdent {
				f.keys = append(f.keys, t.text)
			}
		}
		p.accept(")")
	}
	f.kids = []*node{p.until("end")}
	p.accept("end")
	return f
}

// luaWord is an operand that begins with a word.
func (p *parser) luaWord(t token) *node {
	switch t.text {
	case "nil":
		p.next()
		return mk(nUnit, "nil")
	case "true", "false":
		p.next()
		return mk(nBool, t.text)
	case "function":
		p.next()
		return p.luaFunction("")
	case "end", "then", "else", "elseif", "until", "in", "do", "and", "or", "if", "while", "for", "repeat", "return", "local", "break":
		return mk(nUnit, "")
	}
	p.next()
	return mk(nName, t.text)
}

func (p *parser) rubyStatement() *node {
	if !p.enter() {
		p.skip()
		return nil
	}
	defer p.leave()
	t := p.tok()
	if t.kind == tIdent {
		switch t.text {
		case "end", "then", "else", "elsif", "when", "rescue", "ensure", "in":
			return nil
		case "BEGIN", "END":
			if p.peek(1).text == "{" {
				p.next()
				p.next()
				b := mk(nBlock, "")
				for !p.eof() && !p.isOp("}") {
					p.endInto(b)
				}
				p.accept("}")
				return b
			}
		case "alias", "undef":
			p.next()
			for !p.eof() && !p.tok().nl && !p.isOp(";") {
				p.next()
			}
			return nil
		}
	}
	first := p.low()
	// a, b = 1, 2
	if first.kind == nList && first.text == "tuple" && p.isOp("=") {
		p.next()
		first = mk(nAssign, "=", first, p.commas())
	}
	return p.modifiers(first)
}

// rubyKeyword is a construct that is an expression in ruby: if, case, begin, def …; nil when the word is none of them.
func (p *parser) rubyKeyword(t token) *node {
	switch t.text {
	case "if", "unless":
		p.next()
		n := mk(nIf, "", p.rubyCondition())
		p.accept("then")
		n.kids = append(n.kids, p.until("elsif", "else", "end"))
		for p.accept("elsif") {
			c := p.rubyCondition()
			p.accept("then")
			n.kids = append(n.kids, mk(nBlock, "", c, p.until("elsif", "else", "end")))
		}
		if p.accept("else") {
			n.kids = append(n.kids, p.until("end"))
		}
		p.accept("end")
		return n
	case "while", "until":
		p.next()
		c := p.rubyCondition()
		p.accept("do")
		n := mk(nWhile, "", c, p.until("end"))
		p.accept("end")
		return n
	case "for":
		p.next()
		target := p.targets()
		p.accept("in")
		iter := p.rubyCondition()
		p.accept("do")
		n := mk(nFor, "", target, iter, p.until("end"))
		p.accept("end")
		return n
	case "case":
		p.next()
		n := mk(nIf, "open", mk(nUnit, ""))
		if !p.isWord("when") && !p.tok().nl {
			n.kids[0] = p.low()
		}
		for !p.eof() && (p.isWord("when") || p.isWord("in") || p.isOp(";")) {
			if p.accept(";") {
				continue
			}
			p.next()
			c := p.rubyCondition()
			p.accept("then")
			n.kids = append(n.kids, mk(nBlock, "", c, p.until("when", "in", "else", "end")))
		}
		if p.accept("else") {
			n.kids = append(n.kids, p.until("end"))
		}
		p.accept("end")
		return n
	case "begin":
		p.next()
		return p.rubyBody()
	case "def":
		p.next()
		name := p.next().text
		for p.isOp(".") {
			p.next()
			name = p.next().text
		}
		p.accept("=")
		f := mk(nFunc, name)
		f.keys = p.rubyParams()
		if p.isOp("=") && !p.tok().nl {
			p.next()
			f.kids = []*node{mk(nReturn, "return", p.rubyStatement())}
			return f
		}
		f.kids = []*node{p.rubyBody()}
		return f
	case "class", "module":
		p.next()
		c := mk(nClass, "")
		if p.accept("<<") {
			p.assign()
		} else {
			c.text = p.next().text
			for p.accept("::") {
				c.text = p.next().text
			}
			if p.accept("<") {
				p.assign()
				c.keys = []string{"base"}
			}
		}
		c.kids = []*node{p.until("end")}
		p.accept("end")
		return c
	case "return", "break", "next", "redo", "yield", "raise", "fail", "retry":
		p.next()
		n := mk(nJump, t.text)
		switch t.text {
		case "return":
			n = mk(nReturn, "return")
		case "yield", "raise", "fail":
			n = mk(nBlock, t.text)
		}
		if !p.closes() && !p.tok().nl && p.startsTerm(p.tok()) {
			n.kids = append(n.kids, p.commas())
		}
		return n
	}
	return nil
}

// rubyCondition is an expression before do or then.
func (p *parser) rubyCondition() *node {
	old := p.noBlock
	p.noBlock = true
	n := p.low()
	p.noBlock = old
	return n
}

// rubyBody is what stands between begin, def or do and end, with its rescues.
func (p *parser) rubyBody() *node {
	body := p.until("rescue", "ensure", "else", "end")
	if p.isWord("end") || p.eof() {
		p.accept("end")
		return body
	}
	n := mk(nTry, "", body)
	for !p.eof() && (p.isWord("rescue") || p.isWord("ensure") || p.isWord("else")) {
		w := p.next().text
		if w == "rescue" && !p.tok().nl && !p.isWord("then") && !p.isOp(";") {
			p.low()
		}
		p.accept("then")
		b := p.until("rescue", "ensure", "else", "end")
		if w == "ensure" {
			b.text = "always"
		}
		n.kids = append(n.kids, b)
	}
	p.accept("end")
	return n
}

// rubyParams are the parameters of a method, with or without brackets.
func (p *parser) rubyParams() []string {
	var names []string
	paren := p.accept("(")
	for !p.eof() {
		t := p.tok()
		if paren && t.kind == tOp && t.text == ")" {
			p.next()
			return names
		}
		if !paren && (t.nl || t.kind == tOp && (t.text == ";" || t.text == "=")) {
			return names
		}
		p.next()
		switch {
		case t.kind == tIdent:
			names = append(names, t.text)
			p.locals[t.text] = true
			if p.accept(":") || p.accept("=") {
				if n := p.tok(); !(n.kind == tOp && (n.text == "," || n.text == ")")) && !n.nl {
					p.assign()
				}
			}
		case t.kind == tOp && t.text == "*":
			if p.tok().kind == tIdent {
				names = append(names, "*"+p.next().text)
			}
		}
	}
	return names
}

// rubyWord is an operand that begins with a word.
func (p *parser) rubyWord(t token) *node {
	switch t.text {
	case "nil":
		p.next()
		return mk(nUnit, "nil")
	case "true", "false":
		p.next()
		return mk(nBool, t.text)
	case "end", "then", "do", "else", "elsif", "when", "rescue", "ensure", "in", "and", "or":
		return mk(nUnit, "")
	case "defined?":
		p.next()
		p.unary()
		return mk(nBool, "")
	}
	if n := p.rubyKeyword(t); n != nil {
		return n
	}
	p.next()
	n := mk(nName, t.text)
	n.pos = t.pos
	if p.isOp("(") && !p.tok().sp {
		return n
	}
	if !p.locals[t.text] && p.rubyCommand(n) {
		return p.rubyArgs(n)
	}
	return n
}

// rubyCommand reports whether arguments without brackets follow a name.
func (p *parser) rubyCommand(n *node) bool {
	t, u := p.tok(), p.peek(1)
	if t.nl || !t.sp {
		return false
	}
	switch t.kind {
	case tStr, tNum, tVar, tRegex, tShell, tWords:
		return true
	case tIdent:
		switch t.text {
		case "if", "unless", "while", "until", "and", "or", "then", "do", "rescue", "end", "in", "else", "elsif", "when", "ensure":
			return false
		}
		return true
	case tOp:
		switch t.text {
		case "[", "*", "&", "-", ":", "!", "::", "**":
			return !u.sp || t.text == "["
		case "->":
			return true
		case "(":
			return true
		}
	}
	return false
}

// rubyArgs parses arguments without brackets.
func (p *parser) rubyArgs(n *node) *node {
	c := &node{kind: nCall, kids: []*node{n}, keys: []string{""}, pos: n.pos}
	if !p.enter() {
		return c
	}
	defer p.leave()
	for {
		start := p.i
		t, u := p.tok(), p.peek(1)
		key := ""
		var a *node
		switch {
		case t.kind == tIdent && u.kind == tOp && u.text == ":" && !u.sp:
			p.next()
			p.next()
			key, a = t.text, p.assign()
		case t.kind == tOp && t.text == "&" && !u.sp:
			p.next()
			a = p.assign()
		default:
			a = p.element()
			if p.isOp("=>") {
				p.next()
				if a.kind == nStr {
					key = a.text
				}
				a = p.assign()
			}
		}
		c.kids, c.keys = append(c.kids, a), append(c.keys, key)
		if p.tok().nl || !p.accept(",") || p.i == start {
			return c
		}
	}
}

// rubyBlock attaches a block to a call.
func (p *parser) rubyBlock(n *node) *node {
	if n.kind != nCall {
		n = &node{kind: nCall, kids: []*node{n}, keys: []string{""}, pos: n.pos}
	}
	f := mk(nFunc, "")
	brace := p.isOp("{")
	p.next()
	if p.accept("|") {
		depth := 0
		for !p.eof() && !(p.isOp("|") && depth == 0) {
			switch t := p.next(); {
			case t.kind == tOp && t.text == "(":
				depth++
			case t.kind == tOp && t.text == ")":
				depth--
			case t.kind == tIdent:
				f.keys = append(f.keys, t.text)
				p.locals[t.text] = true
			}
		}
		p.accept("|")
	} else if p.accept("||") {
		f.keys = nil
	}
	if len(f.keys) == 0 {
		f.keys = []string{"_1"}
	}
	if !p.enter() {
		return n
	}
	if brace {
		b := mk(nBlock, "")
		old := p.noBlock
		p.noBlock = false
		for !p.eof() && !p.isOp("}") {
			p.endInto(b)
		}
		p.noBlock = old
		p.accept("}")
		f.kids = []*node{b}
	} else {
		f.kids = []*node{p.rubyBody()}
	}
	p.leave()
	for len(n.keys) < len(n.kids) {
		n.keys = append(n.keys, "")
	}
	n.kids, n.keys = append(n.kids, f), append(n.keys, "&")
	return n
}

// rubyLambda is ->(x) { … }.
func (p *parser) rubyLambda() *node {
	p.next()
	var names []string
	if p.isOp("(") {
		names = p.rubyParams()
	}
	for p.tok().kind == tIdent && p.tok().text != "do" {
		names = append(names, p.next().text)
		p.accept(",")
	}
	if !p.isOp("{") && !p.isWord("do") {
		return mk(nUnit, "")
	}
	c := p.rubyBlock(mk(nName, "lambda"))
	f := c.kids[len(c.kids)-1]
	if len(names) > 0 {
		f.keys = names
	}
	return f
}
