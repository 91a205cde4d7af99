package agents

import (
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/settings"
	"github.com/mbgate/mbgate/internal/wire"
)

// Google Antigravity, its editor and agy, by antigravity.google/docs/hooks (1.5) and public adapters. A group of hooks has a name;
// one wrong key drops the whole file. Only the event before a call names the tool, so calls are taken for what they attempt.

func antigravity() Agent {
	facts := event.Client{
		Name: "antigravity", Title: "Antigravity", Documented: "antigravity.google/docs/hooks, 1.5",
		ReadTool:  event.ReadTool{Tool: "view_file", Path: "AbsolutePath", Offset: "StartLine", Last: "EndLine"},
		OnFailure: "refuses the tool if the hook's answer is no decision",
		Uncovered: []string{
			"no event tells of a compaction, so the recovery gate never closes: the write guard, the patterns and noted denies are left",
			"the answer that decides nothing is \"ask\", so it may ask you about a call that it would have run; a call that you chose to allow always is not asked about",
			"hooks see neither prompts nor results: the mb: words are not heard, and a call to read counts as a read",
		},
	}
	return Agent{
		Adapter: wire.Adapter{
			Aliases: []string{"agy"},
			Facts:   func() *event.Client { return &facts },
			Shape: func(p wire.Object) wire.Shape {
				if p.Text("conversationId") == "" || p.Get("workspacePaths") == nil {
					return wire.Foreign
				}
				return wire.Unmistakable
			},
			Decode:  antigravityDecode,
			Neutral: `{"decision":"ask"}`,
			Encode: func(ev event.Event, a wire.Answer) wire.Output {
				if a.Verdict != event.Block || ev.Kind != event.ToolBefore {
					return wire.Output{}
				}
				why := strings.TrimSpace(string(wire.Refusal(ev, a).Stderr))
				return wire.Output{Stdout: wire.JSONLine(map[string]any{"decision": "deny", "reason": why})}
			},
		},
		Config: func() settings.Client {
			return settings.Client{
				User:    settings.Place{Path: ".gemini/config/hooks.json"},
				Project: settings.Place{Path: ".agents/hooks.json", Shared: true},
				Holder:  "mbgate", Strict: true, Form: settings.GuardedForm,
				Events: []settings.Hook{{Event: "PreToolUse", Matcher: "*"}},
				Start:  "start Antigravity again",
			}
		},
		Samples: func() Samples {
			const head = `{"conversationId":"%session","workspacePaths":["%cwd"],"stepIdx":7,"toolCall":`
			return Samples{
				Before: "PreToolUse",
				Read:   head + `{"name":"view_file","args":{"AbsolutePath":"%read"}}}`,
				Write:  head + `{"name":"write_to_file","args":{"TargetFile":"%write","CodeContent":"x"}}}`,
			}
		},
		Honours: func(r Reply) (refused bool, why string) {
			if d := r.decision(); d.Decision == "deny" && d.Reason != "" {
				return true, ""
			}
			return false, r.unheeded()
		},
		Trace: Trace{Markers: "ANTIGRAVITY_AGENT", Process: "agy"}, // microsoft/vscode #311734
	}
}

func antigravityDecode(p wire.Object, _ wire.Options, ev *event.Event) *wire.InputError {
	f := wire.NewFields(p)
	ev.Session, ev.Roots = f.Session("conversationId"), f.Strs("workspacePaths")
	if len(ev.Roots) > 0 {
		ev.Cwd = ev.Roots[0]
	}
	if call := f.Sub("toolCall"); call.Object != nil {
		ev.Kind, ev.Name = event.ToolBefore, "PreToolUse"
		ev.Tool = wire.Call([]wire.ToolRow{
			{Name: "run_command", Class: event.Shell, Command: "CommandLine", Workdir: "Cwd"},
			{Name: "view_file", Class: event.Read, Path: "AbsolutePath", Offset: "StartLine", Last: "EndLine"},
			{Name: "write_to_file", Class: event.Write, Path: "TargetFile"},
			{Name: "replace_file_content|multi_replace_file_content", Class: event.Edit, Path: "TargetFile"},
			{Name: "list_dir", Class: event.List, Path: "DirectoryPath"},
			{Name: "find_by_name|grep_search|codebase_search", Class: event.Search},
		}, call.Str("name"), call, "args")
	}
	return f.Err()
}
