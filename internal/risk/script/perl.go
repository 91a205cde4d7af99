package script

import (
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

func perl() dialect {
	return dialect{
		comments: []string{"#"}, quotes: "'", rich: "\"`", sigils: "$@%&", regex: true, joins: ".", bare: true, own: perlOwnText, hook: perlCall,
	}
}

// perlOwnText takes documentation, quote-like operators, here-documents, <FH>, and variables of one sign.
func perlOwnText(l *lexer) bool {
	c := l.at(0)
	start := l.i == 0 || l.s[l.i-1] == '\n'
	switch {
	case start && c == '=' && letter(l.at(1)):
		n := strings.Index(l.s[l.i:], "\n=cut")
		if n < 0 {
			l.i = len(l.s)
			return true
		}
		l.i += n + 5
		l.i = l.line()
	case start && (l.has("__END__") || l.has("__DATA__")):
		l.i = len(l.s)
	case c == '$' && l.at(1) == '#' && (letter(l.at(2)) || l.at(2) == '$' || l.at(2) == '{'):
		l.i += 2
		l.add(tNum, "#", l.i-2)
	case c == '$' && l.at(1) == '^' && letter(l.at(2)):
		l.i += 3
		l.add(tWord, l.s[l.i-3:l.i], l.i-3)
	case c == '$' && l.at(1) == '{' && l.at(2) == '^', c == '$' && l.at(1) != 0 && strings.IndexByte("0123456789.,;/\\&!@<>|+\"'", l.at(1)) >= 0:
		l.i += 2
		for digit(l.at(-1)) && digit(l.at(0)) {
			l.i++
		}
		from := l.i - 2
		l.add(tWord, l.s[from:l.i], from)
	case (c == '%' || c == '&') && letter(l.at(1)) && !l.operand():
		l.i++
		l.add(tOp, string(c), l.i-1)
	case l.has("<<") && l.operandOrSpaced():
		return l.heredoc("<<")
	case c == '<' && (l.operand() || l.last().kind == tWord && letter(l.last().text[0]) || l.last().op("}") && !space(l.at(1))):
		n := strings.IndexByte(l.s[l.i:l.line()], '>')
		if n < 0 || strings.ContainsAny(l.s[l.i+1:l.i+n], " ;=") && !strings.Contains(l.s[l.i+1:l.i+n], "*") {
			return false
		}
		l.add(tReadline, l.s[l.i+1:l.i+n], l.i)
		l.i += n + 1
	case letter(c) && !letter(l.at(-1)) && !digit(l.at(-1)) && strings.IndexByte("$@%&", l.at(-1)|1) < 0:
		return l.quoteLike()
	default:
		return false
	}
	return true
}

func (l *lexer) operandOrSpaced() bool {
	return l.operand() || l.last().kind == tWord && letter(l.last().text[0])
}

// quoteLike takes q(…), qq{…}, qw/…/, m!…!, s/…/…/, tr/…/…/.
func (l *lexer) quoteLike() bool {
	n := 1
	for letter(l.at(n)) || digit(l.at(n)) {
		n++
	}
	w := l.s[l.i : l.i+n]
	switch w {
	case "q", "qq", "qw", "qx", "m", "qr", "s", "tr", "y":
	default:
		return false
	}
	if t := l.last(); t.op("->") || t.is(tWord, "sub") || t.op("{") && l.at(n) == '}' {
		return false
	}
	k := n
	for space(l.at(k)) {
		k++
	}
	d := l.at(k)
	if d == 0 || letter(d) || digit(d) || d == ',' || d == ';' || d == ')' || d == '=' && (k > n || l.at(k+1) == '>' || l.at(k+1) == '=') || d == '#' && k > n || d == '\n' {
		return false
	}
	from := l.i
	l.i += k + 1
	kind := map[string]byte{"q": 'q', "qq": 'Q', "qw": 'w', "qx": 'x'}[w]
	if kind != 0 {
		l.percent(kind, d, from)
		return true
	}
	l.quoted(d, partner(d), tRegex, false)
	if w == "s" || w == "tr" || w == "y" {
		if partner(d) != d {
			for l.i < len(l.s) && (space(l.at(0)) || l.at(0) == '\n') {
				l.i++
			}
			d = l.at(0)
			l.i++
			l.bad = l.bad || d == ';' || d == 0
		}
		l.i = min(l.i, len(l.s))
		text := l.i
		l.quoted(d, partner(d), tRegex, false)
		with := l.s[text:max(l.i-1, text)]
		l.toks = l.toks[:len(l.toks)-1]
		flags := l.i
		for letter(l.at(0)) {
			l.i++
		}
		t := &l.toks[len(l.toks)-1]
		t.text = l.s[from:l.i]
		if w == "s" && strings.Contains(l.s[flags:l.i], "e") { // the replacement is code
			t.parts = []part{{code: l.within(with, text)}}
		}
		return true
	}
	for letter(l.at(0)) {
		l.i++
	}
	l.toks[len(l.toks)-1].text = l.s[from:l.i]
	return true
}

// perlOwn are functions whose arguments no row can tell.
func perlOwn(name string) bool {
	switch name {
	case "open", "print", "printf", "say", "shift", "close", "do", "map", "grep", "sort", "eval":
		return true
	}
	return false
}

// handleWord reports whether the first argument of print is a file handle: no comma stands behind it.
func handleWord(arg []token, next token) bool {
	if len(arg) == 1 && arg[0].kind == tWord && (arg[0].text[0] == '$' || strings.ToUpper(arg[0].text) == arg[0].text) || len(arg) > 2 && arg[0].op("{") {
		return operandStart(next, Perl) && !next.op("-") && !next.op("[") && !next.op("(") && !next.op("{")
	}
	return false
}

// perlCall is open and print.
func perlCall(j *judge, c *call) (value, bool) {
	switch c.v.name {
	case "open":
		return j.perlOpen(c), true
	case "print", "printf", "say":
		pos, toks := c.args.pos, c.args.toks
		if len(toks) > 1 && (toks[0][0].kind == tWord && len(toks[0]) == 1 || toks[0][0].op("{")) && len(c.args.pos) > 1 && c.handle {
			h := pos[0]
			if toks[0][0].text == "STDOUT" {
				h = value{class: "stdout"}
			} else if v, ok := j.handles[toks[0][0].text]; ok {
				h = v
			}
			j.put(h, pos[1:], c.at)
			return value{}, true
		}
		if len(pos) == 0 {
			if v, ok := j.lookup("$_"); ok {
				pos = []value{v}
			}
		}
		j.print(c, flat(pos))
		return value{}, true
	case "shift":
		v := j.constant("argv:0", value{}).item(j.shifted)
		j.shifted++
		if v.known {
			return v, true
		}
		return value{}, true
	case "do":
		if v := c.arg(0); v.isText() {
			j.run(Run{Args: []string{"perl", v.text}, Known: true, Printed: true, Why: "do"})
		}
		return value{}, true
	case "map", "grep", "sort", "close":
		return value{flows: partly(c.args.pos...), class: "list"}, true
	case "eval":
		if len(c.args.pos) == 0 {
			return value{}, true
		}
	}
	if strings.HasPrefix(c.v.name, "&") {
		return j.call(&call{v: j.word(c.v.name[1:]), args: c.args, at: c.at}), true
	}
	return value{}, false
}

// perlOpen is open FH, MODE, PATH and open FH, "MODE PATH".
func (j *judge) perlOpen(c *call) value {
	if len(c.args.pos) < 2 {
		return value{}
	}
	mode, path := c.args.pos[1], value{}
	if len(c.args.pos) > 2 {
		path = c.args.pos[2]
		if len(c.args.toks[2]) > 0 && c.args.toks[2][0].op("\\") {
			return value{class: "memory"} // a variable as file
		}
	} else {
		s := strings.TrimSpace(mode.text)
		n := len(s) - len(strings.TrimLeft(s, "+<>|& "))
		mode, path = text(strings.TrimSpace(s[:n])), value{text: strings.TrimSpace(s[n:]), known: c.args.pos[1].isText()}
		if !path.known && s == "" {
			path, mode = value{}, value{} // all of it is computed
		}
		if rest, ok := strings.CutSuffix(path.text, "|"); ok && path.known {
			path.text, mode = strings.TrimSpace(rest), text("-|")
		}
	}
	var v value
	switch {
	case strings.Contains(mode.text, "|"):
		items := append([]value{path}, c.args.pos[min(3, len(c.args.pos)):]...)
		r := words(items, false, "open")
		if len(items) == 1 {
			r = Run{Shell: path.text, Known: path.isText(), Why: "open"}
		}
		in := strings.HasPrefix(mode.text, "|")
		r.Printed = in
		v = j.run(r)
		v.class = "file"
		if in {
			v.class, v.flows = "pipe", nil
		}
	case strings.Contains(mode.text, "&"):
		return value{class: "memory"}
	case !mode.known:
		v = j.open(path, value{}, "open")
	default:
		v = j.open(path, mode, "open")
	}
	for _, t := range c.args.toks[0] {
		if t.kind == tWord && t.text != "my" && t.text != "local" && t.text != "our" {
			j.handles[t.text] = v
			break
		}
	}
	return value{class: "local"}
}

// readline is <FH>, <$fh>, <> and <*.c>.
func (j *judge) readline(t token) value {
	switch {
	case t.text == "" || t.text == "STDIN" || t.text == "<>":
		files := []value{text(Stdin)}
		if _, named := j.names["@ARGV"]; t.text != "STDIN" && (len(j.argv) > 0 || named) {
			args := j.constant("argv:0", value{})
			if v, ok := j.lookup("@ARGV"); ok {
				args = v
			}
			files = args.leaves()
		}
		v := value{}
		for _, f := range files {
			v.flows = append(v.flows, j.content(j.open(f, text("r"), "readline"), "lines").flows...)
		}
		j.settle(t.pos, v)
		return v
	case strings.ContainsAny(t.text, "*?."):
		return value{text: globbed(t.text), class: "paths"}
	}
	if v, ok := j.handles[t.text]; ok {
		if v.run > 0 {
			return value{flows: v.flows}
		}
		v = j.content(v, "lines")
		j.settle(t.pos, v)
		return v
	}
	return value{}
}

// inplaceEdit is $^I: what is printed goes into the files of @ARGV.
func (j *judge) inplaceEdit(t []token) {
	for i, x := range t {
		if x.text == "$^I" && at(t, i+1).op("=") && j.lang == Perl {
			v, _ := j.lookup("@ARGV")
			j.touch(event.OpWrite, v, false, "$^I", nil)
		}
	}
}
