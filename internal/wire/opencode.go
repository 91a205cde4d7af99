package wire

import "github.com/mbgate/mbgate/internal/event"

// OpenCode has no hook commands; a plugin of ours, the shim, runs inside it and sends
//
//	{"client":"opencode","hook","session_id","parent_session_id","agent","prompt","directory","worktree",
//	 "call_id","tool","args","result","source"}
//
// where hook is OpenCode's name of the hook or event, parent_session_id is the topmost ancestor of a child session, and
// args and result are what OpenCode gave to the hook. Observed with 1.18.33, where nothing else is said.

func openCode() adapter {
	return adapter{
		client: func() *event.Client {
			return &event.Client{
				Name: "opencode", Title: "OpenCode", Observed: "1.18.33",
				NamesSubagents: true, PromptEvents: true, AfterEvents: true,
				// What is printed at a compaction goes into the request for the summary and nowhere else; what the
				// model is to know is said before each request (notice).
				InjectsAtCompaction: false, InjectsAtStart: false,
				RemindsBefore: true, RefusesPrompts: false, ArmsBefore: true, HearsStopLate: true,
				Signals: []string{"experimental.session.compacting", "session.created (fork)"},
				// read cuts lines after 2,000 characters without a flag, and shows at most 2,000 lines or 50 kB.
				LineCut: 2_000, ReadLines: 2_000, ReadBytes: 50_000,
				ReadTool: event.ReadTool{Tool: "read", Path: "filePath", Offset: "offset", Limit: "limit"},
				AgentFiles: []string{
					".opencode/agent/%s.md", ".opencode/agents/%s.md",
					"~/.config/opencode/agent/%s.md", "~/.config/opencode/agents/%s.md",
					"${OPENCODE_CONFIG_DIR}/agent/%s.md", "${OPENCODE_CONFIG_DIR}/agents/%s.md", // read besides
				},
				// The shim lets the call go on, and says so once; with fail = "closed" it does not.
				OnFailure:  `runs the tool; with fail = "closed" none that only writes`,
				SessionEnv: "MBGATE_SESSION_ID", // the shim sets it, since OpenCode has none
				Uncovered: []string{
					"a prompt cannot be kept from the model, so it reads mb:clear too, and is asked to pass mbgate's answer on",
					"@file in a prompt reaches the model without a tool call and does not count as read",
					"what you run yourself (!command) fires no hook of a tool",
					"--pure and OPENCODE_PURE load no plugin",
				},
			}
		},
		shape: func(p object) shape {
			if p.text("client") == "opencode" {
				return unmistakable
			}
			return foreign
		},
		decode: openCodeDecode,
		// The shim throws the text of a status 2 as the tool's result, and gives standard output to the model.
		encode: openCodeEncode,
		open:   1,
	}
}

// openCodeEncode answers a prompt by the model. Keeping a prompt from it would take an error, which breaks the session,
// and what a plugin shows to the person is seen in one of the client's screens only, and not for long.
func openCodeEncode(ev event.Event, a Answer) Output {
	if ev.Kind != event.Prompt || a.Verdict != event.Block {
		return plainOutput(ev, a)
	}
	answer := joined(a.ToPerson, a.Text)
	if answer == "" {
		return plainOutput(ev, Answer{Context: a.Context})
	}
	const pass = "mbgate has answered this prompt itself. Repeat its answer to the user word for word, and do nothing else in this turn:\n\n"
	return Output{Stdout: line(joined(a.Context, pass+answer)), Stderr: line(answer)}
}

// openCodeKind says what a hook means. A part of a message that was updated can be a result that was pruned from the
// context, the mark of a compaction in a history that a fork repeats, or nothing of interest; the shim says which by the
// command it calls or, calling `hook`, by a source of "pruned" or "fork". session.compacted comes too late to arm on.
func openCodeKind(hook, subcommand, source string) event.Kind {
	switch hook {
	case "":
		return kindOfCommand(subcommand)
	case "tool.execute.before":
		return event.ToolBefore
	case "tool.execute.after":
		return event.ToolAfter
	case "experimental.session.compacting":
		return event.Compacted
	case "experimental.chat.system.transform":
		return event.Notice
	case "chat.message":
		return event.Prompt
	case "session.deleted":
		return event.SessionEnd
	case "session.idle":
		return event.Stop
	case "session.created":
		if subcommand == "compact" || source == "fork" {
			return event.Forked
		}
		return event.SessionStart
	case "message.part.updated":
		if subcommand == "unread" || source == "pruned" {
			return event.Unread
		}
		if subcommand == "compact" || source == "fork" {
			return event.Forked
		}
	}
	return event.None
}

func openCodeDecode(p object, o Options, ev *event.Event) *InputError {
	f := newFields(p)
	ev.Session = f.session("session_id")
	ev.Name = f.str("hook")
	ev.Call = f.id("call_id")
	ev.Cwd = f.str("directory")
	ev.Source = f.str("source")
	// agent is also sent for a main context ("build"); only a child session is a subagent.
	if parent := f.id("parent_session_id"); parent != "" && parent != ev.Session {
		ev.Sub = event.Sub{ID: ev.Session, Type: f.str("agent")}
		ev.Session = parent
	}
	// Outside a repository the worktree is the root of the file system.
	if w := f.str("worktree"); w != "" && w != "/" {
		ev.Roots = append(ev.Roots, w)
	}
	if ev.Cwd != "" && (len(ev.Roots) == 0 || ev.Roots[0] != ev.Cwd) {
		ev.Roots = append(ev.Roots, ev.Cwd)
	}
	ev.Kind = openCodeKind(ev.Name, o.Subcommand, ev.Source)
	switch ev.Kind {
	case event.SessionEnd:
		if ev.Sub.ID != "" {
			ev.Kind = event.None // the session itself goes on
		}
	case event.ToolBefore, event.ToolAfter:
		openCodeTool(f, ev)
		readsOnly(o, ev)
	case event.Unread:
		openCodeTool(f, ev)
		ev.Path = unreadPath(ev.Tool, ev.Result)
	case event.Prompt:
		ev.Prompt = f.str("prompt")
	case event.Compacted:
		ev.Injects = true
	}
	return *f.err
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

// openCodeTools are the tools of 1.18.33, then those that only earlier versions have. Arguments come as the model wrote
// them, before the client looks at them: relative or absolute, and of any type. A call of a tool that does not exist
// comes as invalid, which does nothing.
func openCodeTools() []toolRow {
	return []toolRow{
		{name: "bash", class: event.Shell, command: "command", workdir: "workdir"},
		{name: "read", class: event.Read, path: "filePath", offset: "offset", limit: "limit"},
		{name: "edit", class: event.Edit, path: "filePath", old: "oldString"},
		{name: "write", class: event.Write, path: "filePath"},
		{name: "apply_patch", class: event.Patch, patch: "patchText"},
		{name: "glob|grep", class: event.Search},
		{name: "task", class: event.Subagent, subagent: "subagent_type"},
		{name: "webfetch|websearch|codesearch", class: event.Fetch},
		{name: "todowrite|todoread|skill|question|plan_enter|plan_exit|invalid", class: event.Other},

		{name: "multiedit", class: event.MultiEdit, path: "filePath"},
		{name: "patch", class: event.Patch, patch: "patchText"},
		{name: "list", class: event.List, path: "path"},
	}
}

func openCodeTool(f fields, ev *event.Event) {
	name := f.str("tool")
	if row := find(openCodeTools(), name, false); row != nil {
		ev.Tool = row.tool(name, f.sub("args"))
	} else {
		f.sub("args") // it must be an object, even where it is not looked into
		// MCP tools are <server>_<tool>, so are many others; both are judged by their arguments.
		ev.Tool = unknownTool(name, f.get("args"))
	}
	if v := f.get("result"); v != nil && ev.Kind != event.ToolBefore {
		ev.Result = openCodeResult(ev.Tool, v)
	}
}

// openCodeResult reads {"title","output","metadata"}, or an MCP tool's {"content":[…]}. For read, metadata.display says
// exactly which lines were shown; images and folders have none, and neither do clients before it came.
func openCodeResult(t event.Tool, v []byte) *event.Result {
	r := textResult(t.Class, v)
	o, _ := members(v)
	meta, _ := members(o.get("metadata"))
	display, ok := members(meta.get("display"))
	if t.Class != event.Read || !ok {
		return r
	}
	if display.text("type") != "file" {
		return &event.Result{HasText: true}
	}
	f := newFields(display)
	s := event.Shown{
		Path: f.str("path"), First: f.number("lineStart"), Last: f.number("lineEnd"), Total: f.number("totalLines"),
		Text: f.str("text"), HasText: f.get("text") != nil,
	}
	if *f.err != nil || s.First < 1 {
		return r
	}
	if s.Path == "" && len(t.Paths) > 0 {
		s.Path = t.Paths[0].Path
	}
	return &event.Result{HasText: true, Shown: []event.Shown{s}}
}
