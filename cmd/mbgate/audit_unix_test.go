//go:build unix

package main

import (
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestAuditIsInterrupted presses Ctrl-C inside a line that has no end: the command stops and leaves nothing.
func TestAuditIsInterrupted(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	f, err := os.Create(filepath.Join(dir, "s.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(8 << 30); err != nil { // sparse
		t.Fatal(err)
	}
	f.Close()
	pressed := make(chan os.Signal, 1)
	signal.Notify(pressed, os.Interrupt)
	defer signal.Stop(pressed)
	var said strings.Builder
	a := newApp()
	a.stdout, a.stderr = &said, &said
	a.home = func() (string, error) { return dir, nil }
	once := false
	a.now = func() time.Time {
		if !once {
			once = true
			if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
				t.Error(err)
			}
			<-pressed
		}
		return time.Now()
	}
	err = a.audit(auditOptions{}, []string{f.Name()})
	if err == nil || err.Error() != "interrupted; nothing was changed" || said.Len() > 0 {
		t.Errorf("%v, said %q", err, said.String())
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}
