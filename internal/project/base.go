package project

import (
	"strings"

	"github.com/mbgate/mbgate/internal/place"
)

// repo is the repository that the root lies in.
type repo struct {
	checkout
	main string // top of the main worktree, when the root is in a linked one
	sub  string // the root relative to the top
	// spread is set when the repository has other worktrees than the root's.
	spread bool
}

// Base is the folder that the context works in as its project: the root, or the part of a linked worktree that
// corresponds to it (P4).
func (d *Disk) Base() string {
	if d.base == "" {
		d.base = d.root.Dir
		if d.opts.Cwd != "" {
			s := d.walk.follow(native().Absolute("/", d.opts.Cwd), nil)
			if b := d.baseOf(s.at, s.phys()); b != "" {
				d.base = b
			}
		}
	}
	return d.base
}

// baseOf is the project's folder that the physical path phys lies in: the nearest of the root and its counterparts in
// the other worktrees of its repository, "" for none. at is the deepest part of it that exists.
func (d *Disk) baseOf(at, phys string) string {
	if d.root.Dir == "" {
		return ""
	}
	inRoot := d.rel(d.root.Dir, phys) != ""
	if !d.repository().spread {
		if inRoot {
			return d.root.Dir
		}
		return ""
	}
	for dir := at; !isTop(dir) && !d.same(dir, d.root.Dir); dir = parent(dir) {
		if b := d.treeAt(dir); b != "" && d.rel(b, phys) != "" {
			return b
		}
	}
	if inRoot {
		return d.root.Dir
	}
	return ""
}

// repository is the root's.
func (d *Disk) repository() *repo {
	if d.repo != nil {
		return d.repo
	}
	r := &repo{checkout: d.walk.gitAbove(d.root.Dir)}
	d.repo = r
	if r.common == "" {
		return r
	}
	r.sub = place.Rel(r.top, d.root.Dir)
	if r.linked {
		r.main = d.walk.main(r.checkout)
	}
	r.spread = r.linked || exists(child(r.common, "worktrees"))
	return r
}

// treeAt is the root's counterpart in the worktree of the same repository at dir; "" when dir is no such worktree.
func (d *Disk) treeAt(dir string) string {
	if b, known := d.trees[dir]; known {
		return b
	}
	r := d.repository()
	d.trees[dir] = ""
	tree := r.main != "" && d.same(dir, r.main)
	if !tree {
		g, ok := d.walk.gitAt(dir)
		// A worktree in the memory bank would give the bank's files names that no rule guards.
		tree = ok && d.walk.owns(r.common, g) && d.rel(child(d.root.Dir, bankName), dir) == "" && d.inBank(d.root.Dir, dir) == ""
	}
	if tree {
		b := place.Join(dir, r.sub)
		d.trees[dir] = b
		if d.opts.Folding != place.Exact {
			d.walk.spelled = append(d.walk.spelled, d.fold(b))
		}
	}
	return d.trees[dir]
}

// inBank is the name below memory-bank/ of a physical path, when base's memory-bank is a symlink to a folder that the
// path lies in; else "".
func (d *Disk) inBank(base, phys string) string {
	if base == "" {
		return ""
	}
	bank, known := d.banks[base]
	if !known {
		if n := d.walk.look(base, bankName, 0); n.link && !n.broken {
			bank = n.phys()
		}
		// A bank that holds the whole project is none: everything would be guarded, and nothing could be written.
		if bank != "" && d.rel(bank, base) != "" {
			bank = ""
		}
		d.banks[base] = bank
		if bank != "" && d.opts.Folding != place.Exact {
			d.walk.spelled = append(d.walk.spelled, d.fold(bank))
		}
	}
	if bank == "" {
		return ""
	}
	rel := d.rel(bank, phys)
	if rel == "" || rel == "." {
		return strings.Repeat(bankName, len(rel))
	}
	return bankName + "/" + rel
}
