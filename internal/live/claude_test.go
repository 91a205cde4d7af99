//go:build live

package live

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/mbgate/mbgate/internal/live/model"
)

// claude is Claude Code, driven by its stream-json input.
type claude struct{ byName }

func (claude) name() string { return "claude-code" }

func (claude) traits() traits {
	return traits{
		reader: "memory-reader", writer: "memory-bank-writer",
		folder: ".claude", variable: "CLAUDE_CONFIG_DIR",
		config:      []string{"settings.json", "agents/memory-reader.md"},
		beside:      []string{"../.claude/settings.local.json", ".claude/settings.json"},
		keepsBack:   "a file that was not read is not written over",
		long:        5500, // 256 KiB; the count of tokens that limits it further is the scripted model's
		nested:      []string{"claude -p 'mb:clear' --continue"},
		readerLacks: []string{"Bash", "Edit", "Write", "NotebookEdit", "Agent", "Task"},
	}
}

func (claude) configure(w *world) {
	w.homeFile(".claude/settings.json", "{\n  \"theme\": \"dark\"\n}\n")
	// What has more than 5,000 tokens is only named after a compaction. Shorter documents would be put back, and not be asked for
	// again (TestClaudePutsBack).
	w.model.Counted = 6_000
	for name, n := range map[string]int{"REQ-1": 60, "REQ-2": 20} {
		wide := strings.Repeat(", and no more than that", 1200/n)
		w.write("memory-bank/details/requirements/"+name+".md", strings.ReplaceAll(numbered(name, n), ".\n", wide+".\n"))
	}
	w.run("git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qam", "x")
	summary := regexp.MustCompile(`create a detailed summary|detailed summary of (the|this|our) conversation`)
	w.model.Kind = func(r model.Request) string {
		if summary.MatchString(r.Last) {
			return model.Summary
		}
		return ""
	}
}

func (claude) trust(*world) {}

func (d claude) fill(w *world) []model.Step {
	return []model.Step{model.Do(d.readAll(w, "src/app.go")), {Error: "prompt is too long: 210000 tokens > 200000 maximum"}}
}

func (claude) addServer(w *world, name, node, script string) {
	w.homeFile(".claude.json", fmt.Sprintf(`{"mcpServers": {%q: {"command": %q, "args": [%q]}}}`, name, node, script))
}

func (claude) ofServer(server, tool string, args map[string]any) model.Call {
	return model.Call{Name: "mcp__" + server + "__" + tool, Args: args}
}

func (claude) open(w *world, how opening) session {
	args := []string{
		"-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
		"--dangerously-skip-permissions", "--model", "claude-sonnet-4-5",
	}
	switch {
	case how.resume != "":
		args = append(args, "--resume", how.resume)
	case how.fork != "":
		args = append(args, "--resume", how.fork, "--fork-session")
	}
	program := clientFile("@anthropic-ai/claude-code-linux-x64/claude")
	p := w.start(
		"claude", program, args,
		"ANTHROPIC_BASE_URL="+w.model.URL(), "ANTHROPIC_API_KEY=made-up", "IS_SANDBOX=1",
		"DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
	)
	return &claudeSession{process: p}
}

type claudeSession struct {
	*process
	session string
}

func (s *claudeSession) id() string { return s.session }

func (s *claudeSession) turn(prompt string, steps ...model.Step) []model.Request {
	s.w.t.Helper()
	s.w.model.Script(model.Main, steps...)
	mark := s.w.model.Count()
	s.send(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": prompt}})
	s.until("the end of the turn: "+prompt, func(m map[string]any) bool {
		if id, ok := m["session_id"].(string); ok {
			s.session = id
		}
		return m["type"] == "result"
	})
	return s.w.model.Since(mark)
}

func (s *claudeSession) compact() []model.Request {
	s.w.t.Helper()
	return s.w.compacted(s.turn("/compact"))
}

func (s *claudeSession) close() { s.end() }

func (claude) readAll(w *world, path string) model.Call {
	return model.Call{Name: "Read", Args: map[string]any{"file_path": w.path(path)}}
}

func (claude) readLines(w *world, path string, from, to int) model.Call {
	return model.Call{Name: "Read", Args: map[string]any{"file_path": w.path(path), "offset": from, "limit": to - from + 1}}
}

func (claude) edit(w *world, path, old, new string) model.Call {
	return model.Call{Name: "Edit", Args: map[string]any{"file_path": w.path(path), "old_string": old, "new_string": new}}
}

func (claude) create(w *world, path, content string) model.Call {
	return model.Call{Name: "Write", Args: map[string]any{"file_path": w.path(path), "content": content}}
}

func (claude) shell(_ *world, command string) model.Call {
	return model.Call{Name: "Bash", Args: map[string]any{"command": command, "description": "a command"}}
}

func (claude) delegate(_ *world, kind, prompt string) model.Call {
	if kind == "" {
		kind = "general-purpose"
	}
	return model.Call{Name: "Agent", Args: map[string]any{
		"description": "a part of the work", "prompt": prompt, "subagent_type": kind, "run_in_background": false,
	}}
}
