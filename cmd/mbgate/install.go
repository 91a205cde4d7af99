package main

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/doctor"
	"github.com/mbgate/mbgate/internal/install"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/settings"
)

type installOptions struct {
	root                        string
	project, user, dryRun, list bool
	statusLine, all, shared     bool
	// brief leaves out of the report what a person reads once.
	brief bool
}

// installRemedy is what a person does where install or uninstall is refused.
const installRemedy = "run it in a terminal of your own"

func newInstallCmd(a *app) *cobra.Command {
	var o installOptions
	cmd := &cobra.Command{
		Use:   "install [AGENT]...",
		Short: "Put mbgate's hooks into agents' configurations",
		Long: `Puts mbgate's hooks into the own configuration of the agents that are named, else of those that have a folder on this
machine or in this project, and adds the two subagents memory-reader and memory-bank-writer, and the skill memory-bank
where the agent has skills.

The file is edited in place: comments, order, and what is not mbgate's stay as they are, and a copy is kept beside it
(*` + install.BackupSuffix + `). Running it again changes nothing, or brings older entries up to date. Without --project it is your
own configuration, for all projects; where a project has no memory bank, the hooks do nothing.

With --shared the entries are made for a team: they stand in the file that is committed, hold no path of yours, and find
mbgate on PATH or in node_modules/.bin when they run. Whoever has no mbgate is told so in one line, and nothing fails.

With --statusline the agent's status line says how the session stands (mbgate statusline). A status line of your own is
never replaced: the rest is installed, and the line to add to yours is printed.

It is for people, and for their scripts: inside an agent it refuses.

EXIT STATUS
  0 done, or nothing to do · 1 refused, or a file that cannot be edited · 64 wrong usage`,
		Example: `  mbgate install
  mbgate install claude-code codex
  mbgate install claude-code --statusline
  mbgate install codex --dry-run
  mbgate install opencode --project
  mbgate install claude-code codex --shared
  mbgate install --list`,
		RunE: a.work(func(args []string) error {
			if o.list {
				return a.installList(o.root)
			}
			return a.install(args, o)
		}),
		ValidArgs: agentArgs(),
	}
	installFlags(cmd, &o)
	cmd.Flags().BoolVar(&o.statusLine, "statusline", false, "the status line, too, where the agent has one ("+strings.Join(withStatusLine(), ", ")+")")
	cmd.MarkFlagsMutuallyExclusive("shared", "statusline")
	cmd.Flags().BoolVar(&o.all, "all", false, "every agent that mbgate knows")
	cmd.Flags().BoolVar(&o.list, "list", false, "show the agents and where mbgate is installed")
	return cmd
}

func installFlags(cmd *cobra.Command, o *installOptions) {
	f := cmd.Flags()
	f.BoolVar(&o.project, "project", false, "the configuration of this project")
	f.BoolVar(&o.shared, "shared", false, "the files of this project that a team commits")
	f.BoolVar(&o.user, "user", false, "your own configuration, for all projects (the default)")
	f.BoolVar(&o.dryRun, "dry-run", false, "only show what would change")
	rootFlag(f, &o.root, "the project root, instead of finding it")
	cmd.MarkFlagsMutuallyExclusive("project", "user", "shared")
}

func agentArgs() []string {
	var names []string
	for _, c := range agents.Installable() {
		names = append(names, c.Name)
	}
	return names
}

// withStatusLine are the agents whose status line mbgate can set.
func withStatusLine() []string {
	var names []string
	for _, c := range agents.Installable() {
		if c.StatusLine != "" {
			names = append(names, c.Name)
		}
	}
	return names
}

// agentNamed finds the agent that a person named.
func agentNamed(name string) (settings.Client, error) {
	c, ok := agents.SettingsOf(name)
	if !ok {
		return c, unknownAgent(name, agentArgs())
	}
	return c, nil
}

// installEnv is what install, uninstall and doctor depend on, and the project that the person means.
func (a *app) installEnv(root string) (install.Env, *project, error) {
	p, err := a.here(root)
	if err != nil {
		return install.Env{}, nil, err
	}
	return install.Env{
		LookupEnv: a.lookupEnv, Home: a.home, Executable: a.executable, Project: filepath.FromSlash(p.root.Dir),
	}, p, nil
}

// siteToEdit finds where the command named by what works for an agent. Inside an agent it refuses, unless nothing is edited.
func (a *app) siteToEdit(what, agent string, o installOptions) (install.Env, install.Site, *project, error) {
	client, err := agentNamed(agent)
	if err == nil && !o.dryRun {
		err = a.outsideAgents(what, installRemedy)
	}
	if err != nil {
		return install.Env{}, install.Site{}, nil, err
	}
	env, here, err := a.installEnv(o.root)
	if err != nil {
		return env, install.Site{}, nil, err
	}
	if o.shared {
		site, err := env.SharedSite(client)
		return env, site, here, err
	}
	site, err := env.Site(client, o.project)
	return env, site, here, err
}

func (a *app) install(names []string, o installOptions) error {
	clients := agents.Installable()
	if !o.all {
		var err error
		if clients, err = initClients(names); err != nil {
			return err
		}
	}
	if clients == nil {
		env, _, err := a.installEnv(o.root)
		if err != nil {
			return err
		}
		if clients = a.agentsFound(env.Project); clients == nil {
			return &usageError{problem: "no agent was found here; name one, `mbgate install --list` shows them"}
		}
	}
	if o.statusLine && len(clients) == 1 && clients[0].StatusLine == "" {
		return &usageError{problem: "mbgate knows of no status line of " + clients[0].Title + " that runs a command; --statusline is for " + strings.Join(withStatusLine(), ", ")}
	}
	o.brief = len(clients) > 1
	var failed []error
	for _, c := range clients {
		if err := a.installFor(c, o); err != nil {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// installFor installs for one agent and checks it.
func (a *app) installFor(c settings.Client, o installOptions) error {
	env, site, here, err := a.siteToEdit("install", c.Name, o)
	if err != nil {
		return err
	}
	opts, err := env.Options(site)
	if err != nil {
		return err
	}
	opts.StatusLine = o.statusLine && c.StatusLine != ""
	if o.dryRun {
		plan, err := env.Install(site, opts)
		if err != nil {
			return err
		}
		return a.print(plan.Diff())
	}
	plan, err := env.Apply(site, func() (install.Plan, error) { return env.Install(site, opts) })
	if err != nil {
		return err
	}
	found := doctor.AfterInstall(a.doctorOptions(env, here), site.Client)
	if o.brief {
		for i, g := range found.Groups {
			found.Groups[i].Findings = slices.DeleteFunc(g.Findings, func(f render.Finding) bool {
				return f.Health < render.Warning && f.Check != "command"
			})
		}
		return a.print(a.screen().Prose(0, env.InstalledBriefly(site, plan)) + found.Table(a.screen()))
	}
	inert := !here.root.HasBank && !here.config.NamesAnchors()
	return a.print(env.Installed(site, opts, plan, inert) + "\nmbgate doctor " + site.Client.Name + ":\n" + found.Table(a.screen()))
}

// installList shows the agents and where mbgate is installed.
func (a *app) installList(root string) error {
	env, _, err := a.installEnv(root)
	if err != nil {
		return err
	}
	list, err := env.List()
	if err != nil {
		return err
	}
	return a.print(list)
}
