package shell

import (
	"strings"

	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/risk/reason"
)

// evalText runs text as commands of the shell st itself.
func (w *walker) evalText(st *shell, text string) {
	if strings.Contains(text, anyText) && strings.Trim(text, anyText+" \n\t") == "" {
		w.unknown(reason.UnknownText, "a shell", "")
		w.dirty = true
		st.status = unsure
		return
	}
	if !w.enter() {
		return
	}
	w.source(st, text)
	w.leave()
}

// evalSub runs text in a shell of its own, with positional parameters.
func (w *walker) evalSub(st *shell, text string, pos []arg) {
	sub := st.fork()
	sub.program, sub.pos, sub.opts = true, pos, options{}
	for _, name := range w.exported {
		if f := st.function(name); f != nil {
			sub.define(name, f)
		}
	}
	w.ownShell(sub, func() { w.evalText(sub, text) })
	st.status = likely
}

// origin says where the text of a script comes from, as far as that decides whether it is trusted to be the project's.
type origin struct {
	text    string
	known   bool
	foreign bool // made by this command or session, or outside the project
	absent  bool // not there now
	pl      place.Place
}

// scriptFile finds the text of a script file.
func (w *walker) scriptFile(st *shell, a arg) origin {
	if !isKnown(a.s) || st.cwd == "" && !strings.HasPrefix(a.s, "/") {
		return origin{foreign: true}
	}
	if a.s == "-" || a.s == "/dev/stdin" || a.s == "/dev/fd/0" {
		text := w.textOf(st.stdin())
		return origin{text: text, known: isKnown(text), foreign: true}
	}
	if n, ok := strings.CutPrefix(a.s, "/dev/fd/"); ok {
		c := w.file(st, a)
		if m, used := number(n, 10, 6); used > 0 && w.made[a.s] == nil {
			if f := st.fds.get(m); f.in != nil {
				c = f.in
			}
		}
		text := w.textOf(c)
		return origin{text: text, known: isKnown(text), foreign: true}
	}
	pl := w.env.Files.Locate(st.cwd, a.s)
	if m := w.made[pl.Abs]; m != nil {
		if m.body == nil {
			return origin{foreign: true, pl: pl}
		}
		text := w.textOf(m.body)
		return origin{text: text, known: isKnown(text), foreign: true, pl: pl}
	}
	o := origin{pl: pl, foreign: !pl.Inside() || w.env.Wrote != nil && w.env.Wrote(pl.Key)}
	if pl.Kind == place.Missing && !w.dirty {
		// It cannot be run, unless another call of the same message makes it first: outside the project any may.
		return origin{known: pl.Inside(), foreign: !pl.Inside(), absent: true, pl: pl}
	}
	if b, ok := w.env.Files.Text(pl.Abs, maxText); ok {
		o.text, o.known = string(b), true
	}
	return o
}

// runFile runs a file by its path: by its first line or extension. It returns false for a file that is no script.
func (w *walker) runFile(st *shell, args []arg) bool {
	o := w.scriptFile(st, args[0])
	if o.pl.Kind == place.Folder || o.known && o.text == "" {
		return true
	}
	if !o.known {
		if m := w.made[o.pl.Abs]; o.foreign && m != nil && !m.built || o.pl.Key != "" && w.env.Wrote != nil && w.env.Wrote(o.pl.Key) {
			w.unknown(reason.MadeHere, "", show(args[0].s))
		}
		return false
	}
	w.own++
	if isPowerShell(args[0].s) {
		w.program(st, append([]arg{{s: "pwsh"}}, args...))
		return true
	}
	first, _, _ := strings.Cut(o.text, "\n")
	if line, ok := strings.CutPrefix(first, "#!"); ok {
		words := strings.Fields(line)
		if len(words) > 1 && base(words[0]) == "env" {
			words = words[1:]
			if words[0] == "-S" {
				words = words[1:]
			}
		}
		if len(words) > 0 {
			interp := make([]arg, 0, len(words)+len(args))
			for _, word := range words {
				interp = append(interp, arg{s: base(word)})
			}
			if w.row(interp[0].s) != nil {
				w.program(st, append(interp, args...))
				return true
			}
		}
		return false
	}
	if strings.IndexByte(o.text, 0) >= 0 {
		return false
	}
	w.shellScript(st, o, args)
	return true
}

// shellScript runs a script file in a shell of its own. What the project's own scripts do that cannot be told is
// trusted; what was made here is not.
func (w *walker) shellScript(st *shell, o origin, args []arg) {
	if !o.known {
		w.dirty = true
		if o.foreign {
			w.unknown(reason.Script, "a shell", show(args[0].s))
		}
		return
	}
	before := len(w.rep.Unknown)
	w.within("the script "+show(args[0].s), func() { w.evalSub(st, o.text, args[1:]) })
	if !o.foreign {
		w.rep.Unknown = w.rep.Unknown[:before]
	}
}

// sourceFile is `source`.
func (w *walker) sourceFile(st *shell, args []arg) {
	if len(args) == 0 {
		return
	}
	o := w.scriptFile(st, args[0])
	if w.setsUp(st, args[0].s) {
		w.sourceSetUp(st, o, args)
		return
	}
	if !o.known {
		w.dirty = true
		if o.foreign {
			w.unknown(reason.Script, "a shell", show(args[0].s))
		}
		st.cwd = ""
		return
	}
	saved := st.pos
	if len(args) > 1 {
		st.pos = args[1:]
	}
	before := len(w.rep.Unknown)
	w.within("the script "+show(args[0].s), func() { w.evalText(st, o.text) })
	if !o.foreign {
		w.rep.Unknown = w.rep.Unknown[:before]
	}
	st.pos = saved
}
