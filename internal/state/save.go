package state

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
)

// keepDamaged is how many damaged files of one session stay; the newest are kept.
const keepDamaged = 4

// asideFormat is the time in a damaged file's name, in UTC; names sort by it.
const asideFormat = "20060102T150405.000000000Z"

// save writes the next generation over what the snapshot found. The lock must be held. At every instant there is a
// current file, so that a process killed anywhere in here leaves the old generation or the new one; the exception is a
// folder in place of the file, which cannot be replaced by a rename.
func (s *Store) save(p snapshot, raw []byte) error {
	next, err := s.writeTemp(p.name, raw)
	if err != nil {
		return err
	}
	if err := s.replace(p, next); err != nil {
		_ = os.Remove(next)
		return err
	}
	if p.current.condition == damaged || p.previous.condition == damaged {
		s.thinOut(p.name)
	}
	return nil
}

// replace puts the file next in place of the current generation.
func (s *Store) replace(p snapshot, next string) error {
	current, previous := s.path(p.name, extCurrent), s.path(p.name, extPrevious)
	if p.previous.condition == damaged {
		if err := s.setAside(p.name, previous); err != nil {
			return err
		}
	}
	switch p.current.condition {
	case sound:
		if err := s.keep(p.name, p.current.raw); err != nil {
			return err
		}
	case damaged:
		if err := s.setAside(p.name, current); err != nil {
			return err
		}
	}
	return rename(next, current)
}

// keep makes the current file, whose content is raw, the previous generation too.
func (s *Store) keep(name string, raw []byte) error {
	current, previous := s.path(name, extCurrent), s.path(name, extPrevious)
	old := s.tempPath(name)
	if err := os.Link(current, old); err != nil {
		// No links on this file system.
		if old, err = s.writeTemp(name, raw); err != nil {
			return err
		}
	}
	// If a process was killed between keeping and replacing, both names are already one file. Renaming one onto the
	// other then does nothing, and the name is left to be removed.
	defer unlink(old)
	err := rename(old, previous)
	if err == nil {
		return nil
	}
	// Something that is no file may stand there; a rename replaces all but a folder.
	if info, e := os.Lstat(previous); e != nil || !info.IsDir() {
		return err
	}
	if err := s.setAside(name, previous); err != nil {
		return err
	}
	return rename(old, previous)
}

// setAside gives a damaged thing another name; it is never deleted here (S3). A file keeps its name as well until it is
// replaced, so that a process killed in between cannot turn damage into a session never seen.
func (s *Store) setAside(name, path string) error {
	aside := s.path(name, fmt.Sprintf("%s%s-%08x", extDamaged, s.now().UTC().Format(asideFormat), rand.Uint32()))
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && os.Link(path, aside) == nil {
		return nil
	}
	return rename(path, aside)
}

// thinOut removes all but the newest damaged files of a session. It reads the whole folder, but only after damage.
func (s *Store) thinOut(name string) {
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

func (s *Store) tempPath(name string) string {
	return s.path(name, extTemp+fmt.Sprintf("%016x", rand.Uint64()))
}

// writeTemp writes a new file beside the others and gives its path. Nothing is left behind if it fails.
func (s *Store) writeTemp(name string, raw []byte) (string, error) {
	path := s.tempPath(name)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = f.Write(raw)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		_ = os.Remove(path)
		return "", err
	}
	return path, nil
}
