package placetest

import (
	"testing"

	"github.com/mbgate/mbgate/internal/place"
)

var _ place.Files = (*Tree)(nil)

func TestLocate(t *testing.T) {
	tree := New("/repo").File("/repo/src/A.go", "a\n").Symlink("/repo/link", "src").Symlink("/tmp/in", "/repo/src").
		Symlink("/repo/out", "/tmp").Symlink("/repo/loop", "loop")
	for _, tt := range []struct {
		cwd, path, canon, lex string
		kind                  place.Kind
	}{
		{"/repo", "src/A.go", "src/A.go", "", place.File},
		{"/repo/src", "../src/./A.go", "src/A.go", "", place.File},
		{"/repo", "link/A.go", "src/A.go", "link/A.go", place.File},
		{"/repo", "link/new/x", "src/new/x", "link/new/x", place.Missing},
		{"/tmp", "in/A.go", "src/A.go", "", place.File},
		{"/repo", "out/x", "", "out/x", place.Missing},
		{"/repo", "/etc/passwd", "", "", place.Missing},
		{"/repo", ".", ".", "", place.Folder},
		{"/repo", "loop/x", "loop/x", "", place.Unknown},
	} {
		p := tree.Locate(tt.cwd, tt.path)
		if p.Canon != tt.canon || p.Lex != tt.lex || p.Kind != tt.kind {
			t.Errorf("Locate(%q, %q) = canon %q lex %q kind %d, want %q %q %d", tt.cwd, tt.path, p.Canon, p.Lex, p.Kind, tt.canon, tt.lex, tt.kind)
		}
	}
}

func TestFold(t *testing.T) {
	tree := New("/Repo")
	tree.Fold = true
	tree.File("/Repo/Src/A.go", "a\n")
	p := tree.Locate("/repo", "SRC/a.GO")
	if p.Canon != "src/a.go" || p.Shown != "Src/A.go" || p.Kind != place.File {
		t.Errorf("Locate folds to %+v", p)
	}
}

func TestNamesAndText(t *testing.T) {
	tree := New("/repo").File("/repo/b/y", "text").File("/repo/b/x", "").Opaque("/repo/blob").Symlink("/repo/l", "b/y").Special("/repo/fifo")
	if names, ok := tree.Names("/repo/b"); !ok || len(names) != 2 || names[0] != "x" {
		t.Errorf("Names = %v, %v", names, ok)
	}
	if _, ok := tree.Names("/repo/blob"); ok {
		t.Error("a file has names")
	}
	if b, ok := tree.Text("/repo/l", 4); !ok || string(b) != "text" {
		t.Errorf("Text through a link = %q, %v", b, ok)
	}
	for _, p := range []string{"/repo/blob", "/repo/b", "/repo/none", "/repo/fifo"} {
		if _, ok := tree.Text(p, 100); ok {
			t.Errorf("%s has a text", p)
		}
	}
	if _, ok := tree.Text("/repo/b/y", 3); ok {
		t.Error("a text longer than asked for was given")
	}
	tree.Own = []string{"/repo/b"}
	if !tree.Locate("/repo", "b/x").Own || tree.Locate("/repo", "blob").Own {
		t.Error("own files are told wrongly")
	}
	if p := tree.Locate("/repo", "fifo"); p.Kind != place.Special {
		t.Errorf("a FIFO is %d", p.Kind)
	}
}
