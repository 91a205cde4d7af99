//go:build unix

package project

import (
	"io"
	"os"
	"syscall"
)

// openRegular opens a regular file for reading and gives its size. It neither follows a link nor waits for the other
// end of a FIFO. The descriptor is not given to os: that would start the runtime's poller, four system calls that a
// regular file has no use for.
func openRegular(path string) (*File, error) {
	fd, err := retry(func() (int, error) {
		return syscall.Open(path, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW|syscall.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	var st syscall.Stat_t
	if err := syscall.Fstat(fd, &st); err != nil {
		_ = syscall.Close(fd)
		return nil, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	if st.Mode&syscall.S_IFMT != syscall.S_IFREG {
		_ = syscall.Close(fd)
		return nil, &NotRegularError{Path: path}
	}
	return &File{handle: descriptor(fd), size: st.Size}, nil
}

// descriptor is an open file.
type descriptor int

func (d descriptor) ReadAt(b []byte, at int64) (int, error) {
	done := 0
	for done < len(b) {
		n, err := retry(func() (int, error) { return syscall.Pread(int(d), b[done:], at+int64(done)) })
		if err != nil {
			return done, os.NewSyscallError("read", err)
		}
		if n == 0 {
			return done, io.EOF
		}
		done += n
	}
	return done, nil
}

func (d descriptor) Close() error { return os.NewSyscallError("close", syscall.Close(int(d))) }

// retry repeats a call that a signal interrupted, as network file systems do.
func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != syscall.EINTR {
			return n, err
		}
	}
}

// names are up to limit entries of a folder, unsorted; nil and false when there are more or it cannot be listed.
func names(path string, limit int) ([]string, bool) {
	fd, err := retry(func() (int, error) {
		return syscall.Open(path, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, false
	}
	return listed(os.NewFile(uintptr(fd), path), limit)
}

// version is what tells the file apart from another one that took its name.
func version(info os.FileInfo) (inode, device uint64) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ino, uint64(st.Dev) //nolint:unconvert // Dev is 32 bits wide on macOS
	}
	return 0, 0
}

// readable reports whether this process may read the file.
func readable(path string) bool { return access(path) == nil }
