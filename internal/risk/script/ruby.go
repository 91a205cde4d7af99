package script

import "strings"

func ruby() dialect {
	return dialect{
		comments: []string{"#"}, quotes: "'", rich: "\"`", code: "#{", sigils: "@$", regex: true, joins: "+", defines: "def", bare: true, adjacent: true, lines: true, own: rubyOwn,
	}
}

// rubyOwn takes =begin … =end, %w[…] and its like, symbols, here-documents, $., ?c.
func rubyOwn(l *lexer) bool {
	c, next := l.at(0), l.at(1)
	switch {
	case l.start() && l.has("=begin"):
		l.skipTo("\n=end")
		l.i = min(l.i+5, len(l.s))
	case l.start() && l.has("__END__"):
		l.i = len(l.s)
	case c == '%' && l.last().kind != tNum && (l.operand() || space(l.at(-1))):
		k, n := next, 2
		if !letter(k) {
			k, n = 'Q', 1
		}
		if d := l.at(n); !among(k, "wWiIqQxrs") || !among(d, "([{<|!/\"'^-") || n == 1 && !among(d, "([{<|!/") {
			return false
		}
		from := l.i
		l.i += n
		l.percent(k, from)
	case c == ':' && next == '"' && l.at(-1) != ':':
		l.i++
		return false
	case c == ':' && letter(next) && l.at(-1) != ':' && !letter(l.at(-1)) && !digit(l.at(-1)) && l.at(-1) != ')':
		l.i++
		l.word()
		l.toks[len(l.toks)-1].kind = tStr
	case c == '$' && among(next, ".0123456789*!~/\\;,<>&"):
		l.take(tWord, 2)
	case c == '?' && letter(next) && !letter(l.at(2)) && l.operand():
		l.take(tStr, 2)
	default:
		return l.has("<<") && (l.operand() || space(l.at(-1))) && l.heredoc("<<")
	}
	return true
}

// percent takes a text in perl's or ruby's own quotes that began at from: k says of which kind it is.
func (l *lexer) percent(k byte, from int) {
	kind, open := tStr, l.s[l.i:l.i+1]
	switch k {
	case 'x':
		kind = tCommand
	case 'r', 'm':
		kind = tRegex
	}
	shut, nests := string(partner(open[0])), open
	if shut == open {
		nests = ""
	}
	l.i++
	rich := among(k, "QWIxrs") && open != "'"
	t := *l.quoted(from, nests, shut, kind, !rich, rich)
	if !among(k, "wWiI") {
		return
	}
	words := strings.Fields(t.text)
	if t.parts != nil {
		words = nil
	}
	l.toks[len(l.toks)-1] = token{kind: tOp, text: "[", pos: t.pos, match: 2*len(words) + 1}
	for _, w := range words {
		l.toks = append(l.toks, token{kind: tStr, text: w, pos: t.pos}, token{kind: tOp, text: ",", pos: t.pos})
	}
	l.toks = append(l.toks, token{kind: tOp, text: "]", pos: t.pos, match: -2*len(words) - 1})
}
