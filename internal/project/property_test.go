//go:build unix

package project

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/place"
)

// wild is a random tree of folders, files and symlinks to anywhere in it, with names that occur again and again so that
// paths lead somewhere.
type wild struct {
	top string
	rnd *rand.Rand
}

var wildNames = []string{"a", "b", "c", "memory-bank", "é", "x y"}

func (w wild) name() string { return wildNames[w.rnd.IntN(len(wildNames))] }

// path is a random path of a few names, some of them dots.
func (w wild) path() string {
	parts := make([]string, 1+w.rnd.IntN(5))
	for i := range parts {
		switch w.rnd.IntN(8) {
		case 0:
			parts[i] = ".."
		case 1:
			parts[i] = [...]string{".", ""}[w.rnd.IntN(2)]
		default:
			parts[i] = w.name()
		}
	}
	return strings.Join(parts, "/")
}

func (w wild) grow() {
	for range 30 {
		dir := filepath.Clean(w.top + "/" + strings.ReplaceAll(w.path(), "..", "c"))
		path := dir + "/" + w.name()
		// Each of these may fail, where something else is in the way.
		switch w.rnd.IntN(5) {
		case 0:
			_ = os.MkdirAll(path, 0o755)
		case 1:
			_ = os.MkdirAll(dir, 0o755)
			_ = os.WriteFile(path, nil, 0o600)
		case 2:
			_ = os.MkdirAll(dir, 0o755)
			_ = os.Symlink(w.top+"/"+w.path(), path)
		default:
			_ = os.MkdirAll(dir, 0o755)
			_ = os.Symlink(strings.TrimLeft(w.path(), "/")+"/.", path)
			_ = os.Symlink(strings.TrimLeft(w.path(), "/"), path)
		}
	}
}

// TestSameFileSameKey holds Locate against the kernel: in random trees, two paths have the same key if and only if they
// lead to the same file; a path that leads nowhere is located where writing to it creates the file; a canonical path
// leads back to where it came from.
func TestSameFileSameKey(t *testing.T) {
	var same, different, created, loops, insides int
	for seed := range uint64(150) {
		top := grow(t, "root/")
		w := wild{top: top, rnd: rand.New(rand.NewPCG(seed, 1))}
		w.grow()
		root := top
		if dir, err := filepath.EvalSymlinks(top + "/" + w.name()); err == nil {
			if info, err := os.Stat(dir); err == nil && info.IsDir() && strings.HasPrefix(dir, top+"/") {
				root = dir
			}
		}
		d := at(root, root)
		type seen struct {
			path  string
			place place.Place
			info  os.FileInfo
		}
		var all []seen
		for range 60 {
			path := top + "/" + w.path()
			p := d.Locate("/", path)
			info, err := os.Stat(path)
			if err == nil {
				all = append(all, seen{path, p, info})
				if phys, err := filepath.EvalSymlinks(path); err != nil || phys != p.Phys {
					t.Fatalf("seed %d: %s is %s, not %s (%v)", seed, path, phys, p.Phys, err)
				}
				if want := kindOf(info.Mode()); p.Kind != want {
					t.Fatalf("seed %d: %s is a %s", seed, path, kindName(p.Kind))
				}
			} else if p.Kind == place.Unknown && strings.Contains(err.Error(), "too many levels") {
				loops++
			} else if p.Kind == place.Special {
				t.Fatalf("seed %d: %s is special", seed, path)
			}
			if p.Canon != "" {
				insides++
				q := d.Locate(p.Base, p.Canon)
				fresh := at(root, root).Locate("/", place.Join(p.Base, p.Canon))
				if q.Key != p.Key || fresh.Key != p.Key || q.Canon != p.Canon {
					t.Fatalf("seed %d: %s is %q (key %q), located again %q (key %q, afresh %q)", seed, path, p.Canon, p.Key, q.Canon, q.Key, fresh.Key)
				}
			}
		}
		for i, a := range all {
			for _, b := range all[:i] {
				is := os.SameFile(a.info, b.info)
				if is != (a.place.Key == b.place.Key) {
					t.Fatalf("seed %d: %s has key %q, %s has key %q; same file: %v", seed, a.path, a.place.Key, b.path, b.place.Key, is)
				}
				if is && (a.place.Canon != b.place.Canon || a.place.Canon != "" && a.place.Base != b.place.Base) {
					t.Fatalf("seed %d: %s is %q, %s is %q", seed, a.path, a.place.Canon, b.path, b.place.Canon)
				}
				if is && a.path != b.path {
					same++
				} else if !is {
					different++
				}
			}
		}
		for range 20 {
			path := top + "/" + w.path()
			p := at(root, root).Locate("/", path)
			if p.Kind != place.Missing || os.WriteFile(path, nil, 0o600) != nil {
				continue
			}
			created++
			if info, err := os.Lstat(p.Phys); err != nil || !info.Mode().IsRegular() {
				t.Fatalf("seed %d: %s was to create %s: %v", seed, path, p.Phys, err)
			}
		}
	}
	// The trees are only a test if they have something of everything.
	if min(same, different, created, loops, insides) < 50 {
		t.Errorf("%d same, %d different, %d created, %d loops, %d inside", same, different, created, loops, insides)
	}
}

// FuzzLocate holds the walk against the kernel on one tree that has every kind of link.
func FuzzLocate(f *testing.F) {
	top := grow(f, "p/memory-bank/details/r.md", "p/src/a.go", "p/up -> ..", "p/self -> self", "p/l -> src/a.go", "p/d -> memory-bank/details", "p/new -> nothing", "x/y/z", "p/src/out -> @/x/y", "x/y/in -> ../../p/memory-bank")
	for _, s := range []string{"src/a.go", "up/p/l", "d/../x", "self/a", "new/../new/q", "src/out/in/details/r.md", "src/out/../y/z/..", "l/..", "/", "a\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		d := at(top+"/p", top+"/p")
		p := d.Locate(top+"/p", path)
		abs := path
		if !strings.HasPrefix(path, "/") {
			abs = top + "/p/" + path
		}
		if !strings.HasPrefix(p.Abs, "/") || p.Abs != native().Clean(p.Abs) || p.Phys != native().Clean(p.Phys) {
			t.Fatalf("%q: %+v", path, p)
		}
		if info, err := os.Stat(abs); err == nil && strings.HasPrefix(p.Phys, top) {
			phys, err := os.Stat(p.Phys)
			if err != nil || !os.SameFile(info, phys) {
				t.Fatalf("%q is not %s: %v", path, p.Phys, err)
			}
		} else if errors.Is(err, os.ErrNotExist) && p.Kind != place.Missing && !strings.Contains(path, "..") {
			t.Fatalf("%q: %v, but %s", path, err, fmt.Sprint(kindName(p.Kind)))
		}
		if p.Canon != "" {
			if q := d.Locate(p.Base, "./"+p.Canon); q.Key != p.Key {
				t.Fatalf("%q: key %q, again %q", path, p.Key, q.Key)
			}
		}
	})
}
