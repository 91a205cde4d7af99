package render

import (
	"fmt"
	"strings"
	"time"

	"github.com/mbgate/mbgate/internal/capsule"
	"github.com/mbgate/mbgate/internal/gate"
)

// CapsuleReport shows the result of validating a capsule.
func CapsuleReport(screen *Screen, r capsule.Report) string {
	p := &page{Screen: screen}
	word, ink := "valid", inkGood
	if !r.Valid {
		word, ink = "invalid", inkBad
	}
	p.line(p.in(ink, word))
	for _, e := range r.Problems {
		text := Clean(e.What)
		if e.Path != "" {
			text = Safe(e.Path) + " " + text
		}
		p.prose(2, inkPlain, text)
	}
	for _, w := range r.Warnings {
		p.entry(2, 9, "warning", inkWarn, Clean(w))
	}
	if !r.Valid {
		p.prose(2, inkFaint, "`mbgate capsule schema` says what it has to hold.")
	}
	return p.b.String()
}

// Restored shows where to go on with the work of a capsule.
func Restored(screen *Screen, r capsule.Restored) string {
	p := &page{Screen: screen}
	const column = 11
	p.entry(0, column, "next", inkStrong, Safe(r.NextAction))
	p.entry(0, column, "phase", inkPlain, Safe(r.Phase))
	why, ink := "no", inkGood
	if r.Blocked {
		why, ink = Safe(r.Reason), inkBad
	}
	p.entry(0, column, "blocked", ink, why)
	for i, d := range r.HardDenies {
		p.entry(0, column, once(i, "denies"), inkPlain, Safe(d))
	}
	for i, s := range r.Constraints {
		p.entry(0, column, once(i, "limits"), inkPlain, Safe(s))
	}
	for i, q := range r.Questions {
		p.entry(0, column, once(i, "questions"), inkPlain, Safe(q.ID)+": "+Safe(q.Question))
	}
	for i, w := range r.Writes {
		p.entry(0, column, once(i, "writes"), inkPlain, fmt.Sprintf("%s %s %s", Safe(w.ID), w.Status, Safe(w.Path)))
	}
	for i, s := range r.Sources {
		ink, note := inkPlain, ""
		if s.Stale {
			ink, note = inkWarn, " (stale: the file is not the one that was read)"
		}
		p.entry(0, column, once(i, "read again"), ink, Safe(s.Path)+note)
	}
	return p.b.String()
}

// once is a label for the first of several entries.
func once(i int, label string) string {
	if i > 0 {
		return ""
	}
	return label
}

// Notes are the notes of a session as a list.
func Notes(screen *Screen, notes []gate.Note, now time.Time) string {
	p := &page{Screen: screen}
	if len(notes) == 0 {
		p.line("Nothing is noted in this session.")
	}
	var rows []item
	for _, n := range notes {
		row := item{mark: "○", name: Safe(n.ID), note: string(n.Kind) + ": " + Safe(n.Text)}
		switch {
		case !n.Open():
			row.mark, row.noteInk = "✓", inkFaint
			row.note += " — " + Safe(n.Answer)
		case n.Blocking:
			row.ink, row.note = inkWarn, "blocking "+row.note
		case n.Kind == gate.NoteDeny:
			row.ink = inkBad
			if len(n.Paths) > 0 {
				row.note += " — " + Safe(strings.Join(n.Paths, ", "))
			}
		case n.Phase != "":
			row.note = Safe(n.Phase) + ", " + row.note
		}
		by := "a person"
		if n.Agent {
			by = "an agent"
		}
		row.note += " (" + by + ", " + age(n.At, now) + ")"
		rows = append(rows, row)
	}
	p.items(0, rows)
	return p.b.String()
}
