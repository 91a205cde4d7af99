package place

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func TestFoldSame(t *testing.T) {
	for _, c := range []struct{ a, b string }{
		{"memory-bank/MEMORY.md", "Memory-Bank/memory.MD"},
		{"caf\u00e9.md", "cafe\u0301.md"},
		{"CAFE\u0301.md", "caf\u00e9.md"},
		{"\u212bngstr\u00f6m", "\u00e5NGSTRO\u0308M"}, // the Ångström sign
		{"\u03a3\u03c3\u03c2", "\u03c3\u03a3\u03a3"},
		{"J\u030c", "\u01f0"},
		{"\u1e9e", "\u00df"},
		{"\u212a", "k"},
		{"\u1fb3", "\u1fbc"},
		{"\uac00", "\u1100\u1161"},
		{"ДОКИ/файл", "доки/ФАЙЛ"},
	} {
		if Fold(c.a, Folded) != Fold(c.b, Folded) {
			t.Errorf("%q and %q fold to %q and %q", c.a, c.b, Fold(c.a, Folded), Fold(c.b, Folded))
		}
		if Fold(c.a, Exact) != c.a || Fold(c.b, Exact) != c.b {
			t.Errorf("%q or %q changed where names are exact", c.a, c.b)
		}
	}
}

func TestFoldDifferent(t *testing.T) {
	for _, c := range []struct{ a, b string }{
		{"cafe", "caf\u00e9"},
		{"a/b", "a-b"},
		{"\xff", "\xfe"},
		{"\xff", "\ufffd"},
		{"\u0130", "i"}, // the Turkish I with a dot has no simple folding
		{"stra\u00dfe", "strasse"},
	} {
		if Fold(c.a, Folded) == Fold(c.b, Folded) {
			t.Errorf("%q and %q both fold to %q", c.a, c.b, Fold(c.a, Folded))
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"MEMORY.md", "e\u0301", "\u0345", "X\u0345\u0308", "\u0399\u0345", "J\u030c\u0323", "\xff\u0301", "\u0130", "\u1100\u1161\u11a8", "a/B\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := Fold(s, Folded)
		if again := Fold(once, Folded); again != once {
			t.Fatalf("Fold(%q) = %q, again %q", s, once, again)
		}
		if strings.Count(s, "/") != strings.Count(once, "/") {
			t.Fatalf("Fold(%q) = %q has other slashes", s, once)
		}
		if utf8.ValidString(s) {
			if d := Fold(norm.NFD.String(s), Folded); d != once {
				t.Fatalf("Fold(%q) = %q, of its NFD %q", s, once, d)
			}
		}
		ascii := strings.Map(func(r rune) rune { return r & 0x7f }, s)
		if Fold(ascii, Folded) != strings.ToLower(ascii) {
			t.Fatalf("Fold(%q) = %q", ascii, Fold(ascii, Folded))
		}
	})
}
