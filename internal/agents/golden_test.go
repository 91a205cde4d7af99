package agents

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/wire"
)

var update = flag.Bool("update", false, "write the golden files anew")

// payload is one thing that a hook is sent.
type payload struct {
	name       string // the file of the capture
	subcommand string
	data       []byte
}

// captures reads all captured payloads of a client: what the real one sent to its hooks.
func captures(t testing.TB, dir string) (names []string, files map[string][]byte) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", dir, "*.json"))
	if err != nil || len(names) == 0 {
		t.Fatal("no captures", err)
	}
	files = map[string][]byte{}
	for i, n := range names {
		data, err := os.ReadFile(n)
		if err != nil {
			t.Fatal(err)
		}
		names[i] = filepath.Base(n)
		files[names[i]] = data
	}
	return names, files
}

// sent are the captures of a client as they were sent. The event's own name decides, or the fields of it, so the
// subcommand is that of one command for all.
func sent(t testing.TB, dir string) []payload {
	names, files := captures(t, dir)
	var list []payload
	for _, n := range names {
		list = append(list, payload{n, "hook", files[n]})
	}
	return list
}

// openCodePayloads turns captures into what the shim sends. A capture is {hook, input, output} of a plugin hook, or
// {hook:"event", event:{type, properties}}; the shim's rules are:
//
//   - session_id, call_id, tool are the hook's input; args is output.args before a call and input.args after it; result
//     is the whole output after a call.
//   - chat.message: prompt is the text parts that are not synthetic, agent the input's, else the message's.
//   - an event is sent under its type. session.created and session.deleted bring info.parentID and info.agent.
//   - message.part.updated of a tool is sent as `mbgate unread` if state.time.compacted is set, of a compaction as
//     `mbgate compact`; otherwise it is not sent. session.created is `mbgate compact` for a fork, which has a title of
//     that form and no parent.
//
// Hooks that the shim does not send are decoded all the same: they have to be harmless. The plugin's own start is not a
// hook; its directory and worktree stand for those of a session that starts there.
func openCodePayloads(t testing.TB) []payload {
	names, files := captures(t, "opencode")
	var list []payload
	for _, n := range names {
		var c struct {
			Hook          string
			Input, Output map[string]any
			Event         struct {
				Type       string
				Properties map[string]any
			}
			Directory, Worktree string
		}
		if err := json.Unmarshal(files[n], &c); err != nil {
			t.Fatal(n, err)
		}
		m := map[string]any{"client": "opencode", "hook": c.Hook, "directory": "/home/dev/project", "worktree": "/home/dev/project"}
		set := func(key string, v any) {
			if v != nil {
				m[key] = v
			}
		}
		set("session_id", c.Input["sessionID"])
		set("call_id", c.Input["callID"])
		set("tool", c.Input["tool"])
		sub := "hook"
		switch c.Hook {
		case "tool.execute.before":
			sub = "tool-before"
			set("args", c.Output["args"])
		case "tool.execute.after":
			sub = "tool-after"
			if m["tool"] == "read" {
				sub = "read"
			}
			set("args", c.Input["args"])
			set("result", c.Output)
		case "experimental.session.compacting":
			sub = "compact"
		case "chat.message":
			sub = "prompt"
			set("agent", c.Output["message"].(map[string]any)["agent"])
			set("agent", c.Input["agent"])
			var text []string
			for _, p := range c.Output["parts"].([]any) {
				if p := p.(map[string]any); p["type"] == "text" && p["synthetic"] != true {
					text = append(text, p["text"].(string))
				}
			}
			m["prompt"] = strings.Join(text, "\n")
			if strings.Contains(n, "subagent") { // the shim knows it from session.created
				m["parent_session_id"] = "ses_e07e5e455ffe1MNe7ak3ouDeD6"
			}
		case "event":
			m["hook"] = c.Event.Type
			set("session_id", c.Event.Properties["sessionID"])
			info, _ := c.Event.Properties["info"].(map[string]any)
			part, _ := c.Event.Properties["part"].(map[string]any)
			switch c.Event.Type {
			case "session.created", "session.deleted":
				set("parent_session_id", info["parentID"])
				set("agent", info["agent"])
				sub = map[string]string{"session.created": "session-start", "session.deleted": "session-end"}[c.Event.Type]
				if strings.Contains(info["title"].(string), "(fork #") && info["parentID"] == nil {
					sub = "compact"
				}
			case "message.part.updated":
				if part["type"] == "compaction" {
					sub = "compact"
				}
				if state, ok := part["state"].(map[string]any); ok {
					set("tool", part["tool"])
					set("call_id", part["callID"])
					set("args", state["input"])
					set("result", map[string]any{"output": state["output"], "metadata": state["metadata"]})
					if state["time"].(map[string]any)["compacted"] != nil {
						sub = "unread"
					}
				}
			}
		case "(init)":
			m["hook"], m["session_id"], m["directory"], m["worktree"] = "session.created", "ses_init", c.Directory, c.Worktree
			sub = "session-start"
		}
		if strings.Contains(n, "write-in-subagent") {
			m["parent_session_id"], m["agent"] = "ses_e07e5e455ffe1MNe7ak3ouDeD6", "general"
		}
		data, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, payload{n, sub, data})
	}
	return list
}

// genericPayloads are written by hand, in the shape of SPEC §3.
func genericPayloads(t testing.TB) []payload {
	data, err := os.ReadFile("testdata/generic.txt")
	if err != nil {
		t.Fatal(err)
	}
	var list []payload
	for l := range strings.Lines(string(data)) {
		if sub, rest, ok := strings.Cut(strings.TrimSpace(l), " "); ok && sub != "#" {
			list = append(list, payload{rest, sub, []byte(rest)})
		}
	}
	return list
}

func projectDir(name string) string {
	if name == "CLAUDE_PROJECT_DIR" { // other clients set it too
		return "/home/dev/project"
	}
	return ""
}

// payloads are all payloads, by the name of the client that they have to be recognised as.
func payloads(t testing.TB) map[string][]payload {
	all := map[string][]payload{"opencode": openCodePayloads(t), "generic": genericPayloads(t)}
	for _, a := range All() {
		if all[a.Name()] == nil && a.Name() != ShapeAgent("claude") { // of which no payload is known without being asked
			all[a.Name()] = sent(t, a.Name())
		}
	}
	return all
}

// TestGolden holds the canonical event of every captured payload.
func TestGolden(t *testing.T) {
	for name, list := range payloads(t) {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			for _, p := range list {
				fmt.Fprintf(&b, "== %s [%s]\n", p.name, p.subcommand)
				ev, err := Decode(p.data, wire.Options{Subcommand: p.subcommand, Getenv: projectDir})
				if ev.Client == nil || ev.Client.Name != name {
					t.Errorf("%s: recognised as %v", p.name, ev.Client)
				}
				if err != nil {
					fmt.Fprintf(&b, "error: %v\n", err)
					continue
				}
				b.WriteString(view(t, ev))
			}
			golden(t, filepath.Join("testdata", name+".golden"), b.String())
		})
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			t.Fatalf("%s:%d: got\n%s\nRun with -update and review.", file, i+1, g[i])
		}
	}
	t.Fatalf("%s: shorter than it was", file)
}

// view is an event in one line of JSON per field, without what is empty; long texts are shortened.
func view(t *testing.T, ev event.Event) string {
	t.Helper()
	ev.Client = nil
	if len(ev.Digest) != 32 {
		t.Errorf("digest %q", ev.Digest)
	}
	ev.Digest = ""
	data, err := json.Marshal(ev)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fields := []string{
		"Kind", "Name", "Session", "Turn", "Call", "Sub", "Cwd", "Roots", "Tool", "Result", "Source", "Trigger", "Window",
		"Injects", "Summary", "Script", "Prompt", "Synthetic", "StopActive", "ReadsOnly", "Path", "Transcript", "Records",
	}
	for _, k := range fields {
		if v := shorten(m[k]); v != nil || k == "Kind" || k == "Result" && m[k] != nil {
			if v == nil {
				v = m[k]
				if k == "Result" {
					v = map[string]any{}
				}
			}
			var line bytes.Buffer
			e := json.NewEncoder(&line)
			e.SetEscapeHTML(false)
			_ = e.Encode(v)
			fmt.Fprintf(&b, "%s: %s", k, line.Bytes())
		}
		delete(m, k)
	}
	delete(m, "Client")
	delete(m, "Digest")
	if len(m) > 0 {
		t.Errorf("fields that the golden file does not show: %v", m)
	}
	return b.String()
}

// shorten drops zero values and cuts long texts; nil is "nothing left".
func shorten(v any) any {
	switch v := v.(type) {
	case string:
		if v == "" {
			return nil
		}
		if len(v) > 300 {
			return fmt.Sprintf("%s…%s (%d bytes, %x)", v[:40], v[len(v)-40:], len(v), sha256.Sum256([]byte(v)))
		}
	case bool:
		if !v {
			return nil
		}
	case float64:
		if v == 0 {
			return nil
		}
	case []any:
		if len(v) == 0 {
			return nil
		}
		for i := range v {
			v[i] = shorten(v[i])
		}
	case map[string]any:
		for k := range v {
			if v[k] = shorten(v[k]); v[k] == nil {
				delete(v, k)
			}
		}
		if len(v) == 0 {
			return nil
		}
	}
	return v
}

// clients are the facts of all agents.
func clients() []event.Client {
	var list []event.Client
	for _, a := range All() {
		list = append(list, *a.Facts())
	}
	return list
}

// definitionFiles are the files in which an agent looks for subagents while no variable moves its folder.
func definitionFiles(name string) []string {
	a, _ := ByName(name)
	return a.DefinitionFiles(func(string) string { return "" })
}

// units is the length of a text as JavaScript counts it.
func units(s string) int { return len(utf16.Encode([]rune(s))) }
