package agents

import (
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/jsonscan"
	"github.com/mbgate/mbgate/internal/wire"
)

// The generic shape is for whoever calls mbgate from a client that it does not know (SPEC §3):
//
//	{"session_id":"s1","cwd":"/repo","tool_name":"edit","tool_input":{"file_path":"src/a.go"}}
//
// with, where the caller has them, hook_event_name, tool_use_id, tool_response (or result), agent_id, agent_type,
// prompt, source, trigger, file_path. What happened is said by the subcommand, or by hook_event_name in Claude Code's
// words or mbgate's own ("tool-before").

func generic() Agent {
	return Agent{
		Adapter: wire.Adapter{
			Facts: func() *event.Client {
				return &event.Client{
					Name: "generic", Title: "Generic agent",
					// What the shape can carry. Whether the caller uses it is up to the caller.
					NamesSubagents: true, PromptEvents: true, AfterEvents: true,
					InjectsAtCompaction: true, InjectsAtStart: true, InjectsAtPrompt: true, InjectsAfterTools: true,
					RemindsBefore: true, RefusesPrompts: true,
					ReadTool: event.ReadTool{Tool: "read", Path: "file_path", Offset: "offset", Limit: "limit"},
				}
			},
			Shape:      func(wire.Object) wire.Shape { return wire.Weak },
			Decode:     claudeLike{turn: "prompt_id", kind: genericKind, call: genericCall, more: genericMore}.decode,
			Encode:     wire.PlainOutput,
			FailStatus: 1,
		},
		Definitions: []string{
			".claude/agents/%s.md", ".opencode/agent/%s.md", ".opencode/agents/%s.md", ".agents/%s.md",
			"~/.claude/agents/%s.md", "~/.config/opencode/agent/%s.md", "~/.config/opencode/agents/%s.md",
		},
	}
}

func genericKind(ev *event.Event, o wire.Options) event.Kind {
	switch {
	case ev.Name == "" && o.Subcommand == "compact" && ev.Source == "fork":
		return event.Forked
	case ev.Name == "":
		return wire.KindOfCommand(o.Subcommand)
	}
	if k := claudeKind(ev.Name, ev.Source); k != event.None {
		return k
	}
	switch k := event.Kind(ev.Name); k {
	case event.Compacting, event.Forked, event.ConfigChange:
		return k
	}
	return wire.KindOfCommand(ev.Name)
}

func genericMore(f wire.Fields, o wire.Options, ev *event.Event) {
	if ev.Sub.ID == "" {
		// A type without an id still is a context of its own: there is one of each type.
		ev.Sub.ID = f.ID("agent_type")
	}
	if ev.Kind == event.Unread {
		if genericCall(f, o, ev); ev.Path == "" {
			ev.Path = unreadPath(ev.Tool, ev.Result)
		}
	}
}

// genericTools are the names that tools go by, in any case, and what their arguments are called.
func genericTools() []wire.ToolRow {
	const path = "file_path|path|filePath|filename|absolute_path|notebook_path"
	return []wire.ToolRow{
		{Name: "read|read_file|view|cat|open_file", Class: event.Read, Path: path, Offset: "offset", Limit: "limit"},
		{Name: "write|write_file|create|create_file", Class: event.Write, Path: path},
		{Name: "edit|edit_file|str_replace|replace", Class: event.Edit, Path: path, Old: "old_string"},
		{Name: "multiedit|multi_edit", Class: event.MultiEdit, Path: path},
		{Name: "notebookedit|notebook_edit", Class: event.Notebook, Path: path},
		{Name: "patch|apply_patch", Class: event.Patch, Patch: "patch|patchText|input|command|diff"},
		{Name: "delete|delete_file|remove_file", Class: event.Delete, Path: path},
		{
			Name: "move|rename|move_file|rename_file", Class: event.Move,
			Path: "source|from|old_path|" + path, To: "destination|to|new_path",
		},
		{Name: "bash|shell|sh|run_shell_command|exec_command", Class: event.Shell, Command: "command|cmd", Workdir: "workdir"},
		{Name: "powershell|pwsh", Class: event.Shell, Command: "command|cmd", Workdir: "workdir", Language: "powershell"},
		{Name: "grep|glob|search|find", Class: event.Search},
		{Name: "ls|list|list_directory", Class: event.List, Path: "path"},
		{Name: "task|agent", Class: event.Subagent, Subagent: "subagent_type|agent_type|agent"},
		{Name: "fetch|webfetch|web_fetch|websearch|web_search", Class: event.Fetch},
		{Name: "todowrite|todoread|todo_write", Class: event.Other},
	}
}

func genericCall(f wire.Fields, o wire.Options, ev *event.Event) {
	name := f.Str("tool_name")
	rows := genericTools()
	row := wire.Find(rows, name, true)
	if row == nil && name == "" && (o.Subcommand == "read" || ev.Kind == event.Unread) {
		row = wire.Find(rows, "read", false)
	}
	in := f.Sub("tool_input") // it must be an object, even where it is not looked into
	if row != nil {
		ev.Tool = row.Tool(name, in)
	}
	if row == nil || row.Path != "" && len(ev.Tool.Paths) == 0 {
		// A name says less than one thinks: "create" may make an issue, and "edit" call its file target_file.
		if t := wire.UnknownTool(name, f.Get("tool_input")); row == nil || len(t.Paths) > 0 || t.Patch != "" {
			ev.Tool = t
		}
	}
	if ev.Kind == event.ToolBefore {
		return
	}
	v := f.Get("tool_response")
	if v == nil {
		v = f.Get("result")
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
	o, isObject := jsonscan.Members(v)
	if string(o.Get("is_error")) == "true" || string(o.Get("success")) == "false" || o.Text("error") != "" {
		return &event.Result{Failed: true}
	}
	if t.Class == event.Read && isObject && o.Get("file") != nil {
		return claudeRead(t, o)
	}
	return wire.TextResult(t.Class, v)
}
