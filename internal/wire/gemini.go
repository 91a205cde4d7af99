package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

// Gemini CLI: everything here was observed with 0.61.0 unless a comment says otherwise.
//
// A payload has session_id, transcript_path, cwd, hook_event_name and timestamp. There is no id of a call and no sign of
// a subagent: its calls come with the parent's session, between the BeforeTool and the AfterTool of invoke_agent. The
// calls of one answer of the model run side by side, but for replace and write_file; all their BeforeTools come first
// (seen in source), so that one which comes between a subagent's request and the AfterTool is the subagent's.

func gemini() adapter {
	return adapter{
		aliases: []string{"gemini-cli"},
		client: func() *event.Client {
			return &event.Client{
				Name: "gemini", Title: "Gemini CLI", Observed: "0.61.0",
				NamesSubagents: false, BracketsSubagents: true, PromptEvents: true, AfterEvents: true,
				// Nothing that is printed with BeforeModel reaches the model.
				InjectsAtCompaction: false, InjectsAtStart: true, InjectsAtPrompt: true, InjectsAfterTools: true,
				RemindsBefore: false, RefusesPrompts: true, Summarises: true,
				// Seen in source: read_file shows 2,000 lines and cuts each after 2,000 characters.
				LineCut: 2_000, ReadLines: 2_000,
				ReadTool:   event.ReadTool{Tool: "read_file", Path: "file_path", Offset: "start_line", Last: "end_line"},
				AgentFiles: []string{".gemini/agents/%s.md", "~/.gemini/agents/%s.md"}, // documented
				Signals:    []string{"BeforeModel (a new <state_snapshot>)"},
				OnFailure:  "refuses the tool if the hook is missing or ends in another status than 0 and 1, runs it if the hook takes too long",
				Uncovered: []string{
					"@file in a prompt reaches the model without a tool call and does not count as read",
					"results of tools that are older than the last 50,000 tokens or so are masked without a word, so a document can fall out of the context unnoticed",
					"subagents that run at the same time are taken for one, since their calls do not say whose they are",
					"in ACP mode (--acp, as editors start it) tools run without any hook",
					"with experimental.contextManagement the history is shortened without any event",
				},
			}
		},
		shape:  geminiShape,
		inside: func(o Options) bool { return o.env("GEMINI_SESSION_ID") != "" },
		decode: geminiDecode,
		encode: geminiEncode,
		open:   0, // 1 lets the call through as well, but only of a tool call was that seen; any other status refuses it
	}
}

// geminiShape: the folder is Gemini's own; half of the names of its events are, but clones have them too.
func geminiShape(p object) shape {
	name := p.text("hook_event_name")
	if name == "" || p.text("timestamp") == "" || p.get("permission_mode") != nil {
		return foreign
	}
	transcript := strings.ReplaceAll(p.text("transcript_path"), `\`, "/")
	if strings.Contains(transcript, "/.gemini/tmp/") {
		return unmistakable
	}
	switch name {
	case "BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel", "BeforeToolSelection", "PreCompress":
		return strong
	}
	if strings.HasPrefix(path.Base(transcript), "session-") && strings.Contains(transcript, "/chats/") {
		return strong // the folder was moved
	}
	return foreign
}

// geminiKind says what an event means. PreCompress(auto) fires before every request, whether or not anything is
// compressed, PreCompress(manual) for each /compress, also one that finds nothing to compress (observed). What tells is
// the next request.
func geminiKind(name, trigger string) event.Kind {
	switch name {
	case "BeforeTool":
		return event.ToolBefore
	case "AfterTool":
		return event.ToolAfter
	case "BeforeAgent":
		return event.Prompt
	case "AfterAgent":
		return event.Stop
	case "BeforeModel":
		return event.Notice
	case "PreCompress":
		if trigger == "manual" {
			return event.Compacting
		}
	case "SessionStart":
		return event.SessionStart
	case "SessionEnd":
		return event.SessionEnd
	}
	return event.None
}

func geminiDecode(p object, o Options, ev *event.Event) *InputError {
	f := newFields(p)
	ev.Session = f.session("session_id")
	ev.Name = f.str("hook_event_name")
	ev.Cwd = f.str("cwd")
	if root := o.env("GEMINI_PROJECT_DIR"); root != "" {
		ev.Roots = []string{root}
	}
	ev.Source, ev.Trigger = f.str("source"), f.str("trigger")
	if ev.Name == "" {
		ev.Kind = kindOfCommand(o.Subcommand)
	} else {
		ev.Kind = geminiKind(ev.Name, ev.Trigger)
	}
	switch ev.Kind {
	case event.ToolBefore, event.ToolAfter:
		geminiTool(f, ev)
		readsOnly(o, ev)
	case event.Prompt:
		// The text of files that the person named with @ is behind the prompt; it is no word of the person.
		ev.Prompt, _, _ = strings.Cut(geminiPrompt(f.str("prompt")), "\n--- Content from referenced files ---\n")
		ev.Synthetic = geminiMadeUp(ev.Prompt)
	case event.Stop:
		ev.StopActive = f.truth("stop_hook_active")
	case event.Notice:
		if ev.Name != "" {
			geminiRequest(f, ev)
		}
	case event.Unread:
		ev.Path = f.str("file_path")
	}
	return *f.err
}

// geminiPrompt is a prompt without what hooks gave at the session's start: headless, the client puts that before the first
// prompt of each process, with < and > in it written as entities. The prompt is empty where there is nothing else.
func geminiPrompt(prompt string) string {
	if rest, ok := strings.CutPrefix(prompt, "<hook_context>"); ok {
		if _, said, ended := strings.Cut(rest, "</hook_context>"); ended {
			return strings.TrimLeft(said, "\n")
		}
		return ""
	}
	return prompt
}

// geminiMadeUp: how the client makes the model go on by itself (seen in source), and our own reminder, which comes back as
// a prompt when it kept the model from stopping.
func geminiMadeUp(prompt string) bool {
	prompt = strings.TrimSpace(prompt)
	return prompt == "System: Please continue." || strings.HasPrefix(prompt, "mbgate: this session wrote code")
}

// geminiRequest looks at the request that a BeforeModel announces. After a compression it begins with a message of the
// user that holds <session_context> and <state_snapshot>, and a fixed answer to it. Only the part from the snapshot on
// is a sign: the session context has the date and a list of files, and is made anew at each resume. A request of a
// subagent never begins with a session context (seen in source, and observed): that is how it is told, since nothing else
// of a subagent's events is.
func geminiRequest(f fields, ev *event.Event) {
	list, ok := elements(f.sub("llm_request").get("messages"))
	if !ok || len(list) == 0 {
		ev.Kind = event.None // whose it is cannot be told
		return
	}
	first := geminiMessage(list[0])
	context, main := strings.CutPrefix(strings.TrimLeft(first, "\n"), "<session_context>")
	_, snapshot, _ := strings.Cut(context, "</session_context>")
	if !main {
		ev.Sub.ID = event.Unnamed
		snapshot = first
	}
	if len(list) < 2 || strings.TrimSpace(geminiMessage(list[1])) != "Got it. Thanks for the additional context!" {
		return
	}
	if at := strings.Index(snapshot, "<state_snapshot>"); at >= 0 {
		snapshot = snapshot[at:]
	}
	// A model that did not keep to the tag was seen to be believed by the client: any text is a summary there.
	if snapshot = strings.TrimSpace(snapshot); snapshot != "" {
		sum := sha256.Sum256([]byte(snapshot))
		ev.Summary = hex.EncodeToString(sum[:16])
	}
}

func geminiMessage(v []byte) string {
	o, _ := members(v)
	text, _ := printed(o.get("content"))
	return text
}

// geminiTools are the tools of 0.61.0. Paths come as the model wrote them, relative to the session's folder or absolute.
func geminiTools() []toolRow {
	return []toolRow{
		{name: "run_shell_command", class: event.Shell, command: "command", workdir: "dir_path"},
		{name: "read_file", class: event.Read, path: "file_path|absolute_path", offset: "start_line"},
		{name: "write_file", class: event.Write, path: "file_path"},
		{name: "replace", class: event.Edit, path: "file_path", old: "old_string"},
		{name: "glob|grep_search|search_file_content", class: event.Search},
		{name: "list_directory", class: event.List, path: "dir_path|path"},
		{name: "invoke_agent", class: event.Subagent, subagent: "agent_name"},
		{name: "web_fetch|google_web_search", class: event.Fetch},
		{name: "write_todos|activate_skill|update_topic|read_background_output|ask_user|enter_plan_mode|exit_plan_mode|complete_task", class: event.Other},
	}
}

func geminiTool(f fields, ev *event.Event) {
	name := f.str("tool_name")
	in := f.sub("tool_input")
	if row := find(geminiTools(), name, false); row != nil {
		ev.Tool = row.tool(name, in)
		if row.class == event.Read {
			if last := in.number("end_line"); last > 0 {
				ev.Tool.Offset = max(ev.Tool.Offset, 1)
				ev.Tool.Limit = max(last-ev.Tool.Offset+1, 0)
			}
		}
	} else {
		ev.Tool = unknownTool(name, f.get("tool_input"))
		if ev.Tool.Class == event.Other && f.get("mcp_context") != nil {
			ev.Tool.Class = event.MCP
		}
	}
	if v := f.get("tool_response"); v != nil && ev.Kind == event.ToolAfter {
		ev.Result = geminiResult(ev.Tool, v)
	}
}

// geminiEncode: a refusal is status 2 with the reason on standard error; on standard output a text would be the reason
// instead, and JSON that denies nothing would let the call through. The person sees whatever is printed otherwise.
func geminiEncode(ev event.Event, a Answer) Output {
	if a.Verdict == event.Block && refusable(ev.Kind) {
		return refusal(ev, a)
	}
	text := joined(a.Context, a.Text)
	switch ev.Kind {
	case event.Prompt:
		return specific("BeforeAgent", text, a.ToPerson)
	case event.ToolAfter:
		return specific("AfterTool", text, a.ToPerson)
	case event.SessionStart:
		return specific("SessionStart", text, a.ToPerson)
	case event.ToolBefore:
		// Context is not delivered here, so that a reminder can only be shown to the person.
		return specific("", "", joined(a.ToPerson, a.Text))
	case event.Stop:
		if a.Text != "" {
			return Output{Stdout: jsonLine(stopAnswer{Decision: "deny", Reason: a.Text, SystemMessage: a.ToPerson})}
		}
	}
	return specific("", "", a.ToPerson)
}
