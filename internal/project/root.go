// Package project knows the disk: where a project's root is, what a path leads to, what a file holds. It is the only
// package that follows symlinks and worktrees (SPEC §4). It never blocks and never runs anything, git included.
//
// It imports place and rawfile; no package below cmd imports it, since decisions ask for files through place.Files, which Disk
// implements. All paths that go in and out are slash-separated. Start with Find (this file: the root), then Disk.Locate in
// disk.go (where a path lies) and walk.go (how symlinks are followed). git.go and base.go are about worktrees, dirty.go,
// head.go and ignore.go about one question: whether the memory bank has changes that no commit holds.
package project

import (
	"cmp"
	"os"

	"github.com/mbgate/mbgate/internal/place"
)

const (
	bankName   = "memory-bank"
	configName = ".mbgate.toml"
)

// Candidates are the starting points from which the root is looked for, most trusted first (P1). Empty ones are left
// out.
type Candidates struct {
	// Flag is --root, relative to the process's folder. With it nothing else is looked at: a person chose.
	Flag string
	// Pinned is the root that the session has. It stays as long as the folder is there, even when its memory bank is gone.
	Pinned string
	// Roots are the project folders that the payload and the client's own variable name, relative to Cwd.
	Roots []string
	// Cwd is the folder that the agent works in; "" or one that is gone is replaced by the process's.
	Cwd string
	// Home is the user's home folder: outside a repository it is where the search ends, itself not searched unless it
	// is the very starting point.
	Home string
}

// Root is a project.
type Root struct {
	// Dir is the absolute physical path of the project's folder; never the topmost folder of a file system.
	Dir string
	// HasBank is set when memory-bank/ is there, a folder or a symlink to one; HasConfig when .mbgate.toml is a file.
	HasBank, HasConfig bool
	// NoConfig is set when nothing has the name .mbgate.toml, so that nobody has to look again.
	NoConfig bool

	walk *walker
}

// noRootError says that there is no folder that could be the project.
type noRootError struct {
	// Path is the folder that was asked for, "" when none could be found out.
	Path string
}

// Error implements error.
func (e *noRootError) Error() string {
	if e.Path == "" {
		return "no project folder can be found out; change to one or name it with --root"
	}
	return e.Path + " cannot be a project's root; name a folder inside the file system with --root"
}

// Find finds the root. It fails with a *noRootError when there is none: --root names no folder, or nothing but "/" is
// left.
func Find(c Candidates) (Root, error) {
	f := finder{walk: newWalker(folding)}
	if c.Home != "" {
		f.home = f.walk.follow(native().Absolute("/", c.Home), nil).phys()
	}
	if c.Flag != "" {
		return f.flag(c.Flag)
	}
	if c.Pinned != "" {
		if dir := f.folder(native().Absolute("/", c.Pinned)); dir != "" {
			return f.root(dir), nil
		}
	}
	starts, work := f.starts(c)
	for _, start := range starts {
		if dir := f.upwards(start); dir != "" {
			return f.root(dir), nil
		}
	}
	if f.git != "" {
		return f.root(f.git), nil
	}
	// No memory bank, no configuration, no repository anywhere: the folder that is worked in, or what comes next to it.
	for _, start := range append([]string{work}, starts...) {
		if dir := f.folder(start); dir != "" {
			return f.root(dir), nil
		}
	}
	return Root{}, &noRootError{}
}

// finder is one search.
type finder struct {
	walk *walker
	home string // physical
	git  string // the nearest repository, of the first starting point that lies in one
}

func (f *finder) root(dir string) Root {
	bank, config := f.walk.holds(dir)
	return Root{Dir: dir, HasBank: bank, HasConfig: config == place.File, NoConfig: config == place.Missing, walk: f.walk}
}

// flag is the root for --root.
func (f *finder) flag(dir string) (Root, error) {
	own, err := os.Getwd()
	if err != nil {
		own = "/"
	}
	start := native().Absolute(native().Clean(own), dir)
	at := f.folder(start)
	if at == "" {
		return Root{}, &noRootError{Path: dir}
	}
	if found := f.upwards(start); found != "" {
		return f.root(found), nil
	}
	if f.git != "" {
		return f.root(f.git), nil
	}
	return f.root(at), nil
}

// starts are the starting points behind the pinned root, absolute, and the one that is worked in, "" when it is gone.
func (f *finder) starts(c Candidates) (starts []string, work string) {
	own := ""
	if c.Cwd == "" || f.folder(native().Absolute("/", c.Cwd)) == "" {
		// The process's folder may be gone as well; then only what was named is left.
		if dir, err := os.Getwd(); err == nil {
			own = native().Clean(dir)
		}
	}
	cwd := own
	if c.Cwd != "" {
		cwd = native().Absolute(cmp.Or(own, "/"), c.Cwd)
	}
	for _, dir := range c.Roots {
		if dir != "" {
			starts = append(starts, native().Absolute(cmp.Or(cwd, "/"), dir))
		}
	}
	// A cwd that is gone is no place to work in, but the project that it was in may still be there.
	if cwd != "" {
		starts = append(starts, cwd)
	}
	if own != "" && own != cwd {
		starts = append(starts, own)
	}
	if f.folder(cwd) != "" {
		work = cwd
	}
	return starts, work
}

// folder is the physical path of an existing folder that may be a root, else "".
func (f *finder) folder(abs string) string {
	if abs == "" {
		return ""
	}
	if s := f.walk.follow(abs, nil); s.kind == place.Folder && len(s.ahead) == 0 && !isTop(s.at) {
		return s.at
	}
	return ""
}

// upwards is the nearest project at or above the folder start, "" for none. Physical folders first, as a process sees
// them; then those that the spelling names, where it leads through symlinks.
func (f *finder) upwards(start string) string {
	at := native().Clean(start)
	phys := f.walk.follow(start, nil).phys()
	if dir := f.search(phys, true); dir != "" || at == phys || len(at) > maxPath {
		return dir
	}
	for !isTop(at) {
		up := f.walk.follow(parent(at), nil).phys()
		if up != parent(phys) {
			if dir := f.search(up, false); dir != "" {
				return dir
			}
		}
		at, phys = parent(at), up
	}
	return ""
}

// maxPath is the longest path that systems take, in bytes.
const maxPath = 4096

// search goes upwards from a physical folder, or file, to the top of the repository that it lies in, or to the home
// folder, exclusive; a home folder where the search starts counts.
func (f *finder) search(start string, homeCounts bool) string {
	for dir := start; !isTop(dir); dir = parent(dir) {
		git, inGit := f.walk.gitAt(dir)
		if !inGit && dir == f.home && (dir != start || !homeCounts) {
			return ""
		}
		if bank, config := f.walk.holds(dir); bank || config == place.File {
			return dir
		}
		if !inGit {
			continue
		}
		if f.git == "" {
			f.git = dir
		}
		if !git.linked {
			return ""
		}
		return f.mainWorktree(git, start)
	}
	return ""
}

// mainWorktree searches the main worktree, from the folder that corresponds to start, in a linked one, upwards.
func (f *finder) mainWorktree(git checkout, start string) string {
	top := f.walk.main(git)
	if top == "" {
		return ""
	}
	for dir := place.Join(top, place.Rel(git.top, start)); ; dir = parent(dir) {
		if bank, config := f.walk.holds(dir); bank || config == place.File {
			return dir
		}
		if dir == top || isTop(dir) {
			return ""
		}
	}
}

// holds looks for what makes a folder a project: whether memory-bank is a folder, and what .mbgate.toml is. The walker
// remembers both.
func (w *walker) holds(dir string) (bank bool, config place.Kind) {
	at := func(name string) place.Kind {
		n := w.look(dir, name, 0)
		if len(n.ahead) > 0 && n.kind != place.Missing {
			return place.Unknown
		}
		return n.kind
	}
	return at(bankName) == place.Folder, at(configName)
}
