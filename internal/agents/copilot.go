package agents

import (
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/settings"
	"github.com/mbgate/mbgate/internal/transcript"
	"github.com/mbgate/mbgate/internal/wire"
)

// GitHub Copilot CLI: everything here was observed with 1.0.102 unless a comment says otherwise.
//
// It speaks two dialects, by how the event is spelled where the hook is configured. "preToolUse" sends
// {sessionId, timestamp (milliseconds), cwd, toolName, toolArgs, toolResult} without the event's name, which the
// command's arguments have to say; where they do not, the fields do. "PreToolUse" sends {hook_event_name, session_id,
// timestamp (ISO 8601), cwd, tool_name, tool_input, tool_result}, with the tools named as Claude Code's and the arguments
// as its own; hooks of plugins in Claude Code's format get these (documented). Hooks in a project's .claude/settings.json and
// settings.local.json were not run, not in a trusted folder either. There is no id of a call.
//
// A subagent has a session id of its own, which is its agentId; parentAgentId is the session of whoever started it, which
// is the root unless subagents start subagents.

func copilot() Agent {
	return Agent{
		Adapter: wire.Adapter{
			Aliases: []string{"copilot-cli", "github-copilot"},
			Facts: func() *event.Client {
				return &event.Client{
					Name: "copilot", Title: "GitHub Copilot CLI", Observed: "1.0.102",
					NamesSubagents: true, PromptEvents: true, AfterEvents: true, Results: true,
					InjectsAtCompaction: false,
					InjectsAtStart:      true, InjectsAfterTools: true, RemindsBefore: true,
					RefusesPrompts: false, ArmsBefore: true,
					// Of a file that is larger (20 kB by its own words) a read shows a part or nothing; parts of this size came whole.
					ReadBytes:  20_000,
					ReadTool:   event.ReadTool{Tool: "view", Path: "path", Range: "view_range"},
					SessionEnv: "COPILOT_AGENT_SESSION_ID", // reported for 1.0.63
					Signals:    []string{"preCompact", "sessionStart(resume) under a new id"},
					// /fork makes a session that is then resumed.
					ForksResume: true,
					OnFailure:   "refuses the tool if the hook is missing or fails, runs it if the hook takes too long",
					Uncovered: []string{
						"a compaction begins after its only event and runs while the model goes on, so the gate closes a little early",
						"a prompt cannot be kept from the model, so it reads mb:clear too",
						"hooks of a repository run in trusted folders only; hooks may not fire for background agents (github/copilot-cli#3013)",
					},
				}
			},
			Shape:      copilotShape,
			Decode:     copilotDecode,
			Encode:     copilotEncode,
			FailStatus: 0, // any other status refuses the call, and the model is not told why
		},
		Config:       copilotConfig,
		ProjectFiles: "**/.github/hooks/** **/.copilot/settings*.json **/.copilot/hooks/** **/.copilot/config.json",
		HomeFiles:    ".copilot/settings.json .copilot/config.json .copilot/hooks/** .copilot/agents/** .copilot/installed-plugins/**",
		Samples:      copilotSamples,
		// The last is the plugin's; documented.
		Definitions: []string{".github/agents/%s.md", "~/.copilot/agents/%s.md", "~/.copilot/installed-plugins/mbgate/mbgate/agents/%s.agent.md"},
		Honours:     copilotHonours,
		Bash:        true,
		Records:     Records{Files: ".copilot/session-state/*/events.jsonl", Read: transcript.Copilot},
		// Reported for 1.0.63 (dynatrace-oss/dtctl #288); the first is disputed for other versions.
		Trace: Trace{Markers: "COPILOT_CLI COPILOT_AGENT_SESSION_ID", Process: "copilot", Package: "@github/copilot"},
	}
}

// copilotShape: no other agent sends a sessionId with a timestamp in milliseconds. In the other dialect a tool call with an ISO
// timestamp and neither a transcript nor an id is only Copilot's; its other events look the same in VS Code when that has
// no transcript.
func copilotShape(p wire.Object) wire.Shape {
	stamp := p.Get("timestamp")
	if len(stamp) == 0 || p.Get("taskId") != nil || p.Get("hookEventName") != nil {
		return wire.Foreign
	}
	for _, key := range [...]string{"transcript_path", "transcriptPath"} {
		if strings.Contains(strings.ReplaceAll(p.Text(key), `\`, "/"), "/.copilot/session-state/") {
			return wire.Unmistakable
		}
	}
	if p.Text("sessionId") != "" && stamp[0] >= '0' && stamp[0] <= '9' {
		return wire.Unmistakable
	}
	if p.Text("hook_event_name") == "" || stamp[0] != '"' {
		return wire.Foreign
	}
	for _, key := range [...]string{"transcript_path", "permission_mode", "tool_use_id", "turn_id", "prompt_id", "conversation_id"} {
		if p.Has(key) {
			return wire.Foreign
		}
	}
	switch {
	case p.Get("tool_name") != nil, p.Get("initial_prompt") != nil:
		return wire.Unmistakable
	case copilotKind(p.Text("hook_event_name")) != event.None:
		return wire.Strong
	}
	return wire.Foreign
}

// copilotKind says what an event means, in both spellings. There is no event after a compaction; the one before it is
// waited for.
func copilotKind(name string) event.Kind {
	if name != "" {
		name = strings.ToLower(name[:1]) + name[1:]
	}
	return wire.KindOf([]wire.KindRow{
		{Name: "sessionStart", Kind: event.SessionStart},
		{Name: "sessionEnd", Kind: event.SessionEnd},
		{Name: "userPromptSubmitted", Kind: event.Prompt},
		{Name: "userPromptSubmit", Kind: event.Prompt},
		{Name: "preToolUse", Kind: event.ToolBefore},
		{Name: "postToolUse", Kind: event.ToolAfter},
		{Name: "postToolUseFailure", Kind: event.ToolAfter},
		{Name: "preCompact", Kind: event.Compacted},
		{Name: "agentStop", Kind: event.Stop},
		{Name: "stop", Kind: event.Stop},
	}, name)
}

// copilotName is the event's name: the payload's own, or the one whose fields it has. told is false for the latter.
func copilotName(p wire.Object) (name string, told bool) {
	for _, key := range [...]string{"hook_event_name", "hookName"} {
		if name = p.Text(key); name != "" {
			return name, true
		}
	}
	for _, row := range [...]struct{ name, with, and string }{
		{"postToolUse", "toolName", "toolResult"},
		{"postToolUseFailure", "toolName", "error"},
		{"preToolUse", "toolName", "toolArgs"},
		{"preCompact", "trigger", "trigger"},
		{"subagentStop", "agentName", "stopReason"},
		{"subagentStart", "agentName", "agentName"},
		{"agentStop", "stopReason", "stopReason"},
		{"userPromptSubmitted", "prompt", "prompt"},
		{"sessionStart", "source", "source"},
		{"sessionEnd", "reason", "reason"},
	} {
		if p.Get(row.with) != nil && p.Get(row.and) != nil {
			return row.name, false
		}
	}
	return "", false
}

func copilotDecode(p wire.Object, o wire.Options, ev *event.Event) *wire.InputError {
	f := wire.NewFields(p)
	// key is the field's name in the dialect of the payload.
	key := func(camel, snake string) string {
		if p.Has(snake) && !p.Has(camel) {
			return snake
		}
		return camel
	}
	ev.Session = f.Session(key("sessionId", "session_id"))
	ev.Cwd = f.Str("cwd")
	if id := f.ID(key("agentId", "agent_id")); id != "" {
		ev.Sub = event.Sub{ID: id, Type: f.Str(key("agentType", "agent_type"))}
		// The parent itself tells that a subagent starts and stops; the session is its own then.
		if parent := f.ID(key("parentAgentId", "parent_agent_id")); parent != "" && id == ev.Session {
			ev.Session = parent
		}
	}
	var told bool
	ev.Name, told = copilotName(p)
	f.Str("hook_event_name")
	ev.Kind = copilotKind(ev.Name)
	if k := wire.KindOfCommand(o.Subcommand); k != event.None && !told {
		ev.Kind = k
	}
	ev.Source, ev.Trigger = f.Str("source"), f.Str("trigger")
	ev.Injects = ev.Kind == event.SessionStart && ev.Source == "resume"
	if ev.Kind == event.SessionEnd && (ev.Sub.ID != "" || f.Str("reason") == "complete") {
		// The session itself goes on after a subagent's end, and after "complete", which by the Agent Client Protocol comes at
		// the end of every turn. With -p it comes before the process ends, but such a session can be resumed.
		ev.Kind = event.None
	}
	readDetails(f, o, ev, func(f wire.Fields, _ wire.Options, ev *event.Event) { copilotTool(f, key, ev) })
	ev.Synthetic = ev.Kind == event.Prompt && copilotSynthetic(ev.Prompt)
	return f.Err()
}

// copilotSynthetic reports whether the client wrote a prompt itself. Not observed: how it marks its own words elsewhere.
func copilotSynthetic(prompt string) bool {
	return beginsWith(prompt, "<system_notification", "<system_reminder") || claudeSynthetic(prompt)
}

// copilotEncode: with status 2 alone the model is told no reason, so that standard output says it too, in both dialects
// and in the words of every client that a misread payload may come from. Of the other events nothing can be refused.
func copilotEncode(ev event.Event, a wire.Answer) wire.Output {
	if a.Verdict == event.Block && ev.Kind == event.ToolBefore {
		out := wire.Refusal(ev, a)
		reason := strings.TrimRight(string(out.Stderr), "\n")
		denial := decision{Decision: "deny", Reason: reason, Permission: "deny", Why: reason}
		denial.Specific.Event, denial.Specific.Permission, denial.Specific.Why = "PreToolUse", "deny", reason
		out.Stdout = wire.JSONLine(denial)
		return out
	}
	text := wire.Joined(a.Context, a.Text)
	out := wire.Output{Stderr: wire.Line(a.ToPerson)}
	switch ev.Kind {
	case event.Stop:
		if a.Text != "" { // documented
			out.Stdout = wire.Decided("block", a.Text, "").Stdout
		}
	case event.ToolBefore, event.ToolAfter, event.SessionStart:
		if text == "" {
			break
		}
		if name := ev.Name; name != "" && name[0] >= 'A' && name[0] <= 'Z' {
			out.Stdout = wire.Specific(name, text, "").Stdout
		} else {
			out.Stdout = wire.JSONLine(copilotContext{text})
		}
	}
	return out
}

// copilotContext leaves the decision out, so that the client's own permission prompt stands.
type copilotContext struct {
	Context string `json:"additionalContext"`
}

// copilotConfig: observed with 1.0.102. Events in camelCase were observed for all of them; their payload does not name the
// event, so the command does. A file of our own beside the others' in the hooks folder. A hook that fails in any way but
// a timeout counts as a refusal.
func copilotConfig() settings.Client {
	return settings.Client{
		User:          settings.Place{Path: ".copilot/hooks/mbgate.json", Variable: "COPILOT_HOME", Rest: "hooks/mbgate.json"},
		Project:       settings.Place{Path: ".github/hooks/mbgate.json", Shared: true},
		UserAgents:    settings.Place{Path: ".copilot/agents/%s.agent.md", Variable: "COPILOT_HOME", Rest: "agents/%s.agent.md"},
		ProjectAgents: settings.Place{Path: ".github/agents/%s.agent.md", Shared: true},
		// Documented.
		UserSkills:    settings.Place{Path: ".copilot/skills/%s", Variable: "COPILOT_HOME", Rest: "skills/%s"},
		ProjectSkills: settings.Place{Path: ".github/skills/%s", Shared: true},

		Layout: settings.Flat, Form: settings.GuardedForm, TimeoutKey: "timeoutSec",
		Events: []settings.Hook{
			{Event: "sessionStart", Words: "session-start --agent copilot"},
			{Event: "sessionEnd", Words: "session-end --agent copilot"},
			{Event: "userPromptSubmitted", Words: "prompt --agent copilot"},
			{Event: "preToolUse", Words: "tool-before --agent copilot"},
			{Event: "postToolUse", Words: "tool-after --agent copilot"},
			{Event: "postToolUseFailure", Words: "tool-after --agent copilot"},
			{Event: "preCompact", Words: "compact --agent copilot"},
			{Event: "agentStop", Words: "stop --agent copilot"},
		},

		Trust:   "hooks of a repository run in trusted folders only; those in your own folder need no trust",
		Compact: "/compact",
		Start:   "start Copilot again",
		// Copilot CLI 1.0.102; documented: aliases of tools, names that are not known are left out.
		Definition: settings.Definition{
			Head:   "---\nname: %name\ndescription: %description\ntools: [%tools]\n---\n\n",
			Reader: `"read", "search"`, Writer: `"read", "search", "edit"`,
		},
		// Documented for Copilot CLI.
		Bundle: settings.Bundle{
			Manifest: "plugin.json", Hooks: "hooks.json", Agents: "agents/%s.agent.md",
			Fields: map[string]any{"author": map[string]any{"name": "the mbgate authors"}, "hooks": "hooks.json", "agents": "agents/", "skills": "skills/"},
			Market: ".github/plugin/marketplace.json", Entry: map[string]any{"source": "%folder"},
		},
	}
}

func copilotSamples() Samples {
	const head = `{"sessionId":"%session","timestamp":1795165721862,"cwd":"%cwd",`
	return Samples{
		Before:     "preToolUse",
		Read:       head + `"toolName":"view","toolArgs":{"path":"%read"}}`,
		Write:      head + `"toolName":"create","toolArgs":{"path":"%write","file_text":"x\n"}}`,
		Compacted:  "preCompact",
		Compaction: head + `"transcriptPath":"%home/.copilot/session-state/%session/events.jsonl","trigger":"auto","customInstructions":""}`,
	}
}

// copilotHonours: 2 alone denies, but the model is only told the number; a reason counts on standard output.
func copilotHonours(r Reply) (refused bool, why string) {
	d := r.decision()
	flat := d.Permission == "deny" && d.Why != ""
	switch {
	case r.Exit == 2 && (flat || d.denies()), r.Exit == 0 && flat:
		return true, ""
	case r.Exit == 2:
		return false, "status 2 comes without permissionDecisionReason on standard output, so the model is not told why"
	}
	return false, r.unheeded()
}
