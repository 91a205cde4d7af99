package shell

import (
	"strings"
)

// trap is a command that is run when the shell ends or a signal comes.
type trap struct {
	st     *shell
	text   string
	signal string
}

func (w *walker) trap(st *shell, args []arg) {
	if len(args) > 0 && args[0].s == "--" {
		args = args[1:]
	}
	if len(args) < 2 || strings.HasPrefix(args[0].s, "-") && args[0].s != "-" {
		return
	}
	for _, sig := range args[1:] {
		kept := w.traps[:0]
		for _, t := range w.traps {
			if t.signal != sig.s {
				kept = append(kept, t)
			}
		}
		w.traps = kept
		if args[0].s != "-" && args[0].s != "" && len(w.traps) < maxReasons {
			w.traps = append(w.traps, trap{st, args[0].s, sig.s})
		}
	}
}

// runTraps runs what was set for the end of the shell, and perhaps for signals.
func (w *walker) runTraps(st *shell) {
	traps := w.traps
	w.traps = nil
	for _, t := range traps {
		end := t.signal == "EXIT" || t.signal == "0"
		if !end {
			w.maybe++
		}
		if t.st == st || t.st.parent == nil {
			w.evalText(st, t.text)
		} else {
			w.evalText(t.st, t.text)
		}
		if !end {
			w.maybe--
		}
	}
}
