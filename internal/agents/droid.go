package agents

import (
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/settings"
	"github.com/mbgate/mbgate/internal/wire"
)

// Factory Droid, by docs.factory.ai/harness/hooks and its reference of 0.225. Its hooks.json holds the events at its top.

func droid() Agent {
	return byContract(host{
		facts: event.Client{
			Name: "droid", Title: "Factory Droid", Documented: "docs.factory.ai, 0.225",
			PromptEvents: true, AfterEvents: true,
			InjectsAtCompaction: true, InjectsAtStart: true, InjectsAtPrompt: true, InjectsAfterTools: true, RefusesPrompts: true,
			ReadTool:  event.ReadTool{Tool: "Read", Path: "file_path", Offset: "offset", Limit: "limit", FromZero: true},
			Signals:   []string{"SessionStart(compact)"},
			OnFailure: "runs the tool",
			Uncovered: []string{
				"a compaction starts a new session id, so what was read before is not known and the recovery asks for the fallback documents",
				"hooksDisabled and allowManagedHooksOnly turn hooks off",
			},
		},
		aliases: []string{"factory", "factory-droid"},
		mark:    "/.factory/", projectVar: "FACTORY_PROJECT_DIR",
		tools: func() []wire.ToolRow {
			return []wire.ToolRow{
				{Name: "Execute", Class: event.Shell, Command: "command"},
				{Name: "Read", Class: event.Read, Path: "file_path", Offset: "offset", Limit: "limit", FromZero: true},
				{Name: "Create", Class: event.Write, Path: "file_path"},
				{Name: "Edit|MultiEdit", Class: event.Edit, Path: "file_path", Old: "old_str"},
				{Name: "ApplyPatch", Class: event.Patch, Patch: "input"},
				{Name: "Grep|Glob", Class: event.Search},
				{Name: "LS", Class: event.List, Path: "directory_path"},
				{Name: "Task", Class: event.Subagent, Subagent: "subagent_type"},
				{Name: "WebSearch|FetchUrl", Class: event.Fetch},
				{Name: "TodoWrite|Skill|AskUser|ExitSpecMode", Class: event.Other},
			}
		},
		head:  `{"session_id":"%session","transcript_path":"%home/.factory/projects/mbgate/%session.jsonl","cwd":"%cwd","permission_mode":"off",`,
		write: "Create", path: "file_path",
		compacted: "SessionStart", compaction: `"source":"compact"`,
		config: func() settings.Client {
			c := claudeLayout(".factory", "hooks.json", "droids")
			c.Holder = "."
			c.Trust = "Droid reads its hooks at the start and asks to review those that changed: /hooks"
			c.Start = "start Droid again"
			c.Definition.Head = "---\nname: %name\ndescription: %description\nmodel: inherit\ntools: [%tools]\n---\n\n"
			c.Definition.Reader = `"Read", "LS", "Grep", "Glob"`
			c.Definition.Writer = `"Read", "LS", "Grep", "Glob", "Create", "Edit"`
			return c
		},
		trace: Trace{Process: "droid"},
	})
}
