//go:build live

package live

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/live/model"
)

// TestQwenClear ends a recovery by the prompt mb:clear, which does not reach the model, after mb:status did not either.
func TestQwenClear(t *testing.T) {
	t.Parallel()
	d := qwen{}
	w, s := pending(t, d)
	defer s.close()
	for _, prompt := range []string{"mb:status", "mb:clear"} {
		if seen := s.turn(prompt); len(seen) > 0 {
			t.Errorf("%s reached the model: %s", prompt, seen[0].Last)
		}
	}
	got := results(t, s.turn("go on", model.Do(d.readAll(w, "src/app.go")), model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20"))), 2)
	passed(t, "an edit after mb:clear", got[1])
	changed(t, w, "B = 20", "an edit after mb:clear")
}

// TestQwenAutomatic has the context run full in the middle of a turn instead of a /compress by hand.
func TestQwenAutomatic(t *testing.T) {
	t.Parallel()
	d := qwen{}
	w := setUp(t, d)
	s := d.open(w, opening{})
	defer s.close()
	full := 190_000 // of 200,000, which the client takes for a model that it does not know
	w.model.Script(model.Summary, model.Step{Text: qwenSummary.Text, Tokens: full})
	seen := s.turn(
		"work on REQ-1",
		model.Do(d.readAll(w, requirement)),
		model.Step{Calls: []model.Call{d.readAll(w, "src/app.go")}, Tokens: full},
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
	if summaries != 1 {
		t.Fatalf("a context that is full was compacted %d times in %d requests", summaries, len(seen))
	}
	got := results(t, seen, 5)
	refused(t, "a write right after an automatic compaction", got[2])
	passed(t, "the printed call", got[3], "REQ-1 line 60:")
	passed(t, "the write after it", got[4])
	told(t, "the anchor block", seen, armed)
}

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

// TestQwenHome moves the client's folder by QWEN_HOME.
func TestQwenHome(t *testing.T) {
	t.Parallel()
	d := qwen{}
	w := newWorld(t)
	moved := filepath.Join(w.root, "moved")
	w.vars = append(w.vars, "QWEN_HOME="+moved)
	d.configure(w)
	if err := os.Rename(filepath.Join(w.home, ".qwen"), moved); err != nil {
		t.Fatal(err)
	}
	w.run(w.mbgate, "install", d.name())
	d.trust(w)
	if _, err := os.Stat(filepath.Join(w.home, ".qwen")); err == nil {
		t.Error("something was laid down where the client does not look")
	}
	writerAndReader(t, w, d)
}

// TestQwenReader plays the subagent memory-reader as install laid it down.
func TestQwenReader(t *testing.T) {
	t.Parallel()
	writerAndReader(t, setUp(t, qwen{}), qwen{})
}

// writerAndReader plays the two subagents that install laid down: the reader has no tool that writes, and calling it ends a
// recovery; the writer may write the memory bank, which nobody else may.
func writerAndReader(t *testing.T, w *world, d driver) {
	t.Helper()
	s := d.open(w, opening{})
	defer s.close()
	results(t, s.turn("work on REQ-1", model.Do(d.readAll(w, requirement))), 1)
	s.compact()
	note := "memory-bank/details/new.md"
	w.model.Script("sub:memory", model.Do(d.readAll(w, requirement)), model.Say("Context Summary"))
	w.model.Script("sub:writer", model.Do(d.create(w, note, "by the writer\n")), model.Say("it is written"))
	mark := w.model.Count()
	got := results(t, s.turn(
		"go on",
		model.Do(d.shell(w, "echo x > made.txt")),
		model.Do(d.delegate(w, d.traits().reader, model.Marker("memory")+" what is the goal?")),
		model.Do(d.shell(w, "echo x > made.txt")),
		model.Do(d.create(w, note, "by the main conversation\n")),
		model.Do(d.delegate(w, d.traits().writer, model.Marker("writer")+" write "+w.path(note))),
	), 5)
	refused(t, "a write after the compaction", got[0])
	contains(t, "the refusal", got[0], d.traits().reader)
	contains(t, "the reader's answer", got[1], "Context Summary")
	passed(t, "a write after the reader was called", got[2])
	refused(t, "a write of the memory bank by the main conversation", got[3])
	if w.read(note) != "by the writer\n" {
		t.Errorf("the writer's file holds %q; it was told %q", w.read(note), got[4])
	}
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
		case "run_shell_command", "edit", "write_file", "notebook_edit", "bash", "create", "apply_patch":
			t.Errorf("the reader has the tool %s", tool)
		}
	}
	contains(t, "the reader's instructions", sub[0].System+sub[0].First, "Context Summary", "Evidence", "Open Questions")
	contains(t, "what the reader was shown", sub[1].Last, "REQ-1 line 60:")
}

// TestQwenBinaryGone removes the binary while a recovery is pending: the calls go through, as with no hook.
func TestQwenBinaryGone(t *testing.T) {
	t.Parallel()
	binaryGone(t, qwen{})
}

func binaryGone(t *testing.T, d driver) {
	t.Helper()
	w, s := pending(t, d)
	defer s.close()
	if err := os.Remove(w.mbgate); err != nil {
		t.Fatal(err)
	}
	got := results(t, s.turn("go on", model.Do(d.readAll(w, "src/app.go")), model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20"))), 2)
	passed(t, "a read without the binary", got[0], "B = 2")
	passed(t, "an edit without the binary", got[1])
	changed(t, w, "B = 20", "an edit without the binary")
}

// TestQwenLong has a requirement that one read does not show: the printed calls go through it in parts.
func TestQwenLong(t *testing.T) {
	t.Parallel()
	long(t, qwen{})
}

func long(t *testing.T, d driver) {
	t.Helper()
	w := setUp(t, d)
	w.write(requirement, numbered("REQ-1", 2500))
	s := d.open(w, opening{})
	defer s.close()
	// A file that is longer yet, Copilot CLI shows nothing of.
	got := results(t, s.turn("work on REQ-1", model.Do(d.readAll(w, requirement)), model.Do(d.readLines(w, requirement, 1, 100))), 2)
	lacks(t, "one read of a long file", got[0], "REQ-1 line 2400:")
	contains(t, "a part of it", got[1], "REQ-1 line 100:")
	s.compact()
	reopened(t, w, d, s, "of a long file", "REQ-1 line 1:", "REQ-1 line 400:", "REQ-1 line 2100:", "REQ-1 line 2500:")
}

// TestQwenReminder has the agent stop after it wrote code: it is reminded once, and that is no prompt of a person's.
func TestQwenReminder(t *testing.T) {
	t.Parallel()
	reminder(t, qwen{})
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
	contains(t, "a command that wrote and failed", got[0], "Exit Code: 3", "mbgate reminder, once a turn")
}

func reminder(t *testing.T, d driver) {
	t.Helper()
	w := setUp(t, d)
	s := d.open(w, opening{})
	defer s.close()
	const once = "mbgate reminder, once a turn"
	got := results(t, s.turn(
		"work",
		model.Do(d.readAll(w, "src/app.go")),
		model.Do(d.edit(w, "src/app.go", "A = 1", "A = 10")),
		model.Say("It is done."),
		model.Do(d.edit(w, "src/app.go", "C = 3", "C = 30")),
	), 4)
	contains(t, "the first write of a turn", got[1], once)
	contains(t, "what an agent is told that wrote code and stops", got[2], proposes)
	lacks(t, "the next write of that turn", got[3], once)
	changed(t, w, "C = 30", "an edit after the reminder")
	for _, r := range s.turn("what is left?") {
		lacks(t, "what is said at the next stop", r.Last, proposes)
	}
}

// TestQwenModelCannotClear has the model try to end the recovery itself.
func TestQwenModelCannotClear(t *testing.T) {
	t.Parallel()
	cannotClear(t, qwen{}, ".qwen/settings.json", ".qwen/agents/memory-reader.md", "qwen -p mb:clear --continue")
}

// cannotClear has the model try to end a recovery: by the command, by the command under another name, by another process of
// the client, by the state, and by the files of the client's configuration, one that holds the hooks and one that defines a
// subagent, both below the home folder.
func cannotClear(t *testing.T, d driver, hooks, agent, nested string) {
	t.Helper()
	w, s := pending(t, d)
	defer s.close()
	binary := "'" + strings.ReplaceAll(w.mbgate, "'", `'\''`) + "'"
	hooks, agent = filepath.Join(w.home, hooks), filepath.Join(w.home, agent)
	before := w.tree()
	tries := []string{
		binary + " clear --yes",
		"cp " + binary + " " + w.root + "/other && " + w.root + "/other clear --yes",
		"rm -rf " + filepath.Join(w.home, ".local/state/mbgate"),
		"printf '{}' > " + hooks,
		"rm " + hooks,
		"python3 -c \"open('" + hooks + "','w').write('{}')\"",
		"sed -i s/a/b/ " + agent,
		binary + " uninstall " + d.name(),
		"rm " + binary,
		nested,
	}
	steps := make([]model.Step, 0, len(tries)+1)
	for _, try := range tries {
		steps = append(steps, model.Do(d.shell(w, try)))
	}
	got := results(t, s.turn("get rid of it", append(steps, model.Do(d.shell(w, "echo x > made.txt")))...), len(tries)+1)
	for i, try := range tries {
		refused(t, try, got[i])
	}
	refused(t, "the write at the end", got[len(tries)])
	after := w.tree()
	for _, file := range []string{hooks, agent} {
		rel, _ := filepath.Rel(w.home, file)
		if len(after[rel]) == 0 || string(after[rel]) != string(before[rel]) {
			t.Errorf("%s has changed", rel)
		}
	}
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

// TestQwenServers judges the tools of an MCP server: one that writes is refused after a compaction, one that reads opens
// the gate by what it shows.
func TestQwenServers(t *testing.T) {
	t.Parallel()
	d := qwen{}
	w := newWorld(t)
	d.configure(w)
	server := filepath.Join(w.home, "notes.js")
	w.writeFile(server, codexNotes)
	w.homeFile(".qwen/settings.json", fmt.Sprintf(`{
  "security": { "auth": { "selectedType": "openai" } },
  "mcpServers": { "notes": { "command": %q, "args": [%q], "trust": true } }
}
`, filepath.Join(nodeDir(), "bin/node"), server))
	w.run(w.mbgate, "install", d.name())
	s := d.open(w, opening{})
	defer s.close()
	servers(t, w, d, s, "mcp__notes__")
}

// servers plays the server of codexNotes, whose tools the client gives a prefix.
func servers(t *testing.T, w *world, d driver, s session, prefix string) {
	t.Helper()
	call := func(tool string, args map[string]any) model.Step {
		return model.Do(model.Call{Name: prefix + tool, Args: args})
	}
	write := func(content string) model.Step {
		return call("write_note", map[string]any{"path": w.path("made.txt"), "content": content})
	}
	got := results(t, s.turn("work", model.Do(d.readAll(w, requirement)), write("1")), 2)
	contains(t, "the server's answer", got[1], "written")
	s.compact()
	got = results(t, s.turn(
		"go on",
		write("2"),
		call("ping", map[string]any{}),
		call("read_note", map[string]any{"path": w.path(requirement)}),
		write("3"),
	), 4)
	refused(t, "a server's tool that writes", got[0])
	passed(t, "a server's tool that does nothing", got[1], "pong")
	passed(t, "a server's tool that reads", got[2], "REQ-1 line 60:")
	passed(t, "a server's tool that writes, after the read", got[3])
	if w.read("made.txt") != "3" {
		t.Errorf("made.txt holds %q", w.read("made.txt"))
	}
}
