package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/journal"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/state"
)

// The groups of commands in the help.
const (
	groupPeople = "people"
	groupSetup  = "setup"
	groupHooks  = "hooks"
)

const about = `mbgate keeps a coding agent in the frame of its task.

A long conversation is compacted: a lossy summary takes its place, and the agent forgets why it is doing what it does.
The documents that say it are still on disk. mbgate follows which of them the agent reads, points to them after a
compaction, and refuses risky writes until they have really been read again.

Agents call it through ` + "`mbgate hook`" + ` and the other event commands, which the manual and docs/commands.md list.

EXIT STATUS
  0 fine · 1 "no" to a question, or mbgate's own failure · 2 a hook refused a call · 64 wrong usage`

const aboutExample = `  mbgate demo      see it work, in a temporary project
  mbgate status    what is required, read and next
  mbgate explain -- rm -rf build
                   what would the gate say to this, and why`

// documented reports whether a command has a page in the manual and a row in docs/commands.md. The event commands do, but
// the help and the completion leave them out: no person calls them.
func documented(c *cobra.Command) bool {
	return c.Name() != "help" && (!c.Hidden || c.GroupID == groupHooks)
}

// peopleCommands builds the commands for people into root, and the event commands too, so that each has its help. A hook
// never comes here.
func peopleCommands(a *app, root *cobra.Command) *cobra.Command {
	root.Long, root.Example = about, aboutExample
	root.AddGroup(
		&cobra.Group{ID: groupPeople, Title: "For people:"},
		&cobra.Group{ID: groupSetup, Title: "About mbgate itself:"},
		&cobra.Group{ID: groupHooks, Title: "For the hooks of an agent:"},
	)
	for _, c := range []*cobra.Command{
		newStatusCmd(a), newStatuslineCmd(a), newClearCmd(a), newExplainCmd(a), newLogCmd(a), newAuditCmd(a), newDemoCmd(a), newInitCmd(a), newCapsuleCmd(a), newNoteCmd(a), newConfigCmd(a),
		newPruneCmd(a),
		newInstallCmd(a), newUninstallCmd(a), newDoctorCmd(a), newConformanceCmd(a),
	} {
		c.GroupID = groupPeople
		root.AddCommand(c)
	}
	for _, c := range []*cobra.Command{newCompletionCmd(a), newVersionCmd(a), newManCmd(a, root)} {
		c.GroupID = groupSetup
		root.AddCommand(c)
	}
	root.SetHelpCommandGroupID(groupSetup)
	for _, h := range hookCommands() {
		c := newHookCmd(a, h)
		c.GroupID, c.Hidden = groupHooks, true
		root.AddCommand(c)
	}
	a.complete(root)
	guide(root)
	return root
}

// screen is where a people's command prints.
func (a *app) screen() *render.Screen { return render.NewScreen(a.stdout, a.getenv) }

// terminal reports whether people read standard output as it comes, and no program.
func (a *app) terminal() bool {
	f, ok := a.stdout.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// print writes a text to standard output.
func (a *app) print(text string) error {
	_, err := io.WriteString(a.stdout, text)
	return err
}

// say writes a sentence to standard output, in lines that fit.
func (a *app) say(text string) error { return a.print(a.screen().Prose(0, text)) }

// printJSON writes one object to standard output, on one line.
func (a *app) printJSON(v any) error {
	e := json.NewEncoder(a.stdout)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// show prints v as one JSON object, or text for people.
func (a *app) show(asJSON bool, v any, text string) error {
	if asJSON {
		return a.printJSON(v)
	}
	return a.print(text)
}

// subcommand adds a command to another one. It takes the arguments that use names, all of them.
func (a *app) subcommand(parent *cobra.Command, use, short, long, example string, run func(args []string) error) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: short, Long: long, Example: "  " + example,
		RunE: a.work(run),
	}
	parent.AddCommand(c)
	return c
}

// logChange writes down what a command did to a session. It is done even where the log cannot be written.
func (a *app) logChange(store *state.Store, s gate.Session, r journal.Record) {
	r.At, r.Agent, r.Session, r.Root = a.now(), s.Agent, s.ID, s.Root
	if err := journal.Append(store.Dir(), r); err != nil {
		fmt.Fprintf(a.stderr, "mbgate: it is %s, but not written into the log: %s\n", r.Decision, render.Safe(err.Error()))
	}
}

// openStore is the store of all sessions.
func (a *app) openStore() (*state.Store, error) {
	dir, err := state.Dir()
	if err != nil {
		return nil, err
	}
	return state.Open(dir, state.Options{Now: a.now}), nil
}

// here is the project that a person means: --root, or the one that holds the folder they are in.
func (a *app) here(root string) (*project, error) {
	cwd, err := a.getwd()
	if err != nil && root == "" {
		return nil, err
	}
	return a.project(start{flag: root, cwd: filepath.ToSlash(cwd)})
}
