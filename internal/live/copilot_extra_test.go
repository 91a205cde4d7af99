//go:build live

package live

import (
	"slices"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/live/model"
)

// TestCopilotPatch plays a model of the GPT series by the responses API: it is given apply_patch, whose argument is the
// patch itself, in the place of edit and create.
func TestCopilotPatch(t *testing.T) {
	t.Parallel()
	d := copilot{}
	w := newWorld(t)
	w.vars = append(w.vars, "COPILOT_MODEL=gpt-5.6-sol", "COPILOT_PROVIDER_WIRE_API=responses")
	d.configure(w)
	w.run(w.mbgate, "install", d.name())
	s := d.open(w, opening{})
	defer s.close()
	patch := func(lines ...string) model.Step {
		return model.Do(model.Call{Name: "apply_patch", Text: "*** Begin Patch\n" + strings.Join(lines, "\n") + "\n*** End Patch\n"})
	}
	update := func(old, new string) model.Step {
		return patch("*** Update File: "+w.path("src/app.go"), "@@", "-"+old, "+"+new)
	}
	seen := s.turn("work on REQ-1", model.Do(d.readAll(w, requirement)), update("var A = 1", "var A = 10"))
	results(t, seen, 2)
	changed(t, w, "A = 10", "a patch before any compaction")
	if !slices.Contains(seen[0].Tools, "apply_patch") {
		t.Errorf("the model is not given apply_patch, but %v", seen[0].Tools)
	}
	s.compact()
	got := results(t, s.turn(
		"go on",
		update("var B = 2", "var B = 20"),
		patch("*** Add File: "+w.path("src/new.go"), "+package app"),
		patch("*** Delete File: "+w.path("src/app.go")),
		patch("*** Update File: src/app.go", "*** Move to: src/other.go", "@@", "-var B = 2", "+var B = 20"),
		patch("*** Add File: made.txt", "+x"),
		model.Step{From: printed(d)},
		update("var B = 2", "var B = 20"),
		patch("*** Add File: "+w.path("memory-bank/details/new.md"), "+x"),
	), 8)
	for i, what := range []string{"an update", "a new file", "a deletion", "a move", "a new file by a relative path"} {
		refused(t, what+" by a patch after the compaction", got[i])
	}
	passed(t, "the printed call", got[5], "REQ-1 line 60:")
	passed(t, "a patch after it", got[6])
	changed(t, w, "B = 20", "a patch after the printed call")
	refused(t, "a patch of the memory bank", got[7])
}

// TestCopilotPrompt runs the client with -p, a process per prompt: what one process compacted, the next has to read.
func TestCopilotPrompt(t *testing.T) {
	t.Parallel()
	d := copilot{}
	w := newWorld(t)
	d.configure(w)
	w.run(w.mbgate, "install", d.name())
	w.vars = append(copilotEnv(w), "COPILOT_PROVIDER_MAX_PROMPT_TOKENS=100000")
	prompt := func(text string, args []string, steps ...model.Step) []model.Request {
		mark := w.model.Count()
		w.model.Script(model.Main, steps...)
		w.run(copilotProgram(), append([]string{"-p", text, "--allow-all-tools", "--no-auto-update"}, args...)...)
		return w.model.Since(mark)
	}
	prompt(
		"work on REQ-1", nil,
		model.Do(d.readAll(w, requirement)),
		model.Step{Calls: []model.Call{d.readAll(w, "src/app.go")}, Tokens: 90_000},
		model.Do(d.shell(w, "echo a")),
	)
	edit := model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20"))
	got := results(t, prompt("go on", []string{"--continue"}, edit, model.Step{From: printed(d)}, edit), 3)
	refused(t, "an edit after the compaction", got[0])
	passed(t, "the printed call", got[1], "REQ-1 line 60:")
	passed(t, "the edit after it", got[2])
	changed(t, w, "B = 20", "the edit after it")
}
