package anchor

import (
	"strings"
	"unicode"
	"unicode/utf16"
)

// Stated are the lines of d that a client's statement proves: it says that it showed the lines first to last, and text is
// what it showed. A line that the text contradicts is not credited (A4). cut is the number of UTF-16 units after which the
// client cuts a line, 0 for never.
func Stated(d Doc, first, last int, text string, hasText bool, cut int) Spans {
	if !hasText {
		return Of(first, last).And(d.Need)
	}
	var b builder
	n := first
	text = d.ended(text)
	for line := range strings.Lines(text) {
		if n > last {
			break
		}
		if i := d.Need.index(n); i >= 0 && same(d.Lines[i], normal(line, n == 1), cut) {
			b.add(n)
		}
		n++
	}
	// strings.Lines gives no last empty line; "a\n" may show the two lines "a" and "".
	if n <= last && strings.HasSuffix(text, "\n") {
		if i := d.Need.index(n); i >= 0 && d.Lines[i].Text == "" {
			b.add(n)
		}
	}
	return b.s
}

// Found are those of the lines want of d that are in text, the output of a command that printed them: in order, as they are
// or with a number before them. Other text does not matter; lines that are missing (a truncated output) are not credited (A4).
func Found(d Doc, want Spans, text string, cut int) Spans {
	want = want.And(d.Need)
	if len(want) == 0 || text == "" {
		return nil
	}
	var lines []Line
	var numbers []int
	for _, r := range want {
		for n := r.First; n <= r.Last; n++ {
			lines = append(lines, d.Lines[d.Need.index(n)])
			numbers = append(numbers, n)
		}
	}
	var shown [][]string
	for line := range strings.Lines(d.ended(text)) {
		shown = append(shown, forms(normal(line, len(shown) == 0)))
	}
	eq := func(i, j int) bool {
		for _, f := range shown[j] {
			if same(lines[i], f, cut) {
				return true
			}
		}
		return false
	}
	var b builder
	if at := run(len(lines), len(shown), eq); at >= 0 {
		for _, n := range numbers {
			b.add(n)
		}
		return b.s
	}
	if (len(lines)+1)*(len(shown)+1) > maxCells {
		shown = shown[:max(0, min(len(shown), maxCells/(len(lines)+1)-1))]
	}
	for _, m := range common(len(lines), len(shown), eq) {
		b.add(numbers[m[0]])
	}
	return b.s
}

// run is where all n lines stand one after the other among the m shown ones, -1 for nowhere: the common case of a command
// that printed a file.
func run(n, m int, eq func(i, j int) bool) int {
	work := 0
	for at := 0; at+n <= m; at++ {
		i := 0
		for i < n && eq(i, at+i) {
			i++
		}
		if i == n {
			return at
		}
		if work += i; work > maxCells {
			return -1
		}
	}
	return -1
}

// ended is a shown text with its lines ended as those of d are.
func (d Doc) ended(text string) string {
	if !d.LoneCR || !strings.Contains(text, "\r") {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// same compares a line of the file with a shown one. A line longer than cut counts by its shown beginning. Where the file has
// bytes that are no UTF-8, the client may have decoded them (Latin-1): then the ASCII characters tell.
func same(l Line, shown string, cut int) bool {
	if !l.Long && l.Text == shown {
		return true
	}
	if l.Invalid {
		if plain := ascii(shown); plain != shown {
			return same(Line{Text: ascii(l.Text), Long: l.Long}, plain, cut)
		}
	}
	if cut > 0 && len(l.Text) > cut {
		beginning := units(l.Text, cut)
		return beginning != l.Text && strings.HasPrefix(shown, strings.TrimRightFunc(beginning, unicode.IsSpace))
	}
	return l.Long && strings.HasPrefix(shown, l.Text)
}

// ascii are the ASCII characters of s.
func ascii(s string) string {
	return strings.TrimRightFunc(strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII {
			return -1
		}
		return r
	}, s), unicode.IsSpace)
}

// units is the beginning of s that has n UTF-16 units, which is how clients written in JavaScript count.
func units(s string, n int) string {
	for i, r := range s {
		k := utf16.RuneLen(r)
		if k < 0 {
			k = 1
		}
		if n -= k; n < 0 {
			return s[:i]
		}
	}
	return s
}

// forms are the lines of a file that a shown line may stand for: itself, and what follows a number and a mark.
func forms(s string) []string {
	t := strings.TrimLeft(s, " ")
	i := 0
	for i < len(t) && t[i] >= '0' && t[i] <= '9' {
		i++
	}
	if i == 0 || i > 9 {
		return []string{s}
	}
	rest := t[i:]
	out := []string{s}
	// What read tools and programs put between the number of a line and the line: cat -n, nl and Claude Code a tab, earlier
	// versions of it and others an arrow, grep -n, OpenCode, bat and its kind the rest. The white space at the end of the mark
	// is gone where the line is empty.
	for _, mark := range [...]string{"\t", "→", ": ", ":", " | ", "| ", "|", " │ ", "  ", " "} {
		if r, ok := strings.CutPrefix(rest, mark); ok {
			out = append(out, r)
		} else if rest == strings.TrimRight(mark, " \t") {
			out = append(out, "")
		}
	}
	if r, ok := cutHash(rest); ok {
		out = append(out, r, strings.TrimPrefix(r, " "))
	}
	return out
}

// cutHash takes away the hash of a line that stands behind its number in forks of pi ("12:a3|text") and, with # before it, in
// oh-my-openagent.
func cutHash(s string) (string, bool) {
	hash, rest, ok := strings.Cut(s, "|")
	if !ok || len(hash) < 2 || len(hash) > 9 || hash[0] != ':' && hash[0] != '#' {
		return "", false
	}
	isHash := strings.IndexFunc(hash[1:], func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) }) < 0
	return rest, isHash
}
