//go:build !windows

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// readerGone reports whether the reading end of a pipe is closed. Without this check `mbgate log --follow | head -1` would
// only notice at the next decision.
func readerGone(out *os.File) bool {
	poll := []unix.PollFd{{Fd: int32(out.Fd())}}
	n, err := unix.Poll(poll, 0)
	return err == nil && n > 0 && poll[0].Revents&(unix.POLLERR|unix.POLLHUP|unix.POLLNVAL) != 0
}
