package agents

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/jsonscan"
	"github.com/mbgate/mbgate/internal/settings"
	"github.com/mbgate/mbgate/internal/transcript"
	"github.com/mbgate/mbgate/internal/wire"
)

// Gemini CLI: everything here was observed with 0.61.0 unless a comment says otherwise.
//
// A payload has session_id, transcript_path, cwd, hook_event_name and timestamp. There is no id of a call and no sign of
// a subagent: its calls come with the parent's session, between the BeforeTool and the AfterTool of invoke_agent. The
// calls of one answer of the model run side by side, but for replace and write_file; all their BeforeTools come first
// (seen in source), so that one which comes between a subagent's request and the AfterTool is the subagent's.

func gemini() Agent {
	return Agent{
		Adapter: wire.Adapter{
			Aliases: []string{"gemini-cli"},
			Facts: func() *event.Client {
				return &event.Client{
					Name: "gemini", Title: "Gemini CLI", Observed: "0.61.0",
					NamesSubagents: false, BracketsSubagents: true, PromptEvents: true, AfterEvents: true, Results: true,
					// Nothing that is printed with BeforeModel reaches the model.
					InjectsAtCompaction: false, InjectsAtStart: true, InjectsAtPrompt: true, InjectsAfterTools: true,
					RemindsBefore: false, RefusesPrompts: true, Summarises: true,
					// Seen in source: read_file shows 2,000 lines and cuts each after 2,000 characters.
					LineCut: 2_000, ReadLines: 2_000,
					// Its tools turn paths outside of the folder that it was started in down, and paths with a quotation mark.
					HidesReads: true,
					ReadTool:   event.ReadTool{Tool: "read_file", Path: "file_path", Offset: "start_line", Last: "end_line"},
					Signals:    []string{"BeforeModel (a new <state_snapshot>)"},
					OnFailure:  "refuses the tool if the hook is missing or ends in another status than 0 and 1, runs it if the hook takes too long",
					Uncovered: []string{
						"@file in a prompt reaches the model without a tool call and does not count as read",
						"its read tool turns paths outside of its workspace, or with a quotation mark, down before any hook: the second refusal prints a shell command",
						"results of tools that are older than the last 50,000 tokens or so are masked without a word, so a document can fall out of the context unnoticed",
						"subagents that run at the same time are taken for one, since their calls do not say whose they are",
						"in ACP mode (--acp, as editors start it) tools run without any hook",
						"with experimental.contextManagement the history is shortened without any event",
					},
				}
			},
			Shape:      geminiShape,
			Inside:     func(o wire.Options) bool { return o.Env("GEMINI_SESSION_ID") != "" },
			Decode:     claudeLike{projectVar: "GEMINI_PROJECT_DIR", kind: geminiKind, call: geminiCall, more: geminiMore}.decode,
			Encode:     geminiEncode,
			FailStatus: 0, // 1 lets the call through as well, but only of a tool call was that seen; any other status refuses it
		},
		Config:       geminiConfig,
		ProjectFiles: "**/.gemini/settings*.json **/.gemini/agents/** **/.gemini/hooks/**",
		HomeFiles: `.gemini/settings.json .gemini/trusted_hooks.json .gemini/extensions/** .gemini/agents/** .gemini/policies/**
			.gemini/trustedfolders.json`,
		Definitions: []string{"~/.gemini/extensions/mbgate/agents/%s.md"}, // those of the extension
		Samples:     geminiSamples,
		Honours:     geminiHonours,
		Bash:        true,
		Records: Records{
			Files: ".gemini/tmp/*/chats/session-*.jsonl .gemini/tmp/*/chats/*/*.jsonl", Read: transcript.Gemini, Root: ".project_root", Before: "BeforeTool", After: "AfterTool",
		},
		Trace: Trace{Markers: "GEMINI_CLI", Process: "gemini", Package: "@google/gemini-cli"}, // documented, docs/tools/shell.md
	}
}

// geminiShape: the folder is Gemini's own; half of the names of its events are, but clones have them too.
func geminiShape(p wire.Object) wire.Shape {
	name := p.Text("hook_event_name")
	if name == "" || p.Text("timestamp") == "" || p.Get("permission_mode") != nil {
		return wire.Foreign
	}
	transcript := transcriptPath(p)
	if strings.Contains(transcript, "/.gemini/tmp/") {
		return wire.Unmistakable
	}
	switch name {
	case "BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel", "BeforeToolSelection", "PreCompress":
		return wire.Strong
	}
	if strings.HasPrefix(path.Base(transcript), "session-") && strings.Contains(transcript, "/chats/") {
		return wire.Strong // the folder was moved
	}
	return wire.Foreign
}

// geminiKind says what an event means. PreCompress(auto) fires before every request, whether or not anything is
// compressed, PreCompress(manual) for each /compress, also one that finds nothing to compress (observed). What tells is
// the next request.
func geminiKind(ev *event.Event, o wire.Options) event.Kind {
	if ev.Name == "" {
		return wire.KindOfCommand(o.Subcommand)
	}
	return wire.KindOf([]wire.KindRow{
		{Name: "BeforeTool", Kind: event.ToolBefore},
		{Name: "AfterTool", Kind: event.ToolAfter},
		{Name: "BeforeAgent", Kind: event.Prompt},
		{Name: "AfterAgent", Kind: event.Stop},
		{Name: "BeforeModel", Kind: event.Notice},
		{Name: "PreCompress(manual)", Kind: event.Compacting},
		{Name: "SessionStart", Kind: event.SessionStart},
		{Name: "SessionEnd", Kind: event.SessionEnd},
	}, ev.Name, ev.Trigger)
}

func geminiMore(f wire.Fields, _ wire.Options, ev *event.Event) {
	switch {
	case ev.Kind == event.Prompt:
		// The text of files that the person named with @ is behind the prompt; it is no word of the person.
		ev.Prompt, _, _ = strings.Cut(geminiPrompt(ev.Prompt), "\n--- Content from referenced files ---\n")
		ev.Synthetic = geminiSynthetic(ev.Prompt)
	case ev.Kind == event.Notice && ev.Name != "":
		geminiRequest(f, ev)
	}
}

// geminiPrompt is a prompt without what hooks gave at the session's start: headless, the client puts that before the first
// prompt of each process, with < and > in it written as entities. The prompt is empty where there is nothing else.
func geminiPrompt(prompt string) string {
	if rest, ok := strings.CutPrefix(prompt, "<hook_context>"); ok {
		if _, said, ended := strings.Cut(rest, "</hook_context>"); ended {
			return strings.TrimLeft(said, "\n")
		}
		return ""
	}
	return prompt
}

// geminiSynthetic: how the client makes the model go on by itself (seen in source), and our own reminder, which comes back as
// a prompt when it kept the model from stopping.
func geminiSynthetic(prompt string) bool {
	prompt = strings.TrimSpace(prompt)
	return prompt == "System: Please continue." || strings.HasPrefix(prompt, event.Reminder)
}

// geminiRequest looks at the request that a BeforeModel announces. After a compression it begins with a message of the
// user that holds <session_context> and <state_snapshot>, and a fixed answer to it. Only the part from the snapshot on
// is a sign: the session context has the date and a list of files, and is made anew at each resume. A request of a
// subagent never begins with a session context (seen in source, and observed): that is how it is told, since nothing else
// of a subagent's events is.
func geminiRequest(f wire.Fields, ev *event.Event) {
	list, ok := jsonscan.Elements(f.Sub("llm_request").Get("messages"))
	if !ok || len(list) == 0 {
		ev.Kind = event.None // main context or subagent: the request does not tell
		return
	}
	first := geminiMessage(list[0])
	context, main := strings.CutPrefix(strings.TrimLeft(first, "\n"), "<session_context>")
	_, snapshot, _ := strings.Cut(context, "</session_context>")
	if !main {
		ev.Sub.ID = event.Unnamed
		snapshot = first
	}
	if len(list) < 2 || strings.TrimSpace(geminiMessage(list[1])) != "Got it. Thanks for the additional context!" {
		return
	}
	if at := strings.Index(snapshot, "<state_snapshot>"); at >= 0 {
		snapshot = snapshot[at:]
	}
	// A model that did not keep to the tag was seen to be believed by the client: any text is a summary there.
	if snapshot = strings.TrimSpace(snapshot); snapshot != "" {
		sum := sha256.Sum256([]byte(snapshot))
		ev.Summary = hex.EncodeToString(sum[:16])
	}
}

func geminiMessage(v []byte) string {
	o, _ := jsonscan.Members(v)
	text, _ := wire.Printed(o.Get("content"))
	return text
}

// geminiTools are the tools of 0.61.0. Paths come as the model wrote them, relative to the session's folder or absolute.
func geminiTools() []wire.ToolRow {
	return []wire.ToolRow{
		{Name: "run_shell_command", Class: event.Shell, Command: "command", Workdir: "dir_path"},
		{Name: "read_file", Class: event.Read, Path: "file_path|absolute_path", Offset: "start_line", Last: "end_line"},
		{Name: "write_file", Class: event.Write, Path: "file_path"},
		{Name: "replace", Class: event.Edit, Path: "file_path", Old: "old_string"},
		{Name: "glob|grep_search|search_file_content", Class: event.Search},
		{Name: "list_directory", Class: event.List, Path: "dir_path|path"},
		{Name: "invoke_agent", Class: event.Subagent, Subagent: "agent_name"},
		{Name: "web_fetch|google_web_search", Class: event.Fetch},
		{Name: "write_todos|update_topic|read_background_output|ask_user|enter_plan_mode|exit_plan_mode|complete_task", Class: event.Other},
		{Name: "activate_skill", Class: event.Other, Skill: "name"},
	}
}

func geminiCall(f wire.Fields, _ wire.Options, ev *event.Event) {
	ev.Tool = wire.Call(geminiTools(), f.Str("tool_name"), f, "tool_input")
	if wire.Find(geminiTools(), ev.Tool.Name, false) == nil && ev.Tool.Class == event.Other && f.Get("mcp_context") != nil {
		ev.Tool.Class = event.MCP
	}
	if v := f.Get("tool_response"); v != nil && ev.Kind == event.ToolAfter {
		ev.Result = geminiResult(ev.Tool, v)
	}
}

// geminiEncode: a refusal is status 2 with the reason on standard error; on standard output a text would be the reason
// instead, and JSON that denies nothing would let the call through. The person sees whatever is printed otherwise.
func geminiEncode(ev event.Event, a wire.Answer) wire.Output {
	if ev.Kind == event.ToolBefore && a.Verdict != event.Block {
		// Context is not delivered here, so that a reminder can only be shown to the person.
		a.ToPerson = wire.Joined(a.ToPerson, a.Text)
	}
	return jsonAnswers{stop: "deny", name: func(ev event.Event) string {
		switch ev.Kind {
		case event.Prompt:
			return "BeforeAgent"
		case event.ToolAfter:
			return "AfterTool"
		case event.SessionStart:
			return "SessionStart"
		}
		return ""
	}}.encode(ev, a)
}

// geminiConfig: observed with 0.61.0. PreCompress fires before every request, and before each /compress, whether or not anything
// is compressed: it tells nothing. The timeout is in milliseconds. A hook that cannot start (status 127 and a message) counts as a refusal.
func geminiConfig() settings.Client {
	return settings.Client{
		User:          settings.Place{Path: ".gemini/settings.json", Variable: "GEMINI_CLI_HOME", Rest: ".gemini/settings.json"},
		Project:       settings.Place{Path: ".gemini/settings.json", Shared: true},
		UserAgents:    settings.Place{Path: ".gemini/agents/%s.md", Variable: "GEMINI_CLI_HOME", Rest: ".gemini/agents/%s.md"},
		ProjectAgents: settings.Place{Path: ".gemini/agents/%s.md", Shared: true},
		// Documented.
		UserSkills:    settings.Place{Path: ".gemini/skills/%s", Variable: "GEMINI_CLI_HOME", Rest: ".gemini/skills/%s"},
		ProjectSkills: settings.Place{Path: ".gemini/skills/%s", Shared: true},

		Form: settings.GuardedForm, Timeout: settings.HookSeconds * 1000,
		EntryName: "mbgate",
		Events: []settings.Hook{
			{Event: "SessionStart"},
			{Event: "SessionEnd"},
			{Event: "BeforeAgent"},
			{Event: "BeforeModel"},
			{Event: "BeforeTool", Matcher: "*"},
			{Event: "AfterTool", Matcher: "*"},
			{Event: "AfterAgent"},
		},
		Off: []settings.OffSwitch{
			{Key: "hooksConfig.enabled", Value: "false", Says: `"hooksConfig": {"enabled": false} turns every hook off`},
			{Key: "hooksConfig.disabled", Value: `"mbgate"`, Says: `"hooksConfig": {"disabled": ["mbgate"]} turns mbgate's hooks off`},
		},

		Trust:   "hooks of a project run in trusted folders only; those of your own settings need no trust",
		Compact: "/compress",
		Start:   "start Gemini again",
		// Gemini CLI 0.61.0; the tools' names were observed, the format is documented.
		Definition: settings.Definition{
			Head:   "---\nname: %name\ndescription: %description\nkind: local\ntools:\n%tools---\n\n",
			Reader: "  - read_file\n  - glob\n  - grep_search\n  - list_directory\n",
			Writer: "  - read_file\n  - glob\n  - grep_search\n  - list_directory\n  - replace\n  - write_file\n",
		},
		// Gemini CLI 0.61.0: its own validator passes this.
		Bundle: settings.Bundle{
			Manifest: "gemini-extension.json", Hooks: "hooks/hooks.json", Agents: "agents/%s.md", Commands: "commands/mbgate/%s.toml",
			Command: "description = \"%description\"\nprompt = \"\"\"\nShow this to the user as it is:\n\n!{%run}\n\"\"\"\n",
		},
	}
}

func geminiSamples() Samples {
	const head = `{"session_id":"%session","transcript_path":"%home/.gemini/tmp/doctor/chats/session-%session.jsonl","cwd":"%cwd","timestamp":"2026-11-20T08:48:00.793Z",`
	return Samples{
		Before:     "BeforeTool",
		Read:       head + `"hook_event_name":"BeforeTool","tool_name":"read_file","tool_input":{"file_path":"%read"}}`,
		Write:      head + `"hook_event_name":"BeforeTool","tool_name":"write_file","tool_input":{"file_path":"%write","content":"x\n"}}`,
		Compacted:  "BeforeModel",
		Compaction: head + `"hook_event_name":"BeforeModel","llm_request":{"model":"gemini","messages":[{"role":"user","content":"<session_context>\n</session_context>\n<state_snapshot>x</state_snapshot>"},{"role":"model","content":"Got it. Thanks for the additional context!"},{"role":"user","content":"go on"}]}}`,
	}
}

// geminiHonours: JSON on standard output beats the status, and a text there is a reason too.
func geminiHonours(r Reply) (refused bool, why string) {
	d := r.decision()
	denies := (d.Decision == "deny" || d.Decision == "block") && d.Reason != ""
	switch {
	case d.isJSON && !denies:
		return false, "JSON on standard output beats the status, and it denies nothing"
	case r.Reasoned(), r.Exit == 2 && r.Stdout != "", r.Exit <= 1 && denies:
		return true, ""
	}
	return false, r.unheeded()
}
