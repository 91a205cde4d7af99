package project

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/place"
)

// Options are how a Disk is seen: from where, by whom, and what is mbgate's own.
type Options struct {
	// Cwd is the absolute folder that the context works in: in a linked worktree, that is the context's base (P4).
	Cwd string
	// Home is the user's home folder, for definitions of subagents.
	Home string
	// Getenv reads the environment of the client, for folders that it names; nil knows none.
	Getenv func(string) string
	// Own are the absolute paths of mbgate's state folder, its binary and its configuration files (R6).
	Own []string
	// Folding is how names compare; the zero Folding is the platform's.
	Folding place.Folding
}

// Disk is the real disk as seen from one project. It implements place.Files. It remembers what it saw, so use one for each
// event, in one goroutine.
type Disk struct {
	root Root
	opts Options
	walk *walker

	base  string            // of the context, "" when not yet known
	own   []string          // folded, lexical and physical; nil when not yet known
	banks map[string]string // base → what its memory-bank resolves to when that is a symlink, else ""
	trees map[string]string // folder → its base when it is the top of another worktree of the repository, else ""
	repo  *repo             // nil when not yet known
}

// New is the disk as seen from root.
func New(root Root, opts Options) *Disk {
	opts.Folding = max(opts.Folding, folding)
	d := &Disk{
		root: root, opts: opts, walk: root.walk,
		banks: map[string]string{}, trees: map[string]string{},
	}
	if d.walk == nil || opts.Folding != d.walk.folding {
		d.walk = newWalker(opts.Folding)
	}
	if root.Dir != "" {
		d.walk.spelled = []string{d.fold(root.Dir)}
	}
	return d
}

// Root is the project that the disk is seen from.
func (d *Disk) Root() Root { return d.root }

// Locate implements place.Files. An empty cwd is the root.
func (d *Disk) Locate(cwd, path string) place.Place {
	if cwd == "" {
		cwd = d.root.Dir
	}
	return d.locate(native().Absolute(cwd, path))
}

// Anchor locates an anchor by its canonical path: the copy in the worktree that the context works in, else the root's
// (P4). When neither is there it is where the context would put it.
func (d *Disk) Anchor(canon string) place.Place {
	p := d.locate(child(d.Base(), canon))
	if p.Kind == place.Missing && d.Base() != d.root.Dir {
		if q := d.locate(child(d.root.Dir, canon)); q.Kind != place.Missing {
			return q
		}
	}
	return p
}

// locate finds the place of an absolute path. It walks as the kernel does, which resolves symlinks before "..". Programs that
// clean a path first mean Lex.
func (d *Disk) locate(raw string) place.Place {
	if d.opts.Folding != place.Exact {
		d.inBank(d.root.Dir, "") // so that names in it are spelled as on disk
		d.inBank(d.Base(), "")
	}
	var forms []form
	s := d.walk.follow(raw, func(f form) {
		if len(forms) < maxLinks { // no system goes through more
			forms = append(forms, f)
		}
	})
	p := place.Place{Abs: native().Clean(raw), Phys: s.phys(), Kind: s.kind, Folding: d.opts.Folding}
	p.Base, p.Shown = d.canonical(s.at, p.Phys)
	p.Canon = d.fold(p.Shown)
	for _, f := range forms {
		d.addName(&p, f.dir, native().Clean(child(f.dir, f.rest)))
	}
	if len(forms) == 0 || p.Lex != "" {
		d.addName(&p, s.at, p.Phys) // another name only where it is what memory-bank resolves to
	}
	p.Key = d.fold(p.Phys)
	if d.root.Dir != "" {
		if rel := place.Rel(d.fold(d.root.Dir), p.Key); rel != "" {
			p.Key = rel
		}
	}
	d.markOwn(&p)
	return p
}

// canonical is the project's folder that a physical path belongs to and the path relative to it; at is the deepest
// part of the path that exists. What memory-bank resolves to is memory-bank.
func (d *Disk) canonical(at, phys string) (base, shown string) {
	base = d.baseOf(at, phys)
	// The root's bank comes first: it may be shared, and lie in another worktree or in a folder of the root itself.
	for _, b := range [...]string{d.root.Dir, base} {
		if shown = d.inBank(b, phys); shown != "" {
			return b, shown
		}
	}
	if base != "" {
		return base, d.rel(base, phys)
	}
	if b := d.Base(); b != d.root.Dir {
		if shown = d.inBank(b, phys); shown != "" {
			return b, shown
		}
	}
	return "", ""
}

// addName adds a name that the walk went through. In abs the symlinks are resolved as far as the physical folder at.
func (d *Disk) addName(p *place.Place, at, abs string) {
	base := d.baseOf(at, abs)
	if base == "" {
		return
	}
	shown := d.rel(base, abs)
	name := d.fold(shown)
	switch {
	case name == p.Canon || name == p.Lex || name == p.Via:
	case p.Lex == "":
		p.Lex = name
		if p.Canon == "" {
			p.Base, p.Shown = base, shown
		}
	case !place.Under(p.Via, bankName):
		p.Via = name
	}
}

// markOwn marks mbgate's own files and the folders that hold them.
func (d *Disk) markOwn(p *place.Place) {
	if d.own == nil {
		d.own = []string{}
		for _, o := range d.opts.Own {
			raw := native().Absolute("/", o)
			lex, phys := d.fold(native().Clean(raw)), d.fold(d.walk.follow(raw, nil).phys())
			d.own = append(d.own, lex)
			if phys != lex {
				d.own = append(d.own, phys)
			}
		}
	}
	abs, phys := d.fold(p.Abs), d.fold(p.Phys)
	for _, o := range d.own {
		switch {
		case within(o, phys) || within(o, abs):
			p.Own = true
		case within(phys, o) || within(abs, o):
			p.HoldsOwn = true
		}
	}
	p.Own = p.Own || d.standsForOwn(abs) || d.standsForOwn(phys)
}

// standsForOwn reports whether a file would run in the place of mbgate where hooks find it when they run: one of its name
// in a folder of PATH or in node_modules/.bin, and what its npm packages hold.
func (d *Disk) standsForOwn(abs string) bool {
	if strings.Contains(abs, "/node_modules/mbgate/") || strings.Contains(abs, "/node_modules/@mbgate/") {
		return true
	}
	dir, name := path.Split(abs)
	if dir = strings.TrimSuffix(dir, "/"); strings.TrimSuffix(name, ".exe") != "mbgate" {
		return false
	}
	onPath := slices.ContainsFunc(filepath.SplitList(d.getenv("PATH")), func(p string) bool {
		return filepath.IsAbs(p) && d.fold(native().Clean(filepath.ToSlash(p))) == dir
	})
	return onPath || strings.HasSuffix(dir, "/node_modules/.bin")
}

func (d *Disk) fold(s string) string { return place.Fold(s, d.opts.Folding) }

// rel is place.Rel for names as the platform compares them. The result keeps the spelling of p.
func (d *Disk) rel(base, p string) string {
	if d.opts.Folding == place.Exact {
		return place.Rel(base, p)
	}
	rel := place.Rel(d.fold(base), d.fold(p))
	if rel == "" || rel == "." {
		return rel
	}
	// Folding may change the length of a name but never the number of slashes.
	for range strings.Count(p, "/") - strings.Count(rel, "/") {
		p = p[strings.IndexByte(p, '/')+1:]
	}
	return p
}

func (d *Disk) same(a, b string) bool { return d.fold(a) == d.fold(b) }
