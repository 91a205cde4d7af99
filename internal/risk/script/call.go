package script

import (
	"strconv"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

// What a row of a table does when its function is called.

func number(v value) (int, bool) {
	n, err := strconv.Atoi(v.text)
	return n, err == nil && v.class == isNumber
}

// find is the table's row for a function or method.
func (j *judge) find(v value) (r row, ok bool) {
	line := j.lines[v.name]
	if s := v.self; line == "" && s != nil {
		class := s.class
		switch {
		case class == "stdout" || class == "pipe":
			class = "file"
		case class == "" && (s.known || s.text != ""):
			class = "str"
		}
		line = j.lines[class+"."+v.meth]
		if line == "" && (s.name == "" || !j.t.module(s.name)) && class != "memory" {
			line = j.lines["?."+v.meth]
			if line == "" && j.lang == Node && class == isLocal && (strings.HasSuffix(v.meth, "Sync") || strings.HasSuffix(v.meth, "File")) {
				line = j.lines["fs."+v.meth] // the module under a name that is not known
			}
		}
	}
	return parseRow(line)
}

// property is the value of a name or member that is no function.
func (j *judge) property(v value) value {
	r, ok := j.find(v)
	if !ok || r.acts[0].verb != "value" || len(r.acts[0].refs) == 0 {
		return v
	}
	self := value{}
	if v.self != nil {
		self = *v.self
	}
	w := j.constant(r.acts[0].refs[0].lit, self)
	if w.class == "stdout" {
		w.name = v.name
	}
	return w
}

// call judges a call of v.
func (j *judge) call(v value, a args) (out value) {
	if v.class == isEach || v.class == isAny {
		return over(v, func(f value) value { return j.call(f, a) })
	}
	if j.lang == PHP && v.known && v.class == "" {
		v = j.word(v.text)
	}
	if j.lang == PHP && strings.HasPrefix(v.name, "$") && v.self == nil {
		j.opaque("", "calls a function whose name is computed")
		return value{}
	}
	if v.self != nil && (v.meth == "call" || v.meth == "apply" || v.meth == "bind" || v.meth == "__call__") && j.callable(*v.self) {
		return j.call(*v.self, args{pos: flat(a.pos[min(1, len(a.pos)):])})
	}
	r, ok := j.find(v)
	if !ok || r.acts[0].verb != "is" {
		j.escape(a)
	}
	if ok {
		return j.apply(r, v, a)
	}
	name := v.name + v.text
	if v.class != isFunc {
		j.guess(v, a)
	}
	if v.meth != "" {
		name = v.meth
	}
	j.called(name, a)
	if v.self != nil && (v.self.class == "path" || v.self.class == "memory") {
		out.class = v.self.class
	}
	return out
}

// escape judges the functions among arguments: somebody may call them, with what stands behind.
func (j *judge) escape(a args) {
	for i, v := range append(a.pos[:len(a.pos):len(a.pos)], a.vals...) {
		for _, f := range v.each() {
			if f.class == isFunc {
				j.called(f.text, args{})
			}
			if j.d.bare || j.lang == PHP || !j.callable(f) {
				continue
			}
			if r, _ := j.find(f); r.effect() {
				var in args
				for _, w := range a.pos[min(i+1, len(a.pos)):] {
					if w.class == isList {
						w = w.element()
					}
					if w.known || len(w.items) > 0 {
						in.pos = append(in.pos, w)
					}
				}
				j.call(f, in)
			}
		}
	}
}

// guess judges a method by its name: `save("a.png")` of whatever it is writes a.png.
func (j *judge) guess(v value, a args) {
	m := v.meth
	if i := strings.LastIndexAny(v.name, ".:"); m == "" && i > 0 {
		m = v.name[i+1:]
	}
	switch low := strings.ToLower(strings.TrimRight(m, "!?")); low {
	case "imwrite", "set_key", "extract":
	case "writelines", "writerow", "writerows", "writeln", "writehead", "write", "to_":
		return
	default:
		verb, _, _ := strings.Cut(low, "_")
		if verb != "to" && verb != "save" && verb != "dump" && verb != "export" && !strings.HasPrefix(low, "write") && !strings.HasPrefix(low, "save") {
			return
		}
	}
	for _, l := range (value{class: isList, items: append(a.vals[:len(a.vals):len(a.vals)], a.pos...)}).each() {
		if l.known && looksLikeFile(l.text) {
			j.touchOne(Touch{Path: l.text, Known: true, Op: event.OpWrite, Maybe: true, Why: m}, l)
		}
	}
}

// effect reports whether a row does more than compute or show.
func (r row) effect() bool {
	for _, a := range r.acts {
		switch v, _, _ := strings.Cut(a.verb, "/"); v {
		case "is", "value", "print", "printread", "read", "get", "put", "puts":
		default:
			return true
		}
	}
	return false
}

// argument is the argument that a row names; given is false when the call leaves it out.
func argument(r ref, self value, a args) (v value, given bool) {
	switch r.kind {
	case 's':
		return self, true
	case 'l':
		return text(r.lit), true
	case 'r':
		return value{class: isList, items: a.pos[min(r.pos, len(a.pos)):], more: a.more}, true
	}
	if r.pos >= 0 && r.pos < len(a.pos) && (a.pos[r.pos].class != isDict || r.kw == "") {
		return a.pos[r.pos], true
	}
	if v, ok := a.key(r.kw); ok && r.kw != "" {
		return v, true
	}
	return text(r.def), r.opt && r.def != ""
}

// apply does what a row says.
func (j *judge) apply(r row, f value, a args) (out value) {
	self := value{}
	if f.self != nil {
		self = *f.self
	}
	for _, act := range r.acts {
		verb, how, _ := strings.Cut(act.verb, "/")
		switch verb {
		case "read", "write", "append", "create", "delete", "move", "mode", "link":
			if verb != "read" {
				out.reads = nil // a copy gives nothing
			}
			recursive, _ := a.key("recursive")
			tree := how == "tree" || how == "rec" && recursive.text == "true"
			for _, rf := range act.refs {
				v, given := argument(rf, self, a)
				if !given {
					if rf.pos < 0 || rf.pos > 0 && len(a.pos) > 0 && (rf.kw != "" || verb == "delete" || verb == "create") {
						continue
					}
					v = value{}
				}
				from := len(j.out.Touches)
				j.touch(event.Op(verb), v, tree, strings.TrimPrefix(r.name, "?."))
				for n := from; n < len(j.out.Touches); n++ {
					switch t := &j.out.Touches[n]; {
					case verb == "read" && !tree && v.class != isAny && whole(a, rf.kind):
						out.reads = append(out.reads, n)
					case verb == "write" && !tree && (r.acts[0].verb == "move" || r.acts[0].verb == "read"):
						from, _ := argument(r.acts[0].refs[0], self, a)
						t.Into, t.Name = true, base(from).text
					}
				}
			}
		default:
			out = j.verb(r, act, f, self, a, out)
		}
	}
	switch r.result {
	case "", "text":
	case "path", "file":
		if out.class == "" {
			out.class = r.result
		}
		for i := range out.items {
			if out.items[i].class == "" {
				out.items[i].class = r.result
			}
		}
	case "content": // bytes, if no encoding is given
		if len(a.pos)+len(a.kw) < 2 {
			out.class = r.result
		}
	case "part", "lines":
		out.reads = nil
	default:
		out.class = r.result
	}
	return out
}

// whole reports whether a reading function was not told how much to read.
func whole(a args, path byte) bool {
	for i, v := range a.pos {
		if (i > 0 || path != 'p') && v.class != isNone && v.class != isLocal && v.class != isDict && (!v.known || v.class == isNumber) {
			return false
		}
	}
	return true
}

// verb does what is no plain operation on files.
func (j *judge) verb(r row, act act, f, self value, a args, out value) value {
	var in []value
	given, printed := 0, true
	for _, rf := range act.refs {
		if rf.lit == "out:value" {
			printed = false
			continue
		}
		v, ok := argument(rf, self, a)
		in = append(in, v)
		if ok {
			given = len(in)
		}
	}
	all := in
	for len(in) < 3 {
		in = append(in, value{})
	}
	switch act.verb {
	case "open":
		if s, ok := strings.CutPrefix(in[0].text, "|"); ok && j.lang == Ruby {
			return j.run(Run{Shell: s, Known: in[0].known, Why: r.name})
		}
		if given == 0 || given == 1 && len(act.refs) > 1 && act.refs[1].def == "" && act.refs[1].kw == "" {
			in[1] = text("r")
		}
		return j.open(in[0], in[1], r.name)
	case "inplace":
		if v, ok := a.key("inplace"); ok && v.text != "false" {
			j.touch(event.OpWrite, in[0], false, r.name)
		}
	case "database": // it is only read when every statement in sight is a query
		op := event.OpWrite
		if j.asks && !j.changes {
			op = event.OpRead
		}
		j.touch(op, in[0], false, r.name)
	case "shell", "argv", "prog", "list", "auto", "popen":
		return j.start(act.verb, in[:max(given, 1)], a, printed, r.name)
	case "put": // standard output is the only open file that matters
		if self.class == "stdout" {
			j.show(in[0])
		}
	case "puts":
		if in[0].class == "stdout" {
			j.show(in[1])
		}
	case "get":
		return j.content(self, act.refs[0].lit == "text" && whole(a, 's'))
	case "print":
		if v, ok := a.key("file"); !ok || v.class == "stdout" {
			j.print(f, flat(in))
		}
	case "printread":
		j.show(out)
	case "eval":
		j.eval(in[0], r.name)
		return value{class: isLocal}
	case "evalfile":
		j.evalfile(in[0], r.name)
	case "chdir":
		j.chdir(in[0])
	case "opaque":
		j.opaque("", strings.ReplaceAll(act.refs[0].lit, "_", " "))
	case "include":
		j.include = append(j.include, in[0].name)
	case "is":
		return j.compute(act.refs[0].lit, all[1:], self, f, a)
	}
	return out
}

// flat are values with the items of lists among them.
func flat(in []value) (out []value) {
	for _, v := range in {
		if v.class == isList {
			out = append(out, v.items...)
		} else {
			out = append(out, v)
		}
	}
	return out
}

// print shows the arguments of a printing function.
func (j *judge) print(f value, vs []value) {
	for _, v := range vs {
		if v.class == "content" && !strings.HasPrefix(f.name, "console") {
			v.class = ""
		}
		if !strings.HasSuffix(f.name, "printf") || len(vs) == 1 {
			j.show(v)
		}
	}
}

// start runs a command: a text for a shell, or the words of the arguments and of the lists among them.
func (j *judge) start(verb string, in []value, a args, printed bool, why string) (out value) {
	if v := in[0]; v.class == isEach || v.class == isAny {
		return over(v, func(v value) value {
			return j.start(verb, append([]value{v}, in[1:]...), a, printed, why)
		})
	}
	mode := ""
	if verb == "popen" {
		mode, printed, in = in[len(in)-1].text, false, in[:1]
	}
	writes := strings.ContainsAny(mode, "wa+")
	r := Run{Known: true, Why: why}
	lists := verb == "prog" || verb == "argv"
	var words []value
	for _, v := range in {
		if v.class == isList {
			lists = lists || verb != "list" || len(v.items) != 1
			r.Known = r.Known && !v.more
			words = append(words, flat(v.items)...)
		} else if v.class != isDict { // options, the environment
			words = append(words, v)
		}
	}
	if lists || verb == "list" && j.lang == Python {
		for _, w := range words {
			s := ""
			if w.known && w.class != isList {
				s = w.text
			}
			r.Known = r.Known && s != ""
			r.Args = append(r.Args, s)
		}
		words = words[:0]
	}
	if v, ok := a.key("stdio"); ok {
		printed = v.text == "inherit"
	}
	_, captured := a.key("capture_output")
	_, sent := a.key("stdout")
	r.Printed = writes || printed && !captured && !sent
	if v, ok := a.key("cwd"); ok && v.class != isNone {
		r.Dir, r.DirUnknown = v.text, !v.known
	}
	if v, ok := a.key("input"); ok {
		r.HasInput, r.Input, r.InputKnown = true, v.text, v.known
	} else if v, ok := a.key("stdin"); ok && v.name != "subprocess.DEVNULL" || writes {
		r.HasInput, r.Input = true, v.text
	}
	if len(words) > 0 {
		r.Shell, r.Known = words[0].text, words[0].known
	}
	out = j.run(r)
	switch {
	case writes:
		out = value{class: "pipe"}
	case verb == "popen":
		out.class = "file"
	}
	return out
}

func (j *judge) interpreter() string {
	if j.lang == Python {
		return "python3"
	}
	return string(j.lang)
}

// evalfile notes that a file of the same language is run.
func (j *judge) evalfile(v value, why string) {
	switch {
	case v.class == "block":
	case v.known:
		j.run(Run{Args: []string{j.interpreter(), v.text}, Known: true, Printed: true, Why: why})
	default:
		j.opaque(why, whyText)
	}
}

// eval judges code made of text.
func (j *judge) eval(v value, why string) {
	for _, a := range v.each() {
		switch {
		case j.learning || a.class == "block":
		case a.known && j.depth < maxDepth/4:
			names := j.names
			j.names = make(map[string]*binding, len(names))
			for n, b := range names { // it knows the names around it
				c := *b
				j.names[n] = &c
			}
			scopes, depth := j.scopes, j.depth
			j.depth += 5
			j.whole(a.text)
			j.names, j.scopes, j.depth = names, scopes, depth
		case a.known:
			j.opaque("", whyDeep)
		case len(a.reads) == 1 && a.reads[0] >= 0 && j.out.Touches[a.reads[0]].Known:
			j.evalfile(text(j.out.Touches[a.reads[0]].Path), why)
		default:
			j.opaque(why, whyText)
		}
	}
}
