package project

import (
	"os"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/mbgate/mbgate/internal/place"
)

// Documents says which documents a compaction in the project could require (SPEC §16).
type Documents struct {
	// Files is how many files with content the anchor globs match, Newest the one that was changed last. With More there may
	// be others, since only a bounded part of the project was looked at.
	Files  int
	More   bool
	Newest string
	// Fallback are the fallbacks that can be required, Fallbacks is how many are configured.
	Fallback  []string
	Fallbacks int
}

// None reports whether a compaction could require nothing at all.
func (d Documents) None() bool { return d.Files == 0 && !d.More && len(d.Fallback) == 0 }

// Bounds of the search for documents, so that a glob like **/*.md is answered in a large project too.
const (
	maxDocumentEntries = 20_000
	maxDocumentDepth   = 32
)

// Documents looks for what the globs match and which fallbacks are there, in the context's worktree.
func (d *Disk) Documents(anchors, fallback []string) Documents {
	s := documentSearch{Disk: d, left: maxDocumentEntries, seen: map[string]bool{}}
	s.Fallbacks = len(fallback)
	for _, path := range fallback {
		if is := d.Stat(d.Anchor(path)); is.Kind == place.File && is.Readable && is.Size > 0 {
			s.Fallback = append(s.Fallback, path)
		}
	}
	for _, glob := range anchors {
		base, rest := doublestar.SplitPattern(glob)
		depth := strings.Count(rest, "/") + 1
		if strings.Contains(rest, "**") {
			depth = maxDocumentDepth
		}
		s.folders = map[[2]uint64]bool{}
		s.search(d.Anchor(base).Phys, strings.TrimPrefix(base+"/", "./"), d.fold(glob), depth)
	}
	return s.Documents
}

// documentSearch is a search for documents on its way.
type documentSearch struct {
	*Disk
	Documents
	left   int // entries that may still be looked at
	newest int64
	seen   map[string]bool
	// folders are those that the present glob was looked for in, so that symlinks in a circle end.
	folders map[[2]uint64]bool
}

// search looks below the folder dir, whose files have canonical names that begin with prefix.
func (s *documentSearch) search(dir, prefix, glob string, depth int) {
	list, ok := s.walk.list(dir)
	if info, err := os.Stat(local(dir)); !ok && err == nil && info.IsDir() {
		s.More = true // it cannot be read, or has too many entries
	}
	for _, name := range list {
		if s.left--; s.left < 0 {
			s.More = true
			return
		}
		path := child(dir, name)
		info, err := os.Stat(local(path))
		switch {
		case err != nil:
		case info.IsDir():
			inode, device := version(info)
			id := [2]uint64{inode, device}
			if depth <= 1 || name == ".git" || name == "node_modules" || inode != 0 && s.folders[id] {
				continue
			}
			s.folders[id] = true
			s.search(s.walk.follow(path, nil).phys(), prefix+name+"/", glob, depth-1)
		case info.Mode().IsRegular() && info.Size() > 0:
			if ok, err := doublestar.Match(glob, s.fold(prefix+name)); !ok || err != nil || s.seen[prefix+name] {
				continue
			}
			s.seen[prefix+name] = true
			s.Files++
			if mod := info.ModTime().UnixNano(); s.Newest == "" || mod > s.newest {
				s.Newest, s.newest = prefix+name, mod
			}
		}
	}
}
