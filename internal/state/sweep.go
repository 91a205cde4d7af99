package state

import (
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"time"
)

const (
	// Silence is how long a session must have been silent before a sweep forgets it (S4).
	Silence = 30 * 24 * time.Hour

	sweepEvery   = 24 * time.Hour
	sweepAgain   = time.Hour // when one run could not do all
	tempAge      = time.Hour
	sweepLooks   = 4096 // files that one run looks at, about 10 ms
	sweepRemoves = 256  // things that one run removes
)

// Remove removes the files of sessions, whatever is in them, and gives the number of sessions. Damaged files that were
// moved aside stay until the sweep. It goes on after an error and gives the first.
func (s *Store) Remove(ids ...string) (removed int, err error) {
	if err := s.check(); err != nil {
		return 0, err
	}
	for _, id := range ids {
		name := fileName(id)
		if !s.exists(name, extCurrent) && !s.exists(name, extPrevious) {
			continue
		}
		unlock, e := s.lock(name)
		if e == nil {
			e = s.remove(name)
			unlock()
		}
		if e == nil {
			removed++
		} else if err == nil {
			err = e
		}
	}
	return removed, err
}

// remove deletes the files of a session whose lock is held, the previous generation first: the other way round a
// process killed in between would leave what looks like damage.
func (s *Store) remove(name string) error {
	for _, ext := range []string{extSpare, extPrevious, extCurrent, extUnsaved, extPlan} {
		if err := os.Remove(s.path(name, ext)); err != nil && !isMissing(err) {
			return &SaveError{s.path(name, ext), err}
		}
	}
	unlinkLock(s.path(name, extLock))
	return nil
}

func (s *Store) exists(name, ext string) bool {
	_, err := os.Lstat(s.path(name, ext))
	return err == nil
}

// Sweep forgets sessions that were silent for Silence, and removes what killed processes left behind and old damaged
// files. It does so once a day at most, and otherwise costs one stat. A run looks at a bounded number of files, picked at
// random, and comes back in an hour if that was not enough. It never waits for a lock. It says how many sessions went.
func (s *Store) Sweep(now time.Time) (removed int, err error) {
	if !s.sweepDue(now) {
		return 0, nil
	}
	return s.sweep(now)
}

// sweepDue reports whether a sweep is due, and books it.
func (s *Store) sweepDue(now time.Time) bool {
	marker := s.path(sweptName, "")
	info, err := os.Lstat(marker)
	switch {
	case err == nil:
		// A time in the future is a clock that was wrong: it must not stop sweeps for ever.
		if age := now.Sub(info.ModTime()); age < sweepEvery && age > -sweepEvery {
			return false
		}
		return info.Mode().IsRegular() && os.Chtimes(marker, now, now) == nil
	case !errors.Is(err, os.ErrNotExist):
		return false
	}
	f, err := os.OpenFile(marker, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return false // no folder yet, or another process is at it
	}
	_ = f.Close()
	_ = os.Chtimes(marker, now, now)
	return false // nothing in a new folder is old
}

func (s *Store) sweep(now time.Time) (removed int, err error) {
	if err := s.check(); err != nil {
		return 0, err
	}
	files, err := s.fileNames()
	if err != nil || len(files) == 0 {
		return 0, err
	}
	start, looks, removes := rand.N(len(files)), 0, 0
	for i := range files {
		if looks >= sweepLooks || removes >= sweepRemoves {
			_ = os.Chtimes(s.path(sweptName, ""), now, now.Add(sweepAgain-sweepEvery))
			break
		}
		file := files[(start+i)%len(files)]
		name, ext, ok := splitName(file)
		if !ok {
			continue
		}
		looks++
		info, err := os.Lstat(s.path(file, ""))
		if err != nil {
			continue
		}
		age := now.Sub(info.ModTime())
		switch {
		case strings.HasPrefix(ext, extTemp):
			if age > tempAge && os.Remove(s.path(file, "")) == nil {
				removes++
			}
		case strings.HasPrefix(ext, extDamaged):
			// The file keeps the time of its last change; when it was moved aside is in its name.
			stamp, _, _ := strings.Cut(strings.TrimPrefix(ext, extDamaged), "-")
			if at, err := time.Parse(asideFormat, stamp); err == nil {
				age = now.Sub(at)
			}
			if age > Silence && os.Remove(s.path(file, "")) == nil {
				removes++
			}
		case age > Silence:
			switch s.forgetSilent(name, ext, now) {
			case forgotten:
				removed++
				removes++
			case lockOnly:
				removes++
			}
		}
	}
	return removed, nil
}

// sweepResult is what forgetSilent did.
type sweepResult int

const (
	kept sweepResult = iota
	lockOnly
	forgotten
)

// forgetSilent removes a session whose file has not been changed for long, if its content agrees. Without a readable content
// the file's time decides; what a newer mbgate wrote is left to it.
func (s *Store) forgetSilent(name, ext string, now time.Time) sweepResult {
	if ext != extCurrent && s.exists(name, extCurrent) {
		return kept // the current file speaks for the others
	}
	unlock, ok, err := s.tryLock(name)
	if !ok || err != nil {
		return kept
	}
	defer unlock()
	had := false
	for _, ext := range []string{extCurrent, extPrevious} {
		if info, err := os.Lstat(s.path(name, ext)); err == nil {
			had = true
			if now.Sub(info.ModTime()) <= Silence && ext == extCurrent {
				return kept
			}
		}
	}
	if !had {
		if s.remove(name) != nil {
			return kept
		}
		return lockOnly
	}
	e := s.readEntry(name)
	var newer *NewerSchemaError
	var unread *ReadError
	if errors.As(e.Problem, &newer) || errors.As(e.Problem, &unread) || now.Sub(e.Session.LastAt) <= Silence {
		return kept
	}
	if s.remove(name) != nil {
		return kept
	}
	return forgotten
}
