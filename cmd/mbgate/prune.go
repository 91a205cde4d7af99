package main

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/journal"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/state"
)

type pruneOptions struct {
	olderThan        time.Duration
	session          string
	all, dryRun, yes bool
}

func newPruneCmd(a *app) *cobra.Command {
	var o pruneOptions
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Forget sessions that were silent for 30 days, or named ones",
		Long: `Forgets the sessions of all projects whose last event is older than --older-than; mbgate also does that by itself from
time to time. Documents and the log stay.

Forgetting a session ends its recovery. So --session, --all and an age below 30 days are for people: they list the
sessions and ask, need a terminal, refuse inside an agent, and ` + "`mbgate log`" + ` keeps them.

An age is a number with w, d, h, m or s: 30d, 2w, 36h.

EXIT STATUS
  0 · 1 refused, or mbgate's own failure · 64 wrong usage`,
		Example: `  mbgate prune
  mbgate prune --older-than 7d --dry-run
  mbgate prune --session 6d06b814`,
		RunE: a.work(func([]string) error { return a.prune(o) }),
	}
	f := cmd.Flags()
	ageFlag(f, &o.olderThan, "older-than", "30d", "how long a session must have been silent")
	sessionFlag(f, &o.session, "forget this session, named by the beginning of its id, whatever its age")
	f.BoolVar(&o.all, "all", false, "forget every session")
	f.BoolVar(&o.dryRun, "dry-run", false, "only say what would be forgotten")
	f.BoolVarP(&o.yes, "yes", "y", false, "do not ask")
	cmd.MarkFlagsMutuallyExclusive("session", "all", "older-than")
	return cmd
}

func (a *app) prune(o pruneOptions) error {
	store, err := a.openStore()
	if err != nil {
		return err
	}
	entries, unnamed, err := a.prunable(store, o)
	if err != nil {
		return err
	}
	if unnamed > 0 {
		fmt.Fprintf(a.stderr, "mbgate: %d damaged or newer files in %s are left; their session is not known\n", unnamed, render.Safe(store.Dir()))
	}
	askFirst := o.session != "" || o.all || o.olderThan < state.Silence
	if askFirst && !o.dryRun {
		if err := a.forPeople("prune of sessions that are not old", "run it in a terminal of your own"); err != nil {
			return err
		}
	}
	if len(entries) == 0 {
		return a.say("nothing to forget")
	}
	if o.dryRun || askFirst && !o.yes {
		if err := a.pruneList(entries, o.dryRun); err != nil || o.dryRun {
			return err
		}
		if !a.confirm(fmt.Sprintf("forget %d?", len(entries))) {
			return errors.New("nothing was forgotten; answer y, or give --yes")
		}
	}
	var ids []string
	for _, e := range entries {
		ids = append(ids, e.Session.ID)
	}
	n, err := store.Remove(ids...)
	if err != nil {
		return fmt.Errorf("%d of %d forgotten: %w", n, len(ids), err)
	}
	if askFirst {
		a.logForgotten(store, entries)
	} else {
		_, _ = store.Sweep(a.now()) // what killed processes left behind
	}
	return a.say("forgot " + render.Count(n, "session"))
}

// logForgotten logs the sessions that a person forgot, since their recoveries end with them. Old sessions have no recovery
// that anyone waits for.
func (a *app) logForgotten(store *state.Store, entries []state.Entry) {
	for _, e := range entries {
		s := e.Session
		why := "a person ran mbgate prune"
		if s.Clear() {
			why += "; a recovery was pending"
		}
		a.logChange(store, s, journal.Record{Event: "prune", Decision: "forgotten", Rule: string(gate.RuleReader), Reason: why})
	}
}

// prunable finds the sessions to forget, and counts the files whose session is unknown.
func (a *app) prunable(store *state.Store, o pruneOptions) (entries []state.Entry, unnamed int, err error) {
	if o.session != "" {
		e, err := find(store, o.session)
		if err != nil {
			return nil, 0, err
		}
		return []state.Entry{e}, 0, nil
	}
	entries, err = store.List("")
	if err != nil {
		return nil, 0, err
	}
	now := a.now()
	entries = slices.DeleteFunc(entries, func(e state.Entry) bool {
		if e.Session.ID == "" {
			unnamed++
			return true
		}
		return isNewer(e.Problem) || !o.all && now.Sub(e.Session.LastAt) <= o.olderThan
	})
	return entries, unnamed, nil
}

func (a *app) pruneList(entries []state.Entry, dry bool) error {
	title := "going to forget"
	if dry {
		title = "would forget"
	}
	st := render.Status{All: true, Now: a.now(), Sessions: newViewer(a).sessions(entries)}
	return a.print(st.Short(a.screen(), title+" "+render.Count(len(entries), "session")))
}
