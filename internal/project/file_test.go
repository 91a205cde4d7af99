//go:build unix

package project

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"github.com/mbgate/mbgate/internal/place"
)

func TestStat(t *testing.T) {
	top := grow(t, "p/a.md=hello", "p/b.md=hello", "p/d/", "p/l -> a.md", "p/loop -> loop")
	d := at(top+"/p", "")
	a, b := d.Stat(d.Locate("", "a.md")), d.Stat(d.Locate("", "b.md"))
	if a.Kind != place.File || a.Size != 5 || a.Mod == 0 || !a.Readable {
		t.Errorf("%+v", a)
	}
	if a.Inode == b.Inode && a.Inode != 0 {
		t.Errorf("two files are %d", a.Inode)
	}
	if l := d.Stat(d.Locate("", "l")); l != a {
		t.Errorf("through a link %+v, not %+v", l, a)
	}
	if s := d.Stat(d.Locate("", "d")); s.Kind != place.Folder || s.Readable {
		t.Errorf("folder %+v", s)
	}
	if s := d.Stat(d.Locate("", "gone")); s != (Stamp{Kind: place.Missing}) {
		t.Errorf("missing %+v", s)
	}
	if s := d.Stat(d.Locate("", "a.md/x")); s != (Stamp{Kind: place.Missing}) {
		t.Errorf("below a file %+v", s)
	}
	if s := d.Stat(d.Locate("", "loop")); s != (Stamp{}) {
		t.Errorf("loop %+v", s)
	}
	if s := d.Stat(place.Place{}); s != (Stamp{}) {
		t.Errorf("nothing %+v", s)
	}
	// A stat is of now, whatever was seen before.
	p := d.Locate("", "a.md")
	must(t, os.Remove(top+"/p/a.md"))
	if s := d.Stat(p); s.Kind != place.Missing {
		t.Errorf("removed %+v", s)
	}
	must(t, os.Symlink("b.md", top+"/p/a.md"))
	if s := d.Stat(p); s != (Stamp{}) {
		t.Errorf("replaced by a link %+v", s)
	}
	if f, err := d.Open(p); err == nil {
		_ = f.Close()
		t.Error("opened through a link that was none when it was located")
	}
}

// A change in place shows although the size stays and the time stamp is set back.
func TestStampOfARestoredTime(t *testing.T) {
	top := grow(t, "p/a.md=hello")
	d := at(top+"/p", "")
	old := time.Unix(1_700_000_000, 0)
	must(t, os.Chtimes(top+"/p/a.md", old, old))
	before := d.Stat(d.Locate("", "a.md"))
	// The kernel's clock for files ticks every few milliseconds.
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		must(t, os.WriteFile(top+"/p/a.md", []byte("HELLO"), 0o600))
		must(t, os.Chtimes(top+"/p/a.md", old, old))
		if d.Stat(d.Locate("", "a.md")) != before {
			return
		}
	}
	t.Error("the stamp is the same for another content")
}

func TestOpen(t *testing.T) {
	text := bytes.Repeat([]byte("line\n"), 100_000)
	top := grow(t, "p/a.md="+string(text), "p/empty", "p/d/", "p/l -> a.md")
	d := at(top+"/p", "")
	f, err := d.Open(d.Locate("", "l"))
	must(t, err)
	got, err := io.ReadAll(f)
	if err != nil || !bytes.Equal(got, text) || f.Size() != int64(len(text)) {
		t.Errorf("read %d of %d bytes, size %d, error %v", len(got), len(text), f.Size(), err)
	}
	var mid [5]byte
	if n, err := f.ReadAt(mid[:], 5); n != 5 || err != nil || string(mid[:]) != "line\n" {
		t.Errorf("read %q, %v", mid[:n], err)
	}
	if n, err := f.ReadAt(mid[:], f.Size()-2); n != 2 || err != io.EOF {
		t.Errorf("at the end %d, %v", n, err)
	}
	must(t, f.Close())

	f, err = d.Open(d.Locate("", "empty"))
	must(t, err)
	if got, err := io.ReadAll(f); err != nil || len(got) != 0 {
		t.Errorf("empty file: %q, %v", got, err)
	}
	must(t, f.Close())

	var not *notRegularError
	for _, path := range []string{"d", ".", "/dev/null", "/dev/tty"} {
		if f, err := d.Open(d.Locate("", path)); err == nil {
			_ = f.Close()
			t.Errorf("opened %s", path)
		} else if path != "/dev/tty" && !errors.As(err, &not) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := d.Open(d.Locate("", "gone")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	if _, err := d.Open(place.Place{}); err == nil {
		t.Error("opened nothing")
	}
}

func TestText(t *testing.T) {
	top := grow(t, "p/five=12345", "p/empty", "p/d/", "p/l -> five", "p/big="+string(make([]byte, 10_000)))
	d := at(top+"/p", "")
	for _, c := range []struct {
		path  string
		limit int
		want  int // -1 is false
	}{
		{"five", 5, 5},
		{"five", 4, -1},
		{"five", 1 << 30, 5},
		{"l", 5, 5},
		{"empty", 0, 0},
		{"five", 0, -1},
		{"d", 5, -1},
		{"gone", 5, -1},
		{"big", 10_000, 10_000},
		{"big", 9_999, -1},
		{"five/x", 5, -1},
	} {
		got, ok := d.Text(top+"/p/"+c.path, c.limit)
		if ok != (c.want >= 0) || ok && len(got) != c.want {
			t.Errorf("%s, at most %d: %d bytes, %v", c.path, c.limit, len(got), ok)
		}
	}
}

func TestNamesOfALargeFolder(t *testing.T) {
	top := grow(t, "p/")
	for i := range maxNames {
		must(t, os.WriteFile(fmt.Sprintf("%s/p/%d", top, i), nil, 0o600))
	}
	if got, ok := at(top+"/p", "").Names(top + "/p"); !ok || len(got) != maxNames {
		t.Errorf("%d names, %v", len(got), ok)
	}
	plant(t, top, "p/one-more")
	if got, ok := at(top+"/p", "").Names(top + "/p"); ok || got != nil {
		t.Errorf("%d names", len(got))
	}
	// Names that fold are then taken as they were asked for.
	d := New(Root{Dir: top + "/p"}, Options{Folding: place.Folded})
	if p := d.Locate("", "ONE-MORE"); p.Canon != "one-more" || p.Shown != "ONE-MORE" {
		t.Errorf("%+v", p)
	}
}
