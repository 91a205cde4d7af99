package shell

import (
	"strings"

	"github.com/mbgate/mbgate/internal/risk/reason"
)

// trap is a command that is run when a shell ends or a signal comes.
type trap struct {
	text   string
	signal string
	maybe  bool // it is not sure that it was set, or is the last one
}

// maxTraps bounds the traps that are set at once.
const maxTraps = 64

// trap sets or takes back what the shell that is walked does at its end.
func (w *walker) trap(args []arg) {
	if len(args) > 0 && args[0].s == "--" {
		args = args[1:]
	}
	if len(args) < 2 || strings.HasPrefix(args[0].s, "-") && args[0].s != "-" {
		return
	}
	for _, sig := range args[1:] {
		kept := w.traps[:0]
		for _, t := range w.traps {
			if t.signal == sig.s && w.maybe == 0 && w.chained == 0 {
				continue // replaced
			}
			t.maybe = t.maybe || t.signal == sig.s
			kept = append(kept, t)
		}
		w.traps = kept
		if args[0].s == "-" || args[0].s == "" {
			continue
		}
		if len(w.traps) >= maxTraps {
			w.unknown(reason.TooManyTraps, "", "")
			continue
		}
		w.traps = append(w.traps, trap{args[0].s, sig.s, w.maybe > 0})
	}
}

// ownShell walks what runs in a shell process of its own, sub: the traps that it sets are run when it ends.
func (w *walker) ownShell(sub *shell, walk func()) {
	outer := w.traps
	w.traps = nil
	walk()
	w.runTraps(sub)
	w.traps = outer
}

// runTraps runs what was set for the end of the shell, and perhaps for signals. What a trap sets for the end of its own
// shell is not run any more.
func (w *walker) runTraps(st *shell) {
	traps := w.traps
	w.traps = nil
	status := st.status
	for _, t := range traps {
		w.perhaps(t.maybe || t.signal != "EXIT" && t.signal != "0", func() {
			w.within("a trap", func() { w.evalText(st, t.text) })
		})
	}
	w.traps, st.status = nil, status
}
