package wire

import (
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/event"
)

// TestUnknownTools are tools that no table holds, which is where a guard is walked round.
func TestUnknownTools(t *testing.T) {
	for _, c := range []struct {
		name, in string
		class    event.Class
		path     string
		op       event.Op
		command  string
	}{
		{"mcp__fs__write_file", `{"path":"/p/a","content":"x"}`, event.Write, "/p/a", event.OpWrite, ""},
		{"fsx_write_file", `{"path":"/p/a","content":"x"}`, event.Write, "/p/a", event.OpWrite, ""},
		{"mcp__fs__read_text_file", `{"path":"/p/a"}`, event.Read, "/p/a", event.OpRead, ""},
		{"mcp__fs__delete_file", `{"path":"/p/a"}`, event.Delete, "/p/a", event.OpDelete, ""},
		{"mcp__term__execute_command", `{"command":"rm -r src"}`, event.Shell, "", "", "rm -r src"},
		{"mcp__term__run_process", `{"command":["rm","-r","my src"]}`, event.Shell, "", "", "rm -r 'my src'"},
		{"mcp__term__run_process", `{"cmd":"rm","args":["-r","it's"]}`, event.Shell, "", "", `rm -r 'it'\''s'`},
		{"mcp__notes__list", `{}`, event.MCP, "", "", ""},
		{"brand_new_tool", `{}`, event.Other, "", "", ""},
	} {
		got := UnknownTool(c.name, []byte(c.in))
		if got.Name != c.name || got.Class != c.class && !(c.class == event.MCP && got.Class == event.List) || got.Command != c.command {
			t.Errorf("%s %s: %+v", c.name, c.in, got)
		}
		if c.path == "" && len(got.Paths) > 0 || c.path != "" && (len(got.Paths) != 1 || got.Paths[0] != event.PathArg{Path: c.path, Op: c.op}) {
			t.Errorf("%s %s: %+v", c.name, c.in, got.Paths)
		}
	}
	if got := UnknownTool("mcp__git__apply_patch", []byte(`{"patchText":"*** Begin Patch\n*** Delete File: a\n*** End Patch"}`)); got.Class != event.Patch || got.Patch == "" {
		t.Errorf("%+v", got)
	}
}

func TestCommandWords(t *testing.T) {
	for in, want := range map[string]string{
		`{"command":"a b"}`:                        "a b",
		`{"Shell-Command":"a"}`:                    "a",
		`{"command":"","cmd":"a"}`:                 "a",
		`{"command":["a",""]}`:                     "a ''",
		`{"command":["a",1]}`:                      "",
		`{"input":{"command":"a"}}`:                "a",
		`{"command":"a","arguments":["$x","b c"]}`: "a '$x' 'b c'",
		`{"other":"a"}`:                            "",
	} {
		o := map[string]any{}
		decodeInto(t, in, &o)
		if got := commandOf(o); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func TestWhateverCallsSubagents(t *testing.T) {
	for call, want := range map[string]string{
		`proxy_task {"subagent_type":"memory-reader"}`: "memory-reader", `delegate_task {"agent":"x"}`: "x", `call_omo_agent {"subagent_type":"y"}`: "y",
		`subagent {"agent":"memory-bank-writer"}`: "memory-bank-writer", `Task {"subagent_type":"z"}`: "z", `task {"title":"buy milk"}`: "", `task {"agent":5}`: "",
	} {
		name, args, _ := strings.Cut(call, " ")
		p, _ := Parse([]byte(`{"in":` + args + `}`))
		if got := Call(nil, name, NewFields(p), "in"); got.Subagent != want || (got.Class == event.Subagent) != (want != "") {
			t.Errorf("%s: %+v", call, got)
		}
	}
}
