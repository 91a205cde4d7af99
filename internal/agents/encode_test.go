package agents

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/wire"
)

// answers are said to every kind of event on every client.
func answers() []struct {
	name string
	a    wire.Answer
} {
	return []struct {
		name string
		a    wire.Answer
	}{
		{"nothing", wire.Answer{}},
		{"allow", wire.Answer{Verdict: event.Allow}},
		{"block", wire.Answer{Verdict: event.Block, Text: "read REQ-005.md first\nthen repeat the call"}},
		{"block without a reason", wire.Answer{Verdict: event.Block}},
		{"warn", wire.Answer{Verdict: event.Warn, Text: "patterns.md was not read in this turn"}},
		{"context", wire.Answer{Context: "<memory-bank>\nx & <y>\n</memory-bank>\n"}},
		{"context and warn", wire.Answer{Verdict: event.Warn, Text: "w", Context: "c\n"}},
		{"context that looks like JSON", wire.Answer{Context: "{x}"}},
		{"person", wire.Answer{ToPerson: "no recovery is pending"}},
		{"person, kept from the model", wire.Answer{Verdict: event.Block, ToPerson: "the recovery was cleared"}},
		{"person and context", wire.Answer{ToPerson: "p", Context: "c"}},
	}
}

// said are the events that are answered: one of each kind, as the client names it.
func said() []event.Event {
	var list []event.Event
	clients := clients()
	add := func(client string, name string, k event.Kind, injects bool) {
		for i := range clients {
			if clients[i].Name == client {
				list = append(list, event.Event{Kind: k, Name: name, Client: &clients[i], Injects: injects})
			}
		}
	}
	add("claude-code", "PreToolUse", event.ToolBefore, false)
	add("claude-code", "PostToolUse", event.ToolAfter, false)
	add("claude-code", "SessionStart", event.SessionStart, false)
	add("claude-code", "SessionStart", event.Compacted, true)
	add("claude-code", "PostCompact", event.Compacted, false)
	add("claude-code", "PreCompact", event.Compacting, false)
	add("claude-code", "SessionStart", event.Forked, true)
	add("claude-code", "UserPromptSubmit", event.Prompt, false)
	add("claude-code", "Stop", event.Stop, false)
	add("claude-code", "ConfigChange", event.ConfigChange, false)
	add("claude-code", "SessionEnd", event.SessionEnd, false)
	add("claude-code", "", event.ToolBefore, false)
	add("opencode", "tool.execute.before", event.ToolBefore, false)
	add("opencode", "experimental.chat.system.transform", event.Notice, false)
	add("opencode", "experimental.session.compacting", event.Compacted, true)
	add("opencode", "chat.message", event.Prompt, false)
	add("codex", "PreToolUse", event.ToolBefore, false)
	add("codex", "PostToolUse", event.ToolAfter, false)
	add("codex", "SessionStart", event.SessionStart, false)
	add("codex", "SessionStart", event.Compacted, true)
	add("codex", "PostCompact", event.Compacted, false)
	add("codex", "PreCompact", event.Compacting, false)
	add("codex", "SessionStart", event.Forked, true)
	add("codex", "UserPromptSubmit", event.Prompt, false)
	add("codex", "Stop", event.Stop, false)
	add("codex", "SessionEnd", event.SessionEnd, false)
	add("gemini", "BeforeTool", event.ToolBefore, false)
	add("gemini", "AfterTool", event.ToolAfter, false)
	add("gemini", "SessionStart", event.SessionStart, false)
	add("gemini", "PreCompress", event.Compacting, false)
	add("gemini", "BeforeModel", event.Notice, false)
	add("gemini", "BeforeAgent", event.Prompt, false)
	add("gemini", "AfterAgent", event.Stop, false)
	add("gemini", "SessionEnd", event.SessionEnd, false)
	add("qwen", "PreToolUse", event.ToolBefore, false)
	add("qwen", "PostToolUse", event.ToolAfter, false)
	add("qwen", "PostToolUseFailure", event.ToolAfter, false)
	add("qwen", "SessionStart", event.SessionStart, false)
	add("qwen", "PostCompact", event.Compacted, false)
	add("qwen", "PreCompact", event.Compacting, false)
	add("qwen", "UserPromptSubmit", event.Prompt, false)
	add("qwen", "Stop", event.Stop, false)
	add("copilot", "preToolUse", event.ToolBefore, false)
	add("copilot", "PreToolUse", event.ToolBefore, false)
	add("copilot", "postToolUse", event.ToolAfter, false)
	add("copilot", "PostToolUse", event.ToolAfter, false)
	add("copilot", "sessionStart", event.SessionStart, false)
	add("copilot", "SessionStart", event.SessionStart, false)
	add("copilot", "preCompact", event.Compacted, false)
	add("copilot", "userPromptSubmitted", event.Prompt, false)
	add("copilot", "agentStop", event.Stop, false)
	add("generic", "", event.ToolBefore, false)
	add("generic", "", event.Compacted, true)
	add("generic", "", event.Prompt, false)
	return list
}

// TestEncode holds what every client is answered.
func TestEncode(t *testing.T) {
	var b strings.Builder
	for _, ev := range said() {
		for _, a := range answers() {
			out := Encode(ev, a.a)
			fmt.Fprintf(&b, "%s %s %s | %s: %d\n", ev.Client.Name, ev.Kind, ev.Name, a.name, out.Exit)
			for _, s := range [...]struct {
				name string
				text []byte
			}{{"stdout", out.Stdout}, {"stderr", out.Stderr}} {
				for l := range bytes.Lines(s.text) {
					fmt.Fprintf(&b, "  %s %s\n", s.name, bytes.TrimRight(l, "\n"))
				}
			}
			sound(t, ev, a.a, out)
		}
	}
	golden(t, filepath.Join("testdata", "encode.golden"), b.String())
}

// sound is what holds for every client and every answer.
func sound(t *testing.T, ev event.Event, a wire.Answer, out wire.Output) {
	t.Helper()
	where := fmt.Sprintf("%s %s %s %+v: %d %q %q", ev.Client.Name, ev.Kind, ev.Name, a, out.Exit, out.Stdout, out.Stderr)
	can := wire.Refusable(ev.Kind) && (ev.Kind != event.Prompt || ev.Client.RefusesPrompts)
	refused := a.Verdict == event.Block && can
	if ev.Client.Name == "claude-code" && ev.Kind == event.Prompt {
		if refused != bytes.HasPrefix(out.Stdout, []byte(`{"decision":"block","reason":"`)) {
			t.Errorf("a prompt is refused in JSON: %s", where)
		}
		refused = false
	}
	if refused != (out.Exit == wire.Blocked) || !refused && out.Exit != 0 {
		t.Errorf("status: %s", where)
	}
	if out.Exit == wire.Blocked {
		if len(out.Stderr) == 0 || len(out.Stdout) > 0 && ev.Client.Name != "copilot" {
			t.Errorf("a refusal is a reason on standard error and nothing else: %s", where)
		}
		if ev.Client.Name == "copilot" {
			denial(t, out)
			out.Stdout = nil
		}
	}
	if a == (wire.Answer{}) && len(out.Stdout)+len(out.Stderr) > 0 {
		t.Errorf("nothing to say: %s", where)
	}
	for _, s := range [][]byte{out.Stdout, out.Stderr} {
		if len(s) > 0 && (s[len(s)-1] != '\n' || bytes.HasSuffix(s, []byte("\n\n"))) {
			t.Errorf("no line: %s", where)
		}
		for _, approving := range []string{"allow", "approve", "permissionDecision", "continue", `"ask"`} {
			if bytes.Contains(s, []byte(approving)) {
				t.Errorf("an approving decision: %s", where)
			}
		}
	}
	switch ev.Client.Name {
	case "claude-code":
		if len(out.Stdout) > 0 && out.Stdout[0] == '{' && !json.Valid(out.Stdout) {
			t.Errorf("no JSON: %s", where)
		}
	case "codex", "gemini", "qwen", "copilot":
		// A text is no JSON to these, or what begins like JSON is broken JSON.
		if len(out.Stdout) > 0 && (out.Stdout[0] != '{' || !json.Valid(out.Stdout)) {
			t.Errorf("no JSON: %s", where)
		}
		if len(out.Stderr) > 0 && out.Exit == 0 && ev.Client.Name != "copilot" {
			t.Errorf("not silent on standard error: %s", where)
		}
		// Where nothing comes of it, or harm, nothing may be said to the model.
		said := bytes.Contains(out.Stdout, []byte(`"reason"`)) || bytes.Contains(out.Stdout, []byte("additionalContext"))
		if deaf := ev.Kind == event.Compacting || ev.Kind == event.Compacted && !ev.Injects || ev.Kind == event.Notice; deaf && said {
			t.Errorf("said to nobody: %s", where)
		}
	}
	if ev.Client.Name == "codex" {
		knownFields(t, ev, out)
	}
}

// denial is the one JSON object that blocked a call on Codex, Gemini, Qwen and Copilot alike.
func denial(t *testing.T, out wire.Output) {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(out.Stdout, &m); err != nil || bytes.Count(out.Stdout, []byte("\n")) != 1 {
		t.Errorf("%v: %s", err, out.Stdout)
	}
	reason := strings.TrimRight(string(out.Stderr), "\n")
	inner, _ := m["hookSpecificOutput"].(map[string]any)
	if m["decision"] != "deny" || m["reason"] != reason || m["permissionDecision"] != "deny" || m["permissionDecisionReason"] != reason ||
		inner["hookEventName"] != "PreToolUse" || inner["permissionDecision"] != "deny" || inner["permissionDecisionReason"] != reason || reason == "" {
		t.Errorf("%s", out.Stdout)
	}
}

// knownFields: with status 0 Codex throws an answer away that has a field it does not know for that event.
func knownFields(t *testing.T, ev event.Event, out wire.Output) {
	t.Helper()
	if len(out.Stdout) == 0 {
		return
	}
	known := map[string]bool{"systemMessage": true}
	switch ev.Name {
	case "Stop":
		known["decision"], known["reason"] = true, true
	case "PreToolUse", "PostToolUse", "UserPromptSubmit", "SessionStart":
		known["hookSpecificOutput"] = true
	}
	var m map[string]any
	if err := json.Unmarshal(out.Stdout, &m); err != nil {
		t.Error(err)
	}
	for k := range m {
		if !known[k] {
			t.Errorf("%s: %s", ev.Name, out.Stdout)
		}
	}
	if inner, ok := m["hookSpecificOutput"].(map[string]any); ok && (inner["hookEventName"] != ev.Name || len(inner) != 2) {
		t.Errorf("%s: %s", ev.Name, out.Stdout)
	}
}

// TestNoApproval: whatever the verdict, no client is told that the call is fine.
func TestNoApproval(t *testing.T) {
	for _, ev := range said() {
		if out := Encode(ev, wire.Answer{Verdict: event.Allow}); out.Exit != 0 || len(out.Stdout)+len(out.Stderr) > 0 {
			t.Errorf("%s %s: %+v", ev.Client.Name, ev.Kind, out)
		}
	}
}

// TestMaxOutput: what is given to the model stays within what the client passes on, however long the text is.
func TestMaxOutput(t *testing.T) {
	c, _ := Facts("claude-code")
	ev := event.Event{Kind: event.SessionStart, Name: "SessionStart", Client: &c}
	for name, text := range map[string]string{
		"lines":   strings.Repeat("one line of text\n", 2000),
		"one":     strings.Repeat("x", 20_000),
		"two":     strings.Repeat("😀", 20_000), // two units each
		"exactly": strings.Repeat("é", c.MaxOutput),
	} {
		got := strings.TrimSuffix(string(Encode(ev, wire.Answer{Context: text}).Stdout), "\n")
		if units(got) > c.MaxOutput || units(got) < c.MaxOutput-100 {
			t.Errorf("%s: %d units", name, units(got))
		}
		if whole := name == "exactly"; whole != (got == text) || whole == strings.Contains(got, "cut by mbgate") {
			t.Errorf("%s: cut wrongly", name)
		}
		if name == "lines" && !strings.Contains(got, "one line of text\n[cut") {
			t.Errorf("%s: cut within a line", name)
		}
	}
}

// TestMaxBytes: the same for a client that counts bytes, where other scripts than Latin need three of them.
func TestMaxBytes(t *testing.T) {
	c, _ := Facts("codex")
	ev := event.Event{Kind: event.SessionStart, Name: "SessionStart", Client: &c}
	for name, text := range map[string]string{
		"lines": strings.Repeat("one line of text\n", 2000), "one": strings.Repeat("x", 20_000), "three": strings.Repeat("焦", 5_000),
		"exactly": strings.Repeat("é", c.MaxBytes/2),
	} {
		var m struct {
			HookSpecificOutput struct{ AdditionalContext string }
		}
		if err := json.Unmarshal(Encode(ev, wire.Answer{Context: text}).Stdout, &m); err != nil {
			t.Fatal(err)
		}
		got := m.HookSpecificOutput.AdditionalContext
		if len(got) > c.MaxBytes || len(got) < c.MaxBytes-100 || strings.ContainsRune(got, '\ufffd') {
			t.Errorf("%s: %d bytes", name, len(got))
		}
		if whole := name == "exactly"; whole != (got == text) || whole == strings.Contains(got, "cut by mbgate") {
			t.Errorf("%s: cut wrongly", name)
		}
	}
}

// TestFailure: a fault of ours lets the call go on with the status that does so on that client.
func TestFailure(t *testing.T) {
	open := map[string]int{"copilot": 0, "gemini": 0} // any other status than 0 refuses the call, or than 0 and 1
	for _, c := range clients() {
		want, special := open[c.Name]
		if !special {
			want = 1
		}
		a, _ := ByName(c.Name)
		if a.Neutral != "" {
			out, closed := Failure(&c, "state: no space", false), Failure(&c, "state: no space", true)
			refused, why := a.Refuses(Reply{Exit: closed.Exit, Stdout: string(closed.Stdout), Stderr: string(closed.Stderr)})
			if string(out.Stdout) != a.Neutral+"\n" || !refused || !strings.Contains(string(closed.Stdout), "state: no space") {
				t.Errorf("%s: %+v, %+v, %s", c.Name, out, closed, why)
			}
			continue
		}
		if out := Failure(&c, "state: no space", false); out.Exit != want || string(out.Stderr) != "state: no space\n" || out.Stdout != nil {
			t.Errorf("%s: %+v", c.Name, out)
		}
		out := Failure(&c, "state: no space", true)
		if c.Name == "copilot" {
			denial(t, out)
			out.Stdout = nil
		}
		if out.Exit != wire.Blocked || string(out.Stderr) != "state: no space\n" || out.Stdout != nil {
			t.Errorf("%s: %+v", c.Name, out)
		}
	}
	if out := Failure(nil, "x", false); out.Exit != 1 {
		t.Errorf("%+v", out)
	}
	if out := Encode(event.Event{Kind: event.ToolBefore}, wire.Answer{Verdict: event.Block, Text: "r"}); out.Exit != wire.Blocked {
		t.Errorf("%+v", out)
	}
}
