package main

import (
	"time"

	"github.com/mbgate/mbgate/internal/journal"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/state"
)

// guards says which mode of the write guard is in force for this client here.
func (p *patient) guards() []render.Finding {
	switch {
	case p.project.inert() || !p.project.root.HasBank:
		return one(render.Note, "no memory bank is here, so there is nothing to guard", "")
	}
	mode, why := p.project.gate(&p.facts).GuardInForce(&p.facts)
	word := string(mode)
	switch {
	case why != "" && !p.facts.TellsSubagents():
		return one(render.Note, word+": "+why, "")
	case why != "":
		return one(render.Warning, word+" instead of "+string(p.project.config.WriteGuard)+": "+why, "`mbgate install "+p.client.Name+"` lays the subagents down")
	case word == "off":
		return one(render.Warning, "off, by the configuration: anybody may write into memory-bank/", "take write_guard = \"off\" out")
	}
	return one(render.Good, word, "")
}

// hasFired says when the client last called mbgate in this project, by the sessions and the log.
func (p *patient) hasFired() []render.Finding {
	if p.project.inert() {
		return one(render.Note, "mbgate does nothing in this project, so nothing is remembered", "")
	}
	dir, err := state.Dir()
	if err != nil {
		return one(render.Note, "cannot be told: "+err.Error(), "")
	}
	var here, elsewhere time.Time
	see := func(agent, root string, at time.Time) {
		switch {
		case agent != p.client.Name:
		case root == p.project.root.Dir && at.After(here):
			here = at
		case root != p.project.root.Dir && at.After(elsewhere):
			elsewhere = at
		}
	}
	if entries, err := state.Open(dir, state.Options{}).List(""); err == nil {
		for _, e := range entries {
			see(e.Session.Agent, e.Session.Root, e.Session.LastAt)
		}
	}
	_ = journal.Read(dir, func(r journal.Record) bool {
		see(r.Agent, r.Root, r.At)
		return true
	})
	now := p.app.now()
	switch {
	case !here.IsZero():
		return one(render.Good, "the last event that left a trace came "+render.Age(here, now), "")
	case !elsewhere.IsZero():
		return one(render.Warning, "never in this project; elsewhere "+render.Age(elsewhere, now), "let "+p.client.Title+" read a file here, then look again; "+p.client.Start)
	}
	return one(render.Warning, p.client.Title+" has never called mbgate, in any project", "let it read a file here, then look again; "+p.client.Start)
}

// onFailure says what the client does where mbgate cannot answer.
func (p *patient) onFailure() []render.Finding {
	return one(render.Note, p.fails(), "")
}

// fails is the same in a sentence. Where the table does not say, a plugin of ours calls mbgate, and lets the call go on.
func (p *patient) fails() string {
	if p.facts.OnFailure == "" {
		return p.client.Title + " lets the call go on"
	}
	return p.client.Title + " " + p.facts.OnFailure
}

// uncovered says what goes past the hooks.
func (p *patient) uncovered() []render.Finding {
	var out []render.Finding
	for _, u := range p.facts.Uncovered {
		out = append(out, render.Finding{Health: render.Note, Says: u})
	}
	return out
}
