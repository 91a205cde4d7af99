package script

import "slices"

// lineClass is a range of lines between which no numeric address tells a difference; last is the final line of the
// input, whatever its number.
type lineClass struct {
	first, to int // to 0 is the end
	last      bool
}

// classes cuts all lines at the numbers that a script names, so that each class behaves alike.
func classes(numbers []int) []lineClass {
	cuts := []int{1}
	for _, n := range numbers {
		if n > 0 && n < 1<<29 {
			cuts = append(cuts, n, n+1)
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	out := make([]lineClass, 0, len(cuts)+1)
	for i, c := range cuts {
		to := 0
		if i+1 < len(cuts) {
			to = cuts[i+1] - 1
		}
		out = append(out, lineClass{first: c, to: to})
	}
	return append(out, lineClass{last: true})
}

// maxSedCommands bounds the simulation, which is quadratic in the commands that have numbers.
const maxSedCommands = 200

// yesNo is a three-valued truth.
type yesNo int8

const (
	no yesNo = iota
	maybe
	yes
)

func (y yesNo) not() yesNo { return yes - y }

// sedOutput finds out for each class of lines whether the script prints them.
func sedOutput(cmds []sedCmd, quiet bool) output {
	if len(cmds) > maxSedCommands {
		return output{maybe: true}
	}
	var numbers []int
	lastMatters := false
	for _, c := range cmds {
		for _, a := range []sedAddr{c.a, c.b} {
			switch a.kind {
			case 'n':
				numbers = append(numbers, a.n)
			case '$':
				lastMatters = true
			case '+':
				numbers = append(numbers, c.a.n+a.n)
			}
		}
		if strings := "nNDgGxhH"; indexByte(strings, c.cmd) && c.cmd != 'h' && c.cmd != 'H' {
			return sedComplex(cmds, quiet)
		}
		if (c.cmd == 't' || c.cmd == 'b' || c.cmd == 'T') && c.arg != "" {
			return sedComplex(cmds, quiet)
		}
	}
	var out output
	out.verbatim, out.whole = true, true
	gone := no // an earlier q ended the run
	for _, cl := range classes(numbers) {
		if cl.last && !lastMatters {
			continue
		}
		printed, changed, quits := sedLine(cmds, quiet, cl)
		if gone == yes {
			printed = no
		} else if gone == maybe && printed == yes {
			printed = maybe
		}
		if !cl.last {
			gone = max(gone, quits)
		}
		if printed != no && changed {
			out.verbatim = false
		}
		switch printed {
		case yes:
			switch {
			case cl.last && !out.whole:
				if n := len(out.spans); n == 0 || out.spans[n-1][1] != 0 {
					out.spans = append(out.spans, [2]int{-1, 0})
				}
			case cl.last:
			case len(out.spans) > 0 && out.spans[len(out.spans)-1][1] == cl.first-1:
				out.spans[len(out.spans)-1][1] = cl.to
			default:
				out.spans = append(out.spans, [2]int{cl.first, cl.to})
			}
		case maybe:
			out.maybe, out.whole = true, false
		case no:
			out.whole = false
			if n := len(out.spans); cl.last && n > 0 && out.spans[n-1][1] == 0 {
				out.spans, out.maybe = out.spans[:n-1], true
			}
		}
	}
	if out.whole {
		out.spans = nil
	}
	if !out.whole && !out.maybe && len(out.spans) == 0 {
		out.verbatim = false
	}
	return out
}

func indexByte(s string, c byte) bool {
	for i := range len(s) {
		if s[i] == c {
			return true
		}
	}
	return false
}

// sedComplex is the coarse answer for scripts with loops, a hold space or look-ahead.
func sedComplex(cmds []sedCmd, quiet bool) output {
	out := output{whole: !quiet, maybe: true}
	for _, c := range cmds {
		if indexByte("dDqQcxgzn", c.cmd) {
			out.whole = false
		}
	}
	return out
}

// sedLine runs the commands on one class of lines.
func sedLine(cmds []sedCmd, quiet bool, cl lineClass) (printed yesNo, changed bool, quits yesNo) {
	alive, edited := yes, false
	auto := !quiet
	for i := 0; i < len(cmds); i++ {
		c := cmds[i]
		m := min(sedMatch(c, cl), alive)
		if m == no {
			if c.cmd == '{' {
				i = max(i, c.end-1)
			}
			continue
		}
		switch c.cmd {
		case '{':
			if m == maybe {
				// A group that may run: what it prints, drops or changes is only possible.
				sub := slices.Clone(cmds[i+1 : max(i+1, min(c.end, len(cmds)))])
				for k := range sub {
					if sub[k].a.kind == 0 {
						sub[k].a.kind = '/'
					}
					if sub[k].cmd == '{' {
						sub[k].end -= i + 1
					}
				}
				p, ch, q := sedLine(sub, true, cl)
				printed, changed, quits = max(printed, p), changed || ch, max(quits, q)
				for _, s := range sub {
					if indexByte("dcqQ", s.cmd) {
						alive = min(alive, maybe)
					}
					if s.cmd == 's' || s.cmd == 'y' || s.cmd == 'z' {
						edited = true
					}
				}
				i = max(i, c.end-1)
			}
		case 'p', 'P', 'l':
			if c.cmd != 'p' {
				edited = true
			}
			printed, changed = max(printed, m), changed || edited
		case 's':
			if c.print {
				printed, changed = max(printed, maybe), true
			}
			edited = true
		case 'y', 'z':
			edited = true
		case 'd', 'c':
			alive = min(alive, m.not())
		case 'q', 'Q':
			quits = max(quits, m)
			if c.cmd == 'Q' {
				alive = min(alive, m.not())
			} else if m == yes {
				if auto {
					printed, changed = max(printed, alive), changed || edited
				}
				return printed, changed, quits
			}
		case 'b', 't', 'T': // without a label: to the end of the script
			if m == yes && c.cmd == 'b' {
				if auto {
					printed, changed = max(printed, alive), changed || edited
				}
				return printed, changed, quits
			}
			if len(cmds) > i+1 {
				edited = true
			}
		}
	}
	if auto && alive != no {
		printed, changed = max(printed, alive), changed || edited
	}
	return printed, changed, quits
}

// sedMatch says whether a command's addresses select a class of lines.
func sedMatch(c sedCmd, cl lineClass) yesNo {
	m := sedSelect(c, cl)
	if c.neg {
		m = m.not()
	}
	return m
}

func sedSelect(c sedCmd, cl lineClass) yesNo {
	one := func(a sedAddr) yesNo {
		switch {
		case a.kind == '/':
			return maybe
		case a.kind == '$' && cl.last:
			return yes
		case a.kind == 'n' && cl.last:
			return maybe
		case a.kind == 'n' && cl.first == a.n && cl.to == a.n:
			return yes
		}
		return no
	}
	switch {
	case c.a.kind == 0:
		return yes
	case c.b.kind == 0:
		return one(c.a)
	case c.a.kind == '/' || c.b.kind == '/':
		if c.a.kind == 'n' && !cl.last && cl.first < c.a.n {
			return no
		}
		if c.a.kind == 'n' && one(c.a) == yes {
			return yes
		}
		return maybe
	case c.a.kind == '$':
		return one(c.a)
	}
	end := c.b.n
	switch c.b.kind {
	case '$':
		end = 0
	case '+':
		end += c.a.n
	}
	if end != 0 && end < c.a.n {
		end = c.a.n
	}
	if cl.last {
		if end == 0 && c.a.n == 1 {
			return yes
		}
		return maybe
	}
	if cl.first >= c.a.n && (end == 0 || cl.to != 0 && cl.to <= end) {
		return yes
	}
	return no
}

// joinSpans sorts spans and joins those that meet.
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
		case x[0] < 0 || last[0] < 0 || last[1] != 0 && x[0] > last[1]+1:
			out = append(out, x)
		case last[1] != 0 && (x[1] == 0 || x[1] > last[1]):
			last[1] = x[1]
		}
	}
	return out
}
