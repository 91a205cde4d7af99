package script

import (
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

// judge goes over the tokens of a script in the order of the text and looks up every call in the language's table. It
// follows no conditions and no calls: whatever stands in the text counts as done. Statements, operands and arguments are
// one recursion, hence one long file.
type judge struct {
	lang  Lang
	d     dialect
	t     table
	o     Options
	argv  []string
	out   Effects
	names map[string]*binding
	calls map[string][]args // the calls of functions that the tables do not know
	survey
	learning   bool     // the first pass: nothing is written down
	include    []string // modules whose names need no prefix
	scopes     []scope  // the functions that the text belongs to
	indent     int
	left       string // the name that the value is for
	given      *value // what a function that is passed on will be given, if that can be told
	dir        string
	dirUnknown bool
	begun      map[int]bool      // files whose content was read
	shifted    int               // perl's shift of @ARGV
	lines      map[string]string // of the table, by name
	depth      int
}

func judgeCode(lang Lang, src string, argv []string, o Options, t table) Effects {
	j := &judge{lang: lang, d: dialectOf(lang), t: t, o: o, include: o.Modules, argv: argv, begun: map[int]bool{}, names: map[string]*binding{}, calls: map[string][]args{}, lines: map[string]string{}}
	for line := range strings.Lines(string(t)) {
		name, _, _ := strings.Cut(line, " ")
		j.lines[name] = strings.TrimSuffix(line, "\n")
	}
	last := j.whole(src)
	if lang == Node && o.Print {
		j.show(last)
	}
	return j.out
}

// whole judges a whole text of the language and gives the value of its last expression.
func (j *judge) whole(src string) (last value) {
	toks, ok := lex(j.lang, src)
	if !ok {
		j.opaque("", whyUnread)
	}
	j.look(j.lang, toks)
	dir, unknown, include := j.dir, j.dirUnknown, j.include
	for _, j.learning = range []bool{true, false} {
		j.dir, j.dirUnknown, j.shifted, j.scopes = dir, unknown, 0, nil
		j.include = include[:len(include):len(include)]
		last = j.walk(toks)
	}
	if _, ok := j.names["$^I"]; ok { // what is printed goes into the files
		v, _ := j.lookup("@ARGV")
		j.touch(event.OpWrite, v, false, "$^I")
	}
	return last
}

// walk judges statements, or whatever else stands in brackets, and gives the value of the last.
func (j *judge) walk(t []token) (last value) {
	if j.depth++; j.depth > maxDepth {
		j.opaque("", whyDeep)
		t = nil
	}
	for i := 0; i < len(t); {
		x := t[i]
		if x.kind == tLine {
			j.indent = x.indent
		}
		for n := len(j.scopes) - 1; n >= 0; n-- {
			if s := j.scopes[n]; s.end > 0 && x.pos >= s.end || s.end == 0 && x.kind == tLine && x.indent <= s.indent && at(t, i+1).kind != tLine {
				j.scopes = j.scopes[:n]
			}
		}
		if x.kind == tLine || x.kind == tOp && x.match <= 0 {
			i++
			continue
		}
		v, n := j.statement(t, i)
		i, last = i+n, v
	}
	j.depth--
	return last
}

// clause judges tokens that are one expression; if more follows it, the value is not known.
func (j *judge) clause(t []token) value {
	if j.depth++; j.depth > maxDepth {
		j.opaque("", whyDeep)
		t = nil
	}
	defer func() { j.depth-- }()
	for len(t) > 0 && t[0].kind == tLine {
		t = t[1:]
	}
	if len(t) == 0 {
		return value{}
	}
	v, n := j.statement(t, 0)
	if n < len(t) {
		if j.walk(t[n:]); v.class != isFunc { // else it is the body
			v = value{}
		}
	}
	return v
}

// clauseEnd is where the clause that i stands in ends: a comma, the end of the statement, a closing bracket.
func clauseEnd(t []token, i int) int {
	for i < len(t) && !t[i].op(",") && !t[i].op(";") && t[i].match >= 0 {
		if t[i].kind == tLine {
			if next := at(t, i+1); next.kind != tOp || next.text != "." && next.text != "?." && next.text != "->" {
				break
			}
		}
		i += t[i].match + 1
	}
	return min(i, len(t))
}

// clauses are the parts of what stands between brackets.
func clauses(t []token) (out [][]token) {
	for i := 0; i < len(t); i++ {
		end := clauseEnd(t, i)
		if end > i {
			out = append(out, t[i:end])
		}
		i = end
	}
	return out
}

// statement judges an expression with what is done with its value, and gives how many tokens those are, at least one.
func (j *judge) statement(t []token, i int) (value, int) {
	v, n := j.expr(t, i)
	o := at(t, i+n)
	if o.kind != tOp && o.kind != tWord {
		return v, n
	}
	k := min(i+n+1, len(t))
	switch o.text {
	case "=", ":=", "||=", "//=", "??=":
		end := clauseEnd(t, k)
		from := i
		for from > 1 && t[from-1].op(",") && t[from-2].kind == tWord {
			from -= 2
		}
		j.left = at(t, i+n-1).text
		w := j.clause(t[k:end])
		j.left = ""
		j.assign(t[from:i+n], w)
		return w, end - i
	case "+=", "-=", ".=", "*=", "/=", "|=", "++", "--":
		j.assign(t[i:i+n], value{})
		j.assign(t[i:i+n], value{})
	case "as":
		names := t[k:min(k+3, len(t))]
		switch {
		case j.lang == PHP && at(names, 1).op("=>"):
			j.bind(at(names, 2).text, v.element())
		case j.lang == PHP:
			j.bind(at(names, 0).text, v.element())
		case at(names, 0).kind == tWord:
			j.bind(names[0].text, v)
		}
		return v, min(n+2, len(t)-i)
	case "or", "||", "??", "//":
		end := clauseEnd(t, k)
		w := j.clause(t[k:end])
		switch {
		case v.class == isNone:
			v = w
		case !v.known && w.known && v.class != "file":
			v = oneOf(v, w)
		}
		return v, end - i
	case "?", "if":
		if o.kind == tWord && j.lang != Python {
			break
		}
		end := clauseEnd(t, k)
		for m := k; m < end; m += max(t[m].match, 0) + 1 {
			if t[m].op(":") && o.text == "?" {
				return oneOf(j.clause(t[k:m]), j.clause(t[m+1:end])), end - i
			}
			if t[m].is(tWord, "else") {
				j.walk(t[k:m])
				return oneOf(v, j.clause(t[m+1:end])), end - i
			}
		}
	}
	return v, n
}

// expr judges operands with the operators that put texts together.
func (j *judge) expr(t []token, i int) (value, int) {
	v, n := j.operand(t, i)
	for i+n+1 < len(t) {
		o := t[i+n]
		sep, slash := "", j.lang == Python && o.op("/") || o.op("+") && j.lang == Ruby
		switch {
		case v.class == "path" && slash:
			sep = "/"
		case o.op("|"), o.op("%") && j.lang == Python, o.op(j.d.joins):
		default:
			return v, n
		}
		w, m := j.operand(t, i+n+1)
		n += m + 1
		switch at := strings.IndexByte(v.text, '%'); {
		case o.op("|"): // flags of open
			v = text(v.text + v.name + "|" + w.text + w.name)
		case o.op("%") && at >= 0: // the text before the first place is the beginning
			v = value{text: v.text[:at]}
		case o.op("%"), v.class == isNumber:
			v = value{}
		default:
			v = join(v, w, sep)
		}
	}
	return v, n
}

// operand judges one operand with all that belongs to it, and gives how many tokens that are, at least one.
func (j *judge) operand(t []token, i int) (v value, n int) {
	if i >= len(t) {
		return v, 0
	}
	left, from, negated, made := j.left, i, false, false
	j.left = ""
	for i+1 < len(t) && (prefix(t[i]) || skipped(t[i])) && t[i+1].kind != tLine {
		made = made || t[i].is(tWord, "new")
		negated = negated || t[i].op("!") || t[i].op("-") || t[i].is(tWord, "not")
		i++
	}
	x := t[i]
	arrow := at(t, i+1+max(x.match, 0)).op("=>") && j.lang == Node
	switch {
	case arrow && (x.kind == tWord || x.match > 0):
		j.arrow(left, t, i)
		return value{class: isFunc, text: left}, i + max(x.match, 0) + 2 - from
	case x.kind == tStr:
		v = j.text(x)
		for i++; j.d.adjacent && i < len(t) && t[i].kind == tStr; i++ {
			v = join(v, j.text(t[i]), "")
		}
	case x.kind == tNum:
		v, i = value{text: x.text, known: true, class: isNumber}, i+1
	case x.kind == tCommand:
		c := j.text(x)
		v, i = j.run(Run{Shell: c.text, Known: c.known, Why: "`"}), i+1
	case x.kind == tReadline:
		if i++; strings.ContainsAny(x.text, "*?.") {
			v = value{text: globbed(x.text), class: "paths"}
		}
	case x.kind == tRegex:
		i++
		for _, p := range x.parts {
			j.walk(p.code)
		}
	case x.kind == tOp && x.match > 0:
		end := i + x.match
		if at(t, end+1).op("=") && j.lang != Perl || i > 0 && skipped(t[i-1]) && at(t, end+1).op("=") {
			return value{}, end + 1 - from // names that are given values
		}
		v, i = j.brackets(x, t[i+1:end]), end+1
	case x.kind == tWord:
		var special bool
		if v, n, special = j.keyword(left, t, i); special {
			return v, i + n - from
		}
		if at(t, i+1).op("=") {
			return value{}, i + 1 - from
		}
		v, i = j.word(x.text), i+1
		if j.lang == Perl && x.text[0] == '$' && at(t, i).glued { // an item of a list or dictionary
			if _, bound := j.names["%"+x.text[1:]]; t[i].op("{") && (bound || x.text == "$ENV") {
				v = j.word("%" + x.text[1:])
			} else if t[i].op("[") {
				v = j.word("@" + x.text[1:])
			}
		}
	default:
		return value{}, i + 1 - from
	}
	v, i = j.postfix(v, t, i)
	switch {
	case negated:
		v = value{}
	case made && !t[i-1].op(")") && j.callable(v):
		v = j.call(v, args{})
	case from < i && t[from].op("\\"): // a variable as file
		v = value{class: "memory"}
	}
	return v, i - from
}

func prefix(t token) bool {
	return t.kind == tOp && t.match == 0 && strings.Contains(" - ! * ** & \\ ... + ~ @ $ % ^ < ++ -- -> # ? > | :: ", " "+t.text+" ")
}

// skipped reports whether a word changes nothing of what stands behind it.
func skipped(t token) bool {
	if t.kind != tWord {
		return false
	}
	switch t.text {
	case "const", "let", "var", "my", "our", "local", "new", "await", "return", "yield", "void", "async", "not", "static", "public", "private", "protected", "then":
		return true
	}
	return false
}

// keyword takes the words that are no names.
func (j *judge) keyword(left string, t []token, i int) (v value, n int, ok bool) {
	next := at(t, i+1)
	switch w := t[i].text; w {
	case "function", "def", "sub", "fn":
		if !strings.Contains(j.d.defines, w) {
			break
		}
		n = 1
		for ; at(t, i+n).kind == tWord || at(t, i+n).op(".") || at(t, i+n).op(":") && j.lang == Lua; n++ {
			left = t[i+n].text
		}
		if open := at(t, i+n); open.op("(") && open.match > 0 {
			in := t[i+n+1 : i+n+open.match]
			n += open.match + 1
			j.define(left, in, j.bodyEnd(t, i+n))
		}
		return value{class: isFunc, text: left}, n, true
	case "class":
		j.bind(next.text, value{class: isLocal})
		return v, 2, true
	case "for", "foreach":
		return v, j.loop(t, i), true
	case "import", "from", "use":
		if !next.op("(") {
			return v, j.imports(t, i), true
		}
	case "lambda":
		for n = 1; j.lang == Python && i+n < len(t) && n < maxClause && !t[i+n].op(":"); n++ {
			j.bind(t[i+n].text, value{})
		}
		return value{class: isLocal}, n, true
	case "True", "true", "False", "false":
		return text(strings.ToLower(w)), 1, true
	case "None", "nil", "null", "undefined":
		return value{class: isNone}, 1, true
	}
	return v, 0, false
}

// maxClause bounds what is looked ahead: the search would be quadratic otherwise.
const maxClause = 120

// bodyEnd is where the body of a function ends that begins at i; 0 says that it ends with a line that is not indented.
func (j *judge) bodyEnd(t []token, i int) int {
	if j.lang == Python || j.lang == Ruby || j.lang == Lua {
		return 0
	}
	for ; i < len(t) && !t[i].op(";") && t[i].kind != tLine; i++ {
		if t[i].op("{") {
			return t[i+t[i].match].pos
		}
	}
	return at(t, i).pos
}

// arrow takes the parameters of a function before `=>`. The first is what the caller is known to pass.
func (j *judge) arrow(name string, t []token, i int) {
	given := j.given
	j.given = nil
	in := t[i : i+1]
	if t[i].match > 0 {
		in = t[i+1 : i+t[i].match]
	}
	if given == nil {
		j.define(name, in, j.bodyEnd(t, i+max(t[i].match, 0)+2))
		return
	}
	for _, c := range clauses(in) {
		j.assign(c, *given)
		given = &value{}
	}
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
			w = j.clause(p.code)
			if w.class != isEach && w.class != isAny {
				w.class = ""
			}
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
	switch {
	case x.text == "(" && len(a.pos) == 1 && len(a.kw) == 0 && !in[len(in)-1].op(","):
		return a.pos[0]
	case x.text != "(":
		j.escape(a)
	}
	switch {
	case len(a.kw) > 0:
		return value{class: isDict, items: a.vals, keys: a.kw}
	case x.text == "{" && j.lang != Lua && j.lang != Python:
		return value{class: isDict}
	}
	return value{class: isList, items: a.pos, more: a.more}
}

// dictionary tells {a: 1} from a block of statements.
func (j *judge) dictionary(in []token) bool {
	for len(in) > 0 && in[0].kind == tLine {
		in = in[1:]
	}
	next := at(in, 1)
	return len(in) == 0 || j.lang == Python || j.lang == Lua || in[0].op("...") || in[0].kind != tOp && (next.op(":") || next.op("=>") || next.op(",") && j.lang == Node)
}

// args are the arguments of a call.
type args struct {
	pos  []value
	kw   []string
	vals []value
	more bool // there are others
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

// args judges the arguments between brackets.
func (j *judge) args(in []token) (a args) {
	for _, c := range clauses(in) {
		key, k := j.key(c)
		v := j.clause(c[k:])
		switch {
		case key != "":
			a.kw, a.vals = append(a.kw, key), append(a.vals, v)
		case c[0].op("*") || c[0].op("..."):
			a.pos, a.more = append(a.pos, v.items...), a.more || v.more || v.class != isList
		case !c[0].op("**"):
			a.pos = append(a.pos, v)
		}
	}
	return a
}

// key is the name of an argument or of an entry in a dictionary: `a=`, `a:`, `"a" =>`, `["a"] =`.
func (j *judge) key(in []token) (string, int) {
	op := at(in, 1)
	named := op.op("=>") && j.lang != Node || op.op(":") && j.lang != Lua || op.op("=") && (j.lang == Python || j.lang == Lua)
	switch {
	case len(in) < 3:
	case in[0].kind != tOp && in[0].kind != tLine && named:
		return in[0].text, 2
	case in[0].op("[") && in[0].match == 2 && at(in, 3).op("="):
		return in[1].text, 4
	}
	return "", 0
}

// word is what a name stands for.
func (j *judge) word(w string) value {
	if v, ok := j.lookup(w); ok || w == "" {
		return v
	}
	switch {
	case j.lang == PHP && (w[0] != '$' || strings.HasPrefix(w, "$_")):
		w = strings.ToLower(w)
	case j.lang == Perl:
		w = strings.TrimPrefix(w, "&")
		if i := strings.LastIndex(w, "::"); i > 0 {
			if j.lines[w[:i]+"."+w[i+2:]] != "" {
				w = w[:i] + "." + w[i+2:]
			}
		}
	}
	v := value{name: w}
	if j.lines[w] == "" {
		for _, m := range j.include {
			if j.lines[m+"."+w] != "" {
				v.name = m + "." + w
			}
		}
		if j.names[w+"()"] != nil && v.name == w {
			return value{class: isFunc, text: w}
		}
	}
	return j.property(v)
}

// maxName bounds the names with members that are looked up.
const maxName = 200

// member is v.name.
func (j *judge) member(v value, m string) value {
	if v.class == isEach || v.class == isAny {
		return over(v, func(a value) value { return j.member(a, m) })
	}
	if j.lang == PHP {
		m = strings.ToLower(m)
	}
	if w, ok := v.get(m); ok {
		return w
	}
	out := value{meth: m, self: &v}
	switch {
	case v.class == "global" || v.name == "Kernel" || v.name == "globalThis" || v.name == "global" || v.name == "window":
		return j.word(m)
	case v.name == "" || len(v.name) > maxName:
	default:
		if w, ok := j.lookup(v.name + "." + m); ok {
			return w
		}
		out.name = v.name + "." + m
	}
	return j.property(out)
}
