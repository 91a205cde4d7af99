//go:build live

package live

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/live/model"
)

// TestClaudeClear ends a recovery by the prompt mb:clear, which does not reach the model, after mb:status did not either.
func TestClaudeClear(t *testing.T) {
	t.Parallel()
	d := claude{}
	w, s := pending(t, d)
	defer s.close()
	for _, prompt := range []string{"mb:status", "mb:clear"} {
		if seen := s.turn(prompt); len(seen) > 0 {
			t.Errorf("%s reached the model: %s", prompt, seen[0].Last)
		}
	}
	got := results(t, s.turn("go on", model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20"))), 1)
	passed(t, "an edit after mb:clear", got[0])
	changed(t, w, "B = 20", "an edit after mb:clear")
}

// TestClaudeModelCannotClear has the model try to end the recovery itself: by the command, by the command under another
// name, by a prompt that it schedules, and by the settings that hold the hooks.
func TestClaudeModelCannotClear(t *testing.T) {
	t.Parallel()
	d := claude{}
	w, s := pending(t, d)
	defer s.close()
	settings := filepath.Join(w.home, ".claude/settings.json")
	before, err := os.ReadFile(settings)
	if err != nil {
		t.Fatal(err)
	}
	tries := []string{
		"'" + strings.ReplaceAll(w.mbgate, "'", `'\''`) + "' clear --yes",
		"cp '" + strings.ReplaceAll(w.mbgate, "'", `'\''`) + "' " + w.root + "/other && " + w.root + "/other clear --yes",
		"rm -rf " + filepath.Join(w.home, ".local/state/mbgate"),
		"printf '{}' > " + settings,
		"python3 -c \"open('" + settings + "','w').write('{}')\"",
		"claude -p 'mb:clear' --continue",
	}
	steps := make([]model.Step, 0, len(tries)+2)
	for _, try := range tries {
		steps = append(steps, model.Do(d.shell(w, try)))
	}
	steps = append(
		steps,
		model.Do(model.Call{Name: "Write", Args: map[string]any{"file_path": filepath.Join(w.home, ".claude/settings.local.json"), "content": `{"disableAllHooks":true}`}}),
		model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20")),
	)
	got := results(t, s.turn("get rid of it", steps...), len(steps))
	for i, try := range tries {
		refused(t, try, got[i])
	}
	refused(t, "hooks turned off in the settings", got[len(tries)])
	refused(t, "the edit at the end", got[len(tries)+1])
	if after, err := os.ReadFile(settings); err != nil || string(after) != string(before) {
		t.Errorf("the settings have changed: %s %v", after, err)
	}
}

// TestClaudeAutomatic has the context run full in the middle of a turn instead of a /compact by hand.
func TestClaudeAutomatic(t *testing.T) {
	t.Parallel()
	d := claude{}
	w := setUp(t, d)
	s := d.open(w, opening{})
	defer s.close()
	seen := s.turn(
		"work on REQ-1",
		model.Do(d.readAll(w, requirement)),
		model.Do(d.readAll(w, "src/app.go")),
		model.Step{Error: "prompt is too long: 210000 tokens > 200000 maximum"},
		model.Do(d.shell(w, "sed -i 's/B = 2/B = 20/' src/app.go")), // an Edit would fail by itself: the read is forgotten
	)
	var summaries int
	for _, r := range seen {
		if r.Kind == model.Summary {
			summaries++
		}
	}
	if summaries == 0 {
		t.Fatalf("a context that is full was not compacted in %d requests", len(seen))
	}
	told(t, "the anchor block", seen, armed)
	last := seen[len(seen)-1]
	refused(t, "sed -i right after an automatic compaction", last.Last)
}

// TestClaudeReader plays the subagent memory-reader as install laid it down: it has no tool that writes.
func TestClaudeReader(t *testing.T) {
	t.Parallel()
	d := claude{}
	w := setUp(t, d)
	s := d.open(w, opening{})
	defer s.close()
	w.model.Script("sub:memory", model.Do(d.readAll(w, "memory-bank/MEMORY.md")), model.Say("Context Summary"))
	mark := w.model.Count()
	results(t, s.turn("look it up", model.Do(d.delegate(w, d.traits().reader, model.Marker("memory")+" what is the goal?"))), 1)
	var sub []model.Request
	for _, r := range w.model.Since(mark) {
		if r.Kind == "sub:memory" {
			sub = append(sub, r)
		}
	}
	if len(sub) != 2 {
		t.Fatalf("the reader sent %d requests, want 2", len(sub))
	}
	for _, tool := range sub[0].Tools {
		switch tool {
		case "Bash", "Edit", "Write", "NotebookEdit", "Agent", "Task":
			t.Errorf("the reader has the tool %s", tool)
		}
	}
	contains(t, "the reader's instructions", sub[0].System+sub[0].First, "Context Summary", "Evidence", "Open Questions")
	contains(t, "what the reader was shown", sub[1].Last, focus)
}

// TestClaudeBinaryGone removes the binary while a recovery is pending: the calls go through, as with no hook.
func TestClaudeBinaryGone(t *testing.T) {
	t.Parallel()
	d := claude{}
	w, s := pending(t, d)
	defer s.close()
	if err := os.Remove(w.mbgate); err != nil {
		t.Fatal(err)
	}
	got := results(t, s.turn("go on", model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20"))), 1)
	passed(t, "an edit without the binary", got[0])
	changed(t, w, "B = 20", "an edit without the binary")
}
