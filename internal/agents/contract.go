package agents

import (
	"cmp"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/settings"
	"github.com/mbgate/mbgate/internal/wire"
)

// Hosts by contract: agents that copy Claude Code's hooks, as their pages and public adapters describe them. None was played,
// so each says where it was read (event.Client.Documented), and claims no more than that.

// host says how such an agent differs from Claude Code. What is left out is as there, or missing.
type host struct {
	facts   event.Client
	aliases []string
	// mark stands in the path of its transcripts and of nobody else's; shape knows it where that is not enough.
	mark  string
	shape func(p wire.Object) wire.Shape
	tools func() []wire.ToolRow
	// projectVar is the environment variable that names the project.
	projectVar string
	// armsBefore: the event before a compaction is the only sign of one.
	armsBefore bool
	// head are the fields of every payload of doctor's, and write the tool that makes a file, with its argument for the path.
	head        string
	write, path string
	// compacted is the event that tells of a compaction, as the configuration spells it, with the fields of compaction; before is
	// the one before a call, "" for PreToolUse.
	before, compacted, compaction string
	config                        func() settings.Client
	trace                         Trace
}

func byContract(h host) Agent {
	like := claudeLike{projectVar: h.projectVar, tools: h.tools, result: genericResult, synthetic: claudeSynthetic, kind: h.kind}
	if h.armsBefore {
		like.injects = func(*event.Event) bool { return false }
	}
	return Agent{
		Adapter: wire.Adapter{
			Aliases: h.aliases,
			Facts:   func() *event.Client { return &h.facts },
			Shape: func(p wire.Object) wire.Shape {
				if p.Text("hook_event_name") == "" {
					return wire.Foreign
				}
				if h.mark != "" && strings.Contains(transcriptPath(p), h.mark) {
					return wire.Unmistakable
				}
				if h.shape != nil {
					return h.shape(p)
				}
				return wire.Foreign
			},
			Decode:     like.decode,
			Encode:     jsonAnswers{stop: "block", name: claudeName}.encode,
			FailStatus: 1,
		},
		Config:     h.config,
		Samples:    h.samples,
		Honours:    honoursClaude,
		ProjectVar: h.projectVar,
		Trace:      h.trace,
	}
}

// kind is what an event means, however the host writes its first letter.
func (h host) kind(ev *event.Event, o wire.Options) event.Kind {
	if ev.Name == "" {
		return wire.KindOfCommand(o.Subcommand)
	}
	name := pascal(ev.Name)
	if h.armsBefore && name == "PreCompact" {
		return event.Compacted
	}
	return claudeKind(name, ev.Source)
}

func pascal(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

func (h host) samples() Samples {
	call := func(tool, path, file string) string {
		return h.head + `"hook_event_name":"PreToolUse","tool_name":"` + tool + `","tool_input":{"` + path + `":"` + file + `"}}`
	}
	heard := h.compacted
	if h.before == "plugin" { // one file that is all ours holds every event
		heard = h.before
	}
	return Samples{
		Before:     cmp.Or(h.before, "PreToolUse"),
		Read:       call(h.facts.ReadTool.Tool, h.facts.ReadTool.Path, "%read"),
		Write:      call(h.write, h.path, "%write"),
		Compacted:  heard,
		Compaction: h.head + `"hook_event_name":"` + pascal(h.compacted) + `",` + h.compaction + `}`,
	}
}

// ShapeAgent is the agent that stands for every host which copies the hooks of a known one, by the name of the shape: "claude".
func ShapeAgent(shape string) string { return shape + "-shape" }

// claudeShaped is whatever host copies Claude Code's hooks: its payloads and answers, and tools by their usual names.
func claudeShaped() Agent {
	a := generic()
	original := a.Facts
	a.Facts = func() *event.Client {
		c := original()
		c.Name, c.Title = ShapeAgent("claude"), "host of Claude Code's shape"
		return c
	}
	a.Shape = func(wire.Object) wire.Shape { return wire.Foreign } // only who asks for it gets it
	a.Decode = claudeLike{turn: "prompt_id", projectVar: "CLAUDE_PROJECT_DIR", call: genericCall, synthetic: claudeSynthetic}.decode
	a.Encode = jsonAnswers{stop: "block", name: claudeName}.encode
	return a
}

// claudeLayout is a configuration like Claude Code's in a folder of the host's own, with subagents in Markdown.
func claudeLayout(folder, file, subagents string) settings.Client {
	return settings.Client{
		User:          settings.Place{Path: folder + "/" + file},
		Project:       settings.Place{Path: folder + "/" + file, Shared: true},
		UserAgents:    settings.Place{Path: folder + "/" + subagents + "/%s.md"},
		ProjectAgents: settings.Place{Path: folder + "/" + subagents + "/%s.md", Shared: true},
		UserSkills:    settings.Place{Path: folder + "/skills/%s"},
		ProjectSkills: settings.Place{Path: folder + "/skills/%s", Shared: true},
		Events: []settings.Hook{
			{Event: "SessionStart"},
			{Event: "SessionEnd"},
			{Event: "UserPromptSubmit"},
			{Event: "PreToolUse", Matcher: "*"},
			{Event: "PostToolUse", Matcher: "*"},
			{Event: "PreCompact"},
			{Event: "Stop"},
		},
		Compact: "/compact",
		Definition: settings.Definition{
			Head:   "---\nname: %name\ndescription: %description\ntools: %tools\n---\n\n",
			Reader: "Read, Grep, Glob", Writer: "Read, Grep, Glob, Edit, Write",
		},
	}
}
