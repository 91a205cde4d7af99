package state

import (
	"bytes"
	"errors"
	"path/filepath"
	"time"

	"github.com/mbgate/mbgate/internal/gate"
)

// lockWait is how long a lock is waited for at most (SPEC §18).
const lockWait = 2 * time.Second

// Options are what a Store can be told. The zero value is what hooks use.
type Options struct {
	// LockWait is how long a lock is waited for; 0 is lockWait.
	LockWait time.Duration
	// Now is the clock for the names of damaged files that are moved aside; nil is time.Now.
	Now func() time.Time
}

// Store is a folder of sessions. It has no open files between calls and may be used by several goroutines.
type Store struct {
	dir  string
	wait time.Duration
	now  func() time.Time
}

// Open gives the store in a folder, an absolute path (see Dir). It touches nothing: the folder is made, with the
// permissions 0700, by the first update that saves.
func Open(dir string, o Options) *Store {
	s := &Store{dir: dir, wait: o.LockWait, now: o.Now}
	if s.wait <= 0 {
		s.wait = lockWait
	}
	if s.now == nil {
		s.now = time.Now
	}
	return s
}

// Dir is the folder of the store.
func (s *Store) Dir() string { return s.dir }

// Path is the file in which a session's current generation is kept, for messages.
func (s *Store) Path(id string) string { return s.path(fileName(id), extCurrent) }

func (s *Store) path(name, ext string) string { return s.dir + string(filepath.Separator) + name + ext }

func (s *Store) check() error {
	if !filepath.IsAbs(s.dir) {
		return &ReadError{s.dir, errors.New("the state folder is not an absolute path")}
	}
	return nil
}

// Load reads a session without a lock and changes nothing. found is false if it was never saved; the Session then has
// only its id and schema. A damaged one comes from the previous generation, or is as good as new, and has Damaged set
// (S3). The error is a *NewerSchemaError, a *ReadError, or says that the id is not valid.
func (s *Store) Load(id string) (session gate.Session, found bool, err error) {
	p, err := s.load(id)
	if err != nil {
		return gate.Session{}, false, err
	}
	return p.session, p.found(), nil
}

func (s *Store) load(id string) (snapshot, error) {
	if err := s.check(); err != nil {
		return snapshot{}, err
	}
	if err := checkID(id); err != nil {
		return snapshot{}, err
	}
	return s.snapshot(fileName(id), gate.Session{Schema: gate.Schema, ID: id})
}

// Update runs f on a session and saves what f returns, if that differs. f must be pure: it runs once without the lock
// and, if another process was faster, once more with it. If f returns an error, Update saves nothing and returns it.
//
// With a *SaveError or a *LockError the Session that f computed is returned all the same: the verdict stands, it is only
// not remembered. With any other error of the store (*NewerSchemaError, *ReadError) f's result is not to be used.
func (s *Store) Update(id string, f func(gate.Session) (gate.Session, error)) (gate.Session, error) {
	before, err := s.load(id)
	if err != nil {
		return gate.Session{}, err
	}
	after, err := s.apply(before, f)
	if err != nil || after.raw == nil {
		return after.session, err
	}
	unlock, err := s.lock(before.name)
	if err != nil {
		return after.session, err
	}
	defer unlock()
	now := before
	if !s.isUnchanged(before) {
		if now, err = s.load(id); err != nil {
			return gate.Session{}, err
		}
		if before.found() || now.found() {
			after, err = s.apply(now, f)
			if err != nil || after.raw == nil {
				return after.session, err
			}
		}
	}
	if err := s.save(now, after.raw); err != nil {
		return after.session, &SaveError{s.path(now.name, extCurrent), err}
	}
	return after.session, nil
}

// result is what f made of a snapshot; raw is nil if it needs no saving.
type result struct {
	session gate.Session
	raw     []byte
}

// apply runs f and finds out whether it changed anything.
func (s *Store) apply(p snapshot, f func(gate.Session) (gate.Session, error)) (result, error) {
	// f may write into the maps and slices of what it is given, so the comparison is with bytes. For the usual file
	// these are the ones on disk; only if they differ (a file of an older mbgate, damage) is it worth encoding more.
	id := p.session.ID
	var old []byte
	asSaved := p.current.condition == sound && !p.unsaved
	if asSaved {
		old = p.current.raw
	} else {
		old, _ = encode(normalize(p.session, id)) // it was decoded or is new, so it can be encoded
	}
	session, err := f(p.session)
	if err != nil {
		return result{session: session}, err
	}
	session = normalize(session, id)
	raw, err := encode(session)
	switch {
	case err != nil:
		return result{session: session}, &SaveError{s.path(p.name, extCurrent), err}
	case bytes.Equal(raw, old):
		return result{session: session}, nil
	case asSaved:
		again, err := decode(p.current.raw)
		if err != nil {
			break
		}
		if old, err = encode(normalize(again, id)); err == nil && bytes.Equal(raw, old) {
			return result{session: session}, nil
		}
	}
	if len(raw) > maxSize {
		return result{session: session}, &SaveError{s.path(p.name, extCurrent), errors.New("the state is larger than can be read back")}
	}
	return result{session, raw}, nil
}

// isUnchanged reports whether the file still holds the same sound generation, without decoding it again.
func (s *Store) isUnchanged(p snapshot) bool {
	if p.current.condition != sound || p.unsaved != s.isUnsaved(p.name) {
		return false
	}
	raw, err := s.readFile(p.current.path)
	return err == nil && bytes.Equal(raw, p.current.raw)
}

// normalize gives the Session as it is kept: its own id, today's schema, times in UTC.
func normalize(s gate.Session, id string) gate.Session {
	s.Schema, s.ID = gate.Schema, id
	s.StartedAt, s.LastAt, s.EndedAt = s.StartedAt.UTC(), s.LastAt.UTC(), s.EndedAt.UTC()
	return s
}
