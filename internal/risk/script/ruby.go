package script

import "strings"

func ruby() dialect {
	return dialect{
		comments: []string{"#"}, quotes: "'", rich: "\"`", code: "#{", sigils: "@$", regex: true, joins: "+", bare: true, adjacent: true, own: rubyOwn,
	}
}

// rubyOwn takes =begin … =end, %w[…] and its like, symbols, here-documents, $., ?c.
func rubyOwn(l *lexer) bool {
	c := l.at(0)
	start := l.i == 0 || l.s[l.i-1] == '\n'
	switch {
	case start && l.has("=begin"):
		n := strings.Index(l.s[l.i:], "\n=end")
		if n < 0 {
			l.i = len(l.s)
			return true
		}
		l.i += n + 5
		l.i = l.line()
	case start && l.has("__END__"):
		l.i = len(l.s)
	case c == '%' && l.last().kind != tNum && (l.operand() || space(l.at(-1))):
		k, d := l.at(1), l.at(2)
		if !letter(k) {
			k, d = 'Q', k
		} else if strings.IndexByte("wWiIqQxrs", k) < 0 {
			return false
		}
		if d == 0 || letter(d) || digit(d) || space(d) || d == '=' || d == '\n' || k == 'Q' && l.at(1) == d && strings.IndexByte("([{<|!/", d) < 0 {
			return false
		}
		from := l.i
		l.i += strings.IndexByte(l.s[l.i:], d) + 1
		l.percent(k, d, from)
	case c == ':' && l.at(1) == '"' && l.at(-1) != ':':
		l.i++
		return false
	case c == ':' && letter(l.at(1)) && l.at(-1) != ':' && !(letter(l.at(-1)) || digit(l.at(-1)) || l.at(-1) == ')'):
		from := l.i
		l.i++
		l.word()
		l.toks[len(l.toks)-1].kind = tStr
		l.toks[len(l.toks)-1].pos = l.base + from
	case c == '$' && strings.IndexByte(".0123456789*!~/\\;,<>&", l.at(1)) >= 0 && l.at(1) != 0:
		l.i += 2
		l.add(tWord, l.s[l.i-2:l.i], l.i-2)
	case c == '?' && letter(l.at(1)) && !letter(l.at(2)) && l.operand():
		l.i += 2
		l.add(tStr, l.s[l.i-1:l.i], l.i-2)
	case l.has("<<"):
		return l.heredoc("<<")
	default:
		return false
	}
	return true
}

// percent takes a text in perl's or ruby's own quotes: k says of which kind it is, d begins it.
func (l *lexer) percent(k, d byte, from int) {
	kind, rich := tStr, strings.IndexByte("QWIxrs", k) >= 0
	if k == 'x' {
		kind = tCommand
	}
	if k == 'r' {
		kind = tRegex
	}
	open := d
	l.quoted(open, partner(d), kind, rich && d != '\'')
	t := &l.toks[len(l.toks)-1]
	t.pos, t.glued = l.base+from, false
	if strings.IndexByte("wWiI", k) < 0 {
		return
	}
	words := strings.Fields(t.text)
	if t.parts != nil {
		words = nil
	}
	pos := t.pos
	l.toks = l.toks[:len(l.toks)-1]
	l.toks = append(l.toks, token{kind: tOp, text: "[", pos: pos, match: 2*len(words) + 1})
	for _, w := range words {
		l.toks = append(l.toks, token{kind: tStr, text: w, pos: pos}, token{kind: tOp, text: ",", pos: pos})
	}
	l.toks = append(l.toks, token{kind: tOp, text: "]", pos: pos, match: -2*len(words) - 1})
}

// heredoc takes the mark of a here-document: <<~X, <<-'X', <<"X".
func (l *lexer) heredoc(op string) bool {
	k := l.i + len(op)
	h := heredoc{tok: len(l.toks)}
	if k < len(l.s) && (l.s[k] == '~' || l.s[k] == '-') {
		h.indented = true
		k++
	}
	quote := byte(0)
	if k < len(l.s) && (l.s[k] == '"' || l.s[k] == '\'') {
		quote = l.s[k]
		k++
	}
	from := k
	for k < len(l.s) && (letter(l.s[k]) || k > from && digit(l.s[k])) {
		k++
	}
	h.mark, h.literal = l.s[from:k], quote == '\''
	if h.mark == "" || quote == 0 && (h.mark[0] >= 'a' || !l.operand() && !space(l.at(-1))) {
		return false
	}
	if quote != 0 {
		if k >= len(l.s) || l.s[k] != quote {
			return false
		}
		k++
	}
	l.add(tStr, "", l.i)
	l.i = k
	l.later = append(l.later, h)
	return true
}
