package script

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
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
	r, ok := ev.rows[q]
	if i := strings.LastIndex(q, "::"); !ok && i > 0 && ev.lang == Perl {
		r, ok = ev.rows[q[:i]+"."+q[i+2:]]
	}
	return r, ok
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
	for k := range ev.rows {
		if strings.HasPrefix(k, q+".") {
			return true
		}
	}
	return false
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

// printed notes that values are printed, unless output goes elsewhere.
func (ev *eval) printed(vs ...value) {
	if ev.opt.Inplace {
		return
	}
	if ev.stdout >= 0 && !ev.handles[ev.stdout].stdout {
		ev.put(value{k: vFile, ref: ev.stdout}, vs...)
		return
	}
	ev.show(vs...)
}

// put writes values to an open file.
func (ev *eval) put(f value, vs ...value) {
	if f.k != vFile {
		return
	}
	h := ev.handles[f.ref]
	if h.stdout {
		ev.show(vs...)
		return
	}
	if h.pipe && h.stdin && h.ref < 0 {
		for _, v := range vs {
			ev.feed(^h.ref, v)
		}
	}
}

// feed adds to the standard input of a command.
func (ev *eval) feed(run int, v value) {
	if run < 0 || run >= len(ev.out.Runs) {
		return
	}
	r := &ev.out.Runs[run]
	if v.k == vList {
		for _, it := range v.items {
			ev.feed(run, it)
		}
		return
	}
	s, known := v.plain()
	switch {
	case !r.HasInput:
		r.Input, r.InputKnown = s, known
	case r.InputKnown:
		r.Input, r.InputKnown = r.Input+s, known
	}
	r.HasInput = true
}

// apply does what a table line says.
func (ev *eval) apply(r row, self value, vals []value, keys []string, vague bool) value {
	for len(keys) < len(vals) {
		keys = append(keys, "")
	}
	a := arguments{self: self, vals: vals, keys: keys, vague: vague}
	why := string(ev.lang) + " " + r.name
	var result value
	reads := -1
	for _, c := range r.acts {
		verb, mod, _ := strings.Cut(c.verb, "/")
		var first value
		ok := len(c.refs) == 0
		if len(c.refs) > 0 {
			first, ok = a.get(c.refs[0])
		}
		second := value{}
		if len(c.refs) > 1 {
			second, _ = a.get(c.refs[1])
		}
		switch verb {
		case "write", "append", "create", "delete", "move", "mode", "link":
			if ok && first.k != vNone && first.k != vBool && first.class != "file" {
				if vague && first.k == vUnknown && len(vals) == 0 && self.k != vUnknown && c.refs[0].kind == 's' {
					first = self
				}
				tree := mod == "tree"
				if mod == "rec" {
					rec, ok := a.kw("recursive")
					tree = ok && rec.s != "false"
				}
				ev.touch(event.Op(verb), pathOf(first), tree, why)
			}
		case "read":
			if ok && first.k == vFile {
				result = ev.content(first, "text")
			} else if ok {
				reads = ev.touch(event.OpRead, pathOf(first), mod == "tree", why)
			}
		case "open":
			if ok {
				result = ev.openFile(pathOf(first), second, why)
			}
		case "put":
			for _, rf := range c.refs {
				if v, ok := a.get(rf); ok {
					ev.put(self, v)
				}
			}
		case "sysopen":
			if ok {
				result = ev.openFile(pathOf(first), second, why)
			}
		case "inplace": // fileinput: what is printed goes back into the file
			if in, ok := a.kw("inplace"); ok && in.s != "False" && in.s != "0" && len(ev.handles) > 0 {
				h := ev.handles[len(ev.handles)-1]
				ev.touch(event.OpWrite, h.path, false, why)
				ev.handles = append(ev.handles, handle{path: h.path, ref: -1})
				ev.stdout = len(ev.handles) - 1
			}
		case "kopen": // ruby's open: a name that begins with a bar is a command
			if s, known := first.plain(); ok && known && strings.HasPrefix(s, "|") && r.name != "File.open" && r.name != "File.new" {
				result = ev.popen(text(s[1:]), second, why)
			} else if ok {
				result = ev.openFile(pathOf(first), second, why)
			}
		case "block":
			for _, f := range ev.functions(a) {
				return ev.callback(f, result)
			}
		case "each":
			content := ev.result("lines", self, result, reads)
			fs := ev.functions(a)
			for _, f := range fs {
				_, any := ev.elements(content, jumps(f.body()))
				ev.callback(f, any)
			}
			if len(fs) > 0 {
				return value{}
			}
		case "iolines":
			if ok {
				result = ev.content(ev.openFile(pathOf(first), text("r"), why), "lines")
			} else {
				result = ev.content(ev.openFile(text(Stdin), text("r"), why), "lines")
			}
		case "compile": // gives a function made of text; it is judged as if it were called
			if ok {
				ev.evalText(first, why)
				result = value{k: vFunc, fn: mk(nFunc, "", mk(nBlock, ""))}
			}
		case "include":
			if first.k == vObj {
				ev.stars = append(ev.stars, first.s)
			}
		case "changeline":
			if line, ok := ev.get("$_"); ok {
				ev.set("$_", value{flows: changed(line.flows)})
			}
		case "printline":
			if len(vals) == 0 {
				line, _ := ev.get("$_")
				ev.printed(line)
				break
			}
			ev.printVerb(a, c)
		case "puts":
			for _, rf := range c.refs[min(1, len(c.refs)):] {
				if v, ok := a.get(rf); ok {
					ev.put(first, v)
				}
			}
		case "printread":
			if reads >= 0 {
				ev.printed(value{flows: []flow{{ref: reads, full: true, verbatim: true}}})
			}
		case "popen":
			if ok {
				result = ev.popen(first, second, why)
			}
		case "get":
			what := "text"
			if len(c.refs) > 0 {
				what = c.refs[0].lit
			}
			result = ev.content(self, what)
			if len(c.refs) > 0 && c.refs[0].lit == "text" && len(vals) > 0 && vals[0].k == vNum && ev.lang == Python {
				result = ev.content(self, "part") // read(n)
			}
		case "print":
			ev.printVerb(a, c)
		case "shell", "argv", "prog", "list", "auto":
			if ok {
				result = ev.runVerb(verb, a, c, why)
			}
		case "input":
			if ok {
				for _, f := range self.allFlows() {
					if f.ref < 0 {
						ev.feed(^f.ref, first)
					}
				}
			}
			result = value{class: "out", flows: self.flows}
		case "eval":
			if ok {
				ev.evalText(first, why)
				result = ev.last
			}
		case "evalfile":
			if ok {
				ev.scriptFile(first, why)
			}
		case "chdir":
			if ok {
				ev.chdir(first)
			}
		case "opaque":
			reason := ""
			if len(c.refs) > 0 {
				reason = strings.ReplaceAll(c.refs[0].lit, "_", " ")
			}
			ev.opaque(strings.TrimSpace(why + ": " + reason))
		case "callback":
			pos := 0
			if len(c.refs) > 0 {
				pos, _ = strconv.Atoi(strings.TrimPrefix(c.refs[0].lit, ":"))
			}
			args := make([]value, pos+1)
			args[pos] = ev.result(r.result, self, result, reads)
			if self.k == vFile {
				args[pos] = ev.content(self, "text")
			} else if self.class == "out" {
				args[pos] = self
			}
			for _, f := range ev.functions(a) {
				ev.callback(f, args...)
			}
		case "is":
			result = ev.builtin(c, a, r)
		case "value":
			result = ev.propertyValue(c, self)
		}
	}
	return ev.result(r.result, self, result, reads)
}

// pathOf is a value as a path.
func pathOf(v value) value {
	if v.k == vObj {
		return value{}
	}
	if v.k == vDict {
		return value{}
	}
	return v
}

// result is what a call gives.
func (ev *eval) result(kind string, self, v value, reads int) value {
	f := []flow(nil)
	if reads >= 0 {
		f = []flow{{ref: reads, full: true, verbatim: true}}
	} else if v.flows != nil {
		f = v.flows
	}
	switch kind {
	case "":
		if reads >= 0 && v.k == vUnknown {
			return value{flows: partly(f)}
		}
		return v
	case "text":
		return value{flows: f}
	case "lines":
		fs := slices.Clone(f)
		for i := range fs {
			fs[i].lines = true
		}
		return value{class: "lines", flows: fs}
	case "part":
		return value{flows: partly(f)}
	case "self":
		return self
	case "file":
		if v.k == vFile {
			return v
		}
		return value{}
	case "none":
		return value{k: vNone}
	case "out":
		return value{class: "out", flows: v.flows}
	}
	if kind == "fresh" { // a value of which nothing is known, though it came from a file
		return value{}
	}
	v.class = kind
	if reads >= 0 {
		v.flows = f
	}
	return v
}

// printVerb prints arguments, or writes them where a file argument says.
func (ev *eval) printVerb(a arguments, c act) {
	if f, ok := a.kw("file"); ok && ev.lang == Python {
		if f.k == vFile {
			ev.put(f, a.vals...)
		} else if f.k == vObj && (f.s == "sys.stdout" || f.s == "sys.__stdout__") {
			ev.printed(a.vals...)
		}
		return
	}
	for _, rf := range c.refs {
		if v, ok := a.get(rf); ok {
			ev.printed(v)
		}
	}
}

// runVerb starts commands.
func (ev *eval) runVerb(verb string, a arguments, c act, why string) value {
	first, _ := a.get(c.refs[0])
	flag := func(name string) string {
		for _, r := range c.refs {
			if k, v, ok := strings.Cut(r.lit, ":"); ok && r.kind == 'l' && k == name {
				return v
			}
		}
		return ""
	}
	var runs []Run
	if sh, ok := a.kw("shell"); ok && (sh.k == vBool && sh.s == "True" || sh.k == vBool && sh.s == "true" || sh.k == vStr) && verb == "prog" {
		line := first
		if second, ok := a.get(c.refs[min(1, len(c.refs)-1)]); ok && second.k == vList && len(c.refs) > 1 {
			for _, it := range second.items {
				line = concat(concat(line, text(" ")), it)
			}
		}
		verb, first = "shell", line
	}
	switch verb {
	case "shell":
		runs = ev.shell(first, why)
	case "argv", "auto":
		if ev.lang == Perl && len(a.vals) > 1 { // a list in brackets was flattened
			first = value{k: vList, items: a.vals}
		}
		for _, v := range first.alternatives() {
			switch {
			case v.k == vList:
				sh, ok := a.kw("shell")
				if ok && sh.k == vBool && sh.s == "True" && len(v.items) > 0 {
					runs = append(runs, ev.shell(v.items[0], why)...)
					continue
				}
				runs = append(runs, ev.words(v.items, v.open || len(v.flows) > 0, why))
			case v.k == vStr && v.class != "split":
				runs = append(runs, ev.shell(v, why)...)
			default:
				s, _ := v.plain()
				runs = append(runs, Run{Shell: s, Why: why, Known: false})
			}
		}
	case "prog":
		items := []value{first}
		open := false
		for _, rf := range c.refs[1:] {
			if rf.kind == 'l' {
				continue
			}
			v, ok := a.get(rf)
			switch {
			case !ok || v.k == vDict || v.k == vFunc:
			case v.k == vList:
				items = append(items, v.items...)
				open = open || v.open
			case v.k == vUnknown || v.k == vAlt:
				open = true
			default:
				items = append(items, v)
			}
		}
		runs = append(runs, ev.words(items, open, why))
	case "list":
		var items []value
		for i, v := range a.vals {
			if a.keys[i] == "" && v.k != vDict {
				items = append(items, v)
			}
		}
		if len(items) == 1 && items[0].k != vList && !a.vague {
			runs = ev.shell(items[0], why)
		} else {
			if len(items) > 0 && items[0].k == vList { // ruby's ["cmd", "name"], and a list as the only argument
				items = append(append([]value(nil), items[0].items...), items[1:]...)
			}
			runs = append(runs, ev.words(items, a.vague, why))
		}
	}
	quiet := flag("out") == "value"
	out := value{}
	for _, r := range runs {
		r.Printed = !quiet
		ev.runOptions(&r, a, quiet)
		v := ev.run(r)
		if in, ok := a.kw("input"); ok && len(v.flows) > 0 {
			ev.feed(^v.flows[0].ref, in)
		}
		if out.flows == nil {
			out = v
		} else {
			out.flows = mergeFlows(out.flows, v.flows)
		}
	}
	return out
}

// runOptions applies the options that the languages have for starting commands.
func (ev *eval) runOptions(r *Run, a arguments, quiet bool) {
	for _, name := range []string{"cwd", "chdir"} {
		if v, ok := a.kw(name); ok && v.k != vNone {
			s, known := v.plain()
			r.Dir, r.DirUnknown = s, !known
		}
	}
	for _, name := range []string{"stdout", "capture_output", "out", "stdio"} {
		v, ok := a.kw(name)
		if !ok || v.k == vNone || v.k == vBool && v.s == "False" || v.k == vObj && v.s == "sys.stdout" {
			continue
		}
		s, _ := v.plain()
		if v.k == vList && len(v.items) > 1 {
			s, _ = v.items[1].plain()
		}
		r.Printed = name == "stdio" && (s == "inherit" || s == "1" || v.k == vFile)
		if name == "stdio" && s != "inherit" && s != "1" && quiet {
			r.Printed = false
		}
	}
}
