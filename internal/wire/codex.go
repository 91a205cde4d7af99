package wire

import (
	"path"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
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

func codex() adapter {
	return adapter{
		client: func() *event.Client {
			return &event.Client{
				Name: "codex", Title: "Codex CLI", Observed: "0.169.0",
				NamesSubagents: true, PromptEvents: true, AfterEvents: true,
				InjectsAtCompaction: true, InjectsAtStart: true, InjectsAtPrompt: true, InjectsAfterTools: true,
				RemindsBefore: true, RefusesPrompts: true,
				MaxOutput: codexMaxBytes, MaxBytes: codexMaxBytes,
				// A command shows 10,000 tokens of 4 bytes by default; of more, the beginning and the end.
				ReadBytes: 36_000,
				// Documented. The name inside of the file is what counts, by custom it is the file's.
				AgentFiles: []string{".codex/agents/%s.toml", "~/.codex/agents/%s.toml"},
				SessionEnv: "CODEX_SESSION_ID",
				Signals:    []string{"PostCompact", "SessionStart(compact)", "SessionStart(fork)"},
				OnFailure:  "runs the tool",
				Uncovered: []string{
					"what is typed into a running program (write_stdin) fires no hook",
					"in code mode a script can read a file and show the model nothing of it, or so much at once that Codex cuts it; that cannot be told from a read",
					"new or changed hooks do not run until they are trusted in an interactive session; `codex exec` skips them silently",
				},
			}
		},
		shape:  codexShape,
		decode: codexDecode,
		encode: codexEncode,
		open:   1,
	}
}

// codexShape: the folder is Codex's own; a transcript called rollout-… is that of a moved folder or of a clone that has
// Codex's engine; turn_id and a transcript that is null were seen nowhere else.
func codexShape(p object) shape {
	if p.text("hook_event_name") == "" || p.get("timestamp") != nil || p.get("conversation_id") != nil {
		return foreign
	}
	transcript := strings.ReplaceAll(p.text("transcript_path"), `\`, "/")
	switch {
	case strings.Contains(transcript, "/.codex/"):
		return unmistakable
	case strings.HasPrefix(path.Base(transcript), "rollout-"), p.get("turn_id") != nil, p.has("transcript_path") && transcript == "":
		return strong
	}
	return foreign
}

func codexDecode(p object, o Options, ev *event.Event) *InputError {
	f := newFields(p)
	ev.Session = f.session("session_id")
	ev.Name = f.str("hook_event_name")
	ev.Cwd = f.str("cwd") // of a shell call its own folder, of others the session's
	ev.Turn = f.id("turn_id")
	ev.Call = f.id("tool_use_id")
	ev.Sub = event.Sub{ID: f.id("agent_id"), Type: f.str("agent_type")}
	source := f.str("source")
	if ev.Name == "" {
		ev.Kind = kindOfCommand(o.Subcommand)
	} else {
		// The same names mean the same as with Claude Code; Interrupt and the requests to the model are of no use.
		ev.Kind = claudeKind(ev.Name, source)
	}
	// After a manual compaction SessionStart(compact) comes with the next prompt, in a subagent never: PostCompact arms,
	// and prints nothing since the client takes nothing there.
	ev.Injects = (ev.Kind == event.Compacted || ev.Kind == event.Forked) && ev.Name != "PostCompact"
	switch ev.Kind {
	case event.SessionStart, event.Compacting, event.Compacted, event.Forked:
		ev.Source, ev.Trigger = source, f.str("trigger")
	case event.ToolBefore, event.ToolAfter:
		codexTool(f, ev)
		readsOnly(o, ev)
	case event.Prompt:
		ev.Prompt = f.str("prompt")
		ev.Synthetic = codexMadeUp(ev.Prompt)
	case event.Stop:
		ev.StopActive = f.truth("stop_hook_active")
	case event.ConfigChange, event.Unread:
		ev.Path = f.str("file_path")
	}
	return *f.err
}

// codexMadeUp reports whether Codex wrote a prompt itself. Observed is that a Stop hook's answer becomes a message of the
// first form; the others are how it marks its own words elsewhere in the conversation (seen in source).
func codexMadeUp(prompt string) bool {
	prompt = strings.TrimSpace(prompt)
	for _, tag := range [...]string{"<hook_prompt", "<subagent_notification", "<turn_aborted", "<environment_context", "<user_instructions"} {
		if strings.HasPrefix(prompt, tag) {
			return true
		}
	}
	return false
}

// codexTools are the tools that hooks see. Names of namespaces stand before the name without anything between.
func codexTools() []toolRow {
	return []toolRow{
		{name: "Bash", class: event.Shell, command: "command"},
		{name: "apply_patch", class: event.Patch, patch: "command"},
		{name: "view_image", class: event.Read, path: "path"},
		{name: "spawn_agent", class: event.Subagent, subagent: "agent_type"},
		{name: "wait_agent|send_input|send_message|followup_task|interrupt_agent|list_agents|close_agent|resume_agent", class: event.Other},
		{name: "create_goal|update_goal|get_goal|update_plan|request_user_input|request_permissions", class: event.Other},
		{name: "list_mcp_resources|list_mcp_resource_templates", class: event.Other},
		{name: "read_mcp_resource", class: event.MCP},
	}
}

// codexRow finds the row of a tool, with or without the namespace of the versions of its subagents.
func codexRow(rows []toolRow, name string) *toolRow {
	if row := find(rows, name, false); row != nil {
		return row
	}
	for _, space := range [...]string{"collaboration", "multi_agent_v1"} {
		if rest, ok := strings.CutPrefix(name, space); ok {
			return find(rows, rest, false)
		}
	}
	return nil
}

func codexTool(f fields, ev *event.Event) {
	name := f.str("tool_name")
	in := f.sub("tool_input")
	if row := codexRow(codexTools(), name); row != nil {
		ev.Tool = row.tool(name, in)
	} else {
		ev.Tool = unknownTool(name, f.get("tool_input"))
	}
	// A patch in a shell command Codex applies by itself, and says nothing of it afterwards.
	ev.Tool.Unreported = ev.Tool.Class == event.Shell && strings.Contains(ev.Tool.Command, "apply_patch")
	if v := f.get("tool_response"); v != nil && ev.Kind == event.ToolAfter {
		ev.Result = codexResult(ev.Tool, v)
	}
}

// codexResult: of a command the response is the text that the model is given, without its status. Of long output it is
// the beginning and the end, with a line about it before and a mark where it was cut; what stands in it is proof.
func codexResult(t event.Tool, v []byte) *event.Result {
	r := textResult(t.Class, v)
	o, isObject := members(v)
	switch {
	case isObject:
		r.Failed = string(o.get("isError")) == "true"
	case t.Class == event.Patch && v[0] == '"':
		if s, ok := strings.CutPrefix(unquote(v), "Exit code: "); ok {
			r.Failed = !strings.HasPrefix(s, "0\n")
		}
	}
	return r
}

// codexEncode: a refusal is status 2 with the reason on standard error, nothing on standard output counts then. With
// status 0 a field that Codex does not know makes the whole answer fail.
func codexEncode(ev event.Event, a Answer) Output {
	if a.Verdict == event.Block && refusable(ev.Kind) {
		return refusal(ev, a)
	}
	if ev.Kind == event.Stop && a.Text != "" {
		return Output{Stdout: jsonLine(stopAnswer{Decision: "block", Reason: a.Text, SystemMessage: a.ToPerson})}
	}
	return specific(codexName(ev), cutBytes(joined(a.Context, a.Text), codexMaxBytes), a.ToPerson)
}

// codexName is the event's name for hookSpecificOutput, "" where the client takes none.
func codexName(ev event.Event) string {
	switch ev.Kind {
	case event.ToolBefore:
		return "PreToolUse"
	case event.ToolAfter:
		return "PostToolUse"
	case event.Prompt:
		return "UserPromptSubmit"
	case event.SessionStart:
		return "SessionStart"
	case event.Compacted, event.Forked:
		if ev.Injects {
			return "SessionStart"
		}
	}
	return ""
}
