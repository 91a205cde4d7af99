package rawfile

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/windows"
)

// File is an open file.
type File struct{ *os.File }

// Open opens a file with the flags of package os, and nothing but a file. While another process replaces it, Windows
// refuses to open it for a moment.
func Open(path string, flags int) (File, error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return File{}, &fs.PathError{Op: "open", Path: path, Err: errors.New("not a regular file")}
	}
	var f *os.File
	err := insist(func() (err error) {
		f, err = os.OpenFile(path, flags, 0o600)
		return err
	})
	return File{f}, err
}

// Stat says what the file is.
func (f File) Stat() (Info, error) {
	info, err := f.File.Stat()
	if err != nil {
		return Info{}, err
	}
	return Info{Mode: info.Mode().Type(), Size: info.Size(), Owner: -1, Links: 1}, nil
}

// Named is always true: an open file keeps its name here.
func (f File) Named(string) bool { return true }

// Close closes the file, and frees its lock.
func (f File) Close() error { return f.File.Close() }

// TryLock takes the file's lock if it is free.
func (f File) TryLock() (bool, error) {
	err := f.lock(windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// Lock takes the file's lock when it becomes free, however long that takes.
func (f File) Lock() error { return f.lock(windows.LOCKFILE_EXCLUSIVE_LOCK) }

func (f File) lock(how uint32) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), how, 0, 1, 0, &windows.Overlapped{})
}

// Rename replaces a file, also while somebody reads it: Windows then refuses for the moment that the reader has it open.
func Rename(from, to string) error { return insist(func() error { return os.Rename(from, to) }) }

// Unlink removes a name. That it is gone already is no matter.
func Unlink(path string) { _ = os.Remove(path) }

// insist tries for half a second what Windows refuses while another process has the file open.
func insist(try func() error) error {
	start := time.Now()
	for {
		err := try()
		if err == nil || !errors.Is(err, windows.ERROR_SHARING_VIOLATION) && !errors.Is(err, syscall.ERROR_ACCESS_DENIED) ||
			time.Since(start) > 500*time.Millisecond {
			return err
		}
		time.Sleep(time.Millisecond + rand.N(4*time.Millisecond))
	}
}
