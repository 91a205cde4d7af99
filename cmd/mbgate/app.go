package main

import (
	"io"
	"os"
	"time"
)

// app is what the program touches: streams, environment and clock. Commands take it from their caller, so that nothing
// is global and a test can replace any of it.
type app struct {
	stdin          *os.File
	stdout, stderr io.Writer
	lookupEnv      func(string) (string, bool)
	now            func() time.Time
	// getwd is the folder the process works in, executable the path of mbgate's own binary.
	getwd, executable, home func() (string, error)
	// ancestors are the processes above this one, the nearest first.
	ancestors func() []process
	// ran is set once a command's own work began: an error before that is a wrong command line.
	ran bool
}

func newApp() *app {
	return &app{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		lookupEnv: os.LookupEnv, now: time.Now,
		getwd: os.Getwd, executable: os.Executable, home: os.UserHomeDir,
		ancestors: ancestors,
	}
}

// getenv is the value of an environment variable, "" when it is not set.
func (a *app) getenv(name string) string {
	v, _ := a.lookupEnv(name)
	return v
}
