package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// step is one process that is measured.
type step struct {
	name string
	argv []string
	// input is what the n-th run gets on standard input.
	input func(n int) []byte
	// status is how it must end, and says what it must print, on either stream; "" is nothing to ask for.
	status int
	says   string
}

// lab runs steps in a world. All of them get their input from a file and write to files, so that nothing but the
// process itself is timed.
type lab struct {
	world  world
	dir    string // for the streams
	helper string // maxrss, "" to take the time instead
}

// run is one run of a step: how long it took, from before the start to its end, and the memory in kB if there is a
// helper.
func (l lab) run(s step, n int) (took time.Duration, kB int, err error) {
	name := func(stream string) string { return filepath.Join(l.dir, stream) }
	var input []byte
	if s.input != nil {
		input = s.input(n)
	}
	if err := os.WriteFile(name("in"), input, 0o600); err != nil {
		return 0, 0, err
	}
	stdin, err := os.Open(name("in"))
	if err != nil {
		return 0, 0, err
	}
	defer stdin.Close()
	stdout, err := os.Create(name("out"))
	if err != nil {
		return 0, 0, err
	}
	defer stdout.Close()
	stderr, err := os.Create(name("err"))
	if err != nil {
		return 0, 0, err
	}
	defer stderr.Close()
	argv := s.argv
	if l.helper != "" {
		argv = append([]string{l.helper, name("rss")}, argv...)
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	cmd.Dir, cmd.Env = l.world.project, l.world.env()

	start := time.Now()
	err = cmd.Run()
	took = time.Since(start)

	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 0, 0, err
	}
	out, err1 := os.ReadFile(name("out"))
	errs, err2 := os.ReadFile(name("err"))
	if err := errors.Join(err1, err2); err != nil {
		return 0, 0, err
	}
	if got := cmd.ProcessState.ExitCode(); got != s.status || !bytes.Contains(append(out, errs...), []byte(s.says)) {
		return 0, 0, fmt.Errorf("%s: run %d of %s ended with status %d and must end with %d and say %q\nstdin: %.400s\nstdout: %.1000s\nstderr: %.1000s",
			s.name, n, strings.Join(s.argv, " "), got, s.status, s.says, input, out, errs)
	}
	if l.helper != "" {
		text, err := os.ReadFile(name("rss"))
		if err != nil {
			return 0, 0, err
		}
		if kB, err = strconv.Atoi(strings.TrimSpace(string(text))); err != nil {
			return 0, 0, err
		}
	}
	return took, kB, nil
}
