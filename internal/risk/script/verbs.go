package script

import (
	"strconv"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

// What a row of a table does when its function is called. The file is long because it holds all verbs of the tables.

// call is a call of v with what came of its arguments.
type call struct {
	v      value
	args   args
	at     int
	handle bool // print FH LIST
}

func (c *call) arg(n int) value {
	if n >= 0 && n < len(c.args.pos) {
		return c.args.pos[n]
	}
	return value{}
}

// on reports whether an option is given and not false.
func (c *call) on(key string) bool {
	v, ok := c.args.key(key)
	return ok && v.text != "false" && v.class != "none"
}

func number(v value) (int, bool) {
	n, err := strconv.Atoi(v.text)
	return n, err == nil && v.num
}

// call judges a call.
func (j *judge) call(c *call) value {
	if len(c.v.alts) > 0 {
		out := value{}
		for _, a := range c.v.alts {
			out = j.call(&call{v: a, args: c.args, at: c.at})
		}
		return out
	}
	if j.d.hook != nil {
		if v, ok := j.d.hook(j, c); ok {
			return v
		}
	}
	if v, ok := j.indirect(c); ok {
		return v
	}
	r, ok := j.find(c.v)
	if !ok || r.acts[0].verb != "is" { // whoever gets a function may call it
		for i, a := range append(c.args.pos, c.args.vals...) {
			j.escapes(a, c.args.pos[min(i+1, len(c.args.pos)):])
			if a.class == "file" && !ok {
				j.content(a, "part") // whoever gets the file may read from it
			}
		}
	}
	if ok {
		return j.apply(r, c)
	}
	j.guess(c)
	v := value{flows: partly(c.args.pos...)}
	if s := c.v.recv; s != nil {
		v.flows = append(v.flows, partly(*s)...)
		if s.class == "path" || s.class == "memory" {
			v.class = s.class
		}
	}
	if c.v.name != "" && c.v.class == "" && len(c.v.name) < maxName { // new X() has methods of its own
		v.name = c.v.name + "()"
	}
	return v
}

// indirect is a call through call, apply, bind and their like.
func (j *judge) indirect(c *call) (value, bool) {
	if c.v.recv == nil || c.v.meth != "call" && c.v.meth != "apply" && c.v.meth != "bind" && c.v.meth != "__call__" || !j.callable(*c.v.recv) {
		return value{}, false
	}
	in := c.args
	if j.lang == Node && len(in.pos) > 0 { // the first is this
		if in.pos = in.pos[1:]; c.v.meth == "apply" && len(in.pos) > 0 && in.pos[0].list {
			in.pos = in.pos[0].items
		}
	}
	if c.v.meth == "bind" && len(in.pos) == 0 {
		return *c.v.recv, true
	}
	return j.call(&call{v: *c.v.recv, args: in, at: c.at}), true
}

// escapes judges a function that is used as a value: somebody may call it, with what stands behind it.
func (j *judge) escapes(v value, rest []value) {
	for _, f := range append(v.alts, v) {
		if j.d.bare || j.lang == PHP || f.name == "" && (f.recv == nil || f.recv.class == "") {
			continue
		}
		if r, ok := j.find(f); !ok || !r.effect() {
			continue
		}
		var in args
		for _, a := range rest {
			if a.list && !a.dict() {
				in.pos = append(in.pos, a.element())
			} else if a.isText() || len(a.alts) > 0 {
				in.pos = append(in.pos, a)
			}
		}
		j.call(&call{v: f, args: in})
	}
}

// guess judges a method by its name: `save("a.png")` of whatever it is writes a.png.
func (j *judge) guess(c *call) {
	m := c.v.meth
	if i := strings.LastIndexAny(c.v.name, ".:"); m == "" && i > 0 {
		m = c.v.name[i+1:]
	}
	low := strings.ToLower(strings.TrimRight(m, "!?"))
	switch low {
	case "save", "dump", "export", "imwrite", "set_key", "extract":
	case "writelines", "writerow", "writerows", "writeln", "writehead", "write", "to_":
		return
	default:
		if !strings.HasPrefix(low, "write") && !strings.HasPrefix(low, "to_") && !strings.HasPrefix(low, "save") && !strings.HasPrefix(low, "export_") && !strings.HasPrefix(low, "dump_") {
			return
		}
	}
	for _, a := range append(c.args.pos[:len(c.args.pos):len(c.args.pos)], c.args.vals...) {
		for _, l := range a.leaves() {
			if l.isText() && looksLikeFile(l.text) {
				j.touchOne(Touch{Path: l.text, Known: true, Op: event.OpWrite, Maybe: true, Why: m}, l, nil)
			}
		}
	}
}

// effect reports whether a row does more than compute or show.
func (r row) effect() bool {
	for _, a := range r.acts {
		switch v, _, _ := strings.Cut(a.verb, "/"); v {
		case "is", "value", "quiet", "print", "printread", "printline", "read", "get", "put", "puts", "iolines":
		default:
			return true
		}
	}
	return false
}

// ref is the argument that a row names; given is false when the call leaves it out.
func (j *judge) ref(c *call, r ref) (v value, given bool) {
	switch r.kind {
	case 's':
		if c.v.recv != nil {
			v = *c.v.recv
		}
		return v, true
	case 'l':
		return text(r.lit), true
	case 'r':
		rest := c.args.pos[min(r.pos, len(c.args.pos)):]
		return value{list: true, items: rest, flows: partly(rest...)}, true
	}
	if r.pos >= 0 && r.pos < len(c.args.pos) && !(c.args.pos[r.pos].dict() && r.kw != "") {
		return c.args.pos[r.pos], true
	}
	if v, ok := c.args.key(r.kw); ok && r.kw != "" {
		return v, true
	}
	return text(r.def), r.opt && r.def != ""
}

// apply does what a row says.
func (j *judge) apply(r row, c *call) value {
	out := value{}
	for _, a := range r.acts {
		verb, how, _ := strings.Cut(a.verb, "/")
		switch op := event.Op(verb); verb {
		case "read", "write", "append", "create", "delete", "move", "mode", "link":
			var into *value
			if verb == "write" && (r.acts[0].verb == "move" || r.acts[0].verb == "read") {
				from, _ := j.ref(c, r.acts[0].refs[0])
				into = &from
			}
			tree := how == "tree" || how == "rec" && c.on("recursive")
			from := len(j.out.Touches)
			for _, rf := range a.refs {
				v, given := j.ref(c, rf)
				if !given {
					if rf.pos < 0 || rf.pos > 0 && len(c.args.pos) > 0 && (rf.kw != "" || verb == "delete" || verb == "create") {
						continue
					}
					v = value{}
				}
				j.touch(op, v, tree, strings.TrimPrefix(r.name, "?."), into)
			}
			if v, _ := j.ref(c, a.refs[0]); verb == "read" && v.class == "file" {
				out = j.content(v, "text")
			} else if verb == "read" {
				for n := from; n < len(j.out.Touches); n++ {
					out.flows = append(out.flows, flow{ref: n, full: !tree && !v.maybe && !j.partial(c, a.refs[0].kind)})
				}
			}
		default:
			out = j.verb(r, a, c, out)
		}
	}
	switch r.result {
	case "", "text":
	case "lines":
		for i := range out.flows {
			out.flows[i].lines = true
		}
		out.class = "lines"
	case "part":
		out.flows = partly(out)
	case "path":
		out.class = "path"
		for i := range out.alts {
			out.alts[i].class = "path"
		}
	case "file":
		if out.class == "" {
			out.class = "file"
		}
	case "content": // bytes, if no encoding is given
		if len(c.args.pos)+len(c.args.kw) < 2 {
			out.class = "content"
		}
	default:
		out.class = r.result
	}
	return out
}

// partial reports whether a read was told how much to read, or in which form.
func (j *judge) partial(c *call, path byte) bool {
	for i, a := range c.args.pos {
		e, named := a.get("encoding")
		switch {
		case i == 0 && path == 'p', a.class == "none", a.class == "local" && j.lang == Node:
		case a.dict() && len(a.keys) == 1 && named && encoding(e.text), a.isText() && !a.num && encoding(a.text):
		default:
			return true
		}
	}
	return false
}

func encoding(s string) bool {
	return s != "" && strings.Contains(" utf8 utf-8 ascii latin1 latin-1 binary a *a *all false true r rb replace ignore strict utf-8-sig ", " "+strings.ToLower(s)+" ")
}

// verb does what is no plain operation on files.
func (j *judge) verb(r row, a act, c *call, out value) value {
	why := r.name
	in := make([]value, 0, 4)
	given := 0
	printed := true
	for _, rf := range a.refs {
		if rf.kind == 'l' && rf.lit == "out:value" {
			printed = false
			continue
		}
		v, ok := j.ref(c, rf)
		if ok {
			given = len(in) + 1
		}
		in = append(in, v)
	}
	for len(in) < 3 {
		in = append(in, value{})
	}
	self := value{}
	if c.v.recv != nil {
		self = *c.v.recv
	}
	switch a.verb {
	case "open", "kopen", "sysopen":
		if s := in[0].text; a.verb == "kopen" && strings.HasPrefix(s, "|") {
			return j.run(Run{Shell: s[1:], Known: in[0].isText(), Why: why})
		}
		if given == 0 || given == 1 && len(a.refs) > 1 && a.refs[1].def == "" && a.verb == "open" {
			in[1] = text("r")
		}
		return j.open(in[0], in[1], why)
	case "inplace":
		if c.on("inplace") {
			j.touch(event.OpWrite, c.arg(0), false, why, nil)
			out.flows = nil
		}
	case "iolines":
		return j.content(j.open(in[0], text("r"), why), "lines")
	case "database": // it is only read when every statement in sight is a query
		op := event.OpWrite
		if j.asks && !j.changes {
			op = event.OpRead
		}
		j.touch(op, in[0], false, why, nil)
	case "shell", "argv", "prog", "list", "auto", "popen":
		return j.start(a.verb, in[:max(given, 1)], c, printed, why)
	case "input":
		if given > 0 {
			j.feed(self.run, in[0])
		}
		return self
	case "put":
		switch {
		case c.v.recv != nil && (self.name == "" || self.class != ""):
			j.put(self, in, c.at)
		case why == "os.write":
			if c.arg(0).text == "1" {
				j.put(value{class: "stdout"}, in, c.at)
			}
		case len(c.args.pos) > 1:
			j.put(c.args.pos[1], []value{j.content(in[0], "text")}, c.at)
		}
	case "puts":
		j.put(in[0], in[1:2], c.at)
	case "get":
		what := a.refs[0].lit
		if what == "text" && j.partial(c, 's') {
			what = "part"
		}
		return j.content(self, what)
	case "print", "printline":
		j.print(c, in)
	case "printread":
		j.show(out, c.at)
	case "eval", "compile":
		j.eval(in[0], why)
		return value{class: "local"}
	case "evalfile":
		if in[0].isText() {
			j.run(Run{Args: []string{interpreter(j.lang), in[0].text}, Known: true, Printed: true, Why: why})
		} else {
			j.opaque(why, whyText)
		}
	case "chdir":
		j.chdir(in[0])
	case "opaque":
		j.opaque("", strings.ReplaceAll(a.refs[0].lit, "_", " "))
	case "include":
		j.include = append(j.include, in[0].name)
	case "is":
		return j.compute(a.refs[0].lit, in[1:], c)
	}
	return out
}

// flat are values with the items of lists among them.
func flat(in []value) (out []value) {
	for _, v := range in {
		if v.list && !v.dict() {
			out = append(out, v.items...)
		} else {
			out = append(out, v)
		}
	}
	return out
}

func interpreter(lang Lang) string {
	if lang == Python {
		return "python3"
	}
	return string(lang)
}

// start runs a command: a text for a shell, or the words of the arguments and of the lists among them.
func (j *judge) start(verb string, in []value, c *call, printed bool, why string) value {
	mode := ""
	if verb == "popen" {
		mode, printed, in = in[min(1, len(in)-1)].text, false, in[:1]
	}
	writes := strings.ContainsAny(mode, "wa+")
	var items []value
	more, lists := false, false
	for _, v := range in {
		switch {
		case v.dict(): // options, the environment
		case v.list:
			items, more, lists = append(items, flat(v.items)...), more || v.more, lists || verb != "list"
		default:
			items = append(items, v)
		}
	}
	var runs []Run
	if lists || verb == "prog" || verb == "argv" || verb == "list" && (len(items) != 1 || j.lang == Python) {
		runs = append(runs, words(items, more, why))
	} else {
		for _, a := range in[0].leaves() {
			runs = append(runs, Run{Shell: a.text, Known: a.known, Why: why})
		}
	}
	if v, ok := c.args.key("stdio"); ok && v.text == "inherit" {
		printed = true
	}
	out := value{}
	for _, r := range runs {
		r.Printed = writes || printed && !c.on("capture_output") && !c.on("stdout")
		if v, ok := c.args.key("cwd"); ok && v.class != "none" {
			r.Dir, r.DirUnknown = v.text, !v.isText()
		}
		if v, ok := c.args.key("input"); ok {
			r.HasInput, r.Input, r.InputKnown = true, v.text, v.isText()
		} else if v, ok := c.args.key("stdin"); ok && v.name != "subprocess.PIPE" && v.name != "subprocess.DEVNULL" {
			r.HasInput, r.Input = true, v.text
		}
		out = j.run(r)
	}
	switch {
	case writes:
		out.class, out.flows = "pipe", nil
	case verb == "popen":
		out.class = "file"
	}
	return out
}

// put writes to an open file: to standard output, or into a command.
func (j *judge) put(to value, vs []value, from int) {
	for _, v := range flat(vs) {
		if to.class == "stdout" {
			j.show(v, from)
		} else {
			j.feed(to.run, v)
		}
	}
}

// print shows the arguments of a printing function.
func (j *judge) print(c *call, vs []value) {
	if f, ok := c.args.key("file"); ok && f.class != "stdout" && j.lang == Python {
		return
	}
	vs = flat(vs)
	for _, v := range vs {
		switch {
		case v.class == "file" && c.v.name == "fpassthru":
			v = j.content(v, "text")
		case v.class == "file" && j.lang != Perl:
			continue
		case v.class == "content" && strings.HasPrefix(c.v.name, "console"), strings.HasSuffix(c.v.name, "printf") && len(vs) > 1:
			v.flows = partly(v)
		}
		for i := range v.flows { // perl and ruby print lists item by item
			v.flows[i].lines = v.flows[i].lines && j.lang != Perl && j.lang != Ruby
		}
		j.show(v, c.at)
	}
}

// eval judges code made of text.
func (j *judge) eval(v value, why string) {
	for _, a := range v.leaves() {
		switch {
		case a.class == "block":
		case a.isText():
			if j.depth < maxDepth/4 {
				j.depth += 5
				j.whole(a.text)
				j.depth -= 5
			}
		case len(a.flows) == 1 && a.flows[0].full && a.flows[0].ref >= 0 && a.flows[0].ref < len(j.out.Touches) && j.out.Touches[a.flows[0].ref].Known:
			j.run(Run{Args: []string{interpreter(j.lang), j.out.Touches[a.flows[0].ref].Path}, Known: true, Printed: true, Why: why})
		default:
			j.opaque(why, whyText)
		}
	}
}
