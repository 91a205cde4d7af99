package shell

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/mbgate/mbgate/internal/risk/script"
)

// rewrite is one substitution of a filter: sed s/A/B/, perl s/A/B/, awk gsub(/A/, "B").
type rewrite struct {
	match *regexp.Regexp
	with  string
	all   bool // every match of a line, not only the first
}

// maxRewrites bounds the substitutions of one script that are tried on a file.
const maxRewrites = 16

// rewrites finds the substitutions of a script, as far as their patterns can be told in Go's syntax. The others are
// left out: what they change is not known, and the read stays what the script was judged to show.
func rewrites(lang script.Lang, text string, extended bool) []rewrite {
	var out []rewrite
	p := substParser{s: text}
	for len(out) < maxRewrites && p.next(lang) {
		if p.keep || strings.Contains(p.flags, "e") {
			continue
		}
		pattern, ok := p.pattern, true
		if lang != script.Perl {
			pattern, ok = goPattern(pattern, extended || lang == script.Awk)
		}
		if strings.ContainsAny(p.flags, "iI") {
			pattern = "(?i)" + pattern
		}
		if re, err := regexp.Compile(pattern); ok && err == nil {
			out = append(out, rewrite{re, p.with, strings.Contains(p.flags, "g")})
		}
	}
	return out
}

// loses reports whether some line of the text does not reach the output with all its words: something matches that is
// neither blank nor, whatever its case, part of what is put in its place.
func (r rewrite) loses(text string) bool {
	with := strings.ToLower(r.with)
	n := 1
	if r.all {
		n = -1
	}
	for line := range strings.Lines(text) {
		for _, m := range r.match.FindAllString(strings.TrimSuffix(line, "\n"), n) {
			if strings.TrimSpace(m) != "" && !strings.Contains(with, strings.ToLower(m)) {
				return true
			}
		}
	}
	return false
}

// rewritten takes back that a file is shown in full where a substitution of the script changes some line of it: the file
// is looked at, up to maxText bytes.
func (w *walker) rewritten(reads []Read, list []rewrite) []Read {
	for i := range reads {
		r := &reads[i]
		if !r.Full || r.Verbatim {
			continue
		}
		b, ok := w.env.Files.Text(r.Place.Abs, maxText)
		for _, rw := range list {
			if ok && r.Full && rw.loses(string(b)) {
				r.Full, r.Spans = false, nil
			}
		}
	}
	return reads
}

// substParser steps through the substitutions of a script.
type substParser struct {
	s       string
	i       int
	pattern string
	with    string
	flags   string
	keep    bool // what is put in its place holds the match, or part of it: nothing is known to be lost
}

func (p *substParser) next(lang script.Lang) bool {
	for p.i < len(p.s) {
		if lang == script.Awk {
			if p.awkSub() {
				return true
			}
			continue
		}
		c := p.s[p.i]
		p.i++
		// A command begins a script, or stands behind a blank, a separator, a brace or an address.
		if c != 's' || p.i >= len(p.s) || p.i > 1 && !strings.ContainsRune(" \t\n;{}0123456789$,/!", rune(p.s[p.i-2])) {
			continue
		}
		d := p.s[p.i]
		if d >= 'a' && d <= 'z' || d >= 'A' && d <= 'Z' || d >= '0' && d <= '9' || strings.IndexByte(" \t\n;_=(\\&$", d) >= 0 {
			continue
		}
		if p.substitution(d) {
			return true
		}
	}
	return false
}

// substitution reads `/A/B/flags` at p.i, where the delimiter is d.
func (p *substParser) substitution(d byte) bool {
	start := p.i
	var parts [2]string
	at := start + 1
	end := d
	if j := strings.IndexByte("{([<", d); j >= 0 { // perl s{A}{B}
		end = "})]>"[j]
	}
	for n := range parts {
		if n == 1 && end != d {
			for at < len(p.s) && p.s[at] != d {
				at++
			}
			at++
		}
		from := at
		for at < len(p.s) && p.s[at] != end {
			if p.s[at] == '\\' {
				at++
			}
			at++
		}
		if at >= len(p.s) {
			return false
		}
		parts[n] = p.s[from:at]
		at++
	}
	if strings.IndexByte("/|+*.?^(){}[]", end) < 0 {
		parts[0] = strings.ReplaceAll(parts[0], "\\"+string(end), string(end))
	} else if end == '/' {
		parts[0] = strings.ReplaceAll(parts[0], `\/`, "/")
	} else if strings.Contains(parts[0], "\\"+string(end)) {
		p.keep = true // the delimiter itself in the pattern: what it means depends on the dialect
	}
	from := at
	for at < len(p.s) && strings.IndexByte("gGiIpmMsxeor0123456789", p.s[at]) >= 0 {
		at++
	}
	p.pattern, p.with, p.flags, p.i = parts[0], parts[1], p.s[from:at], at
	p.keep = keepsMatch(p.with)
	return true
}

// awkSub reads gsub(/A/, "B") or sub(…) on a whole line from p.i on.
func (p *substParser) awkSub() bool {
	i := strings.Index(p.s[p.i:], "sub(/")
	if i < 0 {
		p.i = len(p.s)
		return false
	}
	all := p.i+i > 0 && p.s[p.i+i-1] == 'g'
	p.i += i + len("sub(/")
	at := p.i
	for at < len(p.s) && p.s[at] != '/' {
		if p.s[at] == '\\' {
			at++
		}
		at++
	}
	if at >= len(p.s) {
		return false
	}
	pattern := strings.ReplaceAll(p.s[p.i:at], `\/`, "/")
	rest := strings.TrimLeft(p.s[at+1:], ", \t")
	if !strings.HasPrefix(rest, `"`) {
		return false
	}
	with, rest, ok := strings.Cut(rest[1:], `"`)
	if !ok || !strings.HasPrefix(strings.TrimLeft(rest, " \t"), ")") || strings.Contains(with, `\`) {
		return false
	}
	p.i = at + 1
	p.pattern, p.with, p.flags, p.keep = pattern, with, "", keepsMatch(with)
	if all {
		p.flags = "g"
	}
	return true
}

// keepsMatch reports whether a replacement refers to what was matched.
func keepsMatch(with string) bool { return strings.ContainsAny(with, "&\\$") }

// goPattern writes a POSIX regular expression, basic or extended, with the common GNU extensions, in Go's syntax. It
// returns false for what Go cannot say, such as back references.
func goPattern(s string, extended bool) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '[':
			end := bracketEnd(s, i)
			if end < 0 {
				return "", false
			}
			b.WriteString(strings.ReplaceAll(s[i:end], `\`, `\\`))
			i = end - 1
		case c == '\\' && i+1 < len(s):
			i++
			switch c := s[i]; {
			case c >= '1' && c <= '9', c == '`', c == '\'', c >= 'a' && c <= 'z' && strings.IndexByte("bswnt", c) < 0,
				c >= 'A' && c <= 'Z' && strings.IndexByte("BSW", c) < 0:
				return "", false
			case c == '<', c == '>':
				b.WriteString(`\b`)
			case !extended && strings.IndexByte("(){}|+?", c) >= 0:
				b.WriteByte(c)
			case c >= 'A':
				b.WriteString("\\" + string(c))
			default:
				b.WriteString(regexp.QuoteMeta(string(c)))
			}
		case c == '*' && (i == 0 || !extended && strings.HasSuffix(s[:i], `\(`)):
			b.WriteString(`\*`)
		case !extended && strings.IndexByte("(){}|+?", c) >= 0,
			!extended && c == '^' && i > 0 && !strings.HasSuffix(s[:i], `\(`) && !strings.HasSuffix(s[:i], `\|`),
			!extended && c == '$' && i+1 < len(s) && s[i+1] != '\\':
			b.WriteString("\\" + string(c))
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), true
}

// bracketEnd is the index behind a bracket expression that starts at i, -1 if it does not end.
func bracketEnd(s string, i int) int {
	i++
	if i < len(s) && s[i] == '^' {
		i++
	}
	if i < len(s) && s[i] == ']' {
		i++
	}
	for ; i < len(s); i++ {
		if s[i] == ']' {
			return i + 1
		}
		if s[i] == '[' && i+1 < len(s) && s[i+1] == ':' {
			if n := strings.Index(s[i:], ":]"); n > 0 {
				i += n + 1
			}
		}
	}
	return -1
}

// tr changes or deletes characters of its input: a file of which that takes more than blanks, or the case, is not shown
// in full.
func (c *cmd) tr() {
	in := c.w.stdinOf(c.st)
	reads := changed(in.reads)
	from, to := "", ""
	if len(c.rest) > 0 {
		from = trSet(c.rest[0].s)
	}
	if len(c.rest) > 1 && !c.has("d", "delete") {
		to = trSet(c.rest[1].s)
	}
	switch {
	case c.has("c", "C", "complement"):
		reads = filtered(reads)
	case c.has("s", "squeeze-repeats") && len(c.rest) == 1: // only what is doubled goes
	default:
		for i := range reads {
			b, ok := c.w.env.Files.Text(reads[i].Place.Abs, maxText)
			if ok && trLoses(string(b), []rune(from), []rune(to)) {
				reads[i].Full, reads[i].Spans = false, nil
			}
		}
	}
	c.w.emit(c.st, 1, anyText, reads)
}

func trLoses(text string, from, to []rune) bool {
	for i, r := range from {
		if unicode.IsSpace(r) || !strings.ContainsRune(text, r) {
			continue
		}
		if len(to) == 0 || unicode.ToLower(to[min(i, len(to)-1)]) != unicode.ToLower(r) {
			return true
		}
	}
	return false
}

// trSet writes out a set of tr: ranges, classes of letters and the usual escapes.
func trSet(s string) string {
	s = strings.NewReplacer("[:lower:]", "a-z", "[:upper:]", "A-Z", "[:digit:]", "0-9", "[:alpha:]", "A-Za-z", "[:space:]", " \t\n\r",
		"[:blank:]", " \t", "[:alnum:]", "A-Za-z0-9", "[:punct:]", "!-/:-@[-`{-~", `\n`, "\n", `\t`, "\t", `\r`, "\r", `\\`, `\`).Replace(s)
	rs := []rune(s)
	var b strings.Builder
	for i := 0; i < len(rs); i++ {
		if i+2 < len(rs) && rs[i+1] == '-' && rs[i+2] >= rs[i] && rs[i+2]-rs[i] < 256 {
			for r := rs[i]; r <= rs[i+2]; r++ {
				b.WriteRune(r)
			}
			i += 2
			continue
		}
		b.WriteRune(rs[i])
	}
	return b.String()
}
