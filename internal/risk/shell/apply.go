package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/risk/reason"
)

// cmd is one run of a program that the tables know.
type cmd struct {
	w      *walker
	st     *shell
	row    *row
	name   string     // as reasons print it: "git checkout"
	word   string     // as the command names it
	args   []arg      // without the name
	shown  []*content // read by key=value operands, or printed as a file of options says
	wrote  bool       // a file took the output
	partly bool       // an option limits the output
	*parsedOptions
}

// apply does what the row of a program says.
func (w *walker) apply(st *shell, r *row, args []arg) {
	c := &cmd{w: w, st: st, row: r, name: strings.ReplaceAll(r.name, ":", " "), word: base(args[0].s), args: args[1:]}
	if r.name == "nothing" || r.name == "unknown" {
		c.name = strings.TrimPrefix(r.parent+" "+c.word, " ")
	}
	if r.sub {
		c.subcommand(args)
		return
	}
	if r.parent == "" {
		w.rep.Programs = addOnce(w.rep.Programs, show(c.name))
	}
	c.parsedOptions = parseOptions(r, c.args)
	if r.modes {
		r = c.mode()
		c.row, c.parsedOptions = r, parseOptions(r, c.args)
	}
	if r.test {
		st.status = unsure
	}
	if r.builds {
		w.dirty = true
		w.own++
	}
	for _, name := range r.uses {
		if m := w.made[path.Join(st.cwd, name)]; st.cwd != "" && m != nil {
			c.unknown(reason.MadeHere, name)
		}
	}
	if r.elsewhere {
		for _, v := range c.vals {
			c.role(v.role, v.arg, true)
		}
		w.emit(st, 1, anyText, nil)
		return
	}
	if (c.has("help", "version") || len(c.args) == 1 && c.has("h", "V")) && !slices.Contains(r.args, "command") {
		w.emit(st, 1, anyText, nil)
		return
	}
	if r.do != "" {
		for _, v := range c.vals {
			if v.role == "shell" || v.role == "ssh" || v.role == "config" {
				c.followRole(v.role, v.arg)
			}
		}
		if c.handle() {
			return
		}
	}
	c.generic()
	if r.name == "unknown" && c.w.enter() {
		c.handed(args)
		c.w.leave()
	}
}

// subcommand finds the row of `git checkout` behind the options of git itself.
func (c *cmd) subcommand(args []arg) {
	r := *c.row
	r.posix = true
	o := parseOptions(&r, c.args)
	st := c.st
	if dir, ok := o.value("git-dir"); ok {
		st = st.fork()
		st.set("GIT_DIR", &value{s: dir.s, exported: true})
	}
	for _, v := range o.vals {
		if v.role == "chdir" {
			saved := *st
			if !c.w.goTo(st, v.arg) {
				c.w.maybe++
				defer func() { c.w.maybe-- }()
			}
			defer func() { st.cwd, st.alt, st.old = saved.cwd, saved.alt, saved.old }()
		}
	}
	if len(o.rest) == 0 {
		if bare := c.w.row(c.row.name + ":"); bare != nil && !o.has("help", "version", "h", "v", "V") {
			c.w.apply(st, bare, args)
			return
		}
		c.w.emit(st, 1, anyText, nil)
		return
	}
	if len(o.rest) > 1 && strings.HasPrefix(o.rest[0].s, "+") { // cargo +nightly fmt
		o.rest = o.rest[1:]
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
		case v.role == "config":
			c.w.gitKey(st, key, text)
		}
	}
	if !isKnown(name) {
		c.unknown(reason.UnknownSub, "")
		return
	}
	sub := c.w.row(c.row.name + ":" + name)
	if sub == nil {
		sub = c.w.row(c.row.name + ":*")
	}
	if sub == nil {
		other := *c.w.row("unknown")
		other.parent = c.name
		c.w.rep.Programs = addOnce(c.w.rep.Programs, show(c.name))
		sub = &other
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

// writes reports whether the flags and mode words let the program write its operands. A word that keeps it from writing
// counts as the first operand alone, so that nothing behind it can be named like one.
func (c *cmd) writes() bool {
	if c.looks() || c.says(c.row.not, c.rest[:min(1, len(c.rest))]) {
		return false
	}
	return len(c.row.when) == 0 || c.says(c.row.when, c.rest)
}

// says reports whether one of the flags is given, or for an item +WORD that operand; + is any operand, and * in it any text.
func (c *cmd) says(items []string, operands []arg) bool {
	return slices.ContainsFunc(items, func(item string) bool {
		word, ok := strings.CutPrefix(item, "+")
		if !ok {
			return c.has(item)
		}
		head, tail, open := strings.Cut(word, "*")
		return slices.ContainsFunc(operands, func(a arg) bool {
			return word == "" || a.s == word || open && strings.HasPrefix(a.s, head) && strings.HasSuffix(a.s, tail)
		})
	})
}

// looks reports whether a flag that any program may have says that nothing is to be changed.
func (c *cmd) looks() bool { return c.has("dry-run", "dryrun", "check", "pretend") }

// quiet reports whether a flag keeps the program from writing at all. An option that names another output is none: it only
// takes the place of what the row would write.
func (c *cmd) quiet() bool {
	return c.looks() || slices.ContainsFunc(c.row.not, func(name string) bool {
		spec, ok := c.row.spec(name)
		return c.has(name) && !(ok && spec.role != "")
	})
}

// generic does what the fields of the row say, without a handler.
func (c *cmd) generic() {
	r, w := c.row, c.w
	quiet := c.quiet()
	for _, first := range [...]bool{true, false} { // the program goes to a folder before it writes
		for _, v := range c.vals {
			if v.role != "" && !quiet && first == (v.role == "chdir") {
				c.role(v.role, v.arg, true)
			}
		}
	}
	rest := c.rest
	if len(r.keys) > 0 {
		rest = c.keyed(rest)
	}
	if len(rest) == 0 && r.fallback != "" {
		rest = []arg{{s: r.fallback}}
	}
	sources, named := c.operands(rest)
	if c.writes() {
		for _, m := range r.make {
			c.makes(m)
		}
		if r.worktree {
			c.worktree()
		}
		if r.generates {
			c.generates()
		}
		c.task()
		if r.typed {
			c.unknown(reason.Terminal, "")
		}
	}
	if !quiet {
		c.updates()
	}
	if r.name == "unknown" {
		w.own++
		if !quiet {
			c.saysByWords()
		}
	}
	if text := w.textOf(c.st.stdin()); text != "" && r.stdin != "" && !quiet {
		st := c.st.fork()
		if r.stdin == "crontab" {
			text, st.cwd = commandsOfCrontab(text), w.home(st)
		}
		w.perhaps(true, func() { w.evalSub(st, text, nil) })
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
	if len(c.row.skips) > 0 && c.has(c.row.skips...) {
		roles = roles[1:]
	}
	star := -1
	for i, role := range roles {
		if strings.HasSuffix(role, "*") {
			star = i
		}
	}
	if n := len(rest); star < 0 && n > 0 && n == len(roles)-1 && c.row.fallback != "" {
		rest = append(rest[:n:n], arg{s: c.row.fallback})
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
		case "image", "service":
			c.contained(rest[i:], c.mounts(role))
			return nil, true
		case "line":
			c.w.evalSub(c.st, joined(rest[i:]), nil)
			return nil, true
		case "read":
			named = true
			if a.s == "-" {
				sources = append(sources, c.w.stdinOf(c.st))
			} else {
				sources = append(sources, c.w.file(c.st, a))
			}
		case "base":
			named = true
			if file, ok := strings.CutPrefix(a.s, "file://"); ok && !c.writes() {
				sources = append(sources, c.w.file(c.st, arg{s: file}))
			}
			sources = append(sources, &content{text: anyText}) // also of a file that another call may make first
			c.role(role, a, false)
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
	c.w.emit(c.st, 1, text, reads)
}
