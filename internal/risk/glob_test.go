package risk

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
)

// match is doublestar.Match, only faster.
func TestMatchIsDoublestar(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	elems := []string{"a", "ab", "b", ".env", "a.go", "*", "**", "*.go", "a*", "a*b", "*a*", ".github", "{a,b}", "[ab]", "?", "aa"}
	pick := func(n int, plain bool) string {
		var parts []string
		for range 1 + r.IntN(n) {
			e := elems[r.IntN(len(elems))]
			if plain && strings.ContainsAny(e, "*{[?") {
				e = "ab"
			}
			parts = append(parts, e)
		}
		return strings.Join(parts, "/")
	}
	globs := DefaultSensitive(agentFiles(noEnv).Project)
	for range 100000 {
		glob, name := pick(4, false), pick(4, true)
		if r.IntN(4) == 0 {
			glob = globs[r.IntN(len(globs))]
			name += "/" + strings.NewReplacer("**/", "", "/**", "/x", "*", "y").Replace(glob)
		}
		if got, want := match(glob, name), doublestar.MatchUnvalidated(glob, name); got != want {
			t.Fatalf("match(%q, %q) = %v, doublestar says %v", glob, name, got, want)
		}
	}
}

// A set finds what its globs find one by one, without regard to case.
func TestGlobSet(t *testing.T) {
	list := append(DefaultSensitive(agentFiles(noEnv).Project), "Secret*/**", "x", "vendor/**", "**/a[bc]/*")
	set := newGlobSet(list)
	r := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		name := strings.NewReplacer("**/", "", "/**", "/File", "*", "Y").Replace(list[r.IntN(len(list))])
		for range r.IntN(3) {
			name = []string{"src", "Auth", "x", "go.mod", "ab"}[r.IntN(5)] + "/" + name
		}
		want := -1
		for i, g := range list {
			if doublestar.MatchUnvalidated(strings.ToLower(g), strings.ToLower(name)) {
				want = i
				break
			}
		}
		if got := set.find(name); got != want {
			t.Fatalf("find(%q) = %d, want %d", name, got, want)
		}
	}
}

func TestDefaultGlobs(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range append(append(DefaultSensitive(agentFiles(noEnv).Project), DefaultSafe()...), strings.Fields(agentFiles(noEnv).Home)...) {
		if !doublestar.ValidatePattern(g) {
			t.Errorf("%q is no valid glob", g)
		}
		if g != strings.ToLower(g) {
			t.Errorf("%q is not in lower case", g)
		}
		if seen[g] {
			t.Errorf("%q is listed twice", g)
		}
		seen[g] = true
	}
}

func BenchmarkSensitive(b *testing.B) {
	names := make([]string, 300)
	for i := range names {
		names[i] = fmt.Sprintf("internal/some/package/file%d.go", i)
	}
	for _, n := range []int{1, 300} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				set := newGlobSet(DefaultSensitive(agentFiles(noEnv).Project))
				for _, name := range names[:n] {
					set.find(name)
				}
			}
		})
	}
}
