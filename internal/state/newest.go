package state

import (
	"bytes"
	"cmp"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/jsonscan"
)

// Listing is the beginning of a long list of sessions.
type Listing struct {
	// Entries are the newest, the one with the latest event first.
	Entries []Entry
	// More is how many others there are, Pending in how many of those a recovery is pending by their states alone.
	More, Pending int
}

// Newest is List for at most limit sessions, 0 for all. It decodes of the others only what it needs to count them: half
// the work for a small state, a third for one of 4 kB.
func (s *Store) Newest(root string, limit int) (Listing, error) {
	if limit <= 0 {
		all, err := s.List(root)
		return Listing{Entries: all}, err
	}
	heads, err := s.heads(root)
	if err != nil {
		return Listing{}, err
	}
	slices.SortStableFunc(heads, func(a, b *head) int { return b.last.Compare(a.last) })
	var l Listing
	for i, h := range heads {
		if i >= limit {
			l.More++
			if h.pending {
				l.Pending++
			}
			continue
		}
		e := h.entry
		if e == nil {
			now := s.readEntry(h.name)
			e = &now
		}
		if e.belongsTo(root) { // else it was removed meanwhile
			l.Entries = append(l.Entries, *e)
		}
	}
	return l, nil
}

// Beginning are the ids of the sessions that begin so.
func (s *Store) Beginning(id string) (ids []string, err error) {
	heads, err := s.heads("")
	for _, h := range heads {
		if strings.HasPrefix(h.id, id) {
			ids = append(ids, h.id)
		}
	}
	return ids, err
}

func (s *Store) heads(root string) ([]*head, error) {
	names, err := s.sessionNames()
	return inParallel(names, func(name string) *head { return s.readHead(name, root) }), err
}

// latestLooks is how many files Latest opens at most, about 5 ms.
const latestLooks = 256

// Latest is the session of a project whose file was saved last, for a shell's prompt that cannot wait until all are
// read. found is false if none of the 256 files that were saved last is the project's.
func (s *Store) Latest(root string) (e Entry, found bool, err error) {
	if err := s.check(); err != nil {
		return Entry{}, false, err
	}
	names, err := s.fileNames()
	if err != nil {
		return Entry{}, false, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasSuffix(name, extCurrent) })
	type file struct {
		name string
		at   time.Time
	}
	files := inParallel(names, func(name string) *file {
		info, err := os.Lstat(s.path(name, ""))
		if err != nil {
			return nil
		}
		return &file{name, info.ModTime()}
	})
	slices.SortFunc(files, func(a, b *file) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(a.name, b.name)) })
	for _, f := range files[:min(len(files), latestLooks)] {
		name, _, ok := splitName(f.name)
		if !ok {
			continue
		}
		if e := s.readEntry(name); e.Path != "" && e.Session.Root == root {
			return e, true, nil
		}
	}
	return Entry{}, false, nil
}

// head is what a listing must know of a session that it may not show.
type head struct {
	name, id string
	last     time.Time
	pending  bool
	entry    *Entry // set if the session had to be read
}

// readHead reads what a listing must know of one session, nil if it is not listed for a root. A file that is not as this mbgate writes
// it is read in full.
func (s *Store) readHead(name, root string) *head {
	if raw, err := s.readFile(s.path(name, extCurrent)); err == nil && !s.isUnsaved(name) {
		if h, of, ok := parseHead(raw, name); ok {
			if root != "" && of != root {
				return nil
			}
			return h
		}
	}
	e := s.readEntry(name)
	if !e.belongsTo(root) {
		return nil
	}
	return &head{name: name, id: e.Session.ID, last: e.Session.LastAt, pending: e.Session.Damaged, entry: &e}
}

// parseHead decodes as little of a state as a listing must know; root is that of the session. ok is false where that
// is not enough: a file of another schema, damage.
func parseHead(raw []byte, name string) (h *head, root string, ok bool) {
	body, schema, err := unseal(raw)
	if err != nil || schema != gate.Schema {
		return nil, "", false
	}
	var o jsonscan.Object
	in := jsonscan.Scanner{Data: body}
	if !in.Object(&o) || in.Pos != len(body) || o.Get("damaged") != nil {
		return nil, "", false
	}
	id := o.Text("id")
	root = o.Text("root")
	text := o.Text("last_at")
	last, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || fileName(id) != name {
		return nil, "", false
	}
	return &head{name: name, id: id, last: last, pending: bytes.Contains(o.Get("contexts"), []byte(`"recovery":{`))}, root, true
}
