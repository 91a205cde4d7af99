package agents

import (
	_ "embed"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/jsonscan"
	"github.com/mbgate/mbgate/internal/settings"
	"github.com/mbgate/mbgate/internal/wire"
)

// OpenCode has no hook commands; a plugin of ours runs inside it (shim.go). Everything here was observed with 1.18.33, where
// nothing else is said.

func openCode() Agent {
	return Agent{
		Adapter: wire.Adapter{
			Facts: func() *event.Client {
				return &event.Client{
					Name: "opencode", Title: "OpenCode", Observed: "1.18.33",
					NamesSubagents: true, PromptEvents: true, AfterEvents: true, Results: true,
					// What is printed at a compaction goes into the request for the summary and nowhere else; what the
					// model is to know is said before each request (notice).
					InjectsAtCompaction: false, InjectsAtStart: false,
					RemindsBefore: true, RefusesPrompts: false, ArmsBefore: true, HearsBeforeSummary: true, HearsStopLate: true,
					Signals: []string{"experimental.session.compacting", "session.created (fork)"},
					// read cuts lines after 2,000 characters without a flag, and shows at most 2,000 lines or 50 kB.
					LineCut: 2_000, LoneCR: true, ReadLines: 2_000, ReadBytes: 50_000,
					ReadTool: event.ReadTool{Tool: "read", Path: "filePath", Offset: "offset", Limit: "limit"},
					// The shim lets the call go on, and says so once; with fail = "closed" it does not.
					OnFailure:  `runs the tool; with fail = "closed" none that only writes`,
					SessionEnv: "MBGATE_SESSION_ID", // the shim sets it, since OpenCode has none
					Uncovered: []string{
						"a prompt cannot be kept from the model, so it reads mb:clear too, and is asked to pass mbgate's answer on",
						"@file in a prompt reaches the model without a tool call and does not count as read",
						"what you run yourself (!command) fires no hook of a tool",
						"/undo of what was read before OpenCode was started again leaves it credited",
						"--pure and OPENCODE_PURE load no plugin",
						"OpenCode 2 runs the same plugin by its documentation; nobody played it, and its forks and pruned results are not seen",
					},
				}
			},
			Shape:  shimShape("opencode"),
			Decode: openCodeDecode,
			// The shim throws the text of a status 2 as the tool's result, and gives standard output to the model.
			Encode:     openCodeEncode,
			FailStatus: 1,
		},
		Config: openCodeConfig,
		ProjectFiles: `**/.opencode/plugin/** **/.opencode/plugins/** **/.opencode/tool/** **/.opencode/tools/** **/.opencode/agent/**
			**/.opencode/agents/** **/.opencode/opencode.json* **/opencode.json **/opencode.jsonc`,
		HomeFiles: `.config/opencode/opencode.json* .config/opencode/config.json .config/opencode/plugin/** .config/opencode/plugins/**
			.config/opencode/tool/** .config/opencode/tools/** .config/opencode/agent/** .config/opencode/agents/**`,
		// It reads the first besides; the second is a file of its settings.
		Moves:   "OPENCODE_CONFIG_DIR=.config/opencode OPENCODE_CONFIG=.config/opencode/opencode.json",
		Samples: func() Samples { return openCodeSamples("opencode") },
		Definitions: []string{
			".opencode/agents/%s.md", "~/.config/opencode/agents/%s.md",
			"${OPENCODE_CONFIG_DIR}/agent/%s.md", "${OPENCODE_CONFIG_DIR}/agents/%s.md", // looked into as well
		},
		Announcement: shimAnnouncement("opencode", "tool.execute.before"),
		Records:      Records{Database: ".local/share/opencode/opencode.db"},
		Trace:        Trace{Markers: "OPENCODE OPENCODE_PID", Process: "opencode|.opencode", Package: "opencode-ai"},
	}
}

// openCodeEncode answers a prompt by the model. Keeping a prompt from it would take an error, which breaks the session,
// and what a plugin shows to the person is seen in one of the client's screens only, and not for long.
func openCodeEncode(ev event.Event, a wire.Answer) wire.Output {
	if ev.Kind != event.Prompt || a.Verdict != event.Block {
		return wire.PlainOutput(ev, a)
	}
	answer := wire.Joined(a.ToPerson, a.Text)
	if answer == "" {
		return wire.PlainOutput(ev, wire.Answer{Context: a.Context})
	}
	const pass = "mbgate has answered this prompt itself. Repeat its answer to the user word for word, and do nothing else in this turn:\n\n"
	return wire.Output{Stdout: wire.Line(wire.Joined(a.Context, pass+answer)), Stderr: wire.Line(answer)}
}

// openCodeKind says what a hook means. A part of a message that was updated can be a result that was pruned from the
// context, the mark of a compaction in a history that a fork repeats, or nothing of interest; the shim says which by the
// command it calls or, calling `hook`, by a source of "pruned" or "fork". session.compacted comes too late to arm on.
func openCodeKind(hook, subcommand, source string) event.Kind {
	if hook == "" {
		return wire.KindOfCommand(subcommand)
	}
	return wire.KindOf([]wire.KindRow{
		{Name: "tool.execute.before", Kind: event.ToolBefore},
		{Name: "tool.execute.after", Kind: event.ToolAfter},
		{Name: "experimental.session.compacting", Kind: event.Compacted},
		{Name: "experimental.chat.system.transform", Kind: event.Notice},
		{Name: "chat.message", Kind: event.Prompt},
		{Name: "session.deleted", Kind: event.SessionEnd},
		{Name: "session.idle", Kind: event.Stop},
		{Name: "session.created(compact)", Kind: event.Forked},
		{Name: "session.created(fork)", Kind: event.Forked},
		{Name: "session.created", Kind: event.SessionStart},
		{Name: "message.part.updated(unread)", Kind: event.Unread},
		{Name: "message.part.updated(pruned)", Kind: event.Unread},
		{Name: "message.part.updated(compact)", Kind: event.Forked},
		{Name: "message.part.updated(fork)", Kind: event.Forked},
	}, hook, subcommand, source)
}

func openCodeDecode(p wire.Object, o wire.Options, ev *event.Event) *wire.InputError {
	f := wire.NewFields(p)
	shimEvent(f, ev)
	if f.Number("api") == 2 {
		ev.Client.ReadTool.Path = "path"
	}
	ev.Kind = openCodeKind(ev.Name, o.Subcommand, ev.Source)
	if ev.Kind == event.SessionEnd && ev.Sub.ID != "" {
		ev.Kind = event.None // the session itself goes on
	}
	ev.Injects = ev.Kind == event.Compacted
	readDetails(f, o, ev, openCodeCall)
	if ev.Kind == event.Unread {
		openCodeCall(f, o, ev)
		ev.Path = unreadPath(ev.Tool, ev.Result)
	}
	return f.Err()
}

// unreadPath is the file of which a result was dropped: what the client stated, or what was asked for.
func unreadPath(t event.Tool, r *event.Result) string {
	if r != nil && len(r.Shown) > 0 {
		return r.Shown[0].Path
	}
	if t.Class == event.Read && len(t.Paths) > 0 {
		return t.Paths[0].Path
	}
	return ""
}

// openCodeTools are the tools of 1.18.33, with the names and arguments of OpenCode 2 (documented) behind them, then those that only earlier versions have. Arguments come as the model wrote
// them, before the client looks at them: relative or absolute, and of any type. A call of a tool that does not exist
// comes as invalid, which does nothing.
func openCodeTools() []wire.ToolRow {
	return []wire.ToolRow{
		{Name: "bash|shell", Class: event.Shell, Command: "command", Workdir: "workdir"},
		{Name: "read", Class: event.Read, Path: "filePath|path", Offset: "offset", Limit: "limit"},
		{Name: "edit", Class: event.Edit, Path: "filePath|path", Old: "oldString"},
		{Name: "write", Class: event.Write, Path: "filePath|path"},
		{Name: "apply_patch", Class: event.Patch, Patch: "patchText"},
		{Name: "glob|grep", Class: event.Search},
		{Name: "task|subagent", Class: event.Subagent, Subagent: "subagent_type|agent"},
		{Name: "webfetch|websearch|codesearch", Class: event.Fetch},
		{Name: "todowrite|todoread|question|plan_enter|plan_exit|invalid", Class: event.Other},
		{Name: "skill", Class: event.Other, Skill: "name"},

		{Name: "multiedit", Class: event.MultiEdit, Path: "filePath"},
		{Name: "patch", Class: event.Patch, Patch: "patchText"},
		{Name: "list", Class: event.List, Path: "path"},
	}
}

func openCodeCall(f wire.Fields, _ wire.Options, ev *event.Event) {
	// MCP tools are <server>_<tool>, so are many others; both are judged by their arguments.
	ev.Tool = wire.Call(openCodeTools(), f.Str("tool"), f, "args")
	if v := f.Get("result"); v != nil && ev.Kind != event.ToolBefore {
		ev.Result = openCodeResult(ev.Tool, v)
	}
}

// openCodeResult reads {"title","output","metadata"}, or an MCP tool's {"content":[…]}. For read, metadata.display says
// exactly which lines were shown; images and folders have none, and neither do clients before it came.
func openCodeResult(t event.Tool, v []byte) *event.Result {
	r := wire.TextResult(t.Class, v)
	o, _ := jsonscan.Members(v)
	meta, _ := jsonscan.Members(o.Get("metadata"))
	display, ok := jsonscan.Members(meta.Get("display"))
	if t.Class != event.Read || !ok {
		return r
	}
	if display.Text("type") != "file" {
		return &event.Result{HasText: true}
	}
	f := wire.NewFields(display)
	s := event.Shown{
		Path: f.Str("path"), First: f.Number("lineStart"), Last: f.Number("lineEnd"), Total: f.Number("totalLines"),
		Text: f.Str("text"), HasText: f.Get("text") != nil,
	}
	if f.Err() != nil || s.First < 1 {
		return r
	}
	if s.Path == "" && len(t.Paths) > 0 {
		s.Path = t.Paths[0].Path
	}
	return &event.Result{HasText: true, Shown: []event.Shown{s}}
}

// openCodeConfig: observed with 1.18.33. It has no hook commands; a plugin of ours calls mbgate.
func openCodeConfig() settings.Client {
	return settings.Client{
		User:          settings.Place{Path: ".config/opencode/plugin/mbgate.js", Variable: "XDG_CONFIG_HOME", Rest: "opencode/plugin/mbgate.js"},
		Project:       settings.Place{Path: ".opencode/plugin/mbgate.js", Shared: true},
		UserAgents:    settings.Place{Path: ".config/opencode/agent/%s.md", Variable: "XDG_CONFIG_HOME", Rest: "opencode/agent/%s.md"},
		ProjectAgents: settings.Place{Path: ".opencode/agent/%s.md", Shared: true},
		// Read in the code of 1.18.33: {skill,skills}/**/SKILL.md in every folder of its configuration.
		UserSkills:    settings.Place{Path: ".config/opencode/skill/%s", Variable: "XDG_CONFIG_HOME", Rest: "opencode/skill/%s"},
		ProjectSkills: settings.Place{Path: ".opencode/skill/%s", Shared: true},

		Plugin: func() string { return withShim(openCodePlugin) },

		Compact: "/compact",
		Start:   "plugins are read when OpenCode starts: start it again, a server too",
		// OpenCode 1.18.33: permission replaced tools, the last rule that matches wins (observed: its list of agents). A plain
		// `read: allow` would come after the client's own rule for .env files, and undo it.
		Definition: settings.Definition{
			Head:   "---\ndescription: %description\nmode: subagent\npermission:\n%tools---\n\n",
			Reader: "  \"*\": deny\n" + openCodeRead + "  glob: allow\n  grep: allow\n  list: allow\n",
			Writer: "  \"*\": deny\n" + openCodeRead + "  glob: allow\n  grep: allow\n  list: allow\n  edit: allow\n",
		},
	}
}

// openCodeRead lets a subagent read all but .env files.
const openCodeRead = "  read:\n    \"*\": allow\n    \"*.env\": deny\n    \"*.env.*\": deny\n"

func openCodeSamples(client string) Samples {
	head := `{"client":"` + client + `","session_id":"%session","directory":"%cwd","worktree":"%cwd","agent":"build",`
	return Samples{
		Before:     "plugin",
		Read:       head + `"hook":"tool.execute.before","call_id":"call_1","tool":"read","args":{"filePath":"%read"}}`,
		Write:      head + `"hook":"tool.execute.before","call_id":"call_2","tool":"write","args":{"filePath":"%write","content":"x\n"}}`,
		Compacted:  "plugin",
		Compaction: head + `"hook":"experimental.session.compacting"}`,
	}
}

// openCodePlugin is the plugin that runs inside OpenCode. It is written for node and Bun, by what opencode 1.18.33 was
// observed to do.
//
//go:embed opencode.js
var openCodePlugin string
