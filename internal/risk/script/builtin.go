package script

import (
	"slices"
	"strconv"
	"strings"
)

// propertyValue is what a property of the table holds.
func (ev *eval) propertyValue(c act, self value) value {
	if len(c.refs) == 0 {
		return value{}
	}
	kind, arg, _ := strings.Cut(c.refs[0].lit, ":")
	switch kind {
	case "argv": // all arguments behind the script's name
		v := value{k: vList}
		n, _ := strconv.Atoi(arg)
		if ev.lang == Node && ev.opt.Name == "" && n > 0 {
			n--
		}
		for range n {
			v.items = append(v.items, ev.scriptName())
		}
		for _, s := range ev.argv {
			if s == "" {
				v.items = append(v.items, value{})
			} else {
				v.items = append(v.items, text(s))
			}
		}
		return v
	case "argc":
		return value{k: vNum, s: strconv.Itoa(len(ev.argv) + 1)}
	case "name":
		return ev.scriptName()
	case "dir":
		if ev.opt.Name == "" {
			return text(".")
		}
		return dirname(text(ev.opt.Name))
	case "env":
		return value{class: "env"}
	case "stdin":
		return ev.openFile(text(Stdin), text("r"), "standard input")
	case "stdout":
		return ev.openFile(text("/dev/stdout"), text("w"), "standard output")
	case "text":
		return text(arg)
	case "out":
		return value{class: "out", flows: self.flows}
	case "pipe":
		for _, f := range self.flows {
			if f.ref < 0 {
				ev.handles = append(ev.handles, handle{ref: f.ref, pipe: true, stdin: true})
				return value{k: vFile, class: "file", ref: len(ev.handles) - 1}
			}
		}
	case "dirname":
		v := dirname(self)
		v.class = self.class
		return v
	case "basename":
		return basename(self)
	case "stem":
		return stem(basename(self))
	case "paths":
		return value{class: "paths"}
	case "self":
		return self
	case "module":
		return object(arg)
	case "argf":
		v := ev.perlReadline("")
		return v
	case "luaarg":
		v := ev.propertyValue(act{refs: []ref{{lit: "argv:1"}}}, value{})
		return v
	}
	return value{}
}

func (ev *eval) scriptName() value {
	if ev.opt.Name == "" {
		return text("-c")
	}
	return text(ev.opt.Name)
}

// builtin is a function that only computes. The first ref names it, the others are its arguments.
func (ev *eval) builtin(c act, a arguments, r row) value {
	if len(c.refs) == 0 {
		return value{}
	}
	var in []value
	for _, rf := range c.refs[1:] {
		v, ok := a.get(rf)
		if !ok {
			continue
		}
		if rf.kind == 'r' {
			in = append(in, v.items...)
			continue
		}
		in = append(in, v)
	}
	arg := func(i int) value {
		if i < len(in) {
			return in[i]
		}
		return value{}
	}
	v := arg(0)
	switch c.refs[0].lit {
	case "keep", "strip":
		if v.k == vFile {
			return ev.content(v, "text")
		}
		if c.refs[0].lit == "strip" && v.isText() && len(in) == 1 {
			return value{k: vStr, s: strings.TrimSpace(v.s), known: true, flows: v.flows}
		}
		return v
	case "changed":
		if v.k == vFile {
			v = ev.content(v, "text")
		}
		return value{flows: changed(v.allFlows()), class: v.class}
	case "part":
		fs := []flow(nil)
		for _, x := range in {
			if x.k == vFile {
				x = ev.content(x, "text")
			}
			fs = mergeFlows(fs, partly(x.allFlows()))
		}
		return value{flows: fs}
	case "quiet":
		return value{k: vBool}
	case "lines":
		if v.k == vFile {
			return ev.content(v, "lines")
		}
		if v.isText() && len(v.flows) == 0 {
			sep := "\n"
			if s, known := arg(1).plain(); known && s != "" {
				sep = s
			} else if len(in) == 1 {
				return splitWords(v)
			}
			out := value{k: vList}
			for i, s := range strings.Split(v.s, sep) {
				if i >= maxItems {
					out.open = true
					break
				}
				out.items = append(out.items, text(s))
			}
			return out
		}
		fs := slices.Clone(v.allFlows())
		for i := range fs {
			fs[i].lines = fs[i].full
		}
		return value{class: "lines", flows: fs}
	case "words":
		return splitWords(v)
	case "dirname":
		v := dirname(v)
		v.class = arg(0).class
		return v
	case "basename":
		return basename(v)
	case "stem":
		return stem(v)
	case "path":
		if len(in) == 0 {
			in = []value{text(".")}
		}
		v := joinPath(in, true)
		v.class = "path"
		return v
	case "join":
		v := joinPath(in, ev.lang == Python || ev.lang == Perl)
		return v
	case "glue": // list, separator
		return glue(v, arg(1))
	case "unglue": // separator.join(list)
		return glue(arg(1), v)
	case "suffix":
		s, known := v.plain()
		t, also := arg(1).plain()
		out := value{class: v.class}
		if known && also {
			base := s
			if i := strings.LastIndexByte(s, '.'); i > strings.LastIndexByte(s, '/')+1 {
				base = s[:i]
			}
			out.k, out.s, out.known = vStr, base+t, true
		}
		return out
	case "rename": // with_name
		v := joinPath([]value{dirname(v), arg(1)}, true)
		v.class = arg(0).class
		return v
	case "concat":
		out := text("")
		for _, x := range in {
			out = concat(out, ev.asText(x))
		}
		return out
	case "format":
		return pyFormatCall(v, a)
	case "sprintf":
		items := in[min(1, len(in)):]
		return sprintf(v, items, a.vague)
	case "replace":
		if v.isText() && arg(1).isText() && arg(2).isText() && arg(1).k == vStr && len(v.flows) == 0 {
			n := -1
			if ev.lang == Node {
				n = 1
			}
			s := strings.Replace(v.s, arg(1).s, arg(2).s, n)
			if len(s) <= maxText {
				return value{k: vStr, s: s, known: true, class: v.class}
			}
		}
		for _, f := range ev.functions(a) {
			ev.callback(f, value{flows: partly(v.allFlows())})
		}
		return value{flows: changed(v.allFlows())}
	case "lower":
		if v.isText() {
			return text(strings.ToLower(v.s))
		}
		return value{flows: changed(v.allFlows())}
	case "upper":
		if v.isText() {
			return text(strings.ToUpper(v.s))
		}
		return value{flows: changed(v.allFlows())}
	case "list":
		if v.k == vFile {
			return ev.content(v, "lines")
		}
		return v
	case "enumerate":
		v = ev.iterable(v)
		if v.k == vList && !v.open {
			out := value{k: vList}
			for i, it := range v.items {
				out.items = append(out.items, value{k: vList, items: []value{{k: vNum, s: strconv.Itoa(i)}, it}})
			}
			return out
		}
		return value{flows: v.allFlows(), class: v.class, k: vUnknown}
	case "range":
		n, err := strconv.Atoi(v.s)
		from := 0
		if len(in) > 1 {
			from = n
			n, err = strconv.Atoi(arg(1).s)
		}
		if err == nil && v.k == vNum && n-from >= 0 && n-from <= maxUnroll && len(in) < 3 {
			out := value{k: vList}
			for i := from; i < n; i++ {
				out.items = append(out.items, value{k: vNum, s: strconv.Itoa(i)})
			}
			return out
		}
		return value{}
	case "items":
		if v.k == vDict && !v.open {
			out := value{k: vList}
			for i := range v.keys {
				out.items = append(out.items, value{k: vList, items: []value{text(v.keys[i]), v.items[i]}})
			}
			return out
		}
		return value{flows: v.allFlows()}
	case "keys":
		if v.k == vDict && !v.open {
			out := value{k: vList}
			for i := range v.keys {
				out.items = append(out.items, text(v.keys[i]))
			}
			return out
		}
		return value{flows: partly(v.allFlows())}
	case "values":
		if v.k == vDict && !v.open {
			return value{k: vList, items: v.items}
		}
		return value{flows: partly(v.allFlows())}
	case "item":
		return ev.item(v, arg(1))
	case "slice":
		return ev.between(v, arg(1), arg(2), len(in) < 2, len(in) < 3)
	case "first": // of n lines or items
		n := value{k: vNum, s: "1"}
		if len(in) > 1 {
			n = arg(1)
		}
		return ev.between(v, value{}, n, true, false)
	case "env":
		w := ev.env(v)
		if w.k == vUnknown && len(in) > 1 {
			return either(w, arg(1))
		}
		return w
	case "append":
		v, x := a.self, arg(1)
		return value{k: vList, items: append(append([]value(nil), v.items...), x), open: v.open}
	case "module":
		s, known := v.plain()
		if !known {
			ev.opaque(string(ev.lang) + " " + r.name + " loads a module that is not known")
			return value{}
		}
		return ev.property(s)
	case "member": // getattr(obj, name)
		s, known := arg(1).plain()
		if known {
			if v.k == vObj {
				return ev.property(v.s + "." + s)
			}
			return ev.attr(v, s)
		}
		if v.k == vObj || v.class == "" && v.k == vUnknown && len(v.flows) == 0 && ev.lang == Ruby {
			if v.k != vObj || ev.isModule(v.s) {
				ev.opaque(string(ev.lang) + " " + r.name + " computes a function's name")
			}
		}
		return value{flows: partly(v.allFlows())}
	case "call":
		return ev.callNamed(v, in[min(1, len(in)):], a.vague)
	case "map": // function, list
		list := ev.iterable(arg(1))
		if s, known := v.plain(); known && v.k == vStr {
			v = ev.name(mk(nName, s))
		}
		if v.k == vFunc || v.k == vObj {
			return ev.unknownCall(list, "map", arguments{vals: []value{v}, keys: []string{""}})
		}
		return list
	case "partial":
		return value{k: vFunc, fn: &node{kind: nFunc, keys: []string{"*rest"}, kids: []*node{mk(nUnit, "")}}}
	case "then":
		for _, f := range ev.functions(a) {
			return ev.callback(f, a.self)
		}
		return a.self
	case "expand": // ~ is the home folder
		s, known := v.plain()
		home, ok := ev.opt.Env["HOME"]
		switch {
		case s == "" || s[0] != '~':
			return v
		case ok && (s == "~" || strings.HasPrefix(s, "~/")):
			return value{k: vStr, s: home + s[1:], known: known, class: v.class}
		}
		return value{class: v.class}
	case "home":
		if home, ok := ev.opt.Env["HOME"]; ok {
			return value{k: vStr, s: home, known: true, class: "path"}
		}
		return value{class: "path"}
	case "temp":
		return text("/tmp/tmp.XXXXXX")
	case "cwd":
		return value{k: vStr, s: ".", known: !ev.dirUnknown && ev.dir == "", class: strings.TrimPrefix(r.result, "-")}
	case "paths":
		if len(in) == 0 {
			return value{class: "paths"}
		}
		return below(v)
	case "walk": // (folder, folders, files) of each folder below
		s, _ := v.plain()
		return value{k: vList, items: []value{{k: vList, items: []value{{k: vStr, s: s}, {}, {}}}}}
	case "named":
		if s, known := v.plain(); known {
			return ev.property(s)
		}
		ev.opaque(string(ev.lang) + " " + r.name + " computes a function's name")
	case "under": // names in a folder, without the folder
		return value{class: "paths"}
	case "pipe":
		if to := arg(1); to.k == vFile && ev.handles[to.ref].stdout {
			ev.printed(v)
		} else if to.k == vFile {
			ev.put(to, v)
		}
		return arg(1)
	case "readline":
		if in, ok := a.kw("input"); ok {
			v = in
		}
		return ev.iterable(v)
	case "eachline":
		_, any := ev.elements(v, false)
		for _, f := range ev.functions(a) {
			ev.callback(f, any)
		}
	case "buffer":
		if len(in) == 1 {
			return v
		}
	case "pairs":
		return ev.pairs(v)
	case "content":
		s, _ := arg(1).plain()
		return ev.content(v, s)
	case "explode":
		return ev.builtin(act{refs: []ref{{lit: "lines"}, {kind: 'p', pos: 1}, {kind: 'p', pos: 0}}}, a, r)
	case "slicelen":
		if n, err := strconv.Atoi(arg(2).s); err == nil {
			if k, err := strconv.Atoi(arg(1).s); err == nil && k >= 0 && n >= 0 {
				return ev.between(v, arg(1), value{k: vNum, s: strconv.Itoa(k + n)}, false, false)
			}
		}
		return ev.between(v, arg(1), value{}, false, true)
	case "stdin":
		return ev.content(ev.openFile(text(Stdin), text("r"), "standard input"), "text")
	case "argf":
		return ev.perlReadline("")
	case "argfline":
		v := ev.perlReadline("")
		if ev.iterating {
			_, v = ev.elements(v, false)
			return v
		}
		return value{flows: partly(v.flows)}
	case "dir":
		return ev.propertyValue(act{refs: []ref{{lit: "dir"}}}, value{})
	case "luamodule":
		s, known := v.plain()
		if known && (s == "os" || s == "io" || s == "lfs" || s == "string" || s == "table") {
			return object(s)
		}
		if !known {
			ev.opaque("lua require loads a module that is not known")
		}
		return object(s)
	case "send":
		return ev.callNamed(v, in[min(1, len(in)):], a.vague)
	case "sendto":
		s, known := arg(1).plain()
		if !known {
			ev.opaque("ruby send computes a method's name")
			return value{}
		}
		rest := in[min(2, len(in)):]
		return ev.method(nil, v, s, arguments{self: v, vals: rest, keys: make([]string, len(rest)), vague: a.vague})
	case "lastfunc":
		for _, f := range ev.functions(a) {
			return f
		}
	case "eachof", "mapof":
		fs := ev.functions(a)
		if len(fs) == 0 {
			return v
		}
		if c := c.refs[0].lit; c == "mapof" {
			return ev.unknownCall(ev.iterable(v), "map", a)
		}
		list := ev.iterable(v)
		each, any := ev.elements(list, jumps(fs[0].body()))
		if each != nil {
			for _, it := range each {
				ev.callback(fs[0], it)
			}
			return v
		}
		ev.callback(fs[0], any)
		return v
	case "callarray":
		return ev.callNamed(v, arg(1).items, arg(1).k != vList || arg(1).open)
	}
	return value{}
}

// callNamed calls a function by its name in a string, as PHP, perl and ruby can.
func (ev *eval) callNamed(f value, args []value, vague bool) value {
	if s, known := f.plain(); known && f.k == vStr {
		f = ev.name(mk(nName, s))
	} else if f.k == vUnknown {
		ev.opaque(string(ev.lang) + " calls a function whose name is computed")
		return value{}
	}
	return ev.callValue(f, arguments{vals: args, keys: make([]string, len(args)), vague: vague})
}

// popen starts a command whose output is read or whose input is written.
func (ev *eval) popen(cmd, mode value, why string) value {
	m, _ := mode.plain()
	w := strings.ContainsAny(m, "w")
	var out value
	var runs []Run
	if cmd.k == vList {
		runs = []Run{ev.words(cmd.items, cmd.open, why)}
	} else {
		runs = ev.shell(cmd, why)
	}
	for _, r := range runs {
		r.Printed = w
		out = ev.run(r)
	}
	if len(out.flows) == 0 {
		return value{}
	}
	ev.handles = append(ev.handles, handle{ref: out.flows[0].ref, pipe: true, stdin: w, read: !w})
	return value{k: vFile, class: "file", ref: len(ev.handles) - 1}
}
