package script

import (
	"strconv"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

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
	var open []int
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
				t.Whole, t.Full = true, true
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
			t.Full, t.Whole = out.whole, out.whole && out.verbatim
			if i == 0 && !out.whole {
				t.Spans = out.spans
			}
		}
		ts = append(ts, t)
	}
	return ts
}
