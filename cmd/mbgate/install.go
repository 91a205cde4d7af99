package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/settings"
	"github.com/mbgate/mbgate/internal/wire"
)

type installOptions struct {
	root                        string
	project, user, dryRun, list bool
	statusLine                  bool
}

// installRemedy is what a person does where install or uninstall is refused.
const installRemedy = "run it in a terminal of your own"

func newInstallCmd(a *app) *cobra.Command {
	var o installOptions
	cmd := &cobra.Command{
		Use:   "install AGENT",
		Short: "Put mbgate's hooks into an agent's configuration",
		Long: `Puts mbgate's hooks into an agent's own configuration, and lays down the two subagents memory-reader and
memory-bank-writer.

The file is edited in place: comments, order, and what is not mbgate's stay as they are, and a copy is kept beside it
(*` + backupEnd + `). Running it again changes nothing, or brings older entries up to date. Without --project it is your
own configuration, for all projects; where a project has no memory bank, the hooks do nothing.

With --statusline the agent's status line says how the session stands (mbgate statusline). A status line of your own is
never replaced.

It is for people, and for their scripts: inside an agent it refuses.

EXIT STATUS
  0 done, or nothing to do · 1 refused, or a file that cannot be edited · 64 wrong usage`,
		Example: `  mbgate install claude-code
  mbgate install claude-code --statusline
  mbgate install codex --dry-run
  mbgate install opencode --project
  mbgate install --list`,
		Args: cobra.MaximumNArgs(1),
		RunE: a.work(func(args []string) error {
			if o.list {
				return a.installList(o)
			}
			if len(args) == 0 {
				return &usageError{problem: "install wants an agent, and `mbgate install --list` shows them"}
			}
			return a.install(args[0], o)
		}),
		ValidArgs: agentArgs(),
	}
	installFlags(cmd, &o)
	cmd.Flags().BoolVar(&o.statusLine, "statusline", false, "the status line, too, where the agent has one ("+strings.Join(withStatusLine(), ", ")+")")
	cmd.Flags().BoolVar(&o.list, "list", false, "show the agents and where mbgate is installed")
	return cmd
}

func installFlags(cmd *cobra.Command, o *installOptions) {
	f := cmd.Flags()
	f.BoolVar(&o.project, "project", false, "the configuration of this project")
	f.BoolVar(&o.user, "user", false, "your own configuration, for all projects (the default)")
	f.BoolVar(&o.dryRun, "dry-run", false, "only show what would change")
	rootFlag(f, &o.root, "the project root, instead of finding it")
	cmd.MarkFlagsMutuallyExclusive("project", "user")
}

func agentArgs() []string {
	var names []string
	for _, c := range settings.All() {
		names = append(names, c.Name)
	}
	return names
}

// siteToEdit is where install and uninstall, what, work for an agent; it refuses inside of one unless nothing is edited.
func (a *app) siteToEdit(what, agent string, o installOptions) (site, error) {
	client, err := a.settingsOf(agent)
	if err != nil {
		return site{}, err
	}
	if !o.dryRun {
		if err := a.outsideAgents(what, installRemedy); err != nil {
			return site{}, err
		}
	}
	return a.siteOf(client, o.project, o.root)
}

func (a *app) install(name string, o installOptions) error {
	p, err := a.siteToEdit("install", name, o)
	if err != nil {
		return err
	}
	opts, err := a.settingsOptions(p)
	if err != nil {
		return err
	}
	if opts.StatusLine = o.statusLine; o.statusLine {
		if err := a.mayHaveLine(p, opts); err != nil {
			return err
		}
	}
	if o.dryRun {
		plan, err := a.installPlan(p, opts)
		if err != nil {
			return err
		}
		return a.print(a.dryRun(plan))
	}
	unlock, err := a.alone()
	if err != nil {
		return err
	}
	plan, err := a.apply(p, func() (plan, error) { return a.installPlan(p, opts) })
	unlock() // before doctor: a hook that hangs is nobody else's wait
	if err != nil {
		return err
	}
	if err := a.print(a.installReport(p, opts, plan)); err != nil {
		return err
	}
	return a.doctorAfter(p.client, p.root)
}

// plan is what is going to change, and what is to be said besides.
type plan struct {
	changes []change
	notes   []string
}

// tries is how often a plan is made anew because the file was changed by another program: its own client, most likely.
const tries = 5

// apply makes a plan and carries it out.
func (a *app) apply(p site, make func() (plan, error)) (plan, error) {
	for n := 1; ; n++ {
		plan, err := make()
		if err != nil {
			return plan, err
		}
		again := false
		for _, c := range plan.changes {
			err := a.write(p, c, &plan)
			if again = errors.Is(err, errMoved) && n < tries; again {
				break
			}
			if err != nil {
				return plan, fmt.Errorf("%s: %w", a.tidy(c.path), bare(err))
			}
		}
		if !again {
			return plan, nil
		}
	}
}

// bare is an error without the path that the system repeats in it.
func bare(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// write carries one change out, with a copy of what was there before our first entry.
func (a *app) write(p site, c change, plan *plan) error {
	if c.path == p.hooks && c.before != nil && c.after != nil {
		old, err := p.client.Entries(c.before, settings.Options{})
		if err == nil && len(old) == 0 {
			if made, err := c.backup(); err != nil {
				return fmt.Errorf("no copy could be made: %w", bare(err))
			} else if made {
				plan.notes = append(plan.notes, "copied what was there to "+a.tidy(c.path+backupEnd))
			}
		}
	}
	if err := c.write(); err != nil {
		return err
	}
	if c.after == nil {
		prune(c.path, p.top)
	}
	return nil
}

// installPlan works out what install changes.
func (a *app) installPlan(p site, opts settings.Options) (plan, error) {
	var out plan
	before, err := readConfig(p.hooks)
	if err != nil {
		return out, err
	}
	after, err := p.client.Install(before, opts)
	var line *settings.LineError
	if errors.As(err, &line) {
		return out, a.ownLine(p, opts, p.hooks, line.Command)
	} else if err != nil {
		return out, fmt.Errorf("%s: %w; nothing was changed", a.tidy(p.hooks), err)
	}
	if c := (change{p.hooks, before, after}); !c.none() {
		out.changes = append(out.changes, c)
	}
	for _, s := range p.agents {
		before, err := readConfig(s.file)
		if err != nil {
			return out, err
		}
		after, err := s.Install(before)
		var own settings.OwnError
		if errors.As(err, &own) {
			out.notes = append(out.notes, "not touched: "+a.tidy(s.file)+": "+own.Error())
			continue
		}
		if c := (change{s.file, before, after}); err == nil && !c.none() {
			out.changes = append(out.changes, c)
		}
	}
	return out, nil
}

// dryRun is what --dry-run prints.
func (a *app) dryRun(p plan) string {
	var b strings.Builder
	for _, c := range p.changes {
		b.WriteString(c.diff())
	}
	for _, n := range p.notes {
		b.WriteString(n + "\n")
	}
	if len(p.changes) == 0 {
		b.WriteString("nothing would change\n")
	}
	return b.String()
}

// installReport says what was done, and what a person has to know now.
func (a *app) installReport(p site, opts settings.Options, plan plan) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	if len(plan.changes) == 0 {
		say("mbgate is installed for %s already: %s", p.client.Title, a.tidy(p.hooks))
	} else {
		say("installed mbgate for %s:", p.client.Title)
		for _, c := range plan.changes {
			say("  %s", a.tidy(c.path))
		}
	}
	for _, n := range plan.notes {
		say("%s", n)
	}
	say("the hooks run %s", render.ShellWord(opts.Binary))
	if data, err := readConfig(p.hooks); err == nil {
		if l, ok, _ := p.client.LineOf(data, opts); ok && l.Runs {
			say("the status line runs %s", render.Safe(l.Command))
		}
	}

	warn := func(format string, args ...any) { say("warning: "+format, args...) }
	if data, err := readConfig(p.hooks); err == nil {
		for _, s := range p.client.Off(data) {
			warn("%s, and it stands in %s: mbgate is not asked before you take it out", s, a.tidy(p.hooks))
		}
	}
	if len(p.shared) > 0 {
		var names []string
		for _, f := range p.shared {
			names = append(names, relative(p.root, f))
		}
		warn("teammates get these files once they are committed, and the path of the binary above is yours: %s", strings.Join(names, ", "))
	}
	if twin := a.twin(p); twin != "" {
		warn("it is installed in %s, too; every event then comes twice and counts once", a.tidy(twin))
	}

	b.WriteString("\n")
	if p.client.Trust != "" {
		say("before it works: %s.", p.client.Trust)
	}
	say("next: %s.", p.client.Start)
	if found, err := a.here(""); err == nil && !found.root.HasBank && !found.config.NamesAnchors() {
		say("there is no memory bank in %s: mbgate does nothing there until it has a folder memory-bank/ with a MEMORY.md in it.", a.tidy(filepath.FromSlash(found.root.Dir)))
	}
	say("to check: let the agent read a file in a project with a memory bank; `mbgate status` there then shows its session.")
	if c, ok := wire.ClientByName(p.client.Name); ok && len(c.Uncovered) > 0 {
		say("\nnot covered with %s (observed with %s):", c.Title, c.Observed)
		for _, u := range c.Uncovered {
			say("  - %s", u)
		}
	}
	return b.String()
}

// relative is a file of a project as people call it there.
func relative(root, file string) string {
	if rel, err := filepath.Rel(root, file); err == nil {
		return render.Safe(filepath.ToSlash(rel))
	}
	return render.Safe(file)
}

// twin is the other file in which mbgate is installed for the same client here, "" if there is none.
func (a *app) twin(p site) string {
	other, err := a.siteOf(p.client, p.root == "", "")
	if err != nil || other.hooks == p.hooks || !installedIn(other) {
		return ""
	}
	return other.hooks
}

func installedIn(p site) bool {
	data, err := readConfig(p.hooks)
	if err != nil {
		return false
	}
	entries, err := p.client.Entries(data, settings.Options{})
	return err == nil && len(entries) > 0
}

// installList shows the agents and where mbgate is installed.
func (a *app) installList(o installOptions) error {
	var b strings.Builder
	for _, c := range settings.All() {
		fmt.Fprintf(&b, "%-12s %s\n", c.Name, c.Title)
		for _, project := range []bool{false, true} {
			p, err := a.siteOf(c, project, o.root)
			if err != nil {
				return err
			}
			where, name := "user", a.tidy(p.hooks)
			if project {
				where, name = "project", relative(p.root, p.hooks)
			}
			fmt.Fprintf(&b, "  %-8s %s: %s\n", where, name, a.installState(p))
		}
	}
	return a.print(b.String())
}

// installState is in a few words how a file stands.
func (a *app) installState(p site) string {
	data, err := readConfig(p.hooks)
	if err != nil {
		return "cannot be read: " + render.Safe(bare(err).Error())
	}
	opts, err := a.settingsOptions(p)
	if err != nil {
		opts = settings.Options{}
	}
	entries, err := p.client.Entries(data, opts)
	switch {
	case err != nil:
		return "cannot be read: " + render.Safe(err.Error())
	case len(entries) == 0:
		return "not installed"
	}
	if next, err := p.client.Install(data, opts); err == nil && (change{p.hooks, data, next}).none() {
		return "installed"
	}
	return "installed by another version or for another path; install it again"
}
