package main

import (
	"errors"
	"fmt"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/anchor"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
	proj "github.com/mbgate/mbgate/internal/project"
)

// disk answers the gate's questions about files. What it scanned it remembers for the one event it lives for.
type disk struct {
	*proj.Disk
	app    *app
	budget int
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
		return anchor.Doc{}, fmt.Errorf("it cannot be read: %w", err)
	}
	defer f.Close()
	doc, err := anchor.Scan(f, f.Size(), d.budget)
	if err != nil {
		return anchor.Doc{}, fmt.Errorf("it cannot be read: %w", err)
	}
	if doc.Binary {
		return anchor.Doc{}, errors.New("it is a binary file")
	}
	return doc, nil
}

// Defined implements gate.Disk.
func (d *disk) Defined(c *event.Client, subagent string) bool {
	a, ok := agents.ByName(c.Name)
	return ok && d.SubagentDefined(a.DefinitionFiles(d.app.getenv), subagent)
}
