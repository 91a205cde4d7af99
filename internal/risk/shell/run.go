package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/mbgate/mbgate/internal/risk/reason"
)

// call runs a simple command: assignments, words. It returns true if its redirections stay in force.
func (w *walker) call(st *shell, c *syntax.CallExpr) bool {
	if len(c.Args) == 0 {
		st.status = success
		for _, a := range c.Assigns {
			w.assign(st, a)
		}
		return false
	}
	args := w.fields(st, c.Args)
	if st.opts.aliases && len(args) > 0 && !args[0].quoted {
		if text, ok := st.alias(args[0].s); ok && c.Args[0].Lit() != "" {
			hidden := st.aliases
			st.setAlias(args[0].s, "") // an alias is not expanded within itself
			w.evalText(st, text+" "+quoteAll(args[1:]))
			st.aliases = hidden
			st.setAlias(args[0].s, text)
			return false
		}
	}
	if len(args) == 0 {
		for _, a := range c.Assigns {
			w.assign(st, a)
		}
		return false
	}
	if len(c.Assigns) == 0 {
		return w.run(st, args)
	}
	saved := map[string]*value{}
	for _, a := range c.Assigns {
		if a.Name != nil {
			saved[a.Name.Value] = st.vars[a.Name.Value]
			w.assign(st, a)
			w.export(st, a.Name.Value)
			w.runsCommand(a.Name.Value, st)
		}
	}
	keep := w.run(st, args)
	for name, v := range saved {
		if v == nil {
			delete(st.vars, name)
		} else {
			st.vars[name] = v
		}
	}
	return keep
}

// assign sets a variable.
func (w *walker) assign(st *shell, a *syntax.Assign) {
	if a.Name == nil {
		return
	}
	name := a.Name.Value
	old := w.variable(st, name)
	if a.Array != nil {
		v := &value{array: true}
		if a.Append {
			v.list, v.reads = append(v.list, old.list...), old.reads
		}
		for _, e := range a.Array.Elems {
			if e.Value == nil {
				continue
			}
			if e.Index != nil {
				w.walkSubsts(st, e.Index)
				one := w.single(st, e.Value)
				v.list, v.reads = append(v.list, one.s), append(v.reads, one.reads...)
				continue
			}
			for _, one := range w.fields(st, []*syntax.Word{e.Value}) {
				v.list, v.reads = append(v.list, one.s), append(v.reads, one.reads...)
			}
		}
		st.set(name, v)
		return
	}
	one := w.single(st, a.Value)
	if a.Index != nil {
		n, ok := w.arith(st, a.Index)
		v := &value{array: true, list: append([]string(nil), old.list...), reads: append(append([]Read(nil), old.reads...), one.reads...)}
		switch {
		case ok && n >= 0 && n < len(v.list):
			v.list[n] = one.s
		case len(v.list) < maxFields:
			v.list = append(v.list, one.s)
		}
		st.set(name, v)
		return
	}
	if a.Append {
		switch {
		case old.array:
			one.s = anyText
		case !old.unset && len(old.s)+len(one.s) <= maxText/8:
			one.s = old.s + one.s
		case !old.unset:
			one.s = anyText
		}
		one.reads = append(append([]Read(nil), old.reads...), one.reads...)
	}
	st.set(name, &value{s: one.s, reads: one.reads})
}

// export makes a variable reach the programs that are started.
func (w *walker) export(st *shell, name string) {
	if v := st.lookup(name); v != nil && !v.exported {
		c := *v
		c.exported = true
		if st.vars == nil {
			st.vars = map[string]*value{}
		}
		st.vars[name] = &c
	}
}

func quoteAll(args []arg) string {
	var b strings.Builder
	for _, a := range args {
		b.WriteString(" '")
		b.WriteString(strings.ReplaceAll(a.s, "'", `'\''`))
		b.WriteString("'")
	}
	return b.String()
}

// run runs a command given by its words, as a shell does: function, builtin, program.
func (w *walker) run(st *shell, args []arg) bool {
	if w.budget--; w.budget < 0 {
		w.unknown(reason.TooManyRuns, "", "")
		return false
	}
	if len(args) > 1 && args[0].s == "--" { // time -p -- COMMAND
		args = args[1:]
	}
	name := args[0].s
	st.status = likely
	switch {
	case name == "":
		st.status = failure
		return false
	case !isKnown(name):
		w.runUnknown(st, args)
		return false
	}
	if f := st.function(name); f != nil {
		w.runFunction(st, f, args[1:])
		return false
	}
	if w.endsOwn(st, args) {
		return false
	}
	if to, ok := st.hashed[name]; ok && to != "" {
		args = append([]arg{{s: to, quoted: true}}, args[1:]...)
		w.program(st, args)
		return false
	} else if !ok {
		if keep, ok := w.builtin(st, name, args); ok {
			return keep
		}
	}
	w.program(st, args)
	return false
}

// runUnknown is a command whose name is not known: it may be anything, and if the name is empty the next word is one.
func (w *walker) runUnknown(st *shell, args []arg) {
	w.dirty = true
	if len(args) == 1 && args[0].unset {
		st.status = unsure // a variable that nothing has set, and nothing behind it
		return
	}
	w.unknown(reason.UnknownWord, "", show(args[0].s))
	st.status = unsure
	if name := path.Base(args[0].s); isKnown(name) && strings.Contains(args[0].s, "/") { // $(which touch): in a folder that is not known
		w.maybe++
		w.run(st, append([]arg{{s: name, quoted: true}}, args[1:]...))
		w.maybe--
		return
	}
	if len(args) > 1 && !args[0].quoted && args[0].s == anyText {
		w.maybe++
		w.run(st, args[1:])
		w.maybe--
	}
}

func (w *walker) runFunction(st *shell, f *syntax.Stmt, args []arg) {
	if !w.enter() {
		return
	}
	defer w.leave()
	for _, a := range w.active {
		if a.body == f && slices.EqualFunc(a.args, args, func(x, y arg) bool { return x.s == y.s }) && len(w.active) > 4 {
			return // goes round for ever: it has done all it does
		}
	}
	w.active = append(w.active, activation{f, args})
	saved, outer := st.pos, st.locals
	locals := map[string]*value{}
	st.pos, st.locals = args, &locals
	src := w.src
	w.src = ""
	w.stmt(st, f)
	w.src = src
	st.pos, st.locals = saved, outer
	for name, v := range locals {
		if v == nil {
			v = &value{s: anyText, unset: true}
			if _, ok := w.env.Vars[name]; ok {
				v = &value{s: w.env.Vars[name]}
			}
		}
		st.vars[name] = v
	}
	w.active = w.active[:len(w.active)-1]
}

// activation is a function that is running.
type activation struct {
	body *syntax.Stmt
	args []arg
}

// enter bounds the depth of texts within texts and of commands that run commands.
func (w *walker) enter() bool {
	if w.level >= maxDepth {
		w.unknown(reason.TooDeep, "", "")
		return false
	}
	w.level++
	return true
}

func (w *walker) leave() { w.level-- }

// base is the name that programs are known by: without its folder, and without .exe.
func base(name string) string {
	return strings.TrimSuffix(path.Base(name), ".exe")
}

func isMbgate(name string) bool { return base(name) == "mbgate" }

// isSelf reports whether a path leads to mbgate's own binary under whatever name, as a link to it does (R6).
func (w *walker) isSelf(st *shell, name string) bool {
	if w.env.Self == "" || !strings.Contains(name, "/") || !isKnown(name) || st.cwd == "" && name[0] != '/' {
		return false
	}
	return w.env.Files.Locate(st.cwd, name).Phys == w.env.Files.Locate("/", w.env.Self).Phys
}

// program runs a program that is no builtin, as its row in the tables says.
func (w *walker) program(st *shell, args []arg) {
	name := args[0].s
	if isMbgate(name) || w.isSelf(st, name) {
		w.rep.Programs = addOnce(w.rep.Programs, "mbgate")
		w.special(Mbgate, args)
		return
	}
	if file, ok := w.inFront(st, name); ok && w.runFile(st, append([]arg{{s: file}}, args[1:]...)) {
		return
	}
	r := w.row(base(name))
	if r == nil {
		if strings.Contains(name, "/") && name[0] != '@' && w.runFile(st, args) { // npx @scope/package is no file
			return
		}
		if f := st.function("command_not_found_handle"); f != nil {
			w.maybe++
			w.runFunction(st, f, args)
			w.maybe--
		}
		r = w.row("unknown")
		if strings.HasPrefix(base(name), "create-") {
			r = w.row("create-*")
		}
	}
	w.apply(st, r, args)
}
