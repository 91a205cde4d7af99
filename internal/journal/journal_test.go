package journal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// The test binary is its own helper: with MBGATE_JOURNAL_TEST set it is a process that appends, and no test.
func TestMain(m *testing.M) {
	if os.Getenv("MBGATE_JOURNAL_TEST") == "" {
		os.Exit(m.Run())
	}
	n, _ := strconv.Atoi(os.Getenv("N"))
	limit, _ := strconv.ParseInt(os.Getenv("LIMIT"), 10, 64)
	if os.Getenv("MBGATE_JOURNAL_TEST") == "no-space" {
		forbidWriting()
	}
	for i := range n {
		r := Record{At: at, Session: os.Getenv("WHO"), Tool: strconv.Itoa(i), Reason: strings.Repeat("r", 100+i%400)}
		if err := (files{os.Getenv("DIR"), limit, generations}).append(r); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	os.Exit(0)
}

var at = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func helper(dir, mode, who string, n int, limit int64) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = []string{"MBGATE_JOURNAL_TEST=" + mode, "DIR=" + dir, "WHO=" + who, "N=" + strconv.Itoa(n), "LIMIT=" + strconv.FormatInt(limit, 10)}
	return c
}

func all(t testing.TB, j files) []Record {
	t.Helper()
	var rs []Record
	if err := (&Tail{files: j}).Next(func(r Record) bool { rs = append(rs, r); return true }); err != nil {
		t.Fatal(err)
	}
	back := &Tail{files: j}
	var reversed []Record
	if err := back.Last(func(r Record) bool { reversed = append(reversed, r); return true }); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(reversed)
	if !slices.Equal(rs, reversed) {
		t.Errorf("%d records forwards, %d backwards", len(rs), len(reversed))
	}
	if err := back.Next(func(r Record) bool { t.Errorf("%v comes twice", r); return true }); err != nil {
		t.Error(err)
	}
	return rs
}

// The end of a long journal is read without its beginning.
func TestLastReadsTheEndAlone(t *testing.T) {
	j := files{t.TempDir(), maxFile, generations}
	for i := range 2000 {
		if err := j.append(Record{At: at, Tool: strconv.Itoa(i), Reason: strings.Repeat("r", i%500)}); err != nil {
			t.Fatal(err)
		}
	}
	if len(all(t, j)) != 2000 {
		t.Error("not all are there")
	}
	size, _ := os.Stat(j.path(0))
	f, err := os.OpenFile(j.path(0), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	_, _ = f.WriteAt(make([]byte, size.Size()/2), 0)
	tail, next := &Tail{files: j}, 1999
	if err := tail.Last(func(r Record) bool {
		if r.Tool != strconv.Itoa(next) {
			t.Fatalf("record %s, want %d", r.Tool, next)
		}
		next--
		return next > 1500
	}); err != nil || next != 1500 {
		t.Error(next, err)
	}
	_ = j.append(Record{At: at, Tool: "new"})
	n := 0
	if err := tail.Next(func(r Record) bool { n++; return r.Tool == "new" }); err != nil || n != 1 {
		t.Errorf("%d records after it, %v", n, err)
	}
}

func TestAppendAndRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "mbgate")
	if err := Read(dir, func(Record) bool { t.Error("a record in no journal"); return true }); err != nil {
		t.Error(err)
	}
	want := Record{
		At: at, Agent: "claude-code", Session: "s1", Sub: "x", Event: "tool-before", Tool: "Write", Target: "src/a.go",
		Programs: "tee", Decision: "block", Risk: "medium", Rule: "R3", Reason: "REQ-005.md is unread", Root: "/r",
	}
	for range 3 {
		if err := Append(dir, want); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	if err := Read(dir, func(r Record) bool {
		if r != want {
			t.Errorf("read %+v", r)
		}
		n++
		return n < 2
	}); err != nil || n != 2 {
		t.Errorf("%d records, %v", n, err)
	}
	for path, perm := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, "log"): 0o700, filepath.Join(dir, "log", "decisions.jsonl"): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != perm && !onWindows {
			t.Errorf("%s: %v %v", path, info.Mode(), err)
		}
	}
	for _, dir := range []string{"", "x"} {
		if Append(dir, want) == nil {
			t.Errorf("appended below %q", dir)
		}
	}
}

// appenders starts processes that append so many lines each, and gives back what waits for them.
func appenders(t *testing.T, j files, processes, lines int) (wait func()) {
	t.Helper()
	var cs []*exec.Cmd
	for p := range processes {
		c := helper(j.dir, "append", strconv.Itoa(p), lines, j.limit)
		c.Stdout = os.Stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		cs = append(cs, c)
	}
	return func() {
		t.Helper()
		for _, c := range cs {
			if err := c.Wait(); err != nil {
				t.Error(err)
			}
		}
	}
}

// 32 processes append while the file is rotated under them: no line is lost, none torn.
func TestProcessesLoseNoLine(t *testing.T) {
	const processes, lines = 32, 100
	// About 1.2 MB come together, three quarters of what four generations hold, so that nothing has to be dropped.
	j := files{t.TempDir(), 400 << 10, generations}
	wait := appenders(t, j, processes, lines)
	wait()
	next := map[string]int{}
	rs := all(t, j)
	for _, r := range rs {
		if r.Tool != strconv.Itoa(next[r.Session]) || len(r.Reason) != 100+next[r.Session]%400 {
			t.Fatalf("process %s: line %s, want %d", r.Session, r.Tool, next[r.Session])
		}
		next[r.Session]++
	}
	if len(rs) != processes*lines {
		t.Errorf("%d lines, want %d", len(rs), processes*lines)
	}
	raw := 0
	for g := range generations {
		content, _ := os.ReadFile(j.path(g))
		raw += bytes.Count(content, []byte("\n"))
		if info, err := os.Stat(j.path(g)); err == nil {
			t.Logf("generation %d: %d bytes", g, info.Size())
		} else if g < 2 {
			t.Errorf("nothing was rotated: %v", err)
		}
	}
	if raw != processes*lines {
		t.Errorf("%d newlines", raw)
	}
}

func TestRotationIsBounded(t *testing.T) {
	j := files{t.TempDir(), 2000, generations}
	for i := range 200 {
		if err := j.append(Record{At: at, Tool: strconv.Itoa(i), Reason: strings.Repeat("r", 100)}); err != nil {
			t.Fatal(err)
		}
	}
	rs := all(t, j)
	if len(rs) < 30 || len(rs) > 80 {
		t.Errorf("%d records kept", len(rs))
	}
	for i, r := range rs {
		if r.Tool != strconv.Itoa(200-len(rs)+i) {
			t.Fatalf("record %d of %d is %s", i, len(rs), r.Tool)
		}
	}
	there, _ := os.ReadDir(j.folder())
	if len(there) != generations+1 {
		t.Errorf("files: %v", there)
	}
	// Something in place of an old generation must not stop the journal.
	if err := os.Mkdir(j.path(generations), 0o700); err != nil {
		t.Fatal(err)
	}
	_ = os.Remove(j.path(2))
	if err := os.MkdirAll(filepath.Join(j.path(2), "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if err := j.append(Record{At: at, Tool: "last", Reason: strings.Repeat("r", 100)}); err != nil {
			t.Fatal(err)
		}
	}
	last := Record{}
	if err := (&Tail{files: j}).Next(func(r Record) bool { last = r; return true }); err == nil || last.Tool != "last" {
		t.Errorf("the last record is %+v: %v", last, err)
	}
}

// A tail sees every record once, over rotations, whether it looks often or seldom.
func TestTail(t *testing.T) {
	for _, every := range []int{1, 3, 7, 25} {
		j := files{t.TempDir(), 2000, generations}
		tail, next := &Tail{files: j}, 0
		look := func(r Record) bool {
			if r.Tool != strconv.Itoa(next) {
				t.Fatalf("every %d: record %s, want %d", every, r.Tool, next)
			}
			next++
			return next%5 != 0 // it is sometimes stopped, and goes on from there
		}
		for i := range 200 {
			if err := j.append(Record{At: at, Tool: strconv.Itoa(i), Reason: strings.Repeat("r", 100)}); err != nil {
				t.Fatal(err)
			}
			for before := -1; i%every == 0 && before != next; {
				before = next
				if err := tail.Next(look); err != nil {
					t.Fatal(err)
				}
			}
		}
		for before := -1; before != next; {
			before = next
			_ = tail.Next(look)
		}
		if next != 200 {
			t.Errorf("every %d: saw %d of 200", every, next)
		}
	}
	// What was dropped before it could be seen is gone; what is left is seen once.
	j := files{t.TempDir(), 2000, generations}
	tail := &Tail{files: j}
	for i := range 100 {
		_ = j.append(Record{At: at, Tool: strconv.Itoa(i), Reason: strings.Repeat("r", 100)})
		if i == 0 {
			_ = tail.Next(func(Record) bool { return true })
		}
	}
	var seen []string
	_ = tail.Next(func(r Record) bool { seen = append(seen, r.Tool); return true })
	if left := all(t, j); len(seen) != len(left) || seen[0] != left[0].Tool || seen[len(seen)-1] != "99" {
		t.Errorf("saw %v of %d", seen, len(left))
	}
}

// A torn line costs only itself.
func TestTornLines(t *testing.T) {
	j := files{t.TempDir(), maxFile, generations}
	whole := func(i int) string {
		line, err := Record{At: at, Tool: strconv.Itoa(i), Reason: `{"at":"x"} \ "`}.line()
		if err != nil {
			t.Fatal(err)
		}
		return string(line)
	}
	_ = os.MkdirAll(j.folder(), 0o700)
	content := "\n" + whole(0) + "garbage\n" + whole(1)[:20] + whole(2) + "{}\n[]\nnull\n\x00\x00\x00\n" + `{"at":"nonsense"}` + "\n" +
		strings.Repeat("x", 100000) + "\n" + whole(3) + whole(4)[:30]
	for cut := range len(whole(5)) { // torn at every byte, and then another record
		content += "\n" + whole(5)[:cut] + whole(6)
	}
	if err := os.WriteFile(j.path(0), []byte(content+whole(7)+whole(8)[:len(whole(8))-1]), 0o600); err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	sixes := 0
	for _, r := range all(t, j) {
		if r.Tool == "6" {
			sixes++
			continue
		}
		got.WriteString(r.Tool)
	}
	if got.String() != "0237" || sixes != len(whole(5)) {
		t.Errorf("read %s and %d of %d", got.String(), sixes, len(whole(5)))
	}
}

// Every record is one line of at most 4 kB, whatever is in it, and reads back with its beginning kept.
func TestBounded(t *testing.T) {
	for _, long := range []string{
		strings.Repeat("x", 100000), strings.Repeat("\"\\", 50000), strings.Repeat("\x00\x1b", 50000), strings.Repeat("€", 30000),
		strings.Repeat("\xff", 9999), strings.Repeat("<&>", 30000), strings.Repeat("😀", 9000), strings.Repeat("a b\n", 20000), strings.Repeat("\u2028\u202e", 9000),
	} {
		r := Record{At: at, Agent: long, Session: long, Sub: long, Event: long, Tool: long, Target: long, Programs: long, Decision: long, Risk: long, Rule: long, Reason: long, Root: long}
		line, err := r.line()
		if err != nil || len(line) > maxLine || bytes.IndexByte(line, '\n') != len(line)-1 || !utf8.Valid(line) {
			t.Fatalf("%q: %d bytes, %v", long[:4], len(line), err)
		}
		for _, c := range string(line[:len(line)-1]) {
			if c < ' ' || c >= 0x7f && c < 0xa0 || c == '\u2028' || c == '\u202e' {
				t.Fatalf("%q: %q in the line", long[:4], c)
			}
		}
		back, ok := parse(line)
		if !ok || back.At != at || !strings.Contains(back.Session, cutMark) {
			t.Errorf("%q: read %+v", long[:4], back)
		}
	}
	// A session id of the greatest length that SPEC allows is kept whole, or `log --session` would not find it.
	id := strings.Repeat("i", 1024)
	line, _ := Record{At: at, Session: id, Reason: strings.Repeat("x", 9999), Target: strings.Repeat("y", 9999), Root: strings.Repeat("z", 9999)}.line()
	if back, _ := parse(line); back.Session != id {
		t.Errorf("an id of 1 kB was cut to %d", len(back.Session))
	}
	if got := tail("/a/b/c.go", 8); got != "…/c.go" {
		t.Errorf("tail gave %q", got)
	}
}

func TestFailureIsReported(t *testing.T) {
	j := files{t.TempDir(), maxFile, generations}
	if err := os.MkdirAll(j.path(0), 0o700); err != nil {
		t.Fatal(err)
	}
	if Append(j.dir, Record{At: at}) == nil {
		t.Error("appended to a folder")
	}
	file := filepath.Join(t.TempDir(), "file")
	_ = os.WriteFile(file, nil, 0o600)
	if Append(file, Record{At: at}) == nil {
		t.Error("appended below a file")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"at":"2026-03-01T12:00:00Z","tool":"x"}`), "x")
	f.Fuzz(func(t *testing.T, before []byte, text string) {
		// Whatever was torn before it, the next record is found.
		line, err := Record{At: at, Tool: text, Reason: text, Programs: text}.line()
		if err != nil {
			t.Fatal(err)
		}
		want, ok := parse(line)
		if !ok {
			t.Fatalf("%s is no record", line)
		}
		if got, _ := parse(append(bytes.ReplaceAll(before, []byte("\n"), nil), line...)); got != want {
			t.Fatalf("after %q: %+v", before, got)
		}
		var again map[string]any
		if json.Unmarshal(line, &again) != nil {
			t.Fatalf("%s is no JSON", line)
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	dir := b.TempDir()
	r := Record{At: at, Session: "s1", Programs: "curl tee", Target: "out.txt", Reason: "out.txt written"}
	for b.Loop() {
		if err := Append(dir, r); err != nil {
			b.Fatal(err)
		}
	}
}

// A tail that looks while processes append and rotate sees every record once, also one that goes to a file under its new
// name.
func TestTailOfProcesses(t *testing.T) {
	const processes, lines = 8, 200
	j := files{t.TempDir(), 300 << 10, generations}
	wait := appenders(t, j, processes, lines)
	tail, got, n := &Tail{files: j}, map[string]bool{}, 0
	look := func() {
		if err := tail.Next(func(r Record) bool {
			// In which order: of two files that are written at once, either may be looked at first.
			if id := r.Session + " " + r.Tool; got[id] {
				t.Fatalf("record %s came twice", id)
			} else {
				got[id] = true
			}
			n++
			return true
		}); err != nil {
			t.Fatal(err)
		}
	}
	for n < processes*lines/2 {
		look()
	}
	wait()
	if look(); n != processes*lines {
		t.Errorf("saw %d of %d", n, processes*lines)
	}
	if _, err := os.Stat(j.path(1)); err != nil {
		t.Errorf("nothing was rotated: %v", err)
	}
}

// A late writer appends to a file that was renamed meanwhile; a journal that is removed, or cut, begins anew.
func TestTailSeesWhatComesLate(t *testing.T) {
	j := files{t.TempDir(), maxFile, generations}
	tail := &Tail{files: j}
	look := func(want ...string) {
		t.Helper()
		var got []string
		if err := tail.Next(func(r Record) bool { got = append(got, r.Tool); return true }); err != nil || !slices.Equal(got, want) {
			t.Fatalf("saw %v, want %v: %v", got, want, err)
		}
	}
	add := func(tool string) {
		t.Helper()
		if err := j.append(Record{At: at, Tool: tool}); err != nil {
			t.Fatal(err)
		}
	}
	look()
	add("a")
	add("b")
	look("a", "b")
	late, _, err := j.open()
	if err != nil {
		t.Fatal(err)
	}
	defer late.Close()
	if !onWindows { // where an open file cannot be renamed
		if err := os.Rename(j.path(0), j.path(1)); err != nil {
			t.Fatal(err)
		}
	}
	add("c")
	look("c")
	line, _ := Record{At: at, Tool: "late"}.line()
	if _, err := late.Write(line[:20]); err != nil {
		t.Fatal(err)
	}
	look()
	if _, err := late.Write(line[20:]); err != nil {
		t.Fatal(err)
	}
	look("late")
	_ = late.Close()
	if err := os.RemoveAll(j.folder()); err != nil {
		t.Fatal(err)
	}
	look()
	add("d")
	look("d")
	if err := os.Truncate(j.path(0), 0); err != nil {
		t.Fatal(err)
	}
	look()
	add("e")
	look("e")
}

// What others wrote into the journal steers no terminal.
func TestForeignLinesArePlain(t *testing.T) {
	j := files{t.TempDir(), maxFile, generations}
	_ = os.MkdirAll(j.folder(), 0o700)
	line := `{"at":"2026-03-01T12:00:00Z","tool":"\u001b[31m\u0007` + "\u009b2J\u202e\xff\x80" + `","reason":"` + strings.Repeat("x", 1000) + `\n"}` + "\n"
	if err := os.WriteFile(j.path(0), []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	rs := all(t, j)
	if len(rs) != 1 || rs[0].Tool != "\ufffd[31m\ufffd\ufffd2J\ufffd\ufffd\ufffd" || strings.Contains(rs[0].Reason, "\n") {
		t.Errorf("read %q", rs)
	}
	// A line of 1 MB is none of ours and costs no more than itself.
	long := `{"at":"2026-03-01T12:00:00Z","tool":"` + strings.Repeat("x", 1<<20) + "\"}\n"
	if err := os.WriteFile(j.path(0), []byte(line+long+line), 0o600); err != nil {
		t.Fatal(err)
	}
	if rs := all(t, j); len(rs) != 2 {
		t.Errorf("read %d records", len(rs))
	}
}
