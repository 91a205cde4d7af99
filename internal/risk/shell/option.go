package shell

import (
	"slices"
	"strings"
)

// options are the words of a command sorted into flags, options with a value, and operands.
type parsedOptions struct {
	flags []string
	vals  []optValue
	rest  []arg
	// dashes is the number of operands that stand before `--`, -1 without one.
	dashes int
}

type optValue struct {
	optSpec
	arg
}

// has reports whether one of the options is given; name=value asks for that value of it (terraform fmt -write=false).
func (o *parsedOptions) has(names ...string) bool {
	for _, n := range names {
		if name, value, ok := strings.Cut(n, "="); ok {
			for _, v := range o.vals {
				if v.name == name && v.s == value {
					return true
				}
			}
			continue
		}
		if slices.Contains(o.flags, n) {
			return true
		}
		for _, v := range o.vals {
			if v.name == n && v.s != "false" { // --fix=false is not --fix
				return true
			}
		}
	}
	return false
}

// value is the value of the last of the named options.
func (o *parsedOptions) value(names ...string) (arg, bool) {
	for i := len(o.vals) - 1; i >= 0; i-- {
		for _, n := range names {
			if o.vals[i].name == n {
				return o.vals[i].arg, true
			}
		}
	}
	return arg{}, false
}

func (r *row) spec(name string) (optSpec, bool) {
	for _, s := range r.val {
		if s.name == name {
			return s, true
		}
	}
	return optSpec{}, false
}

// lists reports whether the row names a flag of several letters.
func (r *row) lists(name string) bool {
	return slices.Contains(r.when, name) || slices.Contains(r.not, name) || slices.Contains(r.tree, name) || slices.Contains(r.flags, name)
}

// whole is the long option that a word abbreviates: the only one among those the row names that begins with it. The row
// does not name all options of the program, so more than half of what would keep it from writing, or take the next word for
// a value, has to be spelled.
func (r *row) whole(name string, hasValue bool) string {
	if _, ok := r.spec(name); ok || r.single || len(name) < 2 || r.lists(name) {
		return name
	}
	found := name
	try := func(option string, takes bool) {
		switch {
		case !strings.HasPrefix(option, name) || option == found || strings.Contains(option, "=") || takes && !hasValue && 2*len(name) <= len(option):
		case found == name:
			found = option
		default:
			found = "" // of two it is neither
		}
	}
	for _, s := range r.val {
		try(s.name, s.role == "")
	}
	for _, option := range slices.Concat(r.when, r.tree, r.flags) {
		try(option, false)
	}
	for _, option := range r.not {
		try(option, true)
	}
	if found == "" {
		return name
	}
	return found
}

// parseOptions reads options as getopt_long does. With posix the first operand ends them; with single a word with one
// dash is one long option.
func parseOptions(r *row, args []arg) *parsedOptions {
	o := &parsedOptions{dashes: -1}
	for i := 0; i < len(args); i++ {
		a := args[i]
		s := a.s
		switch {
		case s == "--" && o.dashes < 0:
			o.dashes = len(o.rest)
			o.rest = append(o.rest, args[i+1:]...)
			return o
		case r.plus && len(s) > 1 && s[0] == '+':
			given := o.flags
			i = o.cluster(r, args, i)
			o.flags = given // +c is no -c
		case len(s) < 2 || s[0] != '-':
			if r.posix && !(r.assigns && isAssignment(s)) {
				o.rest = append(o.rest, args[i:]...)
				return o
			}
			o.rest = append(o.rest, a)
		case strings.HasPrefix(s, "--") || r.single:
			i = o.long(r, args, i)
		default:
			i = o.cluster(r, args, i)
		}
		if n := len(o.vals); n > 0 && strings.HasSuffix(o.vals[n-1].role, "!") { // python -c CODE and -m end the options
			o.vals[n-1].role = strings.TrimSuffix(o.vals[n-1].role, "!")
			if i+1 < len(args) {
				o.rest = append(o.rest, args[i+1:]...)
			}
			return o
		}
	}
	return o
}

func (o *parsedOptions) long(r *row, args []arg, i int) int {
	name, v, has := strings.Cut(strings.TrimLeft(args[i].s, "-"), "=")
	name = r.whole(name, has)
	spec, ok := r.spec(name)
	spec.name = name
	switch {
	case has:
		o.vals = append(o.vals, optValue{spec, arg{s: v, reads: args[i].reads}})
	case ok && i+1 < len(args):
		o.vals = append(o.vals, optValue{spec, args[i+1]})
		return i + 1
	default:
		o.flags = append(o.flags, name)
	}
	return i
}

func (o *parsedOptions) cluster(r *row, args []arg, i int) int {
	s := args[i].s[1:]
	if len(s) > 1 && r.lists(s) { // zip -sf, vim -es
		return o.long(r, args, i)
	}
	if s[0] >= '0' && s[0] <= '9' { // head -5, nice -10
		if spec, ok := r.spec("#"); ok {
			o.vals = append(o.vals, optValue{spec, arg{s: s}})
			return i
		}
	}
	for j := 0; j < len(s); j++ {
		name := s[j : j+1]
		if slices.Contains(r.num, name) {
			k := j + 1
			for k < len(s) && s[k] >= '0' && s[k] <= '9' {
				k++
			}
			o.vals = append(o.vals, optValue{optSpec{name: name}, arg{s: s[j+1 : k]}})
			j = k - 1
			continue
		}
		if slices.Contains(r.opt, name) {
			o.vals = append(o.vals, optValue{optSpec{name: name}, arg{s: s[j+1:]}})
			return i
		}
		if spec, ok := r.spec(name); ok && (j == 0 || spec.role != "guess") { // lipo -info: a long option with one dash
			if also, ok := r.spec(s[j+1:]); ok && strings.HasPrefix(spec.role, "print") && also.role != "" { // node -pe CODE
				o.flags = append(o.flags, name)
				continue
			}
			if j+1 < len(s) {
				o.vals = append(o.vals, optValue{spec, arg{s: s[j+1:], reads: args[i].reads}})
				return i
			}
			if i+1 < len(args) {
				o.vals = append(o.vals, optValue{spec, args[i+1]})
				return i + 1
			}
		}
		o.flags = append(o.flags, name)
	}
	return i
}

func isAssignment(s string) bool {
	name, _, ok := strings.Cut(s, "=")
	return ok && name != "" && !strings.ContainsAny(name, "/ .-")
}
