package render

import (
	"slices"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/place/placetest"
	"github.com/mbgate/mbgate/internal/risk"
	"github.com/mbgate/mbgate/internal/risk/reason"
)

// TestReasons holds the order and the words of the reasons for a call.
func TestReasons(t *testing.T) {
	tree := placetest.New("/home/dev/repo").Folder("/tmp")
	for _, f := range []string{"main.go", "package.json", "go.mod", "README.md", "src/a.go", "src/b.go", ".mbgate.toml", "memory-bank/details/requirements/REQ-1.md"} {
		tree.File("/home/dev/repo/"+f, "text\n")
	}
	tree.Own = []string{"/home/dev/repo/.mbgate.toml"}
	w := risk.World{Files: tree, Root: "/home/dev/repo", Home: "/home/dev", HasBank: true}
	rules := risk.Rules{Sensitive: risk.DefaultSensitive(agents.ConfigFiles(func(string) string { return "" }).Project), Safe: risk.DefaultSafe(), Unread: func(p place.Place) bool {
		return slices.Contains(p.Names(), "memory-bank/details/requirements/REQ-1.md")
	}}
	call := func(text string) event.Tool {
		f := strings.Fields(text)
		t := event.Tool{Name: f[0], Class: event.Class(f[0])}
		for _, a := range f[1:] {
			op, path, _ := strings.Cut(a, ":")
			t.Paths = append(t.Paths, event.PathArg{Path: path, Op: event.Op(op)})
		}
		return t
	}
	for text, want := range map[string]string{
		"write write:main.go":                 "writes main.go",
		"write write:nope.go":                 "creates nope.go",
		"write write:package.json":            "package.json is sensitive (manifest); writes package.json",
		"write write:src/auth/.env":           "src/auth/.env is sensitive (secrets); creates src/auth/.env",
		"delete delete:main.go":               "deletes main.go",
		"delete delete:main.go delete:go.mod": "go.mod is sensitive (manifest); deletes main.go; deletes go.mod",
		"delete delete:src/a.go delete:src/b.go delete:main.go delete:README.md": "deletes 4 files: src/a.go, src/b.go, main.go, …",
		"edit write:src/a.go write:src/b.go":                                     "changes 2 files: src/a.go, src/b.go",
		"edit write:memory-bank/details/requirements/REQ-1.md": "memory-bank/details/requirements/REQ-1.md has to be read before it is changed; " +
			"writes memory-bank/details/requirements/REQ-1.md",
		"write write:/tmp/x": "/tmp/x lies outside the project",
		"write write:.mbgate.toml": ".mbgate.toml belongs to mbgate or holds what does: only a person changes it; mbgate config prints what to put there; " +
			"writes .mbgate.toml",
		"read read:main.go": "",
	} {
		if got := strings.Join(reasons(risk.Judge(call(text), "/home/dev/repo", w, rules)), "; "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestEveryReasonHasWords holds that no kind is without a sentence of its own, and that what a call says is in it.
func TestEveryReasonHasWords(t *testing.T) {
	for k := reason.None + 1; k <= reason.PersonWord; k++ {
		s := why(reason.Reason{Kind: k, By: "prog", Object: "thing", Op: event.OpWrite})
		if s == "" || strings.Contains(s, "without words") {
			t.Errorf("kind %d: %q", k, s)
		}
		if k < reason.NoTarget && k != reason.Fault && insteadWords[k] == "" {
			t.Errorf("kind %d: nothing is named that is open in its place", k)
		}
	}
	for _, c := range []struct {
		r    reason.Reason
		want string
	}{
		{reason.Reason{Kind: reason.Redirects, Op: event.OpAppend, Object: "a.go"}, "output appended to a.go"},
		{reason.Reason{Kind: reason.Changes, By: "rm", Op: event.OpDelete, Object: "$x", Extent: reason.UnknownPath}, "rm deletes a path that is not known: $x"},
		{
			reason.Reason{Kind: reason.Changes, By: "cp", Op: event.OpWrite, Object: `"src/$x"`, Extent: reason.UnknownName, Folder: "src/", In: "bash -c"},
			`cp writes a file below src/ whose name is not known: "src/$x" (in bash -c)`,
		},
		{reason.Reason{Kind: reason.Changes, By: "tar", Op: event.OpWrite, Object: "/", Extent: reason.Everything}, "tar writes everything below /"},
		{reason.Reason{Kind: reason.Changes, By: "sed", Op: event.OpWrite, Object: "a", If: reason.IfThere}, "sed writes a, if it is there by then"},
	} {
		if got := why(c.r); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
