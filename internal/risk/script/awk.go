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
	j := &judge{lang: Awk, d: awk(), o: o, argv: argv, names: map[string]*binding{}, at: map[int][]*binding{}}
	toks, ok := lex(Awk, src)
	if !ok {
		j.opaque("", whyUnread)
	}
	j.bindAll(toks)
	assign := func(k, v string) { j.bind(k, binding{val: text(v)}, -1) }
	for k, v := range o.Vars {
		assign(k, v)
	}
	var files []string
	for _, f := range operands(argv, o) {
		if k, v, is := strings.Cut(f, "="); is && k != "" && !strings.ContainsAny(k, "/. ") {
			assign(k, v)
		} else {
			files = append(files, f)
		}
	}
	rules := awkRules(toks)
	if len(rules) == 0 || slices.ContainsFunc(rules, func(r rule) bool { return len(r.pattern) == 0 || r.pattern[0].text != "BEGIN" }) {
		out := printedLines(rules)
		if !ok {
			out = output{maybe: true}
		}
		j.out.Touches = inputTouches(files, o.Inplace, out, "awk")
	}
	for i := range toks {
		j.awkToken(toks, i, files)
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
func (j *judge) awkToken(t []token, i int, files []string) {
	x := t[i]
	switch {
	case x.op("="):
		j.settle(x.pos, j.awkText(clause(t, i+1), files))
	case x.op("@") && i+2 < len(t) && t[i+1].kind == tWord && t[i+2].op("("), x.op("@") && i+1 < len(t) && (t[i+1].text == "include" || t[i+1].text == "load"):
		j.opaque("", "calls a function whose name is computed")
	case x.is(tWord, "print") || x.is(tWord, "printf"):
		j.awkRedirect(t, i, files)
	case x.is(tWord, "system") && i+1 < len(t) && t[i+1].op("(") && t[i+1].match > 0:
		v := j.awkText(t[i+2:i+1+t[i+1].match], files)
		j.run(Run{Shell: v.text, Known: v.isText(), Printed: true, Why: "system"})
	case x.is(tWord, "getline"):
		k := i + 1
		for k < len(t) && (t[k].kind == tWord || t[k].op("$") || t[k].kind == tNum || t[k].op("[") && t[k].match > 0) {
			k += t[k].match + 1
		}
		if k < len(t) && t[k].op("<") && k+1 < len(t) {
			n := 1
			if t[k+1].match > 0 {
				n += t[k+1].match
			}
			j.touch(event.OpRead, j.awkText(t[k+1:k+1+n], files), false, "getline", nil)
		}
		if i > 1 && t[i-1].op("|") {
			from := i - 2
			for from > 0 && i-from < 40 && !t[from-1].op(";") && !t[from-1].op("{") && !t[from-1].op("(") && t[from-1].kind != tLine && !t[from-1].op("}") {
				from--
			}
			v := j.awkText(t[from:i-1], files)
			j.run(Run{Shell: v.text, Known: v.isText(), Why: "getline"})
		}
	}
}

// clause is the tokens from i to the next comma, line end or closing bracket; nil when that is too far away.
func clause(t []token, i int) []token {
	from := i
	for ; i < len(t) && i <= from+maxClause; i++ {
		if x := t[i]; x.kind == tLine || x.op(",") || x.op(";") || x.match < 0 {
			return t[from:i]
		}
		i += max(t[i].match, 0)
	}
	if i < len(t) {
		return nil
	}
	return t[min(from, len(t)):]
}

// awkRedirect notes where a print goes.
func (j *judge) awkRedirect(t []token, i int, files []string) {
	for k := i + 1; k < len(t) && !t[k].op(";") && t[k].match >= 0 && !(t[k].kind == tLine && !t[k-1].op(",")); k++ {
		x := t[k]
		if x.match > 0 {
			k += x.match
			continue
		}
		if !x.op(">") && !x.op(">>") && !x.op("|") || k+1 >= len(t) {
			continue
		}
		end := k + 1
		for end < len(t) && !t[end].op(";") && t[end].kind != tLine && t[end].match >= 0 {
			end += t[end].match + 1
		}
		v := j.awkText(t[k+1:end], files)
		switch x.text {
		case ">":
			j.touch(event.OpWrite, v, false, t[i].text, nil)
		case ">>":
			j.touch(event.OpAppend, v, false, t[i].text, nil)
		default:
			in := j.awkText(t[i+1:k], files)
			in.text += "\n"
			if !in.isText() || k == i+1 {
				in = value{}
			}
			j.run(Run{Shell: v.text, Known: v.isText(), Printed: true, HasInput: true, Input: in.text, InputKnown: in.isText(), Why: t[i].text})
		}
		return
	}
}

// awkText is the value of texts and names side by side.
func (j *judge) awkText(t []token, files []string) value {
	v := text("")
	for i := 0; i < len(t); i++ {
		x := t[i]
		w := value{}
		switch {
		case x.kind == tStr:
			w = text(x.text)
		case x.kind == tNum && len(t) == 1:
			w = text(x.text)
		case x.op("(") && x.match > 0:
			w = j.awkText(t[i+1:i+x.match], files)
			i += x.match
		case x.is(tWord, "FILENAME"):
			for _, f := range files {
				w.alts = append(w.alts, value{text: f, known: f != "" && f != "-"})
			}
		case x.kind == tWord && i+1 < len(t) && t[i+1].op("(") && x.glued:
		case x.kind == tWord:
			w, _ = j.lookup(x.text)
			w.class = ""
		}
		if i > 0 || len(t) == 1 {
			v = join(v, w, "")
		} else {
			v = w
		}
	}
	return v
}
