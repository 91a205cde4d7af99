// Package place says where a path lies: in the project, in the memory bank, outside, among mbgate's own files.
//
// The types are values; the one thing that looks at the disk is behind the Files interface, which package project
// implements. All paths are slash-separated on every platform.
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
	// Abs is the absolute path as asked for, cleaned, symlinks not resolved. Phys has them resolved for the deepest
	// existing ancestor.
	Abs, Phys string
	// Canon is the canonical path, relative to Base: symlinks resolved, case folded where the platform folds it, "."
	// for the root itself, "" when the path is outside the project. It is what rules and patterns are matched against.
	Canon string
	// Lex is the canonical form of the path as asked for, when that lies inside the project and differs from Canon.
	// A path is an anchor, or in the memory bank, if either form is (P3).
	Lex string
	// Via is one more form inside the project, when links lead from the path as asked for to the file by way of another
	// name of it; one in the memory bank is preferred. It is "" unless it differs from both.
	Via string
	// Shown is Canon with the spelling on disk, for messages.
	Shown string
	// Key identifies the physical file: what credits are stored under (P4). Relative to the root where it is inside,
	// else absolute.
	Key string
	// Base is the absolute folder that Canon is relative to: the root, or the linked worktree the path is in (P4).
	Base string
	Kind Kind
	// Own is set for mbgate's state folder, binary and configuration (R6), and everything in them.
	Own bool
	// HoldsOwn is set for a folder that has one of mbgate's own files below it: what removing it would take along.
	HoldsOwn bool
	// Folding is how the names above were folded; whoever compares them with a name or a pattern folds that first.
	Folding Folding
}

// Inside reports whether the path is in the project, by either of its forms.
func (p Place) Inside() bool { return p.Canon != "" || p.Lex != "" }

// Names are the canonical forms of the path, the physical first: what a rule has to be matched against.
func (p Place) Names() []string {
	var names []string
	for _, n := range [...]string{p.Canon, p.Lex, p.Via} {
		if n != "" && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

// Is reports whether one of the forms of the path is the file or folder of that name, relative to the project
// ("memory-bank/MEMORY.md"), in whatever spelling the platform takes for the same.
func (p Place) Is(name string) bool { return slices.Contains(p.Names(), Fold(name, p.Folding)) }

// Under reports whether one of the forms of the path is dir or lies below it; dir is relative to the project
// ("memory-bank", ".git").
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

// Files is what a judgement may ask about the disk. Implementations never block (a FIFO is never opened) and never run
// anything.
type Files interface {
	// Locate says where a path lies. A relative path is relative to cwd; cwd is absolute.
	Locate(cwd, path string) Place
	// Names lists the entries of a folder, sorted, for globs; false when it cannot be listed or is too large.
	Names(abs string) ([]string, bool)
	// Text is the content of a regular file of at most max bytes; false when it is larger or cannot be read.
	Text(abs string, max int) ([]byte, bool)
}
