package shell

import (
	"path"
	"strings"

	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/risk/reason"
)

// role does to one word what its role says. always is set for values of options, which no flag switches off.
func (c *cmd) role(role string, a arg, always bool) {
	if c.followRole(role, a) {
		return
	}
	st := c.st
	if !always && !c.writes() || a.s == "-" && role != "delete" && role != "dir" {
		return
	}
	ch := change{tree: c.treed(), code: c.row.code && role == "edit"}
	switch role {
	case "write":
		ch.op = opWrite
		c.wrote = true
		if always && (strings.HasSuffix(a.s, "/") || c.isFolder(a)) {
			ch.tree, ch.dir, ch.mk = true, true, true // go build -o bin/
		}
	case "guess":
		if !fileLike(a.s) {
			return
		}
		ch.op = opWrite
		c.wrote = true
	case "append":
		ch.op = opAppend
	case "create":
		ch.op = opCreate
	case "dir":
		ch.op, ch.dir, ch.mk = opCreate, true, c.has("p", "parents")
	case "edit":
		ch.op, ch.must = opWrite, true
		if dir, ok := strings.CutSuffix(a.s, "/..."); ok { // go fmt ./...
			a.s = dir
		}
		ch.tree = ch.tree || c.isFolder(a)
		if i := strings.IndexAny(a.s, "*{"); i >= 0 && !c.exists(a) { // formatters expand patterns themselves
			a.s = a.s[:strings.LastIndexByte(a.s[:i], '/')+1] + "./" + anyName
		}
	case "delete":
		ch.op, ch.must, ch.dir = opDelete, true, c.has("d", "dir")
	case "rmdir":
		ch.op, ch.must, ch.dir, ch.onlyDir = opDelete, true, true, true
	case "move":
		ch.op, ch.must = opMove, true
	case "mode":
		ch.op, ch.must = opMode, true
	case "link":
		ch.op = opLink
	case "repo":
		if p := strings.TrimRight(a.s, "/"); p != "." {
			c.touch(st, a, change{op: opCreate, dir: true, mk: true})
			a = arg{s: p + "/.git"}
		} else {
			a = arg{s: ".git"}
		}
		ch.op, ch.tree, ch.dir, ch.mk = opWrite, true, true, true
	case "tree":
		if strings.Contains(a.s, "://") {
			return
		}
		ch.op, ch.tree, ch.dir, ch.mk = opWrite, true, true, true
	case "base":
		a = arg{s: urlName(a.s)}
		ch.op = opWrite
	case "prefix":
		a = arg{s: a.s + anyName}
		ch.op = opCreate
	default:
		return
	}
	if c.row.built {
		ch.built, ch.own = !c.named(a, ch), c.ofProject()
	}
	c.touch(st, a, ch)
	if c.row.beside != "" && (!always || role == "create") {
		c.writeBeside(a)
	}
}

// followRole does what a role says beyond changing the file of that name; false for the other roles.
func (c *cmd) followRole(role string, a arg) bool {
	w, st := c.w, c.st
	switch role {
	case "in", "-", "read", "mount":
		if c.row.beside != "" && role == "in" && c.writes() {
			c.writeBeside(a)
		}
	case "part":
		c.partly = true
	case "shell":
		w.evalSub(st, a.s, nil)
	case "command", "image", "service":
	case "psql":
		c.psql(a.s)
	case "gdb", "ssh", "alias":
		c.hidden(role, a.s)
	case "config":
		key, text, _ := strings.Cut(a.s, "=")
		w.gitKey(st, key, text)
	case "linked":
		c.linkedWorktree(a)
	case "recipe": // make --eval 'x: ; COMMAND'
		if _, text, ok := strings.Cut(a.s, ";"); ok {
			w.evalSub(st, strings.TrimLeft(text, " @-+"), nil)
		} else if strings.ContainsAny(a.s, "$\t") {
			c.unknown(reason.Script, "")
		}
	case "line": // env -S TEXT WORD…
		w.evalSub(st, a.s+" "+quoteAll(c.rest), nil)
		c.rest = nil
	case "script":
		c.foreignScript(a)
	case "options": // a file of options, which may name files to write
		c.unknown(reason.Script, show(a.s))
		c.shown = append(c.shown, &content{text: anyText})
	case "program": // of the project, or fetched: what it does is not known
		w.own++
		name, _, _ := strings.Cut(a.s, "@")
		if isMbgate(name) {
			w.special(Mbgate, c.rest)
		}
		if host, _, _ := strings.Cut(name, "/"); strings.Contains(host[min(1, len(host)):], ".") && host != name && host != ".." && len(c.rest) > 0 { // go run example.com/cmd/tool
			if tool := path.Base(strings.TrimRight(name, "v0123456789/")); w.row(tool) != nil || len(c.rest) > 1 {
				w.run(st, append([]arg{{s: tool}}, c.rest[1:]...))
			}
		}
	case "operand":
		c.rest = append(c.rest, a)
	case "worktree":
		c.worktree()
	case "pathspec":
		if c.writes() {
			c.pathspec(a)
		}
	case "chdir": // the program alone
		c.st = st.fork()
		w.goTo(c.st, a)
	default:
		return false
	}
	return true
}

// writeBeside writes the other file that the program keeps beside an operand, or makes of it: see beside= in files.tbl.
func (c *cmd) writeBeside(a arg) {
	suffix, here := strings.CutPrefix(c.row.beside, "./")
	name, ch := a.s, change{op: opWrite, built: c.row.built, own: c.ofProject()}
	if here {
		name = path.Base(name)
	}
	if ext, other := strings.CutPrefix(suffix, "~"); other {
		name, suffix = strings.TrimSuffix(name, path.Ext(name)), ext
	} else if suffix == "*" {
		name, suffix, ch.op = path.Dir(name)+"/", anyName, opCreate
	}
	c.ifThere(a, func() { c.touch(c.st, arg{s: name + suffix}, ch) })
}

// fileLike reports whether a word looks like the name of a file: it has an extension or a folder, and is no address.
func fileLike(s string) bool {
	if strings.Contains(s, "://") || strings.ContainsAny(s, "=,:{} ") && isKnown(s) {
		return false
	}
	ext := path.Ext(s)
	return strings.Contains(s, "/") || len(ext) > 1 && len(ext) < 8 && strings.Trim(ext[1:], "0123456789") != ""
}

func (c *cmd) isFolder(a arg) bool {
	return isKnown(a.s) && (c.st.cwd != "" || strings.HasPrefix(a.s, "/")) &&
		c.w.kindOf(c.w.env.Files.Locate(c.st.cwd, a.s)) == place.Folder
}

// hidden runs a command that an option carries within other text.
func (c *cmd) hidden(role, s string) {
	for _, prefix := range []string{"shell ", "!", "ProxyCommand=", "ProxyCommand ", "LocalCommand=", "KnownHostsCommand=", "platform shell ", "EXEC:", "SYSTEM:", "SHELL:"} {
		if text, ok := strings.CutPrefix(s, prefix); ok {
			c.w.evalSub(c.st, text, nil)
		}
	}
}

// makes writes a file that the program always writes: name, name/ for a folder, ^name for the nearest one above that
// exists, ~name for one in the user's home.
func (c *cmd) makes(m string) {
	ch := change{op: opWrite, built: c.row.built, own: c.ofProject()}
	if name, given := strings.CutPrefix(m, "+"); given {
		if len(c.rest) == 0 {
			return
		}
		m = name
	}
	if name, missing := strings.CutSuffix(m, "?"); missing {
		if c.w.kindOf(c.w.env.Files.Locate(c.st.cwd, name)) != place.Missing {
			return
		}
		m = name
	}
	if strings.Contains(m, "*") {
		ch.op = opCreate
		c.touch(c.st, arg{s: "./" + strings.ReplaceAll(m, "*", anyName)}, ch)
		return
	}
	if name, up := strings.CutPrefix(m, "^"); up {
		c.touch(c.st, arg{s: c.nearest(name)}, ch)
		return
	}
	if strings.HasSuffix(m, "/") {
		ch.tree, ch.dir = true, true
	}
	c.touch(c.st, arg{s: m}, ch)
}

// nearest is the file of that name in the folder the shell is in, or the nearest above it in the project.
func (c *cmd) nearest(name string) string {
	if c.st.cwd == "" {
		return name
	}
	for dir := c.st.cwd; place.Under(dir, c.w.env.Root); dir = path.Dir(dir) {
		if p := path.Join(dir, name); c.w.env.Files.Locate("/", p).Kind != place.Missing {
			return p
		}
	}
	return name
}

// worktree says that any file of the working tree may change, generates that files of the program's own making do.
func (c *cmd) worktree()  { c.unnamed(reason.Worktree, c.name) }
func (c *cmd) generates() { c.unnamed(reason.Generates, c.name) }

// unnamed says that by changes files which the command does not name.
func (c *cmd) unnamed(kind reason.Kind, by string) {
	w, why := c.w, reason.Reason{Kind: kind, By: by}
	w.moved = w.moved || kind == reason.Worktree
	if c.st.cwd != "" && !w.env.Files.Locate("/", c.st.cwd).Inside() && !place.Under(w.env.Root, c.st.cwd) {
		w.touch(c.st, arg{s: "."}, change{op: opWrite, tree: true, must: true, why: why})
		return
	}
	w.unbounded(why)
}

// touch is walker.touch for what the program does.
func (c *cmd) touch(st *shell, a arg, ch change) {
	ch.why.By = c.name
	c.w.touch(st, a, ch)
}

func (c *cmd) unknown(kind reason.Kind, object string) { c.w.unknown(kind, c.name, object) }
