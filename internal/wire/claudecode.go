package wire

import (
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

// Claude Code: everything here was observed with 2.1.328 unless a comment says otherwise.
//
// A payload has session_id, transcript_path, cwd and hook_event_name, and prompt_id once there was a prompt. Inside a
// subagent agent_id and agent_type come with it while session_id stays the parent's; with 2.1.197 the compaction
// events of a subagent lack them.

// claudeMaxOutput is in UTF-16 units: 9,990 arrive whole, 10,010 become a 2 kB preview and the path of a file.
const claudeMaxOutput = 9_900

func claudeCode() adapter {
	return adapter{
		aliases: []string{"claude"},
		client: func() *event.Client {
			return &event.Client{
				Name: "claude-code", Title: "Claude Code", Observed: "2.1.328",
				NamesSubagents: true, PromptEvents: true, AfterEvents: true,
				InjectsAtCompaction: true, InjectsAtStart: true, InjectsAtPrompt: true, InjectsAfterTools: true,
				RemindsBefore: true, RefusesPrompts: true,
				MaxOutput: claudeMaxOutput,
				Signals:   []string{"SessionStart(compact)", "PostCompact", "SessionStart(fork)"},
				OnFailure: "runs the tool",
				// Not observed. Earlier versions told the model that Read cuts lines after 2,000 characters; a line that
				// is shown in full matches by its beginning too, so believing it costs nothing.
				LineCut: 2_000,
				// One Read shows at most 25,000 tokens, and with a limit that asks for more it fails. 82,704 bytes of
				// plain English were that much (1,822 lines, 3.3 bytes a token); dense text has about two bytes a token.
				// The lines are what earlier versions showed at most, with room.
				ReadLines: 1_800, ReadBytes: 50_000,
				ReadTool:   event.ReadTool{Tool: "Read", Path: "file_path", Offset: "offset", Limit: "limit"},
				AgentFiles: []string{".claude/agents/%s.md", "~/.claude/agents/%s.md"},
				SessionEnv: "CLAUDE_CODE_SESSION_ID", ShellVars: []string{"CLAUDE_PROJECT_DIR"},
				Uncovered: []string{
					"@file in a prompt, and the files that the client puts back after a compaction, reach the model without a hook and do not count as read",
					"what you run yourself (!command, and commands inside a slash command) fires no hook",
					"/rewind takes what was read out of the conversation without an event",
					"--bare, --safe-mode, --setting-sources, disableAllHooks and CLAUDE_CODE_SIMPLE=1 turn hooks off",
				},
			}
		},
		shape:  claudeShape,
		inside: func(o Options) bool { return o.env("CLAUDECODE") != "" },
		decode: claudeDecode,
		encode: claudeEncode,
		open:   1,
	}
}

// claudeShape tells Claude Code from the twenty clients that copy its payload. None of them has its folder in the
// transcript's path; most have a field that it lacks.
func claudeShape(p object) shape {
	if p.text("hook_event_name") == "" {
		return foreign
	}
	transcript := strings.ReplaceAll(p.text("transcript_path"), `\`, "/")
	if strings.Contains(transcript, "/.claude/") {
		return unmistakable
	}
	for _, key := range [...]string{
		"timestamp", "turn_id", // Qwen, Gemini, Copilot, Codex
		"cursor_version", "conversation_id", "generation_id", "workspace_roots", "hookEventName", "sessionId",
	} {
		if p.get(key) != nil {
			return foreign
		}
	}
	if claudeKind(p.text("hook_event_name"), p.text("source")) == event.None {
		return foreign
	}
	if strings.HasSuffix(transcript, ".jsonl") && !strings.Contains(transcript, "/.") && !strings.Contains(transcript, "/rollout-") {
		return strong // CLAUDE_CONFIG_DIR moves the folder; rollout-… is how Codex calls its transcripts
	}
	return weak
}

// claudeKind says what an event of Claude Code means. SubagentStart and SubagentStop say nothing about a compaction
// (they fire for its own helper too), PostToolBatch repeats PostToolUse.
func claudeKind(name, source string) event.Kind {
	switch name {
	case "PreToolUse":
		return event.ToolBefore
	case "PostToolUse", "PostToolUseFailure":
		return event.ToolAfter
	case "PreCompact":
		return event.Compacting
	case "PostCompact":
		return event.Compacted
	case "SessionStart":
		switch source {
		case "compact":
			return event.Compacted
		case "fork":
			return event.Forked
		}
		return event.SessionStart
	case "SessionEnd":
		return event.SessionEnd
	case "UserPromptSubmit":
		return event.Prompt
	case "Stop":
		return event.Stop
	case "ConfigChange":
		return event.ConfigChange
	}
	return event.None
}

func claudeDecode(p object, o Options, ev *event.Event) *InputError {
	f := newFields(p)
	ev.Session = f.session("session_id")
	ev.Name = f.str("hook_event_name")
	ev.Cwd = f.str("cwd")
	ev.Turn = f.id("prompt_id")
	ev.Call = f.id("tool_use_id")
	// The type comes without an id where a person started a main context as that agent (documented, --agent).
	ev.Sub = event.Sub{ID: f.id("agent_id"), Type: f.str("agent_type")}
	if root := o.env("CLAUDE_PROJECT_DIR"); root != "" {
		ev.Roots = []string{root}
	}
	source := f.str("source")
	if ev.Name != "" {
		ev.Kind = claudeKind(ev.Name, source)
	} else {
		ev.Kind = kindOfCommand(o.Subcommand)
	}
	// PostCompact's output goes to the person's screen, or nowhere; SessionStart is what the model is given.
	ev.Injects = (ev.Kind == event.Compacted || ev.Kind == event.Forked) && ev.Name != "PostCompact"
	switch ev.Kind {
	case event.SessionStart, event.Compacting, event.Compacted, event.Forked:
		ev.Source, ev.Trigger = source, f.str("trigger")
	case event.ToolBefore, event.ToolAfter:
		claudeTool(f, ev)
		readsOnly(o, ev)
	case event.Prompt:
		ev.Prompt = f.str("prompt")
		ev.Synthetic = madeUp(ev.Prompt)
	case event.Stop:
		ev.StopActive = f.truth("stop_hook_active")
	case event.ConfigChange, event.Unread:
		ev.Path = f.str("file_path")
	}
	return *f.err
}

// madeUp reports whether Claude Code wrote a prompt itself. Observed is the first; the others are how it marks its own
// words elsewhere in the conversation.
func madeUp(prompt string) bool {
	prompt = strings.TrimSpace(prompt)
	for _, tag := range [...]string{"<task-notification>", "<system-reminder>", "<local-command-", "<teammate-message"} {
		if strings.HasPrefix(prompt, tag) {
			return true
		}
	}
	return false
}

// claudeTools are the tools of 2.1.328, then those that only earlier versions or other platforms have. Path arguments
// of Read, Write and Edit come absolute, with symlinks as they are; numbers and replace_all come normalised.
func claudeTools() []toolRow {
	return []toolRow{
		{name: "Bash", class: event.Shell, command: "command"},
		{name: "Read", class: event.Read, path: "file_path", offset: "offset", limit: "limit"},
		{name: "Edit", class: event.Edit, path: "file_path", old: "old_string"},
		{name: "Write", class: event.Write, path: "file_path"},
		{name: "Grep|Glob", class: event.Search},
		{name: "NotebookEdit", class: event.Notebook, path: "notebook_path"},
		{name: "Monitor", class: event.Shell, command: "command"}, // runs shell commands, too
		{name: "Agent", class: event.Subagent, subagent: "subagent_type"},
		{name: "WebFetch|WebSearch", class: event.Fetch},
		{name: "TaskCreate|TaskUpdate|TaskGet|TaskList|TaskOutput|TaskStop|TodoWrite", class: event.Other},
		{name: "ToolSearch|Skill|AskUserQuestion|SendMessage|EnterPlanMode|ExitPlanMode", class: event.Other},
		{name: "CronCreate|CronDelete|CronList|EnterWorktree|ExitWorktree", class: event.Other},
		{name: "ListMcpResourcesTool|ReadMcpResourceTool", class: event.Other},

		{name: "PowerShell", class: event.Shell, command: "command"}, // Windows
		{name: "Task", class: event.Subagent, subagent: "subagent_type"},
		{name: "MultiEdit", class: event.MultiEdit, path: "file_path"},
		{name: "NotebookRead", class: event.Read, path: "notebook_path"},
		{name: "LS", class: event.List, path: "path"},
		{name: "BashOutput|KillShell|KillBash|SlashCommand|TodoRead|exit_plan_mode", class: event.Other},
	}
}

func claudeTool(f fields, ev *event.Event) {
	name := f.str("tool_name")
	if row := find(claudeTools(), name, false); row != nil {
		ev.Tool = row.tool(name, f.sub("tool_input"))
	} else {
		f.sub("tool_input") // it must be an object, even where it is not looked into
		ev.Tool = unknownTool(name, f.get("tool_input"))
	}
	if ev.Kind != event.ToolAfter {
		return
	}
	if ev.Name == "PostToolUseFailure" {
		ev.Result = &event.Result{Failed: true}
		if ev.Tool.Class == event.Shell {
			// "Exit code 3\n" and what the command printed before it failed.
			_, ev.Result.Text, ev.Result.HasText = strings.Cut(f.str("error"), "\n")
		}
		return
	}
	if v := f.get("tool_response"); v != nil {
		ev.Result = claudeResult(ev.Tool, v)
	}
}

func claudeResult(t event.Tool, v []byte) *event.Result {
	o, isObject := members(v)
	switch {
	case t.Class == event.Read && isObject && o.get("type") != nil:
		return claudeRead(t, o)
	case t.Class == event.Shell && isObject:
		// A command in the background prints nothing yet, a Monitor never: no text is the result then, not "unknown".
		return &event.Result{
			Text: o.text("stdout"), HasText: true,
			// The hook sees up to 30,000 characters, the model a preview of 2 kB and the path of a file.
			Preview: o.get("persistedOutputPath") != nil,
		}
	case t.Class == event.Notebook && isObject:
		return &event.Result{Failed: o.text("error") != ""}
	case t.Class == event.Subagent && isObject:
		// Observed are completed and async_launched.
		s := o.text("status")
		return &event.Result{Failed: s == "failed" || s == "error" || s == "killed" || s == "cancelled"}
	}
	return textResult(t.Class, v)
}

// claudeRead is the result of Read: {"type":"text","file":{"content","startLine","numLines","totalLines"}}. Both counts
// include the empty string after the last line end, and the path in it is not the one that was asked for but a shorter
// form relative to a folder that the payload does not name. Notebooks and images have no lines.
func claudeRead(t event.Tool, o object) *event.Result {
	r := &event.Result{HasText: true}
	kind := o.text("type")
	if strings.Contains(kind, "unchanged") { // file_unchanged, seen in source: the text is not shown again
		r.Unchanged = true
		return r
	}
	v := o.get("file")
	file, ok := members(v)
	if !ok || kind != "text" || len(t.Paths) == 0 {
		return r
	}
	f := newFields(file)
	first, n, total := f.number("startLine"), f.number("numLines"), f.number("totalLines")
	text := f.str("content")
	if *f.err != nil || first < 1 {
		return r
	}
	s := event.Shown{Path: t.Paths[0].Path, First: first, Last: first + n - 1, Text: text, HasText: true}
	// Only a range that reaches the end tells whether the file ends with a line end, so how many lines it has.
	if n > 0 && s.Last == total {
		if text == "" || strings.HasSuffix(text, "\n") {
			s.Last--
		}
		s.Total = s.Last
	}
	r.Shown = []event.Shown{s}
	return r
}

func claudeEncode(ev event.Event, a Answer) Output {
	if a.Verdict == event.Block && refusable(ev.Kind) {
		// Status 2 with the reason on standard error: of a tool call the reason is given to the model; a prompt is
		// dropped and the reason shown to the person.
		return refusal(ev, a)
	}
	switch ev.Kind {
	case event.Compacting:
		return Output{} // would be added to the instructions for the summary
	case event.Compacted:
		if !ev.Injects {
			return Output{} // PostCompact shows it to the person, with the hook's command line, and rejects JSON
		}
	case event.Stop:
		// The one way to say something to the model when it stops; it goes on for it.
		if a.Text != "" {
			return Output{Stdout: jsonLine(stopAnswer{Decision: "block", Reason: a.Text, SystemMessage: a.ToPerson})}
		}
	}
	text, name := cut(joined(a.Context, a.Text), claudeMaxOutput), claudeName(ev)
	if name == "" {
		text = ""
	}
	if text == "" && a.ToPerson == "" {
		return Output{}
	}
	// These two give plain text to the model, unless it begins with a brace and is taken for JSON.
	plain := name == "SessionStart" || name == "UserPromptSubmit"
	if plain && a.ToPerson == "" && !strings.HasPrefix(strings.TrimSpace(text), "{") {
		return Output{Stdout: line(text)}
	}
	out := claudeAnswer{SystemMessage: a.ToPerson}
	if text != "" {
		out.Specific = &claudeSpecific{Event: name, Context: text}
	}
	return Output{Stdout: jsonLine(out)}
}

// claudeName is the event's name for hookSpecificOutput, "" where the client takes none: an answer with a wrong name is
// dropped and an error shown.
func claudeName(ev event.Event) string {
	switch ev.Kind {
	case event.ToolBefore:
		return "PreToolUse"
	case event.ToolAfter:
		if ev.Name == "PostToolUseFailure" {
			return "" // not observed
		}
		return "PostToolUse"
	case event.Prompt:
		return "UserPromptSubmit"
	case event.SessionStart, event.Compacted, event.Forked:
		return "SessionStart"
	}
	return ""
}

// claudeAnswer leaves the decision out, so that the client's own permission prompt stands.
type claudeAnswer struct {
	SystemMessage string          `json:"systemMessage,omitempty"`
	Specific      *claudeSpecific `json:"hookSpecificOutput,omitempty"`
}

type claudeSpecific struct {
	Event   string `json:"hookEventName"`
	Context string `json:"additionalContext"`
}

type stopAnswer struct {
	Decision      string `json:"decision"`
	Reason        string `json:"reason"`
	SystemMessage string `json:"systemMessage,omitempty"`
}
