//go:build !windows

package state

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/gofrs/flock"
)

// lockFlags never follow a link out of the folder and never wait for the other end of a FIFO.
const lockFlags = os.O_CREATE | os.O_RDONLY | syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// handle is a file that is open for reading. It is not an os.File, because making one of a regular file starts the
// runtime's poller: four system calls and the goroutine that closes forgotten files, 30 µs of every hook.
type handle int

// openToRead opens a file without following a link in its place or waiting for a FIFO's other end.
func openToRead(path string) (handle, error) {
	fd, err := again(func() (int, error) {
		return syscall.Open(path, syscall.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	})
	if err != nil {
		return 0, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return handle(fd), nil
}

// look is what the file is, how large, and whether it is foreign to its folder.
func (h handle) look(dir string) (mode fs.FileMode, size int64, strange bool, err error) {
	var st syscall.Stat_t
	if err := syscall.Fstat(int(h), &st); err != nil {
		return 0, 0, false, os.NewSyscallError("fstat", err)
	}
	switch st.Mode & syscall.S_IFMT {
	case syscall.S_IFREG:
	case syscall.S_IFDIR:
		mode = fs.ModeDir
	case syscall.S_IFIFO:
		mode = fs.ModeNamedPipe
	default:
		mode = fs.ModeIrregular
	}
	return mode, st.Size, foreign(st.Uid, dir), nil
}

// Read implements io.Reader.
func (h handle) Read(b []byte) (int, error) {
	n, err := again(func() (int, error) { return syscall.Read(int(h), b) })
	switch {
	case err != nil:
		return 0, os.NewSyscallError("read", err)
	case n == 0 && len(b) > 0:
		return 0, io.EOF
	}
	return n, nil
}

func (h handle) close() { _ = syscall.Close(int(h)) }

// again repeats a call that a signal interrupted, as network file systems do.
func again(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}

// isMissing reports whether an error of opening means that there is no such file. A file in place of the folder
// (HOME=/dev/null) counts: nothing can be remembered there, and saving will say so.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// foreign reports whether a file belongs to somebody else: neither to us nor to the folder's owner. The second is for
// file systems that show everything as owned by one user, whoever made it (NFS with squashed users, containers): there
// our own files look foreign, and calling them damaged would put every session into recovery for ever.
func foreign(owner uint32, dir string) bool {
	if int64(owner) == int64(os.Geteuid()) {
		return false
	}
	parent, err := os.Stat(dir)
	if err != nil {
		return false
	}
	folder, ok := parent.Sys().(*syscall.Stat_t)
	return ok && folder.Uid != owner
}

// stillNamed reports whether the file that was locked is still the one with the name.
func stillNamed(l *flock.Flock, path string) bool {
	held, err := l.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(path)
	return err == nil && os.SameFile(held, named)
}

// unlinkLock removes a lock file that is held; see the package comment.
func unlinkLock(path string) { _ = os.Remove(path) }

// closeToOthers makes the folder private; where that is not ours to do, it stays as it is.
func closeToOthers(dir string, info fs.FileInfo) {
	if info.Mode().Perm()&0o077 != 0 {
		_ = os.Chmod(dir, 0o700)
	}
}

// rename and unlink are the bare calls: os.Rename looks at its target first, os.Remove tries a folder too, and a hook
// does not need either while others wait for its lock.
func rename(from, to string) error {
	err := syscall.Rename(from, to)
	for errors.Is(err, syscall.EINTR) {
		err = syscall.Rename(from, to)
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

func unlink(path string) { _ = syscall.Unlink(path) }
