package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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

// settings are how the terminal is set.
func (m *terminal) settings() unix.Termios {
	s, err := unix.IoctlGetTermios(int(m.slave.Fd()), unix.TCGETS)
	if err != nil {
		m.t.Fatal(err)
	}
	return *s
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

// watching is a project with one session, watched on a terminal.
func watching(t *testing.T, program string) (m *terminal, cmd *exec.Cmd, event func(string)) {
	t.Helper()
	m = newTerminal(t)
	start, event := watched(t)
	cmd = start(program, "status", "--watch")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = m.slave, m.slave, m.slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 0}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return m, cmd, event
}

// However a watch ends, the terminal is what it was: its settings, its screen, its cursor.
func TestWatchLeavesTheTerminalAsItWas(t *testing.T) {
	key := func(k string) func(*terminal, *exec.Cmd) {
		return func(m *terminal, _ *exec.Cmd) { _, _ = m.master.WriteString(k) }
	}
	sig := func(s syscall.Signal) func(*terminal, *exec.Cmd) {
		return func(_ *terminal, c *exec.Cmd) { _ = c.Process.Signal(s) }
	}
	for name, c := range map[string]struct {
		program string
		end     func(*terminal, *exec.Cmd)
		status  string
	}{
		"q":      {"mbgate", key("q"), "exit status 0"},
		"ctrl-c": {"mbgate", key("\x03"), "exit status 0"},
		"int":    {"mbgate", sig(syscall.SIGINT), "exit status 0"},
		"term":   {"mbgate", sig(syscall.SIGTERM), "signal: terminated"},
		"hup":    {"mbgate", sig(syscall.SIGHUP), "signal: hangup"},
		"quit":   {"mbgate", sig(syscall.SIGQUIT), "exit status 1"},
		"panic": {"mbgate-faulty", func(_ *terminal, c *exec.Cmd) {
			_ = os.WriteFile(filepath.Join(c.Dir, "panic"), nil, 0o600)
		}, "exit status 1"},
	} {
		t.Run(name, func(t *testing.T) {
			m, cmd, _ := watching(t, c.program)
			drawn := m.wait(0, "q ends this")
			if s := m.written(); !strings.HasPrefix(s, enterScreen) || !strings.Contains(s, "w1  clear") {
				t.Errorf("it began with %q", s)
			}
			raw := m.settings()
			if raw.Lflag&(unix.ECHO|unix.ICANON) != 0 {
				t.Error("keys are echoed and kept until the end of a line")
			}
			c.end(m, cmd)
			_ = cmd.Wait()
			if got := cmd.ProcessState.String(); got != c.status {
				t.Errorf("it ended with %s, want %s", got, c.status)
			}
			left := m.wait(drawn, leaveScreen)
			after := m.settings()
			if after.Lflag&(unix.ECHO|unix.ICANON) != unix.ECHO|unix.ICANON || after.Oflag&unix.OPOST == 0 || after.Iflag&unix.ICRNL == 0 {
				t.Errorf("the terminal is left set to %+v", after)
			}
			if name == "panic" {
				m.wait(left, "mbgate: internal fault") // said on the screen of before
			}
		})
	}
}

// A change draws the lines that changed, between the two marks, and another size draws all of them.
func TestWatchDrawsWhatChanged(t *testing.T) {
	m, cmd, event := watching(t, "mbgate")
	at := m.wait(m.wait(0, "q ends this"), endUpdate)
	event(`"hook_event_name":"SessionStart","source":"compact"`)
	next := m.wait(m.wait(at, "recovery 0/1"), endUpdate)
	if s := m.written()[at:next]; !strings.HasPrefix(s, beginUpdate) || strings.Contains(s, "\x1b[2J") || strings.Contains(s, "guard mode") {
		t.Errorf("a change of one session drew %q", s)
	}
	m.resize(60, 10)
	last := m.wait(m.wait(next, "more lines below"), endUpdate)
	if s := m.written()[next:last]; !strings.Contains(s, "\x1b[2J") || !strings.Contains(s, "\x1b[10;1H") || strings.Contains(s, "\x1b[11;1H") {
		t.Errorf("another size drew %q", s)
	}
	_, _ = m.master.WriteString("q")
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// A terminal has nothing to say to a status line, which must not wait for it.
func TestStatuslineWaitsForNoTerminal(t *testing.T) {
	m := newTerminal(t)
	start, _ := watched(t)
	cmd := start("mbgate", "statusline")
	cmd.Stdin = m.slave
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != "○ mbgate clear\n" {
		t.Errorf("%q, %v", out, err)
	}
}
