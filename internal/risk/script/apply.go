package script

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

// What a table line says is done here.

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
