package project

import (
	"os"
	"runtime"
	"syscall"
	"testing"
)

// unprivileged runs f as somebody to whom file permissions apply, also when the tests are run by root.
func unprivileged(t *testing.T, top string, f func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		f()
		return
	}
	const nobody = 65534
	must(t, os.Chown(top+"/p", nobody, nobody))
	for _, dir := range []string{top, parent(top)} {
		must(t, os.Chmod(dir, 0o755))
	}
	// The identity is this thread's alone, and giving it up takes the rights of root over files away.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	must(t, syscall.Setfsuid(nobody))
	defer func() { must(t, syscall.Setfsuid(0)) }()
	if _, err := os.ReadFile(top + "/p/unreadable"); err == nil {
		t.Fatal("permissions do not apply")
	}
	f()
}
