package doctor

import (
	"time"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/journal"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/state"
)

// checkGuard says which mode of the write guard is in force for this agent here.
func (a *agent) checkGuard() []render.Finding {
	if a.Project.Inert || !a.Project.Root.HasBank {
		return note("no memory bank is here, so there is nothing to guard")
	}
	mode, why := a.Project.Guard(&a.facts)
	switch {
	case why != "" && !a.facts.TellsSubagents():
		return note(string(mode) + ": " + why)
	case why != "":
		return warn(string(mode)+" instead of "+string(a.Project.Config.WriteGuard)+": "+why, "`mbgate install "+a.client.Name+"` adds the subagents")
	case mode == event.ModeOff:
		return warn("off in the configuration: anybody may write memory-bank/", "take write_guard = \"off\" out")
	}
	return good(string(mode))
}

// checkFired says when the agent last called mbgate in this project, by the sessions and the log.
func (a *agent) checkFired() []render.Finding {
	if a.Project.Inert {
		return note("mbgate does nothing in this project, so nothing is remembered")
	}
	dir, err := state.Dir()
	if err != nil {
		return note("unknown: " + err.Error())
	}
	var here, elsewhere time.Time
	see := func(agent, root string, at time.Time) {
		switch {
		case agent != a.client.Name:
		case root == a.Project.Root.Dir && at.After(here):
			here = at
		case root != a.Project.Root.Dir && at.After(elsewhere):
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
	switch {
	case !here.IsZero():
		return good("last event " + render.Age(here, a.Now))
	case !elsewhere.IsZero():
		return warn("never in this project; elsewhere "+render.Age(elsewhere, a.Now), "let "+a.client.Title+" read a file here, and run doctor again; "+a.client.Start)
	}
	return warn(a.client.Title+" has never called mbgate, in any project", "let it read a file here, and run doctor again; "+a.client.Start)
}

// describeFailure says what the agent does where mbgate cannot answer.
func (a *agent) describeFailure() []render.Finding { return note(a.fails()) }

// fails is the same in a sentence. Where the table does not say, a plugin of ours calls mbgate, and runs the tool.
func (a *agent) fails() string {
	if a.facts.OnFailure == "" {
		return a.client.Title + " runs the tool"
	}
	return a.client.Title + " " + a.facts.OnFailure
}

// describeGaps says what goes past the hooks.
func (a *agent) describeGaps() []render.Finding {
	var out []render.Finding
	for _, u := range a.facts.Uncovered {
		out = append(out, note(u)...)
	}
	return out
}
