package shell

import (
	"path"
	"strings"

	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/risk/reason"
	"mvdan.cc/sh/v3/syntax"
)

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
		if len(rest) == 1 && w.printsSetUp(st, substitutions(rest[0].word)) {
			break
		}
		var words []string
		var reads []Read
		for _, a := range rest {
			words = append(words, a.s)
			reads = append(reads, a.reads...)
		}
		w.within("eval", func() { w.evalText(st, w.fileText(strings.Join(words, " "), reads)) })
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
	case "trap":
		w.trap(rest)
	case "history":
		for i, a := range rest {
			if (a.s == "-w" || a.s == "-a") && i+1 < len(rest) {
				w.touch(st, rest[i+1], change{op: opWrite, why: reason.Reason{By: "history"}})
			}
		}
	case "type":
		w.lookUp(st, rest)
		st.status = unsure
	case "wait", "jobs", "kill", "disown", "bg", "fg", "ulimit", "umask", "times", "dirs", "bind",
		"compgen", "complete", "compopt", "caller", "help", "suspend", "fc":
		w.emit(st, 1, anyText, nil)
		st.status = likely
	default:
		return false, w.variableBuiltin(st, name, rest)
	}
	return false, true
}

// variableBuiltin runs the builtins that change variables, options and names of commands. It returns false for others.
func (w *walker) variableBuiltin(st *shell, name string, rest []arg) bool {
	switch name {
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
	default:
		return false
	}
	return true
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
		if m := w.made[pl.Abs]; m == nil && !w.dirty {
			// It fails, unless another call of the same message makes the folder first.
			st.alt, st.status = path.Clean(pl.Abs), absent
			return
		}
		st.alt, st.status = st.cwd, unsure
		if w.dirty {
			st.status = likely
		}
	default:
		st.alt, st.status = st.cwd, likely
	}
	st.cwd = path.Clean(pl.Abs)
}

// goTo takes a program to the folder that one of its options names: where the folder is missing it does nothing in the
// old one. It returns false if it is missing.
func (w *walker) goTo(st *shell, to arg) bool {
	w.chdir(st, to)
	if st.status != absent {
		return true
	}
	st.cwd, st.alt, st.status = st.alt, "", likely
	return false
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
	if len(args) == 0 || !w.enter() {
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
			w.lookUp(st, args[1:])
			st.status = unsure
			return
		}
		args = args[1:]
	}
	w.runProgram(st, args)
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
