package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/mbgate/mbgate/internal/risk/reason"
)

// redirect applies redirections to the descriptors of st, in their order.
func (w *walker) redirect(st *shell, redirs []*syntax.Redirect) {
	for _, r := range redirs {
		n := -1
		if r.N != nil {
			if strings.HasPrefix(r.N.Value, "{") {
				n = 10 + len(st.fds)
				st.set(strings.Trim(r.N.Value, "{}"), &value{s: strconv.Itoa(n)})
			} else if i, err := strconv.Atoi(r.N.Value); err == nil {
				n = i
			}
		}
		w.redirectOne(st, r, n)
	}
}

func (w *walker) redirectOne(st *shell, r *syntax.Redirect, n int) {
	in, out := max(n, 0), n
	if n < 0 {
		out = 1
	}
	switch r.Op {
	case syntax.RdrOut, syntax.RdrClob, syntax.AppClob:
		st.fds = st.fds.with(w.openOut(st, out, w.target(st, r.Word), false))
	case syntax.AppOut:
		st.fds = st.fds.with(w.openOut(st, out, w.target(st, r.Word), true))
	case syntax.RdrAll, syntax.RdrAllClob, syntax.AppAll, syntax.AppAllClob:
		f := w.openOut(st, 1, w.target(st, r.Word), r.Op == syntax.AppAll || r.Op == syntax.AppAllClob)
		st.fds = st.fds.with(f)
		f.n = 2
		st.fds = st.fds.with(f)
	case syntax.RdrInOut:
		a := w.target(st, r.Word)
		c := w.file(st, a)
		w.touch(st, a, change{op: opWrite, why: reason.Reason{Kind: reason.OpensBoth}})
		st.fds = st.fds.with(fd{n: in, in: c})
	case syntax.RdrIn:
		st.fds = st.fds.with(fd{n: in, in: w.file(st, w.target(st, r.Word))})
	case syntax.WordHdoc:
		a := w.single(st, r.Word)
		st.fds = st.fds.with(fd{n: in, in: &content{text: a.s + "\n", reads: a.reads}})
	case syntax.Hdoc, syntax.DashHdoc:
		st.fds = st.fds.with(fd{n: in, in: w.hereDoc(st, r)})
	case syntax.DplIn, syntax.DplOut:
		w.duplicate(st, r, in, out, n)
	}
}

// duplicate handles n>&m, n>&-, and >&file, which is the old form of &>file.
func (w *walker) duplicate(st *shell, r *syntax.Redirect, in, out, n int) {
	to := in
	if r.Op == syntax.DplOut {
		to = out
	}
	a := w.target(st, r.Word)
	s := strings.TrimSuffix(a.s, "-")
	if s == "" {
		if a.s == "-" && st.fds.get(to).n == to {
			st.fds = st.fds.with(fd{n: to})
		}
		return
	}
	if from, err := strconv.Atoi(s); err == nil {
		f := st.fds.get(from)
		f.n = to
		st.fds = st.fds.with(f)
		return
	}
	if a.s == anyName {
		st.fds = st.fds.with(fd{n: to})
		return
	}
	if r.Op == syntax.DplOut && n < 0 {
		f := w.openOut(st, 1, a, false)
		st.fds = st.fds.with(f)
		f.n = 2
		st.fds = st.fds.with(f)
	}
}

// target is the file of a redirection.
func (w *walker) target(st *shell, word *syntax.Word) arg {
	if word == nil {
		return arg{}
	}
	if args := w.fields(st, []*syntax.Word{word}); len(args) == 1 {
		return args[0]
	}
	return arg{} // "ambiguous redirect": bash refuses it
}

// openOut opens a file for output on descriptor n.
func (w *walker) openOut(st *shell, n int, a arg, appending bool) fd {
	switch a.s {
	case "":
		return fd{n: n}
	case "/dev/stdout":
		return fd{n: n, out: st.fds.get(1).out}
	case "/dev/stderr":
		return fd{n: n, out: st.fds.get(2).out}
	}
	for _, dir := range []string{"/dev/fd/", "/proc/self/fd/"} {
		if rest, ok := strings.CutPrefix(a.s, dir); ok {
			if m, err := strconv.Atoi(rest); err == nil {
				return fd{n: n, out: st.fds.get(m).out}
			}
		}
	}
	body := &content{}
	c := change{op: opWrite, body: body, why: reason.Reason{Kind: reason.Redirects}}
	if appending {
		c.op = opAppend
	}
	w.touch(st, a, c)
	return fd{n: n, out: body}
}

// hereDoc is the text of a here-document: as it stands if the delimiter is quoted, else expanded.
func (w *walker) hereDoc(st *shell, r *syntax.Redirect) *content {
	c := &content{}
	if r.Hdoc == nil {
		return c
	}
	literal := false
	if r.Word != nil {
		for _, p := range r.Word.Parts {
			l, ok := p.(*syntax.Lit)
			if !ok || strings.IndexByte(l.Value, '\\') >= 0 {
				literal = true
			}
		}
	}
	if literal {
		var b strings.Builder
		for _, p := range r.Hdoc.Parts {
			if l, ok := p.(*syntax.Lit); ok {
				b.WriteString(l.Value)
			}
		}
		c.text = b.String()
	} else {
		x := expander{w: w, st: st, one: true}
		x.parts(r.Hdoc.Parts, true, false)
		c.text, c.reads = string(x.cur.text), x.cur.reads
	}
	if r.Op == syntax.DashHdoc {
		lines := strings.Split(c.text, "\n")
		for i, l := range lines {
			lines[i] = strings.TrimLeft(l, "\t")
		}
		c.text = strings.Join(lines, "\n")
	}
	if len(c.text) > maxText {
		c.text = anyText
	}
	return c
}
