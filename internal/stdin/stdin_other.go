//go:build !unix

package stdin

import (
	"os"
	"time"

	"golang.org/x/term"
)

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// source reads in a goroutine, since Windows has no way to wait for an anonymous pipe. When time is up the goroutine stays
// behind in its read; the process ends then anyway. It cannot panic into a status 2: it only calls Read.
type source struct {
	chunks chan chunk
	next   chan struct{}
	asked  bool
	rest   chunk
}

// chunk is what one read gave. The goroutine reads the next only when it is used up, so one buffer is enough.
type chunk struct {
	data []byte
	err  error
}

func newSource(f *os.File) *source {
	s := &source{chunks: make(chan chunk), next: make(chan struct{})}
	go func() {
		buf := make([]byte, 64<<10)
		for range s.next {
			n, err := f.Read(buf)
			s.chunks <- chunk{buf[:n], err}
		}
	}()
	return s
}

// wait waits until there is something to read, the end or an error.
func (s *source) wait(limit time.Duration) (ready bool, err error) {
	if len(s.rest.data) > 0 || s.rest.err != nil {
		return true, nil
	}
	s.ask()
	late := time.NewTimer(limit)
	defer late.Stop()
	select {
	case s.rest = <-s.chunks:
		s.asked = false
		return true, nil
	case <-late.C:
		return false, nil
	}
}

// ask makes the goroutine read once.
func (s *source) ask() {
	if !s.asked {
		s.next <- struct{}{}
		s.asked = true
	}
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (int, error) {
	if len(s.rest.data) == 0 && s.rest.err == nil {
		s.ask()
		s.rest = <-s.chunks
		s.asked = false
	}
	n := copy(p, s.rest.data)
	if s.rest.data = s.rest.data[n:]; len(s.rest.data) == 0 {
		return n, s.rest.err
	}
	return n, nil
}
