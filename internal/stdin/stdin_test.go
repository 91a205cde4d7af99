package stdin

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close(); _ = w.Close() })
	return r, w
}

func put(t *testing.T, w *os.File, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if _, err := w.WriteString(p); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Millisecond)
	}
}

// brief are bounds that let a test of a time limit end soon, and one that is read in time never meet them.
var (
	ample = bounds{bytes: 1 << 20, first: 10 * time.Second, idle: 10 * time.Second, settle: 10 * time.Second, total: 20 * time.Second}
	brief = bounds{bytes: 1 << 20, first: 20 * time.Millisecond, idle: 20 * time.Millisecond, settle: 10 * time.Millisecond, total: 60 * time.Millisecond}
)

func fault(t *testing.T, err error, want Fault) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Fault != want {
		t.Fatalf("error %v, want fault %d", err, want)
	}
	if strings.Contains(e.Error(), "\n") || !strings.Contains(e.Error(), ";") {
		t.Errorf("%q is not one line with a remedy", e)
	}
}

func TestPipe(t *testing.T) {
	for _, parts := range [][]string{{}, {"{}"}, {`{"a":`, `"b"`, "}\n"}, {strings.Repeat("x", 200_000)}, {strings.Repeat("y", 4096)}} {
		r, w := pipe(t)
		go func() {
			put(t, w, parts...)
			_ = w.Close()
		}()
		got, err := read(r, ample)
		if want := strings.Join(parts, ""); err != nil || string(got) != want {
			t.Errorf("%d bytes, %v; want %d", len(got), err, len(want))
		}
	}
}

func TestSilence(t *testing.T) {
	r, w := pipe(t)
	_, err := read(r, brief)
	fault(t, err, Silent)

	put(t, w, `{"session_id":`)
	_, err = read(r, brief)
	fault(t, err, Silent)
}

// A byte now and then keeps the hook waiting, but not for ever.
func TestTrickle(t *testing.T) {
	r, w := pipe(t)
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				put(t, w, " ")
			}
		}
	}()
	_, err := read(r, brief)
	close(stop)
	<-done
	fault(t, err, Slow)
}

func TestTooLarge(t *testing.T) {
	b := ample
	b.bytes = 100
	name := filepath.Join(t.TempDir(), "in")
	for size, large := range map[int]bool{99: false, 100: false, 101: true, 70_000: true} {
		data := bytes.Repeat([]byte("x"), size)
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		r, w := pipe(t)
		go func() {
			_, _ = w.Write(data) // fails where the reader gives up
			_ = w.Close()
		}()
		for what, from := range map[string]*os.File{"file": f, "pipe": r} {
			got, err := read(from, b)
			if large {
				fault(t, err, TooLarge)
			} else if err != nil || len(got) != size {
				t.Errorf("%s of %d: %d bytes, %v", what, size, len(got), err)
			}
			_ = from.Close()
		}
	}
}

func TestOtherFiles(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if got, err := read(null, ample); err != nil || len(got) != 0 {
		t.Errorf("null device: %q, %v", got, err)
	}

	dir, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	_, err = read(dir, ample)
	fault(t, err, Unreadable)
	_ = dir.Close()
	_, err = read(dir, ample)
	fault(t, err, Unreadable)
}

// A client that keeps the pipe open is answered as soon as its object is whole and nothing follows it.
func TestPipeThatStaysOpen(t *testing.T) {
	b := ample
	b.settle = 20 * time.Millisecond
	for _, text := range []string{`{"session_id":"s1"}`, " {} \n", `{"a":"` + strings.Repeat("x", 9000) + `"}`} {
		r, w := pipe(t)
		go put(t, w, text[:len(text)/2], text[len(text)/2:])
		if got, err := read(r, b); err != nil || string(got) != text {
			t.Errorf("%d bytes, %v; want %d", len(got), err, len(text))
		}
	}
	for _, text := range []string{`{"a":1`, "[1]", `{"a":1}x`, "x"} {
		r, w := pipe(t)
		put(t, w, text)
		_, err := read(r, brief)
		fault(t, err, Silent)
	}
}

// The first byte may take longer than a further one: a client that starts slowly is waited for.
func TestFirstByteMayTakeLonger(t *testing.T) {
	b := brief
	b.first, b.total = 10*time.Second, 20*time.Second
	r, w := pipe(t)
	go func() {
		time.Sleep(50 * time.Millisecond)
		put(t, w, "{}")
	}()
	if got, err := read(r, b); err != nil || string(got) != "{}" {
		t.Errorf("%q, %v", got, err)
	}
}

// The bounds of SPEC §3 are the ones that hooks use.
func TestBounds(t *testing.T) {
	want := bounds{bytes: 64 * 1024 * 1024, first: 5 * time.Second, idle: 2 * time.Second, settle: 200 * time.Millisecond, total: 8 * time.Second}
	if defaults() != want {
		t.Error("bounds differ from the specification")
	}
}
