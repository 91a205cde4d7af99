package anchor

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/mbgate/mbgate/internal/place"
)

func doc(t testing.TB, text string, budget int) Doc {
	t.Helper()
	d, err := Scan(strings.NewReader(text), int64(len(text)), budget, false)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "this is line number %d\n", i+1)
	}
	return b.String()
}

func TestScanCountsLines(t *testing.T) {
	for text, want := range map[string]int{
		"":               0,
		"\n":             1,
		"a":              1,
		"a\n":            1,
		"a\nb":           2,
		"a\r\nb\r\n":     2,
		"\ufeffa\n\n\nb": 4,
	} {
		if d := doc(t, text, 60000); d.Total != want || d.Need.Count() != want {
			t.Errorf("%q: %d lines, %d needed, want %d", text, d.Total, d.Need.Count(), want)
		}
	}
	if d := doc(t, "text\x00binary", 60000); !d.Binary {
		t.Error("a NUL byte does not make a file binary")
	}
}

// TestScanOfLargeFiles holds the scan of a file above the budget against a scan of all of it.
func TestScanOfLargeFiles(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		var b strings.Builder
		for range 1 + r.IntN(60) {
			b.WriteString(strings.Repeat("x", r.IntN(40)))
			b.WriteByte('\n')
		}
		if r.IntN(2) == 0 {
			b.WriteString("no newline at the end")
		}
		text := b.String()
		all := doc(t, text, len(text))
		budget := 2 + r.IntN(max(1, len(text)-2))
		if budget >= len(text) {
			continue
		}
		d := doc(t, text, budget)
		if d.Total != all.Total {
			t.Fatalf("%q, budget %d: %d lines, want %d", text, budget, d.Total, all.Total)
		}
		if len(d.Lines) != d.Need.Count() {
			t.Fatalf("%q, budget %d: %d lines kept of %d needed (%v)", text, budget, len(d.Lines), d.Need.Count(), d.Need)
		}
		if !d.Need.has(1) {
			t.Fatalf("%q, budget %d: the first line is not required", text, budget)
		}
		for i := range d.Lines {
			n := d.Need.line(i)
			if !d.Lines[i].Long && d.Lines[i].Sum != all.Lines[n-1].Sum {
				t.Fatalf("%q, budget %d: line %d differs", text, budget, n)
			}
			if d.Need.index(n) != i {
				t.Fatalf("index(line(%d)) is %d", i, d.Need.index(n))
			}
		}
	}
}

// meter counts the bytes that are read of an endless file.
type meter struct{ read int64 }

func (m *meter) ReadAt(b []byte, _ int64) (int, error) {
	m.read += int64(len(b))
	for i := range b {
		b[i] = "0123456789abcde\n"[i%16]
	}
	return len(b), nil
}

// TestScanIsBounded: a document of any size costs a hook no more than one whose lines are counted.
func TestScanIsBounded(t *testing.T) {
	for _, size := range []int64{61_000, 16 << 20, 17 << 20, 2 << 30, 1 << 40} {
		for _, loneCR := range []bool{false, true} {
			m := &meter{}
			d, err := Scan(m, size, 60_000, loneCR)
			if err != nil || m.read > 18<<20 {
				t.Errorf("%d bytes: %d were read, %v", size, m.read, err)
			}
			if !d.Part() || d.Need.Count() < 3000 || d.Need.Count() > 3752 || len(d.Lines) != d.Need.Count() || d.Total < int(size/32) {
				t.Errorf("%d bytes: %v of %d lines, %d kept", size, d.Need, d.Total, len(d.Lines))
			}
		}
	}
}

func TestSpansAgainstSets(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	random := func() (Spans, map[int]bool) {
		var s Spans
		set := map[int]bool{}
		for range r.IntN(5) {
			first := 1 + r.IntN(30)
			last := first + r.IntN(6) - 1
			s = s.Union(Of(first, last))
			for n := first; n <= last; n++ {
				set[n] = true
			}
		}
		return s, set
	}
	for range 2000 {
		a, as := random()
		b, bs := random()
		for n := range 45 {
			if got, want := a.Union(b).has(n), as[n] || bs[n]; got != want {
				t.Fatalf("%v ∪ %v has %d: %v", a, b, n, got)
			}
			if got, want := a.Minus(b).has(n), as[n] && !bs[n]; got != want {
				t.Fatalf("%v − %v has %d: %v", a, b, n, got)
			}
			if got, want := a.And(b).has(n), as[n] && bs[n]; got != want {
				t.Fatalf("%v ∩ %v has %d: %v", a, b, n, got)
			}
		}
		if a.Count() != len(as) {
			t.Fatalf("%v counts %d, want %d", a, a.Count(), len(as))
		}
	}
}

func TestFound(t *testing.T) {
	text := numbered(50)
	rows := strings.SplitAfter(text, "\n")
	d := doc(t, text, 60000)
	number := func(format string) string {
		var b strings.Builder
		for i, l := range rows[:50] {
			fmt.Fprintf(&b, format+"%s", i+1, l)
		}
		return b.String()
	}
	for _, c := range []struct {
		name, out string
		want      Spans
		got       Spans
	}{
		{"all of it", text, Of(1, 50), Of(1, 50)},
		{"without the last newline", strings.TrimSuffix(text, "\n"), Of(1, 50), Of(1, 50)},
		{"with CRLF", strings.ReplaceAll(text, "\n", "\r\n"), Of(1, 50), Of(1, 50)},
		{"cat -n", number("%6d\t"), Of(1, 50), Of(1, 50)},
		{"a client's numbers", number("%d: "), Of(1, 50), Of(1, 50)},
		{"arrows", number("%5d→"), Of(1, 50), Of(1, 50)},
		{"nothing", "", Of(1, 50), nil},
		{"something else", "total 5\nREADME.md\n", Of(1, 50), nil},
		{"a range", strings.Join(rows[9:20], ""), Of(10, 20), Of(10, 20)},
		{"only what was asked for", text, Of(10, 20), Of(10, 20)},
		{"cut in the middle", strings.Join(rows[:10], "") + "... 30 lines truncated ...\n" + strings.Join(rows[40:50], ""), Of(1, 50), Of(1, 10).Union(Of(41, 50))},
		{"among other output", "# other\nthis is line number 49\n" + text + "bye\n", Of(1, 50), Of(1, 50)},
	} {
		if got := Found(d, c.want, c.out, 0); !slices.Equal(got, c.got) {
			t.Errorf("%s: credited %v, want %v", c.name, got, c.got)
		}
	}
}

func TestFoundNeedsEveryRepeatedLine(t *testing.T) {
	d := doc(t, strings.Repeat("same\n", 180), 60000)
	if got := Found(d, Of(1, 20), strings.Repeat("same\n", 20), 0); got.Count() != 20 {
		t.Errorf("20 equal lines credit %v", got)
	}
	if got := Found(d, Of(1, 180), strings.Repeat("same\n", 20), 0); got.Count() != 20 {
		t.Errorf("20 of 180 equal lines credit %d", got.Count())
	}
}

func TestStated(t *testing.T) {
	d := doc(t, "one\ntwo\nthree\n\nfive\n", 60000)
	for _, c := range []struct {
		name        string
		first, last int
		text        string
		has         bool
		want        Spans
	}{
		{"all", 1, 5, "one\ntwo\nthree\n\nfive\n", true, Of(1, 5)},
		{"a range", 2, 3, "two\nthree", true, Of(2, 3)},
		{"ending in an empty line", 3, 4, "three\n", true, Of(3, 4)},
		{"contradicted", 1, 3, "one\nTWO\nthree", true, Of(1, 1).Union(Of(3, 3))},
		{"text of another file", 1, 5, "a\nb\nc\nd\ne\n", true, nil},
		{"more claimed than shown", 1, 5, "one\n", true, Of(1, 1)},
		{"offset beyond the end", 9, 8, "", true, nil},
		{"no text", 2, 4, "", false, Of(2, 4)},
		{"no text, beyond the end", 4, 900, "", false, Of(4, 5)},
	} {
		if got := Stated(d, c.first, c.last, c.text, c.has, 0); !slices.Equal(got, c.want) {
			t.Errorf("%s: credited %v, want %v", c.name, got, c.want)
		}
	}
}

func TestLongLinesCountByTheirBeginning(t *testing.T) {
	long := strings.Repeat("wörd😀 ", 700)
	d := doc(t, "a\n"+long+"\n", 60000)
	cut := units(long, 2000)
	shown := "a\n" + cut + "... (line truncated to 2000 chars)"
	if got := Stated(d, 1, 2, shown, true, 2000); got.Count() != 2 {
		t.Errorf("a cut line is not credited by its beginning: %v", got)
	}
	if got := Stated(d, 1, 2, shown, true, 0); got.Count() != 1 {
		t.Errorf("a client that cuts nothing is credited a cut line: %v", got)
	}
	if got := Stated(d, 1, 2, "a\n"+cut[:40], true, 2000); got.Count() != 1 {
		t.Errorf("40 bytes of a long line are credited: %v", got)
	}
}

func TestInvalidBytesAreIgnored(t *testing.T) {
	d := doc(t, "caf\xe9 noir\n\ufeffplain\n", 60000)
	if got := Found(d, d.Need, "caf\ufffd noir\n\ufeffplain\n", 0); got.Count() != 2 {
		t.Errorf("credited %v", got)
	}
}

// TestCarry changes files at random: no changed line keeps its credit, every unchanged one outside the changed part does.
func TestCarry(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		n := 1 + r.IntN(40)
		old := make([]string, n)
		for i := range old {
			old[i] = fmt.Sprintf("line %d", r.IntN(20))
		}
		d := doc(t, strings.Join(old, "\n")+"\n", 60000)
		c := Fresh(d, Stamp{Mod: 1})
		shown := map[int]bool{}
		for i := range n {
			if r.IntN(3) > 0 {
				c = c.Show(Of(i+1, i+1), time.Time{})
				shown[i] = true
			}
		}
		at, gone := r.IntN(n+1), 0
		if at < n {
			gone = r.IntN(n - at)
		}
		var added []string
		for range r.IntN(4) {
			added = append(added, fmt.Sprintf("new %d", r.IntN(1000)))
		}
		now := slices.Concat(old[:at], added, old[at+gone:])
		nd := doc(t, strings.Join(now, "\n"), 60000)
		if len(now) == 0 {
			continue
		}
		got := c.Carry(nd, Stamp{Mod: 2})
		for i, l := range now {
			if strings.HasPrefix(l, "new") && got.Got.has(i+1) {
				t.Fatalf("the added line %d keeps a credit: %q → %q", i+1, old, now)
			}
		}
		if len(added) == 0 && gone == 0 && !slices.Equal(got.Got, c.Got) {
			t.Fatalf("an unchanged file changes its credit: %v → %v", c.Got, got.Got)
		}
		for i := range at {
			if shown[i] && !got.Got.has(i+1) {
				t.Fatalf("line %d before the change lost its credit: %q → %q", i+1, old, now)
			}
		}
	}
}

func TestChooseFillsTheBudget(t *testing.T) {
	sizes := map[string]int64{"a": 50000, "b": 20000, "c": 100, "huge": 1 << 30}
	size := func(p string) (int64, bool) { n, ok := sizes[p]; return n, ok }
	for _, c := range []struct {
		list, required, also []string
	}{
		{[]string{"a", "b", "c"}, []string{"a"}, []string{"b", "c"}},
		{[]string{"c", "a", "b"}, []string{"c", "a"}, []string{"b"}},
		{[]string{"gone", "c"}, []string{"c"}, nil},
		{[]string{"huge", "c"}, []string{"huge"}, []string{"c"}},
		{[]string{"gone"}, nil, nil},
	} {
		got := Choose(c.list, 60000, size)
		if !slices.Equal(got.Required, c.required) || !slices.Equal(got.Also, c.also) {
			t.Errorf("%v: %v", c.list, got)
		}
	}
}

func TestLRU(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var list []Entry
	for i := range 7 {
		list = Touch(list, fmt.Sprint(i), now.Add(time.Duration(i)*time.Hour))
	}
	list = Touch(list, "4", now.Add(7*time.Hour))
	var got []string
	for _, e := range list {
		got = append(got, e.Path)
	}
	if want := []string{"4", "6", "5", "3", "2"}; !slices.Equal(got, want) {
		t.Errorf("tracked %v, want %v", got, want)
	}
	if k := Kept(list, now.Add(100*time.Hour)); len(k) != keptWhenFaded || k[0].Path != "4" {
		t.Errorf("after days %v is left", k)
	}
	if k := Kept(list, now.Add(8*time.Hour)); len(k) != 5 {
		t.Errorf("after an hour %v is left", k)
	}
}

func TestMatchByEitherForm(t *testing.T) {
	globs := []string{"memory-bank/details/requirements/**", "memory-bank/details/progress.md"}
	for _, c := range []struct {
		p    place.Place
		want string
	}{
		{place.Place{Canon: "memory-bank/details/requirements/a/b.md"}, "memory-bank/details/requirements/a/b.md"},
		{place.Place{Canon: "docs/r.md", Lex: "memory-bank/details/requirements/r.md"}, "memory-bank/details/requirements/r.md"},
		{place.Place{Canon: "memory-bank/details/progress.md", Lex: "p.md"}, "memory-bank/details/progress.md"},
		{place.Place{Canon: "src/memory-bank/details/progress.md"}, ""},
		{place.Place{}, ""},
	} {
		if got := Match(globs, c.p); got != c.want {
			t.Errorf("%+v: %q, want %q", c.p, got, c.want)
		}
	}
}

// FuzzFound: whatever the output is, only lines that are asked for are credited, and an output that holds the whole file
// after it credits all of it.
func FuzzFound(f *testing.F) {
	f.Add("a\nb\n\nc\n", "x\na\nb\n", 1, 3)
	f.Add("1: a\n1: a\n", "1: 1: a\n", 2, 2)
	f.Fuzz(func(t *testing.T, file, out string, first, last int) {
		if len(file) > 2000 || len(out) > 2000 {
			return
		}
		d := doc(t, file, 60000)
		if d.Binary {
			return
		}
		want := Of(first, min(last, 5000))
		if got := Found(d, want, out, 0); len(got.Minus(want.And(d.Need))) > 0 {
			t.Errorf("credited %v of %v", got, want)
		}
		if got := Found(d, d.Need, out+"\n"+file, 0); !slices.Equal(got, d.Need) {
			t.Errorf("a shown file credits %v of %v", got, d.Need)
		}
	})
}

// TestShownInEachWay has a document with what clients change when they show it, and the ways in which they show it (A4).
func TestShownInEachWay(t *testing.T) {
	const file = "\ufeff# Caf\xe9  \r\n\ntrailing \t \nna\xefve \xa0\nplain\n"
	lines := []string{"# Café", "", "trailing", "naïve", "plain"}
	d := doc(t, file, 60000)
	each := func(format string) string {
		var b strings.Builder
		for i, l := range lines {
			b.WriteString(strings.ReplaceAll(strings.ReplaceAll(format, "%d", fmt.Sprint(i+1)), "%s", l) + "\n")
		}
		return b.String()
	}
	for _, format := range []string{
		"%s", "%s   ", "%s\r", "%d\t%s", "    %d\t%s", "%d→%s", "%d: %s", "%d:%s", "0000%d| %s", "%d|%s", "%d | %s", "%d:a3|%s", "%d#VK|%s", "%d#VK| %s",
	} {
		text := each(format)
		for what, shown := range map[string]string{
			"decoded": text, "replaced": strings.NewReplacer("é", "\ufffd", "ï", "\ufffd").Replace(text), "dropped": strings.NewReplacer("é", "", "ï", "").Replace(text),
		} {
			if got := Found(d, d.Need, shown, 0); got.Count() != 5 {
				t.Errorf("%q, %s: credited %v", format, what, got)
			}
		}
		if got := Found(d, d.Need, strings.Replace(text, "plain", "plane", 1), 0); got.Count() != 4 {
			t.Errorf("%q with another last line: credited %v", format, got)
		}
	}
	if got := Found(d, d.Need, "# Cafés\n\ntrailing\nnaïf\nplain\n", 0); !slices.Equal(got, Of(2, 3).Union(Of(5, 5))) {
		t.Errorf("other words with accents: credited %v", got)
	}
	if got := Found(doc(t, "Café\n", 60000), Of(1, 1), "Caf\n", 0); got.Count() != 0 {
		t.Errorf("a letter of a file in UTF-8 may be missing: credited %v", got)
	}
	if got := Stated(d, 1, 5, strings.Join(lines, "\n"), true, 0); got.Count() != 5 {
		t.Errorf("stated: credited %v", got)
	}
}

// TestLoneCarriageReturns holds the lines of a client that ends them there against those of the same text with newlines.
func TestLoneCarriageReturns(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		var b strings.Builder
		for i := range 1 + r.IntN(60) {
			fmt.Fprintf(&b, "line %d%s", i, []string{"\n", "\r", "\r\n", "\r\r", "\r\r\n"}[r.IntN(5)])
		}
		text, budget := b.String(), 20+r.IntN(b.Len())
		plain := strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
		d, err := Scan(strings.NewReader(text), int64(len(text)), budget, true)
		if err != nil {
			t.Fatal(err)
		}
		if want := doc(t, plain, len(plain)).Total; d.Total != want || len(d.Lines) != d.Need.Count() {
			t.Fatalf("%q, budget %d: %d lines, %d kept, want %d", text, budget, d.Total, len(d.Lines), want)
		}
		for _, shown := range []string{text, plain} {
			if got := Found(d, d.Need, shown, 0); got.Count() != d.Need.Count() {
				t.Fatalf("%q, budget %d, shown %q: credited %v of %v", text, budget, shown, got, d.Need)
			}
			if got := Stated(d, 1, d.Total, shown, true, 0); got.Count() != d.Need.Count() {
				t.Fatalf("%q, budget %d, stated with %q: credited %v of %v", text, budget, shown, got, d.Need)
			}
		}
	}
}

// TestUTF16 holds a document in UTF-16 against the same one in UTF-8.
func TestUTF16(t *testing.T) {
	const text = "# Café\nline 😀 two\n\nend\n"
	encode := func(text string, order binary.AppendByteOrder) string {
		var b []byte
		for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
			b = order.AppendUint16(b, u)
		}
		return string(b)
	}
	want := doc(t, text, 60000)
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		file := encode(text, order)
		d := doc(t, file, 60000)
		if d.Binary || d.Size != int64(len(file)) || d.Total != want.Total || !slices.Equal(d.Lines, want.Lines) {
			t.Errorf("%v: %+v, want the lines of %+v", order, d, want)
		}
		if d := doc(t, encode(numbered(100), order), 200); d.Total != 100 || !d.Part() {
			t.Errorf("%v: %d of %d lines needed of a long document", order, d.Need.Count(), d.Total)
		}
		ascii := encode("one\ntwo\n", order)
		if got := Found(doc(t, ascii, 60000), Of(1, 2), ascii, 0); got.Count() != 2 {
			t.Errorf("%v, as cat shows it: credited %v", order, got)
		}
		if !doc(t, encode("a\x00b", order), 60000).Binary {
			t.Errorf("%v: NUL characters are text", order)
		}
	}
	if !doc(t, "\xff\xfe\x00\x00a\x00\x00\x00", 60000).Binary {
		t.Error("UTF-32 is text")
	}
}
