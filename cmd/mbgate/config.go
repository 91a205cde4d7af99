package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/config"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/risk"
	"github.com/mbgate/mbgate/internal/state"
)

type configOptions struct {
	root                 string
	keys                 []string
	check, json, example bool
	schema               bool
	flags                []config.Flag
}

func newConfigCmd(a *app) *cobra.Command {
	var o configOptions
	cmd := &cobra.Command{
		Use:   "config [KEY...]",
		Short: "Show the configuration and where each value comes from",
		Long: `Shows every value that is in effect, where it comes from, what is wrong, and where to write what. With keys it shows
only those, and all of a list.

mbgate never writes a configuration and does not let agents write it: you edit it. A file with any problem is left out as a
whole, and the defaults apply.

With --check a problem is one line where the output is not a terminal.

EXIT STATUS
  0 · 1 mbgate's own failure, and with --check a problem in the configuration, or documents that are nowhere · 64 wrong usage`,
		Example: `  mbgate config
  mbgate config recovery guard_mode
  mbgate config --check
  mbgate config --example > .mbgate.toml
  mbgate config --json | jq '.values[] | select(.origin.kind != "default")'`,
		PreRunE: func(_ *cobra.Command, args []string) error {
			o.keys = args
			return o.checkKeys()
		},
		RunE: a.work(func([]string) error { return a.config(o) }),
	}
	f := cmd.Flags()
	rootFlag(f, &o.root, "the project root, instead of finding it")
	f.BoolVar(&o.check, "check", false, "only say what is wrong, and exit with 1 if anything is")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	f.BoolVar(&o.example, "example", false, "print a file to start from, all of it commented out")
	f.BoolVar(&o.schema, "schema", false, "print the JSON schema of the files, for editors")
	configFlags(cmd, &o.flags)
	return cmd
}

// checkKeys finds what is wrong with the keys that are named.
func (o configOptions) checkKeys() error {
	if len(o.keys) > 0 && (o.check || o.example) {
		return &usageError{problem: "--check and --example take no keys; they look at the whole configuration"}
	}
	var names []string
	for _, k := range config.Keys() {
		names = append(names, k.Name)
	}
	for _, k := range o.keys {
		if k == "set" {
			return &usageError{problem: strayWords()[k]}
		}
		if !slices.Contains(names, k) {
			return &usageError{problem: "there is no key " + render.Safe(k) + "; " + choose(k, names)}
		}
	}
	return nil
}

func (a *app) config(o configOptions) error {
	if o.schema {
		return a.print(string(config.Schema()))
	}
	if o.example {
		return a.print(config.Example(risk.DefaultSensitive(agents.ConfigFiles(a.getenv).Project), risk.DefaultSafe()))
	}
	cwd, err := a.getwd()
	if err != nil && o.root == "" {
		return err
	}
	p, err := a.project(start{flag: o.root, cwd: filepath.ToSlash(cwd), flags: o.flags})
	if err != nil {
		return err
	}
	s := render.Settings{Values: p.config.Values(), Problems: p.problems, Disabled: p.config.Disabled}
	if len(o.keys) > 0 {
		s.Only(o.keys)
	}
	if note := p.guardNote(); note != "" {
		s.InForce = map[string]string{"write_guard": note}
	}
	s.ProjectFile = p.file()
	s.HasProject = exists(s.ProjectFile)
	if dir, err := state.ConfigDir(); err == nil {
		s.UserFile = filepath.Join(dir, "config.toml")
		s.HasUser = exists(s.UserFile)
	}
	switch {
	case o.json:
		err = a.printJSON(s.JSON())
	case !o.check:
		err = a.print(s.Text(a.screen()))
	case len(s.Problems) > 0:
		err = a.print(s.ProblemList(a.screen(), !a.terminal()))
	default:
		err = a.print(p.checked())
	}
	if err == nil && o.check && (len(s.Problems) > 0 || p.armsNothing()) {
		return &quietError{exitFailure}
	}
	return err
}

// checked is what --check says of a configuration without a problem: which documents it leads to.
func (p *project) checked() string {
	if p.inert() {
		return "the configuration is fine\n"
	}
	d := p.documents()
	if p.armsNothing() {
		return render.MissingDocuments(d) + "\n"
	}
	said := "the configuration is fine\ndocuments: " + render.Documents(d) + "\n"
	if why := render.MissingDocuments(d); why != "" {
		said += why + "\n"
	}
	return said
}

func exists(file string) bool {
	_, err := os.Lstat(file)
	return !errors.Is(err, os.ErrNotExist)
}
