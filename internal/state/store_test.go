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

func unchanged(s gate.Session) (gate.Session, error) { return s, nil }

func TestFresh(t *testing.T) {
	s := Open(filepath.Join(t.TempDir(), "a", "mbgate"), Options{})
	got, found := mustLoad(t, s, "s1")
	if found || got.ID != "s1" || got.Schema != gate.Schema || got.Damaged {
		t.Errorf("a session never seen: %+v %v", got, found)
	}
	mustUpdate(t, s, "s1", unchanged)
	if _, err := os.Lstat(s.Dir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an update that changes nothing made the folder: %v", err)
	}
	mustUpdate(t, s, "s1", increment)
	if got, found := mustLoad(t, s, "s1"); !found || count(got) != 1 {
		t.Errorf("after a save: %+v %v", got, found)
	}
	info, err := os.Stat(s.Dir())
	if err != nil || info.Mode().Perm() != 0o700 && !onWindows {
		t.Errorf("folder: %v %v", info.Mode(), err)
	}
	mustUpdate(t, s, "s1", increment)
	for _, ext := range []string{extCurrent, extPrevious, extLock} {
		info, err := os.Lstat(s.path(fileName("s1"), ext))
		if err != nil || info.Mode() != 0o600 && !onWindows {
			t.Errorf("%s: %v %v", ext, info, err)
		}
	}
}

func TestFolderIsClosedToOthers(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	mustUpdate(t, Open(dir, Options{}), "s1", increment)
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 && !onWindows {
		t.Errorf("folder: %v %v", info.Mode(), err)
	}
}

func TestFolderMustBeAbsolute(t *testing.T) {
	for _, dir := range []string{"", "x", "./x"} {
		s := Open(dir, Options{})
		_, _, err := s.Load("s1")
		asError[*ReadError](t, err)
		_, err = s.Update("s1", increment)
		asError[*ReadError](t, err)
		_, err = s.List("")
		asError[*ReadError](t, err)
		_, err = s.Remove("s1")
		asError[*ReadError](t, err)
	}
}

// What changes nothing is not written: not for maps in another order or written to in place, not for times in another
// zone, not for a file that an older mbgate wrote in another form.
func TestUnchangedIsNotWritten(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	at := time.Date(2026, 3, 1, 12, 0, 0, 123456789, time.UTC)
	fill := func(in gate.Session) (gate.Session, error) {
		in.Root, in.LastAt, in.StartedAt = "/r", at.In(time.FixedZone("", 7200)), time.Now()
		in.Changed = map[string]time.Time{}
		for i := range 50 {
			in.Changed[fmt.Sprint(i)] = at
		}
		return in, nil
	}
	saved := mustUpdate(t, s, "s1", fill)
	path := s.Path("s1")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	steps := map[string]func(gate.Session) (gate.Session, error){
		"nothing": unchanged,
		"map built anew": func(in gate.Session) (gate.Session, error) {
			old := in.Changed
			in.Changed = map[string]time.Time{}
			for i := 49; i >= 0; i-- {
				in.Changed[fmt.Sprint(i)] = old[fmt.Sprint(i)]
			}
			return in, nil
		},
		"another zone": func(in gate.Session) (gate.Session, error) {
			in.LastAt = at.In(time.FixedZone("", -3600))
			in.StartedAt = saved.StartedAt // with a monotonic reading once
			return in, nil
		},
		"another id and schema": func(in gate.Session) (gate.Session, error) {
			in.ID, in.Schema = "s2", 0
			return in, nil
		},
	}
	for _, form := range []string{string(raw), unsealed(t, string(raw))} {
		if err := os.WriteFile(path, []byte(form), 0o600); err != nil {
			t.Fatal(err)
		}
		for name, f := range steps {
			mustUpdate(t, s, "s1", f)
			if now, _ := os.ReadFile(path); string(now) != form {
				t.Errorf("%s: written", name)
			}
		}
	}
	if _, err := os.Lstat(s.path(fileName("s1"), extPrevious)); err == nil {
		t.Error("a second generation was made")
	}
	// Written to in place is a change all the same.
	mustUpdate(t, s, "s1", func(in gate.Session) (gate.Session, error) {
		in.Changed["0"] = at.Add(time.Hour)
		return in, nil
	})
	if got, _ := mustLoad(t, s, "s1"); !got.Changed["0"].Equal(at.Add(time.Hour)) {
		t.Error("a change in place was lost")
	}
}

func TestFunctionFails(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	mustUpdate(t, s, "s1", increment)
	no := errors.New("no")
	_, err := s.Update("s1", func(in gate.Session) (gate.Session, error) {
		in.Agent = "77"
		return in, no
	})
	if err != no {
		t.Errorf("error %v", err)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		calls := 0
		_, _ = s.Update("s1", func(in gate.Session) (gate.Session, error) {
			if calls++; calls == 2 {
				panic("under the lock")
			}
			// Somebody else is faster, so f runs again with the lock held.
			mustUpdate(t, s, "s1", increment)
			in.Root = "/r"
			return in, nil
		})
	}()
	if got := mustUpdate(t, s, "s1", increment); count(got) != 3 || got.Root != "" {
		t.Errorf("then %+v", got)
	}
}

// Somebody else is faster: f runs again on the newer state.
func TestRunsAgain(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	calls := 0
	got := mustUpdate(t, s, "s1", func(in gate.Session) (gate.Session, error) {
		if calls++; calls == 1 {
			mustUpdate(t, s, "s1", increment)
		}
		return increment(in)
	})
	if calls != 2 || count(got) != 2 {
		t.Errorf("%d calls, counted to %d", calls, count(got))
	}
}

// No id leaves the folder, collides with another or is lost (S1).
func TestHostileIDs(t *testing.T) {
	ids := []string{
		"../../x", "..", ".", "/", "/etc/passwd", `..\..\x`, "a/b", "nul", "CON", "a\x00b", "a\x00c", "\x00", " ", "A", "a", "Ä",
		"a\u0308", "\u00e4", strings.Repeat("x", 1024), strings.Repeat("x", 1023) + "y", "x\x1b[31m", "a\nb", "*", "~", "%s%n",
		"<&>", "\u2028", `"`, "s1.json", "s1.lock", strings.Repeat("0", 64), "\ufffd", "1", "01",
	}
	parent := t.TempDir()
	s := Open(filepath.Join(parent, "mbgate"), Options{})
	folded := map[string]string{}
	for i, id := range ids {
		want := i + 1
		mustUpdate(t, s, id, func(in gate.Session) (gate.Session, error) {
			if in.Agent != "" {
				t.Errorf("%q finds the state of another", id)
			}
			in.Agent = fmt.Sprint(want)
			return in, nil
		})
		name := strings.ToLower(filepath.Base(s.Path(id)))
		if other, taken := folded[name]; taken {
			t.Errorf("%q and %q share a file where case is folded", id, other)
		}
		folded[name] = id
	}
	for i, id := range ids {
		if got, found := mustLoad(t, s, id); !found || got.Damaged || got.ID != id || count(got) != i+1 {
			t.Errorf("%q: %+v", id, got)
		}
	}
	if around, err := os.ReadDir(parent); err != nil || len(around) != 1 {
		t.Errorf("outside the folder: %v %v", around, err)
	}
	if all, err := s.List(""); err != nil || len(all) != len(ids) {
		t.Errorf("listed %d of %d: %v", len(all), len(ids), err)
	}
	for _, id := range []string{"", "\xff", "a\xc0"} {
		if _, err := s.Update(id, increment); err == nil {
			t.Errorf("%q was taken", id)
		}
		if _, _, err := s.Load(id); err == nil {
			t.Errorf("%q was taken", id)
		}
	}
}

func TestNewerSchema(t *testing.T) {
	for _, content := range []string{
		string(seal(fmt.Appendf(nil, `{"schema":%d,"id":"s1"`, gate.Schema+1))),
		string(seal([]byte(`{"schema":99,"id":{"of":"another type"},"contexts":[1]`))),
		string(seal([]byte(`{"schema":99`))),
	} {
		for _, ext := range []string{extCurrent, extPrevious} {
			s := Open(t.TempDir(), Options{})
			path := s.path(fileName("s1"), ext)
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			_, _, err := s.Load("s1")
			if e := asError[*NewerSchemaError](t, err); e.Path != path || e.Schema <= gate.Schema || e.Known != gate.Schema {
				t.Errorf("%+v", e)
			}
			_, err = s.Update("s1", increment)
			asError[*NewerSchemaError](t, err)
			if now, _ := os.ReadFile(path); string(now) != content || len(files(t, s, "")) != 1 {
				t.Errorf("%s: something was changed: %s %v", content, now, files(t, s, ""))
			}
			if all, err := s.List("/r"); err != nil || len(all) != 1 || all[0].Problem == nil {
				t.Errorf("listed %+v %v", all, err)
			}
		}
	}
}

func TestTooLarge(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	mustUpdate(t, s, "s1", increment)
	got, err := s.Update("s1", func(in gate.Session) (gate.Session, error) {
		in.Agent = strings.Repeat("x", maxSize)
		return in, nil
	})
	asError[*SaveError](t, err)
	if len(got.Agent) != maxSize {
		t.Error("the verdict is lost")
	}
	if got, _ := mustLoad(t, s, "s1"); got.Damaged || count(got) != 1 {
		t.Errorf("then %+v", got)
	}
}
