package agents

import (
	"encoding/json"
	"runtime"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/jsonscan"
	"github.com/mbgate/mbgate/internal/settings"
	"github.com/mbgate/mbgate/internal/transcript"
	"github.com/mbgate/mbgate/internal/wire"
)

// Claude Code: everything here was observed with 2.1.328, and played again with 2.1.330, unless a comment says otherwise.
//
// A payload has session_id, transcript_path, cwd and hook_event_name, and prompt_id once there was a prompt. Inside a
// subagent agent_id and agent_type come with it while session_id stays the parent's; with 2.1.197 the compaction
// events of a subagent lack them.

// claudeMaxOutput is in UTF-16 units: 9,990 arrive whole, 10,010 become a 2 kB preview and the path of a file.
const claudeMaxOutput = 9_900

func claudeCode() Agent {
	return Agent{
		Adapter: wire.Adapter{
			Aliases: []string{"claude"},
			Facts: func() *event.Client {
				return &event.Client{
					Name: "claude-code", Title: "Claude Code", Observed: "2.1.330",
					NamesSubagents: true, PromptEvents: true, AfterEvents: true, Results: true,
					InjectsAtCompaction: true, InjectsAtStart: true, InjectsAtPrompt: true, InjectsAfterTools: true,
					RemindsBefore: true, RefusesPrompts: true, HearsBeforeSummary: true, ReturnsPrompts: true,
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
					ScriptRead: event.ReadTool{Script: "await file(%s).text()"},
					SessionEnv: "CLAUDE_CODE_SESSION_ID", ShellVars: []string{"CLAUDE_PROJECT_DIR"},
					Uncovered: []string{
						"@file in a prompt, and the files that the client puts back after a compaction, reach the model without a hook: they count once its transcript shows them, and not where it keeps none (--no-session-persistence)",
						"what you run yourself (!command, and commands inside a slash command) fires no hook",
						"in code mode a script's reads count by what the script shows; a document that no recovery requires is followed only where the script's code spells its path",
						"/rewind takes what was read out of the conversation without an event",
						"--bare, --safe-mode, --setting-sources, disableAllHooks and CLAUDE_CODE_SIMPLE=1 turn hooks off",
					},
				}
			},
			Shape:      claudeShape,
			Inside:     func(o wire.Options) bool { return o.Env("CLAUDECODE") != "" },
			Decode:     claudeLike{turn: "prompt_id", projectVar: "CLAUDE_PROJECT_DIR", tools: claudeTools, result: claudeResult, failure: claudeFailure, synthetic: claudeSynthetic, more: claudeMore}.decode,
			Encode:     claudeEncode,
			FailStatus: 1,
		},
		Config:       claudeCodeConfig,
		ProjectFiles: "**/.claude/settings*.json **/.claude/agents/** **/.claude/hooks/** **/.claude-plugin/** **/.mcp.json",
		HomeFiles:    ".claude/settings*.json .claude.json .claude/agents/** .claude/hooks/** .claude/plugins/**",
		// Hooks of a plugin are told its folder (observed with 2.1.330).
		Definitions: []string{"${CLAUDE_PLUGIN_ROOT}/agents/%s.md"},
		Samples:     claudeCodeSamples,
		Honours:     honoursClaude,
		ProjectVar:  "CLAUDE_PROJECT_DIR",
		Program:     "claude",
		SwitchedOff: claudeSwitchedOff,
		Records:     Records{Files: ".claude/projects/*/*.jsonl .claude/projects/*/*/subagents/*.jsonl", Read: transcript.Claude},
		Trace:       Trace{Markers: "CLAUDECODE CLAUDE_CODE_SESSION_ID CLAUDE_PID", Process: "claude|claude.exe", Package: "@anthropic-ai/claude-code"},
	}
}

// claudeShape tells Claude Code from the twenty clients that copy its payload. None of them has its folder in the
// transcript's path; most have a field that it lacks.
func claudeShape(p wire.Object) wire.Shape {
	if p.Text("hook_event_name") == "" {
		return wire.Foreign
	}
	transcript := transcriptPath(p)
	if strings.Contains(transcript, "/.claude/") {
		return wire.Unmistakable
	}
	for _, key := range [...]string{
		"timestamp", "turn_id", // Qwen, Gemini, Copilot, Codex
		"cursor_version", "conversation_id", "generation_id", "workspace_roots", "hookEventName", "sessionId",
	} {
		if p.Get(key) != nil {
			return wire.Foreign
		}
	}
	if claudeKind(p.Text("hook_event_name"), p.Text("source")) == event.None {
		return wire.Foreign
	}
	if strings.HasSuffix(transcript, ".jsonl") && !strings.Contains(transcript, "/.") && !strings.Contains(transcript, "/rollout-") {
		return wire.Strong // CLAUDE_CONFIG_DIR moves the folder; rollout-… is how Codex calls its transcripts
	}
	return wire.Weak
}

// claudeTools are the tools of 2.1.328, then those that only earlier versions or other platforms have. Path arguments
// of Read, Write and Edit come absolute, with symlinks as they are; numbers and replace_all come normalised.
func claudeTools() []wire.ToolRow {
	return []wire.ToolRow{
		{Name: "Bash", Class: event.Shell, Command: "command"},
		{Name: "Read", Class: event.Read, Path: "file_path", Offset: "offset", Limit: "limit"},
		{Name: "Edit", Class: event.Edit, Path: "file_path", Old: "old_string"},
		{Name: "Write", Class: event.Write, Path: "file_path"},
		{Name: "Grep|Glob", Class: event.Search},
		{Name: "NotebookEdit", Class: event.Notebook, Path: "notebook_path"},
		{Name: "Monitor", Class: event.Shell, Command: "command"}, // runs shell commands, too
		{Name: "Agent", Class: event.Subagent, Subagent: "subagent_type"},
		{Name: "WebFetch|WebSearch", Class: event.Fetch},
		{Name: "TaskCreate|TaskUpdate|TaskGet|TaskList|TaskOutput|TaskStop|TodoWrite", Class: event.Other},
		{Name: "ToolSearch|AskUserQuestion|SendMessage|EnterPlanMode", Class: event.Other},
		{Name: "Skill", Class: event.Other, Skill: "skill"},
		{Name: "ExitPlanMode", Class: event.Other, Approves: true, PlanFile: "planFilePath"}, // PostToolUse comes only when it was approved
		{Name: "CronCreate|CronDelete|CronList|EnterWorktree|ExitWorktree", Class: event.Other},
		{Name: "ListMcpResourcesTool|ReadMcpResourceTool", Class: event.Other},
		{Name: "REPL|Poll", Class: event.Other}, // code mode: hooks see each call of the script

		{Name: "PowerShell", Class: event.Shell, Command: "command", Language: "powershell"}, // Windows
		{Name: "Task", Class: event.Subagent, Subagent: "subagent_type"},
		{Name: "MultiEdit", Class: event.MultiEdit, Path: "file_path"},
		{Name: "NotebookRead", Class: event.Read, Path: "notebook_path"},
		{Name: "LS", Class: event.List, Path: "path"},
		{Name: "BashOutput|KillShell|KillBash|SlashCommand|TodoRead|exit_plan_mode", Class: event.Other},
	}
}

// claudeFailure takes "Exit code 3\n" away from what a command printed before it failed.
func claudeFailure(_ event.Tool, text string) (output string, ok bool) {
	_, output, ok = strings.Cut(text, "\n")
	return output, ok
}

// claudeMore reads what only Claude Code says: where the record of the context is, a subagent's in a folder of its own, and what
// code mode shows, as observed with 2.1.330: REPL and Poll bring what the model is shown, with &, < and > as in HTML.
func claudeMore(f wire.Fields, _ wire.Options, ev *event.Event) {
	if main := f.Str("transcript_path"); main != "" {
		subs := strings.TrimSuffix(main, ".jsonl") + "/subagents"
		ev.Transcript, ev.Records = main, []string{main, subs}
		if id := ev.Sub.ID; id != "" {
			ev.Transcript = subs + "/agent-" + strings.NewReplacer("/", "_", `\`, "_").Replace(id) + ".jsonl"
		}
	}
	if strings.HasPrefix(ev.Call, "toolu_cc_") {
		ev.Script = event.InScript
		ev.Client.ReadTool = ev.Client.ScriptRead
	}
	o, ok := jsonscan.Members(f.Get("tool_response"))
	if path := o.Text("filePath"); ev.Tool.Guide.Approved && path != "" {
		ev.Tool.Guide.Path = path
	}
	if ok && ev.Kind == event.ToolAfter && (ev.Tool.Name == "REPL" || ev.Tool.Name == "Poll") {
		html := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")
		showScript(ev, o.Text("code"), html.Replace(o.Text("result")), html.Replace(o.Text("stdout")))
	}
}

func claudeResult(t event.Tool, v []byte) *event.Result {
	o, isObject := jsonscan.Members(v)
	switch {
	case t.Class == event.Read && isObject && o.Get("type") != nil:
		return claudeRead(t, o)
	case t.Class == event.Shell && isObject:
		// A command in the background prints nothing yet, a Monitor never: no text is the result then, not "unknown".
		return &event.Result{
			Text: o.Text("stdout"), HasText: true,
			// The hook sees up to 30,000 characters, the model a preview of 2 kB and the path of a file.
			Preview: o.Get("persistedOutputPath") != nil,
		}
	case t.Class == event.Notebook && isObject:
		return &event.Result{Failed: o.Text("error") != ""}
	case t.Class == event.Subagent && isObject:
		// Observed are completed and async_launched.
		s := o.Text("status")
		r := wire.TextResult(t.Class, v)
		r.Running, r.Failed = s == "async_launched", s == "failed" || s == "error" || s == "killed" || s == "cancelled"
		return r
	}
	return wire.TextResult(t.Class, v)
}

// claudeRead is the result of Read: {"type":"text","file":{…}}. The path in it is not the one that was asked for but a shorter
// form relative to a folder that the payload does not name. Notebooks and images have no lines.
func claudeRead(t event.Tool, o wire.Object) *event.Result {
	r := &event.Result{HasText: true}
	kind := o.Text("type")
	if strings.Contains(kind, "unchanged") { // file_unchanged, seen in source: the text is not shown again
		r.Unchanged = true
		return r
	}
	v := o.Get("file")
	file, ok := jsonscan.Members(v)
	if !ok || kind != "text" || len(t.Paths) == 0 {
		return r
	}
	if s := transcript.ClaudeFile(t.Paths[0].Path, file); s.First > 0 {
		r.Shown = []event.Shown{s}
	}
	return r
}

// claudeEncode: of a refused call the reason is given to the model; a refused prompt is dropped and the reason shown to the
// person. As played with 2.1.328 and 2.1.330, a denial in JSON is shown without the hook's command line, and otherwise does
// what status 2 does. A call is refused by the status all the same: it needs no standard output, nobody's wrapper around the
// hook can garble it, and all clients that copy the shape know it. A refused prompt has the better look, and so has a Stop
// that only adds context: "decision": "block" gives the reason to the model twice and calls it a problem.
func claudeEncode(ev event.Event, a wire.Answer) wire.Output {
	if ev.Kind == event.Compacting && strings.HasPrefix(a.Context, "{") {
		return wire.Output{} // would be taken for JSON
	}
	if ev.Kind == event.Compacting {
		return wire.Output{Stdout: wire.Line(a.Context)} // plain text is added to the instructions for the summary
	}
	if ev.Kind == event.Compacted && !ev.Injects {
		return wire.Output{} // PostCompact shows it to the person, with the hook's command line, and rejects JSON
	}
	switch {
	case ev.Kind == event.Prompt && a.Verdict == event.Block:
		return wire.Decided("block", strings.TrimSpace(string(wire.Refusal(ev, a).Stderr)), "")
	case ev.Kind == event.Stop:
		return wire.Specific("Stop", a.Text, a.ToPerson)
	}
	return jsonAnswers{plain: " SessionStart UserPromptSubmit ", name: func(ev event.Event) string {
		if ev.Name == "PostToolUseFailure" {
			return "" // not observed; an answer with a wrong name is dropped and an error shown
		}
		return claudeName(ev)
	}}.encode(ev, a)
}

// claudeCodeConfig: protocols observed with 2.1.328. PostToolBatch repeats PostToolUse, SubagentStart and SubagentStop fire for
// the client's own helper too; mbgate has no use for them.
func claudeCodeConfig() settings.Client {
	return settings.Client{
		User:          settings.Place{Path: ".claude/settings.json", Variable: "CLAUDE_CONFIG_DIR", Rest: "settings.json"},
		Project:       settings.Place{Path: ".claude/settings.local.json"},
		Others:        []settings.Place{{Path: ".claude/settings.json", Shared: true}},
		UserAgents:    settings.Place{Path: ".claude/agents/%s.md", Variable: "CLAUDE_CONFIG_DIR", Rest: "agents/%s.md"},
		ProjectAgents: settings.Place{Path: ".claude/agents/%s.md", Shared: true},
		// Documented.
		UserSkills:    settings.Place{Path: ".claude/skills/%s", Variable: "CLAUDE_CONFIG_DIR", Rest: "skills/%s"},
		ProjectSkills: settings.Place{Path: ".claude/skills/%s", Shared: true},

		Form: settings.ExecForm,
		Events: []settings.Hook{
			{Event: "SessionStart"},
			{Event: "SessionEnd"},
			{Event: "UserPromptSubmit"},
			{Event: "PreToolUse", Matcher: "*", Writers: "Write|Edit|MultiEdit|NotebookEdit"},
			{Event: "PostToolUse", Matcher: "*"},
			{Event: "PostToolUseFailure", Matcher: "*"},
			{Event: "PreCompact"},
			{Event: "PostCompact"},
			{Event: "Stop"},
			{Event: "ConfigChange"},
		},
		Off: []settings.OffSwitch{{Key: "disableAllHooks", Value: "true", Says: `"disableAllHooks": true turns every hook off`}},
		// Observed: a shell runs the command with an object on standard input at the start and at a change of the mode; it
		// shows colours, and nothing for an empty output. Documented: after each message of the model, too, and not with
		// disableAllHooks.
		StatusLine: "statusLine",

		Compact: "/compact",
		Start:   "sessions that run already pick the hooks up, or do when they are started again",
		// Claude Code 2.1.328 has Glob and Grep only in some modes; it then reads through Read alone.
		Definition: settings.Definition{
			Head:   "---\nname: %name\ndescription: %description\ntools: %tools\n---\n\n",
			Reader: "Read, Grep, Glob", Writer: "Read, Grep, Glob, Edit, Write",
			Background: true, // documented since 2.1.330: subagents always run in the background
		},
		// Claude Code 2.1.330: its own validator passes this, and it was played. Hooks, subagents, skills and commands are found
		// where they lie.
		Bundle: settings.Bundle{
			Manifest: ".claude-plugin/plugin.json", Hooks: "hooks/hooks.json", Agents: "agents/%s.md", Commands: "commands/%s.md",
			Fields:  map[string]any{"author": map[string]any{"name": "the mbgate authors"}},
			Command: "---\ndescription: %description\nallowed-tools: Bash(%run:*)\n---\n\nShow this to the user as it is:\n\n!`%run`\n",
			Market:  ".claude-plugin/marketplace.json", Entry: map[string]any{"source": "%folder"},
		},
	}
}

func claudeCodeSamples() Samples {
	const head = `{"session_id":"%session","transcript_path":"%home/.claude/projects/-mbgate-doctor/%session.jsonl","cwd":"%cwd",`
	return Samples{
		Before:     "PreToolUse",
		Read:       head + `"prompt_id":"d0c70000","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"file_path":"%read"},"tool_use_id":"toolu_doctor_1"}`,
		Write:      head + `"prompt_id":"d0c70000","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"%write","content":"x\n"},"tool_use_id":"toolu_doctor_2"}`,
		Compacted:  "SessionStart",
		Compaction: head + `"hook_event_name":"SessionStart","source":"compact","model":"claude"}`,
	}
}

// claudeSwitchedOff looks at the environment and at what an administrator rules (documented).
func claudeSwitchedOff(m Machine) []Finding {
	var out []Finding
	if m.Getenv("CLAUDE_CODE_SIMPLE") == "1" {
		out = append(out, Finding{Says: "CLAUDE_CODE_SIMPLE=1 turns every hook off", Remedy: "unset it"})
	}
	file := claudeManaged(runtime.GOOS)
	data, _ := m.Read(file)
	for _, says := range claudePolicy(data) {
		out = append(out, Finding{Says: says + ", in " + file, Remedy: "ask who administers this machine"})
	}
	return out
}

// claudeManaged is where Claude Code has an administrator's settings (documented).
func claudeManaged(system string) string {
	switch system {
	case "darwin":
		return "/Library/Application Support/ClaudeCode/managed-settings.json"
	case "windows":
		return `C:\Program Files\ClaudeCode\managed-settings.json`
	}
	return "/etc/claude-code/managed-settings.json"
}

// claudePolicy says what in an administrator's settings turns a person's hooks off (documented).
func claudePolicy(data []byte) []string {
	says := claudeCodeConfig().SwitchedOff(data)
	var policy struct {
		Only bool `json:"allowManagedHooksOnly"`
	}
	if json.Unmarshal(data, &policy) == nil && policy.Only {
		says = append(says, `"allowManagedHooksOnly": true lets only an administrator's hooks run`)
	}
	return says
}
