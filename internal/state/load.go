package state

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/rawfile"
)

// maxSize is the largest state file that is read, in bytes. Everything in a Session is capped far below it.
const maxSize = 8 << 20

// condition is how one file was found.
type condition int

const (
	missing condition = iota
	sound
	damaged
)

// generation is one state file as it was found.
type generation struct {
	condition condition
	path      string
	raw       []byte // the file
	session   gate.Session
	why       *DamageError // of a damaged one
}

// snapshot is a session as it was read, with what a save of the next generation must know.
type snapshot struct {
	name    string
	session gate.Session
	current generation
	// previous was looked at only if current is not sound.
	previous generation
	// unsaved is set while a recovery could not be saved (see Distrust): the session counts as damaged.
	unsaved bool
}

// intact reports whether there is no sign of damage.
func (p snapshot) intact() bool {
	return p.current.condition == sound || p.current.condition == missing && p.previous.condition == missing
}

// found reports whether there was a file at all.
func (p snapshot) found() bool {
	return p.current.condition != missing || p.previous.condition != missing || p.unsaved
}

// snapshot reads the files under a name, without a lock. fresh is the Session of one never seen.
func (s *Store) snapshot(name string, fresh gate.Session) (snapshot, error) {
	// The marker is looked for first: it goes only after the generation that holds its recovery has come.
	unsaved := s.isUnsaved(name)
	p, err := s.generations(name, fresh)
	p.unsaved = unsaved
	p.session.Damaged = p.session.Damaged || unsaved
	return p, err
}

// generations reads the current generation, and if that is not sound the one before.
func (s *Store) generations(name string, fresh gate.Session) (snapshot, error) {
	p := snapshot{name: name, session: fresh}
	var err error
	if p.current, err = s.read(name, extCurrent); err != nil {
		return p, err
	}
	if p.current.condition == sound {
		p.session = p.current.session
		return p, nil
	}
	if p.previous, err = s.read(name, extPrevious); err != nil {
		return p, err
	}
	if p.current.condition == missing {
		if p.previous.condition == missing {
			return p, nil
		}
		// Two saves may have happened in between.
		if p.current, err = s.read(name, extCurrent); err != nil {
			return p, err
		}
		if p.current.condition == sound {
			p.session = p.current.session
			return p, nil
		}
	}
	if p.current.condition == missing {
		p.current.why = &DamageError{s.path(name, extCurrent), "is gone, but its previous generation is there"}
	}
	if p.previous.condition == sound {
		p.session = p.previous.session
	}
	p.session.Damaged = true
	return p, nil
}

// maxLooks is how often a damaged file is read again while its content changes.
const maxLooks = 10

// read looks at one file. The error is a *NewerSchemaError or a *ReadError; damage is a condition, not an error.
//
// A file that lost its name may be overwritten while it is still being read, since saves reuse it. What is read then is
// damaged, and the file that has the name now is another one: damage is believed when two looks find the same.
func (s *Store) read(name, ext string) (generation, error) {
	g, err := s.look(name, ext)
	for range maxLooks {
		if err != nil || g.condition != damaged {
			break
		}
		before := g.raw
		if g, err = s.look(name, ext); bytes.Equal(g.raw, before) {
			break
		}
	}
	return g, err
}

func (s *Store) look(name, ext string) (generation, error) {
	path := s.path(name, ext)
	raw, err := s.readFile(path)
	var bad *DamageError
	switch {
	case errors.As(err, &bad):
		return generation{condition: damaged, why: bad}, nil
	case isMissing(err):
		return generation{}, nil
	case err != nil:
		return generation{}, &ReadError{path, err}
	}
	session, err := decode(raw)
	if newer, ok := errors.AsType[*NewerSchemaError](err); ok {
		newer.Path = path
		return generation{}, newer
	}
	why := ""
	switch {
	case len(raw) == 0:
		why = "is empty"
	case err != nil:
		why = err.Error()
	case fileName(session.ID) != name:
		why = "belongs to another session"
	default:
		return generation{condition: sound, path: path, raw: raw, session: session}, nil
	}
	return generation{condition: damaged, raw: raw, why: &DamageError{path, why}}, nil
}

// readFile reads a regular file of ours of bounded size, and never waits. The error is a *DamageError where something
// else has the name; other errors come from outside the file.
func (s *Store) readFile(path string) ([]byte, error) {
	f, err := rawfile.Open(path, os.O_RDONLY)
	if err != nil {
		if isMissing(err) {
			return nil, err
		}
		info, e := os.Lstat(path)
		switch {
		case e != nil:
			return nil, err // the folder cannot be searched, or the file is gone: not the file's fault
		case !info.Mode().IsRegular():
			return nil, &DamageError{path, "is " + kind(info.Mode())}
		case errors.Is(err, fs.ErrPermission):
			return nil, &DamageError{path, "may not be read"}
		}
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode.IsRegular():
		return nil, &DamageError{path, "is " + kind(info.Mode)}
	case info.Size > maxSize:
		return nil, &DamageError{path, fmt.Sprintf("is larger than %d MB", maxSize>>20)}
	case foreign(info.Owner, s.dir):
		return nil, &DamageError{path, "belongs to another user"}
	}
	raw := make([]byte, info.Size)
	n, err := io.ReadFull(f, raw)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, &DamageError{path, "cannot be read: " + err.Error()}
	}
	return raw[:n], nil
}

// isMissing reports whether an error of opening means that there is no such file. A file in place of the folder
// (HOME=/dev/null) counts: nothing can be remembered there, and saving will say so.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// kind names a thing that is not a regular file.
func kind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeSymlink != 0:
		return "a symbolic link"
	case m&fs.ModeNamedPipe != 0:
		return "a FIFO"
	}
	return "no regular file"
}
