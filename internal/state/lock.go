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
	for tries := 0; ; tries++ {
		unlock, ok, err := s.tryLock(name)
		if ok || err != nil {
			return unlock, err
		}
		waited := time.Since(start)
		if waited >= s.wait {
			return nil, &LockError{Path: s.path(name, extLock), Waited: waited}
		}
		time.Sleep(pause(tries, waited > s.wait/2))
	}
}

// pause is how long to wait before the next look at a lock. A lock is held for about 0.3 ms, so the first pauses are as
// short. They grow because looks cost more than what they wait for: 64 processes that look every millisecond keep two
// cores busy with looking, and the one that has the lock waits for a core (measured for 3,200 updates: 4 to 6 s and some
// locks given up, instead of 2 to 3 s and none). They are random so that nobody comes back in step with others, and
// whoever has waited long looks more often than those who came later.
func pause(tries int, long bool) time.Duration {
	longest := 300 * time.Microsecond << min(tries, 5)
	if long {
		longest = 3 * time.Millisecond
	}
	return longest/4 + rand.N(longest)
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
