package script

// What stands behind an operand: members, indexes, calls, blocks.

// postfix judges what belongs to the operand v before i, and gives where it ends.
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
		case (x.op("->") || x.op("?.") || x.op(".") && j.lang == Ruby) && next.match > 0:
			i++
			if next.op("(") {
				v, i = j.call(v, j.args(t[i+1:i+next.match])), i+next.match+1
			}
		case j.isMember(x, next):
			if j.d.bare && j.callable(v) && (v.self != nil || v.name[0] >= 'a') {
				v = j.call(v, args{})
			}
			recv, meth = v, next.text
			if v, i = j.member(v, meth), i+2; meth[0] == '$' {
				v = value{class: isLocal}
			}
		case x.op("(") && x.match > 0 && (x.glued || j.lang != Ruby && j.lang != Perl || j.callable(v)):
			switch v.meth {
			case "then":
				j.given = v.self
			case "forEach", "map":
				e := v.self.element()
				j.given = &e
			}
			v, i = j.call(v, j.args(t[i+1:i+x.match])), i+x.match+1
			j.given = nil
		case j.lang == Lua && (x.kind == tStr || x.op("{") && x.match > 0) && (v.class == isFunc || j.callable(v)):
			v, i = j.call(v, j.args(t[i:i+x.match+1])), i+x.match+1
		case x.op("[") && x.match > 0 && (x.glued || j.lang == Node || j.lang == PHP):
			v, i = j.index(v, t[i+1:i+x.match]), i+x.match+1
		case x.op("{") && x.match > 0 && j.lang == Perl && x.glued && !t[i-1].op(")"):
			k := text(next.text)
			if x.match != 2 || next.kind != tWord || next.text[0] == '$' {
				k = j.clause(t[i+1 : i+x.match])
			}
			v, i = j.entry(v, k), i+x.match+1
		case j.lang == Ruby && (x.op("{") && x.match > 0 || x.is(tWord, "do")) && (meth != "" || j.callable(v)):
			if j.callable(v) {
				v = j.call(v, args{})
			}
			j.block(t, i+1, recv, meth, v)
			if i++; x.text == "{" {
				j.walk(t[i : i+x.match-1])
				v, i = value{}, i+x.match
			}
			return v, i
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

// block gives the parameters of ruby's block their value: what was opened, or an element.
func (j *judge) block(t []token, i int, recv value, meth string, v value) {
	switch meth {
	case "each", "map", "each_line", "select", "reject", "each_with_index":
		v = recv.element()
	case "foreach":
		v = value{}
	}
	if !at(t, i).op("|") {
		return
	}
	for i++; at(t, i).kind == tWord; i++ {
		j.bind(t[i].text, v)
		if v = (value{}); at(t, i+1).op(",") {
			i++
		}
	}
}

// callable reports whether the table knows v as a function.
func (j *judge) callable(v value) bool {
	if v.known || v.class != "" || v.name == "" && v.meth == "" {
		return false
	}
	r, ok := j.find(v)
	return ok && r.acts[0].verb != "value"
}

// bare calls v where the language needs no brackets for it: `puts x`, `$p->remove`.
func (j *judge) bare(v, recv value, meth string, t []token, i int) (value, int) {
	first := at(t, i)
	prints := v.name == "print" || v.name == "echo" || v.name == "exit" || v.name == "die"
	switch starts := startsOperand(first, j.lang); {
	case v.class == isFunc && j.d.bare:
	case i > 0 && (t[i-1].op(")") || t[i-1].op("]")) || !j.callable(v):
		return v, i
	case !j.d.bare && !(prints && starts):
		return v, i
	case !starts || first.glued:
		return j.call(v, args{}), i
	}
	end := i
	for ; end < len(t) && !t[end].op(";") && t[end].match >= 0 && !endsArguments(t[end]); end += max(t[end].match, 0) + 1 {
		if t[end].kind == tLine && !at(t, end-1).op(",") {
			break
		}
	}
	end = min(end, len(t))
	v = j.call(v, j.args(t[i:end]))
	if at(t, end).is(tWord, "do") && j.lang == Ruby {
		j.block(t, end+1, recv, meth, v)
	}
	return v, end
}

// endsArguments reports whether a word ends arguments without brackets.
func endsArguments(x token) bool {
	if x.kind != tWord {
		return false
	}
	switch x.text {
	case "if", "unless", "while", "until", "for", "foreach", "or", "and", "do", "rescue", "then", "end", "in", "is", "as", "else":
		return true
	}
	return false
}

// startsOperand reports whether a token begins an argument.
func startsOperand(x token, lang Lang) bool {
	switch x.kind {
	case tWord:
		return !endsArguments(x) && (lang != Perl || x.text != "eq" && x.text != "ne" && x.text != "x")
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

// index judges v[…].
func (j *judge) index(v value, in []token) value {
	a := j.args(in)
	if j.lines[v.name+".[]"] != "" {
		return j.call(value{name: v.name + ".[]"}, a)
	}
	if len(a.pos) != 1 || len(a.kw) > 0 || j.lang == Python && len(in) > 1 && !a.pos[0].known {
		return value{}
	}
	if j.lines[v.name+".*"] != "" && !a.pos[0].known {
		j.call(value{name: v.name + ".*"}, args{})
	}
	return j.entry(v, a.pos[0])
}

// entry is v[k].
func (j *judge) entry(v, k value) value {
	if n, ok := number(k); ok {
		return v.item(n)
	}
	w, ok := v.get(k.text)
	switch {
	case !k.known:
	case ok:
		return w
	case v.class == "env":
		return j.env(k)
	case v.name != "" || v.class == "global":
		return j.member(v, k.text)
	}
	return value{}
}
