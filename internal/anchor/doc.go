package anchor

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Stamp tells two versions of a file apart by one stat. The zero Stamp is no version at all.
type Stamp struct {
	Size int64 `json:"size"`
	// Mod is the modification time in nanoseconds, ID the file's identity (inode), 0 where there is none.
	Mod int64  `json:"mod"`
	ID  uint64 `json:"id,omitempty"`
}

// Limits of a scan, in bytes.
const (
	// sniff is how much of a file is searched for a NUL byte, which makes it a binary file.
	sniff = 8 << 10
	// lineText is how much of one line is kept for comparison; its sum covers all of it.
	lineText = 8 << 10
	// wide is how large a file in UTF-16 may be; a larger one is binary.
	wide = 4 << 20
	// counted is how large a file may be whose lines are counted, which takes some 10 ms. Of a larger one nobody can say in
	// time which number its last lines have, so only its beginning is required.
	counted = 16 << 20
	// chunk is how much of the middle of a large file is read at a time, only to count its lines.
	chunk = 256 << 10
)

// Line is one required line of a file, normalised: without white space at its end, a byte order mark and invalid bytes (A4).
type Line struct {
	// Text is the line, at most lineText bytes of it; Long is set when there is more.
	Text string
	Long bool
	// Invalid is set where the file has bytes in it that are no UTF-8. Clients drop, replace or decode them.
	Invalid bool
	Sum     uint32
}

// Doc is what a scan tells about a file: how many lines it has, which of them are required, and what they say.
type Doc struct {
	Size int64
	// Total is the number of lines, of a file above 16 MB by estimate; they end with \n and a last empty one does not count.
	Total int
	// Need are the required lines: all of them, or the first and the last half of the budget (A3).
	Need Spans
	// Lines are the lines of Need, in order.
	Lines []Line
	// Binary is set when the file is no text; it cannot be read as an anchor then.
	Binary bool
	// LoneCR is set when the lines were told with a lone \r as a line end.
	LoneCR bool
}

// Part reports whether only the beginning and the end of the file are required.
func (d Doc) Part() bool { return d.Need.Count() < d.Total }

// Ends are the first and the last lines among the required ones, half bytes of each in whole lines, one at least.
func (d Doc) Ends(half int) Spans {
	end := func(from, step int) Spans {
		var out Spans
		for i, left := from, half; i >= 0 && i < len(d.Lines); i += step {
			if left -= len(d.Lines[i].Text) + 1; left < 0 && out != nil {
				break
			}
			n := d.Need.line(i)
			out = out.Union(Of(n, n))
		}
		return out
	}
	return end(0, 1).Union(end(len(d.Lines)-1, -1))
}

// Scan reads what a Doc needs of a file of size bytes. Of a file above budget bytes only the first and last half of the
// budget are required, in whole lines, at least one each; its middle is read only to count lines. Of a file above 16 MB the
// first budget bytes are required, and no more is read. loneCR tells the lines as
// a client does that takes a lone \r for a line end.
func Scan(r io.ReaderAt, size int64, budget int, loneCR bool) (Doc, error) {
	d := Doc{Size: size, LoneCR: loneCR}
	if text, ok := fromUTF16(r, size); ok {
		r, size = bytes.NewReader(text), int64(len(text))
	}
	if loneCR {
		r = crLines{r}
	}
	if size <= int64(budget) {
		text, err := readAll(r, 0, size)
		if err != nil {
			return Doc{}, err
		}
		if isBinary(text) {
			return Doc{Size: d.Size, Binary: true}, nil
		}
		d.Lines = split(text, true)
		d.Total = len(d.Lines)
		d.Need = Of(1, d.Total)
		return d, nil
	}
	half := int64(budget) / 2
	if size > counted {
		half = int64(budget)
	}
	head, err := readAll(r, 0, half)
	if err != nil {
		return Doc{}, err
	}
	if isBinary(head) {
		return Doc{Size: d.Size, Binary: true}, nil
	}
	// Whole lines only: the head ends at its last newline, the tail begins after its first one. A first or last line
	// that is longer than half the budget is required by its shown part.
	headEnd := int64(bytes.LastIndexByte(head, '\n') + 1)
	headLines := split(head[:headEnd], true)
	if headEnd == 0 {
		headLines = []Line{long(head, true)}
	}
	if size > counted {
		d.Lines, d.Need = headLines, Of(1, len(headLines))
		d.Total = len(headLines) * int(size/half+1)
		return d, nil
	}
	tail, err := readAll(r, size-half, half)
	if err != nil {
		return Doc{}, err
	}
	tailAt := size - half
	if i := bytes.IndexByte(tail, '\n'); i >= 0 && i+1 < len(tail) {
		tailAt += int64(i + 1)
		tail = tail[i+1:]
	} else {
		tail = nil
	}
	if tail == nil {
		// One line fills the whole tail; its beginning is elsewhere, so it cannot be told from its end.
		tailAt = size
	}
	before, err := countLines(r, tailAt)
	if err != nil {
		return Doc{}, err
	}
	tailLines := split(tail, false)
	d.Total = before + len(tailLines)
	if tail == nil && !endsLine(r, size) {
		d.Total++
	}
	d.Need = Of(1, len(headLines)).Union(Of(before+1, before+len(tailLines)))
	d.Lines = append(headLines, tailLines...)
	return d, nil
}

// fromUTF16 is the text in UTF-8 of a file that begins with a byte order mark of UTF-16 (A6).
func fromUTF16(r io.ReaderAt, size int64) ([]byte, bool) {
	mark, err := readAll(r, 0, 2)
	if err != nil || size > wide || len(mark) < 2 {
		return nil, false
	}
	var order binary.ByteOrder
	switch {
	case mark[0] == 0xff && mark[1] == 0xfe:
		order = binary.LittleEndian
	case mark[0] == 0xfe && mark[1] == 0xff:
		order = binary.BigEndian
	default:
		return nil, false
	}
	raw, err := readAll(r, 2, size-2)
	if err != nil {
		return nil, false
	}
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = order.Uint16(raw[2*i:])
	}
	return []byte(string(utf16.Decode(units))), true
}

// crLines reads a file with a \n in place of each lone \r.
type crLines struct{ io.ReaderAt }

// ReadAt implements io.ReaderAt.
func (c crLines) ReadAt(b []byte, at int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(b, at)
	for i := range max(n-1, 0) {
		if b[i] == '\r' && b[i+1] != '\n' {
			b[i] = '\n'
		}
	}
	if n > 0 && b[n-1] == '\r' {
		var next [1]byte
		if k, _ := c.ReaderAt.ReadAt(next[:], at+int64(n)); k == 0 || next[0] != '\n' {
			b[n-1] = '\n'
		}
	}
	return n, err
}

func readAll(r io.ReaderAt, at, n int64) ([]byte, error) {
	b := make([]byte, n)
	got, err := r.ReadAt(b, at)
	if err == io.EOF {
		err = nil
	}
	return b[:got], err
}

// countLines counts the newlines before the offset end.
func countLines(r io.ReaderAt, end int64) (int, error) {
	n := 0
	buf := make([]byte, chunk)
	for at := int64(0); at < end; {
		want := min(end-at, chunk)
		got, err := r.ReadAt(buf[:want], at)
		n += bytes.Count(buf[:got], []byte{'\n'})
		at += int64(got)
		if err == io.EOF || got == 0 {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

func endsLine(r io.ReaderAt, size int64) bool {
	var b [1]byte
	n, _ := r.ReadAt(b[:], size-1)
	return n == 1 && b[0] == '\n'
}

func isBinary(head []byte) bool {
	return bytes.IndexByte(head[:min(len(head), sniff)], 0) >= 0
}

func split(text []byte, first bool) []Line {
	if len(text) == 0 {
		return nil
	}
	text = bytes.TrimSuffix(text, []byte{'\n'})
	out := make([]Line, 0, bytes.Count(text, []byte{'\n'})+1)
	for {
		i := bytes.IndexByte(text, '\n')
		if i < 0 {
			return append(out, newLine(text, first && len(out) == 0))
		}
		out = append(out, newLine(text[:i], first && len(out) == 0))
		text = text[i+1:]
	}
}

func newLine(raw []byte, first bool) Line {
	s := normal(string(raw), first)
	l := Line{Sum: crc32.ChecksumIEEE([]byte(s)), Text: s, Invalid: !utf8.Valid(raw)}
	if len(s) > lineText {
		l.Text, l.Long = s[:lineText], true
	}
	return l
}

func long(raw []byte, first bool) Line {
	l := newLine(raw, first)
	l.Long = true
	return l
}

// normal is a line as it is compared: white space at its end, a byte order mark at the beginning of the file and bytes that
// are no UTF-8 are ignored, since clients drop or replace them (A4), and so are the NUL bytes that a shell shows of UTF-16.
func normal(s string, first bool) string {
	if first {
		s = strings.TrimPrefix(s, "\ufeff")
	}
	if !utf8.ValidString(s) || strings.ContainsAny(s, "\ufffd\x00") {
		s = strings.Map(func(r rune) rune {
			if r == utf8.RuneError || r == 0 {
				return -1
			}
			return r
		}, s)
	}
	return strings.TrimRightFunc(s, unicode.IsSpace)
}

// LineBytes is the length of line n in bytes, as far as it is kept; 0 for a line that is not required.
func (d Doc) LineBytes(n int) int {
	if i := d.Need.index(n); i >= 0 {
		return len(d.Lines[i].Text)
	}
	return 0
}
