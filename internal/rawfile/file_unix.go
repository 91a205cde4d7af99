//go:build !windows

package rawfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// File is an open file.
type File int

// Open opens a file with the flags of package os. A file that it makes has the permissions 0600.
func Open(path string, flags int) (File, error) {
	fd, err := again(func() (int, error) {
		return syscall.Open(path, flags|syscall.O_NOFOLLOW|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0o600)
	})
	if err != nil {
		return -1, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return File(fd), nil
}

// Stat says what the file is.
func (f File) Stat() (Info, error) {
	var st syscall.Stat_t
	if err := syscall.Fstat(int(f), &st); err != nil {
		return Info{}, os.NewSyscallError("fstat", err)
	}
	i := Info{
		Size: st.Size, Owner: int64(st.Uid), Links: uint64(st.Nlink), //nolint:unconvert // 16 or 32 bits wide elsewhere
		device: uint64(st.Dev), inode: st.Ino, //nolint:unconvert
	}
	switch st.Mode & syscall.S_IFMT {
	case syscall.S_IFREG:
	case syscall.S_IFDIR:
		i.Mode = fs.ModeDir
	case syscall.S_IFIFO:
		i.Mode = fs.ModeNamedPipe
	default:
		i.Mode = fs.ModeIrregular
	}
	return i, nil
}

// Named reports whether the file is still the one with that name.
func (f File) Named(path string) bool {
	held, err := f.Stat()
	var now syscall.Stat_t
	return err == nil && syscall.Lstat(path, &now) == nil && uint64(now.Dev) == held.device && now.Ino == held.inode //nolint:unconvert
}

// Read implements io.Reader.
func (f File) Read(b []byte) (int, error) {
	n, err := again(func() (int, error) { return syscall.Read(int(f), b) })
	switch {
	case err != nil:
		return 0, os.NewSyscallError("read", err)
	case n == 0 && len(b) > 0:
		return 0, io.EOF
	}
	return n, nil
}

// ReadAt implements io.ReaderAt.
func (f File) ReadAt(b []byte, at int64) (read int, err error) {
	for read < len(b) {
		n, err := again(func() (int, error) { return syscall.Pread(int(f), b[read:], at+int64(read)) })
		if err != nil {
			return read, os.NewSyscallError("read", err)
		}
		if n == 0 {
			return read, io.EOF
		}
		read += n
	}
	return read, nil
}

// Write implements io.Writer.
func (f File) Write(b []byte) (written int, err error) {
	for written < len(b) {
		n, err := again(func() (int, error) { return syscall.Write(int(f), b[written:]) })
		if err != nil {
			return written, os.NewSyscallError("write", err)
		}
		written += n
	}
	return written, nil
}

// Truncate cuts the file off at a size in bytes.
func (f File) Truncate(size int64) error {
	return os.NewSyscallError("truncate", syscall.Ftruncate(int(f), size))
}

// Close closes the file, and frees its lock.
func (f File) Close() error { return os.NewSyscallError("close", syscall.Close(int(f))) }

// TryLock takes the file's lock (flock) if it is free. NFS wants the file to be open for writing.
func (f File) TryLock() (bool, error) {
	err := f.flock(syscall.LOCK_EX | syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// Lock takes the file's lock when it becomes free, however long that takes.
func (f File) Lock() error { return f.flock(syscall.LOCK_EX) }

func (f File) flock(how int) error {
	_, err := again(func() (int, error) { return 0, syscall.Flock(int(f), how) })
	return os.NewSyscallError("flock", err)
}

// Rename and Unlink are the bare calls: os.Rename looks at its target first, os.Remove tries a folder too, and a hook
// does not need either while others wait for its lock.
func Rename(from, to string) error {
	_, err := again(func() (int, error) { return 0, syscall.Rename(from, to) })
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

// Unlink removes a name. That it is gone already is no matter.
func Unlink(path string) { _ = syscall.Unlink(path) }

// again repeats a call that a signal interrupted, as network file systems do.
func again(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}
