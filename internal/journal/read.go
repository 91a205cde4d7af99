package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Tail reads a journal that grows, for `mbgate log --follow`. It keeps no file open between two calls, since an open
// file cannot be rotated everywhere. Every generation is looked at in every call: a process that had the current file
// open while it was renamed appends to it under its new name.
type Tail struct {
	files files
	// seen are the files of the last call, read up to their offsets.
	seen []seen
}

// seen is a file that was read up to offset.
type seen struct {
	info   fs.FileInfo
	offset int64
	// head is how the file begins: a file system gives the number of a removed file to the next new one.
	head []byte
}

// known is what was seen of a file: nothing of a new one, nor of one that became shorter.
func (t *Tail) known(file *os.File, info fs.FileInfo) seen {
	for _, s := range t.seen {
		if !os.SameFile(s.info, info) || info.Size() < s.offset {
			continue
		}
		head := make([]byte, len(s.head))
		if n, _ := file.ReadAt(head, 0); bytes.Equal(head[:n], s.head) {
			return s
		}
	}
	return seen{info: info}
}

// NewTail gives a Tail at the beginning of the journal in a state folder.
func NewTail(dir string) *Tail { return &Tail{files: files{dir, maxFile, generations}} }

// Next gives f the records that came since the last call, the first time all of them, oldest first, until f returns
// false; a later call goes on behind that record. See Read for what is skipped.
func (t *Tail) Next(f func(Record) bool) error {
	type generation struct {
		file *os.File
		seen seen
	}
	var open []generation // newest first
	var first error
	// The newest is opened first: a rotation in between then shows a file twice, which is noticed, rather than never.
	for g := range t.files.generations {
		file, info, err := openRegular(t.files.path(g))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			first = errors.Join(first, err)
			continue
		}
		defer file.Close()
		if n := len(open); n > 0 && os.SameFile(open[n-1].seen.info, info) {
			continue
		}
		open = append(open, generation{file, t.known(file, info)})
	}
	t.seen = t.seen[:0]
	more := true
	for i := len(open) - 1; i >= 0; i-- {
		g, s := open[i].file, open[i].seen
		if more {
			var n int64
			var err error
			n, more, err = readLines(io.NewSectionReader(g, s.offset, 1<<62), f)
			s.offset += n
			if len(s.head) < maxLine && n > 0 {
				s.head = make([]byte, min(s.offset, maxLine))
				k, _ := g.ReadAt(s.head, 0)
				s.head = s.head[:k]
			}
			first = errors.Join(first, err)
		}
		t.seen = append(t.seen, s)
	}
	if first != nil {
		return fmt.Errorf("journal: %w", first)
	}
	return nil
}

// openRegular opens a file for reading and waits for nothing. There is no reason to put anything else there, so looking first
// is enough.
func openRegular(path string) (*os.File, fs.FileInfo, error) {
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file: remove it", path)
	}
	if err != nil {
		return nil, nil, err
	}
	file, err := os.Open(path)
	if err == nil {
		info, err = file.Stat()
	}
	return file, info, err
}

// readLines gives the records of one file to f. It says how far it came, in whole lines, and whether f wants more.
func readLines(r io.Reader, f func(Record) bool) (read int64, more bool, err error) {
	b := bufio.NewReaderSize(r, 4*maxLine)
	part := 0 // bytes of a line too long to be one of ours; its end is no record either
	for {
		line, err := b.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			part += len(line)
			continue
		case errors.Is(err, io.EOF):
			return read, true, nil // a line without its end may still be written
		case err != nil:
			return read, true, err
		}
		read += int64(part + len(line))
		if r, ok := parse(line); ok && part == 0 && !f(r) {
			return read, false, nil
		}
		part = 0
	}
}

// parse finds the record in a line. A record torn by a full disk has no newline, so the next one stands on the same
// line; `{"at":"` begins a record and cannot occur inside one, where quotes are escaped.
func parse(line []byte) (Record, bool) {
	begin := bytes.LastIndex(line, []byte(`{"at":"`))
	if begin < 0 {
		return Record{}, false
	}
	var r Record
	if json.Unmarshal(line[begin:], &r) != nil || r.At.IsZero() {
		return Record{}, false
	}
	// What Append wrote is plain; what somebody else wrote is printed, too.
	for _, f := range r.fields() {
		*f.text = plain(*f.text)
	}
	return r, true
}
