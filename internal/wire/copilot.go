package wire

import (
	"strings"

	"github.com/mbgate/mbgate/internal/event"
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

func copilot() adapter {
	return adapter{
		aliases: []string{"copilot-cli", "github-copilot"},
		client: func() *event.Client {
			return &event.Client{
				Name: "copilot", Title: "GitHub Copilot CLI", Observed: "1.0.102",
				NamesSubagents: true, PromptEvents: true, AfterEvents: true,
				InjectsAtCompaction: false,
				InjectsAtStart:      true, InjectsAfterTools: true, RemindsBefore: true,
				RefusesPrompts: false, ArmsBefore: true,
				// Of a file that is larger (20 kB by its own words) a read shows a part or nothing; parts of this size came whole.
				ReadBytes: 20_000,
				ReadTool:  event.ReadTool{Tool: "view", Path: "path", Range: "view_range"},
				AgentFiles: []string{ // observed is the third
					".github/agents/%s.agent.md", ".github/agents/%s.md", "~/.copilot/agents/%s.agent.md", "~/.copilot/agents/%s.md",
				},
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
		shape:  copilotShape,
		decode: copilotDecode,
		encode: copilotEncode,
		open:   0, // any other status refuses the call, and the model is not told why
	}
}

// copilotShape: nobody else has a sessionId with a timestamp in milliseconds. In the other dialect a tool call with an ISO
// timestamp and neither a transcript nor an id is only Copilot's; its other events look the same in VS Code when that has
// no transcript.
func copilotShape(p object) shape {
	stamp := p.get("timestamp")
	if len(stamp) == 0 || p.get("taskId") != nil || p.get("hookEventName") != nil {
		return foreign
	}
	for _, key := range [...]string{"transcript_path", "transcriptPath"} {
		if strings.Contains(strings.ReplaceAll(p.text(key), `\`, "/"), "/.copilot/session-state/") {
			return unmistakable
		}
	}
	if p.text("sessionId") != "" && stamp[0] >= '0' && stamp[0] <= '9' {
		return unmistakable
	}
	if p.text("hook_event_name") == "" || stamp[0] != '"' {
		return foreign
	}
	for _, key := range [...]string{"transcript_path", "permission_mode", "tool_use_id", "turn_id", "prompt_id", "conversation_id"} {
		if p.has(key) {
			return foreign
		}
	}
	switch {
	case p.get("tool_name") != nil, p.get("initial_prompt") != nil:
		return unmistakable
	case copilotKind(p.text("hook_event_name")) != event.None:
		return strong
	}
	return foreign
}

// copilotKind says what an event means, in both spellings. There is no event after a compaction; the one before it is
// waited for.
func copilotKind(name string) event.Kind {
	switch name {
	case "sessionStart", "SessionStart":
		return event.SessionStart
	case "sessionEnd", "SessionEnd":
		return event.SessionEnd
	case "userPromptSubmitted", "UserPromptSubmit":
		return event.Prompt
	case "preToolUse", "PreToolUse":
		return event.ToolBefore
	case "postToolUse", "PostToolUse", "postToolUseFailure", "PostToolUseFailure":
		return event.ToolAfter
	case "preCompact", "PreCompact":
		return event.Compacted
	case "agentStop", "Stop":
		return event.Stop
	}
	return event.None
}

// copilotName is the event's name: the payload's own, or the one whose fields it has. told is false for the latter.
func copilotName(p object) (name string, told bool) {
	for _, key := range [...]string{"hook_event_name", "hookName"} {
		if name = p.text(key); name != "" {
			return name, true
		}
	}
	has := func(key string) bool { return p.get(key) != nil }
	switch {
	case has("toolName") && has("toolResult"):
		return "postToolUse", false
	case has("toolName") && has("error"):
		return "postToolUseFailure", false
	case has("toolName") && has("toolArgs"):
		return "preToolUse", false
	case has("trigger"):
		return "preCompact", false
	case has("agentName") && has("stopReason"):
		return "subagentStop", false
	case has("agentName"):
		return "subagentStart", false
	case has("stopReason"):
		return "agentStop", false
	case has("prompt"):
		return "userPromptSubmitted", false
	case has("source"):
		return "sessionStart", false
	case has("reason"):
		return "sessionEnd", false
	}
	return "", false
}

func copilotDecode(p object, o Options, ev *event.Event) *InputError {
	f := newFields(p)
	// key is the field's name in the dialect of the payload.
	key := func(camel, snake string) string {
		if p.has(snake) && !p.has(camel) {
			return snake
		}
		return camel
	}
	ev.Session = f.session(key("sessionId", "session_id"))
	ev.Cwd = f.str("cwd")
	if id := f.id(key("agentId", "agent_id")); id != "" {
		ev.Sub = event.Sub{ID: id, Type: f.str(key("agentType", "agent_type"))}
		// The parent itself tells that a subagent starts and stops; the session is its own then.
		if parent := f.id(key("parentAgentId", "parent_agent_id")); parent != "" && id == ev.Session {
			ev.Session = parent
		}
	}
	var told bool
	ev.Name, told = copilotName(p)
	f.str("hook_event_name")
	ev.Kind = copilotKind(ev.Name)
	if k := kindOfCommand(o.Subcommand); k != event.None && !told {
		ev.Kind = k
	}
	ev.Source, ev.Trigger = f.str("source"), f.str("trigger")
	ev.Injects = ev.Kind == event.SessionStart && ev.Source == "resume"
	switch ev.Kind {
	case event.SessionEnd:
		// The session itself goes on after a subagent's end, and after "complete", which by the Agent Client Protocol comes at
		// the end of every turn. With -p it comes before the process ends, but such a session can be resumed.
		if ev.Sub.ID != "" || f.str("reason") == "complete" {
			ev.Kind = event.None
		}
	case event.ToolBefore, event.ToolAfter:
		copilotTool(f, key, ev)
		readsOnly(o, ev)
	case event.Prompt:
		ev.Prompt = f.str("prompt")
		ev.Synthetic = copilotMadeUp(ev.Prompt)
	case event.Stop:
		ev.StopActive = f.truth("stop_hook_active")
	case event.Unread:
		ev.Path = f.str("file_path")
	}
	return *f.err
}

// copilotMadeUp reports whether the client wrote a prompt itself. Not observed: how it marks its own words elsewhere.
func copilotMadeUp(prompt string) bool {
	prompt = strings.TrimSpace(prompt)
	return strings.HasPrefix(prompt, "<system_notification") || strings.HasPrefix(prompt, "<system_reminder") || madeUp(prompt)
}

// copilotEncode: with status 2 alone the model is told no reason, so that standard output says it too, in both dialects
// and in the words of every client that a misread payload may come from. Of the other events nothing can be refused.
func copilotEncode(ev event.Event, a Answer) Output {
	if a.Verdict == event.Block && ev.Kind == event.ToolBefore {
		out := refusal(ev, a)
		reason := strings.TrimRight(string(out.Stderr), "\n")
		out.Stdout = jsonLine(copilotDenial{
			Decision: "deny", Reason: reason, Permission: "deny", Why: reason,
			Specific: copilotSpecific{Event: "PreToolUse", Permission: "deny", Why: reason},
		})
		return out
	}
	text := joined(a.Context, a.Text)
	out := Output{Stderr: line(a.ToPerson)}
	switch ev.Kind {
	case event.Stop:
		if a.Text != "" { // documented
			out.Stdout = jsonLine(stopAnswer{Decision: "block", Reason: a.Text})
		}
	case event.ToolBefore, event.ToolAfter, event.SessionStart:
		if text == "" {
			break
		}
		if name := ev.Name; name != "" && name[0] >= 'A' && name[0] <= 'Z' {
			out.Stdout = specific(name, text, "").Stdout
		} else {
			out.Stdout = jsonLine(copilotContext{text})
		}
	}
	return out
}

// copilotContext leaves the decision out, so that the client's own permission prompt stands.
type copilotContext struct {
	Context string `json:"additionalContext"`
}

type copilotDenial struct {
	Decision   string          `json:"decision"`
	Reason     string          `json:"reason"`
	Permission string          `json:"permissionDecision"`
	Why        string          `json:"permissionDecisionReason"`
	Specific   copilotSpecific `json:"hookSpecificOutput"`
}

type copilotSpecific struct {
	Event      string `json:"hookEventName"`
	Permission string `json:"permissionDecision"`
	Why        string `json:"permissionDecisionReason"`
}
