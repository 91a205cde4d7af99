package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/settings"
)

// maxSettings is the largest configuration file of an agent that is looked at, in bytes.
const maxSettings = 8 << 20

// HookFiles implements gate.Disk: of the files where this client's hooks may be, those that call mbgate before a tool.
func (d *disk) HookFiles(c *event.Client) []string {
	if c == nil {
		return nil
	}
	client, ok := settings.ByName(c.Name)
	if !ok {
		return nil
	}
	var list []string
	for _, f := range d.settingsFiles(client) {
		if d.gates(client, f) && !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	return list
}

// settingsFiles are a client's configuration files, slash-separated: the person's, the project's personal one and, for
// Claude Code, the one that teammates share.
func (d *disk) settingsFiles(c settings.Client) []string {
	var list []string
	if home, err := d.app.home(); err == nil {
		list = append(list, d.app.locate(c.User, home))
	}
	project := d.app.locate(c.Project, filepath.FromSlash(d.Root().Dir))
	list = append(list, project)
	if name := filepath.Base(project); strings.Contains(name, ".local.") {
		list = append(list, filepath.Join(filepath.Dir(project), strings.Replace(name, ".local.", ".", 1)))
	}
	for i := range list {
		list[i] = filepath.ToSlash(list[i])
	}
	return list
}

// gates reports whether a file has a hook of mbgate that is asked before a tool runs.
func (d *disk) gates(c settings.Client, file string) bool {
	text, ok := d.Text(file, maxSettings)
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
	client, ok := settings.ByName(c.Name)
	text, readable := d.Text(path, maxSettings)
	if !ok || !readable {
		return false
	}
	return len(client.Off(text)) > 0 || had && !d.gates(client, path)
}
