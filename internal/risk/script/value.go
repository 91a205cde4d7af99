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
	class string // what methods it has: "path", "file", "proc", "local" for what the script defines …
	name  string // of a module or function, as the tables write it
	recv  *value // of a method: what it belongs to
	meth  string
	alts  []value // one of these, or with each one after the other
	each  bool
	list  bool
	items []value
	more  bool // the list has items that are not known
	dict  bool // items have keys
	keys  []string
	flows []flow
	run   int // one more than the index of the command whose input or output it is
}

// flow says which file's content, or which command's output, a value carries.
type flow struct {
	ref      int // index into Touches, or ^index into Runs
	full     bool
	lines    bool // a list of lines
	elem     bool // one of the lines, in a loop over all of them that stands from pos on to end
	pos, end int
	raw      bool // bytes that are not shown as text
	pairs    bool // with numbers before them
	spans    [][2]int
}

// maxText bounds the texts that are put together.
const maxText = 16 << 10

// maxAlts bounds the values that an expression is followed for.
const maxAlts = 32

func text(s string) value { return value{text: s, known: true} }

func (v value) isText() bool { return v.known && !v.list && len(v.alts) == 0 }

// leaves are the single values of v. A list counts as its items.
func (v value) leaves() []value {
	switch {
	case len(v.alts) > 0:
		var out []value
		for _, a := range v.alts {
			out = append(out, a.leaves()...)
		}
		return out[:min(len(out), maxAlts)]
	case v.list && !v.dict:
		var out []value
		for _, a := range v.items {
			if !a.dict && len(out) < maxAlts {
				out = append(out, a.leaves()...)
			}
		}
		if v.more || len(v.items) > maxAlts {
			out = append(out, value{})
		}
		return out
	}
	return []value{v}
}

// oneOf is a value that may be any of several.
func oneOf(vs ...value) value {
	var out []value
	for _, v := range vs {
		if len(v.alts) > 0 && !v.each {
			out = append(out, v.alts...)
		} else {
			out = append(out, v)
		}
	}
	if len(out) > maxAlts {
		return value{}
	}
	same := true
	for _, v := range out[1:] {
		same = same && v.isText() && out[0].isText() && v.text == out[0].text
	}
	if same {
		return out[0]
	}
	return value{alts: out, flows: partly(allFlows(out))}
}

func allFlows(vs []value) (out []flow) {
	for _, v := range vs {
		if len(out) < maxAlts {
			out = append(out, v.flows...)
		}
	}
	return out
}

// partly are flows of which it is not known how much is left.
func partly(fs []flow) []flow {
	out := make([]flow, 0, len(fs))
	for _, f := range fs {
		out = append(out, flow{ref: f.ref})
	}
	return out
}

// over applies f to each single value of v.
func over(v value, f func(value) value) value {
	if len(v.alts) == 0 {
		return f(v)
	}
	out := value{each: v.each}
	for _, a := range v.alts[:min(len(v.alts), maxAlts)] {
		out.alts = append(out.alts, over(a, f))
	}
	out.flows = allFlows(out.alts)
	return out
}

// join puts two texts together with sep between them, as far as they are known.
func join(a, b value, sep string) value {
	if len(a.alts)*max(len(b.alts), 1) > maxAlts {
		return value{flows: partly(append(a.flows, b.flows...))}
	}
	return over(a, func(a value) value {
		return over(b, func(b value) value {
			out := value{text: a.text, class: a.class, flows: carried(append(append([]flow(nil), a.flows...), b.flows...))}
			if a.list || b.list {
				return value{list: true, items: append(append([]value(nil), a.items...), b.items...), more: a.more || b.more || !a.list || !b.list, flows: partly(out.flows)}
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

// carried are flows that went into a longer text.
func carried(fs []flow) []flow {
	out := make([]flow, 0, len(fs))
	for _, f := range fs {
		f.raw = false
		if f.lines {
			f = flow{ref: f.ref}
		}
		out = append(out, f)
	}
	return out
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
		return value{text: path.Base(v.text), known: true}
	})
}

// element is what a loop over v gives.
func (v value) element() value {
	out := value{}
	switch {
	case len(v.alts) > 0:
		return over(v, value.element)
	case v.list && !v.dict:
		out = value{alts: v.items, each: true}
		if v.more || len(v.items) == 0 || len(v.items) > maxAlts {
			out.alts = append(append([]value(nil), v.items[:min(len(v.items), maxAlts)]...), value{})
		}
		if len(out.alts) == 1 {
			out = out.alts[0]
		}
	case v.class == "paths":
		out = value{text: v.text, class: "path"}
	case v.class == "walk":
		return value{list: true, items: []value{{text: v.text}, {list: true, more: true}, {list: true, more: true}}}
	}
	out.flows = nil
	for _, f := range v.flows {
		if f.lines {
			f.elem, f.lines = true, false
		} else {
			f = flow{ref: f.ref}
		}
		out.flows = append(out.flows, f)
	}
	return out
}

// item is v[n].
func (v value) item(n int) value {
	if v.list && !v.dict && n >= 0 && n < len(v.items) {
		return v.items[n]
	}
	if v.class == "argv" && n >= len(v.items) {
		return value{class: "none"}
	}
	if v.each && len(v.alts) > 0 {
		return over(v, func(a value) value { return a.item(n) })
	}
	var fs []flow
	for _, f := range v.flows {
		if f.pairs && f.elem {
			if n == 1 {
				f.pairs = false
				fs = append(fs, f)
			}
			continue
		}
		fs = append(fs, flow{ref: f.ref})
		if f.lines && f.full && n >= 0 && len(f.spans) == 0 {
			fs[len(fs)-1].spans = [][2]int{{n + 1, n + 1}}
		}
	}
	return value{flows: fs}
}

// get is the value of a key.
func (v value) get(key string) (value, bool) {
	for i, k := range v.keys {
		if k == key && v.dict {
			return v.items[i], true
		}
	}
	return value{}, false
}

// glue joins a list to one text.
func glue(v, sep value) value {
	if !v.list || v.dict {
		out := value{}
		for _, f := range v.flows {
			f.lines = false
			out.flows = append(out.flows, f)
		}
		return out
	}
	if len(v.items) == 0 {
		return value{known: !v.more, flows: partly(v.flows)}
	}
	out := v.items[0]
	for _, it := range v.items[1:min(len(v.items), maxAlts)] {
		out = join(join(out, sep, ""), it, "")
	}
	out.known = out.known && !v.more && len(v.items) <= maxAlts
	return out
}

// format puts values into the places of a text, %s or {}, in their order. Other places end what is known.
func format(f value, args []value) value {
	out, rest := value{known: f.isText(), flows: partly(allFlows(args))}, f.text
	for _, a := range args {
		i := max(strings.Index(rest, "%s"), strings.Index(rest, "{}"))
		if i < 0 {
			break
		}
		a.flows = nil
		out, rest = join(join(out, text(rest[:i]), ""), a, ""), rest[i+2:]
	}
	if i := strings.IndexAny(rest, "%{"); i >= 0 {
		return join(out, value{text: rest[:i]}, "")
	}
	return join(out, text(rest), "")
}

// span is v[lo:hi] of a list of lines or of a text; hi 0 is the end, behind none.
func (v value) span(lo, hi int, ok bool) value {
	out := value{list: v.list && ok && lo == 0 && hi == 0, more: v.more, class: ""}
	if v.list && ok && lo >= 0 && lo <= len(v.items) {
		out.list, out.items = true, v.items[lo:]
		if hi > 0 && hi >= lo && hi <= len(v.items) {
			out.items = v.items[lo:hi]
		}
	}
	if v.isText() && ok && lo >= 0 && lo <= len(v.text) && (hi == 0 || hi >= lo && hi <= len(v.text)) {
		out = text(v.text[lo:])
		if hi > 0 {
			out.text = v.text[lo:hi]
		}
	}
	for _, f := range v.flows {
		g := flow{ref: f.ref, lines: f.lines}
		if f.lines && f.full && ok && lo >= 0 && hi >= 0 && len(f.spans) == 0 && (hi == 0 || hi > lo) {
			g.spans = [][2]int{{lo + 1, hi}}
		}
		out.flows = append(out.flows, g)
	}
	return out
}

// looksLikeFile reports whether a text could be the name of a file: without spaces, with a folder or an extension.
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
