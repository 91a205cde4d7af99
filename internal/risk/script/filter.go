package script

import (
	"slices"

	"github.com/mbgate/mbgate/internal/event"
)

// What filters print of their input. Only rules of awk that ask for the number of a line and print the whole line are
// told exactly; of any other script what is printed is some part of the input.

// rule is what a filter does with the lines that a pattern selects.
type rule struct{ pattern, action []token }

// printedLines is what the rules print of the input.
func printedLines(rules []rule) output {
	var printed [][2]int
	exact, maybe := true, false
	for _, r := range rules {
		if len(r.pattern) > 0 && (r.pattern[0].text == "BEGIN" || r.pattern[0].text == "END") {
			continue
		}
		lines, known := selected(r.pattern)
		exact = exact && known && wholeLine(r.action)
		maybe = maybe || !slices.ContainsFunc(r.action, func(x token) bool { return x.op(">") || x.op(">>") || x.op("|") })
		printed = joinSpans(append(printed, lines...))
	}
	if !exact {
		return output{maybe: maybe}
	}
	if slices.Equal(printed, everyLine()) {
		return output{whole: true, verbatim: true}
	}
	return output{spans: printed, verbatim: len(printed) > 0}
}

// wholeLine reports whether an action is one print of the line, with nothing but texts and counters beside it.
func wholeLine(t []token) bool {
	t = slices.DeleteFunc(slices.Clone(t), func(x token) bool { return x.kind == tLine || x.op(";") || x.op(",") })
	if len(t) == 0 || !t[0].is(tWord, "print") {
		return false
	}
	line := len(t) == 1
	for i, x := range t[1:] {
		switch {
		case x.is(tNum, "0") && t[i].op("$"):
			line = true
		case x.kind == tStr, x.kind == tNum, x.op("$") && at(t, i+2).is(tNum, "0"):
		case x.is(tWord, "NR"), x.is(tWord, "FNR"), x.is(tWord, "NF"), x.is(tWord, "FILENAME"):
		default:
			return false
		}
	}
	return line
}

// selected is the lines that a pattern selects; known is false for what depends on their text.
func selected(t []token) (lines [][2]int, known bool) {
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
	if len(t) == 0 || len(t) == 1 && (t[0].kind == tNum && t[0].text != "0" || t[0].kind == tStr && t[0].text != "") {
		return [][2]int{{1, 0}}, true
	}
	return lineRange(t)
}

// output is what of its input lines a filter prints.
type output struct {
	spans    [][2]int
	whole    bool // every line
	verbatim bool // as it stands
	maybe    bool // something beyond spans may be printed
}

// inputTouches are the reads of a filter's operands. Line numbers run on over the operands, so spans that are not the
// whole are only known for the first.
func inputTouches(files []string, inplace bool, out output, why string) []Touch {
	if len(files) == 0 {
		files = []string{"-"}
	}
	ts := make([]Touch, 0, len(files))
	for i, f := range files {
		t := Touch{Path: f, Known: f != "", Op: event.OpRead, Why: "operand of " + why}
		if f == "-" {
			t.Path = Stdin
		}
		if !inplace && (out.whole || out.maybe || len(out.spans) > 0) {
			t.Printed, t.Verbatim = true, out.verbatim
			t.Whole = out.whole && out.verbatim
			if i == 0 && !out.whole {
				t.Spans = out.spans
			}
		}
		ts = append(ts, t)
	}
	return ts
}
