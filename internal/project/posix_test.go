//go:build unix

package project

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mbgate/mbgate/internal/place"
)

func mkdirIn(t testing.TB, name string) {
	t.Helper()
	must(t, os.Mkdir(name, 0o755))
	must(t, syscall.Chdir(name))
}

func TestLocateDeeperThanPathMax(t *testing.T) {
	top := grow(t, "p/")
	// A tree this deep can only be made and reached in steps.
	name := strings.Repeat("d", 250)
	deep := "p"
	t.Chdir(top + "/p")
	for range 20 {
		mkdirIn(t, name)
		deep += "/" + name
	}
	t.Chdir(top)
	p := at(top+"/p", "").Locate(top, deep+"/m.md")
	if p.Canon != strings.TrimPrefix(deep, "p/")+"/m.md" || p.Kind != place.Unknown {
		t.Errorf("%d of %d bytes, %s", len(p.Canon), len(deep), kindName(p.Kind))
	}
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

func TestFifo(t *testing.T) {
	top := grow(t, "p/memory-bank/details/", "q/", "r/")
	must(t, syscall.Mkfifo(top+"/p/memory-bank/details/progress.md", 0o600))
	must(t, syscall.Mkfifo(top+"/p/.mbgate.toml", 0o600))
	must(t, syscall.Mkfifo(top+"/q/.git", 0o600))
	must(t, syscall.Mkfifo(top+"/q/memory-bank", 0o600))
	must(t, os.Symlink("memory-bank/details/progress.md", top+"/p/l"))
	soon(t, func() {
		if r, err := Find(Candidates{Cwd: top + "/p/memory-bank", Home: top}); err != nil || r.Dir != top+"/p" || r.HasConfig {
			t.Errorf("%+v, %v", r, err)
		}
		if r, err := Find(Candidates{Cwd: top + "/q", Home: top}); err != nil || r.Dir != top+"/q" || r.HasBank || r.checkout().top != "" {
			t.Errorf("%+v, %v", r, err)
		}
		d := at(top+"/p", top+"/p")
		p := d.Locate("", "l")
		if p.Kind != place.Special || p.Canon != "memory-bank/details/progress.md" {
			t.Errorf("%+v", p)
		}
		if s := d.Stat(p); s.Kind != place.Special || s.Readable {
			t.Errorf("%+v", s)
		}
		var not *notRegularError
		if _, err := d.Open(p); !errors.As(err, &not) {
			t.Errorf("opened: %v", err)
		}
		if _, ok := d.Text(p.Abs, 10); ok {
			t.Error("has a text")
		}
		if _, ok := d.Names(p.Abs); ok {
			t.Error("has entries")
		}
		// What was a file when it was located and is a FIFO when it is opened.
		late := d.Locate("", "late")
		must(t, syscall.Mkfifo(late.Phys, 0o600))
		if _, err := d.Open(late); !errors.As(err, &not) {
			t.Errorf("opened: %v", err)
		}
	})
}

func TestSocket(t *testing.T) {
	top := grow(t, "p/")
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	must(t, err)
	defer func() { must(t, syscall.Close(fd)) }()
	t.Chdir(top + "/p")
	must(t, syscall.Bind(fd, &syscall.SockaddrUnix{Name: "s"}))
	d := at(top+"/p", "")
	if p := d.Locate("", "s"); p.Kind != place.Special || d.Stat(p).Readable {
		t.Errorf("%+v", p)
	}
	if _, err := d.Open(d.Locate("", "s")); err == nil {
		t.Error("opened")
	}
}

// A process that may not look into a folder cannot tell what is in it, and must not take it for empty.
func TestWithoutPermission(t *testing.T) {
	top := grow(t, "p/locked/secret/a.md", "p/locked/link -> secret", "p/a.md", "p/unreadable=x", "p/l -> locked/link/a.md", "p/q/memory-bank/")
	must(t, os.Chmod(top+"/p/unreadable", 0))
	must(t, os.Chmod(top+"/p/locked", 0))
	t.Cleanup(func() { must(t, os.Chmod(top+"/p/locked", 0o700)) })
	unprivileged(t, top, func() {
		d := at(top+"/p", "")
		for path, canon := range map[string]string{
			"locked/secret/a.md":    "locked/secret/a.md",
			"locked/link/new":       "locked/link/new",
			"locked/../a.md":        "a.md",
			"locked/link/../../p":   "p",
			"locked/x/../../a.md":   "a.md",
			"l":                     "locked/link/a.md",
			"locked/secret/../../.": ".",
		} {
			p := d.Locate("", path)
			if p.Canon != canon {
				t.Errorf("%s: %q", path, p.Canon)
			}
			if known := canon == "a.md" || canon == "." || canon == "p"; known == (p.Kind == place.Unknown) {
				t.Errorf("%s: %s", path, kindName(p.Kind))
			}
		}
		if s := d.Stat(d.Locate("", "locked/secret/a.md")); s != (Stamp{}) {
			t.Errorf("%+v", s)
		}
		p := d.Locate("", "unreadable")
		if s := d.Stat(p); s.Kind != place.File || s.Size != 1 || s.Readable {
			t.Errorf("%+v", s)
		}
		if _, err := d.Open(p); !errors.Is(err, os.ErrPermission) {
			t.Errorf("opened: %v", err)
		}
		if _, ok := d.Names(top + "/p/locked"); ok {
			t.Error("listed")
		}
		r, err := Find(Candidates{Cwd: top + "/p/locked/secret", Home: top, Roots: []string{top + "/p/q"}})
		if err != nil || r.Dir != top+"/p/q" {
			t.Errorf("root %q, %v", r.Dir, err)
		}
	})
}
