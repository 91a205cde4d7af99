package script

import (
	"strconv"
	"strings"
)

// A name stands for a value if the script binds it in one place: an assignment, a loop, an import. A parameter of a
// function stands for what the script's own calls pass for it. A script is judged twice: the first pass only learns what
// names stand for, so that functions may use what is bound behind them.

// binding is what a name stands for.
type binding struct {
	vals  []value // one for each place that binds it; of a parameter its default
	param string  // the function that has it as a parameter, at index
	name  string
	index int
}

// scope is a function that the text belongs to: up to a position, or to a line that is indented less.
type scope struct {
	name        string
	end, indent int
}

// maxScopes bounds the functions within functions whose parameters are known.
const maxScopes = 8

// bind gives a name a value.
func (j *judge) bind(n string, v value) {
	if n == "" || n == "_" {
		return
	}
	for _, s := range j.scopes {
		if p := j.names[s.name+"("+n]; p != nil { // a parameter that the function changes
			p.vals, p.param = nil, ""
		}
	}
	b := j.names[n]
	if b == nil {
		b = &binding{}
		j.names[n] = b
	}
	switch {
	case !j.learning:
		if len(b.vals) == 1 {
			b.vals[0] = v
		}
	case len(b.vals) == 0 || v.name == "" || v.name != b.vals[0].name: // else it is the same import
		b.vals = append(b.vals, v)
	}
}

// lookup is what a name stands for; ok is false for one that the script does not bind.
func (j *judge) lookup(n string) (v value, ok bool) {
	b := j.names[n]
	for _, s := range j.scopes {
		if p := j.names[s.name+"("+n]; p != nil {
			b = p
		}
	}
	if b == nil {
		return value{}, false
	}
	switch {
	case b.param != "":
		v = value{class: isEach, items: j.passed(b)}
	case len(b.vals) == 1:
		v = b.vals[0]
	}
	if v.empty() || v.class == isEach && len(v.items) == 0 {
		v = value{class: isLocal}
	}
	return v, true
}

// passed are the values that the script's calls give a parameter.
func (j *judge) passed(b *binding) (vals []value) {
	for _, a := range j.calls[b.param] {
		v, ok := a.key(b.name)
		switch {
		case ok:
			vals = append(vals, v)
		case b.index < len(a.pos):
			vals = append(vals, a.pos[b.index])
		case len(b.vals) > 0:
			vals = append(vals, b.vals...)
		default:
			vals = append(vals, value{})
		}
	}
	return vals
}

// called notes a call of a function of the script; no arguments stand for any.
func (j *judge) called(name string, a args) {
	calls := j.calls[name]
	if len(calls) == maxItems {
		a = args{}
	}
	if j.learning && len(calls) <= maxItems {
		j.calls[name] = append(calls, a)
	}
}

// define takes the parameters of a function, with their defaults. What stands before end, or is indented, is its body.
func (j *judge) define(name string, in []token, end int) {
	if name == "" {
		name = "@" + strconv.Itoa(end)
	}
	if len(j.scopes) == maxScopes {
		j.scopes = j.scopes[1:]
	}
	j.scopes = append(j.scopes, scope{name, end, j.indent})
	j.names[name+"()"] = &binding{}
	index := 0
	for _, c := range clauses(in) {
		n, val := "", len(c)
		for k, x := range c {
			if x.op("=") {
				val = k + 1
				break
			}
			if x.kind == tWord && (n == "" || x.text[0] == '$') {
				n = x.text
			}
		}
		if n == "self" || n == "this" {
			continue
		}
		b := &binding{param: name, name: n, index: index}
		if val < len(c) {
			b.vals = []value{j.clause(c[val:])}
		}
		if old := j.names[name+"("+n]; old == nil || old.param != "" {
			j.names[name+"("+n] = b
		}
		index++
	}
}

// assign binds the names on the left of an assignment.
func (j *judge) assign(left []token, v value) {
	for len(left) > 1 && (skipped(left[0]) || left[0].kind == tLine) {
		left = left[1:]
	}
	n := len(left)
	switch {
	case n == 0:
	case n == 1 && left[0].kind == tWord:
		j.bind(left[0].text, v)
	case n == 3 && left[0].kind == tWord && (left[1].op(".") || left[1].op("->")) && left[2].kind == tWord:
		j.bind(left[0].text+"."+left[2].text, v)
	case left[0].match > 0 && left[0].match == n-1: // (a, b) = …, {a, b: c} = …, [a, b] = …
		for i, c := range clauses(left[1 : n-1]) {
			last := c[len(c)-1]
			switch {
			case last.kind != tWord || c[0].kind != tWord:
			case left[0].text == "{":
				j.bind(last.text, j.member(v, c[0].text))
			default:
				j.bind(last.text, v.item(i))
			}
		}
	default:
		for i, c := range clauses(left) {
			if len(c) == 1 && c[0].kind == tWord {
				j.bind(c[0].text, v.item(i))
			}
		}
	}
}

// loop takes `for a in …`, `for (const a of …)`, `for my $a (…)` and gives how many tokens those are.
func (j *judge) loop(t []token, i int) int {
	var names []string
	k := i + 1
	for ; k < len(t) && k < i+maxClause; k++ {
		x := t[k]
		over := x.is(tWord, "in") || x.is(tWord, "of")
		switch {
		case over, x.op("(") && j.lang == Perl && len(names) < 2:
			if over {
				k++
			}
			v, n := j.expr(t, k)
			v = v.element()
			switch len(names) {
			case 0:
				j.bind("$_", v)
			case 1:
				j.bind(names[0], v)
			default:
				for n, name := range names {
					j.bind(name, v.item(n))
				}
			}
			return k + n - i
		case x.kind == tWord && !skipped(x):
			names = append(names, x.text)
		case x.kind != tWord && !x.op(",") && !x.op("(") && !x.op(")") && !x.op("[") && !x.op("]"):
			return 1
		}
	}
	return 1
}

// imports takes what `import`, `from` and `use` bind, and gives how many tokens that are.
func (j *judge) imports(t []token, i int) int {
	end := i + 1
	for end < len(t) && t[end].kind != tLine && !t[end].op(";") {
		end += max(t[end].match, 0) + 1
	}
	end = min(end, len(t))
	what, from := t[i+1:end], ""
	switch {
	case j.lang == Perl:
		from, _ = dotted(what)
		j.include = append(j.include, from)
		return end - i
	case j.lang == Node && len(what) > 2 && what[len(what)-1].kind == tStr:
		from, what = nodeModule(what[len(what)-1].text), what[:len(what)-2]
	case t[i].text == "from":
		name, n := dotted(what)
		from, what = name, what[min(n+1, len(what)):]
	case j.lang != Python:
		return 1
	}
	braced := j.lang == Python && from != ""
	for k := 0; k < len(what); {
		name, n := dotted(what[k:])
		braced = braced || what[k].op("{")
		switch {
		case what[k].op("*"):
			name, n = "", 1
			if braced {
				j.include = append(j.include, from)
			}
		case n == 0:
			k++
			continue
		}
		as, _, _ := strings.Cut(name, ".")
		full := as
		if at(what, k+n).is(tWord, "as") {
			full, as = name, at(what, k+n+1).text
			n += 2
		}
		if from != "" {
			full = from
			if braced {
				full += "." + name
			}
		}
		j.bind(as, value{name: full})
		k += n
	}
	return end - i
}

// dotted is the name that t begins with, with dots in it, and how many tokens it has.
func dotted(t []token) (name string, n int) {
	for at(t, n).kind == tWord {
		name += t[n].text
		if n++; !at(t, n).op(".") && !at(t, n).op("::") || at(t, n+1).kind != tWord {
			break
		}
		name += t[n].text
		n++
	}
	return name, n
}
