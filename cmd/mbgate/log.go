package main

import (
	"github.com/spf13/cobra"

	"github.com/mbgate/mbgate/internal/journal"
	"github.com/mbgate/mbgate/internal/render"
)

type logOptions struct {
	root, session string
	all, json     bool
	last          int
}

func newLogCmd(a *app) *cobra.Command {
	var o logOptions
	cmd := &cobra.Command{
		Use:   "log",
		Short: "Show the decisions that were taken, the newest last",
		Long: `Shows what the gate decided in this project: refusals, reminders, allowed writes, recoveries that began and ended,
and what people cleared. Contents of files are never in it, secrets in commands are masked.

EXIT STATUS
  0 · 1 mbgate's own failure · 64 wrong usage`,
		Example: `  mbgate log
  mbgate log --last 100 --session 6d06b814-0d77-449f-833c-d95f9060f114
  mbgate log --json --all | jq -r 'select(.decision == "block") | .target'`,
		Args: cobra.NoArgs,
		RunE: a.work(func([]string) error { return a.log(o) }),
	}
	f := cmd.Flags()
	f.StringVar(&o.root, "root", "", "the project root, instead of finding it")
	f.StringVar(&o.session, "session", "", "this session only, of whatever project")
	f.BoolVar(&o.all, "all", false, "the decisions of all projects")
	f.BoolVar(&o.json, "json", false, "print one JSON object a line")
	f.IntVar(&o.last, "last", 0, "this many at most (default 50 for people, all with --json)")
	cmd.MarkFlagsMutuallyExclusive("session", "all")
	return cmd
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
		root = p.root.Dir
	}
	if o.last < 0 {
		return &usageError{"--last must not be negative"}
	}
	if o.last == 0 && !o.json {
		o.last = 50
	}
	var kept []journal.Record
	err = journal.Read(store.Dir(), func(r journal.Record) bool {
		if (root == "" || r.Root == root) && (o.session == "" || r.Session == o.session) {
			if kept = append(kept, r); o.last > 0 && len(kept) > o.last {
				kept = kept[1:]
			}
		}
		return true
	})
	if err != nil {
		return err
	}
	if !o.json {
		return a.print(render.Log(kept, a.screen()))
	}
	for _, r := range kept {
		if err := a.printJSON(r); err != nil {
			return err
		}
	}
	return nil
}
