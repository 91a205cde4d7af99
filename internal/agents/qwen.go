package agents

import (
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/jsonscan"
	"github.com/mbgate/mbgate/internal/settings"
	"github.com/mbgate/mbgate/internal/transcript"
	"github.com/mbgate/mbgate/internal/wire"
)

// Qwen Code: everything here was observed with 0.24.4 unless a comment says otherwise.
//
// It is a Gemini CLI whose hooks speak like Claude Code's: session_id, transcript_path, cwd, hook_event_name, timestamp,
// permission_mode, prompt_id once there was a prompt, and with a call tool_use_id (the same before and after) and
// tool_call_id. Inside a subagent agent_id comes with it while session_id stays the parent's; its type comes only when it
// starts and stops.

func qwen() Agent {
	return Agent{
		Adapter: wire.Adapter{
			Aliases: []string{"qwen-code"},
			Facts: func() *event.Client {
				return &event.Client{
					Name: "qwen", Title: "Qwen Code", Observed: "0.24.4",
					NamesSubagents: true, PromptEvents: true, AfterEvents: true, Results: true,
					// SessionStart(compact) is not waited for; its context reaches the model one request late.
					InjectsAtCompaction: true, InjectsAtStart: true,
					// Context of a PreToolUse is read and thrown away. That with a prompt is documented only.
					InjectsAtPrompt: true, InjectsAfterTools: true, RemindsBefore: false, RefusesPrompts: true,
					// Documented: output of tools is cut after 25,000 characters or 1,000 lines, by the user's settings. Reads of 24,000
					// bytes came whole.
					ReadLines: 1_000, ReadBytes: 24_000,
					ReadTool: event.ReadTool{Tool: "read_file", Path: "file_path", Offset: "offset", Limit: "limit", FromZero: true},
					Signals:  []string{"PostCompact", "SessionStart(branch)", "SessionStart(resume) under a new id"},
					// --fork-session and --continue with it say "resume", under the new id; /branch is its own source (seen in source).
					ForksResume: true,
					OnFailure:   "runs the tool",
					Uncovered: []string{
						"@file in a prompt, and the files that the client puts back after a compaction, reach the model without a tool call and do not count as read",
						"old results of tools are cleared without an event: from an idle session, and where there is much of them (context.clearContextOnIdle)",
						"in code mode (tools.codeModeOnly) a script's reads count by what the script shows; a document that no recovery requires is followed only where the script's code spells its path",
						"--bare, --safe-mode, disableAllHooks, QWEN_CODE_SIMPLE and QWEN_CODE_SAFE_MODE turn hooks off, and subagents that run in a container have none",
						"project hooks run in trusted folders only",
					},
				}
			},
			Shape:  qwenShape,
			Inside: func(o wire.Options) bool { return o.Env("QWEN_PROJECT_DIR") != "" }, // documented
			Decode: claudeLike{
				turn: "prompt_id", projectVar: "QWEN_PROJECT_DIR", kind: qwenKind, tools: qwenTools, result: qwenResult, failure: qwenFailure,
				injects: qwenInjects, synthetic: claudeSynthetic, more: qwenMore,
			}.decode,
			// What is printed before a compaction would go into the request for the summary.
			Encode: jsonAnswers{stop: "block", name: func(ev event.Event) string {
				if ev.Name == "PostToolUseFailure" {
					return ev.Name // the context is appended to the error
				}
				return claudeName(ev)
			}}.encode,
			FailStatus: 1,
		},
		Config:       qwenConfig,
		ProjectFiles: "**/.qwen/settings*.json **/.qwen/agents/** **/.qwen/hooks/**",
		HomeFiles:    ".qwen/settings.json .qwen/extensions/** .qwen/agents/**",
		Definitions:  []string{"~/.qwen/extensions/mbgate/agents/%s.md"}, // those of the extension
		Samples:      qwenSamples,
		Honours:      honoursClaude,
		Records:      Records{Files: ".qwen/projects/*/chats/*.jsonl .qwen/projects/*/subagents/*/*.jsonl", Read: transcript.Qwen},
		Trace:        Trace{Markers: "QWEN_CODE", Process: "qwen", Package: "@qwen-code/qwen-code"}, // documented, docs/tools/shell.md
	}
}

// qwenShape: the folder is Qwen's own; Claude Code has no timestamp, and who else has one has no permission_mode.
func qwenShape(p wire.Object) wire.Shape {
	if p.Text("hook_event_name") == "" || p.Text("timestamp") == "" {
		return wire.Foreign
	}
	transcript := transcriptPath(p)
	switch {
	case strings.Contains(transcript, "/.qwen/"):
		return wire.Unmistakable
	case p.Get("permission_mode") != nil:
		return wire.Strong
	}
	return wire.Foreign
}

// qwenKind differs from Claude Code's in that a start after a compaction is no sign of one. The client does not wait for its
// hook, so it runs beside the next calls, after PostCompact has armed; it only says what is pending. A branch is a fork.
func qwenKind(ev *event.Event, o wire.Options) event.Kind {
	if ev.Name == "" {
		return wire.KindOfCommand(o.Subcommand)
	}
	return wire.KindOf(append([]wire.KindRow{
		{Name: "SessionStart(compact)", Kind: event.SessionStart},
		{Name: "SessionStart(branch)", Kind: event.Forked},
	}, claudeEvents()...), ev.Name, ev.Source)
}

// qwenInjects: SessionStart is the only event of a fork or a resume whose output reaches the model.
//
// A prompt event comes again with an empty text for every result of a tool. What a person typed stands in submitted_prompt, too;
// the lack of that proves nothing, since messages from a channel (qwen serve) lack it as well (seen in source).
func qwenInjects(ev *event.Event) bool {
	return ev.Kind == event.Forked || ev.Kind == event.SessionStart && ev.Source == "resume"
}

// qwenSubagent finds the type of a subagent, which its id begins with: "general-purpose-call_0001", the end being the id of the
// call that started it, as the provider made it. "call_" was observed; the others are how vLLM, Anthropic, Bedrock and Kimi
// begin theirs. Of an id in another form the type is not known.
func qwenSubagent(_ wire.Fields, _ wire.Options, ev *event.Event) {
	at := 0
	for _, mark := range [...]string{"-call_", "-call-", "-chatcmpl-tool-", "-toolu_", "-tooluse_", "-functions."} {
		at = max(at, strings.LastIndex(ev.Sub.ID, mark))
	}
	if ev.Sub.Type == "" {
		ev.Sub.Type = ev.Sub.ID[:at]
	}
}

// qwenMore reads what only Qwen Code says: a subagent's type in its id, and with tools.codeModeOnly the calls of a script.
func qwenMore(f wire.Fields, o wire.Options, ev *event.Event) {
	qwenSubagent(f, o, ev)
	if strings.Contains(f.ID("tool_call_id"), ":code:") {
		ev.Script = event.InScript
	}
	if v, ok := jsonscan.Members(f.Get("tool_response")); ok && ev.Kind == event.ToolAfter && ev.Tool.Name == "exec" {
		text, _ := wire.Printed(v.Get("llmContent"))
		in := f.Sub("tool_input")
		showScript(ev, in.Text("code")+" "+in.Text("script"), text)
	}
}

// qwenTools are the tools of 0.24.4. Paths of files are absolute, or the call fails without an event of the tool. Of a call
// that goes by tool_call the events name the tool that it calls.
func qwenTools() []wire.ToolRow {
	return []wire.ToolRow{
		{Name: "run_shell_command|monitor", Class: event.Shell, Command: "command", Workdir: "directory"},
		{Name: "read_file", Class: event.Read, Path: "file_path|absolute_path", Offset: "offset", FromZero: true, Limit: "limit"},
		{Name: "write_file", Class: event.Write, Path: "file_path"},
		{Name: "edit", Class: event.Edit, Path: "file_path", Old: "old_string"},
		{Name: "notebook_edit", Class: event.Notebook, Path: "notebook_path"},
		{Name: "glob|grep_search", Class: event.Search},
		{Name: "list_directory", Class: event.List, Path: "path"},
		{Name: "agent|task", Class: event.Subagent, Subagent: "subagent_type"},
		{Name: "web_fetch|web_search", Class: event.Fetch},
		{Name: "exec", Class: event.Other}, // code mode: hooks see each call of the script
		{Name: "todo_write|ask_user_question|enter_plan_mode|exit_plan_mode|tool_search", Class: event.Other},
		{Name: "skill", Class: event.Other, Skill: "skill|name"},
		{Name: "cron_create|cron_list|cron_delete|loop_wakeup|get_goal|update_goal|send_message|list_agents", Class: event.Other},
		{Name: "task_create|task_update|task_list|task_stop|team_create|team_delete|record_artifact|report_findings", Class: event.Other},
	}
}

// qwenFailure: a command that ended in another status than 0 has the same text as one that did not.
func qwenFailure(t event.Tool, text string) (output string, ok bool) {
	return shellOutput(text, t.Command), true
}

// qwenResult is Gemini CLI's, but for a file that was read before and did not change, of which the model gets a stub
// until the next compaction.
func qwenResult(t event.Tool, v []byte) *event.Result {
	r := geminiResult(t, v)
	o, _ := jsonscan.Members(v)
	switch t.Class {
	case event.Read:
		if strings.HasPrefix(r.Text, "[File ") && strings.Contains(r.Text, " unchanged since last read in this session") &&
			!strings.Contains(r.Text, "\n") {
			return &event.Result{HasText: true, Unchanged: true}
		}
	case event.Subagent:
		display, _ := jsonscan.Members(o.Get("returnDisplay"))
		switch display.Text("status") {
		case "failed", "cancelled", "error":
			r.Failed = true
		}
	}
	return r
}

// qwenConfig: observed with 0.24.4. The timeout is in seconds; 1000 and more would be read as milliseconds.
func qwenConfig() settings.Client {
	return settings.Client{
		User:          settings.Place{Path: ".qwen/settings.json", Variable: "QWEN_HOME", Rest: "settings.json"},
		Project:       settings.Place{Path: ".qwen/settings.json", Shared: true},
		UserAgents:    settings.Place{Path: ".qwen/agents/%s.md", Variable: "QWEN_HOME", Rest: "agents/%s.md"},
		ProjectAgents: settings.Place{Path: ".qwen/agents/%s.md", Shared: true},
		// Read in the code of 0.24.4, which looks into .agents/skills as well.
		UserSkills:    settings.Place{Path: ".qwen/skills/%s", Variable: "QWEN_HOME", Rest: "skills/%s"},
		ProjectSkills: settings.Place{Path: ".qwen/skills/%s", Shared: true},

		Events: []settings.Hook{
			{Event: "SessionStart"},
			{Event: "SessionEnd"},
			{Event: "UserPromptSubmit"},
			{Event: "PreToolUse", Matcher: "*"},
			{Event: "PostToolUse", Matcher: "*"},
			{Event: "PostToolUseFailure", Matcher: "*"},
			{Event: "PreCompact"},
			{Event: "PostCompact"},
			{Event: "Stop"},
		},
		Off: []settings.OffSwitch{{Key: "disableAllHooks", Value: "true", Says: `"disableAllHooks": true turns every hook off`}},

		Trust:   "hooks of a project run in trusted folders only; those of your own settings need no trust",
		Compact: "/compress",
		Start:   "start Qwen Code again",
		// Qwen Code 0.24.4; the tools' names were observed, the format is documented.
		Definition: settings.Definition{
			Head:   "---\nname: %name\ndescription: %description\ntools:\n%tools---\n\n",
			Reader: "  - read_file\n  - glob\n  - grep_search\n",
			Writer: "  - read_file\n  - glob\n  - grep_search\n  - edit\n  - write_file\n",
		},
		// Qwen Code 0.24.4, documented.
		Bundle: settings.Bundle{
			Manifest: "qwen-extension.json", Hooks: "hooks/hooks.json", Agents: "agents/%s.md", Commands: "commands/mbgate/%s.md",
			Command: "---\ndescription: %description\n---\n\nShow this to the user as it is:\n\n!{%run}\n",
		},
	}
}

func qwenSamples() Samples {
	const head = `{"session_id":"%session","transcript_path":"%home/.qwen/projects/-mbgate-doctor/chats/%session.jsonl","cwd":"%cwd","timestamp":"2026-11-20T09:05:02.610Z","permission_mode":"default","prompt_id":"%session########0",`
	return Samples{
		Before:     "PreToolUse",
		Read:       head + `"hook_event_name":"PreToolUse","tool_name":"read_file","tool_input":{"file_path":"%read"},"tool_use_id":"toolu_doctor_1","tool_call_id":"call_1"}`,
		Write:      head + `"hook_event_name":"PreToolUse","tool_name":"write_file","tool_input":{"file_path":"%write","content":"x\n"},"tool_use_id":"toolu_doctor_2","tool_call_id":"call_2"}`,
		Compacted:  "PostCompact",
		Compaction: head + `"hook_event_name":"PostCompact","trigger":"auto","compact_summary":"x"}`,
	}
}
