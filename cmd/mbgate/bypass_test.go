//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"
)

// arena is a project on disk with a session that is in recovery.
type arena struct {
	t    *testing.T
	dir  string // holds repo/, home/, state/, config/
	repo string
	at   int // calls played so far
}

// bareArena is an empty project, with folders of its own for what mbgate and the user keep.
func bareArena(t *testing.T) *arena {
	t.Helper()
	dir := t.TempDir()
	a := &arena{t: t, dir: dir, repo: filepath.Join(dir, "repo")}
	for _, d := range []string{"home", "state", "config", "repo"} {
		a.check(os.MkdirAll(filepath.Join(dir, d), 0o755))
	}
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "config"))
	t.Setenv("HOME", filepath.Join(dir, "home"))
	t.Setenv("CLAUDE_PROJECT_DIR", "")
	xdg.Reload() // the state folder of macOS and Windows
	return a
}

// newArena makes the project that testdata/gate speaks of and compacts a session in it.
func newArena(t *testing.T) *arena {
	t.Helper()
	a := bareArena(t)
	for name, text := range map[string]string{
		"src/a.go": "package a\n", "src/b.go": "package b\n", "package.json": "{}\n",
		"memory-bank/MEMORY.md": "line 1\nline 2\n", "memory-bank/details/patterns.md": "line 1\nline 2\n",
		"memory-bank/details/requirements/REQ-1.md": "line 1\nline 2\n",
		"script.sh":    "echo x > src/a.go\n",
		"change.patch": "--- a/src/a.go\n+++ b/src/a.go\n@@ -1 +1 @@\n-package a\n+package z\n",
	} {
		a.put(name, text)
	}
	a.check(os.MkdirAll(filepath.Join(a.repo, "memory-bank/empty"), 0o755))
	a.check(os.Symlink("src", filepath.Join(a.repo, "link")))
	for _, args := range [][]string{
		{"tar", "cf", "archive.tar", "src/b.go"},
		{"git", "init", "-q"},
		{"git", "-c", "user.name=t", "-c", "user.email=t@example.org", "add", "."},
		{"git", "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "-m", "start"},
	} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = a.repo
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	a.put("src/a.go", "package a // changed, so that git has something to throw away\n")
	a.put("src/untracked.go", "package a\n")
	a.hook(map[string]any{"hook_event_name": "SessionStart", "source": "compact"})
	return a
}

func (a *arena) check(err error) {
	a.t.Helper()
	if err != nil {
		a.t.Fatal(err)
	}
}

func (a *arena) put(name, text string) {
	file := filepath.Join(a.repo, name)
	a.check(os.MkdirAll(filepath.Dir(file), 0o755))
	a.check(os.WriteFile(file, []byte(text), 0o644))
}

// hook plays one event of Claude Code through the program, in this process.
func (a *arena) hook(payload map[string]any) (status, string) {
	a.t.Helper()
	payload["session_id"], payload["cwd"] = "s", a.repo
	payload["transcript_path"] = "/home/dev/.claude/projects/p/s.jsonl"
	data, err := json.Marshal(payload)
	a.check(err)
	in := filepath.Join(a.dir, "in.json")
	a.check(os.WriteFile(in, data, 0o600))
	f, err := os.Open(in)
	a.check(err)
	defer f.Close()
	app := newApp()
	var out, errs bytes.Buffer
	app.stdin, app.stdout, app.stderr = f, &out, &errs
	app.getwd = func() (string, error) { return a.repo, nil }
	code := run(app, []string{"hook"})
	return code, errs.String()
}

func (a *arena) shell(command string) (status, string) {
	return a.hook(map[string]any{
		"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": map[string]string{"command": command},
		"tool_use_id": time.Now().String(),
	})
}

func (a *arena) edit() status {
	code, _ := a.hook(map[string]any{
		"hook_event_name": "PreToolUse", "tool_name": "Edit",
		"tool_input": map[string]string{"file_path": filepath.Join(a.repo, "src/a.go")}, "tool_use_id": time.Now().String(),
	})
	return code
}

// tree is every file of the project but git's own, with its content and mode.
func (a *arena) tree() map[string]string {
	out := map[string]string{}
	a.check(filepath.WalkDir(a.repo, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		out[p] = info.Mode().String()
		if d.Type().IsRegular() {
			text, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			out[p] += string(text)
		}
		return nil
	}))
	return out
}

func commands(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "gate", name))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		if line != "" && !strings.HasPrefix(line, "# ") {
			out = append(out, strings.ReplaceAll(line, `\n`, "\n"))
		}
	}
	return out
}

// TestWritesAreRefused: each command of the list is refused, and the gate is as shut after it as before.
func TestWritesAreRefused(t *testing.T) {
	a := newArena(t)
	for _, c := range commands(t, "writes.txt") {
		if code, msg := a.shell(c); code != exitRefused {
			t.Errorf("not refused (exit status %d %s): %s", code, msg, c)
		}
	}
	if code := a.edit(); code != exitRefused {
		t.Errorf("the gate is open: exit status %d", code)
	}
}

// TestHarmlessCommandsPass: each command of the list is let through, and running it for real changes no file.
func TestHarmlessCommandsPass(t *testing.T) {
	a := newArena(t)
	before := a.tree()
	for _, c := range commands(t, "harmless.txt") {
		if code, msg := a.shell(c); code != exitOK {
			t.Errorf("exit status %d: %s\n%s", code, c, msg)
			continue
		}
		cmd := exec.Command("bash", "-c", c)
		cmd.Dir = a.repo
		_ = cmd.Run() // what it says is its own business
		after := a.tree()
		for p, was := range before {
			if after[p] != was {
				t.Errorf("%s changed %s", c, p)
			}
		}
		if len(after) != len(before) {
			t.Errorf("%s: %d files, before %d", c, len(after), len(before))
		}
	}
	if code := a.edit(); code != exitRefused {
		t.Errorf("the gate is open: exit status %d", code)
	}
}
