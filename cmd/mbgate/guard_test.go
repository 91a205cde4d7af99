//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// row is one line of a table in testdata/gate that is about the memory bank.
type row struct {
	// client is claude or opencode; a command is played as both.
	client, tool, input string
	command             string
	// real is set when the command may be run.
	real bool
}

func (r row) String() string {
	if r.command != "" {
		return r.command
	}
	return r.client + " " + r.tool + " " + r.input
}

func rows(t *testing.T, name, root string) []row {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "gate", name))
	if err != nil {
		t.Fatal(err)
	}
	var out []row
	for line := range strings.Lines(string(text)) {
		line = strings.ReplaceAll(strings.TrimRight(line, "\n"), "$ROOT", root)
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "", "#":
		case "$", "~":
			out = append(out, row{command: strings.ReplaceAll(rest, `\n`, "\n"), real: word == "$"})
		case "claude", "opencode":
			tool, input, _ := strings.Cut(rest, " ")
			if !json.Valid([]byte(input)) {
				t.Fatalf("%s: bad JSON: %s", name, line)
			}
			out = append(out, row{client: word, tool: tool, input: input})
		default:
			t.Fatalf("%s: what is %q?", name, line)
		}
	}
	return out
}

// newBankArena is a project with a memory bank, the subagents that write and read it, and ways into it. Its bank has
// changes that are in no commit if dirty.
func newBankArena(t *testing.T, dirty bool) *arena {
	t.Helper()
	a := bareArena(t)
	for _, name := range []string{"memory-bank-writer", "memory-reader"} {
		a.put(".claude/agents/"+name+".md", "---\nname: "+name+"\n---\n")
		a.put(".opencode/agent/"+name+".md", "---\nmode: subagent\n---\n")
	}
	two := "line 1\nline 2\n"
	for name, text := range map[string]string{
		"src/a.go": "package a\n", "README.md": "read me\nand me\n", "script.sh": "true\n",
		"writes.sh": "echo x >> memory-bank/MEMORY.md\n",
		"bank.patch": "--- a/memory-bank/MEMORY.md\n+++ b/memory-bank/MEMORY.md\n" +
			"@@ -1,2 +1,2 @@\n-line 1\n+line one\n line 2\n",
		"memory-bank/MEMORY.md": "other\n", "memory-bank/details/patterns.md": two,
		"memory-bank/details/requirements/REQ-1.md": two, "memory-bank/details/progress.md": two,
	} {
		a.put(name, text)
	}
	a.check(os.MkdirAll(filepath.Join(a.repo, "memory-bank/empty"), 0o755))
	for link, to := range map[string]string{
		"in": "memory-bank", "entry.md": "memory-bank/MEMORY.md", "src/deep": "../memory-bank/details", "memory-bank/out": "../src",
	} {
		a.check(os.Symlink(to, filepath.Join(a.repo, link)))
	}
	a.run("git", "init", "-q", "-b", "main", "--template=")
	a.run("git", "config", "user.name", "t")
	a.run("git", "config", "user.email", "t@example.org")
	a.run("git", "add", ".")
	a.run("git", "commit", "-q", "-m", "other")
	a.run("git", "branch", "other")
	a.put("memory-bank/MEMORY.md", two)
	a.run("git", "commit", "-q", "-a", "-m", "start")
	a.run("tar", "cf", "src.tar", "src")
	a.put("memory-bank/MEMORY.md", "from the archive\n")
	a.run("tar", "cf", "bank.tar", "memory-bank/MEMORY.md")
	a.put("memory-bank/MEMORY.md", two)
	a.put("more/memory-bank/MEMORY.md", "from elsewhere\n")
	a.run("git", "worktree", "add", "-q", "--detach", "../beside")
	a.run("git", "worktree", "add", "-q", "--detach", ".trees/within")
	a.put("bank.zip", "PK\x05\x06"+strings.Repeat("\x00", 18))
	if dirty {
		a.put("memory-bank/details/progress.md", "not committed\n")
		a.put("memory-bank/details/patterns.md", "not committed\n")
		a.put("memory-bank/details/learnings/new.md", "not known to git\n")
	}
	t.Setenv("MEMORY_BANK_GUARD_MODE", "off")
	t.Setenv("MBGATE_WRITE_GUARD", "writer") // the tables are about who writes, and not about consent
	return a
}

func (a *arena) run(args ...string) {
	a.t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = a.repo
	if out, err := cmd.CombinedOutput(); err != nil {
		a.t.Fatalf("%v: %v\n%s", args, err, out)
	}
}

// calls are the tool calls of a row, as the clients announce them. sub is the type of the subagent that makes them, ""
// for the main agent.
func (a *arena) calls(r row, sub string) []map[string]any {
	var out []map[string]any
	a.at++
	id := fmt.Sprint("call-", a.at)
	if r.client != "opencode" {
		tool, input := r.tool, json.RawMessage(r.input)
		if r.command != "" {
			tool, input = "Bash", mustJSON(map[string]string{"command": r.command, "description": "d"})
		}
		p := map[string]any{
			"session_id": "s", "transcript_path": "/home/dev/.claude/projects/p/s.jsonl", "cwd": a.repo,
			"permission_mode": "default", "hook_event_name": "PreToolUse",
			"tool_name": tool, "tool_input": input, "tool_use_id": id,
		}
		if sub != "" {
			p["agent_id"], p["agent_type"] = "a1", sub
		}
		out = append(out, p)
	}
	if r.client != "claude" {
		tool, args := r.tool, json.RawMessage(r.input)
		if r.command != "" {
			tool, args = "bash", mustJSON(map[string]string{"command": r.command, "description": "d"})
		}
		p := map[string]any{
			"client": "opencode", "hook": "tool.execute.before", "session_id": "ses_1", "agent": "build",
			"directory": a.repo, "worktree": a.repo, "call_id": id, "tool": tool, "args": args,
		}
		if sub != "" {
			p["session_id"], p["parent_session_id"], p["agent"] = "ses_2", "ses_1", sub
		}
		out = append(out, p)
	}
	return out
}

// play sends one payload through the program, in this process.
func (a *arena) play(payload map[string]any) (status, string) {
	a.t.Helper()
	in := filepath.Join(a.dir, "in.json")
	a.check(os.WriteFile(in, mustJSON(payload), 0o600))
	f, err := os.Open(in)
	a.check(err)
	defer f.Close()
	app := newApp()
	var out, errs bytes.Buffer
	app.stdin, app.stdout, app.stderr = f, &out, &errs
	app.getwd = func() (string, error) { return a.repo, nil }
	code := run(app, []string{"hook"})
	return code, out.String() + errs.String()
}

// bank is every file of the memory bank, wherever it is by now; a bank that is a link or gone has nothing in it.
func (a *arena) bank() map[string]string {
	out := map[string]string{}
	for name, text := range a.tree() {
		if rel, err := filepath.Rel(a.repo, name); err == nil && strings.HasPrefix(rel+"/", "memory-bank/") {
			out[rel] = text
		}
	}
	return out
}

// reset brings the project back to the copy that was taken of it.
func (a *arena) reset(from string) {
	a.check(os.RemoveAll(a.repo))
	cmd := exec.Command("cp", "-a", from, a.repo)
	if out, err := cmd.CombinedOutput(); err != nil {
		a.t.Fatalf("%v\n%s", err, out)
	}
}

func (a *arena) really(command string) {
	cmd := exec.Command("bash", "-c", command)
	cmd.Dir = a.repo
	_ = cmd.Run() // what it says is its own business
}

// TestEveryWayIntoTheBankIsRefused: by tool, patch, MCP, shell and git, to the main agent and to other subagents; and
// the ways are ways: run for real, the commands change the bank.
func TestEveryWayIntoTheBankIsRefused(t *testing.T) {
	a := newBankArena(t, true)
	copied := filepath.Join(a.dir, "copy")
	a.run("cp", "-a", a.repo, copied)
	before := a.bank()
	ways := rows(t, "bank-writes.txt", a.repo)
	if len(ways) < 60 {
		t.Errorf("only %d ways", len(ways))
	}
	for i, r := range ways {
		for _, p := range a.calls(r, [...]string{"", "general-purpose"}[i%2]) {
			if code, msg := a.play(p); code != exitRefused || !strings.Contains(msg, "memory-bank") {
				t.Errorf("not refused (exit status %d %s): %s", code, msg, r)
			}
		}
		if !r.real {
			continue
		}
		a.really(r.command)
		if maps.Equal(before, a.bank()) {
			t.Errorf("this is no way into the bank: %s", r)
		}
		a.reset(copied)
	}
}

// TestNearTheBankIsOpen: what reads it, what only looks like it, and ordinary work pass; and they are harmless: run for
// real, the commands change nothing in the bank.
func TestNearTheBankIsOpen(t *testing.T) {
	a := newBankArena(t, true)
	copied := filepath.Join(a.dir, "copy")
	a.run("cp", "-a", a.repo, copied)
	before := a.bank()
	for _, r := range rows(t, "bank-open.txt", a.repo) {
		for _, p := range a.calls(r, "") {
			if code, msg := a.play(p); code != exitOK {
				t.Errorf("exit status %d: %s\n%s", code, r, msg)
			}
		}
		if !r.real {
			continue
		}
		a.really(r.command)
		if !maps.Equal(before, a.bank()) {
			t.Errorf("this changes the bank: %s", r)
		}
		a.reset(copied)
	}
}

// prompt begins a turn in both clients' sessions.
func (a *arena) prompt() {
	a.play(map[string]any{
		"session_id": "s", "transcript_path": "/home/dev/.claude/projects/p/s.jsonl", "cwd": a.repo,
		"hook_event_name": "UserPromptSubmit", "prompt": "go on",
	})
	a.play(map[string]any{
		"client": "opencode", "hook": "chat.message", "session_id": "ses_1", "agent": "build",
		"directory": a.repo, "worktree": a.repo, "prompt": "go on",
	})
}

// finish makes the report of a call out of its announcement: the output is what the client gives to the model.
func finish(p map[string]any, output string) map[string]any {
	if p["client"] == "opencode" {
		p["hook"] = "tool.execute.after"
		p["result"] = map[string]any{"title": "t", "output": output, "metadata": map[string]any{"output": output, "exit": 0}}
		return p
	}
	p["hook_event_name"] = "PostToolUse"
	p["tool_response"] = map[string]any{"stdout": output, "stderr": "", "interrupted": false}
	if p["tool_name"] != "Bash" {
		p["tool_response"] = map[string]any{"content": output, "status": "completed"}
	}
	return p
}

// highRisk is a write that the read gate refuses while the patterns are unread, as both clients announce it.
func (a *arena) highRisk() []map[string]any {
	return append(a.calls(row{client: "claude", tool: "Write", input: `{"file_path":"package.json","content":"{}"}`}, ""),
		a.calls(row{client: "opencode", tool: "write", input: `{"filePath":"package.json","content":"{}"}`}, "")...)
}

// TestNothingButReadingOpensTheTurn: after what looks like reading the patterns, a write of high risk is still refused; after
// reading them it is not.
func TestNothingButReadingOpensTheTurn(t *testing.T) {
	a := newBankArena(t, true)
	a.put("docs/patterns.md", "line 1\nline 2\n")
	a.put("memory-bank/details/patterns.md", "line 1\nline 2\n")
	t.Setenv("MEMORY_BANK_GUARD_MODE", "block")
	play := func(r row) {
		output := ""
		if r.command != "" {
			cmd := exec.Command("bash", "-c", r.command)
			cmd.Dir = a.repo
			out, _ := cmd.Output()
			output = string(out)
		}
		for _, p := range a.calls(r, "") {
			if code, msg := a.play(p); code == exitRefused {
				t.Errorf("a look is refused: %s\n%s", r, msg)
			}
			a.play(finish(p, output))
		}
	}
	for i, r := range rows(t, "patterns-not-read.txt", a.repo) {
		// Other lines each time: what one command showed of them is nothing that the next may add to.
		a.put("memory-bank/details/patterns.md", fmt.Sprintf("%d line 1\n%d line 2\n", i, i))
		a.prompt()
		play(r)
		for _, p := range a.highRisk() {
			if code, msg := a.play(p); code != exitRefused || !strings.Contains(msg, "patterns.md") {
				t.Errorf("this opened the gate (exit status %d %s): %s", code, msg, r)
			}
		}
	}
	a.put("memory-bank/details/patterns.md", "line 1\nline 2\n")
	a.prompt()
	play(row{command: "cat memory-bank/details/patterns.md"})
	for _, p := range a.highRisk() {
		if code, msg := a.play(p); code != exitOK {
			t.Errorf("reading does not open the gate: %s", msg)
		}
	}
	// In the next turn it is known, and has to be asked for.
	a.prompt()
	for _, p := range a.highRisk() {
		if code, _ := a.play(p); code != exitRefused {
			t.Error("it was not asked for in this turn")
		}
	}
}

// TestHighRiskIsRefusedUnread: every way to a write of high risk is refused while the patterns are unread.
func TestHighRiskIsRefusedUnread(t *testing.T) {
	a := newBankArena(t, false)
	for _, f := range []string{"package.json", "go.mod", "Dockerfile", "src/auth/login.go"} {
		a.put(f, "a\n")
	}
	t.Setenv("MEMORY_BANK_GUARD_MODE", "block")
	t.Setenv("MBGATE_WRITE_GUARD", "off")
	a.prompt()
	for _, r := range rows(t, "high-risk.txt", a.repo) {
		for i, p := range a.calls(r, "") {
			if code, msg := a.play(p); code != exitRefused || !strings.Contains(msg, "patterns.md") {
				t.Errorf("not refused (%d, exit status %d %s): %s", i, code, msg, r)
			}
		}
	}
}
