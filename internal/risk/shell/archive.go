package shell

import (
	"path"
	"strings"
)

// compress replaces each operand by a file with the suffix row.arg or, with -d or a - before the suffix, by one without. A + behind
// the suffix says that the operands stay.
func (c *cmd) compress() bool {
	suffix, keep := strings.CutSuffix(c.row.arg, "+")
	suffix, unpack := strings.CutPrefix(suffix, "-")
	keep = keep && !c.has("rm") || c.has("k", "keep", "-keep")
	unpack = unpack || c.has("d", "decompress", "uncompress")
	if v, ok := c.value("S", "suffix"); ok {
		suffix = v.s
	}
	out, named := c.value("o", "output")
	if len(c.rest) == 0 || c.has("c", "stdout", "to-stdout", "l", "list", "t", "test", "info") {
		c.touch(c.st, out, change{op: opWrite})
		c.w.emit(c.st, 1, anyText, nil)
		return true
	}
	for _, a := range c.rest {
		to := arg{s: a.s + suffix}
		switch {
		case c.isFolder(a):
			if c.has("r", "recursive") {
				c.touch(c.st, a, change{op: opWrite, tree: true, must: true})
			}
			continue
		case named:
			to = out
		case unpack:
			to.s = strings.TrimSuffix(a.s, path.Ext(a.s))
		}
		c.ifThere(a, func() { c.touch(c.st, to, change{op: opWrite}) })
		if !keep {
			c.touch(c.st, a, change{op: opDelete, must: true})
		}
	}
	return true
}

// tar creates, extends or unpacks an archive. Old-style options need no dash.
func (c *cmd) tar() bool {
	w, st := c.w, c.st
	if len(c.args) > 0 && c.args[0].s != "" && c.args[0].s[0] != '-' && isKnown(c.args[0].s) {
		old := c.args[0].s
		args := []arg{}
		rest := c.args[1:]
		for _, letter := range old { // each letter that takes a value takes the next word
			args = append(args, arg{s: "-" + string(letter)})
			if _, ok := c.row.spec(string(letter)); ok && len(rest) > 0 {
				args, rest = append(args, rest[0]), rest[1:]
			}
		}
		c.parsedOptions = parseOptions(c.row, append(args, rest...))
	}
	for _, v := range c.vals {
		switch v.name {
		case "to-command", "use-compress-program", "I", "F", "info-script", "checkpoint-action":
			w.evalSub(st, strings.TrimPrefix(v.s, "exec="), nil)
		case "index-file":
			c.touch(st, v.arg, change{op: opWrite})
		}
	}
	file, named := c.value("f", "file")
	named = named && file.s != "-" && !isRemote(file.s)
	at := st
	if dir, ok := c.value("C", "directory", "cd"); ok {
		at = st.fork()
		if !w.goTo(at, dir) {
			w.maybe++
			defer func() { w.maybe-- }()
		}
		at.alt = ""
	}
	switch {
	case c.has("c", "create", "r", "append", "u", "update", "A", "catenate", "delete"):
		if named {
			c.touch(st, file, change{op: opWrite})
		} else if c.has("c", "create") {
			var reads []Read
			for _, a := range c.rest {
				reads = append(reads, w.file(at, a).reads...)
			}
			w.emit(st, 1, anyText, reads)
		}
		if c.has("remove-files") {
			for _, a := range c.rest {
				c.touch(at, a, change{op: opDelete, must: true, tree: true})
			}
		}
	case c.has("x", "extract", "get"):
		if c.has("O", "to-stdout") {
			w.emit(st, 1, anyText, nil)
			return true
		}
		if _, ok := c.value("to-command"); ok {
			return true
		}
		w.perhaps(named && !w.exists(st, file), func() {
			c.touch(at, arg{s: "."}, change{op: opWrite, tree: true, dir: true})
		})
	default:
		w.emit(st, 1, anyText, nil)
	}
	return true
}
