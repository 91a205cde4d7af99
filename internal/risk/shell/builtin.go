package shell

import (
	"path"
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
		w.evalText(st, strings.Join(words, " "))
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
		for _, a := range rest {
			st.set(a.s, &value{unset: true})
		}
	case "export", "readonly", "local", "declare", "typeset":
		for _, a := range rest {
			if k, v, ok := strings.Cut(a.s, "="); ok && syntax.ValidName(k) {
				st.set(k, &value{s: v, reads: a.reads})
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
	case "type", "hash", "wait", "jobs", "kill", "disown", "bg", "fg", "ulimit", "umask", "times", "dirs", "bind",
		"compgen", "complete", "compopt", "caller", "enable", "help", "suspend", "fc":
		w.emit(st, 1, anyText, nil)
		st.status = unsure
		if name != "type" && name != "hash" {
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
	old := st.cwd
	if old == "" {
		old = anyText
	}
	st.old, st.status = old, success
	if !isKnown(to.s) || to.s == "" || st.cwd == "" && !strings.HasPrefix(to.s, "/") {
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
	if len(args) == 0 {
		return
	}
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

// declare handles declare, local, export, readonly, typeset, nameref.
func (w *walker) declare(st *shell, c *syntax.DeclClause) {
	st.status = success
	for _, a := range c.Args {
		switch {
		case a.Naked && a.Name == nil:
			for _, one := range w.fields(st, []*syntax.Word{a.Value}) {
				if k, v, ok := strings.Cut(one.s, "="); ok && syntax.ValidName(k) {
					st.set(k, &value{s: v, reads: one.reads})
				}
			}
		case a.Naked:
			if c.Variant != nil && c.Variant.Value != "export" && c.Variant.Value != "readonly" && st.lookup(a.Name.Value) == nil {
				st.set(a.Name.Value, &value{unset: true})
			}
		default:
			w.assign(st, a)
		}
	}
	for _, a := range c.Args {
		if a.Naked && a.Name == nil && a.Value != nil && strings.HasPrefix(a.Value.Lit(), "-n") {
			for _, b := range c.Args {
				if b.Name != nil {
					st.set(b.Name.Value, &value{s: anyText}) // a reference to another variable
				}
			}
		}
	}
}
