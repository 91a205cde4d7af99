package agents

import (
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/settings"
	"github.com/mbgate/mbgate/internal/wire"
)

// VS Code's own agent (session target Local), by code.visualstudio.com/docs/agent-customization/hooks and the source of
// vscode-copilot-chat (chatHookService.ts). It reads the hook files of Copilot CLI, events in either spelling, and so one file
// serves both; its other session targets are Copilot CLI, Claude Code and Codex themselves.

func vsCode() Agent {
	return byContract(host{
		facts: event.Client{
			Name: "vscode", Title: "VS Code", Documented: "code.visualstudio.com, 2026-10",
			PromptEvents: true, AfterEvents: true,
			InjectsAtStart: true, InjectsAfterTools: true, RemindsBefore: true, ArmsBefore: true,
			ReadTool:  event.ReadTool{Tool: "read_file", Path: "filePath", Offset: "startLine", Last: "endLine"},
			Signals:   []string{"PreCompact"},
			OnFailure: "runs the tool",
			Uncovered: []string{
				"a compaction begins after its only event, so the gate closes a little early",
				"a prompt cannot be kept from the model, so it reads mb:clear too",
				"hooks are a preview there: an organisation or an untrusted workspace turns them off",
			},
		},
		aliases: []string{"vscode-copilot"},
		mark:    "/workspaceStorage/", armsBefore: true, tools: vsCodeTools,
		// Without a transcript only its tools tell it from Copilot CLI, which has no id of a call.
		shape: func(p wire.Object) wire.Shape {
			if p.Text("timestamp") != "" && p.Get("tool_use_id") != nil && p.Get("permission_mode") == nil && wire.Find(vsCodeTools(), p.Text("tool_name"), false) != nil {
				return wire.Strong
			}
			return wire.Foreign
		},
		head:  `{"timestamp":"2026-11-20T09:05:02.610Z","session_id":"%session","transcript_path":"%home/.config/Code/User/workspaceStorage/mbgate/transcript.json","cwd":"%cwd",`,
		write: "create_file", path: "filePath",
		before: "preToolUse", compacted: "preCompact", compaction: `"trigger":"auto"`,
		config: func() settings.Client {
			c := copilotConfig()
			c.Bundle = settings.Bundle{} // the plugin is Copilot CLI's
			c.Trust = "the workspace must be trusted, and the organisation must allow hooks"
			c.Start = "reload the window; the file is Copilot CLI's too, and one entry serves both"
			return c
		},
		trace: Trace{Markers: "COPILOT_AGENT"}, // microsoft/vscode #316267
	})
}

func vsCodeTools() []wire.ToolRow {
	return []wire.ToolRow{
		{Name: "run_in_terminal", Class: event.Shell, Command: "command"},
		{Name: "read_file", Class: event.Read, Path: "filePath", Offset: "startLine", Last: "endLine"},
		{Name: "create_file", Class: event.Write, Path: "filePath"},
		{Name: "replace_string_in_file", Class: event.Edit, Path: "filePath", Old: "oldString"},
		{Name: "insert_edit_into_file", Class: event.Edit, Path: "filePath"},
		{Name: "editFiles", Class: event.MultiEdit, Path: "files"},
		{Name: "apply_patch", Class: event.Patch, Patch: "input"},
		{Name: "edit_notebook_file", Class: event.Notebook, Path: "filePath"},
		{Name: "grep_search|file_search|semantic_search", Class: event.Search},
		{Name: "list_dir", Class: event.List, Path: "path"},
		{Name: "runSubagent", Class: event.Subagent, Subagent: "agentName"},
		{Name: "fetch_webpage", Class: event.Fetch},
		{Name: "manage_todo_list|get_errors", Class: event.Other},
	}
}
