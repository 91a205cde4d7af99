//go:build unix

package settings

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A committed line finds mbgate on PATH, else in the project's node_modules/.bin; without it nothing fails, and the person
// is told once a session.
func TestSharedLine(t *testing.T) {
	project, path := t.TempDir(), t.TempDir()
	put := func(dir, says string) {
		t.Helper()
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "mbgate"), []byte("#!/bin/sh\necho "+says+" $*\nexit 2\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	c := Client{Name: "x", ProjectVar: "X_PROJECT"}
	run := func(c Client, event string) (string, int) {
		cmd := exec.Command("sh", "-c", c.sharedLine(Hook{Event: event}, "hook x"))
		cmd.Dir, cmd.Env = t.TempDir(), []string{"PATH=" + path + ":/usr/bin:/bin", "X_PROJECT=" + project}
		out, _ := cmd.CombinedOutput()
		return strings.TrimSpace(string(out)), cmd.ProcessState.ExitCode()
	}
	if out, status := run(c, "PreToolUse"); out != "" || status != 0 {
		t.Errorf("without a binary: %q, %d", out, status)
	}
	out, status := run(c, "SessionStart")
	var said struct{ SystemMessage string }
	if err := json.Unmarshal([]byte(out), &said); err != nil || status != 0 || !strings.Contains(said.SystemMessage, "not installed here") {
		t.Errorf("at the start: %q, %d, %v", out, status, err)
	}
	if out, status := run(Client{Layout: Flat}, "sessionStart"); status != 0 || !strings.HasPrefix(out, "mbgate: hooks of mbgate") {
		t.Errorf("at the start, without JSON: %q, %d", out, status)
	}
	put(filepath.Join(project, "node_modules", ".bin"), "project")
	if out, status := run(c, "PreToolUse"); out != "project hook x" || status != 2 {
		t.Errorf("from node_modules: %q, %d", out, status)
	}
	put(path, "path")
	if out, status := run(c, "PreToolUse"); out != "path hook x" || status != 2 {
		t.Errorf("from PATH: %q, %d", out, status)
	}
	if p, ours := c.program(c.sharedLine(Hook{Event: "PreToolUse"}, "hook x"), nil, Options{}); p != "mbgate" || !ours {
		t.Errorf("it is not known as ours: %q, %v", p, ours)
	}
}
