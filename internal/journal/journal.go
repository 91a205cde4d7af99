// Package journal writes down the decisions that were taken, for `mbgate log`: one JSON object a line in the folder log
// of the state folder. It imports nothing that decides. Start reading with Record in record.go; read.go serves people.
//
// A record is bounded (4 kB) and goes out in one write to a file opened for appending, which the file systems of one
// machine carry out as a whole, so parallel hooks need no lock and mix no lines. A file that has grown to 4 MB becomes
// decisions.jsonl.1, the one before .2, up to .3; the oldest is dropped. Only that step takes a lock, and a process that
// does not get it at once appends to the full file. A process that had the file open while it was renamed writes to it
// under its new name, so nothing is lost.
//
// No decision rests on the journal, and a failure to write it must never change a verdict: Append only reports it. It holds
// programs, tools, targets and reasons, never the text of a command, a file, a prompt or a note (SPEC §18).
package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/mbgate/mbgate/internal/rawfile"
)

const (
	maxFile     = 4 << 20 // bytes after which a file is full
	generations = 4       // files kept, the current one included
)

// Append adds a record to the journal in a state folder (an absolute path), which is made if it is not there. It waits
// for nothing.
func Append(dir string, r Record) error { return files{dir, maxFile, generations}.append(r) }

// Read gives every record to f, oldest first, until f returns false. It skips lines that are torn or foreign. A journal
// that is not there is empty. An error says that some of it could not be read; f got the rest.
func Read(dir string, f func(Record) bool) error { return NewTail(dir).Next(f) }

// files is a journal on disk.
type files struct {
	dir         string
	limit       int64
	generations int
}

func (j files) folder() string { return filepath.Join(j.dir, "log") }

// path is a generation's file; 0 is the current one.
func (j files) path(generation int) string {
	p := filepath.Join(j.folder(), "decisions.jsonl")
	if generation > 0 {
		p += "." + strconv.Itoa(generation)
	}
	return p
}

func (j files) append(r Record) error {
	if !filepath.IsAbs(j.dir) {
		return fmt.Errorf("journal: the folder %q is not an absolute path: set HOME or XDG_STATE_HOME to one", j.dir)
	}
	line, err := r.line()
	if err == nil {
		err = j.write(line)
	}
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	return nil
}

func (j files) write(line []byte) error {
	f, size, err := j.open()
	if err != nil {
		return err
	}
	if size >= j.limit && j.rotate() {
		_ = f.Close()
		if f, _, err = j.open(); err != nil {
			return err
		}
	}
	_, err = f.Write(line)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// open opens the current file for appending, and tells its size.
func (j files) open() (rawfile.File, int64, error) {
	f, err := rawfile.Open(j.path(0), os.O_WRONLY|os.O_APPEND|os.O_CREATE)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(j.folder(), 0o700); err != nil {
			return f, 0, err
		}
		f, err = rawfile.Open(j.path(0), os.O_WRONLY|os.O_APPEND|os.O_CREATE)
	}
	if err != nil {
		return f, 0, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode.IsRegular() {
		err = fmt.Errorf("%s is not a regular file: remove it", j.path(0))
	}
	if err != nil {
		_ = f.Close()
	}
	return f, info.Size, err
}

// rotate moves every generation one on if the current file is full, and reports whether the current one is new. It does
// not wait: if another process is at it, or it fails, the full file serves once more.
func (j files) rotate() bool {
	l, err := rawfile.Open(filepath.Join(j.folder(), "rotate.lock"), os.O_CREATE|os.O_RDWR)
	if err != nil {
		return false
	}
	defer l.Close()
	if ok, err := l.TryLock(); !ok || err != nil {
		return false
	}
	if info, err := os.Lstat(j.path(0)); err != nil || info.Size() < j.limit {
		return true // another process was faster
	}
	for g := j.generations - 1; g > 0; g-- {
		// A gap in the row is fine, so only the last step counts.
		if err := os.Rename(j.path(g-1), j.path(g)); err != nil && g == 1 {
			return false
		}
	}
	return true
}
