package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/settings"
	"github.com/mbgate/mbgate/internal/wire"
)

type doctorOptions struct {
	root string
	json bool
}

func newDoctorCmd(a *app) *cobra.Command {
	var o doctorOptions
	cmd := &cobra.Command{
		Use:   "doctor [AGENT]",
		Short: "Prove that the hooks work, and say how to mend what does not",
		Long: `Looks at mbgate, this project and every agent that mbgate is installed for, or the one that is named: is it
installed and switched on, does the configured command line run, does it let a read pass and refuse a write after a
compaction, is it trusted, has it ever fired in this project, what does this agent leave uncovered.

The events are made up. They go through the very command lines that the agents have, with a state folder and a project
of their own that are removed again; nothing of yours is changed. Paths are shown from ~, so that the output can be
shown to others.

EXIT STATUS
  0 no error · 1 at least one error, or mbgate's own failure · 64 wrong usage`,
		Example: `  mbgate doctor
  mbgate doctor codex
  mbgate doctor --json | jq '.checks[] | select(.result == "error")'`,
		Args: cobra.MaximumNArgs(1),
		RunE: a.work(func(args []string) error {
			name := ""
			if len(args) == 1 {
				name = args[0]
			}
			return a.doctor(name, o)
		}),
		ValidArgs: agentArgs(),
	}
	rootFlag(cmd.Flags(), &o.root, "the project root, instead of finding it")
	cmd.Flags().BoolVar(&o.json, "json", false, "print one JSON object")
	return cmd
}

func (a *app) doctor(name string, o doctorOptions) error {
	x, err := a.examine(o.root)
	if err != nil {
		return err
	}
	defer x.close()
	patients, err := x.patients(name)
	if err != nil {
		return err
	}
	d := render.Doctor{Root: x.dir, Groups: []render.Examined{x.general(len(patients))}}
	for _, p := range patients {
		d.Groups = append(d.Groups, p.examined(false))
	}
	d = a.homely(d)
	if o.json {
		d.Root = x.dir
		err = a.printJSON(d.JSON())
	} else {
		err = a.print(d.Text(a.screen()))
	}
	if err == nil && d.Worst() == render.Bad {
		return &quietError{exitFailure}
	}
	return err
}

// doctorAfter is how install ends: what it has just put in is proved, and what is wrong besides is said. Whatever it
// finds, the installation is done.
func (a *app) doctorAfter(client settings.Client, root string) error {
	x, err := a.examine(root)
	if err != nil {
		return err
	}
	defer x.close()
	p := x.patient(client)
	general := x.general(1)
	var wrong []render.Finding
	for _, f := range general.Findings {
		if f.Health >= render.Warning {
			wrong = append(wrong, f)
		}
	}
	own := p.examined(true)
	own.Findings = append(own.Findings, wrong...)
	table := a.homely(render.Doctor{Groups: []render.Examined{own}}).Table(a.screen())
	return a.print("\nmbgate doctor " + client.Name + ":\n" + table)
}

// homely is what was found with the home folder as ~: people post it.
func (a *app) homely(d render.Doctor) render.Doctor {
	home, err := a.home()
	if err != nil || !filepath.IsAbs(home) || filepath.Dir(home) == home {
		return d
	}
	short := func(s string) string {
		if s == home {
			return "~"
		}
		var b strings.Builder
		for {
			before, after, found := strings.Cut(s, home+string(filepath.Separator))
			b.WriteString(before)
			if !found {
				return b.String()
			}
			// Only where a path begins, and not in quotes, where no shell would make it the home folder again.
			if said := b.String(); said == "" || strings.HasSuffix(said, " ") || strings.HasSuffix(said, "(") {
				b.WriteByte('~')
			} else {
				b.WriteString(home)
			}
			b.WriteByte(filepath.Separator)
			s = after
		}
	}
	d.Root = short(d.Root)
	for _, g := range d.Groups {
		for i := range g.Findings {
			g.Findings[i].Says, g.Findings[i].Remedy = short(g.Findings[i].Says), short(g.Findings[i].Remedy)
		}
	}
	return d
}

// examination is one run of doctor in one project.
type examination struct {
	app     *app
	project *project
	dir     string // the project's folder
	bench   *bench // where the made-up events play, nil before the first
	noBench error  // why there is none
}

func (a *app) examine(root string) (*examination, error) {
	p, err := a.here(root)
	if err != nil {
		return nil, err
	}
	return &examination{app: a, project: p, dir: filepath.FromSlash(p.root.Dir)}, nil
}

func (x *examination) close() {
	if x.bench != nil {
		x.bench.remove()
	}
}

// patient is one agent that is looked at.
type patient struct {
	*examination
	client settings.Client
	facts  event.Client
	files  []hookFile
}

// patients are the agents to look at: the one that is named, else those that mbgate is installed for.
func (x *examination) patients(name string) ([]*patient, error) {
	if name != "" {
		c, err := x.app.settingsOf(name)
		if err != nil {
			return nil, err
		}
		return []*patient{x.patient(c)}, nil
	}
	var list []*patient
	for _, c := range settings.All() {
		if p := x.patient(c); p.installed() || p.unreadable() {
			list = append(list, p)
		}
	}
	return list, nil
}

func (x *examination) patient(c settings.Client) *patient {
	p := &patient{examination: x, client: c}
	p.facts, _ = wire.ClientByName(c.Name)
	p.files = p.hookFiles()
	return p
}

// agentCheck is one thing that is looked at in an agent. One that only makes sense some time after an installation is
// later; notes are left out then, too.
type agentCheck struct {
	name  string
	run   func(*patient) []render.Finding
	later bool
}

// agentChecks are all of them, in the order in which one is the condition of the next.
func agentChecks() []agentCheck {
	return []agentCheck{
		{name: "installed", run: (*patient).isInstalled},
		{name: "switched on", run: (*patient).isOn},
		{name: "trusted", run: (*patient).isTrusted},
		{name: "command", run: (*patient).commandsRun},
		{name: "write guard", run: (*patient).guards},
		{name: "fired here", run: (*patient).hasFired, later: true},
		{name: "version", run: (*patient).version, later: true},
		{name: "if a hook fails", run: (*patient).onFailure, later: true},
		{name: "not covered", run: (*patient).uncovered, later: true},
	}
}

// examined is what the checks find. Where nothing is installed, the rest says nothing.
func (p *patient) examined(afterInstall bool) render.Examined {
	out := render.Examined{Agent: p.client.Name, Title: p.client.Title}
	for _, c := range agentChecks() {
		if afterInstall && c.later || c.name != "installed" && c.name != "version" && !p.installed() {
			continue
		}
		for _, f := range c.run(p) {
			if afterInstall && f.Health == render.Note {
				continue
			}
			if f.Check == "" {
				f.Check = c.name
			}
			out.Findings = append(out.Findings, f)
		}
	}
	return out
}

// one is a single finding of a check.
func one(h render.Health, says, remedy string) []render.Finding {
	return []render.Finding{{Health: h, Says: says, Remedy: remedy}}
}
