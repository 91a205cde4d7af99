package shell

import (
	"strings"
)

// handle runs the Go handler that a row names with do=. It returns false if the fields of the row are to be followed
// as well.
func (c *cmd) handle() bool {
	switch c.row.do {
	case "copy":
		return c.copy()
	case "head":
		return c.head()
	case "tail":
		return c.tail()
	case "grep":
		return c.grep()
	case "sed":
		return c.sed()
	case "awk":
		return c.awk()
	case "tee":
		return c.tee()
	case "echo":
		c.w.echo(c.st, c.args)
	case "ls":
		return c.ls()
	case "base": // basename, dirname, realpath: a name
		c.w.emit(c.st, 1, c.pathName()+"\n", nil)
	case "tmp":
		return c.mktemp()
	case "shell":
		return c.shell()
	case "script":
		return c.interpreter()
	case "interactive":
		c.editor()
	case "agent":
		c.w.special(Agent, append([]arg{{s: c.name}}, c.args...))
	case "env":
		return c.env()
	case "xargs":
		return c.xargs()
	case "parallel":
		return c.parallel()
	case "find":
		return c.find()
	case "watch": // a command line given as words
		c.w.evalSub(c.st, joined(c.rest), nil)
	case "compress":
		return c.compress()
	case "tar":
		return c.tar()
	case "unzip":
		return c.unzip()
	case "cpio":
		return c.cpio()
	case "patch":
		return c.patch()
	case "apply-patch":
		return c.applyPatch()
	case "git-checkout":
		return c.gitCheckout()
	case "git-apply":
		return c.gitApply()
	case "git-clone":
		return c.gitClone()
	case "git-show":
		return c.gitShow()
	case "curl":
		return c.curl()
	case "wget":
		return c.wget()
	case "orders": // it takes its orders from the terminal, unless one of the flags in row.arg gives them
		c.takesOrders()
		return false
	case "asks": // without operands, and none of the flags in row.arg, it only says something
		return len(c.rest) == 0 && !c.has(strings.Split(c.row.arg, "+")...)
	case "asks-behind": // one of the words of row.arg behind -- keeps it from writing
		for _, a := range c.rest {
			if a.s != "" && strings.Contains("+"+c.row.arg+"+", "+"+a.s+"+") {
				return true
			}
		}
		return false
	case "rename":
		return c.rename()
	case "sql":
		return c.sql()
	case "commands": // a script of the program's own commands on standard input or in -c
		return c.edScript()
	default:
		return c.handleSmall()
	}
	return true
}

func joined(args []arg) string {
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = a.s
	}
	return strings.Join(words, " ")
}
