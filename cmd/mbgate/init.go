package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/anchor"
	"github.com/mbgate/mbgate/internal/bank"
	"github.com/mbgate/mbgate/internal/config"
	"github.com/mbgate/mbgate/internal/install"
	"github.com/mbgate/mbgate/internal/layout"
	proj "github.com/mbgate/mbgate/internal/project"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/settings"
)

// ownLayout is the preset that lays out a memory bank; the others only name what a project has already.
const ownLayout = "memory-bank"

type initOptions struct {
	root, lang      string
	presets, agents []string
	yes, dryRun     bool
}

func newInitCmd(a *app) *cobra.Command {
	var o initOptions
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Set mbgate up in this project",
		Long: `Looks for what is there: Spec Kit, Kiro, OpenSpec, Cline, decision records (ADRs), documents under docs/, a memory
bank, and the agents of this machine. On a terminal it says what it found and asks once: follow the documents where
they are, lay out a memory bank, or both. Then it writes .mbgate.toml or memory-bank/, installs the hooks for the agents,
checks them, and names three prompts that show the gate at work.

Nothing that is there is overwritten; running it again adds what is missing. The memory bank starts with what is certain
about the project: its name, what its README begins with, the commands that its manifests state.

Without a terminal it follows the documents that it found, or lays out a memory bank where there are none, and prints the
commands for the rest. With --yes it installs as well. --preset says itself what to follow: ` + presetList() + `.

Agents may run it where there is neither a memory bank nor a configuration. It lays out a memory bank for them and installs
nothing; the configuration is for people.

EXIT STATUS
  0 done, or nothing was missing · 1 refused, or a file that cannot be made · 64 wrong usage`,
		Example: `  mbgate init
  mbgate init --dry-run
  mbgate init --yes
  mbgate init --preset spec-kit,docs
  mbgate init --agent claude-code`,
		RunE: a.work(func([]string) error { return a.init(o) }),
	}
	f := cmd.Flags()
	rootFlag(f, &o.root, "the folder to set up, instead of the project's")
	f.StringSliceVar(&o.presets, "preset", nil, "what to follow, one or several: "+presetList())
	f.StringSliceVar(&o.agents, "agent", nil, "an agent to install for, instead of those found")
	textFlag(f, &o.lang, "lang", "language", "the language of the memory bank, en or zh, instead of the README's")
	f.BoolVar(&o.yes, "yes", false, "ask nothing, do what would be proposed")
	f.BoolVar(&o.dryRun, "dry-run", false, "only say what would be done")
	return cmd
}

func presetList() string { return strings.Join(presetNames(), ", ") }

// initPlan is what init does.
type initPlan struct {
	// bank lays out a memory bank, or completes it.
	bank bool
	// follow are the presets that .mbgate.toml names, nil where it is not needed.
	follow []string
	// install are the agents to install for.
	install []settings.Client
}

func (a *app) init(o initOptions) error {
	for _, name := range o.presets {
		if _, known := config.FindPreset(name); !known {
			return &usageError{problem: "there is no preset " + render.Safe(name) + "; " + choose(name, presetNames())}
		}
	}
	if o.lang != "" && o.lang != string(layout.English) && o.lang != string(layout.Chinese) {
		return &usageError{problem: "there is no language " + render.Safe(o.lang) + "; choose from en, zh"}
	}
	clients, err := initClients(o.agents)
	if err != nil {
		return err
	}
	dir, err := a.initDir(o.root)
	if err != nil {
		return err
	}
	s, err := a.look(dir, clients)
	if err != nil {
		return err
	}
	agent := a.insideAgent()
	person := agent == "" && !o.dryRun && a.stdin != nil && term.IsTerminal(int(a.stdin.Fd()))
	if err := a.print(s.text(dir) + "\n"); err != nil {
		return err
	}
	if person {
		if read := a.readBefore(s.here); len(read) > 0 {
			fmt.Fprintf(a.stderr, "Past sessions of this project read these before compactions. To have them asked for, put this into .mbgate.toml:\n  %s\n\n", render.AnchorsLine(read))
		}
	}
	plan, left := s.propose(o)
	if agent == "" && (o.yes || person) {
		plan.install = s.wanting
	}
	if person && !o.yes && (plan.install != nil || !s.has(ownLayout) && !s.here.root.HasConfig) {
		var sure bool
		if plan, sure = a.askPlan(s, plan, o); !sure {
			return a.print("Nothing was changed.\n")
		}
		left = ""
	}
	if agent != "" && !o.dryRun {
		if err := s.forAgent(plan, agent); err != nil {
			return err
		}
	}
	if plan.follow != nil {
		if err := a.writeConfig(dir, plan.follow, len(o.presets) > 0, o.dryRun); err != nil {
			return err
		}
	}
	if plan.bank {
		if err := a.initBank(dir, o); err != nil {
			return err
		}
	}
	return a.initFinish(dir, s, plan, left, o)
}

// propose is what is sure: follow the documents that are there, or lay out a memory bank where there are none. left is
// the command for the choice that was not taken.
func (s survey) propose(o initOptions) (plan initPlan, left string) {
	others := len(s.layouts) > 1 || len(s.layouts) == 1 && !s.has(ownLayout)
	switch {
	case len(o.presets) > 0:
		plan.bank = slices.Contains(o.presets, ownLayout)
		if !plan.bank || len(o.presets) > 1 {
			plan.follow = o.presets
		}
	case s.here.root.HasConfig && s.here.config.NamesAnchors():
		// What it follows is decided; a bank beside it is completed.
		plan.bank = s.has(ownLayout)
	case others:
		plan.follow, plan.bank = s.follow(), s.has(ownLayout)
		if !plan.bank {
			left = "mbgate init --preset " + strings.Join(append(s.follow(), ownLayout), ",")
		}
	default:
		plan.bank = true
	}
	return plan, left
}

// forAgent says what an agent may not do (R6).
func (s survey) forAgent(plan initPlan, agent string) error {
	switch {
	case plan.follow != nil:
		return fmt.Errorf("the configuration is for people, and this runs inside %s; ask the user to run `mbgate init`, or to put the line %s into %s",
			agent, presetLine(plan.follow), render.Safe(s.here.file()))
	case s.here.root.HasConfig:
		return fmt.Errorf("there is a configuration here, and this runs inside %s; ask the user to run `mbgate init` in a terminal of their own", agent)
	}
	return nil
}

// askPlan asks a person once what to do.
func (a *app) askPlan(s survey, plan initPlan, o initOptions) (initPlan, bool) {
	then := "."
	if plan.install != nil {
		then = ", and install mbgate for " + titles(plan.install) + "."
	}
	if len(o.presets) > 0 || plan.follow == nil || plan.bank {
		what := "Set this project up as named"
		if plan.follow == nil && !s.has(ownLayout) && plan.bank {
			what = "Lay out a memory bank"
		}
		if s.has(ownLayout) || s.here.root.HasConfig {
			what = "Complete the set-up"
		}
		answer := a.ask(what + then + " Go on? (Y/n)")
		return plan, answer == "" || answer == "y" || answer == "yes"
	}
	fmt.Fprintf(a.stderr, "  1  follow these documents where they are (.mbgate.toml)\n  2  lay out a memory bank (memory-bank/)\n  3  both\nDo it%s\n", then)
	switch a.ask("Which? (1/2/3, n for nothing) [1]") {
	case "", "1":
	case "2":
		plan.follow, plan.bank = nil, true
	case "3":
		plan.follow, plan.bank = append(s.follow(), ownLayout), true
	default:
		return plan, false
	}
	return plan, true
}

// initFinish installs, checks and says how to see the gate at work; what is left is named as commands.
func (a *app) initFinish(dir string, s survey, plan initPlan, left string, o initOptions) error {
	if o.dryRun {
		if s.wanting != nil {
			return a.print("would install mbgate for " + titles(s.wanting) + "; `mbgate install --dry-run` shows every line\n")
		}
		return nil
	}
	for _, c := range plan.install {
		if err := a.installFor(c, installOptions{root: dir, brief: true}); err != nil {
			return err
		}
	}
	var commands []string
	if plan.install == nil && s.wanting != nil {
		names := make([]string, len(s.wanting))
		for i, c := range s.wanting {
			names[i] = c.Name
		}
		commands = append(commands, "mbgate install "+strings.Join(names, " "))
	}
	if len(s.found) == 0 {
		commands = append(commands, "mbgate install AGENT")
	}
	if left != "" {
		commands = append(commands, left+"   # for a memory bank as well")
	}
	var b strings.Builder
	if commands != nil {
		b.WriteString("\nLeft to do, in a terminal of your own:\n  " + strings.Join(commands, "\n  ") + "\n")
	}
	if here, err := a.here(dir); err == nil && len(s.found) > 0 {
		b.WriteString(seeItNow(here, s.found[0]))
	}
	return a.print(b.String())
}

// seeItNow names three prompts that show the gate at work.
func seeItNow(p *project, c settings.Client) string {
	docs := p.documents()
	doc := docs.Newest
	for _, f := range slices.Backward(docs.Fallback) {
		if doc == "" || anchor.Match(p.config.Anchors, p.disk.Anchor(f)) != "" {
			doc = f
		}
	}
	if doc == "" || c.Compact == "" {
		return ""
	}
	return "\nSee it now: start " + c.Title + " here and type, one after the other:\n" +
		"  Read " + render.Safe(doc) + " in full and say in one sentence what it asks for.\n" +
		"  " + c.Compact + "\n" +
		"  Create the file hello.txt with one line of text.\n" +
		"The file is refused until the document is read again. `mbgate status` shows it.\n"
}

// initClients are the agents of --agent.
func initClients(names []string) ([]settings.Client, error) {
	var out []settings.Client
	for _, n := range names {
		c, ok := agents.SettingsOf(n)
		if !ok {
			return nil, unknownAgent(n, agentArgs())
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
			return "", errors.New(render.Safe(root) + " is not a folder; name the project's with --root")
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
	text := a.manifests(dir)
	lang := layout.Language(o.lang)
	if o.lang == "" {
		lang = layout.Spoken(text("README.md"), cmp.Or(a.getenv("LC_ALL"), a.getenv("LC_MESSAGES"), a.getenv("LANG")))
	}
	files := layout.Bank(layout.Learn(filepath.Base(dir), text), lang)
	made, left, err := makeFiles(dir, files, o.dryRun)
	report := initReport(made, left, o.dryRun)
	if err == nil {
		return a.print(report)
	}
	if len(made) > 0 {
		if err := a.print(report); err != nil {
			return err
		}
	}
	return fmt.Errorf("%w; fix that and run `mbgate init` again, it goes on where it stopped", err)
}

// manifests reads files of a folder. A file that cannot be read is empty, and no FIFO is waited for.
func (a *app) manifests(dir string) func(name string) string {
	p, err := a.project(start{flag: dir})
	return func(name string) string {
		if err != nil {
			return ""
		}
		b, _ := p.disk.Text(filepath.ToSlash(filepath.Join(dir, name)), layout.MaxManifest)
		return string(b)
	}
}

func initReport(made, left []string, dry bool) string {
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
	switch {
	case len(made) == 0:
		return "nothing is missing in the memory bank\n"
	case dry:
		list("would make:", made)
	default:
		list("made:", made)
	}
	list("left as it is:", left)
	if !dry && slices.Contains(made, bank.Entry) {
		b.WriteString("Read memory-bank/MEMORY.md, correct what is wrong, and commit the folder.\n")
	}
	return b.String()
}

// presetLine is the line of a configuration that names presets.
func presetLine(names []string) string {
	if len(names) == 1 {
		return `preset = "` + names[0] + `"`
	}
	return `preset = ["` + strings.Join(names, `", "`) + `"]`
}

// writeConfig makes a configuration that names the presets. It is never written over one that is there: with must, which
// says that a person named them, that is an error.
func (a *app) writeConfig(dir string, presets []string, must, dry bool) error {
	file, line := filepath.Join(dir, ".mbgate.toml"), presetLine(presets)
	if exists(file) {
		cfg, problems := config.Load(config.Sources{Project: config.ReadFile(file)})
		if len(problems) == 0 && !slices.ContainsFunc(presets, func(name string) bool { return !slices.Contains(cfg.Presets, name) }) {
			return a.print(".mbgate.toml names " + strings.Join(presets, ", ") + " already\n" + followReport(dir, presets))
		}
		if must {
			return errors.New(render.Safe(file) + " is there and is left as it is; put the line " + line + " into it")
		}
		return a.print(".mbgate.toml is left as it is; to follow these documents put the line " + line + " into it\n")
	}
	if dry {
		return a.print("would make .mbgate.toml with the line " + line + "\n" + followReport(dir, presets))
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err == nil {
		_, err = f.WriteString("#:schema " + config.SchemaURL + "\n# What mbgate does in this project. `mbgate config --example` shows every key, `mbgate config` what is in effect.\n" + line + "\n")
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
	return a.print("made .mbgate.toml with the line " + line + "\n" + followReport(dir, presets))
}

// followReport says what presets mean in this project.
func followReport(dir string, presets []string) string {
	cfg, _ := config.Load(config.Sources{Flags: []config.Flag{{Name: "preset", Value: strings.Join(presets, ",")}}})
	d := proj.New(proj.Root{Dir: filepath.ToSlash(dir)}, proj.Options{Cwd: dir}).Documents(cfg.Anchors, cfg.Fallback)
	return "documents: " + render.Documents(d) + "\n"
}
