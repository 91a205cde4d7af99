package script

import "strconv"

// Ranges of lines: what conditions on the line's number select, and what perl and ruby print with -n and -p.

func everyLine() [][2]int { return [][2]int{{1, 0}} }

func upTo(n int) [][2]int {
	if n < 1 {
		return nil
	}
	return [][2]int{{1, n}}
}

// meet is what two lists of ranges have in common; 0 is the end of the file.
func meet(a, b [][2]int) (out [][2]int) {
	for _, x := range a {
		for _, y := range b {
			r := [2]int{max(x[0], y[0]), min(x[1], y[1])}
			if x[1] == 0 || y[1] == 0 {
				r[1] = max(x[1], y[1])
			}
			if r[1] == 0 || r[0] <= r[1] {
				out = append(out, r)
			}
		}
	}
	return joinSpans(out)
}

// without is all lines but those.
func without(a [][2]int) (out [][2]int) {
	next := 1
	for _, x := range joinSpans(a) {
		if x[0] > next {
			out = append(out, [2]int{next, x[0] - 1})
		}
		if x[1] == 0 {
			return out
		}
		next = x[1] + 1
	}
	return append(out, [2]int{next, 0})
}

// lineRange is the lines for which a condition holds that asks for their number alone.
func lineRange(t []token) ([][2]int, bool) {
	for len(t) > 1 && t[0].op("(") && t[0].match == len(t)-1 {
		t = t[1 : len(t)-1]
	}
	for _, op := range []string{"||", "&&"} {
		for i := 0; i < len(t); i++ {
			if t[i].match > 0 {
				i += t[i].match
			} else if t[i].op(op) {
				a, ok := lineRange(t[:i])
				b, good := lineRange(t[i+1:])
				if op == "&&" {
					return meet(a, b), ok && good
				}
				return joinSpans(append(a, b...)), ok && good
			}
		}
	}
	if len(t) != 3 {
		return nil, false
	}
	a, b, op := t[0], t[2], t[1].text
	if a.kind == tNum && b.kind == tNum && (op == ".." || op == "...") {
		from, err := strconv.Atoi(a.text)
		to, err2 := strconv.Atoi(b.text)
		return [][2]int{{from, max(from, to)}}, err == nil && err2 == nil && from > 0
	}
	if a.kind == tNum {
		a, b = b, a
		switch op {
		case "<", "<=":
			op = ">" + op[1:]
		case ">", ">=":
			op = "<" + op[1:]
		}
	}
	n, err := strconv.Atoi(b.text)
	if a.text != "NR" && a.text != "FNR" && a.text != "$." || b.kind != tNum || err != nil || n > 1<<28 {
		return nil, false
	}
	switch op {
	case "==":
		return meet(everyLine(), [][2]int{{n, n}}), n > 0
	case "<":
		return upTo(n - 1), true
	case "<=":
		return upTo(n), true
	case ">":
		return [][2]int{{n + 1, 0}}, true
	case ">=":
		return [][2]int{{max(n, 1), 0}}, true
	case "!=":
		return without([][2]int{{n, n}}), n > 0
	}
	return nil, false
}

// implicitLoop judges what perl -n, perl -p, ruby -n and ruby -p print of their operands: `print`, `print if $. > 2`; with -p
// all lines, perhaps changed.
func (j *judge) implicitLoop(src string) {
	t, ok := lex(j.lang, src)
	out := output{verbatim: true}
	var printed [][2]int
	for i := 0; i < len(t) && ok; {
		n := statement(t[i:])
		s := t[i : i+n]
		for len(s) > 0 && (s[len(s)-1].kind == tLine || s[len(s)-1].op(";")) {
			s = s[:len(s)-1]
		}
		i += n
		if len(s) == 0 {
			continue
		}
		lines, known := everyLine(), true
		prints := s[0].kind == tWord && (s[0].text == "print" || s[0].text == "puts" || s[0].text == "say")
		body := s
		for k, x := range s {
			if x.is(tWord, "if") || x.is(tWord, "unless") {
				body = s[:k]
				if lines, known = lineRange(s[k+1:]); known && x.text == "unless" {
					lines = without(lines)
				}
				break
			}
		}
		switch {
		case prints && known && wholeLine(body[1:]):
			printed = joinSpans(append(printed, lines...))
		case prints:
			out.maybe = true
		case !harmless(s):
			out.verbatim = false
			for _, x := range s {
				switch x.text {
				case "next", "last", "exit", "print", "puts", "printf", "say", "break", "die", "$_", "redo", "each", "eof":
					if x.text != "$_" || j.o.Print && len(s) > 1 && s[1].op("=") {
						ok = false
					}
				}
			}
		}
	}
	switch {
	case !ok:
		out = output{maybe: true}
	case j.o.Print:
		out.whole = true
	case len(printed) == 1 && printed[0] == [2]int{1, 0}:
		out.whole = true
	default:
		out.spans = printed
		out.verbatim = out.verbatim && len(printed) > 0
	}
	j.out.Touches = append(j.out.Touches, inputTouches(operands(j.argv, j.o), j.o.Inplace, out, string(j.lang))...)
}

// statement is how many tokens the first statement has.
func statement(t []token) int {
	for i := 0; i < len(t); i++ {
		if t[i].kind == tLine || t[i].op(";") {
			return i + 1
		}
		i += max(t[i].match, 0)
	}
	return len(t)
}

// wholeLine reports whether the arguments of print hold the line: nothing, $_, or a text with $_ in it.
func wholeLine(t []token) bool {
	line := len(t) == 0
	for i, x := range t {
		switch {
		case x.is(tWord, "$_"):
			line = true
		case x.kind == tStr:
			for _, p := range x.parts {
				line = line || len(p.code) == 1 && p.code[0].text == "$_"
			}
		case x.is(tWord, "$.") || x.op(",") || x.op(".") || x.op("+") || x.kind == tNum:
		case x.is(tWord, "length") || x.op("(") && i > 0 && t[i-1].text == "length" && x.match == 1 || x.op(")"):
		default:
			return false
		}
	}
	return line
}

// harmless reports whether a statement leaves the line alone: it only runs or writes elsewhere.
func harmless(t []token) bool {
	return t[0].text == "BEGIN" || t[0].text == "END" || t[0].text == "close" || t[0].text == "unlink" || t[0].text == "system"
}
