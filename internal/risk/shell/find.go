package shell

import (
	"path"
	"strings"

	"github.com/mbgate/mbgate/internal/place"
)

// find walks folders; -delete, -exec and -fprint do something there. Its expression is evaluated for every path, as
// far as the tests in it can be told from names and kinds.
func (c *cmd) find() bool {
	args := c.args
	for len(args) > 0 && (args[0].s == "-H" || args[0].s == "-L" || args[0].s == "-P") {
		args = args[1:]
	}
	f := finder{c: c, left: maxLooks, max: 1 << 20}
	for len(args) > 0 && !strings.HasPrefix(args[0].s, "-") && args[0].s != "(" && args[0].s != "!" {
		f.roots, args = append(f.roots, args[0]), args[1:]
	}
	if len(f.roots) == 0 {
		f.roots = []arg{{s: "."}}
	}
	f.args = args
	expr := f.or()
	if len(f.actions) == 0 {
		f.actions = []findAction{{name: "-print"}}
		implicit := &findNode{op: 'x'}
		if expr != nil {
			implicit = &findNode{op: 'a', l: expr, r: implicit}
		}
		expr = implicit
	}
	// Where files may have come into being no walk tells what is there, and a find that a find runs is not worth one.
	if c.w.dirty || c.w.finds > 0 || !f.matters() || !f.all(expr) {
		bound := f.bound()
		for i := range f.actions {
			f.actions[i].hits = bound
		}
	}
	for _, a := range f.actions {
		f.act(a)
	}
	return true
}

// finder is one run of find.
type finder struct {
	c        *cmd
	roots    []arg
	args     []arg // of the expression, not yet parsed
	actions  []findAction
	left     int // paths that may still be looked at
	min, max int // depth
	level    int // of brackets
	prune    bool
}

// findAction is an action and the paths that it is done to.
type findAction struct {
	name string
	args []arg
	hits []findHit
}

type findHit struct {
	path   string
	sure   bool // all tests before it could be told
	folder bool // the path is only the folder that holds the file
}

// all walks the folders; it returns false if they are unknown or hold too much.
func (f *finder) all(expr *findNode) bool {
	w, st := f.c.w, f.c.st
	for _, r := range f.roots {
		if !isKnown(r.s) || st.cwd == "" && !strings.HasPrefix(r.s, "/") || st.alt != "" || w.dirty {
			return false
		}
		switch kind := w.kindOf(w.env.Files.Locate(st.cwd, r.s)); kind {
		case place.Missing:
		case place.Unknown:
			return false
		default:
			if !f.walk(expr, r.s, 0, kind) {
				return false
			}
		}
	}
	return true
}

func (f *finder) walk(expr *findNode, p string, depth int, kind place.Kind) bool {
	f.left--
	if f.c.w.looks--; f.left < 0 || f.c.w.looks < 0 || depth > maxSyntax {
		return false
	}
	f.prune = false
	if depth >= f.min {
		f.eval(expr, p, kind, true)
	}
	if kind != place.Folder || depth >= f.max || f.prune || depth > 0 && f.isLink(p) {
		return true
	}
	w, st := f.c.w, f.c.st
	names, _ := w.names(st, strings.TrimSuffix(p, "/")+"/") // find goes on where it may not look
	for _, n := range names {
		child := strings.TrimSuffix(p, "/") + "/" + n
		if !f.walk(expr, child, depth+1, w.kindOf(w.env.Files.Locate(st.cwd, child))) {
			return false
		}
	}
	return true
}

// isLink reports whether a path is itself a symbolic link: what it leads to is not where its folder is.
func (f *finder) isLink(p string) bool {
	pl := f.c.w.env.Files.Locate(f.c.st.cwd, p)
	if pl.Abs == pl.Phys {
		return false
	}
	dir := f.c.w.env.Files.Locate("/", path.Dir(pl.Abs))
	return path.Join(dir.Phys, path.Base(pl.Abs)) != pl.Phys
}

// matters reports whether it makes a difference what find finds: it is not worth a walk through the tree to learn which
// files a grep is run on.
func (f *finder) matters() bool {
	out := f.c.st.fds.get(1).out
	for _, a := range f.actions {
		switch a.name {
		case "-delete":
			return true
		case "-print", "-print0":
			if out != nil && out != f.c.w.out {
				return true
			}
		case "-exec", "-execdir", "-ok", "-okdir":
			if out != nil && out != f.c.w.out || f.c.w.tries(f.c.st, func(c *cmd) {
				g := finder{c: c, roots: f.roots}
				a.hits = g.bound()
				g.exec(a)
			}, f.c) {
				return true
			}
		}
	}
	return false
}

// tries reports whether something would come of running f: an effect, a read, anything that cannot be told. Nothing of
// it stays.
func (w *walker) tries(st *shell, f func(*cmd), c *cmd) bool {
	p := &walker{env: w.env, rows: w.rows, budget: 100, level: w.level, depth: w.depth, tty: w.tty, out: &content{}, dirty: true, exported: w.exported}
	p.made, p.kids = map[string]*madeFile{}, map[string][]string{}
	sub := st.fork()
	sub.fds = sub.fds.with(fd{n: 1, out: p.out})
	try := *c
	try.w, try.st = p, sub
	f(&try)
	w.budget -= 100 - p.budget
	r := p.rep
	return len(r.Effects)+len(r.Unbounded)+len(r.Unknown)+len(r.Specials)+len(p.out.reads) > 0 || readsArguments(p)
}

// readsArguments reports whether a program was run that shows files: with a path that is not known there is no read.
func readsArguments(w *walker) bool {
	for _, r := range w.rows {
		if r != nil && r.out != "" || r != nil && (r.do == "head" || r.do == "sed" || r.do == "awk" || r.do == "shell" || r.do == "script") {
			return true
		}
	}
	return false
}

// bound is "somewhere below the folders".
func (f *finder) bound() []findHit {
	var out []findHit
	for _, r := range f.roots {
		out = append(out, findHit{path: strings.TrimSuffix(r.s, "/") + "/" + anyText, folder: true})
	}
	return out
}

func (f *finder) act(a findAction) {
	w, st := f.c.w, f.c.st
	switch a.name {
	case "-delete":
		for _, h := range a.hits {
			if path.Clean(h.path) == "." {
				continue
			}
			w.perhaps(!h.sure, func() {
				f.c.touch(st, arg{s: h.path}, change{op: opDelete, must: true, dir: true, tree: h.folder})
			})
		}
	case "-fprint", "-fprint0", "-fls", "-fprintf":
		f.c.touch(st, a.args[0], change{op: opWrite})
	case "-exec", "-execdir", "-ok", "-okdir":
		f.exec(a)
	case "-print", "-print0":
		var b strings.Builder
		for _, h := range a.hits {
			b.WriteString(h.path + "\n")
		}
		w.emit(st, 1, b.String(), nil)
		if out := st.fds.get(1).out; out != nil {
			out.loose = true
		}
	default:
		w.emit(st, 1, anyText, nil)
	}
}

// perhaps does f while it is not sure that it happens.
func (w *walker) perhaps(maybe bool, f func()) {
	if maybe {
		w.maybe++
		defer func() { w.maybe-- }()
	}
	f()
}

// exec runs a command for every hit, or with `+` once for all.
func (f *finder) exec(a findAction) {
	w := f.c.w
	command := a.args
	if len(command) == 0 || len(a.hits) == 0 || !w.enter() {
		return
	}
	defer w.leave()
	st := f.c.st.fork()
	st.fds = st.fds.with(fd{n: 0, in: &content{}})
	inDir := strings.HasSuffix(a.name, "dir")
	if len(a.hits) > maxRounds || len(a.hits)*len(command) > maxFields {
		a.hits = f.bound()
	}
	w.finds++
	defer func() { w.finds-- }()
	if command[len(command)-1].s == "+" && !inDir {
		words := append([]arg(nil), command[:len(command)-2]...)
		sure := true
		for _, h := range a.hits {
			words = append(words, arg{s: h.path, quoted: true})
			sure = sure && h.sure
		}
		w.perhaps(!sure, func() { w.runProgram(st, words) })
		return
	}
	for _, h := range a.hits {
		to, at := h.path, st
		if inDir {
			at = st.fork()
			w.chdir(at, arg{s: path.Dir(h.path)})
			at.alt = ""
			to = "./" + path.Base(h.path)
		}
		words := make([]arg, len(command))
		for j, one := range command {
			words[j] = arg{s: strings.ReplaceAll(one.s, "{}", to), quoted: true}
		}
		w.perhaps(!h.sure, func() { w.runProgram(at, words) })
	}
}
