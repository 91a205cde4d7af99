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
)

func newDemoCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Play a whole session in a temporary project, and show each event and answer",
		Long: `Plays what happens between Claude Code and mbgate: a session starts, the agent reads the requirement it works on,
the conversation is compacted, a write is refused, the requirement is read again, and the write passes.

Every answer comes from the real hook commands, run on events of the shape that Claude Code sends, in a temporary
project with a state folder of its own. Both are removed. Nothing of yours is read or changed.

EXIT STATUS
  0 every step ended as it should · 1 one did not, or mbgate's own failure · 64 wrong usage`,
		Example: "  mbgate demo\n  mbgate demo | less",
		Args:    cobra.NoArgs,
		RunE:    a.work(func([]string) error { return a.demo() }),
	}
}

func (a *app) demo() (err error) {
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
	defer d.remove()
	screen := a.screen()
	head := "A session of Claude Code with mbgate, in a temporary project. \"<\" is what the agent's hook is given, \">\" what " +
		"mbgate answers, \"!\" what it says on standard error; paths are shown below /project.\n\n"
	if err := a.print(screen.Prose(0, head)); err != nil {
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
		if err := a.print(shown.Text(screen, i+1)); err != nil {
			return err
		}
	}
	out, code, err := d.run(nil, "status")
	if err != nil || code != 0 {
		return fmt.Errorf("mbgate status ended with %d: %s", code, render.Safe(out.stderr))
	}
	if err := a.print("What mbgate status says now:\n\n" + d.hide(out.stdout)); err != nil {
		return err
	}
	if faults > 0 {
		return fmt.Errorf("%d of %d steps did not end as they should; please report it with this output", faults, len(steps))
	}
	return nil
}

// player plays the demo: the real program as a child process, as a hook would run it.
type player struct {
	exe, dir, project string
	env               []string
}

func (a *app) newDemo() (*player, error) {
	exe, err := a.executable()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "mbgate-demo-")
	if err != nil {
		return nil, fmt.Errorf("the demo needs a temporary folder: %w; set TMPDIR to one that can be written", err)
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	d := &player{exe: exe, dir: dir, project: filepath.Join(dir, "project")}
	for name, text := range demoFiles() {
		file := filepath.Join(d.project, filepath.FromSlash(name))
		if err = os.MkdirAll(filepath.Dir(file), 0o755); err == nil {
			err = os.WriteFile(file, []byte(text), 0o644)
		}
		if err != nil {
			d.remove()
			return nil, err
		}
	}
	d.env = d.environment(a)
	return d, nil
}

// environment is the whole environment of the children: no setting of the person's may change the demo.
func (d *player) environment(a *app) []string {
	home := filepath.Join(d.dir, "home")
	env := []string{
		"HOME=" + home, "USERPROFILE=" + home, "LOCALAPPDATA=" + home,
		"XDG_STATE_HOME=" + filepath.Join(d.dir, "state"), "XDG_CONFIG_HOME=" + filepath.Join(d.dir, "config"),
		"COLUMNS=" + strconv.Itoa(a.screen().Width()),
	}
	if a.screen().Colour() {
		env = append(env, "CLICOLOR_FORCE=1", "TERM=xterm")
	} else {
		env = append(env, "NO_COLOR=1")
	}
	for _, name := range [...]string{"PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", "GOCOVERDIR"} {
		if v := a.getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}

func (d *player) remove() { _ = os.RemoveAll(d.dir) }

// hide shows paths of the temporary project as below /project.
func (d *player) hide(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, d.project, "/project"), filepath.ToSlash(d.project), "/project")
}

type answer struct{ stdout, stderr string }

// run runs mbgate with an object on standard input, and gives what it printed and its exit status.
func (d *player) run(event map[string]any, args ...string) (answer, int, error) {
	// A hook takes milliseconds; a minute is for a machine that hangs.
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, d.exe, args...)
	cmd.Dir, cmd.Env = d.project, d.env
	if event != nil {
		input, err := json.Marshal(event)
		if err != nil {
			return answer{}, 0, err
		}
		cmd.Stdin = bytes.NewReader(input)
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = nil
	}
	code := -1
	if cmd.ProcessState != nil {
		code = cmd.ProcessState.ExitCode()
	}
	return answer{out.String(), errs.String()}, code, err
}

// play plays one step and compares its answer with the expected one.
func (d *player) play(n int, s demoStep) render.DemoStep {
	event := d.event(n, s)
	got, code, err := d.run(event, strings.Fields(s.command)...)
	shown := render.DemoStep{
		Title: s.title, Command: "mbgate " + s.command, Event: d.hide(shortened(event)),
		Stdout: d.hide(got.stdout), Stderr: d.hide(got.stderr), Exit: code, Means: s.means,
	}
	switch {
	case err != nil:
		shown.Fault = err.Error()
	case code != s.exit:
		shown.Fault = fmt.Sprintf("the exit status is %d, it should be %d", code, s.exit)
	case s.silent && got.stdout+got.stderr != "":
		shown.Fault = "something is printed, nothing should be"
	case !strings.Contains(got.stdout, s.out):
		shown.Fault = "standard output lacks " + strconv.Quote(s.out)
	case !strings.Contains(got.stderr, s.err):
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
