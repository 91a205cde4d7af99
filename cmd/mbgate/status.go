package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/config"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/state"
)

type statusOptions struct {
	root, session       string
	all, json, exitCode bool
	// limit is how many sessions are shown at most, 0 for all.
	limit int
	watch bool
}

// statusLimit is how many sessions people are shown unless they ask for more: two screens of them.
const statusLimit = 10

func newStatusCmd(a *app) *cobra.Command {
	var o statusOptions
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show what is required, what is read and what is next",
		Long: `Shows the sessions of this project, the newest first: whether a recovery is pending, how far each required
document is read, which read comes next, how a person ends it, and what the agent leaves uncovered. Changes nothing.

With --watch it stays, and draws the screen anew when something on it changed; q or Ctrl-C ends it. With --json and
--watch it prints an object for each change, one a line, until the reader goes away.

EXIT STATUS
  0 · 1 mbgate's own failure, and with --exit-code a pending recovery · 64 wrong usage`,
		Example: `  mbgate status
  mbgate status --all --limit 0
  mbgate status --watch
  mbgate status --json | jq '.sessions[].recovery'
  mbgate status --exit-code >/dev/null || echo "a recovery is pending"`,
		Args: cobra.NoArgs,
	}
	f := cmd.Flags()
	rootFlag(f, &o.root, "the project root, instead of finding it")
	sessionFlag(f, &o.session, "this session only, of whatever project")
	f.BoolVar(&o.all, "all", false, "the sessions of all projects")
	f.IntVar(&o.limit, "limit", statusLimit, "show so many sessions at most, 0 for all; with --json all unless it is given")
	f.BoolVar(&o.watch, "watch", false, "stay, and show what changes")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	f.BoolVar(&o.exitCode, "exit-code", false, "exit with 1 while a recovery is pending")
	cmd.MarkFlagsMutuallyExclusive("session", "all")
	cmd.MarkFlagsMutuallyExclusive("watch", "exit-code")
	cmd.RunE = a.work(func([]string) error {
		switch {
		case o.limit < 0:
			return &usageError{problem: "--limit wants a number of sessions, or 0 for all of them"}
		case o.json && !f.Changed("limit"):
			o.limit = 0
		}
		if o.watch {
			return a.watchStatus(o)
		}
		return a.status(o)
	})
	return cmd
}

func (a *app) status(o statusOptions) error {
	st, err := a.statusOf(o)
	if err != nil {
		return err
	}
	err = a.show(o.json, st.JSON(), st.Text(a.screen()))
	if err == nil && o.exitCode && st.Pending() {
		return &quietError{exitFailure}
	}
	return err
}

// statusOf gathers what there is to show.
func (a *app) statusOf(o statusOptions) (render.Status, error) {
	store, err := a.openStore()
	if err != nil {
		return render.Status{}, err
	}
	list, err := a.listing(store, o)
	if err != nil {
		return render.Status{}, err
	}
	return a.statusFrom(o, list)
}

// listing finds the sessions that the options ask for, the newest first.
func (a *app) listing(store *state.Store, o statusOptions) (state.Listing, error) {
	if o.session != "" {
		e, err := find(store, o.session)
		return state.Listing{Entries: []state.Entry{e}}, err
	}
	if o.all {
		return store.Newest("", o.limit)
	}
	p, err := a.here(o.root)
	if err != nil {
		return state.Listing{}, err
	}
	return store.Newest(p.root.Dir, o.limit)
}

// statusFrom looks at what the sessions mean now, on this disk and with this configuration.
func (a *app) statusFrom(o statusOptions, list state.Listing) (render.Status, error) {
	var p *project
	var err error
	if o.session != "" {
		p, err = a.project(start{flag: o.root, pinned: list.Entries[0].Session.Root})
	} else {
		p, err = a.here(o.root)
	}
	if err != nil {
		return render.Status{}, err
	}
	st := render.Status{
		Root: p.root.Dir, All: o.all, Inert: p.inert(), Disabled: p.config.Disabled, Now: a.now(), More: list.More,
	}
	if !st.Inert && !st.All {
		d := p.documents()
		st.Documents = &d
	}
	for _, v := range p.config.Values() {
		s := render.Setting{Key: v.Key.Name}
		switch s.Key {
		case "recovery", "guard_mode":
		case "write_guard":
			s.InForce, s.Mode = p.guardNote()
		default:
			continue
		}
		s.Value, _ = v.Value.(string)
		if v.Origin.Kind == config.FromFile && v.Origin.Name == p.file() {
			v.Origin.Name = filepath.Base(v.Origin.Name)
		}
		s.Origin = v.Origin.String()
		st.Settings = append(st.Settings, s)
	}
	for _, problem := range p.problems {
		st.Problems = append(st.Problems, problem.String())
	}
	v := newViewer(a)
	st.Sessions, st.Open = v.sessions(list.Entries), v.sessions(list.Open)
	return st, nil
}

// sessions finds the session of an id or, without an id, those of the project, the newest first.
func (a *app) sessions(store *state.Store, root, id string) ([]state.Entry, error) {
	if id != "" {
		e, err := find(store, id)
		return []state.Entry{e}, err
	}
	p, err := a.here(root)
	if err != nil {
		return nil, err
	}
	return store.List(p.root.Dir)
}

// find loads one session by its id.
func find(store *state.Store, id string) (state.Entry, error) {
	s, found, err := store.Load(id)
	e := state.Entry{Session: s, Path: store.Path(id)}
	switch {
	case isNewer(err):
		e.Session.ID, e.Problem = id, err
		return e, nil
	case err != nil:
		return e, err
	case !found:
		return e, fmt.Errorf("no session %s is remembered; `mbgate status --all` lists those that are", render.ShellWord(id))
	}
	return e, nil
}

// usable loads one session that this mbgate can work with.
func usable(store *state.Store, id string) (gate.Session, error) {
	e, err := find(store, id)
	if err == nil {
		err = e.Problem
	}
	return e.Session, err
}

// isNewer reports whether a session was saved by a newer mbgate.
func isNewer(err error) bool {
	var newer *state.NewerSchemaError
	return errors.As(err, &newer)
}

// file is where the project's configuration lies, or would.
func (p *project) file() string { return filepath.Join(filepath.FromSlash(p.root.Dir), ".mbgate.toml") }

// guardNote says what the write guard does in this project where that differs from the configured mode for some agent
// (SPEC §11), "" where it does not. all is the mode for every agent, "" where agents differ.
func (p *project) guardNote() (note string, all event.Mode) {
	if !p.root.HasBank || p.config.Disabled {
		return "", ""
	}
	var writers, others []string
	for _, x := range agents.All() {
		c := *x.Facts()
		mode, why := p.gate(&c).GuardInForce(&c)
		switch {
		case mode == event.ModeConsent, mode == event.ModeWriter:
			writers = append(writers, c.Title)
		case why == "":
			return "", ""
		case mode == event.ModeOff:
			return "off, since " + render.GuardReason(why), mode
		default:
			others = append(others, c.Title)
		}
	}
	switch {
	case len(writers) == 0:
		return "markdown, since the subagent " + gate.Writer + " is defined for no agent; `mbgate install AGENT` lays it down", event.ModeMarkdown
	case len(others) == 0:
		return "", ""
	}
	return string(p.config.WriteGuard) + " for " + strings.Join(writers, ", ") + "; markdown for other agents, which do not name subagents or have no " + gate.Writer, ""
}

// clientOf finds an agent by the name that a session keeps. An unknown agent has that name and nothing else.
func clientOf(name string) event.Client {
	if c, ok := agents.Facts(name); ok {
		return c
	}
	return event.Client{Name: name, Title: name}
}
