//go:build !windows

package state

import (
	"io/fs"
	"os"
	"syscall"
)

// foreign reports whether a file belongs to somebody else: neither to us nor to the folder's owner. The second is for
// file systems that show everything as owned by one user, whoever made it (NFS with squashed users, containers): there
// our own files look foreign, and calling them damaged would put every session into recovery for ever.
func foreign(owner int64, dir string) bool {
	if owner == int64(os.Geteuid()) {
		return false
	}
	parent, err := os.Stat(dir)
	if err != nil {
		return false
	}
	folder, ok := parent.Sys().(*syscall.Stat_t)
	return ok && int64(folder.Uid) != owner
}

// unlinkLock removes a lock file that is held; see the package comment.
func unlinkLock(path string) { _ = os.Remove(path) }

// closeToOthers makes the folder private; where that is not ours to do, it stays as it is.
func closeToOthers(dir string, info fs.FileInfo) {
	if info.Mode().Perm()&0o077 != 0 {
		_ = os.Chmod(dir, 0o700)
	}
}
