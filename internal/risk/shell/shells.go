package shell

import (
	"strings"

	"github.com/mbgate/mbgate/internal/risk/reason"
)

// shell runs bash, sh, zsh, dash, ksh: on -c text, a file, or standard input.
func (c *cmd) shell() bool {
	w, st := c.w, c.st
	rest := c.rest
	if c.has("n") && !c.has("c") || c.has("D", "version", "help") {
		return true // only checks the syntax
	}
	switch {
	case c.has("c"):
		if len(rest) == 0 {
			return true
		}
		var pos []arg
		if len(rest) > 2 {
			pos = rest[2:]
		}
		if !c.has("n") {
			w.within(c.name+" -c", func() { w.evalSub(st, rest[0].s, pos) })
		}
	case c.has("s") || len(rest) == 0 || rest[0].s == "-" || rest[0].s == "/dev/stdin":
		in := st.stdin()
		text := w.textOf(in)
		in.pos = len(in.text)
		if text == "" {
			if in == w.tty {
				w.special(Interactive, append([]arg{{s: c.name}}, c.args...))
			}
			return true
		}
		pos := rest
		if len(pos) > 0 && pos[0].s == "-" {
			pos = pos[1:]
		}
		w.within("the input of "+c.name, func() { w.evalSub(st, text, pos) })
	default:
		o := w.scriptFile(st, rest[0])
		w.shellScript(st, o, rest)
	}
	return true
}

// editor is a program that takes its orders from the terminal: what it does to the files it names is not known.
func (c *cmd) editor() {
	for _, a := range c.rest {
		if c.exists(a) || c.row.arg != "view" {
			c.w.maybe++
			c.role("write", a, true)
			c.w.maybe--
		}
	}
	c.w.special(Interactive, append([]arg{{s: c.name}}, c.args...))
}

// edScript is ed, ex and vim -es: commands of their own from options or standard input. A `w` in them writes the file
// that is edited or the file that it names; `!` runs a shell.
func (c *cmd) edScript() bool {
	var lines []string
	for _, v := range c.vals {
		if v.role == "code" {
			lines = append(lines, strings.TrimPrefix(v.s, ":"))
		} else if v.role == "write" { // --startuptime
			c.role(v.role, v.arg, true)
		}
	}
	batch := c.has("s", "es", "Es", "e", "E") || len(lines) > 0 || c.row.name == "ed" || c.row.name == "ex"
	in := c.st.stdin().rest()
	if c.row.name == "ed" || c.row.name == "ex" || c.has("es", "s") {
		lines = append(lines, strings.Split(in, "\n")...)
	}
	operands := c.rest
	for len(operands) > 0 && strings.HasPrefix(operands[0].s, "+") {
		lines, operands = append(lines, operands[0].s[1:]), operands[1:]
	}
	if c.has("version", "v") && len(operands) == 0 || c.has("h") {
		c.w.emit(c.st, 1, anyText, nil)
		return true
	}
	if !batch || len(lines) == 0 || in == "" && len(lines) == 1 && lines[0] == "" {
		c.editor()
		return true
	}
	for _, v := range c.vals {
		if v.role == "in" && isKnown(v.s) && v.name == "S" {
			c.unknown(reason.Script, "")
		}
	}
	all := strings.Join(lines, "\n")
	if !isKnown(all) {
		c.unknown(reason.UnknownText, "")
	}
	inserting := false
	for _, l := range lines {
		l = strings.TrimSpace(l)
		if inserting && c.row.name == "ed" {
			inserting = l != "."
			continue
		}
		if c.row.name == "ed" && l != "" && strings.ContainsRune("aic", rune(l[len(l)-1])) && strings.Trim(l[:len(l)-1], "0123456789,$./^%;+-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ") == "" && len(l) < 12 {
			inserting = true
			continue
		}
		for _, part := range strings.Split(l, "|") {
			c.edCommand(strings.TrimSpace(part), operands)
		}
	}
	return true
}

func (c *cmd) edCommand(l string, operands []arg) {
	body := strings.TrimLeft(l, "0123456789,$.%;+- ")
	if shell, ok := strings.CutPrefix(body, "!"); ok {
		c.w.evalSub(c.st, shell, nil)
		return
	}
	for _, prefix := range []string{"silent! ", "silent ", "sil! "} {
		body = strings.TrimPrefix(body, prefix)
	}
	word, rest, _ := strings.Cut(body, " ")
	switch strings.TrimSuffix(word, "!") {
	case "r", "read":
		if shell, ok := strings.CutPrefix(rest, "!"); ok {
			c.w.evalSub(c.st, shell, nil)
		}
	case "w", "wq", "x", "xit", "write", "W", "wqa", "wall", "wa", "xa", "up", "update", "saveas", "sav":
		rest = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(rest), ">>"))
		if shell, ok := strings.CutPrefix(rest, "!"); ok {
			c.w.evalSub(c.st, shell, nil)
			return
		}
		if rest != "" {
			c.role("write", arg{s: rest}, true)
			return
		}
		for _, a := range operands {
			c.role("write", a, true)
		}
	case "call", "lua", "luafile", "py", "py3", "python", "python3", "pyfile", "perl", "ruby", "exe", "execute", "so", "source", "runtime", "norm", "normal", "eval":
		c.unknown(reason.Script, show(l))
	case "ZZ":
		for _, a := range operands {
			c.role("write", a, true)
		}
	case "p", "print", "n", "l", "P", "Print":
		for _, a := range operands {
			f := c.w.file(c.st, a)
			reads := partial(f.reads)
			if strings.HasPrefix(l, ",") || strings.HasPrefix(l, "%") || strings.HasPrefix(l, "1,$") {
				reads = f.reads
			}
			c.w.emit(c.st, 1, anyText, reads)
		}
	}
}
