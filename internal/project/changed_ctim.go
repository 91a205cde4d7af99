//go:build linux || openbsd || dragonfly

package project

import (
	"os"
	"syscall"
)

// changed is when the file's content or inode last changed, in nanoseconds since 1970. Programs can set the modification
// time back but not this one.
func changed(info os.FileInfo) int64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ctim.Nano()
	}
	return info.ModTime().UnixNano()
}
