package script

import (
	"path"
	"strings"
)

// value is what an expression is known to be: a text or the constant beginning of one, a list, something the tables
// have a name for, or the content of files that were read.
type value struct {
	text  string
	known bool   // text is all of it, not only its beginning
	class string // what methods it has ("path", "file"), or one of the classes below
	name  string // of a module or function, as the tables write it
	meth  string // of a method: its name, and the value that it belongs to
	self  *value
	items []value
	keys  []string // of a dictionary, one for each item
	more  bool     // the list has items that are not known
	// reads are the files whose whole content this is, as indexes of Touches; those of commands whose output it is are ^index
	// of Runs.
	reads []int
}

// Classes that no table names.
const (
	isNumber = "num"
	isNone   = "none"
	isLocal  = "local" // something of the script's own, of which nothing is known
	isFunc   = "func"  // a function that the script defines
	isList   = "list"
	isDict   = "dict"
	isEach   = "each" // each of the items in turn: the variable of a loop
	isAny    = "any"  // one of the items
)

// maxText bounds the texts that are put together, maxItems the values that an expression is followed for.
const (
	maxText  = 4 << 10
	maxItems = 32
)

func text(s string) value { return value{text: s, known: true} }

// empty reports whether nothing is known of v.
func (v value) empty() bool {
	return v.name == "" && v.meth == "" && v.class == "" && v.text == "" && !v.known && len(v.reads) == 0
}

// each are the single values of v: those of a loop, and the items of a list.
func (v value) each() (out []value) {
	if v.class != isList && v.class != isEach && v.class != isAny {
		return []value{v}
	}
	for _, a := range v.items {
		if a.class != isDict && len(out) < maxItems {
			out = append(out, a.each()...)
		}
	}
	if v.more || len(v.items) > maxItems {
		out = append(out, value{})
	}
	return out[:min(len(out), 2*maxItems)]
}

// over applies f to each single value of v.
func over(v value, f func(value) value) value {
	if v.class != isEach && v.class != isAny {
		return f(v)
	}
	out := value{class: v.class}
	for _, a := range v.each() {
		out.items = append(out.items, f(a))
	}
	return out
}

// oneOf is a value that may be any of several.
func oneOf(vs ...value) value {
	return value{class: isAny, items: (value{class: isAny, items: vs}).each()}
}

// join puts two texts together with sep between them, as far as they are known.
func join(a, b value, sep string) value {
	if len(a.items)*max(len(b.items), 1) > maxItems || a.class == isList || b.class == isList {
		return value{}
	}
	return over(a, func(a value) value {
		return over(b, func(b value) value {
			out := value{text: a.text, reads: append(a.reads[:len(a.reads):len(a.reads)], b.reads...)}
			if a.class == "path" {
				out.class = a.class
			}
			switch {
			case !a.known || len(a.text)+len(b.text) > maxText:
			case sep == "/":
				out.text, out.known = joinPath(a.text, b.text), b.known
			default:
				out.text, out.known = a.text+b.text, b.known
			}
			return out
		})
	})
}

func joinPath(a, b string) string {
	switch {
	case strings.HasPrefix(b, "/") || a == "" || a == ".":
		return b
	case strings.HasSuffix(a, "/") || b == "":
		return a + b
	}
	return a + "/" + b
}

// parent and base are dirname and basename.
func parent(v value) value {
	return over(v, func(v value) value {
		if !v.known {
			return value{text: v.text[:strings.LastIndexByte(v.text, '/')+1], class: v.class}
		}
		return value{text: path.Dir(v.text), known: true, class: v.class}
	})
}

func base(v value) value {
	return over(v, func(v value) value {
		if !v.known {
			return value{}
		}
		return text(path.Base(v.text))
	})
}

// element is what a loop over v gives.
func (v value) element() value {
	switch v.class {
	case isList:
		if len(v.items) == 0 {
			return value{}
		}
		return value{class: isEach, items: v.items, more: v.more}
	case isEach, isAny:
		return over(v, value.element)
	case "paths":
		return value{text: v.text, class: "path"}
	case "walk":
		return value{class: isList, items: []value{{text: v.text}}, more: true}
	}
	return value{}
}

// item is v[n].
func (v value) item(n int) value {
	return over(v, func(v value) value {
		switch {
		case v.class == isList && n >= 0 && n < len(v.items):
			return v.items[n]
		case v.class == isList && !v.more:
			return value{class: isNone}
		}
		return value{}
	})
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
