package shell

import (
	"strconv"

	"mvdan.cc/sh/v3/syntax"
)

// substitute runs a command substitution and returns what it prints.
func (w *walker) substitute(st *shell, p *syntax.CmdSubst) *content {
	out := &content{}
	sub := st.fork()
	sub.fds = sub.fds.with(fd{n: 1, out: out})
	if len(p.Stmts) == 1 {
		if s := p.Stmts[0]; s.Cmd == nil && len(s.Redirs) == 1 && s.Redirs[0].Op == syntax.RdrIn {
			c := w.file(sub, w.single(sub, s.Redirs[0].Word)) // $(< file)
			out.add(c.text, c.reads)
			return out
		}
	}
	w.ownShell(sub, func() { w.stmts(sub, p.Stmts) })
	st.status = sub.status
	return out
}

// process runs a process substitution and returns the name of the file it stands for.
func (w *walker) process(st *shell, p *syntax.ProcSubst) string {
	name := "/dev/fd/" + strconv.Itoa(63+w.procs)
	w.procs++
	if w.made == nil {
		w.made, w.kids = map[string]*madeFile{}, map[string][]string{}
	}
	c := &content{}
	sub := st.fork()
	if p.Op == syntax.CmdIn {
		sub.fds = sub.fds.with(fd{n: 1, out: c})
		w.ownShell(sub, func() { w.stmts(sub, p.Stmts) })
	} else {
		c.text = anyText
		sub.fds = sub.fds.with(fd{n: 0, in: c})
		w.ownShell(sub, func() { w.stmts(sub, p.Stmts) })
		c = nil
	}
	if p.Op == syntax.CmdIn && w.printsSetUp(st, p.Stmts) {
		c.text = ":"
	}
	w.made[name] = &madeFile{body: c}
	if c == nil {
		w.made[name].body = &content{}
	}
	return name
}

// walkSubsts runs the substitutions anywhere below a node that is not evaluated itself.
func (w *walker) walkSubsts(st *shell, n syntax.Node) {
	if n == nil {
		return
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		switch p := n.(type) {
		case *syntax.CmdSubst:
			w.substitute(st, p)
			return false
		case *syntax.ProcSubst:
			w.process(st, p)
			return false
		}
		return true
	})
}
