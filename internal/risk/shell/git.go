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

// patchText changes the files that a patch names.
func (c *cmd) patchText(t origin, strip int, dir string, reverse bool) {
	if !t.known || t.absent {
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

// patch applies a patch. row.arg is "git" for git apply, "argument" for apply_patch of Codex, whose patch may stand in its
// argument, and "" for the program patch: -i FILE, `patch FILE PATCH`, or standard input.
func (c *cmd) patch() bool {
	strip, reverse := 1, c.has("R", "reverse")
	if v, ok := c.value("p", "strip"); ok {
		strip, _ = number(v.s, 10, 3)
	} else if c.row.arg == "" {
		strip = patch.Base
	}
	files := c.rest
	switch c.row.arg {
	case "git":
		if c.has("stat", "numstat", "summary", "check", "cached") && !c.has("apply") {
			c.w.emit(c.st, 1, anyText, nil)
			return true
		}
	case "argument":
		files, strip = nil, patch.Guess
		if len(c.args) > 0 {
			c.patchText(origin{text: c.args[0].s, known: isKnown(c.args[0].s)}, strip, "", false)
			return true
		}
	default:
		if c.has("dry-run", "C", "check") {
			return true
		}
		if o, ok := c.value("o", "output"); ok {
			c.role("write", o, true)
			return true
		}
		if len(c.rest) > 0 {
			c.touch(c.st, c.rest[0], change{op: opWrite})
			return true
		}
		if i, ok := c.value("i", "input"); ok {
			files = []arg{i}
		}
	}
	dir, _ := c.value("d")
	if c.row.arg != "git" {
		if d, ok := c.value("directory"); ok {
			dir = d
		}
	}
	if len(files) == 0 {
		in := c.st.stdin()
		text := c.w.textOf(in)
		c.patchText(origin{text: text, known: isKnown(text), absent: in.absent && c.row.arg != "argument"}, strip, dir.s, reverse)
	}
	for _, a := range files {
		c.patchText(c.w.scriptFile(c.st, a), strip, dir.s, reverse)
	}
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

// gitClean deletes untracked files: below the folders that are named, else anywhere.
func (c *cmd) gitClean() bool {
	if !c.writes() {
		return false
	}
	if len(c.rest) == 0 {
		c.worktree()
	}
	for _, a := range c.rest {
		c.touch(c.st, a, change{op: opDelete, must: true, tree: c.isFolder(a)})
	}
	return true
}

// gitConfig changes the configuration of the repository that it runs in, of the user, or the file that it is told. In that of
// a repository only keys matter that run something.
func (c *cmd) gitConfig() bool {
	rest := c.rest
	edits := c.has("unset", "unset-all", "remove-section", "rename-section", "e", "edit", "add", "replace-all")
	if len(rest) > 0 && (rest[0].s == "set" || rest[0].s == "unset") {
		rest, edits = rest[1:], true
	}
	file, named := c.value("f", "file")
	ofRepository := !named || path.Base(path.Dir(file.s)) == ".git"
	switch {
	case len(rest) > 0 && (rest[0].s == "get" || rest[0].s == "list"), !c.writes(), len(rest) < 2 && !edits:
	case c.has("system"):
		return true
	case ofRepository && len(rest) > 0 && !runsByKey(rest[0].s) && !c.has("remove-section", "rename-section", "global"):
		return true
	default:
		switch {
		case named:
		case c.has("global"):
			file.s = c.w.home(c.st) + "/.gitconfig"
		default:
			file.s = c.gitFolder() + "/config"
		}
		c.touch(c.st, file, change{op: opWrite})
		return true
	}
	c.w.emit(c.st, 1, anyText, nil)
	return true
}

// linkedWorktree makes a worktree of the repository. One of the project's is the project: what changes in it is changed there.
func (c *cmd) linkedWorktree(a arg) {
	c.touch(c.st, a, change{op: opWrite, tree: true, dir: true, mk: true})
	if place.Under(c.gitFolder(), c.w.env.Root) {
		c.w.link(c.st, arg{s: c.w.env.Root}, a, false)
	}
}

// gitFolder is the folder of the repository that git works in: the nearest .git above, or the project's where that is not
// sure. A file .git leads to the repository of a linked worktree, which may be the project's.
func (c *cmd) gitFolder() string {
	if v := c.w.variable(c.st, "GIT_DIR"); !v.unset {
		return v.s
	}
	for dir := c.st.cwd; dir != "" && c.st.alt == ""; dir = path.Dir(dir) {
		switch c.w.kindOf(c.w.env.Files.Locate(dir, ".git")) {
		case place.Folder:
			return path.Join(dir, ".git")
		case place.Missing:
			if dir != "/" {
				continue
			}
		}
		break
	}
	return c.w.env.Root + "/.git"
}
