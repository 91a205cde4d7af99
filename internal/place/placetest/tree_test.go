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
	tree := &Tree{Root: "/Repo", Fold: true, nodes: map[string]node{}, names: map[string][]string{}}
	tree.File("/Repo/Src/A.go", "a\n")
	p := tree.Locate("/repo", "SRC/a.GO")
	if p.Canon != "src/a.go" || p.Shown != "Src/A.go" || p.Kind != place.File {
		t.Errorf("Locate folds to %+v", p)
	}
}
