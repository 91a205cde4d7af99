package project

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestDocuments(t *testing.T) {
	root := t.TempDir()
	for i, file := range []string{
		"memory-bank/MEMORY.md", "packages/a/docs/adr/1.md", "packages/b/docs/adr/2.md", "packages/b/docs/adr/deep/3.md", "node_modules/x/docs/adr/4.md",
	} {
		path := filepath.Join(root, filepath.FromSlash(file))
		at := time.Unix(int64(1_700_000_000+i), 0)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	empty := filepath.Join(root, "packages/a/docs/adr/empty.md")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_ = os.Symlink("..", filepath.Join(root, "packages", "circle")) // not on every Windows
	bank := []string{"memory-bank/MEMORY.md", "memory-bank/details/patterns.md"}
	for _, c := range []struct {
		globs, fallback []string
		files           int
		newest          string
		there           []string
		none            bool
	}{
		{globs: []string{"no/such/**"}, fallback: []string{"nothing.md"}, none: true},
		{globs: []string{"no/such/**"}, fallback: bank, there: bank[:1]},
		{globs: []string{"packages/*/docs/adr/*.md"}, files: 2, newest: "packages/b/docs/adr/2.md"},
		{globs: []string{"packages/a/docs/adr/**", "packages/a/docs/**"}, files: 1, newest: "packages/a/docs/adr/1.md"},
		{globs: []string{"packages/b/**/adr/**"}, files: 2, newest: "packages/b/docs/adr/deep/3.md"},
		{globs: []string{"packages/b/docs/adr/2.md"}, files: 1, newest: "packages/b/docs/adr/2.md"},
		{globs: []string{"packages/a/docs/adr/empty.md"}, fallback: []string{"packages"}, none: true},
	} {
		disk := New(Root{Dir: filepath.ToSlash(root)}, Options{Cwd: root})
		d := disk.Documents(c.globs, c.fallback)
		if d.Files != c.files || d.Newest != c.newest || !slices.Equal(d.Fallback, c.there) || d.None() != c.none || d.More {
			t.Errorf("%q, fallback %q: %+v", c.globs, c.fallback, d)
		}
	}
	if d := New(Root{Dir: filepath.ToSlash(root)}, Options{}).Documents([]string{"**/docs/adr/*.md"}, nil); d.Files < 2 {
		t.Errorf("a glob over all: %+v", d)
	}
}
