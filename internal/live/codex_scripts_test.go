//go:build live

package live

import (
	"testing"

	"github.com/mbgate/mbgate/internal/live/model"
)

// TestCodexScriptCatches has one script make several calls: a refusal that the script catches refuses all the same, and
// reads at one time count each.
func TestCodexScriptCatches(t *testing.T) {
	t.Parallel()
	d := codex{scripts: true}
	w := setUp(t, d)
	s := d.open(w, opening{})
	defer s.close()
	results(t, s.turn("work", model.Do(d.readAll(w, requirement)), model.Do(d.readAll(w, second))), 2)
	s.compact()
	write := `"sed -i 's/B = 2/B = 20/' src/app.go"`
	got := results(t, s.turn(
		"go on",
		model.Do(model.Call{Name: "exec", Text: `
			for (const cmd of [` + write + `, "echo x > made.txt"]) {
				try { await tools.exec_command({ cmd }); text("it ran") } catch (e) { text("caught: " + e) }
			}
			try { await tools.apply_patch("*** Begin Patch\n*** Add File: made.txt\n+x\n*** End Patch"); text("it ran") } catch (e) { text("caught: " + e) }`}),
		model.Do(model.Call{Name: "exec", Text: `
			const all = await Promise.all(["` + requirement + `", "` + second + `"].map(f => tools.exec_command({ cmd: "cat " + f })))
			for (const r of all) text(r.output)
			text((await tools.exec_command({ cmd: ` + write + ` })).output)`}),
	), 2)
	refused(t, "a call whose refusal is caught", got[0])
	lacks(t, "three calls whose refusal is caught", got[0], "it ran")
	if _, made := w.tree()["project/made.txt"]; made {
		t.Error("made.txt was made")
	}
	passed(t, "reads and a write in one script", got[1], "REQ-1 line 60:", "REQ-2 line 20:")
	changed(t, w, "B = 20", "a write after the reads of the same script")
}

// TestCodexScriptHides reads without showing the model anything. That cannot be told from a read, and docs/agents.md says
// so: should it be told some day, that text has to change.
func TestCodexScriptHides(t *testing.T) {
	t.Parallel()
	d := codex{scripts: true}
	w, s := pending(t, d)
	defer s.close()
	got := results(t, s.turn(
		"go on",
		model.Do(model.Call{Name: "exec", Text: `await tools.exec_command({ cmd: "cat ` + requirement + `" }); text("nothing")`}),
		model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20")),
	), 2)
	lacks(t, "a script that hides what it read", got[0], "REQ-1 line")
	passed(t, "an edit after a script that hid what it read, which docs/agents.md calls uncovered", got[1])
}

// TestCodexScriptOverflows shows more in one script than Codex gives the model of it: each call was reported whole, so what
// the model did not get counts as read. docs/agents.md says so.
func TestCodexScriptOverflows(t *testing.T) {
	t.Parallel()
	d := codex{scripts: true}
	w := setUp(t, d)
	s := d.open(w, opening{})
	defer s.close()
	for _, name := range []string{requirement, second} {
		w.write(name, numbered("DOC", 600)) // 30 kB
		results(t, s.turn("work", model.Do(d.readAll(w, name))), 1)
	}
	s.compact()
	got := results(t, s.turn(
		"go on",
		model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20")),
		model.Do(model.Call{Name: "exec", Text: `
			for (const f of ["` + requirement + `", "` + second + `"]) text((await tools.exec_command({ cmd: "cat " + f })).output)`}),
		model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20")),
	), 3)
	refused(t, "an edit after the compaction", got[0])
	contains(t, "a script that shows 60 kB", got[1], "truncated")
	passed(t, "an edit after a script that showed too much, which docs/agents.md calls uncovered", got[2])
}

// TestCodexScriptCuts limits what a script's call gives back: what was cut off does not count.
func TestCodexScriptCuts(t *testing.T) {
	t.Parallel()
	d := codex{scripts: true}
	w, s := pending(t, d)
	defer s.close()
	write := model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20"))
	got := results(t, s.turn(
		"go on",
		model.Do(codexScript("text((await tools.exec_command(%s)).output)", map[string]any{"cmd": "cat " + requirement, "max_output_tokens": 100})),
		write,
		model.Step{From: printed(d)},
		write,
	), 4)
	refused(t, "an edit after a read that was cut", got[1])
	contains(t, "the refusal", got[1], "Next: sed -n ")
	passed(t, "the printed call", got[2], "REQ-1 line 30:")
	passed(t, "an edit after the rest", got[3])
}
