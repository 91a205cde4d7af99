package script

import (
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

func awk() dialect {
	return dialect{comments: []string{"#"}, rich: `"`, regex: true, adjacent: true}
}

// judgeAwk finds redirections, pipes, system and getline wherever they stand, and tells from the rules which lines of its
// operands an awk script prints.
func judgeAwk(src string, argv []string, o Options, t table) Effects {
	j := &judge{lang: Awk, d: awk(), t: t, o: o, argv: argv, names: map[string]*name{}, at: map[int][]*source{}, begun: map[int]bool{}}
	toks, ok := lex(Awk, src)
	if !ok {
		j.opaque("", whyUnread)
	}
	j.bindAll(toks)
	for k, v := range o.Vars {
		j.source(k, &source{val: text(v), done: true, idx: -1}, -1)
	}
	var files []string
	for _, f := range operands(argv, o) {
		if k, v, assign := strings.Cut(f, "="); assign && k != "" && !strings.ContainsAny(k, "/. ") {
			j.source(k, &source{val: text(v), done: true, idx: -1}, -1)
		} else {
			files = append(files, f)
		}
	}
	rules := awkRules(toks)
	reads := len(rules) == 0
	for _, r := range rules {
		reads = reads || len(r.pattern) == 0 || r.pattern[0].text != "BEGIN" || !r.has
	}
	if reads {
		out := awkOutput(rules)
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

// awkRule is a pattern with its action; without one it prints.
type awkRule struct {
	pattern, action []token
	has             bool
}

func awkRules(t []token) (rules []awkRule) {
	from := 0
	for i := 0; i <= len(t); i++ {
		switch {
		case i == len(t) || t[i].kind == tLine || t[i].op(";"):
			if i > from && t[from].text != "@" {
				rules = append(rules, awkRule{pattern: t[from:i]})
			}
			from = i + 1
		case t[i].op("{") && t[i].match > 0:
			end := i + t[i].match
			if i == from || t[from].text != "function" && t[from].text != "func" {
				rules = append(rules, awkRule{t[from:i], t[i+1 : end], true})
			}
			i, from = end, end+1
		case t[i].match > 0:
			i += t[i].match
		}
	}
	return rules
}

// awkOutput is what the rules print of each line. What hangs on the text of a line is only possible.
func awkOutput(rules []awkRule) output {
	out := output{verbatim: true}
	live, changed := everyLine(), false
	var printed [][2]int
	for _, r := range rules {
		if len(r.pattern) > 0 && r.has && (r.pattern[0].text == "BEGIN" || r.pattern[0].text == "END") {
			continue
		}
		lines, known := awkPattern(r.pattern)
		lines = meet(lines, live)
		for _, s := range statements(r.action, r.has) {
			p := awkStatement(s)
			switch {
			case p == 0:
			case p == 'c':
				changed = true
			case p == 'p' && known:
				out.verbatim = out.verbatim && !changed
				printed = joinSpans(append(printed, lines...))
			case p == 'n' && known:
				live = meet(live, without(lines))
			case p == 'e' && known:
				if len(lines) > 0 && lines[0][0] > 0 {
					printed = meet(printed, [][2]int{{1, lines[0][0]}})
					live = meet(live, upTo(lines[0][0]-1))
				}
			case p == 'n' || p == 'e' || p == 'g':
				live, out.maybe = nil, true
				if p != 'n' {
					printed = nil
				}
			default:
				out.maybe = true
				if changed {
					out.verbatim = false
				}
			}
		}
	}
	if len(printed) == 1 && printed[0] == [2]int{1, 0} {
		return output{whole: true, verbatim: out.verbatim}
	}
	out.spans = printed
	out.verbatim = out.verbatim && len(printed) > 0
	return out
}

// statements are those of an action; without an action it is print.
func statements(t []token, has bool) (out [][]token) {
	if !has {
		return [][]token{{{kind: tWord, text: "print"}}}
	}
	from := 0
	for i := 0; i <= len(t); i++ {
		if i == len(t) || t[i].kind == tLine && !(i > from && t[i-1].op(",")) || t[i].op(";") {
			if i > from {
				out = append(out, t[from:i])
			}
			from = i + 1
		} else if t[i].match > 0 {
			i += t[i].match
		}
	}
	return out
}

// awkStatement tells what a statement does: 'p' prints the line, '?' perhaps or a part of it, 'c' changes it, 'n' goes on
// with the next line, 'e' ends, 'g' takes lines itself; 0 is none of these.
func awkStatement(t []token) byte {
	words := map[string]bool{}
	for i, x := range t {
		if x.kind == tWord {
			words[x.text] = true
		}
		if x.op("=") && i > 1 && t[i-2].op("$") {
			words["="] = true
		}
	}
	prints := false
	for i, x := range t {
		if x.is(tWord, "print") || x.is(tWord, "printf") {
			end := i + 1
			for end < len(t) && !t[end].op(";") && t[end].kind != tLine && t[end].match >= 0 {
				end += max(t[end].match, 0) + 1
			}
			prints = prints || awkPrint(t[i:end]) != 0
		}
	}
	switch first := t[0].text; {
	case words["getline"] && !hasOp(t, "<") && !hasOp(t, "|"):
		return 'g'
	case first == "if" || first == "for" || first == "while" || first == "do" || first == "{" || first == "switch":
		switch {
		case words["exit"] || words["next"] || words["nextfile"]:
			return 'g'
		case prints:
			return '?'
		case words["="] || words["sub"] || words["gsub"]:
			return 'c'
		}
		return 0
	case first == "next" || first == "nextfile":
		return 'n'
	case first == "exit":
		return 'e'
	case first == "print" || first == "printf":
		return awkPrint(t)
	case words["="] || words["sub"] || words["gsub"] || hasOp(t, "$") && (hasOp(t, "++") || hasOp(t, "+=") || hasOp(t, "-=")):
		return 'c'
	}
	return 0
}

func hasOp(t []token, op string) bool {
	for _, x := range t {
		if x.op(op) {
			return true
		}
	}
	return false
}

// awkPrint tells whether print shows the line: with nothing but texts and counters beside it.
func awkPrint(t []token) byte {
	line, other := len(t) == 1 && t[0].text == "print", false
	args := t[1:]
	if len(args) > 0 && args[0].op("(") && args[0].match == len(args)-1 {
		args = args[1 : len(args)-1]
	}
	for i, x := range args {
		switch {
		case x.op(">") || x.op(">>") || x.op("|"):
			if i+1 < len(args) && args[i+1].kind == tStr && special(args[i+1].text) == 'o' && i == len(args)-2 {
				if line || i == 0 && t[0].text == "print" {
					return 'p'
				}
				return '?'
			}
			return 0
		case x.op("$") && i+1 < len(args) && args[i+1].is(tNum, "0"):
			line = true
		case x.op("$"):
			other = true
		case x.op(",") || x.kind == tNum || x.op("("), x.op(")"):
		case x.kind == tStr && (t[0].text != "printf" || i > 0 || plainFormat(x.text)):
		case x.kind == tWord && (x.text == "NR" || x.text == "FNR" || x.text == "FILENAME" || x.text == "NF"):
		case x.kind == tWord && !(i+1 < len(args) && args[i+1].op("(")):
			other = true
		default:
			return '?'
		}
	}
	switch {
	case line && !(t[0].text == "printf" && args[0].kind != tStr):
		return 'p'
	case other:
		return '?'
	}
	return 0
}

// plainFormat reports whether a format shows what it is given as it stands.
func plainFormat(s string) bool {
	for i := strings.IndexByte(s, '%'); i >= 0 && i+1 < len(s); {
		s = strings.TrimLeft(s[i+1:], "0123456789-")
		if s == "" || s[0] != 's' && s[0] != 'd' && s[0] != '%' {
			return false
		}
		i = strings.IndexByte(s, '%')
	}
	return true
}

// awkPattern is the lines that a pattern selects; known is false for what depends on their text.
func awkPattern(t []token) (lines [][2]int, known bool) {
	for i, x := range t {
		if x.op(",") {
			from, ok := lineRange(t[:i])
			to, good := lineRange(t[i+1:])
			if ok && good && len(from) == 1 && len(to) == 1 && from[0][0] == from[0][1] && to[0][0] == to[0][1] {
				return [][2]int{{from[0][0], max(from[0][0], to[0][0])}}, true
			}
			return nil, false
		}
	}
	if len(t) == 0 || len(t) == 1 && t[0].kind == tNum && t[0].text != "0" || len(t) == 1 && t[0].kind == tStr && t[0].text != "" {
		return everyLine(), true
	}
	if i := len(t) - 1; t[i].kind == tNum && t[i].text == "1" && i > 0 && t[i-1].op("||") {
		return everyLine(), true
	}
	return lineRange(t)
}

// awkToken notes what a token of an awk script does to files, wherever it stands.
func (j *judge) awkToken(t []token, i int, files []string) {
	x := t[i]
	switch {
	case x.op("@") && i+2 < len(t) && t[i+1].kind == tWord && t[i+2].op("("), x.op("@") && i+1 < len(t) && (t[i+1].text == "include" || t[i+1].text == "load"):
		j.opaque("", "calls a function whose name is computed")
		if _, ok := j.row("@"); !ok {
			j.out.Opaque = nil
		}
	case x.is(tWord, "print") || x.is(tWord, "printf"):
		j.awkRedirect(t, i, files)
	case x.is(tWord, "system") && i+1 < len(t) && t[i+1].op("(") && t[i+1].match > 0:
		if _, ok := j.row("system"); ok {
			v := j.awkText(t[i+2:i+1+t[i+1].match], files)
			j.run(Run{Shell: v.text, Known: v.isText(), Printed: true, Why: "system"})
		}
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
			w = value{each: true}
			for _, f := range files {
				w.alts = append(w.alts, value{text: f, known: f != "" && f != "-"})
			}
			if len(w.alts) == 1 {
				w = w.alts[0]
			}
		case x.kind == tWord && i+1 < len(t) && t[i+1].op("(") && x.glued:
		case x.kind == tWord:
			j.here = x.pos
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
