package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

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
	if v == nil || o == nil {
		return v == o
	}
	return v.s == o.s && v.array == o.array && v.unset == o.unset && slices.Equal(v.list, o.list)
}

// outcome is the exit status as far as it can be told.
type outcome uint8

const (
	unsure outcome = iota // a test whose answer is not known
	likely                // an ordinary command, which will succeed
	success
	failure
	absent // `cd` into a folder that is missing: st.alt is where the shell is if something makes it first
)

// shell is the state of one shell process. A subshell or a branch has one of its own with a parent: what it sets stays
// in it.
type shell struct {
	parent  *shell
	program bool // a process of its own, which only exported variables of its parents reach
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
			} else if st.alt != b.cwd || b.cwd == "" {
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
