//go:build live

package live

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/mbgate/mbgate/internal/live/model"
)

// copilot is GitHub Copilot CLI with a provider of one's own, driven by the Agent Client Protocol.
type copilot struct{ byName }

func (copilot) name() string { return "copilot" }

func (copilot) traits() traits {
	return traits{
		reader: "memory-reader", writer: "memory-bank-writer",
		sharesPrompts: "the client goes on with a prompt whatever its hooks say",
		mutePrompts:   "what a hook says of a prompt goes nowhere",
		folder:        ".copilot", variable: "COPILOT_HOME",
		config:      []string{"hooks/mbgate.json", "agents/memory-reader.agent.md"},
		beside:      []string{".github/hooks/other.json"},
		long:        2500, // of a file that is much longer, the client shows nothing
		trusting:    []string{"COPILOT_ALLOW_ALL=true"},
		nested:      []string{"copilot -p mb:clear --continue"},
		readerLacks: []string{"bash", "edit", "create", "apply_patch"},
	}
}

func (copilot) configure(w *world) {
	w.homeFile(".copilot/settings.json", "{\n  \"banner\": \"never\"\n}\n")
	w.model.Kind = func(r model.Request) string {
		if strings.Contains(r.Last, "respond only with the summary text") {
			return model.Summary
		}
		return ""
	}
}

func (copilot) trust(*world) {}

// fill has the compaction run beside the model's next requests; the gate is closed from its beginning.
func (d copilot) fill(w *world) []model.Step {
	w.vars = append(w.vars, "COPILOT_PROVIDER_MAX_PROMPT_TOKENS=100000")
	return []model.Step{{Calls: []model.Call{d.readAll(w, "src/app.go")}, Tokens: 90_000}}
}

func (copilot) addServer(w *world, name, node, script string) {
	w.homeFile(".copilot/mcp-config.json", fmt.Sprintf(
		`{"mcpServers": {%q: {"type": "local", "command": %q, "args": [%q], "tools": ["*"]}}}`, name, node, script,
	))
}

func (copilot) ofServer(server, tool string, args map[string]any) model.Call {
	return model.Call{Name: server + "-" + tool, Args: args}
}

func copilotProgram() string { return clientFile("@github/copilot-linux-x64/copilot") }

// copilotEnv: the client unpacks itself before it runs, 230 MB, which one folder is enough for. What the world sets counts
// more.
func copilotEnv(w *world) []string {
	return append([]string{
		"COPILOT_OFFLINE=true", "COPILOT_PROVIDER_TYPE=openai", "COPILOT_PROVIDER_BASE_URL=" + w.model.URL() + "/v1",
		"COPILOT_PROVIDER_API_KEY=made-up", "COPILOT_MODEL=made-up-model", "COPILOT_AUTO_UPDATE=false",
		"COPILOT_PKG_CACHE_HOME=" + filepath.Join(os.Getenv(clientsVar), "copilot"),
	}, w.vars...)
}

func (copilot) open(w *world, how opening) session {
	w.t.Helper()
	if how.fork != "" {
		how.resume = copilotFork(w, how.fork)
	}
	p := w.start("copilot", copilotProgram(), []string{"--acp", "--allow-all-tools", "--no-auto-update"}, copilotEnv(w)...)
	s := &copilotSession{process: p}
	s.call("initialize", map[string]any{"protocolVersion": 1, "clientCapabilities": map[string]any{}})
	where := map[string]any{"cwd": w.dir, "mcpServers": []any{}}
	if how.resume != "" {
		where["sessionId"] = how.resume
		s.call("session/load", where)
		s.session = how.resume
		return s
	}
	s.session, _ = s.call("session/new", where)["sessionId"].(string)
	return s
}

type copilotSession struct {
	*process
	session string
	calls   float64
}

func (s *copilotSession) id() string { return s.session }

// call makes a request of JSON-RPC and waits for its answer.
func (s *copilotSession) call(method string, params map[string]any) map[string]any {
	s.w.t.Helper()
	s.calls++
	s.send(map[string]any{"jsonrpc": "2.0", "id": s.calls, "method": method, "params": params})
	answer := s.until("the answer to "+method, func(m map[string]any) bool {
		if m["method"] != nil && m["id"] != nil {
			s.w.t.Fatalf("the client asks for something: %v", m)
		}
		return m["id"] == s.calls
	})
	result, ok := answer["result"].(map[string]any)
	if !ok {
		s.w.t.Fatalf("%s: %v%s", method, answer["error"], s.tail())
	}
	return result
}

func (s *copilotSession) turn(prompt string, steps ...model.Step) []model.Request {
	s.w.t.Helper()
	s.w.model.Script(model.Main, steps...)
	mark := s.w.model.Count()
	s.call("session/prompt", map[string]any{
		"sessionId": s.session, "prompt": []any{map[string]any{"type": "text", "text": prompt}},
	})
	return s.w.model.Since(mark)
}

func (s *copilotSession) compact() []model.Request {
	s.w.t.Helper()
	return s.w.compacted(s.turn("/compact"))
}

func (s *copilotSession) close() { s.end() }

// copilotFork forks a conversation as the client's /fork does, which the Agent Client Protocol does not know: by its own
// protocol, JSON-RPC in frames with a Content-Length. It gives back the id of the fork.
func copilotFork(w *world, parent string) string {
	w.t.Helper()
	cmd := exec.Command(copilotProgram(), "--headless", "--stdio", "--no-auto-update")
	cmd.Dir, cmd.Env, cmd.Stderr = w.dir, w.env(copilotEnv(w)...), w.stream("fork.err")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	in, err := cmd.StdinPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		w.t.Fatalf("start copilot: %v", err)
	}
	stop := time.AfterFunc(patience, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	defer func() {
		stop.Stop()
		_ = in.Close()
		_ = cmd.Wait()
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}()
	question := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"sessions.fork","params":{"sessionId":%q}}`, parent)
	if _, err := fmt.Fprintf(in, "Content-Length: %d\r\n\r\n%s", len(question), question); err != nil {
		w.t.Fatalf("ask for a fork: %v", err)
	}
	for r := bufio.NewReader(out); ; {
		size := 0
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				w.t.Fatalf("the client ended before it forked: %v", err)
			}
			if strings.TrimSpace(line) == "" {
				break
			}
			_, _ = fmt.Sscanf(line, "Content-Length: %d", &size)
		}
		frame := make([]byte, size)
		if _, err := io.ReadFull(r, frame); err != nil {
			w.t.Fatalf("the client ended before it forked: %v", err)
		}
		var answer struct {
			ID     int
			Result struct{ SessionID string }
			Error  json.RawMessage
		}
		if err := json.Unmarshal(frame, &answer); err != nil {
			w.t.Fatal(err)
		}
		if answer.ID != 1 {
			continue
		}
		if answer.Result.SessionID == "" {
			w.t.Fatalf("no fork: %s", answer.Error)
		}
		return answer.Result.SessionID
	}
}

func (copilot) readAll(w *world, path string) model.Call {
	return model.Call{Name: "view", Args: map[string]any{"path": w.path(path)}}
}

func (copilot) readLines(w *world, path string, from, to int) model.Call {
	return model.Call{Name: "view", Args: map[string]any{"path": w.path(path), "view_range": []int{from, to}}}
}

func (copilot) edit(w *world, path, old, new string) model.Call {
	return model.Call{Name: "edit", Args: map[string]any{"path": w.path(path), "old_str": old, "new_str": new}}
}

func (copilot) create(w *world, path, content string) model.Call {
	return model.Call{Name: "create", Args: map[string]any{"path": w.path(path), "file_text": content}}
}

func (copilot) shell(_ *world, command string) model.Call {
	return model.Call{Name: "bash", Args: map[string]any{"command": command, "description": "a command", "mode": "sync"}}
}

func (copilot) delegate(_ *world, kind, prompt string) model.Call {
	if kind == "" {
		kind = "general-purpose"
	}
	return model.Call{Name: "task", Args: map[string]any{
		"name": "part", "description": "a part of the work", "prompt": prompt, "agent_type": kind, "mode": "sync",
	}}
}
