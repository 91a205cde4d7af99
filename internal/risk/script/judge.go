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
	names map[string]*name
	at    map[int][]*source
	words map[string]bool // all words of the script

	include    []string // modules whose names need no prefix
	dir        string
	dirUnknown bool
	begun      map[int]bool // files whose content was read in part
	queries    int          // 1: every statement for a database is a query; 2: not every one
	here       int          // the position of the name that is looked up
	shifted    int          // perl's shift of @ARGV
	looked     int
	lines      map[string]string
	depth      int
	quiet      int // > 0: values are looked up, nothing is noted
	muted      bool
	shaky      bool // something in the script decides what is done
	loops      int
}

func judgeCode(lang Lang, src string, argv []string, o Options, t table) Effects {
	j := &judge{lang: lang, d: dialectOf(lang), t: t, o: o, argv: argv, begun: map[int]bool{}}
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
	names, at, words := j.names, j.at, j.words
	j.names, j.at, j.words = map[string]*name{}, map[int][]*source{}, map[string]bool{}
	for n, e := range names { // code made of text knows the names around it
		j.names[n] = e
	}
	for i, t := range toks {
		if t.kind == tWord {
			j.words[t.text] = true
		}
		j.muted = j.muted || mutes(toks, i)
		j.query(toks, i)
	}
	j.bindAll(toks)
	for i := range toks {
		j.inplaceEdit(toks, i)
	}
	for i := range toks {
		if toks[i].kind == tWord || toks[i].kind == tOp {
			j.weigh(toks, i)
		}
	}
	last := j.walk(toks)
	if j.lang == Node && j.o.Print && j.depth == 0 {
		j.show(last, 0)
	}
	j.names, j.at, j.words = names, at, words
}

// query notes what a database is asked.
func (j *judge) query(t []token, i int) {
	w := strings.ToLower(t[i].text)
	if t[i].kind != tWord || !strings.HasPrefix(w, "execute") && w != "query" && w != "read_sql" && w != "read_sql_query" && w != "querysingle" || i+2 >= len(t) || !t[i+1].op("(") {
		return
	}
	verb, rest, _ := strings.Cut(strings.ToLower(strings.TrimSpace(t[i+2].text)), " ")
	reads := t[i+2].kind == tStr && (verb == "select" || verb == "explain" || verb == "pragma" && !strings.Contains(rest, "="))
	if !reads {
		j.queries = 2
	}
	j.queries = max(j.queries, 1)
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

// mutes reports whether standard output is sent elsewhere.
func mutes(t []token, i int) bool {
	switch t[i].text {
	case "redirect_stdout", "reopen", "ob_start", "dup2", "dup", "select":
		return t[i].kind == tWord
	case "output":
		return i+1 < len(t) && t[i+1].op("(") && i > 1 && t[i-2].is(tWord, "io")
	case "stdout", "log", "write", "$stdout", "__stdout__", "print", "puts":
		return i+1 < len(t) && t[i+1].op("=") && t[i].kind == tWord
	}
	return false
}

// weigh notes what a word makes of the certainty of the script: with a word that decides anything, no read is credited.
func (j *judge) weigh(t []token, i int) {
	w := t[i].text
	if i > 0 && (t[i-1].op(".") || t[i-1].op("->")) {
		switch w {
		case "each", "forEach", "exit", "_exit", "abort", "quit", "exec", "kill":
		default:
			return
		}
	}
	switch w {
	case "exit", "quit", "_exit", "abort", "die", "return", "raise", "throw", "last", "break", "next", "continue", "goto", "redo", "os.exit", "exec":
		if w == "exec" && j.lang != Perl && j.lang != Ruby {
			return
		}
		if i > 0 && (t[i-1].is(tWord, "or") || t[i-1].op("||")) {
			return
		}
		j.shaky = true
	case "if":
		if i+1 < len(t) && t[i+1].text == "__name__" {
			return
		}
		j.shaky = true
	case "while":
		if i+1 < len(t) && t[i+1].match > 1 && t[i+t[i+1].match].kind == tReadline { // while (<F>)
			j.loops++
			return
		}
		j.shaky = true
	case "unless", "elif", "elsif", "elseif", "else", "case", "switch", "try", "except", "catch", "rescue", "ensure", "finally", "until", "and", "&&", "?", "??", "def", "class", "sub", "rescue_from",
		"lambda", "proc", "Proc", "begin", "BEGIN", "END", "grep", "filter", "select", "match", "when", "repeat", "fn":
		j.shaky = true
	case "function":
		j.shaky = j.shaky || !(i+1 < len(t) && t[i+1].op("(") && i > 0 && (t[i-1].op(",") || t[i-1].op("(")))
	case "or", "||":
		if i+1 >= len(t) || t[i+1].text != "die" && t[i+1].text != "exit" && t[i+1].text != "error" {
			j.shaky = true
		}
	case "=>":
		j.shaky = j.shaky || j.lang == Node && i > 1 && (t[i-2].op("=") || t[i-1].op(")") && i-2+t[i-1].match >= 0 && t[i-2+t[i-1].match].op("="))
	case "for", "foreach", "each", "forEach", "map", "loop", "times", "each_line", "each_with_index", "upto":
		j.loops++
	}
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
		w, n := j.infix(v, t, i)
		if n == 0 {
			break
		}
		v, i = w, i+n
	}
	return v, i
}

// infix judges the operator at i and what stands behind it; n is 0 where the expression ends.
func (j *judge) infix(v value, t []token, i int) (w value, n int) {
	o, rest := t[i], t[i+1:]
	if o.kind != tOp && o.kind != tWord {
		return v, 0
	}
	switch o.text {
	case "=", ":=", "||=", "//=", "in", "of":
		if len(rest) == 0 {
			return v, 1
		}
		w, n = j.expr(rest)
		if o.kind == tWord || n >= len(rest) || !rest[n].op(",") || i < 2 || !t[i-2].op(",") {
			j.settle(o.pos, w)
		}
		if o.kind == tWord {
			w = value{}
		} else if len(j.at[o.pos]) > 0 {
			w.name, w.meth, w.alts = "", "", nil // it is known by its new name
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
	case "?":
		if len(rest) == 0 {
			return v, 1
		}
		w, n = j.expr(rest)
		if n+1 < len(rest) && rest[n].op(":") {
			other, m := j.expr(rest[n+1:])
			w, n = oneOf(w, other), n+1+m
		}
		return w, n + 1
	case "if":
		if j.lang != Python || len(rest) == 0 {
			return v, 0
		}
		_, n = j.expr(rest)
		if n+1 < len(rest) && rest[n].is(tWord, "else") {
			other, m := j.expr(rest[n+1:])
			v, n = oneOf(v, other), n+1+m
		}
		return v, n + 1
	}
	if !joining(o, j.lang) {
		return v, 0
	}
	if len(rest) == 0 {
		return v, 1
	}
	w, n = j.operand(rest)
	return j.combine(o, v, w), n + 1
}

// arrow judges what stands behind `=>`: a function's body in node, else the value of a key.
func (j *judge) arrow(t []token) (value, int) {
	switch {
	case len(t) == 0:
		return value{}, 1
	case j.lang != Node:
		v, n := j.expr(t)
		return v, n + 1
	case t[0].op("{") && t[0].match > 0:
		j.walk(t[1:t[0].match])
		return value{class: "local"}, t[0].match + 2
	}
	v, n := j.expr(t)
	return value{class: "local", flows: partly(v.flows)}, n + 1
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
func (j *judge) combine(o token, v, w value) value {
	switch o.text {
	case "or", "||", "??", "//":
		switch {
		case v.class == "none":
			return w
		case !v.isText() && w.isText() && v.class != "file":
			return oneOf(v, w)
		case !v.isText() && v.class == "" && len(v.flows) == 0 && v.name == "":
			return oneOf(v, w)
		}
		return v
	case "/":
		if v.class == "path" {
			return join(v, w, "/")
		}
	case "%":
		if !v.num && (v.known || v.text != "") {
			args := []value{w}
			if w.list {
				args = w.items
			}
			return format(v, args)
		}
	case "+", ".", "..":
		switch {
		case v.num && w.num || o.text != j.d.joins:
		case v.class == "path":
			return join(v, w, "/")
		default:
			return join(v, w, "")
		}
	case "<<": // ruby
		if v.class == "file" || v.class == "stdout" || v.class == "pipe" {
			j.put(v, []value{w}, o.pos)
			return v
		}
	case ">>":
		if v.name == "print" { // python 2
			return value{class: "quiet"}
		}
	case "|":
		return join(text(flags(v)), text("|"+flags(w)), "")
	case "-", "*", ".=", "+=":
		return value{flows: partly(append(v.flows, w.flows...))}
	}
	return value{}
}

// flags are the names of the flags of open(2).
func flags(v value) string {
	if v.text == "" {
		return v.name
	}
	return v.text
}
