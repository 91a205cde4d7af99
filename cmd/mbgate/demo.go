package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/sandbox"
)

func newDemoCmd(a *app) *cobra.Command {
	var verbose bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Play a whole session in a temporary project",
		Long: `Plays what happens between Claude Code and mbgate: a session starts, the agent reads the requirement it works on,
the conversation is compacted, a write is refused, the requirement is read again, and the write passes.

Every answer comes from the real hook commands, run on events of the shape that Claude Code sends, in a temporary
project with a state folder of its own. Both are removed. Nothing of yours is read or changed. With -v each event and
answer is shown as it is sent.

EXIT STATUS
  0 every step ended as it should · 1 one did not, or mbgate's own failure · 64 wrong usage`,
		Example: "  mbgate demo\n  mbgate demo -v | less",
		RunE:    a.work(func([]string) error { return a.demo(verbose) }),
	}
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "show each event and answer as it is sent")
	return cmd
}

func (a *app) demo(verbose bool) (err error) {
	// The temporary project is removed however the demo ends: by a signal too, or by a pager that was closed, which makes a
	// write fail instead of ending the process.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	defer func() {
		if errors.Is(err, syscall.EPIPE) {
			err = &quietError{exitFailure}
		}
	}()
	d, err := a.newDemo()
	if err != nil {
		return err
	}
	defer d.Remove()
	screen := a.screen()
	head := "A session of Claude Code with mbgate, in a temporary project. "
	if verbose {
		head += "\"<\" is what the agent's hook is given, \">\" what mbgate answers, \"!\" what it says on standard error; " +
			"paths are shown below /project."
	}
	if err := a.print(screen.Prose(0, head+"\n\n")); err != nil {
		return err
	}
	faults := 0
	steps := demoSteps()
	for i, s := range steps {
		if ctx.Err() != nil {
			return errors.New("interrupted; the temporary project is removed")
		}
		shown := d.play(i, s)
		if shown.Fault != "" {
			faults++
		}
		text := ""
		switch {
		case verbose || shown.Fault != "":
			text = shown.Text(screen, i+1)
		case !s.machine:
			text = shown.Line(screen, s.quote)
		}
		if err := a.print(text); err != nil {
			return err
		}
	}
	status := d.run(nil, "status")
	if status.Err != nil || status.Exit != 0 {
		return fmt.Errorf("mbgate status ended with %d: %s", status.Exit, render.Safe(status.Stderr))
	}
	end := "\nThe answers came from the real hook commands; `mbgate demo -v` shows them. Set up a project of yours: mbgate init\n"
	if verbose {
		end = "What mbgate status says now:\n\n" + d.hide(status.Stdout)
	} else {
		end = screen.Prose(0, end)
	}
	if err := a.print(end); err != nil {
		return err
	}
	if faults > 0 {
		return fmt.Errorf("%d of %d steps did not end as they should; please report it with this output", faults, len(steps))
	}
	return nil
}

// player plays the demo: the real program as a child process, as a hook would run it.
type player struct {
	*sandbox.Sandbox
	exe string
}

func (a *app) newDemo() (*player, error) {
	exe, err := a.executable()
	if err != nil {
		return nil, err
	}
	box, err := sandbox.New("demo", demoFiles(), a.getenv)
	if err != nil {
		return nil, fmt.Errorf("the demo needs a temporary folder: %w; set TMPDIR to one that can be written", err)
	}
	home := filepath.Join(box.Dir, "home")
	box.Env = append(box.Env, "HOME="+home, "USERPROFILE="+home, "COLUMNS="+strconv.Itoa(a.screen().Width()))
	if a.screen().Colour() {
		box.Env = append(box.Env, "CLICOLOR_FORCE=1", "TERM=xterm")
	} else {
		box.Env = append(box.Env, "NO_COLOR=1")
	}
	return &player{box, exe}, nil
}

// hide shows paths of the temporary project as below /project.
func (d *player) hide(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, d.Project, "/project"), filepath.ToSlash(d.Project), "/project")
}

// run runs mbgate with an object on standard input.
func (d *player) run(event map[string]any, args ...string) sandbox.Reply {
	var input []byte
	if event != nil {
		input, _ = json.Marshal(event) // made of strings, numbers and maps of them
	}
	// A hook takes milliseconds; a minute is for a machine that hangs.
	return d.Run(time.Minute, string(input), func(ctx context.Context) *exec.Cmd { return exec.CommandContext(ctx, d.exe, args...) })
}

// play plays one step and compares its answer with the expected one.
func (d *player) play(n int, s demoStep) render.DemoStep {
	event := d.event(n, s)
	got := d.run(event, strings.Fields(s.command)...)
	shown := render.DemoStep{
		Title: s.title, Command: "mbgate " + s.command, Event: d.hide(shortened(event)),
		Stdout: d.hide(got.Stdout), Stderr: d.hide(got.Stderr), Exit: got.Exit, Means: s.means,
	}
	switch {
	case got.Err != nil:
		shown.Fault = got.Err.Error()
	case got.Exit != s.exit:
		shown.Fault = fmt.Sprintf("the exit status is %d, it should be %d", got.Exit, s.exit)
	case s.silent && got.Stdout+got.Stderr != "":
		shown.Fault = "something is printed, nothing should be"
	case !strings.Contains(got.Stdout, s.out):
		shown.Fault = "standard output lacks " + strconv.Quote(s.out)
	case !strings.Contains(got.Stderr, s.err):
		shown.Fault = "standard error lacks " + strconv.Quote(s.err)
	}
	return shown
}

// shortened is an event as people are shown it: the fields that tell them something, with long texts cut.
func shortened(event map[string]any) string {
	if event == nil {
		return ""
	}
	var b bytes.Buffer
	for _, k := range [...]string{"hook_event_name", "source", "tool_name", "tool_input", "tool_response"} {
		v, ok := event[k]
		if !ok {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Quote(k) + ": ")
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		_ = e.Encode(cutTexts(v)) // made of strings, numbers and maps of them
		b.Truncate(b.Len() - 1)
	}
	return "{" + b.String() + ", …}"
}

func cutTexts(v any) any {
	switch v := v.(type) {
	case string:
		if runes := []rune(v); len(runes) > 120 {
			return string(runes[:40]) + "…"
		}
	case map[string]any:
		out := map[string]any{}
		for k, x := range v {
			out[k] = cutTexts(x)
		}
		return out
	}
	return v
}
