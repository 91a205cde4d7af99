package place

import (
	"slices"
	"testing"
)

func TestNames(t *testing.T) {
	for _, c := range []struct {
		p    Place
		want []string
	}{
		{Place{}, nil},
		{Place{Canon: "a"}, []string{"a"}},
		{Place{Lex: "b"}, []string{"b"}},
		{Place{Canon: "a", Lex: "a"}, []string{"a"}},
		{Place{Canon: "a", Lex: "b", Via: "c"}, []string{"a", "b", "c"}},
		{Place{Lex: "b", Via: "b"}, []string{"b"}},
	} {
		if got := c.p.Names(); !slices.Equal(got, c.want) {
			t.Errorf("%+v: names %q, want %q", c.p, got, c.want)
		}
		if c.p.Inside() != (len(c.want) > 0) {
			t.Errorf("%+v: inside is %v", c.p, c.p.Inside())
		}
	}
}

func TestUnderAndIs(t *testing.T) {
	p := Place{Canon: "docs/a.md", Lex: "memory-bank/memory.md", Folding: Folded}
	for dir, want := range map[string]bool{"docs": true, "Docs": true, "doc": false, "memory-bank": true, "memory": false} {
		if p.Under(dir) != want {
			t.Errorf("under %q: %v", dir, !want)
		}
	}
	if !p.Is("memory-bank/MEMORY.md") || !p.Is("docs/a.md") || p.Is("docs") {
		t.Error("Is does not know the file by both names")
	}
	p.Folding = Exact
	if p.Is("memory-bank/MEMORY.md") || p.Under("Docs") {
		t.Error("case folds although names are exact")
	}
	if (Place{}).Under("a") || (Place{}).Is("") {
		t.Error("a place outside has a name")
	}
}
