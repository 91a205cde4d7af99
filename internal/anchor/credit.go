package anchor

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"time"
)

// Credit is which lines of one file a context was shown, and what the file said then.
type Credit struct {
	Stamp Stamp `json:"stamp"`
	Total int   `json:"total"`
	// Need are the required lines of that version, Got the shown ones among them.
	Need Spans `json:"need,omitempty"`
	Got  Spans `json:"got,omitempty"`
	// Sums are the checksums of the lines of Need, four bytes each, to carry Got over a change; of a Brief credit there is
	// one for all of them.
	Sums []byte    `json:"sums,omitempty"`
	At   time.Time `json:"at"`
	// Changed is set when the file was changed after a line was shown, until all of it was shown again (A5).
	Changed bool `json:"changed,omitempty"`
}

// Left are the required lines that were not shown.
func (c Credit) Left() Spans { return c.Need.Minus(c.Got) }

// Done reports whether every required line was shown. An empty file has nothing to be shown.
func (c Credit) Done() bool { return len(c.Left()) == 0 }

// Fresh is the credit of a context that was shown nothing of d.
func Fresh(d Doc, stamp Stamp) Credit {
	return Credit{Stamp: stamp, Total: d.Total, Need: d.Need, Sums: sums(d)}
}

// Carry brings c to the version d of the file: an unchanged line keeps its credit wherever it moved; changed and added lines
// have to be shown again (A5).
func (c Credit) Carry(d Doc, stamp Stamp) Credit {
	out := Fresh(d, stamp)
	out.At = c.At
	if brief := c.Brief(); len(c.Sums) == len(brief.Sums) && c.Need.Count() > 1 {
		// Only whether anything changed can be told.
		if slices.Equal(out.Need, c.Need) && bytes.Equal(out.Brief().Sums, c.Sums) {
			out.Got, out.Changed = c.Got, c.Changed
		} else {
			out.Changed = len(c.Got) > 0
		}
		return out
	}
	old := c.list()
	var b builder
	for i, j := range align(old, lineSums(d)) {
		if j >= 0 && c.Got.has(c.Need.line(j)) {
			b.add(d.Need.line(i))
		}
	}
	out.Got = Spans(nil).Union(b.s)
	out.Changed = len(c.Got) > 0 && (c.Changed || len(out.Got) < len(c.Got) || !out.Done())
	return out
}

// Brief is c with one checksum for all lines, a tenth of the size: a change takes all of its lines back, one that left the
// text as it was takes none.
func (c Credit) Brief() Credit {
	if len(c.Sums) > 4 {
		c.Sums = binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(c.Sums))
	}
	return c
}

// Show adds the lines of got to the credit.
func (c Credit) Show(got Spans, now time.Time) Credit {
	c.Got = c.Got.Union(got.And(c.Need))
	c.At = now
	if c.Done() {
		c.Changed = false
	}
	return c
}

func (c Credit) list() []uint32 {
	out := make([]uint32, len(c.Sums)/4)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(c.Sums[4*i:])
	}
	return out
}

func lineSums(d Doc) []uint32 {
	out := make([]uint32, len(d.Lines))
	for i, l := range d.Lines {
		out[i] = l.Sum
	}
	return out
}

func sums(d Doc) []byte {
	out := make([]byte, 0, 4*len(d.Lines))
	for _, l := range d.Lines {
		out = binary.LittleEndian.AppendUint32(out, l.Sum)
	}
	return out
}

// maxCells bounds the work of one alignment: two lists of 1,500 lines, which is what 60 kB hold, fit easily. Beyond it lines
// count as changed, which only asks for more reading.
const maxCells = 4 << 20

// align maps every position of b to the position of a that it corresponds to, -1 for none: common beginning, common
// end, and a longest common subsequence between them.
func align(a, b []uint32) []int {
	out := make([]int, len(b))
	for i := range out {
		out[i] = -1
	}
	p := 0
	for p < len(a) && p < len(b) && a[p] == b[p] {
		out[p] = p
		p++
	}
	s := 0
	for s < len(a)-p && s < len(b)-p && a[len(a)-1-s] == b[len(b)-1-s] {
		out[len(b)-1-s] = len(a) - 1 - s
		s++
	}
	a, b = a[p:len(a)-s], b[p:len(b)-s]
	if len(a) == 0 || len(b) == 0 || (len(a)+1)*(len(b)+1) > maxCells {
		return out
	}
	for _, m := range common(len(a), len(b), func(i, j int) bool { return a[i] == b[j] }) {
		out[p+m[1]] = p + m[0]
	}
	return out
}

// common is a longest common subsequence of two lists of n and m elements, as pairs of positions. The caller bounds n*m.
func common(n, m int, eq func(i, j int) bool) [][2]int {
	w := m + 1
	t := make([]uint16, (n+1)*w)
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if eq(i, j) {
				t[i*w+j] = t[(i+1)*w+j+1] + 1
			} else {
				t[i*w+j] = max(t[(i+1)*w+j], t[i*w+j+1])
			}
		}
	}
	var out [][2]int
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case eq(i, j):
			out = append(out, [2]int{i, j})
			i++
			j++
		case t[(i+1)*w+j] >= t[i*w+j+1]:
			i++
		default:
			j++
		}
	}
	return out
}
