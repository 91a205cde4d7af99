package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/agents"
)

// TestAgentsAreKnownInOnePlace: what is known of an agent stands in internal/agents. A package that spells an agent's name
// compares something with it, or is about to.
func TestAgentsAreKnownInOnePlace(t *testing.T) {
	all, err := tree(root())
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, s := range all {
		if r, ok := placeOf(s.path); !ok || r.rank >= 99 {
			continue
		}
		found := spelled(t, s)
		if s.path == "internal/agents" {
			seen = len(found)
			continue
		}
		for _, f := range found {
			t.Error(f)
		}
	}
	if seen < len(agents.All()) {
		t.Errorf("internal/agents spells only %d names", seen)
	}
}

// TestSpelled proves that spelled finds what it is for.
func TestSpelled(t *testing.T) {
	for text, want := range map[string]int{
		`var x = name == "codex"`:                            1,
		"func f() { switch n { case `claude`, \"qwen\": } }": 2,
		`var x = "codex runs no hook"`:                       0,
		`import _ "codex"`:                                   0,
		"// \"codex\"":                                       0,
	} {
		if got := spelled(t, source{"internal/wire", map[string]string{"x.go": "package x\n" + text}}); len(got) != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}

// spelled are the texts of a package that are the name of an agent.
func spelled(t *testing.T, s source) []string {
	t.Helper()
	var names, found []string
	for _, a := range agents.All() {
		names = append(append(names, a.Name()), a.Aliases...)
	}
	for name, text := range s.files {
		if strings.HasSuffix(name, "preset_table.go") {
			continue // a preset may be called like the agent whose documents it names
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if _, ok := n.(*ast.ImportSpec); ok {
				return false
			}
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			if word, err := strconv.Unquote(lit.Value); err == nil && slices.Contains(names, strings.TrimSpace(word)) {
				found = append(found, set.Position(lit.Pos()).String()+": "+lit.Value+" is the name of an agent; what is known of it belongs to internal/agents")
			}
			return true
		})
	}
	return found
}
