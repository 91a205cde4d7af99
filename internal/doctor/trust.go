package doctor

import (
	"fmt"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/install"
	"github.com/mbgate/mbgate/internal/render"
)

// checkTrust says whether the client runs the hooks that it has.
func (a *agent) checkTrust() []render.Finding {
	if a.client.Trust == "" {
		return good(a.client.Title + " asks for no trust")
	}
	if a.known.Trusts != nil {
		return []render.Finding{found(a.known.Trusts(a.machine()))}
	}
	for _, f := range a.files {
		if f.installed() && !f.project {
			return good("hooks of your own settings need no trust")
		}
	}
	return one(render.Note, "unknown: "+a.client.Trust,
		fmt.Sprintf("trust this folder in %s, or run `mbgate install %s`, which puts the hooks into your own settings", a.client.Title, a.client.Name))
}

// machine is where the agent's own checks look.
func (a *agent) machine() agents.Machine {
	m := agents.Machine{Home: a.home(), Getenv: a.Getenv, Read: func(file string) ([]byte, error) {
		data, err := install.ReadConfig(file)
		return data, install.BareError(err)
	}}
	for _, f := range a.files {
		if f.installed() {
			m.Hooks = append(m.Hooks, agents.HookFile{Path: f.path, Data: f.data, Ours: f.has})
		}
	}
	return m
}

// found is what an agent's own check found.
func found(f agents.Finding) render.Finding {
	health := render.Bad
	switch {
	case f.Unknown:
		health = render.Note
	case f.Step:
		health = render.Warning
	case f.Remedy == "":
		health = render.Good
	}
	return render.Finding{Health: health, Says: f.Says, Remedy: f.Remedy}
}
