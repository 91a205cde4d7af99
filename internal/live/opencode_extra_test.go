//go:build live

package live

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/mbgate/mbgate/internal/live/model"
)

// TestOpenCodeWords asks a subagent mb:clear, which is no prompt of a person's, and has the agent's shell know the session.
func TestOpenCodeWords(t *testing.T) {
	t.Parallel()
	d := opencode{}
	w, s := pending(t, d)
	defer s.close()
	got := results(t, s.turn(
		"ask another",
		model.Do(d.delegate(w, "", "mb:clear")),
		model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20")),
		model.Do(d.shell(w, `echo "session $MBGATE_SESSION_ID"`)),
	), 3)
	refused(t, "an edit after a subagent was sent mb:clear", got[1])
	contains(t, "the session in the agent's shell", got[2], "session "+s.id())
}

// TestOpenCodeFailedCompaction has a compaction fail: OpenCode tries it again with the next prompt, and leaves that one
// unanswered. The gate is closed, and opens by reading.
func TestOpenCodeFailedCompaction(t *testing.T) {
	t.Parallel()
	d := opencode{}
	w := setUp(t, d)
	s := d.open(w, opening{}).(*opencodeSession)
	defer s.close()
	results(t, s.turn("work on REQ-1", model.Do(d.readAll(w, requirement)), model.Do(d.readAll(w, "src/app.go"))), 2)
	w.model.Script(model.Summary, model.Step{Error: "this is not to be"})
	s.compact()
	s.turn("go on") // the compaction again
	reopened(t, w, d, s, "after a compaction that failed", "REQ-1 line 60:")
}

// TestOpenCodeUndo has a person take a turn back in which a document was read: it is not read any more.
func TestOpenCodeUndo(t *testing.T) {
	t.Parallel()
	d := opencode{}
	w := setUp(t, d)
	s := d.open(w, opening{}).(*opencodeSession)
	defer s.close()
	results(t, s.turn("work", model.Do(d.readAll(w, requirement), d.readAll(w, second))), 1)
	s.compact()
	results(t, s.turn("read one", model.Do(d.readAll(w, requirement))), 1)
	s.call("POST", "/session/"+s.id()+"/revert", map[string]any{"messageID": s.lastPrompt()})
	seen := s.turn("read the other", model.Do(d.readAll(w, second)), model.Do(d.edit(w, "src/app.go", "A = 1", "A = 10")))
	lacks(t, "the conversation", seen[0].Whole, "read one")
	got := results(t, seen, 2)
	refused(t, "an edit after the read of a document was undone", got[1])
	contains(t, "what is to be read", got[1], requirement)
	got = results(t, s.turn("go on", model.Do(d.readAll(w, requirement)), model.Do(d.edit(w, "src/app.go", "A = 1", "A = 10"))), 2)
	passed(t, "an edit after both were read", got[1])
}

// lastPrompt is the id of the last message of the person.
func (s *opencodeSession) lastPrompt() (id string) {
	s.w.t.Helper()
	response, err := http.Get(s.url + "/session/" + s.session + "/message")
	if err != nil {
		s.w.t.Fatal(err)
	}
	defer response.Body.Close()
	var messages []struct {
		Info struct{ ID, Role string }
	}
	if err := json.NewDecoder(response.Body).Decode(&messages); err != nil {
		s.w.t.Fatal(err)
	}
	for _, m := range messages {
		if m.Info.Role == "user" {
			id = m.Info.ID
		}
	}
	return id
}

// TestOpenCodePrune has OpenCode drop old results from the context without a compaction: what was read that way has to be
// read again.
func TestOpenCodePrune(t *testing.T) {
	t.Parallel()
	d := opencode{extra: `"compaction": {"prune": true},`}
	w := newWorld(t)
	d.configure(w)
	w.run(w.mbgate, "install", d.name())
	w.write("big.txt", strings.Repeat("some words of a long line here\n", 20_000))
	s := d.open(w, opening{})
	defer s.close()
	results(t, s.turn("read both", model.Do(d.readAll(w, requirement), d.readAll(w, second))), 1)
	s.compact()
	results(t, s.turn("read one again", model.Do(d.readAll(w, requirement))), 1)
	var calls []model.Call
	for i := range 7 { // some 12,000 tokens each; the last 40,000 stay, and so do those of the last two turns
		calls = append(calls, d.readLines(w, "big.txt", 1+1500*i, 1500*(i+1)))
	}
	s.turn("read more", model.Do(calls...))
	s.turn("and then?")
	s.turn("and then?")
	sed := model.Do(d.shell(w, "sed -i 's/B = 2/B = 20/' src/app.go"))
	seen := s.turn("go on", model.Do(d.readAll(w, second)), sed, model.Step{From: printed(d)}, sed)
	if !strings.Contains(seen[len(seen)-1].Whole, "tool result content cleared") {
		t.Fatal("OpenCode dropped nothing from the context")
	}
	got := results(t, seen, 4)
	refused(t, "sed -i after a result was dropped", got[1])
	contains(t, "the refusal", got[1], requirement)
	changed(t, w, "B = 20", "sed -i after reading again")
}

// TestOpenCodePatch plays a model that OpenCode gives apply_patch instead of edit and write.
func TestOpenCodePatch(t *testing.T) {
	t.Parallel()
	d := opencode{model: "gpt-5-fake"}
	w := setUp(t, d)
	s := d.open(w, opening{})
	defer s.close()
	results(t, s.turn("work on REQ-1", model.Do(d.readAll(w, requirement))), 1)
	s.compact()
	patch := model.Do(model.Call{Name: "apply_patch", Args: map[string]any{"patchText": "*** Begin Patch\n*** Update File: src/app.go\n@@\n-var B = 2\n+var B = 20\n*** Add File: src/new.go\n+package app\n*** End Patch"}})
	seen := s.turn("go on", patch, model.Step{From: printed(d)}, patch)
	if tools := seen[0].Tools; !slices.Contains(tools, "apply_patch") || slices.Contains(tools, "edit") {
		t.Fatalf("the model was offered %v", tools)
	}
	got := results(t, seen, 3)
	refused(t, "a patch after the compaction", got[0])
	passed(t, "a patch after a full read", got[2])
	changed(t, w, "B = 20", "a patch after a full read")
	if w.read("src/new.go") != "package app\n" {
		t.Errorf("the patch made %q", w.read("src/new.go"))
	}
}

// TestOpenCodeFolders starts the client in a folder of the project, where paths are relative to that, and in a project
// that is no repository.
func TestOpenCodeFolders(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, below, prefix string
		bare                bool
	}{{"below the root", "src", "../", false}, {"outside of a repository", "", "", true}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := opencode{below: c.below}
			w := setUp(t, d)
			if c.bare {
				if err := os.RemoveAll(w.path(".git")); err != nil {
					t.Fatal(err)
				}
			}
			s := d.open(w, opening{})
			defer s.close()
			read := model.Do(model.Call{Name: "read", Args: map[string]any{"filePath": c.prefix + requirement}})
			results(t, s.turn("work on REQ-1", read), 1)
			s.compact()
			create := model.Do(model.Call{Name: "write", Args: map[string]any{"filePath": c.prefix + "made.txt", "content": "x\n"}})
			got := results(t, s.turn("go on", create, read, create), 3)
			refused(t, "a write after the compaction", got[0])
			contains(t, "the refusal", got[0], requirement)
			passed(t, "a write after a full read", got[2])
			if w.read("made.txt") != "x\n" {
				t.Errorf("the write after a full read made %q", w.read("made.txt"))
			}
		})
	}
}

// TestOpenCodeCutLine has a document with a line that the client cuts: the printed calls open the gate nevertheless.
func TestOpenCodeCutLine(t *testing.T) {
	t.Parallel()
	d := opencode{}
	w := setUp(t, d)
	w.write(second, strings.Repeat("z", 200_000)+"\nshort\n")
	s := d.open(w, opening{})
	defer s.close()
	results(t, s.turn("work on REQ-2", model.Do(d.readAll(w, second))), 1)
	s.compact()
	reopened(t, w, d, s, "of a line that is cut", "short")
}

// TestOpenCodeNoReader calls a subagent that does not exist, with a name that begins as the reader's: that ends nothing.
// The writer, which has no shell, can write.
func TestOpenCodeNoReader(t *testing.T) {
	t.Parallel()
	d := opencode{}
	w, s := pending(t, d)
	defer s.close()
	w.model.Script("sub:writer", model.Do(d.readAll(w, requirement)), model.Say("it is about the limiter"))
	mark := w.model.Count()
	got := results(t, s.turn(
		"look it up",
		model.Do(d.delegate(w, d.traits().reader+"-x", "what is the goal?")),
		model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20")),
		model.Do(d.delegate(w, d.traits().writer, model.Marker("writer")+" what is there?")),
	), 3)
	refused(t, "an edit after a subagent that does not exist", got[1])
	writer := of("sub:writer", w.model.Since(mark))
	if len(writer) == 0 {
		t.Fatalf("the writer sent no request; the model was told:\n%s", got[2])
	}
	if tools := writer[0].Tools; !slices.Contains(tools, "edit") && !slices.Contains(tools, "write") {
		t.Errorf("the writer cannot write: %v", tools)
	}
}

// TestOpenCodeOtherWays shows a document by @file in the prompt, by a command of the person's and by a search. None of them
// counts, the first two as the page about agents says; what the model's shell shows in another folder does.
func TestOpenCodeOtherWays(t *testing.T) {
	t.Parallel()
	d := opencode{}
	w, started := pending(t, d)
	s := started.(*opencodeSession)
	defer s.close()
	edit := model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20"))
	seen := s.say([]any{
		map[string]any{"type": "text", "text": "look at this"},
		map[string]any{"type": "file", "mime": "text/plain", "filename": "REQ-1.md", "url": "file://" + w.path(requirement)},
	}, edit)
	told(t, "the file of the prompt", seen, "REQ-1 line 60:")
	refused(t, "an edit after @file", results(t, seen, 1)[0])

	s.call("POST", "/session/"+s.id()+"/shell", map[string]any{
		"agent": "build", "model": map[string]any{"providerID": "fake", "modelID": s.model},
		"command": "cat " + requirement + "; echo mine > mine.txt",
	})
	if w.read("mine.txt") != "mine\n" {
		t.Errorf("the person's own command wrote %q", w.read("mine.txt"))
	}
	cat := model.Call{Name: "bash", Args: map[string]any{
		"command": "cat REQ-1.md", "workdir": filepath.Dir(requirement), "description": "a command",
	}}
	seen = s.turn(
		"go on",
		edit,
		model.Do(d.shell(w, "grep -rn 'line 7:' memory-bank/details")), // the tool grep needs a program that it would fetch
		edit,
		model.Do(cat),
		edit,
	)
	told(t, "the person's own command", seen, "REQ-1 line 60:")
	got := results(t, seen, 5)
	refused(t, "an edit after the person's own command", got[0])
	passed(t, "a search", got[1], "REQ-1 line 7:")
	refused(t, "an edit after a search", got[2])
	passed(t, "the shell in another folder", got[3], "REQ-1 line 60:")
	passed(t, "an edit after the shell showed it", got[4])
	changed(t, w, "B = 20", "an edit after the shell showed it")
}

// TestOpenCodeProcesses goes on with the conversation by `opencode run`, a process of its own for each prompt, and with
// OPENCODE_PURE, which loads no plugin, as the page about agents says.
func TestOpenCodeProcesses(t *testing.T) {
	t.Parallel()
	d := opencode{}
	w, s := pending(t, d)
	id := s.id()
	s.close()
	run := func(steps []model.Step, env ...string) []string {
		t.Helper()
		w.model.Script(model.Main, steps...)
		mark := w.model.Count()
		c := exec.Command(opencode{}.program(), "run", "-s", id, "go on")
		c.Dir, c.Env = w.dir, append(w.env(opencode{}.env(w)...), env...)
		c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
		out, err := c.CombinedOutput()
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		if err != nil {
			t.Fatalf("opencode run: %v\n%s", err, out)
		}
		return results(t, w.model.Since(mark), len(steps))
	}
	passed(t, "a write without plugins", run([]model.Step{model.Do(d.create(w, "pure.txt", "x\n"))}, "OPENCODE_PURE=1")[0])
	create := model.Do(d.create(w, "made.txt", "x\n"))
	got := run([]model.Step{create, {From: printed(d)}, create})
	refused(t, "a write in a new process", got[0])
	passed(t, "a write after a full read", got[2])
}

// TestOpenCodeNo passes on to the model what mbgate says to the prompt mb:no.
func TestOpenCodeNo(t *testing.T) {
	t.Parallel()
	d := opencode{}
	w := setUp(t, d)
	s := d.open(w, opening{})
	defer s.close()
	results(t, s.turn("work", model.Do(d.readAll(w, "src/app.go")), model.Do(d.edit(w, "src/app.go", "A = 1", "A = 10"))), 2)
	told(t, "the reminder to propose an update", s.turn("and then?"), proposes)
	told(t, "the answer to mb:no", s.turn("mb:no"), "mb:no")
}

// TestOpenCodeFailure has the program crash and hang while a recovery is pending: the calls go
// through, as with no hook. With fail = "closed" the tools that write alone are refused.
func TestOpenCodeFailure(t *testing.T) {
	t.Parallel()
	d := opencode{}
	w, s := pending(t, d)
	id := s.id()
	program := w.read("../../it's here/mbgate")
	put := func(text string) {
		t.Helper()
		if err := os.Remove(w.mbgate); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if text == "" {
			return
		}
		w.writeFile(w.mbgate, text)
		if err := os.Chmod(w.mbgate, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for i, c := range []struct{ what, text string }{
		{"is no program", "\x7fELF"},
		{"crashes", "#!/bin/sh\nkill -SEGV $$\n"},
		{"fails", "#!/bin/sh\necho broken >&2\nexit 1\n"},
		{"hangs", "#!/bin/sh\nin=$(cat)\ncase $in in *'\"hook\":\"tool.execute.before\"'*) sleep 60 ;; esac\n"},
	} {
		put(c.text)
		name := fmt.Sprintf("made-%d.txt", i)
		got := results(t, s.turn("go on", model.Do(d.create(w, name, "x\n"))), 1)
		passed(t, "a write while mbgate "+c.what, got[0])
		if w.read(name) != "x\n" {
			t.Errorf("a write while mbgate %s made %q", c.what, w.read(name))
		}
	}
	put(program)
	refused(t, "a write with mbgate back", results(t, s.turn("go on", model.Do(d.create(w, "made.txt", "x\n"))), 1)[0])
	s.close()

	w.homeFile(".config/mbgate/config.toml", "fail = \"closed\"\n")
	w.run(w.mbgate, "install", d.name())
	put("")
	s = d.open(w, opening{resume: id})
	defer s.close()
	got := results(t, s.turn("go on", model.Do(d.create(w, "made.txt", "x\n")), model.Do(d.readAll(w, requirement)), model.Do(d.shell(w, "cat src/app.go"))), 3)
	contains(t, `a write without mbgate, with fail = "closed"`, got[0], "mbgate could not judge this call")
	if _, err := os.Stat(w.path("made.txt")); err == nil {
		t.Error(`a write without mbgate happened, with fail = "closed"`)
	}
	passed(t, "a read without mbgate", got[1], "REQ-1 line 60:")
	passed(t, "the shell without mbgate", got[2], "package app")
}

// TestOpenCodeMoved has the client read another folder besides its own: install and what mbgate knows and guards go the
// same way. A subagent that lies in that one alone is one, too.
func TestOpenCodeMoved(t *testing.T) {
	t.Parallel()
	d := opencode{}
	w := newWorld(t)
	folder := filepath.Join(w.root, "moved")
	w.vars = append(w.vars, "OPENCODE_CONFIG_DIR="+folder)
	d.configure(w)
	w.run(w.mbgate, "install", d.name())
	w.writeFile(filepath.Join(folder, "agent/memory-reader.md"), w.read("../.config/opencode/agent/memory-reader.md"))
	if err := os.RemoveAll(filepath.Join(w.home, ".config/opencode/agent")); err != nil {
		t.Fatal(err)
	}
	s := d.open(w, opening{})
	defer s.close()
	results(t, s.turn("work on REQ-1", model.Do(d.readAll(w, requirement))), 1)
	s.compact()
	write := func(rel string) model.Step {
		return model.Do(model.Call{Name: "write", Args: map[string]any{"filePath": filepath.Join(folder, rel), "content": "x"}})
	}
	got := results(t, s.turn("go on", write("plugin/mbgate.js"), write("opencode.json"), write("agent/memory-reader.md"),
		model.Do(d.shell(w, "echo x > '"+filepath.Join(folder, "plugins/other.js")+"'"))), 4)
	for i, what := range []string{"the plugin", "the settings", "a subagent", "another plugin"} {
		refused(t, "a write of "+what, got[i])
	}
	contains(t, "the refusal", got[0], "You can also call the subagent memory-reader")
}
