package shell

import "github.com/mbgate/mbgate/internal/risk/reason"

// handleGit runs the handlers of git's subcommands.
func (c *cmd) handleGit() bool {
	switch c.row.do {
	case "git-restore":
		if c.has("S", "staged") && !c.has("W", "worktree") {
			return true
		}
		for _, a := range c.rest {
			c.pathspec(a)
		}
		if c.has("pathspec-from-file") {
			c.worktree()
		}
	case "git-clean":
		if c.has("n", "dry-run") || !c.has("f", "force", "i") {
			c.w.emit(c.st, 1, anyText, nil)
			return true
		}
		if len(c.rest) == 0 {
			c.worktree()
		}
		for _, a := range c.rest {
			c.touch(c.st, a, change{op: opDelete, must: true, tree: c.isFolder(a)})
		}
	case "git-config":
		read := c.has("l", "list", "get", "get-all", "get-regexp", "get-urlmatch", "name-only", "get-color", "get-colorbool", "show-origin")
		words := len(c.rest)
		if words > 0 && (c.rest[0].s == "get" || c.rest[0].s == "list") {
			read = true
		}
		if read || words < 2 && !c.has("unset", "unset-all", "remove-section", "e", "edit", "add", "replace-all") {
			c.w.emit(c.st, 1, anyText, nil)
			return true
		}
		switch f, named := c.value("f", "file"); {
		case named:
			c.role("write", f, true)
		case c.has("global"):
			c.touch(c.st, arg{s: c.w.home(c.st) + "/.gitconfig"}, change{op: opWrite})
		case c.has("system"):
		default:
			c.touch(c.st, arg{s: c.w.env.Root + "/.git/config"}, change{op: opWrite})
		}
	case "git-format-patch":
		if c.has("stdout") {
			c.w.emit(c.st, 1, anyText, nil)
			return true
		}
		if !c.has("o", "output-directory", "output") {
			c.role("create", arg{s: "./" + anyName}, true)
		}
		return false
	case "git-checkout-index":
		if len(c.rest) == 0 || c.has("a", "all") {
			if p, ok := c.value("prefix"); ok {
				c.role("tree", p, true)
			} else {
				c.worktree()
			}
			return true
		}
		return false
	case "git-grep":
		c.args = append([]arg(nil), c.args...)
		return c.gitGrep()
	default:
		c.unknown(reason.Fault, c.row.do)
	}
	return true
}

func (c *cmd) gitGrep() bool {
	c.st.status = unsure
	rest := c.rest
	pat, given := c.value("e")
	if !given && len(rest) > 0 {
		pat, rest = rest[0], rest[1:]
	}
	if c.dashes >= 0 && c.dashes > 0 && !given {
		rest = c.rest[c.dashes:]
	}
	if c.has("l", "c", "L", "q", "files-with-matches", "count", "name-only") {
		c.w.emit(c.st, 1, anyText, nil)
		return true
	}
	var reads []Read
	for _, a := range rest {
		f := c.w.file(c.st, a)
		if pat.s == "" {
			reads = append(reads, f.reads...)
		} else {
			reads = append(reads, filtered(f.reads)...)
		}
	}
	c.w.emit(c.st, 1, anyText, reads)
	return true
}
