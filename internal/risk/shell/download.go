package shell

import "strings"

// urlName is the file name that a downloader makes of an address.
func urlName(url string) string {
	if i := strings.IndexAny(url, "?#"); i >= 0 {
		url = url[:i]
	}
	if _, rest, ok := strings.Cut(url, "://"); ok {
		url = rest
	}
	i := strings.LastIndexByte(url, '/')
	name := url[i+1:]
	switch {
	case !isKnown(name):
		return anyName
	case i < 0 || name == "":
		return "index.html"
	}
	return name
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
