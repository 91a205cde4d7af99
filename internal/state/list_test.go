package state

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mbgate/mbgate/internal/gate"
)

// put saves a session as it would stand after an event long ago.
func put(t testing.TB, s *Store, id, root string, last time.Time) {
	t.Helper()
	mustUpdate(t, s, id, func(in gate.Session) (gate.Session, error) {
		in.Root, in.LastAt, in.StartedAt = root, last, last
		return in, nil
	})
	age(t, s, id, last)
}

// age sets the time of a session's files.
func age(t testing.TB, s *Store, id string, at time.Time) {
	t.Helper()
	for _, path := range files(t, s, fileName(id)) {
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
}

func TestList(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	if all, err := s.List(""); err != nil || len(all) != 0 {
		t.Errorf("an empty store lists %v %v", all, err)
	}
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	put(t, s, "a", "/r", now)
	put(t, s, "b", "/r", now.Add(time.Hour))
	put(t, s, "c", "/q", now.Add(2*time.Hour))
	put(t, s, "broken", "/r", now)
	write("x")(t, s.Path("broken"))
	put(t, s, "mended", "/q", now)
	mustUpdate(t, s, "mended", increment)
	write("x")(t, s.Path("mended"))
	for _, file := range []string{"config.toml", "notes.json", strings.Repeat("g", 64) + ".json", "x.lock"} {
		write("x")(t, filepath.Join(s.Dir(), file))
	}
	ids := func(root string) string {
		all, err := s.List(root)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, e := range all {
			fmt.Fprintf(&b, "%s%s ", e.Session.ID, map[bool]string{true: "!"}[e.Problem != nil])
		}
		return b.String()
	}
	if got := ids("/r"); got != "b a ! " {
		t.Errorf("of /r: %s", got)
	}
	if got := ids("/q"); got != "c mended! ! " {
		t.Errorf("of /q: %s", got)
	}
	if all, _ := s.List(""); len(all) != 5 {
		t.Errorf("all: %v", all)
	}
}

func TestRemove(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	for range 3 {
		mustUpdate(t, s, "a", increment)
		mustUpdate(t, s, "b", increment)
		mustUpdate(t, s, "broken", increment)
	}
	write("x")(t, s.Path("broken"))
	if n, err := s.Remove("a", "never", "broken", "../../x", ""); n != 2 || err != nil {
		t.Errorf("removed %d: %v", n, err)
	}
	if _, found := mustLoad(t, s, "a"); found {
		t.Error("still there")
	}
	if got, _ := mustLoad(t, s, "b"); count(got) != 3 {
		t.Errorf("the other is %+v", got)
	}
	if left := files(t, s, fileName("a")); len(left) > 0 && !onWindows {
		t.Errorf("left %v", left)
	}
	if got := mustUpdate(t, s, "a", increment); count(got) != 1 || got.Damaged {
		t.Errorf("a new session with the old id: %+v", got)
	}
}

func TestSweep(t *testing.T) {
	now := time.Now()
	s := Open(t.TempDir(), Options{Now: func() time.Time { return now.Add(-40 * 24 * time.Hour) }})
	if n, err := s.Sweep(now); n != 0 || err != nil {
		t.Error(n, err)
	}
	old, recent := now.Add(-31*24*time.Hour), now.Add(-20*24*time.Hour)
	put(t, s, "old", "/r", old)
	put(t, s, "recent", "/r", recent)
	put(t, s, "restored", "/r", old) // its file is new
	age(t, s, "restored", recent)
	put(t, s, "copied", "/r", recent) // only its file is old
	age(t, s, "copied", old)
	put(t, s, "broken", "/r", old)
	write("x")(t, s.Path("broken"))
	age(t, s, "broken", old)
	put(t, s, "newer", "/r", old)
	write(string(seal([]byte(`{"schema":99`))))(t, s.Path("newer"))
	age(t, s, "newer", old)
	mustUpdate(t, s, "orphan", increment)
	mustUpdate(t, s, "orphan", increment)
	_ = os.Remove(s.Path("orphan")) // only a previous generation is left, of today
	put(t, s, "orphan2", "/r", old)
	mustUpdate(t, s, "orphan2", unchanged)
	if err := os.Rename(s.Path("orphan2"), s.path(fileName("orphan2"), extPrevious)); err != nil {
		t.Fatal(err)
	}
	put(t, s, "lock", "/r", old) // only a lock is left
	_ = os.Remove(s.Path("lock"))
	put(t, s, "damaged", "/r", now)
	write("x")(t, s.Path("damaged"))
	mustUpdate(t, s, "damaged", recovered) // moved aside 40 days ago by the store's clock
	for file, at := range map[string]time.Time{"-old": now.Add(-2 * time.Hour), "-new": now} {
		write("x")(t, s.path(fileName("t"), extTemp+file))
		_ = os.Chtimes(s.path(fileName("t"), extTemp+file), at, at)
	}
	write("x")(t, filepath.Join(s.Dir(), "config.toml"))
	_ = os.Chtimes(filepath.Join(s.Dir(), "config.toml"), old, old)

	s.sweepDue(now.Add(-25 * time.Hour)) // a sweep of yesterday
	if n, err := s.Sweep(now); n != 3 || err != nil {
		t.Errorf("swept %d: %v", n, err)
	}
	for id, want := range map[string]bool{
		"old": false, "recent": true, "restored": true, "copied": true, "broken": false, "orphan": true, "orphan2": false, "damaged": true,
	} {
		if _, found := mustLoad(t, s, id); found != want {
			t.Errorf("%s: there %v, want %v", id, found, want)
		}
	}
	_, _, err := s.Load("newer")
	asError[*NewerSchemaError](t, err)
	if left := files(t, s, extDamaged); len(left) != 0 {
		t.Errorf("damaged files: %v", left)
	}
	if left := files(t, s, extTemp); len(left) != 1 {
		t.Errorf("temporary files: %v", left)
	}
	if left := files(t, s, fileName("lock")); len(left) > 0 && !onWindows {
		t.Errorf("lock files: %v", left)
	}
	if len(files(t, s, "config.toml")) != 1 {
		t.Error("a file that is not ours is gone")
	}

	put(t, s, "old", "/r", old)
	if n, _ := s.Sweep(now.Add(23 * time.Hour)); n != 0 {
		t.Error("swept twice a day")
	}
	if n, _ := s.Sweep(now.Add(25 * time.Hour)); n != 1 {
		t.Error("not swept the day after")
	}
	put(t, s, "old", "/r", old)
	if n, _ := s.Sweep(now.Add(-48 * time.Hour)); n != 0 { // the marker is in the future: swept, but nothing is that old
		t.Error(n)
	}
	if n, _ := s.Sweep(now.Add(-48 * time.Hour)); n != 0 {
		t.Error(n)
	}
}

// A sweep does not wait for a session that is in use.
func TestSweepLeavesTheLocked(t *testing.T) {
	now := time.Now()
	s := Open(t.TempDir(), Options{})
	put(t, s, "old", "/r", now.Add(-31*24*time.Hour))
	unlock, ok, err := s.tryLock(fileName("old"))
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	if n, err := s.sweep(now); n != 0 || err != nil {
		t.Error(n, err)
	}
	unlock()
	if n, err := s.sweep(now); n != 1 || err != nil {
		t.Error(n, err)
	}
}

// One run of the sweep is bounded, and the rest is done by later runs, an hour apart.
func TestSweepIsBounded(t *testing.T) {
	now := time.Now()
	s := Open(t.TempDir(), Options{})
	const sessions = sweepRemoves + 40
	for i := range sessions {
		put(t, s, fmt.Sprint(i), "/r", now.Add(-31*24*time.Hour))
	}
	s.sweepDue(now.Add(-25 * time.Hour))
	n, err := s.Sweep(now)
	if n > sweepRemoves || n == 0 || err != nil {
		t.Fatalf("one run removed %d: %v", n, err)
	}
	if more, _ := s.Sweep(now.Add(30 * time.Minute)); more != 0 {
		t.Error("no pause between runs")
	}
	more, err := s.Sweep(now.Add(61 * time.Minute))
	if n+more != sessions || err != nil {
		t.Errorf("removed %d + %d of %d: %v", n, more, sessions, err)
	}
}

// reloadDirs sets the environment that the folders are taken from.
func reloadDirs(t *testing.T, env map[string]string) {
	t.Helper()
	t.Cleanup(reload) // runs after the environment is set back
	for name, value := range env {
		t.Setenv(name, value)
	}
	reload()
}

func TestDirs(t *testing.T) {
	reloadDirs(t, map[string]string{"XDG_STATE_HOME": "/s", "XDG_CONFIG_HOME": "/c", "HOME": "/h"})
	for _, c := range []struct {
		got  func() (string, error)
		want string
	}{{Dir, filepath.FromSlash("/s/mbgate")}, {ConfigDir, filepath.FromSlash("/c/mbgate")}} {
		if got, err := c.got(); got != c.want && !onWindows || err != nil {
			t.Errorf("%q %v, want %q", got, err, c.want)
		}
	}
	if onWindows {
		return
	}
	// Relative and empty ones count as not set.
	for _, v := range []string{"", "rel", "./rel", "../rel"} {
		reloadDirs(t, map[string]string{"XDG_STATE_HOME": v, "XDG_CONFIG_HOME": v, "HOME": "/h"})
		for _, f := range []func() (string, error){Dir, ConfigDir} {
			if got, err := f(); !strings.HasPrefix(got, "/h/") || !strings.HasSuffix(got, "/mbgate") || err != nil {
				t.Errorf("with %q: %q %v", v, got, err)
			}
		}
	}
	// No way to know where: an error, never a folder relative to wherever the agent works.
	reloadDirs(t, map[string]string{"XDG_STATE_HOME": "", "XDG_CONFIG_HOME": "", "HOME": "rel"})
	for _, f := range []func() (string, error){Dir, ConfigDir} {
		if got, err := f(); err == nil || !strings.Contains(err.Error(), "HOME") {
			t.Errorf("with a relative home: %q %v", got, err)
		}
	}
}

func TestErrorsUnwrap(t *testing.T) {
	cause := errors.New("cause")
	for _, err := range []error{&SaveError{"p", cause}, &ReadError{"p", cause}, &LockError{Path: "p", Err: cause}} {
		if !errors.Is(err, cause) || !strings.Contains(err.Error(), "cause") {
			t.Error(err)
		}
	}
}

func BenchmarkStore(b *testing.B) {
	for _, sessions := range []int{1, 100, 10000} {
		s := Open(b.TempDir(), Options{})
		for i := range sessions {
			put0(b, s, fmt.Sprint(i))
		}
		id := fmt.Sprint(sessions / 2)
		b.Run(fmt.Sprintf("Load/%d", sessions), func(b *testing.B) {
			for b.Loop() {
				mustLoad(b, s, id)
			}
		})
		b.Run(fmt.Sprintf("Missing/%d", sessions), func(b *testing.B) {
			for b.Loop() {
				mustLoad(b, s, "never")
			}
		})
		b.Run(fmt.Sprintf("Unchanged/%d", sessions), func(b *testing.B) {
			for b.Loop() {
				mustUpdate(b, s, id, unchanged)
			}
		})
		b.Run(fmt.Sprintf("Update/%d", sessions), func(b *testing.B) {
			for b.Loop() {
				mustUpdate(b, s, id, increment)
			}
		})
		b.Run(fmt.Sprintf("List/%d", sessions), func(b *testing.B) {
			for b.Loop() {
				if all, err := s.List("/r"); err != nil || len(all) != sessions {
					b.Fatal(len(all), err)
				}
			}
		})
		now := time.Now()
		b.Run(fmt.Sprintf("SweepNotDue/%d", sessions), func(b *testing.B) {
			s.sweepDue(now)
			for b.Loop() {
				_, _ = s.Sweep(now)
			}
		})
		b.Run(fmt.Sprintf("Sweep/%d", sessions), func(b *testing.B) {
			for b.Loop() {
				_, _ = s.sweep(now)
			}
		})
	}
}

// put0 saves a session of usual size, about 4 kB.
func put0(t testing.TB, s *Store, id string) {
	t.Helper()
	mustUpdate(t, s, id, func(in gate.Session) (gate.Session, error) {
		in.Root, in.LastAt = "/r", time.Now()
		in.Changed = map[string]time.Time{}
		for i := range 50 {
			in.Changed[fmt.Sprintf("internal/some/package/file%d.go", i)] = in.LastAt
		}
		return in, nil
	})
}
