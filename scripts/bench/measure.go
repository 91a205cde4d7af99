package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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

// cost is how long one run took, from before the start to its end, and with a helper its memory and page faults.
type cost struct {
	took       time.Duration
	kB, faults int
}

// run is one run of a step.
func (l lab) run(s step, n int) (cost, error) {
	name := func(stream string) string { return filepath.Join(l.dir, stream) }
	var input []byte
	if s.input != nil {
		input = s.input(n)
	}
	if err := os.WriteFile(name("in"), input, 0o600); err != nil {
		return cost{}, err
	}
	stdin, err := os.Open(name("in"))
	if err != nil {
		return cost{}, err
	}
	defer stdin.Close()
	stdout, err := os.Create(name("out"))
	if err != nil {
		return cost{}, err
	}
	defer stdout.Close()
	stderr, err := os.Create(name("err"))
	if err != nil {
		return cost{}, err
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
	c := cost{took: time.Since(start)}

	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return cost{}, err
	}
	out, err1 := os.ReadFile(name("out"))
	errs, err2 := os.ReadFile(name("err"))
	if err := errors.Join(err1, err2); err != nil {
		return cost{}, err
	}
	if got := cmd.ProcessState.ExitCode(); got != s.status || !bytes.Contains(append(out, errs...), []byte(s.says)) {
		return cost{}, fmt.Errorf("%s: run %d of %s ended with status %d and must end with %d and say %q\nstdin: %.400s\nstdout: %.1000s\nstderr: %.1000s",
			s.name, n, strings.Join(s.argv, " "), got, s.status, s.says, input, out, errs)
	}
	if l.helper != "" {
		text, err := os.ReadFile(name("rss"))
		if err != nil {
			return cost{}, err
		}
		if _, err := fmt.Sscan(string(text), &c.kB, &c.faults); err != nil {
			return cost{}, err
		}
	}
	return c, nil
}
