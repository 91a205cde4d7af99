package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// param adds the value of a parameter expansion.
func (x *expander) param(p *syntax.ParamExp, quoted bool) {
	w, st := x.w, x.st
	if p.Param == nil || p.Names != 0 {
		x.value(anyText, nil, quoted)
		return
	}
	name := p.Param.Value
	v, list, all := w.parameter(st, p, name)
	if p.Excl {
		v, list, all = w.indirect(st, v, list, all)
	}
	switch {
	case p.Length:
		n := anyName
		switch {
		case all && !slices.ContainsFunc(list, unknownText):
			n = strconv.Itoa(len(list))
		case !all && isKnown(v.s):
			n = strconv.Itoa(len([]rune(v.s)))
		}
		x.value(n, nil, quoted)
		return
	case p.Exp != nil && !all:
		if x.substitute(p, name, v, quoted) {
			return
		}
		v = &value{s: w.operate(st, p.Exp, v.s), reads: v.reads}
	case p.Exp != nil && all:
		if len(list) == 0 && (p.Exp.Op == syntax.DefaultUnset || p.Exp.Op == syntax.DefaultUnsetOrNull) && p.Exp.Word != nil {
			x.parts(p.Exp.Word.Parts, quoted, true)
			return
		}
		mapped := make([]string, len(list))
		for i, s := range list {
			mapped[i] = w.operate(st, p.Exp, s)
		}
		list = mapped
	case p.Repl != nil:
		v = &value{s: w.replace(st, p.Repl, v.s), reads: v.reads}
		mapped := make([]string, len(list))
		for i, s := range list {
			mapped[i] = w.replace(st, p.Repl, s)
		}
		list = mapped
	case p.Slice != nil:
		v, list = w.slice(st, p.Slice, v, list, all, name == "@" || name == "*")
	}
	if all {
		if quoted && name == "*" {
			x.value(strings.Join(list, " "), v.reads, true)
			return
		}
		x.list(list, v.reads, quoted)
		return
	}
	x.cur.unset = x.cur.unset || v.unset && !quoted
	x.value(v.s, v.reads, quoted)
}

func unknownText(s string) bool { return !isKnown(s) }

// parameter is the value of a parameter; all is set for lists: $@, $*, ${a[@]}.
func (w *walker) parameter(st *shell, p *syntax.ParamExp, name string) (v *value, list []string, all bool) {
	if name == "@" || name == "*" {
		v = &value{}
		for _, a := range st.pos {
			list = append(list, a.s)
			v.reads = append(v.reads, a.reads...)
		}
		return v, list, true
	}
	v = w.variable(st, name)
	if p.Index == nil {
		if v.array {
			first := ""
			if len(v.list) > 0 {
				first = v.list[0]
			}
			return &value{s: first, reads: filtered(v.reads)}, nil, false
		}
		return v, nil, false
	}
	index := ""
	if word, ok := p.Index.(*syntax.Word); ok {
		index = word.Lit()
	}
	list = v.list
	if !v.array && !v.unset {
		list = []string{v.s}
	}
	if index == "@" || index == "*" {
		return v, list, true
	}
	n, ok := w.arith(st, p.Index)
	if n < 0 {
		n += len(list)
	}
	switch {
	case ok && v.array && n >= 0 && n < len(list):
		return &value{s: list[n], reads: filtered(v.reads)}, nil, false
	case v.array && ok && !slices.ContainsFunc(list, unknownText):
		return &value{unset: true}, nil, false
	}
	return &value{s: anyText, reads: filtered(v.reads)}, nil, false
}

// variable is the value of a name. What neither the command nor the environment sets is unknown.
func (w *walker) variable(st *shell, name string) *value {
	switch name {
	case "#":
		return &value{s: strconv.Itoa(len(st.pos))}
	case "?", "$", "!", "RANDOM", "SECONDS", "LINENO", "UID", "EUID", "PPID", "BASHPID", "EPOCHSECONDS", "SRANDOM":
		return &value{s: anyName}
	case "-", "_":
		return &value{s: anyName}
	case "PWD":
		if st.cwd != "" && st.alt == "" {
			return &value{s: st.cwd}
		}
		return &value{s: anyText}
	case "OLDPWD":
		return &value{s: st.old}
	}
	if n, err := strconv.Atoi(name); err == nil {
		if n == 0 {
			return &value{s: anyText}
		}
		if n <= len(st.pos) {
			return &value{s: st.pos[n-1].s, reads: st.pos[n-1].reads}
		}
		return &value{unset: true}
	}
	if v := st.lookup(name); v != nil {
		if v.ref != "" && v.ref != name {
			if t := st.lookup(v.ref); t != nil && t.ref == "" {
				return t
			}
			return &value{s: anyText}
		}
		return v
	}
	if s, ok := w.env.Vars[name]; ok {
		return &value{s: s}
	}
	if name == "HOME" && w.env.Home != "" {
		return &value{s: w.env.Home}
	}
	if name == "TMPDIR" { // wherever it is, it is not in the project
		return &value{s: "/tmp/" + anyName, unset: true}
	}
	return &value{s: anyText, unset: true}
}

func (w *walker) indirect(st *shell, v *value, list []string, all bool) (*value, []string, bool) {
	if all {
		keys := make([]string, len(list))
		for i := range list {
			keys[i] = strconv.Itoa(i)
		}
		return &value{}, keys, true
	}
	if syntax.ValidName(v.s) {
		t := w.variable(st, v.s)
		if !t.array {
			return t, nil, false
		}
	}
	return &value{s: anyText}, nil, false
}

// substitute handles the operators that use a word in place of the value; false for the others.
func (x *expander) substitute(p *syntax.ParamExp, name string, v *value, quoted bool) bool {
	null := v.unset || v.s == ""
	use := false
	switch p.Exp.Op {
	case syntax.DefaultUnset:
		use = v.unset
	case syntax.DefaultUnsetOrNull:
		use = null
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		use = v.unset || null && p.Exp.Op == syntax.AssignUnsetOrNull
		if use {
			a := x.w.single(x.st, p.Exp.Word)
			x.st.set(name, &value{s: a.s, reads: a.reads})
		}
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if v.unset && !isKnown(v.s) {
			// It may be set by the environment.
			x.w.single(x.st, p.Exp.Word)
			x.value(anyText, nil, quoted)
			return true
		}
		if v.unset || null && p.Exp.Op == syntax.AlternateUnsetOrNull {
			return true
		}
		use = true
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
	default:
		return false
	}
	if !use || p.Exp.Word == nil {
		if !use {
			x.value(v.s, v.reads, quoted)
		}
		return true
	}
	x.parts(p.Exp.Word.Parts, quoted, true)
	return true
}
