//go:build live

package live

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/mbgate/mbgate/internal/live/model"
)

// TestCopilotClear ends a recovery by the prompt mb:clear, which the client lets the model see, too.
func TestCopilotClear(t *testing.T) {
	t.Parallel()
	d := copilot{}
	w, s := pending(t, d)
	defer s.close()
	if seen := s.turn("mb:clear"); len(seen) == 0 {
		t.Error("mb:clear did not reach the model: the client can keep a prompt from it now")
	}
	got := results(t, s.turn("go on", model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20"))), 1)
	passed(t, "an edit after mb:clear", got[0])
	changed(t, w, "B = 20", "an edit after mb:clear")
}

// TestCopilotAutomatic has the context run full in the middle of a turn: the compaction runs beside the model's next
// requests, and the gate is closed from its beginning.
func TestCopilotAutomatic(t *testing.T) {
	t.Parallel()
	d := copilot{}
	w := newWorld(t)
	w.vars = append(w.vars, "COPILOT_PROVIDER_MAX_PROMPT_TOKENS=100000")
	d.configure(w)
	w.run(w.mbgate, "install", d.name())
	s := d.open(w, opening{})
	defer s.close()
	seen := s.turn(
		"work on REQ-1",
		model.Do(d.readAll(w, requirement)),
		model.Step{Calls: []model.Call{d.readAll(w, "src/app.go")}, Tokens: 90_000},
		model.Do(d.shell(w, "echo x > made.txt")),
		model.Step{From: printed(d)},
		model.Do(d.shell(w, "echo x > made.txt")),
	)
	summaries := 0
	for _, r := range seen {
		if r.Kind == model.Summary {
			summaries++
		}
	}
	if summaries == 0 {
		t.Fatalf("a context that is full was not compacted in %d requests", len(seen))
	}
	got := results(t, seen, 5)
	refused(t, "a write after the compaction began", got[2])
	passed(t, "the printed call", got[3], "REQ-1 line 60:")
	passed(t, "the write after it", got[4])
}

// TestCopilotHome moves the client's folder by COPILOT_HOME.
func TestCopilotHome(t *testing.T) {
	t.Parallel()
	d := copilot{}
	w := newWorld(t)
	moved := filepath.Join(w.root, "moved")
	w.vars = append(w.vars, "COPILOT_HOME="+moved)
	d.configure(w)
	if err := os.Rename(filepath.Join(w.home, ".copilot"), moved); err != nil {
		t.Fatal(err)
	}
	w.run(w.mbgate, "install", d.name())
	if _, err := os.Stat(filepath.Join(w.home, ".copilot")); err == nil {
		t.Error("something was laid down where the client does not look")
	}
	writerAndReader(t, w, d)
}

// TestCopilotReader plays the subagents as install laid them down.
func TestCopilotReader(t *testing.T) {
	t.Parallel()
	writerAndReader(t, setUp(t, copilot{}), copilot{})
}

// TestCopilotBinaryGone removes the binary while a recovery is pending. The client takes a hook that cannot start for a
// refusal, so the installed line says by itself that all is well.
func TestCopilotBinaryGone(t *testing.T) {
	t.Parallel()
	binaryGone(t, copilot{})
}

// TestCopilotLong has a requirement that one read does not show: the printed calls go through it in parts.
func TestCopilotLong(t *testing.T) {
	t.Parallel()
	long(t, copilot{})
}

// TestCopilotReminder has the agent stop after it wrote code: it is reminded once, and that is no prompt of a person's.
func TestCopilotReminder(t *testing.T) {
	t.Parallel()
	reminder(t, copilot{})
}

// TestCopilotServers judges the tools of an MCP server.
func TestCopilotServers(t *testing.T) {
	t.Parallel()
	d := copilot{}
	w := newWorld(t)
	d.configure(w)
	server := filepath.Join(w.home, "notes.js")
	w.writeFile(server, codexNotes)
	config, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"notes": map[string]any{
		"type": "local", "command": filepath.Join(nodeDir(), "bin/node"), "args": []string{server}, "tools": []string{"*"},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	w.homeFile(".copilot/mcp-config.json", string(config))
	w.run(w.mbgate, "install", d.name())
	s := d.open(w, opening{})
	defer s.close()
	servers(t, w, d, s, "notes-")
}
