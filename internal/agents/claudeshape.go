package agents

import (
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/wire"
)

// Claude Code's shape, as Claude Code and those that copy it speak it.

// claudeKind says what an event of Claude Code means. SubagentStart and SubagentStop say nothing about a compaction
// (they fire for its own helper too), PostToolBatch repeats PostToolUse.
func claudeKind(name, source string) event.Kind {
	switch name {
	case "PreToolUse":
		return event.ToolBefore
	case "PostToolUse", "PostToolUseFailure":
		return event.ToolAfter
	case "PreCompact":
		return event.Compacting
	case "PostCompact":
		return event.Compacted
	case "SessionStart":
		switch source {
		case "compact":
			return event.Compacted
		case "fork":
			return event.Forked
		}
		return event.SessionStart
	case "SessionEnd":
		return event.SessionEnd
	case "UserPromptSubmit":
		return event.Prompt
	case "Stop":
		return event.Stop
	case "ConfigChange":
		return event.ConfigChange
	}
	return event.None
}

// claudeLike reads payloads of the shape. The fields say how an agent differs.
type claudeLike struct {
	// turn is the field with the id of the turn.
	turn string
	// projectVar is the environment variable that names the project, "" for none.
	projectVar string
	kind       func(name, source string) event.Kind
	tool       func(f wire.Fields, ev *event.Event)
	// injects reports whether the output for the event reaches the model.
	injects func(ev *event.Event, source string) bool
	// synthetic reports whether the agent wrote a prompt itself.
	synthetic func(prompt string) bool
	// subagentType is the type of a subagent by its id where no field says it; nil is "not known".
	subagentType func(id string) string
}

func (c claudeLike) decode(p wire.Object, o wire.Options, ev *event.Event) *wire.InputError {
	f := wire.NewFields(p)
	ev.Session = f.Session("session_id")
	ev.Name = f.Str("hook_event_name")
	ev.Cwd = f.Str("cwd") // with Codex, of a shell call its own folder
	ev.Turn = f.ID(c.turn)
	ev.Call = f.ID("tool_use_id")
	// The type comes without an id where a person started a main context as that agent (documented, --agent).
	ev.Sub = event.Sub{ID: f.ID("agent_id"), Type: f.Str("agent_type")}
	if ev.Sub.Type == "" && c.subagentType != nil {
		ev.Sub.Type = c.subagentType(ev.Sub.ID)
	}
	if root := o.Env(c.projectVar); root != "" {
		ev.Roots = []string{root}
	}
	source := f.Str("source")
	if ev.Name != "" {
		ev.Kind = c.kind(ev.Name, source)
	} else {
		ev.Kind = wire.KindOfCommand(o.Subcommand)
	}
	ev.Injects = c.injects(ev, source)
	switch ev.Kind {
	case event.SessionStart, event.Compacting, event.Compacted, event.Forked:
		ev.Source, ev.Trigger = source, f.Str("trigger")
	case event.ToolBefore, event.ToolAfter:
		c.tool(f, ev)
		wire.ReadsOnly(o, ev)
	case event.Prompt:
		ev.Prompt = f.Str("prompt")
		ev.Synthetic = c.synthetic(ev.Prompt)
	case event.Stop:
		ev.StopActive = f.Bool("stop_hook_active")
	case event.ConfigChange, event.Unread:
		ev.Path = f.Str("file_path")
	}
	return f.Err()
}

// injectsAtStart: PostCompact's output goes to the person's screen, or nowhere; SessionStart is what the model is given.
// Codex sends SessionStart(compact) after a manual compaction with the next prompt, and in a subagent never.
func injectsAtStart(ev *event.Event, _ string) bool {
	return (ev.Kind == event.Compacted || ev.Kind == event.Forked) && ev.Name != "PostCompact"
}

// claudeSynthetic reports whether Claude Code wrote a prompt itself. Observed is the first; the others are how it marks its own
// words elsewhere in the conversation.
func claudeSynthetic(prompt string) bool {
	prompt = strings.TrimSpace(prompt)
	for _, tag := range [...]string{"<task-notification>", "<system-reminder>", "<local-command-", "<teammate-message"} {
		if strings.HasPrefix(prompt, tag) {
			return true
		}
	}
	return false
}

// encodeLikeClaude is the answer of the copies: a refusal is status 2, everything else is JSON. name is the event's for
// hookSpecificOutput, maxBytes is how much the model is given, 0 for no cap.
func encodeLikeClaude(ev event.Event, a wire.Answer, name string, maxBytes int) wire.Output {
	switch {
	case a.Verdict == event.Block && wire.Refusable(ev.Kind):
		return wire.Refusal(ev, a)
	case ev.Kind == event.Stop && a.Text != "":
		return wire.KeepGoing("block", a.Text, a.ToPerson)
	}
	return wire.Specific(name, wire.CutBytes(wire.Joined(a.Context, a.Text), maxBytes), a.ToPerson)
}

// claudeCopyName is the event's name for hookSpecificOutput in the copies, "" where they take none.
func claudeCopyName(ev event.Event) string {
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
