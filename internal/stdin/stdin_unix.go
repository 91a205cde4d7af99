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

// source reads from the descriptor itself.
type source struct{ fd int }

func newSource(f *os.File) *source { return &source{int(f.Fd())} }

// wait waits with poll(2) until there is something to read, the end, or an error that Read tells better (macOS: POLLNVAL
// for /dev/null). A read deadline would need a descriptor in non-blocking mode, and that mode belongs to the open file,
// which other processes share: `(mbgate read; cat) <pipe` would break the cat. It also starts the runtime's poller, which
// nothing else in a hook needs.
func (s *source) wait(limit time.Duration) (ready bool, err error) {
	fds := []unix.PollFd{{Fd: int32(s.fd), Events: unix.POLLIN}}
	for end := time.Now().Add(limit); limit > 0; limit = time.Until(end) {
		// Rounded up, so that the last part of a millisecond is not spent spinning.
		n, err := unix.Poll(fds, int((limit+time.Millisecond-1)/time.Millisecond))
		if err != nil && err != unix.EINTR { // the runtime's own signals
			return false, &Error{Unreadable, os.NewSyscallError("poll", err)}
		}
		if n > 0 {
			return true, nil
		}
	}
	return false, nil
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (int, error) {
	for {
		n, err := syscall.Read(s.fd, p)
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
