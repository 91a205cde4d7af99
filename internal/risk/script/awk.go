package script

import (
	"strconv"
	"strings"
)

// awkRule is one pattern with its action.
type awkRule struct {
	pattern, until *node // until is the second pattern of a range
	begin, end     bool
	action         *node // nil prints the line
}

// lexAwk splits an awk program into tokens. New lines end statements, so they are kept on the tokens.
func lexAwk(src string) ([]token, string) {
	l := &lexer{s: src, nl: true}
	for l.i < len(l.s) {
		c := l.s[l.i]
		switch {
		case c == '\n':
			l.i++
			l.nl = true
		case isSpace(c):
			l.i++
			l.sp = true
		case c == '\\' && (l.at(1) == '\n' || l.at(1) == '\r'):
			l.i += 2
			l.sp = true
		case c == '#':
			for l.i < len(l.s) && l.s[l.i] != '\n' {
				l.i++
			}
		case c == '"':
			start := l.i
			l.i++
			raw, _ := l.quoted(`"`)
			l.add(tStr, unescape(raw), start)
		case c == '/' && l.regexAhead():
			start := l.i
			l.i++
			if l.slashRegex() {
				l.add(tRegex, "m", start)
			} else {
				l.fail("a regular expression that is not closed")
				l.i = len(l.s)
			}
		case isAlpha(c):
			start := l.i
			l.add(tIdent, l.word(""), start)
		case isDigit(c) || c == '.' && isDigit(l.at(1)):
			l.number()
		default:
			l.op("**=", "|&", "&&", "||", "==", "!=", "<=", ">=", ">>", "+=", "-=", "*=", "/=", "%=", "^=", "++", "--", "**", "!~")
		}
	}
	return l.finish()
}

// regexAhead reports whether a slash begins a regular expression: where an operand is expected.
func (l *lexer) regexAhead() bool {
	p := l.prev()
	switch p.kind {
	case tEOF:
		return true
	case tIdent:
		switch p.text {
		case "print", "printf", "return", "case", "in", "typeof", "and", "or", "not", "if", "unless", "while", "until", "when", "puts", "then", "else", "do", "elsif", "split", "grep", "x", "await", "yield", "of", "void", "delete", "throw", "p":
			return true
		}
		return false
	case tOp:
		return p.text != ")" && p.text != "]" && p.text != "}" && p.text != "++" && p.text != "--" || l.nl && p.text == "}"
	}
	return false
}

// slashRegex skips to behind the slash that ends a regular expression on the same line.
func (l *lexer) slashRegex() bool {
	class := false
	for l.i < len(l.s) {
		c := l.s[l.i]
		l.i++
		switch {
		case c == '\\':
			l.i++
		case c == '\n':
			return false
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			return true
		}
	}
	l.i = min(l.i, len(l.s))
	return false
}

// awkProgram parses rules and functions.
func (p *parser) awkProgram() (rules []awkRule, funcs []*node) {
	for !p.eof() {
		start := p.i
		switch {
		case p.accept(";"):
			continue
		case p.isWord("function") || p.isWord("func"):
			p.next()
			f := mk(nFunc, p.next().text)
			if p.accept("(") {
				for !p.eof() && !p.isOp(")") {
					if t := p.next(); t.kind == tIdent {
						f.keys = append(f.keys, t.text)
					}
				}
				p.accept(")")
			}
			f.kids = []*node{p.awkBlock()}
			funcs = append(funcs, f)
			continue
		}
		var r awkRule
		switch {
		case p.isWord("BEGIN"), p.isWord("BEGINFILE"):
			p.next()
			r.begin = true
		case p.isWord("END"), p.isWord("ENDFILE"):
			p.next()
			r.end = true
		case p.isOp("{"):
		default:
			r.pattern = p.awkExpr(1)
			if p.accept(",") {
				r.until = p.awkExpr(1)
			}
		}
		if p.isOp("{") && (r.pattern == nil || !p.tok().nl) {
			r.action = p.awkBlock()
		}
		rules = append(rules, r)
		if p.i == start {
			p.skip()
		}
	}
	return rules, funcs
}

// awkBlock is a block in braces.
func (p *parser) awkBlock() *node {
	b := mk(nBlock, "")
	if !p.accept("{") || !p.enter() {
		return b
	}
	defer p.leave()
	for !p.eof() && !p.isOp("}") {
		start := p.i
		b.kids = append(b.kids, p.awkStatement())
		for p.accept(";") {
		}
		if p.i == start {
			p.skip()
		}
	}
	p.accept("}")
	return b
}

func (p *parser) awkStatement() *node {
	if !p.enter() {
		p.skip()
		return mk(nUnit, "")
	}
	defer p.leave()
	t := p.tok()
	if t.kind == tOp && t.text == "{" {
		return p.awkBlock()
	}
	if t.kind == tOp && t.text == ";" {
		return mk(nUnit, "")
	}
	if t.kind != tIdent {
		return p.awkExpr(1)
	}
	switch t.text {
	case "if", "while", "switch":
		p.next()
		p.accept("(")
		cond := p.awkExpr(1)
		p.awkClose()
		if t.text == "switch" {
			return mk(nIf, "open", cond, p.awkBlock())
		}
		body := p.awkStatement()
		if t.text == "while" {
			return mk(nWhile, "", cond, body)
		}
		n := mk(nIf, "", cond, body)
		if p.isOp(";") && p.peek(1).text == "else" {
			p.next()
		}
		if p.accept("else") {
			n.kids = append(n.kids, p.awkStatement())
		}
		return n
	case "case", "default":
		p.next()
		if t.text == "case" {
			p.awkExpr(3)
		}
		p.accept(":")
		return mk(nUnit, "")
	case "do":
		p.next()
		body := p.awkStatement()
		p.accept(";")
		cond := mk(nUnit, "")
		if p.accept("while") && p.accept("(") {
			cond = p.awkExpr(1)
			p.awkClose()
		}
		return mk(nWhile, "", cond, body)
	case "for":
		p.next()
		p.accept("(")
		if p.tok().kind == tIdent && p.peek(1).text == "in" && p.peek(3).text == ")" {
			v := mk(nName, p.next().text)
			p.next()
			list := mk(nName, p.next().text)
			p.awkClose()
			return mk(nFor, "", v, list, p.awkStatement())
		}
		var parts [3]*node
		for i := range parts {
			parts[i] = mk(nUnit, "")
			if !p.isOp(";") && !p.isOp(")") {
				parts[i] = p.awkExpr(1)
			}
			if i < 2 {
				p.accept(";")
			}
		}
		p.awkClose()
		return mk(nBlock, "", parts[0], mk(nWhile, "", parts[1], p.awkStatement(), parts[2]))
	case "print", "printf":
		return p.awkPrint()
	case "next", "nextfile", "exit", "break", "continue", "return", "delete":
		p.next()
		n := mk(nJump, t.text)
		if t.text == "return" {
			n.kind = nReturn
		}
		if t.text == "delete" {
			n.kind = nBlock
		}
		if !p.tok().nl && p.awkStarts() {
			n.kids = append(n.kids, p.awkExpr(1))
		}
		return n
	}
	return p.awkExpr(1)
}

// awkClose passes to behind the closing bracket.
func (p *parser) awkClose() {
	for !p.eof() && !p.isOp(")") && !p.isOp("{") && !p.isOp("}") {
		p.skip()
	}
	p.accept(")")
}

// awkPrint is print or printf with its redirection. kids[0] is the redirection operator, kids[1] its target.
func (p *parser) awkPrint() *node {
	n := mk(nPrint, p.next().text, mk(nStr, ""), mk(nUnit, ""))
	if !p.tok().nl && p.awkStarts() {
		for {
			// Inside print a bare > is a redirection; in brackets it compares.
			n.kids = append(n.kids, p.awkExpr(2))
			if !p.accept(",") {
				break
			}
		}
		if len(n.kids) == 3 && n.kids[2].kind == nList {
			n.kids = append(n.kids[:2], n.kids[2].kids...)
		}
	}
	for !p.tok().nl || p.i == 0 {
		t := p.tok()
		if t.kind != tOp || t.text != ">" && t.text != ">>" && t.text != "|" && t.text != "|&" {
			break
		}
		p.next()
		n.kids[0], n.kids[1] = mk(nStr, t.text), p.awkExpr(8)
	}
	return n
}

// awkStarts reports whether the token begins an operand.
func (p *parser) awkStarts() bool {
	t := p.tok()
	switch t.kind {
	case tStr, tNum, tRegex:
		return true
	case tIdent:
		return t.text != "in"
	case tOp:
		switch t.text {
		case "(", "$", "-", "+", "!", "++", "--", "@":
			return true
		}
	}
	return false
}

// awkPrec are the precedences: 1 assignment and all, 2 without > and | (inside print), 3 ?:, 4 || and && and in, 5 ~, 6
// comparison, 8 concatenation, 9 sums, 10 products, 11 powers.
func (p *parser) awkPrec(noGreater bool) int {
	t := p.tok()
	if t.kind == tIdent {
		if t.text == "in" {
			return 4
		}
		return 0
	}
	if t.kind != tOp {
		return 0
	}
	switch t.text {
	case "=", "+=", "-=", "*=", "/=", "%=", "^=", "**=":
		return 3
	case "?":
		return 3
	case "||", "&&":
		return 4
	case "~", "!~":
		return 5
	case "<", "<=", "==", "!=", ">=":
		return 6
	case ">":
		if noGreater {
			return 0
		}
		return 6
	case "|", "|&":
		if p.peek(1).kind == tIdent && p.peek(1).text == "getline" {
			return 7
		}
		return 0
	case "+", "-":
		return 9
	case "*", "/", "%":
		return 10
	case "^", "**":
		return 11
	}
	return 0
}

// awkExpr parses an expression of at least a precedence.
func (p *parser) awkExpr(least int) *node {
	if !p.enter() {
		p.skip()
		return mk(nUnit, "")
	}
	defer p.leave()
	noGreater := least >= 2
	left := p.awkUnary(noGreater)
	for {
		t := p.tok()
		if t.nl {
			return left
		}
		prec := p.awkPrec(noGreater)
		if prec == 0 {
			// Operands side by side are joined.
			if least <= 8 && p.awkStarts() && !(t.kind == tOp && (t.text == "-" || t.text == "+" || t.text == "!" || t.text == "++" || t.text == "--")) {
				left = mk(nBin, ".", left, p.awkExpr(9))
				continue
			}
			return left
		}
		if prec < least {
			return left
		}
		p.next()
		switch {
		case prec == 3 && t.text == "?":
			yes := p.awkExpr(min(least, 3))
			p.accept(":")
			left = mk(nCond, "", left, yes, p.awkExpr(3))
		case prec == 3:
			r := p.awkExpr(max(2, min(least, 3)))
			left = mk(nAssign, t.text, left, r)
		case prec == 7:
			p.next()
			n := mk(nCall, "", mk(nName, "getline"), mk(nStr, "|"), left)
			if !p.tok().nl && (p.tok().kind == tIdent && p.tok().text != "in" || p.isOp("$")) {
				n.kids = append(n.kids, p.awkUnary(true))
			}
			left = n
		default:
			next := prec + 1
			if noGreater {
				next = max(next, 2)
			}
			left = mk(nBin, awkOp(t.text), left, p.awkExpr(next))
		}
	}
}

func awkOp(s string) string {
	switch s {
	case "~":
		return "=~"
	}
	return s
}

// awkUnary parses an operand.
func (p *parser) awkUnary(noGreater bool) *node {
	t := p.tok()
	switch t.kind {
	case tNum:
		p.next()
		return mk(nNum, t.text)
	case tStr:
		p.next()
		return mk(nStr, t.text)
	case tRegex:
		p.next()
		return mk(nRegex, "m")
	case tIdent:
		p.next()
		if t.text == "getline" {
			n := mk(nCall, "", mk(nName, "getline"), mk(nStr, ""), mk(nUnit, ""))
			if !p.tok().nl && (p.tok().kind == tIdent || p.isOp("$")) {
				n.kids = append(n.kids, p.awkUnary(true))
			}
			if p.accept("<") {
				n.kids[1], n.kids[2] = mk(nStr, "<"), p.awkExpr(9)
			}
			return n
		}
		if p.isOp("(") && !p.tok().sp || p.isOp("(") && awkBuiltin(t.text) {
			p.next()
			n := mk(nCall, "", mk(nName, t.text))
			for !p.eof() && !p.isOp(")") {
				start := p.i
				n.kids = append(n.kids, p.awkExpr(1))
				p.accept(",")
				if p.i == start {
					p.skip()
				}
			}
			p.accept(")")
			return n
		}
		if t.text == "length" {
			return mk(nCall, "", mk(nName, "length"))
		}
		n := mk(nName, t.text)
		if p.isOp("[") && !p.tok().nl {
			p.next()
			idx := p.awkExpr(1)
			for p.accept(",") {
				idx = mk(nBin, ".", idx, p.awkExpr(1))
			}
			p.closeIndex("]")
			n = mk(nIndex, "", n, idx)
		}
		return p.awkIncr(n)
	case tOp:
		switch t.text {
		case "(":
			p.next()
			list := mk(nList, "tuple")
			for !p.eof() && !p.isOp(")") {
				start := p.i
				list.kids = append(list.kids, p.awkExpr(1))
				p.accept(",")
				if p.i == start {
					p.skip()
				}
			}
			p.accept(")")
			if len(list.kids) == 1 {
				return list.kids[0]
			}
			return list
		case "$":
			p.next()
			if !p.enter() {
				return mk(nUnit, "")
			}
			defer p.leave()
			return p.awkIncr(mk(nUn, "$", p.awkUnary(noGreater)))
		case "-", "+", "!", "++", "--", "@":
			p.next()
			if !p.enter() {
				return mk(nUnit, "")
			}
			defer p.leave()
			x := p.awkUnary(noGreater)
			if t.text == "++" || t.text == "--" {
				return mk(nAssign, "+=", x, mk(nNum, "1"))
			}
			if t.text == "@" {
				return mk(nCall, "", mk(nName, "@"), x)
			}
			return mk(nUn, t.text, x)
		}
	}
	return mk(nUnit, "")
}

func (p *parser) awkIncr(n *node) *node {
	if !p.tok().nl && (p.accept("++") || p.accept("--")) {
		return mk(nAssign, "+=", n, mk(nNum, "1"))
	}
	return n
}

func awkBuiltin(name string) bool {
	switch name {
	case "system", "close", "substr", "index", "length", "split", "sub", "gsub", "gensub", "sprintf", "match", "tolower", "toupper", "printf", "print", "fflush":
		return true
	}
	return false
}

// judgeAwk judges an awk program with its operands.
func judgeAwk(src string, argv []string, o Options, t table) Effects {
	ev := &eval{
		lang: Awk, opt: o, rows: t, cache: map[string]row{}, none: map[string]bool{}, funcs: map[string][]*node{}, class: map[string]*node{},
		refs: map[string]bool{}, heirs: map[*node]bool{}, done: map[*node]bool{}, stdout: -1,
	}
	ev.push(false)
	toks, bad := lexAwk(src)
	p := &parser{lang: Awk, toks: toks, bad: bad}
	rules, funcs := p.awkProgram()
	ev.lost(p)
	for _, f := range funcs {
		ev.collect(f)
	}
	reads := false
	for _, r := range rules {
		reads = reads || !r.begin
	}
	var files []string
	for _, f := range operands(argv, o) {
		if name, val, ok := strings.Cut(f, "="); ok && isName(name) {
			ev.set(name, text(val))
			continue
		}
		files = append(files, f)
	}
	for k, v := range o.Vars {
		ev.set(k, text(v))
	}
	ev.set("ENVIRON", value{class: "env"})
	args := value{k: vList, items: []value{text("awk")}}
	for _, f := range operands(argv, o) {
		if f == "" {
			args.items = append(args.items, value{})
		} else {
			args.items = append(args.items, text(f))
		}
	}
	ev.set("ARGV", args)
	line := value{}
	if reads {
		ev.out.Touches = inputTouches(files, true, output{}, "awk")
		var name value
		for i, t := range ev.out.Touches {
			line.flows = append(line.flows, flow{ref: i, full: true, verbatim: true, elem: true})
			v := text(t.Path)
			if !t.Known {
				v = value{}
			}
			if i == 0 {
				name = v
			} else {
				name = either(name, v)
			}
		}
		ev.set("FILENAME", name)
	}
	ev.awkRules(rules, line)
	ev.leftovers()
	return ev.out
}

func isName(s string) bool {
	for i := range len(s) {
		if !isWord(s[i]) || i == 0 && !isAlpha(s[i]) {
			return false
		}
	}
	return s != ""
}

// awkRules follows the rules: what BEGIN does, what is done with the lines, what END does.
func (ev *eval) awkRules(rules []awkRule, line value) {
	for _, r := range rules {
		if r.begin && r.action != nil {
			ev.block(r.action)
		}
	}
	limit := 0 // lines behind it are not reached: NR>20{exit}
	broken := false
	for _, r := range rules {
		if r.begin || r.end {
			continue
		}
		in := value{flows: append([]flow(nil), line.flows...)}
		spans, known, perFile := awkLines(r)
		switch {
		case known && limit > 0 && len(spans) == 0: // every line
			spans = [][2]int{{1, limit}}
		case limit > 0:
			for i := range spans {
				if spans[i][1] == 0 || spans[i][1] > limit {
					spans[i][1] = limit
				}
			}
		}
		for i := range in.flows {
			if len(spans) > 0 {
				in.flows[i].spans = spans
				if i > 0 && !perFile {
					in.flows[i] = flow{ref: in.flows[i].ref}
				}
			}
			if broken {
				in.flows[i] = flow{ref: in.flows[i].ref}
			}
		}
		if r.action != nil && len(r.action.kids) == 1 && r.action.kids[0].kind == nJump && r.action.kids[0].text == "exit" && known && len(spans) == 1 {
			limit = spans[0][0] - 1
			if limit > 0 {
				continue
			}
		}
		ev.set("$0", in)
		run := func() {
			if r.action == nil {
				ev.printed(in)
				return
			}
			ev.block(r.action)
		}
		if r.pattern != nil {
			ev.expr(r.pattern)
		}
		if r.until != nil {
			ev.expr(r.until)
		}
		if known {
			run()
		} else {
			m := ev.branch(run)
			ev.merge([]map[string]value{m}, false)
		}
		if v, ok := ev.get("$0"); ok && len(spans) == 0 && known {
			line = v
		}
		broken = broken || r.action != nil && jumps(r.action)
	}
	for i := range ev.out.Touches {
		ev.out.Touches[i].Spans = joinSpans(ev.out.Touches[i].Spans)
	}
	ev.set("$0", value{flows: partly(line.flows)})
	for _, r := range rules {
		if r.end && r.action != nil {
			ev.block(r.action)
		}
	}
}

// awkLines are the lines that a pattern selects by their number; known is false when it depends on their text. No spans
// are all lines. perFile says that each file is numbered anew.
func awkLines(r awkRule) (spans [][2]int, known, perFile bool) {
	switch {
	case r.pattern == nil:
		return nil, true, true
	case r.until != nil:
		a, ok, per := lineRange(r.pattern)
		b, also, _ := lineRange(r.until)
		if ok && also && a[0] == a[1] && b[0] == b[1] && b[0] >= a[0] {
			return [][2]int{{a[0], b[0]}}, true, per
		}
		return nil, false, false
	case r.pattern.kind == nNum && r.pattern.text != "0":
		return nil, true, true
	case r.pattern.kind == nStr && r.pattern.text != "":
		return nil, true, true
	}
	var collect func(n *node, depth int) bool
	collect = func(n *node, depth int) bool {
		if n.kind == nBin && n.text == "||" && depth < 50 {
			return collect(n.kid(0), depth+1) && collect(n.kid(1), depth+1)
		}
		s, ok, per := lineRange(n)
		spans, perFile = append(spans, s), per
		return ok
	}
	if collect(r.pattern, 0) {
		return joinSpans(spans), true, perFile
	}
	return nil, false, false
}

// lineRange is what a comparison of NR or FNR with a number, or two of them, selects.
func lineRange(n *node) (s [2]int, ok, perFile bool) {
	if n.kind != nBin {
		return s, false, false
	}
	if n.text == "&&" {
		a, ok1, per := lineRange(n.kid(0))
		b, ok2, _ := lineRange(n.kid(1))
		if !ok1 || !ok2 {
			return s, false, false
		}
		s = [2]int{max(a[0], b[0]), a[1]}
		if a[1] == 0 || b[1] != 0 && b[1] < a[1] {
			s[1] = b[1]
		}
		return s, s[1] == 0 || s[1] >= s[0], per
	}
	left, right, op := n.kid(0), n.kid(1), n.text
	if (op == ".." || op == "...") && left.kind == nNum && right.kind == nNum { // perl's and ruby's flip-flop
		a, err1 := strconv.Atoi(left.text)
		b, err2 := strconv.Atoi(right.text)
		return [2]int{a, b}, err1 == nil && err2 == nil && a > 0 && b >= a && b < 1<<30, false
	}
	if left.kind == nNum {
		left, right = right, left
		op = map[string]string{"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "=="}[op]
	}
	if left.kind != nName || left.text != "NR" && left.text != "FNR" && left.text != "$." || right.kind != nNum {
		return s, false, false
	}
	v, err := strconv.Atoi(right.text)
	if err != nil || v < 0 || v > 1<<30 {
		return s, false, false
	}
	perFile = left.text == "FNR"
	switch op {
	case "==":
		return [2]int{v, v}, v > 0, perFile
	case "<":
		return [2]int{1, v - 1}, v > 1, perFile
	case "<=":
		return [2]int{1, v}, v > 0, perFile
	case ">":
		return [2]int{v + 1, 0}, true, perFile
	case ">=":
		return [2]int{max(v, 1), 0}, true, perFile
	}
	return s, false, false
}
