package script

import "strings"

// A name stands for a value if the script binds it in one place: an assignment, a loop, an import. What is bound twice,
// changed in place, or the parameter of a function is not known, nor is a name before the place that binds it. One pass
// over the tokens finds all bindings, and the judgement fills in their values; nothing follows scopes or calls.

// binding is the one value of a name.
type binding struct {
	elem    bool   // an element of what is bound: by a loop
	key     string // the member of it, "" for all
	idx     int    // the item of it, -1 for all
	val     value
	unknown bool
}

// bind gives a name a value. What the judgement finds at position pos is the value, if pos is none of -1.
func (j *judge) bind(n string, b binding, pos int) {
	old := j.names[n]
	switch {
	case n == "" || n == "_":
		return
	case old == nil:
		old = &b
		j.names[n] = old
	case b.val.name == "" || b.val.name != old.val.name: // else it is the same import
		old.unknown = true
	}
	if pos >= 0 {
		j.at[pos] = append(j.at[pos], old)
	}
}

// unknown marks a name whose value cannot be told.
func (j *judge) unknown(n string) { j.bind(n, binding{unknown: true}, -1) }

// settle gives what is bound at a position its value.
func (j *judge) settle(pos int, v value) {
	for _, b := range j.at[pos] {
		b.val = j.pick(b, v)
	}
}

func (j *judge) pick(b *binding, v value) value {
	if b.elem {
		if v.class == "file" {
			v = j.content(v, "lines")
		}
		v = v.element()
	}
	if b.key != "" {
		v = j.member(v, b.key)
	}
	if b.idx >= 0 {
		v = v.item(b.idx)
	}
	return v
}

// lookup is what a name stands for; ok is false for one that the script does not bind.
func (j *judge) lookup(n string) (v value, ok bool) {
	b := j.names[n]
	if b == nil {
		return value{}, false
	}
	if b.unknown || b.val.empty() {
		return value{class: "local"}, true
	}
	return b.val, true
}

// bindAll finds the bindings of a text.
func (j *judge) bindAll(t []token) {
	calls := 0 // how many round brackets are open
	for i, x := range t {
		prev, next := at(t, i-1), at(t, i+1)
		switch {
		case x.op("(") && x.match > 0:
			calls++
		case x.op(")") && x.match < 0:
			calls--
		case x.kind == tOp && (x.text == "=" || x.text == ":=" || x.text == "||=" || x.text == "//="):
			if j.lang != Python || calls == 0 || x.text != "=" { // else it is a keyword of a call
				j.assignment(t, i)
			}
		case x.kind == tOp && len(x.text) > 1 && x.text[len(x.text)-1] == '=' && strings.IndexByte("+-*/.|?", x.text[0]) >= 0, x.op("++"), x.op("--"), x.op("<<") && j.lang == Ruby:
			if prev.kind == tWord {
				j.unknown(prev.text)
			}
		case x.kind == tReadline && (prev.op("(") && at(t, i-2).is(tWord, "while") || prev.is(tWord, "while")):
			j.bind("$_", binding{elem: true, idx: -1}, x.pos)
		case x.op("|") && (prev.op("{") || prev.is(tWord, "do")): // ruby's block
			for k, n := i+1, 0; k < len(t) && !t[k].op("|") && n < maxClause; k, n = k+1, n+1 {
				if t[k].kind == tWord && n == 0 {
					j.bind(t[k].text, binding{elem: true, idx: -1}, x.pos)
				} else if t[k].kind == tWord {
					j.unknown(t[k].text)
				}
			}
		case x.op("=>") && j.lang == Node:
			if prev.kind == tWord {
				j.bind(prev.text, binding{idx: -1}, prev.pos)
			} else if prev.op(")") && prev.match < 0 {
				j.parameters(t, i-1+prev.match)
			}
		case x.kind != tWord || prev.op(".") || prev.op("->") || prev.op("?."):
		case x.text == "for" || x.text == "foreach":
			j.loopNames(t, i)
		case x.text == "as" && j.lang == Python && next.kind == tWord && prev.kind != tWord: // with
			j.bind(next.text, binding{idx: -1}, x.pos)
		case x.text == "import" || x.text == "from" || x.text == "use":
			j.imports(t, i)
		case x.text == "def" || x.text == "function" || x.text == "sub" || x.text == "fn" || x.text == "func" || x.text == "class":
			k := i + 1
			for ; at(t, k).kind == tWord || at(t, k).op(".") || at(t, k).op(":"); k++ {
				if !at(t, k+1).op(".") && t[k].kind == tWord && (x.text != "class" || k == i+1) {
					j.bind(t[k].text, binding{val: value{class: "local"}}, -1)
				}
			}
			if at(t, k).op("(") && t[k].match > 0 && x.text != "class" {
				j.parameters(t, k)
			}
		case x.text == "lambda" && j.lang == Python:
			for k := i + 1; at(t, k).kind == tWord && k < i+maxClause; k += 2 {
				j.unknown(t[k].text)
			}
		}
	}
}

// parameters makes the names in the brackets at k unknown. What is passed to a single one, then and forEach tell.
func (j *judge) parameters(t []token, k int) {
	end := k + t[k].match
	only := at(t, end+1).op("=>") && (t[k].match == 2 || at(t, k+1).op("{") && t[k+1].match == t[k].match-2)
	for x := k + 1; x < end; x++ {
		switch name := t[x].text; {
		case t[x].kind != tWord || at(t, x-1).op("=") || at(t, x-1).op(":") && j.lang == Python || name == "self":
		case only && t[k].match == 2:
			j.bind(name, binding{idx: -1}, t[k].pos)
		case only:
			j.bind(name, binding{idx: -1, key: name}, t[k].pos)
		default:
			j.unknown(name)
		}
	}
}

// maxClause bounds what is looked ahead: the search would be quadratic otherwise.
const maxClause = 120

// assignment takes `a = …`, `a, b = …`, `{a, b: c} = …`, `my ($a, $b) = …`, `a.b = …` with the operator at i.
func (j *judge) assignment(t []token, i int) {
	left, pos := at(t, i-1), t[i].pos
	named := j.alias(t[i+1:]) // functions may use it before
	switch {
	case left.match < 0:
		k, n := i-1+left.match, 0
		if at(t, k-1).kind == tWord && t[k].glued { // x[1] = …, def f(x) = …
			return
		}
		for x := k + 1; x < i-1; x++ {
			switch {
			case t[x].op(","):
				n++
			case t[x].kind != tWord || at(t, x+1).op(":") || at(t, x-1).op("="):
			case left.text != "}":
				j.bind(t[x].text, binding{idx: n}, pos)
			default:
				b := binding{idx: -1, key: t[x].text}
				if at(t, x-1).op(":") {
					b.key = at(t, x-2).text
				}
				if named.name != "" {
					b.val = j.member(named, b.key)
				}
				j.bind(t[x].text, b, pos)
			}
		}
	case left.kind != tWord:
	case at(t, i-2).op(".") || at(t, i-2).op("->"):
		j.bind(at(t, i-3).text+"."+left.text, binding{idx: -1}, pos)
	case at(t, i-2).op(",") && at(t, i-3).kind == tWord && j.lang != Node && j.lang != PHP && j.lang != Perl:
		k := i - 1
		for at(t, k-1).op(",") && at(t, k-2).kind == tWord {
			k -= 2
		}
		for idx := 0; k < i; idx, k = idx+1, k+2 {
			j.bind(t[k].text, binding{idx: idx}, pos)
		}
	case at(t, i+1).kind == tReadline && (at(t, i-2).op("(") || at(t, i-3).op("(")): // while (my $l = <F>)
		j.bind(left.text, binding{elem: true, idx: -1}, pos)
	default:
		j.bind(left.text, binding{idx: -1, val: named}, pos)
	}
}

// alias is the function or module that a text names and does not call: os.remove, require("fs"), promisify(exec); the zero
// value where the table knows none of that name.
func (j *judge) alias(t []token) (v value) {
	n := 0
	switch {
	case j.lang == Node && at(t, 0).is(tWord, "require") && at(t, 2).kind == tStr && at(t, 3).op(")"):
		v, n = value{name: nodeModule(t[2].text)}, 4
	case at(t, 0).kind == tWord:
		v, n = j.word(t[0].text), 1
	}
	for ; at(t, n).op(".") && at(t, n+1).kind == tWord && n < maxClause; n += 2 {
		v = j.member(v, t[n+1].text)
	}
	switch end := at(t, n); {
	case n > 0 && end.op("(") && end.match > 0:
		return j.alias(t[n+1 : n+end.match])
	case n < len(t) && end.kind != tLine && !end.op(";") && !end.op(","):
		return value{}
	}
	if r, ok := j.find(v); v.name == "" || !j.t.module(v.name) && !(ok && r.effect()) {
		return value{}
	}
	return v
}

// loopNames takes `for a in …`, `for (const a of …)`, `foreach (… as $a)`, `for my $a (…)`.
func (j *judge) loopNames(t []token, i int) {
	k := i + 1
	if at(t, k).op("(") && t[k].match > 0 && (j.lang == Node || j.lang == PHP) {
		k++
	}
	var names []string
	for ; k < len(t) && k-i < 40; k++ {
		x := t[k]
		switch {
		case j.lang == PHP && x.is(tWord, "as"):
			if at(t, k+2).op("=>") {
				j.unknown(at(t, k+1).text)
				k += 2
			}
			j.bind(at(t, k+1).text, binding{elem: true, idx: -1}, x.pos)
			return
		case j.lang == PHP:
			k += max(x.match, 0)
		case x.is(tWord, "in") || x.is(tWord, "of"), x.op("(") && j.lang == Perl && len(names) == 1:
			for n, name := range names {
				if len(names) == 1 {
					n = -1
				}
				j.bind(name, binding{elem: true, idx: n}, x.pos)
			}
			return
		case x.kind == tWord && x.text != "my" && x.text != "const" && x.text != "let" && x.text != "var" && x.text != "our":
			names = append(names, x.text)
		case x.kind != tWord && !x.op(",") && !x.op("(") && !x.op(")") && !x.op("[") && !x.op("]"):
			return
		}
	}
}

// imports binds what `import`, `from` and `use` bring in.
func (j *judge) imports(t []token, i int) {
	bind := func(n, to string) { j.bind(n, binding{val: value{name: to}}, -1) }
	module := func(k int) (string, int) {
		s := ""
		for ; at(t, k).kind == tWord && (s == "" || at(t, k-1).kind != tWord) || at(t, k).op(".") || at(t, k).op("::"); k++ {
			s += t[k].text
		}
		return s, k
	}
	m, k := module(i + 1)
	switch {
	case j.lang == Perl && t[i].text == "use" && m != "":
		j.include = append(j.include, m)
	case j.lang == Node:
		from := i + 1
		for from < len(t) && from-i < 200 && !t[from].is(tWord, "from") && !t[from].op(";") {
			from++
		}
		m := nodeModule(at(t, from+1).text)
		for k := i + 1; k < from && at(t, from).is(tWord, "from") && at(t, from+1).kind == tStr; k++ {
			prev := at(t, k-1)
			switch {
			case t[k].kind != tWord || t[k].text == "as" || at(t, k+1).is(tWord, "as"):
			case prev.is(tWord, "as") && at(t, k-2).kind == tWord:
				bind(t[k].text, m+"."+at(t, k-2).text)
			case prev.is(tWord, "as") || prev.is(tWord, "import"):
				bind(t[k].text, m)
			default:
				bind(t[k].text, m+"."+t[k].text)
			}
		}
	case j.lang != Python || at(t, i-1).kind != tLine && !at(t, i-1).op(";") && !at(t, i-1).op(":"):
	case t[i].text == "import":
		for m != "" {
			first, _, _ := strings.Cut(m, ".")
			if at(t, k).is(tWord, "as") {
				bind(at(t, k+1).text, m)
				k += 2
			} else {
				bind(first, first)
			}
			if !at(t, k).op(",") {
				return
			}
			m, k = module(k + 1)
		}
	case at(t, k).is(tWord, "import"):
		for k++; at(t, k).kind == tWord || at(t, k).op(",") || at(t, k).op("(") || at(t, k).op("*"); k++ {
			switch {
			case t[k].op("*"):
				j.include = append(j.include, m)
			case t[k].kind == tWord && at(t, k+1).is(tWord, "as"):
				bind(at(t, k+2).text, m+"."+t[k].text)
				k += 2
			case t[k].kind == tWord:
				bind(t[k].text, m+"."+t[k].text)
			}
		}
	}
}
