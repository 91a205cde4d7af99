package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/mbgate/mbgate/internal/journal"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/state"
)

type logOptions struct {
	root, session     string
	all, json, follow bool
	verbose           bool
	last              int
	lastGiven         bool
	since             time.Time
	// decisions and rules are the words that a record must have, nil for any.
	decisions, rules []string
}

// How many decisions are shown without --last: a few screens, and with --follow one.
const (
	logLast       = 50
	logLastFollow = 10
)

// followEvery is how often --follow looks for new decisions.
const followEvery = 250 * time.Millisecond

func newLogCmd(a *app) *cobra.Command {
	var o logOptions
	cmd := &cobra.Command{
		Use:   "log",
		Short: "Show the decisions that were taken, the newest last",
		Long: `Shows what the gate decided in this project: refusals, reminders, allowed writes, recoveries that began and ended,
and what people cleared. It names tools, programs, files and reasons; the text of commands, files and notes is never in it.

--since takes how long ago (90m, 2h, 3d, 1w), today, yesterday, a time of today (15:04), a day (2026-11-20), a day and a
time ("2026-11-20 15:04"), or RFC 3339. A time without a zone is in yours.

--decision takes refused, reminded or allowed, or another word of the log; --rule a rule or the beginning of one. Both
take several, with commas between them.

--follow shows the last 10 decisions and then new ones, until Ctrl-C or until its reader is gone.

EXIT STATUS
  0 shown, also if there was nothing, and --follow was ended · 1 mbgate's own failure · 64 wrong usage`,
		Example: `  mbgate log
  mbgate log --follow
  mbgate log --since 2h --decision refused,reminded
  mbgate log --since yesterday --rule R6
  mbgate log --last 100 --session 6d06b814-0d77-449f-833c-d95f9060f114
  mbgate log --json --all --decision refused | jq -r .target`,
		PreRunE: func(cmd *cobra.Command, _ []string) error {
			if o.lastGiven = cmd.Flags().Changed("last"); o.last < 0 {
				return &usageError{problem: "--last must not be negative"}
			}
			return nil
		},
		RunE: a.work(func([]string) error { return a.log(o) }),
	}
	f := cmd.Flags()
	rootFlag(f, &o.root, "the project root, instead of finding it")
	sessionFlag(f, &o.session, "this session only, of whatever project")
	f.BoolVar(&o.all, "all", false, "the decisions of all projects")
	f.Var(&flagValue{kind: "when", take: func(s string) (err error) {
		o.since, err = parseSince(s, a.now())
		return err
	}}, "since", "what was decided since then: 2h, 3d, today, yesterday, 2026-11-20, RFC 3339")
	f.Var(&flagValue{kind: "decision", take: func(s string) (err error) {
		o.decisions, err = pickWords(s, render.LogDecisions(), false)
		return err
	}}, "decision", "these decisions only: refused, reminded, allowed, armed, …")
	f.Var(&flagValue{kind: "rule", take: func(s string) (err error) {
		o.rules, err = pickWords(s, render.LogRules(), true)
		return err
	}}, "rule", "what these rules decided only: R3, R6, …")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "with the rule, the risk and the rest of each entry")
	f.BoolVarP(&o.follow, "follow", "f", false, "go on showing what is decided")
	f.BoolVar(&o.json, "json", false, "print one JSON object a line")
	f.IntVarP(&o.last, "last", "n", 0, "this many at most, of those that came before (default 50 for people, 10 with --follow, all with --json)")
	cmd.MarkFlagsMutuallyExclusive("session", "all")
	return cmd
}

// matches reports whether a record passes the filters; root is as records name it, "" for any.
func (o *logOptions) matches(r journal.Record, root string) bool {
	return (root == "" || r.Root == root) &&
		strings.HasPrefix(r.Session, o.session) &&
		!r.At.Before(o.since) &&
		(o.decisions == nil || slices.Contains(o.decisions, r.Decision)) &&
		(o.rules == nil || slices.Contains(o.rules, r.Rule))
}

func (a *app) log(o logOptions) error {
	store, err := a.openStore()
	if err != nil {
		return err
	}
	root := ""
	if !o.all && o.session == "" {
		p, err := a.here(o.root)
		if err != nil {
			return err
		}
		root = journal.Root(p.root.Dir)
	}
	switch {
	case o.lastGiven || o.json:
	case o.follow:
		o.last = logLastFollow
	default:
		o.last = logLast
	}
	var kept []journal.Record
	tail := journal.NewTail(store.Dir())
	unreadable := tail.Last(func(r journal.Record) bool {
		if o.last == 0 && o.lastGiven || !o.since.IsZero() && r.At.Before(o.since.Add(-disorder)) {
			return false
		}
		if o.matches(r, root) {
			kept = append(kept, r)
		}
		return o.last == 0 || len(kept) < o.last
	})
	slices.Reverse(kept)
	show := &render.LogScreen{Screen: a.screen(), Verbose: o.verbose, All: root == ""}
	// What could be read is shown all the same.
	switch {
	case len(kept) > 0:
		err = a.printLog(o, show, kept)
	case o.follow || unreadable != nil || o.json:
	case o.filtered():
		err = a.print(show.Prose(0, "No decision in the log matches; `mbgate log` shows the newest ones."))
	default:
		err = a.print(show.Prose(0, "The log has no decision of this project yet; `mbgate log --all` shows other projects."))
	}
	if err != nil {
		return err
	}
	if !o.follow {
		return unreadableLog(store, unreadable)
	}
	return a.followLog(o, show, store, tail, root, unreadable)
}

// disorder is how far the records of parallel hooks may stand out of their order.
const disorder = time.Minute

func (a *app) printLog(o logOptions, show *render.LogScreen, records []journal.Record) error {
	if !o.json {
		return a.print(show.Text(records))
	}
	for _, r := range records {
		if err := a.printJSON(r); err != nil {
			return err
		}
	}
	return nil
}

// filtered reports whether only some of the decisions of a project were asked for.
func (o *logOptions) filtered() bool {
	return o.session != "" || !o.since.IsZero() || o.decisions != nil || o.rules != nil || o.lastGiven && o.last == 0
}

// followLog shows new decisions until a signal ends it or its reader is gone. It reports once what cannot be read, and tries
// again: a journal may be moved away and come back.
func (a *app) followLog(o logOptions, show *render.LogScreen, store *state.Store, tail *journal.Tail, root string, unreadable error) error {
	ended := make(chan os.Signal, 1)
	// SIGPIPE would kill the program; once it is caught, the write returns an error.
	signal.Notify(ended, os.Interrupt, syscall.SIGTERM, syscall.SIGPIPE)
	defer signal.Stop(ended)
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	reported := ""
	for {
		if unreadable != nil && unreadable.Error() != reported {
			reported = unreadable.Error()
			fmt.Fprintf(a.stderr, "mbgate: %s\n", render.Safe(unreadableLog(store, unreadable).Error()))
		}
		select {
		case <-ended:
			return nil
		case <-tick.C:
		}
		if out, ok := a.stdout.(*os.File); ok && readerGone(out) {
			return nil
		}
		var fresh []journal.Record
		unreadable = tail.Next(func(r journal.Record) bool {
			if o.matches(r, root) {
				fresh = append(fresh, r)
			}
			return true
		})
		if len(fresh) == 0 {
			continue
		}
		if err := a.printLog(o, show, fresh); errors.Is(err, syscall.EPIPE) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// unreadableLog is what to do about a journal that could not be read, nil if it could.
func unreadableLog(store *state.Store, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w; make %s readable for you", err, store.Dir())
	}
	return err
}

// pickWords are the words of the table that a flag's value names, several with commas between them. With begins, the
// beginning of a word names all that begin so.
func pickWords(value string, table []render.LogWord, begins bool) ([]string, error) {
	var picked, known []string
	for _, w := range table {
		known = append(known, cmp.Or(w.Says, w.Word))
	}
	for name := range strings.SplitSeq(value, ",") {
		name = strings.ToLower(strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == '_' || r == '-' && !begins }), " "))
		n := len(picked)
		for _, w := range table {
			word := strings.ToLower(w.Word)
			if name != "" && (name == word || name == w.Says || among(name, strings.ReplaceAll(w.Also, " ", "|")) || begins && strings.HasPrefix(word, name)) {
				picked = append(picked, w.Word)
			}
		}
		if len(picked) == n {
			return nil, errors.New("the log has no such word; " + choose(name, known))
		}
	}
	slices.Sort(picked)
	return slices.Compact(picked), nil
}
