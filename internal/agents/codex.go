package agents

import (
	"path"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/jsonscan"
	"github.com/mbgate/mbgate/internal/settings"
	"github.com/mbgate/mbgate/internal/transcript"
	"github.com/mbgate/mbgate/internal/wire"
)

// Codex CLI: everything here was observed with 0.169.0 unless a comment says otherwise.
//
// A payload has session_id, transcript_path (null in an ephemeral session), cwd and hook_event_name; all but those of a
// session's start and end have turn_id, and nearly all have model. Inside a subagent agent_id and agent_type come with
// it while session_id stays the parent's. There is no tool that reads: the model reads through its shell, which is Bash
// to hooks whatever the model calls it. In code mode the model's one tool is a script; the calls that it makes come here
// as if the model had made them.

// codexMaxBytes is how much context one hook may give: 2,500 tokens of 4 bytes, of more the model sees the beginning, the
// end and the path of a file (seen in source, codex-rs/hooks/src/output_spill.rs). Reasons of refusals may have 48 kB.
const codexMaxBytes = 9_900

func codex() Agent {
	return Agent{
		Adapter: wire.Adapter{
			Aliases: []string{"codex-cli"},
			Facts: func() *event.Client {
				return &event.Client{
					Name: "codex", Title: "Codex CLI", Observed: "0.169.0",
					NamesSubagents: true, PromptEvents: true, AfterEvents: true, Results: true,
					InjectsAtCompaction: true, InjectsAtStart: true, InjectsAtPrompt: true, InjectsAfterTools: true,
					RemindsBefore: true, RefusesPrompts: true,
					EchoesCall: true, // "Command blocked by PreToolUse hook: REASON. Command: …"
					MaxOutput:  codexMaxBytes, MaxBytes: codexMaxBytes,
					// A command shows 10,000 tokens of 4 bytes by default; of more, the beginning and the end.
					ReadBytes:  36_000,
					SessionEnv: "CODEX_SESSION_ID",
					Signals:    []string{"PostCompact", "SessionStart(compact)", "SessionStart(fork)"},
					OnFailure:  "runs the tool",
					Uncovered: []string{
						"what is typed into a running program (write_stdin) fires no hook",
						"in code mode a script can read a file and show the model nothing of it, or so much at once that Codex cuts it; mbgate sees no difference to a read",
						"its subagents run in the background: under recovery = \"strict\" nothing that the reader reads counts for the main agent",
						"new or changed hooks do not run until they are trusted in an interactive session; `codex exec` skips them silently",
					},
				}
			},
			Shape:  codexShape,
			Decode: claudeLike{turn: "turn_id", synthetic: codexSynthetic, call: codexCall}.decode,
			// Nothing on standard output counts with status 2. With status 0 a field that Codex does not know makes the whole
			// answer fail.
			Encode:     jsonAnswers{stop: "block", name: claudeName}.encode,
			FailStatus: 1,
		},
		Config:       codexConfig,
		ProjectFiles: "**/.codex/**",
		HomeFiles:    ".codex/config.toml .codex/hooks.json .codex/hooks/** .codex/*.config.toml .codex/agents/** .codex/plugins/**",
		Samples:      codexSamples,
		Honours:      honoursClaude,
		Trusts:       codexTrusts,
		SwitchedOff:  codexSwitchedOff,
		Records:      Records{Files: ".codex/sessions/*/*/*/rollout-*.jsonl", Read: transcript.Codex},
		// The last two: openai/codex, codex-rs/core/src/spawn.rs.
		Trace: Trace{Markers: "CODEX_SESSION_ID CODEX_THREAD_ID CODEX_TOOL_CALL_ID CODEX_SANDBOX CODEX_SANDBOX_NETWORK_DISABLED", Process: "codex|codex-cli", Package: "@openai/codex"},
	}
}

// codexShape: the folder is Codex's own; a transcript called rollout-… is that of a moved folder or of a clone that has
// Codex's engine; turn_id and a transcript that is null were seen nowhere else.
func codexShape(p wire.Object) wire.Shape {
	if p.Text("hook_event_name") == "" || p.Get("timestamp") != nil || p.Get("conversation_id") != nil {
		return wire.Foreign
	}
	transcript := transcriptPath(p)
	switch {
	case strings.Contains(transcript, "/.codex/"):
		return wire.Unmistakable
	case strings.HasPrefix(path.Base(transcript), "rollout-"), p.Get("turn_id") != nil, p.Has("transcript_path") && transcript == "":
		return wire.Strong
	}
	return wire.Foreign
}

// codexSynthetic reports whether Codex wrote a prompt itself. Observed is that a Stop hook's answer becomes a message of the
// first form; the others are how it marks its own words elsewhere in the conversation (seen in source).
func codexSynthetic(prompt string) bool {
	return beginsWith(prompt, "<hook_prompt", "<subagent_notification", "<turn_aborted", "<environment_context", "<user_instructions")
}

// codexTools are the tools that hooks see. Names of namespaces stand before the name without anything between.
func codexTools() []wire.ToolRow {
	return []wire.ToolRow{
		{Name: "Bash", Class: event.Shell, Command: "command"},
		{Name: "apply_patch", Class: event.Patch, Patch: "command"},
		{Name: "view_image", Class: event.Read, Path: "path"},
		{Name: "spawn_agent", Class: event.Subagent, Subagent: "agent_type"},
		{Name: "wait_agent|send_input|send_message|followup_task|interrupt_agent|list_agents|close_agent|resume_agent", Class: event.Other},
		{Name: "create_goal|update_goal|get_goal|update_plan|request_user_input|request_permissions", Class: event.Other},
		{Name: "list_mcp_resources|list_mcp_resource_templates", Class: event.Other},
		{Name: "read_mcp_resource", Class: event.MCP},
	}
}

// codexCall reads a call. A tool of the subagents has the namespace of their version before its name.
func codexCall(f wire.Fields, _ wire.Options, ev *event.Event) {
	name := f.Str("tool_name")
	plain := strings.TrimPrefix(strings.TrimPrefix(name, "collaboration"), "multi_agent_v1")
	ev.Tool = wire.Call(codexTools(), plain, f, "tool_input")
	ev.Tool.Name = name
	// Codex applies a patch in a shell command by itself, and fires no event after it.
	ev.Tool.Unreported = ev.Tool.Class == event.Shell && strings.Contains(ev.Tool.Command, "apply_patch")
	if v := f.Get("tool_response"); v != nil && ev.Kind == event.ToolAfter {
		ev.Result = codexResult(ev.Tool, v)
	}
}

// codexResult: of a command the response is the text that the model is given, without its status. Of long output it is
// the beginning and the end, with a line about it before and a mark where it was cut; what stands in it is proof.
func codexResult(t event.Tool, v []byte) *event.Result {
	r := wire.TextResult(t.Class, v)
	r.Running = t.Class == event.Subagent // spawn_agent does not wait
	o, isObject := jsonscan.Members(v)
	switch {
	case isObject:
		r.Failed = string(o.Get("isError")) == "true"
	case t.Class == event.Patch && v[0] == '"':
		if s, ok := strings.CutPrefix(jsonscan.Unquote(v), "Exit code: "); ok {
			r.Failed = !strings.HasPrefix(s, "0\n")
		}
	}
	return r
}

// codexConfig: observed with 0.169.0. The hooks stand in hooks.json, which only holds hooks; config.toml may hold them too and
// is not touched. SessionEnd is given 3 s at most: with more asked for, every start warns; with nothing, it is 1 s.
func codexConfig() settings.Client {
	return settings.Client{
		Strict:  true,
		User:    settings.Place{Path: ".codex/hooks.json", Variable: "CODEX_HOME", Rest: "hooks.json"},
		Project: settings.Place{Path: ".codex/hooks.json", Shared: true},
		// Documented. The name inside of the file is what counts, by custom it is the file's.
		UserAgents:    settings.Place{Path: ".codex/agents/%s.toml", Variable: "CODEX_HOME", Rest: "agents/%s.toml"},
		ProjectAgents: settings.Place{Path: ".codex/agents/%s.toml", Shared: true},
		// Documented. Its own folder for skills is the shared one; CODEX_HOME does not move it.
		UserSkills:    settings.Place{Path: ".agents/skills/%s"},
		ProjectSkills: settings.Place{Path: ".agents/skills/%s", Shared: true},

		Events: []settings.Hook{
			{Event: "SessionStart"},
			{Event: "SessionEnd", Timeout: 3},
			{Event: "UserPromptSubmit"},
			{Event: "PreToolUse", Matcher: "*"},
			{Event: "PostToolUse", Matcher: "*"},
			{Event: "PreCompact"},
			{Event: "PostCompact"},
			{Event: "Stop"},
		},

		Trust: "Codex runs no hook that you have not trusted, and `codex exec` says nothing about it: start `codex` in a terminal, choose " +
			"to review the hooks, and trust them (later: /hooks, key t). The same again whenever install changes an entry",
		Compact: "/compact",
		Start:   "Codex keeps a server in the background: quit it, or start it again, for a new PATH to count",
		// Codex CLI 0.169.0; documented. It has no read tool and no list of tools: the sandbox is what keeps the reader from
		// writing. It reads through its shell, so the writer cannot be kept from that either.
		Definition: settings.Definition{
			Head: "name = \"%name\"\ndescription = \"%description\"\n%toolsdeveloper_instructions = '''\n", Tail: "'''\n",
			Reader: "sandbox_mode = \"read-only\"\n", Writer: "sandbox_mode = \"workspace-write\"\n", Comment: "#",
		},
		// Documented. A plugin brings no subagents, a plugin.json in its root would switch its hooks off, and its hooks want
		// the same trust.
		Bundle: settings.Bundle{
			Manifest: ".codex-plugin/plugin.json", Hooks: "hooks/hooks.json",
			Fields: map[string]any{"skills": "./skills/", "hooks": "./hooks/hooks.json"},
			Market: ".agents/plugins/marketplace.json",
			Entry: map[string]any{
				"source":   map[string]any{"source": "local", "path": "%folder"},
				"policy":   map[string]any{"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
				"category": "Productivity",
			},
		},
	}
}

func codexSamples() Samples {
	const head = `{"session_id":"%session","turn_id":"d0c70000","transcript_path":"%home/.codex/sessions/rollout-%session.jsonl","cwd":"%cwd","model":"gpt-5.5",`
	return Samples{
		Before:     "PreToolUse",
		Read:       head + `"permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"cat %name"},"tool_use_id":"call_doctor_1"}`,
		Write:      head + `"permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Add File: src/new.txt\n+x\n*** End Patch\n"},"tool_use_id":"call_doctor_2"}`,
		Compacted:  "PostCompact",
		Compaction: head + `"hook_event_name":"PostCompact","trigger":"auto"}`,
	}
}
