package project

import (
	"testing"

	"github.com/mbgate/mbgate/internal/place"
)

// BenchmarkEvent is what one hook asks of the disk: the root, the base, one file of the project and one anchor.
func BenchmarkEvent(b *testing.B) {
	top := grow(b, "p/memory-bank/details/progress.md", "p/.git/HEAD", "p/internal/a/b/c.go", "h/.local/state/mbgate/")
	for b.Loop() {
		r, err := Find(Candidates{Pinned: top + "/p", Home: top + "/h"})
		if err != nil {
			b.Fatal(err)
		}
		d := New(r, Options{Cwd: top + "/p", Home: top + "/h", Own: []string{top + "/h/.local/state/mbgate", top + "/h/.config/mbgate", top + "/p/.mbgate.toml"}})
		if d.Locate(top+"/p", "internal/a/b/c.go").Canon == "" || d.Stat(d.Anchor("memory-bank/details/progress.md")).Size != 0 {
			b.Fatal("not located")
		}
	}
}

// BenchmarkLocateAgain is one more path of the same event.
func BenchmarkLocateAgain(b *testing.B) {
	top := grow(b, "p/internal/a/b/c.go")
	d := at(top+"/p", top+"/p")
	for b.Loop() {
		if d.Locate(top+"/p", "internal/a/b/c.go").Kind != place.File {
			b.Fatal("not located")
		}
	}
}

// BenchmarkFind is a search upwards from five folders deep, for a session that is not pinned.
func BenchmarkFind(b *testing.B) {
	top := grow(b, "p/memory-bank/", "p/.git/HEAD", "p/a/b/c/d/e/")
	for b.Loop() {
		if _, err := Find(Candidates{Cwd: top + "/p/a/b/c/d/e", Home: top}); err != nil {
			b.Fatal(err)
		}
	}
}
