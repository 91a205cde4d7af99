package agents

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/wire"
)

const (
	claudeStart = `{"session_id":"s","transcript_path":"/home/dev/.claude/projects/p/s.jsonl","cwd":"/p",`
	shimStart   = `{"client":"opencode","session_id":"s","directory":"/p","worktree":"/p",`
)

// TestBadInput is the list of SPEC §3: each is one clear line that names the field and the remedy.
func TestBadInput(t *testing.T) {
	long := strings.Repeat("a", maxID+1)
	for _, c := range []struct {
		name, in string
		field    string
		problem  string
	}{
		{"nothing", "", "", "is empty"},
		{"blank", " \r\n\t", "", "is empty"},
		{"only a byte order mark", "\ufeff", "", "is empty"},
		{"text", "hello", "", "is not JSON"},
		{"a log line first", "npm warn\n{}", "", "is not JSON"},
		{"array", `[{"session_id":"s"}]`, "", "is a JSON array"},
		{"string", `"s"`, "", "not an object"},
		{"number", `12`, "", "not an object"},
		{"null", `null`, "", "not an object"},
		{"open array", `[{"session_id":"s"}`, "", "is not JSON"},
		{"truncated in a value", `{"session_id":"s`, "", "is truncated"},
		{"truncated after a value", `{"session_id":"s"`, "", "is truncated"},
		{"truncated after a comma", `{"session_id":"s",`, "", "is truncated"},
		{"truncated in a word", `{"a":tru`, "", "is truncated"},
		{"truncated in an escape", `{"a":"\u00`, "", "is truncated"},
		{"open brace", `{`, "", "is truncated"},
		{"trailing comma", `{"session_id":"s",}`, "", "byte 18"},
		{"bare key", `{session_id:"s"}`, "", "byte 1"},
		{"single quotes", `{'session_id':'s'}`, "", "byte 1"},
		{"raw newline in a string", "{\"a\":\"x\ny\"}", "", "byte 7"},
		{"bad escape", `{"a":"\x"}`, "", "byte 7"},
		{"leading zero", `{"a":01}`, "", "byte 6"},
		{"rubbish behind", `{"session_id":"s"} x`, "", "byte 19"},
		{"two objects", `{"session_id":"s"}{"session_id":"s"}`, "", "more than one"},
		{"two lines", "{\"session_id\":\"s\"}\n{\"session_id\":\"s\"}\n", "", "more than one"},
		{"invalid UTF-8", "{\"session_id\":\"s\xff\"}", "", "UTF-8"},
		{"UTF-16", "\xff\xfe{\x00}\x00", "", "UTF-8"},
		{"deep", `{"session_id":"s","a":` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `}`, "", "levels deep"},
		{"deep objects", strings.Repeat(`{"a":`, 100_000), "", "levels deep"},

		{"no session", `{"cwd":"/p"}`, "session_id", "is missing"},
		{"null session", `{"session_id":null}`, "session_id", "is missing"},
		{"empty session", `{"session_id":""}`, "session_id", "is empty"},
		{"session of another type", `{"session_id":7}`, "session_id", "must be a string, not a number"},
		{"session list", `{"session_id":["s"]}`, "session_id", "must be a string, not a list"},
		{"long session", `{"session_id":"` + long + `"}`, "session_id", "longer than 1 kB"},
		{"control character", `{"session_id":"a\u0000b"}`, "session_id", "control character"},
		{"newline", `{"session_id":"a\nb"}`, "session_id", "control character"},
		{"escape", `{"session_id":"a\u001b[2J"}`, "session_id", "control character"},
		{"C1 control", `{"session_id":"a\u009bm"}`, "session_id", "control character"},
		{"cwd", `{"session_id":"s","cwd":1}`, "cwd", "must be a string, not a number"},
		{"tool", `{"session_id":"s","tool_name":{}}`, "tool_name", "must be a string, not an object"},
		{"tool input", `{"session_id":"s","tool_name":"edit","tool_input":"x"}`, "tool_input", "must be an object, not a string"},
		{"tool input of an unknown tool", `{"session_id":"s","tool_name":"zz","tool_input":[1]}`, "tool_input", "must be an object, not a list"},
		{"path", `{"session_id":"s","tool_name":"edit","tool_input":{"file_path":5}}`, "tool_input.file_path", "must be a string, not a number"},
		{"paths", `{"session_id":"s","tool_name":"edit","tool_input":{"file_path":["a",5]}}`, "tool_input.file_path", "must hold strings"},
		{"command", `{"session_id":"s","tool_name":"bash","tool_input":{"command":true}}`, "tool_input.command", "must be a string, not a boolean"},
		{"offset", `{"session_id":"s","tool_name":"read","tool_input":{"file_path":"a","offset":"x"}}`, "tool_input.offset", "whole number"},
		{"limit", `{"session_id":"s","tool_name":"read","tool_input":{"file_path":"a","limit":1.5}}`, "tool_input.limit", "whole number"},
		{"agent id", `{"session_id":"s","agent_id":{}}`, "agent_id", "must be a string, not an object"},
		{"long agent id", `{"session_id":"s","agent_id":"` + long + `"}`, "agent_id", "longer than 1 kB"},

		{"Claude Code: no session", `{"transcript_path":"/h/.claude/projects/p/s.jsonl","hook_event_name":"PreToolUse"}`, "session_id", "is missing"},
		{"Claude Code: event", claudeStart + `"hook_event_name":"UserPromptSubmit","prompt":["x"]}`, "prompt", "must be a string"},
		{"Claude Code: path", claudeStart + `"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":{}}}`, "tool_input.file_path", "must be a string"},
		{"Claude Code: stop", claudeStart + `"hook_event_name":"Stop","stop_hook_active":"yes"}`, "stop_hook_active", "true or false"},
		{"OpenCode: hook", shimStart + `"hook":4}`, "hook", "must be a string"},
		{"OpenCode: parent", shimStart + `"hook":"chat.message","parent_session_id":"a\u0007"}`, "parent_session_id", "control character"},
		{"OpenCode: args", shimStart + `"hook":"tool.execute.before","tool":"write","args":"x"}`, "args", "must be an object"},
		{"OpenCode: path", shimStart + `"hook":"tool.execute.before","tool":"write","args":{"filePath":1}}`, "args.filePath", "must be a string"},
		{"OpenCode: no session", `{"client":"opencode","hook":"file.edited"}`, "session_id", "is missing"},
	} {
		ev, err := Decode([]byte(c.in), wire.Options{Subcommand: "tool-before"})
		var bad *wire.InputError
		if !errors.As(err, &bad) {
			t.Errorf("%s: no error, %+v", c.name, ev)
			continue
		}
		if bad.Field != c.field || !strings.Contains(bad.Error(), c.problem) {
			t.Errorf("%s: field %q, %q; want %q, %q", c.name, bad.Field, bad, c.field, c.problem)
		}
		if bad.Remedy == "" || strings.Contains(bad.Error(), "\n") || !strings.Contains(bad.Error(), c.field) {
			t.Errorf("%s: %q is not one line with field and remedy", c.name, bad)
		}
		if ev.Client == nil || ev.Session != "" || ev.Kind != event.None {
			t.Errorf("%s: half an event: %+v", c.name, ev)
		}
	}
}

func TestTooLarge(t *testing.T) {
	data := []byte(`{"session_id":"s","x":"` + strings.Repeat("x", wire.MaxInput) + `"}`)
	if _, err := Decode(data, wire.Options{}); err == nil || !strings.Contains(err.Error(), "64 MB") {
		t.Error(err)
	}
	at := wire.MaxInput - len(`{"session_id":"s","x":""}`)
	data = []byte(`{"session_id":"s","x":"` + strings.Repeat("x", at) + `"}`)
	if _, err := Decode(data, wire.Options{}); err != nil || len(data) != wire.MaxInput {
		t.Error(len(data), err)
	}
}

// TestGoodInput is what must not be taken for bad.
func TestGoodInput(t *testing.T) {
	for _, c := range []struct{ name, in, session string }{
		{"byte order mark", "\ufeff" + `{"session_id":"s"}`, "s"},
		{"white space", " \n{ \"session_id\" : \"s\" } \r\n", "s"},
		{"longest id", `{"session_id":"` + strings.Repeat("a", maxID) + `"}`, strings.Repeat("a", maxID)},
		{"any characters", `{"session_id":"../../etc/passwd é 😀 %s"}`, "../../etc/passwd é 😀 %s"},
		{"escapes", `{"session_id":"\u00e9\ud83d\ude00\/\""}`, "é😀/\""},
		{"the last of two keys", `{"session_id":"a","session_id":"b"}`, "b"},
		{"an escaped key", `{"session\u005fid":"s"}`, "s"},
		{"nulls", `{"session_id":"s","cwd":null,"tool_name":null,"tool_input":null,"agent_id":null}`, "s"},
		{"fields that mbgate does not use", `{"session_id":"s","permission_mode":7,"x":{"session_id":5}}`, "s"},
		{"other spelling is another field", `{"session_id":"s","SESSION_ID":5,"Cwd":5}`, "s"},
		{"any argument of an unknown tool", `{"session_id":"s","tool_name":"zz","tool_input":{"path":5,"offset":"x"}}`, "s"},
	} {
		ev, err := Decode([]byte(c.in), wire.Options{Subcommand: "tool-before"})
		if err != nil || ev.Session != c.session {
			t.Errorf("%s: %q, %v", c.name, ev.Session, err)
		}
	}
}

// TestRecognition is the order of trust of SPEC §15.
func TestRecognition(t *testing.T) {
	const (
		claude  = claudeStart + `"hook_event_name":"PreToolUse"}`
		moved   = `{"session_id":"s","transcript_path":"/cfg/projects/p/s.jsonl","cwd":"/p","hook_event_name":"PreToolUse"}`
		bare    = `{"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse"}`
		shim    = shimStart + `"hook":"tool.execute.before"}`
		plain   = `{"session_id":"s","cwd":"/p"}`
		codex   = `{"session_id":"s","turn_id":"t","transcript_path":null,"cwd":"/p","hook_event_name":"PreToolUse","model":"m"}`
		trae    = `{"session_id":"s","workspace_roots":["/p"],"hook_event_name":"PreToolUse"}`
		windows = `{"session_id":"s","transcript_path":"C:\\Users\\d\\.claude\\projects\\p\\s.jsonl","hook_event_name":"Nova"}`
	)
	inClaude := map[string]string{"CLAUDECODE": "1"}
	for _, c := range []struct {
		name, in, agent string
		env             map[string]string
		want            string
	}{
		{"its transcript", claude, "", nil, "claude-code"},
		{"its transcript on Windows, an event of the future", windows, "", nil, "claude-code"},
		{"an unmistakable shape beats the flag", claude, "opencode", nil, "claude-code"},
		{"an unmistakable shape beats the flag and the environment", shim, "claude-code", inClaude, "opencode"},
		{"the flag beats a strong shape", moved, "generic", inClaude, "generic"},
		{"a short name", moved, "claude", nil, "claude-code"},
		{"a strong shape", moved, "", nil, "claude-code"},
		{"the environment decides between weak shapes", bare, "", inClaude, "claude-code"},
		{"the environment proves nothing against the shape", plain, "", inClaude, "generic"},
		{"nor against a field of another client", codex, "", inClaude, "codex"},
		{"a weak shape", bare, "", nil, "claude-code"},
		{"a copy of the payload with a field of its own", trae, "", nil, "generic"},
		{"nothing to go by", plain, "", nil, "generic"},
		{"the flag on a plain payload", plain, "claude-code", nil, "claude-code"},
		{"an unknown flag is the caller's to refuse", plain, "emacs", nil, "generic"},
		{"not JSON, the flag", "x", "opencode", nil, "opencode"},
		{"not JSON, the environment", "x", "", inClaude, "claude-code"},
		{"not JSON, nothing", "x", "", nil, "generic"},
	} {
		ev, _ := Decode([]byte(c.in), wire.Options{
			Subcommand: "tool-before", Agent: c.agent,
			Getenv: func(k string) string { return c.env[k] },
		})
		if ev.Client.Name != c.want {
			t.Errorf("%s: %s, want %s", c.name, ev.Client.Name, c.want)
		}
	}
}

// TestEventName: the payload's own event name beats the subcommand, an unknown one is no event and no error.
func TestEventName(t *testing.T) {
	subcommands := []string{"compact", "tool-before", "read", "tool-after", "session-start", "session-end", "prompt", "stop", "notice", "unread", "hook", ""}
	for _, sub := range subcommands {
		for in, want := range map[string]event.Kind{
			claudeStart + `"hook_event_name":"PreCompact"}`:                      event.Compacting,
			claudeStart + `"hook_event_name":"SessionStart","source":"compact"}`: event.Compacted,
			claudeStart + `"hook_event_name":"TeaTime"}`:                         event.None,
			shimStart + `"hook":"chat.message"}`:                                 event.Prompt,
			shimStart + `"hook":"experimental.session.compacting"}`:              event.Compacted,
			shimStart + `"hook":"tea.time"}`:                                     event.None,
			`{"session_id":"s","hook_event_name":"stop"}`:                        event.Stop,
			`{"session_id":"s","hook_event_name":"TeaTime"}`:                     event.None,
		} {
			if ev, err := Decode([]byte(in), wire.Options{Subcommand: sub}); err != nil || ev.Kind != want {
				t.Errorf("%s %s: %q, %v; want %q", sub, in, ev.Kind, err, want)
			}
		}
		want := wire.KindOfCommand(sub)
		for _, agent := range []string{"claude-code", "opencode", "generic", "codex", "gemini", "qwen", "copilot"} {
			if ev, err := Decode([]byte(`{"session_id":"s"}`), wire.Options{Subcommand: sub, Agent: agent}); err != nil || ev.Kind != want {
				t.Errorf("%s %s without an event name: %q, %v; want %q", agent, sub, ev.Kind, err, want)
			}
		}
		if (sub == "hook" || sub == "") != (want == event.None) {
			t.Errorf("%s: %q", sub, want)
		}
	}
}

// TestReadOnly: `read` looks at nothing but reads.
func TestReadOnly(t *testing.T) {
	for tool, want := range map[string]event.Kind{"Read": event.ToolAfter, "Bash": event.ToolAfter, "Write": event.None, "Edit": event.None} {
		in := claudeStart + `"hook_event_name":"PostToolUse","tool_name":"` + tool + `","tool_input":{}}`
		ev, err := Decode([]byte(in), wire.Options{Subcommand: "read"})
		if err != nil || ev.Kind != want || ev.ReadsOnly != (want == event.ToolAfter) {
			t.Errorf("%s: %q %v %v", tool, ev.Kind, ev.ReadsOnly, err)
		}
	}
}

// TestClaudeRead are results that were not captured.
func TestClaudeRead(t *testing.T) {
	for _, c := range []struct {
		name, response string
		want           event.Result
	}{
		{"empty file", `{"type":"text","file":{"content":"","numLines":1,"startLine":1,"totalLines":1}}`, shows(1, 0, 0, "")},
		{"no final line end", `{"type":"text","file":{"content":"a\nb","numLines":2,"startLine":1,"totalLines":2}}`, shows(1, 2, 2, "a\nb")},
		{"the end", `{"type":"text","file":{"content":"b\n","numLines":2,"startLine":2,"totalLines":3}}`, shows(2, 2, 2, "b\n")},
		{"an empty line in the middle", `{"type":"text","file":{"content":"a\n","numLines":2,"startLine":1,"totalLines":9}}`, shows(1, 2, 0, "a\n")},
		{"unchanged", `{"type":"file_unchanged","file":{"filePath":"a"}}`, event.Result{HasText: true, Unchanged: true}},
		{"image", `{"type":"image","file":{"base64":"xxxx"}}`, event.Result{HasText: true}},
		{"odd numbers", `{"type":"text","file":{"content":"a","numLines":"x","startLine":1}}`, event.Result{HasText: true}},
		{"no start", `{"type":"text","file":{"content":"a","numLines":1}}`, event.Result{HasText: true}},
		{"no file", `{"type":"text"}`, event.Result{HasText: true}},
		{"a text", `"a\nb\n"`, event.Result{HasText: true, Text: "a\nb\n"}},
	} {
		in := claudeStart + `"hook_event_name":"PostToolUse","tool_name":"Read","tool_input":{"file_path":"/p/a"},"tool_response":` + c.response + `}`
		ev, err := Decode([]byte(in), wire.Options{})
		if err != nil || ev.Result == nil || fmt.Sprintf("%+v", *ev.Result) != fmt.Sprintf("%+v", c.want) {
			t.Errorf("%s: %+v, %v; want %+v", c.name, ev.Result, err, c.want)
		}
	}
}

func shows(first, last, total int, text string) event.Result {
	s := event.Shown{Path: "/p/a", First: first, Last: last, Total: total, Text: text, HasText: true}
	return event.Result{HasText: true, Shown: []event.Shown{s}}
}

// TestOpenCodeUnseen are payloads of other versions, and of sessions that were not captured.
func TestOpenCodeUnseen(t *testing.T) {
	const read = shimStart + `"hook":"tool.execute.after","tool":"read","args":{"filePath":"a"},"result":`
	ev, err := Decode([]byte(read+`{"title":"a","output":"<file>\n00001| x\n</file>","metadata":{"preview":"x"}}}`), wire.Options{})
	if err != nil || len(ev.Result.Shown) != 0 || !strings.Contains(ev.Result.Text, "00001| x") {
		t.Errorf("before metadata.display: %+v, %v", ev.Result, err)
	}
	ev, err = Decode([]byte(read+`{"output":"x","metadata":{"display":{"type":"file","lineStart":0}}}}`), wire.Options{})
	if err != nil || len(ev.Result.Shown) != 0 || ev.Result.Text != "x" {
		t.Errorf("odd display: %+v, %v", ev.Result, err)
	}
	ev, err = Decode([]byte(shimStart+`"hook":"tool.execute.before","tool":"edit","args":{"filePath":"n","oldString":"","newString":"x"}}`), wire.Options{})
	if err != nil || len(ev.Tool.Paths) != 1 || ev.Tool.Paths[0].Op != event.OpCreate {
		t.Errorf("edit that creates: %+v, %v", ev.Tool, err)
	}
	ev, err = Decode([]byte(`{"client":"opencode","api":2,"session_id":"s","directory":"/p","hook":"tool.execute.before","tool":"subagent","args":{"agent":"memory-reader"}}`), wire.Options{})
	if err != nil || ev.Tool.Class != event.Subagent || ev.Tool.Subagent != "memory-reader" || ev.Client.ReadTool.Path != "path" {
		t.Errorf("OpenCode 2: %+v, %v", ev.Tool, err)
	}
	ev, err = Decode([]byte(`{"client":"opencode","hook":"chat.message","session_id":"s","parent_session_id":"s","agent":"build","directory":"/d","worktree":"/","prompt":"x"}`), wire.Options{})
	if err != nil || !ev.Main() || ev.Session != "s" || len(ev.Roots) != 1 || ev.Roots[0] != "/d" {
		t.Errorf("its own parent, no repository: %+v, %v", ev, err)
	}
}

func TestDigest(t *testing.T) {
	digest := func(s string) string {
		ev, err := Decode([]byte(s), wire.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return ev.Digest
	}
	a := digest(`{"session_id":"s"}`)
	if a != digest(`{"session_id":"s"}`) || a == digest(`{"session_id":"t"}`) || a == digest(`{"session_id":"s" }`) {
		t.Error("the digest does not identify the payload")
	}
}

// TestTools: no tool is in a table twice, and every row can be found by each of its names.
func TestTools(t *testing.T) {
	for client, rows := range map[string][]wire.ToolRow{
		"claude-code": claudeTools(), "opencode": openCodeTools(), "generic": genericTools(),
		"codex": codexTools(), "gemini": geminiTools(), "qwen": qwenTools(), "copilot": copilotTools(),
	} {
		seen := map[string]bool{}
		for i := range rows {
			for n := range strings.SplitSeq(rows[i].Name, "|") {
				if n == "" || seen[strings.ToLower(n)] {
					t.Errorf("%s: %q twice", client, n)
				}
				seen[strings.ToLower(n)] = true
				if got := wire.Find(rows, n, false); got != &rows[i] {
					t.Errorf("%s: %q finds another row", client, n)
				}
			}
			if rows[i].Class == event.Unclassified {
				t.Errorf("%s: %q has no class", client, rows[i].Name)
			}
		}
	}
}

func TestClients(t *testing.T) {
	names := map[string]bool{}
	for _, c := range clients() {
		if c.Name == "" || c.Title == "" || names[c.Name] || (c.ReadTool.Path == "") != (c.ReadTool.Tool == "") || c.OnFailure == "" && c.Observed != "" {
			t.Errorf("%+v", c)
		}
		names[c.Name] = true
		if got, ok := Facts(c.Name); !ok || got.Title != c.Title {
			t.Errorf("%s is not found", c.Name)
		}
		for _, f := range definitionFiles(c.Name) {
			if strings.Count(f, "%s") != 1 {
				t.Errorf("%s: %q", c.Name, f)
			}
		}
	}
	if c, ok := Facts("claude"); !ok || c.Name != "claude-code" {
		t.Error("claude", c.Name)
	}
	for _, n := range []string{"", "emacs", "Claude-Code"} {
		if c, ok := Facts(n); ok {
			t.Errorf("%q is %s", n, c.Name)
		}
	}
}

// FuzzDecode: no panic; an error with a line, or an event with a usable session id.
func FuzzDecode(f *testing.F) {
	for _, list := range payloads(f) {
		for _, p := range list {
			if len(p.data) < 10_000 {
				f.Add(p.subcommand, p.data)
			}
		}
	}
	f.Add("notice", []byte(geminiRequestOf("<session_context>\nx\n</session_context>\n<state_snapshot>y</state_snapshot>", gotIt)))
	f.Add("read", []byte(`{"session_id":"\ud83d","tool_input":{"file_path":"\udc00\u00"}}`))
	f.Fuzz(func(t *testing.T, sub string, data []byte) {
		for _, agent := range []string{"", "claude-code", "opencode", "generic", "codex", "gemini", "qwen", "copilot"} {
			ev, err := Decode(data, wire.Options{Subcommand: sub, Agent: agent, Getenv: projectDir})
			if ev.Client == nil {
				t.Fatal("no client")
			}
			if err != nil {
				var bad *wire.InputError
				if !errors.As(err, &bad) || strings.ContainsAny(err.Error(), "\n\x1b") {
					t.Fatalf("%q", err)
				}
				continue
			}
			for _, id := range []string{ev.Session, ev.Sub.ID, ev.Call, ev.Turn} {
				if len(id) > maxID || strings.ContainsAny(id, "\x00\n\x1b\x7f") {
					t.Fatalf("id %q", id)
				}
			}
			if ev.Session == "" || ev.Digest == "" {
				t.Fatalf("%+v", ev)
			}
			for _, p := range ev.Tool.Paths {
				if p.Path == "" || p.Op == "" {
					t.Fatalf("%+v", ev.Tool)
				}
			}
			if (ev.Kind == event.ToolBefore || ev.Kind == event.ToolAfter) && ev.Tool.Class == event.Unclassified {
				t.Fatalf("%+v", ev.Tool)
			}
		}
	})
}

// TestGenericFallback: a tool of a known name whose argument is called otherwise is judged by its arguments.
func TestGenericFallback(t *testing.T) {
	in := `{"session_id":"s","cwd":"/p","tool_name":"edit","tool_input":{"target_file":"src/a.go","instructions":"x"}}`
	ev, err := Decode([]byte(in), wire.Options{Subcommand: "tool-before"})
	if err != nil || len(ev.Tool.Paths) != 1 || ev.Tool.Paths[0].Path != "src/a.go" || ev.Tool.Paths[0].Op != event.OpWrite {
		t.Errorf("%+v, %v", ev.Tool, err)
	}
}

func BenchmarkDecode(b *testing.B) {
	small := claudeStart + `"prompt_id":"p","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Write","tool_use_id":"c","tool_input":{"file_path":"/p/a","content":`
	for name, size := range map[string]int{"1kB": 1 << 10, "100kB": 100 << 10, "2MB": 2 << 20} {
		content, _ := json.Marshal(strings.Repeat("some text of a line of source code;\n", size/36))
		data := []byte(small + string(content) + `}}`)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Decode(data, wire.Options{Subcommand: "tool-before"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// maxID is the longest id that is accepted, in bytes (SPEC §3).
const maxID = 1024
