package state

import "io/fs"

// foreign is always false: whose a file is, Windows sees to.
func foreign(int64, string) bool { return false }

// unlinkLock leaves the lock file: an open file cannot be unlinked here.
func unlinkLock(string) {}

func closeToOthers(string, fs.FileInfo) {}
