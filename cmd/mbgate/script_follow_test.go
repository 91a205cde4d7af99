package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// following is a program that goes on while a script does other things.
type following struct {
	cmd    *exec.Cmd
	pipe   *os.File
	mu     sync.Mutex
	text   strings.Builder
	closed chan struct{}
}

type followKey struct{}

// patience is how long a script waits for what must come: no measure, only an end for a test that fails.
const patience = 30 * time.Second

// follow starts mbgate and reads what it prints: follow ARG…
func follow(ts *testscript.TestScript, _ bool, args []string) {
	path, err := exec.LookPath("mbgate")
	ts.Check(err)
	r, w, err := os.Pipe()
	ts.Check(err)
	f := &following{cmd: exec.Command(path, args...), pipe: r, closed: make(chan struct{})}
	f.cmd.Dir, f.cmd.Stdout, f.cmd.Stderr = ts.MkAbs("."), w, os.Stderr
	for _, v := range []string{"HOME", "USERPROFILE", "PATH", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "COLUMNS", "TMPDIR"} {
		f.cmd.Env = append(f.cmd.Env, v+"="+ts.Getenv(v))
	}
	ts.Check(f.cmd.Start())
	ts.Check(w.Close())
	ts.Defer(func() { _ = f.cmd.Process.Kill() })
	go func() {
		defer close(f.closed)
		part := make([]byte, 4096)
		for {
			n, err := r.Read(part)
			f.mu.Lock()
			f.text.Write(part[:n])
			f.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	*ts.Value(followKey{}).(**following) = f
}

// followSees waits until the program that follow started has printed what a pattern matches. An event behind the pattern is a
// refused one of Claude Code, sent again and again: one that comes before the program has begun is not shown.
func followSees(ts *testscript.TestScript, _ bool, args []string) {
	f := *ts.Value(followKey{}).(**following)
	pattern := regexp.MustCompile(args[0])
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if len(args) > 1 {
			claude(ts, true, args[1:])
		}
		f.mu.Lock()
		text := f.text.String()
		f.mu.Unlock()
		if pattern.MatchString(text) {
			return
		}
		if time.Now().After(end) {
			ts.Fatalf("%s did not come; there is: %s", args[0], text)
		}
	}
}

// followEnds ends the program that follow started, with TERM, INT or close for its pipe, and checks its exit status.
func followEnds(ts *testscript.TestScript, _ bool, args []string) {
	f := *ts.Value(followKey{}).(**following)
	switch args[0] {
	case "TERM":
		ts.Check(f.cmd.Process.Signal(syscall.SIGTERM))
	case "INT":
		ts.Check(f.cmd.Process.Signal(os.Interrupt))
	default:
		ts.Check(f.pipe.Close())
	}
	done := make(chan error, 1)
	go func() { done <- f.cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(patience):
		ts.Fatalf("it did not end")
	}
	<-f.closed
	if got := f.cmd.ProcessState.String(); got != "exit status "+args[1] {
		ts.Fatalf("it ended with %s, want %s", got, args[1])
	}
}
