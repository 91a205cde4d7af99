//go:build !windows

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// unread reports whether nobody reads a pipe any more. Without the question `mbgate log --follow | head -1` would wait
// for the next decision before it noticed.
func unread(out *os.File) bool {
	poll := []unix.PollFd{{Fd: int32(out.Fd())}}
	n, err := unix.Poll(poll, 0)
	return err == nil && n > 0 && poll[0].Revents&(unix.POLLERR|unix.POLLHUP|unix.POLLNVAL) != 0
}
