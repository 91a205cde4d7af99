package state

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

const sharingViolation syscall.Errno = 32

// handle is an open file.
type handle struct{ *os.File }

// openToRead opens a file, and nothing but a file. While another process replaces it, Windows refuses to open it for a
// moment; that must not pass for damage.
func openToRead(path string) (handle, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return handle{}, err
	}
	if !info.Mode().IsRegular() {
		return handle{}, &fs.PathError{Op: "open", Path: path, Err: errors.New("not a regular file")}
	}
	var f *os.File
	err = insist(func() error {
		f, err = os.Open(path)
		return err
	})
	return handle{f}, err
}

// openToWrite opens a file to be overwritten, made if it is not there.
func openToWrite(path string) (handle, error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return handle{}, fs.ErrExist
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
	return handle{f}, err
}

// look is what the file is and how large. Whose it is, Windows sees to.
func (h handle) look(string) (mode fs.FileMode, size int64, strange bool, err error) {
	info, err := h.Stat()
	if err != nil {
		return 0, 0, false, err
	}
	return info.Mode(), info.Size(), false, nil
}

func (h handle) close() { _ = h.Close() }

func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// lockFile is an open sidecar. Closing it frees the lock.
type lockFile struct{ *flock.Flock }

func openLock(path string) (lockFile, error) {
	return lockFile{flock.New(path, flock.SetFlag(os.O_RDONLY))}, exists(path)
}

func makeLock(path string) (lockFile, error) { return lockFile{flock.New(path)}, nil }

func exists(path string) error {
	_, err := os.Lstat(path)
	return err
}

// try takes the lock if it is free, wait when it becomes free.
func (l lockFile) try() (bool, error) { return l.TryLock() }
func (l lockFile) wait() error        { return l.Lock() }
func (l lockFile) close()             { _ = l.Unlock() }

// named is always true: here lock files are never unlinked.
func (l lockFile) named(string) bool { return true }

func unlinkLock(string) {}

func closeToOthers(string, fs.FileInfo) {}

// rename replaces a file, also while somebody reads it: Windows then refuses for the moment that the reader has it open.
func rename(from, to string) error { return insist(func() error { return os.Rename(from, to) }) }

func unlink(path string) { _ = os.Remove(path) }

// insist tries for half a second what Windows refuses while another process has the file open.
func insist(try func() error) error {
	start := time.Now()
	for {
		err := try()
		if err == nil || !errors.Is(err, sharingViolation) && !errors.Is(err, syscall.ERROR_ACCESS_DENIED) ||
			time.Since(start) > 500*time.Millisecond {
			return err
		}
		time.Sleep(time.Millisecond + rand.N(4*time.Millisecond))
	}
}
