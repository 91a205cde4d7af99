package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminal is a pseudo-terminal and what was written to it.
type terminal struct {
	t             *testing.T
	master, slave *os.File
	mu            sync.Mutex
	text          bytes.Buffer
}

func newTerminal(t *testing.T) *terminal {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	term := &terminal{t: t, master: master, slave: slave}
	term.resize(80, 24)
	t.Cleanup(func() { slave.Close(); master.Close() })
	go func() {
		b := make([]byte, 4096)
		for {
			n, err := master.Read(b)
			term.mu.Lock()
			term.text.Write(b[:n])
			term.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return term
}

func (m *terminal) resize(columns, rows uint16) {
	if err := unix.IoctlSetWinsize(int(m.master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: columns, Row: rows}); err != nil {
		m.t.Fatal(err)
	}
}

func (m *terminal) written() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.text.String()
}

// wait waits until part was written behind an offset, and says where it ends.
func (m *terminal) wait(from int, part string) int {
	m.t.Helper()
	for range 2000 {
		if i := strings.Index(m.written()[from:], part); i >= 0 {
			return from + i + len(part)
		}
		time.Sleep(5 * time.Millisecond)
	}
	m.t.Fatalf("%q was not written; what was: %q", part, m.written()[from:])
	return 0
}

// A watch draws over what it drew, what fits the terminal, and leaves the terminal's settings alone.
func TestWatchDrawsWhatChanged(t *testing.T) {
	m := newTerminal(t)
	start, event := watched(t)
	cmd := start("mbgate", "status", "--watch")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = m.slave, m.slave, m.slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 0}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }()
	at := m.wait(m.wait(0, "w1  ready"), "Ctrl-C ends this")
	event(`"hook_event_name":"SessionStart","source":"compact"`)
	next := m.wait(m.wait(at, "recovery 0/1"), "Ctrl-C ends this")
	if s := m.written()[at:next]; strings.Count(s, "\x1b[1;1H") != 1 && strings.Count(s, "\x1b[H") != 1 {
		t.Errorf("a change drew %q", s)
	}
	m.resize(60, 5)
	m.wait(next, "more lines below")
	_, _ = m.master.WriteString("\x03")
	_ = cmd.Wait()
	if got := cmd.ProcessState.String(); got != "signal: interrupt" {
		t.Errorf("it ended with %s", got)
	}
}

// A terminal has nothing to say to a status line, which must not wait for it.
func TestStatuslineWaitsForNoTerminal(t *testing.T) {
	m := newTerminal(t)
	start, _ := watched(t)
	cmd := start("mbgate", "statusline")
	cmd.Stdin = m.slave
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != "mbgate ready\n" {
		t.Errorf("%q, %v", out, err)
	}
}
