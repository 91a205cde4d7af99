//go:build unix

package project

import (
	"os"
	"syscall"
	"testing"
	"time"
)

func mkdirIn(t testing.TB, name string) {
	t.Helper()
	must(t, os.Mkdir(name, 0o755))
	must(t, syscall.Chdir(name))
}

// soon fails the test when f blocks. The time is far above what f needs, and only ever runs out when f never returns.
func soon(t testing.TB, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("blocked")
	}
}
