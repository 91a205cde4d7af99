package main

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/bank"
	"github.com/mbgate/mbgate/internal/config"
	"github.com/mbgate/mbgate/internal/install"
	"github.com/mbgate/mbgate/internal/layout"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/settings"
)

// ownLayout is the preset that lays out a memory bank; the others only name what a project has already.
const ownLayout = "memory-bank"

type initOptions struct {
	root, preset string
	agents       []string
	dryRun       bool
}

func newInitCmd(a *app) *cobra.Command {
	var o initOptions
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Lay out a memory bank in this project",
		Long: `Makes memory-bank/ with MEMORY.md and details/, filled with what is certain about the project: its name, what its
README begins with, the commands that its manifests state. Nothing that is there is overwritten: what exists is
left and named, so running it again adds what is missing.

A project that has its documents elsewhere keeps them: --preset writes a .mbgate.toml that names them, and nothing else.
Presets: ` + presetList() + `.

Agents may run it where there is no memory bank yet; the configuration is for people, and an agent is only shown it.

EXIT STATUS
  0 done, or nothing was missing · 1 refused, or a file that cannot be made · 64 wrong usage`,
		Example: `  mbgate init --dry-run
  mbgate init
  mbgate init --preset spec-kit
  mbgate init --agent claude-code`,
		Args: cobra.NoArgs,
		RunE: a.work(func([]string) error { return a.init(o) }),
	}
	f := cmd.Flags()
	rootFlag(f, &o.root, "the folder to lay it out in, instead of the project's")
	f.StringVar(&o.preset, "preset", "", "the layout of the documents that frame the tasks: "+presetList())
	f.StringSliceVar(&o.agents, "agent", nil, "an agent that is going to work here, for what is said about install")
	f.BoolVar(&o.dryRun, "dry-run", false, "only say what would be made")
	return cmd
}

func presetList() string {
	var names []string
	for _, p := range config.Presets() {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

func (a *app) init(o initOptions) error {
	preset, known := config.FindPreset(o.preset)
	if o.preset != "" && !known {
		return &usageError{problem: "there is no preset " + render.Safe(o.preset) + ", there are " + presetList()}
	}
	clients, err := initClients(o.agents)
	if err != nil {
		return err
	}
	dir, err := a.initDir(o.root)
	if err != nil {
		return err
	}
	if known && preset.Name != ownLayout {
		err = a.initPreset(dir, preset, o.dryRun)
	} else {
		err = a.initBank(dir, o)
	}
	if err != nil {
		return err
	}
	return a.print(a.initNext(dir, clients))
}

// initClients are the agents of --agent.
func initClients(names []string) ([]settings.Client, error) {
	var out []settings.Client
	for _, n := range names {
		c, ok := agents.SettingsOf(n)
		if !ok {
			return nil, &usageError{problem: "unknown agent " + render.Safe(n) + ", known are " + strings.Join(agentArgs(), ", ")}
		}
		out = append(out, c)
	}
	return out, nil
}

// initDir is the folder of the project. A folder that a person names is used as it is: a project within a project may
// have its own memory bank.
func (a *app) initDir(root string) (string, error) {
	if root != "" {
		wd, err := a.getwd()
		if err != nil && !filepath.IsAbs(root) {
			return "", err
		}
		dir := filepath.Clean(root)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(wd, dir)
		}
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return "", errors.New(render.Safe(root) + " is no folder; name the project's with --root")
		}
		return dir, nil
	}
	p, err := a.here("")
	if err != nil {
		return "", err
	}
	dir := filepath.FromSlash(p.root.Dir)
	if home, err := a.home(); err == nil && sameFolder(home, dir) {
		return "", errors.New("this is your home folder; change to the project, or name it with --root")
	}
	return dir, nil
}

func sameFolder(one, other string) bool {
	x, err := os.Stat(one)
	y, err2 := os.Stat(other)
	return err == nil && err2 == nil && os.SameFile(x, y)
}

// insideAgent names the agent that this runs in, "" if none.
func (a *app) insideAgent() string {
	agent, _ := marked(a.getenv)
	if agent == "" {
		agent = parented(a.ancestors())
	}
	return agent
}

// initBank makes the files that a memory bank lacks.
func (a *app) initBank(dir string, o initOptions) error {
	names := folderNames(filepath.Join(dir, bank.Dir))
	if agent := a.insideAgent(); agent != "" && len(names) > 0 && !o.dryRun {
		return fmt.Errorf("there is a memory bank here, and this runs inside %s; an agent proposes what is missing, "+
			"or a person runs `mbgate init` in a terminal of their own", agent)
	}
	if other := layout.Other(names); other != "" && o.preset == "" {
		return fmt.Errorf("this memory-bank/ has the layout of %s; run `mbgate init --preset %s` to use it as it is, "+
			"or `mbgate init --preset %s` to lay out mbgate's beside it", other, other, ownLayout)
	}
	files := layout.Bank(a.facts(dir))
	made, left, err := makeFiles(dir, files, o.dryRun)
	report := initReport(dir, made, left, o.dryRun)
	if err == nil {
		return a.print(report)
	}
	if len(made) > 0 {
		if err := a.print(report); err != nil {
			return err
		}
	}
	return fmt.Errorf("%w; mend that and run `mbgate init` again, it goes on where it stopped", err)
}

// facts gathers what is certain about the project in a folder. It leaves out files that cannot be read, and waits for no FIFO.
func (a *app) facts(dir string) layout.Facts {
	text := func(string) string { return "" }
	if p, err := a.project(start{flag: dir}); err == nil {
		text = func(name string) string {
			b, _ := p.disk.Text(filepath.ToSlash(filepath.Join(dir, name)), layout.MaxManifest)
			return string(b)
		}
	}
	return layout.Learn(filepath.Base(dir), text)
}

func initReport(dir string, made, left []string, dry bool) string {
	var b strings.Builder
	list := func(title string, names []string) {
		if len(names) == 0 {
			return
		}
		b.WriteString(title + "\n")
		for _, n := range names {
			b.WriteString("  " + n + "\n")
		}
	}
	where := render.Safe(dir)
	switch {
	case len(made) == 0:
		b.WriteString("nothing is missing in the memory bank of " + where + "\n")
	case dry:
		list("would make in "+where+":", made)
	default:
		list("made in "+where+":", made)
	}
	list("left as it is:", left)
	if len(made) > 0 && !dry && slices.Contains(made, bank.Entry) {
		b.WriteString("Read memory-bank/MEMORY.md, correct what is wrong, and commit the folder.\n")
	}
	return b.String()
}

// initPreset makes a configuration that names another layout. It is never written over one that is there, and an agent
// is only shown what to put there (R6).
func (a *app) initPreset(dir string, p config.Preset, dry bool) error {
	file := filepath.Join(dir, ".mbgate.toml")
	line := "preset = \"" + p.Name + "\""
	if exists(file) {
		cfg, problems := config.Load(config.Sources{Project: config.ReadFile(file)})
		if len(problems) == 0 && cfg.Preset == p.Name {
			return a.print(render.Safe(file) + " names the preset " + p.Name + " already\n" + presetReport(dir, p))
		}
		return errors.New(render.Safe(file) + " is there and is left as it is; put the line " + line + " into it")
	}
	if dry {
		return a.print("would make " + render.Safe(file) + " with the line " + line + "\n" + presetReport(dir, p))
	}
	if agent := a.insideAgent(); agent != "" {
		return fmt.Errorf("the configuration is for people, and this runs inside %s; ask the user to put the line %s into %s",
			agent, line, render.Safe(file))
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err == nil {
		_, err = f.WriteString("# What mbgate does in this project. `mbgate config --example` shows every key, `mbgate config` what is in effect.\n" + line + "\n")
		if err2 := f.Close(); err == nil {
			err = err2
		}
		if err != nil {
			_ = os.Remove(file)
		}
	}
	if err != nil {
		return fmt.Errorf("%s cannot be made: %w; put the line %s there yourself", render.Safe(file), install.BareError(err), line)
	}
	return a.print("made " + render.Safe(file) + " with the line " + line + "\n" + presetReport(dir, p))
}

// presetReport says what a preset means in this project.
func presetReport(dir string, p config.Preset) string {
	var b strings.Builder
	b.WriteString("The documents that frame a task are then (" + p.Doc + "):\n")
	for _, g := range p.Anchors {
		b.WriteString("  " + g + "\n")
	}
	b.WriteString("and where none was read yet:\n")
	for _, f := range p.Fallback {
		note := ""
		if !exists(filepath.Join(dir, filepath.FromSlash(f))) {
			note = "  (not there)"
		}
		b.WriteString("  " + f + note + "\n")
	}
	return b.String()
}

// initNext says what `mbgate install` would do for the agents that were named or that have a folder here.
func (a *app) initNext(dir string, clients []settings.Client) string {
	home, _ := a.home()
	if len(clients) == 0 {
		for _, c := range agents.Installable() {
			if home != "" && exists(filepath.Join(home, firstFolder(c.User.Path))) || exists(filepath.Join(dir, firstFolder(c.Project.Path))) {
				clients = append(clients, c)
			}
		}
	}
	if len(clients) == 0 {
		return "Next: `mbgate install AGENT` puts the hooks into an agent's configuration; `mbgate install --list` shows the agents.\n"
	}
	var b strings.Builder
	b.WriteString("Next, as far as not done yet; --dry-run shows every line:\n")
	for _, c := range clients {
		fmt.Fprintf(&b, "  mbgate install %s\n    would put the hooks into ~/%s and the subagents memory-reader and memory-bank-writer into ~/%s/\n",
			c.Name, c.User.Path, path.Dir(c.UserAgents.Path))
	}
	return b.String()
}

// firstFolder is the part of a path by which an agent's folder is known: two elements below .config, else one.
func firstFolder(p string) string {
	parts := strings.Split(p, "/")
	n := 1
	if parts[0] == ".config" {
		n = 2
	}
	return filepath.Join(parts[:min(n, len(parts))]...)
}
