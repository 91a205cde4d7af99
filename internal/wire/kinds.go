package wire

import (
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

// KindRow says what an event of that name means. NAME(WORD) is only one that the word goes with: a source, a trigger.
type KindRow struct {
	Name string
	Kind event.Kind
}

// KindOf is what an event means by the first row that fits, None where none does.
func KindOf(rows []KindRow, name string, words ...string) event.Kind {
	for _, r := range rows {
		n, word, limited := strings.Cut(r.Name, "(")
		if n == name && (!limited || slices.Contains(words, strings.TrimSuffix(word, ")"))) {
			return r.Kind
		}
	}
	return event.None
}

// KindOfCommand is what a hook command says happened, where the payload does not say it itself.
func KindOfCommand(subcommand string) event.Kind {
	return KindOf([]KindRow{
		{"compact", event.Compacted},
		{"tool-before", event.ToolBefore},
		{"tool-after", event.ToolAfter},
		{"read", event.ToolAfter},
		{"session-start", event.SessionStart},
		{"session-end", event.SessionEnd},
		{"prompt", event.Prompt},
		{"stop", event.Stop},
		{"notice", event.Notice},
		{"unread", event.Unread},
	}, subcommand)
}

// ReadsOnly applies the command `read`: of a finished call only what it read is looked at (SPEC §2).
func ReadsOnly(o Options, ev *event.Event) {
	if o.Subcommand != "read" || ev.Kind != event.ToolAfter {
		return
	}
	if changes(ev.Tool.Class) {
		ev.Kind = event.None
		return
	}
	ev.ReadsOnly = true
}
