//go:build live

package live

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/mbgate/mbgate/internal/live/model"
)

// TestOpenCodeClear ends a recovery by the prompt mb:clear. OpenCode keeps no prompt from the model, so the model is told
// what mbgate answered, and is to pass it on. What asks a subagent the same is no prompt of a person.
func TestOpenCodeClear(t *testing.T) {
	t.Parallel()
	d := opencode{}
	w, s := pending(t, d)
	defer s.close()
	edit := model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20"))
	got := results(t, s.turn("ask another", model.Do(d.delegate(w, "", "mb:clear")), edit), 2)
	refused(t, "an edit after a subagent was sent mb:clear", got[1])

	seen := s.turn("mb:status")
	told(t, "the answer to mb:status", seen, "for word")
	told(t, "the answer to mb:status", seen, requirement)
	told(t, "the answer to mb:clear", s.turn("mb:clear"), "the recovery of this session is ended")
	seen = s.turn("go on", edit, model.Do(d.shell(w, `echo "session $MBGATE_SESSION_ID"`)))
	for _, r := range seen {
		if strings.Contains(r.All(), "the recovery of this session is ended") {
			t.Error("the answer to mb:clear is told again in the next turn")
		}
	}
	got = results(t, seen, 2)
	passed(t, "an edit after mb:clear", got[0])
	changed(t, w, "B = 20", "an edit after mb:clear")
	contains(t, "the session in the agent's shell", got[1], "session "+s.id())
}

// TestOpenCodeModelCannotClear has the model try to end the recovery itself: by the command, by the plugin's file, by
// another plugin, and by the client's settings.
func TestOpenCodeModelCannotClear(t *testing.T) {
	t.Parallel()
	d := opencode{}
	w, s := pending(t, d)
	defer s.close()
	before := w.tree()
	quoted := "'" + strings.ReplaceAll(w.mbgate, "'", `'\''`) + "'"
	plugin := filepath.Join(w.home, ".config/opencode/plugin/mbgate.js")
	tries := []string{
		quoted + " clear --yes",
		quoted + " uninstall opencode",
		"rm -rf " + filepath.Join(w.home, ".local/state/mbgate"),
		"printf '' > " + plugin,
		"rm " + plugin,
		"mv ~/.config/opencode ~/.config/other",
		"python3 -c \"open('" + plugin + "','w').write('')\"",
	}
	steps := make([]model.Step, 0, len(tries)+4)
	for _, try := range tries {
		steps = append(steps, model.Do(d.shell(w, try)))
	}
	for _, name := range []string{".config/opencode/opencode.json", ".config/opencode/plugin/other.js", ".config/opencode/plugins/other.ts"} {
		steps = append(steps, model.Do(model.Call{Name: "write", Args: map[string]any{"filePath": filepath.Join(w.home, name), "content": "{}"}}))
	}
	steps = append(steps, model.Do(d.create(w, ".opencode/plugin/other.js", "export default async () => ({})\n")))
	got := results(t, s.turn("get rid of it", steps...), len(steps))
	for i, r := range got {
		what := "a file of the client's configuration"
		if i < len(tries) {
			what = tries[i]
		}
		refused(t, what, r)
	}
	after := w.tree()
	for _, tree := range []map[string][]byte{before, after} {
		for name := range tree {
			if strings.HasPrefix(name, ".local/") || strings.HasPrefix(name, "project/.git/") {
				delete(tree, name) // the client's own
			}
		}
	}
	same(t, "what the model tried", before, after)
}

// TestOpenCodeAutomatic has the context run full in the middle of a turn instead of a /compact by hand.
func TestOpenCodeAutomatic(t *testing.T) {
	t.Parallel()
	d := opencode{}
	w := setUp(t, d)
	s := d.open(w, opening{})
	defer s.close()
	full := model.Do(d.readAll(w, "src/app.go"))
	full.Tokens = contextLimit - 1000
	edit := model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20"))
	seen := s.turn("work on REQ-1", model.Do(d.readAll(w, requirement)), full, edit, model.Step{From: printed(d)}, edit)
	if !slices.ContainsFunc(seen, func(r model.Request) bool { return r.Kind == model.Summary }) {
		t.Fatalf("a context that is full was not compacted in %d requests", len(seen))
	}
	told(t, "the anchor block", seen, armed)
	got := results(t, seen, 5)
	refused(t, "an edit right after an automatic compaction", got[2])
	passed(t, "the printed call", got[3], "REQ-1 line 60:")
	changed(t, w, "B = 20", "the edit after a full read")
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

// TestOpenCodeLong reads a document of more lines than one call shows, and one with a line that is cut: the printed calls
// lead through both.
func TestOpenCodeLong(t *testing.T) {
	t.Parallel()
	d := opencode{}
	w := setUp(t, d)
	w.write(requirement, numbered("REQ-1", 3000))
	w.write(second, strings.Repeat("z", 200_000)+"\nshort\n")
	s := d.open(w, opening{})
	defer s.close()
	results(t, s.turn("work on REQ-1", model.Do(d.readAll(w, requirement), d.readAll(w, second))), 1)
	s.compact()
	create := model.Do(d.create(w, "made.txt", "x\n"))
	steps := []model.Step{create}
	for range 8 {
		steps = append(steps, model.Step{From: func(r model.Request) model.Step {
			if !isRefused(r.Last) && !strings.Contains(r.Last, "Next: ") {
				return create
			}
			return printed(d)(r)
		}}, create)
	}
	seen := s.turn("go on", steps...)
	got := results(t, seen, len(steps))
	refused(t, "a write after the compaction", got[0])
	if w.read("made.txt") != "x\n" {
		t.Errorf("the printed calls did not open the gate:\n%s", strings.Join(got, "\n---\n"))
	}
}

// TestOpenCodeSubagents plays the two subagents as install laid them down: the reader has no tool that writes, neither has
// a shell, and the reader's answer ends a recovery, as the refusal says. A subagent that does not exist ends nothing.
func TestOpenCodeSubagents(t *testing.T) {
	t.Parallel()
	d := opencode{}
	w, s := pending(t, d)
	defer s.close()
	for _, name := range []string{"memory", "writer"} {
		w.model.Script("sub:"+name, model.Do(d.readAll(w, requirement)), model.Say("Context Summary"))
	}
	mark := w.model.Count()
	edit := model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20"))
	got := results(t, s.turn(
		"look it up",
		model.Do(d.delegate(w, d.traits().writer, model.Marker("writer")+" what is there?")),
		model.Do(d.delegate(w, d.traits().reader+"-x", "what is the goal?")),
		edit,
		model.Do(d.delegate(w, d.traits().reader, model.Marker("memory")+" what is the goal?")),
		model.Do(d.readAll(w, "src/app.go")),
		edit,
	), 6)
	refused(t, "an edit after other subagents", got[2])
	contains(t, "the refusal", got[2], "Calling the subagent memory-reader is another way")
	contains(t, "the reader's answer", got[3], "Context Summary")
	passed(t, "an edit after the reader's answer", got[5])
	changed(t, w, "B = 20", "an edit after the reader's answer")
	sub := map[string]model.Request{}
	for _, r := range w.model.Since(mark) {
		sub[r.Kind] = r // the last one
	}
	for kind, bad := range map[string][]string{
		"sub:memory": {"bash", "edit", "write", "apply_patch", "task", "webfetch"}, "sub:writer": {"bash", "task", "webfetch"},
	} {
		r, ok := sub[kind]
		if !ok {
			t.Errorf("%s sent no request", kind)
		}
		contains(t, "what "+kind+" was shown", r.Last, "REQ-1 line 60:")
		for _, tool := range bad {
			if slices.Contains(r.Tools, tool) {
				t.Errorf("%s has the tool %s", kind, tool)
			}
		}
	}
	contains(t, "the reader's instructions", sub["sub:memory"].System, "Context Summary", "Evidence", "Open Questions")
	if !slices.Contains(sub["sub:writer"].Tools, "edit") && !slices.Contains(sub["sub:writer"].Tools, "write") {
		t.Errorf("the writer cannot write: %v", sub["sub:writer"].Tools)
	}
}

// notes is a server of the Model Context Protocol with a tool that reads, one that writes and one that does neither.
const notes = `
const fs = require("node:fs")
const tools = ["write_file", "read_file", "ping"].map((name) => ({
  name, description: name, inputSchema: { type: "object", properties: { path: { type: "string" }, content: { type: "string" } } },
}))
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  let result = {}
  if (method === "initialize") result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "notes", version: "1" } }
  if (method === "tools/list") result = { tools }
  if (method === "tools/call") {
    let text = "pong"
    const { path, content } = params.arguments ?? {}
    if (params.name === "write_file") fs.writeFileSync(path, content), (text = "written")
    if (params.name === "read_file") text = fs.readFileSync(path, "utf8")
    result = { content: [{ type: "text", text }] }
  }
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result }))
})
`

// TestOpenCodeMCP plays tools of an MCP server, of which mbgate knows nothing but their arguments and results.
func TestOpenCodeMCP(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	server := filepath.Join(w.root, "notes.cjs")
	w.writeFile(server, notes)
	d := opencode{extra: fmt.Sprintf(`"mcp": {"notes": {"type": "local", "command": ["node", %q]}},`, server)}
	d.configure(w)
	w.run(w.mbgate, "install", d.name())
	s := d.open(w, opening{})
	defer s.close()
	results(t, s.turn("work on REQ-1", model.Do(d.readAll(w, requirement))), 1)
	s.compact()
	call := func(name string, args map[string]any) model.Step {
		return model.Do(model.Call{Name: "notes_" + name, Args: args})
	}
	write := call("write_file", map[string]any{"path": w.path("src/made.go"), "content": "package app\n"})
	got := results(t, s.turn("go on", call("ping", map[string]any{}), write, call("read_file", map[string]any{"path": w.path(requirement)}), write), 4)
	passed(t, "a tool that does nothing", got[0], "pong")
	refused(t, "an MCP server's write after the compaction", got[1])
	passed(t, "an MCP server's read", got[2], "REQ-1 line 60:")
	passed(t, "an MCP server's write after a full read", got[3], "written")
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
		c := exec.Command(opencodeProgram(), "run", "-s", id, "go on")
		c.Dir, c.Env = w.dir, append(w.env(opencodeEnv(w)...), env...)
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

// TestOpenCodeReminder writes code and stops: with the next prompt the model is told to propose an update of the memory
// bank, once, even if the conversation is compacted in between.
func TestOpenCodeReminder(t *testing.T) {
	t.Parallel()
	d := opencode{}
	w := setUp(t, d)
	s := d.open(w, opening{})
	defer s.close()
	heard := func(prompt string) int {
		t.Helper()
		n := 0
		for _, r := range s.turn(prompt, model.Do(d.readAll(w, "src/app.go"))) {
			if r.Kind == model.Main && strings.Contains(r.All(), proposes) {
				n++
			}
		}
		return n
	}
	got := results(t, s.turn("work", model.Do(d.readAll(w, "src/app.go")), model.Do(d.edit(w, "src/app.go", "A = 1", "A = 10"))), 2)
	contains(t, "the reminder of the read gate", got[1], "mbgate reminder, once a turn", "patterns.md")
	s.compact()
	if n := heard("and then?"); n == 0 {
		t.Error("the reminder to propose an update did not reach the model with the next prompt")
	}
	if n := heard("and now?"); n != 0 {
		t.Errorf("the reminder to propose an update reached the model in %d requests of a later turn too", n)
	}
	told(t, "the answer to mb:no", s.turn("mb:no"), "mb:no")
}

// TestOpenCodeFailure removes the program while a recovery is pending, lets it crash and lets it hang: the calls go
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
		{"is gone", ""},
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

// TestOpenCodeMoved moves the client's configuration by its environment variables: install, the client, and what mbgate
// knows and guards of it go the same way.
func TestOpenCodeMoved(t *testing.T) {
	t.Parallel()
	for _, variable := range []string{"XDG_CONFIG_HOME", "OPENCODE_CONFIG_DIR"} {
		t.Run(variable, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			folder := filepath.Join(w.root, "moved")
			w.vars = append(w.vars, variable+"="+folder)
			d := opencode{}
			d.configure(w)
			own := folder // the folder that is the client's
			if variable == "XDG_CONFIG_HOME" {
				own = filepath.Join(folder, "opencode")
				if err := os.MkdirAll(folder, 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.Rename(filepath.Join(w.home, ".config/opencode"), own); err != nil {
					t.Fatal(err)
				}
			}
			w.run(w.mbgate, "install", d.name())
			if variable == "OPENCODE_CONFIG_DIR" {
				// The client reads both folders. A subagent that lies in this one alone is one, too.
				agents := filepath.Join(w.home, ".config/opencode/agent")
				w.writeFile(filepath.Join(own, "agent/memory-reader.md"), w.read("../.config/opencode/agent/memory-reader.md"))
				if err := os.RemoveAll(agents); err != nil {
					t.Fatal(err)
				}
			}
			s := d.open(w, opening{})
			defer s.close()
			results(t, s.turn("work on REQ-1", model.Do(d.readAll(w, requirement))), 1)
			s.compact()
			write := func(rel string) model.Step {
				return model.Do(model.Call{Name: "write", Args: map[string]any{"filePath": filepath.Join(own, rel), "content": "x"}})
			}
			got := results(t, s.turn("go on", write("plugin/mbgate.js"), write("opencode.json"), write("agent/memory-reader.md"),
				model.Do(d.shell(w, "echo x > '"+filepath.Join(own, "plugins/other.js")+"'"))), 4)
			for i, what := range []string{"the plugin", "the settings", "a subagent", "another plugin"} {
				refused(t, "a write of "+what, got[i])
			}
			contains(t, "the refusal", got[0], "Calling the subagent memory-reader is another way")
		})
	}
}
