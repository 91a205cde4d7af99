package shell

import (
	"os"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/place/placetest"
	"github.com/mbgate/mbgate/internal/risk/reason"
)

// exampleTree is the tree in which the examples of the tables are judged. The project is /repo.
func exampleTree() *placetest.Tree {
	t := placetest.New("/repo")
	for _, f := range []string{
		"a.txt", "b.txt", "dir/x.txt", "src/a.go", "src/a.rs", "src/a.py", "src/A.java", "c.sh", "c.c", "a.sql", "a.gz",
		"a.tar", "a.zip", "package.json", "go.mod", "Cargo.toml", "pyproject.toml", "a.csv", "a.js", "a.scss", "a.dot",
		"a.bz2", "a.xz", "a.lzma", "a.zst", "a.lz4", "a.Z", "prisma/schema.prisma", "a.png", "a.mp3", "a.pdf", "x.ipynb", ".git/config",
	} {
		t.File("/repo/"+f, "one\ntwo\nthree\n")
	}
	t.File("/repo/p.patch", "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+eins\n")
	return t.Folder("/tmp").Folder("/home/me")
}

func (k SpecialKind) String() string {
	return [...]string{"none", "mbgate", "agent", "interactive", "ends mbgate"}[k]
}

func isFault(r reason.Reason) bool { return r.Kind == reason.Fault }

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
		parts = append(parts, s.Kind.String())
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
	all := examples(t)
	for _, e := range all {
		parts := strings.Split(e.want, "; ")
		sort.Strings(parts)
		want := strings.Join(parts, "; ")
		got := outcomeText(Judge(e.command, Env{Files: tree, Cwd: "/repo", Root: "/repo", Home: "/home/me"}))
		if got != want {
			t.Errorf("#= %s => %s\n    want %s", e.command, got, want)
		}
	}
	if len(all) < 900 {
		t.Errorf("only %d examples were found", len(all))
	}
}

type example struct{ command, want string }

// examples are those beside the rows and those of testdata/examples.txt.
func examples(t *testing.T) (out []example) {
	more, err := os.ReadFile("testdata/examples.txt")
	if err != nil {
		t.Fatal(err)
	}
	add := func(text string) {
		i := strings.LastIndex(text, " => ")
		if i < 0 {
			t.Errorf("the example %q has no =>", text)
			return
		}
		out = append(out, example{text[:i], text[i+4:]})
	}
	for _, table := range tables() {
		for line := range strings.Lines(table) {
			text, ok := strings.CutPrefix(strings.TrimSpace(line), "#= ")
			if ok && !strings.Contains(text, "command => effects") {
				add(text)
			}
		}
	}
	for line := range strings.Lines(string(more)) {
		if !strings.HasPrefix(line, "#") {
			add(strings.TrimSuffix(line, "\n"))
		}
	}
	return out
}

// TestRowsHaveExamples holds that every row is run by an example. Rows that say only that a program has subcommands, and
// other names of a program need none.
func TestRowsHaveExamples(t *testing.T) {
	used := map[string]bool{}
	tree := exampleTree()
	for _, e := range examples(t) {
		w := &walker{env: Env{Files: tree, Cwd: "/repo", Root: "/repo", Home: "/home/me"}, budget: 1000}
		w.tty, w.out = &content{}, &content{}
		st := newShell(w.env)
		st.fds = fdTable{{n: 0, in: w.tty}, {n: 1, out: w.out}}
		w.judge(st, e.command)
		for name, r := range w.rows {
			if r != nil {
				used[r.name], used[name] = true, true
			}
		}
	}
	for _, table := range tables() {
		for line := range strings.Lines(table) {
			words := strings.Fields(line)
			if len(words) < 2 || line[0] == '#' || words[1] == "=" && words[2] != "nothing" || strings.Contains(line, "do=agent") {
				continue
			}
			if r := parseRow(strings.TrimSuffix(line, "\n")); !r.sub && !used[words[0]] {
				t.Errorf("no example runs the row %s", r.name)
			}
		}
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
				if slices.ContainsFunc(rep.Unknown, isFault) {
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
		"repo", "prefix", "base", "chdir", "shell", "command", "line", "script", "guess", "pathspec", "program", "image", "service", "linked", "ssh", "":
		return true
	}
	return false
}
