package script

import "strings"

// What functions give that touch nothing: `is NAME ARG…` and `value NAME` in the tables. Only what paths and names are
// made of is computed; all else gives a value that is not known.

// tempDir is where temporary files lie.
const tempDir = "/tmp/tmp.XXXXXX"

func (j *judge) compute(what string, in []value, c *call) value {
	for len(in) < 3 {
		in = append(in, value{})
	}
	v := in[0]
	switch what {
	case "keep":
		if c.v.recv != nil && len(c.args.pos) > 0 && !encoding(c.arg(0).text) {
			v.flows = partly(v)
		}
		if v.class == "content" || v.class == "lines" {
			v.class = ""
		}
		return v
	case "strip":
		return over(v, func(v value) value {
			return value{text: strings.TrimSpace(v.text), known: v.isText(), flows: partly(v)}
		})
	case "join", "path":
		parts := flat(in)[:]
		out := value{known: what == "path", text: "."}
		for i, p := range parts {
			switch {
			case i == 0 && (p.isText() || !p.empty()):
				out = p
			case !p.empty() || i < len(c.args.pos) && c.v.recv == nil:
				out = join(out, p, "/")
			}
		}
		return over(out, func(v value) value { return value{text: v.text, known: v.known && !v.list, class: v.class} })
	case "dirname":
		return parent(v)
	case "basename":
		return base(v)
	case "expand":
		return over(v, func(v value) value {
			if rest, ok := strings.CutPrefix(v.text, "~/"); ok {
				home := j.env(text("HOME"))
				v.text, v.known = joinPath(home.text, rest), home.known
			}
			return v
		})
	case "home":
		return j.env(text("HOME"))
	case "cwd":
		return text(".")
	case "env":
		if e := j.env(v); e.known || in[1].empty() {
			return e
		}
		return oneOf(value{}, in[1])
	case "module":
		if !v.isText() {
			j.opaque("require", whyModule)
			return value{}
		}
		if j.lang == Node {
			return value{name: nodeModule(v.text)}
		}
		return value{name: v.text}
	case "member":
		if in[1].isText() {
			return j.member(v, in[1].text)
		}
		if v.name != "" && j.t.module(v.name) {
			j.opaque(c.v.name, whyName)
		}
		return value{}
	case "named":
		return j.word(v.text)
	case "send", "sendto", "call":
		return j.send(what, in, c)
	case "paths":
		return value{text: globbed(v.text), class: "paths"}
	case "under":
		return value{list: true, more: true}
	case "walk":
		return value{text: v.text, class: "walk"}
	case "content":
		return j.content(v, in[1].text)
	case "pipe":
		if in[1].class == "stdout" {
			j.put(in[1], []value{j.content(v, "text")}, c.at)
		}
		return value{flows: partly(v)}
	case "object":
		return value{}
	}
	return j.constant(what, v)
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
	case "stdin":
		return j.open(text(Stdin), text("r"), "stdin")
	case "stdout", "env":
		return value{class: kind}
	case "out":
		return value{class: "out", flows: self.flows, run: self.run}
	case "pipe":
		return value{class: "pipe", run: self.run}
	case "module":
		if arg == "" {
			return value{class: "global"}
		}
		return value{name: arg}
	case "text":
		return text(arg)
	case "temp":
		return text(tempDir)
	case "name":
		return value{text: j.o.Name, known: j.o.Name != ""}
	case "dirname":
		return parent(self)
	case "basename":
		return base(self)
	case "dir":
		return parent(text(j.o.Name))
	case "argv":
		return j.arguments(arg)
	}
	return value{}
}

// arguments are the words behind the script, with so many before them that are none.
func (j *judge) arguments(before string) value {
	n, _ := number(value{text: before, num: true})
	if before == "2" && j.o.Name == "" { // node -e has no script before them
		n = 1
	}
	out := value{list: true, class: "argv", items: make([]value, n)}
	for _, a := range j.argv {
		out.items = append(out.items, value{text: a, known: a != ""})
	}
	return out
}

func (j *judge) env(k value) value {
	s, ok := j.o.Env[k.text]
	return value{text: s, known: ok && k.isText()}
}

// send calls a function by its name.
func (j *judge) send(what string, in []value, c *call) value {
	f, rest := in[0], in[1:]
	if what == "sendto" {
		f, rest = in[1], in[2:]
	}
	if !f.isText() && !j.callable(f) {
		if j.lang == Ruby && (what == "send" || in[0].name != "" && j.t.module(in[0].name)) || j.lang == PHP && strings.HasPrefix(f.name, "$") {
			j.opaque(j.word(c.v.name).name, whyName)
		}
		return value{}
	}
	switch {
	case f.isText() && what == "sendto":
		f = j.member(in[0], f.text)
	case f.isText():
		f = j.word(f.text)
	}
	rest = flat(rest)
	for i, v := range rest {
		if v.list {
			rest[i] = v.element()
		}
	}
	return j.call(&call{v: f, args: args{pos: rest}, at: c.at})
}
