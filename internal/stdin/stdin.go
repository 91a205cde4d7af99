// Package stdin reads the payload that an agent sends to a hook, and never waits for one that does not come. It imports
// jsonscan only. Start reading with read.
//
// Agents close standard input after one object. A caller that does not (a person at a terminal, a device) must not hang
// the agent, so reading is bounded in size and in time; of a client that keeps the pipe open one whole object is used as
// soon as nothing follows it (SPEC §3).
package stdin

import (
	"io"
	"os"
	"slices"
	"time"

	"github.com/mbgate/mbgate/internal/jsonscan"
)

// bounds are those of SPEC §3; tests have smaller ones.
type bounds struct {
	bytes int
	// first is the time without a first byte, idle without a further one, settle without one behind a whole object, and
	// total the time in all.
	first, idle, settle, total time.Duration
}

func defaults() bounds {
	return bounds{bytes: 64 << 20, first: 5 * time.Second, idle: 2 * time.Second, settle: 200 * time.Millisecond, total: 8 * time.Second}
}

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
		return "standard input stays silent; send one JSON object and close it"
	case Slow:
		return "standard input did not end within 8 seconds; close it after the JSON object"
	case TooLarge:
		return "the input is larger than 64 MB; send less"
	}
	return "standard input cannot be read (" + e.Err.Error() + "); send a JSON object through a pipe"
}

func (e *Error) Unwrap() error { return e.Err }

// Read returns all of f, which is standard input. Every error is an *Error.
func Read(f *os.File) ([]byte, error) {
	return read(f, defaults())
}

func read(f *os.File, b bounds) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, &Error{Unreadable, err}
	}
	size, waits := 0, false
	switch mode := info.Mode(); {
	case mode.IsRegular():
		size = int(min(info.Size(), int64(b.bytes)))
	case mode&os.ModeCharDevice != 0 && isTerminal(f):
		return nil, &Error{Fault: Terminal}
	default:
		waits = true // pipes, sockets and devices may have nothing to say for ever
	}
	in := newSource(f)
	c := clock{bounds: b, end: time.Now().Add(b.total)}
	// A tool call is about 1 kB; one more byte than expected lets the end be seen without growing.
	data := make([]byte, 0, max(size+1, 4096))
	for {
		if len(data) == cap(data) {
			// Twice as much: the quarter that append adds would leave four times the payload behind as garbage, which the
			// collector then stops a hook for (a Write of 2 MB: three times).
			data = slices.Grow(data, cap(data))
		}
		if waits {
			if done, err := c.wait(in, data); done || err != nil {
				return data, err
			}
		}
		n, err := in.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case len(data) > b.bytes:
			return nil, &Error{Fault: TooLarge}
		case err == io.EOF:
			return data, nil
		case err != nil:
			return nil, &Error{Unreadable, err}
		}
	}
}

// clock holds the limits of a read that has begun.
type clock struct {
	bounds
	end time.Time
}

// wait waits until there is something to read behind data. done is true if nothing comes and data is a whole object. Once
// the time in all is up no byte counts: one that comes every millisecond must not keep the hook alive.
func (c clock) wait(in *source, data []byte) (done bool, err error) {
	limit, fault := c.idle, Silent
	if len(data) == 0 {
		limit = c.first
	}
	if left := time.Until(c.end); left < limit {
		limit, fault = left, Slow
	}
	if len(data) > 0 && c.settle < limit {
		if ready, err := in.wait(c.settle); ready || err != nil {
			return false, err
		}
		if isObject(data) {
			return true, nil
		}
		limit -= c.settle
	}
	if limit > 0 {
		if ready, err := in.wait(limit); ready || err != nil {
			return false, err
		}
	}
	return false, &Error{Fault: fault}
}

// isObject reports whether data is one whole JSON object.
func isObject(data []byte) bool {
	s := jsonscan.Scanner{Data: data}
	s.Space()
	if s.Peek() != '{' || !s.Value() {
		return false
	}
	s.Space()
	return s.Pos == len(data)
}
