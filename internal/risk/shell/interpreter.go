package shell

import (
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/risk/reason"
	"github.com/mbgate/mbgate/internal/risk/script"
)

// language is the script package's name for what the tables call do=script:NAME.
func (c *cmd) language() script.Lang { return script.Lang(c.row.arg) }

// interpreter runs python, node, perl, ruby, php, lua on a one-liner, a file, or standard input.
func (c *cmd) interpreter() bool {
	w, st := c.w, c.st
	if c.has("help", "version", "V") && len(c.vals) == 0 && len(c.rest) == 0 {
		w.emit(st, 1, anyText, nil)
		return true
	}
	if c.says(c.row.not, nil) { // it only parses, or tells of itself
		w.emit(st, 1, anyText, nil)
		return true
	}
	o := script.Options{Print: c.hasRole("printvalue")}
	var src []string
	have, known := false, true
	for _, v := range c.vals {
		switch v.role {
		case "code", "printvalue":
			src = append(src, v.s)
			have, known = true, known && isKnown(v.s)
		case "lib":
			o.Modules = append(o.Modules, v.s)
		case "chdir":
			st = st.fork()
			w.goTo(st, v.arg)
		case "module":
			c.module(v.s)
			return true
		}
	}
	operands := c.rest
	text := strings.Join(src, "\n")
	foreign := true
	if lang := c.language(); (lang == script.Python || lang == script.Node) && c.has("i", "interactive") && st.stdin() == w.tty {
		// It runs its script and then reads the terminal; -i of the other interpreters edits in place, or prints and ends.
		w.special(Interactive, append([]arg{{s: c.name}}, c.args...))
	}
	if !have {
		if len(operands) > 0 && operands[0].s != "-" {
			if w.row(c.row.name+":"+operands[0].s) != nil {
				w.apply(st, w.row(c.row.name+":"+operands[0].s), operands)
				return true
			}
			f := w.scriptFile(st, operands[0])
			w.own++
			if r := w.row(base(operands[0].s)); r != nil && !f.foreign { // php artisan, python manage.py, php vendor/bin/pint
				w.apply(st, r, operands)
				return true
			}
			o.Name = operands[0].s
			text, known, foreign = f.text, f.known, f.foreign
		} else {
			in := st.stdin()
			text = w.textOf(in)
			known = isKnown(text)
			if in == w.tty && !c.has("c", "V", "v", "h", "i") {
				w.special(Interactive, append([]arg{{s: c.name}}, c.args...))
				return true
			}
		}
		if len(operands) > 0 {
			operands = operands[1:]
		}
	}
	if c.hasRole("inplace") {
		c.inplace(operands)
	}
	if !known {
		w.dirty = true
		if foreign {
			c.unknown(reason.Script, "")
		}
		w.emit(st, 1, anyText, nil)
		return true
	}
	w.runScript(st, c.language(), text, operands, o, foreign)
	return true
}

func (c *cmd) hasRole(role string) bool {
	given := func(s optSpec) bool { return s.role == role && c.has(s.name) }
	return slices.ContainsFunc(c.vals, func(v optValue) bool { return v.role == role }) ||
		slices.ContainsFunc(c.row.val, given) || slices.ContainsFunc(c.row.keys, given) // keys= gives flags of interpreters their roles
}

// inplace writes the operands and, with a suffix, their copies.
func (c *cmd) inplace(operands []arg) {
	suffix := ""
	for _, v := range c.vals {
		if (v.name == "i" || v.name == "in-place") && c.row.do != "awk" {
			suffix = v.s
		}
	}
	for _, a := range operands {
		c.touch(c.st, a, change{op: opWrite, must: true, why: reason.Reason{Kind: reason.InPlace}})
		if suffix != "" {
			b := a
			switch {
			case strings.Contains(suffix, "*"):
				dir, name := "", a.s
				if i := strings.LastIndexByte(a.s, '/'); i >= 0 {
					dir, name = a.s[:i+1], a.s[i+1:]
				}
				b.s = dir + strings.ReplaceAll(suffix, "*", name)
			default:
				b.s += suffix
			}
			c.touch(c.st, b, change{op: opWrite})
		}
	}
}

// exists is false only for a file that is surely not there.
func (w *walker) exists(st *shell, a arg) bool {
	if !isKnown(a.s) || w.dirty || isDevice(a.s) || st.cwd == "" && !strings.HasPrefix(a.s, "/") || st.alt != "" {
		return true
	}
	return w.kindOf(w.env.Files.Locate(st.cwd, a.s)) != place.Missing
}

// runScript takes over what the text of a script does.
func (w *walker) runScript(st *shell, lang script.Lang, text string, args []arg, o script.Options, foreign bool) {
	if !w.enter() {
		return
	}
	defer w.leave()
	o.Env = w.env.Vars
	e := script.Judge(lang, text, knownTexts(args), o)
	if foreign {
		for _, why := range e.Opaque {
			w.unknown(reason.Opaque, string(lang), why)
		}
	}
	if len(e.Opaque) > 0 {
		w.dirty = true
	}
	for _, t := range e.Touches {
		w.scriptTouch(st, t)
	}
	for _, r := range e.Runs {
		w.scriptRun(st, r, foreign)
	}
	w.emit(st, 1, anyText, nil)
}

// magics walks the lines of a notebook's cell in Python that IPython gives to a shell (!ls, %cd src, %%bash), and returns
// the others. A magic that is no command is taken for one that no table knows.
func (w *walker) magics(st *shell, lang script.Lang, cell string) string {
	if lang != script.Python {
		return cell
	}
	var code strings.Builder
	for line := range strings.Lines(cell) {
		head := strings.TrimSpace(line)
		word, rest, _ := strings.Cut(head, " ")
		switch {
		case word == "%%writefile" || word == "%%file":
			w.source(st, "tee "+rest)
			return code.String()
		case word == "%%bash" || word == "%%sh" || word == "%%script" || word == "%%system" || word == "%%!":
			_, body, _ := strings.Cut(cell, line)
			w.source(st, body)
			return code.String()
		case word == "%run":
			w.source(st, "python "+rest)
		case word == "%sx" || word == "%system":
			w.source(st, rest)
		case strings.HasPrefix(head, "!") || strings.HasPrefix(head, "%") && !strings.HasPrefix(head, "%%"):
			w.source(st, strings.TrimLeft(head, "!%"))
		default:
			code.WriteString(line)
		}
	}
	return code.String()
}

func (w *walker) scriptTouch(st *shell, t script.Touch) {
	a := arg{s: t.Path}
	if !t.Known {
		a.s += anyText
	}
	if t.Op == event.OpRead {
		if !t.Printed {
			return
		}
		c := w.file(st, a)
		if t.Path == script.Stdin {
			c = w.stdinOf(st)
		}
		reads := c.reads
		switch {
		case t.Whole:
		case t.Verbatim && len(t.Spans) > 0:
			spans := make([]Span, 0, len(t.Spans))
			for _, s := range t.Spans {
				spans = append(spans, Span{s[0], s[1]})
			}
			reads = w.spans(reads, spans)
		case t.Verbatim:
			reads = partial(reads)
		default:
			reads = filtered(reads)
		}
		w.emit(st, 1, "", reads)
		return
	}
	if t.Into && t.Known && (st.cwd != "" || strings.HasPrefix(a.s, "/")) && w.kindOf(w.env.Files.Locate(st.cwd, a.s)) == place.Folder {
		name := t.Name
		if name == "" {
			name = anyName
		}
		a.s = strings.TrimSuffix(a.s, "/") + "/" + name
	}
	if t.Maybe {
		w.maybe++
		defer func() { w.maybe-- }()
	}
	w.touch(st, a, change{
		op: t.Op, tree: t.Tree, why: reason.Reason{By: t.Why},
		must: t.Op == opDelete || t.Op == opMove || t.Op == opMode, mk: t.Tree || t.Op == opCreate,
	})
}

func (w *walker) scriptRun(st *shell, r script.Run, foreign bool) {
	sub := st.fork()
	if r.Dir != "" {
		w.goTo(sub, arg{s: r.Dir})
	}
	if r.DirUnknown {
		sub.cwd = ""
	}
	if r.HasInput {
		in := &content{text: r.Input}
		if !r.InputKnown {
			in.text += anyText
		}
		sub.fds = sub.fds.with(fd{n: 0, in: in})
	}
	if !r.Printed {
		sub.fds = sub.fds.with(fd{n: 1})
	}
	if r.Shell != "" || len(r.Args) == 0 {
		text := r.Shell
		if !r.Known {
			text += anyText
			if !foreign {
				return
			}
		}
		w.evalSub(sub, text, nil)
		return
	}
	args := make([]arg, 0, len(r.Args))
	for _, s := range r.Args {
		if s == "" {
			s = anyText
		}
		args = append(args, arg{s: s, quoted: true})
	}
	if !r.Known {
		args = append(args, arg{s: anyText})
	}
	if !isKnown(args[0].s) && !foreign {
		return
	}
	w.runProgram(sub, args)
}

// module is python -m NAME: the row python:NAME.
func (c *cmd) module(name string) {
	if r := c.w.row("python:" + name); r != nil {
		c.w.apply(c.st, r, append([]arg{{s: name}}, c.rest...))
		return
	}
	if r := c.w.row(name); r != nil {
		c.w.apply(c.st, r, append([]arg{{s: name}}, c.rest...))
		return
	}
	c.w.dirty = true
	c.w.emit(c.st, 1, anyText, nil)
}
