package script

import (
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

// What the walk over a script records: touched files, commands, what is printed, and the folder it is in.

// touch records an operation on the files that a value names.
func (ev *eval) touch(op event.Op, v value, tree bool, why string) (last int) {
	last = -1
	alts := v.alternatives()
	for _, a := range alts {
		if a.k == vList {
			for _, it := range a.items {
				if it.k != vDict { // options
					last = ev.touch(op, it, tree, why)
				}
			}
			if a.open {
				last = ev.touchOne(op, value{}, tree, false, why)
			}
			continue
		}
		if a.k == vFile {
			if h := ev.handles[a.ref]; !h.stdout && !h.pipe && !h.read {
				continue
			}
			continue
		}
		last = ev.touchOne(op, a, tree, len(alts) > 1, why)
	}
	return last
}

func (ev *eval) touchOne(op event.Op, v value, tree, maybe bool, why string) int {
	s, known := v.plain()
	known = known && s != ""
	if v.k == vNum && ev.lang == Node { // a descriptor
		if s != "0" {
			return -1
		}
		s = Stdin
	}
	if known && special(s) != 0 {
		if op != event.OpRead || special(s) != 'i' {
			return -1
		}
		s = Stdin
	}
	if s != Stdin && !strings.HasPrefix(s, "/") {
		switch {
		case ev.dirUnknown:
			known, s = false, ""
		case ev.dir != "" && (known || s != ""):
			s = strings.TrimSuffix(ev.dir, "/") + "/" + s
		}
	}
	t := Touch{Path: s, Known: known, Op: op, Tree: tree, Maybe: maybe, Why: why}
	for i, u := range ev.out.Touches {
		if i > 64 {
			break
		}
		if u.Path == s && u.Known == known && u.Op == op && u.Tree == tree && u.Why == why && op != event.OpRead {
			ev.out.Touches[i].Maybe = u.Maybe && maybe
			return i
		}
	}
	if len(ev.out.Touches) >= maxEffects {
		ev.opaque("the script touches too many files to list")
		return -1
	}
	ev.out.Touches = append(ev.out.Touches, t)
	return len(ev.out.Touches) - 1
}

// special tells the names that are no files: 'i' standard input, 'o' standard output, 'x' what swallows all; 0 for files.
func special(path string) byte {
	switch path {
	case "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "php://stdin", "-":
		return 'i'
	case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "php://output", "php://stdout", "/dev/tty":
		return 'o'
	case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2", "/dev/null", "php://stderr", "php://memory", "php://temp", ":memory:":
		return 'x'
	}
	if strings.HasPrefix(path, "http://") || strings.HasPrefix(path, "https://") {
		return 'x'
	}
	return 0
}

// run records a command.
func (ev *eval) run(r Run) value {
	if len(ev.out.Runs) >= maxEffects {
		ev.opaque("the script runs too many commands to list")
		return value{}
	}
	if r.Dir == "" {
		r.Dir = ev.dir
	} else if !strings.HasPrefix(r.Dir, "/") && ev.dir != "" {
		r.Dir = strings.TrimSuffix(ev.dir, "/") + "/" + r.Dir
	}
	r.DirUnknown = r.DirUnknown || ev.dirUnknown && !strings.HasPrefix(r.Dir, "/")
	ev.out.Runs = append(ev.out.Runs, r)
	return value{class: "out", flows: []flow{{ref: ^(len(ev.out.Runs) - 1), full: true, verbatim: true}}}
}

// words is a command given as a list of words.
func (ev *eval) words(items []value, open bool, why string) Run {
	r := Run{Known: true, Why: why}
	for _, it := range items {
		s, known := it.plain()
		if !known {
			s, r.Known = "", false
			if it.k == vList && it.open {
				open = true
			}
		}
		r.Args = append(r.Args, s)
	}
	if open {
		r.Args, r.Known = append(r.Args, ""), false
	}
	return r
}

// shell is a command given as text.
func (ev *eval) shell(v value, why string) []Run {
	var rs []Run
	for _, a := range v.alternatives() {
		s, known := a.plain()
		rs = append(rs, Run{Shell: s, Known: known, Why: why})
	}
	return rs
}

// show notes that values reach standard output.
func (ev *eval) show(vs ...value) {
	for _, v := range vs {
		if v.k == vFile {
			v = ev.content(v, "text")
		}
		for _, f := range v.allFlows() {
			ev.showFlow(f)
		}
	}
}

func (ev *eval) showFlow(f flow) {
	if f.ref < 0 {
		if i := ^f.ref; i < len(ev.out.Runs) {
			ev.out.Runs[i].Printed = true
		}
		return
	}
	if f.ref >= len(ev.out.Touches) {
		return
	}
	t := &ev.out.Touches[f.ref]
	certain := !f.elem || ev.cond <= f.cond
	full := f.full && certain
	t.Printed = true
	if full && len(f.spans) == 0 {
		t.Verbatim = f.verbatim && (t.Verbatim || !t.Full)
		t.Full, t.Whole = true, t.Whole || f.verbatim
		t.Spans = nil
		return
	}
	if !t.Full && certain && len(f.spans) > 0 {
		t.Spans = append(t.Spans, f.spans...)
		t.Verbatim = f.verbatim
	}
}

// content is what reading from an open file gives: text, lines, line or part.
func (ev *eval) content(v value, what string) value {
	if v.k != vFile {
		switch what {
		case "part", "line":
			return value{k: vUnknown, flows: partly(v.allFlows())}
		}
		return value{flows: v.allFlows(), class: v.class}
	}
	h := ev.handles[v.ref]
	if !h.read {
		return value{}
	}
	f := flow{ref: h.ref, full: true, verbatim: true}
	switch what {
	case "lines":
		f.lines = true
		return value{k: vUnknown, class: "lines", flows: []flow{f}}
	case "line":
		if ev.iterating {
			f.elem, f.cond = true, ev.cond
			return value{flows: []flow{f}}
		}
		fallthrough
	case "part":
		return value{flows: partly([]flow{f})}
	}
	return value{flows: []flow{f}}
}

// openFile opens a path in a mode and gives the handle.
func (ev *eval) openFile(path, mode value, why string) value {
	h := handle{path: path, ref: -1}
	if s, known := path.plain(); known {
		if path.k == vNum {
			s = map[string]string{"0": "/dev/stdin", "1": "/dev/stdout", "2": "/dev/stderr"}[s]
			if s == "" {
				s = "/dev/null" // an inherited descriptor
			}
			path = text(s)
		}
		h.stdout = special(s) == 'o'
	}
	if path.k == vFile {
		return path
	}
	for _, m := range mode.alternatives() {
		s, known := m.plain()
		maybe := !known || mode.k == vAlt
		op, writes, reads := openMode(s)
		if !known && (s == "" || m.k != vStr) {
			op, writes, reads = event.OpWrite, true, true
		}
		if writes && !h.stdout {
			n := len(ev.out.Touches)
			ev.touch(op, path, false, why)
			for i := n; maybe && i < len(ev.out.Touches); i++ {
				ev.out.Touches[i].Maybe = true
			}
		}
		if reads {
			h.read = true
			h.ref = ev.touch(event.OpRead, path, false, why)
		}
	}
	if h.ref < 0 {
		h.read = false
	}
	ev.handles = append(ev.handles, h)
	return value{k: vFile, class: "file", ref: len(ev.handles) - 1}
}

// openMode is what a mode of fopen(3), or flags of open(2) by name, do.
func openMode(m string) (op event.Op, writes, reads bool) {
	if strings.Contains(m, "O_") || strings.Contains(m, "WR") || strings.Contains(m, "RD") {
		writes = strings.Contains(m, "WR") || strings.Contains(m, "CREAT") || strings.Contains(m, "TRUNC") || strings.Contains(m, "APPEND")
		op = event.OpWrite
		if strings.Contains(m, "APPEND") && !strings.Contains(m, "TRUNC") {
			op = event.OpAppend
		}
		return op, writes, !writes
	}
	m, _, _ = strings.Cut(m, ":") // ruby's and perl's encodings
	switch {
	case strings.HasPrefix(m, ">>"):
		return event.OpAppend, true, false
	case strings.HasPrefix(m, ">"):
		return event.OpWrite, true, false
	case strings.ContainsAny(m, "wc"):
		return event.OpWrite, true, false
	case strings.Contains(m, "a"):
		return event.OpAppend, true, false
	case strings.Contains(m, "x"):
		return event.OpCreate, true, false
	case strings.Contains(m, "+"):
		return event.OpWrite, true, true
	}
	return event.OpRead, false, true
}

// chdir changes the folder that paths are relative to.
func (ev *eval) chdir(v value) {
	s, known := v.plain()
	if !known || s == "" {
		ev.dirUnknown = true
		ev.out.Chdir = append(ev.out.Chdir, "")
		return
	}
	ev.out.Chdir = append(ev.out.Chdir, s)
	switch {
	case strings.HasPrefix(s, "/"):
		ev.dir, ev.dirUnknown = s, false
	case ev.dir != "":
		ev.dir = strings.TrimSuffix(ev.dir, "/") + "/" + s
	default:
		ev.dir = s
	}
}
