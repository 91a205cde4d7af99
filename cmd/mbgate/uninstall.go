package main

import (
	"github.com/spf13/cobra"

	"github.com/mbgate/mbgate/internal/install"
)

func newUninstallCmd(a *app) *cobra.Command {
	var o installOptions
	cmd := &cobra.Command{
		Use:   "uninstall AGENT",
		Short: "Take mbgate's hooks out of an agent's configuration",
		Long: `Takes mbgate's hooks and status line out of an agent's configuration, and the two subagents and the skill with them unless
somebody changed them.
A file that nobody else changed is then what it was before, byte for byte; a file that was not there is gone.

Sessions' state and your memory bank stay. It is for people, and for their scripts: inside an agent it refuses.

EXIT STATUS
  0 done, or nothing to do · 1 refused, or a file that cannot be edited · 64 wrong usage`,
		Example: `  mbgate uninstall claude-code
  mbgate uninstall codex --project --dry-run`,
		RunE: a.work(func(args []string) error { return a.uninstall(args[0], o) }),

		ValidArgs: agentArgs(),
	}
	installFlags(cmd, &o)
	return cmd
}

func (a *app) uninstall(name string, o installOptions) error {
	env, site, _, err := a.siteToEdit("uninstall", name, o)
	if err != nil {
		return err
	}
	opts, _ := env.Options(site) // without the path of this binary mbgate still knows its entries by their names
	if o.dryRun {
		plan, err := env.Uninstall(site, opts)
		if err != nil {
			return err
		}
		return a.print(plan.Diff())
	}
	plan, err := env.Apply(site, func() (install.Plan, error) { return env.Uninstall(site, opts) })
	if err != nil {
		return err
	}
	return a.print(env.Uninstalled(site, plan))
}
