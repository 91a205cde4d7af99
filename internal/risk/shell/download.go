package shell

import (
	"path"
	"strings"

	"github.com/mbgate/mbgate/internal/risk/reason"
)

// urlName is the file name that a downloader makes of an address.
func urlName(url string) string {
	if !isKnown(url) {
		if b := path.Base(url); isKnown(b) && strings.Contains(url, "/") {
			return b
		}
		return anyName
	}
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		rest = url
	}
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.IndexByte(rest, '/'); i < 0 || strings.HasSuffix(rest, "/") {
		return "index.html"
	}
	return path.Base(rest)
}

// curl writes only where it is told to: -o FILE, -O, --output-dir, -D, -c, --trace.
func (c *cmd) curl() bool {
	w, st := c.w, c.st
	at := ""
	if d, ok := c.value("output-dir"); ok {
		at = d.s + "/"
	}
	saved := false
	for _, v := range c.vals {
		switch v.role {
		case "save":
			saved = true
			if v.s != "-" {
				c.touch(st, arg{s: at + v.s}, change{op: opWrite, mk: c.has("create-dirs")})
			}
		case "write":
			c.role("write", v.arg, true)
		case "config":
			c.unknown(reason.OptionFile, "")
		}
	}
	remote := c.has("O", "remote-name", "remote-name-all")
	urls := append([]arg(nil), c.rest...)
	for _, v := range c.vals {
		if v.name == "url" {
			urls = append(urls, v.arg)
		}
	}
	for _, u := range urls {
		if remote && !saved {
			name := urlName(u.s)
			c.touch(st, arg{s: at + name}, change{op: opWrite})
		} else if p, ok := strings.CutPrefix(u.s, "file://"); ok && !saved && !c.has("I", "head") {
			f := w.file(st, arg{s: p})
			w.emit(st, 1, f.text, f.reads)
		}
	}
	if !remote && !saved {
		w.emit(st, 1, anyText, nil)
	}
	return true
}

// wget writes a file for every address, unless -O names another or --spider writes none.
func (c *cmd) wget() bool {
	w, st := c.w, c.st
	for _, v := range c.vals {
		if v.role == "write" {
			c.role(v.role, v.arg, true)
		}
	}
	if c.has("spider") || len(c.rest) == 0 && !c.has("i", "input-file") {
		return true
	}
	if o, ok := c.value("O", "output-document", "o", "out", "output"); ok && (c.row.name != "wget" || c.has("O", "output-document")) {
		if c.row.name == "wget" {
			o, _ = c.value("O", "output-document")
		}
		if o.s == "-" {
			w.emit(st, 1, anyText, nil)
			return true
		}
		if d, ok := c.value("d", "dir"); ok && c.row.name != "wget" {
			o.s = d.s + "/" + o.s
		}
		c.touch(st, o, change{op: opWrite})
		return true
	}
	dir := "."
	if d, ok := c.value("P", "directory-prefix", "d", "dir"); ok {
		dir = d.s
	}
	if c.has("r", "recursive", "m", "mirror", "p", "page-requisites", "i", "input-file", "x") || c.row.arg == "tree" {
		c.touch(st, arg{s: dir}, change{op: opWrite, tree: true, dir: true, mk: true})
		return true
	}
	for _, u := range c.rest {
		name := urlName(u.s)
		c.touch(st, arg{s: dir + "/" + name}, change{op: opWrite, mk: true})
	}
	return true
}

// sql is sqlite3: its database file is changed unless it only asks; dot commands write files and run shells.
func (c *cmd) sql() bool {
	var text strings.Builder
	for _, v := range c.vals {
		if v.role == "code" {
			text.WriteString(v.s + "\n")
		}
	}
	for i, a := range c.rest {
		if i > 0 {
			text.WriteString(a.s + "\n")
		}
	}
	if len(c.rest) < 2 {
		in := c.st.stdin()
		if in == c.w.tty && len(c.vals) == 0 && !c.has("version", "help", "V") {
			c.w.special(Interactive, append([]arg{{s: c.name}}, c.args...))
		}
		text.WriteString(c.w.textOf(in))
		if in.absent {
			text.WriteString(anyText)
		}
	}
	db := arg{}
	if len(c.rest) > 0 {
		db = c.rest[0]
	}
	lower := strings.ReplaceAll(strings.ToLower(text.String()), "vacuum into", "into")
	changes := !isKnown(lower)
	for _, word := range strings.FieldsFunc(lower, func(r rune) bool { return strings.ContainsRune(" \n\t;(", r) }) {
		switch word {
		case "create", "insert", "update", "delete", "drop", "alter", "replace", "vacuum", ".import", ".restore", "pragma", "reindex":
			changes = true
		}
	}
	if db.s != "" && db.s != ":memory:" && changes && !c.has("readonly") {
		c.role("write", db, true)
	}
	c.sqlFiles(text.String(), changes)
	for _, line := range strings.Split(text.String(), "\n") {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		rest = strings.TrimSpace(rest)
		switch word {
		case ".output", ".once", ".backup", ".save", ".clone", ".log", ".excel":
			names := strings.Fields(rest)
			if len(names) > 0 && names[len(names)-1] != "stdout" && names[len(names)-1] != "off" {
				c.role("write", arg{s: strings.Trim(names[len(names)-1], `'"`)}, true)
			}
		case ".shell", ".system":
			c.w.evalSub(c.st, rest, nil)
		}
	}
	c.w.emit(c.st, 1, anyText, nil)
	return true
}

// sqlFiles writes the files that SQL of sqlite names: VACUUM INTO 'f', writefile('f', …), and ATTACH 'f' if something is changed.
func (c *cmd) sqlFiles(text string, changes bool) {
	lower := strings.ToLower(text)
	for _, word := range [...]string{"vacuum into", "writefile(", "attach database", "attach"} {
		for at := 0; word != "attach" && word != "attach database" || changes; {
			i := strings.Index(lower[at:], word)
			if i < 0 {
				break
			}
			at += i + len(word)
			rest := strings.TrimLeft(text[min(at, len(text)):], " ")
			if rest != "" && (rest[0] == '\'' || rest[0] == '"') {
				if j := strings.IndexByte(rest[1:], rest[0]); j > 0 {
					c.role("write", arg{s: rest[1 : j+1]}, true)
				}
			}
		}
	}
}

// psql follows the commands of psql that write a file or run a shell: \copy … to F, \o F, \w F, \g F, \! COMMAND.
func (c *cmd) psql(text string) {
	for line := range strings.Lines(text) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		rest = strings.TrimSpace(rest)
		switch word {
		case `\!`:
			c.w.evalSub(c.st, rest, nil)
			continue
		case `\copy`:
			if i := strings.Index(strings.ToLower(rest), " to "); i >= 0 {
				rest, _, _ = strings.Cut(strings.TrimSpace(rest[i+4:]), " ")
			} else {
				rest = ""
			}
		case `\o`, `\out`, `\w`, `\write`, `\g`, `\gx`:
		default:
			continue
		}
		if pipe, ok := strings.CutPrefix(rest, "|"); ok {
			c.w.evalSub(c.st, pipe, nil)
		} else if lower := strings.ToLower(rest); rest != "" && lower != "stdout" && lower != "pstdout" && lower != "program" {
			c.role("write", arg{s: strings.Trim(rest, `'"`)}, true)
		}
	}
}
