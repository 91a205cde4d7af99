package script

import (
	"fmt"
	"strings"
)

// Text that a script hands to its own language, and text that was not understood.

// evalText judges text that the script hands to its own language.
func (ev *eval) evalText(v value, why string) {
	for _, a := range v.alternatives() {
		if a.k == vList {
			for _, it := range a.items {
				ev.evalText(it, why)
			}
			if a.open {
				ev.opaque(why + " runs computed text")
			}
			continue
		}
		s, known := a.plain()
		if known {
			if ev.evals >= maxEval {
				ev.opaque("code in strings nests too deeply to follow")
				return
			}
			ev.evals++
			ev.source(s)
			ev.evals--
			continue
		}
		for _, f := range a.allFlows() {
			if f.ref >= 0 && f.full && f.ref < len(ev.out.Touches) && ev.out.Touches[f.ref].Known {
				// exec(open(p).read()) runs a script file.
				ev.scriptFile(text(ev.out.Touches[f.ref].Path), why)
				return
			}
		}
		if a.k == vFunc {
			ev.callback(a)
			return
		}
		ev.opaque(fmt.Sprintf("%s runs computed text", why))
	}
}

// scriptFile notes that a file of the same language is run.
func (ev *eval) scriptFile(v value, why string) {
	s, known := v.plain()
	if !known {
		ev.opaque(fmt.Sprintf("%s runs a file that is not known", why))
		return
	}
	ev.run(Run{Args: []string{ev.interpreter(), s}, Known: true, Printed: true, Why: why})
}

func (ev *eval) interpreter() string {
	if ev.lang == Python {
		return "python3"
	}
	return string(ev.lang)
}

// source judges a text in the present state.
func (ev *eval) source(src string) {
	if len(src) > maxSource || ev.steps > maxSteps {
		ev.opaque("code in a string is too long to follow")
		return
	}
	tree, p := parseSource(ev.lang, src)
	ev.lost(p)
	ev.collect(tree)
	ev.block(tree)
}

// lost tells when something in the text was not understood that may matter.
func (ev *eval) lost(p *parser) {
	if p.bad != "" {
		ev.opaque(fmt.Sprintf("the %s text has %s", ev.lang, p.bad))
	}
	if p.tooDeep {
		ev.opaque("the script nests too deeply to follow")
	}
	seen := map[string]bool{}
	for _, t := range p.skipped {
		if seen[t.text] {
			continue
		}
		seen[t.text] = true
		if (t.kind == tIdent || t.kind == tVar) && ev.risky(t.text) || t.kind == tShell {
			ev.opaque(fmt.Sprintf("the %s text near %q is not understood", ev.lang, t.text))
			return
		}
	}
}

// risky reports whether a name is the last part of a function that has effects.
func (ev *eval) risky(name string) bool {
	if name == "print" {
		return false
	}
	if r, ok := ev.row(name); ok && r.effect() {
		return true
	}
	for line := range strings.Lines(string(ev.rows)) {
		if k, _, _ := strings.Cut(line, " "); strings.HasSuffix(k, "."+name) {
			if r, ok := ev.row(k); ok && r.effect() {
				return true
			}
		}
	}
	return false
}

// method reports whether a line is about what values of a class can do, so that no module has it.
func (r row) method() bool {
	for _, a := range r.acts {
		if a.verb == "get" || a.verb == "put" {
			return true
		}
		for _, rf := range a.refs {
			if rf.kind == 's' {
				return true
			}
		}
	}
	return false
}

// effect reports whether a function does more than compute, print and read.
func (r row) effect() bool {
	for _, a := range r.acts {
		switch v, _, _ := strings.Cut(a.verb, "/"); v {
		case "is", "value", "quiet", "print", "printread", "printline", "read", "get", "put", "puts", "callback", "each", "block", "changeline", "iolines":
		default:
			return true
		}
	}
	return false
}
