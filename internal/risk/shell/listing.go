package shell

import (
	"path"
	"strings"

	"github.com/mbgate/mbgate/internal/place"
)

// below replaces folders by the files in them, to a bounded number.
func (c *cmd) below(args []arg, deep bool) []arg {
	if !deep {
		return args
	}
	var out []arg
	for i := 0; i < len(args) && len(args) < 500; i++ {
		a := args[i]
		if !c.isFolder(a) {
			out = append(out, a)
			continue
		}
		names, _ := c.w.env.Files.Names(c.w.env.Files.Locate(c.st.cwd, a.s).Abs)
		for _, n := range names {
			if n != ".git" {
				args = append(args, arg{s: path.Join(a.s, n)})
			}
		}
	}
	return out
}

// ls prints the names it is given, and those in folders. row.arg is "git" for git ls-files.
func (c *cmd) ls() bool {
	if c.row.arg == "git" {
		c.lsFiles()
		return true
	}
	var b strings.Builder
	operands := c.rest
	if len(operands) == 0 {
		operands = []arg{{s: "."}}
	}
	long := c.has("l", "R", "recursive", "s", "i")
	for _, a := range operands {
		if long || !isKnown(a.s) || c.st.cwd == "" || c.has("d") && c.isFolder(a) {
			b.WriteString(a.s)
			if long {
				b.WriteString("/" + anyText)
			}
			b.WriteString("\n")
			continue
		}
		switch c.w.kindOf(c.w.env.Files.Locate(c.st.cwd, a.s)) {
		case place.Missing:
		case place.Folder:
			names, ok := c.w.names(c.st, strings.TrimSuffix(a.s, "/")+"/")
			if !ok || len(names) > maxFields {
				b.WriteString(anyName + "\n")
			}
			for _, n := range names {
				if n[0] != '.' || c.has("a", "A", "all", "almost-all") {
					b.WriteString(n + "\n")
				}
			}
		default:
			b.WriteString(a.s + "\n")
		}
	}
	c.w.emit(c.st, 1, b.String(), nil)
	if out := c.st.fds.get(1).out; out != nil {
		out.loose = true // sorted by the locale, or by -t
	}
	return true
}

// pathName is what a program prints that prints one name: basename, dirname, realpath, which, git rev-parse. The numbers of
// seq are two names: more words than one, whatever is before and behind them.
func (c *cmd) pathName() string {
	switch {
	case c.row.arg == "toplevel" && c.has("show-toplevel") && c.st.cwd != "":
		return c.w.env.Root
	case c.row.arg == "toplevel", c.row.arg == "which" && len(c.rest) != 1:
		return anyText
	case c.row.arg == "number":
		return anyName + "\n" + anyName
	case len(c.rest) == 0:
		return anyName
	case c.row.arg == "which":
		return c.w.located(c.rest[0].s)
	}
	a := c.rest[0].s
	switch c.row.arg {
	case "dir":
		if strings.Contains(a, "/") {
			return path.Dir(a)
		}
		if a == anyText {
			return anyText
		}
		return "."
	case "base":
		if !isKnown(path.Base(a)) {
			return anyName
		}
		b := path.Base(a)
		if s, ok := c.value("s", "suffix"); ok {
			b = strings.TrimSuffix(b, s.s)
		} else if len(c.rest) == 2 {
			b = strings.TrimSuffix(b, c.rest[1].s)
		}
		return b
	}
	if isKnown(a) && c.st.cwd != "" && c.st.alt == "" {
		return c.w.env.Files.Locate(c.st.cwd, a).Phys
	}
	return anyText
}

// mktemp makes a file of a name that nothing has, in /tmp unless it is told otherwise. The template stands for the name: an
// unknown name below /tmp could be anything there, a project in it and all it holds too.
func (c *cmd) mktemp() bool {
	dir := "/tmp"
	if v := c.st.lookup("TMPDIR"); v != nil && v.s != "" {
		dir = v.s
	}
	if p, ok := c.value("p", "tmpdir"); ok && p.s != "" {
		dir = p.s
	}
	name := dir + "/tmp.XXXXXXXXXX"
	if len(c.rest) > 0 {
		t := c.rest[0].s
		name = t
		if c.has("t", "p", "tmpdir") {
			name = dir + "/" + path.Base(t)
		}
	}
	if !c.has("u", "dry-run") {
		c.touch(c.st, arg{s: name}, change{op: opCreate, dir: c.has("d", "directory")})
	}
	c.w.emit(c.st, 1, name+"\n", nil)
	return true
}
