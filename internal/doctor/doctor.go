// Package doctor proves that mbgate works: it looks at mbgate itself, at the project, and at every agent that mbgate is
// installed for, and plays made-up events through the command lines that the agents have, in a sandbox of its own. The
// user's files are only read.
//
// A check is a row of generalChecks or agentChecks, in the order in which one is the condition of the next, and gives
// findings with a result, a sentence and a remedy; package render shows them. Start with Run.
//
// It may import everything below cmd/mbgate; no hook comes here.
package doctor

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/config"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/install"
	proj "github.com/mbgate/mbgate/internal/project"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/sandbox"
	"github.com/mbgate/mbgate/internal/settings"
)

// Options are what doctor is told by the command.
type Options struct {
	install.Env
	Now time.Time
	// Version is mbgate's own version with its platform.
	Version string
	// Repository leaves out what this machine and this person have: CI wants to know what the repository holds.
	Repository bool
	// Disabled is set where the environment turns mbgate off.
	Disabled bool
	Project  Project
}

// Project is the project that the person means.
type Project struct {
	Root     proj.Root
	Config   config.Config
	Problems []config.Problem
	// Loose are the keys that the project's file makes looser than the person's own configuration.
	Loose []config.Loose
	// File is the path of .mbgate.toml, which need not exist.
	File string
	// Inert is set where mbgate has nothing to do.
	Inert bool
	// Documents are those that a compaction could require.
	Documents func() proj.Documents
	// Memory reads the entry of the memory bank, Guard gives the mode of the write guard that is in force for an agent
	// and why that is not the configured one.
	Memory func() *render.Memory
	Guard  func(*event.Client) (mode event.Mode, why string)
}

// Run checks mbgate, the project, and the given agents, or without any those that mbgate is installed for.
func Run(o Options, clients ...settings.Client) render.Doctor {
	r := run{Options: o}
	defer r.close()
	var all []*agent
	installed := len(clients)
	for _, c := range clients {
		all = append(all, r.agent(c))
	}
	if len(clients) == 0 {
		for _, c := range agents.Installable() {
			a := r.agent(c)
			if a.installed() || a.unreadable() {
				all = append(all, a)
			}
			if a.installed() {
				installed++
			}
		}
	}
	d := render.Doctor{Root: o.Env.Project, Groups: []render.Examined{r.general(installed)}}
	for _, a := range all {
		d.Groups = append(d.Groups, a.findings(false))
	}
	return r.shortenHome(d)
}

// AfterInstall proves what an installation has just put in, and adds what else is wrong: notes, and checks that make sense
// only some time later, are left out.
func AfterInstall(o Options, client settings.Client) render.Doctor {
	r := run{Options: o}
	defer r.close()
	own := r.agent(client).findings(true)
	for _, f := range r.general(1).Findings {
		if f.Health >= render.Warning {
			own.Findings = append(own.Findings, f)
		}
	}
	return r.shortenHome(render.Doctor{Groups: []render.Examined{own}})
}

// run is one run of doctor.
type run struct {
	Options
	sandbox *sandbox.Sandbox // nil before the first made-up event
	// sessions counts the sessions in it, so that each try has one of its own.
	sessions int
}

func (r *run) close() {
	if r.sandbox != nil {
		r.sandbox.Remove()
	}
}

func (r *run) home() string {
	home, _ := r.Home()
	return home
}

// agent is one agent in a run.
type agent struct {
	*run
	client settings.Client
	known  agents.Agent
	facts  event.Client // known's
	files  []hookFile
}

func (r *run) agent(c settings.Client) *agent {
	a := &agent{run: r, client: c}
	a.known, _ = agents.ByName(c.Name)
	a.facts = *a.known.Facts()
	a.files = a.hookFiles()
	return a
}

// check is one thing that is looked at, in a *run or in an *agent.
type check[T any] struct {
	name string
	run  func(T) []render.Finding
	// later is set where it only makes sense some time after an installation.
	later bool
	// machine is set where it looks at this machine rather than at the project.
	machine bool
}

func (c check[T]) findings(of T) []render.Finding {
	found := c.run(of)
	for i := range found {
		found[i].Check = c.name
	}
	return found
}

func agentChecks() []check[*agent] {
	return []check[*agent]{
		{name: "installed", run: (*agent).checkInstalled},
		{name: "switched on", run: (*agent).checkSwitchedOn},
		{name: "trusted", run: (*agent).checkTrust, machine: true},
		{name: "command", run: (*agent).checkCommands},
		{name: "subagents, skill", run: (*agent).checkTexts},
		{name: "write guard", run: (*agent).checkGuard},
		{name: "fired here", run: (*agent).checkFired, later: true, machine: true},
		{name: "version", run: (*agent).checkVersion, later: true, machine: true},
		{name: "if a hook fails", run: (*agent).describeFailure, later: true},
		{name: "not covered", run: (*agent).describeGaps, later: true},
	}
}

// findings are what the checks find. Where nothing is installed, only the version is looked at besides.
func (a *agent) findings(afterInstall bool) render.Examined {
	out := render.Examined{Agent: a.client.Name, Title: a.client.Title, Says: "a read passes, a write after a compaction is refused"}
	if n := len(a.facts.Uncovered); n > 0 {
		out.Says += "; " + render.Count(n, "way") + " past its hooks (-v)"
	}
	for _, c := range agentChecks() {
		if afterInstall && c.later || a.Repository && c.machine || c.name != "installed" && c.name != "version" && !a.installed() {
			continue
		}
		for _, f := range c.findings(a) {
			if !afterInstall || f.Health != render.Note {
				out.Findings = append(out.Findings, f)
			}
		}
	}
	return out
}

// one is a single finding of a check.
func one(h render.Health, says, remedy string) []render.Finding {
	return []render.Finding{{Health: h, Says: says, Remedy: remedy}}
}

func good(says string) []render.Finding         { return one(render.Good, says, "") }
func note(says string) []render.Finding         { return one(render.Note, says, "") }
func warn(says, remedy string) []render.Finding { return one(render.Warning, says, remedy) }
func bad(says, remedy string) []render.Finding  { return one(render.Bad, says, remedy) }

// shortenHome writes the home folder as ~ in what was found, since people post it.
func (r *run) shortenHome(d render.Doctor) render.Doctor {
	home := r.home()
	if !filepath.IsAbs(home) || filepath.Dir(home) == home {
		return d
	}
	d.Root = shorten(d.Root, home)
	for _, g := range d.Groups {
		for i := range g.Findings {
			g.Findings[i].Says, g.Findings[i].Remedy = shorten(g.Findings[i].Says, home), shorten(g.Findings[i].Remedy, home)
		}
	}
	return d
}

// shorten replaces the home folder where a path begins. Paths in quotes stay, since no shell expands ~ there.
func shorten(s, home string) string {
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
		if said := b.String(); said == "" || strings.HasSuffix(said, " ") || strings.HasSuffix(said, "(") {
			b.WriteByte('~')
		} else {
			b.WriteString(home)
		}
		b.WriteByte(filepath.Separator)
		s = after
	}
}
