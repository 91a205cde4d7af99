package state

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/gate"
)

// damage is one way to spoil a file. What stood there is moved aside, except where there is nothing to move.
type damage struct {
	name string
	do   func(t *testing.T, path string)
	gone bool
}

func write(content string) func(*testing.T, string) {
	return func(t *testing.T, path string) {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// edit replaces texts of a file; a replacement that ends in a zero byte also cuts off what follows it.
func edit(pairs ...string) func(*testing.T, string) {
	return func(t *testing.T, path string) {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text, _, _ := strings.Cut(strings.NewReplacer(pairs...).Replace(string(raw)), "\x00")
		write(text)(t, path)
	}
}

func instead(make func(path string) error) func(*testing.T, string) {
	return func(t *testing.T, path string) {
		if err := errors.Join(os.RemoveAll(path), make(path)); err != nil {
			t.Fatal(err)
		}
	}
}

func damages() []damage {
	all := []damage{
		{"empty", write(""), false},
		{"truncated", func(t *testing.T, path string) {
			raw, err := os.ReadFile(path)
			if err == nil {
				err = os.WriteFile(path, raw[:len(raw)/2], 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}, false},
		{"not JSON", write("hello"), false},
		{"zeros", write(strings.Repeat("\x00", 300)), false},
		{"an array", write("[]"), false},
		{"null", write("null"), false},
		{"another value", edit(`"agent":"1"`, `"agent":"7"`, `"agent":"2"`, `"agent":"7"`, `"agent":"3"`, `"agent":"7"`), false},
		{"another value and no checksum", edit(`"agent":"3"`, `"agent":"2"`, `,"sum":"`, `"}`+"\x00"), false},
		{"another schema", edit(`"schema":3`, `"schema":1`), false},
		{"without a checksum", func(t *testing.T, path string) {
			raw, _ := os.ReadFile(path)
			write(string(raw[:max(0, len(raw)-sumLength)])+"}\n")(t, path)
		}, false},
		{"schema 1 with an unknown key", write(`{"schema":1,"id":"s1","future":1}`), false},
		{"schema 1 with a key twice", write(`{"schema":1,"id":"s1","agent":"1","agent":"3"}`), false},
		{"an empty object", write("{}"), false},
		{"wrong type", write(`{"schema":1,"id":"s1","started_at":5}`), false},
		{"wrong type of schema", write(`{"schema":"1","id":"s1"}`), false},
		{"null schema", write(`{"schema":null,"id":"s1"}`), false},
		{"two objects", write(`{"schema":1,"id":"s1"}{"schema":1,"id":"s1"}`), false},
		{"of another session", write(`{"schema":1,"id":"s2"}`), false},
		{"of another session by case", write(`{"schema":1,"id":"S1"}`), false},
		{"without an id", write(`{"schema":1}`), false},
		{"unknown old schema", write(`{"schema":0,"id":"s1"}`), false},
		{"larger than 8 MB", instead(func(path string) error {
			f, err := os.Create(path)
			if err != nil {
				return err
			}
			return errors.Join(f.Truncate(10<<30), f.Close()) // sparse
		}), false},
		{"a folder", instead(func(path string) error { return os.Mkdir(path, 0o700) }), false},
		{"a folder with something in it", instead(func(path string) error {
			return errors.Join(os.Mkdir(path, 0o700), os.WriteFile(filepath.Join(path, "x"), nil, 0o600))
		}), false},
		{"removed", func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}, true},
	}
	return append(all, unixDamages()...)
}

// Damage is S3: seen by every read, changed by none, taken from the previous generation, moved aside and never deleted
// by the next update that saves.
func TestDamage(t *testing.T) {
	for _, d := range damages() {
		t.Run(d.name, func(t *testing.T) {
			outside := filepath.Join(t.TempDir(), "precious")
			write("precious")(t, outside)
			s := Open(t.TempDir(), Options{})
			for range 3 {
				mustUpdate(t, s, "s1", increment)
			}
			name := fileName("s1")
			d.do(t, s.Path("s1"))
			before := files(t, s, "")
			for range 2 {
				got, found := mustLoad(t, s, "s1")
				if !found || !got.Damaged || got.ID != "s1" || count(got) != 2 {
					t.Fatalf("loaded %+v", got)
				}
			}
			mustUpdate(t, s, "s1", unchanged)
			if after := files(t, s, ""); strings.Join(after, " ") != strings.Join(before, " ") {
				t.Fatalf("a read changed the folder from %v to %v", before, after)
			}
			all, err := s.List("")
			if err != nil || len(all) != 1 || count(all[0].Session) != 2 {
				t.Fatalf("listed %+v %v", all, err)
			}
			asError[*DamageError](t, all[0].Problem)

			got := mustUpdate(t, s, "s1", recovered)
			if got.Damaged || count(got) != 3 {
				t.Errorf("recovered %+v", got)
			}
			if got, _ := mustLoad(t, s, "s1"); got.Damaged || count(got) != 3 {
				t.Errorf("then loaded %+v", got)
			}
			if aside := files(t, s, extDamaged); len(aside) != 1 != d.gone {
				t.Errorf("moved aside: %v", aside)
			}
			if p, err := s.read(name, extPrevious); err != nil || p.condition != sound || count(p.session) != 2 {
				t.Errorf("the previous generation became %+v %v", p, err)
			}
			if left := files(t, s, extTemp); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
			if raw, err := os.ReadFile(outside); string(raw) != "precious" {
				t.Errorf("outside: %q %v", raw, err)
			}
			mustUpdate(t, s, "s1", increment)
		})
	}
}

// With both generations spoiled the session is as good as new, but known to be damaged; so it is with only one that
// ever was.
func TestDamageOfBoth(t *testing.T) {
	for _, d := range damages() {
		t.Run(d.name, func(t *testing.T) {
			s := Open(t.TempDir(), Options{})
			name := fileName("s1")
			mustUpdate(t, s, "s1", increment)
			mustUpdate(t, s, "s1", increment)
			if d.gone { // then the previous one must be spoiled in another way
				write("x")(t, s.path(name, extPrevious))
			} else {
				d.do(t, s.path(name, extPrevious))
			}
			d.do(t, s.Path("s1"))
			if got, found := mustLoad(t, s, "s1"); !found || !got.Damaged || got.ID != "s1" || got.Agent != "" {
				t.Fatalf("loaded %+v", got)
			}
			mustUpdate(t, s, "s1", recovered)
			mustUpdate(t, s, "s1", increment)
			if got, _ := mustLoad(t, s, "s1"); got.Damaged || count(got) != 2 {
				t.Errorf("then loaded %+v", got)
			}
			want := 2
			if d.gone {
				want = 1
			}
			if aside := files(t, s, extDamaged); len(aside) != want {
				t.Errorf("moved aside: %v", aside)
			}
		})
	}
}

func TestDamageOfTheOnlyGeneration(t *testing.T) {
	for _, d := range damages() {
		if d.gone {
			continue // that is a session never seen
		}
		t.Run(d.name, func(t *testing.T) {
			s := Open(t.TempDir(), Options{})
			mustUpdate(t, s, "s1", increment)
			d.do(t, s.Path("s1"))
			if got, found := mustLoad(t, s, "s1"); !found || !got.Damaged || got.Agent != "" {
				t.Fatalf("loaded %+v", got)
			}
			mustUpdate(t, s, "s1", recovered)
			if got, _ := mustLoad(t, s, "s1"); got.Damaged || count(got) != 1 {
				t.Errorf("then loaded %+v", got)
			}
		})
	}
}

// A spoiled previous generation is not noticed while it is not needed, and must not stop a save.
func TestDamageOfThePrevious(t *testing.T) {
	for _, d := range damages() {
		t.Run(d.name, func(t *testing.T) {
			s := Open(t.TempDir(), Options{})
			mustUpdate(t, s, "s1", increment)
			mustUpdate(t, s, "s1", increment)
			d.do(t, s.path(fileName("s1"), extPrevious))
			mustUpdate(t, s, "s1", increment)
			if got, _ := mustLoad(t, s, "s1"); got.Damaged || count(got) != 3 {
				t.Errorf("then loaded %+v", got)
			}
			if p, err := s.read(fileName("s1"), extPrevious); err != nil || count(p.session) != 2 {
				t.Errorf("previous generation %+v %v", p, err)
			}
		})
	}
}

// Damage that f does not deal with stays known, also when something else is saved.
func TestDamageStays(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	mustUpdate(t, s, "s1", increment)
	write("")(t, s.Path("s1"))
	mustUpdate(t, s, "s1", increment)
	if got, _ := mustLoad(t, s, "s1"); !got.Damaged || count(got) != 1 {
		t.Errorf("loaded %+v", got)
	}
}

// Only the newest damaged files are kept.
func TestDamagedFilesAreBounded(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	for i := range 10 {
		mustUpdate(t, s, "s1", recovered)
		mustUpdate(t, s, "s2", increment)
		write(strings.Repeat("x", i))(t, s.Path("s1"))
	}
	mustUpdate(t, s, "s1", recovered)
	aside := files(t, s, extDamaged)
	if len(aside) != keepDamaged {
		t.Fatalf("kept %v", aside)
	}
	if raw, err := os.ReadFile(aside[len(aside)-1]); len(raw) != 9 {
		t.Errorf("the newest is %q %v", raw, err)
	}
	for _, path := range aside {
		if _, ext, ok := splitName(filepath.Base(path)); !ok || !strings.HasPrefix(ext, extDamaged) {
			t.Errorf("%s is not known for one of ours", path)
		}
	}
}

// A file system without hard links (FAT) gets copies.
func TestWithoutLinks(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	mustUpdate(t, s, "s1", increment)
	raw, err := os.ReadFile(s.Path("s1"))
	if err != nil {
		t.Fatal(err)
	}
	// The link fails because there is nothing to link; the content is known from the snapshot.
	if err := os.Remove(s.Path("s1")); err != nil {
		t.Fatal(err)
	}
	if err := s.keepPrevious(fileName("s1"), raw); err != nil {
		t.Fatal(err)
	}
	if p, err := s.read(fileName("s1"), extPrevious); err != nil || count(p.session) != 1 {
		t.Errorf("previous generation %+v %v", p, err)
	}
	if left := files(t, s, extTemp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// FuzzLoad: whatever the file holds, a read gives the session, a damaged one or a newer schema, and the next update
// mends it.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(`{"schema":1,"id":"s1","agent":"5"}`))
	f.Add([]byte(`{"schema":1,"id":"s1"`))
	f.Add([]byte(`{"schema":2}`))
	f.Add([]byte(``))
	dir := f.TempDir()
	s := Open(dir, Options{})
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, path := range files(t, s, "") {
			_ = os.Remove(path)
		}
		if err := os.WriteFile(s.Path("s1"), raw, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := s.Update("s1", func(in gate.Session) (gate.Session, error) {
			if in.ID != "s1" || in.Schema != gate.Schema {
				t.Fatalf("given %+v", in)
			}
			in.Damaged, in.Agent = false, "77"
			return in, nil
		})
		var newer *NewerSchemaError
		if errors.As(err, &newer) {
			if now, _ := os.ReadFile(s.Path("s1")); string(now) != string(raw) {
				t.Fatal("a newer state was changed")
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := mustLoad(t, s, "s1"); got.Damaged || got.Agent != "77" {
			t.Fatalf("then %+v", got)
		}
	})
}

// A recovery that could not be saved binds all the same: Distrust makes the session damaged until a state is saved that
// knew of it (S6).
func TestDistrust(t *testing.T) {
	for _, saves := range []int{0, 1, 2} {
		s := Open(t.TempDir(), Options{})
		for range saves {
			mustUpdate(t, s, "s1", increment)
		}
		if err := s.Distrust("s1"); err != nil {
			t.Fatal(err)
		}
		mustUpdate(t, s, "s1", unchanged)
		if got, found := mustLoad(t, s, "s1"); !found || !got.Damaged || count(got) != saves {
			t.Fatalf("after %d saves: loaded %+v", saves, got)
		}
		got, err := s.Update("s1", func(in gate.Session) (gate.Session, error) { in.Damaged = false; return in, nil })
		if err != nil || got.Damaged {
			t.Errorf("after %d saves: %+v %v", saves, got, err)
		}
		if got, _ := mustLoad(t, s, "s1"); got.Damaged || count(got) != saves || len(files(t, s, extUnsaved)) > 0 {
			t.Errorf("after %d saves: then loaded %+v", saves, got)
		}
	}
}

// A save that began before the marker came computes again, and removes it only then.
func TestDistrustDuringAnUpdate(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	mustUpdate(t, s, "s1", increment)
	var given []bool
	mustUpdate(t, s, "s1", func(in gate.Session) (gate.Session, error) {
		given = append(given, in.Damaged)
		if len(given) == 1 {
			if err := s.Distrust("s1"); err != nil {
				t.Fatal(err)
			}
		}
		return recovered(in)
	})
	if len(given) != 2 || given[0] || !given[1] {
		t.Errorf("f was given %v", given)
	}
	// The one that comes while a save is under way, without the lock, stays.
	p, err := s.load("s1")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Distrust("s1"), s.save(p, p.current.raw)); err != nil {
		t.Fatal(err)
	}
	if got, _ := mustLoad(t, s, "s1"); !got.Damaged {
		t.Error("a save that did not know of the marker removed it")
	}
	if n, err := s.Remove("s1"); n != 1 || err != nil || len(files(t, s, "")) > 0 {
		t.Errorf("removed %d %v, left %v", n, err, files(t, s, ""))
	}
}

// Where no marker can be made the previous generation alone is left, which is damage too; where that cannot be, it is said.
func TestDistrustWithoutRoomForAMarker(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	if err := os.Mkdir(s.path(fileName("s1"), extUnsaved), 0o700); err != nil {
		t.Fatal(err)
	}
	asError[*SaveError](t, s.Distrust("s1")) // nothing was ever saved
	if _, found := mustLoad(t, s, "s1"); found {
		t.Error("a folder counts as the marker")
	}
	mustUpdate(t, s, "s1", increment)
	for range 2 {
		if err := s.Distrust("s1"); err != nil {
			t.Fatal(err)
		}
		if got, found := mustLoad(t, s, "s1"); !found || !got.Damaged || count(got) != 1 {
			t.Errorf("loaded %+v", got)
		}
	}
}
