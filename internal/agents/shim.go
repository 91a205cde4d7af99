package agents

import (
	_ "embed"
	"encoding/json"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/wire"
)

// Shims are plugins of ours, in JavaScript, for agents that have no hook commands. They send
//
//	{"client":AGENT,"hook","session_id","parent_session_id","agent","prompt","directory","worktree",
//	 "call_id","tool","args","result","source"}
//
// where hook is the agent's own name of the hook or event, parent_session_id is the topmost ancestor of a child session, and
// args and result are what the agent gave to the hook. What starts mbgate and waits for it is the same in all of them.

//go:embed shim.js
var shimText string

// withShim is the text of a plugin with the shared part in its place.
func withShim(plugin string) string {
	return strings.Replace(plugin, "//#include shim.js\n", shimText, 1)
}

// shimShape is that of the payloads of one agent's plugin.
func shimShape(client string) func(wire.Object) wire.Shape {
	return func(p wire.Object) wire.Shape {
		if p.Text("client") == client {
			return wire.Unmistakable
		}
		return wire.Foreign
	}
}

// shimEvent reads what all plugins send with each event.
func shimEvent(f wire.Fields, ev *event.Event) {
	ev.Session = f.Session("session_id")
	ev.Name = f.Str("hook")
	ev.Call = f.ID("call_id")
	ev.Cwd = f.Str("directory")
	ev.Source = f.Str("source")
	// agent is also sent for a main context ("build"); only a child session is a subagent.
	if parent := f.ID("parent_session_id"); parent != "" && parent != ev.Session {
		ev.Sub = event.Sub{ID: ev.Session, Type: f.Str("agent")}
		ev.Session = parent
	}
	// Outside a repository the worktree is the root of the file system.
	if w := f.Str("worktree"); w != "" && w != "/" {
		ev.Roots = append(ev.Roots, w)
	}
	if ev.Cwd != "" && (len(ev.Roots) == 0 || ev.Roots[0] != ev.Cwd) {
		ev.Roots = append(ev.Roots, ev.Cwd)
	}
}

// shimAnnouncement is what a plugin sends before a call; hook is the agent's name for that.
func shimAnnouncement(client, hook string) func(tool string, input json.RawMessage, cwd string) any {
	return func(tool string, input json.RawMessage, cwd string) any {
		return map[string]any{"client": client, "hook": hook, "session_id": "explain", "directory": cwd, "tool": tool, "args": input}
	}
}
