package script

import "strings"

// perlLexer adds to lexer what perl needs: here-documents that begin on the next line.
type perlLexer struct {
	lexer
	here []hereDoc
}

// hereDoc is a here-document whose body has not been reached yet.
type hereDoc struct {
	name             string
	indented, quoted bool
	tok              int // index of its token
}

// lexPerl splits perl into tokens.
func lexPerl(src string) ([]token, string) {
	l := &perlLexer{lexer: lexer{s: src, nl: true}}
	for l.i < len(l.s) {
		c := l.s[l.i]
		switch {
		case c == '\n':
			l.i++
			l.nl = true
			l.bodies()
			l.pod()
		case isSpace(c):
			l.i++
			l.sp = true
		case c == '#':
			l.toLineEnd()
		case l.i == 0 && c == '=' && isAlpha(l.at(1)):
			l.pod()
			if l.i == 0 {
				l.i++
			}
		default:
			if l.perl(c) {
				l.i = len(l.s)
			}
		}
	}
	if len(l.here) > 0 {
		l.fail("a here-document that is not closed")
	}
	return l.finish()
}

func (l *lexer) toLineEnd() {
	for l.i < len(l.s) && l.s[l.i] != '\n' {
		l.i++
	}
}

// pod passes over documentation: from a line that begins with = and a letter to the line behind =cut.
func (l *perlLexer) pod() {
	if l.at(0) != '=' || !isAlpha(l.at(1)) {
		return
	}
	e := strings.Index(l.s[l.i:], "\n=cut")
	if l.has("=cut") {
		e = -1
		l.toLineEnd()
		return
	}
	if e < 0 {
		l.i = len(l.s)
		return
	}
	l.i += e + 1
	l.toLineEnd()
}

// bodies reads the here-documents that the line before announced.
func (l *perlLexer) bodies() {
	for _, h := range l.here {
		body, end, ok := hereText(l.s, l.i, h.name, h.indented)
		l.i = end
		if !ok {
			l.fail("a here-document that is not closed")
		}
		t := &l.toks[h.tok]
		t.text = body
		if !h.quoted {
			t.parts = dollarParts(body, Perl)
		}
	}
	l.here = nil
}

// hereText is the text of a here-document that begins at i, and the index of what follows its last line.
func hereText(s string, i int, name string, indented bool) (body string, end int, ok bool) {
	begin := i
	for i < len(s) {
		line := s[i:]
		next := len(s)
		if n := strings.IndexByte(line, '\n'); n >= 0 {
			line, next = line[:n], i+n+1
		}
		line = strings.TrimSuffix(line, "\r")
		if indented {
			line = strings.TrimLeft(line, " \t")
		}
		if line == name {
			// The newline stays, so that the next line begins a new one.
			return s[begin:i], max(i, next-1), true
		}
		i = next
	}
	return s[min(begin, len(s)):], len(s), false
}

// operandAhead reports whether an operand, not an operator, is expected here.
func (l *lexer) operandAhead() bool {
	p := l.prev()
	switch p.kind {
	case tEOF:
		return true
	case tIdent:
		return true
	case tOp:
		return p.text != ")" && p.text != "]" && p.text != "}" && p.text != "++" && p.text != "--"
	}
	return false
}

// perl scans one token; it is true at the end of the program's text (__END__).
func (l *perlLexer) perl(c byte) bool {
	start := l.i
	switch {
	case c == '\'':
		l.i++
		raw, _ := l.quoted("'")
		l.add(tStr, rawUnescape(raw, '\''), start)
	case c == '"':
		l.i++
		raw, _ := l.quoted(`"`)
		l.add(tStr, "", start).parts = dollarParts(raw, Perl)
	case c == '`':
		l.i++
		raw, _ := l.quoted("`")
		l.add(tShell, "", start).parts = dollarParts(raw, Perl)
	case c == '$' || (c == '@' || c == '%' || c == '&') && (l.operandAhead() || c == '@'):
		l.sigil(c)
	case isAlpha(c):
		return l.perlWord()
	case isDigit(c) || c == '.' && isDigit(l.at(1)) && l.operandAhead():
		l.number()
	case c == '/' && l.regexAhead():
		l.i++
		if !l.slashRegex() {
			l.regexLines(start)
		}
		l.word("")
		l.add(tRegex, "m", start)
	case c == '<' && (l.operandAhead() || l.prev().text == "}" && (l.at(1) == 'S' || l.at(1) == '$' || l.at(1) == '>')) && l.angle():
	default:
		l.op("<=>", "**=", "||=", "&&=", "//=", "...", "<<=", ">>=", "->", "=>", "++", "--", "**", "=~", "!~", "==", "!=", "<=", ">=", "&&", "||", "//", "..", "::", "+=", "-=", "*=", "/=", ".=", "%=", "x=", "&=", "|=", "^=", "<<", ">>")
	}
	return false
}

// regexLines skips a regular expression that goes over several lines (the x flag).
func (l *lexer) regexLines(start int) {
	l.i = start + 1
	l.quoted("/")
}

// angle scans <FH>, <$fh>, <>, <*.c> or a here-document.
func (l *perlLexer) angle() bool {
	start := l.i
	if l.has("<<") && (l.at(2) == '~' || l.at(2) == '"' || l.at(2) == '\'' || isAlpha(l.at(2))) {
		h := hereDoc{}
		l.i += 2
		if l.at(0) == '~' {
			h.indented = true
			l.i++
		}
		switch q := l.at(0); {
		case q == '"' || q == '\'':
			l.i++
			h.name, _ = l.quoted(string(q))
			h.quoted = q == '\''
		case isAlpha(q):
			h.name = l.word("")
		default:
			l.i = start
			return false
		}
		l.add(tStr, "", start)
		h.tok = len(l.toks) - 1
		l.here = append(l.here, h)
		return true
	}
	e := strings.IndexByte(l.s[l.i:min(len(l.s), l.i+200)], '>')
	if e < 0 {
		return false
	}
	in := l.s[l.i+1 : l.i+e]
	if l.has("<<>>") {
		in, e = "", 3
	}
	if strings.ContainsAny(in, "\n;=<") || strings.HasPrefix(in, " ") {
		return false
	}
	l.i += e + 1
	name := strings.TrimPrefix(in, "$")
	if in == "" || isName(strings.ReplaceAll(name, "::", "")) {
		l.add(tReadline, in, start)
		return true
	}
	t := l.add(tStr, "", start) // a glob
	t.parts = []part{{text: "glob(qq\x01" + in + "\x01)", code: true}}
	return true
}

// sigil scans a variable.
func (l *perlLexer) sigil(c byte) {
	start := l.i
	l.i++
	if c == '$' && l.at(0) == '#' && (l.at(1) == '{' || l.at(1) == '$') {
		l.i++
	} else if c == '$' && l.at(0) == '#' && isAlpha(l.at(1)) {
		l.i++
		l.add(tVar, "$#"+l.word(""), start)
		return
	}
	switch n := l.at(0); {
	case n == '{':
		if e := strings.IndexByte(l.s[l.i:min(len(l.s), l.i+64)], '}'); e > 0 {
			if in := strings.TrimSpace(l.s[l.i+1 : l.i+e]); isName(strings.TrimPrefix(in, "^")) {
				l.i += e + 1
				l.add(tVar, string(c)+in, start)
				return
			}
		}
		l.add(tOp, deref+string(c), start)
	case n == '$' && (isAlpha(l.at(1)) || l.at(1) == '{' || l.at(1) == '$' || l.at(1) == ':'):
		l.add(tOp, deref+string(c), start)
	case isAlpha(n) || n == ':' && l.at(1) == ':' && isAlpha(l.at(2)):
		l.add(tVar, string(c)+l.perlName(), start)
	case c == '$' && isDigit(n):
		l.add(tVar, "$"+l.word(""), start)
	case c == '$' && n == '^' && isAlpha(l.at(1)):
		l.i += 2
		l.add(tVar, l.s[start:l.i], start)
	case c == '$' && n != 0 && !isSpace(n) && n != '\n':
		l.i++
		l.add(tVar, l.s[start:l.i], start)
	case (c == '@' || c == '%') && (n == '-' || n == '+' || n == '!') && l.at(1) != ' ':
		l.i++
		l.add(tVar, l.s[start:l.i], start)
	case c == '&' && n == '&':
		l.i = start
		l.op("&&")
	default:
		l.add(tOp, string(c), start)
	}
}

// deref marks a dereference: the sigil that stands behind it is applied to a block or a variable.
const deref = "\x00"

// perlName scans a name with packages.
func (l *lexer) perlName() string {
	start := l.i
	for l.i < len(l.s) {
		switch {
		case isWord(l.s[l.i]):
			l.i++
		case l.has("::") && (isWord(l.at(2)) || l.i > start):
			l.i += 2
		case l.s[l.i] == '\'' && l.i > start && isAlpha(l.at(1)) && false:
			l.i++
		default:
			return l.s[start:l.i]
		}
	}
	return l.s[start:l.i]
}

// perlWord scans a word, or the quoting that it begins.
func (l *perlLexer) perlWord() bool {
	start := l.i
	prev := l.prev()
	w := l.perlName()
	j := l.i
	for j < len(l.s) && (isSpace(l.s[j]) || l.s[j] == '\n') {
		j++
	}
	var d byte
	if j < len(l.s) {
		d = l.s[j]
	}
	arrow := prev.kind == tOp && (prev.text == "->" || prev.text == "{" && d == '}')
	fat := d == '=' && j+1 < len(l.s) && l.s[j+1] == '>'
	if w == "__END__" || w == "__DATA__" {
		return true
	}
	quoting := !arrow && !fat && d != 0 && d != ',' && d != ';' && d != ')' && !(j > l.i && (d == '#' || d == '=' || isWord(d))) && !(prev.kind == tIdent && prev.text == "sub")
	switch w {
	case "q", "qq", "qw", "qx", "qr", "m", "s", "tr", "y":
		if !quoting || isWord(d) || d == '=' && w != "q" && w != "qq" && w != "m" && w != "s" {
			break
		}
		if d == '=' && j+1 < len(l.s) && (l.s[j+1] == ' ' || l.s[j+1] == '=') {
			break
		}
		l.i = j + 1
		l.perlQuote(w, d, start)
		return false
	}
	l.add(tIdent, w, start)
	return false
}

// closing is the delimiter that ends what d begins.
func closing(d byte) byte {
	switch d {
	case '(':
		return ')'
	case '[':
		return ']'
	case '{':
		return '}'
	case '<':
		return '>'
	}
	return d
}

// delimited scans up to the delimiter that closes d.
func (l *lexer) delimited(d byte) string {
	var raw string
	if c := closing(d); c != d {
		raw, _ = l.nested(d, c)
	} else {
		raw, _ = l.quoted(string(d))
	}
	return raw
}

// perlQuote scans q{}, qq{}, s{}{} and their kin behind the first delimiter.
func (l *perlLexer) perlQuote(w string, d byte, start int) {
	raw := l.delimited(d)
	switch w {
	case "q":
		l.add(tStr, rawUnescape(raw, d), start)
	case "qq":
		l.add(tStr, "", start).parts = dollarParts(raw, Perl)
	case "qw":
		l.add(tWords, raw, start)
	case "qx":
		t := l.add(tShell, raw, start)
		if d != '\'' {
			t.parts = dollarParts(raw, Perl)
		}
	case "m", "qr":
		l.word("")
		l.add(tRegex, "m", start)
	default:
		e := d
		if closing(d) != d {
			for l.i < len(l.s) && (isSpace(l.s[l.i]) || l.s[l.i] == '\n') {
				l.i++
			}
			e = l.at(0)
			l.i = min(l.i+1, len(l.s))
		}
		second := ""
		if e != 0 {
			second = l.delimited(e)
		} else {
			l.fail("a substitution that is not closed")
		}
		flags := l.word("")
		kind := "s"
		if w != "s" {
			kind = "tr"
		}
		if strings.Contains(flags, "r") {
			kind = "m" // it gives the changed text and leaves the variable alone
		}
		t := l.add(tRegex, kind, start)
		switch {
		case w == "s" && strings.Contains(flags, "e"):
			t.parts = []part{{text: second, code: true}}
			if strings.Contains(flags, "ee") {
				t.parts[0].text = "eval(" + second + "\n)"
			}
		case w == "s" && strings.Contains(second, "@{"):
			t.parts = dollarParts(second, Perl)
		}
	}
}
