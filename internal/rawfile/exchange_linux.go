package rawfile

import "golang.org/x/sys/unix"

// Exchange gives two files each other's names in one step. Some file systems cannot (NFS).
func Exchange(one, other string) error {
	return unix.Renameat2(unix.AT_FDCWD, one, unix.AT_FDCWD, other, unix.RENAME_EXCHANGE)
}
