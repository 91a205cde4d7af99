package agents

import (
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/wire"
)

// Claude Code's shape, as Claude Code and those that copy it speak it.

// claudeEvents are what the events of Claude Code mean. SubagentStart and SubagentStop say nothing about a compaction (they
// fire for its own helper too), PostToolBatch repeats PostToolUse.
func claudeEvents() []wire.KindRow {
	return []wire.KindRow{
		{Name: "PreToolUse", Kind: event.ToolBefore},
		{Name: "PostToolUse", Kind: event.ToolAfter},
		{Name: "PostToolUseFailure", Kind: event.ToolAfter},
		{Name: "PreCompact", Kind: event.Compacting},
		{Name: "PostCompact", Kind: event.Compacted},
		{Name: "SessionStart(compact)", Kind: event.Compacted},
		{Name: "SessionStart(fork)", Kind: event.Forked},
		{Name: "SessionStart", Kind: event.SessionStart},
		{Name: "SessionEnd", Kind: event.SessionEnd},
		{Name: "UserPromptSubmit", Kind: event.Prompt},
		{Name: "Stop", Kind: event.Stop},
		{Name: "ConfigChange", Kind: event.ConfigChange},
	}
}

func claudeKind(name, source string) event.Kind { return wire.KindOf(claudeEvents(), name, source) }

// claudeLike reads payloads of the shape. The fields say how an agent differs; nil is "not at all".
type claudeLike struct {
	// turn is the field with the id of the turn, "" for none.
	turn string
	// projectVar is the environment variable that names the project, "" for none.
	projectVar string
	// kind says what an event means that has a name; nil is Claude Code's claudeKind.
	kind func(ev *event.Event, o wire.Options) event.Kind
	// tools are the agent's tools, result what a result of one shows, failure what a command printed that ended in a
	// PostToolUseFailure.
	tools   func() []wire.ToolRow
	result  func(t event.Tool, v []byte) *event.Result
	failure func(t event.Tool, text string) (output string, ok bool)
	// injects reports whether the output for the event reaches the model; nil is injectsAtStart.
	injects func(ev *event.Event) bool
	// synthetic reports whether the agent wrote a prompt itself.
	synthetic func(prompt string) bool
	// call reads a call where tools do not say it all; nil is claudeLike.tool.
	call func(f wire.Fields, o wire.Options, ev *event.Event)
	// more reads what only this agent says.
	more func(f wire.Fields, o wire.Options, ev *event.Event)
}

func (c claudeLike) decode(p wire.Object, o wire.Options, ev *event.Event) *wire.InputError {
	f := wire.NewFields(p)
	ev.Session = f.Session("session_id")
	ev.Name = f.Str("hook_event_name")
	ev.Cwd = f.Str("cwd") // with Codex, of a shell call its own folder
	if c.turn != "" {
		ev.Turn = f.ID(c.turn)
	}
	ev.Call = f.ID("tool_use_id")
	// The type comes without an id where a person started a main context as that agent (documented, --agent).
	ev.Sub = event.Sub{ID: f.ID("agent_id"), Type: f.Str("agent_type")}
	if root := o.Env(c.projectVar); root != "" {
		ev.Roots = []string{root}
	}
	ev.Source, ev.Trigger = f.Str("source"), f.Str("trigger")
	switch {
	case ev.Name == "" && c.kind == nil:
		ev.Kind = wire.KindOfCommand(o.Subcommand)
	case c.kind == nil:
		ev.Kind = claudeKind(ev.Name, ev.Source)
	default:
		ev.Kind = c.kind(ev, o)
	}
	switch ev.Kind {
	case event.SessionStart, event.Compacting, event.Compacted, event.Forked:
	default:
		ev.Source = "" // it says where a session comes from; other events mean other things by it
	}
	if c.injects == nil {
		c.injects = injectsAtStart
	}
	ev.Injects = c.injects(ev)
	if c.call == nil {
		c.call = c.tool
	}
	readDetails(f, o, ev, c.call)
	if c.synthetic != nil {
		ev.Synthetic = ev.Kind == event.Prompt && c.synthetic(ev.Prompt)
	}
	if c.more != nil {
		c.more(f, o, ev)
	}
	return f.Err()
}

// readDetails reads what events of a kind have besides: the call, the prompt, the file.
func readDetails(f wire.Fields, o wire.Options, ev *event.Event, call func(wire.Fields, wire.Options, *event.Event)) {
	switch ev.Kind {
	case event.ToolBefore, event.ToolAfter:
		call(f, o, ev)
		wire.ReadsOnly(o, ev)
	case event.Prompt:
		ev.Prompt = f.Str("prompt")
	case event.Stop:
		ev.StopActive = f.Bool("stop_hook_active")
	case event.ConfigChange, event.Unread:
		ev.Path = f.Str("file_path")
	}
}

// tool reads a call and its result.
func (c claudeLike) tool(f wire.Fields, _ wire.Options, ev *event.Event) {
	ev.Tool = wire.Call(c.tools(), f.Str("tool_name"), f, "tool_input")
	v := f.Get("tool_response")
	switch {
	case ev.Kind != event.ToolAfter:
	case ev.Name == "PostToolUseFailure":
		ev.Result = &event.Result{Failed: true}
		if c.failure != nil && ev.Tool.Class == event.Shell {
			ev.Result.Text, ev.Result.HasText = c.failure(ev.Tool, f.Str("error"))
		}
	case v != nil:
		ev.Result = c.result(ev.Tool, v)
	}
}

// injectsAtStart: PostCompact's output goes to the person's screen, or nowhere; SessionStart is what the model is given.
// Codex sends SessionStart(compact) after a manual compaction with the next prompt, and in a subagent never.
func injectsAtStart(ev *event.Event) bool {
	return (ev.Kind == event.Compacted || ev.Kind == event.Forked) && ev.Name != "PostCompact"
}

// transcriptPath is the path of the transcript, with slashes: the folder in it is an agent's own.
func transcriptPath(p wire.Object) string {
	return strings.ReplaceAll(p.Text("transcript_path"), `\`, "/")
}

// beginsWith reports whether a prompt begins with one of the marks.
func beginsWith(prompt string, marks ...string) bool {
	prompt = strings.TrimSpace(prompt)
	return slices.ContainsFunc(marks, func(m string) bool { return strings.HasPrefix(prompt, m) })
}

// claudeSynthetic reports whether Claude Code wrote a prompt itself. Observed is the first; the others are how it marks its own
// words elsewhere in the conversation.
func claudeSynthetic(prompt string) bool {
	return beginsWith(prompt, "<task-notification>", "<system-reminder>", "<local-command-", "<teammate-message")
}

// jsonAnswers is how an agent is answered: a refusal is status 2 with the reason on standard error, everything else is JSON on
// standard output.
type jsonAnswers struct {
	// stop is the decision that makes the model go on instead of stopping.
	stop string
	// name is the event's name for hookSpecificOutput, "" where the agent takes none.
	name func(ev event.Event) string
	// plain are the names, with blanks around, of which the model gets plain text, too.
	plain string
}

func (j jsonAnswers) encode(ev event.Event, a wire.Answer) wire.Output {
	switch {
	case a.Verdict == event.Block && wire.Refusable(ev.Kind):
		return wire.Refusal(ev, a)
	case ev.Kind == event.Stop && a.Text != "":
		// The one way to say something to the model when it stops; it goes on for it.
		return wire.Decided(j.stop, a.Text, a.ToPerson)
	}
	text, name := wire.Cap(wire.Joined(a.Context, a.Text), ev.Client), j.name(ev)
	// Plain text that begins with a brace would be taken for JSON.
	if a.ToPerson == "" && strings.Contains(j.plain, " "+name+" ") && !strings.HasPrefix(strings.TrimSpace(text), "{") {
		return wire.Output{Stdout: wire.Line(text)}
	}
	return wire.Specific(name, text, a.ToPerson)
}

// claudeName is the event's name for hookSpecificOutput in the shape.
func claudeName(ev event.Event) string {
	switch ev.Kind {
	case event.ToolBefore:
		return "PreToolUse"
	case event.ToolAfter:
		return "PostToolUse"
	case event.Prompt:
		return "UserPromptSubmit"
	case event.SessionStart:
		return "SessionStart"
	case event.Compacted, event.Forked:
		if ev.Injects {
			return "SessionStart"
		}
	}
	return ""
}

// honoursClaude: status 2 with a reason refuses a call, and so does a denial in JSON with status 0.
func honoursClaude(r Reply) (refused bool, why string) {
	d := r.decision()
	if r.Reasoned() || r.Exit == 0 && (d.denies() || d.Decision == "block" && d.Reason != "") {
		return true, ""
	}
	return false, r.unheeded()
}
