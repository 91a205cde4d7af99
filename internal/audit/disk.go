package audit

import (
	"errors"
	"strings"

	"github.com/mbgate/mbgate/internal/anchor"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/project"
	"github.com/mbgate/mbgate/internal/transcript"
)

// disk answers the gate's questions about files as they were: by what the session's record shows of them, and what it does not
// show as they still lie there.
type disk struct {
	*project.Disk
	budget int
	files  map[string]*file // by place.Phys
	found  transcript.Found // what the client put into the main context since its last compaction
}

// file is what the record shows of one file.
type file struct {
	lines   []string
	ends    bool // its last line was shown as such
	version int64
}

// unknown stands for a line that was never shown: no line of a document is this.
const unknown = "\x01"

// show remembers the lines of a file from first on; total is how many it has, 0 where that is not known.
func (f *file) show(first int, text string, total int) {
	f.version++
	n := first
	for line := range strings.Lines(text) {
		for len(f.lines) < n {
			f.lines = append(f.lines, unknown)
		}
		f.lines[n-1] = strings.TrimRight(line, "\r\n")
		n++
	}
	switch {
	case total > 0:
		f.ends = true
	case f.ends && n <= len(f.lines)+1:
		total = len(f.lines)
	default:
		total, f.ends = max(n, len(f.lines)), false // there may be more
	}
	for len(f.lines) < total {
		f.lines = append(f.lines, unknown)
	}
	f.lines = f.lines[:total]
}

func (d *disk) file(p place.Place) *file {
	f := d.files[p.Phys]
	if f == nil {
		f = &file{}
		d.files[p.Phys] = f
	}
	return f
}

// Locate implements place.Files: what the record shows was there.
func (d *disk) Locate(cwd, path string) place.Place {
	p := d.Disk.Locate(cwd, path)
	if p.Kind == place.Missing && d.files[p.Phys] != nil {
		p.Kind = place.File
	}
	return p
}

// Anchor implements gate.Disk.
func (d *disk) Anchor(path string) place.Place { return d.Locate("", path) }

// Fallback implements gate.Disk: only what was read before a compaction is asked for.
func (d *disk) Fallback([]string) []string { return nil }

// Stamp implements gate.Disk.
func (d *disk) Stamp(p place.Place) (anchor.Stamp, bool) {
	if f := d.files[p.Phys]; f != nil {
		return anchor.Stamp{Size: f.size(), Mod: f.version}, true
	}
	s := d.Stat(p)
	return anchor.Stamp{Size: s.Size, Mod: s.Mod, ID: s.Inode}, s.Kind == place.File && s.Readable
}

func (f *file) size() (n int64) {
	for _, l := range f.lines {
		n += int64(len(l)) + 1
	}
	return n
}

// Doc implements gate.Disk.
func (d *disk) Doc(p place.Place) (anchor.Doc, error) {
	if f := d.files[p.Phys]; f != nil {
		text := strings.Join(f.lines, "\n") + "\n"
		return anchor.Scan(strings.NewReader(text), int64(len(text)), d.budget, false)
	}
	f, err := d.Open(p)
	if err != nil {
		return anchor.Doc{}, err
	}
	defer f.Close()
	doc, err := anchor.Scan(f, f.Size(), d.budget, false)
	if doc.Binary {
		err = errors.New("it is a binary file")
	}
	return doc, err
}

// Defined implements gate.Disk: the reader is no way out here, since nobody was told of it.
func (d *disk) Defined(*event.Client, string) bool { return false }

// BankDirty implements gate.Disk.
func (d *disk) BankDirty() bool { return false }

// HookFiles implements gate.Disk.
func (d *disk) HookFiles(*event.Client) []string { return nil }

// Unhooks implements gate.Disk.
func (d *disk) Unhooks(*event.Client, string, bool) bool { return false }

// Recorded implements gate.Disk.
func (d *disk) Recorded(ev event.Event) transcript.Found {
	if !ev.Main() {
		return transcript.Found{}
	}
	return d.found
}
