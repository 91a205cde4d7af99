package patch

import (
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

// Hunk is one replacement of whole lines in an existing file.
type Hunk struct {
	Path     string
	Old, New string
}

// Hunks lists the replacements of a "*** Begin Patch" block; ok is false where the text is no such block alone, or holds a
// hunk that only adds, which says by no line where.
func Hunks(text string) (list []Hunk, ok bool) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "*** Begin Patch\n") || !strings.HasSuffix(text, "\n*** End Patch") {
		return nil, false
	}
	path := ""
	for _, l := range strings.Split(text, "\n") {
		l = strings.TrimSuffix(l, "\r")
		if op, name := blockHeader(l); op != "" {
			if path = ""; op == event.OpWrite {
				path = name
			}
		}
		switch {
		case path == "" || strings.HasPrefix(l, "***"):
			list = append(list, Hunk{Path: path})
		case strings.HasPrefix(l, "@@"):
			list = append(list, Hunk{Path: path})
		default:
			h := &list[len(list)-1]
			if l == "" {
				l = " "
			}
			if l[0] != '+' {
				h.Old += l[1:] + "\n"
			}
			if l[0] != '-' {
				h.New += l[1:] + "\n"
			}
		}
	}
	kept := list[:0]
	for _, h := range list {
		if h.Old == "" && h.New != "" {
			return nil, false
		}
		if h.Old != h.New {
			kept = append(kept, h)
		}
	}
	return kept, true
}
