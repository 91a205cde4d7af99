package project

import (
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/place"
)

const (
	// maxLinks is how many symlinks one path may lead through, as on Linux.
	maxLinks = 40
	// maxNames is how many entries of a folder are looked at.
	maxNames = 10_000
)

// walker follows paths through symlinks as the kernel does, also to what does not exist yet, and remembers every entry
// that it looked at: the paths of one call share most of their folders. It lives as long as one event.
type walker struct {
	folding  place.Folding
	nodes    map[string]node
	listings map[string][]string
	// spelled are the folders, folded, below which names are given the spelling on disk.
	spelled []string
}

// node is one entry of a folder. Of a symlink it is what the link leads to.
type node struct {
	spot
	link bool
	// links is how many symlinks were followed, this one included.
	links int
	// broken is a symlink that leads in a circle, through too many others, or cannot be read.
	broken bool
	busy   bool
}

// spot is where a path leads: to the existing entry at, of a kind, and from there to names that are not there (yet).
// With names ahead, kind is that of the first of them: Missing, or Unknown when it may be there.
type spot struct {
	at    string
	ahead []string
	kind  place.Kind
}

// phys is the whole physical path.
func (s spot) phys() string {
	if len(s.ahead) == 0 {
		return s.at
	}
	return child(s.at, strings.Join(s.ahead, "/"))
}

// form is the path as it was spelled when the walk met a symlink: in the physical folder dir, the names rest were left.
type form struct{ dir, rest string }

func newWalker(folding place.Folding) *walker {
	return &walker{folding: folding, nodes: make(map[string]node, 64)}
}

// follow walks an absolute path, clean or not. Each symlink met on the way is reported to met, which may be nil.
func (w *walker) follow(abs string, met func(form)) spot {
	s, _, _ := w.walk(abs, 0, met)
	return s
}

// walk also counts the links. It fails on a broken one when it is itself following a link (depth > 0); the path asked
// for goes on by name behind it.
func (w *walker) walk(abs string, depth int, met func(form)) (s spot, links int, ok bool) {
	vol := native().Volume(abs)
	s = spot{at: abs[:vol] + "/", kind: place.Folder}
	kind := place.Folder // of s.at; s.kind is that of what is ahead
	for left := abs[vol:]; left != ""; {
		from := left
		name, tail, _ := strings.Cut(left, "/")
		left = tail
		switch {
		case name == "" || name == ".":
			continue
		case name == ".." && len(s.ahead) > 0:
			s.ahead = s.ahead[:len(s.ahead)-1]
			if len(s.ahead) == 0 {
				s.kind = kind
			}
			continue
		case name == "..":
			s.at, s.kind, kind = parent(s.at), place.Folder, place.Folder
			continue
		case len(s.ahead) > 0:
			s.ahead = append(s.ahead, name)
			continue
		}
		n := w.look(s.at, name, depth)
		if n.link && met != nil {
			met(form{dir: s.at, rest: from})
		}
		if n.broken && depth > 0 {
			return s, links, false
		}
		links += n.links
		s.at, s.kind = n.at, n.kind
		if s.ahead = slices.Clone(n.ahead); len(s.ahead) == 0 {
			kind = n.kind
		} else {
			kind = place.Folder
		}
	}
	return s, links, true
}

// look is one entry of the physical folder dir.
func (w *walker) look(dir, name string, depth int) node {
	name = w.spell(dir, fullName(dir, name))
	path := child(dir, name)
	if n, known := w.nodes[path]; known {
		if n.busy {
			return node{spot: spot{at: dir, ahead: []string{name}}, link: true, broken: true}
		}
		return n
	}
	kind, link, err := lstat(path)
	n := node{spot: spot{at: path, kind: kind}, link: link}
	switch {
	case isMissing(err):
		n.spot = spot{at: dir, ahead: []string{name}, kind: place.Missing}
	case err != nil:
		n.spot = spot{at: dir, ahead: []string{name}, kind: place.Unknown}
	case link && magic(dir):
		n = node{spot: spot{at: path, kind: place.Special}}
	case link:
		w.nodes[path] = node{busy: true}
		n = w.target(dir, path, depth)
		if n.broken {
			// Whether a link is broken may depend on where the walk began, so that is not remembered.
			delete(w.nodes, path)
			n.spot = spot{at: dir, ahead: []string{name}, kind: place.Unknown}
			return n
		}
	}
	w.nodes[path] = n
	return n
}

// target is what the symlink at path, in the folder dir, leads to.
func (w *walker) target(dir, path string, depth int) node {
	to, err := os.Readlink(path)
	if err != nil || to == "" || depth >= maxLinks {
		return node{link: true, broken: true}
	}
	s, links, ok := w.walk(native().Absolute(dir, to), depth+1, nil)
	if !ok || links >= maxLinks {
		return node{link: true, broken: true}
	}
	return node{spot: s, link: true, links: links + 1}
}

// magic reports whether dir holds links that name the open files of a process: they lead somewhere else for each
// process that follows them.
func magic(dir string) bool {
	return runtime.GOOS == "linux" && strings.HasPrefix(dir, "/proc/") && strings.HasSuffix(dir, "/fd")
}

// lstat says what there is at a path.
func lstat(path string) (kind place.Kind, link bool, err error) {
	info, err := os.Lstat(local(path))
	if err != nil {
		return place.Unknown, false, err
	}
	return kindOf(info.Mode()), isLink(path, info.Mode()), nil
}

func kindOf(m fs.FileMode) place.Kind {
	switch {
	case m.IsRegular():
		return place.File
	case m.IsDir():
		return place.Folder
	}
	return place.Special
}

// spell is the name that an entry of dir has on disk. Only where names fold, and only in the project: what lies
// elsewhere is compared folded and never shown.
func (w *walker) spell(dir, name string) string {
	if w.folding == place.Exact || !w.isSpelled(dir) {
		return name
	}
	names, ok := w.list(dir)
	if !ok {
		return name
	}
	if _, exact := slices.BinarySearch(names, name); exact {
		return name
	}
	folded := place.Fold(name, w.folding)
	for _, n := range names {
		if place.Fold(n, w.folding) == folded {
			return n
		}
	}
	return name
}

func (w *walker) isSpelled(dir string) bool {
	if len(w.spelled) == 0 {
		return false
	}
	dir = place.Fold(dir, w.folding)
	return slices.ContainsFunc(w.spelled, func(base string) bool { return within(base, dir) })
}

// list is the sorted entries of a folder; false when they cannot be listed or are too many.
func (w *walker) list(dir string) ([]string, bool) {
	if names, known := w.listings[dir]; known {
		return names, names != nil
	}
	found, ok := names(local(dir), maxNames)
	if w.listings == nil {
		w.listings = map[string][]string{}
	}
	slices.Sort(found)
	w.listings[dir] = found
	return found, ok
}

// within reports whether the clean path p is base or lies below it; both are folded.
func within(base, p string) bool { return place.Rel(base, p) != "" }

// child is the path of an entry of a folder.
func child(dir, name string) string {
	if strings.HasSuffix(dir, "/") {
		return dir + name
	}
	return dir + "/" + name
}

// parent is the folder that a clean absolute path lies in; the topmost folder is its own.
func parent(p string) string {
	vol := native().Volume(p)
	i := strings.LastIndexByte(p, '/')
	if i <= vol {
		return p[:vol] + "/"
	}
	return p[:i]
}

// base is the last name of a clean path.
func base(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }

// isTop reports whether p is the topmost folder of a file system or drive, which is never a project.
func isTop(p string) bool { return p == parent(p) }
