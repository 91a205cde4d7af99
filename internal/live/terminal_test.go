//go:build live

package live

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// terminal is a program in a terminal of its own.
type terminal struct {
	w    *world
	keys *os.File

	mu     sync.Mutex
	screen []byte
	seen   int // how much of it was looked at
}

// terminal starts a program in a new terminal. Whatever it leaves running in this world's home is ended with the test.
func (w *world) terminal(program string, args ...string) *terminal {
	w.t.Helper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(keys.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		w.t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(keys.Fd()), unix.TIOCGPTN)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(int(keys.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: 200}); err != nil {
		w.t.Fatal(err)
	}
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	defer tty.Close()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = w.dir, w.env("TERM=xterm-256color")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	c := &terminal{w: w, keys: keys}
	log := w.stream("terminal.out")
	go c.show(log)
	w.t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
		_ = keys.Close()
		w.endAll()
	})
	return c
}

// answers are what a terminal says to a program that asks for the cursor's place, for what it is, and for its colours.
var answers = []struct{ question, answer string }{
	{"\x1b[6n", "\x1b[1;1R"},
	{"\x1b[c", "\x1b[?62;22c"},
	{"\x1b[?u", "\x1b[?0u"},
	{"\x1b]10;?", "\x1b]10;rgb:ffff/ffff/ffff\x1b\\"},
	{"\x1b]11;?", "\x1b]11;rgb:0000/0000/0000\x1b\\"},
}

func (c *terminal) show(log *os.File) {
	chunk := make([]byte, 1<<16)
	for {
		n, err := c.keys.Read(chunk)
		_, _ = log.Write(chunk[:n])
		c.mu.Lock()
		c.screen = append(c.screen, chunk[:n]...)
		c.mu.Unlock()
		for _, a := range answers {
			for range bytes.Count(chunk[:n], []byte(a.question)) {
				_, _ = c.keys.WriteString(a.answer)
			}
		}
		if err != nil {
			return
		}
	}
}

// escapes are what moves the cursor and sets colours.
var escapes = regexp.MustCompile("\x1b\\[[0-9;?<>=]*[a-zA-Z]|\x1b\\][^\x07\x1b]*(\x07|\x1b\\\\)|\x1b[()][A-Z0-9]|\x1b[=>78M]")

// text is what the terminal was told since it was looked at last, without spaces and frames: a program that draws a screen
// leaves out what stands there already.
func (c *terminal) text() (string, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return bare(string(escapes.ReplaceAll(c.screen[c.seen:], nil))), len(c.screen)
}

func bare(text string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r >= 0x2500 && r <= 0x25ff {
			return -1
		}
		return r
	}, text)
}

// see waits until a text was shown.
func (c *terminal) see(words string) {
	c.w.t.Helper()
	c.wait("the text "+words, func() bool {
		text, n := c.text()
		if !strings.Contains(text, bare(words)) {
			return false
		}
		c.mu.Lock()
		c.seen = n
		c.mu.Unlock()
		return true
	})
}

func (c *terminal) wait(what string, ok func() bool) {
	c.w.t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			text, _ := c.text()
			c.w.t.Fatalf("%s did not come; since the last look the terminal showed:\n%s", what, text)
		}
	}
}

// press sends keys.
func (c *terminal) press(keys string) {
	c.w.t.Helper()
	time.Sleep(300 * time.Millisecond) // keys that come at once count as something pasted
	if _, err := c.keys.WriteString(keys); err != nil {
		c.w.t.Fatal(err)
	}
}

// enter types a line.
func (c *terminal) enter(line string) {
	c.w.t.Helper()
	c.press(line)
	c.press("\r")
}

// endAll ends every process that has this world's home.
func (w *world) endAll() {
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range all {
		env, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(env, []byte("HOME="+w.home+"\x00")) {
			continue
		}
		var id int
		if _, err := fmt.Sscanf(name, "/proc/%d/", &id); err == nil && id != os.Getpid() {
			_ = syscall.Kill(id, syscall.SIGKILL)
		}
	}
}
