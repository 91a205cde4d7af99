//go:build !windows

package journal

import (
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
)

const onWindows = false

// forbidWriting makes every write of this process fail as on a full disk.
func forbidWriting() {
	signal.Ignore(syscall.SIGXFSZ)
	_ = syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{})
}

func TestFullDisk(t *testing.T) {
	j := files{t.TempDir(), maxFile, generations}
	if err := j.append(Record{At: at, Tool: "first"}); err != nil {
		t.Fatal(err)
	}
	if out, err := helper(j.dir, "no-space", "x", 1, maxFile).CombinedOutput(); err == nil || len(out) == 0 {
		t.Errorf("a full disk was not reported: %q %v", out, err)
	}
	if rs := all(t, j); len(rs) != 1 || rs[0].Tool != "first" {
		t.Errorf("read %+v", rs)
	}
}

// Whatever stands in place of a file is neither followed nor waited for.
func TestNoFile(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "made")
	for name, make := range map[string]func(string) error{
		"a FIFO":            func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a link to nothing": func(path string) error { return os.Symlink(outside, path) },
		"a link to null":    func(path string) error { return os.Symlink("/dev/null", path) },
	} {
		j := files{t.TempDir(), 10, generations}
		_ = os.MkdirAll(j.folder(), 0o700)
		for _, path := range []string{j.path(0), j.path(1), filepath.Join(j.folder(), "rotate.lock")} {
			if err := make(path); err != nil {
				t.Fatal(err)
			}
		}
		if err := j.append(Record{At: at}); err == nil {
			t.Errorf("%s: appended", name)
		}
		line, _ := Record{At: at, Tool: "old"}.line()
		if err := os.WriteFile(j.path(2), line, 0o600); err != nil {
			t.Fatal(err)
		}
		n := 0
		if err := (&Tail{files: j}).Next(func(Record) bool { n++; return true }); err == nil || n != 1 {
			t.Errorf("%s: read %d records: %v", name, n, err)
		}
		if _, err := os.Lstat(outside); err == nil {
			t.Errorf("%s: followed", name)
		}
		_ = os.Remove(j.path(0))
		for range 3 { // the lock is unusable or the generations are in the way: the record still gets in
			if err := j.append(Record{At: at}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
