package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/place"
)

// grow makes a tree in a new folder and gives its physical path. Every entry is "folder/", "file", "file=text" or
// "link -> target"; a target that begins with "@/" is relative to the tree's top.
func grow(t testing.TB, entries ...string) string {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	top = filepath.ToSlash(top)
	plant(t, top, entries...)
	return top
}

// plant adds entries to a tree.
func plant(t testing.TB, top string, entries ...string) {
	t.Helper()
	for _, e := range entries {
		name, target, isLink := strings.Cut(e, " -> ")
		name, text, _ := strings.Cut(name, "=")
		path := top + "/" + name
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		switch {
		case isLink:
			must(t, os.Symlink(strings.Replace(target, "@/", top+"/", 1), path))
		case strings.HasSuffix(e, "/"):
			must(t, os.MkdirAll(path, 0o755))
		default:
			must(t, os.WriteFile(path, []byte(strings.ReplaceAll(text, "@/", top+"/")), 0o644))
		}
	}
}

// worktree lays out by hand what git worktree add would: name is its folder in the repository at main, top the
// worktree's. Both are relative to the tree.
func worktree(t testing.TB, tree, main, name, top string) {
	t.Helper()
	plant(t, tree,
		main+"/.git/HEAD=ref: refs/heads/main\n",
		main+"/.git/worktrees/"+name+"/commondir=../..\n",
		main+"/.git/worktrees/"+name+"/HEAD=ref: refs/heads/"+name+"\n",
		main+"/.git/worktrees/"+name+"/gitdir=@/"+top+"/.git\n",
		top+"/.git=gitdir: @/"+main+"/.git/worktrees/"+name+"\n",
	)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func find(t testing.TB, c Candidates) Root {
	t.Helper()
	r, err := Find(c)
	if err != nil {
		t.Fatalf("Find(%+v): %v", c, err)
	}
	return r
}

// at is the disk as seen from the root at dir, for somebody who works in cwd.
func at(dir, cwd string) *Disk { return New(Root{Dir: dir}, Options{Cwd: cwd}) }

func kindName(k place.Kind) string {
	return [...]string{"unknown", "missing", "file", "folder", "special"}[k]
}

// mainWorktree is the topmost folder of the main worktree of a root's repository.
func mainWorktree(r Root) string {
	g := r.checkout()
	if !g.linked {
		return g.top
	}
	return r.walker().main(g)
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
