package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/settings"
)

// withStatusLine are the agents whose status line mbgate can set.
func withStatusLine() []string {
	var names []string
	for _, c := range settings.All() {
		if c.StatusLine != "" {
			names = append(names, c.Name)
		}
	}
	return names
}

// mayHaveLine is nil where a status line can be set: the agent has one, and none of its owner's in a file of wider reach
// would be hidden by it.
func (a *app) mayHaveLine(p site, opts settings.Options) error {
	if p.client.StatusLine == "" {
		return &usageError{problem: "mbgate knows of no status line of " + p.client.Title + " that runs a command; --statusline is for " + strings.Join(withStatusLine(), ", ")}
	}
	if p.root == "" {
		return nil
	}
	found, err := a.here(p.root)
	if err != nil {
		return err
	}
	for _, file := range found.disk.settingsFiles(p.client) {
		file = filepath.FromSlash(file)
		data, err := readConfig(file)
		if err != nil || file == p.hooks {
			continue // what cannot be read is the agent's to complain about
		}
		if l, ok, err := p.client.LineOf(data, opts); err == nil && ok && !l.Runs {
			return a.ownLine(p, opts, file, l.Command)
		}
	}
	return nil
}

// ownLine is the error that a person has a status line of their own, with the way to have both.
func (a *app) ownLine(p site, opts settings.Options, file, command string) error {
	hides := ""
	if file != p.hooks {
		hides = ", which one of this project would hide"
	}
	return fmt.Errorf("%s has a status line of its own%s: %s; nothing was changed; to have both, let that command hand what it reads on standard input to %s as well and print its line, then install without --statusline",
		a.tidy(file), hides, render.Safe(command), settings.LineCommand(opts))
}
