//go:build live

package live

import (
	"testing"

	"github.com/mbgate/mbgate/internal/live/model"
)

// TestCodexTerminal does by keys what a person does who just installed the hooks: start codex in a terminal, trust the
// hooks, work, send /compact, and mb:clear. Codex keeps the conversation in a server in the background there.
func TestCodexTerminal(t *testing.T) {
	t.Parallel()
	d := codex{}
	w := newWorld(t)
	d.configure(w)
	w.run(w.mbgate, "install", d.name())
	c := w.terminal(codexProgram())

	c.see("Hooks need review")
	c.press("2") // trust all and continue
	c.press("\r")
	c.see("Use existing model")
	c.press("2")
	c.see("OpenAI Codex")
	if out, err := w.try(w.mbgate, "doctor", d.name()); err != nil {
		t.Errorf("doctor after the hooks were trusted by keys: %v\n%s", err, out)
	}

	work := func(prompt string, steps ...model.Step) []string {
		t.Helper()
		w.model.Script(model.Main, steps...)
		mark := w.model.Count()
		c.enter(prompt)
		c.wait("the model's last answer", func() bool {
			n := 0
			for _, r := range w.model.Since(mark) {
				if r.Kind == model.Main {
					n++
				}
			}
			return n > len(steps)
		})
		return results(t, w.model.Since(mark), len(steps))
	}
	got := work("work on REQ-1", model.Do(d.readAll(w, requirement)))
	contains(t, "a read", got[0], "REQ-1 line 60:")
	mark := w.model.Count()
	c.enter("/compact")
	c.wait("the summary", func() bool {
		seen := w.model.Since(mark)
		return len(seen) > 0 && seen[len(seen)-1].Kind == model.Summary
	})
	c.see("Context compacted")
	write := model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20"))
	refused(t, "an edit after /compact", work("go on", write)[0])
	c.see("mbgate refused this call")
	c.enter("mb:clear")
	c.see("the recovery of this session has ended")
	passed(t, "an edit after mb:clear", work("once more", write)[0])
	changed(t, w, "B = 20", "an edit after mb:clear")
}
