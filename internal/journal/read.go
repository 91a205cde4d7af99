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
	"slices"
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

// generation is one file of the journal.
type generation struct {
	file *os.File
	seen seen
}

// open opens every generation, the newest first: a rotation in between then shows a file twice, which is noticed, rather
// than never. The caller closes what it is given.
func (t *Tail) open() (list []generation, err error) {
	for g := range t.files.generations {
		file, info, e := openRegular(t.files.path(g))
		switch n := len(list); {
		case errors.Is(e, fs.ErrNotExist):
		case e != nil:
			err = errors.Join(err, e)
		case n > 0 && os.SameFile(list[n-1].seen.info, info):
			_ = file.Close()
		default:
			list = append(list, generation{file, t.known(file, info)})
		}
	}
	return list, err
}

// Next gives f the records that came since the last call, the first time all of them, oldest first, until f returns
// false; a later call goes on behind that record. See Read for what is skipped.
func (t *Tail) Next(f func(Record) bool) error {
	list, failed := t.open()
	t.seen = t.seen[:0]
	more := true
	for _, g := range slices.Backward(list) {
		if more {
			var n int64
			var err error
			n, more, err = readLines(io.NewSectionReader(g.file, g.seen.offset, 1<<62), f)
			failed = errors.Join(failed, err)
			g.seen.offset += n
		}
		t.leave(g)
	}
	return wrapped(failed)
}

// Last gives f the records that are there, the newest first, until f returns false, and reads no further back. Next goes on
// behind the newest.
func (t *Tail) Last(f func(Record) bool) error {
	list, failed := t.open()
	t.seen = t.seen[:0]
	more := true
	for _, g := range list {
		end, err := lastLine(g.file, g.seen.info.Size())
		if err == nil && more {
			more, err = readBack(g.file, end, f)
		}
		failed = errors.Join(failed, err)
		g.seen.offset = end
		t.leave(g)
	}
	return wrapped(failed)
}

// leave closes a file and remembers how far it was read.
func (t *Tail) leave(g generation) {
	if len(g.seen.head) < maxLine && g.seen.offset > 0 {
		g.seen.head = make([]byte, min(g.seen.offset, maxLine))
		n, _ := g.file.ReadAt(g.seen.head, 0)
		g.seen.head = g.seen.head[:n]
	}
	_ = g.file.Close()
	t.seen = append(t.seen, g.seen)
}

func wrapped(err error) error {
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	return nil
}

// backBlock is how much is read at once from the end, in bytes.
const backBlock = 64 << 10

// lastLine is where the last whole line of a file ends: one without its end may still be written.
func lastLine(r io.ReaderAt, size int64) (int64, error) {
	block := make([]byte, backBlock)
	for size > 0 {
		from := max(0, size-backBlock)
		n, err := r.ReadAt(block[:size-from], from)
		if i := bytes.LastIndexByte(block[:n], '\n'); i >= 0 {
			return from + int64(i) + 1, nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		size = from
	}
	return 0, nil
}

// readBack gives the records before end to f, the last one first, and says whether f wants more.
func readBack(r io.ReaderAt, end int64, f func(Record) bool) (more bool, err error) {
	var cut []byte // the rest of a line whose beginning was not read yet
	for end > 0 {
		from := max(0, end-backBlock)
		block := make([]byte, end-from, int(end-from)+len(cut))
		if _, err := r.ReadAt(block, from); err != nil && !errors.Is(err, io.EOF) {
			return true, err
		}
		block, end = append(block, cut...), from
		for len(block) > 0 {
			begin := bytes.LastIndexByte(block[:len(block)-1], '\n') + 1
			if begin == 0 && from > 0 {
				break
			}
			if line := block[begin:]; len(line) <= readLine {
				if r, ok := parse(line); ok && !f(r) {
					return false, nil
				}
			}
			block = block[:begin]
		}
		cut = block[:min(len(block), readLine+1)] // more is too long to be one of ours, whatever follows
	}
	return true, nil
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

// readLine is the longest line that is looked at, in bytes: a record behind a torn one stands on its line.
const readLine = 4 * maxLine

// readLines gives the records of one file to f. It says how far it came, in whole lines, and whether f wants more.
func readLines(r io.Reader, f func(Record) bool) (read int64, more bool, err error) {
	b := bufio.NewReaderSize(r, readLine)
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
