//go:build live

package live

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/live/model"
)

// TestCodexTrust installs the hooks and does not trust them: Codex runs none of them and doctor says so. Once they are
// trusted, Codex has no complaint of any entry, and doctor neither.
func TestCodexTrust(t *testing.T) {
	t.Parallel()
	d := codex{}
	w := newWorld(t)
	d.configure(w)
	w.run(w.mbgate, "install", d.name())

	s := d.open(w, opening{})
	results(t, s.turn("work", model.Do(d.readAll(w, requirement))), 1)
	s.compact()
	got := results(t, s.turn("go on", model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20"))), 1)
	passed(t, "an edit without trust", got[0])
	s.close()
	out, err := w.try(w.mbgate, "doctor", d.name())
	if err != nil {
		t.Errorf("one step that is left is an error: %v\n%s", err, out)
	}
	contains(t, "doctor's report", unwrapped(out), "once you trust them", "SessionEnd", "PreToolUse", "PostCompact")

	d.trust(w)
	if out, err = w.try(w.mbgate, "doctor", d.name()); err != nil {
		t.Errorf("doctor finds something wrong with hooks that are trusted: %v\n%s", err, out)
	}
	r := w.codexServer("codex-hooks")
	defer r.end()
	hooks := r.hooks() // which reports warnings
	if len(hooks) == 0 {
		t.Fatal("Codex finds no hooks")
	}
	for _, hook := range hooks {
		want := 10
		if hook.EventName == "sessionEnd" {
			want = 3 // what Codex allows it; more is a warning at every start
		}
		if hook.TimeoutSec != want || !hook.Enabled || !strings.Contains(hook.Command, " hook codex") {
			t.Errorf("%s: Codex has a timeout of %d s, enabled %v, command %s", hook.Key, hook.TimeoutSec, hook.Enabled, hook.Command)
		}
	}

	// A person turns one off in /hooks.
	for _, hook := range hooks {
		if hook.EventName == "preToolUse" {
			r.call("config/batchWrite", map[string]any{"edits": []any{map[string]any{
				"keyPath": "hooks.state", "mergeStrategy": "upsert",
				"value": map[string]any{hook.Key: map[string]any{"trusted_hash": hook.CurrentHash, "enabled": false}},
			}}})
		}
	}
	out, err = w.try(w.mbgate, "doctor", d.name())
	if err == nil {
		t.Errorf("doctor finds nothing wrong with a hook that is turned off:\n%s", out)
	}
	contains(t, "doctor's report", unwrapped(out), "these hooks are turned off", "PreToolUse")
}

// unwrapped is a text for people in one line.
func unwrapped(text string) string { return strings.Join(strings.Fields(text), " ") }

// TestCodexSandbox is the loop with commands in Codex's sandbox, which is how most people have it: hooks run outside of it.
func TestCodexSandbox(t *testing.T) {
	t.Parallel()
	loop(t, setUp(t, codexBoxed{}), codexBoxed{})

	d := codexBoxed{}
	w := setUp(t, d)
	s := d.open(w, opening{})
	defer s.close()
	results(t, s.turn("out", model.Do(d.shell(w, "echo x > "+filepath.Join(w.home, "outside.txt")))), 1)
	if _, err := os.Stat(filepath.Join(w.home, "outside.txt")); err == nil {
		t.Error("there is no sandbox: a command wrote outside of the project")
	}
}

type codexBoxed struct{ codex }

func (d codexBoxed) configure(w *world) {
	w.t.Helper()
	d.codex.configure(w)
	file := filepath.Join(w.home, ".codex/config.toml")
	config, err := os.ReadFile(file)
	if err != nil {
		w.t.Fatal(err)
	}
	w.writeFile(file, strings.Replace(string(config), "danger-full-access", "workspace-write", 1)+
		"\n[sandbox_workspace_write]\nexclude_slash_tmp = true\nexclude_tmpdir_env_var = true\n")
}

// TestCodexPatches refuses every kind of patch after a compaction, also one that comes through the shell, and lets it
// through once the documents are read. A patch that does not fit is Codex's own matter and closes nothing.
func TestCodexPatches(t *testing.T) {
	t.Parallel()
	d := codex{}
	w, s := pending(t, d)
	defer s.close()
	patches := []string{
		"*** Add File: made.txt\n+x",
		"*** Delete File: src/app.go",
		"*** Update File: src/app.go\n*** Move to: src/moved.go\n@@\n-var B = 2\n+var B = 20",
		"*** Update File: " + w.path("src/app.go") + "\n@@\n-var B = 2\n+var B = 20",
	}
	var steps []model.Step
	for _, p := range patches {
		steps = append(steps, model.Do(d.patch("*** Begin Patch\n"+p+"\n*** End Patch")))
	}
	here := "apply_patch <<'EOF'\n*** Begin Patch\n" + patches[3] + "\n*** End Patch\nEOF\n"
	steps = append(steps, model.Do(d.shell(w, here)))
	got := results(t, s.turn("patch it", steps...), len(steps))
	for i, result := range got {
		refused(t, fmt.Sprintf("patch %d", i), result)
	}
	lacks(t, "src/app.go", w.read("src/app.go"), "B = 20")

	got = results(t, s.turn(
		"read and patch",
		model.Do(d.readAll(w, requirement)),
		model.Do(d.patch("*** Begin Patch\n*** Update File: src/app.go\n@@\n-var Z = 2\n+var Z = 20\n*** End Patch")),
		model.Do(d.shell(w, here)),
		model.Do(d.patch("*** Begin Patch\n*** Update File: src/app.go\n*** Move to: src/moved.go\n@@\n-var C = 3\n+var C = 30\n*** End Patch")),
	), 4)
	for i, result := range got {
		passed(t, fmt.Sprintf("step %d after the read", i), result)
	}
	contains(t, "the patch that does not fit", got[1], "Failed to find expected lines")
	contains(t, "src/moved.go", w.read("src/moved.go"), "B = 20", "C = 30")
}

// TestCodexPrograms refuses to start a program that goes on with what is typed. What is typed into one that ran already
// fires no hook: should that change, docs/agents.md has to.
func TestCodexPrograms(t *testing.T) {
	t.Parallel()
	d := codex{}
	w := setUp(t, d)
	s := d.open(w, opening{})
	defer s.close()
	run := func(command string) model.Step {
		return model.Do(model.Call{Name: "exec_command", Args: map[string]any{"cmd": command, "tty": true, "yield_time_ms": 500}})
	}
	got := results(t, s.turn("work", model.Do(d.readAll(w, requirement)), run("sh")), 2)
	id := regexp.MustCompile(`session ID (\d+)`).FindStringSubmatch(got[1])
	if id == nil {
		t.Fatalf("no program runs: %s", got[1])
	}
	s.compact()
	var n int
	_, _ = fmt.Sscan(id[1], &n)
	got = results(t, s.turn(
		"go on",
		run("sh"),
		run("python3 -i"),
		model.Do(model.Call{Name: "write_stdin", Args: map[string]any{"session_id": n, "chars": "echo x > typed.txt\n", "yield_time_ms": 500}}),
	), 3)
	refused(t, "a shell after the compaction", got[0])
	refused(t, "an interpreter after the compaction", got[1])
	if w.read("typed.txt") != "x\n" {
		t.Errorf("what is typed into a running program did not happen any more; docs/agents.md says that no hook sees it:\n%s", got[2])
	}
}

// TestCodexSubagentCompacts has the context of a subagent run full: it has to read again, its parent has not.
func TestCodexSubagentCompacts(t *testing.T) {
	t.Parallel()
	d := codex{}
	w := setUp(t, d)
	s := d.open(w, opening{})
	defer s.close()
	full := model.Do(d.shell(w, "true"))
	full.Tokens = codexWindow + 1
	sub := "sub:child"
	w.model.Script(
		sub,
		model.Do(d.readAll(w, requirement)),
		full,
		model.Do(d.edit(w, "src/app.go", "A = 1", "A = 10")),
		model.Step{From: printed(d)},
		model.Do(d.edit(w, "src/app.go", "A = 1", "A = 10")),
		model.Say("the child is done"),
	)
	mark := w.model.Count()
	seen := s.turn(
		"delegate",
		model.Do(d.readAll(w, requirement)),
		model.Do(d.delegate(w, "", model.Marker("child")+" change A")),
		model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20")),
	)
	var child []string
	for _, r := range w.model.Since(mark) {
		if r.Kind == sub {
			child = append(child, r.Last)
		}
	}
	if len(child) != 6 {
		t.Fatalf("the subagent sent %d requests, want 6:\n%s", len(child), strings.Join(child, "\n---\n"))
	}
	refused(t, "the subagent's edit after its compaction", child[3])
	passed(t, "the subagent's printed call", child[4], "REQ-1 line 60:")
	passed(t, "the subagent's edit after its read", child[5])
	got := results(t, seen, 3)
	contains(t, "the subagent's answer", got[1], "the child is done")
	passed(t, "the parent's edit", got[2])
	changed(t, w, "A = 10", "the subagent's edit")
	changed(t, w, "B = 20", "the parent's edit")
}

// TestCodexLargeBank has more to say at the start, and after a compaction, than Codex gives the model of a hook: mbgate cuts
// it itself, so that the rules and the anchor block are whole.
func TestCodexLargeBank(t *testing.T) {
	for name, line := range map[string]string{"ascii": "one more thing to know about this project", "han": "关于这个项目还有一件事情需要知道"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := codex{}
			w := newWorld(t)
			w.write("memory-bank/MEMORY.md", memory+strings.Repeat("- "+line+"\n", 1500))
			d.configure(w)
			w.run(w.mbgate, "install", d.name())
			d.trust(w)
			s := d.open(w, opening{})
			defer s.close()
			seen := s.turn("work", model.Do(d.readAll(w, requirement)))
			whole := func(what string) {
				t.Helper()
				told(t, what, seen, focus)
				told(t, what, seen, "These rules stand above any skill text.")
				for _, r := range seen {
					if strings.Contains(r.Whole, "Full hook output saved to") {
						t.Errorf("%s: Codex cut it", what)
					}
				}
			}
			whole("the context of a large memory bank")
			s.compact()
			seen = s.turn("go on", model.Do(d.shell(w, "true")))
			whole("the context of a large memory bank after a compaction")
			told(t, "the anchor block", seen, "</memory-bank-anchors>")
		})
	}
}
