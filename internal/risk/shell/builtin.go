package shell

import (
	"path"
	"strconv"
	"strings"

	"github.com/mbgate/mbgate/internal/place"
	"mvdan.cc/sh/v3/syntax"
)

// trap is a command that is run when the shell ends or a signal comes.
type trap struct {
	st     *shell
	text   string
	signal string
}

// builtin runs what the shell does itself. ok is false if name is no builtin, keep true if the redirections stay.
func (w *walker) builtin(st *shell, name string, args []arg) (keep, ok bool) {
	rest := args[1:]
	switch name {
	case "cd", "chdir":
		w.cd(st, rest)
	case "pushd":
		if st.cwd != "" {
			st.dirs = append(st.dirs[:len(st.dirs):len(st.dirs)], st.cwd)
		} else {
			st.dirs = append(st.dirs[:len(st.dirs):len(st.dirs)], anyText)
		}
		if len(rest) == 0 || strings.HasPrefix(rest[0].s, "+") {
			w.chdir(st, arg{s: anyText})
		} else {
			w.cd(st, rest)
		}
	case "popd":
		to := arg{s: anyText}
		if n := len(st.dirs); n > 0 {
			to.s = st.dirs[n-1]
			st.dirs = st.dirs[:n-1]
		}
		w.chdir(st, to)
		st.alt = ""
	case "eval":
		var words []string
		var reads []Read
		for _, a := range rest {
			words = append(words, a.s)
			reads = append(reads, a.reads...)
		}
		w.evalText(st, w.fileText(strings.Join(words, " "), reads))
	case "source", ".":
		w.sourceFile(st, rest)
	case "exec":
		return w.exec(st, rest), true
	case "command", "builtin":
		w.commandBuiltin(st, rest)
	case "true", ":":
		st.status = success
	case "false":
		st.status = failure
	case "exit", "return", "break", "continue", "logout":
		st.status = unsure
	case "test":
		st.status = w.testArgs(st, rest)
	case "[":
		if n := len(rest); n > 0 && rest[n-1].s == "]" {
			rest = rest[:n-1]
		}
		st.status = w.testArgs(st, rest)
	case "echo":
		w.echo(st, rest)
	case "printf":
		w.printf(st, rest)
	case "pwd":
		w.emit(st, 1, w.variable(st, "PWD").s+"\n", nil)
	case "read":
		w.read(st, rest)
	case "mapfile", "readarray":
		w.mapfile(st, rest)
	case "set":
		w.set(st, rest)
	case "shift":
		if len(st.pos) > 0 {
			st.pos = st.pos[1:]
		} else {
			st.status = failure
		}
	case "unset":
		for i, a := range rest {
			if i > 0 && rest[0].s == "-f" || st.lookup(a.s) == nil && st.function(a.s) != nil {
				st.define(a.s, nil)
				continue
			}
			st.set(a.s, &value{unset: true})
		}
	case "export", "readonly", "local", "declare", "typeset":
		for _, a := range rest {
			if k, v, ok := strings.Cut(a.s, "="); ok && syntax.ValidName(k) {
				if name != "export" && name != "readonly" {
					st.local(k)
				}
				st.set(k, &value{s: v, reads: a.reads, exported: name == "export"})
			}
		}
	case "alias":
		for _, a := range rest {
			if k, v, ok := strings.Cut(a.s, "="); ok {
				st.setAlias(k, v)
			}
		}
	case "unalias":
		for _, a := range rest {
			st.setAlias(a.s, "")
		}
	case "shopt":
		w.shopt(st, rest)
	case "trap":
		w.trap(st, rest)
	case "let":
		for _, a := range rest {
			if k, _, ok := strings.Cut(a.s, "="); ok && syntax.ValidName(k) {
				st.set(k, &value{s: anyName})
			}
		}
		st.status = unsure
	case "getopts":
		if len(rest) > 1 {
			st.set(rest[1].s, &value{s: anyName})
			st.set("OPTARG", &value{s: anyText})
		}
		st.status = unsure
	case "history":
		for i, a := range rest {
			if (a.s == "-w" || a.s == "-a") && i+1 < len(rest) {
				w.touch(st, rest[i+1], change{op: opWrite, why: "history writes " + show(rest[i+1].s)})
			}
		}
	case "hash":
		if len(rest) == 3 && rest[0].s == "-p" {
			st.setHash(rest[2].s, rest[1].s)
		}
	case "enable":
		if len(rest) > 1 && rest[0].s == "-n" {
			for _, a := range rest[1:] {
				if st.hashed[a.s] == "" {
					st.setHash(a.s, "")
				}
			}
		}
	case "type", "wait", "jobs", "kill", "disown", "bg", "fg", "ulimit", "umask", "times", "dirs", "bind",
		"compgen", "complete", "compopt", "caller", "help", "suspend", "fc":
		w.emit(st, 1, anyText, nil)
		st.status = unsure
		if name != "type" {
			st.status = likely
		}
	default:
		return false, false
	}
	return false, true
}

func (w *walker) cd(st *shell, args []arg) {
	for len(args) > 0 && len(args[0].s) > 1 && args[0].s[0] == '-' {
		args = args[1:]
	}
	switch {
	case len(args) == 0:
		w.chdir(st, arg{s: w.home(st)})
	case args[0].s == "-":
		w.chdir(st, arg{s: st.old})
	case args[0].s == "":
	default:
		w.chdir(st, args[0])
	}
}

// chdir moves the shell. A folder that is not there leaves it where it was: then both are possible, since what stands
// after `;` runs and what stands after `&&` does not.
func (w *walker) chdir(st *shell, to arg) {
	near := st.near
	st.near = ""
	old := st.cwd
	if old == "" {
		old = anyText
	}
	st.old, st.status = old, success
	if !isKnown(to.s) || to.s == "" || st.cwd == "" && !strings.HasPrefix(to.s, "/") {
		st.near = ""
		if i := strings.IndexAny(to.s, anyText+anyName); i > 0 && to.s[0] == '/' {
			st.near = to.s // somewhere below a folder that is known: cd $(mktemp -d)
		} else if i < 0 && near != "" && to.s != "" {
			st.near = near + "/" + to.s
		}
		st.cwd, st.alt, st.status = "", "", likely
		return
	}
	pl := w.env.Files.Locate(st.cwd, to.s)
	switch w.kindOf(pl) {
	case place.Folder:
		if st.alt != "" && !strings.HasPrefix(to.s, "/") {
			st.alt = w.env.Files.Locate(st.alt, to.s).Abs
			st.status = likely
		} else if w.maybe == 0 || strings.HasPrefix(to.s, "/") {
			st.alt = ""
		}
	case place.Missing, place.File:
		st.alt, st.status = st.cwd, unsure
		if w.dirty {
			st.status = likely
		} else if m := w.made[pl.Abs]; m == nil {
			st.status = failure
			st.alt = ""
			return
		}
	default:
		st.alt, st.status = st.cwd, likely
	}
	st.cwd = path.Clean(pl.Abs)
}

func (w *walker) exec(st *shell, args []arg) bool {
	for len(args) > 0 && strings.HasPrefix(args[0].s, "-") {
		if args[0].s == "-a" && len(args) > 1 {
			args = args[1:]
		}
		args = args[1:]
	}
	if len(args) == 0 {
		return true
	}
	w.runProgram(st, args)
	return false
}

// runProgram runs words as a program or builtin, never as a function.
func (w *walker) runProgram(st *shell, args []arg) {
	if len(args) == 0 || !w.enter("commands that run commands are too deep to be followed") {
		return
	}
	defer w.leave()
	hidden := st.funcs
	if st.function(args[0].s) != nil {
		st.define(args[0].s, nil)
		defer func() { st.funcs = hidden }()
	}
	w.run(st, args)
}

func (w *walker) commandBuiltin(st *shell, args []arg) {
	for len(args) > 0 && strings.HasPrefix(args[0].s, "-") {
		if strings.ContainsAny(args[0].s, "vV") {
			w.emit(st, 1, anyText, nil)
			st.status = unsure
			return
		}
		args = args[1:]
	}
	w.runProgram(st, args)
}

func (w *walker) set(st *shell, args []arg) {
	for i, a := range args {
		switch {
		case a.s == "--":
			st.pos = args[i+1:]
			return
		case a.s == "-a":
			st.opts.allexport = true
		case a.s == "-f":
			st.opts.noglob = true
		case a.s == "+f":
			st.opts.noglob = false
		case strings.HasPrefix(a.s, "-"), strings.HasPrefix(a.s, "+"), i > 0 && (args[i-1].s == "-o" || args[i-1].s == "+o"):
			if i > 0 && a.s == "noglob" {
				st.opts.noglob = args[i-1].s == "-o"
			}
			if strings.HasSuffix(a.s, "o") && i+1 == len(args) {
				return
			}
		default:
			if i > 0 && strings.HasSuffix(args[i-1].s, "o") && args[i-1].s[0] == '-' {
				continue // set -euo pipefail
			}
			st.pos = args[i:]
			return
		}
	}
}

func (w *walker) shopt(st *shell, args []arg) {
	on := false
	for _, a := range args {
		switch a.s {
		case "-s":
			on = true
		case "nullglob":
			st.opts.nullglob = on
		case "dotglob":
			st.opts.dotglob = on
		case "globstar":
			st.opts.globstar = on
		case "lastpipe":
			st.opts.lastpipe = on
		case "expand_aliases":
			st.opts.aliases = on
		}
	}
}

func (w *walker) trap(st *shell, args []arg) {
	if len(args) > 0 && args[0].s == "--" {
		args = args[1:]
	}
	if len(args) < 2 || strings.HasPrefix(args[0].s, "-") && args[0].s != "-" {
		return
	}
	for _, sig := range args[1:] {
		kept := w.traps[:0]
		for _, t := range w.traps {
			if t.signal != sig.s {
				kept = append(kept, t)
			}
		}
		w.traps = kept
		if args[0].s != "-" && args[0].s != "" && len(w.traps) < maxReasons {
			w.traps = append(w.traps, trap{st, args[0].s, sig.s})
		}
	}
}

// runTraps runs what was set for the end of the shell, and perhaps for signals.
func (w *walker) runTraps(st *shell) {
	traps := w.traps
	w.traps = nil
	for _, t := range traps {
		end := t.signal == "EXIT" || t.signal == "0"
		if !end {
			w.maybe++
		}
		if t.st == st || t.st.parent == nil {
			w.evalText(st, t.text)
		} else {
			w.evalText(t.st, t.text)
		}
		if !end {
			w.maybe--
		}
	}
}

// declare handles declare, local, export, readonly, typeset, nameref. All its words are expanded before the first is
// assigned.
func (w *walker) declare(st *shell, c *syntax.DeclClause) {
	st.status = success
	variant := "declare"
	if c.Variant != nil {
		variant = c.Variant.Value
	}
	flags := ""
	type assignment struct {
		name string
		v    *value
	}
	var todo []assignment
	before := st.fork()
	for _, a := range c.Args {
		switch {
		case a.Naked && a.Name == nil:
			for _, one := range w.fields(st, []*syntax.Word{a.Value}) {
				if strings.HasPrefix(one.s, "-") {
					flags += one.s[1:]
				} else if k, v, ok := strings.Cut(one.s, "="); ok && syntax.ValidName(k) {
					todo = append(todo, assignment{k, &value{s: v, reads: one.reads}})
				}
			}
		case a.Naked:
			todo = append(todo, assignment{a.Name.Value, nil})
		case a.Value != nil && a.Array == nil && a.Index == nil && !a.Append:
			for _, parts := range w.braces(a.Value) { // declare x={a,b} is two words: the last assignment stays
				f := w.unsplit(before, parts)
				todo = append(todo, assignment{a.Name.Value, &value{s: string(f.text), reads: f.reads}})
			}
		default:
			tmp := before.fork()
			w.assign(tmp, a)
			todo = append(todo, assignment{a.Name.Value, tmp.lookup(a.Name.Value)})
		}
	}
	keeps := variant == "export" || variant == "readonly" || strings.Contains(flags, "g")
	for _, t := range todo {
		if !keeps {
			old := st.lookup(t.name)
			st.local(t.name)
			if t.v == nil && (old == nil || st.locals != nil) {
				t.v = &value{unset: true}
			}
		}
		if variant == "export" && strings.Contains(flags, "f") {
			w.exported = append(w.exported, t.name)
			continue
		}
		if t.v == nil {
			if variant == "export" || strings.Contains(flags, "x") {
				w.export(st, t.name)
			}
			continue
		}
		v := *t.v
		switch {
		case strings.Contains(flags, "n") && variant != "export":
			v = value{ref: v.s, s: anyText}
		case strings.Contains(flags, "l"):
			v.lower = true
		case strings.Contains(flags, "u"):
			v.upper = true
		case strings.Contains(flags, "i") && !v.unset:
			if n, ok := w.arithWord(st, v.s, 8); ok {
				v.s = strconv.Itoa(n)
			} else {
				v.s = anyName
			}
		}
		v.exported = variant == "export" || strings.Contains(flags, "x")
		st.set(t.name, &v)
		if v.exported {
			w.runsCommand(t.name, st)
		}
	}
}

func (st *shell) setHash(name, to string) {
	next := map[string]string{name: to}
	for k, v := range st.hashed {
		if k != name {
			next[k] = v
		}
	}
	st.hashed = next
}
