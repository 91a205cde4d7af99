package main

import (
	"github.com/spf13/cobra"

	"github.com/mbgate/mbgate/internal/config"
	"github.com/mbgate/mbgate/internal/doctor"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/install"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/settings"
)

func newDoctorCmd(a *app) *cobra.Command {
	var root string
	var asJSON, verbose, ci bool
	cmd := &cobra.Command{
		Use:   "doctor [AGENT]",
		Short: "Prove that the hooks work, and say how to fix what does not",
		Long: `Checks mbgate, this project, and every agent that mbgate is installed for, or the one that you name: are the hooks
installed, switched on and trusted, do they let a read pass and refuse a write after a compaction, and has the agent ever
called them here.

It sends made-up events through the very command lines that the agents have, in a temporary project; nothing of yours is
changed. Your home folder is shown as ~, so that you can post the output.

With --ci it checks only what the repository holds: the configuration, the documents, and hooks that a team committed.

EXIT STATUS
  0 no error · 1 at least one error, or mbgate's own failure · 64 wrong usage`,
		Example: `  mbgate doctor
  mbgate doctor codex
  mbgate doctor --ci
  mbgate doctor --json | jq '.checks[] | select(.result == "error")'`,
		RunE: a.work(func(args []string) error {
			return a.doctor(first(args), root, asJSON, verbose, ci)
		}),
		ValidArgs: agentArgs(),
	}
	rootFlag(cmd.Flags(), &root, "the project root, instead of finding it")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "show every check, and what each agent leaves uncovered")
	cmd.Flags().BoolVar(&ci, "ci", false, "only what the repository holds, nothing of this machine")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func (a *app) doctor(name, root string, asJSON, verbose, ci bool) error {
	env, here, err := a.installEnv(root)
	if err != nil {
		return err
	}
	var only []settings.Client
	if name != "" {
		c, err := agentNamed(name)
		if err != nil {
			return err
		}
		only = append(only, c)
	}
	o := a.doctorOptions(env, here)
	o.Repository = ci
	d := doctor.Run(o, only...)
	if asJSON {
		d.Root = env.Project
		err = a.printJSON(d.JSON())
	} else {
		err = a.print(d.Text(a.screen(), verbose))
	}
	if err == nil && d.Worst() == render.Bad {
		return &quietError{exitFailure}
	}
	return err
}

// doctorOptions are what doctor knows of this program and of a project.
func (a *app) doctorOptions(env install.Env, p *project) doctor.Options {
	v := buildVersion()
	return doctor.Options{
		Env: env, Now: a.now(), Version: v.Version + " (" + v.Platform + ")", Disabled: disabled(a),
		Project: doctor.Project{
			Root: p.root, Config: p.config, Problems: p.problems, Loose: config.Loosened(p.sources), File: p.file(), Inert: p.inert(),
			Documents: p.documents,
			Memory:    func() *render.Memory { return p.memory(nil, "", gate.Decision{}) },
			Guard: func(c *event.Client) (event.Mode, string) {
				mode, why := p.gate(c).GuardInForce(c)
				return mode, render.GuardReason(why)
			},
		},
	}
}
