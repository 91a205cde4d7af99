package agents

import (
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/wire"
)

// unsure are the captured payloads that another client's could look like, so that --agent decides: ephemeral sessions of
// Codex name no folder of its own, and Copilot's second dialect has nothing of its own but with a tool call.
var unsure = []string{"-ephemeral.json", "pascal_UserPromptSubmit.json"}

// TestForeignFlag: agents read each other's configuration, so each captured payload meets the flag of each other client.
func TestForeignFlag(t *testing.T) {
	for name, list := range payloads(t) {
		if name == "generic" {
			continue
		}
		for _, p := range list {
			sure := true
			for _, end := range unsure {
				sure = sure && !strings.HasSuffix(p.name, end)
			}
			for _, c := range clients() {
				want := name
				if !sure {
					want = c.Name
				}
				ev, err := Decode(p.data, wire.Options{Subcommand: p.subcommand, Agent: c.Name})
				if ev.Client.Name != want {
					t.Errorf("%s with --agent %s: %s, want %s", p.name, c.Name, ev.Client.Name, want)
				}
				if sure && err != nil && name != "opencode" { // some of its events name no session
					t.Errorf("%s with --agent %s: %v", p.name, c.Name, err)
				}
			}
			ev, _ := Decode(p.data, wire.Options{Subcommand: p.subcommand, Getenv: func(k string) string {
				// What a client started by another one inherits.
				if k == "CLAUDECODE" || k == "GEMINI_SESSION_ID" || k == "QWEN_PROJECT_DIR" {
					return "1"
				}
				return ""
			}})
			if ev.Client.Name != name {
				t.Errorf("%s in other clients' environment: %s", p.name, ev.Client.Name)
			}
		}
	}
}

// TestRecognitionOfClones are payloads that were not captured: moved folders, and the clients of the survey that look
// most alike.
func TestRecognitionOfClones(t *testing.T) {
	const iso = `"timestamp":"2026-02-09T10:30:00.000Z",`
	for _, c := range []struct{ name, in, agent, want string }{
		{"Codex, moved", `{"session_id":"s","transcript_path":"/cfg/sessions/2026/11/20/rollout-2026-11-20T08-31-38-x.jsonl","cwd":"/p","hook_event_name":"SessionEnd","reason":"other"}`, "", "codex"},
		{"the flag beats it", `{"session_id":"s","transcript_path":"/cfg/sessions/rollout-x.jsonl","hook_event_name":"SessionEnd"}`, "claude-code", "claude-code"},
		{"Codex on Windows", `{"session_id":"s","transcript_path":"C:\\Users\\d\\.codex\\sessions\\rollout-x.jsonl","hook_event_name":"Stop"}`, "claude-code", "codex"},
		{"Gemini, moved", `{"session_id":"s","transcript_path":"/cfg/tmp/p/chats/session-2026-x.jsonl","cwd":"/p",` + iso + `"hook_event_name":"SessionStart","source":"startup"}`, "", "gemini"},
		{"Gemini, no transcript", `{"session_id":"s","transcript_path":"","cwd":"/p",` + iso + `"hook_event_name":"BeforeTool"}`, "", "gemini"},
		{"Qwen, moved", `{"session_id":"s","transcript_path":"/cfg/p/chats/s.jsonl","cwd":"/p",` + iso + `"permission_mode":"yolo","hook_event_name":"PreToolUse"}`, "", "qwen"},
		{"Copilot, an edit in Claude Code's dialect", `{"hook_event_name":"PreToolUse","session_id":"s",` + iso + `"cwd":"/p","tool_name":"Edit","tool_input":{"path":"/p/a","old_str":"x","new_str":"y"}}`, "claude-code", "copilot"},
		{"Copilot, a compaction in that dialect", `{"hook_event_name":"PreCompact","session_id":"s",` + iso + `"cwd":"/p","transcript_path":"/h/.copilot/session-state/s/events.jsonl","trigger":"auto"}`, "claude-code", "copilot"},
		{"Copilot, a float of milliseconds", `{"sessionId":"s","timestamp":1783700000000.5,"cwd":"/p","toolName":"bash","toolArgs":{"command":"ls"}}`, "claude-code", "copilot"},
		{"VS Code", `{` + iso + `"hook_event_name":"PreToolUse","session_id":"s","transcript_path":"/h/workspaceStorage/x/t.json","cwd":"/p","tool_name":"create_file","tool_input":{"filePath":"/p/a"},"tool_use_id":"c"}`, "", "vscode"},
		{"VS Code, no transcript", `{` + iso + `"hook_event_name":"PreToolUse","session_id":"s","cwd":"/p","tool_name":"create_file","tool_input":{"filePath":"/p/a"},"tool_use_id":"c"}`, "", "vscode"},
		{"VS Code with a flag", `{` + iso + `"hook_event_name":"SessionStart","session_id":"s","transcript_path":"/h/workspaceStorage/x/t.json","cwd":"/p","source":"new"}`, "claude-code", "vscode"},
		{"Cursor", `{"session_id":"s","cursor_version":"1","conversation_id":"c","generation_id":"g","hook_event_name":"preToolUse","transcript_path":null}`, "", "cursor"},
		{"Cline", `{"taskId":"t","timestamp":"1","hookName":"PreToolUse","session_id":"s"}`, "", "generic"},
		{"Claude Code stays", claudeStart + `"hook_event_name":"Stop"}`, "codex", "claude-code"},
		{"Droid", `{"session_id":"s","transcript_path":"/h/.factory/projects/x/s.jsonl","cwd":"/p","permission_mode":"off","hook_event_name":"PreToolUse"}`, "claude-code", "droid"},
		{"CodeBuddy, moved", `{"session_id":"s","transcript_path":"/cfg/s.jsonl","cwd":"/p","generation_id":"g","hook_event_name":"PreToolUse"}`, "", "codebuddy"},
	} {
		if ev, _ := Decode([]byte(c.in), wire.Options{Agent: c.agent}); ev.Client.Name != c.want {
			t.Errorf("%s: %s, want %s", c.name, ev.Client.Name, c.want)
		}
	}
}

// TestBadInputOfClients: a wrong type is named by the field of that client, and the client rules the status.
func TestBadInputOfClients(t *testing.T) {
	const (
		codexStart   = `{"transcript_path":"/h/.codex/sessions/rollout-x.jsonl","cwd":"/p","turn_id":"t",`
		geminiStart  = `{"transcript_path":"/h/.gemini/tmp/p/chats/session-x.jsonl","cwd":"/p","timestamp":"2026",`
		qwenStart    = `{"transcript_path":"/h/.qwen/projects/p/chats/x.jsonl","cwd":"/p","timestamp":"2026",`
		copilotStart = `{"timestamp":1,"cwd":"/p",`
	)
	for _, c := range []struct {
		in, field string
		status    int
	}{
		{codexStart + `"hook_event_name":"Stop"}`, "session_id", 1},
		{codexStart + `"session_id":"s","hook_event_name":"Stop","stop_hook_active":1}`, "stop_hook_active", 1},
		{codexStart + `"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":["ls"]}}`, "tool_input.command", 1},
		{codexStart + `"session_id":"s","hook_event_name":"PreToolUse","tool_name":"zz","tool_input":"x"}`, "tool_input", 1},
		{codexStart + `"session_id":"s","agent_id":"a\u0000","hook_event_name":"PreToolUse"}`, "agent_id", 1},
		{geminiStart + `"hook_event_name":"BeforeTool"}`, "session_id", 0},
		{geminiStart + `"session_id":"s","hook_event_name":"BeforeTool","tool_name":"read_file","tool_input":{"end_line":"x"}}`, "tool_input.end_line", 0},
		{geminiStart + `"session_id":"s","hook_event_name":"BeforeModel","llm_request":[]}`, "llm_request", 0},
		{qwenStart + `"session_id":7,"hook_event_name":"PreToolUse"}`, "session_id", 1},
		{qwenStart + `"session_id":"s","hook_event_name":"PreToolUse","tool_name":"read_file","tool_input":{"offset":1.5}}`, "tool_input.offset", 1},
		{copilotStart + `"sessionId":"a\nb","toolName":"bash","toolArgs":{}}`, "sessionId", 0},
		{copilotStart + `"sessionId":"s","toolName":"bash","toolArgs":"ls"}`, "toolArgs", 0},
		{copilotStart + `"sessionId":"s","toolName":"bash","toolArgs":{"command":1}}`, "toolArgs.command", 0},
		{copilotStart + `"sessionId":"s","toolName":"bash","toolArgs":"{\"command\":1}"}`, "toolArgs.command", 0},
		{`{"timestamp":"2026","hook_event_name":"PreToolUse","session_id":"s","tool_name":"Edit","tool_input":{"path":{}}}`, "tool_input.path", 0},
	} {
		ev, err := Decode([]byte(c.in), wire.Options{})
		bad, ok := err.(*wire.InputError)
		if !ok || bad.Field != c.field || bad.Remedy == "" || ev.Session != "" || ev.Kind != event.None {
			t.Errorf("%s: %v, %+v", c.in, err, ev)
			continue
		}
		if out := Failure(ev.Client, err.Error(), false); out.Exit != c.status {
			t.Errorf("%s: status %d", c.in, out.Exit)
		}
	}
	for _, agent := range []string{"gemini", "copilot"} {
		ev, err := Decode([]byte("rubbish"), wire.Options{Agent: agent})
		if out := Failure(ev.Client, err.Error(), false); out.Exit != 0 {
			t.Errorf("%s: %+v", agent, out)
		}
	}
}
