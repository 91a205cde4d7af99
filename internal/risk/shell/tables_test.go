package shell

import (
	"sort"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/place/placetest"
)

// exampleTree is the tree in which the examples of the tables are judged. The project is /repo.
func exampleTree() *placetest.Tree {
	t := placetest.New("/repo")
	for _, f := range []string{
		"a.txt", "b.txt", "dir/x.txt", "src/a.go", "src/a.rs", "src/a.py", "src/A.java", "c.sh", "c.c", "a.sql", "a.gz",
		"a.tar", "a.zip", "package.json", "go.mod", "Cargo.toml", "pyproject.toml", "a.csv", "a.js", "a.scss", "a.dot",
		"a.png", "a.mp3", "a.pdf", "x.ipynb", ".git/config",
	} {
		t.File("/repo/"+f, "one\ntwo\nthree\n")
	}
	t.File("/repo/p.patch", "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+eins\n")
	return t.Folder("/tmp").Folder("/home/me")
}

// outcomeText is what a report says, in the words of the examples.
func outcomeText(rep Report) string {
	var parts []string
	for _, e := range rep.Effects {
		parts = append(parts, effectText(e))
	}
	for _, r := range rep.Reads {
		how := " part"
		switch {
		case r.Full:
			how = " full"
		case len(r.Spans) > 0:
			how = " lines"
		}
		parts = append(parts, "read "+r.Place.Canon+how)
	}
	for _, s := range rep.Specials {
		parts = append(parts, s.Kind)
	}
	if len(rep.Unbounded) > 0 {
		parts = append(parts, "unbounded")
	}
	if len(rep.Unknown) > 0 {
		parts = append(parts, "unknown")
	}
	if len(parts) == 0 {
		return "none"
	}
	sort.Strings(parts)
	return strings.Join(parts, "; ")
}

// TestExamples runs the examples that stand beside the rows of the tables.
func TestExamples(t *testing.T) {
	tree := exampleTree()
	count := 0
	for _, table := range tables() {
		for line := range strings.Lines(table) {
			example, ok := strings.CutPrefix(strings.TrimSpace(line), "#= ")
			if !ok || strings.Contains(example, "command => effects") {
				continue
			}
			command, want, ok := strings.Cut(example, " => ")
			if !ok {
				t.Errorf("the example %q has no =>", example)
				continue
			}
			count++
			if i := strings.LastIndex(example, " => "); i >= 0 {
				command, want = example[:i], example[i+4:]
			}
			parts := strings.Split(want, "; ")
			sort.Strings(parts)
			want = strings.Join(parts, "; ")
			got := outcomeText(Judge(command, Env{Files: tree, Cwd: "/repo", Root: "/repo", Home: "/home/me"}))
			if got != want {
				t.Errorf("#= %s => %s\n    want %s", command, got, want)
			}
		}
	}
	if count < 200 {
		t.Errorf("only %d examples were found", count)
	}
}

// TestRows parses every row, and holds that each is found by its own name and that aliases lead somewhere.
func TestRows(t *testing.T) {
	seen := map[string]bool{}
	w := &walker{env: Env{Files: exampleTree(), Root: "/repo"}}
	for _, table := range tables() {
		if !strings.HasPrefix(table, "#") {
			t.Errorf("a table begins with %.20q, not with a comment that says what it is for", table)
		}
		for line := range strings.Lines(table) {
			line = strings.TrimRight(line, "\n")
			if line == "" || line[0] == '#' {
				continue
			}
			name := strings.Fields(line)[0]
			if seen[name] {
				t.Errorf("%s has two rows", name)
			}
			seen[name] = true
			r := w.row(name)
			if r == nil {
				t.Errorf("%s is not found", name)
				continue
			}
			if r.bad != "" {
				t.Errorf("%s: %s", name, r.bad)
			}
			for _, role := range r.args {
				if !knownRole(strings.TrimSuffix(role, "*")) {
					t.Errorf("%s: unknown role %q of an operand", name, role)
				}
			}
			if r.do != "" {
				// A handler that does not exist says so.
				rep := Judge(strings.ReplaceAll(name, ":", " ")+" x y", w.env)
				if strings.Contains(strings.Join(rep.Unknown, " "), "does not exist") {
					t.Errorf("%s: no handler %q", name, r.do)
				}
			}
		}
	}
	if len(seen) < 500 {
		t.Errorf("only %d rows were found", len(seen))
	}
}

func knownRole(role string) bool {
	switch role {
	case "read", "in", "-", "write", "append", "create", "edit", "delete", "rmdir", "move", "mode", "link", "dir", "tree",
		"repo", "prefix", "base", "chdir", "shell", "command", "script", "":
		return true
	}
	return false
}
