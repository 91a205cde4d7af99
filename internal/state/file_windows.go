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

const lockFlags = os.O_CREATE | os.O_RDONLY

const sharingViolation syscall.Errno = 32

// handle is a file that is open for reading.
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

// stillNamed is always true: here lock files are never unlinked.
func stillNamed(*flock.Flock, string) bool { return true }

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
