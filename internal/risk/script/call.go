package script

import "strings"

// Operands: texts, names with their members, calls with their arguments.

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
func (j *judge) operand(t []token) (value, int) {
	n, spread, negated, made := 0, false, false, false
	for n+1 < len(t) && (prefix(t[n]) || skipped(t[n], j.lang)) && t[n+1].kind != tLine && !(t[n].text == "do" && t[n+1].kind == tStr) {
		made = made || t[n].is(tWord, "new")
		spread = spread || t[n].op("*") || t[n].op("...")
		negated = negated || t[n].op("!") || t[n].op("-") || t[n].is(tWord, "not")
		n++
	}
	x := t[n]
	var v value
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
		if c.name == "" && len(c.alts) > 0 {
			v.text = ""
		}
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
		v, n = j.chain(t, n, spread)
		if made && j.callable(v) && v.class == "" && !t[n-1].op(")") {
			v = j.call(&call{v: v, at: x.pos})
		}
		return v, n
	default:
		return value{}, n + 1
	}
	v, n = j.postfix(v, t, n)
	if negated {
		return value{num: v.num, text: "-" + v.text, known: v.num && v.known}, n
	}
	if spread && v.class == "file" {
		v = j.content(v, "lines")
		v = glue(v, value{})
	}
	return v, n
}

func prefix(t token) bool {
	if t.kind != tOp || t.match != 0 {
		return false
	}
	switch t.text {
	case "-", "!", "*", "**", "&", "\\", "...", "+", "~", "@", "$", "%", "^", "<", "++", "--", "->", "#", "?", ">", "|", "::":
		return true
	}
	return false
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
		if p.code == nil {
			v = join(v, text(p.text), "")
			continue
		}
		w := value{}
		for k, c := 0, p.code; len(c) > 0; k++ {
			e, n := j.expr(c)
			if k == 0 && n == len(c) {
				w = e
			} else {
				w = value{flows: partly(e.flows)}
			}
			c = c[n:]
		}
		if w.list && !w.dict {
			w = glue(w, text(" "))
		}
		for i := range w.flows {
			w.flows[i].lines = w.flows[i].lines && j.lang != Perl
		}
		w.class, w.num = "", false
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
	a := j.args(in, nil)
	for i, v := range a.pos {
		if len(a.pos) > 1 || x.text != "(" {
			j.escapes(v, nil)
			if v.recv != nil {
				a.pos[i].recv = v.recv
			}
		}
	}
	for _, v := range a.vals {
		j.escapes(v, nil)
	}
	switch {
	case x.text == "(" && len(a.pos) == 1 && len(a.kw) == 0 && !(len(in) > 0 && in[len(in)-1].op(",")):
		j.settle(x.pos, value{list: true, items: a.pos, flows: a.pos[0].flows})
		if a.pos[0].list || a.pos[0].class == "paths" || len(a.pos[0].flows) > 0 {
			j.settle(x.pos, a.pos[0])
		}
		return a.pos[0]
	case len(a.kw) > 0:
		return value{list: true, dict: true, items: a.vals, keys: a.kw, class: "dict"}
	case x.text == "{" && j.lang != Lua && j.lang != Python:
		return value{list: true, items: a.pos, dict: true, more: true, class: "dict"}
	}
	v := value{list: true, items: a.pos, class: "list"}
	for _, f := range allFlows(a.pos) { // a comprehension, or a list of several
		v.flows = append(v.flows, flow{ref: f.ref})
	}
	for i, k := 0, 0; i < len(in); i++ {
		if in[i].match > 0 {
			i += in[i].match
		}
		if in[i].is(tWord, "for") && j.lang == Python {
			v.more, v.items = true, nil
			if len(a.pos) > 0 {
				v = value{list: true, items: a.pos[:1], class: "list", flows: v.flows}
			}
		}
		if k++; k > maxClause {
			break
		}
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
	case len(in) == 0 || j.lang == Python || j.lang == Lua:
		return true
	case in[0].op("...") || in[0].op("**"):
		return true
	case len(in) == 1:
		return j.lang == Node && in[0].kind == tWord
	case in[0].op("[") && in[0].match > 0 && in[0].match+1 < len(in):
		return in[in[0].match+1].op(":")
	case in[0].kind == tWord && in[1].op(",") && j.lang == Node:
		return true
	}
	return (in[0].kind == tWord || in[0].kind == tStr || in[0].kind == tNum) && (in[1].op(":") || in[1].op("=>"))
}

// args judges the arguments between brackets. feed tells what the functions among them are called with.
func (j *judge) args(in []token, feed func(a *args) value) args {
	var a args
	for len(in) > 0 {
		if in[0].kind == tLine || in[0].op(",") || in[0].op(";") {
			in = in[1:]
			continue
		}
		key := ""
		if k, n := j.keyword(in); n > 0 {
			key, in = k, in[n:]
			if len(in) == 0 {
				break
			}
		}
		if feed != nil && j.at[in[0].pos] != nil {
			j.settle(in[0].pos, feed(&a))
		} else if feed != nil && in[0].kind == tWord && len(in) > 1 && j.at[in[1].pos] != nil {
			j.settle(in[1].pos, feed(&a))
		}
		v, n := j.expr(in)
		for n < len(in) && !in[n].op(",") && in[n].kind != tLine { // a comprehension, a function's body
			w, m := j.expr(in[n:])
			if in[n].is(tWord, "for") || in[n].is(tWord, "in") {
				v.flows = append(v.flows, partly(w.flows)...)
			}
			n += m
		}
		switch {
		case key != "":
			a.kw, a.vals = append(a.kw, key), append(a.vals, v)
		case in[0].op("*") && v.list || in[0].op("...") && v.list:
			a.pos = append(a.pos, v.items...)
		case in[0].op("**"):
		default:
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
func (j *judge) chain(t []token, n int, spread bool) (value, int) {
	x := t[n]
	switch x.text {
	case "function", "def", "sub", "class", "fn", "func":
		for n++; n < len(t) && (t[n].kind == tWord || t[n].op(".") || t[n].op(":") && j.lang == Lua); n++ {
		}
		if n < len(t) && t[n].op("(") && t[n].match > 0 {
			j.walk(t[n+1 : n+t[n].match])
			n += t[n].match + 1
		}
		if n < len(t) && t[n].op("{") && t[n].match > 0 {
			j.walk(t[n+1 : n+t[n].match])
			n += t[n].match + 1
		}
		return value{class: "local"}, n
	case "for", "foreach", "case", "when", "in", "of", "switch", "try", "catch", "finally", "begin", "rescue", "ensure", "end", "nonlocal":
		return value{}, n + 1
	case "package", "use", "goto":
		if j.lang == Lua || j.lang == Python || j.lang == Node {
			break
		}
		return value{}, n + 1
	case "import", "from":
		if v, m := j.imported(t[n:]); m > 0 {
			return j.postfix(v, t, n+m)
		}
	case "lambda":
		if j.lang == Python {
			for n++; n < len(t) && !t[n].op(":"); n++ {
			}
			return value{class: "local"}, min(n+1, len(t))
		}
	case "True", "true":
		return text("true"), n + 1
	case "False", "false":
		return value{text: "false", known: true}, n + 1
	case "None", "nil", "null", "undefined":
		return value{class: "none"}, n + 1
	}
	w := x.text
	if j.lang == Perl && w[0] == '$' && n+1 < len(t) && t[n+1].glued { // an item of a list or dictionary
		if _, bound := j.names["%"+w[1:]]; t[n+1].op("{") && (bound || w == "$ENV") {
			w = "%" + w[1:]
		} else if t[n+1].op("[") {
			w = "@" + w[1:]
		}
	}
	j.here = x.pos
	v, n := j.postfix(j.word(w), t, n+1)
	if spread && v.class == "file" {
		v = glue(j.content(v, "lines"), value{})
	} else if spread {
		v.flows = append([]flow(nil), v.flows...)
		for i := range v.flows {
			v.flows[i].lines = false
		}
	}
	return v, n
}

// imported skips what names modules; import("x") of node is a call.
func (j *judge) imported(t []token) (value, int) {
	if len(t) > 1 && t[1].op("(") {
		return value{}, 0
	}
	for n, x := range t {
		if x.kind == tLine || x.op(";") || n > maxClause {
			return value{}, n
		}
	}
	return value{}, len(t)
}

// word is what a name stands for.
func (j *judge) word(w string) value {
	if v, ok := j.lookup(w); ok || w == "" {
		return v
	}
	if j.lang == PHP && w[0] != '$' {
		w = strings.ToLower(w)
	} else if j.lang == PHP && strings.HasPrefix(w, "$_") {
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
	line, ok := j.find(&v)
	if !ok {
		return v
	}
	if r, _ := parseRow(line); len(r.acts) > 0 && r.acts[0].verb == "value" && len(r.acts[0].refs) > 0 {
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
	return v
}

// find is the table's line for a function or method, whose name it completes.
func (j *judge) find(v *value) (string, bool) {
	if v.name != "" {
		if line, ok := j.row(v.name); ok {
			return line, true
		}
	}
	if v.recv == nil || v.meth == "" {
		return "", false
	}
	r := v.recv
	class := r.class
	switch {
	case r.list && class == "":
		class = "list"
	case class == "" && (r.known || r.text != "") && !r.num:
		class = "str"
	}
	if class == "stdout" || class == "pipe" {
		class = "file"
	}
	if class != "" {
		if line, ok := j.row(class + "." + v.meth); ok {
			return line, true
		}
	}
	if r.name != "" && j.t.module(r.name) || r.class == "memory" {
		return "", false
	}
	return j.row("?." + v.meth)
}

// member is v.name.
func (j *judge) member(v value, m string) value {
	if len(v.alts) > 0 {
		return over(v, func(a value) value { return j.member(a, m) })
	}
	if j.lang == PHP {
		m = strings.ToLower(m)
	}
	if v.dict {
		if w, ok := v.get(m); ok {
			return w
		}
	}
	out := value{meth: m}
	switch {
	case v.class == "global":
		return j.word(m)
	case v.name == "Kernel" || v.name == "globalThis" || v.name == "global" || v.name == "window":
		return j.word(m)
	case v.name != "":
		if w, ok := j.lookup(v.name + "." + m); ok {
			return w
		}
		out.name = v.name + "." + m
	}
	v.alts, v.items = nil, v.items[:min(len(v.items), maxAlts)]
	out.recv = &v
	out.flows = partly(v.flows)
	return j.property(out)
}
