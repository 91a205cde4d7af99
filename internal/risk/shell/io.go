package shell

import (
	"regexp"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/expand"
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

// conversions are those of printf, with their widths.
const conversions = `%[-+ #0-9.*']*(\([^)]*\))?[a-zA-Z]`

// formatted is what printf makes of its arguments, one round of the format after another. A number that is not known, and what the
// library does not format, is a name.
func formatted(format string, args []arg) string {
	words := make([]string, len(args))
	known := true
	for i, a := range args {
		words[i] = a.s
		known = known && isKnown(a.s)
	}
	if _, _, err := expand.Format(nil, format, words); err != nil || !known {
		format = regexp.MustCompile(conversions).ReplaceAllString(format, "%s")
		for i := range words {
			if err != nil {
				words[i] = anyName
			}
		}
	}
	var b strings.Builder
	for {
		text, used, err := expand.Format(nil, format, words)
		if err != nil {
			return anyText
		}
		b.WriteString(text)
		words = words[used:]
		if used == 0 || len(words) == 0 || b.Len() > maxText/8 {
			return b.String()
		}
	}
}

// ansiC decodes the escapes of $'…' and echo -e.
func ansiC(s string) string {
	text, _, err := expand.Format(nil, s, nil)
	if err != nil {
		return anyText
	}
	return text
}

// number is the number that a text begins with, of at most so many digits, and how many it has.
func number(s string, base, most int) (n, used int) {
	for used < len(s) && used < most {
		if _, err := strconv.ParseUint(s[used:used+1], base, 8); err != nil {
			break
		}
		used++
	}
	v, _ := strconv.ParseUint(s[:used], base, 32)
	return int(v), used
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
