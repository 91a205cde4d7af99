// Package sandbox is a temporary project with folders of its own for mbgate, in which doctor and the demo run real hook
// commands on made-up events. Nothing of the person's is changed, and all of it is removed again.
//
// It imports nothing of mbgate, and no hook comes here. Start with New.
package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Sandbox is a temporary folder with a project in it.
type Sandbox struct {
	// Dir is the folder, Project the project in it; both are absolute and without symlinks.
	Dir, Project string
	// Env is the whole environment of what runs in it: nothing of an agent around us, and no setting of mbgate's, may change
	// what happens there.
	Env []string
}

// New makes a sandbox whose project has these files; name is what it is for. The environment has the folders of mbgate, and
// those of the variables in pass that are set.
func New(name string, files map[string]string, getenv func(string) string, pass ...string) (*Sandbox, error) {
	dir, err := os.MkdirTemp("", "mbgate-"+name+"-")
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	s := &Sandbox{Dir: dir, Project: filepath.Join(dir, "project")}
	for _, v := range [...][2]string{{"XDG_STATE_HOME", "state"}, {"XDG_CONFIG_HOME", "config"}, {"LOCALAPPDATA", "local"}, {"APPDATA", "roaming"}} {
		s.Env = append(s.Env, v[0]+"="+filepath.Join(dir, v[1]))
	}
	for _, name := range append(pass, "PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", "GOCOVERDIR") {
		if v := getenv(name); v != "" {
			s.Env = append(s.Env, name+"="+v)
		}
	}
	for name, text := range files {
		file := filepath.Join(s.Project, filepath.FromSlash(name))
		if err = os.MkdirAll(filepath.Dir(file), 0o700); err == nil {
			err = os.WriteFile(file, []byte(text), 0o600)
		}
		if err != nil {
			s.Remove()
			return nil, err
		}
	}
	return s, nil
}

// Remove takes the sandbox away.
func (s *Sandbox) Remove() { _ = os.RemoveAll(s.Dir) }

// Reply is what a command did.
type Reply struct {
	Exit           int // -1 where there is none
	Stdout, Stderr string
	Took           time.Duration
	// Err is set where it could not be started or did not end in time.
	Err error
}

// Run runs a command with an input, for a certain time at most: in its own folder, else in the project, and with what it has of an
// environment added to the sandbox's.
func (s *Sandbox) Run(wait time.Duration, input string, command func(context.Context) *exec.Cmd) Reply {
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	cmd := command(ctx)
	cmd.WaitDelay = 250 * time.Millisecond // for what is left behind and holds the pipes
	if cmd.Dir == "" {
		cmd.Dir = s.Project
	}
	cmd.Env = append(s.Env[:len(s.Env):len(s.Env)], cmd.Env...)
	cmd.Stdin = strings.NewReader(input)
	var stdout, stderr Bounded
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err := cmd.Run()
	r := Reply{Exit: -1, Stdout: stdout.String(), Stderr: stderr.String(), Took: time.Since(start)}
	if cmd.ProcessState != nil {
		r.Exit = cmd.ProcessState.ExitCode()
	}
	switch {
	case ctx.Err() != nil:
		r.Err = fmt.Errorf("it did not answer within %s", wait)
	case errors.Is(err, exec.ErrWaitDelay):
		// Codex and Gemini were seen to wait for it until the timeout, and to let the call through then.
		r.Err = errors.New("it leaves a process behind that holds its output, for which the client waits")
	case cmd.ProcessState == nil:
		r.Err = err // it did not start; a program that ran need not have read its input
	}
	return r
}

// Bounded keeps the beginning of what is written to it: 64 kB.
type Bounded struct{ bytes.Buffer }

func (b *Bounded) Write(p []byte) (int, error) {
	if room := 64<<10 - b.Len(); room > 0 {
		b.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
