package script

import "strings"

// SedSpans tells which lines of its input a sed script prints. whole means every line; spans are the lines that are
// certainly printed when they are not all (see Touch.Spans); verbatim says that they are printed as they stand. quiet is
// sed -n.
func SedSpans(script string, quiet bool) (spans [][2]int, whole, verbatim bool) {
	cmds, ok := parseSed(script)
	if !ok {
		return nil, false, false
	}
	out := sedOutput(cmds, quiet || strings.HasPrefix(script, "#n\n"))
	return out.spans, out.whole, out.verbatim
}
