package script

// What stands behind an operand: members, indexes, calls, blocks.

// postfix judges what belongs to the operand v before i.
func (j *judge) postfix(v value, t []token, i int) (value, int) {
	recv, meth := value{}, v.name
	for i < len(t) {
		k := i
		for k < len(t) && t[k].kind == tLine && j.lang != Python { // .method on the next line
			k++
		}
		if k > i && !j.isMember(at(t, k), at(t, k+1)) {
			break
		}
		i = k
		x, next := t[i], at(t, i+1)
		switch {
		case (x.op("->") || x.op("?.")) && next.match > 0:
			i++
			if next.op("(") {
				v = j.call(&call{v: v, args: j.args(t[i+1 : i+next.match]), at: x.pos})
				i += next.match + 1
			}
		case j.isMember(x, next):
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
			j.passElement(v, next, at(t, i+2+next.match))
			v = j.call(&call{v: v, args: j.args(t[i+1 : i+x.match]), at: x.pos})
			i += x.match + 1
			if j.lang == Perl {
				meth = ""
			}
		case x.op("[") && x.match > 0 && (x.glued || j.lang == Node || j.lang == PHP):
			v = j.index(v, t[i+1:i+x.match])
			i += x.match + 1
		case x.op("{") && x.match > 0 && j.lang == Perl && (x.glued && !t[i-1].op(")") || t[i-1].op("->")):
			in := t[i+1 : i+x.match]
			if len(in) == 1 && in[0].kind == tWord && letter(in[0].text[0]) {
				v = j.key(v, text(in[0].text))
			} else {
				v = j.index(v, in)
			}
			i += x.match + 1
		case j.lang == Lua && (x.kind == tStr || x.op("{") && x.match > 0) && j.callable(v):
			n := max(1, x.match+1)
			v = j.call(&call{v: v, args: j.args(t[i : i+n]), at: x.pos})
			i += n
		case j.lang == Ruby && (x.op("{") && x.match > 0 || x.is(tWord, "do")) && (v.meth != "" || meth != "" || j.callable(v)):
			if j.callable(v) {
				v = j.call(&call{v: v, at: x.pos})
			}
			j.settleBlock(next, recv, meth, v)
			if x.text == "do" {
				return v, i + 1
			}
			j.walk(t[i+1 : i+x.match])
			i += x.match + 1
			if meth != "open" {
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

// isMember reports whether x and the word behind it name a member.
func (j *judge) isMember(x, next token) bool {
	if x.kind != tOp || next.kind != tWord {
		return false
	}
	switch x.text {
	case ".", "?.":
		return j.lang != Perl && j.lang != PHP
	case "->":
		return j.lang == Perl || j.lang == PHP
	case ":":
		return j.lang == Lua
	}
	return x.text == "::"
}

// passElement gives the parameter of a function that is passed to forEach or then its value.
func (j *judge) passElement(v value, param, arrow token) {
	if !arrow.op("=>") || v.recv == nil {
		return
	}
	switch v.meth {
	case "then":
		j.settle(param.pos, *v.recv)
	case "forEach", "map":
		j.settle(param.pos, v.recv.element())
	}
}

// settleBlock gives the parameter of ruby's block its value: what was opened, or an element.
func (j *judge) settleBlock(bar token, recv value, meth string, v value) {
	if !bar.op("|") {
		return
	}
	switch meth {
	case "each", "map", "each_line", "select", "reject":
		if len(v.flows) == 0 {
			v = recv
		}
	case "foreach":
	default:
		v = value{alts: []value{v}}
	}
	j.settle(bar.pos, v)
}

// callable reports whether the table knows v as a function.
func (j *judge) callable(v value) bool {
	if v.name == "" && v.meth == "" {
		return false
	}
	r, ok := j.find(v)
	return ok && r.acts[0].verb != "value"
}

// bare calls v where the language needs no brackets for it: `puts x`, `$p->remove`.
func (j *judge) bare(v, recv value, meth string, t []token, i int) (value, int) {
	if j.lang == PHP && (v.name == "echo" || v.name == "print" || v.name == "include" || v.name == "exit" || v.name == "die") || j.lang == Python && (v.name == "print" || v.name == "exec") && v.class != "quiet" {
		if i < len(t) && (j.lang == PHP || operandStart(t[i], Python)) {
			return j.bareArgs(v, t, i)
		}
	}
	if !j.d.bare || v.known || v.class != "" || i > 0 && (t[i-1].op(")") || t[i-1].op("]")) || !j.callable(v) && !(j.lang == Perl && perlOwn(v.name) || j.lang == Ruby && v.name == "p") {
		return v, i
	}
	if i >= len(t) || t[i].glued || !operandStart(t[i], j.lang) {
		return j.call(&call{v: v, at: t[max(i-1, 0)].pos}), i
	}
	w, n := j.bareArgs(v, t, i)
	if j.lang == Ruby && at(t, n).is(tWord, "do") {
		j.settleBlock(at(t, n+1), recv, meth, w)
	}
	return w, n
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
		case "*":
			return lang == Ruby
		case "\\", "@", "$", "!", "-":
			return lang == Perl
		}
		return false
	}
	return x.kind != tLine
}

func (j *judge) bareArgs(v value, t []token, i int) (value, int) {
	c := call{v: v, at: t[i-1].pos}
	for i < len(t) {
		if key, n := j.keyword(t[i:]); n > 0 && i+n < len(t) {
			w, m := j.expr(t[i+n:])
			c.args.kw, c.args.vals = append(c.args.kw, key), append(c.args.vals, w)
			i += n + m
		} else {
			w, m := j.expr(t[i:])
			c.args.pos, c.args.toks = append(c.args.pos, w), append(c.args.toks, t[i:i+m])
			i += m
			if len(c.args.pos) == 1 && j.lang == Perl && i < len(t) && handleWord(c.args.toks[0], t[i]) {
				c.handle = true
				continue // print FH LIST
			}
		}
		if !at(t, i).op(",") {
			break
		}
		for i++; i < len(t) && t[i].kind == tLine; i++ {
		}
	}
	return j.call(&c), i
}

// index judges v[…].
func (j *judge) index(v value, in []token) value {
	a := j.args(in)
	if v.name == "Dir" && len(a.pos) > 0 {
		return value{text: globbed(a.pos[0].text), class: "paths"}
	}
	slice := len(a.pos) != 1 || len(a.kw) > 0
	for _, x := range in {
		slice = slice || x.op(":") && j.lang == Python
	}
	if slice {
		return value{flows: partly(v)}
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
	w, ok := v.get(k.text)
	switch {
	case ok && k.isText():
		return w
	case v.class == "env":
		return j.env(k)
	case k.isText() && v.name != "":
		return j.member(v, k.text)
	}
	return value{flows: partly(v)}
}
