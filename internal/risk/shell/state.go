package shell

import (
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
	"mvdan.cc/sh/v3/syntax"
)

// A string that a judgement follows may hold two marks for what is not known. Neither can be typed: NUL cannot be in a
// command at all.
const (
	anyText = "\x00" // any text, slashes too: the value of an unknown variable, a line of a file
	anyName = "\x01" // any text that has no slash and is no option: a number, a date, a base name
)

func isKnown(s string) bool { return !strings.ContainsAny(s, anyText+anyName) }

const (
	opWrite  = event.OpWrite
	opAppend = event.OpAppend
	opCreate = event.OpCreate
	opDelete = event.OpDelete
	opMove   = event.OpMove
	opMode   = event.OpMode
	opLink   = event.OpLink
)

// arg is a word after expansion. reads are the files whose content is in it ("$(cat f)").
type arg struct {
	s      string
	reads  []Read
	quoted bool // some of it was quoted: an alias or a keyword no more
	unset  bool // nothing but a variable that the command does not set
}

// content is what flows through a pipe or stands in a file: its text as far as known, and which files' contents are in
// it.
type content struct {
	text  string
	reads []Read
	pos   int // how much of text `read` has taken
}

func (c *content) add(text string, reads []Read) {
	if c == nil {
		return
	}
	switch {
	case c.text == "" && len(text) <= maxText, len(c.text)+len(text) <= maxText/8: // appending copies
		c.text += text
	case !strings.HasSuffix(c.text, anyText):
		c.text += anyText
	}
	if len(c.reads)+len(reads) <= maxFields {
		c.reads = append(c.reads, reads...)
	}
}

// rest is what of the text has not been read yet.
func (c *content) rest() string {
	if c == nil || c.pos >= len(c.text) {
		return ""
	}
	return c.text[c.pos:]
}

// fd is one open file descriptor. A nil in is an empty input, a nil out discards.
type fd struct {
	n   int
	in  *content
	out *content
}

type fdTable []fd

func (t fdTable) get(n int) fd {
	for _, f := range t {
		if f.n == n {
			return f
		}
	}
	return fd{n: n}
}

// with returns a copy of the table in which descriptor f.n is f.
func (t fdTable) with(f fd) fdTable {
	c := make(fdTable, 0, len(t)+1)
	for _, old := range t {
		if old.n != f.n {
			c = append(c, old)
		}
	}
	return append(c, f)
}

// value is what a variable holds: a string, or the elements of an array.
type value struct {
	s            string
	list         []string
	array        bool
	unset        bool
	ref          string // the variable this one stands for (declare -n)
	lower, upper bool   // declare -l, -u
	exported     bool
	reads        []Read
}

func (v *value) equal(o *value) bool {
	if v == nil || o == nil || v.s != o.s || v.array != o.array || v.unset != o.unset || len(v.list) != len(o.list) {
		return v == o
	}
	for i := range v.list {
		if v.list[i] != o.list[i] {
			return false
		}
	}
	return true
}

// outcome is the exit status as far as it can be told.
type outcome uint8

const (
	unsure outcome = iota // a test whose answer is not known
	likely                // an ordinary command, which will succeed
	success
	failure
)

// shell is the state of one shell process. A subshell or a branch has one of its own with a parent: what it sets stays
// in it.
type shell struct {
	parent  *shell
	program bool // a process of its own: of what is set above only what is exported reaches it
	vars    map[string]*value
	funcs   map[string]*syntax.Stmt
	hashed  map[string]string // what `hash -p` says of where commands are, and "" for builtins switched off
	aliases map[string]string
	pos     []arg  // positional parameters
	cwd     string // "" when unknown
	alt     string // where the shell is if the last cd failed, "" when it cannot have
	near    string // with an unknown cwd, a path with marks that it is: /tmp/…
	old     string
	dirs    []string
	fds     fdTable
	status  outcome
	locals  *map[string]*value // what the running function made local: the values outside it
	opts    options
}

type options struct{ nullglob, dotglob, globstar, noglob, aliases, lastpipe, allexport bool }

func newShell(env Env) *shell {
	return &shell{cwd: env.Cwd, old: anyText, status: success}
}

func (st *shell) fork() *shell {
	c := *st
	c.parent, c.vars, c.funcs, c.aliases, c.program = st, nil, nil, nil, false
	return &c
}

func (st *shell) lookup(name string) *value {
	outside := false
	for s := st; s != nil; s = s.parent {
		if v, ok := s.vars[name]; ok {
			if outside && !v.exported {
				return &value{unset: true}
			}
			return v
		}
		outside = outside || s.program
	}
	return nil
}

func (st *shell) set(name string, v *value) {
	if st.vars == nil {
		st.vars = map[string]*value{}
	}
	if old := st.lookup(name); old != nil && v.ref == "" {
		if old.ref != "" && old.ref != name {
			name = old.ref
		}
		v.exported = v.exported || old.exported
		if old.lower || old.upper {
			v.lower, v.upper = old.lower, old.upper
		}
	}
	if v.lower {
		v.s = strings.ToLower(v.s)
	}
	if v.upper {
		v.s = strings.ToUpper(v.s)
	}
	v.exported = v.exported || st.opts.allexport || inEnvironment(name)
	st.vars[name] = v
}

// inEnvironment reports whether a variable is exported before any command is run: it stays so when it is assigned.
func inEnvironment(name string) bool {
	switch name {
	case "HOME", "PATH", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "PWD", "OLDPWD", "TMPDIR", "EDITOR", "PAGER":
		return true
	}
	return false
}

// local makes a name local to the running function: its value outside comes back at the end.
func (st *shell) local(name string) {
	if st.locals == nil {
		return
	}
	if _, ok := (*st.locals)[name]; !ok {
		(*st.locals)[name] = st.lookup(name)
	}
	if st.vars == nil {
		st.vars = map[string]*value{}
	}
	st.vars[name] = &value{unset: true}
}

func (st *shell) function(name string) *syntax.Stmt {
	for s := st; s != nil; s = s.parent {
		if f, ok := s.funcs[name]; ok {
			return f
		}
		if s.program {
			return nil
		}
	}
	return nil
}

func (st *shell) alias(name string) (string, bool) {
	for s := st; s != nil; s = s.parent {
		if a, ok := s.aliases[name]; ok {
			return a, a != ""
		}
	}
	return "", false
}

// merge takes over what the branches of a conditional have in common: a variable or folder in which they differ is
// unknown afterwards.
func (st *shell) merge(branches ...*shell) {
	for i, b := range branches {
		for name := range b.vars {
			v := b.vars[name]
			for _, o := range branches {
				if !o.lookup(name).equal(v) {
					v = &value{s: anyText, reads: v.reads}
					break
				}
			}
			st.set(name, v)
		}
		for name, f := range b.funcs {
			st.define(name, f)
		}
		for name, a := range b.aliases {
			st.setAlias(name, a)
		}
		if i == 0 {
			st.near = b.near
			st.cwd, st.alt, st.old, st.fds, st.opts, st.pos = b.cwd, b.alt, b.old, b.fds, b.opts, b.pos
		} else if st.cwd != b.cwd {
			if st.alt == "" && st.cwd != "" && b.cwd != "" {
				st.alt = b.cwd
			} else {
				st.cwd, st.alt = "", ""
			}
		}
	}
	st.status = unsure
}

func (st *shell) define(name string, f *syntax.Stmt) {
	if st.funcs == nil {
		st.funcs = map[string]*syntax.Stmt{}
	}
	st.funcs[name] = f
}

func (st *shell) setAlias(name, text string) {
	if st.aliases == nil {
		st.aliases = map[string]string{}
	}
	st.aliases[name] = text
}

// walker is one judgement.
type walker struct {
	env      Env
	rep      Report
	out      *content // what reaches the command's standard output
	tty      *content // standard input as the agent leaves it: empty, or a terminal
	budget   int      // commands that may still be run
	depth    int      // of syntax
	level    int      // of texts and wrappers
	spent    int      // bytes that expansions have made
	maybe    int      // > 0 while it is not sure that what is walked is run
	doubt    int      // > 0 while not even a full read may be credited
	inCond   bool
	active   []activation
	exported []string // functions that are exported
	dirty    bool     // something ran whose effects are not known: files may have come into being
	made     map[string]*madeFile
	kids     map[string][]string // folder → names of what was made in it
	seen     map[string]int      // effect → its index
	rows     map[string]*row
	traps    []trap
	procs    int // process substitutions so far
}

// madeFile is a file or folder that the command itself made.
type madeFile struct {
	kind place.Kind
	body *content
}

func (w *walker) unknown(why string)   { w.rep.Unknown = addOnce(w.rep.Unknown, why) }
func (w *walker) unbounded(why string) { w.rep.Unbounded = addOnce(w.rep.Unbounded, why) }

// maxReasons bounds the lists of reasons; more of them say nothing new.
const maxReasons = 32

func addOnce(list []string, s string) []string {
	if len(list) >= maxReasons {
		return list
	}
	for _, o := range list {
		if o == s {
			return list
		}
	}
	return append(list, s)
}

func (w *walker) special(kind string, args []arg, why string) {
	if len(w.rep.Specials) >= maxReasons {
		return
	}
	sp := Special{Kind: kind, Why: why}
	for _, a := range args {
		s := a.s
		if !isKnown(s) {
			s = ""
		}
		sp.Args = append(sp.Args, s)
	}
	for _, o := range w.rep.Specials {
		if o.Kind == sp.Kind && slices.Equal(o.Args, sp.Args) {
			return
		}
	}
	w.rep.Specials = append(w.rep.Specials, sp)
}
