package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// watched is a project with one session: start prepares a program there, event plays an event of the session.
func watched(t *testing.T) (start func(string, ...string) *exec.Cmd, event func(string)) {
	t.Helper()
	dir := t.TempDir()
	bank := filepath.Join(dir, "memory-bank")
	if err := os.MkdirAll(filepath.Join(bank, "details"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bank, "details", "patterns.md"), []byte("# Memory\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	start = func(program string, args ...string) *exec.Cmd {
		t.Helper()
		path, err := exec.LookPath(program)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(path, args...)
		cmd.Dir = dir
		cmd.Env = []string{
			"HOME=" + dir, "USERPROFILE=" + dir, "SystemRoot=" + os.Getenv("SystemRoot"), "PATH=" + os.Getenv("PATH"),
			"XDG_STATE_HOME=" + filepath.Join(dir, "state"), "XDG_CONFIG_HOME=" + filepath.Join(dir, "config"),
			"TERM=xterm", "NO_COLOR=1",
		}
		return cmd
	}
	event = func(fields string) {
		t.Helper()
		hook := start("mbgate", "hook", "claude-code")
		cwd, err := json.Marshal(dir)
		if err != nil {
			t.Fatal(err)
		}
		hook.Stdin = strings.NewReader(`{"session_id":"w1","transcript_path":"/h/.claude/t.jsonl","cwd":` + string(cwd) + `,` + fields + `}`)
		if out, err := hook.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	event(`"hook_event_name":"SessionStart","source":"startup"`)
	return start, event
}

// For machines there is one line for each change, and none besides.
func TestWatchPrintsAnObjectForEachChange(t *testing.T) {
	start, event := watched(t)
	cmd := start("mbgate", "status", "--watch", "--json")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	lines := bufio.NewReader(out)
	for _, want := range []string{"clear", "recovery 0/1", "clear"} {
		var st struct {
			Sessions []struct{ State string }
		}
		line, err := lines.ReadBytes('\n')
		if err == nil {
			err = json.Unmarshal(line, &st)
		}
		if err != nil || len(st.Sessions) != 1 || st.Sessions[0].State != want {
			t.Fatalf("%s, %v; want a session that is %s", line, err, want)
		}
		switch want {
		case "clear":
			event(`"hook_event_name":"SessionStart","source":"compact"`)
		case "recovery 0/1":
			time.Sleep(2500 * time.Millisecond) // a look comes every 2 s, and finds only that time went by
			event(`"hook_event_name":"PostToolUse","tool_name":"Read","tool_use_id":"r1","tool_input":{"file_path":"memory-bank/details/patterns.md"},` +
				`"tool_response":{"type":"text","file":{"filePath":"p","content":"# Memory","numLines":1,"startLine":1,"totalLines":2}}`)
		}
	}
}
