package doctor

import (
	"context"
	"encoding/json"
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
	"github.com/mbgate/mbgate/internal/sandbox"
)

// hookTimeout is what install asks the clients to wait for a hook.
const hookTimeout = 10 * time.Second

// send starts a command line as its client does: a program with arguments, or one line for a shell; in the project's
// folder, with the event on standard input.
func (a *agent) send(l commandLine, event string, wait time.Duration) sandbox.Reply {
	return a.sandbox.Run(wait, event, func(ctx context.Context) *exec.Cmd {
		cmd := exec.CommandContext(ctx, l.command, l.args...)
		if !l.exec {
			cmd = shellCommand(ctx, shellOf(a.known), l.command)
		}
		cmd.Dir = a.Env.Project
		if a.known.ProjectVar != "" {
			cmd.Env = []string{a.known.ProjectVar + "=" + a.sandbox.Project}
		}
		return cmd
	})
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

// play sends a read that must pass, a compaction, and a write that must be refused then.
func (a *agent) play(before, compacted commandLine) []render.Finding {
	if a.sandbox == nil {
		box, err := sandbox.New("doctor", map[string]string{
			bank.Patterns: "# Patterns\n\nA project that doctor made up.\n",
			"README.md":   "A project that doctor made up.\n",
		}, a.Getenv, "HOME", "USERPROFILE", "SHELL", "USER", "LANG", "COMSPEC", "PATHEXT")
		if err != nil {
			return warn("not tried: there is no temporary folder: "+install.BareError(err).Error(), "set TMPDIR to a folder that can be written")
		}
		a.sandbox = box
	}
	a.sessions++
	session := fmt.Sprintf("d0c70000-0000-4000-8000-%06d%06d", os.Getpid()%1000000, a.sessions)
	events := a.known.Samples()
	send := func(l commandLine, event string) sandbox.Reply {
		return a.send(l, fill(event, session, a.home(), a.sandbox.Project), hookTimeout)
	}

	mend := fmt.Sprintf("run `mbgate install %s`; if it stays, report it with this output", a.client.Name)
	read := send(before, events.Read)
	if says := failure(read); says != "" {
		return bad(fmt.Sprintf("a read fails in the hook: %s; %s", says, a.fails()), mend)
	}
	if refused, _ := a.known.Refuses(reply(read)); refused {
		return bad("a read is refused, which must pass: "+excerpt(read), mend)
	}
	var out []render.Finding
	if read.Stdout+read.Stderr != "" && strings.TrimSpace(read.Stdout) != a.known.Neutral {
		out = warn("a read passes, but something is printed where nothing should be: "+excerpt(read),
			"take out of the command line what prints, or of your shell's start-up files")
	}
	if events.Compaction == "" {
		return append(out, good("a read passes; no event tells of a compaction, so no refusal was tried")...)
	}
	compaction := send(compacted, events.Compaction)
	if says := failure(compaction); says != "" {
		return append(out, bad("a compaction fails in the hook: "+says, mend)...)
	}
	write := send(before, events.Write)
	refused, why := a.known.Refuses(reply(write))
	switch {
	case write.Err != nil:
		return append(out, bad("a write fails in the hook: "+failure(write), mend)...)
	case !refused:
		return append(out, bad("a write after a compaction is let through: "+why, mend)...)
	case !strings.Contains(write.Stderr+write.Stdout, bank.Patterns):
		return append(out, bad("a write after a compaction is refused, but not by mbgate: "+excerpt(write), mend)...)
	}
	slowest := max(read.Took, compaction.Took, write.Took).Round(time.Millisecond)
	return append(out, good(fmt.Sprintf("a read passes, a write after a compaction is refused; the slowest answer took %d ms", slowest.Milliseconds()))...)
}

// failure says how a hook failed, "" if it did not: any status but those of an allowed and of a refused call is one.
func failure(r sandbox.Reply) string {
	switch {
	case r.Err != nil:
		return r.Err.Error()
	case r.Exit != 0 && r.Exit != 2:
		return fmt.Sprintf("it ends with status %d, %s", r.Exit, excerpt(r))
	}
	return ""
}

// excerpt is the first line of what was printed.
func excerpt(r sandbox.Reply) string { return reply(r).Excerpt() }

func reply(r sandbox.Reply) agents.Reply {
	return agents.Reply{Exit: r.Exit, Stdout: r.Stdout, Stderr: r.Stderr}
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
