package script

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

// eval walks a script's syntax tree as the interpreter would run it, with values that may be unknown. Every branch is
// taken; loops over literal lists and calls of the script's own functions are followed as long as the budget lasts, each
// loop and function is followed at least once.
type eval struct {
	lang  Lang
	opt   Options
	argv  []string
	out   Effects
	rows  map[string]row
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

func (ev *eval) push(overlay bool) { ev.scopes = append(ev.scopes, scope{overlay: overlay}) }

func (ev *eval) pop() map[string]value {
	s := ev.scopes[len(ev.scopes)-1]
	ev.scopes = ev.scopes[:len(ev.scopes)-1]
	return s.vars
}

// branch evaluates a part that runs only perhaps.
func (ev *eval) branch(f func()) map[string]value {
	ev.push(true)
	ev.cond++
	f()
	ev.cond--
	return ev.pop()
}

// merge joins the assignments of branches into the scope around them; complete says that one of them certainly ran.
func (ev *eval) merge(branches []map[string]value, complete bool) {
	var names []string
	for _, b := range branches {
		for k := range b {
			names = append(names, k)
		}
	}
	slices.Sort(names)
	for _, k := range slices.Compact(names) {
		old, had := ev.get(k)
		var v value
		first := true
		missing := !complete
		for _, b := range branches {
			bv, ok := b[k]
			switch {
			case !ok:
				missing = true
			case first:
				v, first = bv, false
			default:
				v = either(v, bv)
			}
		}
		if missing && had {
			v = either(old, v)
		}
		ev.set(k, v)
	}
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

func (ev *eval) ifStmt(n *node) value {
	if ev.lineCondition(n) {
		return value{}
	}
	ev.expr(n.kid(0))
	var branches []map[string]value
	complete := false
	var v value
	for i, k := range n.kids[min(1, len(n.kids)):] {
		branches = append(branches, ev.branch(func() {
			ev.block(k)
			if i == 0 {
				v = ev.last
			} else {
				v = either(v, ev.last)
			}
		}))
		complete = i > 0 && n.text != "open"
	}
	ev.merge(branches, complete)
	return v
}

// assigned are the names that a part of the script assigns.
func assigned(n *node, into map[string]bool) {
	work := []*node{n}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if n.kind == nAssign || n.kind == nFor {
			t := n.kid(0)
			if t.kind == nList || t.kind == nDict {
				for _, k := range t.kids {
					into[varName(k)] = true
				}
			}
			into[varName(t)] = true
		}
		if n.kind == nFunc {
			continue
		}
		work = append(work, n.kids...)
	}
}

// havoc forgets what a loop may have changed.
func (ev *eval) havoc(body ...*node) {
	names := map[string]bool{}
	for _, b := range body {
		assigned(b, names)
	}
	for k := range names {
		if k == "" {
			continue
		}
		if v, ok := ev.get(k); ok && v.k != vFile && v.k != vFunc && v.k != vObj {
			ev.set(k, value{flows: v.allFlows(), class: v.class, open: true})
		}
	}
}

// jumps reports whether a loop's body may leave or skip an iteration.
func jumps(n *node) bool {
	work := []*node{n}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		switch n.kind {
		case nJump, nReturn:
			if n.kind == nJump || n.text == "return" {
				return true
			}
		case nFunc:
			continue
		}
		work = append(work, n.kids...)
	}
	return false
}

// elements are what a loop over v yields: a list of values to follow one by one, or one value for all.
func (ev *eval) elements(v value, leaks bool) (each []value, any value) {
	if v.k == vList && !v.open && len(v.items) <= maxUnroll && ev.steps < maxSteps {
		return v.items, value{}
	}
	fs := slices.Clone(v.allFlows())
	for i := range fs {
		whole := fs[i].full && !leaks
		fs[i] = flow{ref: fs[i].ref, full: whole, verbatim: whole && fs[i].verbatim, elem: whole, cond: ev.cond, spans: fs[i].spans}
		if leaks {
			fs[i].spans = nil
		}
	}
	any = value{flows: fs, class: v.class}
	switch v.class {
	case "paths":
		any.class = "path"
		if v.k == vStr {
			any.k, any.s = vStr, v.s
		}
	case "file", "lines":
		any.class = ""
	}
	if v.k == vList || v.k == vAlt {
		for i, it := range v.items {
			if i >= maxAlt {
				any = value{flows: fs, class: it.class}
				break
			}
			if i == 0 && !v.open {
				any = it
			} else if i == 0 {
				any.class = it.class
			} else if !v.open {
				any = either(any, it)
			}
		}
	}
	if v.k == vList && !v.open && len(v.items) > maxUnroll || v.k == vList && ev.steps >= maxSteps {
		any = value{flows: fs, class: any.class}
		ev.giveUp()
	}
	return nil, any
}

// giveUp notes that not every round of a loop or call of a function was followed.
func (ev *eval) giveUp() {
	if !ev.tired {
		ev.tired = true
		ev.opaque("the script is too long to follow every loop and call")
	}
}

func (ev *eval) forStmt(n *node) {
	v := ev.expr(n.kid(1))
	body := n.kid(2)
	each, any := ev.elements(ev.iterable(v), jumps(body))
	if each != nil {
		for _, it := range each {
			if ev.steps >= maxSteps {
				ev.giveUp()
				break
			}
			ev.assign(n.kid(0), it)
			ev.block(body)
		}
		if ev.steps < maxSteps || len(each) == 0 {
			return
		}
		any = value{}
	}
	ev.havoc(body)
	ev.assign(n.kid(0), any)
	ev.block(body)
	any.flows = partly(any.flows)
	if t := n.kid(0); t.kind == nName {
		ev.set(t.text, any)
	}
}

// iterable is what a value yields in a loop: an open file its lines.
func (ev *eval) iterable(v value) value {
	if v.k == vFile {
		return ev.content(v, "lines")
	}
	return v
}

func (ev *eval) whileStmt(n *node) {
	ev.havoc(n.kid(0), n.kid(1), n.kid(2))
	old := ev.iterating
	ev.iterating = !jumps(n.kid(1))
	v := ev.expr(n.kid(0))
	if n.kid(0).kind == nReadline {
		_, line := ev.elements(v, !ev.iterating)
		ev.set("$_", line)
	}
	ev.iterating = old
	ev.block(n.kid(1))
	if len(n.kids) > 2 {
		ev.expr(n.kid(2))
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

// call follows a function of the script.
func (ev *eval) call(fn *node, self *value, args []value, keys []string) value {
	if ev.calls >= maxCalls || ev.steps >= maxSteps && ev.done[fn] {
		if ev.steps >= maxSteps {
			ev.giveUp()
		}
		fs := []flow(nil)
		for _, a := range args {
			fs = mergeFlows(fs, partly(a.allFlows()))
		}
		return value{flows: fs}
	}
	ev.done[fn] = true
	ev.calls++
	ev.push(false)
	ev.returns = append(ev.returns, value{class: "unset"})
	ps := fn.keys
	for i, pattern := range fn.kids[min(1, len(fn.kids)):] {
		if i < len(args) && pattern.kind != nName {
			ev.assign(pattern, args[i])
		}
	}
	if self != nil && len(ps) > 0 && (ev.lang == Python || ev.lang == Perl) {
		ev.set(ps[0], *self)
		ps = ps[1:]
	}
	pos := 0
	for _, p := range ps {
		name := strings.TrimLeft(p, "*&")
		if strings.HasPrefix(p, "*") {
			rest := value{k: vList}
			rest.items = append(rest.items, args[min(pos, len(args)):]...)
			ev.set(name, rest)
			pos = len(args)
			continue
		}
		v := value{}
		if i := slices.Index(keys, name); i >= 0 && name != "" && i < len(args) {
			v = args[i]
		} else {
			for pos < len(args) && pos < len(keys) && keys[pos] != "" {
				pos++
			}
			if pos < len(args) {
				v = args[pos]
			}
			pos++
		}
		ev.set(name, v)
	}
	if ev.lang == Perl {
		all := value{k: vList, items: args}
		if self != nil {
			all.items = append([]value{*self}, args...)
		}
		ev.set("@_", all)
	}
	ev.block(fn.kid(0))
	ret := ev.returns[len(ev.returns)-1]
	ev.returns = ev.returns[:len(ev.returns)-1]
	if ret.class == "unset" {
		ret = value{}
		if ev.lang == Ruby || ev.lang == Perl {
			ret = ev.last
		}
	} else if ev.lang == Ruby && fn.text == "" {
		ret = either(ret, ev.last)
	}
	vars := ev.pop()
	ev.calls--
	if ev.lang != Python && len(ev.scopes) > 0 {
		for k, v := range vars {
			if strings.HasPrefix(k, "this.") || strings.HasPrefix(k, "@") && k != "@_" || strings.HasPrefix(k, "$this.") || strings.HasPrefix(k, "self.") {
				ev.set(k, v)
				continue
			}
			if old, ok := ev.get(k); ok && !slices.Contains(fn.keys, k) && k != "@_" && !same(old, v) {
				ev.set(k, either(old, v))
			}
		}
	} else {
		for k, v := range vars {
			if strings.HasPrefix(k, "self.") {
				ev.set(k, v)
			}
		}
	}
	return ret
}

// callback follows a function value that something calls at a time of its own, with unknown arguments but for those given.
func (ev *eval) callback(f value, args ...value) value {
	switch f.k {
	case vFunc:
		var v value
		b := ev.nested(func() { v = ev.call(f.fn, nil, args, nil) })
		_ = b
		return v
	case vObj:
		if r, ok := ev.row(f.s); ok {
			return ev.apply(r, value{}, args, nil, len(args) == 0)
		}
	case vAlt:
		var v value
		for _, it := range f.items {
			v = ev.callback(it, args...)
		}
		return v
	}
	return value{}
}

func (ev *eval) nested(f func()) struct{} {
	f()
	return struct{}{}
}

// anonymous is the name under which functions without one are kept, so that those nobody calls are followed in the end.
const anonymous = "\x00anonymous"

// leftovers follows the functions that nobody called but the script mentions: something may call them.
func (ev *eval) leftovers() {
	for range 3 {
		var todo []*node
		for name, fs := range ev.funcs {
			for _, f := range fs {
				if !ev.done[f] && (ev.refs[name] || name == anonymous || strings.HasPrefix(name, "__") || f.text == "always" || ev.heirs[f]) {
					todo = append(todo, f)
				}
			}
		}
		if len(todo) == 0 {
			return
		}
		slices.SortFunc(todo, func(a, b *node) int { return strings.Compare(a.text, b.text) })
		for _, f := range todo {
			ev.done[f] = false
			ev.call(f, nil, nil, nil)
			ev.done[f] = true
		}
	}
}

// touch records an operation on the files that a value names.
func (ev *eval) touch(op event.Op, v value, tree bool, why string) (last int) {
	last = -1
	alts := v.alternatives()
	for _, a := range alts {
		if a.k == vList {
			for _, it := range a.items {
				if it.k != vDict { // options
					last = ev.touch(op, it, tree, why)
				}
			}
			if a.open {
				last = ev.touchOne(op, value{}, tree, false, why)
			}
			continue
		}
		if a.k == vFile {
			if h := ev.handles[a.ref]; !h.stdout && !h.pipe && !h.read {
				continue
			}
			continue
		}
		last = ev.touchOne(op, a, tree, len(alts) > 1, why)
	}
	return last
}

func (ev *eval) touchOne(op event.Op, v value, tree, maybe bool, why string) int {
	s, known := v.plain()
	known = known && s != ""
	if v.k == vNum && ev.lang == Node { // a descriptor
		if s != "0" {
			return -1
		}
		s = Stdin
	}
	if known && special(s) != 0 {
		if op != event.OpRead || special(s) != 'i' {
			return -1
		}
		s = Stdin
	}
	if s != Stdin && !strings.HasPrefix(s, "/") {
		switch {
		case ev.dirUnknown:
			known, s = false, ""
		case ev.dir != "" && (known || s != ""):
			s = strings.TrimSuffix(ev.dir, "/") + "/" + s
		}
	}
	t := Touch{Path: s, Known: known, Op: op, Tree: tree, Maybe: maybe, Why: why}
	for i, u := range ev.out.Touches {
		if i > 64 {
			break
		}
		if u.Path == s && u.Known == known && u.Op == op && u.Tree == tree && u.Why == why && op != event.OpRead {
			ev.out.Touches[i].Maybe = u.Maybe && maybe
			return i
		}
	}
	if len(ev.out.Touches) >= maxEffects {
		ev.opaque("the script touches too many files to list")
		return -1
	}
	ev.out.Touches = append(ev.out.Touches, t)
	return len(ev.out.Touches) - 1
}

// special tells the names that are no files: 'i' standard input, 'o' standard output, 'x' what swallows all; 0 for files.
func special(path string) byte {
	switch path {
	case "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "php://stdin", "-":
		return 'i'
	case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "php://output", "php://stdout", "/dev/tty":
		return 'o'
	case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2", "/dev/null", "php://stderr", "php://memory", "php://temp", ":memory:":
		return 'x'
	}
	if strings.HasPrefix(path, "http://") || strings.HasPrefix(path, "https://") {
		return 'x'
	}
	return 0
}

// run records a command.
func (ev *eval) run(r Run) value {
	if len(ev.out.Runs) >= maxEffects {
		ev.opaque("the script runs too many commands to list")
		return value{}
	}
	if r.Dir == "" {
		r.Dir = ev.dir
	} else if !strings.HasPrefix(r.Dir, "/") && ev.dir != "" {
		r.Dir = strings.TrimSuffix(ev.dir, "/") + "/" + r.Dir
	}
	r.DirUnknown = r.DirUnknown || ev.dirUnknown && !strings.HasPrefix(r.Dir, "/")
	ev.out.Runs = append(ev.out.Runs, r)
	return value{class: "out", flows: []flow{{ref: ^(len(ev.out.Runs) - 1), full: true, verbatim: true}}}
}

// words is a command given as a list of words.
func (ev *eval) words(items []value, open bool, why string) Run {
	r := Run{Known: true, Why: why}
	for _, it := range items {
		s, known := it.plain()
		if !known {
			s, r.Known = "", false
			if it.k == vList && it.open {
				open = true
			}
		}
		r.Args = append(r.Args, s)
	}
	if open {
		r.Args, r.Known = append(r.Args, ""), false
	}
	return r
}

// shell is a command given as text.
func (ev *eval) shell(v value, why string) []Run {
	var rs []Run
	for _, a := range v.alternatives() {
		s, known := a.plain()
		rs = append(rs, Run{Shell: s, Known: known, Why: why})
	}
	return rs
}

// show notes that values reach standard output.
func (ev *eval) show(vs ...value) {
	for _, v := range vs {
		if v.k == vFile {
			v = ev.content(v, "text")
		}
		for _, f := range v.allFlows() {
			ev.showFlow(f)
		}
	}
}

func (ev *eval) showFlow(f flow) {
	if f.ref < 0 {
		if i := ^f.ref; i < len(ev.out.Runs) {
			ev.out.Runs[i].Printed = true
		}
		return
	}
	if f.ref >= len(ev.out.Touches) {
		return
	}
	t := &ev.out.Touches[f.ref]
	certain := !f.elem || ev.cond <= f.cond
	full := f.full && certain
	t.Printed = true
	if full && len(f.spans) == 0 {
		t.Verbatim = f.verbatim && (t.Verbatim || !t.Full)
		t.Full, t.Whole = true, t.Whole || f.verbatim
		t.Spans = nil
		return
	}
	if !t.Full && certain && len(f.spans) > 0 {
		t.Spans = append(t.Spans, f.spans...)
		t.Verbatim = f.verbatim
	}
}

// content is what reading from an open file gives: text, lines, line or part.
func (ev *eval) content(v value, what string) value {
	if v.k != vFile {
		switch what {
		case "part", "line":
			return value{k: vUnknown, flows: partly(v.allFlows())}
		}
		return value{flows: v.allFlows(), class: v.class}
	}
	h := ev.handles[v.ref]
	if !h.read {
		return value{}
	}
	f := flow{ref: h.ref, full: true, verbatim: true}
	switch what {
	case "lines":
		f.lines = true
		return value{k: vUnknown, class: "lines", flows: []flow{f}}
	case "line":
		if ev.iterating {
			f.elem, f.cond = true, ev.cond
			return value{flows: []flow{f}}
		}
		fallthrough
	case "part":
		return value{flows: partly([]flow{f})}
	}
	return value{flows: []flow{f}}
}

// openFile opens a path in a mode and gives the handle.
func (ev *eval) openFile(path, mode value, why string) value {
	h := handle{path: path, ref: -1}
	if s, known := path.plain(); known {
		if path.k == vNum {
			s = map[string]string{"0": "/dev/stdin", "1": "/dev/stdout", "2": "/dev/stderr"}[s]
			if s == "" {
				s = "/dev/null" // an inherited descriptor
			}
			path = text(s)
		}
		h.stdout = special(s) == 'o'
	}
	if path.k == vFile {
		return path
	}
	for _, m := range mode.alternatives() {
		s, known := m.plain()
		maybe := !known || mode.k == vAlt
		op, writes, reads := openMode(s)
		if !known && (s == "" || m.k != vStr) {
			op, writes, reads = event.OpWrite, true, true
		}
		if writes && !h.stdout {
			n := len(ev.out.Touches)
			ev.touch(op, path, false, why)
			for i := n; maybe && i < len(ev.out.Touches); i++ {
				ev.out.Touches[i].Maybe = true
			}
		}
		if reads {
			h.read = true
			h.ref = ev.touch(event.OpRead, path, false, why)
		}
	}
	if h.ref < 0 {
		h.read = false
	}
	ev.handles = append(ev.handles, h)
	return value{k: vFile, class: "file", ref: len(ev.handles) - 1}
}

// openMode is what a mode of fopen(3), or flags of open(2) by name, do.
func openMode(m string) (op event.Op, writes, reads bool) {
	if strings.Contains(m, "O_") || strings.Contains(m, "WR") || strings.Contains(m, "RD") {
		writes = strings.Contains(m, "WR") || strings.Contains(m, "CREAT") || strings.Contains(m, "TRUNC") || strings.Contains(m, "APPEND")
		op = event.OpWrite
		if strings.Contains(m, "APPEND") && !strings.Contains(m, "TRUNC") {
			op = event.OpAppend
		}
		return op, writes, !writes
	}
	m, _, _ = strings.Cut(m, ":") // ruby's and perl's encodings
	switch {
	case strings.HasPrefix(m, ">>"):
		return event.OpAppend, true, false
	case strings.HasPrefix(m, ">"):
		return event.OpWrite, true, false
	case strings.ContainsAny(m, "wc"):
		return event.OpWrite, true, false
	case strings.Contains(m, "a"):
		return event.OpAppend, true, false
	case strings.Contains(m, "x"):
		return event.OpCreate, true, false
	case strings.Contains(m, "+"):
		return event.OpWrite, true, true
	}
	return event.OpRead, false, true
}

// chdir changes the folder that paths are relative to.
func (ev *eval) chdir(v value) {
	s, known := v.plain()
	if !known || s == "" {
		ev.dirUnknown = true
		ev.out.Chdir = append(ev.out.Chdir, "")
		return
	}
	ev.out.Chdir = append(ev.out.Chdir, s)
	switch {
	case strings.HasPrefix(s, "/"):
		ev.dir, ev.dirUnknown = s, false
	case ev.dir != "":
		ev.dir = strings.TrimSuffix(ev.dir, "/") + "/" + s
	default:
		ev.dir = s
	}
}

// evalText judges text that the script hands to its own language.
func (ev *eval) evalText(v value, why string) {
	for _, a := range v.alternatives() {
		if a.k == vList {
			for _, it := range a.items {
				ev.evalText(it, why)
			}
			if a.open {
				ev.opaque(why + " runs computed text")
			}
			continue
		}
		s, known := a.plain()
		if known {
			if ev.evals >= maxEval {
				ev.opaque("code in strings nests too deeply to follow")
				return
			}
			ev.evals++
			ev.source(s)
			ev.evals--
			continue
		}
		for _, f := range a.allFlows() {
			if f.ref >= 0 && f.full && f.ref < len(ev.out.Touches) && ev.out.Touches[f.ref].Known {
				// exec(open(p).read()) runs a script file.
				ev.scriptFile(text(ev.out.Touches[f.ref].Path), why)
				return
			}
		}
		if a.k == vFunc {
			ev.callback(a)
			return
		}
		ev.opaque(fmt.Sprintf("%s runs computed text", why))
	}
}

// scriptFile notes that a file of the same language is run.
func (ev *eval) scriptFile(v value, why string) {
	s, known := v.plain()
	if !known {
		ev.opaque(fmt.Sprintf("%s runs a file that is not known", why))
		return
	}
	ev.run(Run{Args: []string{ev.interpreter(), s}, Known: true, Printed: true, Why: why})
}

func (ev *eval) interpreter() string {
	if ev.lang == Python {
		return "python3"
	}
	return string(ev.lang)
}

// source judges a text in the present state.
func (ev *eval) source(src string) {
	if len(src) > maxSource || ev.steps > maxSteps {
		ev.opaque("code in a string is too long to follow")
		return
	}
	tree, p := parseSource(ev.lang, src)
	ev.lost(p)
	ev.collect(tree)
	ev.block(tree)
}

// lost tells when something in the text was not understood that may matter.
func (ev *eval) lost(p *parser) {
	if p.bad != "" {
		ev.opaque(fmt.Sprintf("the %s text has %s", ev.lang, p.bad))
	}
	if p.tooDeep {
		ev.opaque("the script nests too deeply to follow")
	}
	seen := map[string]bool{}
	for _, t := range p.skipped {
		if seen[t.text] {
			continue
		}
		seen[t.text] = true
		if (t.kind == tIdent || t.kind == tVar) && ev.risky(t.text) || t.kind == tShell {
			ev.opaque(fmt.Sprintf("the %s text near %q is not understood", ev.lang, t.text))
			return
		}
	}
}

// risky reports whether a name is the last part of a function that has effects.
func (ev *eval) risky(name string) bool {
	if name == "print" {
		return false
	}
	if r, ok := ev.rows[name]; ok && r.effect() {
		return true
	}
	for k, r := range ev.rows {
		if strings.HasSuffix(k, "."+name) && r.effect() {
			return true
		}
	}
	return false
}

// effect reports whether a function does more than compute, print and read.
func (r row) effect() bool {
	for _, a := range r.acts {
		switch v, _, _ := strings.Cut(a.verb, "/"); v {
		case "is", "value", "quiet", "print", "printread", "printline", "read", "get", "put", "puts", "callback", "each", "block", "changeline", "iolines":
		default:
			return true
		}
	}
	return false
}

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
func judgeCode(lang Lang, src string, argv []string, o Options, table map[string]row) Effects {
	ev := &eval{
		lang: lang, opt: o, argv: argv, rows: table, funcs: map[string][]*node{}, class: map[string]*node{},
		refs: map[string]bool{}, heirs: map[*node]bool{}, done: map[*node]bool{}, stdout: -1,
	}
	ev.push(false)
	tree, p := parseSource(lang, src)
	ev.lost(p)
	ev.collect(tree)
	for _, m := range o.Modules {
		ev.stars = append(ev.stars, m)
	}
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
