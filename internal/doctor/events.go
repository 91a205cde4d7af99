package doctor

import (
	"encoding/json"
	"path/filepath"
	"strings"
)

// The events that doctor makes up have the shapes that the clients were recorded to send, with %session, %cwd, %read and
// %write for what differs; %home is the home folder, as the path of a transcript names it.

// sampled are the made-up events of one client. Each goes to the command lines that are configured for the client's own
// event of that name.
type sampled struct {
	// before, read and write: a call that reads a file, which must pass, and one that writes, which must be refused once
	// the context was compacted.
	before, read, write string
	// compacted is the event that tells of a compaction, compaction its payload.
	compacted, compaction string
}

// samples are the events by the name of the client.
func samples(client string) sampled {
	switch client {
	case "claude-code":
		const head = `{"session_id":"%session","transcript_path":"%home/.claude/projects/-mbgate-doctor/%session.jsonl","cwd":"%cwd",`
		return sampled{
			before:     "PreToolUse",
			read:       head + `"prompt_id":"d0c70000","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"file_path":"%read"},"tool_use_id":"toolu_doctor_1"}`,
			write:      head + `"prompt_id":"d0c70000","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"%write","content":"x\n"},"tool_use_id":"toolu_doctor_2"}`,
			compacted:  "SessionStart",
			compaction: head + `"hook_event_name":"SessionStart","source":"compact","model":"claude"}`,
		}
	case "codex":
		const head = `{"session_id":"%session","turn_id":"d0c70000","transcript_path":"%home/.codex/sessions/rollout-%session.jsonl","cwd":"%cwd","model":"gpt-5.5",`
		return sampled{
			before:     "PreToolUse",
			read:       head + `"permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"cat %name"},"tool_use_id":"call_doctor_1"}`,
			write:      head + `"permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Add File: src/new.txt\n+x\n*** End Patch\n"},"tool_use_id":"call_doctor_2"}`,
			compacted:  "PostCompact",
			compaction: head + `"hook_event_name":"PostCompact","trigger":"auto"}`,
		}
	case "gemini":
		const head = `{"session_id":"%session","transcript_path":"%home/.gemini/tmp/doctor/chats/session-%session.jsonl","cwd":"%cwd","timestamp":"2026-11-20T08:48:00.793Z",`
		return sampled{
			before:     "BeforeTool",
			read:       head + `"hook_event_name":"BeforeTool","tool_name":"read_file","tool_input":{"file_path":"%read"}}`,
			write:      head + `"hook_event_name":"BeforeTool","tool_name":"write_file","tool_input":{"file_path":"%write","content":"x\n"}}`,
			compacted:  "BeforeModel",
			compaction: head + `"hook_event_name":"BeforeModel","llm_request":{"model":"gemini","messages":[{"role":"user","content":"<session_context>\n</session_context>\n<state_snapshot>x</state_snapshot>"},{"role":"model","content":"Got it. Thanks for the additional context!"},{"role":"user","content":"go on"}]}}`,
		}
	case "qwen":
		const head = `{"session_id":"%session","transcript_path":"%home/.qwen/projects/-mbgate-doctor/chats/%session.jsonl","cwd":"%cwd","timestamp":"2026-11-20T09:05:02.610Z","permission_mode":"default","prompt_id":"%session########0",`
		return sampled{
			before:     "PreToolUse",
			read:       head + `"hook_event_name":"PreToolUse","tool_name":"read_file","tool_input":{"file_path":"%read"},"tool_use_id":"toolu_doctor_1","tool_call_id":"call_1"}`,
			write:      head + `"hook_event_name":"PreToolUse","tool_name":"write_file","tool_input":{"file_path":"%write","content":"x\n"},"tool_use_id":"toolu_doctor_2","tool_call_id":"call_2"}`,
			compacted:  "PostCompact",
			compaction: head + `"hook_event_name":"PostCompact","trigger":"auto","compact_summary":"x"}`,
		}
	case "copilot":
		const head = `{"sessionId":"%session","timestamp":1795165721862,"cwd":"%cwd",`
		return sampled{
			before:     "preToolUse",
			read:       head + `"toolName":"view","toolArgs":{"path":"%read"}}`,
			write:      head + `"toolName":"create","toolArgs":{"path":"%write","file_text":"x\n"}}`,
			compacted:  "preCompact",
			compaction: head + `"transcriptPath":"%home/.copilot/session-state/%session/events.jsonl","trigger":"auto","customInstructions":""}`,
		}
	case "opencode":
		const head = `{"client":"opencode","session_id":"%session","directory":"%cwd","worktree":"%cwd","agent":"build",`
		return sampled{
			before:     "plugin",
			read:       head + `"hook":"tool.execute.before","call_id":"call_1","tool":"read","args":{"filePath":"%read"}}`,
			write:      head + `"hook":"tool.execute.before","call_id":"call_2","tool":"write","args":{"filePath":"%write","content":"x\n"}}`,
			compacted:  "plugin",
			compaction: head + `"hook":"experimental.session.compacting"}`,
		}
	}
	return sampled{}
}

// fill puts a session, a project and its files into a sample.
func fill(sample, session, home, project string) string {
	text := func(s string) string {
		quoted, _ := json.Marshal(s) // a string cannot fail
		return string(quoted[1 : len(quoted)-1])
	}
	return strings.NewReplacer(
		"%session", text(session), "%cwd", text(project), "%home", text(filepath.ToSlash(home)),
		"%read", text(filepath.Join(project, "README.md")), "%name", "README.md",
		"%write", text(filepath.Join(project, "src", "new.txt")),
	).Replace(sample)
}
