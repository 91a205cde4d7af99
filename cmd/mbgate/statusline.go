package main

import (
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/mbgate/mbgate/internal/bank"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/jsonscan"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/state"
	"github.com/mbgate/mbgate/internal/stdin"
)

func newStatuslineCmd(a *app) *cobra.Command {
	var plain bool
	cmd := &cobra.Command{
		Use:   "statusline",
		Short: "Print the state of a session in a few words, for a prompt or a status line",
		Long: `Prints one line of at most 40 columns: clear, recovery 2/3, stood down, bound by the capsule, guard, damaged.

An agent that runs a command for its status line (Claude Code: mbgate install claude-code --statusline) sends an object
on standard input; the line is then that session's, in colours. Without one, as in the prompt of a shell, it is that of
the newest session of the project, without colours unless standard output is a terminal.

Where mbgate has nothing to do, or something is wrong, it prints nothing; mbgate status says why.

EXIT STATUS
  0, whatever happens · 64 wrong usage`,
		Example: `  mbgate statusline
  PS1='$(mbgate statusline) \$ '
  mbgate statusline < event.json`,
		RunE: a.work(func([]string) error { return a.statusline(plain) }),
	}
	cmd.Flags().BoolVar(&plain, "plain", false, "no colours, as NO_COLOR has it")
	return cmd
}

// statusline prints the line. A status line that fails loudly is worse than none: any fault, even a panic, prints
// nothing.
func (a *app) statusline(plain bool) (err error) {
	defer func() {
		if p := recover(); p != nil && a.getenv("MBGATE_DEBUG") == "" {
			err = nil
		} else if p != nil {
			panic(p)
		}
	}()
	if text := a.line(plain); text != "" {
		_ = a.print(text + "\n")
	}
	return nil
}

// lineRequest is what an agent sends to the command of its status line. The shape is Claude Code's, as captured from 2.1.328:
// session_id, cwd, workspace.current_dir and workspace.project_dir among much else.
type lineRequest struct{ session, cwd, root string }

func readLineRequest(data []byte) (q lineRequest, ok bool) {
	var o jsonscan.Object
	in := jsonscan.Scanner{Data: data}
	in.Space()
	if in.Peek() != '{' || !in.Object(&o) {
		return q, false
	}
	q.session = o.Text("session_id")
	q.cwd = o.Text("cwd")
	if w, is := jsonscan.Members(o.Get("workspace")); is {
		q.root = w.Text("project_dir")
		if dir := w.Text("current_dir"); dir != "" {
			q.cwd = dir
		}
	}
	return q, true
}

// line is what statusline prints, "" for nothing.
func (a *app) line(plain bool) string {
	if disabled(a) || a.stdin == nil {
		return ""
	}
	data, err := stdin.Read(a.stdin)
	var fault *stdin.Error
	if errors.As(err, &fault) && fault.Fault == stdin.TooLarge {
		return ""
	}
	var q lineRequest
	if len(data) > 0 {
		var ok bool
		if q, ok = readLineRequest(data); !ok {
			return ""
		}
	}
	colour := q.session != ""
	if colour {
		colour = a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb" && a.getenv("CLICOLOR") != "0"
	} else {
		colour = a.screen().Colour()
	}
	if !filepath.IsAbs(q.cwd) {
		q.cwd, _ = a.getwd()
	}
	store, err := a.openStore()
	if err != nil {
		return ""
	}
	return a.lineOf(store, q, colour && !plain)
}

func (a *app) lineOf(store *state.Store, q lineRequest, colour bool) string {
	e, known := state.Entry{}, false
	if q.session != "" {
		s, found, err := store.Load(q.session)
		if err != nil && !isNewer(err) {
			return ""
		}
		e.Session, e.Problem, known = s, err, found || err != nil
	}
	s := start{pinned: e.Session.Root, cwd: filepath.ToSlash(q.cwd)}
	if filepath.IsAbs(q.root) {
		s.roots = []string{filepath.ToSlash(q.root)}
	}
	p, err := a.project(s)
	if err != nil || p.inert() && e.Session.Root == "" {
		return ""
	}
	if q.session == "" {
		if e, known, err = store.Latest(p.root.Dir); err != nil || !known || !e.Session.EndedAt.IsZero() {
			return ""
		}
	}
	if !known {
		return render.NoEvent(colour)
	}
	v := newViewer(a)
	v.projects[key{p.root.Dir, ""}] = p
	return v.brief(e).Line(v.unread(e), colour)
}

// unread reports whether the read gate refuses writes of high risk now.
func (v *viewer) unread(e state.Entry) bool {
	p := v.project(e.Session.Root, "")
	if p == nil || p.config.GuardMode != event.ModeBlock && p.config.GuardMode != event.ModeStrict {
		return false
	}
	for _, name := range [...]string{bank.Patterns, bank.Entry} {
		if p.disk.Anchor(name).Kind == place.File {
			c := clientOf(e.Session.Agent)
			return !p.gate(&c).TurnState(e.Session, "").PatternsRead
		}
	}
	return false
}
