//go:build unix

package stdin

import (
	"io"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// waiter waits with poll(2). A read deadline would need a descriptor in non-blocking mode, and that mode belongs to the
// open file, which other processes share: `(mbgate read; cat) <pipe` would break the cat. It also starts the runtime's
// poller, which nothing else in a hook needs.
func waiter(f *os.File, b bounds) func() error {
	c := start(b)
	fds := []unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLIN}}
	return func() error {
		for {
			left, fault := c.next()
			if left == 0 {
				return &Error{Fault: fault}
			}
			// Rounded up, so that the last part of a millisecond is not spent spinning.
			n, err := unix.Poll(fds, int((left+time.Millisecond-1)/time.Millisecond))
			switch {
			case err == unix.EINTR: // the runtime's own signals
			case err != nil:
				return &Error{Unreadable, os.NewSyscallError("poll", err)}
			case n > 0:
				return nil // something to read, the end, or an error that read tells better (macOS: POLLNVAL for /dev/null)
			default:
				return &Error{Fault: fault}
			}
		}
	}
}

// reader reads from the descriptor itself.
func reader(f *os.File, _ bounds) io.Reader { return descriptor(f.Fd()) }

type descriptor int

func (d descriptor) Read(p []byte) (int, error) {
	for {
		n, err := syscall.Read(int(d), p)
		switch {
		case err == syscall.EINTR:
		case err == syscall.EAGAIN: // somebody else made it non-blocking; poll again
			return 0, nil
		case err != nil:
			return 0, os.NewSyscallError("read", err)
		case n == 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}
