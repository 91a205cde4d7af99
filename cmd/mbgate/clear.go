package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/journal"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/state"
)

type clearOptions struct {
	root, session, reason string
	all, yes, dryRun      bool
}

// clearRemedy tells a person what to do where clear is refused.
const clearRemedy = "send the agent the prompt mb:clear, or run it in a terminal of your own"

func newClearCmd(a *app) *cobra.Command {
	var o clearOptions
	cmd := &cobra.Command{
		Use:   "clear",
		Short: "End a recovery: the way out for people",
		Long: `Ends the recovery of a session, so that its writes pass although the documents were not read, and suspends the limits in
its capsule: noted denies, open questions, a run file's gate. The next compaction arms the gate again.

Without --session it ends every recovery of this project, and asks first if there are several. It needs a terminal and
refuses inside an agent; there, send the prompt mb:clear. ` + "`mbgate log`" + ` keeps what was cleared, and why.

EXIT STATUS
  0 done, or nothing was pending · 1 refused, or mbgate's own failure · 64 wrong usage`,
		Example: `  mbgate clear
  mbgate clear --session 6d06b814
  mbgate clear --reason "the requirement was dropped"
  mbgate clear --all --dry-run`,
		RunE: a.work(func([]string) error { return a.clear(o) }),
	}
	f := cmd.Flags()
	rootFlag(f, &o.root, "the project root, instead of finding it")
	sessionFlag(f, &o.session, "the session, by its id or the beginning of it")
	f.BoolVar(&o.all, "all", false, "every recovery that is pending in this project")
	f.StringVar(&o.reason, "reason", "", "why, for the log")
	f.BoolVarP(&o.yes, "yes", "y", false, "do not ask")
	f.BoolVar(&o.dryRun, "dry-run", false, "only say what would be done")
	cmd.MarkFlagsMutuallyExclusive("session", "all")
	return cmd
}

func (a *app) clear(o clearOptions) error {
	if !o.dryRun {
		if err := a.forPeople("clear", clearRemedy); err != nil {
			return err
		}
	}
	store, err := a.openStore()
	if err != nil {
		return err
	}
	list, err := a.clearable(store, o)
	if err != nil {
		return err
	}
	if len(list) > 1 || o.dryRun {
		for _, s := range list {
			if err := a.say("would end " + clearing(s)); err != nil {
				return err
			}
		}
	}
	switch {
	case len(list) == 0:
		return a.say("no recovery is pending")
	case o.dryRun:
		return nil
	case len(list) > 1 && !o.yes && !a.confirm(fmt.Sprintf("end all %d?", len(list))):
		return errors.New("nothing was ended; name one with --session, or answer y to end all of them")
	}
	for _, s := range list {
		if err := a.clearOne(store, s, o.reason); err != nil {
			return err
		}
	}
	return nil
}

// clearable are the sessions with a recovery to end: the one named, or those of the project.
func (a *app) clearable(store *state.Store, o clearOptions) ([]gate.Session, error) {
	entries, err := a.sessions(store, o.root, o.session)
	if err != nil {
		return nil, err
	}
	var list []gate.Session
	for _, e := range entries {
		if isNewer(e.Problem) && o.session != "" {
			return nil, e.Problem
		}
		s := e.Session.Clone()
		if s.ID != "" && s.Clear() {
			list = append(list, e.Session)
		}
	}
	return list, nil
}

func (a *app) clearOne(store *state.Store, s gate.Session, reason string) error {
	had := false
	after, err := store.Update(s.ID, func(s gate.Session) (gate.Session, error) {
		s = s.Clone()
		had = s.Clear()
		return s, nil
	})
	if err != nil {
		return err
	}
	if !had {
		return a.say("session " + render.ShellWord(s.ID) + " no longer has a recovery")
	}
	why := "a person ran mbgate clear"
	if reason != "" {
		why += ": " + reason
	}
	a.logChange(store, after, journal.Record{Event: "clear", Decision: "cleared", Rule: string(gate.RuleReader), Reason: why})
	return a.say("ended " + clearing(s) + "; the next compaction arms the gate again")
}

// clearing names what a clear of a session ends.
func clearing(s gate.Session) string {
	var what []string
	recovery, documents := s.Damaged, 0
	for _, c := range s.Contexts {
		if c.Recovery != nil {
			recovery, documents = true, max(documents, len(c.Recovery.Required))
		}
	}
	if recovery {
		what = append(what, "the recovery ("+render.Count(documents, "document")+")")
	}
	after := s.Clone()
	if after.Clear(); after.Suspended && !s.Suspended {
		what = append(what, "the limits in the capsule")
	}
	of := render.ShellWord(render.ShortID(s.ID))
	if c := clientOf(s.Agent); c.Title != "" {
		of += " (" + render.Safe(c.Title) + ")"
	}
	return strings.Join(what, " and ") + " of session " + of
}
