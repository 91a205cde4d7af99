package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mbgate/mbgate/internal/settings"
)

func newUninstallCmd(a *app) *cobra.Command {
	var o installOptions
	cmd := &cobra.Command{
		Use:   "uninstall AGENT",
		Short: "Take mbgate's hooks out of an agent's configuration",
		Long: `Takes mbgate's hooks and status line out of an agent's configuration, and the two subagents with them unless somebody
changed them.
A file that nobody else changed is then what it was before, byte for byte; a file that was not there is gone.

Sessions' state and your memory bank stay. It is for people, and for their scripts: inside an agent it refuses.

EXIT STATUS
  0 done, or nothing to do · 1 refused, or a file that cannot be edited · 64 wrong usage`,
		Example: `  mbgate uninstall claude-code
  mbgate uninstall codex --project --dry-run`,
		Args: cobra.ExactArgs(1),
		RunE: a.work(func(args []string) error { return a.uninstall(args[0], o) }),

		ValidArgs: agentArgs(),
	}
	installFlags(cmd, &o)
	return cmd
}

func (a *app) uninstall(name string, o installOptions) error {
	p, err := a.siteToEdit("uninstall", name, o)
	if err != nil {
		return err
	}
	// Without a path of its own it still knows its entries by their names.
	opts, _ := a.settingsOptions(p)
	if o.dryRun {
		plan, err := a.uninstallPlan(p, opts)
		if err != nil {
			return err
		}
		return a.print(a.dryRun(plan))
	}
	unlock, err := a.alone()
	if err != nil {
		return err
	}
	defer unlock()
	plan, err := a.apply(p, func() (plan, error) { return a.uninstallPlan(p, opts) })
	if err != nil {
		return err
	}
	return a.print(a.uninstallReport(p, plan))
}

// uninstallPlan works out what uninstall changes.
func (a *app) uninstallPlan(p site, opts settings.Options) (plan, error) {
	var out plan
	before, err := readConfig(p.hooks)
	if err != nil {
		return out, err
	}
	after, err := p.client.Remove(before, opts)
	if err != nil {
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
		if before == nil {
			continue
		}
		after, err := s.Remove(before)
		var own settings.OwnError
		if errors.As(err, &own) {
			out.notes = append(out.notes, "not touched: "+a.tidy(s.file)+": it was changed since mbgate wrote it")
			continue
		}
		if c := (change{s.file, before, after}); err == nil && !c.none() {
			out.changes = append(out.changes, c)
		}
	}
	return out, nil
}

func (a *app) uninstallReport(p site, plan plan) string {
	var b strings.Builder
	if len(plan.changes) == 0 {
		fmt.Fprintf(&b, "mbgate is not installed for %s in %s\n", p.client.Title, a.tidy(p.hooks))
	}
	for _, c := range plan.changes {
		switch {
		case c.after == nil:
			fmt.Fprintf(&b, "removed %s\n", a.tidy(c.path))
		default:
			fmt.Fprintf(&b, "took mbgate out of %s\n", a.tidy(c.path))
		}
		if c.path == p.hooks && c.dropBackup() {
			fmt.Fprintf(&b, "the copy of before the first installation stays, since the file was changed meanwhile: %s\n", a.tidy(c.path+backupEnd))
		}
	}
	for _, n := range plan.notes {
		b.WriteString(n + "\n")
	}
	if twin := a.twin(p); twin != "" {
		scope := "--project"
		if p.root != "" {
			scope = "--user"
		}
		fmt.Fprintf(&b, "it is still installed in %s: mbgate uninstall %s %s\n", a.tidy(twin), p.client.Name, scope)
	}
	return b.String()
}
