package shell

import (
	"path"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
)

// cmd is one run of a program that the tables know.
type cmd struct {
	w      *walker
	st     *shell
	row    *row
	name   string     // as reasons print it: "git checkout"
	args   []arg      // without the name
	shown  []*content // read by key=value operands
	wrote  bool       // a file took the output
	partly bool       // an option limits what is printed
	*parsedOptions
}

// apply does what the row of a program says.
func (w *walker) apply(st *shell, r *row, args []arg) {
	c := &cmd{w: w, st: st, row: r, name: strings.ReplaceAll(r.name, ":", " "), args: args[1:]}
	if r.name == "nothing" || r.name == "unknown" {
		c.name = base(args[0].s)
	}
	if r.sub {
		c.subcommand(args)
		return
	}
	c.parsedOptions = parseOptions(r, c.args)
	if r.test {
		st.status = unsure
	}
	if r.builds {
		w.dirty = true
	}
	for _, name := range r.uses {
		if m := w.made[path.Join(st.cwd, name)]; st.cwd != "" && m != nil {
			w.unknown(c.name + " runs " + name + ", which was made here")
		}
	}
	if r.elsewhere {
		for _, v := range c.vals {
			c.role(v.role, v.arg, true)
		}
		w.emit(st, 1, anyText, nil)
		return
	}
	if c.has("help", "version") && !c.posixCommand() {
		w.emit(st, 1, anyText, nil)
		return
	}
	if r.do != "" && c.handle() {
		return
	}
	c.generic()
}

func (c *cmd) posixCommand() bool {
	for _, role := range c.row.args {
		if role == "command" {
			return true
		}
	}
	return false
}

// subcommand finds the row of `git checkout` behind the options of git itself.
func (c *cmd) subcommand(args []arg) {
	r := *c.row
	r.posix = true
	o := parseOptions(&r, c.args)
	st := c.st
	for _, v := range o.vals {
		if v.role == "chdir" {
			saved := *st
			c.w.chdir(st, v.arg)
			if st.status == failure {
				return // nothing is run
			}
			defer func() { st.cwd, st.alt, st.old = saved.cwd, saved.alt, saved.old }()
		}
	}
	if len(o.rest) == 0 {
		if bare := c.w.row(c.row.name + ":"); bare != nil && !o.has("help", "version") {
			c.w.apply(st, bare, args)
			return
		}
		c.w.emit(st, 1, anyText, nil)
		return
	}
	name := o.rest[0].s
	for _, v := range o.vals {
		key, text, _ := strings.Cut(v.s, "=")
		switch { // git -c alias.x='!cmd' x
		case v.role == "config" && key == "alias."+name && strings.HasPrefix(text, "!"):
			c.w.evalSub(st, text[1:]+" "+quoteAll(o.rest[1:]), nil)
			return
		case v.role == "config" && key == "alias."+name:
			c.w.evalSub(st, c.row.name+" "+text+" "+quoteAll(o.rest[1:]), nil)
			return
		case v.role == "config" && (strings.HasSuffix(key, "editor") || strings.HasSuffix(key, "pager") || strings.HasSuffix(key, "Command") || strings.HasPrefix(key, "filter.")) && strings.Contains(text, " "):
			c.w.perhaps(true, func() { c.w.evalSub(st, text, nil) })
		}
	}
	if !isKnown(name) {
		c.w.unknown(c.name + " is run with a subcommand that is not known")
		return
	}
	sub := c.w.row(c.row.name + ":" + name)
	if sub == nil {
		sub = c.w.row(c.row.name + ":*")
	}
	if sub == nil {
		sub = c.w.row("unknown")
	}
	words := append([]arg{{s: name}}, o.rest[1:]...)
	if sub.name == c.row.name+":*" {
		words = append([]arg{{s: name}}, o.rest...)
	}
	for _, f := range o.flags {
		words = append(words, arg{s: "-" + strings.Repeat("-", min(len(f)-1, 1)) + f})
	}
	if len(o.flags) > 0 && sub.posix {
		words = words[:len(words)-len(o.flags)]
	}
	c.w.apply(st, sub, words)
}

// writes reports whether the flags let the program write its operands.
func (c *cmd) writes() bool {
	if len(c.row.not) > 0 && c.has(c.row.not...) {
		return false
	}
	return len(c.row.when) == 0 || c.has(c.row.when...)
}

// generic does what the fields of the row say, without a handler.
func (c *cmd) generic() {
	r, w := c.row, c.w
	quiet := len(r.not) > 0 && c.has(r.not...)
	for _, v := range c.vals {
		if v.role != "" && !quiet {
			c.role(v.role, v.arg, true)
		}
	}
	rest := c.rest
	if len(r.keys) > 0 {
		rest = c.keyed(rest)
	}
	if len(rest) == 0 && r.dflt != "" {
		rest = []arg{{s: r.dflt}}
	}
	sources, named := c.operands(rest)
	if c.writes() {
		for _, m := range r.make {
			c.makes(m)
		}
		if r.worktree {
			c.worktree("")
		}
	}
	sources = append(sources, c.shown...)
	if !named && len(c.shown) == 0 && r.out != "" {
		sources = append(sources, w.stdinOf(c.st))
	}
	if !c.wrote { // what goes to a file is not printed
		c.print(sources)
	}
}

func (w *walker) stdinOf(st *shell) *content {
	in := st.stdin()
	if in.pos > 0 {
		return &content{text: in.rest(), reads: in.reads}
	}
	return in
}

// operands gives each operand its role. It returns what is read, and whether files to read were named at all.
func (c *cmd) operands(rest []arg) (sources []*content, named bool) {
	roles := c.row.args
	if len(c.row.drops) > 0 && c.has(c.row.drops...) {
		roles = roles[1:]
	}
	star := -1
	for i, role := range roles {
		if strings.HasSuffix(role, "*") {
			star = i
		}
	}
	if n := len(rest); star < 0 && n > 0 && n == len(roles)-1 && c.row.dflt != "" {
		rest = append(rest[:n:n], arg{s: c.row.dflt})
	}
	after := 0 // roles behind the starred one belong to the last operands
	if star >= 0 {
		after = len(roles) - star - 1
	}
	for i, a := range rest {
		role := ""
		switch {
		case star < 0 || i < star:
			if i < len(roles) {
				role = roles[i]
			}
		case len(rest)-i <= after:
			role = roles[len(roles)-(len(rest)-i)]
		default:
			role = strings.TrimSuffix(roles[star], "*")
		}
		switch role {
		case "":
		case "command":
			c.wrapped(rest[i:])
			return nil, true
		case "read":
			named = true
			if a.s == "-" {
				sources = append(sources, c.w.stdinOf(c.st))
			} else {
				sources = append(sources, c.w.file(c.st, a))
			}
		default:
			c.role(role, a, false)
		}
	}
	return sources, named
}

// keyed handles operands of the form key=value, as of dd, and returns the others.
func (c *cmd) keyed(rest []arg) []arg {
	var others []arg
	for _, a := range rest {
		key, v, ok := strings.Cut(a.s, "=")
		if !ok {
			others = append(others, a)
			continue
		}
		for _, k := range c.row.keys {
			switch {
			case k.name == key && k.role == "read":
				c.shown = append(c.shown, c.w.file(c.st, arg{s: v}))
			case k.name == key:
				c.role(k.role, arg{s: v}, true)
			}
		}
	}
	return others
}

func (c *cmd) treed() bool {
	return c.row.always || len(c.row.tree) > 0 && c.has(c.row.tree...)
}

// role does to one word what its role says. always is set for values of options, which no flag switches off.
func (c *cmd) role(role string, a arg, always bool) {
	w, st := c.w, c.st
	switch role {
	case "in", "-", "read":
		return
	case "part":
		c.partly = true
		return
	case "shell":
		w.evalSub(st, a.s, nil)
		return
	case "command":
		return
	case "gdb", "ssh", "alias":
		c.hidden(role, a.s)
		return
	case "script":
		c.foreignScript(a)
		return
	case "chdir":
		w.chdir(st, a)
		return
	}
	if !always && !c.writes() || a.s == "-" && role != "delete" && role != "dir" {
		return
	}
	ch := change{tree: c.treed(), why: c.why(role, a)}
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
			w.touch(st, a, change{op: opCreate, dir: true, mk: true, why: ch.why})
			a = arg{s: p + "/.git"}
		} else {
			a = arg{s: ".git"}
		}
		ch.op, ch.tree, ch.dir, ch.mk = opWrite, true, true, true
	case "mount": // docker run -v HOST:CONTAINER
		host, rest, _ := strings.Cut(a.s, ":")
		if strings.HasPrefix(a.s, "type=") {
			return
		}
		if rest == "" || strings.HasSuffix(rest, ":ro") || !strings.ContainsAny(host, "/.") {
			return
		}
		w.maybe++
		w.touch(st, arg{s: host}, change{op: opWrite, tree: true, must: true, why: c.name + " gives a container the folder " + show(host)})
		w.maybe--
		if w.env.Files.Locate(st.cwd, host).Inside() {
			w.unbounded(c.name + " gives a container the folder " + show(host))
		}
		return
	case "tree":
		if strings.Contains(a.s, "://") {
			return
		}
		ch.op, ch.tree, ch.dir, ch.mk = opWrite, true, true, true
	case "base":
		b := path.Base(strings.SplitN(a.s, "?", 2)[0])
		a = arg{s: b}
		ch.op = opWrite
	case "prefix":
		a = arg{s: a.s + anyName}
		ch.op = opCreate
	default:
		return
	}
	w.touch(st, a, ch)
	if !always && c.row.beside != "" && c.exists(a) {
		b := arg{s: a.s + c.row.beside}
		w.touch(st, b, change{op: opWrite, why: c.why("write", b)})
	}
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

func (c *cmd) why(role string, a arg) string {
	if c.row.why != "" {
		return c.name + " " + c.row.why
	}
	verb := "writes"
	switch role {
	case "delete", "rmdir":
		verb = "deletes"
	case "dir", "create", "link", "prefix":
		verb = "makes"
	case "append":
		verb = "appends to"
	case "edit", "mode":
		verb = "changes"
	case "move":
		verb = "moves"
	}
	return c.name + " " + verb + " " + show(a.s)
}

// hidden runs a command that an option carries within other text.
func (c *cmd) hidden(role, s string) {
	for _, prefix := range []string{"shell ", "!", "ProxyCommand=", "ProxyCommand ", "LocalCommand=", "KnownHostsCommand="} {
		if text, ok := strings.CutPrefix(s, prefix); ok {
			c.w.evalSub(c.st, text, nil)
		}
	}
}

// makes writes a file that the program always writes: name, name/ for a folder, ^name for the nearest one above that
// exists, ~name for one in the user's home.
func (c *cmd) makes(m string) {
	ch := change{op: opWrite, why: c.name + " writes " + strings.TrimLeft(m, "^")}
	if name, given := strings.CutPrefix(m, "+"); given {
		if len(c.rest) == 0 {
			return
		}
		m = name
	}
	if strings.Contains(m, "*") {
		c.w.touch(c.st, arg{s: "./" + strings.ReplaceAll(m, "*", anyName)}, ch)
		return
	}
	if name, up := strings.CutPrefix(m, "^"); up {
		c.w.touch(c.st, arg{s: c.nearest(name)}, ch)
		return
	}
	if strings.HasSuffix(m, "/") {
		ch.tree, ch.dir = true, true
	}
	c.w.touch(c.st, arg{s: m}, ch)
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

// worktree says that files of the working tree may change that the command does not name.
func (c *cmd) worktree(detail string) {
	w := c.w
	why := c.name + " changes files of the working tree"
	if detail != "" {
		why = detail
	}
	if c.st.cwd != "" && !w.env.Files.Locate("/", c.st.cwd).Inside() && !place.Under(w.env.Root, c.st.cwd) {
		w.touch(c.st, arg{s: "."}, change{op: opWrite, tree: true, must: true, why: why})
		return
	}
	w.unbounded(why)
}

// print sends what was read to standard output the way the row says.
func (c *cmd) print(sources []*content) {
	text := anyText
	var reads []Read
	for _, s := range sources {
		reads = append(reads, s.reads...)
	}
	if c.partly {
		reads = partial(reads)
	}
	switch out, flags, _ := strings.Cut(c.row.out, "-"); out {
	case "pass":
		text = ""
		for _, s := range sources {
			text += s.text
		}
		if flags != "" && c.has(strings.Split(flags, ",")...) {
			reads, text = changed(reads), anyText
		}
	case "all":
		reads = changed(reads)
		if flags != "" && c.has(strings.Split(flags, ",")...) {
			reads = filtered(reads)
		}
	case "part":
		reads = filtered(reads)
	default:
		reads = nil
	}
	c.w.emit(c.st, 1, text, shown(reads, "printed by "+c.name))
}

// effect is touch for handlers.
func (c *cmd) effect(op event.Op, a arg, why string) {
	c.w.touch(c.st, a, change{op: op, must: op == opDelete || op == opMove || op == opMode, tree: c.treed(), why: why})
}
