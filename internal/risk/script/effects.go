package script

import (
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

// What a judge writes down: files that are touched, commands, what is printed, and the folder the script is in.

// maxEffects bounds what is listed of one script.
const maxEffects = 2000

// The reasons why a text cannot tell all that the script does.
const (
	whyUnread = "the script cannot be read"
	whyDeep   = "the script is nested too deep to judge"
	whyMany   = "the script does too much to list"
	whyText   = "runs computed text"
	whyName   = "computes a function's name"
	whyModule = "loads a module that is not known"
)

func (j *judge) opaque(what, why string) {
	if what != "" {
		why = what + " " + why
	}
	if why = string(j.lang) + " " + why; !j.learning && !slices.Contains(j.out.Opaque, why) {
		j.out.Opaque = append(j.out.Opaque, why)
	}
}

// touch notes an operation on the files that a value names.
func (j *judge) touch(op event.Op, v value, tree bool, why string) {
	for _, a := range v.each() {
		j.touchOne(Touch{Path: a.text, Known: a.known, Op: op, Tree: tree, Maybe: v.class == isAny, Why: why}, a)
	}
}

// touchOne notes a touch of the file that one value names, and gives its index, -1 for none.
func (j *judge) touchOne(t Touch, v value) int {
	if j.learning || v.class == "file" || v.class == "stdout" || v.class == "memory" {
		return -1
	}
	t.Known = t.Known && t.Path != ""
	if t.Known && v.class == isNumber && v.text != "0" {
		return -1 // a descriptor
	}
	if t.Known && (special(t.Path) != 0 || v.class == isNumber) {
		if t.Op != event.OpRead || special(t.Path) != 'i' && v.class != isNumber {
			return -1
		}
		t.Path = Stdin
	}
	switch {
	case t.Path == Stdin || strings.HasPrefix(t.Path, "/"):
	case j.dirUnknown:
		t.Known, t.Path = false, ""
	case t.Known || t.Path != "":
		t.Path = joinPath(j.dir, t.Path)
	}
	for i, u := range j.out.Touches[:min(len(j.out.Touches), 64)] { // the same thing is said once
		maybe := u.Maybe && t.Maybe
		if u.Maybe = t.Maybe; u.Op != event.OpRead && sameTouch(u, t) {
			j.out.Touches[i].Maybe = maybe
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

func sameTouch(a, b Touch) bool {
	return a.Path == b.Path && a.Known == b.Known && a.Op == b.Op && a.Tree == b.Tree && a.Why == b.Why && a.Name == b.Name
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

// run notes a command and gives what stands for its output.
func (j *judge) run(r Run) value {
	if len(j.out.Runs) >= maxEffects {
		j.opaque("", whyMany)
		return value{}
	}
	if j.learning {
		return value{class: "out"}
	}
	r.Dir = joinPath(j.dir, r.Dir)
	r.DirUnknown = r.DirUnknown || j.dirUnknown && !strings.HasPrefix(r.Dir, "/")
	r.Printed = r.Printed && !j.decides
	j.out.Runs = append(j.out.Runs, r)
	return value{class: "out", reads: []int{^(len(j.out.Runs) - 1)}}
}

// show notes that a value reaches standard output.
func (j *judge) show(v value) {
	for _, a := range v.each() {
		for _, ref := range a.reads {
			switch {
			case j.decides || a.class == "file" || a.class == "content":
			case ref < 0 && ^ref < len(j.out.Runs):
				j.out.Runs[^ref].Printed = true
			case ref >= 0 && ref < len(j.out.Touches):
				t := &j.out.Touches[ref]
				t.Printed, t.Whole, t.Verbatim = true, true, true
			}
		}
	}
}

// open opens a path in a mode and gives the handle.
func (j *judge) open(p, mode value, why string) value {
	modes := mode.each()
	return over(p, func(a value) value {
		switch {
		case a.class == "file" || a.class == "stdout" || a.class == "memory":
			return a
		case a.known && (special(a.text) == 'o' || a.class == isNumber && a.text == "1"):
			return value{class: "stdout"}
		case a.class == isNumber && a.text == "2":
			return value{class: "memory"}
		}
		out := value{class: "file"}
		for _, m := range modes {
			op, writes, reads := openMode(m.text)
			if !m.known { // a helper passes its mode on: it writes if the script names such a mode
				op, writes, reads = event.OpWrite, j.modes, true
			}
			if writes {
				j.touchOne(Touch{Path: a.text, Known: a.known, Op: op, Maybe: !m.known || len(modes) > 1 || p.class == isAny, Why: why}, a)
			}
			if !reads {
				continue
			}
			if ref := j.touchOne(Touch{Path: a.text, Known: a.known, Op: event.OpRead, Why: why}, a); ref >= 0 && m.known && !writes && len(modes) == 1 && p.class != isAny {
				out.reads = append(out.reads, ref)
			}
		}
		return out
	})
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
	case strings.HasPrefix(m, ">>"), strings.Contains(m, "a"):
		return event.OpAppend, true, false
	case strings.HasPrefix(m, ">"), strings.ContainsAny(m, "wc"):
		return event.OpWrite, true, false
	case strings.Contains(m, "x"):
		return event.OpCreate, true, false
	case strings.Contains(m, "+"):
		return event.OpWrite, true, true
	}
	return event.OpRead, false, true
}

// content is what reading all of an open file gives. A file that was read from before gives only a part.
func (j *judge) content(v value, all bool) value {
	return over(v, func(v value) value {
		out := value{}
		for _, ref := range v.reads {
			if all && !j.begun[ref] {
				out.reads = append(out.reads, ref)
			}
			j.begun[ref] = true
		}
		return out
	})
}

// chdir changes the folder that paths are relative to.
func (j *judge) chdir(v value) {
	if !v.known {
		v.text = ""
	}
	if !j.learning {
		j.out.Chdir = append(j.out.Chdir, v.text)
	}
	j.dirUnknown = v.text == "" || j.dirUnknown && !strings.HasPrefix(v.text, "/")
	if v.text != "" {
		j.dir = joinPath(j.dir, v.text)
	}
}
