package state

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// lock takes a session's lock and gives the function that frees it. The error is a *SaveError if the lock file cannot
// be made (a read-only disk), else a *LockError.
func (s *Store) lock(name string) (unlock func(), err error) {
	if err := s.makeDir(); err != nil {
		return nil, &SaveError{s.dir, err}
	}
	start := time.Now()
	for {
		unlock, ok, err := s.tryLock(name)
		if ok || err != nil {
			return unlock, err
		}
		if waited := time.Since(start); waited >= s.wait {
			return nil, &LockError{Path: s.path(name, extLock), Waited: waited}
		}
		// Short, since a lock is held for a fraction of a millisecond, and of random length, so that 64 processes do
		// not come back all at once. It does not grow: whoever waited longest must not be the one to look least often.
		time.Sleep(200*time.Microsecond + rand.N(1800*time.Microsecond))
	}
}

// tryLock takes the lock if it is free.
func (s *Store) tryLock(name string) (unlock func(), ok bool, err error) {
	path := s.path(name, extLock)
	for range 100 {
		l := flock.New(path, flock.SetFlag(lockFlags), flock.SetPermissions(0o600))
		ok, err := l.TryLock()
		var open *fs.PathError
		switch {
		case errors.As(err, &open):
			return nil, false, &SaveError{path, err}
		case err != nil:
			return nil, false, &LockError{Path: path, Err: err}
		case !ok:
			return nil, false, nil
		case stillNamed(l, path):
			return func() { _ = l.Unlock() }, true, nil
		}
		_ = l.Unlock() // its session was removed between opening and locking
	}
	return nil, false, nil
}

// makeDir makes the folder, and closes it to others if it was open to them.
func (s *Store) makeDir() error {
	info, err := os.Stat(s.dir)
	switch {
	case err != nil:
		return os.MkdirAll(s.dir, 0o700)
	case !info.IsDir():
		return errors.New("is not a folder")
	}
	closeToOthers(s.dir, info)
	return nil
}
