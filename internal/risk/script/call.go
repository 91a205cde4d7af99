package script

import (
	"strings"
)

// arguments are those of one call.
type arguments struct {
	self value
	vals []value
	keys []string // "" for positional ones, same length as vals
	// vague is set when there may be more arguments than listed, or when nothing is known of them.
	vague bool
}

// callArgs evaluates the arguments of a call.
func (ev *eval) callArgs(n *node) arguments {
	var a arguments
	for i, k := range n.kids[min(1, len(n.kids)):] {
		key := ""
		if i+1 < len(n.keys) {
			key = n.keys[i+1]
		}
		flat := k.kind == nSpread || ev.lang == Perl && (k.kind == nName && strings.HasPrefix(k.text, "@") || k.kind == nList)
		v := ev.expr(k)
		if flat {
			v = ev.iterable(v)
			switch {
			case v.k == vList:
				a.vals = append(a.vals, v.items...)
				if v.open || len(v.flows) > 0 {
					a.vague = a.vague || v.open
					if len(v.flows) > 0 {
						a.vals = append(a.vals, value{flows: v.flows})
					}
				}
			case v.k == vDict && k.text == "**":
				a.vals = append(a.vals, v.items...)
				for len(a.keys)+len(v.keys) > len(a.vals) && len(a.keys) < len(a.vals)-len(v.keys) {
					a.keys = append(a.keys, "")
				}
				a.keys = append(a.keys, v.keys...)
			default:
				a.vague = true
				if fs := v.allFlows(); len(fs) > 0 {
					a.vals = append(a.vals, value{flows: fs})
				}
			}
			for len(a.keys) < len(a.vals) {
				a.keys = append(a.keys, "")
			}
			continue
		}
		a.vals = append(a.vals, v)
		a.keys = append(a.keys, key)
	}
	return a
}

// get is the argument that a ref names.
func (a arguments) get(r ref) (value, bool) {
	switch r.kind {
	case 's':
		return a.self, true
	case 'l':
		return text(r.lit), true
	case 'r':
		v := value{k: vList, open: a.vague}
		pos := 0
		for i, x := range a.vals {
			if a.keys[i] != "" {
				continue
			}
			if pos >= r.pos {
				v.items = append(v.items, x)
			}
			pos++
		}
		return v, len(v.items) > 0 || a.vague
	}
	if r.pos >= 0 {
		pos := 0
		for i, x := range a.vals {
			if a.keys[i] != "" {
				continue
			}
			if pos == r.pos {
				return x, true
			}
			pos++
		}
	}
	if r.kw != "" {
		if v, ok := a.kw(r.kw); ok {
			return v, true
		}
	}
	if a.vague && !r.opt {
		return value{}, true
	}
	if r.opt {
		return text(r.def), true
	}
	return value{}, false
}

// kw is an argument by its name, also inside an object that carries options.
func (a arguments) kw(name string) (value, bool) {
	for i, k := range a.keys {
		if k == name {
			return a.vals[i], true
		}
	}
	for i := len(a.vals) - 1; i >= 0; i-- {
		if a.vals[i].k == vDict {
			for j, k := range a.vals[i].keys {
				if k == name {
					return a.vals[i].items[j], true
				}
			}
		}
	}
	return value{}, false
}

// functions are the arguments that can be called.
func (ev *eval) functions(a arguments) []value {
	var fs []value
	for _, v := range a.vals {
		for _, x := range v.alternatives() {
			if x.k == vFunc {
				fs = append(fs, x)
			} else if x.k == vObj {
				if r, ok := ev.row(x.s); ok && r.effect() {
					fs = append(fs, x)
				}
			}
		}
	}
	return fs
}

// row finds the table line of a qualified name.
func (ev *eval) row(q string) (row, bool) {
	q = canonical(ev.lang, q)
	if r, ok := ev.cache[q]; ok {
		return r, true
	}
	if ev.none[q] || strings.ContainsAny(q, " \n") {
		return row{}, false
	}
	line, ok := ev.rows.line(q)
	if i := strings.LastIndex(q, "::"); !ok && i > 0 && ev.lang == Perl {
		line, ok = ev.rows.line(q[:i] + "." + q[i+2:])
	}
	r, good := parseRow(line)
	if !ok || !good {
		ev.none[q] = true
		return row{}, false
	}
	ev.cache[q] = r
	return r, true
}

// canonical folds the several names of one function.
func canonical(lang Lang, q string) string {
	switch lang {
	case Python:
		q = strings.TrimPrefix(strings.TrimSuffix(q, ".__call__"), "sys.modules.")
		q = strings.Replace(q, ".__dict__.", ".", 1)
		if rest, ok := strings.CutPrefix(q, "builtins."); ok {
			return rest
		}
		if rest, ok := strings.CutPrefix(q, "__builtins__."); ok {
			return rest
		}
	case Node:
		q = strings.TrimPrefix(q, "globalThis.")
		q = strings.TrimPrefix(q, "node:")
		for _, m := range []string{"fs/promises.", "fs.promises.", "fs-extra.", "graceful-fs."} {
			if rest, ok := strings.CutPrefix(q, m); ok {
				q = "fs." + rest
			}
		}
		if strings.HasPrefix(q, "fs.default.") {
			q = "fs." + q[len("fs.default."):]
		}
	case PHP:
		return strings.ToLower(strings.TrimPrefix(q, "\\"))
	case Perl:
		q = strings.TrimPrefix(q, "&")
		q = strings.TrimPrefix(q, "CORE::")
	case Lua:
		q = strings.TrimPrefix(strings.TrimPrefix(q, "_G."), ".")
	case Ruby:
		q = strings.TrimPrefix(q, "Kernel.")
		q = strings.TrimPrefix(q, "FileUtils::Verbose.")
	}
	return q
}

func (ev *eval) callNode(n *node) value {
	callee := n.kid(0)
	if callee.kind == nAttr {
		if v, ok := ev.get(callee.dotted()); ok && v.k == vFunc {
			return ev.callValue(v, ev.callArgs(n))
		}
		obj := ev.expr(callee.kid(0))
		return ev.invoke(callee, obj, callee.text, n, nil, false)
	}
	if ev.lang == Awk {
		if v, ok := ev.awkCall(n); ok {
			return v
		}
	}
	if ev.lang == Perl && callee.kind == nName {
		if v, ok := ev.perlCall(n); ok {
			return v
		}
	}
	if callee.kind == nName {
		if _, ok := ev.get(callee.text); !ok {
			if fs := ev.funcs[strings.TrimPrefix(callee.text, "&")]; len(fs) > 0 {
				a := ev.callArgs(n)
				var v value
				for i, f := range fs[:min(len(fs), 3)] {
					w := ev.call(f, nil, a.vals, a.keys)
					if i == 0 {
						v = w
					} else {
						v = either(v, w)
					}
				}
				return v
			}
			if r, ok := ev.row(callee.text); ok && ev.lang == Ruby {
				a := ev.callArgs(n)
				return ev.apply(r, value{}, a.vals, a.keys, a.vague)
			}
		}
	}
	if callee.text == "\x00pairs" {
		return ev.pairs(ev.expr(n.kid(1)))
	}
	v := ev.expr(callee)
	if r, ok := ev.row(callee.text); ok && callee.kind == nName && v.k == vUnknown && len(v.flows) == 0 && r.effect() {
		// The name was bound to something unknown; it may still be the function.
		a := ev.callArgs(n)
		return ev.apply(r, value{}, a.vals, a.keys, a.vague)
	}
	return ev.callValue(v, ev.callArgs(n))
}

// callValue calls what a value holds.
func (ev *eval) callValue(v value, a arguments) value {
	switch v.k {
	case vFunc:
		return ev.call(v.fn, nil, a.vals, a.keys)
	case vStr:
		if v.known && (ev.lang == PHP || ev.lang == Perl) {
			return ev.callNamed(v, a.vals, a.vague)
		}
	case vAlt:
		var out value
		for i, x := range v.items {
			w := ev.callValue(x, a)
			if i == 0 {
				out = w
			} else {
				out = either(out, w)
			}
		}
		return out
	case vObj:
		if len(v.items) > 0 {
			a.self = v.items[0]
		}
		if ev.lang == PHP && v.s != "" && v.s[0] == '$' {
			ev.opaque("php calls a function whose name is computed")
		}
		if r, ok := ev.row(v.s); ok {
			return ev.apply(r, a.self, a.vals, a.keys, a.vague)
		}
		if c := ev.class[v.s]; c != nil {
			return ev.construct(c, a)
		}
	}
	return ev.unknownCall(value{flows: v.flows}, "", a)
}

// construct makes an object of one of the script's own classes.
func (ev *eval) construct(c *node, a arguments) value {
	obj := value{class: c.text}
	for _, m := range c.kid(0).kids {
		if m.kind == nFunc && (m.text == "__init__" || m.text == "constructor" || m.text == "initialize" || m.text == "__construct" || m.text == "__post_init__") {
			ev.call(m, &obj, a.vals, a.keys)
		}
	}
	return obj
}

// invoke calls a method. The arguments are those of the call node, or none when call is nil.
func (ev *eval) invoke(at *node, obj value, name string, call *node, _ []string, _ bool) value {
	var a arguments
	if call != nil {
		a = ev.callArgs(call)
	}
	a.self = obj
	return ev.method(at, obj, name, a)
}

func (ev *eval) method(at *node, obj value, name string, a arguments) value {
	if ev.lang == Ruby && strings.HasSuffix(name, "!") && at != nil {
		// A method that changes what it is called on.
		if k := varName(at.kid(0)); k != "" {
			ev.set(k, value{flows: changed(obj.allFlows())})
		}
	}
	if obj.k == vAlt {
		var out value
		for i, x := range obj.items {
			a.self = x
			w := ev.method(at, x, name, a)
			if i == 0 {
				out = w
			} else {
				out = either(out, w)
			}
		}
		return out
	}
	if obj.k == vObj && len(obj.items) == 0 {
		if r, ok := ev.row(obj.s + "." + name); ok {
			return ev.apply(r, obj, a.vals, a.keys, a.vague)
		}
		if ev.lang == Ruby && name == "new" && ev.class[obj.s] != nil {
			return ev.construct(ev.class[obj.s], a)
		}
		if v, ok := ev.get(obj.s + "." + name); ok {
			return ev.callValue(v, a)
		}
		if r, ok := ev.row("path." + name); ok && obj.s == "pathlib.Path" && len(a.vals) > 0 { // Path.unlink(p)
			return ev.apply(r, a.vals[0], a.vals[1:], a.keys[1:], a.vague)
		}
	}
	class := obj.class
	if class == "" || class == "flags" {
		switch obj.k {
		case vStr:
			class = "str"
		case vList:
			class = "list"
		case vDict:
			class = "dict"
			if v := ev.attr(obj, name); v.k == vFunc || v.k == vObj {
				return ev.callValue(v, a)
			}
		case vFile:
			class = "file"
		case vFunc:
			if name == "call" || name == "apply" || name == "bind" || name == "()" || name == "[]" || name == "curry" || name == "to_proc" {
				if ev.lang == Node {
					a.vals, a.keys = a.vals[min(1, len(a.vals)):], a.keys[min(1, len(a.keys)):]
				}
				return ev.callValue(obj, a)
			}
		}
	}
	if class != "" {
		if r, ok := ev.row(class + "." + name); ok {
			return ev.apply(r, obj, a.vals, a.keys, a.vague)
		}
		if class == "lines" || class == "out" {
			if r, ok := ev.row("str." + name); ok {
				return ev.apply(r, obj, a.vals, a.keys, a.vague)
			}
		}
	}
	if fs := ev.funcs[name]; len(fs) > 0 && obj.k != vStr && obj.k != vFile && obj.k != vList {
		var v value
		for i, f := range fs[:min(len(fs), 3)] {
			w := ev.call(f, &obj, a.vals, a.keys)
			if i == 0 {
				v = w
			} else {
				v = either(v, w)
			}
		}
		return v
	}
	if obj.k != vList && obj.k != vStr || obj.open || ev.lang == Ruby {
		if r, ok := ev.row("?." + name); ok && (obj.k != vObj || ev.lang == Ruby || ev.lang == Perl || name == "then" || name == "constructor" || !ev.isModule(obj.s)) {
			return ev.apply(r, obj, a.vals, a.keys, a.vague)
		}
	}
	return ev.unknownCall(obj, name, a)
}

// isModule reports whether the table knows functions of that module, so that an unknown one of it is no method.
func (ev *eval) isModule(q string) bool {
	if q == "" || q[0] >= 'A' && q[0] <= 'Z' {
		return false
	}
	return ev.rows.module(q)
}

// unknownCall is a call of something that no table knows: it computes something of its arguments, and calls back what it
// was given.
func (ev *eval) unknownCall(obj value, name string, a arguments) value {
	fs := partly(obj.allFlows())
	for _, v := range a.vals {
		fs = mergeFlows(fs, partly(v.allFlows()))
	}
	cbs := ev.functions(a)
	if len(cbs) == 0 {
		return value{flows: fs}
	}
	each, any := ev.elements(ev.iterable(obj), false)
	if obj.k != vList && len(obj.flows) == 0 && obj.class == "" {
		each, any = nil, value{}
	}
	var results value
	for _, f := range cbs {
		if each != nil {
			results = value{k: vList}
			for _, it := range each {
				results.items = append(results.items, ev.callback(f, it))
			}
			continue
		}
		if f.k == vObj {
			results = ev.callback(f)
			continue
		}
		v := ev.callback(f, any)
		results = value{flows: mergeFlows(fs, ev.gather(v.allFlows())), class: v.class}
	}
	switch name {
	case "map", "collect", "flatMap", "flat_map":
		return results
	case "forEach", "each", "each_line", "tap":
		return obj
	case "filter", "select", "reject", "find", "sort_by", "find_all", "detect", "grep":
		return value{flows: fs, class: obj.class}
	}
	return value{flows: fs}
}
