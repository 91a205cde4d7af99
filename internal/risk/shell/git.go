package shell

import (
	"path"
	"strings"

	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/risk/patch"
	"github.com/mbgate/mbgate/internal/risk/reason"
)

// gitCheckout restores paths or switches branches; `git checkout X` is a path if X is one.
func (c *cmd) gitCheckout() bool {
	paths := c.rest
	switch {
	case c.dashes >= 0:
		paths = c.rest[c.dashes:]
		if len(paths) == 0 {
			if len(c.rest) > 0 || c.has("f", "force") {
				c.worktree()
			}
			return true
		}
	case c.has("b", "B", "orphan", "c", "C", "create", "force-create"):
		if len(c.rest) > 0 {
			c.worktree()
		}
		return true
	case c.has("pathspec-from-file"):
		c.worktree()
		return true
	case len(c.rest) == 0:
		if c.has("f", "force") {
			c.worktree()
		}
		return true
	case len(c.rest) == 1 && !c.isPath(c.rest[0]):
		c.worktree()
		return true
	case !c.isPath(c.rest[0]):
		paths = c.rest[1:]
	}
	for _, a := range paths {
		c.pathspec(a)
	}
	return true
}

// isPath tells a path from the name of a branch: it is there, or looks like nothing else.
func (c *cmd) isPath(a arg) bool {
	if !isKnown(a.s) || c.st.cwd == "" {
		return false
	}
	return c.w.kindOf(c.w.env.Files.Locate(c.st.cwd, a.s)) != place.Missing || strings.HasPrefix(a.s, ":") ||
		strings.HasPrefix(a.s, "./") || strings.ContainsAny(a.s, "*?") || strings.HasSuffix(a.s, "/")
}

// pathspec changes what a git pathspec names.
func (c *cmd) pathspec(a arg) {
	if strings.ContainsAny(a.s, "*?[") || strings.HasPrefix(a.s, ":") {
		c.worktree()
		return
	}
	c.touch(c.st, a, change{op: opWrite, tree: c.isFolder(a), why: reason.Reason{Kind: reason.Restores}})
}

// gitApply applies a patch: to the working tree, unless it only looks.
func (c *cmd) gitApply() bool {
	if c.has("stat", "numstat", "summary", "check", "cached") && !c.has("apply") {
		c.w.emit(c.st, 1, anyText, nil)
		return true
	}
	strip := 1
	if v, ok := c.value("p"); ok {
		strip, _ = number(v.s, 10, 3)
	}
	texts := []origin{}
	for _, a := range c.rest {
		texts = append(texts, c.w.scriptFile(c.st, a))
	}
	if len(c.rest) == 0 {
		text := c.w.textOf(c.st.stdin())
		texts = append(texts, origin{text: text, known: isKnown(text), absent: c.st.stdin().absent})
	}
	for _, t := range texts {
		c.patchText(t, strip, "", c.has("R", "reverse"))
	}
	return true
}

// patchText changes the files that a patch names.
func (c *cmd) patchText(t origin, strip int, dir string, reverse bool) {
	if !t.known {
		c.worktree()
		return
	}
	if t.absent {
		c.worktree()
		return
	}
	if strings.TrimSpace(t.text) == "" {
		return
	}
	changes, err := patch.ParseStrip(t.text, strip)
	if err != nil && len(changes) == 0 {
		if c.row.name == "apply_patch" {
			c.worktree()
		}
		return // refused
	}
	if err != nil {
		c.worktree()
	}
	for _, ch := range changes {
		op := ch.Op
		if reverse {
			switch op {
			case opCreate:
				op = opDelete
			case opDelete:
				op = opCreate
			}
		}
		p := ch.Path
		if dir != "" {
			p = path.Join(dir, p)
		}
		c.touch(c.st, arg{s: p}, change{op: op, mk: true})
	}
}

// patch is the program patch: -i FILE, `patch FILE PATCH`, or standard input.
func (c *cmd) patch() bool {
	if c.has("dry-run", "C", "check") {
		return true
	}
	strip := patch.Base
	if v, ok := c.value("p", "strip"); ok {
		strip, _ = number(v.s, 10, 3)
	}
	dir := ""
	if d, ok := c.value("d", "directory"); ok {
		dir = d.s
	}
	text := origin{}
	if i, ok := c.value("i", "input"); ok && i.s != "-" {
		text = c.w.scriptFile(c.st, i)
	} else if len(c.rest) > 1 {
		text = c.w.scriptFile(c.st, c.rest[1])
	} else {
		in := c.w.textOf(c.st.stdin())
		text = origin{text: in, known: isKnown(in), absent: c.st.stdin().absent}
	}
	if o, ok := c.value("o", "output"); ok {
		c.role("write", o, true)
		return true
	}
	if len(c.rest) > 0 {
		c.touch(c.st, c.rest[0], change{op: opWrite})
		return true
	}
	c.patchText(text, strip, dir, c.has("R", "reverse"))
	return true
}

// applyPatch is the apply_patch of Codex: the patch stands in its argument or on standard input.
func (c *cmd) applyPatch() bool {
	text := c.w.textOf(c.st.stdin())
	if len(c.args) > 0 {
		text = c.args[0].s
	}
	c.patchText(origin{text: text, known: isKnown(text)}, patch.Guess, "", false)
	return true
}

// gitClone makes the folder that it is given, or that the address ends with.
func (c *cmd) gitClone() bool {
	if len(c.rest) == 0 {
		return true
	}
	dir := c.rest[len(c.rest)-1]
	if len(c.rest) == 1 {
		dir.s = strings.TrimSuffix(path.Base(strings.TrimRight(dir.s, "/")), ".git")
		if i := strings.LastIndexByte(dir.s, ':'); i >= 0 {
			dir.s = dir.s[i+1:]
		}
		if dir.s == "." || dir.s == "" {
			return true
		}
	}
	c.touch(c.st, dir, change{op: opCreate, tree: true, dir: true, mk: true})
	return true
}

// gitShow prints what lies in the repository; with paths, `git grep` prints files of the working tree.
func (c *cmd) gitShow() bool {
	if o, ok := c.value("output"); ok {
		c.role("write", o, true)
	}
	switch c.row.arg {
	case "toplevel":
		if c.has("show-toplevel") && c.st.cwd != "" {
			c.w.emit(c.st, 1, c.w.env.Root+"\n", nil)
			return true
		}
	case "files":
		c.lsFiles()
		return true
	}
	c.w.emit(c.st, 1, anyText, nil)
	return true
}

// lsFiles prints paths below the folder the shell is in.
func (c *cmd) lsFiles() {
	if len(c.rest) == 0 || c.st.cwd == "" {
		c.w.emit(c.st, 1, "./"+anyText+"\n", nil)
		return
	}
	var b strings.Builder
	for _, a := range c.rest {
		switch {
		case strings.ContainsAny(a.s, "*?["):
			b.WriteString(beforeGlob(a.s) + "./" + anyText + "\n")
		case c.isFolder(a):
			for _, f := range c.below([]arg{a}, true) {
				b.WriteString(f.s + "\n")
			}
		default:
			b.WriteString(a.s + "\n")
		}
	}
	c.w.emit(c.st, 1, b.String(), nil)
}
