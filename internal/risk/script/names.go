package script

import (
	"slices"
	"strings"
)

// A name stands for all values that the script gives it anywhere: what is assigned, what a loop goes over, what its calls
// pass to a parameter. That is found in one pass before the judgement; nothing follows the order in which they happen.

type name struct {
	sources []*source
	defined bool // a function or class of the script
}

// source is one place that gives a name its value.
type source struct {
	expr   []token // the value, when it can be looked up before the judgement comes to it
	elem   bool    // an element of it: the name is bound by a loop
	idx    int     // the item of it, -1 for all
	at     int     // where the name is given the value
	pos    int     // where the block begins and ends in which the name means this: a loop's, a function's
	end    int
	val    value
	done   bool
	busy   bool
	passed bool // by a call
}

// maxSources bounds the places that a name is followed to.
const maxSources = 8

// binder finds the names.
type binder struct {
	j     *judge
	t     []token
	calls map[string][]param // parameters of functions by the function's name
	open  []token            // brackets around
}

type param struct {
	name     string
	idx      int
	pos, end int // of the function's body
}

func (j *judge) source(n string, s *source, at int) {
	if n == "" || n == "_" && j.lang != Perl {
		return
	}
	e := j.names[n]
	if e == nil {
		e = &name{}
		j.names[n] = e
	}
	if len(e.sources) <= maxSources {
		e.sources = append(e.sources, s)
	}
	if s.at = at; at >= 0 {
		j.at[at] = append(j.at[at], s)
	}
}

// settle gives what is assigned at a position its value.
func (j *judge) settle(at int, v value) {
	if j.quiet > 0 {
		return
	}
	for _, s := range j.at[at] {
		s.val, s.done = j.pick(s, v), true
	}
}

func (j *judge) pick(s *source, v value) value {
	if s.elem {
		if v.class == "file" {
			v = j.content(v, "lines")
		}
		v = v.element()
	}
	if s.idx >= 0 {
		v = v.item(s.idx)
	}
	for i := range v.flows {
		if f := &v.flows[i]; f.elem && f.end == 0 {
			f.pos, f.end = s.pos, s.end
		}
	}
	return v
}

// lookup is what a name may stand for; ok is false for one that the script gives no value.
func (j *judge) lookup(n string) (v value, ok bool) {
	e := j.names[n]
	if e == nil {
		return value{}, false
	}
	if e.defined {
		return value{class: "local"}, true
	}
	var vs []value
	if len(e.sources) > maxSources { // it may be anything besides
		vs = append(vs, value{})
	}
	passed := true
	for _, s := range e.around(j.here) {
		passed = passed && s.passed
		if !s.done && !s.busy && s.expr != nil && j.depth < maxDepth {
			s.busy = true
			j.quiet++
			v := value{}
			if j.lang == Awk {
				v = j.awkText(s.expr, nil)
			} else {
				v, _ = j.expr(s.expr)
			}
			j.quiet--
			s.busy = false
			s.val, s.done = j.pick(s, v), true
		}
		vs = append(vs, s.val)
	}
	if len(vs) == 0 {
		return value{class: "local"}, true
	}
	v = oneOf(vs...)
	v.each = v.each || passed
	if v.name == "" && v.class == "" && !v.known && v.text == "" && len(v.alts) == 0 {
		v.class = "local"
	}
	return v, true
}

// around is the sources that count at a position: those of the innermost block that gives the name a value, if it lies in
// one, and all others otherwise.
func (e *name) around(here int) []*source {
	var in *source
	for _, s := range e.sources {
		if s.pos <= here && here < s.end && (in == nil || s.pos >= in.pos) {
			in = s
		}
	}
	var out []*source
	for _, s := range e.sources {
		if in == nil && (!s.passed || s.end == 0) {
			out = append(out, s)
		}
	}
	if in == nil {
		return out
	}
	for _, s := range e.sources {
		if s.pos == in.pos && s.end == in.end || s.end == 0 && s.at > in.pos && s.at < in.end {
			out = append(out, s)
		}
	}
	return out
}

func (j *judge) bindAll(t []token) {
	b := &binder{j: j, t: t, calls: map[string][]param{}}
	for i := range t {
		b.token(i)
	}
	b.passed()
}

func (b *binder) at(i int) token {
	if i >= 0 && i < len(b.t) {
		return b.t[i]
	}
	return token{kind: tLine}
}

// clause is the tokens from i to the next comma, line end or closing bracket.
func (b *binder) clause(i int) []token {
	from := i
	for i < len(b.t) {
		if i > from+maxClause {
			break
		}
		switch t := b.t[i]; {
		case t.kind == tLine || t.op(",") || t.op(";") || t.match < 0:
			return b.t[from:i]
		case t.match > 0:
			i += t.match
		}
		i++
	}
	if i < len(b.t) {
		return nil
	}
	return b.t[from:]
}

// maxClause bounds what is looked ahead: the search would be quadratic otherwise.
const maxClause = 120

func (b *binder) token(i int) {
	t := b.t[i]
	if t.match > 0 {
		b.open = append(b.open, t)
	} else if t.match < 0 {
		b.open = b.open[:len(b.open)-1]
	}
	prev, next := b.at(i-1), b.at(i+1)
	member := prev.op(".") || prev.op("->") || prev.op("?.")
	switch {
	case t.kind == tOp && (t.text == "=" || t.text == ":=" || t.text == "||=" || t.text == "//="):
		b.assign(i)
	case t.kind == tOp && len(t.text) > 1 && t.text[len(t.text)-1] == '=' && strings.IndexByte("+-*/.|?", t.text[0]) >= 0, t.op("++"), t.op("--"), t.op("<<") && b.j.lang == Ruby:
		if prev.kind == tWord {
			b.j.source(prev.text, &source{idx: -1}, -1)
		}
	case t.kind == tReadline && (prev.op("(") && b.at(i-2).is(tWord, "while") || prev.is(tWord, "while") || prev.is(tWord, "for")):
		b.j.source("$_", &source{elem: true, idx: -1, pos: t.pos, end: b.end(i + 2)}, t.pos)
	case t.op("|") && (prev.op("{") || prev.is(tWord, "do")): // ruby's block
		for k, n := i+1, 0; k < len(b.t) && !b.t[k].op("|"); k++ {
			if b.t[k].kind == tWord {
				b.live(b.t[k].text, n, t.pos, b.end(i))
				n++
			}
		}
	case t.op("=>") && b.j.lang == Node:
		b.arrow(i)
	case t.kind != tWord || member:
	case t.text == "for" || t.text == "foreach":
		b.loop(i)
	case t.text == "as" && b.j.lang == Python && next.kind == tWord && prev.kind != tWord: // with
		b.j.source(next.text, &source{idx: -1, pos: t.pos, end: b.end(i)}, t.pos)
	case t.text == "import" || t.text == "from" || t.text == "use":
		b.imports(i)
	case t.text == "def" || t.text == "function" || t.text == "sub" || t.text == "fn" || t.text == "func":
		b.function(i)
	case t.text == "class" && next.kind == tWord:
		b.define(next.text)
	case t.text == "lambda" && b.j.lang == Python:
		for k := i + 1; k < len(b.t) && b.t[k].kind == tWord; k += 2 {
			b.j.source(b.t[k].text, &source{idx: -1}, -1)
		}
	}
}

func (b *binder) define(n string) {
	if b.j.names[n] == nil {
		b.j.names[n] = &name{}
	}
	b.j.names[n].defined = true
}

// live is a parameter of a function that is passed: it gets its value when the call is judged.
func (b *binder) live(n string, idx, at, end int) {
	b.j.source(n, &source{idx: idx, pos: at, end: end}, at)
}

// end is the position behind the block or statement that stands at i.
func (b *binder) end(i int) int {
	indent := -1
	for k, n := i, 0; k < len(b.t) && n < maxClause; k, n = k+1, n+1 {
		t := b.t[k]
		switch {
		case t.match < 0 && !b.t[k].op(")"), t.op(")") && t.match < 0 && k+t.match < i:
			return t.pos
		case t.op("{") && t.match > 0 && b.j.lang != Python:
			return b.t[k+t.match].pos
		case t.match > 0:
			k += t.match
		case t.kind == tLine && b.j.lang == Python:
			if indent < 0 {
				indent = b.indent(i)
			}
			if t.indent <= indent && b.at(k+1).kind != tLine {
				return t.pos
			}
		case t.is(tWord, "end") && b.j.lang != Node, t.op(";") && (b.j.lang == Node || b.j.lang == PHP):
			return t.pos
		}
	}
	return b.t[len(b.t)-1].pos + 1
}

func (b *binder) indent(i int) int {
	for k := i; k >= 0; k-- {
		if b.t[k].kind == tLine {
			return b.t[k].indent
		}
	}
	return 0
}

// assign takes `a = …`, `a, b = …`, `{a, b: c} = …`, `a.b = …` with the operator at i.
func (b *binder) assign(i int) {
	j := b.j
	left := b.at(i - 1)
	rhs := b.clause(i + 1)
	switch {
	case left.op(")") && left.match < 0 && b.at(i-2+left.match).kind == tWord && b.t[i-1+left.match].glued: // ruby's def f(x) = …
	case left.match < 0 && (left.text == "}" || left.text == "]" || left.text == ")"):
		b.unpack(i-1+left.match, i)
	case left.kind != tWord:
	case b.at(i-2).op(".") || b.at(i-2).op("->"):
		if b.at(i-3).kind == tWord {
			j.source(b.at(i-3).text+"."+left.text, &source{expr: rhs, idx: -1}, b.t[i].pos)
		}
	case j.lang == Python && b.keyword(i): // a keyword of a call
	case b.at(i-2).op(",") && b.at(i-3).kind == tWord:
		k := i - 1
		for k >= 2 && b.t[k-1].op(",") && b.t[k-2].kind == tWord {
			k -= 2
		}
		if b.at(k-1).op("(") || b.at(k-1).op("{") {
			j.source(left.text, &source{expr: rhs, idx: -1}, b.t[i].pos) // a default or a keyword
			return
		}
		if len(rhs) > 0 && i+1+len(rhs) < len(b.t) && b.t[i+1+len(rhs)].op(",") {
			for at := i + 1; k < i; k += 2 {
				j.source(b.t[k].text, &source{expr: b.clause(at), idx: -1}, -1)
				at += len(b.clause(at)) + 1
			}
			return
		}
		for n := 0; k < i; k += 2 {
			j.source(b.t[k].text, &source{expr: rhs, idx: n}, b.t[i].pos)
			n++
		}
	case b.at(i+1).kind == tReadline && (b.at(i-2).op("(") || b.at(i-3).op("(")): // while (my $l = <F>)
		j.source(left.text, &source{elem: true, idx: -1, pos: b.t[i].pos, end: b.end(i + 3)}, b.t[i].pos)
	default:
		j.source(left.text, &source{expr: rhs, idx: -1}, b.t[i].pos)
	}
}

// keyword reports whether the assignment at i is an argument of a call.
func (b *binder) keyword(i int) bool {
	return b.t[i].text == "=" && len(b.open) > 0 && b.open[len(b.open)-1].text == "("
}

// unpack takes `{a, b: c} =`, `[a, b] =` and perl's `my ($a, $b) =`, of which the bracket is at k and the operator at i.
func (b *binder) unpack(k, i int) {
	open, n := b.t[k].text, 0
	rhs := b.clause(i + 1)
	for x := k + 1; x < i-1; x++ {
		t := b.t[x]
		if t.op(",") {
			n++
		}
		if t.kind != tWord || b.at(x+1).op(":") || b.at(x-1).op("=") {
			continue
		}
		switch {
		case open == "{":
			key := t.text
			if b.at(x - 1).op(":") {
				key = b.at(x - 2).text
			}
			b.field(t.text, key, rhs)
		default:
			b.j.source(t.text, &source{expr: rhs, idx: n}, b.t[i].pos)
		}
	}
}

// field gives a name the member key of a value.
func (b *binder) field(n, key string, of []token) {
	at := 0
	if len(of) > 0 {
		at = of[0].pos
	}
	expr := append([]token{{kind: tOp, text: "(", match: len(of) + 1, pos: at}}, of...)
	expr = append(expr, token{kind: tOp, text: ")", match: -len(of) - 1, pos: at}, token{kind: tOp, text: ".", pos: at}, token{kind: tWord, text: key, pos: at})
	b.j.source(n, &source{expr: expr, idx: -1}, -1)
}

// param notes a parameter of a function. One that is defined over and over is not followed.
func (b *binder) param(fn string, p param) {
	if len(b.calls[fn]) < maxAlts {
		b.calls[fn] = append(b.calls[fn], p)
	} else {
		b.j.source(p.name, &source{idx: -1, pos: p.pos, end: p.end}, -1)
	}
}

// arrow takes the parameters before `=>`.
func (b *binder) arrow(i int) {
	left := b.at(i - 1)
	switch {
	case left.kind == tWord:
		b.live(left.text, 0, left.pos, b.end(i))
	case left.op(")") && left.match < 0:
		if eq := i - 2 + left.match; b.at(eq).op("=") && b.at(eq-1).kind == tWord {
			b.params(i-1+left.match, b.at(eq-1).text, b.end(i))
		} else {
			b.params(i-1+left.match, "", b.end(i))
		}
	}
}

// params takes the parameters in the brackets at k: of a named function, or of one that is passed.
func (b *binder) params(k int, fn string, end int) {
	n := 0
	for x := k + 1; x < k+b.t[k].match; x++ {
		t := b.t[x]
		switch {
		case t.op(","):
			n++
		case t.op("{") && t.match > 0 && b.j.lang == Node: // {a, b}
			for y := x + 1; y < x+t.match; y++ {
				if b.t[y].kind == tWord && !b.at(y+1).op(":") {
					one := []token{{kind: tWord, text: "\x00" + b.t[y].text}}
					b.j.source(one[0].text, &source{idx: n, pos: b.t[k].pos, end: end}, b.t[k].pos)
					b.field(b.t[y].text, b.t[y].text, one)
				}
			}
			x += t.match
		case t.match > 0:
			x += t.match
		case t.kind != tWord || b.at(x-1).op("=") || b.at(x-1).op(":") && b.j.lang == Python:
		case t.text == "self" || t.text == "cls" || t.text == "this":
		case fn == "":
			b.live(t.text, n, b.t[k].pos, end)
		default:
			idx := n
			if b.at(k+1).is(tWord, "self") || b.at(k+1).is(tWord, "cls") {
				idx--
			}
			b.param(fn, param{t.text, idx, b.t[k].pos, end})
			if eq := b.at(x + 1); eq.op("=") && idx >= 0 {
				b.j.source(t.text, &source{expr: b.clause(x + 2), idx: -1, pos: b.t[k].pos, end: end}, -1)
			}
		}
	}
}

// function takes a definition whose word is at i.
func (b *binder) function(i int) {
	k := i + 1
	fn := ""
	for b.at(k).kind == tWord || b.at(k).op(".") || b.at(k).op(":") {
		fn = b.at(k).text
		k++
	}
	switch {
	case fn == "" && b.at(i-1).op("="):
		fn = b.at(i - 2).text
	case fn != "":
		b.define(fn)
	}
	if b.at(k).op("(") && b.at(k).match > 0 {
		if fn == "" {
			b.params(k, "", b.end(k+b.t[k].match+1))
		} else {
			b.params(k, fn, b.end(k+b.t[k].match+1))
		}
		k += b.t[k].match + 1
	}
}

// loop takes `for a in …`, `for (const a of …)`, `foreach (… as $a)`, `for my $a (…)`.
func (b *binder) loop(i int) {
	k := i + 1
	if b.at(k).op("(") && b.at(k).match > 0 && (b.j.lang == Node || b.j.lang == PHP) {
		k++
	}
	if b.j.lang == PHP {
		for x := k; x < len(b.t) && x < k+maxClause && b.t[x].match >= 0; x++ {
			if b.t[x].is(tWord, "as") {
				first := b.at(x + 1)
				if b.at(x + 2).op("=>") {
					first = b.at(x + 3)
				}
				b.element([]token{first}, nil, b.t[x].pos, x)
				return
			}
			x += b.t[x].match
		}
		return
	}
	var targets []token
	for ; k < len(b.t) && k-i < 40; k++ {
		t := b.t[k]
		switch {
		case t.is(tWord, "in") || t.is(tWord, "of"):
			expr := b.clause(k + 1)
			b.element(targets, expr, t.pos, k)
			return
		case t.op("(") && b.j.lang == Perl && len(targets) == 1:
			b.element(targets, nil, t.pos, k+t.match)
			return
		case t.kind == tWord && t.text != "my" && t.text != "const" && t.text != "let" && t.text != "var" && t.text != "our":
			targets = append(targets, t)
		case t.op(",") || t.op("(") || t.op(")") || t.op("[") || t.op("]") || t.kind == tWord:
		default:
			return
		}
	}
}

// element binds the targets of a loop. Those of lua and of python's enumerate have a number before the value.
func (b *binder) element(targets, expr []token, at, from int) {
	end := b.end(from + 1)
	if b.j.lang == Python {
		for k := from; k >= 0 && k > from-400; k-- { // within brackets it is a comprehension: all of it is the body
			if b.t[k].match > 0 && k+b.t[k].match > from {
				at0 := b.t[k].pos
				for n, t := range targets {
					b.j.source(t.text, &source{expr: expr, elem: true, idx: index(n, len(targets)), pos: at0, end: b.t[k+b.t[k].match].pos}, at)
				}
				return
			}
			if b.t[k].kind == tLine {
				break
			}
		}
	}
	for n, t := range targets {
		b.j.source(t.text, &source{expr: expr, elem: true, idx: index(n, len(targets)), pos: at, end: end}, at)
	}
}

func index(n, of int) int {
	if of == 1 {
		return -1
	}
	return n
}

// imports binds what `import`, `from` and `use` bring in.
func (b *binder) imports(i int) {
	j := b.j
	module := func(k int) (string, int) {
		s := ""
		for b.at(k).kind == tWord || b.at(k).op(".") || b.at(k).op("::") {
			s += b.at(k).text
			k++
			if b.at(k).kind == tWord && b.at(k-1).kind == tWord {
				break
			}
		}
		return s, k
	}
	bind := func(n, to string) {
		if e := j.names[n]; e != nil && slices.ContainsFunc(e.sources, func(s *source) bool { return s.val.name == to }) {
			return
		}
		j.source(n, &source{val: value{name: to}, done: true, idx: -1}, -1)
	}
	switch j.lang {
	case Python:
		if b.at(i-1).kind != tLine && !b.at(i-1).op(";") && !b.at(i-1).op(":") {
			return
		}
		m, k := module(i + 1)
		if b.t[i].text == "import" {
			for m != "" {
				first, _, _ := strings.Cut(m, ".")
				if b.at(k).is(tWord, "as") {
					bind(b.at(k+1).text, m)
					k += 2
				} else {
					bind(first, first)
				}
				if !b.at(k).op(",") {
					return
				}
				m, k = module(k + 1)
			}
			return
		}
		if m == "" || !b.at(k).is(tWord, "import") {
			return
		}
		for k++; k < len(b.t) && (b.at(k).kind == tWord || b.at(k).op(",") || b.at(k).op("(") || b.at(k).op("*")); k++ {
			switch {
			case b.t[k].op("*"):
				j.include = append(j.include, m)
			case b.t[k].kind != tWord:
			case b.at(k+1).is(tWord, "as"):
				bind(b.at(k+2).text, m+"."+b.t[k].text)
				k += 2
			default:
				bind(b.t[k].text, m+"."+b.t[k].text)
			}
		}
	case Node:
		end := i + 1
		for end < len(b.t) && end-i < 200 && !b.t[end].is(tWord, "from") && !b.t[end].op(";") {
			end++
		}
		if m := b.at(end + 1); b.at(end).is(tWord, "from") && m.kind == tStr {
			for k := i + 1; k < end; k++ {
				switch {
				case b.t[k].kind != tWord || b.t[k].text == "as" || b.at(k+1).is(tWord, "as"):
				case b.at(k-1).is(tWord, "as") && b.at(k-2).kind == tWord:
					bind(b.t[k].text, nodeModule(m.text)+"."+b.at(k-2).text)
				case b.at(k-1).is(tWord, "as") || b.at(k-1).is(tWord, "import"):
					bind(b.t[k].text, nodeModule(m.text))
				default:
					bind(b.t[k].text, nodeModule(m.text)+"."+b.t[k].text)
				}
			}
		}
	case Perl:
		if m, _ := module(i + 1); b.t[i].text == "use" && m != "" {
			j.include = append(j.include, m)
		}
	}
}

// passed gives parameters the arguments of the calls of their functions.
func (b *binder) passed() {
	if len(b.calls) == 0 {
		return
	}
	for i, t := range b.t {
		ps := b.calls[t.text]
		if t.kind != tWord || len(ps) == 0 {
			continue
		}
		if p := b.at(i - 1); p.kind == tWord && (p.text == "def" || p.text == "function" || p.text == "sub" || p.text == "class") {
			continue
		}
		if b.at(i+1).op("=") && !b.at(i+1).op("==") && !b.at(i-1).op(".") {
			continue
		}
		args, keys, called := b.arguments(i + 1)
		for _, p := range ps {
			s := &source{idx: -1, passed: true, pos: p.pos, end: p.end}
			switch {
			case !called || p.idx < 0: // passed on, or called in a way that is not seen
			case keys[p.name] != nil:
				s.expr = keys[p.name]
			case p.idx < len(args):
				s.expr = args[p.idx]
			default:
				if n := b.j.names[p.name]; n != nil && slices.ContainsFunc(n.sources, func(s *source) bool { return s.pos == p.pos && s.expr != nil }) {
					continue // the default
				}
			}
			b.j.source(p.name, s, -1)
		}
	}
	for _, ps := range b.calls { // without a call nothing is known
		for _, p := range ps {
			if n := b.j.names[p.name]; n == nil || !slices.ContainsFunc(n.sources, func(s *source) bool { return s.pos == p.pos && s.end == p.end }) {
				b.j.source(p.name, &source{idx: -1, pos: p.pos, end: p.end}, -1)
			}
		}
	}
}

// arguments are those of a call at i: in brackets, or behind the name.
func (b *binder) arguments(i int) (args [][]token, keys map[string][]token, called bool) {
	end := len(b.t)
	switch {
	case b.at(i).op("(") && b.at(i).match > 0:
		end = i + b.t[i].match
		i++
	case b.j.lang == Lua && b.at(i).kind == tStr:
	case b.j.d.bare && i < len(b.t) && !b.t[i].glued && (b.t[i].kind == tStr || b.t[i].kind == tWord && b.j.lang == Perl):
	default:
		return nil, nil, false
	}
	for i < end && len(args) < maxAlts {
		one := b.clause(i)
		if i+len(one) > end {
			one = b.t[i:end]
		}
		switch {
		case len(one) > 2 && one[0].kind == tWord && (one[1].op("=") && b.j.lang == Python || one[1].op(":") && b.j.lang != Node):
			if keys == nil {
				keys = map[string][]token{}
			}
			keys[one[0].text] = one[2:]
		case len(one) > 0 && (one[0].op("*") || one[0].op("**") || one[0].op("...")):
			return args, keys, false
		case len(one) > 0:
			args = append(args, one)
		}
		i += len(one)
		if !b.at(i).op(",") {
			if b.at(i).kind == tLine && i < end {
				i++
				continue
			}
			break
		}
		i++
	}
	return args, keys, true
}
