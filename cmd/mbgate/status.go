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
	limit          int
	watch, verbose bool
}

// statusLimit is how many sessions people are shown unless they ask for more: two screens of them.
const statusLimit = 10

func newStatusCmd(a *app) *cobra.Command {
	var o statusOptions
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show what is required, what is read and what is next",
		Long: `Says whether a recovery is pending in this project, and shows its sessions, the newest first: which documents the
agent must read, which read comes next, and how a person ends it. Changes nothing.

With --watch it keeps the screen up to date until Ctrl-C; with --json it prints an object for each change, one a line.
--session takes the beginning of an id.

EXIT STATUS
  0 · 1 mbgate's own failure, and with --exit-code a pending recovery · 64 wrong usage`,
		Example: `  mbgate status
  mbgate status --all --limit 0
  mbgate status --watch
  mbgate status --json | jq '.sessions[].recovery'
  mbgate status --exit-code >/dev/null || echo "a recovery is pending"`,
	}
	f := cmd.Flags()
	rootFlag(f, &o.root, "the project root, instead of finding it")
	sessionFlag(f, &o.session, "this session only, of whatever project")
	f.BoolVar(&o.all, "all", false, "the sessions of all projects")
	f.IntVar(&o.limit, "limit", statusLimit, "show so many sessions at most, 0 for all; with --json all unless it is given")
	f.BoolVar(&o.watch, "watch", false, "stay, and show what changes")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "whole ids, the modes, and the documents of the project")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	f.BoolVar(&o.exitCode, "exit-code", false, "exit with 1 while a recovery is pending")
	cmd.MarkFlagsMutuallyExclusive("session", "all")
	cmd.MarkFlagsMutuallyExclusive("watch", "exit-code")
	cmd.RunE = a.work(func([]string) error {
		switch {
		case o.limit < 0:
			return &usageError{problem: "--limit must be a number of sessions, or 0 for all"}
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
	err = a.show(o.json, st.JSON(), st.Text(a.screen(), o.verbose))
	if err == nil && o.exitCode && st.Pending() {
		return &quietError{exitFailure}
	}
	return err
}

// statusOf gathers what there is to show: the sessions that the options ask for, the newest first, as they are now, on this
// disk and with this configuration.
func (a *app) statusOf(o statusOptions) (render.Status, error) {
	store, err := a.openStore()
	if err != nil {
		return render.Status{}, err
	}
	from := start{flag: o.root}
	var list state.Listing
	if o.session != "" {
		e, err := find(store, o.session)
		if err != nil {
			return render.Status{}, err
		}
		list.Entries, from.pinned = []state.Entry{e}, e.Session.Root
	}
	p, err := a.project(from)
	if err != nil {
		return render.Status{}, err
	}
	if o.session == "" {
		root := p.root.Dir
		if o.all {
			root = ""
		}
		if list, err = store.Newest(root, o.limit); err != nil {
			return render.Status{}, err
		}
	}
	st := render.Status{
		Root: p.root.Dir, All: o.all, Inert: p.inert(), Disabled: p.config.Disabled, Now: a.now(),
		More: list.More, MorePending: list.Pending,
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
			s.InForce = p.guardNote()
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
	for _, l := range config.Loosened(p.sources) {
		st.Loose = append(st.Loose, render.Loosened(l))
	}
	v := newViewer(a)
	v.hideSaid = o.session == "" && !a.terminal()
	st.Sessions = v.sessions(list.Entries)
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

// find loads one session by its id or by a beginning of it that no other id has.
func find(store *state.Store, id string) (state.Entry, error) {
	s, found, err := store.Load(id)
	if !found && err == nil {
		ids, err := store.Beginning(id)
		switch {
		case err != nil:
			return state.Entry{}, err
		case len(ids) == 0:
			return state.Entry{}, fmt.Errorf("no session %s is remembered; `mbgate status --all` lists those that are", render.ShellWord(id))
		case len(ids) > 1:
			return state.Entry{}, fmt.Errorf("%d sessions begin with %s; write more of one: %s", len(ids), render.ShellWord(id), strings.Join(ids[:min(len(ids), 3)], ", "))
		}
		return find(store, ids[0])
	}
	s.ID = id // a damaged one does not know it
	if isNewer(err) {
		return state.Entry{Session: s, Path: store.Path(id), Problem: err}, nil
	}
	return state.Entry{Session: s, Path: store.Path(id)}, err
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
// (SPEC §11), "" where it does not.
func (p *project) guardNote() string {
	if !p.root.HasBank || p.config.Disabled {
		return ""
	}
	var writers []string
	others := 0
	for _, x := range agents.All() {
		c := *x.Facts()
		mode, why := p.gate(&c).GuardInForce(&c)
		switch {
		case mode == event.ModeConsent, mode == event.ModeWriter:
			writers = append(writers, c.Title)
		case why == "":
			return ""
		case mode == event.ModeOff:
			return "off, since " + render.GuardReason(why)
		default:
			others++
		}
	}
	switch {
	case len(writers) == 0:
		return "markdown, since no agent has the subagent " + gate.Writer + "; `mbgate install` adds it"
	case others == 0:
		return ""
	}
	return string(p.config.WriteGuard) + " for " + strings.Join(writers, ", ") + ", markdown for agents without a " + gate.Writer
}

// clientOf finds an agent by the name that a session keeps. An unknown agent has that name and nothing else.
func clientOf(name string) event.Client {
	if c, ok := agents.Facts(name); ok {
		return c
	}
	return event.Client{Name: name, Title: name}
}
