//go:build !windows

package state

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// handle is an open file. It is not an os.File, because making one of a regular file starts the runtime's poller: four
// system calls and the goroutine that closes forgotten files, 30 µs of every hook.
type handle int

func openToRead(path string) (handle, error) { return open(path, syscall.O_RDONLY) }

// openToWrite opens a file of our own to be overwritten, made if it is not there. One that has another name as well, or
// is not a regular file of ours, is left alone: the error is fs.ErrExist.
func openToWrite(path string) (handle, error) {
	h, err := open(path, syscall.O_WRONLY|syscall.O_CREAT)
	if err != nil {
		return 0, err
	}
	var st syscall.Stat_t
	err = syscall.Fstat(int(h), &st)
	if err == nil && (st.Mode&syscall.S_IFMT != syscall.S_IFREG || st.Nlink != 1 || int64(st.Uid) != int64(os.Geteuid())) {
		err = fs.ErrExist
	}
	if err != nil {
		h.close()
	}
	return h, err
}

// open opens a file without following a link in its place or waiting for a FIFO's other end.
func open(path string, flags int) (handle, error) {
	fd, err := again(func() (int, error) {
		return syscall.Open(path, flags|syscall.O_NOFOLLOW|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0o600)
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

// Write implements io.Writer.
func (h handle) Write(b []byte) (written int, err error) {
	for written < len(b) {
		n, err := again(func() (int, error) { return syscall.Write(int(h), b[written:]) })
		if err != nil {
			return written, os.NewSyscallError("write", err)
		}
		written += n
	}
	return written, nil
}

// Truncate cuts the file off at a size in bytes.
func (h handle) Truncate(size int64) error {
	return os.NewSyscallError("truncate", syscall.Ftruncate(int(h), size))
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

// lockFile is an open sidecar. Closing it frees the lock.
type lockFile struct{ handle }

// openLock opens a sidecar that is there, makeLock makes it.
func openLock(path string) (lockFile, error) {
	h, err := open(path, syscall.O_RDONLY)
	return lockFile{h}, err
}

func makeLock(path string) (lockFile, error) {
	h, err := open(path, syscall.O_RDONLY|syscall.O_CREAT)
	return lockFile{h}, err
}

// try takes the lock if it is free, wait when it becomes free.
func (l lockFile) try() (bool, error) {
	err := l.flock(syscall.LOCK_EX | syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

func (l lockFile) wait() error { return l.flock(syscall.LOCK_EX) }

func (l lockFile) flock(how int) error {
	_, err := again(func() (int, error) { return 0, syscall.Flock(int(l.handle), how) })
	return os.NewSyscallError("flock", err)
}

// named reports whether the file that was opened is still the one with the name.
func (l lockFile) named(path string) bool {
	var held, now syscall.Stat_t
	return syscall.Fstat(int(l.handle), &held) == nil && syscall.Lstat(path, &now) == nil && held.Dev == now.Dev && held.Ino == now.Ino
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
	_, err := again(func() (int, error) { return 0, syscall.Rename(from, to) })
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

func unlink(path string) { _ = syscall.Unlink(path) }
