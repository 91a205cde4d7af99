package agents

import (
	"slices"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/settings"
	"github.com/mbgate/mbgate/internal/wire"
)

// Qoder and CodeBuddy copy Claude Code whole: its events, tools, subagents and settings, in folders of their own. Read in
// docs.qoder.com/cli/hooks (1.1.60) and codebuddy.ai/docs/cli/hooks (2.156).

func qoder() Agent { return claudeClone("qoder", "Qoder", "docs.qoder.com, 1.1.60", "qodercli", nil) }

func codeBuddy() Agent {
	return claudeClone("codebuddy", "CodeBuddy", "codebuddy.ai/docs/cli/hooks, 2.156", "codebuddy",
		// generation_id is Cursor's too, which sends it with a conversation_id.
		func(p wire.Object) wire.Shape {
			if p.Get("generation_id") != nil && p.Get("conversation_id") == nil {
				return wire.Strong
			}
			return wire.Foreign
		}, "CodeBuddy's IDE sends seven events with other tools and none after a compaction: there only reminders and the write guard work")
}

func claudeClone(name, title, documented, process string, shape func(wire.Object) wire.Shape, uncovered ...string) Agent {
	return byContract(host{
		facts: event.Client{
			Name: name, Title: title, Documented: documented,
			NamesSubagents: true, PromptEvents: true, AfterEvents: true,
			InjectsAtCompaction: true, InjectsAtStart: true, InjectsAtPrompt: true, InjectsAfterTools: true, RefusesPrompts: true,
			ReadTool:  event.ReadTool{Tool: "Read", Path: "file_path", Offset: "offset", Limit: "limit"},
			Signals:   []string{"SessionStart(compact)", "PostCompact"},
			OnFailure: "runs the tool",
			Uncovered: append(uncovered, "@file in a prompt, and what the client puts back after a compaction, count only when they are read again"),
		},
		mark: "/." + name + "/", shape: shape, tools: claudeTools,
		head:  `{"session_id":"%session","transcript_path":"%home/.` + name + `/projects/mbgate/%session.jsonl","cwd":"%cwd","permission_mode":"default",`,
		write: "Write", path: "file_path",
		compacted: "SessionStart", compaction: `"source":"compact"`,
		config: func() settings.Client {
			c := claudeLayout("."+name, "settings.json", "agents")
			c.Others = []settings.Place{{Path: "." + name + "/settings.local.json"}}
			c.Events = slices.Insert(c.Events, 5, settings.Hook{Event: "PostToolUseFailure", Matcher: "*"}, settings.Hook{Event: "PostCompact"})
			c.Start = "start " + title + " again"
			return c
		},
		trace: Trace{Process: process},
	})
}
