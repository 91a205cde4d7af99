//go:build live

package live

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mbgate/mbgate/internal/live/model"
)

// TestQwenStub damages the state file of a conversation that was not compacted, so that the requirement is asked for
// although the client remembers that it was read: the client answers the first printed call with a stub, and mbgate prints
// another that it answers with the text.
func TestQwenStub(t *testing.T) {
	t.Parallel()
	d := qwen{}
	w := setUp(t, d)
	s := d.open(w, opening{})
	defer s.close()
	results(t, s.turn("work on REQ-1", model.Do(d.readAll(w, requirement)), model.Do(d.readAll(w, "src/app.go"))), 2)
	states, err := filepath.Glob(filepath.Join(w.home, ".local/state/mbgate/*.json"))
	if err != nil || len(states) == 0 {
		t.Fatalf("there is no state: %v", err)
	}
	for _, state := range states {
		if err := os.WriteFile(state, []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	edit := model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20"))
	got := results(t, s.turn("go on", edit, model.Step{From: printed(d)}, edit, model.Step{From: printed(d)}, edit), 5)
	refused(t, "an edit with a damaged state", got[0])
	contains(t, "the client's answer to a file that it showed before", got[1], "unchanged since last read in this session")
	refused(t, "an edit after a stub", got[2])
	passed(t, "the other printed call", got[3], "REQ-1 line 1:", "REQ-1 line 60:")
	passed(t, "the edit after the text", got[4])
	changed(t, w, "B = 20", "the edit after the text")
}

// TestQwenFailing has a command end in another status than 0, which the client reports by an event of its own: what mbgate
// says with it reaches the model, too.
func TestQwenFailing(t *testing.T) {
	t.Parallel()
	d := qwen{}
	w := setUp(t, d)
	s := d.open(w, opening{})
	defer s.close()
	got := results(t, s.turn("work", model.Do(d.shell(w, "echo x > made.txt; exit 3"))), 1)
	contains(t, "a command that wrote and failed", got[0], "Exit Code: 3", "mbgate reminder")
}

// TestQwenMonitor has the model run commands by monitor, which the client offers after a search, as itself and by way of
// tool_call.
func TestQwenMonitor(t *testing.T) {
	t.Parallel()
	d := qwen{}
	w, s := pending(t, d)
	defer s.close()
	monitor := map[string]any{"command": "echo x > made.txt", "description": "a command"}
	got := results(t, s.turn(
		"go on",
		model.Do(model.Call{Name: "tool_search", Args: map[string]any{"query": "monitor"}}),
		model.Do(model.Call{Name: "tool_call", Args: map[string]any{"name": "monitor", "arguments": monitor}}),
		model.Do(model.Call{Name: "monitor", Args: monitor}),
	), 3)
	contains(t, "the tools that are found", got[0], `"name":"monitor"`)
	refused(t, "a monitor that writes, by tool_call", got[1])
	refused(t, "a monitor that writes", got[2])
	lacks(t, "what a refused monitor wrote", w.read("made.txt"), "x\n")
}
