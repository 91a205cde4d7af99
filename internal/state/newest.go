package state

import (
	"bytes"
	"cmp"
	"os"
	"slices"
	"time"

	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/jsonscan"
)

// Listing is the beginning of a long list of sessions.
type Listing struct {
	// Entries are the newest, the one with the latest event first.
	Entries []Entry
	// More is how many others there are. Open are those of them that may hold a recovery or have a problem, in the same
	// order.
	More int
	Open []Entry
}

// Newest is List for at most limit sessions, 0 for all. It decodes of the others only what it needs to count them and to
// tell whether a recovery may be pending: half the work for a small state, a third for one of 4 kB.
func (s *Store) Newest(root string, limit int) (Listing, error) {
	if limit <= 0 {
		all, err := s.List(root)
		return Listing{Entries: all}, err
	}
	names, err := s.sessionNames()
	if err != nil {
		return Listing{}, err
	}
	heads := inParallel(names, func(name string) *head { return s.readHead(name, root) })
	slices.SortStableFunc(heads, func(a, b *head) int { return b.last.Compare(a.last) })
	var l Listing
	for i, h := range heads {
		if i >= limit {
			l.More++
			if !h.open {
				continue
			}
		}
		e := h.entry
		if e == nil {
			now := s.readEntry(h.name)
			e = &now
		}
		switch {
		case !e.belongsTo(root): // removed meanwhile
		case i < limit:
			l.Entries = append(l.Entries, *e)
		default:
			l.Open = append(l.Open, *e)
		}
	}
	return l, nil
}

// latestLooks is how many files Latest opens at most, about 5 ms.
const latestLooks = 256

// Latest is the session of a project whose file was saved last, for a shell's prompt that cannot wait until all are
// read. found is false if none of the 256 files that were saved last is the project's.
func (s *Store) Latest(root string) (e Entry, found bool, err error) {
	names, err := s.sessionNames()
	if err != nil {
		return Entry{}, false, err
	}
	type file struct {
		name string
		at   time.Time
	}
	files := inParallel(names, func(name string) *file {
		info, err := os.Lstat(s.path(name, extCurrent))
		if err != nil {
			return nil
		}
		return &file{name, info.ModTime()}
	})
	slices.SortFunc(files, func(a, b *file) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(a.name, b.name)) })
	for _, f := range files[:min(len(files), latestLooks)] {
		if e := s.readEntry(f.name); e.Path != "" && e.Session.Root == root {
			return e, true, nil
		}
	}
	return Entry{}, false, nil
}

// head is what a listing must know of a session that it may not show.
type head struct {
	name string
	last time.Time
	// open is set where a recovery may be pending, or there is a problem. entry is set if the session had to be read.
	open  bool
	entry *Entry
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
	return &head{name: name, last: e.Session.LastAt, open: true, entry: &e}
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
	return &head{name: name, last: last, open: bytes.Contains(o.Get("contexts"), []byte(`"recovery"`))}, root, true
}
