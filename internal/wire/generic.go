package wire

import (
	"github.com/mbgate/mbgate/internal/event"
)

// The generic shape is for whoever calls mbgate from a client that it does not know (SPEC §3):
//
//	{"session_id":"s1","cwd":"/repo","tool_name":"edit","tool_input":{"file_path":"src/a.go"}}
//
// with, where there is such a thing, hook_event_name, tool_use_id, tool_response (or result), agent_id, agent_type,
// prompt, source, trigger, file_path. What happened is said by the subcommand, or by hook_event_name in Claude Code's
// words or mbgate's own ("tool-before").

func generic() adapter {
	return adapter{
		client: func() *event.Client {
			return &event.Client{
				Name: "generic", Title: "Generic agent",
				// What the shape can carry; whether the caller makes use of it is the caller's business.
				NamesSubagents: true, PromptEvents: true, AfterEvents: true,
				InjectsAtCompaction: true, InjectsAtStart: true, InjectsAtPrompt: true, InjectsAfterTools: true,
				RemindsBefore: true, RefusesPrompts: true,
				ReadTool: event.ReadTool{Tool: "read", Path: "file_path", Offset: "offset", Limit: "limit"},
				AgentFiles: []string{
					".claude/agents/%s.md", ".opencode/agent/%s.md", ".opencode/agents/%s.md", ".agents/%s.md",
					"~/.claude/agents/%s.md", "~/.config/opencode/agent/%s.md", "~/.config/opencode/agents/%s.md",
				},
			}
		},
		shape:  func(object) shape { return weak },
		decode: genericDecode,
		encode: plainOutput,
		open:   1,
	}
}

func genericKind(name, source, subcommand string) event.Kind {
	if name == "" {
		if subcommand == "compact" && source == "fork" {
			return event.Forked
		}
		return kindOfCommand(subcommand)
	}
	if k := claudeKind(name, source); k != event.None {
		return k
	}
	switch k := event.Kind(name); k {
	case event.Compacting, event.Forked, event.ConfigChange:
		return k
	}
	return kindOfCommand(name)
}

func genericDecode(p object, o Options, ev *event.Event) *InputError {
	f := newFields(p)
	ev.Session = f.session("session_id")
	ev.Name = f.str("hook_event_name")
	ev.Cwd = f.str("cwd")
	ev.Source = f.str("source")
	ev.Trigger = f.str("trigger")
	ev.Turn = f.id("prompt_id")
	ev.Call = f.id("tool_use_id")
	ev.Sub = event.Sub{ID: f.id("agent_id"), Type: f.id("agent_type")}
	if ev.Sub.ID == "" {
		// A type without an id still is a context of its own: there is one of each type.
		ev.Sub.ID = ev.Sub.Type
	}
	ev.Kind = genericKind(ev.Name, ev.Source, o.Subcommand)
	switch ev.Kind {
	case event.ToolBefore, event.ToolAfter:
		genericTool(f, o, ev)
		readsOnly(o, ev)
	case event.Prompt:
		ev.Prompt = f.str("prompt")
	case event.Stop:
		ev.StopActive = f.truth("stop_hook_active")
	case event.Unread:
		genericTool(f, o, ev)
		if ev.Path = f.str("file_path"); ev.Path == "" {
			ev.Path = unreadPath(ev.Tool, ev.Result)
		}
	case event.ConfigChange:
		ev.Path = f.str("file_path")
	case event.Compacted, event.Forked:
		ev.Injects = ev.Name != "PostCompact"
	}
	return *f.err
}

// genericTools are the names that tools go by, in any case, and what their arguments are called.
func genericTools() []toolRow {
	const path = "file_path|path|filePath|filename|absolute_path|notebook_path"
	return []toolRow{
		{name: "read|read_file|view|cat|open_file", class: event.Read, path: path, offset: "offset", limit: "limit"},
		{name: "write|write_file|create|create_file", class: event.Write, path: path},
		{name: "edit|edit_file|str_replace|replace", class: event.Edit, path: path, old: "old_string"},
		{name: "multiedit|multi_edit", class: event.MultiEdit, path: path},
		{name: "notebookedit|notebook_edit", class: event.Notebook, path: path},
		{name: "patch|apply_patch", class: event.Patch, patch: "patch|patchText|input|command|diff"},
		{name: "delete|delete_file|remove_file", class: event.Delete, path: path},
		{
			name: "move|rename|move_file|rename_file", class: event.Move,
			path: "source|from|old_path|" + path, to: "destination|to|new_path",
		},
		{name: "bash|shell|sh|powershell|run_shell_command|exec_command", class: event.Shell, command: "command|cmd", workdir: "workdir"},
		{name: "grep|glob|search|find", class: event.Search},
		{name: "ls|list|list_directory", class: event.List, path: "path"},
		{name: "task|agent", class: event.Subagent, subagent: "subagent_type|agent_type"},
		{name: "fetch|webfetch|web_fetch|websearch|web_search", class: event.Fetch},
		{name: "todowrite|todoread|todo_write", class: event.Other},
	}
}

func genericTool(f fields, o Options, ev *event.Event) {
	name := f.str("tool_name")
	rows := genericTools()
	row := find(rows, name, true)
	if row == nil && name == "" && (o.Subcommand == "read" || ev.Kind == event.Unread) {
		row = find(rows, "read", false)
	}
	in := f.sub("tool_input") // it must be an object, even where it is not looked into
	if row != nil {
		ev.Tool = row.tool(name, in)
	}
	if row == nil || row.path != "" && len(ev.Tool.Paths) == 0 {
		// A name says less than one thinks: "create" may make an issue, and "edit" call its file target_file.
		if t := unknownTool(name, f.get("tool_input")); row == nil || len(t.Paths) > 0 || t.Patch != "" {
			ev.Tool = t
		}
	}
	if ev.Kind == event.ToolBefore {
		return
	}
	v := f.get("tool_response")
	if v == nil {
		v = f.get("result")
	}
	if v != nil {
		ev.Result = genericResult(ev.Tool, v)
	}
	if ev.Name == "PostToolUseFailure" {
		ev.Result = &event.Result{Failed: true}
	}
}

// genericResult understands a text, Claude Code's {"type","file"}, and the usual words for a failure.
func genericResult(t event.Tool, v []byte) *event.Result {
	o, isObject := members(v)
	if string(o.get("is_error")) == "true" || string(o.get("success")) == "false" || o.text("error") != "" {
		return &event.Result{Failed: true}
	}
	if t.Class == event.Read && isObject && o.get("file") != nil {
		return claudeRead(t, o)
	}
	return textResult(t.Class, v)
}
