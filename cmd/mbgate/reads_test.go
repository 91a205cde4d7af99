//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
)

// TestReadsAsClientsShowThem plays a compaction, a refused write, a read as a client reports it, and the write again: it
// passes if the model was shown all of the document (A4).
func TestReadsAsClientsShowThem(t *testing.T) {
	for _, c := range []struct {
		name, client, document string
		// after are the reports of finished calls; FILE stands for the document's path.
		after []string
		opens bool
	}{
		{
			"white space at line ends and Latin-1", "qwen", "# Caf\xe9  \nline two \t\nend\n",
			[]string{`"tool_name":"read_file","tool_input":{"file_path":"FILE"},"tool_response":{"llmContent":"# Café\nline two\nend\n","returnDisplay":""}`},
			true,
		},
		{
			"another word in Latin-1", "qwen", "# Caf\xe9\nend\n",
			[]string{`"tool_name":"read_file","tool_input":{"file_path":"FILE"},"tool_response":{"llmContent":"# Tée\nend\n","returnDisplay":""}`},
			false,
		},
		{
			"hashes before the lines", "claude-code", "one\n\ntwo\n",
			[]string{`"tool_name":"mcp__fs__read_file","tool_input":{"path":"FILE"},"tool_response":"1:a3|one\n2:00|\n3:f0|two\n"`},
			true,
		},
		{
			"lone carriage returns", "opencode", "one\rtwo\rthree\nfour\n",
			[]string{`"tool":"read","args":{"filePath":"FILE"},"result":{"output":"","metadata":{"display":{"type":"file","path":"FILE","text":"one\ntwo\nthree\nfour","lineStart":1,"lineEnd":4,"totalLines":4}}}`},
			true,
		},
		{
			"half of the lines that carriage returns end", "opencode", "one\rtwo\rthree\nfour\n",
			[]string{`"tool":"read","args":{"filePath":"FILE"},"result":{"output":"","metadata":{"display":{"type":"file","path":"FILE","text":"one\ntwo","lineStart":1,"lineEnd":2,"totalLines":4}}}`},
			false,
		},
		{
			"structured content of an MCP server", "claude-code", "one\n\n\"two\"\n",
			[]string{`"tool_name":"mcp__filesystem__read_text_file","tool_input":{"path":"FILE"},"tool_response":"{\"content\":\"one\\n\\n\\\"two\\\"\\n\"}"`},
			true,
		},
		{
			"half of it in structured content", "claude-code", "one\n\ntwo\n",
			[]string{`"tool_name":"mcp__filesystem__read_text_file","tool_input":{"path":"FILE"},"tool_response":"{\"content\":\"one\\n\"}"`},
			false,
		},
		{
			"view of an editor", "claude-code", "one\n\ntwo\n",
			[]string{`"tool_name":"str_replace_based_edit_tool","tool_input":{"command":"view","path":"FILE"},"tool_response":"     1\tone\n     2\t\n     3\ttwo\n"`},
			true,
		},
		{
			"UTF-16", "claude-code", "\xff\xfeo\x00n\x00e\x00\n\x00\xe9\x00\n\x00",
			[]string{`"tool_name":"Read","tool_input":{"file_path":"FILE"},"tool_response":{"type":"text","file":{"filePath":"FILE","content":"one\né\n","numLines":3,"startLine":1,"totalLines":3}}`},
			true,
		},
		{
			"the first line of UTF-16", "claude-code", "\xff\xfeo\x00n\x00e\x00\n\x00\xe9\x00\n\x00",
			[]string{`"tool_name":"Read","tool_input":{"file_path":"FILE"},"tool_response":{"type":"text","file":{"filePath":"FILE","content":"one\n","numLines":1,"startLine":1,"totalLines":3}}`},
			false,
		},
		{"no result", "claude-code", "one\n", []string{`"tool_name":"Read","tool_input":{"file_path":"FILE"},"tool_response":null`}, false},
		{"no result with Qwen", "qwen", "one\n", []string{`"tool_name":"read_file","tool_input":{"file_path":"FILE"}`}, false},
		{"no result with OpenCode", "opencode", "one\n", []string{`"tool":"read","args":{"filePath":"FILE"},"result":null`}, false},
		{"a shell's result that is missing", "claude-code", "one\n", []string{`"tool_name":"Bash","tool_input":{"command":"cat FILE"},"tool_response":null`}, false},
		{
			"a script's read that is not shown", "claude-code", "one\ntwo <b>\n",
			[]string{
				`"tool_use_id":"toolu_cc_1","tool_name":"Read","tool_input":{"file_path":"FILE"},"tool_response":{"type":"text","file":{"filePath":"FILE","content":"one\ntwo <b>\n","numLines":3,"startLine":1,"totalLines":3}}`,
				`"tool_name":"REPL","tool_input":{"code":"(await file('FILE').text()).length"},"tool_response":{"code":"(await file('FILE').text()).length","result":"12","stdout":"","stderr":""}`,
			},
			false,
		},
		{
			"a script's cat that is not shown", "claude-code", "one\ntwo <b>\n",
			[]string{
				`"tool_use_id":"toolu_cc_1","tool_name":"Bash","tool_input":{"command":"cat FILE"},"tool_response":{"stdout":"one\ntwo <b>","stderr":""}`,
				`"tool_name":"REPL","tool_input":{"code":"x"},"tool_response":{"code":"preview(x)","result":"one\ntw …[+7 chars]","stdout":"","stderr":""}`,
			},
			false,
		},
		{
			"a script that shows what it read", "claude-code", "one\ntwo <b>\n",
			[]string{`"tool_name":"REPL","tool_input":{"code":"x"},"tool_response":{"code":"await file('memory-bank/MEMORY.md').text()","result":"one\ntwo &lt;b&gt;\n","stdout":"","stderr":""}`},
			true,
		},
		{
			"a script that shows what Read gave it", "claude-code", "one 'q'\ntwo\n",
			[]string{`"tool_name":"REPL","tool_input":{"code":"x"},"tool_response":{"code":"x","result":"{\n  file: {\n    content: \"one 'q'\\n\" +\n      'two\\n',\n    startLine: 1\n  }\n}","stdout":"","stderr":""}`},
			true,
		},
		{
			"what a script's poll brings", "claude-code", "one\ntwo\n",
			[]string{`"tool_name":"Poll","tool_input":{},"tool_response":{"result":null,"stdout":"one\ntwo\n","stderr":""}`},
			true,
		},
		{
			"a script's read that is not shown, with Qwen", "qwen", "one\ntwo\n",
			[]string{
				`"tool_call_id":"call_1:code:0","tool_name":"read_file","tool_input":{"file_path":"FILE"},"tool_response":{"llmContent":"one\ntwo\n","returnDisplay":""}`,
				`"tool_call_id":"call_1","tool_name":"exec","tool_input":{"code":"x"},"tool_response":{"llmContent":"8","returnDisplay":""}`,
			},
			false,
		},
		{
			"a script that shows what it read, with Qwen", "qwen", "one\ntwo\n",
			[]string{
				`"tool_call_id":"call_1:code:0","tool_name":"read_file","tool_input":{"file_path":"FILE"},"tool_response":{"llmContent":"one\ntwo\n","returnDisplay":""}`,
				`"tool_call_id":"call_1","tool_name":"exec","tool_input":{"code":"x"},"tool_response":{"llmContent":"one\ntwo\n","returnDisplay":""}`,
			},
			true,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := bareArena(t)
			t.Setenv("MEMORY_BANK_GUARD_MODE", "off")
			const document = "memory-bank/MEMORY.md"
			a.put(document, c.document)
			a.put("src/a.go", "package a\n")
			write := func() status { return a.tell(c.client, "before", a.writeOf(c.client)) }
			a.tell(c.client, "compaction", `"trigger":"auto"`)
			if write() != exitRefused {
				t.Fatal("the write is not refused after the compaction")
			}
			for _, report := range c.after {
				a.tell(c.client, "after", strings.ReplaceAll(report, "FILE", a.repo+"/"+document))
			}
			if refused := write() == exitRefused; refused == c.opens {
				t.Errorf("after the read the write is refused: %v", refused)
			}
		})
	}
}

// writeOf is a call that writes a file, in the words of a client.
func (a *arena) writeOf(client string) string {
	switch client {
	case "opencode":
		return `"tool":"write","args":{"filePath":"` + a.repo + `/src/a.go","content":"x"}`
	case "qwen":
		return `"tool_name":"write_file","tool_input":{"file_path":"` + a.repo + `/src/a.go","content":"x"}`
	}
	return `"tool_name":"Write","tool_input":{"file_path":"` + a.repo + `/src/a.go","content":"x"}`
}

// tell plays an event (before, after, compaction) as a client sends it, with the fields that are this event's own.
func (a *arena) tell(client, event, fields string) status {
	a.t.Helper()
	code, _ := a.play(a.event(client, event, fields))
	return code
}

// event is the payload of tell.
func (a *arena) event(client, event, fields string) map[string]any {
	a.t.Helper()
	a.at++
	payload := map[string]any{
		"session_id": "s1", "transcript_path": "/home/dev/.claude/projects/p/s1.jsonl", "cwd": a.repo, "prompt_id": "p1", "tool_use_id": "toolu_" + string(rune('a'+a.at)),
		"hook_event_name": map[string]string{"before": "PreToolUse", "after": "PostToolUse", "compaction": "PostCompact"}[event],
	}
	switch client {
	case "qwen":
		payload["transcript_path"], payload["permission_mode"], payload["timestamp"] = "/home/dev/.qwen/projects/p/chats/s1.jsonl", "yolo", "2026-11-20T09:05:03.016Z"
	case "opencode":
		payload = map[string]any{
			"client": "opencode", "session_id": "ses_1", "agent": "build", "directory": a.repo, "worktree": a.repo, "call_id": "call_" + string(rune('a'+a.at)),
			"hook": map[string]string{"before": "tool.execute.before", "after": "tool.execute.after", "compaction": "experimental.session.compacting"}[event],
		}
	}
	own := map[string]any{}
	a.check(json.Unmarshal([]byte("{"+fields+"}"), &own))
	maps.Copy(payload, own)
	return payload
}

// TestHiddenReadsOpenNothing makes the read that a refusal printed again and again, in scripts that show nothing of it.
func TestHiddenReadsOpenNothing(t *testing.T) {
	a := bareArena(t)
	t.Setenv("MEMORY_BANK_GUARD_MODE", "off")
	a.put("memory-bank/MEMORY.md", "one\ntwo\n")
	a.put("src/a.go", "package a\n")
	a.tell("claude-code", "compaction", `"trigger":"auto"`)
	for i := range 8 {
		inner := fmt.Sprintf(`"tool_use_id":"toolu_cc_%d",`, i)
		if code, out := a.play(a.event("claude-code", "before", inner+a.writeOf("claude-code"))); code != exitRefused || i == 0 && !strings.Contains(out, `await file("`+a.repo+`/memory-bank/MEMORY.md").text()`) {
			t.Fatalf("write %d: status %d, %s", i+1, code, out)
		}
		file := `{"file_path":"` + a.repo + `/memory-bank/MEMORY.md"}`
		a.tell("claude-code", "after", inner+`"tool_name":"Read","tool_input":`+file+`,"tool_response":{"type":"text","file":{"content":"one\ntwo\n","numLines":3,"startLine":1,"totalLines":3}}`)
		a.tell("claude-code", "after", `"tool_name":"REPL","tool_input":{"code":"x"},"tool_response":{"code":"(await file('memory-bank/MEMORY.md').text()).length","result":"8","stdout":""}`)
	}
}
