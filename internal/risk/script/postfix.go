package script

// postfix judges what belongs to the operand v before i: members, indexes, calls, blocks.
func (j *judge) postfix(v value, t []token, i int) (value, int) {
	recv, meth := value{}, v.name
	for steps := 0; i < len(t); steps++ {
		x := t[i]
		k := i
		for k < len(t) && t[k].kind == tLine && j.lang != Python { // .method on the next line
			k++
		}
		if k > i && (k >= len(t) || !t[k].op(".") && !t[k].op("->") && !t[k].op("?.")) {
			return j.bare(v, recv, meth, t, i)
		}
		x, i = t[k], k
		next := token{}
		if i+1 < len(t) {
			next = t[i+1]
		}
		switch {
		case (x.op("->") || x.op("?.")) && (next.op("[") || next.op("{") || next.op("(")) && next.match > 0:
			i++
			if next.op("(") {
				v = j.call(&call{v: v, args: j.args(t[i+1:i+next.match], nil), at: x.pos})
				i += next.match + 1
			}
		case j.isMember(x, next, t, i) && next.kind == tWord:
			if j.d.bare && v.class == "" && (v.meth != "" || v.name != "" && v.name[0] >= 'a') && j.callable(v) {
				v = j.call(&call{v: v, at: x.pos})
			}
			recv, meth = v, next.text
			if j.lang == PHP && meth[0] == '$' || j.lang == Perl && meth[0] == '$' {
				v = value{class: "local"}
			} else {
				v = j.member(v, meth)
			}
			i += 2
		case x.op(".") && next.op("(") && j.lang == Ruby: // f.(x)
			i++
		case x.op("(") && x.match > 0 && (x.glued || j.lang != Ruby && j.lang != Perl || j.callable(v)):
			c := call{v: v, at: x.pos}
			c.args = j.args(t[i+1:i+x.match], func(a *args) value { return j.feeds(&c, a) })
			v = j.call(&c)
			i += x.match + 1
			if j.lang == Perl {
				meth = ""
			}
		case x.op("[") && x.match > 0 && (x.glued || j.lang == Node || j.lang == PHP):
			v = j.index(v, t[i+1:i+x.match], x.pos)
			i += x.match + 1
		case x.op("{") && x.match > 0 && j.lang == Perl && (x.glued && !t[i-1].op(")") || t[i-1].op("->")):
			in := t[i+1 : i+x.match]
			if len(in) == 1 && in[0].kind == tWord && letter(in[0].text[0]) {
				v = j.key(v, text(in[0].text))
			} else {
				v = j.index(v, in, x.pos)
			}
			i += x.match + 1
		case j.lang == Lua && (x.kind == tStr || x.op("{") && x.match > 0) && v.name+v.meth != "" && j.callable(v):
			c := call{v: v, at: x.pos}
			c.args = j.args(t[i:i+max(1, x.match+1)], nil)
			v = j.call(&c)
			i += max(1, x.match+1)
		case j.lang == Ruby && (x.op("{") && x.match > 0 || x.is(tWord, "do")) && (j.callable(v) || v.meth != "" || recv.meth != "" || meth != ""):
			if j.callable(v) {
				v = j.call(&call{v: v, at: x.pos})
			}
			if next.op("|") {
				j.settleBlock(next.pos, recv, meth, v)
			}
			if x.text == "do" {
				return v, i + 1
			}
			j.walk(t[i+1 : i+x.match])
			i += x.match + 1
			if meth != "open" && meth != "map" {
				v.flows = nil
			}
		case x.op("++") || x.op("--"):
			i++
		default:
			return j.bare(v, recv, meth, t, i)
		}
	}
	return j.bare(v, recv, meth, t, i)
}

func (j *judge) isMember(x, next token, t []token, i int) bool {
	switch x.text {
	case ".", "?.":
		return x.kind == tOp && j.lang != Perl && j.lang != PHP
	case "->":
		return x.kind == tOp && (j.lang == Perl || j.lang == PHP)
	case "::":
		return x.kind == tOp
	case ":":
		return x.kind == tOp && j.lang == Lua
	case "&":
		return false
	}
	return false
}

// callable reports whether the table knows v as a function.
func (j *judge) callable(v value) bool {
	if v.name == "" && v.meth == "" {
		return false
	}
	line, ok := j.find(&v)
	if !ok {
		return false
	}
	r, _ := parseRow(line)
	return len(r.acts) > 0 && r.acts[0].verb != "value"
}

// bare calls v where the language needs no brackets for it: `puts x`, `$p->remove`.
func (j *judge) bare(v, recv value, meth string, t []token, i int) (value, int) {
	if j.lang == PHP && (v.name == "echo" || v.name == "print" || v.name == "include" || v.name == "exit" || v.name == "die") || j.lang == Python && (v.name == "print" || v.name == "exec") && v.class != "quiet" {
		if i < len(t) && (j.lang == PHP || operandStart(t[i], Python)) {
			return j.bareArgs(v, t, i)
		}
	}
	if !j.d.bare || (i > 0 && (t[i-1].op(")") || t[i-1].op("]"))) || !j.callable(v) && !(j.lang == Perl && perlOwn(v.name) || j.lang == Ruby && v.name == "p") {
		return v, i
	}
	if v.known || v.class != "" {
		return v, i
	}
	if i < len(t) && !t[i].glued && operandStart(t[i], j.lang) {
		w, n := j.bareArgs(v, t, i)
		if j.lang == Ruby && n < len(t) && t[n].is(tWord, "do") && n+1 < len(t) && t[n+1].op("|") {
			j.settleBlock(t[n+1].pos, recv, meth, w)
		}
		return w, n
	}
	return j.call(&call{v: v, at: t[max(i-1, 0)].pos}), i
}

// operandStart reports whether a token begins an argument.
func operandStart(x token, lang Lang) bool {
	switch x.kind {
	case tWord:
		switch x.text {
		case "if", "unless", "while", "until", "for", "foreach", "or", "and", "do", "rescue", "then", "end", "in", "is", "as", "else":
			return false
		case "eq", "ne", "x", "lt", "gt", "cmp":
			return lang != Perl
		}
		return true
	case tOp:
		switch x.text {
		case "(", "[":
			return x.match > 0 && lang != Python
		case "{":
			return x.match > 0 && lang == Perl
		case "*", "&", "%", "-", "<<":
			return lang == Ruby && x.text == "*" || lang == Perl && x.text == "-"
		case "\\", "@", "$", "!":
			return lang == Perl
		}
		return false
	case tLine:
		return false
	}
	return true
}

func (j *judge) bareArgs(v value, t []token, i int) (value, int) {
	c := call{v: v, at: t[i-1].pos}
	for i < len(t) {
		if key, n := j.keyword(t[i:]); n > 0 && i+n < len(t) {
			w, m := j.expr(t[i+n:])
			c.args.kw, c.args.vals = append(c.args.kw, key), append(c.args.vals, w)
			i += n + m
		} else {
			if j.lang == Perl && t[i].op("{") && t[i].match > 0 && (c.v.name == "map" || c.v.name == "grep" || c.v.name == "sort") { // map {…} LIST
				block, i := t[i+1:i+t[i].match], i+t[i].match+1
				w, n := j.bareArgs(value{name: "\x00list"}, t, i)
				j.each(w, block)
				return value{flows: partly(w.flows), class: "list"}, n
			}
			w, m := j.expr(t[i:])
			c.args.pos, c.args.toks = append(c.args.pos, w), append(c.args.toks, t[i:i+m])
			i += m
			if len(c.args.pos) == 1 && j.lang == Perl && i < len(t) && handleWord(c.args.toks[0], t[i]) {
				c.handle = true
				continue // print FH LIST
			}
		}
		if i >= len(t) || !t[i].op(",") {
			break
		}
		for i++; i < len(t) && t[i].kind == tLine; i++ {
		}
	}
	return j.call(&c), i
}

// index judges v[…].
func (j *judge) index(v value, in []token, at int) value {
	for k := range in {
		if in[k].match > 0 {
			break
		}
		if in[k].op(":") && j.lang == Python || (in[k].op("..") || in[k].op("...")) || in[k].op(",") && j.lang == Ruby {
			lo, hi, ok := 0, 0, true
			if k > 0 {
				lo, ok = number(j.value(in[:k]))
			}
			if k+1 < len(in) {
				n, good := number(j.value(in[k+1:]))
				switch hi = n; {
				case in[k].op("..") && n >= 0:
					hi++
				case in[k].op(","):
					hi += lo
				}
				ok = ok && good && (hi > lo || hi < 0)
			}
			return v.span(lo, hi, ok)
		}
	}
	a := j.args(in, nil)
	if len(a.pos) != 1 {
		return value{flows: partly(v.flows)}
	}
	if v.name == "Dir" {
		return value{text: globbed(a.pos[0].text), class: "paths"}
	}
	if v.name != "" && v.class == "" && (a.pos[0].num || !a.pos[0].isText()) {
		if line, ok := j.row(v.name + ".*"); ok {
			if r, _ := parseRow(line); r.acts[0].verb == "opaque" {
				j.opaque(r.name+":", whyName)
			}
			return value{class: "local"}
		}
	}
	return j.key(v, a.pos[0])
}

// key is v[k].
func (j *judge) key(v, k value) value {
	if n, ok := number(k); ok {
		return v.item(n)
	}
	switch {
	case !k.isText():
		if v.list && !v.more && len(v.items) <= maxAlts && !v.dict {
			return oneOf(append([]value{{}}, v.items...)...)
		}
		return value{flows: partly(v.flows)}
	case v.class == "env":
		return j.env(k)
	case v.dict:
		if w, ok := v.get(k.text); ok {
			return w
		}
		return value{flows: partly(v.flows)}
	case v.name != "":
		return j.member(v, k.text)
	}
	return value{flows: partly(v.flows), recv: &value{class: v.class}, meth: k.text}
}

// value judges an expression all of whose tokens are given.
func (j *judge) value(t []token) value {
	if len(t) == 0 {
		return value{}
	}
	v, n := j.expr(t)
	j.walk(t[n:])
	return v
}

// each judges perl's block with $_ for the items of a list.
func (j *judge) each(list value, block []token) {
	saved := j.names["$_"]
	j.names["$_"] = &name{sources: []*source{{val: list.element(), done: true, idx: -1}}}
	j.walk(block)
	j.names["$_"] = saved
}
