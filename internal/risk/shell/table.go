package shell

import (
	_ "embed"
	"slices"
	"strings"
)

// The tables of programs. They are searched as text, and only the row of a program that is run is parsed, so that they
// cost nothing at start-up. What a row means stands at the head of tables/files.tbl.
var (
	//go:embed tables/files.tbl
	filesTable string
	//go:embed tables/text.tbl
	textTable string
	//go:embed tables/run.tbl
	runTable string
	//go:embed tables/git.tbl
	gitTable string
	//go:embed tables/archive.tbl
	archiveTable string
	//go:embed tables/dev.tbl
	devTable string
	//go:embed tables/packages.tbl
	packagesTable string
	//go:embed tables/net.tbl
	netTable string
	//go:embed tables/agents.tbl
	agentsTable string
	//go:embed tables/media.tbl
	mediaTable string
)

func tables() [10]string {
	return [10]string{
		textTable, filesTable, gitTable, runTable, devTable, packagesTable, archiveTable, netTable, agentsTable, mediaTable,
	}
}

// optSpec is an option that takes a value, and what the value means.
type optSpec struct{ name, role string }

// row is what the tables know of one program or subcommand.
type row struct {
	name     string
	fields   []string // as they stand in the row, for modes
	do, arg  string   // the Go handler of a program that fields cannot describe, and what it is told: do=handler:arg
	out      string   // how much of the files that are read reaches standard output
	val      []optSpec
	opt      []string  // options whose value is optional and attached
	num      []string  // options whose value is optional, attached and a number
	keys     []optSpec // operands of the form key=value
	args     []string  // roles of the operands
	when     []string  // the operands are written only with one of these flags or operands (if=)
	not      []string  // nothing is written with one of these flags, or behind one of these words
	tree     []string  // everything below is meant with one of these flags
	make     []string  // files written whatever the operands are
	uses     []string  // files that say which commands are run
	flags    []string  // long flags that no other field names
	skips    []string  // with one of these flags the first role falls away (drops=)
	beside   string    // the other file that is written beside each operand
	fallback string    // the operand that is meant when none is given (default=)
	stdin    string    // "shell": standard input is text for a shell
	bad      string    // the part of the row that could not be parsed

	posix, plus, single, sub, builds, test, always, worktree, assigns, elsewhere bool

	task      string // which operands name a task of the project: "1" the first, "*" each
	generates bool   // files of its own making that the command does not name
	built     bool   // it writes a build output
	code      bool   // it changes files of programming languages only
	modes     bool   // some flags have a row NAME:-FLAG
	typed     bool   // it types or runs something in a terminal of its own
	parent    string // of a subcommand without a row, the program: the name may be the value of an option
}

// findRow returns the text of the row for a name, following `name = other` lines.
func findRow(name string) (string, bool) {
	if name == "" || strings.ContainsAny(name, "\n #=") {
		return "", false
	}
	for range 4 {
		line, ok := findLine(name)
		if !ok {
			return "", false
		}
		rest := strings.TrimLeft(line[len(name):], " \t")
		if other, alias := strings.CutPrefix(rest, "="); alias {
			name = strings.TrimSpace(other)
			continue
		}
		return line, true
	}
	return "", false
}

func findLine(name string) (string, bool) {
	needle := "\n" + name
	for _, t := range tables() {
		for from := 0; ; {
			i := strings.Index(t[from:], needle)
			if i < 0 {
				break
			}
			from += i + 1
			end := from + len(name)
			if end < len(t) && (t[end] == ' ' || t[end] == '\t' || t[end] == '\n') {
				line := t[from:]
				if j := strings.IndexByte(line, '\n'); j >= 0 {
					line = line[:j]
				}
				return line, true
			}
		}
	}
	return "", false
}

// row finds the row of a program, nil if the tables have none.
func (w *walker) row(name string) *row {
	if r, ok := w.rows[name]; ok {
		return r
	}
	if w.rows == nil {
		w.rows = map[string]*row{}
	}
	var r *row
	if line, ok := findRow(name); ok {
		r = parseRow(line)
	} else if i := strings.IndexByte(name, '@'); i > 0 { // npx prettier@3
		r = w.row(name[:i])
	} else if i := strings.IndexAny(name, "0123456789"); i > 1 && !strings.Contains(name, ":") {
		// python3.12, gcc-13, php8.2: the version is no part of the name.
		if line, ok := findRow(strings.TrimRight(name[:i], "-.")); ok && strings.Trim(name[i:], "0123456789.-") == "" {
			r = parseRow(line)
		}
	}
	w.rows[name] = r
	return r
}

// parseRow parses one line of a table.
func parseRow(line string) *row {
	if i := strings.Index(line, " #"); i >= 0 {
		line = line[:i]
	}
	words := strings.Fields(line)
	if len(words) == 0 {
		return &row{bad: "empty"}
	}
	r := &row{name: words[0], fields: words[1:]}
	r.set(r.fields)
	return r
}

// mode is the row with the fields of the row NAME:-FLAG for one of the options that are given: cc -c, tsc --init.
func (c *cmd) mode() *row {
	changed := *c.row
	c.eachFlag(func(name string) bool {
		m := c.w.row(changed.name + ":-" + name)
		if m != nil {
			changed.built = false
			changed.set(m.fields)
		}
		return m != nil
	})
	return &changed
}

// set takes over fields; each replaces what the row said before.
func (r *row) set(fields []string) {
	lists := map[string]*[]string{
		"opt": &r.opt, "num": &r.num, "args": &r.args, "if": &r.when, "not": &r.not, "tree": &r.tree, "makes": &r.make,
		"uses": &r.uses, "drops": &r.skips, "flags": &r.flags,
	}
	texts := map[string]*string{"beside": &r.beside, "default": &r.fallback, "out": &r.out, "stdin": &r.stdin, "task": &r.task}
	flags := map[string]*bool{
		"posix": &r.posix, "plus": &r.plus, "single": &r.single, "sub": &r.sub, "modes": &r.modes, "typed": &r.typed, "builds": &r.builds,
		"test": &r.test, "generates": &r.generates, "built": &r.built, "code": &r.code, "worktree": &r.worktree,
		"assigns": &r.assigns, "elsewhere": &r.elsewhere, "nothing": new(bool), "tree": &r.always,
	}
	for _, word := range fields {
		key, text, has := strings.Cut(word, "=")
		list := strings.Split(text, ",")
		switch {
		case has && lists[key] != nil:
			*lists[key] = list
		case has && texts[key] != nil:
			*texts[key] = text
		case !has && flags[key] != nil:
			*flags[key] = true
		case key == "val":
			r.val = specs(list)
		case key == "keys":
			r.keys = specs(list)
		case key == "do":
			r.do, r.arg, _ = strings.Cut(text, ":")
		default:
			r.bad = "unknown field " + word
		}
	}
	r.posix = r.posix || slices.Contains(r.args, "command")
}

func specs(list []string) []optSpec {
	out := make([]optSpec, 0, len(list))
	for _, s := range list {
		name, role, _ := strings.Cut(s, ":")
		out = append(out, optSpec{name, role})
	}
	return out
}
