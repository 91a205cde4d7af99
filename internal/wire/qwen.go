package wire

import (
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

// Qwen Code: everything here was observed with 0.24.4 unless a comment says otherwise.
//
// It is a Gemini CLI whose hooks speak like Claude Code's: session_id, transcript_path, cwd, hook_event_name, timestamp,
// permission_mode, prompt_id once there was a prompt, and with a call tool_use_id (the same before and after) and
// tool_call_id. Inside a subagent agent_id comes with it while session_id stays the parent's; its type comes only when it
// starts and stops.

func qwen() adapter {
	return adapter{
		aliases: []string{"qwen-code"},
		client: func() *event.Client {
			return &event.Client{
				Name: "qwen", Title: "Qwen Code", Observed: "0.24.4",
				NamesSubagents: true, PromptEvents: true, AfterEvents: true,
				// SessionStart(compact) is not waited for; its context reaches the model one request late.
				InjectsAtCompaction: true, InjectsAtStart: true,
				// Context of a PreToolUse is read and thrown away. That with a prompt is documented only.
				InjectsAtPrompt: true, InjectsAfterTools: true, RemindsBefore: false, RefusesPrompts: true,
				// Documented: output of tools is cut after 25,000 characters or 1,000 lines, by the user's settings. Reads of 24,000
				// bytes came whole.
				ReadLines: 1_000, ReadBytes: 24_000,
				ReadTool:   event.ReadTool{Tool: "read_file", Path: "file_path", Offset: "offset", Limit: "limit", FromZero: true},
				AgentFiles: []string{".qwen/agents/%s.md", "~/.qwen/agents/%s.md"},
				Signals:    []string{"PostCompact", "SessionStart(branch)", "SessionStart(resume) under a new id"},
				// --fork-session and --continue with it say "resume", under the new id; /branch is its own source (seen in source).
				ForksResume: true,
				OnFailure:   "runs the tool",
				Uncovered: []string{
					"@file in a prompt, and the files that the client puts back after a compaction, reach the model without a tool call and do not count as read",
					"old results of tools are cleared without an event: from an idle session, and where there is much of them (context.clearContextOnIdle)",
					"--bare, --safe-mode, disableAllHooks, QWEN_CODE_SIMPLE and QWEN_CODE_SAFE_MODE turn hooks off, and subagents that run in a container have none",
					"project hooks run in trusted folders only",
				},
			}
		},
		shape:  qwenShape,
		inside: func(o Options) bool { return o.env("QWEN_PROJECT_DIR") != "" }, // documented
		decode: qwenDecode,
		encode: qwenEncode,
		open:   1,
	}
}

// qwenShape: the folder is Qwen's own; Claude Code has no timestamp, and who else has one has no permission_mode.
func qwenShape(p object) shape {
	if p.text("hook_event_name") == "" || p.text("timestamp") == "" {
		return foreign
	}
	transcript := strings.ReplaceAll(p.text("transcript_path"), `\`, "/")
	switch {
	case strings.Contains(transcript, "/.qwen/"):
		return unmistakable
	case p.get("permission_mode") != nil:
		return strong
	}
	return foreign
}

// qwenKind differs from Claude Code's in that a start after a compaction is no sign of one: nobody waits for its hook, so
// that it runs beside the next calls, after PostCompact has armed. It only says what is pending. A branch is a fork.
func qwenKind(name, source string) event.Kind {
	if name == "SessionStart" {
		switch source {
		case "compact":
			return event.SessionStart
		case "branch":
			return event.Forked
		}
	}
	return claudeKind(name, source)
}

func qwenDecode(p object, o Options, ev *event.Event) *InputError {
	f := newFields(p)
	ev.Session = f.session("session_id")
	ev.Name = f.str("hook_event_name")
	ev.Cwd = f.str("cwd")
	ev.Turn = f.id("prompt_id")
	ev.Call = f.id("tool_use_id")
	ev.Sub = event.Sub{ID: f.id("agent_id"), Type: f.str("agent_type")}
	if ev.Sub.Type == "" {
		ev.Sub.Type = qwenType(ev.Sub.ID)
	}
	if root := o.env("QWEN_PROJECT_DIR"); root != "" {
		ev.Roots = []string{root}
	}
	source := f.str("source")
	if ev.Name == "" {
		ev.Kind = kindOfCommand(o.Subcommand)
	} else {
		ev.Kind = qwenKind(ev.Name, source)
	}
	ev.Injects = ev.Kind == event.Forked || ev.Kind == event.SessionStart && source == "resume"
	switch ev.Kind {
	case event.SessionStart, event.Compacting, event.Compacted, event.Forked:
		ev.Source, ev.Trigger = source, f.str("trigger")
	case event.ToolBefore, event.ToolAfter:
		qwenTool(f, ev)
		readsOnly(o, ev)
	case event.Prompt:
		// It fires again with an empty prompt for every result of a tool. What a person typed stands in submitted_prompt, too;
		// the lack of that proves nothing, since messages from a channel (qwen serve) lack it as well (seen in source).
		ev.Prompt = f.str("prompt")
		ev.Synthetic = madeUp(ev.Prompt)
	case event.Stop:
		ev.StopActive = f.truth("stop_hook_active")
	case event.ConfigChange, event.Unread:
		ev.Path = f.str("file_path")
	}
	return *f.err
}

// qwenType is the type of a subagent, which its id begins with: "general-purpose-call_0001", the end being the id of the
// call that started it, as the provider made it. "call_" was observed; the others are how vLLM, Anthropic, Bedrock and Kimi
// begin theirs. Of an id in another form the type is not known.
func qwenType(id string) string {
	at := -1
	for _, mark := range [...]string{"-call_", "-call-", "-chatcmpl-tool-", "-toolu_", "-tooluse_", "-functions."} {
		at = max(at, strings.LastIndex(id, mark))
	}
	return id[:max(at, 0)]
}

// qwenTools are the tools of 0.24.4. Paths of files are absolute, or the call fails without an event of the tool. Of a call
// that goes by tool_call the events name the tool that it calls.
func qwenTools() []toolRow {
	return []toolRow{
		{name: "run_shell_command|monitor", class: event.Shell, command: "command", workdir: "directory"},
		{name: "read_file", class: event.Read, path: "file_path|absolute_path", limit: "limit"},
		{name: "write_file", class: event.Write, path: "file_path"},
		{name: "edit", class: event.Edit, path: "file_path", old: "old_string"},
		{name: "notebook_edit", class: event.Notebook, path: "notebook_path"},
		{name: "glob|grep_search", class: event.Search},
		{name: "list_directory", class: event.List, path: "path"},
		{name: "agent|task", class: event.Subagent, subagent: "subagent_type"},
		{name: "web_fetch|web_search", class: event.Fetch},
		{name: "todo_write|skill|ask_user_question|enter_plan_mode|exit_plan_mode|tool_search", class: event.Other},
		{name: "cron_create|cron_list|cron_delete|loop_wakeup|get_goal|update_goal|send_message|list_agents", class: event.Other},
		{name: "task_create|task_update|task_list|task_stop|team_create|team_delete|record_artifact|report_findings", class: event.Other},
	}
}

func qwenTool(f fields, ev *event.Event) {
	name := f.str("tool_name")
	in := f.sub("tool_input")
	if row := find(qwenTools(), name, false); row != nil {
		ev.Tool = row.tool(name, in)
		if row.class == event.Read && in.get("offset") != nil {
			ev.Tool.Offset = max(in.number("offset"), 0) + 1 // it counts from 0
		}
	} else {
		ev.Tool = unknownTool(name, f.get("tool_input"))
	}
	if ev.Kind != event.ToolAfter {
		return
	}
	if ev.Name == "PostToolUseFailure" {
		ev.Result = &event.Result{Failed: true}
		if ev.Tool.Class == event.Shell {
			// A command that ended in another status than 0: the same text as of one that did not.
			ev.Result.Text, ev.Result.HasText = shellOutput(f.str("error"), ev.Tool.Command), true
		}
		return
	}
	if v := f.get("tool_response"); v != nil {
		ev.Result = qwenResult(ev.Tool, v)
	}
}

// qwenResult is Gemini CLI's, but for a file that was read before and did not change, of which the model gets a stub
// until the next compaction.
func qwenResult(t event.Tool, v []byte) *event.Result {
	r := geminiResult(t, v)
	o, _ := members(v)
	switch t.Class {
	case event.Read:
		if strings.HasPrefix(r.Text, "[File ") && strings.Contains(r.Text, " unchanged since last read in this session") &&
			!strings.Contains(r.Text, "\n") {
			return &event.Result{HasText: true, Unchanged: true}
		}
	case event.Subagent:
		display, _ := members(o.get("returnDisplay"))
		switch display.text("status") {
		case "failed", "cancelled", "error":
			r.Failed = true
		}
	}
	return r
}

// qwenEncode: as with Claude Code, a refusal is status 2 with the reason on standard error. What is printed before a
// compaction would go into the request for the summary.
func qwenEncode(ev event.Event, a Answer) Output {
	if a.Verdict == event.Block && refusable(ev.Kind) {
		return refusal(ev, a)
	}
	if ev.Kind == event.Stop && a.Text != "" {
		return Output{Stdout: jsonLine(stopAnswer{Decision: "block", Reason: a.Text, SystemMessage: a.ToPerson})}
	}
	name := codexName(ev)
	if ev.Name == "PostToolUseFailure" {
		name = ev.Name // what is said with it stands behind the error
	}
	return specific(name, joined(a.Context, a.Text), a.ToPerson)
}
