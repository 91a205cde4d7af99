package script

import "strings"

// primary parses an operand. It takes no token when none can begin one.
func (p *parser) primary() *node {
	t := p.tok()
	n := p.primaryOf(t)
	n.pos = t.pos
	return n
}

func (p *parser) primaryOf(t token) *node {
	switch t.kind {
	case tNum:
		p.next()
		return mk(nNum, t.text)
	case tStr:
		p.next()
		n := p.str(t)
		for (p.lang == Python || p.lang == Ruby) && p.tok().kind == tStr && !p.newlineEnds() {
			n = mk(nInterp, "", n, p.str(p.next()))
		}
		return n
	case tRegex:
		p.next()
		n := mk(nRegex, t.text)
		for _, pt := range t.parts {
			if pt.code {
				n.kids = append(n.kids, p.nestedCode(pt.text))
			}
		}
		return n
	case tShell:
		p.next()
		return mk(nShell, "", p.str(t))
	case tReadline:
		p.next()
		return mk(nReadline, t.text)
	case tWords:
		p.next()
		list := mk(nList, "")
		for _, w := range strings.Fields(t.text) {
			list.kids = append(list.kids, mk(nStr, w))
		}
		return list
	case tVar:
		p.next()
		return mk(nName, t.text)
	case tIdent:
		return p.word(t)
	case tOp:
		switch t.text {
		case "(":
			return p.paren()
		case "[":
			p.next()
			list := mk(nList, "")
			p.args(list, "]")
			if p.lang == PHP {
				return phpArray(list)
			}
			list.keys = nil
			return list
		case "{":
			p.next()
			return p.dict()
		case deref + "$", deref + "@", deref + "%", deref + "&":
			return p.perlDeref(t)
		case "->":
			if p.lang == Ruby {
				return p.rubyLambda()
			}
		case "...":
			p.next()
			return mk(nUnit, "")
		}
	}
	return mk(nUnit, "")
}

// paren is a bracketed expression or list, or the parameters of an arrow function.
func (p *parser) paren() *node {
	p.next()
	if p.lang == PHP && p.tok().kind == tIdent && p.peek(1).kind == tOp && p.peek(1).text == ")" && p.startsTerm(p.peek(2)) {
		switch strings.ToLower(p.tok().text) {
		case "int", "integer", "float", "string", "bool", "boolean", "array", "object", "double", "binary":
			p.next()
			p.next()
			return p.unary()
		}
	}
	list := mk(nList, "tuple")
	start := p.i
	p.parenItems(list)
	if p.lang == Node && p.isOp("=>") {
		return p.arrow(list)
	}
	if len(list.kids) == 1 && p.toks[p.i-1].text == ")" && !hasComma(p.toks[start:p.i]) && list.kids[0].kind != nSpread {
		return list.kids[0]
	}
	return list
}

// hasComma reports whether the last element is followed by a comma, which makes a tuple.
func hasComma(ts []token) bool {
	return len(ts) >= 2 && ts[len(ts)-2].kind == tOp && ts[len(ts)-2].text == ","
}

func (p *parser) parenItems(list *node) {
	oldCond, oldIn, oldBlock := p.noCond, p.noIn, p.noBlock
	p.noCond, p.noIn, p.noBlock = false, false, false
	defer func() { p.noCond, p.noIn, p.noBlock = oldCond, oldIn, oldBlock }()
	for !p.eof() && !p.isOp(")") {
		start := p.i
		n := p.element()
		if p.lang == Python && (p.isWord("for") || p.isWord("async")) {
			n = p.comprehension(n)
		}
		if p.isOp("=>") && p.lang == Perl {
			p.next()
			list.kids = append(list.kids, n)
			continue
		}
		if (p.lang == Perl || p.lang == Ruby || p.lang == PHP) && p.binary() == precWord {
			op := p.next().text
			n = mk(nBin, op, n, p.low())
		}
		if p.lang == Ruby || p.lang == Perl {
			n = p.modifiers(n)
		}
		list.kids = append(list.kids, n)
		if p.accept(",") || p.accept(";") {
			continue
		}
		if p.i == start {
			if p.isOp("]") || p.isOp("}") {
				return
			}
			p.skip()
		}
	}
	p.accept(")")
}

// dict is an object, hash, set or table literal behind its opening brace.
func (p *parser) dict() *node {
	oldCond, oldIn, oldBlock := p.noCond, p.noIn, p.noBlock
	p.noCond, p.noIn, p.noBlock = false, false, false
	defer func() { p.noCond, p.noIn, p.noBlock = oldCond, oldIn, oldBlock }()
	d := mk(nDict, "")
	for !p.eof() && !p.isOp("}") {
		start := p.i
		t, u := p.tok(), p.peek(1)
		var key, val *node
		switch {
		case p.lang == Node && t.kind == tIdent && (t.text == "get" || t.text == "set" || t.text == "async") && u.kind == tIdent:
			p.next()
			continue
		case p.lang == Node && (t.kind == tIdent || t.kind == tStr) && u.kind == tOp && u.text == "(":
			p.next()
			key, val = mk(nStr, t.text), p.method(t.text)
		case (p.lang == Node || p.lang == Ruby || p.lang == Lua || p.lang == Perl) && (t.kind == tIdent || t.kind == tNum) && u.kind == tOp && (u.text == ":" || u.text == "=>" || u.text == "=" && p.lang == Lua):
			p.next()
			p.next()
			key, val = mk(nStr, t.text), p.assign()
		case p.lang == Lua && t.kind == tOp && t.text == "[":
			p.next()
			key = p.assign()
			p.accept("]")
			p.accept("=")
			val = p.assign()
		default:
			key = p.element()
			switch {
			case p.accept(":") || p.accept("=>"):
				val = p.assign()
			case key.kind == nAssign && len(key.kids) == 2: // {a = 1} in a pattern
				key, val = mk(nStr, key.kid(0).text), key.kid(0)
			case key.kind == nName && p.lang == Node:
				key, val = mk(nStr, key.text), key
			case p.lang == Perl && p.isOp(","):
				p.next()
				if p.isOp("}") {
					val = mk(nUnit, "")
					break
				}
				val = p.assign()
			default:
				val, key = key, mk(nUnit, "")
				if val.kind == nSpread && p.lang != Python {
					key.text = "spread" // the keys of another object
				}
			}
		}
		if p.lang == Python && (p.isWord("for") || p.isWord("async")) {
			val = p.comprehension(val)
		}
		d.kids = append(d.kids, key, val)
		if !p.accept(",") && !p.accept(";") && !p.isOp("}") && p.i == start {
			if p.isOp(")") || p.isOp("]") {
				return d
			}
			p.skip()
		}
	}
	p.accept("}")
	return d
}

// params turns what stands in brackets before an arrow into parameter names.
func params(list *node) []string {
	var names []string
	for _, k := range list.kids {
		if k.kind == nAssign {
			k = k.kid(0)
		}
		if k.kind == nSpread {
			k = k.kid(0)
		}
		names = append(names, k.text)
	}
	return names
}

// postfix parses calls, members and indices behind an operand.
func (p *parser) postfix(n *node) *node {
	if n.kind == nUnit && n.text == "" && len(n.kids) == 0 {
		if t := p.tok(); t.kind != tOp || t.text != "(" {
			return n
		}
	}
	for range 4096 {
		t := p.tok()
		if p.newlineEnds() && !p.leadingDot() {
			return n
		}
		if t.kind == tStr && p.lang == Lua && isCallable(n) || t.kind == tStr && p.lang == Node && !t.nl && isCallable(n) {
			p.next()
			n = &node{kind: nCall, kids: []*node{n, p.str(t)}, pos: t.pos}
			continue
		}
		if t.kind != tOp {
			if p.lang == Ruby && t.kind == tIdent && t.text == "do" && !p.noBlock {
				n = p.rubyBlock(n)
				continue
			}
			return n
		}
		switch t.text {
		case "(":
			if p.lang == Ruby && t.sp || p.lang == Perl && n.kind == nName && isSigil(n.text) && n.text[0] != '&' || n.kind == nStr {
				return n
			}
			p.next()
			call := &node{kind: nCall, kids: []*node{n}, keys: []string{}, pos: t.pos}
			p.args(call, ")")
			n = call
			if p.lang == Node && p.isOp("=>") && n.kid(0).kind == nName && n.kid(0).text == "async" {
				n = p.arrow(&node{kids: n.kids[1:]})
			}
		case "[":
			if p.lang == Ruby && t.sp || p.lang == Awk {
				return n
			}
			p.next()
			n = &node{kind: nIndex, kids: []*node{n, p.subscript()}, pos: t.pos}
		case "{":
			switch {
			case p.lang == Ruby && (n.kind == nCall || n.kind == nAttr || n.kind == nName) && !p.noBlock:
				n = p.rubyBlock(n)
				continue
			case p.lang == Lua && isCallable(n):
				p.next()
				n = mk(nCall, "", n, p.dict())
				continue
			case p.lang != Perl || t.sp && n.kind != nIndex:
				return n
			case n.kind != nIndex && n.kind != nCall && (n.kind != nName || !isSigil(n.text)):
				return n
			}
			p.next()
			n = &node{kind: nIndex, kids: []*node{n, p.hashKey()}, pos: t.pos}
		case ".", "?.", "&.", "->", "?->", "::", ":":
			m := p.member(n)
			if m == nil {
				return n
			}
			n = m
		case "++", "--":
			if p.lang == Python || p.lang == Lua || p.lang == Ruby {
				return n
			}
			p.next()
			n = mk(nAssign, "+=", n, mk(nNum, "1"))
		default:
			return n
		}
	}
	p.tooDeep = true
	p.i = len(p.toks) - 1
	return n
}

// leadingDot reports whether a new line begins with a member access, which goes on with the line before.
func (p *parser) leadingDot() bool {
	t := p.tok()
	return (p.lang == Ruby || p.lang == Node) && t.kind == tOp && (t.text == "." || t.text == "&.")
}

func isCallable(n *node) bool {
	return n.kind == nName || n.kind == nAttr || n.kind == nCall || n.kind == nIndex
}

func isSigil(s string) bool { return s != "" && strings.IndexByte("$@%&", s[0]) >= 0 }

// member is what stands behind a dot or an arrow; nil when it is no member access.
func (p *parser) member(n *node) *node {
	t, u := p.tok(), p.peek(1)
	switch t.text {
	case ".":
		if p.lang == PHP || p.lang == Perl {
			return nil
		}
	case "->", "?->":
		if p.lang != PHP && p.lang != Perl {
			return nil
		}
	case "::":
		if p.lang != PHP && p.lang != Ruby {
			return nil
		}
	case ":":
		if p.lang != Lua || u.kind != tIdent {
			return nil
		}
	}
	p.next()
	if u.kind == tOp && (u.text == "(" || u.text == "[" || u.text == "{") {
		switch {
		case u.text == "(" && p.lang == Ruby: // f.(x)
			return mk(nAttr, "call", n)
		case u.text == "{" && p.lang == Perl:
			p.next()
			return &node{kind: nIndex, kids: []*node{n, p.hashKey()}, pos: u.pos}
		case u.text == "{" && p.lang == PHP:
			p.next()
			key := p.assign()
			p.accept("}")
			return &node{kind: nIndex, kids: []*node{n, key}, pos: u.pos}
		case u.text == "(":
			p.next()
			call := &node{kind: nCall, kids: []*node{n}, pos: u.pos}
			p.args(call, ")")
			return call
		case u.text == "[":
			p.next()
			return &node{kind: nIndex, kids: []*node{n, p.subscript()}, pos: u.pos}
		}
	}
	if p.lang == Perl && u.kind == tVar && (u.text == "@" || u.text == "%" || u.text == "$") {
		p.next()
		p.accept("*")
		return n
	}
	if p.lang == Node && u.kind == tOp && u.text == "#" {
		p.next()
		u = p.tok()
	}
	if u.kind != tIdent && u.kind != tVar && u.kind != tStr {
		return mk(nAttr, "", n)
	}
	p.next()
	if u.kind == tVar {
		// A method or a property whose name is in a variable.
		if p.lang == PHP && t.text == "::" {
			return &node{kind: nAttr, text: strings.TrimPrefix(u.text, "$"), kids: []*node{n}, pos: u.pos}
		}
		return &node{kind: nIndex, kids: []*node{n, mk(nName, u.text)}, pos: u.pos}
	}
	a := &node{kind: nAttr, text: u.text, kids: []*node{n}, pos: u.pos}
	if p.lang == Ruby && p.rubyCommand(a) {
		return p.rubyArgs(a)
	}
	return a
}

// subscript is what stands in square brackets behind a value.
func (p *parser) subscript() *node {
	oldCond, oldIn := p.noCond, p.noIn
	p.noCond, p.noIn = false, false
	defer func() { p.noCond, p.noIn = oldCond, oldIn }()
	low := mk(nUnit, "")
	if !p.isOp(":") && !p.isOp("]") {
		low = p.commas()
	}
	if p.lang == Python && p.isOp(":") {
		high := mk(nUnit, "")
		p.next()
		if !p.isOp(":") && !p.isOp("]") {
			high = p.commas()
		}
		n := mk(nSlice, "", low, high)
		if p.accept(":") && !p.isOp("]") {
			n.kids = append(n.kids, p.commas())
		}
		p.closeIndex("]")
		return n
	}
	p.closeIndex("]")
	return low
}

// closeIndex passes over what is not understood before a closing bracket.
func (p *parser) closeIndex(closer string) {
	for !p.eof() && !p.isOp(closer) {
		if p.isOp("}") || p.isOp(")") || p.isOp("]") {
			return
		}
		p.skip()
	}
	p.accept(closer)
}

// hashKey is what stands in braces behind a perl value; a bare word is a string.
func (p *parser) hashKey() *node {
	t, u := p.tok(), p.peek(1)
	if t.kind == tIdent && u.kind == tOp && u.text == "}" {
		p.next()
		p.next()
		return mk(nStr, t.text)
	}
	k := mk(nUnit, "")
	if !p.isOp("}") {
		k = p.low()
	}
	p.closeIndex("}")
	return k
}

// word is an operand that begins with a word.
func (p *parser) word(t token) *node {
	switch p.lang {
	case Python:
		return p.pyWord(t)
	case Node:
		return p.jsWord(t)
	case Perl:
		return p.perlWordNode(t)
	case Ruby:
		return p.rubyWord(t)
	case Lua:
		return p.luaWord(t)
	case PHP:
		return p.phpWord(t)
	}
	p.next()
	return mk(nName, t.text)
}
