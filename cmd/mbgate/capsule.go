package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/mbgate/mbgate/internal/capsule"
	"github.com/mbgate/mbgate/internal/install"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/render"
)

// hashLimit is the size up to which a file is compared with its source anchor. A larger one counts as changed.
const hashLimit = 256 << 20

// maxWarnings is how many warnings about a run file are printed. Another program owns the file and may keep much else in it.
const maxWarnings = 5

type capsuleOptions struct {
	root, run, session, trace string
	json                      bool
	tokens                    int
}

// capsuleFile is the argument of the commands that read a capsule.
const capsuleFile = "FILE is the text of a capsule, - is standard input."

func newCapsuleCmd(a *app) *cobra.Command {
	var o capsuleOptions
	cmd := &cobra.Command{
		Use:   "capsule",
		Short: "Make, check and use the record that survives a compaction",
		Long: `A compact capsule holds what a summary drops although it constrains the work: hard denies, open questions, where to go
on, what the gate said, writes that are half done, and the versions of the files they rest on. mbgate gathers one in
every session and gives it to the agent after a compaction; these commands do the same with files.

EXIT STATUS
  0 · 1 the capsule or run file is invalid, or mbgate's own failure · 64 wrong usage`,
		Example: `  mbgate capsule create --run .runs/current.json > capsule.json
  mbgate capsule restore capsule.json
  mbgate capsule schema`,
		RunE: func(*cobra.Command, []string) error {
			return &usageError{problem: "capsule needs one of create, validate, restore, render, schema"}
		},
	}
	create := a.subcommand(cmd, "create", "Make a capsule of a run file or a session",
		`Prints the capsule of a run file, or of a session as it is now. The trace id is that of the run or session unless
--trace-id names another.

EXIT STATUS
  0 · 1 the run file is invalid, or mbgate's own failure · 64 wrong usage`,
		`mbgate capsule create --run .runs/current.json --json
  mbgate capsule create --session 6d06b814-0d77-449f-833c-d95f9060f114`,
		func([]string) error { return a.capsuleCreate(o) })
	textFlag(create.Flags(), &o.run, "run", "file", "the run file, - for standard input")
	sessionFlag(create.Flags(), &o.session, "the session, instead of a run file")
	create.Flags().StringVar(&o.trace, "trace-id", "", "what the capsule is traced by")
	create.Flags().BoolVar(&o.json, "json", false, "print the capsule on one line")
	rootFlag(create.Flags(), &o.root, "the project root, instead of finding it")
	create.MarkFlagsMutuallyExclusive("run", "session")
	create.MarkFlagsOneRequired("run", "session")

	validate := a.subcommand(cmd, "validate FILE", "Say what is missing or wrong in a capsule",
		`Names every field that is missing or of a wrong type, all at once, and warns of what a valid capsule leaves open.
`+capsuleFile+`

EXIT STATUS
  0 valid · 1 invalid, or mbgate's own failure · 64 wrong usage`,
		"mbgate capsule validate capsule.json\n  mbgate capsule validate --json - < capsule.json",
		func(args []string) error { return a.capsuleValidate(o, args[0]) })
	validate.Flags().BoolVar(&o.json, "json", false, "print one JSON object: valid, missing, warnings, problems")

	restore := a.subcommand(cmd, "restore FILE", "Say where to go on, what is in the way and what comes next",
		`Says of a capsule in which phase the work is, whether it is blocked and why, which writes are half done, which sources
changed since they were read, and the one next action. `+capsuleFile+`

EXIT STATUS
  0, also where the work is blocked · 1 the capsule is invalid, or mbgate's own failure · 64 wrong usage`,
		"mbgate capsule restore capsule.json\n  mbgate capsule restore --json - < capsule.json | jq -r .nextAction",
		func(args []string) error { return a.capsuleRestore(o, args[0]) })
	restore.Flags().BoolVar(&o.json, "json", false, "print one JSON object")
	rootFlag(restore.Flags(), &o.root, "the project root that source anchors are relative to, instead of finding it")

	text := a.subcommand(cmd, "render FILE", "Print a capsule as the text for a prompt",
		`Prints a capsule as an agent is given it after a compaction, within a budget of tokens: four ASCII characters count
as one, and so does every other character. What does not fit is left out, the least important first, and the text says
so. `+capsuleFile+`

EXIT STATUS
  0 · 1 the capsule is invalid, or mbgate's own failure · 64 wrong usage`,
		"mbgate capsule render capsule.json\n  mbgate capsule create --run run.json | mbgate capsule render --tokens 300 -",
		func(args []string) error { return a.capsuleRender(o, args[0]) })
	text.Flags().BoolVar(&o.json, "json", false, "print one JSON object: text, tokens, dropped")
	text.Flags().IntVar(&o.tokens, "tokens", 0, "the budget, instead of the configured capsule_tokens")
	rootFlag(text.Flags(), &o.root, "the project root, instead of finding it")

	a.subcommand(cmd, "schema", "Print the JSON schema of capsules and run files",
		"Prints the JSON schema of a capsule, with those of a run file (#/$defs/run) and of what restore and validate print.\n\n"+
			"EXIT STATUS\n  0 · 1 mbgate's own failure · 64 wrong usage",
		"mbgate capsule schema > capsule.schema.json", func([]string) error { return a.print(capsule.Schema()) })
	return cmd
}

func (a *app) capsuleCreate(o capsuleOptions) error {
	var c capsule.Capsule
	if o.session != "" {
		var err error
		if c, err = a.capsuleOf(o.session, o.root); err != nil {
			return err
		}
		if o.trace != "" {
			c.TraceID = o.trace
		}
	} else {
		raw, err := a.input(o.run)
		if err != nil {
			return err
		}
		run, report := capsule.ParseRun(raw)
		if !report.Valid {
			return &capsule.InvalidError{What: "run file " + o.run, Report: report}
		}
		for i, w := range report.Warnings {
			if i == maxWarnings {
				fmt.Fprintf(a.stderr, "mbgate: warning: and %d more\n", len(report.Warnings)-i)
				break
			}
			fmt.Fprintf(a.stderr, "mbgate: warning: %s\n", render.Safe(w))
		}
		c = capsule.Create(run, a.now(), o.trace)
	}
	return a.printCapsule(c, o.json)
}

// printCapsule prints a capsule, indented for people.
func (a *app) printCapsule(c capsule.Capsule, line bool) error {
	if line {
		return a.printJSON(c)
	}
	e := json.NewEncoder(a.stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(c)
}

func (a *app) capsuleValidate(o capsuleOptions, file string) error {
	raw, err := a.input(file)
	if err != nil {
		return err
	}
	_, report := capsule.Validate(raw)
	err = a.show(o.json, report, render.CapsuleReport(a.screen(), report))
	if err == nil && !report.Valid {
		return &quietError{exitFailure}
	}
	return err
}

func (a *app) capsuleRestore(o capsuleOptions, file string) error {
	c, err := a.validCapsule(file)
	if err != nil {
		return err
	}
	p, err := a.here(o.root)
	if err != nil {
		return err
	}
	r := capsule.Restore(c, p.hashOf)
	return a.show(o.json, r, render.Restored(a.screen(), r))
}

func (a *app) capsuleRender(o capsuleOptions, file string) error {
	c, err := a.validCapsule(file)
	if err != nil {
		return err
	}
	if o.tokens == 0 {
		p, err := a.here(o.root)
		if err != nil {
			return err
		}
		o.tokens = p.config.CapsuleTokens
	}
	text, dropped := render.CapsuleText(c, o.tokens)
	return a.show(o.json, struct {
		Text    string   `json:"text"`
		Tokens  int      `json:"tokens"`
		Dropped []string `json:"dropped"`
	}{text, render.Tokens(text), dropped}, text)
}

func (a *app) validCapsule(file string) (capsule.Capsule, error) {
	raw, err := a.input(file)
	if err != nil {
		return capsule.Capsule{}, err
	}
	c, report := capsule.Validate(raw)
	if !report.Valid {
		return c, &capsule.InvalidError{What: "capsule " + file, Report: report}
	}
	return c, nil
}

// input reads a file, or standard input for -, no further than it takes to see that it is too large.
func (a *app) input(file string) ([]byte, error) {
	limit := int64(capsule.MaxBytes) + 1
	if file == "-" {
		if a.stdin == nil {
			return nil, errors.New("there is no standard input; name a file")
		}
		return io.ReadAll(io.LimitReader(a.stdin, limit))
	}
	var f *os.File
	info, err := os.Stat(file)
	switch {
	case err != nil:
	case !info.Mode().IsRegular(): // a FIFO would hang, a device might never end
		return nil, fmt.Errorf("%s is not a file; name a file, or - for standard input", render.ShellWord(file))
	default:
		f, err = os.Open(file)
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w; name a file, or - for standard input", render.ShellWord(file), install.BareError(err))
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

// hashOf is the SHA-256 of a file of the project by its canonical path, false for what lies outside or cannot be read.
func (p *project) hashOf(path string) (string, bool) {
	if filepath.IsAbs(path) {
		return "", false
	}
	at := p.disk.Anchor(path)
	if !at.Inside() || at.Kind != place.File {
		return "", false
	}
	f, err := p.disk.Open(at)
	if err != nil {
		return "", false
	}
	defer f.Close()
	if f.Size() > hashLimit {
		return "", false
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", false
	}
	return hex.EncodeToString(h.Sum(nil)), true
}

// capsuleOf is the capsule of a session as it is now.
func (a *app) capsuleOf(id, root string) (capsule.Capsule, error) {
	store, err := a.openStore()
	if err != nil {
		return capsule.Capsule{}, err
	}
	s, err := usable(store, id)
	if err != nil {
		return capsule.Capsule{}, err
	}
	p, err := a.project(start{flag: root, pinned: s.Root})
	if err != nil {
		return capsule.Capsule{}, err
	}
	client := clientOf(s.Agent)
	c, _ := p.gate(&client).Capsule(s, &client)
	return c, nil
}
