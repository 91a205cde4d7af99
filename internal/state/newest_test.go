package state

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/mbgate/mbgate/internal/gate"
)

// crowd is a store with sessions of every kind, of two projects.
func crowd(t *testing.T) *Store {
	t.Helper()
	s := Open(t.TempDir(), Options{})
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for i := range 40 {
		id := fmt.Sprintf("s%02d", i)
		put(t, s, id, []string{"/r", "/q"}[i%2], at.Add(time.Duration(i*7%40)*time.Minute))
		switch i % 10 {
		case 2, 3:
			mustUpdate(t, s, id, func(in gate.Session) (gate.Session, error) {
				sub := map[string]*gate.Context{"": {}, "sub": {Recovery: &gate.Recovery{Cause: gate.ByCompaction, ActivatedAt: at}}}
				in.Contexts = sub
				return in, nil
			})
		case 4:
			mustUpdate(t, s, id, increment) // a previous generation, which then stands for it
			write(`{"schema":1,"id":"`+id+`"`)(t, s.Path(id))
		case 5:
			write(`{"schema":1,"id":"`+id+`","root":"/r","last_at":"2026-03-01T00:00:00Z"} and more`)(t, s.Path(id))
		case 6:
			write(string(seal([]byte(`{"schema":99,"id":"`+id+`"`))))(t, s.Path(id))
		case 7:
			write(`{"schema":1,"id":"`+id+`","root":"/q","last_at":"2026-03-01T00:05:00+02:00"}`)(t, s.Path(id))
		}
	}
	return s
}

// The beginning of a list is what the whole list begins with, and the counts are those of the whole list.
func TestNewestIsTheBeginningOfTheList(t *testing.T) {
	s := crowd(t)
	for _, root := range []string{"", "/r", "/q", "/none"} {
		all, err := s.List(root)
		if err != nil {
			t.Fatal(err)
		}
		for _, limit := range []int{0, 1, 3, 10, 39, 40, 100} {
			got, err := s.Newest(root, limit)
			if err != nil {
				t.Fatal(err)
			}
			n := len(all)
			if limit > 0 {
				n = min(n, limit)
			}
			pending := 0
			for _, e := range all[n:] {
				if e.Session.Damaged || slices.ContainsFunc(contexts(e), func(c *gate.Context) bool { return c.Recovery != nil }) {
					pending++
				}
			}
			if !sameEntries(got.Entries, all[:n]) || got.More != len(all)-n || got.Pending != pending {
				t.Errorf("%q, %d: %d entries, %d more, %d pending; want %d, %d, %d",
					root, limit, len(got.Entries), got.More, got.Pending, n, len(all)-n, pending)
			}
		}
	}
}

func TestBeginning(t *testing.T) {
	s := crowd(t)
	for begin, want := range map[string]int{"s0": 8, "s00": 1, "s000": 0} {
		if ids, err := s.Beginning(begin); err != nil || len(ids) != want {
			t.Errorf("%q begins %v, %v", begin, ids, err)
		}
	}
}

func TestNewestReadsLittleOfTheRest(t *testing.T) {
	s := crowd(t)
	if h := s.readHead(fileName("s00"), "/r"); h == nil || h.entry != nil || h.pending {
		t.Errorf("a session without a recovery was read in full: %+v", h)
	}
	if h := s.readHead(fileName("s00"), "/q"); h != nil {
		t.Errorf("a session of another project is listed: %+v", h)
	}
}

func TestLatest(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	if _, found, err := s.Latest("/r"); found || err != nil {
		t.Errorf("an empty store has a latest session: %v", err)
	}
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for i := range latestLooks {
		put(t, s, fmt.Sprintf("q%d", i), "/q", at.Add(time.Duration(i)*time.Minute))
	}
	put(t, s, "old", "/r", at.Add(-time.Hour))
	if e, found, _ := s.Latest("/r"); found {
		t.Errorf("more files were opened than a prompt can wait for, and %s found", e.Session.ID)
	}
	put(t, s, "new", "/r", at.Add(time.Hour+time.Second))
	put(t, s, "newer", "/r", at.Add(2*time.Hour+time.Second))
	if e, found, err := s.Latest("/r"); !found || err != nil || e.Session.ID != "newer" {
		t.Errorf("%q, %v, %v", e.Session.ID, found, err)
	}
}

func contexts(e Entry) []*gate.Context {
	var list []*gate.Context
	for _, c := range e.Session.Contexts {
		list = append(list, c)
	}
	return list
}

// sameEntries compares what entries hold; times may differ in their zone's pointer only.
func sameEntries(a, b []Entry) bool {
	return slices.EqualFunc(a, b, func(x, y Entry) bool {
		return x.Path == y.Path && reflect.DeepEqual(x.Session, y.Session) && fmt.Sprint(x.Problem) == fmt.Sprint(y.Problem)
	})
}
