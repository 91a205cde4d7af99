package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
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
		Long: `Ends the recovery of a session, so that its writes pass although the documents were not read again, and suspends what
the capsule binds: noted denies, open questions, a run file's gate. The next compaction arms the gate anew.

Without --session it ends what is pending in this project. If that is more than one session it lists them, with what
ends of each, and asks; --yes answers. It is for people only: it wants a terminal, and refuses inside an agent. There, send the agent the prompt
mb:clear instead. What was cleared, and why, stands in ` + "`mbgate log`" + `.

EXIT STATUS
  0 done, or nothing was pending · 1 refused, or mbgate's own failure · 64 wrong usage`,
		Example: `  mbgate clear
  mbgate clear --session 6d06b814-0d77-449f-833c-d95f9060f114
  mbgate clear --reason "the requirement was dropped"
  mbgate clear --all --dry-run`,
		Args: cobra.NoArgs,
		RunE: a.work(func([]string) error { return a.clear(o) }),
	}
	f := cmd.Flags()
	rootFlag(f, &o.root, "the project root, instead of finding it")
	sessionFlag(f, &o.session, "the session whose recovery ends, of whatever project")
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
	where := "this project"
	if o.session != "" {
		where = "session " + render.ShellWord(o.session)
	}
	switch {
	case len(list) == 0:
		return a.print("no recovery is pending in " + where + "\n")
	case o.dryRun:
		return a.print(a.clearList("would end:", list))
	case len(list) > 1 && !o.yes:
		if err := a.print(a.clearList("is going to end:", list)); err != nil {
			return err
		}
		if !a.confirm(fmt.Sprintf("end all %d?", len(list))) {
			return errors.New("nothing was ended; name one with --session, or answer y or give --yes for all of them")
		}
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
		return a.print("no recovery is pending any more in session " + render.ShellWord(s.ID) + "\n")
	}
	why := "a person ran mbgate clear"
	if reason != "" {
		why += ": " + reason
	}
	a.logChange(store, after, journal.Record{Event: "clear", Decision: "cleared", Rule: string(gate.RuleReader), Reason: why})
	return a.print(clearedWhat(s) + " " + a.clearName(s) + "; the next compaction arms the gate again\n")
}

// clearedParts names what a clear of a session ends.
func clearedParts(s gate.Session) string {
	var parts []string
	if s.Damaged {
		parts = append(parts, "the recovery of a damaged state")
	}
	for _, id := range slices.Sorted(maps.Keys(s.Contexts)) {
		c := s.Contexts[id]
		if c.Recovery == nil {
			continue
		}
		of := "the recovery"
		if id != "" {
			of += " of subagent " + render.ShellWord(id)
		}
		names := required(c.Recovery)
		if n := len(names) - 3; n > 0 {
			names = append(names[:3], fmt.Sprintf("%d more", n))
		}
		if len(names) > 0 {
			of += " that waits for " + strings.Join(names, ", ")
		}
		parts = append(parts, of)
	}
	after := s.Clone()
	if after.Clear(); after.Suspended && !s.Suspended {
		parts = append(parts, "what the capsule binds, until the next compaction")
	}
	return strings.Join(parts, "; ")
}

// clearedWhat says what was cleared: a recovery, what the capsule binds, or both.
func clearedWhat(s gate.Session) string {
	recovery := s.Damaged
	for _, c := range s.Contexts {
		recovery = recovery || c.Recovery != nil
	}
	s = s.Clone()
	s.Clear()
	switch {
	case !recovery:
		return "suspended what the capsule binds in"
	case s.Suspended:
		return "ended the recovery, and suspended what the capsule binds, of"
	}
	return "ended the recovery of"
}

func (a *app) clearList(title string, list []gate.Session) string {
	var b strings.Builder
	b.WriteString(title + "\n")
	screen := a.screen()
	for _, s := range list {
		b.WriteString("  " + a.clearName(s) + "\n" + screen.Prose(6, clearedParts(s)))
	}
	return b.String()
}

// clearName is a session in a message: its id, its agent, and how many documents it requires.
func (a *app) clearName(s gate.Session) string {
	name := render.ShellWord(s.ID)
	if c := clientOf(s.Agent); c.Title != "" {
		name += " (" + render.Safe(c.Title) + ")"
	}
	if m := s.Main(); m != nil && m.Recovery != nil {
		name += fmt.Sprintf(", %d required", len(required(m.Recovery)))
	}
	return name
}

// required are the documents that a recovery asks for.
func required(r *gate.Recovery) []string {
	var names []string
	for _, x := range r.Required {
		if x.Dropped == "" {
			names = append(names, render.Safe(x.Path))
		}
	}
	return names
}
