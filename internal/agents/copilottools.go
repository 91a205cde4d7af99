package agents

import (
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/jsonscan"
	"github.com/mbgate/mbgate/internal/wire"
)

// copilotTools are the tools of 1.0.102, then those that only other models, versions or platforms have. Names are found in
// any case: the second dialect calls bash Bash. It also calls view Read and create Write.
func copilotTools() []wire.ToolRow {
	return []wire.ToolRow{
		{Name: "bash", Class: event.Shell, Command: "command"},
		{Name: "powershell", Class: event.Shell, Command: "command", Language: "powershell"}, // Windows
		{Name: "view|read", Class: event.Read, Path: "path|file_path", Range: "view_range"},
		{Name: "create|write", Class: event.Write, Path: "path|file_path"},
		{Name: "edit|multiedit", Class: event.Edit, Path: "path|file_path"},
		{Name: "grep|rg|glob", Class: event.Search},
		{Name: "task|agent", Class: event.Subagent, Subagent: "agent_type|subagent_type"},
		{Name: "read_bash|stop_bash|list_bash|read_powershell|stop_powershell|list_powershell|read_agent|list_agents|write_agent", Class: event.Other},
		{Name: "sql|fetch_copilot_cli_documentation|report_intent|ask_user|update_todo", Class: event.Other},
		{Name: "skill", Class: event.Other, Skill: "skill|name"},
		{Name: "exit_plan_mode", Class: event.Other, Approves: true},
		{Name: "web_fetch|web_search|webfetch|websearch", Class: event.Fetch},

		{Name: "apply_patch", Class: event.Patch, Patch: "input|patch"},
		{Name: "write_bash|write_powershell", Class: event.Shell, Command: "input"}, // typed into a running shell
	}
}

func copilotTool(f wire.Fields, key func(camel, snake string) string, ev *event.Event) {
	name := f.Str(key("toolName", "tool_name"))
	at := key("toolArgs", "tool_input")
	in, raw := copilotArgs(f, at, name)
	row := wire.Find(copilotTools(), name, true)
	switch {
	case row == nil:
		ev.Tool = wire.UnknownTool(name, raw)
	case row.Class == event.Patch && in.Object == nil && raw != nil:
		ev.Tool = event.Tool{Name: name, Class: event.Patch, Patch: string(raw)}
	default:
		ev.Tool = row.Tool(name, in)
	}
	if ev.Kind != event.ToolAfter {
		return
	}
	if f.Get("error") != nil {
		ev.Result = &event.Result{Failed: true}
		return
	}
	if v := f.Get(key("toolResult", "tool_result")); v != nil {
		ev.Result = copilotResult(ev.Tool, v)
	}
}

// copilotArgs are the arguments of a call: an object, or as earlier versions sent it a string that holds one
// (documented); of apply_patch also the patch itself. raw is the object as bytes, or the text of that patch.
func copilotArgs(f wire.Fields, at, name string) (in wire.Fields, raw []byte) {
	v := f.Get(at)
	if len(v) == 0 || v[0] != '"' {
		return f.Sub(at), v
	}
	in = f.At(at, nil)
	text := []byte(jsonscan.Unquote(v))
	if o, bad := wire.Parse(text); bad == nil {
		in = f.At(at, o)
	} else if !strings.EqualFold(name, "apply_patch") {
		f.Fail(at, "must be an object, not a string", "send a JSON object or leave it out")
		return in, nil
	}
	return in, text
}

// copilotResult reads {"resultType","textResultForLlm"}, spelled in either dialect. A command that ended in another status
// than 0 is a success, its last line says the status.
func copilotResult(t event.Tool, v []byte) *event.Result {
	o, ok := jsonscan.Members(v)
	if !ok {
		return wire.TextResult(t.Class, v)
	}
	first := func(camel, snake string) []byte {
		if v := o.Get(camel); v != nil {
			return v
		}
		return o.Get(snake)
	}
	r := wire.TextResult(t.Class, first("textResultForLlm", "text_result_for_llm"))
	if kind, ok := wire.Printed(first("resultType", "result_type")); ok && kind != "success" {
		r.Failed = true
	}
	return r
}
