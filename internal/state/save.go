package state

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/rawfile"
)

// keepDamaged is how many damaged files of one session stay; the newest are kept.
const keepDamaged = 4

// asideFormat is the time in a damaged file's name, in UTC; names sort by it.
const asideFormat = "20060102T150405.000000000Z"

// save writes the next generation over what the snapshot found. The lock must be held. At every instant there is a
// current file, so that a process killed anywhere in here leaves the old generation or the new one; the exception is a
// folder in place of the file, which cannot be replaced by a rename.
func (s *Store) save(p snapshot, raw []byte) error {
	next := s.path(p.name, extSpare)
	err := s.writeSpare(p.name, raw)
	if err == nil {
		err = s.replace(p, next)
	}
	if err != nil {
		rawfile.Unlink(next)
		return err
	}
	if p.unsaved {
		rawfile.Unlink(s.path(p.name, extUnsaved))
	}
	if p.current.condition == damaged || p.previous.condition == damaged {
		s.removeOldDamaged(p.name)
	}
	return nil
}

// Distrust makes the session damaged for every event until a state that was made from a damaged one is saved (S6). It is
// called where Update computed a recovery and could not save it. It takes no lock, since that may be what was missing, and
// wants no room on the disk: an empty file beside the state, or if none can be made, the current generation renamed to the
// previous one. The error is a *SaveError: then the recovery binds nobody.
func (s *Store) Distrust(id string) error {
	if err := errors.Join(s.check(), checkID(id)); err != nil {
		return err
	}
	name := fileName(id)
	path := s.path(name, extUnsaved)
	f, err := rawfile.Open(path, os.O_WRONLY|os.O_CREATE)
	if isMissing(err) {
		if err = s.makeDir(); err == nil {
			f, err = rawfile.Open(path, os.O_WRONLY|os.O_CREATE)
		}
	}
	if err == nil {
		_ = f.Close()
		if s.isUnsaved(name) {
			return nil
		}
		err = fs.ErrExist // something that is no file stands there
	}
	if p, e := s.generations(name, gate.Session{}); e == nil && p.session.Damaged {
		return nil
	}
	if rawfile.Rename(s.path(name, extCurrent), s.path(name, extPrevious)) == nil {
		return nil
	}
	return &SaveError{path, err}
}

// isUnsaved reports whether Distrust left its marker.
func (s *Store) isUnsaved(name string) bool {
	info, err := os.Lstat(s.path(name, extUnsaved))
	return err == nil && info.Mode().IsRegular()
}

// writeSpare writes a generation into the spare file, which has no meaning to anybody until it is renamed. It overwrites
// the generation before the previous one: making a new file and freeing an old one in each save took 0.2 to 1 ms on ext4,
// overwriting and renaming takes 0.02.
func (s *Store) writeSpare(name string, raw []byte) error {
	path := s.path(name, extSpare)
	f, err := openSpare(path)
	if err != nil {
		// Something else stands there, or the file has a second name: a process was killed while it saved.
		if info, e := os.Lstat(path); e != nil {
			return err
		} else if info.IsDir() {
			err = s.setAside(name, path)
		} else {
			err = os.Remove(path)
		}
		if err == nil {
			f, err = openSpare(path)
		}
		if err != nil {
			return err
		}
	}
	defer f.Close()
	if _, err = f.Write(raw); err != nil {
		return err
	}
	return f.Truncate(int64(len(raw)))
}

// openSpare opens the spare file, made if it is not there. What is not a regular file with one name only is left alone.
func openSpare(path string) (rawfile.File, error) {
	f, err := rawfile.Open(path, os.O_WRONLY|os.O_CREATE)
	if err != nil {
		return f, err
	}
	info, err := f.Stat()
	if err == nil && (!info.Mode.IsRegular() || info.Links != 1) {
		err = fs.ErrExist
	}
	if err != nil {
		_ = f.Close()
	}
	return f, err
}

// replace puts the file next in place of the current generation, and that in place of the previous one.
func (s *Store) replace(p snapshot, next string) error {
	current, previous := s.path(p.name, extCurrent), s.path(p.name, extPrevious)
	if p.previous.condition == damaged {
		if err := s.setAside(p.name, previous); err != nil {
			return err
		}
	}
	switch p.current.condition {
	case sound:
		if rawfile.Exchange(next, current) == nil {
			if rawfile.Exchange(next, previous) == nil {
				return nil
			}
			return rawfile.Rename(next, previous)
		}
		if err := s.keepPrevious(p.name, p.current.raw); err != nil {
			return err
		}
	case damaged:
		if err := s.setAside(p.name, current); err != nil {
			return err
		}
	}
	return rawfile.Rename(next, current)
}

// keepPrevious makes the current file, whose content is raw, the previous generation too, where files cannot exchange names.
func (s *Store) keepPrevious(name string, raw []byte) error {
	current, previous := s.path(name, extCurrent), s.path(name, extPrevious)
	old := s.path(name, extTemp+fmt.Sprintf("%016x", rand.Uint64()))
	if err := os.Link(current, old); err != nil {
		// No links on this file system.
		if err := os.WriteFile(old, raw, 0o600); err != nil {
			rawfile.Unlink(old)
			return err
		}
	}
	// If a process was killed between keeping and replacing, both names are already one file. Renaming one onto the
	// other then does nothing, and the name is left to be removed.
	defer rawfile.Unlink(old)
	err := rawfile.Rename(old, previous)
	if err == nil {
		return nil
	}
	// Something that is not a file may stand there; a rename replaces all but a folder.
	if info, e := os.Lstat(previous); e != nil || !info.IsDir() {
		return err
	}
	if err := s.setAside(name, previous); err != nil {
		return err
	}
	return rawfile.Rename(old, previous)
}

// setAside gives a damaged thing another name; it is never deleted here (S3). A file keeps its name as well until it is
// replaced, so that a process killed in between cannot turn damage into a session never seen.
func (s *Store) setAside(name, path string) error {
	aside := s.path(name, fmt.Sprintf("%s%s-%08x", extDamaged, s.now().UTC().Format(asideFormat), rand.Uint32()))
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && os.Link(path, aside) == nil {
		return nil
	}
	return rawfile.Rename(path, aside)
}

// removeOldDamaged removes all but the newest damaged files of a session. It reads the whole folder, but only after damage.
func (s *Store) removeOldDamaged(name string) {
	d, err := os.Open(s.dir)
	if err != nil {
		return
	}
	defer d.Close()
	all, _ := d.Readdirnames(-1)
	aside := slices.DeleteFunc(all, func(file string) bool { return !strings.HasPrefix(file, name+extDamaged) })
	slices.Sort(aside)
	for len(aside) > keepDamaged {
		_ = os.Remove(s.path(aside[0], "")) // a folder with something in it is left to a person
		aside = aside[1:]
	}
}
