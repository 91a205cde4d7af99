package script

import "strings"

func perl() dialect {
	return dialect{
		comments: []string{"#"}, quotes: "'", rich: "\"`", sigils: "$@%&", regex: true, joins: ".", defines: "sub", bare: true, lines: true, own: perlOwnText,
	}
}

// perlOwnText takes documentation, quote-like operators, here-documents, <FH>, and variables of one sign.
func perlOwnText(l *lexer) bool {
	c, next := l.at(0), l.at(1)
	switch {
	case l.start() && c == '=' && letter(next):
		if l.skipTo("\n=cut") {
			l.i += 5
			l.skipTo("\n")
		}
	case l.start() && (l.has("__END__") || l.has("__DATA__")):
		l.i = len(l.s)
	case c == '$' && next == '#' && (letter(l.at(2)) || among(l.at(2), "${")):
		l.take(tNum, 2)
	case c == '$' && next == '^' && letter(l.at(2)):
		l.take(tWord, 3)
	case c == '$' && (next == '{' && l.at(2) == '^' || among(next, "0123456789.,;/\\&!@<>|+\"'")):
		l.take(tWord, 2)
	case (c == '%' || c == '&') && letter(next) && !l.operand():
		l.take(tOp, 1)
	case l.has("<<") && l.argument():
		return l.heredoc("<<")
	case c == '<' && (l.argument() || l.last().op("}") && !space(next)):
		inner, _, ok := strings.Cut(l.s[l.i+1:], ">")
		if !ok || strings.ContainsAny(inner, "\n;=") || strings.Contains(inner, " ") && !strings.Contains(inner, "*") {
			return false
		}
		l.take(tReadline, len(inner)+2).text = inner
	case letter(c) && !letter(l.at(-1)) && !digit(l.at(-1)) && !among(l.at(-1), "$@%&"):
		return l.quoteLike()
	default:
		return false
	}
	return true
}

// quoteLike takes q(…), qq{…}, qw/…/, m!…!, s/…/…/, tr/…/…/.
func (l *lexer) quoteLike() bool {
	n := l.name(0)
	w, k := l.s[l.i:l.i+n], n
	if !strings.Contains(" q qq qw qx m qr s tr y ", " "+w+" ") {
		return false
	}
	for space(l.at(k)) {
		k++
	}
	d, prev := l.at(k), l.last()
	if d == 0 || letter(d) || digit(d) || among(d, ",;)\n") || d == '=' && (k > n || among(l.at(k+1), ">=")) || d == '#' && k > n ||
		prev.op("->") || prev.is(tWord, "sub") || prev.op("{") && d == '}' {
		return false
	}
	from := l.i
	l.i += k
	switch w {
	case "qq":
		l.percent('Q', from)
		return true
	case "q", "qw", "qx":
		l.percent(w[n-1], from)
		return true
	}
	l.percent('m', from)
	var code []token
	if w == "s" || w == "tr" || w == "y" {
		if partner(d) == d {
			l.i-- // it also begins the second part
		}
		for space(l.at(0)) || l.at(0) == '\n' {
			l.i++
		}
		if l.bad || l.i >= len(l.s) {
			l.bad = true
			return true
		}
		begin := l.i + 1
		l.percent('m', l.i)
		l.toks = l.toks[:len(l.toks)-1]
		if flags := l.s[l.i : l.i+l.name(0)]; w == "s" && strings.Contains(flags, "e") { // the replacement is code
			sub := l.within(l.s[begin:max(l.i-1, begin)], begin)
			sub.run(0)
			code = sub.toks
		}
	}
	l.i += l.name(0)
	t := &l.toks[len(l.toks)-1]
	if t.text = l.s[from:l.i]; code != nil {
		t.parts = []part{{code: code}}
	}
	return true
}

// perlOpen is open FH, MODE, PATH and open FH, "MODE PATH".
func (j *judge) perlOpen(in []value) value {
	if len(in) < 2 {
		return value{}
	}
	mode, path := in[1], value{}
	if len(in) > 2 {
		path = in[2]
	} else {
		s := strings.TrimSpace(mode.text)
		n := len(s) - len(strings.TrimLeft(s, "+<>|& "))
		path = value{text: strings.TrimSpace(s[n:]), known: mode.known}
		if s != "" {
			mode = text(s[:n])
		}
		if rest, ok := strings.CutSuffix(path.text, "|"); ok && path.known {
			path.text, mode = strings.TrimSpace(rest), text("-|")
		}
	}
	switch {
	case strings.Contains(mode.text, "|"):
		words := append([]value{path}, in[min(3, len(in)):]...)
		writes := "r"
		if strings.HasPrefix(mode.text, "|") {
			writes = "w"
		}
		if len(words) > 1 {
			words = []value{{class: isList, items: words}}
		}
		j.start("popen", append(words, text(writes)), args{}, false, "open")
	case !strings.Contains(mode.text, "&"):
		j.open(path, mode, "open")
	}
	return value{class: isLocal}
}
