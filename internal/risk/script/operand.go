package script

import "strings"

// Operands: texts, names with their members, the arguments of calls. They are one recursion, hence one long file.

// args are the arguments of a call.
type args struct {
	pos  []value
	toks [][]token
	kw   []string
	vals []value
}

func (a args) key(name string) (value, bool) {
	for i, k := range a.kw {
		if k == name {
			return a.vals[i], true
		}
	}
	for _, v := range a.pos {
		if w, ok := v.get(name); ok {
			return w, true
		}
	}
	return value{}, false
}

// operand judges one operand with all that belongs to it, and gives how many tokens that are, at least one.
func (j *judge) operand(t []token) (v value, n int) {
	spread, negated, made := false, false, false
	for n+1 < len(t) && (prefix(t[n]) || skipped(t[n], j.lang)) && t[n+1].kind != tLine && !(t[n].text == "do" && t[n+1].kind == tStr) {
		made = made || t[n].is(tWord, "new")
		spread = spread || t[n].op("*") || t[n].op("...")
		negated = negated || t[n].op("!") || t[n].op("-") || t[n].is(tWord, "not")
		n++
	}
	x := t[n]
	switch {
	case x.kind == tStr:
		v = j.text(x)
		for n++; j.d.adjacent && n < len(t) && t[n].kind == tStr; n++ {
			v = join(v, j.text(t[n]), "")
		}
	case x.kind == tNum:
		v, n = value{text: x.text, known: true, num: true}, n+1
	case x.kind == tCommand:
		c := j.text(x)
		v, n = j.run(Run{Shell: c.text, Known: c.isText(), Why: "`"}), n+1
	case x.kind == tReadline:
		v, n = j.readline(x), n+1
	case x.kind == tRegex:
		n++
		for _, p := range x.parts {
			j.walk(p.code)
		}
	case x.kind == tOp && x.match > 0:
		if end := n + x.match + 1; end < len(t) && (t[end].op("=") || t[end].op("=>") && j.lang == Node) && j.lang != Perl {
			return value{}, end // names that are given values
		}
		v = j.brackets(x, t[n+1:n+x.match])
		n += x.match + 1
	case x.kind == tWord:
		v, n = j.chain(t, n)
		if made && v.class == "" && !t[n-1].op(")") && j.callable(v) {
			v = j.call(&call{v: v, at: x.pos})
		}
	default:
		return value{}, n + 1
	}
	if x.kind != tWord {
		v, n = j.postfix(v, t, n)
	}
	switch {
	case negated:
		return value{num: v.num, text: "-" + v.text, known: v.num && v.known}, n
	case spread && v.class == "file": // print(*open("f"))
		v = j.content(v, "text")
	}
	return v, n
}

func prefix(t token) bool {
	return t.kind == tOp && t.match == 0 && strings.Contains(" - ! * ** & \\ ... + ~ @ $ % ^ < ++ -- -> # ? > | :: ", " "+t.text+" ")
}

// skipped are words that change nothing of what stands behind them.
func skipped(t token, lang Lang) bool {
	if t.kind != tWord {
		return false
	}
	switch t.text {
	case "const", "let", "var", "my", "our", "new", "await", "return", "yield", "void", "async", "not", "else", "then", "throw", "raise", "elif", "elsif", "while", "until", "unless", "if", "static", "public", "private", "protected":
		return true
	case "local":
		return lang != Python
	case "with", "assert", "except":
		return lang == Python
	case "do":
		return lang != Node
	}
	return false
}

// text is the value of a text, with the code in it.
func (j *judge) text(t token) value {
	if t.parts == nil {
		return text(t.text)
	}
	v := text("")
	for _, p := range t.parts {
		w := text(p.text)
		if p.code != nil {
			n := 0
			if w, n = j.expr(p.code); n < len(p.code) { // a format, or several
				j.walk(p.code[n:])
				w = value{flows: partly(w)}
			}
			for i := range w.flows {
				w.flows[i].lines = w.flows[i].lines && j.lang != Perl
			}
			w.class, w.num = "", false
		}
		v = join(v, w, "")
	}
	return v
}

// brackets are a list, a dictionary, a block, or an expression in parentheses.
func (j *judge) brackets(x token, in []token) value {
	if x.text == "{" && !j.dictionary(in) {
		j.walk(in)
		return value{class: "block"}
	}
	a := j.args(in)
	for _, v := range append(a.pos, a.vals...) {
		if len(a.pos)+len(a.vals) > 1 || x.text != "(" {
			j.escapes(v, nil)
		}
	}
	v := value{list: true, items: a.pos, class: "list", flows: partly(a.pos...)}
	switch {
	case x.text == "(" && len(a.pos) == 1 && len(a.kw) == 0 && !in[len(in)-1].op(","):
		if j.settle(x.pos, v); a.pos[0].list || a.pos[0].class == "paths" || len(a.pos[0].flows) > 0 {
			j.settle(x.pos, a.pos[0])
		}
		return a.pos[0]
	case len(a.kw) > 0:
		return value{list: true, items: a.vals, keys: a.kw, class: "dict"}
	case x.text == "{" && j.lang != Lua && j.lang != Python:
		return value{list: true, items: a.pos, more: true, class: "dict"}
	}
	j.settle(x.pos, v)
	return v
}

// dictionary tells {a: 1} from a block of statements.
func (j *judge) dictionary(in []token) bool {
	for len(in) > 0 && in[0].kind == tLine {
		in = in[1:]
	}
	switch {
	case len(in) == 0 || j.lang == Python || j.lang == Lua, in[0].op("...") || in[0].op("**"):
		return true
	case len(in) == 1:
		return j.lang == Node && in[0].kind == tWord
	case in[0].op("[") && in[0].match > 0:
		return at(in, in[0].match+1).op(":")
	case in[0].kind == tWord && in[1].op(",") && j.lang == Node:
		return true
	}
	return (in[0].kind == tWord || in[0].kind == tStr || in[0].kind == tNum) && (in[1].op(":") || in[1].op("=>"))
}

// args judges the arguments between brackets.
func (j *judge) args(in []token) args {
	var a args
	for len(in) > 0 {
		if in[0].kind == tLine || in[0].op(",") || in[0].op(";") {
			in = in[1:]
			continue
		}
		key, k := j.keyword(in)
		if in = in[k:]; len(in) == 0 {
			break
		}
		v, n := j.expr(in)
		for n < len(in) && !in[n].op(",") && in[n].kind != tLine { // a comprehension, a function's body
			w, m := j.expr(in[n:])
			if in[n].is(tWord, "for") || in[n].is(tWord, "in") {
				v.flows = partly(v, w)
			}
			n += m
		}
		switch {
		case key != "":
			a.kw, a.vals = append(a.kw, key), append(a.vals, v)
		case v.list && (in[0].op("*") || in[0].op("...")):
			a.pos = append(a.pos, v.items...)
		case !in[0].op("**"):
			a.pos, a.toks = append(a.pos, v), append(a.toks, in[:n])
		}
		in = in[n:]
	}
	return a
}

// keyword is the name of an argument or of an entry in a dictionary: `a=`, `a:`, `"a" =>`, `["a"] =`.
func (j *judge) keyword(in []token) (string, int) {
	if len(in) < 3 {
		return "", 0
	}
	op := in[1]
	named := op.op("=>") && j.lang != Node || op.op(":") && j.lang != Lua || op.op("=") && (j.lang == Python || j.lang == Lua)
	switch {
	case (in[0].kind == tWord || in[0].kind == tStr || in[0].kind == tNum) && named:
		return in[0].text, 2
	case in[0].op("[") && in[0].match == 2 && len(in) > 4 && in[3].op("=") && j.lang == Lua:
		return in[1].text, 4
	}
	return "", 0
}

// chain judges a word with its members, indexes and calls.
func (j *judge) chain(t []token, n int) (value, int) {
	x := t[n]
	switch x.text {
	case "function", "def", "sub", "class", "fn", "func":
		for n++; at(t, n).kind == tWord || at(t, n).op(".") || at(t, n).op(":") && j.lang == Lua; n++ {
		}
		for _, open := range []string{"(", "{"} { // its parameters and its body
			if at(t, n).op(open) && t[n].match > 0 {
				j.walk(t[n+1 : n+t[n].match])
				n += t[n].match + 1
			}
		}
		return value{class: "local"}, n
	case "for", "foreach", "case", "when", "in", "of", "switch", "try", "catch", "finally", "begin", "rescue", "ensure", "end", "nonlocal":
		return value{}, n + 1
	case "package", "use", "goto":
		if j.lang == Perl || j.lang == PHP || j.lang == Ruby {
			return value{}, n + 1
		}
	case "import", "from":
		if at(t, n+1).op("(") {
			break
		}
		m := n
		for m < len(t) && m-n <= maxClause && t[m].kind != tLine && !t[m].op(";") {
			m++
		}
		return value{}, m
	case "lambda":
		if j.lang == Python {
			from := n
			for n++; n < len(t) && n < from+maxClause && !t[n].op(":"); n++ {
			}
			return value{class: "local"}, min(n+1, len(t))
		}
	case "True", "true", "False", "false":
		return text(strings.ToLower(x.text)), n + 1
	case "None", "nil", "null", "undefined":
		return value{class: "none"}, n + 1
	}
	if at(t, n+1).op("=") {
		return value{}, n + 1
	}
	w := x.text
	if j.lang == Perl && w[0] == '$' && at(t, n+1).glued { // an item of a list or dictionary
		if _, bound := j.names["%"+w[1:]]; t[n+1].op("{") && (bound || w == "$ENV") {
			w = "%" + w[1:]
		} else if t[n+1].op("[") {
			w = "@" + w[1:]
		}
	}
	return j.postfix(j.word(w), t, n+1)
}

// word is what a name stands for.
func (j *judge) word(w string) value {
	if v, ok := j.lookup(w); ok || w == "" {
		return v
	}
	if j.lang == PHP && (w[0] != '$' || strings.HasPrefix(w, "$_")) {
		w = strings.ToLower(w)
	}
	if i := strings.LastIndex(w, "::"); i > 0 && j.lang == Perl {
		if _, ok := j.row(w[:i] + "." + w[i+2:]); ok {
			w = w[:i] + "." + w[i+2:]
		}
	}
	v := value{name: w}
	if _, ok := j.row(w); !ok {
		for _, m := range j.include {
			if _, ok := j.row(m + "." + w); ok {
				v.name = m + "." + w
			}
		}
	}
	return j.property(v)
}

// property is the value of a name or member that is no function.
func (j *judge) property(v value) value {
	r, ok := j.find(v)
	if !ok || r.acts[0].verb != "value" || len(r.acts[0].refs) == 0 {
		return v
	}
	self := value{}
	if v.recv != nil {
		self = *v.recv
	}
	w := j.constant(r.acts[0].refs[0].lit, self)
	if w.class == "stdout" {
		w.name = v.name
	}
	return w
}

// find is the table's row for a function or method.
func (j *judge) find(v value) (r row, ok bool) {
	line := ""
	if v.name != "" {
		line, ok = j.row(v.name)
	}
	if !ok && v.recv != nil && v.meth != "" {
		s := v.recv
		class := s.class
		switch {
		case class == "stdout" || class == "pipe":
			class = "file"
		case class == "" && (s.known || s.text != "") && !s.num:
			class = "str"
		}
		if class != "" {
			line, ok = j.row(class + "." + v.meth)
		}
		if !ok && !(s.name != "" && j.t.module(s.name)) && class != "memory" {
			line, ok = j.row("?." + v.meth)
			if !ok && j.lang == Node && class == "local" && (strings.HasSuffix(v.meth, "Sync") || strings.HasSuffix(v.meth, "File")) {
				line, ok = j.row("fs." + v.meth) // the module under a name that is not known
			}
		}
	}
	if !ok {
		return row{}, false
	}
	return parseRow(line)
}

// maxName bounds the names with members that are looked up.
const maxName = 200

// member is v.name.
func (j *judge) member(v value, m string) value {
	if len(v.alts) > 0 {
		return over(v, func(a value) value { return j.member(a, m) })
	}
	if j.lang == PHP {
		m = strings.ToLower(m)
	}
	if w, ok := v.get(m); ok {
		return w
	}
	out := value{meth: m}
	switch v.name {
	case "":
		if v.class == "global" {
			return j.word(m)
		}
	case "Kernel", "globalThis", "global", "window":
		return j.word(m)
	default:
		if w, ok := j.lookup(v.name + "." + m); ok {
			return w
		}
		if len(v.name) < maxName {
			out.name = v.name + "." + m
		}
	}
	out.recv = &v
	out.flows = partly(v)
	return j.property(out)
}
