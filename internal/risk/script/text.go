package script

import (
	"slices"
	"strconv"
	"strings"
)

// Functions on text and lists whose result is followed.

func splitWords(v value) value {
	if !v.isText() || len(v.flows) > 0 {
		return value{flows: changed(v.allFlows())}
	}
	out := value{k: vList}
	for i, s := range strings.Fields(v.s) {
		if i >= maxItems {
			out.open = true
			break
		}
		out.items = append(out.items, text(strings.Trim(s, `"'`)))
	}
	return out
}

// glue joins a list with a separator.
func glue(list, sep value) value {
	if list.k == vList && !list.open {
		out := text("")
		for i, it := range list.items {
			if i > 0 {
				out = concat(out, sep)
			}
			out = concat(out, it)
		}
		out.flows = mergeFlows(out.flows, list.flows)
		return out
	}
	fs := slices.Clone(list.allFlows())
	return value{flows: fs}
}

// sprintf fills a format with items; open says that they are not all known.
func sprintf(format value, items []value, open bool) value {
	f, known := format.plain()
	out, n := text(""), 0
	for i := 0; i < len(f); i++ {
		c := strings.IndexByte(f[i:], '%')
		if c < 0 {
			out = concat(out, text(f[i:]))
			break
		}
		out = concat(out, text(f[i:i+c]))
		i += c + 1
		if i < len(f) && f[i] == '%' {
			out = concat(out, text("%"))
			continue
		}
		start := i
		if i < len(f) && f[i] == '(' {
			if e := strings.IndexByte(f[i:], ')'); e > 0 {
				i += e + 1
			}
		}
		for i < len(f) && strings.IndexByte("0123456789.-+# *lh$", f[i]) >= 0 {
			i++
		}
		v := value{}
		if n < len(items) && !open {
			v = items[n]
		} else {
			for _, it := range items {
				v.flows = mergeFlows(v.flows, it.allFlows())
			}
		}
		n++
		if i > start && v.k != vStr {
			v = value{flows: v.flows}
		}
		out = concat(out, v)
	}
	if !known {
		out.known = false
	}
	out.flows = mergeFlows(out.flows, format.flows)
	return out
}

// pyFormatCall is Python's str.format.
func pyFormatCall(format value, a arguments) value {
	f, known := format.plain()
	out, n := text(""), 0
	for i := 0; i < len(f); i++ {
		switch {
		case strings.HasPrefix(f[i:], "{{"), strings.HasPrefix(f[i:], "}}"):
			out = concat(out, text(f[i:i+1]))
			i++
		case f[i] == '{':
			e := strings.IndexByte(f[i:], '}')
			if e < 0 {
				return out
			}
			field, spec, hasSpec := strings.Cut(f[i+1:i+e], ":")
			i += e
			r := ref{kind: 'p', pos: -1, kw: field}
			if field == "" {
				r.pos = n
				n++
			} else if k, err := strconv.Atoi(field); err == nil {
				r.pos = k
			}
			v, _ := a.get(r)
			if hasSpec && spec != "" && v.k != vStr {
				v = value{flows: v.flows}
			}
			out = concat(out, v)
		default:
			e := strings.IndexAny(f[i:], "{}")
			if e < 1 {
				e = len(f) - i
			}
			if f[i] == '}' {
				e = 1
			}
			out = concat(out, text(f[i:i+e]))
			i += e - 1
		}
	}
	if !known {
		out.known = false
	}
	return out
}

func stem(v value) value {
	s, known := v.plain()
	if i := strings.LastIndexByte(s, '.'); known && i > 0 {
		return text(s[:i])
	} else if known {
		return text(s)
	}
	return value{}
}

// below is the files in a folder, or those that a glob selects: what stands before the first wildcard is known.
func below(v value) value {
	if v.k == vList && len(v.items) > 0 {
		v = v.items[0]
	}
	s, _ := v.plain()
	if v.k == vAlt {
		s = ""
	}
	if i := strings.IndexAny(s, "*?[{"); i >= 0 {
		s = s[:strings.LastIndexByte(s[:i], '/')+1]
	} else if s != "" && s != "." {
		s = strings.TrimSuffix(s, "/") + "/"
	} else {
		s = ""
	}
	return value{k: vStr, s: s, class: "paths"}
}

// pairs is what a loop over a container's keys and values yields.
func (ev *eval) pairs(v value) value {
	v = ev.iterable(v)
	switch {
	case v.k == vDict && !v.open:
		out := value{k: vList}
		for i := range v.keys {
			out.items = append(out.items, value{k: vList, items: []value{text(v.keys[i]), v.items[i]}})
		}
		return out
	case v.k == vList && !v.open:
		out := value{k: vList}
		for i, it := range v.items {
			out.items = append(out.items, value{k: vList, items: []value{{k: vNum, s: strconv.Itoa(i)}, it}})
		}
		return out
	}
	return v
}
