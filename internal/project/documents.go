package project

import (
	"cmp"
	"os"
	"slices"
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
	// Fallback are the fallbacks that can be required.
	Fallback []string
}

// None reports whether a compaction could require nothing at all.
func (d Documents) None() bool { return d.Files == 0 && !d.More && len(d.Fallback) == 0 }

// Bounds of the search for documents, so that a glob like **/*.md is answered in a large project too.
const (
	maxDocumentEntries = 20_000
	maxDocumentDepth   = 32
)

// maxFallback is how many fallback documents a recovery asks for at most (A3).
const maxFallback = 5

// Documents looks for what the globs match and which fallbacks are there, in the context's worktree.
func (d *Disk) Documents(anchors, fallback []string) Documents {
	out := Documents{Fallback: d.Fallback(fallback)}
	out.Fallback = slices.DeleteFunc(out.Fallback, func(path string) bool { return !d.Stat(d.Anchor(path)).Readable })
	files, more := d.Matching(anchors...)
	out.Files, out.More = len(files), more
	if len(files) > 0 {
		out.Newest = files[0]
	}
	return out
}

// Fallback are the documents that the patterns of the fallback name now, five at most: of each pattern the newest, then of
// each the next. Files that are missing or empty are left out.
func (d *Disk) Fallback(patterns []string) []string {
	found := make([][]string, len(patterns))
	for i, p := range patterns {
		if strings.ContainsAny(p, `*?[{\`) {
			found[i], _ = d.Matching(p)
		} else if is := d.Stat(d.Anchor(p)); is.Kind == place.File && (is.Size > 0 || !is.Readable) {
			found[i] = []string{p}
		}
	}
	var out []string
	for n := range maxFallback {
		for _, files := range found {
			if n < len(files) && len(out) < maxFallback && !slices.Contains(out, files[n]) {
				out = append(out, files[n])
			}
		}
	}
	return out
}

// Matching are the files with content that the globs match, newest first. With more there may be others, since only a
// bounded part of the project was looked at.
func (d *Disk) Matching(globs ...string) (files []string, more bool) {
	s := documentSearch{Disk: d, left: maxDocumentEntries, seen: map[string]bool{}}
	for _, glob := range globs {
		base, rest := doublestar.SplitPattern(glob)
		depth := strings.Count(rest, "/") + 1
		if strings.Contains(rest, "**") {
			depth = maxDocumentDepth
		}
		s.folders = map[[2]uint64]bool{}
		s.search(d.Anchor(base).Phys, strings.TrimPrefix(base+"/", "./"), d.fold(glob), depth)
	}
	slices.SortStableFunc(s.files, func(a, b dated) int { return cmp.Compare(b.mod, a.mod) })
	for _, f := range s.files {
		files = append(files, f.path)
	}
	return files, s.more
}

// dated is a file and when it was changed, in nanoseconds.
type dated struct {
	path string
	mod  int64
}

// documentSearch is a search for documents on its way.
type documentSearch struct {
	*Disk
	files []dated
	more  bool
	left  int // entries that may still be looked at
	seen  map[string]bool
	// folders are those that the present glob was looked for in, so that symlinks in a circle end.
	folders map[[2]uint64]bool
}

// search looks below the folder dir, whose files have canonical names that begin with prefix.
func (s *documentSearch) search(dir, prefix, glob string, depth int) {
	list, ok := s.walk.list(dir)
	if info, err := os.Stat(local(dir)); !ok && err == nil && info.IsDir() {
		s.more = true // it cannot be read, or has too many entries
	}
	for _, name := range list {
		if s.left--; s.left < 0 {
			s.more = true
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
			s.files = append(s.files, dated{prefix + name, info.ModTime().UnixNano()})
		}
	}
}
