package script

import (
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

func awk() dialect {
	return dialect{comments: []string{"#"}, rich: `"`, regex: true, adjacent: true}
}

// judgeAwk finds redirections, pipes, system and getline wherever they stand, and tells from the rules which lines of its
// operands an awk script prints.
func judgeAwk(src string, argv []string, o Options) Effects {
	j := &judge{lang: Awk, d: awk(), o: o, names: map[string]*binding{}, learning: true}
	toks, ok := lex(Awk, src)
	if !ok {
		j.out.Opaque = append(j.out.Opaque, "awk "+whyUnread)
	}
	for k, v := range o.Vars {
		j.bind(k, text(v))
	}
	name := value{class: isEach}
	for _, f := range operands(argv, o) {
		if k, v, is := strings.Cut(f, "="); is && k != "" && !strings.ContainsAny(k, "/. ") {
			j.bind(k, text(v))
			continue
		}
		j.argv = append(j.argv, f)
		name.items = append(name.items, value{text: f, known: f != "" && f != "-"})
	}
	j.bind("FILENAME", name)
	rules := awkRules(toks)
	if len(rules) == 0 || slices.ContainsFunc(rules, func(r rule) bool { return len(r.pattern) == 0 || r.pattern[0].text != "BEGIN" }) {
		out := printedLines(rules)
		if !ok {
			out = output{maybe: true}
		}
		j.out.Touches = inputTouches(j.argv, o.Inplace, out, "awk")
	}
	for _, j.learning = range []bool{true, false} {
		for i := range toks {
			j.awkToken(toks, i)
		}
	}
	return j.out
}

// awkRules are patterns with their actions; without an action it is print.
func awkRules(t []token) (rules []rule) {
	from := 0
	for i := 0; i <= len(t); i++ {
		switch {
		case i == len(t) || t[i].kind == tLine || t[i].op(";"):
			if i > from && t[from].text != "@" {
				rules = append(rules, rule{t[from:i], []token{{kind: tWord, text: "print"}}})
			}
			from = i + 1
		case t[i].op("{") && t[i].match > 0:
			end := i + t[i].match
			if i == from || t[from].text != "function" && t[from].text != "func" {
				rules = append(rules, rule{t[from:i], t[i+1 : end]})
			}
			i, from = end, end+1
		case t[i].match > 0:
			i += t[i].match
		}
	}
	return rules
}

// awkToken notes what a token of an awk script does to files, wherever it stands.
func (j *judge) awkToken(t []token, i int) {
	x, next := t[i], at(t, i+1)
	switch {
	case next.op("=") && x.kind == tWord:
		j.bind(x.text, j.awkText(t[min(i+2, len(t)):awkEnd(t, i+2, ",")]))
	case x.op("@") && next.kind == tWord:
		j.opaque("", "calls a function whose name is computed")
	case x.is(tWord, "print") || x.is(tWord, "printf"):
		j.awkRedirect(t, i)
	case x.is(tWord, "system") && next.op("(") && next.match > 0:
		v := j.awkText(t[i+2 : i+1+next.match])
		j.run(Run{Shell: v.text, Known: v.known, Printed: true, Why: "system"})
	case x.is(tWord, "getline"):
		k := i + 1
		for at(t, k).kind == tWord || at(t, k).op("$") || at(t, k).kind == tNum || at(t, k).op("[") && t[k].match > 0 {
			k += t[k].match + 1
		}
		if at(t, k).op("<") && k+1 < len(t) {
			j.touch(event.OpRead, j.awkText(t[k+1:k+2+max(t[k+1].match, 0)]), false, "getline")
		}
		if at(t, i-1).op("|") {
			from := i - 1
			for from > 0 && i-from < 40 && t[from-1].match == 0 && !t[from-1].op(";") && t[from-1].kind != tLine {
				from--
			}
			v := j.awkText(t[from : i-1])
			j.run(Run{Shell: v.text, Known: v.known, Why: "getline"})
		}
	}
}

// awkEnd is where what i stands in ends: the statement, the brackets, or before one of stops.
func awkEnd(t []token, i int, stops ...string) int {
	from := i
	for ; i < len(t) && t[i].match >= 0 && !t[i].op(";") && !(t[i].kind == tLine && !at(t, i-1).op(",")); i += t[i].match + 1 {
		if t[i].kind == tOp && slices.Contains(stops, t[i].text) || i > from+maxClause {
			break
		}
	}
	return min(i, len(t))
}

// awkRedirect notes where a print goes.
func (j *judge) awkRedirect(t []token, i int) {
	k := awkEnd(t, i+1, ">", ">>", "|")
	v := value{}
	if k+1 < len(t) {
		v = j.awkText(t[k+1 : awkEnd(t, k+1)])
	}
	switch at(t, k).text {
	case ">":
		j.touch(event.OpWrite, v, false, t[i].text)
	case ">>":
		j.touch(event.OpAppend, v, false, t[i].text)
	case "|":
		in := j.awkText(t[i+1 : k])
		if in.text += "\n"; !in.known {
			in.text = ""
		}
		j.run(Run{Shell: v.text, Known: v.known, Printed: true, HasInput: true, Input: in.text, InputKnown: in.known, Why: t[i].text})
	}
}

// awkText is the value of texts and names side by side.
func (j *judge) awkText(t []token) (v value) {
	for i := 0; i < len(t); i++ {
		x, w := t[i], value{}
		switch {
		case x.kind == tStr, x.kind == tNum && len(t) == 1:
			w = text(x.text)
		case x.op("(") && x.match > 0:
			w = j.awkText(t[i+1 : i+x.match])
			i += x.match
		case x.kind == tWord && !(at(t, i+1).op("(") && x.glued):
			w, _ = j.lookup(x.text)
			w.name = ""
		}
		if i == 0 || x.op("(") && i == x.match {
			v = w
		} else {
			v = join(v, w, "")
		}
	}
	return v
}
