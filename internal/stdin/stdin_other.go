//go:build !unix

package stdin

import (
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

func waiter(*os.File, bounds) func() error { return nil }

// reader reads in a goroutine, since Windows has no way to wait for an anonymous pipe. When time is up the goroutine
// stays behind in its read; the process ends then anyway. It cannot panic into a status 2: it only calls Read.
func reader(f *os.File, b bounds) io.Reader {
	r := &timed{clock: start(b), chunks: make(chan chunk), next: make(chan struct{})}
	go func() {
		buf := make([]byte, 64<<10)
		for range r.next {
			n, err := f.Read(buf)
			r.chunks <- chunk{buf[:n], err}
		}
	}()
	return r
}

type chunk struct {
	data []byte
	err  error
}

// timed hands out what the goroutine read. It asks for the next chunk only when the last one is used up, so one buffer
// is enough.
type timed struct {
	clock  clock
	chunks chan chunk
	next   chan struct{}
	rest   chunk
}

func (t *timed) Read(p []byte) (int, error) {
	if len(t.rest.data) == 0 {
		if t.rest.err != nil {
			return 0, t.rest.err
		}
		left, fault := t.clock.next()
		if left == 0 {
			return 0, &Error{Fault: fault}
		}
		late := time.NewTimer(left)
		defer late.Stop()
		t.next <- struct{}{}
		select {
		case t.rest = <-t.chunks:
		case <-late.C:
			return 0, &Error{Fault: fault}
		}
	}
	n := copy(p, t.rest.data)
	t.rest.data = t.rest.data[n:]
	return n, nil
}
