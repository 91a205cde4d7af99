package transcript

import (
	"bufio"
	"bytes"
	"io"
)

// longest is how many bytes of a line are kept. Observed lines have up to 400 kB; a longer one holds an image.
const longest = 4 << 20

// Lines reads JSON lines in a bounded memory.
type Lines struct {
	r    *bufio.Reader
	long []byte
	// Skipped counts the lines of more than 4 MB, which are left out.
	Skipped int
	// Bytes counts what was read.
	Bytes int64
}

// NewLines reads the lines of r.
func NewLines(r io.Reader) *Lines { return &Lines{r: bufio.NewReaderSize(r, 256<<10)} }

// Next is the next line without its end, good until the next call; false at the end and where the file cannot be read. A last
// line without an end is still being written and is left out.
func (l *Lines) Next() ([]byte, bool) {
	l.long = l.long[:0]
	skip := false
	for {
		part, err := l.r.ReadSlice('\n')
		l.Bytes += int64(len(part))
		switch {
		case err == nil && skip:
			l.Skipped++
			l.long, skip = l.long[:0], false
		case err == nil && len(l.long) == 0:
			return bytes.TrimRight(part, "\r\n"), true
		case err == nil:
			l.long = append(l.long, part...)
			return bytes.TrimRight(l.long, "\r\n"), true
		case err != bufio.ErrBufferFull:
			return nil, false
		case skip || len(l.long)+len(part) > longest:
			skip = true
		default:
			l.long = append(l.long, part...)
		}
	}
}
