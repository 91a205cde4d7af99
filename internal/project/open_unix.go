//go:build unix

package project

import (
	"os"
	"syscall"

	"github.com/mbgate/mbgate/internal/rawfile"
)

// names are up to limit entries of a folder, unsorted; nil and false when there are more or it cannot be listed.
func names(path string, limit int) ([]string, bool) {
	f, err := rawfile.Open(path, os.O_RDONLY|syscall.O_DIRECTORY)
	if err != nil {
		return nil, false
	}
	return listed(os.NewFile(uintptr(f), path), limit)
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
