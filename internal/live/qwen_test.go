//go:build live

package live

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/mbgate/mbgate/internal/live/model"
)

// qwen is Qwen Code, driven by its stream-json input.
type qwen struct{ byName }

func (qwen) name() string { return "qwen" }

func (qwen) traits() traits {
	return traits{
		reader: "memory-reader", writer: "memory-bank-writer",
		folder: ".qwen", variable: "QWEN_HOME",
		config:      []string{"settings.json", "agents/memory-reader.md"},
		beside:      []string{".qwen/settings.json"},
		long:        2500,
		nested:      []string{"qwen -p mb:clear --continue"},
		readerLacks: []string{"run_shell_command", "edit", "write_file", "notebook_edit"},
	}
}

func (qwen) configure(w *world) {
	w.homeFile(".qwen/settings.json", `{
  // chosen in the dialogue of the first start
  "security": { "auth": { "selectedType": "openai" } },
  "general": { "enableAutoUpdate": false },
  "privacy": { "usageStatisticsEnabled": false }
}
`)
	w.model.Tokens = qwenTokens
	w.model.Kind = func(r model.Request) string {
		if strings.Contains(r.System, "state_snapshot") || strings.Contains(r.Last, "state_snapshot") {
			return model.Summary
		}
		if strings.Contains(r.Last, "Managed memory has TWO directories") {
			return model.Side // the client looks through the conversation for what is to be kept
		}
		return ""
	}
}

func (qwen) trust(*world) {}

// fill takes most of the 200,000 tokens that the client believes in for a model that it does not know.
func (d qwen) fill(w *world) []model.Step {
	const full = 190_000
	w.model.Script(model.Summary, model.Step{Text: qwenSummary.Text, Tokens: full})
	return []model.Step{{Calls: []model.Call{d.readAll(w, "src/app.go")}, Tokens: full}}
}

func (qwen) addServer(w *world, name, node, script string) {
	w.amend(".qwen/settings.json", `  "general"`, fmt.Sprintf(`  "mcpServers": { %q: { "command": %q, "args": [%q], "trust": true } },
  "general"`, name, node, script))
}

func (qwen) ofServer(server, tool string, args map[string]any) model.Call {
	return model.Call{Name: "mcp__" + server + "__" + tool, Args: args}
}

func (qwen) open(w *world, how opening) session {
	args := []string{
		clientFile("@qwen-code/qwen-code/cli-entry.js"),
		"--input-format", "stream-json", "--output-format", "stream-json", "--yolo", "--model", "made-up-model",
	}
	switch {
	case how.resume != "":
		args = append(args, "--resume", how.resume)
	case how.fork != "":
		args = append(args, "--resume", how.fork, "--fork-session")
	}
	p := w.start(
		"qwen", filepath.Join(nodeDir(), "bin", "node"), args,
		"OPENAI_BASE_URL="+w.model.URL()+"/v1", "OPENAI_API_KEY=made-up", "OPENAI_MODEL=made-up-model",
		"QWEN_TELEMETRY_ENABLED=0", "NO_UPDATE_NOTIFIER=1",
		"NODE_COMPILE_CACHE="+filepath.Join(os.Getenv(clientsVar), "node-compile-cache"), // a start takes three seconds, four without
	)
	return &qwenSession{process: p}
}

// qwenTokens is what the model says that each request took: a compaction that takes more of the context than it frees is
// thrown away, without a PostCompact.
const qwenTokens = 20_000

var qwenSummary = model.Step{
	Text:   "<state_snapshot><overall_goal>We edited files.</overall_goal></state_snapshot>",
	Tokens: qwenTokens,
}

type qwenSession struct {
	*process
	session string
}

func (s *qwenSession) id() string { return s.session }

func (s *qwenSession) turn(prompt string, steps ...model.Step) []model.Request {
	s.w.t.Helper()
	s.w.model.Script(model.Main, steps...)
	mark := s.w.model.Count()
	s.send(map[string]any{
		"type": "user", "session_id": s.session, "parent_tool_use_id": nil,
		"message": map[string]any{"role": "user", "content": prompt},
	})
	s.until("the end of the turn: "+prompt, func(m map[string]any) bool {
		if id, ok := m["session_id"].(string); ok && id != "" {
			s.session = id
		}
		return m["type"] == "result"
	})
	return s.w.model.Since(mark)
}

func (s *qwenSession) compact() []model.Request {
	s.w.t.Helper()
	s.w.model.Script(model.Summary, qwenSummary)
	return s.w.compacted(s.turn("/compress"))
}

func (s *qwenSession) close() { s.end() }

func (qwen) readAll(w *world, path string) model.Call {
	return model.Call{Name: "read_file", Args: map[string]any{"file_path": w.path(path)}}
}

func (qwen) readLines(w *world, path string, from, to int) model.Call {
	return model.Call{Name: "read_file", Args: map[string]any{"file_path": w.path(path), "offset": from - 1, "limit": to - from + 1}}
}

func (qwen) edit(w *world, path, old, new string) model.Call {
	return model.Call{Name: "edit", Args: map[string]any{"file_path": w.path(path), "old_string": old, "new_string": new}}
}

func (qwen) create(w *world, path, content string) model.Call {
	return model.Call{Name: "write_file", Args: map[string]any{"file_path": w.path(path), "content": content}}
}

func (qwen) shell(_ *world, command string) model.Call {
	return model.Call{Name: "run_shell_command", Args: map[string]any{
		"command": command, "description": "a command", "is_background": false,
	}}
}

func (qwen) delegate(_ *world, kind, prompt string) model.Call {
	if kind == "" {
		kind = "general-purpose"
	}
	return model.Call{Name: "agent", Args: map[string]any{
		"description": "a part of the work", "prompt": prompt, "subagent_type": kind, "run_in_background": false,
	}}
}
