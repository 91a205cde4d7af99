package main

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/bank"
	"github.com/mbgate/mbgate/internal/config"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/layout"
	proj "github.com/mbgate/mbgate/internal/project"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/risk"
	"github.com/mbgate/mbgate/internal/state"
)

// memoryLimit is how much of MEMORY.md is looked at, in bytes: more than max_chars ever lets through.
const memoryLimit = 1 << 20

// start is where the search for a project begins (P1).
type start struct {
	flag, pinned string
	roots        []string
	cwd          string
	flags        []config.Flag
	// records are the client's records of the session: they are as mbgate's own files (A8).
	records []string
}

// project is a project as it is now: its root, its configuration, and the disk seen from one folder in it.
type project struct {
	app      *app
	root     proj.Root
	pinned   string
	home     string
	sources  config.Sources
	config   config.Config
	problems []config.Problem
	disk     *disk
	own      []string
	self     string
	// agentFiles says where coding agents are configured.
	agentFiles risk.AgentFiles
}

// project finds the project of an event or a command and reads its configuration.
func (a *app) project(s start) (*project, error) {
	home, _ := a.home()
	cwd := s.cwd
	if cwd == "" {
		cwd, _ = a.getwd()
	}
	root, err := proj.Find(proj.Candidates{Flag: s.flag, Pinned: s.pinned, Roots: s.roots, Cwd: cwd, Home: home})
	if err != nil {
		return nil, err
	}
	p := &project{app: a, root: root, pinned: s.pinned, home: home, agentFiles: agents.ConfigFiles(a.getenv)}
	src := config.Sources{
		Sensitive: risk.DefaultSensitive(p.agentFiles.Project), Safe: risk.DefaultSafe(),
		Env: a.lookupEnv, Flags: s.flags,
	}
	var own []string
	if dir, err := state.ConfigDir(); err == nil {
		src.User = config.ReadFile(filepath.Join(dir, "config.toml"))
		own = append(own, filepath.ToSlash(dir))
	}
	file := filepath.Join(filepath.FromSlash(root.Dir), ".mbgate.toml")
	src.Project = config.File{Path: file}
	if !root.NoConfig { // a folder or a FIFO of that name is a problem to be reported
		src.Project = config.ReadFile(file)
	}
	if dir, err := state.Dir(); err == nil {
		own = append(own, filepath.ToSlash(dir))
	}
	if exe, err := a.executable(); err == nil {
		p.self = filepath.ToSlash(exe)
		own = append(own, p.self)
	}
	for _, r := range s.records {
		own = append(own, filepath.ToSlash(r))
	}
	p.sources = src
	p.config, p.problems = config.Load(src)
	// A project configuration that does not exist yet is in no folder, but only a person may make one.
	p.own = own
	own = append(slices.Clip(own), filepath.ToSlash(file))
	if root.HasConfig {
		p.own = own
	}
	p.disk = &disk{
		Disk:   proj.New(root, proj.Options{Cwd: cwd, Home: home, Own: own, Getenv: a.getenv}),
		app:    a,
		budget: p.config.RequiredBudget,
	}
	return p, nil
}

// inert reports whether mbgate has nothing to do here (P2).
func (p *project) inert() bool {
	return p.config.Disabled || !p.frames() && len(p.config.Deny) == 0
}

// frames reports whether the project has documents that frame a task, or says where they are.
func (p *project) frames() bool { return p.root.HasBank || p.config.NamesAnchors() }

// documents are those that a compaction could require.
func (p *project) documents() proj.Documents {
	return p.disk.Documents(p.config.Anchors, p.config.Fallback)
}

// armsNothing reports whether a compaction should arm here and could not.
func (p *project) armsNothing() bool {
	return !p.config.Disabled && p.frames() && p.config.Recovery != event.ModeOff && p.documents().None()
}

// gate is the decider for this project and client.
func (p *project) gate(c *event.Client) gate.Gate {
	vars := map[string]string{}
	for _, name := range [...]string{"USER", "LOGNAME", "TMPDIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME"} {
		if v, ok := p.app.lookupEnv(name); ok {
			vars[name] = v
		}
	}
	if c != nil {
		p.disk.loneCR = c.LoneCR
		for _, name := range c.ShellVars {
			if v := p.app.getenv(name); v != "" {
				vars[name] = v
			}
		}
	}
	return gate.Gate{
		Policy: gate.Policy{
			Anchors: p.config.Anchors, Fallback: p.config.Fallback, Budget: p.config.RequiredBudget,
			Recovery: p.config.Recovery, Ceiling: p.config.DenialCeiling,
			Sensitive: p.config.Sensitive, Safe: p.config.Safe, HasBank: p.root.HasBank,
			WriteGuard: p.config.WriteGuard, Read: p.config.GuardMode,
			Proposals: p.config.Proposals, Deny: p.config.Deny, KeepWords: p.config.KeepWords, RunFile: p.config.RunFile,
		},
		Disk: p.disk, Now: p.app.now().UTC(), Root: p.root.Dir, Home: filepath.ToSlash(p.home), Agents: p.agentFiles, Vars: vars, Own: p.own, Self: p.self,
	}
}

// memory is what a decision gives of the memory bank, nil where the project has none.
func (p *project) memory(c *event.Client, session string, d gate.Decision) *render.Memory {
	if !p.root.HasBank {
		return nil
	}
	m := &render.Memory{Bank: d.Bank, Session: session, Fingerprint: bank.Fingerprint(nil)}
	if c != nil {
		m.Reader, m.Writer = p.disk.Defined(c, gate.Reader), p.disk.Defined(c, gate.Writer)
	}
	at := p.disk.Anchor(bank.Entry)
	f, err := p.disk.Open(at)
	if err != nil {
		if !os.IsNotExist(err) {
			m.Problem = err.Error()
		}
		return m
	}
	defer f.Close()
	m.Size = f.Size()
	text := make([]byte, min(m.Size, memoryLimit))
	n, err := f.ReadAt(text, 0)
	if n == 0 && err != nil && m.Size > 0 {
		m.Problem = err.Error()
	}
	m.Text, m.Fingerprint = text[:n], bank.Fingerprint(text[:n])
	if d.Bank.Entry {
		var said []string
		if d.Block != nil {
			said = d.Block.Focus
		}
		m.Text = []byte(layout.Own(string(m.Text), said))
		m.Size -= int64(n - len(m.Text))
	}
	return m
}
