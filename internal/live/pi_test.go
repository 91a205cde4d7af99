//go:build live

package live

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mbgate/mbgate/internal/live/model"
)

// pi is pi, driven by its RPC mode.
type pi struct{ byName }

func (pi) name() string { return "pi" }

func (pi) traits() traits {
	return traits{
		noSubagents: "pi has no subagents",
		noServers:   "pi starts no MCP servers by itself",
		folder:      ".pi/agent", variable: "PI_CODING_AGENT_DIR",
		config: []string{"extensions/mbgate.js"},
		beside: []string{".pi/extensions/other.js", ".pi/settings.json"},
		long:   2500,
		// The beginning of the turn that goes on, and what was before it.
		summaries: 2,
		nested:    []string{"pi -p mb:clear --continue", "pi --no-extensions -p hello"},
	}
}

func (pi) configure(w *world) {
	w.homeFile(".pi/agent/models.json", fmt.Sprintf(`{
  "providers": {
    "fake": {
      "baseUrl": %q, "api": "openai-completions", "apiKey": "made-up",
      "models": [{ "id": "fake", "contextWindow": %d, "maxTokens": 8000 }]
    }
  }
}
`, w.model.URL()+"/v1", contextLimit))
	w.homeFile(".pi/agent/settings.json", `{ "defaultProvider": "fake", "defaultModel": "fake", "compaction": { "keepRecentTokens": 1 } }`+"\n")
	w.model.Kind = func(r model.Request) string {
		if strings.Contains(r.System, "context summarization assistant") {
			return model.Summary
		}
		return ""
	}
}

func (pi) trust(*world) {}

func (d pi) fill(w *world) []model.Step {
	return []model.Step{{Calls: []model.Call{d.readAll(w, "src/app.go")}, Tokens: contextLimit - 1000}}
}

func (pi) addServer(w *world, _, _, _ string) { w.t.Fatal("pi has no servers") }

func (pi) ofServer(string, string, map[string]any) model.Call { return model.Call{} }

func (pi) open(w *world, how opening) session {
	args := []string{clientFile("@earendil-works/pi-coding-agent/dist/bundle/cli.js"), "--mode", "rpc", "--approve"} // as a person trusts the project
	switch {
	case how.resume != "":
		args = append(args, "--session", how.resume)
	case how.fork != "":
		args = append(args, "--fork", how.fork)
	}
	s := &piSession{process: w.start("pi", filepath.Join(nodeDir(), "bin", "node"), args, "PI_OFFLINE=1")}
	state := s.ask("get_state", nil)
	data, _ := state["data"].(map[string]any)
	s.session, _ = data["sessionId"].(string)
	if s.session == "" {
		w.t.Fatalf("pi has no session: %v%s", state, s.tail())
	}
	return s
}

type piSession struct {
	*process
	session string
	said    string
	asked   int
}

func (s *piSession) id() string { return s.session }

// shown is what pi showed the person in the last turn.
func (s *piSession) shown() string { return s.said }

// ask sends one command and gives back its response; what pi notifies the person of meanwhile is kept.
func (s *piSession) ask(command string, more map[string]any) map[string]any {
	s.w.t.Helper()
	s.asked++
	id := fmt.Sprintf("c%d", s.asked)
	request := map[string]any{"id": id, "type": command}
	for k, v := range more {
		request[k] = v
	}
	s.send(request)
	return s.wait("the response to "+command, func(line map[string]any) bool { return line["type"] == "response" && line["id"] == id })
}

func (s *piSession) wait(what string, ok func(map[string]any) bool) map[string]any {
	s.w.t.Helper()
	return s.until(what, func(line map[string]any) bool {
		if line["type"] == "extension_ui_request" && line["method"] == "notify" {
			s.said += fmt.Sprint(line["message"]) + "\n"
		}
		return ok(line)
	})
}

func (s *piSession) turn(prompt string, steps ...model.Step) []model.Request {
	s.w.t.Helper()
	s.w.model.Script(model.Main, steps...)
	mark := s.w.model.Count()
	s.said = ""
	s.ask("prompt", map[string]any{"message": prompt})
	if state, _ := s.ask("get_state", nil)["data"].(map[string]any); state["isStreaming"] == true || s.w.model.Count() > mark {
		s.wait("the end of the turn", func(line map[string]any) bool { return line["type"] == "agent_settled" })
	}
	return s.w.model.Since(mark)
}

func (s *piSession) compact() []model.Request {
	s.w.t.Helper()
	mark := s.w.model.Count()
	s.ask("compact", nil)
	return s.w.compacted(s.w.model.Since(mark))
}

func (s *piSession) close() { s.w.t.Helper(); s.end() }

func (pi) readAll(w *world, path string) model.Call {
	return model.Call{Name: "read", Args: map[string]any{"path": w.path(path)}}
}

func (pi) readLines(w *world, path string, from, to int) model.Call {
	return model.Call{Name: "read", Args: map[string]any{"path": w.path(path), "offset": from, "limit": to - from + 1}}
}

func (pi) edit(_ *world, path, old, new string) model.Call {
	return model.Call{Name: "edit", Args: map[string]any{"path": path, "edits": []any{map[string]any{"oldText": old, "newText": new}}}}
}

func (pi) create(w *world, path, content string) model.Call {
	return model.Call{Name: "write", Args: map[string]any{"path": w.path(path), "content": content}}
}

func (pi) shell(_ *world, command string) model.Call {
	return model.Call{Name: "bash", Args: map[string]any{"command": command}}
}

func (pi) delegate(w *world, _, _ string) model.Call {
	w.t.Fatal("pi has no subagents")
	return model.Call{}
}
