package shell

import (
	"strings"
)

// echo prints its words; files whose content is in them are shown.
func (w *walker) echo(st *shell, args []arg) {
	escapes, end := false, "\n"
	for len(args) > 0 && len(args[0].s) > 1 && args[0].s[0] == '-' && strings.Trim(args[0].s[1:], "neE") == "" {
		escapes = escapes || strings.Contains(args[0].s, "e")
		if strings.Contains(args[0].s, "n") {
			end = ""
		}
		args = args[1:]
	}
	words := make([]string, 0, len(args))
	var reads []Read
	for _, a := range args {
		words = append(words, a.s)
		reads = append(reads, a.reads...)
	}
	text := strings.Join(words, " ")
	if escapes {
		text = ansiC(strings.ReplaceAll(text, `\c`, ""))
	}
	w.emit(st, 1, text+end, reads)
}

// printf prints its arguments by its format.
func (w *walker) printf(st *shell, args []arg) {
	variable := ""
	for len(args) > 0 {
		if args[0].s == "-v" && len(args) > 1 {
			variable, args = args[1].s, args[2:]
		} else if args[0].s == "--" {
			args = args[1:]
		} else {
			break
		}
	}
	if len(args) == 0 {
		return
	}
	var reads []Read
	for _, a := range args {
		reads = append(reads, a.reads...)
	}
	text := formatted(args[0].s, args[1:])
	if variable != "" {
		st.set(variable, &value{s: text, reads: reads})
		return
	}
	w.emit(st, 1, text, reads)
}

func formatted(format string, args []arg) string {
	var b strings.Builder
	for round := 0; round == 0 || len(args) > 0; round++ {
		used := 0
		for i := 0; i < len(format); i++ {
			if format[i] != '%' {
				j := i
				for j < len(format) && format[j] != '%' {
					j++
				}
				b.WriteString(ansiC(format[i:j]))
				i = j - 1
				continue
			}
			if i++; i == len(format) {
				break
			}
			if format[i] == '%' {
				b.WriteByte('%')
				continue
			}
			j := i
			for j < len(format) && strings.IndexByte("-+ #0123456789.*'", format[j]) >= 0 {
				j++
			}
			if j == len(format) {
				break
			}
			a := ""
			if used < len(args) {
				a = args[used].s
			}
			used++
			switch {
			case format[j] == 's' && j == i, format[j] == 'd' && j == i, format[j] == 'q':
				b.WriteString(a)
			case format[j] == 'b':
				b.WriteString(ansiC(a))
			case format[j] == '(':
				if k := strings.IndexByte(format[j:], ')'); k > 0 {
					j += k + 1
				}
				b.WriteString(anyName)
			case format[j] == 's':
				b.WriteString(anyText)
			default:
				b.WriteString(anyName)
			}
			i = j
		}
		if used == 0 || b.Len() > maxText/8 {
			break
		}
		args = args[min(used, len(args)):]
	}
	return b.String()
}

// read takes a line from standard input into variables. In the condition of a loop it goes through all lines, so that
// what the body shows of the variable is all that was read; else it is the first line.
func (w *walker) read(st *shell, args []arg) {
	opts := parseOptions(&row{val: []optSpec{{name: "d"}, {name: "i"}, {name: "n"}, {name: "N"}, {name: "p"}, {name: "t"}, {name: "u"}, {name: "a"}}}, args)
	in := st.stdin()
	if u, ok := opts.value("u"); ok {
		if n, used := number(u.s, 10, 6); used > 0 {
			if f := st.fds.get(n); f.in != nil {
				in = f.in
			} else {
				in = &content{}
			}
		}
	}
	if in.pos == 0 && in.text == anyText {
		in.text = w.textOf(in)
	}
	reads := in.reads
	rest := in.rest()
	if !w.inCond {
		reads = w.spans(in.reads, []Span{{1, 1}})
		if in.pos > 0 {
			reads = partial(in.reads)
		}
		in.reads = partial(in.reads)
	}
	if rest == "" {
		st.status = failure
		for _, a := range opts.rest {
			st.set(a.s, &value{})
		}
		return
	}
	end := "\n"
	if d, ok := opts.value("d"); ok && d.s != "" {
		end = d.s[:1]
	}
	line, _, found := strings.Cut(rest, end)
	if d, ok := opts.value("d"); ok && d.s == "" {
		line, _, found = strings.Cut(rest, "\n") // find -print0 is followed as lines
	}
	in.pos += len(line)
	if found {
		in.pos++
	}
	st.status = success
	if a, ok := opts.value("a"); ok {
		st.set(a.s, &value{array: true, list: splitRead(st, line, 1<<20), reads: reads})
		return
	}
	names := opts.rest
	if len(names) == 0 {
		names = []arg{{s: "REPLY"}}
	}
	words := []string{line}
	if len(names) > 1 {
		words = splitRead(st, line, len(names))
	}
	for i, n := range names {
		v := &value{reads: reads}
		switch {
		case i < len(words):
			v.s = words[i]
		case strings.Contains(line, anyText):
			v.s = anyText
		}
		if len(names) > 1 {
			v.reads = filtered(reads)
		}
		st.set(n.s, v)
	}
}

// splitRead splits a line at IFS into n words at most.
func splitRead(st *shell, line string, n int) []string {
	if !isKnown(line) {
		if line == anyText {
			out := make([]string, 0, min(n, 16))
			for range min(n, 16) {
				out = append(out, anyText)
			}
			return out
		}
	}
	seps := " \t\n"
	if ifs := st.lookup("IFS"); ifs != nil && isKnown(ifs.s) && ifs.s != "" {
		seps = ifs.s
	}
	var out []string
	for line = strings.TrimLeft(line, " \t"); line != "" && len(out) < n-1 && len(out) < maxFields; {
		i := strings.IndexAny(line, seps)
		if i < 0 {
			break
		}
		out = append(out, line[:i])
		line = line[i+1:]
		if strings.TrimSpace(seps) == "" {
			line = strings.TrimLeft(line, seps)
		}
	}
	if line != "" {
		out = append(out, line)
	}
	return out
}

// mapfile reads all of standard input into an array.
func (w *walker) mapfile(st *shell, args []arg) {
	opts := parseOptions(&row{val: []optSpec{{name: "d"}, {name: "n"}, {name: "O"}, {name: "s"}, {name: "u"}, {name: "C"}, {name: "c"}}}, args)
	name := "MAPFILE"
	if len(opts.rest) > 0 {
		name = opts.rest[0].s
	}
	in := st.stdin()
	if cb, ok := opts.value("C"); ok {
		w.evalText(st, cb.s)
	}
	v := &value{array: true, reads: in.reads}
	if rest := strings.TrimSuffix(in.rest(), "\n"); rest != "" {
		v.list = strings.SplitN(rest, "\n", maxFields)
	}
	st.set(name, v)
}
