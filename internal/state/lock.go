package state

import (
	"errors"
	"os"
	"time"

	"github.com/mbgate/mbgate/internal/rawfile"
)

// lock takes a session's lock, waiting for it as long as the store may, and gives the function that frees it. The error
// is a *SaveError if the lock file cannot be made (a read-only disk), else a *LockError.
func (s *Store) lock(name string) (unlock func(), err error) {
	start := time.Now()
	for {
		unlock, ok, err := s.tryLock(name)
		if ok || err != nil {
			return unlock, err
		}
		path := s.path(name, extLock)
		waited := time.Since(start)
		if waited >= s.wait {
			return nil, &LockError{Path: path, Waited: waited}
		}
		l, err := rawfile.Open(path, os.O_RDWR)
		if isMissing(err) {
			continue
		} else if err != nil {
			return nil, &SaveError{path, err}
		}
		ok, err = waitFor(l, s.wait-waited)
		switch {
		case err != nil:
			return nil, &LockError{Path: path, Err: err}
		case ok && l.Named(path):
			return unlocker(l), nil
		case ok: // the session was removed meanwhile, and its lock file with it
			_ = l.Close()
		}
	}
}

// waitFor blocks in the kernel until the lock is free, for a time at most. The kernel hands a lock to one of those who
// wait, while processes that look again and again keep the processor from the one that holds it: measured for 64
// processes that update one session 50 times each on two busy cores, a third of the updates gave up where they polled.
// The system call has no time limit, so a goroutine makes it; if the limit passes, it closes the lock as soon as it gets it.
func waitFor(l rawfile.File, limit time.Duration) (ok bool, err error) {
	result := make(chan error)
	gaveUp := make(chan struct{})
	go func() {
		err := l.Lock()
		select {
		case result <- err:
		case <-gaveUp:
			_ = l.Close()
		}
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case err := <-result:
		if err != nil {
			_ = l.Close()
		}
		return err == nil, err
	case <-timer.C:
		close(gaveUp)
		return false, nil
	}
}

// tryLock takes the lock if it is free.
func (s *Store) tryLock(name string) (unlock func(), ok bool, err error) {
	path := s.path(name, extLock)
	for range 100 {
		l, err := rawfile.Open(path, os.O_RDWR)
		if err != nil && isMissing(err) {
			// The folder is looked at only here: every session makes its lock file once.
			if err = s.makeDir(); err == nil {
				l, err = rawfile.Open(path, os.O_RDWR|os.O_CREATE)
			}
		}
		if err != nil {
			return nil, false, &SaveError{path, err}
		}
		if ok, err = l.TryLock(); ok && l.Named(path) {
			return unlocker(l), true, nil
		}
		_ = l.Close()
		switch {
		case err != nil:
			return nil, false, &LockError{Path: path, Err: err}
		case !ok:
			return nil, false, nil
		}
		// The session was removed between opening and locking, and its lock file with it.
	}
	return nil, false, nil
}

// unlocker frees a lock: that of a file goes when it is closed.
func unlocker(l rawfile.File) func() { return func() { _ = l.Close() } }

// makeDir makes the folder, and closes it to others if it was open to them.
func (s *Store) makeDir() error {
	info, err := os.Stat(s.dir)
	switch {
	case err != nil:
		return os.MkdirAll(s.dir, 0o700)
	case !info.IsDir():
		return errors.New("the state folder is not a folder")
	}
	closeToOthers(s.dir, info)
	return nil
}
