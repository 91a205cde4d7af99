// Package place says where a path lies: in the project, in the memory bank, outside, or among mbgate's own files.
//
// It holds values and works on text alone; only an implementation of Files (package project, or placetest in tests) looks
// at the disk. It imports no other package of mbgate. All paths are slash-separated on every platform. Start with Place;
// syntax.go has the spellings of the platforms, fold.go their letter case.
//
// A path has up to eight names here. With the project in /p, where /p/docs is a symlink to /p/memory-bank and ToDo.md is
// how the file is spelled on disk, the argument "docs/x/../todo.md" on macOS is
//
//	Abs    /p/docs/todo.md          as given, made absolute and clean; symlinks as they are
//	Phys   /p/memory-bank/ToDo.md   with symlinks resolved, as far as the path exists
//	Base   /p                       the folder that Canon, Lex, Via and Shown are relative to: the root or a linked worktree
//	Canon  memory-bank/todo.md      Phys below Base, folded: what rules and patterns are matched against
//	Lex    docs/todo.md             Abs below Base, folded; "" where it is Canon
//	Via    ""                       one more name in the project that symlinks lead through, "" if it is one of the above
//	Shown  memory-bank/ToDo.md      Canon as it is spelled on disk: what messages show
//	Key    memory-bank/todo.md      the physical file: what credits are stored under
//
// Outside of the project Canon, Lex, Via, Shown and Base are empty, and Key is Phys, folded.
package place

import (
	"slices"
	"strings"
)

// Kind is what a path leads to. The zero Kind is "could not be told" (no permission, not looked at).
type Kind uint8

// What a path can lead to; symlinks are followed.
const (
	Unknown Kind = iota
	Missing
	File    // a regular file
	Folder  // a directory
	Special // FIFO, socket, device
)

// Place is one path, located (SPEC §4).
type Place struct {
	// The names of the path, as the table above has them. Canon is "." for the root itself. A path is an anchor, or in the
	// memory bank, if Canon, Lex or Via is (P3); of several ways through symlinks Via prefers one in the memory bank. Key is
	// relative to the root where the file lies below it, else absolute (P4).
	Abs, Phys, Canon, Lex, Via, Shown, Key, Base string

	Kind Kind
	// Own is set for mbgate's state folder, binary and configuration (R6), and everything in them.
	Own bool
	// HoldsOwn is set for a folder with one of mbgate's own files below it, which would go when the folder is removed.
	HoldsOwn bool
	// Folding is how these names were folded. Fold a name or a pattern the same way before you compare it with them.
	Folding Folding
}

// Inside reports whether the path is in the project, by either name.
func (p Place) Inside() bool { return p.Canon != "" || p.Lex != "" }

// Names are the names of the path in the project, the physical one first: a rule has to be matched against each.
func (p Place) Names() []string {
	var names []string
	for _, n := range [...]string{p.Canon, p.Lex, p.Via} {
		if n != "" && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

// Is reports whether the path has that name in the project ("memory-bank/MEMORY.md"), in any spelling that the platform
// takes for the same.
func (p Place) Is(name string) bool { return slices.Contains(p.Names(), Fold(name, p.Folding)) }

// Under reports whether one of the path's names is dir or lies below it; dir is relative to the project ("memory-bank",
// ".git").
func (p Place) Under(dir string) bool {
	dir = Fold(dir, p.Folding)
	for _, n := range p.Names() {
		if Under(n, dir) {
			return true
		}
	}
	return false
}

// Under reports whether the canonical path p is dir or lies below it.
func Under(p, dir string) bool {
	return p == dir || strings.HasPrefix(p, dir+"/")
}

// Files is what a decision may ask about the disk. Implementations never block (they open no FIFO) and run nothing.
type Files interface {
	// Locate says where a path lies. A relative path is relative to cwd; cwd is absolute.
	Locate(cwd, path string) Place
	// Names lists the entries of a folder, sorted, for globs; false when it cannot be listed or is too large.
	Names(abs string) ([]string, bool)
	// Text is the content of a regular file of at most max bytes; false when it is larger or cannot be read.
	Text(abs string, max int) ([]byte, bool)
}
