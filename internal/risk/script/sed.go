package script

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

// The parser of sed and what its commands do stay together: each command is read and judged by one letter.

// sedAddr is one address of a sed command.
type sedAddr struct {
	kind byte // 0 none, 'n' line number, '$' last line, '/' regular expression or anything that depends on the text, '+' count after the first
	n    int
}

// sedCmd is one command of a sed script; depth counts the braces around it, groups are flattened.
type sedCmd struct {
	a, b  sedAddr
	neg   bool
	cmd   byte
	arg   string // file of r R w W, command of e, label
	print bool   // s///p
	exec  bool   // s///e
	end   int    // for '{': index after the matching '}'
}

// parseSed splits a script into its commands. ok is false where sed itself would refuse it or the text ends too early.
func parseSed(s string) (cmds []sedCmd, ok bool) {
	p := &sedParser{s: s}
	var open []int // the groups that are not closed
	if strings.HasPrefix(s, "#n\n") {
		p.i = 3
	}
	for {
		p.skip(" \t\n;")
		if p.i >= len(s) {
			break
		}
		var c sedCmd
		if c.a, ok = p.addr(); !ok {
			return cmds, false
		}
		if c.a.kind != 0 {
			p.skip(" \t")
			if p.peek() == ',' {
				p.i++
				p.skip(" \t")
				if c.b, ok = p.addr2(); !ok {
					return cmds, false
				}
			}
		}
		p.skip(" \t")
		for p.peek() == '!' {
			c.neg = true
			p.i++
			p.skip(" \t!")
		}
		if p.i >= len(s) {
			return cmds, false
		}
		c.cmd = p.s[p.i]
		p.i++
		switch c.cmd {
		case '{':
			open = append(open, len(cmds))
		case '}':
			if len(open) == 0 {
				return cmds, false
			}
			cmds[open[len(open)-1]].end = len(cmds)
			open = open[:len(open)-1]
			continue
		case '#':
			p.line()
			continue
		case 'a', 'i', 'c':
			p.text()
		case 'r', 'R', 'w', 'W':
			p.skip(" \t")
			c.arg = p.line()
			if c.arg == "" {
				return cmds, false
			}
		case 'e', 'v':
			p.skip(" \t")
			c.arg = p.line()
		case ':':
			p.skip(" \t")
			c.arg = strings.TrimSpace(p.label())
		case 'b', 't', 'T':
			p.skip(" \t")
			c.arg = strings.TrimSpace(p.label())
		case 's':
			if !p.delimited(2) {
				return cmds, false
			}
		flags:
			for p.i < len(s) {
				switch f := s[p.i]; {
				case f == 'w':
					p.i++
					p.skip(" \t")
					c.arg = p.line()
					break flags
				case f == 'e':
					c.exec = true
				case f == 'p':
					c.print = true
				case strings.IndexByte("gIiMm0123456789", f) >= 0:
				default:
					break flags
				}
				p.i++
			}
		case 'y':
			if !p.delimited(2) {
				return cmds, false
			}
		case '=', 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z', 'F':
		case 'l', 'L', 'q', 'Q':
			p.skip(" \t")
			p.skip("0123456789")
		default:
			return cmds, false
		}
		cmds = append(cmds, c)
	}
	return cmds, len(open) == 0
}

type sedParser struct {
	s string
	i int
}

func (p *sedParser) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

func (p *sedParser) skip(set string) {
	for p.i < len(p.s) && strings.IndexByte(set, p.s[p.i]) >= 0 {
		p.i++
	}
}

// line is the rest of the line.
func (p *sedParser) line() string {
	rest := p.s[p.i:]
	if n := strings.IndexByte(rest, '\n'); n >= 0 {
		p.i += n + 1
		return rest[:n]
	}
	p.i = len(p.s)
	return rest
}

// label is a label's name: to the end of the line, or a semicolon (GNU) or closing brace.
func (p *sedParser) label() string {
	start := p.i
	for p.i < len(p.s) && strings.IndexByte(";\n}", p.s[p.i]) < 0 {
		p.i++
	}
	return p.s[start:p.i]
}

// text skips the text of a, i and c: to the end of the line, a backslash at the end continues it.
func (p *sedParser) text() {
	p.skip(" \t")
	for p.i < len(p.s) {
		switch p.s[p.i] {
		case '\\':
			p.i++
		case '\n':
			p.i++
			return
		}
		p.i++
	}
	p.i = min(p.i, len(p.s))
}

// delimited skips n parts after a delimiter that the next byte names (s/a/b/, y/a/b/).
func (p *sedParser) delimited(n int) bool {
	if p.i >= len(p.s) || p.s[p.i] == '\n' || p.s[p.i] == '\\' {
		return false
	}
	d := p.s[p.i]
	p.i++
	for part := 0; n > 0; part++ {
		if !p.until(d, part == 0) {
			return false
		}
		n--
	}
	return true
}

// until skips to behind the next unescaped d; inside a bracket expression of a regular expression d is ordinary.
func (p *sedParser) until(d byte, regex bool) bool {
	for p.i < len(p.s) {
		c := p.s[p.i]
		p.i++
		switch {
		case c == d:
			return true
		case c == '\\':
			p.i++
		case c == '\n' && regex:
			return false
		case c == '[' && regex:
			if e := bracketEnd(p.s, p.i); e > 0 {
				p.i = e
			}
		}
	}
	return false
}

// bracketEnd is the index behind a POSIX bracket expression that starts before i, 0 if it does not end on its line.
func bracketEnd(s string, i int) int {
	if i < len(s) && s[i] == '^' {
		i++
	}
	if i < len(s) && s[i] == ']' {
		i++
	}
	for limit := i + 512; i < len(s) && i < limit; i++ {
		switch s[i] {
		case ']':
			return i + 1
		case '\n':
			return 0
		case '[':
			if i+1 < len(s) && strings.IndexByte(":.=", s[i+1]) >= 0 {
				if n := strings.Index(s[i+2:min(len(s), i+40)], string([]byte{s[i+1], ']'})); n >= 0 {
					i += n + 3
				}
			}
		}
	}
	return 0
}

func (p *sedParser) number() int {
	start := p.i
	p.skip("0123456789")
	n, err := strconv.Atoi(p.s[start:p.i])
	if err != nil {
		return 1 << 30
	}
	return n
}

func (p *sedParser) addr() (sedAddr, bool) {
	c := p.peek()
	switch {
	case c >= '0' && c <= '9':
		a := sedAddr{'n', p.number()}
		if p.peek() == '~' {
			p.i++
			p.number()
			a.kind = '/'
		}
		if a.kind == 'n' && a.n == 0 { // 0,/re/
			a.kind = '/'
		}
		return a, true
	case c == '$':
		p.i++
		return sedAddr{kind: '$'}, true
	case c == '/' || c == '\\':
		if c == '\\' {
			p.i++
		}
		if p.i >= len(p.s) {
			return sedAddr{}, false
		}
		d := p.s[p.i]
		p.i++
		if !p.until(d, true) {
			return sedAddr{}, false
		}
		p.skip("IM")
		return sedAddr{kind: '/'}, true
	}
	return sedAddr{}, true
}

func (p *sedParser) addr2() (sedAddr, bool) {
	switch p.peek() {
	case '+':
		p.i++
		return sedAddr{'+', p.number()}, true
	case '~':
		p.i++
		p.number()
		return sedAddr{kind: '/'}, true
	}
	a, ok := p.addr()
	return a, ok && a.kind != 0
}

// judgeSed tells what a sed script writes and runs, and what of its operands it prints.
func judgeSed(src string, argv []string, o Options) Effects {
	var e Effects
	cmds, ok := parseSed(src)
	if !ok {
		e.Opaque = append(e.Opaque, "the sed script cannot be parsed")
	}
	grouped := 0
	for i, c := range cmds {
		grouped = max(grouped, c.end)
		switch c.cmd {
		case 'w', 'W', 's':
			if c.exec {
				e.Opaque = append(e.Opaque, "sed s///e runs text from the input as a command")
			}
			if c.arg != "" && c.arg != "/dev/stdout" && c.arg != "/dev/stderr" {
				e.Touches = append(e.Touches, Touch{Path: c.arg, Known: true, Op: event.OpWrite, Why: "sed " + string(c.cmd) + " command"})
			}
		case 'r', 'R':
			t := Touch{Path: c.arg, Known: true, Op: event.OpRead, Printed: !o.Inplace, Verbatim: !o.Inplace, Why: "sed " + string(c.cmd) + " command"}
			if c.cmd == 'r' && !o.Inplace && !c.neg && i >= grouped && (c.a.kind == '$' || c.a == sedAddr{'n', 1} || c.a.kind == 0) {
				t.Whole = true
			}
			e.Touches = append(e.Touches, t)
		case 'e':
			if c.arg == "" {
				e.Opaque = append(e.Opaque, "sed e runs text from the input as a command")
			} else {
				e.Runs = append(e.Runs, Run{Shell: c.arg, Known: true, Printed: !o.Inplace, Why: "sed e command"})
			}
		}
	}
	quiet := o.Quiet || strings.HasPrefix(src, "#n\n")
	out := sedOutput(cmds, quiet)
	if !ok {
		out = output{maybe: true}
	}
	e.Touches = append(e.Touches, inputTouches(operands(argv, o), o.Inplace, out, "sed")...)
	return e
}

// maxSedCommands bounds the ranges of lines that are put together, which is quadratic in the commands.
const maxSedCommands = 200

// lines are those that the addresses of a command select; known is false when that depends on their text or their number.
func (c sedCmd) lines() (lines [][2]int, known bool) {
	last := c.b.n
	switch c.b.kind {
	case 0:
		last = c.a.n
	case '$':
		last = 0
	case '+':
		last += c.a.n
	case '/':
		return nil, false
	}
	switch {
	case c.a.kind == 0:
		lines = everyLine()
	case c.a.kind != 'n':
		return nil, false
	case last != 0:
		lines = [][2]int{{c.a.n, max(c.a.n, last)}}
	default:
		lines = [][2]int{{c.a.n, 0}}
	}
	if c.neg {
		return without(lines), true
	}
	return lines, true
}

// sedOutput tells which lines a script prints. Commands that take lines together, jump, or use the hold space are not
// followed.
func sedOutput(cmds []sedCmd, quiet bool) output {
	type group struct {
		end   int
		lines [][2]int
		known bool
	}
	groups := []group{{len(cmds) + 1, everyLine(), true}}
	live := everyLine() // the lines that come to a command
	var printed, quits [][2]int
	out := output{verbatim: true, maybe: len(cmds) > maxSedCommands}
	edited, last := false, false
	for i, c := range cmds[:min(len(cmds), maxSedCommands)] {
		for i >= groups[len(groups)-1].end {
			groups = groups[:len(groups)-1]
		}
		around := groups[len(groups)-1]
		lines, known := c.lines()
		lines, known = meet(lines, around.lines), known && around.known
		switch c.cmd {
		case '{':
			groups = append(groups, group{c.end, lines, known})
		case 'p':
			switch {
			case known:
				printed = joinSpans(append(printed, meet(lines, live)...))
			case len(groups) == 1 && c.a.kind == '$' && !c.neg && slices.Equal(live, everyLine()):
				last = true
			default:
				out.maybe = true
			}
			out.verbatim = out.verbatim && !edited
		case 's', 'y', 'z':
			edited = true
			if c.print {
				out.maybe, out.verbatim = true, false
			}
		case 'd', 'c', 'q', 'Q':
			switch {
			case !known: // lines are missing, and it is not known which
				return output{maybe: true, verbatim: !edited && out.verbatim}
			case c.cmd == 'd' || c.cmd == 'c':
				live = meet(live, without(lines))
			case len(lines) > 0:
				n := lines[0][0]
				printed = meet(printed, [][2]int{{1, n}})
				if c.cmd == 'q' {
					quits = meet(live, [][2]int{{n, n}})
				}
				live = meet(live, without([][2]int{{n, 0}}))
			}
		case 'n', 'N', 'D', 'g', 'G', 'x', 'b', 't', 'T', 'P', 'l':
			return output{maybe: true}
		}
	}
	if !quiet {
		printed = joinSpans(append(append(printed, live...), quits...))
		out.verbatim = out.verbatim && !edited
	}
	switch {
	case slices.Equal(printed, everyLine()):
		return output{whole: true, verbatim: out.verbatim}
	case last && (len(printed) == 0 || printed[len(printed)-1][1] != 0):
		printed = append(printed, [2]int{-1, 0})
	}
	out.spans = printed
	out.verbatim = out.verbatim && (out.maybe || len(printed) > 0)
	return out
}
