package shell

import (
	"strings"

	"github.com/mbgate/mbgate/internal/risk/reason"
)

// handle runs the Go handler that a row names with do=. It returns false if the fields of the row are to be followed
// as well.
func (c *cmd) handle() bool {
	switch c.row.do {
	case "copy":
		return c.copy()
	case "head":
		return c.head()
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
	case "base": // it prints one name
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
	case "xargs":
		return c.xargs()
	case "parallel":
		return c.parallel()
	case "find":
		return c.find()
	case "compress":
		return c.compress()
	case "tar":
		return c.tar()
	case "patch":
		return c.patch()
	case "git-checkout":
		return c.gitCheckout()
	case "git-clone":
		return c.gitClone()
	case "git-clean":
		return c.gitClean()
	case "git-config":
		return c.gitConfig()
	case "orders": // it takes its orders from the terminal, unless one of the flags in row.arg gives them
		c.takesOrders()
		return false
	case "sql":
		return c.sql()
	case "commands": // a script of the program's own commands on standard input or in -c
		return c.edScript()
	case "fd":
		return c.fd()
	case "jq": // only the filter . prints all
		c.partly = len(c.rest) > 0 && c.rest[0].s != "."
		return false
	case "base64":
		return c.base64()
	case "pwsh":
		c.powershell()
	case "opaque":
		c.opaque()
	default:
		c.unknown(reason.Fault, c.row.do)
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
