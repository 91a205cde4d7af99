package wire

import (
	"encoding/json"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

// copilotTools are the tools of 1.0.102, then those that only other models, versions or platforms have. Names are found in
// any case: the second dialect calls bash Bash. It also calls view Read and create Write.
func copilotTools() []toolRow {
	return []toolRow{
		{name: "bash|powershell", class: event.Shell, command: "command"},
		{name: "view|read", class: event.Read, path: "path|file_path"},
		{name: "create|write", class: event.Write, path: "path|file_path"},
		{name: "edit|multiedit", class: event.Edit, path: "path|file_path"},
		{name: "grep|rg|glob", class: event.Search},
		{name: "task|agent", class: event.Subagent, subagent: "agent_type|subagent_type"},
		{name: "read_bash|stop_bash|list_bash|read_powershell|stop_powershell|list_powershell|read_agent|list_agents|write_agent", class: event.Other},
		{name: "sql|fetch_copilot_cli_documentation|report_intent|ask_user|update_todo|skill|exit_plan_mode", class: event.Other},
		{name: "web_fetch|web_search|webfetch|websearch", class: event.Fetch},

		{name: "apply_patch", class: event.Patch, patch: "input|patch"},
		{name: "write_bash|write_powershell", class: event.Shell, command: "input"}, // typed into a running shell
	}
}

func copilotTool(f fields, key func(camel, snake string) string, ev *event.Event) {
	name := f.str(key("toolName", "tool_name"))
	at := key("toolArgs", "tool_input")
	in, raw := copilotArgs(f, at, name)
	row := find(copilotTools(), name, true)
	switch {
	case row == nil:
		ev.Tool = unknownTool(name, raw)
	case row.class == event.Patch && in.object == nil && raw != nil:
		ev.Tool = event.Tool{Name: name, Class: event.Patch, Patch: string(raw)}
	default:
		ev.Tool = row.tool(name, in)
		if row.class == event.Read {
			ev.Tool.Offset, ev.Tool.Limit = viewRange(in)
		}
	}
	if ev.Kind != event.ToolAfter {
		return
	}
	if f.get("error") != nil {
		ev.Result = &event.Result{Failed: true}
		return
	}
	if v := f.get(key("toolResult", "tool_result")); v != nil {
		ev.Result = copilotResult(ev.Tool, v)
	}
}

// copilotArgs are the arguments of a call: an object, or as earlier versions sent it a string that holds one
// (documented); of apply_patch also the patch itself. raw is the object as bytes, or the text of that patch.
func copilotArgs(f fields, at, name string) (in fields, raw []byte) {
	v := f.get(at)
	if len(v) == 0 || v[0] != '"' {
		return f.sub(at), v
	}
	in = fields{at: f.at + at + ".", err: f.err}
	text := []byte(unquote(v))
	if o, bad := parse(text); bad == nil {
		in.object = o
	} else if !strings.EqualFold(name, "apply_patch") {
		f.fail(at, "must be an object, not a string", "send a JSON object or leave it out")
		return in, nil
	}
	return in, text
}

// viewRange is the part that a view asks for, [first, last], where -1 is the end of the file.
func viewRange(in fields) (offset, limit int) {
	list, ok := elements(in.get("view_range"))
	if !ok || len(list) != 2 {
		return 0, 0
	}
	var span [2]int
	if json.Unmarshal(in.get("view_range"), &span) != nil || span[0] < 1 {
		return 0, 0
	}
	if span[1] >= span[0] {
		limit = span[1] - span[0] + 1
	}
	return span[0], limit
}

// copilotResult reads {"resultType","textResultForLlm"}, spelled in either dialect. A command that ended in another status
// than 0 is a success, its last line says the status.
func copilotResult(t event.Tool, v []byte) *event.Result {
	o, ok := members(v)
	if !ok {
		return textResult(t.Class, v)
	}
	first := func(camel, snake string) []byte {
		if v := o.get(camel); v != nil {
			return v
		}
		return o.get(snake)
	}
	r := textResult(t.Class, first("textResultForLlm", "text_result_for_llm"))
	if kind, ok := printed(first("resultType", "result_type")); ok && kind != "success" {
		r.Failed = true
	}
	return r
}
