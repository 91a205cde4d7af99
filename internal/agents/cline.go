package agents

import (
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/wire"
)

// Cline, its extension and its CLI, by the source of cline/cline (hooks.proto, hook-file-hooks.ts; 4.1 and 3.0.65). It has no file of
// hooks: each event is an executable of its name in .clinerules/hooks or ~/.cline/hooks, for us the two lines
//
//	#!/bin/sh
//	exec mbgate hook cline

func cline() Agent {
	facts := event.Client{
		Name: "cline", Title: "Cline", Documented: "cline/cline, 4.1 and CLI 3.0.65",
		PromptEvents: true, AfterEvents: true, NamesSubagents: true,
		InjectsAtStart: true, InjectsAtPrompt: true, InjectsAfterTools: true, RemindsBefore: true, RefusesPrompts: true, ArmsBefore: true,
		ReadTool:  event.ReadTool{Tool: "read_file", Path: "path"},
		Signals:   []string{"PreCompact, which 4.1 and later do not send"},
		OnFailure: "runs the tool",
		Uncovered: []string{
			"mbgate install does not know it: put a script of two lines for each event into .clinerules/hooks, as docs/extending.md says",
			"4.1 and later tell of no compaction: only reminders and the write guard are left there",
			"a refusal ends the run in 4.1 and later, and a person has to send the next prompt",
		},
	}
	return Agent{
		Adapter: wire.Adapter{
			Facts: func() *event.Client { return &facts },
			Shape: func(p wire.Object) wire.Shape {
				if p.Get("clineVersion") == nil || p.Text("hookName") == "" {
					return wire.Foreign
				}
				return wire.Unmistakable
			},
			Decode:  clineDecode,
			Encode:  clineEncode,
			Neutral: `{"cancel":false}`,
		},
		Honours: func(r Reply) (refused bool, why string) {
			if strings.Contains(r.Stdout, `"cancel":true`) {
				return true, ""
			}
			return false, r.unheeded()
		},
		Trace: Trace{Markers: "CLINE_ACTIVE", Process: "cline"}, // agentsmd/agents.md #136
	}
}

func clineDecode(p wire.Object, o wire.Options, ev *event.Event) *wire.InputError {
	f := wire.NewFields(p)
	ev.Session, ev.Name, ev.Roots = f.Session("taskId"), f.Str("hookName"), f.Strs("workspaceRoots")
	if len(ev.Roots) > 0 {
		ev.Cwd = ev.Roots[0]
	}
	if f.ID("parent_agent_id") != "" {
		ev.Sub = event.Sub{ID: f.ID("agent_id")}
	}
	ev.Kind = wire.KindOf([]wire.KindRow{
		{Name: "PreToolUse", Kind: event.ToolBefore},
		{Name: "tool_call", Kind: event.ToolBefore},
		{Name: "PostToolUse", Kind: event.ToolAfter},
		{Name: "tool_result", Kind: event.ToolAfter},
		{Name: "TaskStart", Kind: event.SessionStart},
		{Name: "TaskResume", Kind: event.SessionStart},
		{Name: "UserPromptSubmit", Kind: event.Prompt},
		{Name: "PreCompact", Kind: event.Compacted},
	}, ev.Name)
	switch ev.Kind {
	case event.Prompt:
		ev.Prompt = f.Sub("userPromptSubmit").Str("prompt")
	case event.ToolBefore, event.ToolAfter:
		call, name, args := f.Sub("tool_call"), "name", "input"
		if call.Object == nil {
			key := "preToolUse"
			if ev.Kind == event.ToolAfter {
				key = "postToolUse"
			}
			call, name, args = f.Sub(key), "toolName", "parameters"
		}
		ev.Call = call.ID("id")
		ev.Tool = wire.Call(clineTools(), call.Str(name), call, args)
		if lines := call.Sub(args).Strs("commands"); len(lines) > 0 && ev.Tool.Name == "run_commands" {
			ev.Tool = event.Tool{Name: ev.Tool.Name, Class: event.Shell, Command: strings.Join(lines, "\n")}
		}
		if v := call.Get("result"); v != nil && ev.Kind == event.ToolAfter {
			ev.Result = wire.TextResult(ev.Tool.Class, v)
			ev.Result.Failed = string(call.Get("success")) == "false"
		}
		wire.ReadsOnly(o, ev)
	}
	return f.Err()
}

// clineTools are those with arguments of their own; read_files takes a list, which its shape tells.
func clineTools() []wire.ToolRow {
	return []wire.ToolRow{
		{Name: "execute_command", Class: event.Shell, Command: "command"},
		{Name: "read_file", Class: event.Read, Path: "path"},
		{Name: "write_to_file", Class: event.Write, Path: "path"},
		{Name: "replace_in_file|editor", Class: event.Edit, Path: "path", Old: "old_text"},
		{Name: "apply_patch", Class: event.Patch, Patch: "input"},
		{Name: "search_files|search_codebase", Class: event.Search},
		{Name: "list_files", Class: event.List, Path: "path"},
	}
}

// clineEncode: the status counts for nothing, so that standard output says it all.
func clineEncode(ev event.Event, a wire.Answer) wire.Output {
	if a.Verdict == event.Block && (ev.Kind == event.ToolBefore || ev.Kind == event.Prompt) {
		out := wire.Refusal(ev, a)
		out.Stdout = wire.JSONLine(map[string]any{"cancel": true, "errorMessage": strings.TrimSpace(string(out.Stderr))})
		return out
	}
	out := wire.Output{Stderr: wire.Line(a.ToPerson)}
	if text := wire.Joined(a.Context, a.Text); text != "" {
		out.Stdout = wire.JSONLine(map[string]any{"cancel": false, "contextModification": text})
	}
	return out
}
