package shell

import (
	"path"
	"strings"
)

// compile is a compiler: -o FILE, else what the language makes of the names of the sources.
func (c *cmd) compile() bool {
	for _, v := range c.vals {
		if v.role != "" {
			c.role(v.role, v.arg, true)
		}
	}
	c.w.dirty = true
	if c.has("o", "out-dir", "E", "M", "MM", "fsyntax-only", "emit", "d") || len(c.rest) == 0 {
		c.w.emit(c.st, 1, anyText, nil)
		return true
	}
	for _, f := range c.flags {
		if strings.HasPrefix(f, "fsyntax") {
			return true
		}
	}
	if strings.Contains(joined(c.args), "-fsyntax-only") {
		return true
	}
	stem := func(a arg) string { return strings.TrimSuffix(a.s, path.Ext(a.s)) }
	switch {
	case c.row.arg == "base":
		c.output(path.Base(stem(c.rest[0])))
	case c.row.arg != "":
		for _, a := range c.rest {
			c.ifThere(a, func() { c.output(stem(a) + c.row.arg) })
		}
	case c.has("c", "S"):
		for _, a := range c.rest {
			ext := ".o"
			if c.has("S") {
				ext = ".s"
			}
			c.output(path.Base(stem(a)) + ext)
		}
	default:
		c.output("a.out")
	}
	return true
}

// dot writes -o FILE, or with -O the name of each input with the format behind it.
func (c *cmd) dot() bool {
	if c.has("O") {
		for _, a := range c.rest {
			c.role("write", arg{s: a.s + "." + c.nth("T")}, true)
		}
		return true
	}
	return false
}

// tsc writes .js files beside the sources, or where its configuration says.
func (c *cmd) tsc() bool {
	switch {
	case c.has("noEmit", "version", "v", "h", "showConfig", "listFilesOnly"):
	case c.has("init"):
		c.touch(c.st, arg{s: "tsconfig.json"}, change{op: opWrite})
	case c.has("outDir", "outFile"):
		return false
	case len(c.rest) > 0:
		for _, a := range c.rest {
			c.ifThere(a, func() { c.output(strings.TrimSuffix(a.s, path.Ext(a.s)) + ".js") })
		}
	default: // where its configuration says
		c.w.dirty = true
	}
	return true
}
