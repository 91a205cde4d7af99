package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/settings"
)

// HookFiles implements gate.Disk: of the files where this client's hooks may be, those that call mbgate before a tool.
func (d *disk) HookFiles(c *event.Client) []string {
	if c == nil {
		return nil
	}
	client, ok := agents.SettingsOf(c.Name)
	if !ok {
		return nil
	}
	home, _ := d.app.home()
	var list []string
	for _, f := range client.Files(home, filepath.FromSlash(d.Root().Dir), d.app.getenv) {
		f = filepath.ToSlash(f)
		if d.gates(client, f) && !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	return list
}

// gates reports whether a file has a hook of mbgate that is asked before a tool runs.
func (d *disk) gates(c settings.Client, file string) bool {
	text, ok := d.Text(file, settings.MaxFile)
	if !ok {
		return false
	}
	entries, err := c.Entries(text, settings.Options{})
	return err == nil && slices.ContainsFunc(entries, func(e settings.Entry) bool {
		// PreToolUse, BeforeTool, preToolUse: every client's word for it has both.
		name := strings.ToLower(e.Event)
		return strings.Contains(name, "tool") && (strings.Contains(name, "pre") || strings.Contains(name, "before"))
	})
}

// Unhooks implements gate.Disk. A file that cannot be read says nothing.
func (d *disk) Unhooks(c *event.Client, path string, had bool) bool {
	if c == nil {
		return false
	}
	client, ok := agents.SettingsOf(c.Name)
	text, readable := d.Text(path, settings.MaxFile)
	if !ok || !readable {
		return false
	}
	return len(client.SwitchedOff(text)) > 0 || had && !d.gates(client, path)
}
