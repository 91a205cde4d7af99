package agents

import (
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/settings"
)

// Kilo (@kilocode/cli) is a fork of OpenCode with folders and variables of its own: it runs OpenCode's plugin, which names it in
// its events. Everything here was observed with 7.7.9.

func kilo() Agent {
	a := openCode()
	original := a.Facts
	a.Facts = func() *event.Client {
		c := original()
		c.Name, c.Title, c.Observed = "kilo", "Kilo", "7.7.9"
		for i, line := range c.Uncovered {
			c.Uncovered[i] = strings.ReplaceAll(line, "OPENCODE_", "KILO_")
		}
		return c
	}
	a.Shape = shimShape("kilo")
	a.Config = kiloConfig
	a.ProjectFiles = `**/.kilo/plugin/** **/.kilo/plugins/** **/.kilo/tool/** **/.kilo/tools/** **/.kilo/agent/** **/.kilo/agents/**
		**/.kilocode/plugin/** **/.kilocode/plugins/** **/.kilo/*.json* **/kilo.json **/kilo.jsonc`
	a.HomeFiles = `.config/kilo/*.json* .config/kilo/plugin/** .config/kilo/plugins/** .config/kilo/tool/** .config/kilo/tools/**
		.config/kilo/agent/** .config/kilo/agents/**`
	a.Moves = "KILO_CONFIG_DIR=.config/kilo KILO_CONFIG=.config/kilo/kilo.json"
	a.Samples = func() Samples { return openCodeSamples("kilo") }
	a.Definitions = []string{
		".kilo/agents/%s.md", "~/.config/kilo/agents/%s.md",
		"${KILO_CONFIG_DIR}/agent/%s.md", "${KILO_CONFIG_DIR}/agents/%s.md", // looked into as well
	}
	a.Announcement = shimAnnouncement("kilo", "tool.execute.before")
	a.Records.Database = ".local/share/kilo/kilo.db"
	a.Trace = Trace{Markers: "KILO KILO_PID", Process: "kilo|kilocode", Package: "@kilocode/cli"}
	return a
}

func kiloConfig() settings.Client {
	c := openCodeConfig()
	c.User = settings.Place{Path: ".config/kilo/plugin/mbgate.js", Variable: "XDG_CONFIG_HOME", Rest: "kilo/plugin/mbgate.js"}
	c.Project = settings.Place{Path: ".kilo/plugin/mbgate.js", Shared: true}
	c.UserAgents = settings.Place{Path: ".config/kilo/agent/%s.md", Variable: "XDG_CONFIG_HOME", Rest: "kilo/agent/%s.md"}
	c.ProjectAgents = settings.Place{Path: ".kilo/agent/%s.md", Shared: true}
	c.UserSkills = settings.Place{Path: ".config/kilo/skill/%s", Variable: "XDG_CONFIG_HOME", Rest: "kilo/skill/%s"}
	c.ProjectSkills = settings.Place{Path: ".kilo/skill/%s", Shared: true}
	plugin := c.Plugin
	c.Plugin = func() string {
		return strings.NewReplacer("OpenCode", "Kilo", "install opencode", "install kilo", `AGENT = "opencode"`, `AGENT = "kilo"`).Replace(plugin())
	}
	c.Start = strings.ReplaceAll(c.Start, "OpenCode", "Kilo")
	return c
}
