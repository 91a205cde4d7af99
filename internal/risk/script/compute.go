package script

import (
	"strings"
)

// What functions give that touch nothing: `is NAME ARG…` in the tables.

// tempDir is where temporary files lie.
const tempDir = "/tmp/tmp.XXXXXX"

func (j *judge) compute(what string, in []value, c *call) value {
	for len(in) < 3 {
		in = append(in, value{})
	}
	v := in[0]
	switch what {
	case "keep", "strip":
		if len(c.args.pos) > 0 && c.v.recv != nil && !encoding(c.arg(0).text) {
			v.flows = partly(v.flows)
		}
		return over(v, func(v value) value {
			if what == "strip" && !v.list {
				v.text = strings.TrimSpace(v.text)
			}
			v.flows = append([]flow(nil), v.flows...)
			for i := range v.flows {
				v.flows[i].raw = false
			}
			return v
		})
	case "join", "path":
		parts := in[:min(len(in), len(c.args.pos)+1)]
		if v.list {
			parts = v.items
		} else if len(in) > 1 && in[1].list {
			parts = append([]value{v}, in[1].items...)
		}
		if len(parts) == 0 {
			return value{known: what == "path", text: ".", class: ""}
		}
		out := parts[0]
		for _, p := range parts[1:] {
			out = join(out, p, "/")
		}
		return over(out, func(v value) value {
			return value{text: v.text, known: v.known && !v.list, class: v.class}
		})
	case "dirname":
		return parent(v)
	case "basename":
		return base(v)
	case "expand":
		return over(v, func(v value) value {
			if rest, ok := strings.CutPrefix(v.text, "~/"); ok {
				if home, ok := j.o.Env["HOME"]; ok {
					v.text = joinPath(home, rest)
				} else {
					v.text, v.known = "", false
				}
			}
			return v
		})
	case "home":
		return j.env(text("HOME"))
	case "cwd":
		return text(".")
	case "dir", "name", "temp", "stdin", "argf":
		return j.constant(what, v)
	case "env":
		if e := j.env(v); e.known || in[1].class == "" && !in[1].known {
			return e
		}
		return oneOf(j.env(v), in[1])
	case "module", "luamodule":
		return j.module(v)
	case "member":
		if !in[1].isText() {
			if v.name != "" && j.t.module(v.name) {
				j.opaque(c.v.name, whyName)
			}
			return value{}
		}
		return j.member(v, in[1].text)
	case "named":
		return j.word(v.text)
	case "send", "sendto", "call", "callarray":
		return j.send(what, in, c)
	case "map":
		if v.isText() {
			v = j.word(v.text)
			j.call(&call{v: v, args: args{pos: []value{in[1].element()}}})
		} else {
			j.escapes(v, in[1:2])
		}
		return value{class: "list", flows: partly(in[1].flows)}
	case "paths":
		return value{text: globbed(v.text), class: "paths"}
	case "under":
		return value{list: true, more: true}
	case "walk":
		return value{text: v.text, class: "walk"}
	case "content":
		return j.content(v, in[1].text)
	case "then", "pipe":
		if what == "pipe" && in[1].class == "stdout" {
			j.put(in[1], []value{j.content(v, "text")}, c.at)
		}
		return value{flows: partly(v.flows), name: v.name}
	case "object":
		return value{}
	}
	return j.computeList(what, in, c)
}

// computeList is what functions give that take texts apart and put lists together.
func (j *judge) computeList(what string, in []value, c *call) value {
	v := in[0]
	switch what {
	case "lines", "explode":
		if what == "explode" {
			v, in[1] = in[1], v
		}
		out := value{class: "list", list: v.isText() && in[1].isText() && in[1].text != "", flows: partly(v.flows)}
		if out.list {
			for _, s := range strings.SplitN(v.text, in[1].text, maxAlts) {
				out.items = append(out.items, text(s))
			}
		}
		if len(in) < 2 || !in[1].known || in[1].text == "\n" || in[1].text == "" {
			out.flows = append([]flow(nil), v.flows...)
			for i, f := range out.flows {
				out.flows[i].lines = true
				out.flows[i].full = f.full && (in[1].text == "\n" || len(c.args.pos) == 0)
			}
		}
		return out
	case "glue":
		return glue(v, in[1])
	case "unglue":
		return glue(in[1], v)
	case "list", "enumerate", "pairs":
		if v.class == "file" {
			v = j.content(v, "lines")
		}
		if what != "list" {
			out := value{list: v.list, more: v.more}
			for _, it := range v.items {
				out.items = append(out.items, value{list: true, items: []value{{}, it}})
			}
			for _, f := range v.flows {
				f.pairs = f.lines
				out.flows = append(out.flows, f)
			}
			return out
		}
		return v
	case "first":
		if n, ok := number(in[1]); ok {
			return v.span(0, n, true)
		}
		return v.item(0)
	case "slice":
		lo, ok := number(in[1])
		if in[1].text == "x" || len(c.args.pos) == 0 {
			lo, ok = 0, true
		}
		hi, good := number(in[2])
		return v.span(lo, hi, ok && (good || !in[2].known && in[2].class == "" && len(c.args.pos) < 2))
	case "sprintf", "format":
		rest := c.args.pos
		if c.v.recv == nil || what != "format" && len(in) > 1 && in[1].list {
			rest = in[1].items
		}
		return format(v, rest)
	}
	return value{flows: partly(allFlows(in))}
}

// globbed is the constant beginning of a pattern.
func globbed(s string) string {
	if i := strings.IndexAny(s, "*?[{"); i >= 0 {
		return s[:i]
	}
	return s + "/"
}

// constant is what a property holds.
func (j *judge) constant(what string, self value) value {
	kind, arg, _ := strings.Cut(what, ":")
	switch kind {
	case "self":
		if self.class == "tempfile" {
			self.class = ""
		}
		return self
	case "stdin", "argf":
		v := j.open(text(Stdin), text("r"), "stdin")
		return v
	case "stdout":
		return value{class: "stdout"}
	case "module":
		if arg == "" {
			return value{class: "global"}
		}
		return value{name: arg}
	case "text":
		return text(arg)
	case "temp":
		return text(tempDir)
	case "env":
		return value{class: "env"}
	case "out":
		return value{class: "out", flows: self.flows, run: self.run}
	case "pipe":
		return value{class: "pipe", run: self.run}
	case "name":
		return value{text: j.o.Name, known: j.o.Name != ""}
	case "dir":
		if j.o.Name == "" {
			return text(".")
		}
		return parent(text(j.o.Name))
	case "argv", "luaarg":
		return j.arguments(arg)
	}
	return value{}
}

// arguments are the words behind the script, with so many before them that are none.
func (j *judge) arguments(before string) value {
	out := value{list: true}
	n := len(before)
	switch before {
	case "1", "":
		n = 1
	case "2":
		if n = 2; j.o.Name == "" {
			n = 1
		}
	case "0":
		n = 0
	}
	for range n {
		out.items = append(out.items, value{})
	}
	for _, a := range j.argv {
		out.items = append(out.items, value{text: a, known: a != ""})
	}
	out.class = "argv"
	return out
}

func (j *judge) env(k value) value {
	if s, ok := j.o.Env[k.text]; ok && k.isText() {
		return text(s)
	}
	return value{}
}

// module is what require or import gives.
func (j *judge) module(v value) value {
	if !v.isText() {
		j.opaque("require", whyModule)
		return value{}
	}
	if j.lang == Node {
		return value{name: nodeModule(v.text)}
	}
	return value{name: v.text}
}

// send calls a function by its name.
func (j *judge) send(what string, in []value, c *call) value {
	f, rest := in[0], in[1:]
	if what == "sendto" {
		f, rest = in[1], in[2:]
	}
	rest = flat(rest)
	if what == "callarray" && len(in) > 1 {
		rest = in[1].items
	}
	if !f.isText() && !j.callable(f) {
		if j.lang == Ruby && (what == "send" || in[0].name != "" && j.t.module(in[0].name)) || j.lang == PHP && strings.HasPrefix(f.name, "$") {
			j.opaque(j.word(c.v.name).name, whyName)
		}
		return value{}
	}
	if f.isText() {
		if what == "sendto" {
			f = j.member(in[0], f.text)
		} else {
			f = j.word(f.text)
		}
	}
	return j.call(&call{v: f, args: args{pos: rest}, at: c.at})
}

// feeds is the first argument with which a function is called that is passed to a call: the element for forEach, the
// content for the callback of readFile.
func (j *judge) feeds(c *call, a *args) value {
	params := value{list: true, more: true}
	give := func(n int, v value) value {
		for range n {
			params.items = append(params.items, value{})
		}
		params.items = append(params.items, v)
		return params
	}
	recv := value{}
	if c.v.recv != nil {
		recv = *c.v.recv
	}
	switch c.v.meth {
	case "forEach", "map", "filter", "flatMap", "some", "every", "each":
		return give(0, recv.element())
	case "then":
		v := recv
		v.name = c.v.recv.name
		return give(0, v)
	}
	return params
}

// settleBlock gives the parameter of ruby's block its value.
func (j *judge) settleBlock(at int, recv value, meth string, v value) {
	params := value{list: true, more: true}
	lines := false
	for _, f := range v.flows {
		lines = lines || f.lines
	}
	if lines {
		v, meth = v.element(), ""
	}
	switch meth {
	case "each", "map", "each_line", "each_with_index", "select", "reject", "each_entry", "flat_map":
		if recv.class == "file" {
			recv = j.content(recv, "lines")
		}
		if meth == "each_line" {
			for i := range recv.flows {
				recv.flows[i].lines = true
			}
		}
		v = recv.element()
	case "foreach":
		v = v.element()
	}
	params.items = []value{v}
	for i := range v.flows {
		if v.flows[i].elem {
			for _, s := range j.at[at+1] {
				v.flows[i].pos, v.flows[i].end = s.pos, s.end
			}
		}
	}
	j.settle(at, params)
}
