package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/anchor"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/place"
	proj "github.com/mbgate/mbgate/internal/project"
	"github.com/mbgate/mbgate/internal/settings"
	"github.com/mbgate/mbgate/internal/transcript"
)

// disk answers the gate's questions about files. It lives for one event and remembers what it scanned.
type disk struct {
	*proj.Disk
	app    *app
	budget int
	// loneCR is set where the client takes a lone \r for a line end.
	loneCR bool
	docs   map[string]scanned
}

type scanned struct {
	doc anchor.Doc
	err error
}

// Stamp implements gate.Disk.
func (d *disk) Stamp(p place.Place) (anchor.Stamp, bool) {
	s := d.Stat(p)
	return anchor.Stamp{Size: s.Size, Mod: s.Mod, ID: s.Inode}, s.Kind == place.File && s.Readable
}

// Doc implements gate.Disk.
func (d *disk) Doc(p place.Place) (anchor.Doc, error) {
	if s, ok := d.docs[p.Phys]; ok {
		return s.doc, s.err
	}
	doc, err := d.scan(p)
	if d.docs == nil {
		d.docs = map[string]scanned{}
	}
	d.docs[p.Phys] = scanned{doc, err}
	return doc, err
}

func (d *disk) scan(p place.Place) (anchor.Doc, error) {
	f, err := d.Open(p)
	if err != nil {
		err = fmt.Errorf("it cannot be read: %w", err)
		for _, short := range [...]error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM} {
			if errors.Is(err, short) {
				return anchor.Doc{}, &gate.ShortageError{Err: err}
			}
		}
		return anchor.Doc{}, err
	}
	defer f.Close()
	doc, err := anchor.Scan(f, f.Size(), d.budget, d.loneCR)
	if err != nil {
		return anchor.Doc{}, fmt.Errorf("it cannot be read: %w", err)
	}
	if doc.Binary {
		return anchor.Doc{}, errors.New("it is a binary file")
	}
	return doc, nil
}

// HookFiles implements gate.Disk: those of the client's configuration files that call mbgate before a tool.
func (d *disk) HookFiles(c *event.Client) []string {
	if c == nil {
		return nil
	}
	agent, _ := agents.ByName(c.Name)
	client, ok := agent.Settings()
	if !ok {
		return nil
	}
	home, _ := d.app.home()
	var list []string
	for _, f := range client.Files(home, filepath.FromSlash(d.Root().Dir), d.app.getenv) {
		f = filepath.ToSlash(f)
		if d.asksBeforeTools(agent, f) && !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	return list
}

// asksBeforeTools reports whether a file has a hook of mbgate that is asked before a tool runs.
func (d *disk) asksBeforeTools(a agents.Agent, file string) bool {
	text, ok := d.Text(file, settings.MaxFile)
	if !ok {
		return false
	}
	client, _ := a.Settings()
	entries, err := client.Entries(text, settings.Options{})
	return err == nil && slices.ContainsFunc(entries, func(e settings.Entry) bool { return e.Event == a.Samples().Before })
}

// Unhooks implements gate.Disk. A file that cannot be read switches nothing off.
func (d *disk) Unhooks(c *event.Client, path string, had bool) bool {
	if c == nil {
		return false
	}
	agent, _ := agents.ByName(c.Name)
	client, ok := agent.Settings()
	text, readable := d.Text(path, settings.MaxFile)
	if !ok || !readable {
		return false
	}
	return len(client.SwitchedOff(text)) > 0 || had && !d.asksBeforeTools(agent, path)
}

// Recorded implements gate.Disk.
func (d *disk) Recorded(ev event.Event) transcript.Found {
	if ev.Transcript == "" {
		return transcript.Found{}
	}
	f, err := d.Open(d.Locate(ev.Cwd, ev.Transcript))
	if err != nil {
		return transcript.Found{} // a session that was not recorded yet, or is not at all
	}
	defer f.Close()
	return transcript.Find(f, f.Size(), !ev.Main())
}

// Defined implements gate.Disk.
func (d *disk) Defined(c *event.Client, subagent string) bool {
	a, ok := agents.ByName(c.Name)
	return ok && d.SubagentDefined(a.DefinitionFiles(d.app.getenv), subagent)
}
