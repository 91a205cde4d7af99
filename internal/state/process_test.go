package state

import (
	"io"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// counters runs processes that each count n up on one session, and waits for them.
func counters(t *testing.T, s *Store, id string, processes, n int) {
	t.Helper()
	var cmds []*exec.Cmd
	var outs []io.Reader
	for range processes {
		c, out := start(t, exe(t), "count", s.Dir(), id, n, nil)
		cmds, outs = append(cmds, c), append(outs, out)
	}
	for i, c := range cmds {
		said, _ := io.ReadAll(outs[i])
		if err := c.Wait(); err != nil || strings.Contains(string(said), "error") {
			t.Errorf("process %d: %v: %s", i, err, said[max(0, len(said)-300):])
		}
	}
}

// 64 parallel hooks of one session lose nothing (S2, SPEC §17), and who reads meanwhile sees one generation or the next.
func TestProcessesLoseNothing(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for last := 0; ; {
			got, _, err := s.Load("s1")
			if err != nil || got.Damaged || count(got) < last {
				t.Errorf("a reader saw %+v after %d: %v", got, last, err)
			}
			last = count(got)
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
			}
		}
	})
	began := time.Now()
	counters(t, s, "s1", 64, 50)
	close(done)
	wg.Wait()
	t.Logf("64 processes × 50 updates: %v", time.Since(began))
	if got, _ := mustLoad(t, s, "s1"); count(got) != 64*50 {
		t.Errorf("counted to %d, want %d", count(got), 64*50)
	}
	if left := files(t, s, extTemp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// 64 hooks at once, each a process with one event, all get their turn.
func TestProcessesAllGetTheirTurn(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	counters(t, s, "s1", 64, 1)
	if got, _ := mustLoad(t, s, "s1"); count(got) != 64 {
		t.Errorf("counted to %d, want 64", count(got))
	}
}

// The removal of a session takes its lock file along. Who was waiting for the lock must notice.
func TestUnlinkedLockLosesNothing(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	var unlinkers []*exec.Cmd
	for range 2 {
		c, _ := start(t, exe(t), "unlink", s.Dir(), "s1", 100000, nil)
		unlinkers = append(unlinkers, c)
	}
	counters(t, s, "s1", 8, 100)
	for _, c := range unlinkers {
		_ = c.Process.Kill()
		_ = c.Wait()
	}
	if got, _ := mustLoad(t, s, "s1"); count(got) != 800 {
		t.Errorf("counted to %d, want 800", count(got))
	}
}

// A process killed anywhere in a save leaves the old generation or the new one, and its lock to the next.
func TestKilledWhileSaving(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	reached, leftovers := 0, 0
	for round := range 150 {
		c, out := start(t, exe(t), "count", s.Dir(), "s1", 1<<30, nil)
		first, err := out.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rand.N(3000)) * time.Microsecond)
		_ = c.Process.Kill()
		rest, _ := io.ReadAll(out)
		_ = c.Wait()
		// The last number may be cut off by the kill.
		lines := strings.Split(first+string(rest), "\n")
		acknowledged, err := strconv.Atoi(lines[len(lines)-2])
		if err != nil {
			t.Fatal(lines)
		}
		got, found := mustLoad(t, s, "s1")
		if !found || got.Damaged || count(got) < acknowledged || count(got) > acknowledged+1 {
			t.Fatalf("round %d: %d was saved, then found: %+v", round, acknowledged, got)
		}
		if acknowledged <= reached {
			t.Fatalf("round %d: counted on to %d from %d", round, acknowledged, reached)
		}
		reached = count(got)
		if now := len(files(t, s, extTemp)); now > leftovers {
			leftovers = now
		}
		// The previous generation is whole too.
		if p, err := s.read(fileName("s1"), extPrevious); err != nil || p.condition != sound && reached > 1 {
			t.Fatalf("round %d: previous generation: %+v %v", round, p, err)
		}
	}
	t.Logf("counted to %d; %d rounds hit the middle of a save", reached, leftovers)
	if got := mustUpdate(t, s, "s1", increment); count(got) != reached+1 {
		t.Errorf("then counted to %d", count(got))
	}
}

// A process may be killed between keeping the previous generation and replacing the current one.
func TestBothGenerationsOneFile(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	name := fileName("s1")
	mustUpdate(t, s, "s1", increment)
	if err := s.keepPrevious(name, nil); err != nil {
		t.Fatal(err)
	}
	mustUpdate(t, s, "s1", increment)
	mustUpdate(t, s, "s1", increment)
	if p, err := s.read(name, extPrevious); err != nil || count(p.session) != 2 {
		t.Errorf("previous generation %+v, %v", p.session, err)
	}
	if left := files(t, s, extTemp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestLockHeld(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	mustUpdate(t, s, "s1", increment)
	var in io.WriteCloser
	c, out := start(t, exe(t), "hold", s.Dir(), "s1", 1, func(c *exec.Cmd) { in, _ = c.StdinPipe() })
	if said, _ := out.ReadString('\n'); said != "held\n" {
		t.Fatal(said)
	}
	began := time.Now()
	got, err := s.Update("s1", increment)
	waited := time.Since(began)
	e := asError[*LockError](t, err)
	if e.Waited < lockWait || waited > lockWait+5*time.Second {
		t.Errorf("waited %v, says %v", waited, e.Waited)
	}
	t.Logf("gave up after %v", waited)
	if count(got) != 2 {
		t.Errorf("the verdict of the lost update is %+v", got)
	}
	if got, _ := mustLoad(t, s, "s1"); count(got) != 1 {
		t.Errorf("saved without the lock: %+v", got)
	}
	// What changes nothing needs no lock, another session has its own.
	if got, err := s.Update("s1", unchanged); err != nil || count(got) != 1 {
		t.Errorf("an update that changes nothing: %+v %v", got, err)
	}
	mustUpdate(t, s, "s2", increment)

	// A dead process holds nothing.
	_ = c.Process.Kill()
	_ = c.Wait()
	_ = in.Close()
	if got := mustUpdate(t, s, "s1", increment); count(got) != 2 {
		t.Errorf("after the holder died: %+v", got)
	}
}
