package script

import (
	"strconv"
	"strings"
)

// The lexer cuts a script into words, texts, numbers, operators and line ends. What a language has of its own (quotes of
// perl, here-documents, tags of php) is in its dialect, in the file of that name. The file is long because texts hold code
// that holds texts: everything that moves along the source stays together.

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

// dialect is what the lexer and the judge need to know about a language.
type dialect struct {
	comments []string // begin a comment to the end of the line
	block    [2]string
	quotes   string // begin a text without code; those in rich begin one that may hold code
	rich     string
	sigils   string // begin a word
	regex    bool
	code     string              // what begins code in a rich text, up to }
	own      func(l *lexer) bool // takes what only this language has
	joins    string              // the operator that joins texts
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
	tok               int
	mark              string
	indented, literal bool
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
func (l *lexer) within(s string, at int) []token {
	sub := &lexer{lang: l.lang, d: l.d, s: s, base: l.base + at, depth: l.depth + 1}
	if sub.depth > maxDepth {
		l.bad = true
		return nil
	}
	sub.run(0)
	l.bad = l.bad || sub.bad
	return sub.toks
}

// code lexes from here to the bracket that closes, which it takes.
func (l *lexer) code() []token {
	saved, open := l.toks, l.open
	l.toks, l.open = nil, nil
	if l.depth++; l.depth > maxDepth {
		l.bad, l.i = true, len(l.s)
	}
	l.run('}')
	l.depth--
	if l.i < len(l.s) {
		l.i++
	} else {
		l.bad = true
	}
	code := l.toks
	l.toks, l.open = saved, open
	return code
}

func (l *lexer) add(k kind, text string, from int) *token {
	glued := from > 0 && len(l.toks) > 0 && !space(l.s[from-1]) && l.s[from-1] != '\n'
	l.toks = append(l.toks, token{kind: k, text: text, pos: l.base + from, glued: glued})
	return &l.toks[len(l.toks)-1]
}

func space(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

func letter(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func (l *lexer) at(n int) byte {
	if l.i+n < len(l.s) && l.i+n >= 0 {
		return l.s[l.i+n]
	}
	return 0
}

func (l *lexer) has(prefix string) bool { return strings.HasPrefix(l.s[l.i:], prefix) }

// line is the position of the end of the line.
func (l *lexer) line() int {
	if n := strings.IndexByte(l.s[l.i:], '\n'); n >= 0 {
		return l.i + n
	}
	return len(l.s)
}

func (l *lexer) last() token {
	if len(l.toks) > 0 {
		return l.toks[len(l.toks)-1]
	}
	return token{kind: tLine}
}

// operand reports whether a value is expected here rather than an operator.
func (l *lexer) operand() bool {
	t := l.last()
	switch t.kind {
	case tWord:
		return operandAfter(t.text, l.lang)
	case tOp:
		return t.text != ")" && t.text != "]" && t.text != "}"
	case tLine:
		return true
	}
	return false
}

func operandAfter(w string, lang Lang) bool {
	switch w {
	case "x", "eq", "ne", "lt", "gt", "my", "our", "local", "keys", "values", "each", "scalar", "ref", "wantarray":
		return lang == Perl
	case "p":
		return lang == Ruby
	case "return", "if", "unless", "while", "until", "and", "or", "not", "in", "of", "typeof", "case", "when", "split", "grep", "map", "join", "print", "puts", "push", "unlink",
		"elsif", "else", "do", "then", "await", "yield", "delete", "void", "echo", "for", "foreach":
		return true
	}
	return false
}

func (l *lexer) run(stop byte) {
	for l.i < len(l.s) {
		c := l.s[l.i]
		if c == stop && stop != 0 && len(l.open) == 0 {
			return
		}
		switch {
		case c == '\n':
			l.newline()
		case space(c):
			l.i++
		case c == '\\' && l.at(1) == '\n':
			l.i += 2
		case l.comment() || l.d.own != nil && l.d.own(l):
		case strings.IndexByte(l.d.quotes, c) >= 0:
			l.i++
			l.quoted(c, c, tStr, false)
		case strings.IndexByte(l.d.rich, c) >= 0:
			l.i++
			k := tStr
			if c == '`' && l.lang != Node {
				k = tCommand
			}
			l.quoted(c, c, k, true)
		case letter(c), strings.IndexByte(l.d.sigils, c) >= 0 && letter(l.at(1)):
			l.word()
		case digit(c):
			from := l.i
			for digit(l.at(0)) || letter(l.at(0)) || l.at(0) == '.' && digit(l.at(1)) {
				l.i++
			}
			l.add(tNum, l.s[from:l.i], from)
		case c == '/' && l.d.regex && l.regexHere():
		default:
			l.operator()
		}
	}
	if len(l.open) > 0 || len(l.later) > 0 {
		l.bad = true
	}
}

func (l *lexer) word() {
	from := l.i
	l.i++
	for letter(l.at(0)) || digit(l.at(0)) || l.lang == Node && l.at(0) == '$' || l.lang == Perl && l.has("::") && letter(l.at(2)) {
		if l.at(0) == ':' {
			l.i++
		}
		l.i++
	}
	if l.lang == Ruby && (l.at(0) == '?' || l.at(0) == '!') && l.at(1) != '=' && letter(l.s[from]) && !(l.at(0) == '?' && space(l.at(1)) && l.last().text != ".") {
		l.i++
	}
	l.add(tWord, l.s[from:l.i], from)
}

func (l *lexer) newline() {
	from := l.i
	l.i++
	for _, h := range l.later {
		l.body(h)
	}
	l.later = l.later[:0]
	indent := 0
	for l.i+indent < len(l.s) && space(l.s[l.i+indent]) {
		indent++
	}
	if n := len(l.open); n > 0 && (l.lang == Python || l.toks[l.open[n-1]].text != "{") {
		return
	}
	l.add(tLine, "\n", from).indent = indent
}

// body takes the text of a here-document.
func (l *lexer) body(h heredoc) {
	from := l.i
	end := -1
	for l.i < len(l.s) && end < 0 {
		to := l.line()
		line := strings.TrimRight(l.s[l.i:to], "\r")
		if h.indented {
			line = strings.TrimLeft(line, " \t")
		}
		if rest, ok := strings.CutPrefix(line, h.mark); ok && (rest == "" || l.lang == PHP && !letter(rest[0])) {
			end = l.i
			if rest != "" { // php goes on behind the mark
				to -= len(rest)
			}
		}
		l.i = min(to+1, len(l.s))
		if end >= 0 && l.lang == PHP {
			l.i = to
		}
	}
	if end < 0 {
		l.bad = true
		end = len(l.s)
	}
	sub := &lexer{lang: l.lang, d: l.d, s: l.s[from:end], base: l.base + from, depth: l.depth + 1}
	if h.literal || sub.depth > maxDepth {
		l.toks[h.tok].text = sub.s
		return
	}
	sub.quoted(0, 0, tStr, true)
	l.toks[h.tok].text, l.toks[h.tok].parts = sub.toks[0].text, sub.toks[0].parts
}

func (l *lexer) comment() bool {
	if b := l.d.block; b[0] != "" && l.has(b[0]) {
		n := strings.Index(l.s[l.i+len(b[0]):], b[1])
		if n < 0 {
			l.bad, l.i = true, len(l.s)
			return true
		}
		l.i += len(b[0]) + n + len(b[1])
		return true
	}
	for _, c := range l.d.comments {
		if l.has(c) {
			end := l.line()
			if l.lang == PHP {
				if n := strings.Index(l.s[l.i:end], "?>"); n >= 0 {
					end = l.i + n
				}
			}
			l.i = end
			return true
		}
	}
	return false
}

// regexHere takes a regular expression, if there is one.
func (l *lexer) regexHere() bool {
	t := l.last()
	if !l.operand() && !(t.kind == tWord && l.d.bare && letter(t.text[0]) && space(l.at(-1)) && !space(l.at(1)) && l.at(1) != '=') {
		return false
	}
	class := false
	for k := l.i + 1; k < len(l.s); k++ {
		switch l.s[k] {
		case '\n':
			if l.lang != Ruby && l.lang != Perl {
				return false
			}
		case '\\':
			k++
		case '[':
			class = l.lang != Perl
		case ']':
			class = false
		case '/':
			if !class || l.lang == Ruby {
				from := l.i
				for l.i = k + 1; letter(l.at(0)); l.i++ {
				}
				l.add(tRegex, l.s[from:l.i], from)
				return true
			}
		}
	}
	return false
}

// operators of more than one byte, longest first.
const operators = "<=> === !== **= ||= &&= ??= >>> ... //= <<= >>= => -> :: ?. ?? || && == != <= >= += -= *= /= .= |= := // .. =~ !~ ~= ** ++ -- << >> "

func (l *lexer) operator() {
	from := l.i
	c := l.s[l.i]
	n := 1
	for k := 3; k > 1; k-- {
		if l.i+k <= len(l.s) && strings.Contains(operators, l.s[l.i:l.i+k]+" ") && !strings.ContainsAny(l.s[l.i:l.i+k], " \n") {
			n = k
			break
		}
	}
	if l.lang == Node && l.has("?.") && digit(l.at(2)) {
		n = 1
	}
	l.i += n
	l.add(tOp, l.s[from:l.i], from)
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
	switch c {
	case '(':
		return ')'
	case '[':
		return ']'
	case '{':
		return '}'
	case '<':
		return '>'
	}
	return c
}

// quoted takes a text up to the byte that closes it, or to the end for 0. The opening byte is taken already.
func (l *lexer) quoted(open, shut byte, k kind, rich bool) {
	from := l.i
	var b strings.Builder
	var parts []part
	put := func(code []token) {
		parts = append(parts, part{text: b.String()}, part{code: code})
		b.Reset()
	}
	nested := 0
	for {
		if l.i >= len(l.s) {
			l.bad = l.bad || shut != 0
			break
		}
		c := l.s[l.i]
		if c == shut && nested == 0 {
			l.i++
			break
		}
		if rich && l.d.code != "" && l.has(l.d.code) {
			l.i += len(l.d.code)
			if l.d.code == "{$" {
				l.i--
			}
			put(l.code())
			continue
		}
		if rich && (l.lang == Perl || l.lang == PHP) && (c == '$' || c == '@' && l.lang == Perl) {
			if n := variable(l.s[l.i:], l.lang); n > 0 {
				name := l.s[l.i : l.i+n]
				if strings.HasPrefix(name[1:], "{") && strings.HasSuffix(name, "}") {
					name = strings.TrimSuffix(name[:1]+name[2:], "}")
				}
				put(l.within(name, l.i))
				l.i += n
				continue
			}
		}
		switch {
		case c == '\\' && l.i+1 < len(l.s):
			l.escape(&b, shut, rich)
			continue
		case c == '\n' && k == tStr && open == shut && (l.lang == Python && shut != 0 || l.lang == Node && !rich || l.lang == Lua || l.lang == Awk):
			l.bad = true
		case open != shut && c == open:
			nested++
		case open != shut && c == shut:
			nested--
		}
		b.WriteByte(c)
		l.i++
	}
	t := l.add(k, b.String(), max(from-1, 0))
	if parts != nil {
		t.parts, t.text = append(parts, part{text: b.String()}), parts[0].text
	}
}

// variable is the length of a variable within a text, 0 for none.
func variable(s string, lang Lang) int {
	i := 1
	closing := func(shut byte) bool {
		n := strings.IndexByte(s[i:min(len(s), i+200)], shut)
		i += n + 1
		return n >= 0
	}
	switch {
	case len(s) > 1 && s[1] == '{':
		if n := strings.Index(s[i:min(len(s), i+200)], "]}"); s[0] == '@' && n >= 0 {
			return i + n + 2
		}
		if !closing('}') {
			return 0
		}
	case len(s) > 1 && (letter(s[1]) || s[0] == '$' && lang == Perl && strings.IndexByte("0123456789.&", s[1]) >= 0):
		for i < len(s) && (letter(s[i]) || digit(s[i]) || lang == Perl && strings.HasPrefix(s[i:], "::") && i+2 < len(s) && letter(s[i+2])) {
			if s[i] == ':' {
				i++
			}
			i++
		}
		i = max(i, 2)
	default:
		return 0
	}
	for i < len(s) {
		end := i
		switch {
		case s[i] == '[' && i+1 < len(s) && (s[i+1] == '$' || digit(s[i+1]) || lang == PHP || s[i+1] == '-'):
			if !closing(']') {
				return end
			}
		case lang == Perl && s[i] == '{':
			if !closing('}') {
				return end
			}
		case strings.HasPrefix(s[i:], "->") && i+2 < len(s) && (lang == PHP && letter(s[i+2]) || lang == Perl && (s[i+2] == '[' || s[i+2] == '{')):
			i += 2
			for lang == PHP && i < len(s) && (letter(s[i]) || digit(s[i])) {
				i++
			}
		default:
			return end
		}
	}
	return i
}

// escape takes a backslash and what it protects.
func (l *lexer) escape(b *strings.Builder, shut byte, rich bool) {
	c := l.s[l.i+1]
	l.i += 2
	if !rich && (l.lang == Perl || l.lang == Ruby || l.lang == PHP) {
		if c != shut && c != '\\' {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
		return
	}
	digits := func(most, base int) {
		from := l.i
		for l.i < len(l.s) && l.i-from < most {
			if _, err := strconv.ParseUint(l.s[l.i:l.i+1], base, 8); err != nil {
				break
			}
			l.i++
		}
		n, _ := strconv.ParseUint(l.s[from:l.i], base, 32)
		if n < 0x80 || most > 3 {
			b.WriteRune(rune(n))
		} else {
			b.WriteByte(byte(n))
		}
	}
	switch {
	case c == 'n':
		b.WriteByte('\n')
	case c == 't':
		b.WriteByte('\t')
	case c == 'r':
		b.WriteByte('\r')
	case c == 'x' || c == 'u':
		braced := l.at(0) == '{'
		if braced {
			l.i++
		}
		most := 2
		if c == 'u' {
			most = 4
		}
		if braced {
			most = 6
		}
		digits(most, 16)
		if braced && l.at(0) == '}' {
			l.i++
		}
	case digit(c) && l.lang == Lua:
		l.i--
		digits(3, 10)
	case c >= '0' && c < '8':
		l.i--
		digits(3, 8)
	case c == '\n' && l.lang != Perl:
	default:
		b.WriteByte(c)
	}
}
