package state

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mbgate/mbgate/internal/gate"
)

// The test binary is its own helper: with MBGATE_STATE_TEST set it is a process that uses a store, and no test.
func TestMain(m *testing.M) {
	if mode := os.Getenv("MBGATE_STATE_TEST"); mode != "" {
		n, _ := strconv.Atoi(os.Getenv("N"))
		os.Exit(helper(mode, Open(os.Getenv("DIR"), Options{}), os.Getenv("ID"), n))
	}
	os.Exit(m.Run())
}

// outcome is what the helper says of one update.
type outcome struct {
	Count   int
	Damaged bool // what f was given
	Found   bool
	Kind    string // the type of the error
	Error   string
	Waited  time.Duration
}

func helper(mode string, s *Store, id string, n int) int {
	switch mode {
	case "count": // counts n up, saying each number when it is saved
		for range n {
			got, err := s.Update(id, increment)
			var busy *LockError
			for errors.As(err, &busy) { // given up loudly, so nothing is lost: on a busy machine this may happen
				fmt.Fprintln(os.Stderr, "helper:", busy.Waited)
				got, err = s.Update(id, increment)
			}
			if err != nil {
				fmt.Printf("error: %T %v\n", err, err)
				return 1
			}
			fmt.Println(got.Agent)
			time.Sleep(time.Millisecond) // the next hook would be another process
		}
	case "unlink": // takes the lock and removes its file, as the removal of a session does
		for range n {
			if unlock, ok, _ := s.tryLock(fileName(id)); ok {
				unlinkLock(s.path(fileName(id), extLock))
				unlock()
			}
			time.Sleep(500 * time.Microsecond)
		}
	case "hold": // holds the lock until its input ends
		unlock, ok, err := s.tryLock(fileName(id))
		if !ok || err != nil {
			fmt.Println("error:", ok, err)
			return 1
		}
		fmt.Println("held")
		_, _ = io.Copy(io.Discard, os.Stdin)
		unlock()
	case "once", "once-no-space": // one update, told in full
		if mode == "once-no-space" {
			forbidWriting()
		}
		var o outcome
		start := time.Now()
		_, o.Found, _ = s.Load(id)
		got, err := s.Update(id, func(in gate.Session) (gate.Session, error) {
			o.Damaged = in.Damaged
			in.Damaged = false
			return increment(in)
		})
		o.Waited, o.Count = time.Since(start), count(got)
		if err != nil {
			o.Kind, o.Error = fmt.Sprintf("%T", err), err.Error()
		}
		_ = json.NewEncoder(os.Stdout).Encode(o)
	default:
		return 64
	}
	return 0
}

// start starts the helper; what it prints comes out of the reader.
func start(t testing.TB, exe, mode, dir, id string, n int, with func(*exec.Cmd)) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	c := exec.Command(exe)
	c.Env = []string{"MBGATE_STATE_TEST=" + mode, "DIR=" + dir, "ID=" + id, "N=" + strconv.Itoa(n)}
	c.Stderr = os.Stderr
	if with != nil {
		with(c)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c, bufio.NewReader(out)
}

// The counter of the tests is the decimal number in Agent.
func count(s gate.Session) int {
	n, _ := strconv.Atoi(s.Agent)
	return n
}

func increment(s gate.Session) (gate.Session, error) {
	s.Agent = strconv.Itoa(count(s) + 1)
	return s, nil
}

// recovered is increment as the gate would do it: it takes note of damage.
func recovered(s gate.Session) (gate.Session, error) {
	s.Damaged = false
	return increment(s)
}

func exe(t testing.TB) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func mustUpdate(t testing.TB, s *Store, id string, f func(gate.Session) (gate.Session, error)) gate.Session {
	t.Helper()
	got, err := s.Update(id, f)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func mustLoad(t testing.TB, s *Store, id string) (gate.Session, bool) {
	t.Helper()
	got, found, err := s.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	return got, found
}

// files are the names in the store's folder that contain a text.
func files(t testing.TB, s *Store, part string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(s.Dir(), "*"+part+"*"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func asError[E error](t testing.TB, err error) E {
	t.Helper()
	var e E
	if !errors.As(err, &e) {
		t.Fatalf("error %T %v, want %T", err, err, e)
	}
	if s := err.Error(); s == "" || strings.HasSuffix(s, ".") {
		t.Errorf("error text %q", s)
	}
	return e
}
