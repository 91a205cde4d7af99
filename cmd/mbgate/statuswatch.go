package main

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"golang.org/x/term"

	"github.com/mbgate/mbgate/internal/render"
)

// watchEvery is how often status --watch looks: documents may change on disk, and time goes by. Where a look takes long,
// with 10,000 sessions 0.2 s, it waits ten times as long.
const watchEvery = 2 * time.Second

// watchStatus shows the status again whenever it changed: for machines an object for each change, on a terminal the screen
// drawn anew. A signal ends it; the terminal is never set otherwise, so there is nothing to restore.
func (a *app) watchStatus(o statusOptions) error {
	out, _ := a.stdout.(*os.File)
	if !o.json && (!a.terminal() || a.getenv("TERM") == "dumb") {
		return &usageError{problem: "--watch draws on a terminal, and standard output is not one; add --json to get an object for each change"}
	}
	if !o.json { // Windows wants to be asked before it obeys
		_, _ = termenv.EnableVirtualTerminalProcessing(termenv.NewOutput(out))
	}
	last := ""
	for first := true; ; first = false {
		began := a.now()
		st, err := a.statusOf(o)
		if err != nil && (first || o.json) {
			return err
		}
		now := ""
		if o.json {
			raw, _ := json.Marshal(timeless(st).JSON()) // made of texts, numbers and lists of them
			now = string(raw)
		} else {
			text := st.Text(a.screen(), o.verbose)
			if err != nil {
				text = a.screen().Prose(0, "mbgate: "+render.Safe(err.Error()))
			}
			width, height, _ := term.GetSize(int(out.Fd()))
			now = redrawn(render.Frame(text, width, height, "Ctrl-C ends this"))
		}
		switch {
		case now == last:
		case o.json && a.printJSON(st.JSON()) != nil:
			return nil // the reader has gone away
		case !o.json:
			if err := a.print(now); err != nil {
				return err
			}
		}
		last = now
		time.Sleep(max(watchEvery, 10*a.now().Sub(began)))
	}
}

// redrawn are lines over what the screen shows, wiping what was there.
func redrawn(lines []string) string {
	var b bytes.Buffer
	b.WriteString(ansi.CursorPosition(1, 1))
	b.WriteString(strings.Join(lines, ansi.EraseLineRight+"\n"))
	b.WriteString(ansi.EraseScreenBelow)
	return b.String()
}

// timeless is a status without the creation times of its capsules, which differ at each look although nothing changed.
func timeless(st render.Status) render.Status {
	st.Sessions = slices.Clone(st.Sessions)
	for i, e := range st.Sessions {
		if e.Capsule != nil {
			c := *e.Capsule
			c.CreatedAt = time.Time{}
			st.Sessions[i].Capsule = &c
		}
	}
	return st
}
