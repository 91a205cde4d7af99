package main

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/capsule"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/journal"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/state"
)

type noteOptions struct {
	root, session, phase string
	paths                []string
	blocking, json       bool
}

// dropRemedy tells an agent how a deny is dropped.
const dropRemedy = "ask the person to run it in a terminal of their own"

const noteStatus = "\n\nEXIT STATUS\n  0 · 1 not done, or mbgate's own failure · 64 wrong usage"

func newNoteCmd(a *app) *cobra.Command {
	var o noteOptions
	cmd := &cobra.Command{
		Use:   "note",
		Short: "Note what must survive a compaction: a deny, a question, the next step",
		Long: `Notes belong to a session; after a compaction the agent gets them in its capsule. An agent may add notes and answer
questions; only a person can drop a deny.

The session is --session, else that of the environment that an agent gives to its commands, else the only one of this
project that has not ended.` + noteStatus,
		Example: `  mbgate note deny "the public API stays as it is" --path 'api/**'
  mbgate note question "Which table holds the tenants?" --blocking
  mbgate note list`,
		RunE: func(*cobra.Command, []string) error {
			return &usageError{problem: "note needs one of deny, question, answer, next, list, drop"}
		},
	}
	p := cmd.PersistentFlags()
	sessionFlag(p, &o.session, "the session, instead of the one at hand")
	rootFlag(p, &o.root, "the project root, instead of finding it")
	p.BoolVar(&o.json, "json", false, "print one JSON object")
	take := func(note func(text string) gate.Note) func([]string) error {
		return func(args []string) error { return a.note(o, note(args[0])) }
	}
	deny := a.subcommand(cmd, "deny TEXT", "Note what must not be done",
		`Notes what must not be done. With --path, every change of those files by the agent is refused from now on, before and
after a compaction; without, it is only told. Patterns are relative to the project root, and hold for what lies below
what they match. Only a person drops a deny, so an agent cannot deny the whole project.`+noteStatus,
		"mbgate note deny \"the API stays as it is\" --path 'api/**' --path '**/*.pb.go'",
		take(func(text string) gate.Note { return gate.Note{Kind: gate.NoteDeny, Text: text, Paths: o.paths} }))
	deny.Flags().StringArrayVar(&o.paths, "path", nil, "a pattern of files whose changes are refused; may be given more than once")
	question := a.subcommand(cmd, "question TEXT", "Note an open question",
		`Notes an open question. With --blocking, medium- and high-risk writes wait for its answer after the next
compaction.`+noteStatus,
		"mbgate note question \"May the old endpoint go?\" --blocking",
		take(func(text string) gate.Note {
			return gate.Note{Kind: gate.NoteQuestion, Text: text, Blocking: o.blocking, Phase: o.phase}
		}))
	question.Flags().BoolVar(&o.blocking, "blocking", false, "risky writes wait for the answer after a compaction")
	question.Flags().StringVar(&o.phase, "phase", "", "the phase it belongs to")
	a.subcommand(cmd, "answer ID TEXT", "Answer an open question",
		"Answers an open question, a noted one or one of the run file, so that nothing waits for it."+noteStatus,
		"mbgate note answer q3 \"yes, since 2.0\"", func(args []string) error { return a.noteAnswer(o, args[0], args[1]) })
	next := a.subcommand(cmd, "next ACTION", "Note what comes next", "Notes what comes next, in place of what was noted before."+noteStatus,
		"mbgate note next --phase implement \"write the migration for tenants\"",
		take(func(text string) gate.Note { return gate.Note{Kind: gate.NoteNext, Text: text, Phase: o.phase} }))
	next.Flags().StringVar(&o.phase, "phase", "", "the phase of the work")
	a.subcommand(cmd, "list", "Show the notes", "Shows the notes of a session, the oldest first."+noteStatus,
		"mbgate note list --json", func([]string) error { return a.noteList(o) })
	a.subcommand(cmd, "drop ID", "Forget a note; a deny only by a person",
		"Forgets a note. Only a person can drop a deny, at a terminal and outside an agent."+noteStatus,
		"mbgate note drop d1", func(args []string) error { return a.noteDrop(o, args[0]) })
	return cmd
}

// noteSession finds the session that notes go to.
func (a *app) noteSession(o noteOptions) (*state.Store, gate.Session, error) {
	store, err := a.openStore()
	if err != nil {
		return nil, gate.Session{}, err
	}
	id := o.session
	for _, x := range agents.All() {
		c := x.Facts()
		if id == "" && c.SessionEnv != "" {
			id = a.getenv(c.SessionEnv)
		}
	}
	if id != "" {
		s, err := usable(store, id)
		return store, s, err
	}
	entries, err := a.sessions(store, o.root, "")
	if err != nil {
		return nil, gate.Session{}, err
	}
	var open []gate.Session
	for _, e := range entries {
		if e.Problem == nil && e.Session.ID != "" && e.Session.EndedAt.IsZero() {
			open = append(open, e.Session)
		}
	}
	switch len(open) {
	case 0:
		return nil, gate.Session{}, errors.New("no open session is remembered in this project; name one with --session, `mbgate status --all` lists them")
	case 1:
		return store, open[0], nil
	}
	return nil, gate.Session{}, fmt.Errorf("%d sessions of this project are open; name one with --session, `mbgate status` lists them", len(open))
}

// change does one thing to the notes of a session and writes it into the log, without what the note says.
func (a *app) change(o noteOptions, what string, do func(s *gate.Session) (gate.Note, error)) (gate.Note, error) {
	store, found, err := a.noteSession(o)
	if err != nil {
		return gate.Note{}, err
	}
	var n gate.Note
	after, err := store.Update(found.ID, func(s gate.Session) (gate.Session, error) {
		s = s.Clone()
		var err error
		n, err = do(&s)
		return s, err
	})
	if err != nil {
		return n, err
	}
	a.logChange(store, after, journal.Record{
		Event: "note", Decision: what, Rule: string(gate.RuleCapsule), Target: string(n.Kind) + " " + n.ID,
	})
	return n, nil
}

// byID is the note of an id, the zero one if there is none.
func byID(notes []gate.Note, id string) gate.Note {
	if i := slices.IndexFunc(notes, func(n gate.Note) bool { return n.ID == id }); i >= 0 {
		return notes[i]
	}
	return gate.Note{}
}

func (a *app) note(o noteOptions, n gate.Note) error {
	n.Agent = a.outsideAgents("", "") != nil
	cut := false
	n, err := a.change(o, "noted", func(s *gate.Session) (gate.Note, error) {
		id, c, err := s.AddNote(n, a.now().UTC())
		cut = c
		return byID(s.Notes, id), err
	})
	if err != nil {
		return err
	}
	if cut {
		fmt.Fprintf(a.stderr, "mbgate: only the first %d bytes of the text are kept; say it shorter to keep all of it\n", gate.MaxNoteText)
	}
	return a.noted(o, n.ID, "noted as "+n.ID)
}

// noted prints what was done to a note.
func (a *app) noted(o noteOptions, id, text string) error {
	return a.show(o.json, struct {
		ID string `json:"id"`
	}{id}, text+"\n")
}

func (a *app) noteAnswer(o noteOptions, id, text string) error {
	n, err := a.change(o, "answered", func(s *gate.Session) (gate.Note, error) {
		err := s.AnswerNote(id, text, a.runAsks(*s, id), a.now().UTC())
		return byID(s.Notes, id), err
	})
	if err != nil {
		return err
	}
	return a.noted(o, n.ID, "answered "+render.Safe(n.ID))
}

// runAsks reports whether the run file of a session's project has an open question of that id.
func (a *app) runAsks(s gate.Session, id string) bool {
	p, err := a.project(start{pinned: s.Root})
	if err != nil || p.config.RunFile == "" {
		return false
	}
	at := p.disk.Anchor(p.config.RunFile)
	if at.Kind != place.File {
		return false
	}
	raw, ok := p.disk.Text(at.Phys, capsule.MaxBytes)
	if !ok {
		return false
	}
	run, _ := capsule.ParseRun(raw)
	return slices.ContainsFunc(run.Questions, func(q capsule.RunQuestion) bool {
		return q.ID == id && q.Status == capsule.StatusOpen
	})
}

func (a *app) noteDrop(o noteOptions, id string) error {
	_, s, err := a.noteSession(o)
	if err != nil {
		return err
	}
	if byID(s.Notes, id).Kind == gate.NoteDeny {
		if err := a.forPeople("dropping a deny", dropRemedy); err != nil {
			return err
		}
	}
	o.session = s.ID
	n, err := a.change(o, "dropped", func(s *gate.Session) (gate.Note, error) { return s.Drop(id) })
	if err != nil {
		return err
	}
	return a.noted(o, n.ID, "dropped "+render.Safe(n.ID))
}

// noteJSON is one note of `mbgate note list --json`.
type noteJSON struct {
	ID       string   `json:"id"`
	Kind     string   `json:"kind"`
	Text     string   `json:"text"`
	Paths    []string `json:"paths"`
	Blocking bool     `json:"blocking"`
	Phase    string   `json:"phase"`
	Open     bool     `json:"open"`
	Answer   string   `json:"answer"`
	By       string   `json:"by"`
	NotedAt  string   `json:"noted_at"`
}

func (a *app) noteList(o noteOptions) error {
	_, s, err := a.noteSession(o)
	if err != nil {
		return err
	}
	if !o.json {
		return a.print(render.Notes(a.screen(), s.Notes, a.now()))
	}
	list := []noteJSON{}
	for _, n := range s.Notes {
		by := "person"
		if n.Agent {
			by = "agent"
		}
		list = append(list, noteJSON{
			ID: n.ID, Kind: string(n.Kind), Text: n.Text, Paths: append([]string{}, n.Paths...), Blocking: n.Blocking,
			Phase: n.Phase, Open: n.Open(), Answer: n.Answer, By: by, NotedAt: n.At.UTC().Format(time.RFC3339),
		})
	}
	return a.printJSON(struct {
		Session string     `json:"session_id"`
		Notes   []noteJSON `json:"notes"`
	}{s.ID, list})
}
