//go:build !windows

package state

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
)

const onWindows = false

func unixDamages() []damage {
	return []damage{
		{"a FIFO", instead(func(path string) error { return syscall.Mkfifo(path, 0o600) }), false},
		{"a link to nothing", instead(func(path string) error { return os.Symlink("nothing", path) }), false},
		{"a link to itself", instead(func(path string) error { return os.Symlink(path, path) }), false},
		{"a link to a device", instead(func(path string) error { return os.Symlink("/dev/zero", path) }), false},
		// A link to a state that would be fine is one all the same: somebody else decides what it leads to.
		{"a link to a sound state", func(t *testing.T, path string) {
			other := filepath.Join(t.TempDir(), "state")
			raw, _ := os.ReadFile(path)
			if err := errors.Join(os.WriteFile(other, raw, 0o600), os.Remove(path), os.Symlink(other, path)); err != nil {
				t.Fatal(err)
			}
		}, false},
	}
}

// forbidWriting makes every write of this process fail as on a full disk.
func forbidWriting() {
	signal.Ignore(syscall.SIGXFSZ)
	_ = syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{})
}

// nobody gives a copy of the test binary that others may run, and runs it as a user without privileges if we have any:
// root may read and write whatever the permissions say.
func nobody(t *testing.T, dir string) (exePath string, with func(*exec.Cmd)) {
	t.Helper()
	if os.Geteuid() != 0 {
		return exe(t), nil
	}
	const uid = 65534
	open, err := os.MkdirTemp("", "mbgate")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(open) })
	raw, err := os.ReadFile(exe(t))
	if err != nil {
		t.Fatal(err)
	}
	exePath = filepath.Join(open, "state.test")
	if err := errors.Join(os.Chmod(open, 0o755), os.WriteFile(exePath, raw, 0o755)); err != nil {
		t.Fatal(err)
	}
	for d := dir; d != os.TempDir() && d != "/"; d = filepath.Dir(d) {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	err = filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, uid, uid))
	})
	if err != nil {
		t.Fatal(err)
	}
	return exePath, func(c *exec.Cmd) {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
	}
}

// once runs the helper for one update.
func once(t testing.TB, exe, mode, dir, id string, with func(*exec.Cmd)) outcome {
	t.Helper()
	c, out := start(t, exe, mode, dir, id, 1, with)
	raw, _ := io.ReadAll(out)
	if err := c.Wait(); err != nil {
		t.Fatalf("helper: %v: %s", err, raw)
	}
	var o outcome
	if err := json.Unmarshal(raw, &o); err != nil {
		t.Fatalf("helper said %q: %v", raw, err)
	}
	return o
}

func TestUnreadable(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	mustUpdate(t, s, "s1", increment)
	mustUpdate(t, s, "s1", increment)
	bin, with := nobody(t, s.Dir())
	if err := os.Chmod(s.Path("s1"), 0); err != nil {
		t.Fatal(err)
	}
	if o := once(t, bin, "once", s.Dir(), "s1", with); !o.Damaged || !o.Found || o.Count != 2 || o.Kind != "" {
		t.Errorf("a file that may not be read: %+v", o)
	}
	if o := once(t, bin, "once", s.Dir(), "s1", with); o.Damaged || o.Count != 3 || o.Kind != "" {
		t.Errorf("then: %+v", o)
	}
	if len(files(t, s, extDamaged)) != 1 {
		t.Error("it was not moved aside")
	}
	// A folder that may not be searched is no damage.
	if err := os.Chmod(s.Dir(), 0); err != nil {
		t.Fatal(err)
	}
	if o := once(t, bin, "once", s.Dir(), "s1", with); o.Kind != "*state.ReadError" {
		t.Errorf("a folder that may not be searched: %+v", o)
	}
	_ = os.Chmod(s.Dir(), 0o700)
}

// If saving fails the verdict stands: the Session that f computed is returned (SPEC §18).
func TestReadOnlyFolder(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	mustUpdate(t, s, "s1", increment)
	bin, with := nobody(t, s.Dir())
	if err := os.Chmod(s.Dir(), 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(s.Dir(), 0o700)
	if o := once(t, bin, "once", s.Dir(), "s1", with); o.Kind != "*state.SaveError" || o.Count != 2 || o.Damaged {
		t.Errorf("a session known: %+v", o)
	}
	if o := once(t, bin, "once", s.Dir(), "s2", with); o.Kind != "*state.SaveError" || o.Count != 1 || o.Damaged {
		t.Errorf("a new session: %+v", o)
	}
	// A damaged one cannot be moved aside; that it is damaged still counts.
	if err := os.WriteFile(s.Path("s1"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if o := once(t, bin, "once", s.Dir(), "s1", with); o.Kind != "*state.SaveError" || o.Count != 1 || !o.Damaged {
		t.Errorf("a damaged session: %+v", o)
	}
}

func TestFullDisk(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	mustUpdate(t, s, "s1", increment)
	mustUpdate(t, s, "s1", increment)
	for range 2 {
		if o := once(t, exe(t), "once-no-space", s.Dir(), "s1", nil); o.Kind != "*state.SaveError" || o.Count != 3 {
			t.Errorf("a session known: %+v", o)
		}
	}
	if o := once(t, exe(t), "once-no-space", s.Dir(), "s2", nil); o.Kind != "*state.SaveError" || o.Count != 1 {
		t.Errorf("a new session: %+v", o)
	}
	if got, _ := mustLoad(t, s, "s1"); got.Damaged || count(got) != 2 {
		t.Errorf("then %+v", got)
	}
	if _, found := mustLoad(t, s, "s2"); found {
		t.Error("a session appeared that was never saved")
	}
	if left := files(t, s, extTemp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	// A damaged session stays one until it can be saved.
	write("")(t, s.Path("s1"))
	for range 2 {
		if o := once(t, exe(t), "once-no-space", s.Dir(), "s1", nil); o.Kind != "*state.SaveError" || !o.Damaged || o.Count != 2 {
			t.Errorf("a damaged session: %+v", o)
		}
	}
}

func TestNoFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	write("x")(t, file)
	for _, dir := range []string{file, filepath.Join(file, "mbgate"), "/dev/null/.local/state/mbgate"} {
		s := Open(dir, Options{})
		if got, found := mustLoad(t, s, "s1"); found || got.Damaged {
			t.Errorf("%s: loaded %+v", dir, got)
		}
		got, err := s.Update("s1", increment)
		asError[*SaveError](t, err)
		if count(got) != 1 {
			t.Errorf("%s: the verdict is %+v", dir, got)
		}
		if all, err := s.List(""); len(all) > 0 || err != nil {
			t.Errorf("%s: listed %v %v", dir, all, err)
		}
		if n, err := s.Remove("s1"); n != 0 || err != nil {
			t.Errorf("%s: removed %d %v", dir, n, err)
		}
		if n, err := s.Sweep(s.now()); n != 0 || err != nil {
			t.Errorf("%s: swept %d %v", dir, n, err)
		}
	}
	if raw, _ := os.ReadFile(file); string(raw) != "x" {
		t.Errorf("the file became %q", raw)
	}
}

// Whatever stands in place of the lock is neither followed nor waited for.
func TestLockIsNoFile(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "made")
	for name, make := range map[string]func(string) error{
		"a FIFO":            func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a folder":          func(path string) error { return os.Mkdir(path, 0o700) },
		"a link to nothing": func(path string) error { return os.Symlink(outside, path) },
	} {
		s := Open(t.TempDir(), Options{})
		mustUpdate(t, s, "s1", increment)
		path := s.path(fileName("s1"), extLock)
		if err := errors.Join(os.Remove(path), make(path)); err != nil {
			t.Fatal(err)
		}
		got, err := s.Update("s1", increment)
		if count(got) != 2 {
			t.Errorf("%s: the verdict is %+v %v", name, got, err)
		}
		if _, err := os.Lstat(outside); err == nil {
			t.Errorf("%s: followed", name)
		}
	}
}

// A file of another user is damage, but not where the file system shows everything as owned by one user.
func TestForeign(t *testing.T) {
	dir := t.TempDir()
	root, err := os.Stat("/")
	if err != nil {
		t.Fatal(err)
	}
	owner := root.Sys().(*syscall.Stat_t).Uid
	if foreign(int64(owner), "/") {
		t.Error("the folder's owner is a stranger in it")
	}
	if os.Geteuid() != 0 {
		if !foreign(int64(owner), dir) {
			t.Error("a file of root in our folder is ours")
		}
		return
	}
	s := Open(dir, Options{})
	mustUpdate(t, s, "s1", increment)
	if err := os.Chown(s.Path("s1"), 12345, 12345); err != nil {
		t.Fatal(err)
	}
	if got, _ := mustLoad(t, s, "s1"); !got.Damaged {
		t.Errorf("a file of another user: %+v", got)
	}
	if err := os.Chown(dir, 12345, 12345); err != nil {
		t.Fatal(err)
	}
	if got, _ := mustLoad(t, s, "s1"); got.Damaged || count(got) != 1 {
		t.Errorf("a file of the folder's owner: %+v", got)
	}
}

// A reader gets a whole state also where the reading process is slow to start: nothing hangs on a FIFO with no writer.
func TestFIFODoesNotHang(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	name := fileName("s1")
	for _, ext := range []string{extCurrent, extPrevious, extLock} {
		if err := syscall.Mkfifo(s.path(name, ext), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(s.path(sweptName, ""), 0o600); err != nil {
		t.Fatal(err)
	}
	c, out := start(t, exe(t), "once", s.Dir(), "s1", 1, nil)
	if raw, _ := io.ReadAll(out); len(raw) == 0 {
		t.Error("the helper said nothing")
	}
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
	if _, err := s.Sweep(s.now()); err != nil {
		t.Error(err)
	}
}
