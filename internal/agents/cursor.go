package agents

import (
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/settings"
	"github.com/mbgate/mbgate/internal/wire"
)

// Cursor, its editor and its CLI, by cursor.com/docs/hooks (2026-09) and public adapters. Its hooks have Claude Code's events in
// camel case and fields of their own. One event that it does not know voids the whole file, and so does a URL in a command.

func cursor() Agent {
	facts := event.Client{
		Name: "cursor", Title: "Cursor", Documented: "cursor.com/docs/hooks, 2026-09",
		PromptEvents: true, AfterEvents: true, Results: true,
		InjectsAtStart: true, InjectsAfterTools: true, RefusesPrompts: true, ArmsBefore: true,
		ReadTool:  event.ReadTool{Tool: "Read", Path: "file_path", Offset: "offset", Limit: "limit"},
		Signals:   []string{"preCompact"},
		OnFailure: "runs the tool",
		Uncovered: []string{
			"a compaction begins after its only event, so the gate closes a little early",
			"a subagent's calls come under a conversation of their own, so it is judged as a session that was never compacted",
			"cloud agents see no hooks of yours, and the CLI with -p sends no prompts and no stop",
		},
	}
	return Agent{
		Adapter: wire.Adapter{
			Facts:      func() *event.Client { return &facts },
			Shape:      cursorShape,
			Decode:     cursorDecode,
			Encode:     cursorEncode,
			Neutral:    "{}", // silence was reported as "not valid JSON … blocked for safety"
			FailStatus: 1,
		},
		Config:  cursorConfig,
		Samples: cursorSamples,
		Honours: func(r Reply) (refused bool, why string) {
			if r.Exit == 2 && strings.Contains(r.Stdout, `"permission":"deny"`) && strings.Contains(r.Stdout, `"agent_message"`) {
				return true, ""
			}
			return false, r.unheeded()
		},
		ProjectFiles: "**/.cursor/hooks.json **/.cursor/hooks/** **/.cursor/cli.json **/.cursor/mcp.json **/.cursor/agents/**",
		HomeFiles:    ".cursor/hooks.json .cursor/hooks/** .cursor/agents/**",
		Trace:        Trace{Markers: "CURSOR_AGENT", Process: "cursor-agent"}, // microsoft/vscode #311734
	}
}

func cursorShape(p wire.Object) wire.Shape {
	if p.Text("conversation_id") == "" || p.Text("hook_event_name") == "" || p.Get("cursor_version") == nil && p.Get("generation_id") == nil {
		return wire.Foreign
	}
	return wire.Unmistakable
}

func cursorDecode(p wire.Object, o wire.Options, ev *event.Event) *wire.InputError {
	f := wire.NewFields(p)
	ev.Session, ev.Name, ev.Turn = f.Session("conversation_id"), f.Str("hook_event_name"), f.ID("generation_id")
	ev.Cwd, ev.Call, ev.Roots = f.Str("cwd"), f.ID("tool_use_id"), f.Strs("workspace_roots")
	if ev.Cwd == "" && len(ev.Roots) > 0 {
		ev.Cwd = ev.Roots[0]
	}
	ev.Trigger, ev.Window = f.Str("trigger"), f.Number("context_window_size")
	ev.Kind = wire.KindOf([]wire.KindRow{
		{Name: "preToolUse", Kind: event.ToolBefore},
		{Name: "postToolUse", Kind: event.ToolAfter},
		{Name: "postToolUseFailure", Kind: event.ToolAfter},
		{Name: "preCompact", Kind: event.Compacted},
		{Name: "sessionStart", Kind: event.SessionStart},
		{Name: "sessionEnd", Kind: event.SessionEnd},
		{Name: "beforeSubmitPrompt", Kind: event.Prompt},
		{Name: "stop", Kind: event.Stop},
	}, ev.Name)
	readDetails(f, o, ev, func(f wire.Fields, _ wire.Options, ev *event.Event) {
		ev.Tool = wire.Call(cursorTools(), f.Str("tool_name"), f, "tool_input")
		switch v := f.Get("tool_output"); {
		case ev.Name == "postToolUseFailure":
			ev.Result = &event.Result{Failed: true}
		case v != nil:
			ev.Result = genericResult(ev.Tool, v)
		}
	})
	return f.Err()
}

// cursorTools: the page names the tools, and public adapters their arguments.
func cursorTools() []wire.ToolRow {
	const path = "file_path|path|target_file"
	return []wire.ToolRow{
		{Name: "Shell", Class: event.Shell, Command: "command", Workdir: "working_directory|cwd"},
		{Name: "Read", Class: event.Read, Path: path, Offset: "offset", Limit: "limit"},
		{Name: "Write", Class: event.Write, Path: path},
		{Name: "Edit|StrReplace", Class: event.Edit, Path: path, Old: "old_string"},
		{Name: "Delete", Class: event.Delete, Path: path},
		{Name: "Grep|Glob|SemanticSearch", Class: event.Search},
		{Name: "List|LS", Class: event.List, Path: path},
		{Name: "Task", Class: event.Subagent, Subagent: "subagent_type"},
		{Name: "WebSearch|WebFetch", Class: event.Fetch},
		{Name: "TodoWrite|AskQuestion", Class: event.Other},
	}
}

// cursorEncode: a refusal is said in JSON and by the status, since versions differ in which of the two counts. It never says
// "allow", which might pass for the person's own approval.
func cursorEncode(ev event.Event, a wire.Answer) wire.Output {
	say := func(answer map[string]any) []byte { return wire.JSONLine(answer) }
	text := wire.Joined(a.Context, a.Text)
	if a.Verdict == event.Block && (ev.Kind == event.ToolBefore || ev.Kind == event.Prompt) {
		out := wire.Refusal(ev, a)
		why := strings.TrimSpace(string(out.Stderr))
		out.Stdout = say(map[string]any{"permission": "deny", "user_message": why, "agent_message": why})
		if ev.Kind == event.Prompt {
			out.Stdout = say(map[string]any{"continue": false, "user_message": why})
		}
		return out
	}
	out := wire.Output{Stderr: wire.Line(a.ToPerson)}
	switch ev.Kind {
	case event.Stop:
		if a.Text != "" {
			out.Stdout = say(map[string]any{"followup_message": a.Text})
		}
	case event.ToolAfter, event.SessionStart:
		if text != "" {
			out.Stdout = say(map[string]any{"additional_context": text})
		}
	}
	return out
}

func cursorConfig() settings.Client {
	return settings.Client{
		User:    settings.Place{Path: ".cursor/hooks.json"},
		Project: settings.Place{Path: ".cursor/hooks.json", Shared: true},
		Layout:  settings.Flat, CommandKey: "command",
		Events: []settings.Hook{
			{Event: "sessionStart"},
			{Event: "sessionEnd"},
			{Event: "beforeSubmitPrompt"},
			{Event: "preToolUse"},
			{Event: "postToolUse"},
			{Event: "postToolUseFailure"},
			{Event: "preCompact"},
			{Event: "stop"},
		},
		Compact: "/compress",
		Start:   "Cursor reads its hooks when the file changes; start its CLI again",
	}
}

func cursorSamples() Samples {
	const head = `{"conversation_id":"%session","generation_id":"g1","cursor_version":"2026.09","workspace_roots":["%cwd"],"transcript_path":null,`
	return Samples{
		Before:     "preToolUse",
		Read:       head + `"hook_event_name":"preToolUse","tool_name":"Read","tool_input":{"file_path":"%read"},"tool_use_id":"t1","cwd":"%cwd"}`,
		Write:      head + `"hook_event_name":"preToolUse","tool_name":"Write","tool_input":{"file_path":"%write","content":"x\n"},"tool_use_id":"t2","cwd":"%cwd"}`,
		Compacted:  "preCompact",
		Compaction: head + `"hook_event_name":"preCompact","trigger":"auto"}`,
	}
}
