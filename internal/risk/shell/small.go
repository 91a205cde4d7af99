package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/risk/reason"
	"github.com/mbgate/mbgate/internal/risk/script"
)

// opaque is an interpreter of a language that is not judged. row.arg has the words by which its code changes files or runs
// programs: without any of them code whose text is known does neither.
func (c *cmd) opaque() {
	switch {
	case c.row.arg != "" && c.looksOnly():
	case len(c.vals) > 0 || c.st.stdin().rest() != "":
		c.unknown(reason.Script, "")
	case len(c.rest) > 0:
		c.foreignScript(c.rest[0])
	case len(c.args) == 0 && c.st.stdin() == c.w.tty:
		c.w.special(Interactive, []arg{{s: c.name}})
	}
	c.w.dirty = true
	c.w.emit(c.st, 1, anyText, nil)
}

// looksOnly reports whether the code on the command line and in standard input is known and has none of the words in row.arg.
func (c *cmd) looksOnly() bool {
	text := c.st.stdin().rest()
	for _, v := range c.vals {
		if v.role == "code" {
			text += "\n" + v.s
		}
	}
	return text != "" && len(c.rest) == 0 && isKnown(text) && !c.hasRole("file") &&
		!slices.ContainsFunc(strings.Split(c.row.arg, "+"), func(word string) bool { return strings.Contains(text, word) })
}

// fd prints what it finds, or runs the command behind -x for it.
func (c *cmd) fd() bool {
	found := arg{s: "./" + anyText, quoted: true}
	if n := len(c.rest); n > 1 || n == 1 && c.isFolder(c.rest[0]) {
		found.s = strings.TrimSuffix(c.rest[min(n, 2)-1].s, "/") + "/" + anyText
	}
	i := slices.IndexFunc(c.args, func(a arg) bool { return slices.Contains([]string{"-x", "-X", "--exec", "--exec-batch"}, a.s) })
	if i < 0 {
		c.w.emit(c.st, 1, found.s+"\n", nil)
		return true
	}
	words, marked := []arg(nil), false
	for _, a := range c.args[i+1:] { // {}, {/}, {//}, {.}, {/.}: what it is may be anything below the folder
		if j := strings.IndexByte(a.s, '{'); j >= 0 {
			a.s, marked = a.s[:j]+found.s, true
		}
		words = append(words, arg{s: a.s, quoted: true})
	}
	if !marked {
		words = append(words, found)
	}
	if len(words) > 1 {
		c.w.run(c.st.fork(), words)
	}
	return true
}

// takesOrders reports a program that reads commands from the terminal: none of the flags in row.arg is there, and its standard input
// is the terminal. Such a program has commands of its own that run others (`\!` in psql, `shell` in gdb).
func (c *cmd) takesOrders() {
	if c.st.stdin() == c.w.tty && !c.has(strings.Split(c.row.arg, "+")...) {
		c.w.special(Interactive, append([]arg{{s: c.name}}, c.args...))
	}
}

// powershell runs the text behind -Command, a file, or standard input.
func (c *cmd) powershell() {
	for i, a := range c.args {
		flag := strings.ToLower(strings.TrimLeft(a.s, "-/"))
		switch {
		case flag == a.s: // a file
			o := c.w.scriptFile(c.st, a)
			c.w.own++
			switch {
			case o.known && isPowerShell(a.s):
				c.w.runScript(c.st, script.PowerShell, o.text, nil, script.Options{}, o.foreign)
			case o.foreign:
				c.unknown(reason.Script, show(a.s))
			}
			return
		case strings.HasPrefix("command", flag):
			if text := joined(c.args[i+1:]); isKnown(text) {
				c.w.runScript(c.st, script.PowerShell, text, nil, script.Options{}, true)
			} else {
				c.unknown(reason.Script, "")
			}
			return
		case strings.HasPrefix("encodedcommand", flag) || flag == "ec":
			c.unknown(reason.Script, "")
			return
		}
	}
	switch text := c.w.textOf(c.st.stdin()); {
	case c.st.stdin() == c.w.tty:
		c.w.special(Interactive, []arg{{s: c.name}})
	case isKnown(text):
		c.w.runScript(c.st, script.PowerShell, text, nil, script.Options{}, true)
	default:
		c.unknown(reason.Script, "")
	}
}

// isPowerShell reports whether a file is a script of PowerShell.
func isPowerShell(file string) bool { return strings.EqualFold(path.Ext(file), ".ps1") }

// foreignScript is a script file in a language that is not judged.
func (c *cmd) foreignScript(a arg) {
	if o := c.w.scriptFile(c.st, a); o.foreign {
		c.unknown(reason.Script, show(a.s))
	}
}
