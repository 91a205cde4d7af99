package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
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
	"github.com/mbgate/mbgate/internal/anchor"
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
	path    string
	size    int64
	changed time.Time
	agent   agents.Agent
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
	a.nameDatabases(o, args)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var total, done int64
	for _, r := range list {
		total += r.size
	}
	shown := time.Time{}
	for _, r := range list {
		progress := func(bytes int) error {
			done += int64(bytes)
			if now := a.now(); a.terminal() && !o.json && now.Sub(shown) > 200*time.Millisecond {
				shown = now
				fmt.Fprintf(a.stderr, "\r%3d %% of %d MB", min(done*100/max(total, 1), 100), total/1e6)
			}
			return ctx.Err()
		}
		if err := readRecord(&work, r, progress); err != nil {
			fmt.Fprintf(a.stderr, "mbgate: %s is left out: %s\n", render.Safe(r.path), render.Safe(err.Error()))
		}
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

// readBefore are patterns of the documents that past sessions of a project read before compactions, as far as the project does
// not name them. It reads the newest records: 32 MB of this project's, which take less than a second.
func (a *app) readBefore(p *project) []string {
	const most = 32 << 20
	list, err := a.records(auditOptions{since: a.now().AddDate(0, -3, 0)}, nil)
	if err != nil {
		return nil
	}
	slices.SortStableFunc(list, func(x, y record) int { return y.changed.Compare(x.changed) })
	work := audit.Audit{Project: a.auditedProject, Within: p.root.Dir, Anchors: audit.Framing()}
	for _, r := range list {
		left := most - work.Report().Bytes
		if left <= 0 {
			break
		}
		_ = readRecord(&work, r, func(bytes int) error {
			if left -= int64(bytes); left < 0 {
				return io.EOF
			}
			return nil
		})
	}
	return slices.DeleteFunc(work.Report().Proposal, func(pattern string) bool {
		return anchor.Match(p.config.Anchors, p.disk.Anchor(strings.ReplaceAll(pattern, "/**", "/x.md"))) != ""
	})
}

// nameDatabases says what is left out because it cannot be read.
func (a *app) nameDatabases(o auditOptions, args []string) {
	home, err := a.home()
	if err != nil || len(args) > 0 {
		return
	}
	for _, agent := range agents.All() {
		database := filepath.Join(home, filepath.FromSlash(agent.Records.Database))
		if agent.Records.Database != "" && (o.agent == "" || agent.Named(o.agent)) && exists(database) {
			fmt.Fprintf(a.stderr, "mbgate: the sessions of %s are left out: %s is a database\n", agent.Facts().Title, render.Safe(database))
		}
	}
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

// observed is a file whose reader is told how much was read, and may end it: a line can be longer than anybody waits.
type observed struct {
	io.Reader
	read func(bytes int) error
}

func (w observed) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	return n, cmp.Or(w.read(n), err)
}

func readRecord(work *audit.Audit, r record, progress func(int) error) error {
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
	work.File(r.agent, cwd, observed{f, progress})
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
	var list []record
	add := func(file string, agent agents.Agent) {
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && !info.ModTime().Before(o.since) {
			list = append(list, record{file, info.Size(), info.ModTime(), agent})
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
