package gate_test

import (
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/risk/patch"
)

func TestTheWriterHasNoShell(t *testing.T) {
	for command, want := range map[string]gate.GuardKind{
		"cat " + memo: -1, "ls memory-bank": -1, "grep x -r memory-bank": -1, "git log -- memory-bank": -1,
		"echo x >> " + note: gate.GuardShell, "sed -i s/a/b/ " + memo: gate.GuardShell, "rm " + memo: gate.GuardShell,
		"rm -rf src": gate.GuardOutside, "echo x > /tmp/y": gate.GuardOutside, "cp " + memo + " src/": gate.GuardOutside, `rm -rf "$X"`: gate.GuardOutside,
	} {
		w := newGuarded(t)
		w.prompt("mb:write")
		got := gate.GuardKind(-1)
		if d := w.send(event.Event{
			Kind: event.ToolBefore, Call: w.id(), Sub: event.Sub{ID: "w", Type: gate.Writer},
			Tool: event.Tool{Name: "Bash", Class: event.Shell, Command: command},
		}); d.Guarded != nil {
			got = d.Guarded.Kind
		}
		if got != want {
			t.Errorf("%s: %d, want %d", command, got, want)
		}
	}
}

// What stands between the marks of a person's block stays, byte for byte, whoever writes and by whatever tool.
func TestTheUsersBlock(t *testing.T) {
	const head, own, tail = "# Project\ngoal: one\n", "<!-- USER_BLOCK_START -->\n## Notes\nmine\n<!-- USER_BLOCK_END -->\n", "end\n"
	const empty = "<!-- USER_BLOCK_START -->\n\n## Notes of People\n\n<!-- USER_BLOCK_END -->\n"
	whole := func(s string) []event.Replacement { return []event.Replacement{{New: s, Whole: true}} }
	from := func(old, s string) []event.Replacement { return []event.Replacement{{Old: old, New: s}} }
	update := func(lines ...string) event.Tool {
		return event.Tool{Class: event.Patch, Patch: "*** Begin Patch\n*** Update File: " + memo + "\n@@\n" + strings.Join(lines, "\n") + "\n*** End Patch"}
	}
	edit := func(e []event.Replacement) event.Tool { return event.Tool{Class: event.Edit, Edits: e} }
	for name, c := range map[string]struct {
		tool        event.Tool
		full, plain bool // refused where people wrote something in the block, and where it is as init wrote it
	}{
		"an exact edit outside":     {edit(from("goal: one", "goal: two")), false, false},
		"an exact edit inside":      {edit(from("## Notes", "## Nodes")), true, true},
		"an edit of a mark":         {edit(from("USER_BLOCK_END", "END")), true, true},
		"an edit across a mark":     {edit(from("goal: one\n<!-- USER", "goal: two\n<!-- USER")), false, false},
		"text that is not there":    {edit(from("goal:  one", "goal: two")), true, false},
		"two edits":                 {edit(append(from("goal: one", "goal: two"), from("goal: two", "goal: three")...)), false, false},
		"every occurrence":          {edit([]event.Replacement{{Old: "o", New: "0", All: true}}), true, true},
		"no text in the arguments":  {edit(nil), true, false},
		"written anew with it":      {event.Tool{Class: event.Write, Edits: whole("# New\n" + own)}, false, true},
		"written anew without it":   {event.Tool{Class: event.Write, Edits: whole("# New\n")}, true, true},
		"written anew, as init did": {event.Tool{Class: event.Write, Edits: whole("# New\n" + empty)}, true, false},
		"a patch outside":           {update("-goal: one", "+goal: two"), false, false},
		"a patch inside":            {update(" <!-- USER_BLOCK_START -->", "+x"), true, true},
		"a patch that only adds":    {update("+x"), true, false},
		"deleted":                   {event.Tool{Class: event.Delete}, true, true},
		"by a shell":                {event.Tool{Class: event.Shell, Command: "sed -i s/goal/aim/ " + memo}, true, false},
		"removed by a shell":        {event.Tool{Class: event.Shell, Command: "rm -r memory-bank"}, true, false},
		"with all above it":         {event.Tool{Class: event.Shell, Command: "rm -rf /repo"}, true, false},
	} {
		for block, want := range map[string]bool{own: c.full, empty: c.plain} {
			w := newGuarded(t)
			w.policy.WriteGuard = event.ModeMarkdown
			w.put(memo, head+block+tail)
			op := event.OpWrite
			if c.tool.Class == event.Delete {
				op = event.OpDelete
			}
			if c.tool.Class != event.Shell && c.tool.Class != event.Patch {
				c.tool.Paths = []event.PathArg{{Path: memo, Op: op}}
			}
			c.tool.Name = "T"
			d := w.send(event.Event{Kind: event.ToolBefore, Call: w.id(), Tool: c.tool})
			if got := d.Guarded != nil && d.Guarded.Kind == gate.GuardUserBlock; got != want {
				t.Errorf("%s: refused %v, want %v for %q (%+v)", name, got, want, block, d.Guarded)
			}
		}
	}
	w := newGuarded(t)
	w.prompt("mb:write")
	w.put(memo, head+own)
	w.want(w.as(gate.Writer, memo), event.Block, gate.RuleGuard, "the writer is held to it")
	if _, ok := patch.Hunks("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"); ok {
		t.Error("a unified diff tells")
	}
}
