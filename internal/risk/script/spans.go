package script

import (
	"slices"
	"strconv"
)

// Ranges of lines, first and last, both counted; a last of 0 is the end of the file.

func everyLine() [][2]int { return [][2]int{{1, 0}} }

// joinSpans sorts ranges and joins those that meet.
func joinSpans(spans [][2]int) [][2]int {
	if len(spans) < 2 {
		return spans
	}
	s := slices.Clone(spans)
	slices.SortFunc(s, func(a, b [2]int) int { return a[0] - b[0] })
	out := s[:1]
	for _, x := range s[1:] {
		last := &out[len(out)-1]
		switch {
		case last[1] != 0 && x[0] > last[1]+1:
			out = append(out, x)
		case last[1] != 0 && (x[1] == 0 || x[1] > last[1]):
			last[1] = x[1]
		}
	}
	return out
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
	n, err := strconv.Atoi(b.text)
	if a.text != "NR" && a.text != "FNR" || b.kind != tNum || err != nil || n > 1<<28 {
		return nil, false
	}
	switch op {
	case "==":
		return [][2]int{{n, n}}, n > 0
	case "<":
		return [][2]int{{1, n - 1}}, n > 1
	case "<=":
		return [][2]int{{1, n}}, n > 0
	case ">":
		return [][2]int{{n + 1, 0}}, true
	case ">=":
		return [][2]int{{max(n, 1), 0}}, true
	}
	return nil, false
}
