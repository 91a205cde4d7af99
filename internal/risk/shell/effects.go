package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/risk/reason"
	"mvdan.cc/sh/v3/syntax"
)

// change describes how a command changes one path.
type change struct {
	op      event.Op
	tree    bool
	must    bool // fails on a file that is not there
	dir     bool // a folder is made or meant
	onlyDir bool // fails on everything but a folder (rmdir)
	mk      bool // folders on the way are made too
	body    *content
	code    bool // only files of programming languages
	built   bool // a build output
	own     bool // made of files of the project alone
	why     reason.Reason
}

// isDevice reports whether a path is no file: the streams and devices that take anything.
func isDevice(p string) bool {
	if !strings.HasPrefix(p, "/dev/") && !strings.HasPrefix(p, "/proc/") {
		return false
	}
	switch p {
	case "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty", "/dev/full", "/dev/zero", "/dev/random",
		"/dev/urandom", "/dev/ptmx":
		return true
	}
	return strings.HasPrefix(p, "/dev/fd/") || strings.HasPrefix(p, "/dev/pts/") || strings.HasPrefix(p, "/dev/tcp/") ||
		strings.HasPrefix(p, "/dev/udp/") || strings.HasPrefix(p, "/proc/self/fd/")
}

// maxPath is the longest path that any system takes, in bytes (Windows; Linux 4096).
const maxPath = 32 << 10

// touch records a change of the file that a names. A path of which only the folder is known becomes an uncertain change
// somewhere below that folder, and unbounded if that may be in the project.
func (w *walker) touch(st *shell, a arg, c change) {
	s := a.s
	if s == "" || len(s) > maxPath || isDevice(path.Clean(s)) {
		return
	}
	if c.why.Kind == reason.None {
		c.why.Kind = reason.Changes
	}
	c.why.Op, c.why.Object = c.op, show(s)
	if c.tree && c.op == opWrite {
		c.why.Extent = reason.Below
	}
	if st.cwd == "" && st.near != "" && s[0] != '/' {
		s = st.near + "/" + s
	}
	if i := strings.IndexAny(s, anyText+anyName); i >= 0 {
		w.touchSome(st, a, s, i, c)
		return
	}
	if !strings.HasPrefix(s, "/") {
		if st.cwd == "" {
			c.why.Extent = reason.UnknownFolder
			w.unbounded(c.why)
			return
		}
		if st.alt != "" {
			w.maybe++
			w.record(w.env.Files.Locate(st.alt, s), c)
			w.record(w.env.Files.Locate(st.cwd, s), c)
			w.maybe--
			return
		}
	}
	w.record(w.env.Files.Locate(st.cwd, s), c)
}

// touchSome is touch for a path that is unknown from byte i on.
func (w *walker) touchSome(st *shell, a arg, s string, i int, c change) {
	dir := s[:strings.LastIndexByte(s[:i], '/')+1]
	somewhere := c.why
	somewhere.Object, somewhere.Extent = a.written(), reason.UnknownPath
	switch {
	case dir == "" && i == 0 && s[0] == anyText[0], dir == "" && st.cwd == "":
		w.unbounded(somewhere)
		return
	case dir == "":
		dir = "."
	case !strings.HasPrefix(dir, "/") && st.cwd == "":
		somewhere.Extent = reason.UnknownFolder
		w.unbounded(somewhere)
		return
	}
	pl := w.env.Files.Locate(st.cwd, dir)
	if pl.Kind == place.Missing && w.kindOf(pl) == place.Missing && c.op == opDelete && !w.dirty {
		return
	}
	if pl.Inside() {
		somewhere.Extent, somewhere.Folder = reason.UnknownName, show(dir)
		w.unbounded(somewhere)
	}
	w.maybe++
	c.tree, c.must, c.body = true, false, nil
	c.built = c.built && !pl.Inside()
	w.record(pl, c)
	w.maybe--
}

// kindOf is what a place is by now: files the command has made are there.
func (w *walker) kindOf(pl place.Place) place.Kind {
	if pl.Kind == place.Missing {
		if m := w.made[pl.Abs]; m != nil {
			return m.kind
		}
	}
	return pl.Kind
}

func (w *walker) record(pl place.Place, c change) {
	kind := w.kindOf(pl)
	sure := w.maybe == 0
	c.why.Part = firstLine(w.part)
	if w.inside != "" && !w.following {
		c.why.In = w.inside
	}
	switch kind {
	case place.Missing:
		// What is missing now may be made by another call of the same message before this one runs: hooks of parallel
		// calls run in parallel. Only what a deletion does not find is left out, inside the project.
		if c.must {
			if c.op == opDelete && !w.dirty && pl.Inside() {
				return
			}
			sure = false
			if !w.dirty && c.why.If == reason.Always {
				c.why.If = reason.IfThere
			}
		}
		if !c.must && !c.mk && !w.dirty && w.noParent(pl) {
			sure = false
			if c.why.If == reason.Always {
				c.why.If = reason.IfFolderThere
			}
		}
	case place.Special:
		if !c.must {
			return // written into, not changed
		}
	case place.Folder:
		switch {
		case c.tree:
		case c.dir && c.op == opCreate:
			return // it is there already
		case !c.dir && (c.op == opWrite || c.op == opAppend || c.op == opDelete):
			return // the command fails
		}
	case place.File:
		if c.dir && c.op == opDelete && c.onlyDir {
			return
		}
	}
	if len(w.links) > 0 {
		w.follow(pl, c)
	}
	if c.tree && !c.built && !pl.Inside() && (place.Under(w.env.Root, pl.Abs) || place.Under(w.env.Root, pl.Phys) || pl.Abs == "/") {
		all := c.why
		all.Object, all.Extent = show(pl.Abs), reason.Everything
		w.unbounded(all)
	}
	if len(w.rep.Effects) >= maxFields {
		w.unbounded(reason.Reason{Kind: reason.TooManyFiles})
		return
	}
	w.note(pl, c)
	if pl.Kind == place.Missing && c.op == opWrite && !c.must {
		c.op = opCreate
	}
	key := string(c.op) + "\x00" + pl.Abs
	if i, ok := w.seen[key]; ok {
		e := &w.rep.Effects[i]
		e.Certain = e.Certain || sure
		e.Tree = e.Tree || c.tree
		e.Code = e.Code && c.code
		e.Built, e.OfProject = e.Built && c.built, e.OfProject && c.own
		return
	}
	if w.seen == nil {
		w.seen = map[string]int{}
	}
	w.seen[key] = len(w.rep.Effects)
	w.rep.Effects = append(w.rep.Effects, Effect{Place: pl, Op: c.op, Certain: sure, Tree: c.tree, Code: c.code, Built: c.built, OfProject: c.own, Why: c.why})
}

// link remembers that the command made one path a link to another, so that what it does by the new name is done to the
// file too. A symbolic link is relative to the folder it lies in.
func (w *walker) link(st *shell, to, name arg, symbolic bool) {
	if !isKnown(to.s) || !isKnown(name.s) || st.cwd == "" || len(w.links) >= maxReasons {
		return
	}
	pl := w.env.Files.Locate(st.cwd, name.s)
	from := st.cwd
	if symbolic {
		from = path.Dir(pl.Abs)
	}
	if target := w.env.Files.Locate(from, to.s).Abs; target != pl.Abs {
		w.links = append(w.links, link{pl.Abs, target})
		if m := w.made[pl.Abs]; m != nil && w.kindOf(w.env.Files.Locate("/", target)) == place.Folder {
			m.kind = place.Folder
		}
	}
}

// follow does a change by a name that the command made a link to the files that it may lead to.
func (w *walker) follow(pl place.Place, c change) {
	if w.following {
		return
	}
	itself := c.op == opDelete || c.op == opMove || c.op == opLink // done to a link, not through it
	paths := []string{pl.Abs}
	for i := 0; i < len(paths) && len(paths) <= maxReasons; i++ {
		for _, l := range w.links {
			if to := l.to + strings.TrimPrefix(paths[i], l.name); place.Under(paths[i], l.name) && !(itself && paths[i] == l.name) && !slices.Contains(paths, to) {
				paths = append(paths, to)
			}
		}
	}
	w.following, c.body = true, nil
	for _, p := range paths[1:] {
		w.record(w.env.Files.Locate("/", p), c)
	}
	w.following = false
}

// noParent reports whether a file cannot be made because its folder is not there.
func (w *walker) noParent(pl place.Place) bool {
	dir := path.Dir(pl.Abs)
	if w.made[dir] != nil {
		return false
	}
	return w.env.Files.Locate("/", dir).Kind == place.Missing
}

// note remembers a file that the command made, so that later parts of the command find it.
func (w *walker) note(pl place.Place, c change) {
	switch c.op {
	case opDelete, opMove, opMode:
		return
	}
	m := w.made[pl.Abs]
	if m == nil {
		if w.made == nil {
			w.made, w.kids = map[string]*madeFile{}, map[string][]string{}
		}
		m = &madeFile{kind: place.File}
		if c.dir {
			m.kind = place.Folder
		}
		w.made[pl.Abs] = m
		if pl.Kind == place.Missing {
			dir := path.Dir(pl.Abs)
			w.kids[dir] = append(w.kids[dir], path.Base(pl.Abs))
			for c.mk && w.made[dir] == nil && dir != "/" && w.env.Files.Locate("/", dir).Kind == place.Missing {
				w.made[dir] = &madeFile{kind: place.Folder}
				up := path.Dir(dir)
				w.kids[up] = append(w.kids[up], path.Base(dir))
				dir = up
			}
		}
	}
	m.built = c.built && c.own
	switch {
	case w.maybe > 0 && pl.Kind != place.Missing:
		m.body = nil // either the one or the other is in it
	case c.body != nil && c.op == opAppend && m.body != nil:
		// The same body goes on growing only if it is the same stream; else both are in the file.
		c.body.text, c.body.reads = m.body.text+c.body.text, append(append([]Read(nil), m.body.reads...), c.body.reads...)
		m.body = c.body
	case c.body != nil && (c.op != opAppend || pl.Kind == place.Missing):
		m.body = c.body
	default:
		m.body = nil
	}
}

// written is the word as it was written, for reasons; "" if that is not known.
func (a arg) written() string {
	if a.word == nil {
		return ""
	}
	var b strings.Builder
	if err := syntax.NewPrinter().Print(&b, a.word); err != nil {
		return ""
	}
	return show(b.String())
}

// show is a path as reasons print it, without control characters.
func show(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == rune(anyText[0]) || r == rune(anyName[0]):
			return '…'
		case r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0:
			return '?'
		}
		return r
	}, s)
	if len(s) > 120 {
		cut := 117
		for cut > 0 && s[cut]&0xc0 == 0x80 {
			cut--
		}
		s = s[:cut] + "…"
	}
	return s
}
