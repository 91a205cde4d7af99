//go:build unix

package install

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a file the owner of the one it replaces, as far as that is allowed: under sudo the new file would
// belong to root, and its client could not write its own settings any more.
func keepOwner(f *os.File, was fs.FileInfo) {
	if st, ok := was.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(st.Uid), int(st.Gid))
	}
}
