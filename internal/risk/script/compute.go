package script

import "strings"

// What functions give that touch nothing: `is NAME ARG…` and `value NAME` in the tables. Only what paths and names are
// made of is computed; all else gives a value that is not known.

// tempDir is where temporary files lie.
const tempDir = "/tmp/tmp.XXXXXX"

func (j *judge) compute(what string, in []value, self, f value, a args) value {
	all := flat(in)
	for len(in) < 3 {
		in = append(in, value{})
	}
	v := in[0]
	switch what {
	case "keep":
		if v.class == "content" {
			v.class = ""
		}
		return v
	case "strip":
		return over(v, func(v value) value { return value{text: strings.TrimSpace(v.text), known: v.known} })
	case "join", "path":
		out := text(".")
		for i, p := range all {
			if i == 0 {
				out = p
			} else {
				out = join(out, p, "/")
			}
		}
		out.reads = nil
		return out
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
	case "env":
		if e := j.env(v); e.known || in[1].empty() {
			return e
		}
		return oneOf(value{}, in[1])
	case "module":
		if !v.known {
			j.opaque("require", whyModule)
			return value{}
		}
		if j.lang == Node {
			return value{name: nodeModule(v.text)}
		}
		return value{name: v.text}
	case "member":
		switch {
		case in[1].known:
			return j.member(v, in[1].text)
		case v.name != "" && j.t.module(v.name):
			j.opaque(f.name, whyName)
		}
		return value{}
	case "word":
		return j.word(v.text)
	case "open":
		return j.perlOpen(all)
	case "send", "sendto":
		if what == "sendto" {
			in = in[1:]
		}
		return j.send(in[0], in[1:], self, f)
	case "paths":
		return value{text: globbed(v.text), class: "paths"}
	case "walk":
		return value{text: v.text, class: "walk"}
	case "content":
		return j.content(v, in[1].text == "text")
	case "pipe":
		if in[1].class == "stdout" {
			j.show(j.content(v, true))
		}
		return value{}
	case "shift":
		j.shifted++
		return j.constant("argv:0", value{}).item(j.shifted - 1)
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
	case "stdout", "env", "global", "pipe":
		return value{class: kind}
	case "out":
		return value{class: "out", reads: self.reads}
	case "module":
		return value{name: arg}
	case "text":
		return text(arg)
	case "temp":
		return text(tempDir)
	case "cwd":
		return text(".")
	case "home":
		return j.env(text("HOME"))
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
	n := int(before[0] - '0')
	if n == 2 && j.o.Name == "" { // node -e has no script before them
		n = 1
	}
	out := value{class: isList, items: make([]value, n)}
	for _, a := range j.argv {
		out.items = append(out.items, value{text: a, known: a != ""})
	}
	return out
}

func (j *judge) env(k value) value {
	s, ok := j.o.Env[k.text]
	return value{text: s, known: ok && k.known}
}

// send calls a function by its name, of self if that is a value.
func (j *judge) send(name value, rest []value, self, f value) value {
	switch {
	case name.known && f.self != nil:
		name = j.member(self, name.text)
	case name.known:
		name = j.word(name.text)
	case !j.callable(name):
		if j.lang == Ruby && (f.self == nil || j.t.module(self.name)) || j.lang == PHP && strings.HasPrefix(name.name, "$") {
			j.opaque(f.name, whyName)
		}
		return value{}
	}
	rest = flat(rest)
	for i, v := range rest {
		if v.class == isList {
			rest[i] = v.element()
		}
	}
	return j.call(name, args{pos: rest})
}
