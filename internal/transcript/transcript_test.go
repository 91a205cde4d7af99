package transcript

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

// session is a record whose records were captured from 2.1.328 and 2.1.330, but for microcompact_boundary, which was written by
// hand after 2.1.29.
func session(t testing.TB) []byte {
	data, err := os.ReadFile("testdata/session.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func find(data []byte, sub bool) Found { return Find(bytes.NewReader(data), int64(len(data)), sub) }

func TestFind(t *testing.T) {
	f := find(session(t), false)
	if want := time.Date(2026, 11, 22, 6, 5, 15, 138e6, time.UTC); !f.Compacted.Equal(want) {
		t.Errorf("compacted at %v", f.Compacted)
	}
	var got []string
	for _, x := range f.Files {
		got = append(got, fmt.Sprintf("%s %d-%d %q", x.Path, x.First, x.Last, x.Text))
	}
	want := []string{
		`/home/dev/project/src/app.go 1-4 "package app\n\nvar A = 10\nvar B = 2\n"`,
		`/home/dev/project/part.md 3-4 "line 3\nline 4"`,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("files are %q", got)
	}
	if len(f.Cleared) != 1 || f.Cleared[0].Path != "/home/dev/project/cleared.md" {
		t.Errorf("cleared are %+v", f.Cleared)
	}
	if sub := find(session(t), true); len(sub.Files) != 1 || sub.Files[0].Path != "/home/dev/project/side.md" || !sub.Compacted.IsZero() {
		t.Errorf("a subagent's are %+v", sub)
	}
}

// TestFindFarBack holds what is found against where it lies: after a compaction that is near, far and out of reach, and in a
// record that is still being written or has a line of any length.
func TestFindFarBack(t *testing.T) {
	filler := []byte(strings.Repeat(`{"type":"user","message":{"content":"`+strings.Repeat("x", 4000)+`"}}`+"\n", 300))
	for _, n := range []int{0, 1, 2, 6} {
		data := append(session(t), bytes.Repeat(filler, n)...)
		if f := find(data, false); len(f.Files) != 2 || f.Compacted.IsZero() {
			t.Errorf("%d bytes behind: %+v", len(data), f)
		}
	}
	if f := find(append(session(t), bytes.Repeat(filler, 8)...), false); len(f.Files) != 0 || !f.Compacted.IsZero() {
		t.Errorf("out of reach: %+v", f)
	}
	long := append([]byte(`{"a":"`+strings.Repeat("x", longest)+"\"}\n"), session(t)...)
	if f := find(append(long, `{"type":"system","subtype":"compact_boundary"`...), false); len(f.Files) != 2 {
		t.Errorf("a long line before, half a record behind: %+v", f)
	}
	if f := find(nil, false); !reflect.DeepEqual(f, Found{}) {
		t.Errorf("nothing: %+v", f)
	}
}

func FuzzFind(f *testing.F) {
	f.Add(session(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, x := range find(data, false).Files {
			if x.First < 1 || x.Last < x.First || x.Path == "" {
				t.Errorf("%+v", x)
			}
		}
	})
}
