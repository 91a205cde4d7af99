package script

import (
	"slices"
	"strings"
)

// eval walks a script's syntax tree as the interpreter would run it, with values that may be unknown. Every branch is
// taken; loops over literal lists and calls of the script's own functions are followed as long as the budget lasts, each
// loop and function is followed at least once.
type eval struct {
	lang  Lang
	opt   Options
	argv  []string
	out   Effects
	rows  table
	cache map[string]row     // lines parsed so far
	none  map[string]bool    // names that have none
	funcs map[string][]*node // functions and methods of the script by name
	class map[string]*node
	heirs map[*node]bool  // methods of classes with a base class, which may call them
	refs  map[string]bool // names that the script mentions
	stars []string        // modules whose names were imported without a prefix
	done  map[*node]bool  // functions whose body was followed

	scopes  []scope
	returns []value
	handles []handle
	cond    int // nesting of conditions
	depth   int // recursion
	calls   int // nesting of calls of the script's functions
	steps   int
	evals   int // nesting of text that is code

	dir        string
	dirUnknown bool
	// iterating is set while the condition of a loop is evaluated, where reading a line means reading all of them.
	iterating bool
	stdout    int // handle that replaces standard output, -1 for none
	tired     bool
	last      value // value of the last statement
}

type scope struct {
	vars    map[string]value
	overlay bool // a branch: merged into what is around it at its end
}

// handle is an open file or a pipe.
type handle struct {
	path   value
	ref    int // Touch of the read, ^Run of a pipe
	read   bool
	stdout bool
	pipe   bool
	stdin  bool // pipe that feeds the command
}

const (
	maxUnroll = 64
	maxSteps  = 60_000 // evaluation steps after which nothing is followed twice
	maxCalls  = 12
	maxEval   = 3
	maxNest   = 600
	// maxEffects bounds what is reported; no real script comes near.
	maxEffects = 2_000
)

func (ev *eval) opaque(why string) {
	if !slices.Contains(ev.out.Opaque, why) && len(ev.out.Opaque) < 50 {
		ev.out.Opaque = append(ev.out.Opaque, why)
	}
}

// collect finds the functions and classes of the script and the names it mentions.
func (ev *eval) collect(n *node) {
	work := []*node{n}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		switch n.kind {
		case nFunc:
			name := n.text
			if name == "" {
				name = anonymous
			}
			ev.funcs[name] = append(ev.funcs[name], n)
		case nClass:
			ev.class[n.text] = n
			if len(n.keys) > 0 {
				for _, m := range n.kid(0).kids {
					ev.heirs[m] = true
				}
			}
		case nName:
			ev.refs[strings.TrimPrefix(n.text, "&")] = true
		case nAttr:
			ev.refs[n.text] = true
		case nStr:
			if len(n.text) < 64 {
				ev.refs[n.text] = true
			}
		}
		work = append(work, n.kids...)
	}
}

func (ev *eval) get(name string) (value, bool) {
	for i := len(ev.scopes) - 1; i >= 0; i-- {
		if v, ok := ev.scopes[i].vars[name]; ok {
			return v, true
		}
	}
	return value{}, false
}

func (ev *eval) set(name string, v value) {
	s := &ev.scopes[len(ev.scopes)-1]
	if s.vars == nil {
		s.vars = map[string]value{}
	}
	s.vars[name] = v
}

// block evaluates statements.
func (ev *eval) block(n *node) {
	if n.kind != nBlock {
		ev.last = ev.stmt(n)
		return
	}
	for _, k := range n.kids {
		ev.last = ev.stmt(k)
	}
}

// stmt evaluates a statement or an expression.
func (ev *eval) stmt(n *node) value {
	if ev.depth++; ev.depth > maxNest {
		ev.depth--
		ev.opaque("the script nests too deeply to follow")
		return value{}
	}
	defer func() { ev.depth-- }()
	ev.steps++
	switch n.kind {
	case nBlock:
		for _, k := range n.kids {
			ev.last = ev.stmt(k)
		}
		return ev.last
	case nIf:
		return ev.ifStmt(n)
	case nFor:
		ev.forStmt(n)
	case nWhile:
		ev.whileStmt(n)
	case nTry:
		ev.block(n.kid(0))
		for _, k := range n.kids[min(1, len(n.kids)):] {
			if k.text == "always" {
				ev.block(k)
				continue
			}
			b := ev.branch(func() { ev.block(k) })
			ev.merge([]map[string]value{b}, false)
		}
	case nReturn:
		v := value{k: vNone}
		if len(n.kids) > 0 {
			v = ev.expr(n.kid(0))
		}
		if k := len(ev.returns); k > 0 {
			if ev.returns[k-1].class == "unset" {
				ev.returns[k-1] = v
			} else {
				ev.returns[k-1] = either(ev.returns[k-1], v)
			}
		}
		return v
	case nImport:
		ev.load(n)
	case nClass:
		ev.classStmt(n)
	case nFunc:
		if n.text != "" {
			ev.set(n.text, value{k: vFunc, fn: n})
			return value{k: vStr, s: n.text, known: true}
		}
		return value{k: vFunc, fn: n}
	case nJump:
	default:
		return ev.expr(n)
	}
	return value{}
}

func (ev *eval) load(n *node) {
	if len(n.keys) == 0 {
		return
	}
	if n.keys[0] == "*" {
		ev.stars = append(ev.stars, n.text)
		return
	}
	ev.set(n.keys[0], ev.property(n.text))
}

func (ev *eval) classStmt(n *node) {
	ev.push(true)
	ev.block(n.kid(0))
	for k, v := range ev.pop() {
		if v.k != vFunc {
			ev.set("self."+k, v)
			ev.set(n.text+"."+k, v)
		}
	}
}

// varName is the key under which a variable or an attribute is kept, "" if it has none.
func varName(n *node) string {
	switch n.kind {
	case nName:
		return n.text
	case nAttr:
		if d := n.dotted(); d != "" {
			return d
		}
	case nIndex:
		if k := n.kid(1); k.kind == nStr || k.kind == nNum {
			if d := varName(n.kid(0)); d != "" {
				return d + "[" + k.text
			}
		}
	}
	return ""
}

// assign binds a target, which may be a pattern.
func (ev *eval) assign(t *node, v value) {
	switch t.kind {
	case nList:
		items := v.items
		for i, k := range t.kids {
			it := value{flows: v.flows}
			if k.kind == nSpread {
				ev.assign(k.kid(0), value{k: vList, open: true, flows: v.allFlows()})
				continue
			}
			if v.k == vList && i < len(items) {
				it = items[i]
			} else if v.k == vList && !v.open {
				it = value{}
			}
			ev.assign(k, it)
		}
	case nDict: // const {a, b: c} = v
		for i := 0; i+1 < len(t.kids); i += 2 {
			if t.kids[i].kind != nStr {
				ev.assign(t.kids[i+1], value{flows: v.allFlows()})
				continue
			}
			ev.assign(t.kids[i+1], ev.attr(v, t.kids[i].text))
		}
	case nAssign:
		ev.assign(t.kid(0), v)
	case nUn:
		if ev.lang == Awk {
			ev.awkChanged()
			return
		}
		ev.assign(t.kid(0), v)
	case nName:
		if ev.lang == Awk && t.text == "NF" {
			ev.awkChanged()
		}
		if ev.lang == Perl && strings.HasPrefix(t.text, "@") && (v.k == vStr || v.k == vNum) {
			v = value{k: vList, items: []value{v}}
		}
		ev.set(t.text, v)
	case nIndex, nAttr:
		obj := ev.expr(t.kid(0))
		if obj.k == vObj {
			ev.setProperty(obj, t, v)
		}
		if k := varName(t); k != "" {
			ev.set(k, v)
			if t.kind == nAttr {
				return
			}
		}
		if t.kind == nIndex {
			ev.expr(t.kid(1))
			if name := varName(t.kid(0)); name != "" && (obj.k == vList || obj.k == vDict || obj.k == vUnknown) {
				// An item of a container changed: what was known of it is no longer.
				ev.set(name, value{k: vUnknown, flows: mergeFlows(obj.allFlows(), changed(v.allFlows())), class: obj.class, open: true})
			}
		}
	case nCall:
		for _, k := range t.kids[1:] {
			ev.assign(k, value{flows: v.flows})
		}
	}
}

// setProperty notices assignments that change the script's world (sys.stdout = open(…)).
func (ev *eval) setProperty(obj value, t *node, v value) {
	if obj.s == "sys" && t.text == "stdout" {
		ev.stdout = -1
		if v.k == vFile {
			ev.stdout = v.ref
		}
	}
}

// anonymous is the name under which functions without one are kept, so that those nobody calls are followed in the end.
const anonymous = "\x00anonymous"

// parseSource turns text into a tree.
func parseSource(lang Lang, src string) (*node, *parser) {
	toks, bad := lex(lang, src)
	p := &parser{lang: lang, toks: toks, bad: bad, locals: map[string]bool{}}
	switch lang {
	case Python:
		return p.pyProgram(), p
	case Node, PHP, Perl:
		return p.braceProgram(), p
	case Ruby, Lua:
		return p.endProgram(), p
	}
	return mk(nBlock, ""), p
}

// judgeCode judges a script of a language with functions.
func judgeCode(lang Lang, src string, argv []string, o Options, t table) Effects {
	ev := &eval{
		lang: lang, opt: o, argv: argv, rows: t, cache: map[string]row{}, none: map[string]bool{}, funcs: map[string][]*node{}, class: map[string]*node{},
		refs: map[string]bool{}, heirs: map[*node]bool{}, done: map[*node]bool{}, stdout: -1,
	}
	ev.push(false)
	tree, p := parseSource(lang, src)
	ev.lost(p)
	ev.collect(tree)
	ev.stars = append(ev.stars, o.Modules...)
	if (o.Lines || o.Print) && lang != Node {
		ev.lineLoop(tree)
	} else {
		ev.block(tree)
	}
	if lang == Node && o.Print {
		ev.show(ev.last)
	}
	ev.leftovers()
	for i := range ev.out.Touches {
		ev.out.Touches[i].Spans = joinSpans(ev.out.Touches[i].Spans)
	}
	return ev.out
}

// printNode is a print statement with a syntax of its own.
func (ev *eval) printNode(n *node) value {
	if ev.lang == Awk {
		return ev.awkPrintNode(n)
	}
	return ev.perlPrintNode(n)
}
