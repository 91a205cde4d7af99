// Package transcript reads the records that clients keep of their sessions, a JSON object a line: what entered the context
// or left it without a hook (A8).
//
// Start with Find. lines.go reads lines in a bounded memory. It is pure: it reads what it is given and opens nothing. Of this
// module it imports jsonscan and event.
package transcript

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/jsonscan"
)

// Find looks at most reach bytes back, in steps of which each begins lead bytes earlier: a record of a compaction lists the
// messages that it keeps, 40 bytes each.
const (
	reach = 8 << 20
	step  = 256 << 10
	lead  = 64 << 10
)

// Found is what a record says of a context since its last compaction.
type Found struct {
	// Compacted is when that compaction was; the zero time where none was found.
	Compacted time.Time
	// Files are the files, or parts of files, that the client itself put into the context.
	Files []File
	// Cleared are the results of calls that the client took out of the context.
	Cleared []Cleared
}

// File is what the client showed of a file without a call.
type File struct {
	At time.Time
	event.Shown
}

// Cleared is a call that read a file and whose result is gone.
type Cleared struct {
	At   time.Time
	Path string

	call string
}

// Find reads a record of Claude Code's form, as observed with 2.1.328, from its end back to the last compaction. sub says
// whether the context is a subagent's; older versions kept both in one file.
func Find(r io.ReaderAt, size int64, sub bool) Found {
	var f Found
	lines := NewLines(io.NewSectionReader(r, begin(r, size), size))
	for {
		line, ok := lines.Next()
		if !ok {
			break
		}
		if bytes.Contains(line, []byte(`compact_boundary"`)) || bytes.Contains(line, []byte(`"attachment":{`)) {
			f.add(line, sub)
		}
	}
	if len(f.Cleared) > 0 {
		f.nameCleared(NewLines(io.NewSectionReader(r, max(0, size-reach), size)))
	}
	return f
}

// begin is where to start: before the last compaction, or as far back as Find looks. What stands there may be the rest of a
// line, which is no object.
func begin(r io.ReaderAt, size int64) int64 {
	buf := make([]byte, step+lead)
	for end := size; end > max(0, size-reach); end -= step {
		at := max(0, end-step)
		n, _ := r.ReadAt(buf[:min(end+lead, size)-at], at)
		if bytes.Contains(buf[:n], []byte(`"subtype":"compact_boundary"`)) {
			return max(0, at-lead)
		}
	}
	return max(0, size-reach)
}

// add takes what a record says. One that quotes another has it in a string or deeper, and only the outermost keys count.
func (f *Found) add(line []byte, sub bool) {
	o, ok := jsonscan.Members(line)
	if !ok || (string(o.Get("isSidechain")) == "true") != sub {
		return
	}
	at, err := time.Parse(time.RFC3339, o.Text("timestamp"))
	if err != nil {
		return
	}
	switch {
	case o.Text("type") == "attachment":
		if file, ok := attached(o.Get("attachment")); ok {
			f.Files = append(f.Files, File{at, file})
		}
	case o.Text("type") != "system":
	case o.Text("subtype") == "compact_boundary":
		*f = Found{Compacted: at}
	case o.Text("subtype") == "microcompact_boundary": // 2.1.17 to 2.1.49
		meta, _ := jsonscan.Members(o.Get("microcompactMetadata"))
		ids, _ := jsonscan.Elements(meta.Get("compactedToolIds"))
		for _, id := range ids {
			if len(id) > 0 && id[0] == '"' {
				f.Cleared = append(f.Cleared, Cleared{At: at, call: jsonscan.Unquote(id)})
			}
		}
	}
}

// attached is the file that an attachment shows. Of one that is only named (compact_file_reference, already_read_file) the
// model is given nothing.
func attached(v []byte) (event.Shown, bool) {
	a, _ := jsonscan.Members(v)
	content, _ := jsonscan.Members(a.Get("content"))
	file, ok := jsonscan.Members(content.Get("file"))
	if !ok || a.Text("type") != "file" || content.Text("type") != "text" {
		return event.Shown{}, false
	}
	s := ClaudeFile(a.Text("filename"), file)
	return s, s.First > 0 && s.Last >= s.First && s.Path != ""
}

// ClaudeFile is what Claude Code says that it showed of a file: {"content","startLine","numLines","totalLines"}. Both counts
// include the empty string after the last line end. The zero Shown is that it does not say.
func ClaudeFile(path string, file jsonscan.Object) event.Shown {
	first, n := number(file, "startLine"), number(file, "numLines")
	if first < 1 || n < 0 {
		return event.Shown{}
	}
	s := event.Shown{Path: path, First: first, Last: first + n - 1, Text: file.Text("content"), HasText: true}
	// Only a range that reaches the end tells whether the file ends with a line end, so how many lines it has.
	if n > 0 && s.Last == number(file, "totalLines") {
		if s.Text == "" || strings.HasSuffix(s.Text, "\n") {
			s.Last--
		}
		s.Total = s.Last
	}
	return s
}

// number is a whole number, -1 where there is none.
func number(o jsonscan.Object, key string) int {
	n, err := strconv.Atoi(string(o.Get(key)))
	if err != nil {
		return -1
	}
	return n
}

// nameCleared finds the files that the cleared calls read; a call that read none, or one that was read again, is left out.
func (f *Found) nameCleared(lines *Lines) {
	for line, ok := lines.Next(); ok; line, ok = lines.Next() {
		if !bytes.Contains(line, []byte(`"tool_use"`)) || !bytes.Contains(line, []byte(`"file_path"`)) {
			continue
		}
		o, _ := jsonscan.Members(line)
		message, _ := jsonscan.Members(o.Get("message"))
		blocks, _ := jsonscan.Elements(message.Get("content"))
		for _, b := range blocks {
			use, _ := jsonscan.Members(b)
			input, _ := jsonscan.Members(use.Get("input"))
			path := input.Text("file_path")
			for i := range f.Cleared {
				switch c := &f.Cleared[i]; {
				case c.call == use.Text("id"):
					c.Path = path
				case c.Path == path && use.Text("name") == "Read":
					c.Path = ""
				}
			}
		}
	}
	f.Cleared = slices.DeleteFunc(f.Cleared, func(c Cleared) bool { return c.Path == "" })
}
