package script

import (
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

// What a judge writes down: files that are touched, commands, what is printed, and the folder the script is in.

// maxEffects bounds what is listed of one script.
const maxEffects = 2000

// The reasons why a text cannot tell all that the script does.
const (
	whyLong     = "the script is too long to judge"
	whyUnread   = "the script cannot be read"
	whyDeep     = "the script is nested too deep to judge"
	whyMany     = "the script does too much to list"
	whyText     = "runs computed text"
	whyName     = "computes a function's name"
	whyModule   = "loads a module that is not known"
	whyNoRules  = "no rules for scripts of this language"
	whySedInput = "runs text from the input as a command"
)

func (j *judge) opaque(what, why string) {
	if what != "" {
		why = what + " " + why
	}
	why = string(j.lang) + " " + why
	for _, o := range j.out.Opaque {
		if o == why {
			return
		}
	}
	j.out.Opaque = append(j.out.Opaque, why)
}

// touch notes an operation on the files that a value names. into is the value whose base name counts when the path is a
// folder.
func (j *judge) touch(op event.Op, v value, tree bool, why string, into *value) {
	for _, a := range v.leaves() {
		j.touchOne(Touch{Path: a.text, Known: a.known, Op: op, Tree: tree, Maybe: v.maybe, Why: why}, a, into)
	}
}

// touchOne notes a touch of the file that one value names, and gives its index, -1 for none.
func (j *judge) touchOne(t Touch, v value, into *value) int {
	if v.class == "file" || v.class == "stdout" || v.class == "memory" {
		return -1
	}
	t.Known = t.Known && t.Path != ""
	if t.Known && v.num && v.text != "0" {
		return -1 // a descriptor
	}
	if t.Known && (special(t.Path) != 0 || v.num) {
		if t.Op != event.OpRead || special(t.Path) != 'i' && !v.num {
			return -1
		}
		t.Path = Stdin
	}
	if t.Path != Stdin && !strings.HasPrefix(t.Path, "/") {
		switch {
		case j.dirUnknown:
			t.Known, t.Path = false, ""
		case j.dir != "" && (t.Known || t.Path != ""):
			t.Path = strings.TrimSuffix(j.dir, "/") + "/" + t.Path
		}
	}
	if into != nil && !t.Tree {
		t.Into = true
		if into.isText() {
			t.Name = base(*into).text
		}
	}
	for i, u := range j.out.Touches[:min(len(j.out.Touches), 64)] { // the same thing is said once
		if u.Path == t.Path && u.Known == t.Known && u.Op == t.Op && u.Tree == t.Tree && u.Why == t.Why && u.Name == t.Name && t.Op != event.OpRead {
			j.out.Touches[i].Maybe = u.Maybe && t.Maybe
			return i
		}
	}
	if len(j.out.Touches) >= maxEffects {
		j.opaque("", whyMany)
		return -1
	}
	j.out.Touches = append(j.out.Touches, t)
	return len(j.out.Touches) - 1
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

// run notes a command and gives what stands for it.
func (j *judge) run(r Run) value {
	if len(j.out.Runs) >= maxEffects {
		j.opaque("", whyMany)
		return value{}
	}
	switch {
	case r.Dir == "":
		r.Dir = j.dir
	case !strings.HasPrefix(r.Dir, "/") && j.dir != "":
		r.Dir = strings.TrimSuffix(j.dir, "/") + "/" + r.Dir
	}
	r.DirUnknown = r.DirUnknown || j.dirUnknown && !strings.HasPrefix(r.Dir, "/")
	r.Printed = r.Printed && j.certain()
	j.out.Runs = append(j.out.Runs, r)
	n := len(j.out.Runs)
	return value{class: "out", flows: []flow{{ref: ^(n - 1), full: true}}, run: n}
}

// feed gives a command text on its standard input.
func (j *judge) feed(run int, v value) {
	if run == 0 || run > len(j.out.Runs) {
		return
	}
	r := &j.out.Runs[run-1]
	known := v.isText() && (r.InputKnown || !r.HasInput)
	if r.InputKnown || !r.HasInput {
		r.Input += v.text
	}
	r.HasInput, r.InputKnown = true, known
}

// words is a command given as a list of words.
func words(items []value, more bool, why string) Run {
	r := Run{Known: !more, Why: why}
	for _, it := range items {
		s := it.text
		if !it.isText() {
			s, r.Known = "", false
		}
		r.Args = append(r.Args, s)
	}
	if more {
		r.Args = append(r.Args, "")
	}
	return r
}

// certain reports whether what stands in the script is surely done: no word of it decides anything.
func (j *judge) certain() bool { return !j.decides && !j.muted && j.loops <= 1 }

// show notes that a value reaches standard output; from is where that is said.
func (j *judge) show(v value, from int) {
	for _, f := range v.flows {
		sure := f.full && !f.lines && j.certain() && (!f.line || j.body[0] < from && from < j.body[1])
		switch {
		case f.ref < 0 && ^f.ref < len(j.out.Runs):
			r := &j.out.Runs[^f.ref]
			r.Printed = r.Printed || sure
		case f.ref >= 0 && f.ref < len(j.out.Touches):
			t := &j.out.Touches[f.ref]
			t.Printed = t.Printed || !j.muted
			if sure {
				t.Whole, t.Verbatim = true, true
			}
		}
	}
}

// open opens a path in a mode and gives the handle.
func (j *judge) open(p, mode value, why string) value {
	if p.class == "file" || p.class == "stdout" {
		return p
	}
	if p.isText() && (special(p.text) == 'o' || p.num && p.text == "1") {
		return value{class: "stdout"}
	}
	if p.num && p.text == "2" || p.class == "memory" {
		return value{class: "memory"}
	}
	v := value{class: "file"}
	for _, m := range mode.leaves() {
		if strings.Contains(m.name, "O_") || strings.HasSuffix(m.name, "ONLY") || strings.HasSuffix(m.name, "RDWR") {
			m = text(m.name)
		}
		op, writes, reads := openMode(m.text)
		if !m.known { // a helper passes its mode on: it writes if the script names such a mode
			op, writes, reads = event.OpWrite, j.modes, true
		}
		for _, a := range p.leaves() {
			if writes {
				j.touchOne(Touch{Path: a.text, Known: a.known, Op: op, Maybe: !m.known || mode.maybe || p.maybe, Why: why}, a, nil)
			}
			if !reads {
				continue
			}
			if ref := j.touchOne(Touch{Path: a.text, Known: a.known, Op: event.OpRead, Why: why}, a, nil); ref >= 0 {
				v.flows = append(v.flows, flow{ref: ref, full: m.known && !writes && !mode.maybe && !p.maybe})
			}
		}
	}
	return v
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

// content is what reading from an open file gives. A file that was read from before gives only a part.
func (j *judge) content(v value, what string) value {
	out := value{}
	for _, f := range v.flows {
		if f.ref >= 0 && v.class == "file" {
			if j.begun[f.ref] {
				f = flow{ref: f.ref}
			}
			j.begun[f.ref] = true
		}
		switch what {
		case "lines":
			f.lines = true
		case "line", "part":
			f = flow{ref: f.ref}
		}
		out.flows = append(out.flows, f)
	}
	return out
}

// chdir changes the folder that paths are relative to.
func (j *judge) chdir(v value) {
	switch {
	case !v.isText() || v.text == "":
		j.dirUnknown = true
		j.out.Chdir = append(j.out.Chdir, "")
	default:
		j.out.Chdir = append(j.out.Chdir, v.text)
		j.dirUnknown = j.dirUnknown && !strings.HasPrefix(v.text, "/")
		j.dir = joinPath(j.dir, v.text)
	}
}
