package script

import "strings"

func perl() dialect {
	return dialect{
		comments: []string{"#"}, quotes: "'", rich: "\"`", sigils: "$@%&", regex: true, joins: ".", bare: true, own: perlOwnText,
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
