package script

// parser builds nodes from tokens. It never fails: what it does not understand it passes over and remembers, so that
// the judgement can tell whether something that matters was lost.
type parser struct {
	lang  Lang
	toks  []token
	i     int
	line  int // in Python the token that begins the logical line
	depth int
	// level is how deep this text is nested in interpolations of others.
	level int
	// noCond keeps "x if y" from being taken for python's conditional expression inside comprehensions; noIn keeps "in"
	// from being an operator; noBlock keeps ruby's "do" and the braces for a loop.
	noCond, noIn, noBlock bool
	// locals are the names assigned so far, which ruby needs to tell calls from variables.
	locals map[string]bool
	// skipped are tokens that fit nowhere; bad is a lexical error in an interpolation.
	skipped []token
	bad     string
	tooDeep bool
}

// maxDepth bounds nesting of expressions and statements, maxLevel of code in strings in code.
const (
	maxDepth = 150
	maxLevel = 4
)

// tok is the present token. In Python the end of a logical line is the end of the text for all that parses within it.
func (p *parser) tok() token {
	if t := p.toks[p.i]; !t.nl || p.lang != Python || p.i == p.line {
		return t
	}
	return token{kind: tEOF, nl: true}
}

func (p *parser) peek(n int) token {
	if p.i+n >= len(p.toks) {
		return p.toks[len(p.toks)-1]
	}
	if p.lang == Python {
		for k := 1; k <= n; k++ {
			if p.toks[p.i+k].nl {
				return token{kind: tEOF, nl: true}
			}
		}
	}
	return p.toks[p.i+n]
}

func (p *parser) next() token {
	t := p.tok()
	if t.kind != tEOF {
		p.i++
	}
	return t
}

func (p *parser) eof() bool { return p.tok().kind == tEOF }

func (p *parser) isOp(s string) bool {
	t := p.tok()
	return t.kind == tOp && t.text == s
}

func (p *parser) isWord(s string) bool {
	t := p.tok()
	return t.kind == tIdent && t.text == s
}

func (p *parser) accept(s string) bool {
	t := p.tok()
	if (t.kind == tOp || t.kind == tIdent) && t.text == s {
		p.next()
		return true
	}
	return false
}

// enter guards against deep nesting; the caller must leave when it is true. What nests too deeply is given up as a whole:
// going on behind it would cost more than linear time, and the judgement is opaque anyhow.
func (p *parser) enter() bool {
	if p.depth++; p.depth > maxDepth {
		p.depth--
		p.tooDeep = true
		p.i = len(p.toks) - 1
		return false
	}
	return true
}

func (p *parser) leave() { p.depth-- }

// skip passes over a token that fits nowhere.
func (p *parser) skip() {
	if !p.eof() {
		p.skipped = append(p.skipped, p.next())
	}
}

func mk(k nkind, text string, kids ...*node) *node { return &node{kind: k, text: text, kids: kids} }

// precedences, weakest first. One ladder serves all languages: only how operands group matters here.
const (
	precWord    = iota + 1 // or, and, not of perl and ruby
	precAssign             // = and its kin
	precCond               // ?:
	precRange              // ..
	precOr                 // ||
	precAnd                // &&
	precNot                // python's not
	precCompare            // == < in =~
	precBit                // | ^ &
	precShift              // << >>
	precAdd                // + - . ..
	precMul                // * / %
	precUnary              // - ! ~
	precPow                // **
	precPostfix            // calls, members
)

// binary is the precedence of the token as a binary operator, 0 when it is none.
func (p *parser) binary() int {
	t := p.tok()
	if t.kind == tIdent {
		switch t.text {
		case "or", "and", "xor":
			switch p.lang {
			case Python, Lua, Awk:
				if t.text == "or" {
					return precOr
				}
				return precAnd
			case Perl, Ruby, PHP:
				if p.lang == Perl && p.peek(1).kind == tOp && p.peek(1).text == "=>" {
					return 0
				}
				return precWord
			}
		case "in":
			if !p.noIn && (p.lang == Python || p.lang == Node) {
				return precCompare
			}
		case "is":
			if p.lang == Python {
				return precCompare
			}
		case "not":
			if p.lang == Python && p.peek(1).text == "in" {
				return precCompare
			}
		case "instanceof":
			if p.lang == Node || p.lang == PHP {
				return precCompare
			}
		case "eq", "ne", "lt", "gt", "le", "ge", "cmp":
			if p.lang == Perl {
				return precCompare
			}
		case "x":
			if p.lang == Perl {
				return precMul
			}
		}
		return 0
	}
	if t.kind != tOp {
		return 0
	}
	switch t.text {
	case "=", "+=", "-=", "*=", "/=", ".=", "%=", "**=", "//=", "||=", "&&=", "??=", "|=", "&=", "^=", "<<=", ">>=", ">>>=", "x=", "..=", ":=", "@=":
		return precAssign
	case "?":
		if p.lang == Python || p.lang == Lua {
			return 0
		}
		return precCond
	case "..", "...":
		if p.lang == Lua {
			return precAdd
		}
		if p.lang == Perl || p.lang == Ruby {
			return precRange
		}
		return 0
	case "||", "??":
		return precOr
	case "//":
		if p.lang == Perl {
			return precOr
		}
		return precMul
	case "&&":
		return precAnd
	case "==", "!=", "===", "!==", "<", ">", "<=", ">=", "<=>", "=~", "!~", "~=", "<>", "~~":
		return precCompare
	case "|", "^", "&":
		return precBit
	case "<<", ">>", ">>>":
		return precShift
	case "+", "-":
		return precAdd
	case ".":
		if p.lang == Perl || p.lang == PHP {
			return precAdd
		}
		return 0
	case "*", "/", "%":
		return precMul
	case "@":
		if p.lang == Python {
			return precMul
		}
	case "**":
		return precPow
	case "^^":
		return precOr
	}
	return 0
}

// newlineEnds reports whether a new line before this token ends an expression.
func (p *parser) newlineEnds() bool {
	t := p.tok()
	if !t.nl {
		return false
	}
	switch p.lang {
	case Python, Ruby, Awk:
		return true
	case Node:
		// A line that begins with an operator goes on, except ++ and --.
		return t.kind != tOp || t.text == "++" || t.text == "--"
	}
	return false
}

// assign is an expression without commas at the top.
func (p *parser) assign() *node { return p.climb(precAssign) }

// climb parses operators of at least the given precedence.
func (p *parser) climb(least int) *node {
	if !p.enter() {
		p.skip()
		return mk(nUnit, "")
	}
	defer p.leave()
	left := p.unary()
	for {
		if p.newlineEnds() {
			return left
		}
		if p.lang == Python && p.isWord("if") && !p.noCond && least <= precCond {
			p.next()
			cond := p.climb(precOr)
			if !p.accept("else") {
				return mk(nCond, "", cond, left, mk(nUnit, ""))
			}
			left = mk(nCond, "", cond, left, p.climb(precCond))
			continue
		}
		prec := p.binary()
		if prec == 0 || prec < least {
			return left
		}
		if prec == precAssign && p.lang == Python && !p.isOp(":=") {
			return left // only statements assign
		}
		op := p.next().text
		switch prec {
		case precAssign:
			if left.kind == nName && p.locals != nil {
				p.locals[left.text] = true
			}
			left = mk(nAssign, op, left, p.rhs())
		case precCond:
			yes := p.assign()
			p.accept(":")
			left = mk(nCond, "", left, yes, p.climb(precAssign))
		case precPow:
			left = mk(nBin, op, left, p.climb(precPow))
		case precRange:
			if t := p.tok(); t.kind == tOp && (t.text == ")" || t.text == "]") {
				left = mk(nBin, op, left, mk(nUnit, ""))
				continue
			}
			left = mk(nBin, op, left, p.climb(prec+1))
		default:
			if op == "not" || op == "is" && p.isWord("not") {
				p.next()
			}
			left = mk(nBin, op, left, p.climb(prec+1))
		}
	}
}

// rhs is what stands right of an assignment; ruby allows a bare list and a rescue there.
func (p *parser) rhs() *node {
	r := p.climb(precAssign)
	if p.lang == Ruby && p.isWord("rescue") && !p.tok().nl {
		p.next()
		p.climb(precAssign)
	}
	return r
}

// low is an expression with the weak word operators of perl, ruby and php.
func (p *parser) low() *node {
	left := p.commas()
	for p.lang != Python && !p.newlineEnds() && p.binary() == precWord && p.enter() {
		op := p.next().text
		left = mk(nBin, op, left, p.commas())
		p.leave()
	}
	return left
}

// commas is a list of expressions; a single one stays itself.
func (p *parser) commas() *node {
	first := p.element()
	if !p.isOp(",") && !(p.isOp("=>") && p.lang == Perl) {
		return first
	}
	list := mk(nList, "tuple", first)
	for !p.eof() && (p.accept(",") || p.lang == Perl && p.accept("=>")) {
		if p.closes() || p.newlineEnds() && p.lang == Python {
			break
		}
		if p.isOp(",") {
			continue
		}
		list.kids = append(list.kids, p.element())
	}
	return list
}

// closes reports whether the token ends any list.
func (p *parser) closes() bool {
	t := p.tok()
	if t.kind == tEOF {
		return true
	}
	if t.kind == tIdent && (p.lang == Perl || p.lang == Ruby) {
		switch t.text {
		case "if", "unless", "while", "until", "or", "and", "for", "foreach":
			return !(p.peek(1).kind == tOp && p.peek(1).text == "=>")
		}
	}
	if t.kind != tOp {
		return false
	}
	switch t.text {
	case ")", "]", "}", ";", "=", ":":
		return true
	}
	return false
}

// element is an item of a list, perhaps a spread one.
func (p *parser) element() *node {
	if t := p.tok(); t.kind == tOp {
		switch t.text {
		case "*", "**":
			if p.lang == Python || p.lang == Ruby {
				p.next()
				return mk(nSpread, t.text, p.climb(precBit))
			}
		case "...":
			if p.lang == Node || p.lang == PHP {
				p.next()
				return mk(nSpread, t.text, p.assign())
			}
		}
	}
	return p.assign()
}

// unary parses prefix operators.
func (p *parser) unary() *node {
	t := p.tok()
	if t.kind == tOp {
		switch t.text {
		case "-", "+", "!", "~", "++", "--", "@", "\\", "&", "?", "#":
			if t.text == "@" && p.lang != PHP || t.text == "\\" && p.lang != Perl || t.text == "#" && p.lang != Lua ||
				t.text == "?" || t.text == "&" && p.lang != PHP && p.lang != Ruby {
				break
			}
			if p.lang == Perl && t.text == "-" && p.peek(1).kind == tIdent && !p.peek(1).sp && len(p.peek(1).text) == 1 {
				p.next() // a file test: -e $f
				name := p.next().text
				return mk(nUn, "-"+name, p.unary())
			}
			return p.prefix(t.text)
		case "::":
			if p.lang == Ruby {
				p.next()
				return p.unary()
			}
		}
	}
	if t.kind == tIdent {
		switch t.text {
		case "not":
			if p.lang == Python || p.lang == Lua || p.lang == Perl || p.lang == Ruby {
				p.next()
				if !p.enter() {
					return mk(nUnit, "")
				}
				defer p.leave()
				return mk(nUn, "!", p.climb(precNot))
			}
		case "await", "typeof", "void", "delete":
			if p.lang == Node || p.lang == Python && t.text == "await" {
				return p.prefix(t.text)
			}
		case "new", "clone", "print", "include", "include_once", "require_once":
			if p.lang == PHP || p.lang == Node && t.text == "new" {
				return p.prefix(t.text)
			}
		case "defined", "ref", "scalar", "lc", "uc", "lcfirst", "ucfirst", "length", "chomp", "quotemeta":
			if p.lang == Perl && !(p.peek(1).kind == tOp && (p.peek(1).text == "(" || p.peek(1).text == "=>")) && p.startsTerm(p.peek(1)) {
				return p.prefix(t.text)
			}
		}
	}
	n := p.postfix(p.primary())
	if !p.newlineEnds() && p.isOp("**") {
		p.next()
		return mk(nBin, "**", n, p.unary())
	}
	return n
}

func (p *parser) prefix(op string) *node {
	p.next()
	if !p.enter() {
		return mk(nUnit, "")
	}
	defer p.leave()
	if op == "print" || op == "include" || op == "include_once" || op == "require_once" {
		return mk(nCall, "", mk(nName, op), p.assign())
	}
	x := p.unary()
	switch op {
	case "await", "+", "@", "\\", "&", "void", "clone":
		return x
	case "new":
		if x.kind != nCall {
			x = mk(nCall, "", x)
		}
		x.text = "new"
		return x
	case "defined", "ref", "scalar", "lc", "uc", "lcfirst", "ucfirst", "length", "chomp", "quotemeta":
		return mk(nCall, "", mk(nName, op), x)
	}
	return mk(nUn, op, x)
}

// interp turns the parts of a string into a node.
func (p *parser) interp(parts []part) *node {
	n := mk(nInterp, "")
	for _, pt := range parts {
		if !pt.code {
			n.kids = append(n.kids, mk(nStr, pt.text))
			continue
		}
		n.kids = append(n.kids, p.nestedCode(pt.text))
	}
	return n
}

// nestedCode parses code inside a string.
func (p *parser) nestedCode(src string) *node {
	if p.level >= maxLevel {
		p.tooDeep = true
		return mk(nUnit, "")
	}
	toks, bad := lex(p.lang, src)
	q := &parser{lang: p.lang, toks: toks, level: p.level + 1, depth: p.depth, locals: p.locals}
	if bad != "" {
		p.bad = bad
	}
	n := q.low()
	for !q.eof() {
		q.skip()
	}
	p.skipped = append(p.skipped, q.skipped...)
	p.tooDeep = p.tooDeep || q.tooDeep
	if p.bad == "" {
		p.bad = q.bad
	}
	return n
}

// lex splits a text into tokens; bad says what was left open.
func lex(lang Lang, src string) (toks []token, bad string) {
	switch lang {
	case Python:
		return lexPython(src)
	case Awk:
		return lexAwk(src)
	case Node:
		return lexJS(src)
	case PHP:
		return lexPHP(src)
	case Perl:
		return lexPerl(src)
	case Ruby:
		return lexRuby(src)
	case Lua:
		return lexLua(src)
	}
	l := &lexer{s: src}
	return l.finish()
}

// str makes a node of a string token.
func (p *parser) str(t token) *node {
	if t.parts != nil {
		return p.interp(t.parts)
	}
	return mk(nStr, t.text)
}

// startsTerm reports whether a token can begin an operand.
func (p *parser) startsTerm(t token) bool {
	switch t.kind {
	case tIdent, tVar, tNum, tStr, tRegex, tShell, tReadline, tWords:
		return true
	case tOp:
		switch t.text {
		case "(", "[", "{", "\\", "-", "+", "!", "~", "@", "::", "->", "&":
			return true
		}
	}
	return false
}

// args parses arguments up to a closing bracket, which it takes.
func (p *parser) args(call *node, closer string) {
	oldCond, oldIn, oldBlock := p.noCond, p.noIn, p.noBlock
	p.noCond, p.noIn, p.noBlock = false, false, false
	defer func() { p.noCond, p.noIn, p.noBlock = oldCond, oldIn, oldBlock }()
	call.keys = append(call.keys, "")
	for !p.eof() && !p.isOp(closer) {
		start := p.i
		key, n := "", (*node)(nil)
		t, u := p.tok(), p.peek(1)
		switch {
		case p.lang == Python && t.kind == tIdent && u.kind == tOp && u.text == "=":
			p.next()
			p.next()
			key, n = t.text, p.assign()
		case (p.lang == Ruby || p.lang == PHP) && t.kind == tIdent && u.kind == tOp && u.text == ":" && !u.sp:
			p.next()
			p.next()
			key, n = t.text, p.assign()
		case p.lang == Ruby && t.kind == tOp && t.text == "&" && p.startsTerm(u):
			p.next()
			key, n = "&", p.assign()
		default:
			n = p.element()
			if p.isOp("=>") && p.lang != Node {
				p.next()
				if n.kind == nStr || n.kind == nName {
					key = n.text
				}
				n = p.assign()
			}
		}
		if p.lang == Python && (p.isWord("for") || p.isWord("async")) {
			n = p.comprehension(n)
		}
		call.kids = append(call.kids, n)
		call.keys = append(call.keys, key)
		if !p.accept(",") && !p.isOp(closer) && p.i == start {
			p.skip()
		} else if !p.isOp(closer) && p.i > start && p.toks[p.i-1].text != "," && !p.eof() {
			// No comma: a word operator (perl's or), or something that is not understood.
			if p.binary() == precWord {
				op := p.next().text
				last := len(call.kids) - 1
				call.kids[last] = mk(nBin, op, call.kids[last], p.low())
			} else if p.lang == Node || p.lang == PHP || p.lang == Perl {
				if !p.accept(";") {
					p.skip()
				}
			}
		}
	}
	p.accept(closer)
}

// comprehension is the rest of [x for x in y if z].
func (p *parser) comprehension(elem *node) *node {
	p.accept("async")
	if !p.accept("for") || !p.enter() {
		return elem
	}
	defer p.leave()
	target := p.targets()
	p.accept("in")
	old := p.noCond
	p.noCond = true
	iter := p.climb(precOr)
	cond := mk(nUnit, "")
	for p.accept("if") {
		cond = mk(nBin, "and", cond, p.climb(precOr))
	}
	p.noCond = old
	if p.isWord("for") || p.isWord("async") {
		elem = p.comprehension(elem)
	}
	return mk(nComp, "", target, iter, elem, cond)
}

// targets is what a loop or a comprehension assigns to.
func (p *parser) targets() *node {
	old := p.noIn
	p.noIn = true
	defer func() { p.noIn = old }()
	first := p.climb(precBit)
	if !p.isOp(",") {
		return first
	}
	list := mk(nList, "tuple", first)
	for p.accept(",") && !p.isWord("in") && !p.eof() {
		list.kids = append(list.kids, p.element())
	}
	return list
}
