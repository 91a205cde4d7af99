package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/audit"
	"github.com/mbgate/mbgate/internal/config"
	"github.com/mbgate/mbgate/internal/gate"
	proj "github.com/mbgate/mbgate/internal/project"
	"github.com/mbgate/mbgate/internal/render"
)

type auditOptions struct {
	agent      string
	anchors    []string
	since      time.Time
	everywhere bool
	json       bool
}

func newAuditCmd(a *app) *cobra.Command {
	var o auditOptions
	cmd := &cobra.Command{
		Use:   "audit [PATH...]",
		Short: "Say what happened after each compaction of past sessions",
		Long: `Reads the records that agents keep of their sessions and lets the gate judge them: which documents were read before each
compaction, whether they were read again, what was written meanwhile, and what mbgate would have refused and cost. It
changes nothing and sends nothing.

Without PATH it takes the sessions of this project, of all agents that keep records as JSON lines: ` + recorders() + `. A PATH is a
record or a folder of them.

A file is judged by what the record shows of it, else as it is now. Documents that frame a task are those that the project's
configuration or --anchors names, else those of every known layout.

EXIT STATUS
  0 shown, also if there was nothing · 1 mbgate's own failure · 64 wrong usage`,
		Example: `  mbgate audit
  mbgate audit --all-projects --since 30d
  mbgate audit --anchors 'docs/plans/**' --json | jq .sum
  mbgate audit ~/.claude/projects/-home-me-repo`,
		RunE: a.work(func(args []string) error { return a.audit(o, args) }),
	}
	f := cmd.Flags()
	f.StringVar(&o.agent, "agent", "", "the records of this agent only")
	f.StringSliceVar(&o.anchors, "anchors", nil, "the documents that frame a task, as globs with commas between them")
	f.Var(&flagValue{kind: "when", take: func(s string) (err error) {
		o.since, err = parseSince(s, a.now())
		return err
	}}, "since", "compactions since then only: 30d, 2026-11-20, …")
	f.BoolVar(&o.everywhere, "all-projects", false, "the sessions of all projects")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	return cmd
}

// recorders are the names of the agents whose records can be read.
func recorders() string {
	var names []string
	for _, agent := range agents.All() {
		if agent.Records.Read != nil {
			names = append(names, agent.Facts().Title)
		}
	}
	return strings.Join(names, ", ")
}

// record is one file with an agent's record.
type record struct {
	path  string
	size  int64
	agent agents.Agent
}

func (a *app) audit(o auditOptions, args []string) error {
	list, err := a.records(o, args)
	if err != nil {
		return err
	}
	work := audit.Audit{Anchors: o.anchors, Since: o.since, Project: a.auditedProject}
	if !o.everywhere && len(args) == 0 {
		here, err := a.here("")
		if err != nil {
			return err
		}
		work.Within = here.root.Dir
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var total, done int64
	for _, r := range list {
		total += r.size
	}
	shown := time.Time{}
	for _, r := range list {
		progress := func(bytes int64) bool {
			if now := a.now(); a.terminal() && !o.json && now.Sub(shown) > 200*time.Millisecond {
				shown = now
				fmt.Fprintf(a.stderr, "\r%3d %% of %d MB", (done+bytes)*100/max(total, 1), total/1e6)
			}
			return ctx.Err() != nil
		}
		if err := readRecord(&work, r, progress); err != nil {
			fmt.Fprintf(a.stderr, "mbgate: %s is left out: %s\n", render.Safe(r.path), render.Safe(err.Error()))
		}
		done += r.size
	}
	if !shown.IsZero() {
		fmt.Fprint(a.stderr, "\r\x1b[K")
	}
	if ctx.Err() != nil {
		return errors.New("interrupted; nothing was changed")
	}
	report := work.Report()
	return a.show(o.json, report, render.AuditText(a.screen(), &report))
}

// auditedProject is the project of a session, with what its configuration says as far as it is still there.
func (a *app) auditedProject(cwd string) (gate.Policy, proj.Root) {
	defaults, _ := config.Load(config.Sources{})
	root, policy := proj.Root{Dir: cwd}, gate.Policy{Budget: defaults.RequiredBudget}
	if info, err := os.Stat(filepath.FromSlash(cwd)); err != nil || !info.IsDir() {
		return policy, root
	}
	p, err := a.project(start{cwd: cwd})
	switch {
	case err != nil:
	case p.inert():
		root = p.root
	default:
		root, policy = p.root, p.gate(nil).Policy
	}
	return policy, root
}

func readRecord(work *audit.Audit, r record, stop func(int64) bool) error {
	f, err := os.Open(r.path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	cwd := ""
	for dir, up := filepath.Dir(r.path), 0; r.agent.Records.Root != "" && cwd == "" && up < 4; dir, up = filepath.Dir(dir), up+1 {
		b, _ := os.ReadFile(filepath.Join(dir, r.agent.Records.Root))
		cwd = filepath.ToSlash(strings.TrimSpace(string(b)))
	}
	work.File(r.agent, cwd, f, stop)
	return nil
}

// recorder is the agent that names its records most like a file: with most letters, counted from the end of its path.
func recorder(known []agents.Agent, file string) agents.Agent {
	best, most := known[0], 0
	for _, agent := range known {
		for pattern := range strings.FieldsSeq(agent.Records.Files) {
			letters := 0
			for name := filepath.ToSlash(file); ; name, pattern = path.Dir(name), path.Dir(pattern) {
				if ok, _ := path.Match(path.Base(pattern), path.Base(name)); !ok || pattern == "." {
					break
				}
				letters += len(path.Base(pattern))
			}
			if letters > most {
				best, most = agent, letters
			}
		}
	}
	return best
}

// records finds the records that are asked for, in the order of their names.
func (a *app) records(o auditOptions, args []string) ([]record, error) {
	var known []agents.Agent
	for _, agent := range agents.All() {
		if agent.Records.Read != nil && (o.agent == "" || agent.Named(o.agent)) {
			known = append(known, agent)
		}
	}
	if len(known) == 0 {
		return nil, &usageError{problem: "no records of " + render.Safe(o.agent) + " can be read; known are those of " + recorders()}
	}
	home, err := a.home()
	if err != nil {
		return nil, err
	}
	for _, agent := range agents.All() {
		database := filepath.Join(home, filepath.FromSlash(agent.Records.Database))
		if len(args) == 0 && agent.Records.Database != "" && (o.agent == "" || agent.Named(o.agent)) && exists(database) {
			fmt.Fprintf(a.stderr, "mbgate: the sessions of %s are left out: %s is a database\n", agent.Facts().Title, render.Safe(database))
		}
	}
	var list []record
	add := func(file string, agent agents.Agent) {
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && !info.ModTime().Before(o.since) {
			list = append(list, record{file, info.Size(), agent})
		}
	}
	for _, agent := range known {
		if len(args) > 0 {
			break
		}
		for _, pattern := range agent.RecordFiles(filepath.ToSlash(home), a.getenv) {
			found, _ := filepath.Glob(filepath.FromSlash(pattern))
			for _, file := range found {
				add(file, agent)
			}
		}
	}
	for _, arg := range args {
		if _, err := os.Stat(arg); err != nil {
			return nil, &usageError{problem: "cannot read " + render.Safe(arg) + "; name a record or a folder of them"}
		}
		_ = filepath.WalkDir(arg, func(file string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() && strings.HasSuffix(file, ".jsonl") {
				add(file, recorder(known, file))
			}
			return nil
		})
	}
	slices.SortFunc(list, func(x, y record) int { return strings.Compare(x.path, y.path) })
	return list, nil
}
