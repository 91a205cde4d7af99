package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/risk/reason"
)

// copy handles programs that take sources and a destination, which may be a folder to put them in: cp, mv, ln, install,
// rsync. row.arg is what happens: "copy", "move", "link", "remote" (host:path is elsewhere).
func (c *cmd) copy() bool {
	w, st := c.w, c.st
	if len(c.row.not) > 0 && c.has(c.row.not...) {
		return true
	}
	sources := c.rest
	into, hasInto := c.value("t", "target-directory")
	if c.has("d", "directory") && c.row.name == "install" {
		for _, a := range sources {
			c.touch(st, a, change{op: opCreate, dir: true, mk: true})
		}
		return true
	}
	var dest arg
	switch {
	case hasInto:
		dest = into
	case len(sources) == 1 && c.row.arg == "link":
		dest, hasInto = arg{s: "."}, true
	case len(sources) < 2:
		return true
	default:
		dest, sources = sources[len(sources)-1], sources[:len(sources)-1]
	}
	remote := c.row.arg == "remote"
	if remote && isRemote(dest.s) {
		return true
	}
	if dest.s == "/dev/stdout" {
		for _, a := range sources {
			f := w.file(st, a)
			w.emit(st, 1, f.text, f.reads)
		}
		return true
	}
	folder := hasInto || len(sources) > 1 || strings.HasSuffix(dest.s, "/") && c.row.arg != "link" || c.isFolder(dest)
	if c.has("T", "no-target-directory") || c.row.arg == "link" && c.has("n", "no-dereference") && !hasInto && c.isLink(dest) {
		folder = false
	}
	if remote && !c.isFolder(dest) && (len(sources) > 1 || strings.HasSuffix(dest.s, "/") || slices.ContainsFunc(sources, c.isFolder)) {
		c.touch(st, dest, change{op: opWrite, dir: true, tree: true, mk: true})
		folder = true
	}
	for _, a := range sources {
		c.copyOne(a, dest, folder, remote)
	}
	return true
}

// isLink reports whether a path is itself a symbolic link.
func (c *cmd) isLink(a arg) bool {
	if !isKnown(a.s) || c.st.cwd == "" {
		return false
	}
	pl := c.w.env.Files.Locate(c.st.cwd, a.s)
	return pl.Abs != pl.Phys && pl.Kind != place.Missing
}

func isRemote(s string) bool {
	i := strings.IndexByte(s, ':')
	return i > 0 && !strings.Contains(s[:i], "/")
}

func (c *cmd) copyOne(a, dest arg, folder, remote bool) {
	w, st := c.w, c.st
	isDir := c.isFolder(a)
	moving := c.row.arg == "move" || c.has("remove-source-files")
	absent := c.row.arg != "link" && !(remote && isRemote(a.s)) && !w.exists(st, a)
	if absent { // another call of the same message may make it first
		w.maybe++
		defer func() { w.maybe-- }()
		isDir = strings.HasSuffix(a.s, "/") || c.treed() || (moving || remote) && path.Ext(a.s) == ""
	}
	if isDir && c.row.arg == "copy" && !c.treed() {
		return // cp leaves folders out without -r
	}
	target := dest
	if folder {
		name := path.Base(strings.TrimRight(a.s, "/"))
		switch {
		case !isKnown(a.s):
			name = anyName
			if isKnown(path.Base(a.s)) && path.Base(a.s) != "." {
				name = path.Base(a.s)
			}
		case remote && isRemote(a.s) && !(c.row.name == "rsync" && strings.HasSuffix(a.s, "/")):
			name = name[strings.LastIndexByte(name, ':')+1:]
		case remote && strings.HasSuffix(a.s, "/"), name == ".", name == "..":
			name = ""
		}
		if c.has("parents", "R", "relative") && (c.row.name == "cp" && c.has("parents") || remote && c.has("R", "relative")) {
			name = strings.TrimLeft(a.s, "/")
		}
		target.s = strings.TrimRight(dest.s, "/") + "/" + name
		if name == "" && (isDir || remote) {
			target.s = dest.s
		}
	}
	if moving && isKnown(a.s) && a.s == target.s {
		return
	}
	ch := change{op: opWrite, tree: isDir || !isKnown(a.s) && c.treed() || remote && (isRemote(a.s) && c.treed() || isDir)}
	if ch.tree {
		ch.dir, ch.mk = true, true
	}
	if c.row.arg == "link" {
		ch.op, ch.tree, ch.dir = opLink, false, false
		if c.isFolder(target) && !(c.has("n", "no-dereference", "T") && c.isLink(target)) && !folder {
			return
		}
	}
	ch.mk = ch.mk || c.row.name == "install" && c.has("D") || c.has("parents")
	if ch.op == opWrite && !isDir && !remote && isKnown(a.s) {
		ch.body = w.file(st, a)
	}
	suffix, ok := c.value("S", "suffix")
	backup := (ok || c.has("b", "backup")) && c.exists(target)
	if moving {
		c.touch(st, a, change{op: event.OpMove, must: true, tree: isDir})
	}
	if absent {
		ch.why.If = reason.IfThere
	}
	c.touch(st, target, ch)
	switch {
	case c.row.arg == "link" && c.has("s", "symbolic"), c.row.arg == "copy" && c.has("s", "symbolic-link"):
		w.link(st, a, target, true)
	case c.row.arg == "link", c.row.arg == "copy" && c.has("l", "link"):
		// A hard link is a second name of the file: a later write by that name changes it, and no hook can see that.
		w.maybe++
		c.touch(st, a, change{op: opLink, must: true, tree: isDir})
		w.maybe--
		w.link(st, a, target, false)
	}
	if backup {
		if !ok {
			suffix.s = "~"
		}
		c.touch(st, arg{s: target.s + suffix.s}, change{op: opWrite})
	}
}

func (c *cmd) exists(a arg) bool { return c.w.exists(c.st, a) }

// ifThere does what a program does with a: surely if it is there, and perhaps if it is missing, since another call of
// the same message may make it first.
func (c *cmd) ifThere(a arg, f func()) { c.w.perhaps(!c.exists(a), f) }
