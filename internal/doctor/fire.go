package doctor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

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

// newSandbox makes the sandbox, once.
func (r *run) newSandbox() (*sandbox, error) {
	if r.sandbox != nil || r.noSandbox != nil {
		return r.sandbox, r.noSandbox
	}
	dir, err := os.MkdirTemp("", "mbgate-doctor-")
	if err != nil {
		r.noSandbox = err
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	b := &sandbox{dir: dir, project: filepath.Join(dir, "project"), cwd: r.Env.Project, wait: hookTimeout}
	for name, text := range map[string]string{
		bank.Entry:  "# Memory\n\nA project that doctor made up.\n",
		"README.md": "A project that doctor made up.\n",
	} {
		file := filepath.Join(b.project, filepath.FromSlash(name))
		if err = os.MkdirAll(filepath.Dir(file), 0o700); err == nil {
			err = os.WriteFile(file, []byte(text), 0o600)
		}
		if err != nil {
			b.remove()
			r.noSandbox = err
			return nil, err
		}
	}
	b.env = b.environment(r.Getenv)
	r.sandbox = b
	return b, nil
}

func (b *sandbox) remove() { _ = os.RemoveAll(b.dir) }

// environment is all that the hooks get: what a program needs to run, and folders of the sandbox's own. Nothing of an agent
// around us, and no setting of mbgate's, may change what is proved.
func (b *sandbox) environment(getenv func(string) string) []string {
	env := []string{
		"XDG_STATE_HOME=" + filepath.Join(b.dir, "state"), "XDG_CONFIG_HOME=" + filepath.Join(b.dir, "config"),
		"LOCALAPPDATA=" + filepath.Join(b.dir, "local"), "APPDATA=" + filepath.Join(b.dir, "roaming"),
	}
	for _, name := range [...]string{"HOME", "USERPROFILE", "PATH", "SHELL", "USER", "LANG", "SYSTEMROOT", "COMSPEC", "PATHEXT", "TMPDIR", "TEMP", "TMP", "GOCOVERDIR"} {
		if v := getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// fired is what a command line did with an event.
type fired struct {
	exit           int
	stdout, stderr string
	took           time.Duration
	// err is set where it could not be started or did not end in time.
	err error
}

// fire starts a command line as its client does: a program with arguments, or one line for a shell; in the project's
// folder, with the event on standard input.
func (b *sandbox) fire(client string, l commandLine, event string) fired {
	ctx, cancel := context.WithTimeout(context.Background(), b.wait)
	defer cancel()
	var cmd *exec.Cmd
	if l.exec {
		cmd = exec.CommandContext(ctx, l.command, l.args...)
	} else {
		cmd = shellCommand(ctx, shellOf(client), l.command)
	}
	cmd.WaitDelay = 250 * time.Millisecond // for what is left behind and holds the pipes
	cmd.Dir, cmd.Env = b.cwd, b.env
	if client == "claude-code" {
		cmd.Env = append(cmd.Env[:len(cmd.Env):len(cmd.Env)], "CLAUDE_PROJECT_DIR="+b.project)
	}
	cmd.Stdin = strings.NewReader(event)
	var out, errs bounded
	cmd.Stdout, cmd.Stderr = &out, &errs
	start := time.Now()
	err := cmd.Run()
	f := fired{exit: -1, stdout: out.String(), stderr: errs.String(), took: time.Since(start)}
	if cmd.ProcessState != nil {
		f.exit = cmd.ProcessState.ExitCode()
	}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		f.err = fmt.Errorf("it did not answer within %s", b.wait)
	case errors.Is(err, exec.ErrWaitDelay):
		// Codex and Gemini were seen to wait for it until the timeout, and to let the call through then.
		f.err = errors.New("it leaves a process behind that holds its output, for which the client waits")
	case errors.As(err, &exit), err != nil && f.exit >= 0: // it ran; a program need not read its input
	default:
		f.err = err
	}
	return f
}

// shellOf is the shell that a client gives its command lines to. Gemini and Copilot were seen to use bash.
func shellOf(client string) string {
	switch {
	case runtime.GOOS == "windows":
		return "cmd"
	case client == "gemini" || client == "copilot":
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

// play fires a read that must pass, a compaction, and a write that must be refused then.
func (a *agent) play(l pair) []render.Finding {
	b, err := a.newSandbox()
	if err != nil {
		return one(render.Warning, "not tried: there is no temporary folder: "+install.BareError(err).Error(), "set TMPDIR to a folder that can be written")
	}
	b.sessions++
	session := fmt.Sprintf("d0c70000-0000-4000-8000-%06d%06d", os.Getpid()%1000000, b.sessions)
	home := a.home()
	s := samples(a.client.Name)
	event := func(sample string) string { return fill(sample, session, home, b.project) }

	mend := fmt.Sprintf("run `mbgate install %s`; if it stays, report it with this output", a.client.Name)
	read := b.fire(a.client.Name, l.before, event(s.read))
	if says := read.failure(); says != "" {
		return one(render.Bad, fmt.Sprintf("a read fails in the hook: %s; %s", says, a.fails()), mend)
	}
	if refused, _ := honoured(a.client.Name, read); refused {
		return one(render.Bad, "a read is refused, which must pass: "+excerpt(read), mend)
	}
	var out []render.Finding
	if text := read.stdout + read.stderr; text != "" {
		out = append(out, render.Finding{
			Health: render.Warning, Says: "a read passes, but something is printed where nothing should be: " + excerpt(read),
			Remedy: "take out of the command line what prints, or of your shell's start-up files",
		})
	}
	arm := b.fire(a.client.Name, l.compacted, event(s.compaction))
	if says := arm.failure(); says != "" {
		return append(out, render.Finding{Health: render.Bad, Says: "a compaction fails in the hook: " + says, Remedy: mend})
	}
	write := b.fire(a.client.Name, l.before, event(s.write))
	refused, why := honoured(a.client.Name, write)
	switch {
	case write.err != nil:
		return append(out, render.Finding{Health: render.Bad, Says: "a write fails in the hook: " + write.failure(), Remedy: mend})
	case !refused:
		return append(out, render.Finding{Health: render.Bad, Says: "a write after a compaction is let through: " + why, Remedy: mend})
	case !strings.Contains(write.stderr+write.stdout, bank.Entry):
		return append(out, render.Finding{Health: render.Bad, Says: "a write after a compaction is refused, but not by mbgate: " + excerpt(write), Remedy: mend})
	}
	took := max(read.took, arm.took, write.took).Round(time.Millisecond)
	return append(out, render.Finding{Health: render.Good, Says: fmt.Sprintf("a read passes, a write after a compaction is refused; the slowest answer took %d ms", took.Milliseconds())})
}

// failure says how a hook failed, "" if it did not: any status but those of an allowed and of a refused call is one.
func (f fired) failure() string {
	switch {
	case f.err != nil:
		return f.err.Error()
	case f.exit != 0 && f.exit != 2:
		return fmt.Sprintf("it ends with status %d, %s", f.exit, excerpt(f))
	}
	return ""
}

// excerpt is the first line of what was printed.
func excerpt(f fired) string {
	for _, text := range []string{f.stderr, f.stdout} {
		if line, _, _ := strings.Cut(strings.TrimSpace(text), "\n"); line != "" {
			if runes := []rune(line); len(runes) > 160 {
				line = string(runes[:160]) + "…"
			}
			return line
		}
	}
	return "nothing is printed"
}
