package wire

import "github.com/mbgate/mbgate/internal/event"

// KindOfCommand is what a hook command says happened, where the payload does not say it itself.
func KindOfCommand(subcommand string) event.Kind {
	switch subcommand {
	case "compact":
		return event.Compacted
	case "tool-before":
		return event.ToolBefore
	case "read", "tool-after":
		return event.ToolAfter
	case "session-start":
		return event.SessionStart
	case "session-end":
		return event.SessionEnd
	case "prompt":
		return event.Prompt
	case "stop":
		return event.Stop
	case "notice":
		return event.Notice
	case "unread":
		return event.Unread
	}
	return event.None
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
