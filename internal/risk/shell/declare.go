package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func (w *walker) set(st *shell, args []arg) {
	for i, a := range args {
		switch {
		case a.s == "--":
			st.pos = args[i+1:]
			return
		case a.s == "-a":
			st.opts.allexport = true
		case a.s == "-f":
			st.opts.noglob = true
		case a.s == "+f":
			st.opts.noglob = false
		case strings.HasPrefix(a.s, "-"), strings.HasPrefix(a.s, "+"), i > 0 && (args[i-1].s == "-o" || args[i-1].s == "+o"):
			if i > 0 && a.s == "noglob" {
				st.opts.noglob = args[i-1].s == "-o"
			}
			if strings.HasSuffix(a.s, "o") && i+1 == len(args) {
				return
			}
		default:
			if i > 0 && strings.HasSuffix(args[i-1].s, "o") && args[i-1].s[0] == '-' {
				continue // set -euo pipefail
			}
			st.pos = args[i:]
			return
		}
	}
}

// declare handles declare, local, export, readonly, typeset, nameref. All its words are expanded before the first is
// assigned.
func (w *walker) declare(st *shell, c *syntax.DeclClause) {
	st.status = success
	variant := "declare"
	if c.Variant != nil {
		variant = c.Variant.Value
	}
	flags := ""
	type assignment struct {
		name string
		v    *value
	}
	var todo []assignment
	before := st.fork()
	for _, a := range c.Args {
		switch {
		case a.Naked && a.Name == nil:
			for _, one := range w.fields(st, []*syntax.Word{a.Value}) {
				if strings.HasPrefix(one.s, "-") {
					flags += one.s[1:]
				} else if k, v, ok := strings.Cut(one.s, "="); ok && syntax.ValidName(k) {
					todo = append(todo, assignment{k, &value{s: v, reads: one.reads}})
				}
			}
		case a.Naked:
			todo = append(todo, assignment{a.Name.Value, nil})
		case a.Value != nil && a.Array == nil && a.Index == nil && !a.Append:
			for _, parts := range braces(a.Value) { // declare x={a,b} is two words: the last assignment stays
				f := w.unsplit(before, parts)
				todo = append(todo, assignment{a.Name.Value, &value{s: string(f.text), reads: f.reads}})
			}
		default:
			tmp := before.fork()
			w.assign(tmp, a)
			todo = append(todo, assignment{a.Name.Value, tmp.lookup(a.Name.Value)})
		}
	}
	keeps := variant == "export" || variant == "readonly" || strings.Contains(flags, "g")
	for _, t := range todo {
		if !keeps {
			old := st.lookup(t.name)
			st.local(t.name)
			if t.v == nil && (old == nil || st.locals != nil) {
				t.v = &value{unset: true}
			}
		}
		if variant == "export" && strings.Contains(flags, "f") {
			w.exported = append(w.exported, t.name)
			continue
		}
		if t.v == nil {
			if variant == "export" || strings.Contains(flags, "x") {
				w.export(st, t.name)
			}
			continue
		}
		v := *t.v
		switch {
		case strings.Contains(flags, "n") && variant != "export":
			v = value{ref: v.s, s: anyText}
		case strings.Contains(flags, "l"):
			v.lower = true
		case strings.Contains(flags, "u"):
			v.upper = true
		case strings.Contains(flags, "i") && !v.unset:
			if n, ok := w.arithWord(st, v.s, 8); ok {
				v.s = strconv.Itoa(n)
			} else {
				v.s = anyName
			}
		}
		v.exported = variant == "export" || strings.Contains(flags, "x")
		st.set(t.name, &v)
		if v.exported {
			w.runsCommand(t.name, st)
		}
	}
}

func (st *shell) setHash(name, to string) {
	next := map[string]string{name: to}
	for k, v := range st.hashed {
		if k != name {
			next[k] = v
		}
	}
	st.hashed = next
}
