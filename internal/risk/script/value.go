package script

import (
	"slices"
	"strings"
)

// vkind is the kind of an abstract value.
type vkind uint8

const (
	vUnknown vkind = iota
	vStr           // text; known, or with a constant beginning
	vNum
	vBool
	vNone
	vList // items; open when there may be more of them
	vDict // items by keys
	vObj  // what a qualified name means: a module, a function, a class
	vFile // an open file, text is its index
	vFunc // a function of the script
	vAlt  // one of items
)

// value is what is known of a value of the script.
type value struct {
	k     vkind
	known bool   // vStr: s is all of it
	s     string // vStr text or its beginning, vNum as written, vObj qualified name
	class string // what methods it has: "path", "file", "proc", a class of a table
	items []value
	keys  []string
	open  bool
	ref   int // vFile: index into handles
	fn    *node
	flows []flow
}

// flow is content of a file, or output of a command, inside a value.
type flow struct {
	ref            int  // index of a Touch, or ^index of a Run
	full, verbatim bool // all of it, as it stands
	lines          bool // the value is a list of its lines
	elem           bool // one item of a loop over all of it; cond is the nesting of conditions at that loop
	cond           int
	spans          [][2]int
}

const (
	maxText  = 16 << 10 // bytes of a joined string that is followed; a literal may be longer
	maxItems = 256      // items of a list that are followed
	maxAlt   = 6        // values of one variable that are followed
	maxFlows = 16
)

func text(s string) value   { return value{k: vStr, s: s, known: true} }
func object(s string) value { return value{k: vObj, s: s} }

// isText reports whether the value is a string whose text is known.
func (v value) isText() bool { return v.k == vStr && v.known || v.k == vNum }

// body is what a function of the script does; nothing for any other.
func (v value) body() *node {
	if v.fn == nil {
		return &node{}
	}
	return v.fn.kid(0)
}

// plain is a value as text: its constant beginning and whether that is all.
func (v value) plain() (string, bool) {
	switch v.k {
	case vStr:
		return v.s, v.known
	case vNum:
		return v.s, true
	case vList:
		if len(v.items) == 1 && !v.open {
			return v.items[0].plain()
		}
	}
	return "", false
}

// alternatives are the values that v may have.
func (v value) alternatives() []value {
	if v.k == vAlt {
		return v.items
	}
	return []value{v}
}

// same reports whether two values tell the same.
func same(a, b value) bool {
	return a.k == b.k && a.s == b.s && a.known == b.known && a.class == b.class && a.fn == b.fn && a.ref == b.ref &&
		len(a.items) == 0 && len(b.items) == 0 && len(a.flows) == len(b.flows)
}

// either is a value that is one of two.
func either(a, b value) value {
	if same(a, b) {
		return a
	}
	out := value{k: vAlt, class: a.class}
	if a.class != b.class {
		out.class = ""
	}
	for _, v := range append(slices.Clone(a.alternatives()), b.alternatives()...) {
		if !slices.ContainsFunc(out.items, func(w value) bool { return same(v, w) }) {
			out.items = append(out.items, v)
		}
	}
	out.flows = mergeFlows(a.flows, b.flows)
	if len(out.items) > maxAlt {
		return value{flows: out.flows, class: out.class}
	}
	if len(out.items) == 1 {
		return out.items[0]
	}
	return out
}

// mergeFlows joins what two values carry.
func mergeFlows(a, b []flow) []flow {
	if len(b) == 0 {
		return a
	}
	if len(a) == 0 {
		return b
	}
	out := slices.Clone(a)
	for _, f := range b {
		if len(out) >= maxFlows {
			break
		}
		if i := slices.IndexFunc(out, func(g flow) bool { return g.ref == f.ref }); i >= 0 {
			if f.full && !out[i].full {
				out[i] = f
			}
			continue
		}
		out = append(out, f)
	}
	return out
}

// allFlows are the flows of a value and of everything in it.
func (v value) allFlows() []flow {
	fs := v.flows
	if v.k == vList || v.k == vDict || v.k == vAlt {
		for i, it := range v.items {
			if i > 64 {
				break
			}
			fs = mergeFlows(fs, it.allFlows())
		}
	}
	return fs
}

// partly is content of which only a part, or something made of it, is left.
func partly(fs []flow) []flow {
	if len(fs) == 0 {
		return nil
	}
	out := slices.Clone(fs)
	for i := range out {
		out[i] = flow{ref: out[i].ref}
	}
	return out
}

// changed is content that is all there, but not as it stood.
func changed(fs []flow) []flow {
	out := slices.Clone(fs)
	for i := range out {
		out[i].verbatim = false
	}
	return out
}

// concat joins two values to a string.
func concat(a, b value) value {
	if a.k == vAlt || b.k == vAlt {
		var out value
		n := 0
		for _, x := range a.alternatives() {
			for _, y := range b.alternatives() {
				if n++; n > maxAlt {
					return value{flows: mergeFlows(a.allFlows(), b.allFlows())}
				}
				if n == 1 {
					out = concat(x, y)
				} else {
					out = either(out, concat(x, y))
				}
			}
		}
		return out
	}
	s, known := a.plain()
	fs := mergeFlows(a.allFlows(), b.allFlows())
	if known {
		t, all := b.plain()
		s, known = s+t, all
	}
	if len(s) > maxText {
		s, known = s[:maxText], false
	}
	return value{k: vStr, s: s, known: known, flows: fs}
}

// joinPath joins path elements; an absolute one begins anew where reset is set.
func joinPath(parts []value, reset bool) value {
	var out value
	for i, p := range parts {
		if i == 0 {
			out = p
			if out.k == vObj {
				out = value{}
			}
			continue
		}
		if s, known := p.plain(); reset && strings.HasPrefix(s, "/") {
			out = value{k: vStr, s: s, known: known}
			continue
		}
		if s, known := out.plain(); known && s == "" {
			out = p
			continue
		} else if known && !strings.HasSuffix(s, "/") {
			out = concat(out, text("/"))
		} else if out.k == vAlt {
			out = concat(out, text("/"))
		}
		if s, known := p.plain(); known && (s == "" || s == ".") && i > 0 {
			continue
		} else if known && !reset {
			p = text(strings.TrimPrefix(s, "/"))
		}
		out = concat(out, p)
	}
	out.flows = nil
	return out
}

// dirname and basename are those of POSIX, for constant text.
func dirname(v value) value {
	if v.k == vAlt {
		return mapAlt(v, dirname)
	}
	s, known := v.plain()
	if i := strings.LastIndexByte(strings.TrimRight(s, "/"), '/'); i >= 0 && known {
		return text(s[:max(i, 1)])
	} else if known {
		return text(".")
	}
	return value{}
}

func basename(v value) value {
	if v.k == vAlt {
		return mapAlt(v, basename)
	}
	s, known := v.plain()
	if !known {
		return value{}
	}
	s = strings.TrimRight(s, "/")
	return text(s[strings.LastIndexByte(s, '/')+1:])
}

func mapAlt(v value, f func(value) value) value {
	var out value
	for i, it := range v.items {
		if i == 0 {
			out = f(it)
		} else {
			out = either(out, f(it))
		}
	}
	return out
}
