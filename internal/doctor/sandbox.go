package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/bank"
	"github.com/mbgate/mbgate/internal/install"
	"github.com/mbgate/mbgate/internal/render"
)

// hookTimeout is what install asks the clients to wait for a hook.
const hookTimeout = 10 * time.Second

// sandbox is where the made-up events play: a project with a memory bank, and a state folder of its own.
type sandbox struct {
	dir, project string
	env          []string
	cwd          string
	// wait is how long a hook may take.
	wait time.Duration
	// sessions counts the sessions, so that each try has one of its own.
	sessions int
}

// newSandbox makes the sandbox of a run.
func newSandbox(o Options) (*sandbox, error) {
	dir, err := os.MkdirTemp("", "mbgate-doctor-")
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	s := &sandbox{dir: dir, project: filepath.Join(dir, "project"), cwd: o.Env.Project, wait: hookTimeout}
	s.env = s.environment(o.Getenv)
	for name, text := range map[string]string{
		bank.Entry:  "# Memory\n\nA project that doctor made up.\n",
		"README.md": "A project that doctor made up.\n",
	} {
		file := filepath.Join(s.project, filepath.FromSlash(name))
		if err = os.MkdirAll(filepath.Dir(file), 0o700); err == nil {
			err = os.WriteFile(file, []byte(text), 0o600)
		}
		if err != nil {
			s.remove()
			return nil, err
		}
	}
	return s, nil
}

func (s *sandbox) remove() { _ = os.RemoveAll(s.dir) }

// environment is all that the hooks get: what a program needs to run, and folders of the sandbox's own. Nothing of an agent
// around us, and no setting of mbgate's, may change what is proved.
func (s *sandbox) environment(getenv func(string) string) []string {
	env := []string{
		"XDG_STATE_HOME=" + filepath.Join(s.dir, "state"), "XDG_CONFIG_HOME=" + filepath.Join(s.dir, "config"),
		"LOCALAPPDATA=" + filepath.Join(s.dir, "local"), "APPDATA=" + filepath.Join(s.dir, "roaming"),
	}
	for _, name := range [...]string{"HOME", "USERPROFILE", "PATH", "SHELL", "USER", "LANG", "SYSTEMROOT", "COMSPEC", "PATHEXT", "TMPDIR", "TEMP", "TMP", "GOCOVERDIR"} {
		if v := getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// response is what a command line did with an event.
type response struct {
	exit           int
	stdout, stderr string
	took           time.Duration
	// err is set where it could not be started or did not end in time.
	err error
}

// send starts a command line as its client does: a program with arguments, or one line for a shell; in the project's
// folder, with the event on standard input.
func (s *sandbox) send(known agents.Agent, l commandLine, event string) response {
	ctx, cancel := context.WithTimeout(context.Background(), s.wait)
	defer cancel()
	var cmd *exec.Cmd
	if l.exec {
		cmd = exec.CommandContext(ctx, l.command, l.args...)
	} else {
		cmd = shellCommand(ctx, shellOf(known), l.command)
	}
	cmd.WaitDelay = 250 * time.Millisecond // for what is left behind and holds the pipes
	cmd.Dir, cmd.Env = s.cwd, s.env
	if known.ProjectVar != "" {
		cmd.Env = append(cmd.Env[:len(cmd.Env):len(cmd.Env)], known.ProjectVar+"="+s.project)
	}
	cmd.Stdin = strings.NewReader(event)
	var stdout, stderr bounded
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err := cmd.Run()
	r := response{exit: -1, stdout: stdout.String(), stderr: stderr.String(), took: time.Since(start)}
	if cmd.ProcessState != nil {
		r.exit = cmd.ProcessState.ExitCode()
	}
	switch {
	case ctx.Err() != nil:
		r.err = fmt.Errorf("it did not answer within %s", s.wait)
	case errors.Is(err, exec.ErrWaitDelay):
		// Codex and Gemini were seen to wait for it until the timeout, and to let the call through then.
		r.err = errors.New("it leaves a process behind that holds its output, for which the client waits")
	case cmd.ProcessState == nil:
		r.err = err // it did not start; a program that ran need not have read its input
	}
	return r
}

// shellOf is the shell that an agent gives its command lines to.
func shellOf(known agents.Agent) string {
	switch {
	case runtime.GOOS == "windows":
		return "cmd"
	case known.Bash:
		if path, err := exec.LookPath("bash"); err == nil {
			return path
		}
	}
	return "/bin/sh"
}

// bounded keeps the beginning of what is written to it: 64 kB.
type bounded struct{ bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	if room := 64<<10 - b.Len(); room > 0 {
		b.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// play sends a read that must pass, a compaction, and a write that must be refused then.
func (a *agent) play(before, compacted commandLine) []render.Finding {
	if a.sandbox == nil {
		box, err := newSandbox(a.Options)
		if err != nil {
			return warn("not tried: there is no temporary folder: "+install.BareError(err).Error(), "set TMPDIR to a folder that can be written")
		}
		a.sandbox = box
	}
	a.sandbox.sessions++
	session := fmt.Sprintf("d0c70000-0000-4000-8000-%06d%06d", os.Getpid()%1000000, a.sandbox.sessions)
	events := a.known.Samples()
	send := func(l commandLine, event string) response {
		return a.sandbox.send(a.known, l, fill(event, session, a.home(), a.sandbox.project))
	}

	mend := fmt.Sprintf("run `mbgate install %s`; if it stays, report it with this output", a.client.Name)
	read := send(before, events.Read)
	if says := read.failure(); says != "" {
		return bad(fmt.Sprintf("a read fails in the hook: %s; %s", says, a.fails()), mend)
	}
	if refused, _ := a.known.Refuses(read.reply()); refused {
		return bad("a read is refused, which must pass: "+excerpt(read), mend)
	}
	var out []render.Finding
	if read.stdout+read.stderr != "" {
		out = warn("a read passes, but something is printed where nothing should be: "+excerpt(read),
			"take out of the command line what prints, or of your shell's start-up files")
	}
	compaction := send(compacted, events.Compaction)
	if says := compaction.failure(); says != "" {
		return append(out, bad("a compaction fails in the hook: "+says, mend)...)
	}
	write := send(before, events.Write)
	refused, why := a.known.Refuses(write.reply())
	switch {
	case write.err != nil:
		return append(out, bad("a write fails in the hook: "+write.failure(), mend)...)
	case !refused:
		return append(out, bad("a write after a compaction is let through: "+why, mend)...)
	case !strings.Contains(write.stderr+write.stdout, bank.Entry):
		return append(out, bad("a write after a compaction is refused, but not by mbgate: "+excerpt(write), mend)...)
	}
	slowest := max(read.took, compaction.took, write.took).Round(time.Millisecond)
	return append(out, good(fmt.Sprintf("a read passes, a write after a compaction is refused; the slowest answer took %d ms", slowest.Milliseconds()))...)
}

// failure says how a hook failed, "" if it did not: any status but those of an allowed and of a refused call is one.
func (r response) failure() string {
	switch {
	case r.err != nil:
		return r.err.Error()
	case r.exit != 0 && r.exit != 2:
		return fmt.Sprintf("it ends with status %d, %s", r.exit, excerpt(r))
	}
	return ""
}

// excerpt is the first line of what was printed.
func excerpt(r response) string { return r.reply().Excerpt() }

func (r response) reply() agents.Reply {
	return agents.Reply{Exit: r.exit, Stdout: r.stdout, Stderr: r.stderr}
}

// fill puts a session, a project and its files into a sample.
func fill(sample, session, home, project string) string {
	text := func(s string) string {
		quoted, _ := json.Marshal(s) // a string cannot fail
		return string(quoted[1 : len(quoted)-1])
	}
	return strings.NewReplacer(
		"%session", text(session), "%cwd", text(project), "%home", text(filepath.ToSlash(home)),
		"%read", text(filepath.Join(project, "README.md")), "%name", "README.md",
		"%write", text(filepath.Join(project, "src", "new.txt")),
	).Replace(sample)
}
