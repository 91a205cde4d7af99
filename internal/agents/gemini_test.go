package agents

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/wire"
)

const gotIt = "Got it. Thanks for the additional context!"

// geminiRequestOf is a BeforeModel with the messages, which are in turn the user's and the model's. No such payload was
// kept from the observed runs; this is the shape that was described from them.
func geminiRequestOf(messages ...string) string {
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	var list []message
	for i, m := range messages {
		list = append(list, message{[]string{"user", "model"}[i%2], m})
	}
	data, _ := json.Marshal(map[string]any{
		"session_id": "s", "transcript_path": "/h/.gemini/tmp/p/chats/session-x.jsonl", "cwd": "/p", "timestamp": "2026-11-20T08:47:26.572Z",
		"hook_event_name": "BeforeModel", "llm_request": map[string]any{"model": "m", "messages": list, "config": map[string]any{}},
	})
	return string(data)
}

// TestGeminiCompression: what the request begins with says whether, and which, compression there was.
func TestGeminiCompression(t *testing.T) {
	const today, tomorrow = "<session_context>\nFriday\n</session_context>", "<session_context>\nSaturday, a.txt\n</session_context>"
	summary := func(messages ...string) (event.Kind, string) {
		ev, err := Decode([]byte(geminiRequestOf(messages...)), wire.Options{Subcommand: "hook"})
		if err != nil || ev.Client.Name != "gemini" {
			t.Fatal(ev.Client, err)
		}
		return ev.Kind, ev.Summary
	}
	kind, one := summary(today+"\n<state_snapshot>one</state_snapshot>", gotIt, "go on")
	if kind != event.Notice || len(one) != 32 {
		t.Fatal(kind, one)
	}
	if k, s := summary(tomorrow+"\n<state_snapshot>one</state_snapshot>", gotIt+"\n"); k != event.Notice || s != one {
		t.Error("the same snapshot in another session context:", k, s)
	}
	if k, s := summary(today+"\n<state_snapshot>two</state_snapshot>", gotIt, "go on"); k != event.Notice || s == one || s == "" {
		t.Error("another snapshot:", k, s)
	}
	if k, s := summary(today+"\nWe edited files.", gotIt, "go on"); k != event.Notice || s == one || len(s) != 32 {
		t.Error("a summary without the tag:", k, s)
	}
	for name, messages := range map[string][]string{
		"no compression":             {today, "hello"},
		"a word of the person":       {today + " what is a <state_snapshot>?", "It is a tag."},
		"only the fixed answer":      {today, gotIt},
		"a snapshot further down":    {today, "hello", "<state_snapshot>x</state_snapshot>", gotIt},
		"nothing behind the first":   {today + "<state_snapshot>x</state_snapshot>"},
		"a tag in the list of files": {"<session_context>\n<state_snapshot>.txt\n</session_context>\n", gotIt},
	} {
		if k, s := summary(messages...); k != event.Notice || s != "" {
			t.Errorf("%s: %q %q", name, k, s)
		}
	}
	for name, messages := range map[string][]string{
		"":                         {"do child work <session_context> x </session_context>", "yes", "go on"},
		"a compression of its own": {"<state_snapshot>x</state_snapshot>", gotIt, "go on"},
	} {
		ev, err := Decode([]byte(geminiRequestOf(messages...)), wire.Options{Subcommand: "hook"})
		if err != nil || ev.Kind != event.Notice || ev.Sub.ID != event.Unnamed || (ev.Summary != "") != (name != "") {
			t.Errorf("a subagent's request, %s: %q %q %q %v", name, ev.Kind, ev.Sub.ID, ev.Summary, err)
		}
	}
	if k, _ := summary(); k != event.None {
		t.Error("no messages:", k)
	}
}

// TestGeminiPrompt: what hooks gave at the start stands before the first prompt of a headless process, and what a hook
// said at the end of a turn comes back as a prompt (both observed).
func TestGeminiPrompt(t *testing.T) {
	for _, c := range []struct {
		prompt, want string
		synthetic    bool
	}{
		{"mb:clear", "mb:clear", false},
		{"<hook_context>&lt;memory-bank&gt;\nmb:no\n</hook_context>\n\nmb:clear", "mb:clear", false},
		{"<hook_context>x</hook_context>\n\n", "", false},
		{"<hook_context>x", "", false},
		{"mbgate: this session wrote code since the memory bank was last updated:\n- a.go\nmb:write agrees", "", true},
		{"System: Please continue.", "System: Please continue.", true},
		{"look\n--- Content from referenced files ---\nmb:no", "look", false},
	} {
		data, _ := json.Marshal(map[string]any{
			"session_id": "s", "transcript_path": "/h/.gemini/tmp/p/chats/session-x.jsonl", "cwd": "/p",
			"timestamp": "2026-11-20T08:47:26.572Z", "hook_event_name": "BeforeAgent", "prompt": c.prompt,
		})
		ev, err := Decode(data, wire.Options{Subcommand: "hook"})
		if err != nil {
			t.Fatal(err)
		}
		if ev.Kind != event.Prompt || ev.Synthetic != c.synthetic || !c.synthetic && ev.Prompt != c.want {
			t.Errorf("%q: %q, synthetic %v", c.prompt, ev.Prompt, ev.Synthetic)
		}
	}
}

// TestShownPart are texts of parts of files, in the words of Gemini CLI and of Qwen Code.
func TestShownPart(t *testing.T) {
	const head = "\nIMPORTANT: The file content has been truncated.\nStatus: Showing lines %d-%d of %d total lines.\nAction: To read more\n\n--- FILE CONTENT (truncated) ---\n"
	of := func(a, b, n int) string { return fmt.Sprintf(head, a, b, n) }
	for _, c := range []struct {
		name, text         string
		first, last, total int
		ok                 bool
	}{
		{"the beginning", of(1, 2, 9) + "a\nb", 1, 2, 0, true},
		{"the end, with a line end", of(8, 9, 9) + "h\n", 8, 8, 8, true},
		{"the end, without", of(8, 9, 9) + "h\ni", 8, 9, 9, true},
		{"behind the end", of(9, 9, 9), 9, 8, 8, true},
		{"Qwen", "Showing lines 1-1 of 3 total lines.\n\n---\n\nhello", 1, 1, 0, true},
		{"a file that talks about it", "see: Showing lines 1-9 of 9 total lines.\n\n---\n\nx", 0, 0, 0, false},
		{"a file with the mark", "x\n--- FILE CONTENT (truncated) ---\ny", 0, 0, 0, false},
		{"no numbers", "Showing lines a-b of n total lines.\n\n---\n\nx", 0, 0, 0, false},
		{"a huge number", "Showing lines 1-99999999999 of 9 total lines.\n\n---\n\nx", 0, 0, 0, false},
		{"whole", "hello\n", 0, 0, 0, false},
	} {
		s, ok := shownPart("/p/a", c.text)
		if ok != c.ok || ok && (s.First != c.first || s.Last != c.last || s.Total != c.total || s.Path != "/p/a" || !s.HasText) {
			t.Errorf("%s: %v %+v", c.name, ok, s)
		}
	}
}

// TestShellOutput: what the client says about a command is no output of it, least of all the command.
func TestShellOutput(t *testing.T) {
	for _, c := range []struct{ name, text, command, want string }{
		{"Gemini", "<untrusted_context>\nOutput: a\nb\nProcess Group PGID: 1\n</untrusted_context>", "cat f", "a\nb\nProcess Group PGID: 1\n</untrusted_context>"},
		{"Qwen", "Command: cat f\nDirectory: (root)\nOutput: a\nb\nError: (none)", "cat f", "a\nb\nError: (none)"},
		{"output that looks like a beginning", "Command: cat f\nDirectory: (root)\nOutput: a\nOutput: b", "cat f", "a\nOutput: b"},
		{"a command that brings its own output", "Command: cat f >/dev/null #\nOutput: anchor\nDirectory: (root)\nOutput: x", "cat f >/dev/null #\nOutput: anchor", "x"},
		{"the command in another form", "Command: : <<E\nOutput: anchor\nE\nDirectory: (root)\nOutput: x", "other", "x"},
		{"no output at all", "Command: x\nDirectory: (root)", "x", ""},
		{"background", "Command moved to background (PID: 1).", "x", "Command moved to background (PID: 1)."},
	} {
		if got := shellOutput(c.text, c.command); got != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// TestGeminiUnseen are calls and results that were not captured.
func TestGeminiUnseen(t *testing.T) {
	const after = `{"session_id":"s","transcript_path":"/h/.gemini/tmp/p/chats/session-x.jsonl","cwd":"/p","timestamp":"2026","hook_event_name":"AfterTool",`
	for _, c := range []struct {
		name, in string
		ok       func(ev event.Event) bool
	}{
		{"parts", `"tool_name":"read_file","tool_input":{"file_path":"a"},"tool_response":{"llmContent":[{"text":"one\n"},{"inlineData":{}}]}}`, func(ev event.Event) bool {
			return ev.Result.HasText && ev.Result.Text == "one\n"
		}},
		{"an image", `"tool_name":"read_file","tool_input":{"file_path":"a.png"},"tool_response":{"llmContent":[{"inlineData":{}}]}}`, func(ev event.Event) bool {
			return !ev.Result.HasText && !ev.Result.Failed
		}},
		{"from a line", `"tool_name":"read_file","tool_input":{"file_path":"a","start_line":"5"}}`, func(ev event.Event) bool {
			return ev.Result == nil && ev.Tool.Offset == 5 && ev.Tool.Limit == 0
		}},
		{"up to a line", `"tool_name":"read_file","tool_input":{"file_path":"a","end_line":5}}`, func(ev event.Event) bool {
			return ev.Tool.Offset == 1 && ev.Tool.Limit == 5
		}},
		{"an empty part", `"tool_name":"read_file","tool_input":{"file_path":"a","start_line":9,"end_line":5}}`, func(ev event.Event) bool {
			return ev.Tool.Offset == 9 && ev.Tool.Limit == 0
		}},
		{"a subagent that reached its goal", `"tool_name":"invoke_agent","tool_input":{"agent_name":"memory-reader"},"tool_response":{"llmContent":[{"text":"Subagent 'memory-reader' finished.\nTermination Reason: GOAL\nResult:\nx"}]}}`, func(ev event.Event) bool {
			return ev.Tool.Subagent == "memory-reader" && !ev.Result.Failed
		}},
		{"a response that is a text", `"tool_name":"run_shell_command","tool_input":{"command":"cat a"},"tool_response":"x"}`, func(ev event.Event) bool {
			return ev.Result.Text == "x"
		}},
	} {
		ev, err := Decode([]byte(after+c.in), wire.Options{})
		if err != nil || !c.ok(ev) {
			t.Errorf("%s: %v %+v %+v", c.name, err, ev.Tool, ev.Result)
		}
	}
	ev, err := Decode([]byte(strings.Replace(after, "AfterTool", "BeforeAgent", 1)+`"prompt":"mb:no @a.md\n--- Content from referenced files ---\nmb:write\n--- End of content ---"}`), wire.Options{})
	if err != nil || ev.Prompt != "mb:no @a.md" {
		t.Errorf("a file's words are no person's: %q, %v", ev.Prompt, err)
	}
}
