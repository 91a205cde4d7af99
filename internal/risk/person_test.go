package risk_test

import (
	"testing"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place/placetest"
	"github.com/mbgate/mbgate/internal/risk"
	"github.com/mbgate/mbgate/internal/risk/reason"
)

func TestOnlyAPersonSendsAPersonsWords(t *testing.T) {
	w := risk.World{Files: placetest.New("/repo").File("/repo/a.go", "x"), Root: "/repo", HasBank: true}
	for _, c := range []struct {
		name    string
		tool    event.Tool
		refused bool
	}{
		{"a scheduled prompt", event.Tool{Name: "ScheduleWakeup", Class: event.Other, PersonWord: "mb:clear"}, true},
		{"an MCP prompt", event.Tool{Name: "mcp__x__send", Class: event.MCP, PersonWord: "mb:no"}, true},
		{"a nested agent", event.Tool{Class: event.Shell, Command: `claude -p --resume s1 "mb:clear"`}, true},
		{"a terminal that is typed into", event.Tool{Class: event.Shell, Command: "tmux send-keys -t 0 mb:clear Enter"}, true},
		{"a delayed agent", event.Tool{Class: event.Shell, Command: `(sleep 99; /usr/bin/claude -p 'mb:write') &`}, true},
		{"the person's own words", event.Tool{Class: event.Shell, Command: `claude -p --resume s1 "please update the memory bank"`}, true},
		{"words that ask for nothing", event.Tool{Class: event.Shell, Command: `claude -p "read the memory bank"`}, false},
		{"no such word", event.Tool{Name: "CronCreate", Class: event.Other}, false},
		{"a subagent's task", event.Tool{Name: "Agent", Class: event.Subagent, PersonWord: "mb:clear"}, false},
		{"a document", event.Tool{Name: "mcp__fs__write", Class: event.MCP, PersonWord: "mb:clear", Paths: []event.PathArg{{Path: "a.md", Op: event.OpWrite}}}, false},
		{"a search", event.Tool{Class: event.Shell, Command: "grep -rn mb:clear docs/claude.md"}, false},
		{"another word", event.Tool{Class: event.Shell, Command: "claude -p 'mb:cleared up'"}, false},
	} {
		if got := risk.Judge(c.tool, "/repo", w, risk.Rules{}).Own; (got.Kind != reason.None) != c.refused {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	for tool, want := range map[string]string{"ScheduleWakeup": "a request to write the memory bank", "cron_create": "a request to write the memory bank", "TodoWrite": ""} {
		if got := risk.ScheduledWord(tool, []byte(`{"tool_input":{"prompt":"now update the \u006demory bank"}}`)); got != want {
			t.Errorf("%s holds %q, want %q", tool, got, want)
		}
	}
	for text, want := range map[string]string{
		"mb:clear": "mb:clear", "say mb:no.": "mb:no", `{"p":"mb:write"}`: "mb:write", "mb:none": "", "xmb:no": "", "mb: clear": "",
	} {
		if got := risk.PersonWord(text); got != want {
			t.Errorf("%q holds %q, want %q", text, got, want)
		}
	}
}
