package project

import (
	"os"
	"runtime"
	"strconv"
	"syscall"
	"testing"

	"github.com/mbgate/mbgate/internal/place"
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

// The open files of a process are other files for each process that asks, so they are none of the project's.
func TestOpenFilesOfAProcess(t *testing.T) {
	top := grow(t, "p/a.md")
	f, err := os.Open(top + "/p/a.md")
	must(t, err)
	defer func() { must(t, f.Close()) }()
	for _, path := range []string{"/proc/self/fd/", "/proc/thread-self/fd/"} {
		path += strconv.Itoa(int(f.Fd()))
		if p := at(top+"/p", "").Locate("/", path); p.Kind != place.Special || p.Inside() {
			t.Errorf("%s: %+v", path, p)
		}
	}
	// Its root and its folder are what they are for the hook.
	if p := at(top+"/p", "").Locate("/", "/proc/self/root"+top+"/p/a.md"); p.Canon != "a.md" {
		t.Errorf("%+v", p)
	}
	t.Chdir(top + "/p")
	if p := at(top+"/p", "").Locate("/", "/proc/self/cwd/a.md"); p.Canon != "a.md" {
		t.Errorf("%+v", p)
	}
}
