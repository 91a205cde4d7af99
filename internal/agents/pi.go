package agents

import (
	_ "embed"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/jsonscan"
	"github.com/mbgate/mbgate/internal/settings"
	"github.com/mbgate/mbgate/internal/transcript"
	"github.com/mbgate/mbgate/internal/wire"
)

// pi (@earendil-works/pi-coding-agent) has no hook commands; an extension of ours runs inside it (shim.go). Everything here was
// observed with 0.87.1, where nothing else is said.

func pi() Agent {
	return Agent{
		Adapter: wire.Adapter{
			Facts: func() *event.Client {
				return &event.Client{
					Name: "pi", Title: "pi", Observed: "0.87.1",
					PromptEvents: true, AfterEvents: true, Results: true,
					InjectsAtCompaction: true, InjectsAtStart: true, InjectsAtPrompt: true, InjectsAfterTools: true,
					RemindsBefore: true, RefusesPrompts: true,
					// --fork and --session both open a session that has messages, and /fork says so itself.
					ForksResume: true,
					Signals:     []string{"session_compact", "session_tree", "session_start (fork)"},
					ReadLines:   2_000, ReadBytes: 50 << 10,
					ReadTool:   event.ReadTool{Tool: "read", Path: "path", Offset: "offset", Limit: "limit"},
					OnFailure:  `runs the tool; with fail = "closed" none that only writes`,
					SessionEnv: "PI_SESSION_ID",
					Uncovered: []string{
						"@file on the command line reaches the model without a tool call and does not count as read",
						"what you run yourself (!command) fires no event of a tool",
						"the newest messages (about 20,000 tokens) survive a compaction, and documents read in them are required again",
						"extensions that add subagents: their calls are judged as those of the session that runs them",
						"--no-extensions loads no extension",
					},
				}
			},
			Shape:      shimShape("pi"),
			Decode:     piDecode,
			FailStatus: 1,
		},
		Config:       piConfig,
		ProjectFiles: "**/.pi/extensions/** **/.pi/settings.json",
		HomeFiles:    ".pi/agent/extensions/** .pi/agent/settings.json .pi/agent/trust.json",
		Samples:      piSamples,
		Announcement: shimAnnouncement("pi", "tool_call"),
		Bash:         true,
		Records:      Records{Files: ".pi/agent/sessions/*/*.jsonl", Read: transcript.Pi, Before: "tool_call", After: "tool_result"},
		Trace:        Trace{Markers: "PI_CODING_AGENT AI_AGENT=pi", Package: "pi-coding-agent"},
	}
}

func piDecode(p wire.Object, o wire.Options, ev *event.Event) *wire.InputError {
	f := wire.NewFields(p)
	shimEvent(f, ev)
	ev.Kind = wire.KindOf([]wire.KindRow{
		{Name: "session_start(fork)", Kind: event.Forked},
		{Name: "session_start", Kind: event.SessionStart},
		{Name: "session_compact", Kind: event.Compacted},
		// Another branch of the conversation is in the context now, or a summary of it.
		{Name: "session_tree", Kind: event.Forked},
		{Name: "session_shutdown", Kind: event.SessionEnd},
		{Name: "input", Kind: event.Prompt},
		{Name: "tool_call", Kind: event.ToolBefore},
		{Name: "tool_result", Kind: event.ToolAfter},
		{Name: "agent_before_settle", Kind: event.Stop},
	}, ev.Name, ev.Source)
	ev.Injects = ev.Kind == event.Compacted || ev.Kind == event.Forked
	readDetails(f, o, ev, piCall)
	ev.StopActive = ev.Kind == event.Stop && ev.Source == "continued"
	return f.Err()
}

func piTools() []wire.ToolRow {
	return []wire.ToolRow{
		{Name: "read", Class: event.Read, Path: "path", Offset: "offset", Limit: "limit"},
		{Name: "bash", Class: event.Shell, Command: "command"},
		{Name: "powershell", Class: event.Shell, Command: "command", Language: "powershell"},
		{Name: "edit", Class: event.Edit, Path: "path"},
		{Name: "write", Class: event.Write, Path: "path"},
		{Name: "grep|find", Class: event.Search},
		{Name: "ls", Class: event.List, Path: "path"},
	}
}

func piCall(f wire.Fields, _ wire.Options, ev *event.Event) {
	ev.Tool = wire.Call(piTools(), f.Str("tool"), f, "args")
	if v := f.Get("result"); v != nil && ev.Kind == event.ToolAfter {
		ev.Result = wire.TextResult(ev.Tool.Class, v)
		if o, ok := jsonscan.Members(v); ok {
			ev.Result.Failed = string(o.Get("failed")) == "true"
		}
	}
}

// piConfig: the user's extensions are loaded without a question, a project's once the person trusts it.
func piConfig() settings.Client {
	return settings.Client{
		User:    settings.Place{Path: ".pi/agent/extensions/mbgate.js", Variable: "PI_CODING_AGENT_DIR", Rest: "extensions/mbgate.js"},
		Project: settings.Place{Path: ".pi/extensions/mbgate.js", Shared: true},
		// Read in the code of 0.87.1, which looks into .agents/skills as well.
		UserSkills:    settings.Place{Path: ".pi/agent/skills/%s", Variable: "PI_CODING_AGENT_DIR", Rest: "skills/%s"},
		ProjectSkills: settings.Place{Path: ".pi/skills/%s", Shared: true},
		Plugin:        func() string { return withShim(piExtension) },
		Compact:       "/compact",
		Start:         "extensions are read when pi starts: start it again, or type /reload",
	}
}

func piSamples() Samples {
	const head = `{"client":"pi","session_id":"%session","directory":"%cwd",`
	return Samples{
		Before:     "plugin",
		Read:       head + `"hook":"tool_call","call_id":"call_1","tool":"read","args":{"path":"%read"}}`,
		Write:      head + `"hook":"tool_call","call_id":"call_2","tool":"write","args":{"path":"%write","content":"x\n"}}`,
		Compacted:  "plugin",
		Compaction: head + `"hook":"session_compact","source":"manual"}`,
	}
}

// piExtension is the extension that runs inside pi.
//
//go:embed pi.js
var piExtension string
