package script

import (
	"path"
	"strings"
)

// value is what an expression is known to be: a text or the constant beginning of one, a list, something the tables
// have a name for, or the content of a file that was read.
type value struct {
	text  string
	known bool   // text is all of it, not only its beginning
	num   bool   // a number
	class string // what methods it has: "path", "file", "proc"; "local" for what the script defines
	name  string // of a module or function, as the tables write it
	recv  *value // of a method: what it belongs to
	meth  string
	alts  []value // several values: each one in turn (a loop), or one of them when maybe is set
	maybe bool
	list  bool
	items []value
	keys  []string // of a dictionary, one for each item
	more  bool     // the list has items that are not known
	flows []flow
	run   int // one more than the index of the command whose input or output it is
}

// flow says which file's content, or which command's output, a value carries.
type flow struct {
	ref   int  // index into Touches, or ^index into Runs
	full  bool // all of it, unchanged
	lines bool // as a list of lines
	line  bool // one line, in a loop over all of them
}

// maxText bounds the texts that are put together, maxAlts the values that an expression is followed for.
const (
	maxText = 4 << 10
	maxAlts = 32
)

func text(s string) value { return value{text: s, known: true} }

func (v value) isText() bool { return v.known && !v.list && len(v.alts) == 0 }

func (v value) dict() bool { return v.list && v.class == "dict" }

// empty reports whether nothing is known of v.
func (v value) empty() bool {
	return v.name == "" && v.meth == "" && v.class == "" && v.text == "" && !v.known && !v.list && len(v.alts) == 0 && len(v.flows) == 0
}

// leaves are the single values of v. A list counts as its items.
func (v value) leaves() []value {
	seen := 0
	return v.gather(nil, &seen)
}

func (v value) gather(out []value, seen *int) []value {
	from := v.alts
	switch *seen++; {
	case *seen > 8*maxAlts: // lists of lists
		return append(out, value{})
	case len(v.alts) > 0:
	case v.list && !v.dict():
		from = v.items
		if v.more || len(from) > maxAlts {
			out = append(out, value{})
		}
	default:
		return append(out, v)
	}
	for _, a := range from {
		if len(out) < maxAlts && !a.dict() {
			out = a.gather(out, seen)
		}
	}
	return out
}

// oneOf is a value that may be any of several.
func oneOf(vs ...value) value {
	out := value{maybe: true}
	for _, v := range vs {
		if v.maybe {
			out.alts = append(out.alts, v.alts...)
		} else {
			out.alts = append(out.alts, v)
		}
	}
	if len(out.alts) > maxAlts {
		return value{}
	}
	out.flows = partly(vs...)
	return out
}

// partly are the flows of values of which it is not known how much is left.
func partly(vs ...value) (out []flow) {
	for _, v := range vs {
		for _, f := range v.flows {
			if len(out) < maxAlts {
				out = append(out, flow{ref: f.ref})
			}
		}
	}
	return out
}

// over applies f to each single value of v.
func over(v value, f func(value) value) value {
	if len(v.alts) == 0 {
		return f(v)
	}
	out := value{maybe: v.maybe}
	for _, a := range v.alts[:min(len(v.alts), maxAlts)] {
		w := over(a, f)
		out.alts, out.flows = append(out.alts, w), append(out.flows, w.flows...)
	}
	return out
}

// join puts two texts together with sep between them, as far as they are known.
func join(a, b value, sep string) value {
	if len(a.alts)*max(len(b.alts), 1) > maxAlts || a.list || b.list {
		return value{flows: partly(a, b)}
	}
	return over(a, func(a value) value {
		return over(b, func(b value) value {
			out := value{text: a.text, class: a.class}
			for _, f := range append(append([]flow(nil), a.flows...), b.flows...) {
				f.full = f.full && !f.lines
				out.flows = append(out.flows, f)
			}
			if a.known && len(a.text)+len(b.text) < maxText {
				out.text, out.known = a.text+sep+b.text, b.known
				if sep == "/" {
					out.text = joinPath(a.text, b.text)
				}
			}
			return out
		})
	})
}

func joinPath(a, b string) string {
	switch {
	case strings.HasPrefix(b, "/") || a == "" || a == ".":
		return b
	case strings.HasSuffix(a, "/"):
		return a + b
	}
	return a + "/" + b
}

// parent and base are dirname and basename.
func parent(v value) value {
	return over(v, func(v value) value {
		if !v.isText() {
			return value{text: v.text[:strings.LastIndexByte(v.text, '/')+1], class: v.class}
		}
		return value{text: path.Dir(v.text), known: true, class: v.class}
	})
}

func base(v value) value {
	return over(v, func(v value) value {
		if !v.isText() {
			return value{}
		}
		return text(path.Base(v.text))
	})
}

// element is what a loop over v gives.
func (v value) element() value {
	switch {
	case len(v.alts) > 0:
		return over(v, value.element)
	case v.list && !v.dict() && len(v.items) > 0 && len(v.items) <= maxAlts:
		if v.more {
			v.items = append(v.items[:len(v.items):len(v.items)], value{})
		}
		return value{alts: v.items}
	case v.class == "paths":
		return value{text: v.text, class: "path"}
	case v.class == "walk":
		return value{list: true, items: []value{{text: v.text}}, more: true}
	}
	out := value{}
	for _, f := range v.flows {
		out.flows = append(out.flows, flow{ref: f.ref, full: f.full && f.lines, line: true})
	}
	return out
}

// item is v[n].
func (v value) item(n int) value {
	if v.list && !v.dict() && n >= 0 && n < len(v.items) {
		return v.items[n]
	}
	if len(v.alts) > 0 {
		return over(v, func(a value) value { return a.item(n) })
	}
	if v.class == "argv" {
		return value{class: "none"}
	}
	return value{flows: partly(v)}
}

// get is the value of a key.
func (v value) get(key string) (value, bool) {
	for i, k := range v.keys {
		if k == key {
			return v.items[i], true
		}
	}
	return value{}, false
}

// looksLikeFile reports whether a text could be the name of a file: without spaces, with an extension.
func looksLikeFile(s string) bool {
	if s == "" || len(s) > 200 || strings.ContainsAny(s, " \n\t<>{}()$%,;'\"") || strings.Contains(s, "://") {
		return false
	}
	name := s[strings.LastIndexByte(s, '/')+1:]
	dot := strings.LastIndexByte(name, '.')
	ext := name[dot+1:]
	if dot < 0 || ext == "" || len(ext) > 6 || digit(ext[0]) && name[:dot] != "" && digit(name[0]) {
		return false
	}
	for i := range len(ext) {
		if !letter(ext[i]) && !digit(ext[i]) {
			return false
		}
	}
	return true
}
