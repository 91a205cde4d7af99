//go:build !windows

package journal

import "syscall"

// noWait keeps an open from following a link in place of a file and from waiting for a FIFO's other end.
const noWait = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
