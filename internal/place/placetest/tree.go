// Package placetest is a place.Files over a tree in memory, for tests of packages that must not touch the disk. Only tests
// may import it. Start with New and the methods that plant files; Locate follows links as package project does, without
// worktrees.
package placetest

import (
	"path"
	"sort"
	"strings"

	"github.com/mbgate/mbgate/internal/place"
)

// Tree is a file tree in memory. The zero Tree is empty and has its root at "".
type Tree struct {
	// Root is the absolute path of the project.
	Root string
	// Fold makes paths compare without regard to case, as on macOS and Windows. Set it before files are added.
	Fold bool
	// Own are absolute paths that count as mbgate's own files, with everything below them.
	Own []string

	nodes map[string]node
	names map[string][]string // folder → names in it, unsorted
}

type node struct {
	kind    place.Kind
	text    string
	link    string // target of a symlink
	hasText bool
	name    string // spelling on disk
}

// New is a tree with the project at root, which exists as a folder.
func New(root string) *Tree {
	t := &Tree{Root: root, nodes: map[string]node{}, names: map[string][]string{}}
	t.Folder(root)
	return t
}

// File adds a regular file with its text and the folders above it. The result is the tree, for chaining.
func (t *Tree) File(abs, text string) *Tree {
	t.add(abs, node{kind: place.File, text: text, hasText: true})
	return t
}

// Opaque adds a regular file whose text cannot be read: too large, or binary.
func (t *Tree) Opaque(abs string) *Tree {
	t.add(abs, node{kind: place.File})
	return t
}

// Folder adds a folder and those above it.
func (t *Tree) Folder(abs string) *Tree {
	t.add(abs, node{kind: place.Folder})
	return t
}

// Symlink adds a symbolic link; target is absolute or relative to the link's folder.
func (t *Tree) Symlink(abs, target string) *Tree {
	t.add(abs, node{link: target})
	return t
}

// Special adds a FIFO, socket or device.
func (t *Tree) Special(abs string) *Tree {
	t.add(abs, node{kind: place.Special})
	return t
}

func (t *Tree) add(abs string, n node) {
	abs = path.Clean(abs)
	n.name = path.Base(abs)
	key := t.fold(abs)
	_, there := t.nodes[key]
	if there && n.kind == place.Folder {
		return
	}
	t.nodes[key] = n
	if abs == "/" {
		return
	}
	dir := path.Dir(abs)
	t.add(dir, node{kind: place.Folder})
	if !there {
		t.names[t.fold(dir)] = append(t.names[t.fold(dir)], path.Base(abs))
	}
}

func (t *Tree) fold(p string) string {
	if t.Fold {
		return strings.ToLower(p)
	}
	return p
}

// resolve follows symlinks in every element that exists. The kind is that of what the path leads to.
func (t *Tree) resolve(abs string, hops int) (string, place.Kind) {
	if abs == "/" {
		return "/", place.Folder
	}
	done := ""
	rest := strings.Split(strings.TrimPrefix(abs, "/"), "/")
	for i, name := range rest {
		next := done + "/" + name
		n, ok := t.nodes[t.fold(next)]
		if !ok {
			return path.Join(append([]string{"/" + done}, rest[i:]...)...), place.Missing
		}
		next = done + "/" + n.name
		if n.link == "" {
			done = next
			continue
		}
		if hops == 0 {
			return abs, place.Unknown
		}
		target := n.link
		if !strings.HasPrefix(target, "/") {
			target = done + "/" + target
		}
		return t.resolve(path.Join(append([]string{target}, rest[i+1:]...)...), hops-1)
	}
	return done, t.nodes[t.fold(done)].kind
}

// Locate implements place.Files.
func (t *Tree) Locate(cwd, p string) place.Place {
	abs := p
	if !strings.HasPrefix(p, "/") {
		abs = cwd + "/" + p
	}
	abs = path.Clean(abs)
	phys, kind := t.resolve(abs, 20)
	pl := place.Place{Abs: abs, Phys: phys, Kind: kind, Key: phys}
	if shown, ok := t.rel(phys); ok {
		pl.Shown, pl.Canon, pl.Base, pl.Key = shown, t.fold(shown), t.Root, t.fold(shown)
	}
	if lex, ok := t.rel(abs); ok && t.fold(lex) != pl.Canon {
		pl.Lex, pl.Base = t.fold(lex), t.Root
	}
	for _, own := range t.Own {
		if place.Under(t.fold(phys), t.fold(own)) || place.Under(t.fold(abs), t.fold(own)) {
			pl.Own = true
		}
	}
	return pl
}

func (t *Tree) rel(abs string) (string, bool) {
	root, p := t.fold(t.Root), t.fold(abs)
	switch {
	case p == root:
		return ".", true
	case strings.HasPrefix(p, root+"/"):
		return abs[len(t.Root)+1:], true
	}
	return "", false
}

// Names implements place.Files.
func (t *Tree) Names(abs string) ([]string, bool) {
	phys, kind := t.resolve(path.Clean(abs), 20)
	if kind != place.Folder {
		return nil, false
	}
	names := append([]string(nil), t.names[t.fold(phys)]...)
	sort.Strings(names)
	return names, true
}

// Text implements place.Files.
func (t *Tree) Text(abs string, max int) ([]byte, bool) {
	phys, _ := t.resolve(path.Clean(abs), 20)
	n := t.nodes[t.fold(phys)]
	if !n.hasText || len(n.text) > max {
		return nil, false
	}
	return []byte(n.text), true
}
