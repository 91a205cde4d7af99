package script

import (
	"strconv"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

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
	if c.v.recv != nil {
		if v, ok := j.indirect(c); ok {
			return v
		}
	}
	line, ok := j.find(&c.v)
	if !ok {
		j.guess(c)
		for i, a := range c.args.pos {
			j.escapes(a, c.args.pos[i+1:])
			if a.class == "file" {
				j.content(a, "part") // whoever gets the file may read from it
			}
		}
		for _, a := range c.args.vals {
			j.escapes(a, nil)
		}
		return j.unknown(c)
	}
	r, _ := parseRow(line)
	for i, a := range c.args.pos {
		if len(r.acts) > 0 && r.acts[0].verb != "is" {
			j.escapes(a, c.args.pos[i+1:])
		}
	}
	return j.apply(r, c)
}

// unknown is what a function gives of which nothing is known: perhaps a part of what it got.
func (j *judge) unknown(c *call) value {
	v := value{class: "", flows: partly(allFlows(c.args.pos))}
	if c.v.recv != nil {
		v.flows = append(v.flows, partly(c.v.recv.flows)...)
		if c.v.recv.class == "path" || c.v.recv.class == "memory" {
			v.class = c.v.recv.class
		}
	}
	if c.v.name != "" && c.v.class == "" { // new X() has methods of its own
		v.name = c.v.name + "()"
	}
	return v
}

// indirect is a call through call, apply, bind and their like.
func (j *judge) indirect(c *call) (value, bool) {
	switch c.v.meth {
	case "call", "apply", "bind", "()", "__call__":
	default:
		return value{}, false
	}
	f := *c.v.recv
	if !j.writes(f) && !j.callable(f) {
		return value{}, false
	}
	if c.v.meth == "bind" && len(c.args.pos) < 2 {
		return f, true
	}
	in := c.args
	if j.lang == Node && len(in.pos) > 0 {
		in.pos = in.pos[1:]
		if c.v.meth == "apply" && len(in.pos) > 0 && in.pos[0].list {
			in.pos = in.pos[0].items
		}
	}
	return j.call(&call{v: f, args: in, at: c.at}), true
}

// writes reports whether v is a function that changes files or runs commands.
func (j *judge) writes(v value) bool {
	if v.name == "" && v.meth == "" || v.recv != nil && v.name == "" && v.recv.class == "" {
		return false
	}
	line, ok := j.find(&v)
	if !ok || j.lang == PHP {
		return false
	}
	r, _ := parseRow(line)
	return r.effect()
}

// escapes judges a function that is used as a value: somebody may call it, with what stands behind it.
func (j *judge) escapes(v value, rest []value) {
	for _, f := range append(v.alts, v) {
		if j.d.bare || !j.writes(f) || j.quiet > 0 {
			continue
		}
		var in args
		for _, a := range rest {
			if a.list && !a.dict {
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
	m = strings.TrimRight(m, "!?")
	low := strings.ToLower(m)
	switch {
	case low == "save" || low == "dump" || low == "export" || low == "imwrite" || low == "set_key" || low == "extract" || low == "write_html" || low == "savefig":
	case strings.HasPrefix(low, "write") && len(low) > 5 && low != "writelines" && low != "writerow" && low != "writerows" && low != "writeln" && low != "writehead",
		strings.HasPrefix(low, "to_") && len(low) > 3, strings.HasPrefix(low, "save") && len(low) > 4, strings.HasPrefix(low, "export_"), strings.HasPrefix(low, "dump_"):
	default:
		return
	}
	for _, a := range append(append([]value(nil), c.args.pos...), c.args.vals...) {
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
		case "is", "value", "quiet", "print", "printread", "printline", "read", "get", "put", "puts", "each", "block", "changeline", "iolines":
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
			return *c.v.recv, true
		}
		return value{}, true
	case 'l':
		return text(r.lit), true
	case 'r':
		if r.pos > len(c.args.pos) {
			return value{list: true}, true
		}
		return value{list: true, items: c.args.pos[r.pos:], flows: allFlows(c.args.pos[r.pos:])}, true
	}
	if r.pos >= 0 && r.pos < len(c.args.pos) && !(c.args.pos[r.pos].dict && r.kw != "") {
		return c.args.pos[r.pos], true
	}
	if r.kw != "" {
		if v, ok := c.args.key(r.kw); ok {
			return v, true
		}
	}
	if r.opt && r.def != "" {
		return text(r.def), true
	}
	return value{}, false
}

// apply does what a row says.
func (j *judge) apply(r row, c *call) value {
	out := value{}
	last := []int{}
	for _, a := range r.acts {
		verb, how, _ := strings.Cut(a.verb, "/")
		switch op := event.Op(verb); verb {
		case "read", "write", "append", "create", "delete", "move", "mode", "link":
			var into *value
			if verb == "write" && (r.acts[0].verb == "move" || r.acts[0].verb == "read") {
				from, _ := j.ref(c, r.acts[0].refs[0])
				into = &from
			}
			tree := how == "tree"
			if how == "rec" {
				v, ok := c.args.key("recursive")
				tree = ok && v.text != "false"
			}
			for _, rf := range a.refs {
				v, given := j.ref(c, rf)
				if !given && rf.pos > 0 && len(c.args.pos) > 0 && (j.quiet > 0 || rf.kw != "" || verb == "delete" || verb == "create") {
					continue
				}
				if !given && rf.pos < 0 {
					continue
				}
				n := len(j.out.Touches)
				j.touch(op, v, tree, strings.TrimPrefix(r.name, "?."), into)
				for ; verb == "read" && n < len(j.out.Touches); n++ {
					last = append(last, n)
				}
			}
			if verb == "read" {
				v, _ := j.ref(c, a.refs[0])
				for _, n := range last {
					out.flows = append(out.flows, flow{ref: n, full: !j.partial(c, v) && !tree && (len(v.alts) == 0 || v.each)})
				}
				if v.class == "file" {
					out = j.content(v, "text")
				}
			}
		default:
			out = j.verb(r, a, c, out)
		}
	}
	return j.result(r.result, out, c)
}

// partial reports whether a read was told how much to read, or in which form.
func (j *judge) partial(c *call, what value) bool {
	for i, a := range c.args.pos {
		if i == 0 && c.v.recv == nil || a.isText() && !a.num && encoding(a.text) || a.class == "none" || a.class == "local" && j.lang == Node {
			continue
		}
		if a.dict {
			if _, ok := a.get("start"); ok {
				return true
			}
			if _, ok := a.get("end"); ok {
				return true
			}
			if e, ok := a.get("encoding"); ok && !encoding(e.text) {
				return true
			}
			continue
		}
		if c.v.recv != nil && i == 0 && c.v.recv.class == "" && c.v.name != "" {
			continue // File.read("f")
		}
		return true
	}
	return false
}

func encoding(s string) bool {
	switch strings.ToLower(s) {
	case "utf8", "utf-8", "ascii", "latin1", "latin-1", "binary", "a", "*a", "*all", "false", "true", "r", "rb", "replace", "ignore", "strict", "utf-8-sig":
		return true
	}
	return false
}

// verb does what is no plain operation on files.
func (j *judge) verb(r row, a act, c *call, out value) value {
	why := r.name
	in := make([]value, 0, len(a.refs))
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
	for len(in) < 2 {
		in = append(in, value{})
	}
	switch a.verb {
	case "open", "kopen", "sysopen":
		if s := in[0].text; a.verb == "kopen" && strings.HasPrefix(s, "|") {
			return j.run(Run{Shell: s[1:], Known: in[0].isText(), Why: why})
		}
		if given == 0 || given == 1 && len(a.refs) > 1 && a.refs[1].def == "" && a.verb == "open" {
			in[1] = text("r")
		}
		out = j.open(in[0], in[1], why)
	case "inplace":
		if v, ok := c.args.key("inplace"); ok && v.text != "false" {
			j.touch(event.OpWrite, c.arg(0), false, why, nil)
			out.flows = nil
			j.muted = true
		}
	case "iolines":
		out = j.content(j.open(in[0], text("r"), why), "lines")
	case "database":
		j.database(in[0], why)
	case "shell", "argv", "prog", "list", "auto", "popen":
		out = j.start(a.verb, in, c, printed, why)
	case "input":
		if c.v.recv != nil && given > 0 {
			j.feed(c.v.recv.run, in[0])
		}
		if c.v.recv != nil {
			out = *c.v.recv
		}
	case "put":
		if c.v.recv != nil {
			j.put(*c.v.recv, flat(in), c.at)
		} else if why == "os.write" && !(in[0].class == "memory") {
			j.put(value{class: "stdout"}, c.args.pos[min(1, len(c.args.pos)):], c.at)
			if c.arg(0).text != "1" {
				return out
			}
		} else if len(c.args.pos) > 1 {
			j.put(c.args.pos[1], []value{j.content(in[0], "text")}, c.at)
		}
	case "puts":
		j.put(in[0], in[1:2], c.at)
	case "get":
		if c.v.recv != nil {
			what := a.refs[0].lit
			if what == "text" && j.partial(&call{v: value{recv: &value{}}, args: c.args}, value{}) {
				what = "part"
			}
			out = j.content(*c.v.recv, what)
		}
	case "print", "printline":
		j.print(c, flat(in))
	case "printread":
		j.show(out, c.at)
	case "eval", "compile":
		out = j.eval(in[0], why)
		if a.verb == "compile" {
			out = value{class: "local"}
		}
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
	case "each":
		out.flows = append([]flow(nil), out.flows...)
		for i := range out.flows {
			out.flows[i].lines = true
		}
	case "is":
		out = j.compute(a.refs[0].lit, in[1:], c)
	}
	return out
}

func flat(in []value) (out []value) {
	for _, v := range in {
		if v.list && !v.dict && v.class == "" {
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

// result is what a call gives by its row.
func (j *judge) result(class string, out value, c *call) value {
	switch class {
	case "", "self":
		return out
	case "lines":
		for i := range out.flows {
			out.flows[i].lines = true
		}
		out.class = "lines"
	case "part":
		out.flows = partly(out.flows)
	case "content":
		raw := true
		for _, a := range append(append([]value(nil), c.args.pos[min(1, len(c.args.pos)):]...), c.args.vals...) {
			e, _ := a.get("encoding")
			raw = raw && !a.isText() && !e.isText()
		}
		for i := range out.flows {
			out.flows[i].raw = raw
		}
		out.class = "content"
	case "text":
	case "file":
		if out.class == "" {
			out.class = "file"
		}
	case "path":
		out.class = "path"
		for i := range out.alts {
			out.alts[i].class = "path"
		}
	default:
		out.class = class
	}
	return out
}

// start runs a command.
func (j *judge) start(verb string, in []value, c *call, printed bool, why string) value {
	mode, popen := "", verb == "popen"
	if popen {
		mode, verb = in[1].text, "auto"
		printed = false
		in = in[:1]
	}
	var runs []Run
	first := in[0]
	switch {
	case verb == "prog":
		rest := in[1]
		items, more := append([]value{first}, rest.items...), rest.more || !rest.list && len(c.args.pos) > 1 && !rest.dict
		if rest.dict {
			items, more = items[:1], false
		}
		runs = append(runs, words(items, more, why))
	case verb == "list":
		items := c.args.pos
		if len(items) > 0 && items[len(items)-1].dict {
			items = items[:len(items)-1]
		}
		if len(items) > 0 && items[0].dict { // the environment
			items = items[1:]
		}
		if len(items) == 1 && j.lang != Python {
			runs = shells(items[0], why)
		} else {
			runs = append(runs, words(items, false, why))
		}
	case first.list && !first.dict:
		runs = append(runs, words(first.items, first.more, why))
	default:
		runs = shells(first, why)
	}
	out := value{}
	captured := false
	for _, k := range []string{"capture_output", "stdout"} {
		v, ok := c.args.key(k)
		captured = captured || ok && v.text != "false" && v.class != "none"
	}
	if v, ok := c.args.key("stdio"); ok && v.text == "inherit" {
		printed = true
	}
	for _, r := range runs {
		r.Printed = printed && !captured
		if v, ok := c.args.key("cwd"); ok && v.class != "none" {
			r.Dir, r.DirUnknown = v.text, !v.isText()
		}
		if v, ok := c.args.key("input"); ok {
			r.HasInput, r.Input, r.InputKnown = true, v.text, v.isText()
		} else if v, ok := c.args.key("stdin"); ok && v.name != "subprocess.PIPE" && v.name != "subprocess.DEVNULL" {
			r.HasInput, r.Input = true, v.text
		}
		if strings.ContainsAny(mode, "wa+") {
			r.Printed = true
		}
		out = j.run(r)
	}
	switch {
	case strings.ContainsAny(mode, "wa+"):
		out.class, out.flows = "pipe", nil
	case popen:
		out.class = "file"
	}
	return out
}

func shells(v value, why string) (out []Run) {
	for _, a := range v.leaves() {
		out = append(out, Run{Shell: a.text, Known: a.known, Why: why})
	}
	return out
}

// put writes to an open file: to standard output, or into a command.
func (j *judge) put(to value, vs []value, at int) {
	switch {
	case to.class == "stdout":
		for _, v := range vs {
			for i := range v.flows {
				v.flows[i].raw = false
			}
			j.show(v, at)
		}
	case to.class == "pipe" || to.class == "proc" || to.run > 0:
		for _, v := range vs {
			j.feed(to.run, v)
		}
	}
}

// print shows the arguments of a printing function.
func (j *judge) print(c *call, vs []value) {
	if f, ok := c.args.key("file"); ok && f.class != "stdout" && j.lang == Python {
		return
	}
	for _, v := range vs {
		if v.class == "file" && j.lang != Perl {
			if c.v.name != "fpassthru" {
				continue
			}
			v = j.content(v, "text")
		}
		if j.lang == Ruby || j.lang == Perl {
			v = glue(value{flows: v.flows}, value{})
		}
		if strings.HasSuffix(c.v.name, "printf") && len(vs) > 1 && (!vs[0].isText() || strings.Trim(strings.ReplaceAll(vs[0].text, "%s", ""), "\n ") != "") {
			v.flows = partly(v.flows)
		}
		j.show(v, c.at)
	}
}

// eval judges code made of text.
func (j *judge) eval(v value, why string) value {
	for _, a := range v.leaves() {
		switch {
		case a.isText():
			if j.depth < maxDepth/4 && j.quiet == 0 {
				j.depth += 5
				j.whole(a.text)
				j.depth -= 5
			}
		case len(a.flows) == 1 && a.flows[0].full && a.flows[0].ref >= 0 && a.flows[0].ref < len(j.out.Touches) && j.out.Touches[a.flows[0].ref].Known:
			j.run(Run{Args: []string{interpreter(j.lang), j.out.Touches[a.flows[0].ref].Path}, Known: true, Printed: true, Why: why})
		case a.class == "block":
		default:
			j.opaque(why, whyText)
		}
	}
	return value{}
}

// database judges a file that is opened to be queried: it is only read when every statement in sight is a query.
func (j *judge) database(v value, why string) {
	op := event.OpWrite
	if j.queries == 1 {
		op = event.OpRead
	}
	j.touch(op, v, false, why, nil)
}
