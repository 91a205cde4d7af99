package script

import (
	"strconv"
	"strings"
)

// The lexer cuts a script into words, texts, numbers, operators and line ends. What a language has of its own is in its
// dialect, in the file of that name. The file is long because texts hold code that holds texts.

type kind byte

const (
	tNone kind = iota
	tWord
	tStr
	tNum
	tOp
	tLine     // the end of a line that may end a statement
	tRegex    // a regular expression or substitution
	tCommand  // a text that is run as a command (backquotes)
	tReadline // perl's <FH>
)

// token is one piece of a script. Brackets know how far their partner is, so that a part of the tokens can be handed on.
type token struct {
	kind   kind
	text   string // for texts: the value, as far as it holds no code
	parts  []part // for texts that hold code
	pos    int
	match  int  // distance to the other bracket, 0 without one
	glued  bool // nothing stands between it and the token before
	indent int  // of tLine: how far the next line is indented
}

// part is a piece of a text: constant, or code whose value is put in.
type part struct {
	text string
	code []token
}

func (t token) is(k kind, text string) bool { return t.kind == k && t.text == text }
func (t token) op(text string) bool         { return t.kind == tOp && t.text == text }

// at is the token i, a line end beyond the text.
func at(t []token, i int) token {
	if i >= 0 && i < len(t) {
		return t[i]
	}
	return token{kind: tLine}
}

// dialect is what the lexer and the judge need to know about a language.
type dialect struct {
	comments []string // begin a comment to the end of the line
	block    [2]string
	quotes   string // begin a text without code; those in rich begin one that may hold code
	rich     string
	code     string // what begins code in a rich text, up to }
	sigils   string // begin a word
	regex    bool
	lines    bool                // texts go on over the ends of lines, and in quotes a backslash protects the quote alone
	own      func(l *lexer) bool // takes what only this language has
	joins    string              // the operator that joins texts
	defines  string              // words that begin a function
	bare     bool                // functions are called without brackets, too
	adjacent bool                // texts that follow one another are one
}

func dialectOf(lang Lang) dialect {
	switch lang {
	case Python:
		return python()
	case Node:
		return node()
	case Perl:
		return perl()
	case Ruby:
		return ruby()
	case PHP:
		return php()
	case Lua:
		return lua()
	}
	return awk()
}

type lexer struct {
	lang  Lang
	d     dialect
	s     string
	i     int
	base  int // position of s in the script
	toks  []token
	open  []int
	later []heredoc
	depth int
	bad   bool // the text ends within a string or bracket, or is no such script
}

type heredoc struct {
	tok     int
	mark    string
	literal bool
}

// maxDepth bounds texts within texts and brackets within brackets.
const maxDepth = 100

// lex cuts a script. ok is false when it cannot be a whole script of the language.
func lex(lang Lang, src string) (toks []token, ok bool) {
	l := &lexer{lang: lang, d: dialectOf(lang), s: src}
	l.run(0)
	return l.toks, !l.bad
}

// within lexes a part of the text on its own.
func (l *lexer) within(s string, at int) *lexer {
	sub := &lexer{lang: l.lang, d: l.d, s: s, base: l.base + at, depth: l.depth + 1}
	if sub.depth > maxDepth {
		l.bad, sub.s = true, ""
	}
	return sub
}

// code lexes from here to the bracket that closes, which it takes.
func (l *lexer) code() []token {
	sub := l.within(l.s, 0)
	if sub.i = l.i; sub.s == "" {
		sub.i = 0
		l.i = len(l.s)
		return nil
	}
	sub.run('}')
	l.bad = l.bad || sub.bad || sub.i >= len(l.s)
	l.i = min(sub.i+1, len(l.s))
	return sub.toks
}

func (l *lexer) add(k kind, text string, from int) *token {
	glued := from > 0 && len(l.toks) > 0 && !space(l.s[from-1]) && l.s[from-1] != '\n'
	l.toks = append(l.toks, token{kind: k, text: text, pos: l.base + from, glued: glued})
	return &l.toks[len(l.toks)-1]
}

// take adds the next n bytes as a token.
func (l *lexer) take(k kind, n int) *token {
	l.i += n
	return l.add(k, l.s[l.i-n:l.i], l.i-n)
}

func space(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

func letter(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// among reports whether c is one of set.
func among(c byte, set string) bool { return c != 0 && strings.IndexByte(set, c) >= 0 }

func (l *lexer) at(n int) byte {
	if l.i+n < len(l.s) && l.i+n >= 0 {
		return l.s[l.i+n]
	}
	return 0
}

func (l *lexer) has(prefix string) bool { return strings.HasPrefix(l.s[l.i:], prefix) }

// name is how many bytes from n on belong to a name.
func (l *lexer) name(n int) (size int) {
	for letter(l.at(n+size)) || size > 0 && digit(l.at(n+size)) {
		size++
	}
	return size
}

// start reports whether a line begins here.
func (l *lexer) start() bool { return l.i == 0 || l.s[l.i-1] == '\n' }

// skipTo goes on to what stands before the next mark, or to the end of the text.
func (l *lexer) skipTo(mark string) (found bool) {
	n := strings.Index(l.s[l.i:], mark)
	if n < 0 {
		l.i = len(l.s)
		return false
	}
	l.i += n
	return true
}

func (l *lexer) last() token { return at(l.toks, len(l.toks)-1) }

// operand reports whether a value is expected here rather than an operator.
func (l *lexer) operand() bool {
	t := l.last()
	switch t.kind {
	case tWord:
		switch t.text {
		case "x", "eq", "ne", "lt", "gt", "my", "our", "local", "keys", "values", "each", "scalar", "ref", "wantarray":
			return l.lang == Perl
		case "p":
			return l.lang == Ruby
		case "return", "if", "unless", "while", "until", "and", "or", "not", "in", "of", "typeof", "case", "when", "split", "grep", "map", "join", "print", "puts", "push", "unlink",
			"elsif", "else", "do", "then", "await", "yield", "delete", "void", "echo", "for", "foreach":
			return true
		}
	case tOp:
		return t.text != ")" && t.text != "]" && t.text != "}"
	case tLine:
		return true
	}
	return false
}

// argument reports whether a value may stand here: where one is expected, or behind a function's name.
func (l *lexer) argument() bool {
	return l.operand() || l.last().kind == tWord && letter(l.last().text[0]) && space(l.at(-1))
}

func (l *lexer) run(stop byte) {
	for l.i < len(l.s) {
		c := l.s[l.i]
		if c == stop && stop != 0 && len(l.open) == 0 {
			break
		}
		switch {
		case c == '\n':
			l.newline()
		case space(c):
			l.i++
		case c == '\\' && l.at(1) == '\n':
			l.i += 2
		case l.comment() || l.d.own != nil && l.d.own(l):
		case among(c, l.d.quotes):
			l.i++
			l.quoted(l.i-1, "", string(c), tStr, l.d.lines, false)
		case among(c, l.d.rich):
			l.i++
			k := tStr
			if c == '`' && l.lang != Node {
				k = tCommand
			}
			l.quoted(l.i-1, "", string(c), k, false, true)
		case letter(c), among(c, l.d.sigils) && letter(l.at(1)):
			l.word()
		case digit(c):
			n := 1
			for digit(l.at(n)) || letter(l.at(n)) || l.at(n) == '.' && digit(l.at(n+1)) {
				n++
			}
			l.take(tNum, n)
		case c == '/' && l.d.regex && l.regexHere():
		default:
			l.operator()
		}
	}
	l.bad = l.bad || len(l.open) > 0 || len(l.later) > 0
}

func (l *lexer) word() {
	n := 1
	for letter(l.at(n)) || digit(l.at(n)) || l.lang == Node && l.at(n) == '$' || l.lang == Perl && l.at(n) == ':' && l.at(n+1) == ':' && letter(l.at(n+2)) {
		if l.at(n) == ':' {
			n++
		}
		n++
	}
	if l.lang == Ruby && (l.at(n) == '!' || l.at(n) == '?' && (!space(l.at(n+1)) || l.last().op("."))) && l.at(n+1) != '=' && letter(l.at(0)) {
		n++
	}
	l.take(tWord, n)
}

func (l *lexer) newline() {
	from := l.i
	l.i++
	for _, h := range l.later {
		l.body(h)
	}
	l.later = l.later[:0]
	indent := 0
	for space(l.at(indent)) {
		indent++
	}
	if n := len(l.open); n > 0 && (l.lang == Python || l.toks[l.open[n-1]].text != "{") {
		return
	}
	l.add(tLine, "\n", from).indent = indent
}

// heredoc takes the mark of a here-document behind op: <<~X, <<-'X', <<"X", <<<X.
func (l *lexer) heredoc(op string) bool {
	n := len(op)
	for among(l.at(n), "~- ") && (l.at(n) != ' ' || l.lang == PHP) {
		n++
	}
	quote := l.at(n)
	if quote != '"' && quote != '\'' {
		quote = 0
	} else {
		n++
	}
	size := l.name(n)
	mark := l.s[l.i+n : l.i+n+size]
	if n += size; mark == "" || quote == 0 && l.lang != PHP && mark[0] >= 'a' || quote != 0 && l.at(n) != quote {
		return false
	}
	if quote != 0 {
		n++
	}
	l.later = append(l.later, heredoc{len(l.toks), mark, quote == '\''})
	l.take(tStr, n).text = ""
	return true
}

// body takes the text of a here-document.
func (l *lexer) body(h heredoc) {
	from := l.i
	for l.i < len(l.s) {
		begin := l.i
		line, _, _ := strings.Cut(l.s[begin:], "\n")
		l.i = min(begin+len(line)+1, len(l.s))
		rest, ok := strings.CutPrefix(strings.Trim(line, " \t\r"), h.mark)
		if !ok || rest != "" && (l.lang != PHP || letter(rest[0])) {
			continue
		}
		if l.lang == PHP { // it goes on behind the mark
			l.i = begin + strings.Index(line, h.mark) + len(h.mark)
		}
		sub := l.within(l.s[from:begin], from)
		sub.quoted(0, "", "", tStr, h.literal, !h.literal)
		l.toks[h.tok].text, l.toks[h.tok].parts = sub.toks[0].text, sub.toks[0].parts
		return
	}
	l.bad = true
}

func (l *lexer) comment() bool {
	if b := l.d.block; b[0] != "" && l.has(b[0]) {
		l.bad = !l.skipTo(b[1]) || l.bad
		l.i = min(l.i+len(b[1]), len(l.s))
		return true
	}
	for _, c := range l.d.comments {
		if l.has(c) {
			line, _, _ := strings.Cut(l.s[l.i:], "\n")
			if l.lang == PHP {
				line, _, _ = strings.Cut(line, "?>")
			}
			l.i += len(line)
			return true
		}
	}
	return false
}

// regexHere takes a regular expression, if there is one.
func (l *lexer) regexHere() bool {
	if !l.operand() && !(l.d.bare && l.argument() && !space(l.at(1)) && l.at(1) != '=') {
		return false
	}
	class := false
	for n := 1; l.i+n < len(l.s); n++ {
		switch c := l.at(n); {
		case c == '\n' && !l.d.lines:
			return false
		case c == '\\':
			n++
		case c == '[':
			class = !l.d.bare
		case c == ']':
			class = false
		case c == '/' && !class:
			l.take(tRegex, n+1+l.name(n+1))
			return true
		}
	}
	return false
}

// operators of more than one byte, longest first.
const operators = "<=> === !== **= ||= &&= ??= >>> ... //= <<= >>= => -> :: ?. ?? || && == != <= >= += -= *= /= .= |= := // .. =~ !~ ~= ** ++ -- << >> "

func (l *lexer) operator() {
	n := min(3, len(l.s)-l.i)
	for n > 1 && (strings.ContainsAny(l.s[l.i:l.i+n], " \n") || !strings.Contains(operators, l.s[l.i:l.i+n]+" ")) {
		n--
	}
	if l.has("?.") && digit(l.at(2)) {
		n = 1
	}
	c := l.at(0)
	l.take(tOp, n)
	here := len(l.toks) - 1
	switch c {
	case '(', '[', '{':
		l.open = append(l.open, here)
	case ')', ']', '}':
		if k := len(l.open); k > 0 && partner(l.toks[l.open[k-1]].text[0]) == c {
			l.toks[l.open[k-1]].match, l.toks[here].match = here-l.open[k-1], l.open[k-1]-here
			l.open = l.open[:k-1]
		} else {
			l.bad = true
		}
	}
}

func partner(c byte) byte {
	if i := strings.IndexByte("([{<", c); i >= 0 {
		return ")]}>"[i]
	}
	return c
}

// quoted takes a text from here up to shut, or to the end if that is empty; it began at from. Brackets like open nest in
// it. In a raw text a backslash protects shut alone, a rich one holds code.
func (l *lexer) quoted(from int, open, shut string, k kind, raw, rich bool) *token {
	var b strings.Builder
	var parts []part
	put := func(code []token) {
		parts = append(parts, part{text: b.String()}, part{code: code})
		b.Reset()
	}
	for nested := 0; ; {
		if l.i >= len(l.s) {
			l.bad = l.bad || shut != ""
			break
		}
		c, n := l.s[l.i], 0
		if shut != "" && l.has(shut) {
			if nested == 0 {
				l.i += len(shut)
				break
			}
			nested--
		} else if open != "" && l.has(open) {
			nested++
		}
		if rich && (c == '$' || c == '@' && l.lang == Perl) && (l.lang == Perl || l.lang == PHP) {
			n = l.variable()
		}
		switch {
		case n > 0:
			name := l.s[l.i : l.i+n]
			if name[1] == '{' && name[n-1] == '}' {
				name = name[:1] + name[2:n-1]
			}
			sub := l.within(name, l.i)
			sub.run(0)
			put(sub.toks)
			l.i += n
		case rich && l.lang == Python && (l.has("{{") || l.has("}}")):
			b.WriteByte(c)
			l.i += 2
		case rich && l.d.code != "" && l.has(l.d.code):
			l.i += len(strings.TrimSuffix(l.d.code, "$"))
			put(l.code())
		case c == '\\' && l.i+1 < len(l.s):
			l.escape(&b, shut, raw)
		default:
			l.bad = l.bad || c == '\n' && !l.d.lines && len(shut) == 1 && shut != "`"
			b.WriteByte(c)
			l.i++
		}
	}
	t := l.add(k, b.String(), from)
	if parts != nil {
		t.parts, t.text = append(parts, part{text: b.String()}), parts[0].text
	}
	return t
}

// variable is the length of a variable within a text, with its indexes; 0 for none.
func (l *lexer) variable() int {
	shut := func(n int) int {
		return strings.IndexByte(l.s[min(l.i+n, len(l.s)):min(l.i+n+200, len(l.s))], partner(l.at(n))) + 1
	}
	n := 1 + l.name(1)
	switch {
	case l.at(1) == '{':
		n = 1 + shut(1)
	case l.lang == Perl && l.at(0) == '$' && among(l.at(1), "0123456789.&"):
		n = 2
	}
	for n > 1 {
		k := n
		if l.at(k) == '-' && l.at(k+1) == '>' {
			k += 2
		}
		switch c := l.at(k); {
		case c == '{' && l.lang == Perl, c == '[' && (k > n || l.lang == PHP || among(l.at(k+1), "$-0123456789")):
			size := shut(k)
			if size == 0 {
				return n
			}
			n = k + size
		case k > n && l.lang == PHP && l.name(k) > 0:
			n = k + l.name(k)
		default:
			return n
		}
	}
	return 0
}

// escape takes a backslash and what it protects.
func (l *lexer) escape(b *strings.Builder, shut string, raw bool) {
	c := l.s[l.i+1]
	if raw && string(c) != shut && c != '\\' {
		b.WriteByte('\\')
	}
	r, wide, rest, err := strconv.UnquoteChar(l.s[l.i:], 0)
	switch {
	case c == '\n' && !raw:
		l.i += 2
	case l.lang == Lua && digit(c): // decimal
		n, size := 0, 1
		for ; size < 4 && digit(l.at(size)); size++ {
			n = n*10 + int(l.at(size)-'0')
		}
		b.WriteByte(byte(n))
		l.i += size
	case raw || err != nil:
		b.WriteByte(c)
		l.i += 2
	case wide:
		b.WriteRune(r)
		l.i = len(l.s) - len(rest)
	default:
		b.WriteByte(byte(r))
		l.i = len(l.s) - len(rest)
	}
}
