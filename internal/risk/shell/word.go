package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/mbgate/mbgate/internal/risk/reason"
)

// field is a word while it is being put together.
type field struct {
	text   []byte
	pat    []byte // the same as a pattern: what was quoted is escaped
	globby bool
	quoted bool
	some   bool // there is a word even if it is empty
	unset  bool // a variable that is not set is in it
	reads  []Read
}

func (f *field) lit(s string, quoted bool) {
	f.text = append(f.text, s...)
	f.some = f.some || s != ""
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '*', '?', '[':
			if !quoted {
				f.globby = true
			} else {
				f.pat = append(f.pat, '\\')
			}
		case '\\':
			f.pat = append(f.pat, '\\')
		case ']':
			if quoted {
				f.pat = append(f.pat, '\\')
			}
		}
		f.pat = append(f.pat, s[i])
	}
}

// expander turns the parts of words into fields as the shell does: unquoted text is split, then globbed.
type expander struct {
	w    *walker
	st   *shell
	cur  field
	done []field
	one  bool // no splitting: assignments, redirections, case words
}

// fields expands words to arguments.
func (w *walker) fields(st *shell, words []*syntax.Word) []arg {
	var out []arg
	for _, word := range words {
		first := len(out)
		for _, parts := range braces(word) {
			x := expander{w: w, st: st}
			x.parts(parts, false, true)
			x.flush()
			for _, f := range x.done {
				out = w.addField(st, out, f)
			}
		}
		for i := first; i < len(out); i++ {
			if !isKnown(out[i].s) {
				out[i].word = word
			}
		}
		if len(out) > maxFields {
			w.unbounded(reason.Reason{Kind: reason.TooManyWords})
			return append(out[:maxFields], arg{s: anyText})
		}
	}
	return out
}

func (w *walker) addField(st *shell, out []arg, f field) []arg {
	w.spend(&f)
	if f.globby && !st.opts.noglob {
		names, ok := w.glob(st, string(f.pat))
		switch {
		case !ok:
			return append(out, arg{s: beforeGlob(string(f.pat)) + anyText, reads: f.reads})
		case len(names) > 0:
			for _, n := range names {
				out = append(out, arg{s: n, quoted: true})
			}
			return out
		case st.opts.nullglob:
			return out
		}
	}
	return append(out, arg{s: string(f.text), reads: f.reads, quoted: f.quoted, unset: f.unset && string(f.text) == anyText})
}

// single expands a word to one string without splitting and globbing.
func (w *walker) single(st *shell, word *syntax.Word) arg {
	if word == nil {
		return arg{}
	}
	f := w.unsplit(st, word.Parts)
	return arg{s: string(f.text), reads: f.reads, quoted: f.quoted}
}

// pattern expands a word to a pattern, in which what was quoted is escaped.
func (w *walker) pattern(st *shell, word *syntax.Word) string {
	if word == nil {
		return ""
	}
	f := w.unsplit(st, word.Parts)
	return string(f.pat)
}

// spend counts what expansions make. Beyond a bound in proportion to nothing but the command's own size they are
// unknown text: doubling a variable sixty times must cost nothing.
func (w *walker) spend(f *field) {
	w.spent += len(f.text)
	if w.spent > 4<<20 && len(f.text) > 64 {
		f.text, f.pat, f.globby = []byte(anyText), []byte(anyText), false
	}
}

func (w *walker) unsplit(st *shell, parts []syntax.WordPart) field {
	x := expander{w: w, st: st, one: true}
	x.parts(parts, false, true)
	w.spend(&x.cur)
	return x.cur
}

func (x *expander) flush() {
	if x.cur.some || x.cur.quoted {
		if len(x.done) <= maxFields {
			x.done = append(x.done, x.cur)
		}
	}
	x.cur = field{}
}

func (x *expander) parts(parts []syntax.WordPart, quoted, first bool) {
	for i, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			x.literal(p.Value, quoted, first && i == 0)
		case *syntax.SglQuoted:
			x.cur.quoted = true
			s := p.Value
			if p.Dollar {
				s = ansiC(s)
			}
			x.cur.lit(s, true)
		case *syntax.DblQuoted:
			x.cur.quoted = true
			x.parts(p.Parts, true, false)
		case *syntax.ParamExp:
			x.param(p, quoted)
		case *syntax.CmdSubst:
			c := x.w.substitute(x.st, p)
			x.value(strings.TrimRight(c.text, "\n"), c.reads, quoted)
		case *syntax.ArithmExp:
			x.value(x.w.arithText(x.st, p.X), nil, quoted)
		case *syntax.ProcSubst:
			x.value(x.w.process(x.st, p), nil, true)
		case *syntax.ExtGlob:
			x.cur.lit(anyText, true)
		default:
			x.cur.lit(anyText, true)
		}
	}
}

// literal adds text of the command itself: backslashes escape, a tilde at the start is a home folder.
func (x *expander) literal(s string, quoted, first bool) {
	if first && !quoted && strings.HasPrefix(s, "~") {
		name, _, _ := strings.Cut(s[1:], "/")
		if i := strings.IndexByte(name, ':'); i >= 0 {
			name = name[:i]
		}
		rest := s[1+len(name):]
		switch {
		case name == "" && x.w.env.Home != "":
			x.cur.lit(x.w.home(x.st), true)
			s = rest
		case name == "+" && x.st.cwd != "":
			x.cur.lit(x.st.cwd, true)
			s = rest
		default:
			x.cur.lit(anyText, true)
			s = rest
		}
	}
	if strings.IndexByte(s, '\\') < 0 {
		x.cur.lit(s, quoted)
		return
	}
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			j := i + 1
			for j < len(s) && s[j] != '\\' {
				j++
			}
			x.cur.lit(s[i:j], quoted)
			i = j - 1
			continue
		}
		i++
		switch {
		case s[i] == '\n':
		case quoted && strings.IndexByte("$`\"\\", s[i]) < 0:
			x.cur.lit(s[i-1:i+1], true)
		default:
			x.cur.quoted = x.cur.quoted || !quoted
			x.cur.lit(s[i:i+1], true)
		}
	}
}

func (w *walker) home(st *shell) string {
	if v := st.lookup("HOME"); v != nil {
		return v.s
	}
	return w.env.Home
}

// value adds the result of an expansion: unquoted, it is split at blanks and may be a pattern.
func (x *expander) value(s string, reads []Read, quoted bool) {
	x.cur.reads = append(x.cur.reads, reads...)
	if quoted || x.one {
		x.cur.lit(s, quoted)
		return
	}
	seps := " \t\n"
	if ifs := x.st.lookup("IFS"); ifs != nil && isKnown(ifs.s) {
		seps = ifs.s
	}
	for s != "" {
		i := strings.IndexAny(s, seps)
		if i < 0 || seps == "" {
			x.cur.lit(s, false)
			return
		}
		x.cur.lit(s[:i], false)
		if x.cur.some {
			reads = x.cur.reads
			x.flush()
			x.cur.reads = reads
		}
		s = s[i+1:]
	}
}

// list adds the elements of "$@" or an array.
func (x *expander) list(list []string, reads []Read, quoted bool) {
	for i, s := range list {
		if i > 0 {
			if x.one {
				x.cur.lit(" ", quoted)
			} else {
				x.flush()
			}
		}
		if quoted && !x.one {
			x.cur.some = true
		}
		x.value(s, reads, quoted)
		if len(x.done) > maxFields {
			return
		}
	}
}
