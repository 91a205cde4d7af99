package agents

import (
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/settings"
	"github.com/mbgate/mbgate/internal/wire"
)

// Kiro, its IDE from 1.4.121 and its CLI from 3.1 on, by kiro.dev/docs/hooks and recorded payloads in awslabs/aidlc-workflows.
// Its hooks lie in files of a list, so that ours is one of our own. It names neither a transcript nor the id of a call.

func kiro() Agent {
	return byContract(host{
		facts: event.Client{
			Name: "kiro", Title: "Kiro", Documented: "kiro.dev/docs/hooks, IDE 1.4.121, CLI 3.1",
			PromptEvents: true, AfterEvents: true,
			InjectsAtCompaction: true, InjectsAtStart: true, InjectsAtPrompt: true,
			ReadTool:  event.ReadTool{Tool: "read_file", Path: "path", Offset: "offset", Limit: "limit"},
			Signals:   []string{"PostCompact"},
			OnFailure: "runs the tool",
			Uncovered: []string{
				"before IDE 1.4.121 and CLI 3.1 no event tells of a compaction, and some builds send no session: nothing is gated there",
				"a prompt is not known to be kept from the model, so it may read mb:clear too",
				"subagents are not named, so their calls are judged as the session's own",
			},
		},
		aliases: []string{"kiro-cli"},
		// Sessions are sess_…, and what others always send is missing; the tools tell the builds that have other ids.
		shape: func(p wire.Object) wire.Shape {
			for _, key := range [...]string{"transcript_path", "tool_use_id", "timestamp", "turn_id", "conversation_id", "permission_mode"} {
				if p.Has(key) {
					return wire.Foreign
				}
			}
			switch {
			case strings.HasPrefix(p.Text("session_id"), "sess_"):
				return wire.Unmistakable
			case wire.Find(kiroTools(), p.Text("tool_name"), false) != nil:
				return wire.Strong
			}
			return wire.Foreign
		},
		tools: kiroTools,
		head:  `{"session_id":"sess_%session","cwd":"%cwd",`,
		write: "fs_write", path: "path",
		before: "plugin", compacted: "PostCompact", compaction: `"summary":"x"`,
		config: func() settings.Client {
			return settings.Client{
				User:    settings.Place{Path: ".kiro/hooks/mbgate.json"},
				Project: settings.Place{Path: ".kiro/hooks/mbgate.json", Shared: true},
				Plugin:  kiroHooks, Comment: settings.LastName,
				Compact: "/compact",
				Start:   "start Kiro again",
			}
		},
		trace: Trace{Process: "kiro-cli|kiro-cli-chat"},
	})
}

func kiroTools() []wire.ToolRow {
	return []wire.ToolRow{
		{Name: "execute_bash|execute_cmd|execute_pwsh|shell", Class: event.Shell, Command: "command", Workdir: "cwd"},
		{Name: "read_file", Class: event.Read, Path: "path", Offset: "offset", Limit: "limit"},
		{Name: "fs_write|fs_append", Class: event.Write, Path: "path"},
		{Name: "str_replace", Class: event.Edit, Path: "path", Old: "oldStr"},
		{Name: "delete_file", Class: event.Delete, Path: "targetFile"},
		{Name: "grep_search|file_search", Class: event.Search},
		{Name: "list_directory", Class: event.List, Path: "path"},
		{Name: "invoke_sub_agent", Class: event.Subagent, Subagent: "name"},
	}
}

// kiroHooks is the text of the file, without the name of the last hook, which settings seals it with.
func kiroHooks() string {
	var b strings.Builder
	b.WriteString(`{"version":"v1","hooks":[` + "\n")
	for i, trigger := range [...]string{"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostCompact", "Stop"} {
		if i > 0 {
			b.WriteString(`"name":"mbgate"},` + "\n")
		}
		b.WriteString(`{"trigger":"` + trigger + `","timeout":10,"enabled":true,"action":{"type":"command","command":"mbgate hook kiro"},` + "\n")
	}
	return b.String()
}
