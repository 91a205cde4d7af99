package state

import (
	"os"
	"runtime"
	"slices"
	"sync"

	"github.com/mbgate/mbgate/internal/gate"
)

// Entry is one session of a listing.
type Entry struct {
	// Session is the session. If it is damaged and so is its previous generation, only Damaged is set.
	Session gate.Session
	// Path is its file.
	Path string
	// Problem is why the session cannot be used as it is (*DamageError, *NewerSchemaError, *ReadError), nil if it can.
	Problem error
}

// List reads every session that is pinned to the folder root, or all of them if root is "", the one with the latest
// event first. A session with a problem whose root is not known is listed for every root, since somebody may be looking
// for it. List locks and changes nothing. The error says that the folder cannot be read; a missing one is empty.
func (s *Store) List(root string) ([]Entry, error) {
	names, err := s.sessionNames()
	if err != nil {
		return nil, err
	}
	// An Entry is large to sort, so that is done by pointers.
	found := inParallel(names, func(name string) *Entry {
		if e := s.readEntry(name); e.belongsTo(root) {
			return &e
		}
		return nil
	})
	slices.SortStableFunc(found, func(a, b *Entry) int { return b.Session.LastAt.Compare(a.Session.LastAt) })
	entries := make([]Entry, len(found))
	for i, e := range found {
		entries[i] = *e
	}
	return entries, nil
}

// belongsTo reports whether an entry is listed for a root.
func (e *Entry) belongsTo(root string) bool {
	return e.Path != "" && (root == "" || e.Session.Root == root || e.Problem != nil && e.Session.Root == "")
}

// sessionNames are the names of all sessions that have a file, without extensions, sorted.
func (s *Store) sessionNames() ([]string, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	files, err := s.fileNames()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, file := range files {
		if name, ext, ok := splitName(file); ok && (ext == extCurrent || ext == extPrevious) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// inParallel calls look for every name and gives the results in order, without nil. People wait for this, not
// hooks: all cores may help.
func inParallel[T any](names []string, look func(string) *T) []*T {
	found := make([]*T, len(names))
	workers := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(names); i += workers {
				found[i] = look(names[i])
			}
		})
	}
	wg.Wait()
	return slices.DeleteFunc(found, func(t *T) bool { return t == nil })
}

// readEntry reads one session by the name of its files. Its Path is "" if the session has just been removed.
func (s *Store) readEntry(name string) Entry {
	p, err := s.snapshot(name, gate.Session{})
	e := Entry{Session: p.session, Path: s.path(name, extCurrent), Problem: err}
	switch {
	case err != nil:
	case !p.found():
		return Entry{}
	case !p.intact():
		e.Problem = p.current.why
	}
	return e
}

// fileNames are the names of everything in the folder, in no order.
func (s *Store) fileNames() ([]string, error) {
	d, err := os.Open(s.dir)
	if err != nil {
		if isMissing(err) {
			return nil, nil
		}
		return nil, &ReadError{s.dir, err}
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if err != nil && !isMissing(err) {
		return nil, &ReadError{s.dir, err}
	}
	return names, nil
}
