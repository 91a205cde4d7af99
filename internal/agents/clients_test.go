package agents

import (
	"fmt"
	"testing"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/wire"
)

// TestQwenUnseen are calls and results that were not captured.
func TestQwenUnseen(t *testing.T) {
	const start = `{"session_id":"s","transcript_path":"/h/.qwen/projects/p/chats/s.jsonl","cwd":"/p","timestamp":"2026","permission_mode":"yolo",`
	for _, c := range []struct {
		name, in string
		ok       func(ev event.Event) bool
	}{
		{"it counts from 0", `"hook_event_name":"PreToolUse","tool_name":"read_file","tool_input":{"file_path":"/a","offset":10,"limit":5}}`, func(ev event.Event) bool {
			return ev.Tool.Offset == 11 && ev.Tool.Limit == 5
		}},
		{"a monitor is a shell", `"hook_event_name":"PreToolUse","tool_name":"monitor","tool_input":{"command":"echo x > made.txt","description":"x"}}`, func(ev event.Event) bool {
			return ev.Tool.Class == event.Shell && ev.Tool.Command == "echo x > made.txt"
		}},
		{"a limit alone", `"hook_event_name":"PreToolUse","tool_name":"read_file","tool_input":{"file_path":"/a","limit":5}}`, func(ev event.Event) bool {
			return ev.Tool.Offset == 0 && ev.Tool.Limit == 5
		}},
		{"a file that begins like the stub", `"hook_event_name":"PostToolUse","tool_name":"read_file","tool_input":{"file_path":"/a"},"tool_response":{"llmContent":"[File a unchanged since last read in this session]\nand more\n"}}`, func(ev event.Event) bool {
			return !ev.Result.Unchanged && ev.Result.HasText
		}},
		{"a subagent that failed", `"hook_event_name":"PostToolUse","tool_name":"agent","tool_input":{"subagent_type":"memory-reader"},"tool_response":{"llmContent":"x","returnDisplay":{"status":"failed"}}}`, func(ev event.Event) bool {
			return ev.Result.Failed && ev.Tool.Subagent == "memory-reader"
		}},
		{"a continued turn", `"hook_event_name":"UserPromptSubmit","prompt":""}`, func(ev event.Event) bool {
			return ev.Kind == event.Prompt && ev.Prompt == ""
		}},
		{"a task's message", `"hook_event_name":"UserPromptSubmit","prompt":"<task-notification>x"}`, func(ev event.Event) bool { return ev.Synthetic }},
		{"a start after a compaction is no sign of one", `"hook_event_name":"SessionStart","source":"compact"}`, func(ev event.Event) bool {
			return ev.Kind == event.SessionStart && ev.Source == "compact"
		}},
		{"a fork", `"hook_event_name":"SessionStart","source":"fork"}`, func(ev event.Event) bool { return ev.Kind == event.Forked && ev.Injects }},
		{"a branch", `"hook_event_name":"SessionStart","source":"branch"}`, func(ev event.Event) bool { return ev.Kind == event.Forked && ev.Injects }},
		{"a resumed session, or a fork", `"hook_event_name":"SessionStart","source":"resume"}`, func(ev event.Event) bool {
			return ev.Kind == event.SessionStart && ev.Source == "resume" && ev.Injects && ev.Client.ForksResume
		}},
		{"a message from a channel", `"hook_event_name":"UserPromptSubmit","prompt":"mb:clear"}`, func(ev event.Event) bool { return !ev.Synthetic }},
		{"a call id of vLLM", `"hook_event_name":"PreToolUse","agent_id":"memory-bank-writer-chatcmpl-tool-1a"}`, func(ev event.Event) bool {
			return ev.Sub.Type == "memory-bank-writer"
		}},
		{"a call id of Anthropic", `"hook_event_name":"PreToolUse","agent_id":"memory-bank-writer-toolu_01"}`, func(ev event.Event) bool {
			return ev.Sub.Type == "memory-bank-writer"
		}},
		{"a compaction in a subagent", `"hook_event_name":"PostCompact","trigger":"auto","agent_id":"memory-reader-call_1"}`, func(ev event.Event) bool {
			return ev.Kind == event.Compacted && ev.Sub == event.Sub{ID: "memory-reader-call_1", Type: "memory-reader"} && !ev.Injects
		}},
		{"an id of another form", `"hook_event_name":"PreToolUse","agent_id":"memory-bank-writer-7"}`, func(ev event.Event) bool {
			return ev.Sub.ID != "" && ev.Sub.Type == ""
		}},
		{"the type is all before the call", `"hook_event_name":"PreToolUse","agent_id":"memory-bank-writer-call_x-call_1"}`, func(ev event.Event) bool {
			return ev.Sub.Type == "memory-bank-writer-call_x"
		}},
	} {
		ev, err := Decode([]byte(start+c.in), wire.Options{})
		if err != nil || !c.ok(ev) {
			t.Errorf("%s: %v %+v %+v", c.name, err, ev, ev.Result)
		}
	}
}

// TestCodexUnseen are events and results that were not captured.
func TestCodexUnseen(t *testing.T) {
	const start = `{"session_id":"s","transcript_path":"/h/.codex/sessions/rollout-x.jsonl","cwd":"/p","turn_id":"t",`
	for _, c := range []struct {
		name, in string
		ok       func(ev event.Event) bool
	}{
		{"a patch that failed", `"hook_event_name":"PostToolUse","tool_name":"apply_patch","tool_input":{"command":"x"},"tool_response":"Exit code: 1\nOutput:\nx"}`, func(ev event.Event) bool { return ev.Result.Failed }},
		{"an MCP tool that failed", `"hook_event_name":"PostToolUse","tool_name":"mcp__fs__read_file","tool_input":{"path":"a"},"tool_response":{"content":[{"type":"text","text":"x"}],"isError":true}}`, func(ev event.Event) bool {
			return ev.Result.Failed && ev.Tool.Class == event.Read
		}},
		{"the second version of subagents", `"hook_event_name":"PreToolUse","tool_name":"collaborationspawn_agent","tool_input":{"agent_type":"memory-reader"}}`, func(ev event.Event) bool {
			return ev.Tool.Class == event.Subagent && ev.Tool.Subagent == "memory-reader"
		}},
		{"a tool that is only called so", `"hook_event_name":"PreToolUse","tool_name":"collaborationwrite_file","tool_input":{"path":"a","content":"x"}}`, func(ev event.Event) bool {
			return ev.Tool.Class == event.Write
		}},
		{"an answer of a stop hook", `"hook_event_name":"UserPromptSubmit","prompt":"<hook_prompt>read</hook_prompt>"}`, func(ev event.Event) bool { return ev.Synthetic }},
		{"an event of the future", `"hook_event_name":"PreDream"}`, func(ev event.Event) bool { return ev.Kind == event.None }},
		{"requests to the model", `"hook_event_name":"PreModelRequest"}`, func(ev event.Event) bool { return ev.Kind == event.None }},
	} {
		ev, err := Decode([]byte(start+c.in), wire.Options{})
		if err != nil || !c.ok(ev) {
			t.Errorf("%s: %v %+v %+v", c.name, err, ev, ev.Result)
		}
	}
}

// TestCopilotUnseen are payloads of other versions and models (documented), and sessions that were not captured.
func TestCopilotUnseen(t *testing.T) {
	const (
		camel  = `{"sessionId":"s","timestamp":1783700000000,"cwd":"/p",`
		pascal = `{"session_id":"s","timestamp":"2026-08-01T10:30:00.000Z","cwd":"/p",`
	)
	for _, c := range []struct {
		name, in string
		ok       func(ev event.Event) bool
	}{
		{"the end of a turn", camel + `"reason":"complete"}`, func(ev event.Event) bool { return ev.Kind == event.None }},
		{"the end of a session", camel + `"reason":"user_exit"}`, func(ev event.Event) bool { return ev.Kind == event.SessionEnd }},
		{"arguments in a string", camel + `"toolName":"bash","toolArgs":"{\"command\":\"rm -rf dist\"}"}`, func(ev event.Event) bool {
			return ev.Kind == event.ToolBefore && ev.Tool.Command == "rm -rf dist"
		}},
		{"arguments of an unknown tool in a string", camel + `"toolName":"fs-write_file","toolArgs":"{\"path\":\"a\",\"content\":\"x\"}"}`, func(ev event.Event) bool {
			return ev.Tool.Class == event.Write && len(ev.Tool.Paths) == 1
		}},
		{"a bare patch", camel + `"toolName":"apply_patch","toolArgs":"*** Begin Patch\n*** End Patch"}`, func(ev event.Event) bool {
			return ev.Tool.Class == event.Patch && ev.Tool.Patch == "*** Begin Patch\n*** End Patch"
		}},
		{"a patch in an object in a string", camel + `"toolName":"apply_patch","toolArgs":"{\"input\":\"*** Begin Patch\"}"}`, func(ev event.Event) bool {
			return ev.Tool.Patch == "*** Begin Patch"
		}},
		{"an editor of many verbs", camel + `"toolName":"str_replace_editor","toolArgs":{"command":"create","path":"a","file_text":"x"}}`, func(ev event.Event) bool {
			return len(ev.Tool.Paths) == 1 && ev.Tool.Paths[0].Op != event.OpRead
		}},
		{"an editor that looks", camel + `"toolName":"str_replace_editor","toolArgs":{"command":"view","path":"a"}}`, func(ev event.Event) bool {
			return ev.Tool.Class == event.Read && len(ev.Tool.Paths) == 1
		}},
		{"a range", camel + `"toolName":"view","toolArgs":{"path":"a","view_range":[5,9]}}`, func(ev event.Event) bool {
			return ev.Tool.Offset == 5 && ev.Tool.Limit == 5
		}},
		{"a range to the end", camel + `"toolName":"view","toolArgs":{"path":"a","view_range":[5,-1]}}`, func(ev event.Event) bool {
			return ev.Tool.Offset == 5 && ev.Tool.Limit == 0
		}},
		{"an odd range", camel + `"toolName":"view","toolArgs":{"path":"a","view_range":["x"]}}`, func(ev event.Event) bool {
			return ev.Tool.Offset == 0 && ev.Tool.Limit == 0
		}},
		{"a refused call", camel + `"toolName":"view","toolArgs":{"path":"a"},"toolResult":{"resultType":"denied","textResultForLlm":"no"}}`, func(ev event.Event) bool {
			return ev.Kind == event.ToolAfter && ev.Result.Failed
		}},
		{"a read in the second dialect", pascal + `"hook_event_name":"PostToolUse","tool_name":"Read","tool_input":{"path":"a"},"tool_result":{"result_type":"success","text_result_for_llm":"x"}}`, func(ev event.Event) bool {
			return ev.Tool.Class == event.Read && ev.Result.Text == "x" && !ev.Result.Failed
		}},
		{"a subagent in the second dialect", `{"session_id":"c","agent_id":"c","agent_type":"memory-bank-writer","parent_agent_id":"s","timestamp":"2026","hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"path":"a"}}`, func(ev event.Event) bool {
			return ev.Session == "s" && ev.Sub == event.Sub{ID: "c", Type: "memory-bank-writer"}
		}},
		{"a subagent without a parent", `{"sessionId":"c","agentId":"c","timestamp":1,"prompt":"mb:clear"}`, func(ev event.Event) bool {
			return ev.Session == "c" && !ev.Main()
		}},
		{"a subagent's session ends", `{"sessionId":"c","agentId":"c","parentAgentId":"s","timestamp":1,"reason":"complete"}`, func(ev event.Event) bool {
			return ev.Kind == event.None && ev.Session == "s"
		}},
		{"a subagent's compaction", `{"sessionId":"c","agentId":"c","parentAgentId":"s","timestamp":1,"trigger":"auto"}`, func(ev event.Event) bool {
			return ev.Kind == event.Compacted && ev.Session == "s" && ev.Sub.ID == "c" && !ev.Injects
		}},
		{"an error", camel + `"error":{"message":"x"}}`, func(ev event.Event) bool { return ev.Kind == event.None }},
		{"typed into a shell", camel + `"toolName":"write_bash","toolArgs":{"shellId":"0","input":"rm -r src{enter}"}}`, func(ev event.Event) bool {
			return ev.Tool.Class == event.Shell && ev.Tool.Command != ""
		}},
	} {
		ev, err := Decode([]byte(c.in), wire.Options{Subcommand: "hook"})
		if err != nil || ev.Client.Name != "copilot" || !c.ok(ev) {
			t.Errorf("%s: %v %+v %+v", c.name, err, ev, ev.Result)
		}
	}
	// The command says what happened where the payload does not; where it does, it is believed.
	for in, want := range map[string]event.Kind{
		camel + `"toolName":"bash","toolArgs":{"command":"ls"}}`:                                 event.ToolBefore,
		camel + `"hookName":"permissionRequest","toolName":"bash","toolInput":{"command":"ls"}}`: event.None,
		pascal + `"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{}}`:           event.ToolAfter,
	} {
		if ev, err := Decode([]byte(in), wire.Options{Subcommand: "tool-before"}); err != nil || ev.Kind != want {
			t.Errorf("%s: %q %v", in, ev.Kind, err)
		}
	}
}

// TestReadCalls: the call that is printed for some lines is understood as those lines when it comes back.
func TestReadCalls(t *testing.T) {
	for client, in := range map[string]string{
		"claude-code": claudeStart + `"hook_event_name":"PreToolUse","tool_name":%q,"tool_input":{%q:"/p/a",%s}}`,
		"gemini":      `{"session_id":"s","transcript_path":"/h/.gemini/tmp/p/chats/session-x.jsonl","timestamp":"2026","hook_event_name":"BeforeTool","tool_name":%q,"tool_input":{%q:"/p/a",%s}}`,
		"qwen":        `{"session_id":"s","transcript_path":"/h/.qwen/x.jsonl","timestamp":"2026","hook_event_name":"PreToolUse","tool_name":%q,"tool_input":{%q:"/p/a",%s}}`,
		"copilot":     `{"sessionId":"s","timestamp":1,"toolName":%q,"toolArgs":{%q:"/p/a",%s}}`,
		"opencode":    shimStart + `"hook":"tool.execute.before","tool":%q,"args":{%q:"/p/a",%s}}`,
	} {
		c, _ := Facts(client)
		for _, span := range [][2]int{{1, 1}, {1, 20}, {21, 40}, {7, 7}} {
			text := fmt.Sprintf(in, c.ReadTool.Tool, c.ReadTool.Path, c.ReadTool.Lines(span[0], span[1]))
			ev, err := Decode([]byte(text), wire.Options{})
			if err != nil || ev.Client.Name != client || ev.Tool.Class != event.Read || max(ev.Tool.Offset, 1) != span[0] || ev.Tool.Limit != span[1]-span[0]+1 {
				t.Errorf("%s: %s: %+v %v", client, text, ev.Tool, err)
			}
		}
	}
}
