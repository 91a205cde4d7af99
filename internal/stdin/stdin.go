// Package stdin reads the payload that an agent sends to a hook, and never waits for one that does not come.
//
// Agents close standard input after one object. A caller that does not (a person at a terminal, a client that keeps
// the pipe open, a device) must not hang the agent, so reading is bounded in size and in time (SPEC §3).
package stdin

import (
	"io"
	"os"
	"slices"
	"time"
)

// The bounds of SPEC §3: bytes in all, time without a byte, time in all.
const (
	MaxBytes = 64 << 20
	Idle     = 2 * time.Second
	Total    = 5 * time.Second
)

// Fault says why there is no payload.
type Fault int

// The faults. Unreadable is a folder, a closed descriptor, an I/O error.
const (
	Unreadable Fault = iota
	Terminal
	Silent
	Slow
	TooLarge
)

// Error is the one error of Read.
type Error struct {
	Fault Fault
	// Err is the cause of an Unreadable.
	Err error
}

// Error is one line, with the remedy.
func (e *Error) Error() string {
	switch e.Fault {
	case Terminal:
		return "this is a hook command: an agent calls it with a JSON object on standard input; " +
			"run `mbgate install` to put it into an agent's configuration, or `mbgate demo` to see it work"
	case Silent:
		return "standard input stayed silent for 2 seconds; close it after the JSON object"
	case Slow:
		return "standard input did not end within 5 seconds; close it after the JSON object"
	case TooLarge:
		return "the input is larger than 64 MB; send less"
	}
	return "standard input cannot be read (" + e.Err.Error() + "); send a JSON object through a pipe"
}

func (e *Error) Unwrap() error { return e.Err }

// Read returns all of f, which is standard input. Every error is an *Error.
func Read(f *os.File) ([]byte, error) {
	return read(f, bounds{bytes: MaxBytes, idle: Idle, total: Total})
}

// bounds are smaller in tests.
type bounds struct {
	bytes       int
	idle, total time.Duration
}

func read(f *os.File, b bounds) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, &Error{Unreadable, err}
	}
	size := 0
	var wait func() error
	switch mode := info.Mode(); {
	case mode.IsRegular():
		size = int(min(info.Size(), int64(b.bytes)))
	case mode&os.ModeCharDevice != 0 && isTerminal(f):
		return nil, &Error{Fault: Terminal}
	default:
		// Pipes, sockets and devices may have nothing to say for ever.
		wait = waiter(f, b)
	}
	return drain(reader(f, b), wait, size, b.bytes)
}

// drain reads to the end of r, before each read waiting until there is something to read. size is a guess.
func drain(r io.Reader, wait func() error, size, most int) ([]byte, error) {
	// A tool call is about 1 kB; one more byte than expected lets the end be seen without growing.
	data := make([]byte, 0, max(size+1, 4096))
	for {
		if len(data) == cap(data) {
			// Twice as much: the quarter that append adds would leave four times the payload behind as garbage, which the
			// collector then stops a hook for (a Write of 2 MB: three times).
			data = slices.Grow(data, cap(data))
		}
		if wait != nil {
			if err := wait(); err != nil {
				return nil, err
			}
		}
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case len(data) > most:
			return nil, &Error{Fault: TooLarge}
		case err == io.EOF:
			return data, nil
		case err != nil:
			if fault, ok := err.(*Error); ok {
				return nil, fault
			}
			return nil, &Error{Unreadable, err}
		}
	}
}

// clock holds the two limits of a read that has begun.
type clock struct {
	idle time.Duration
	end  time.Time
}

func start(b bounds) clock { return clock{b.idle, time.Now().Add(b.total)} }

// next is how long the next byte may take, and the fault if it does not come in that time. Once it is 0 time is up,
// even if there is a byte: one that comes every millisecond must not keep the hook alive.
func (c clock) next() (time.Duration, Fault) {
	if left := time.Until(c.end); left < c.idle {
		return max(left, 0), Slow
	}
	return c.idle, Silent
}
