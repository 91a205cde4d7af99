package script

import "strings"

// judge goes over the tokens of a script once, in the order of the text, and looks up every call in the language's table.
// It follows no conditions and no calls: whatever stands in the text counts as done.
type judge struct {
	lang  Lang
	d     dialect
	t     table
	o     Options
	argv  []string
	out   Effects
	names map[string]*binding
	at    map[int][]*binding // by the position where the value stands
	survey
	include    []string         // modules whose names need no prefix
	handles    map[string]value // perl's file handles
	dir        string
	dirUnknown bool
	begun      map[int]bool // files whose content was read in part
	shifted    int          // perl's shift of @ARGV
	looked     int
	lines      map[string]string
	depth      int
}

func judgeCode(lang Lang, src string, argv []string, o Options, t table) Effects {
	j := &judge{lang: lang, d: dialectOf(lang), t: t, o: o, argv: argv, begun: map[int]bool{}, handles: map[string]value{}}
	j.include = append(j.include, o.Modules...)
	if o.Lines || o.Print && lang != Node {
		j.implicitLoop(src)
	}
	j.whole(src)
	return j.out
}

// whole judges a whole text of the language.
func (j *judge) whole(src string) {
	toks, ok := lex(j.lang, src)
	if !ok {
		j.opaque("", whyUnread)
	}
	names, at := j.names, j.at
	j.names, j.at = map[string]*binding{}, map[int][]*binding{}
	for n, b := range names { // code made of text knows the names around it
		j.names[n] = b
	}
	j.look(j.lang, toks)
	j.bindAll(toks)
	last := j.walk(toks)
	j.inplaceEdit(toks)
	if j.lang == Node && j.o.Print && j.depth == 0 {
		j.show(last, 0)
	}
	j.names, j.at = names, at
}

// row is the line of the table for a name. A long script asks for so many that an index pays.
func (j *judge) row(name string) (string, bool) {
	if j.looked++; j.looked < 40 {
		return j.t.line(name)
	}
	if j.lines == nil {
		j.lines = map[string]string{}
		for line := range strings.Lines(string(j.t)) {
			if n := strings.IndexByte(line, ' '); n > 0 {
				j.lines[line[:n]] = strings.TrimSuffix(line, "\n")
			}
		}
	}
	line, ok := j.lines[name]
	return line, ok
}

// walk judges statements, or whatever else stands in brackets, and gives the value of the last.
func (j *judge) walk(t []token) (last value) {
	for len(t) > 0 {
		if t[0].kind == tLine || t[0].op(";") || t[0].op(",") || t[0].op(":") {
			t = t[1:]
			continue
		}
		v, n := j.expr(t)
		j.escapes(v, nil)
		t, last = t[n:], v
	}
	return last
}

// expr judges an expression and gives its value and how many tokens it has, at least one.
func (j *judge) expr(t []token) (value, int) {
	if len(t) == 0 {
		return value{}, 0
	}
	if j.depth++; j.depth > maxDepth {
		j.depth--
		j.opaque("", whyDeep)
		return value{}, len(t)
	}
	defer func() { j.depth-- }()
	v, i := j.operand(t)
	for i < len(t) {
		w, n := j.infix(v, t[i], t[i+1:])
		if n == 0 {
			break
		}
		v, i = w, i+n
	}
	return v, i
}

// infix judges the operator o and what stands behind it; n is 0 where the expression ends.
func (j *judge) infix(v value, o token, rest []token) (w value, n int) {
	if o.kind != tOp && o.kind != tWord {
		return v, 0
	}
	switch o.text {
	case "=", ":=", "||=", "//=", "in", "of":
		if len(rest) == 0 {
			return v, 1
		}
		w, n = j.expr(rest)
		if bs := j.at[o.pos]; len(bs) > 1 && bs[1].idx > 0 && (j.lang == Python || j.lang == Ruby || j.lang == Lua) && at(rest, n).op(",") { // a, b = 1, 2
			for w = (value{list: true, items: []value{w}}); at(rest, n).op(",") && n+1 < len(rest); {
				next, m := j.expr(rest[n+1:])
				w.items, n = append(w.items, next), n+1+m
			}
		}
		j.settle(o.pos, w)
		if o.kind == tWord {
			w = value{}
		} else if len(j.at[o.pos]) > 0 { // it is known by its new name
			w.name, w.meth, w.alts = "", "", nil
		}
		return w, n + 1
	case "as":
		j.settle(o.pos, v)
		return v, 1
	case "or", "and":
		if j.lang != Python && j.lang != Lua && o.kind == tWord { // they end a call without brackets
			return v, 0
		}
	case "=>":
		return j.arrow(rest)
	case "?", "if":
		if o.kind == tWord && j.lang != Python || len(rest) == 0 {
			return v, 0
		}
		w, n = j.expr(rest)
		if o.kind == tWord {
			w = v
		}
		if n+1 < len(rest) && (rest[n].op(":") || rest[n].is(tWord, "else")) {
			other, m := j.expr(rest[n+1:])
			w, n = oneOf(w, other), n+1+m
		}
		return w, n + 1
	}
	if !joining(o, j.lang) {
		return v, 0
	}
	if len(rest) == 0 {
		return v, 1
	}
	w, n = j.operand(rest)
	return j.combine(o.text, v, w), n + 1
}

// arrow judges what stands behind `=>`: a function's body in node, else the value of a key.
func (j *judge) arrow(t []token) (value, int) {
	if len(t) == 0 {
		return value{}, 1
	}
	if j.lang == Node && t[0].op("{") && t[0].match > 0 {
		j.walk(t[1:t[0].match])
		return value{class: "local"}, t[0].match + 2
	}
	v, n := j.expr(t)
	if j.lang == Node {
		v = value{class: "local"}
	}
	return v, n + 1
}

// joining reports whether an operator has a value on both sides.
func joining(o token, lang Lang) bool {
	switch o.text {
	case "or", "and", "not", "is", "instanceof", "eq", "ne", "lt", "gt", "le", "ge", "cmp", "xor":
		return true
	case "x":
		return lang == Perl
	case "||", "??", "//", "/", "%", "+", ".", "..", "...", "&&", "==", "!=", "===", "!==", "<", ">", "<=", ">=", "<=>", "=~", "!~", "-", "*", "^", "|", "&", "**", "~=", ">>>",
		"+=", "-=", "*=", ".=", "/=", "|=", "&&=", "??=", "<<", ">>":
		return o.kind == tOp
	}
	return false
}

// combine is the value of an operator.
func (j *judge) combine(op string, v, w value) value {
	switch op {
	case "or", "||", "??", "//":
		switch {
		case v.class == "none":
			return w
		case v.empty() || v.class == "local" || !v.isText() && w.isText() && v.class != "file":
			return oneOf(v, w)
		}
		return v
	case "/":
		if v.class == "path" {
			return join(v, w, "/")
		}
	case "%": // the text before the first place is the beginning
		if i := strings.IndexByte(v.text, '%'); i >= 0 && !v.num {
			return value{text: v.text[:i], flows: partly(w)}
		}
	case "+", ".", "..":
		switch {
		case v.num && w.num || op != j.d.joins:
		case v.class == "path":
			return join(v, w, "/")
		default:
			return join(v, w, "")
		}
	case "<<": // ruby
		if v.class == "file" || v.class == "stdout" || v.class == "pipe" {
			j.put(v, []value{w}, 0)
			return v
		}
	case ">>":
		if v.name == "print" { // python 2
			return value{class: "quiet"}
		}
	case "|":
		return join(text(flags(v)), text("|"+flags(w)), "")
	}
	return value{flows: partly(v, w)}
}

// flags are the names of the flags of open(2).
func flags(v value) string {
	if v.text == "" {
		return v.name
	}
	return v.text
}
