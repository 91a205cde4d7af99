package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"
)

// event is the event of the n-th step, in the shape that Claude Code 2.1.328 sends; nil for a command of people.
func (d *player) event(n int, s demoStep) map[string]any {
	switch {
	case s.source == "compact":
		return d.payload("SessionStart", map[string]any{"source": s.source, "model": "claude-sonnet-4-5"})
	case s.source != "":
		return d.payload("SessionStart", map[string]any{"source": s.source})
	case s.edit != "":
		return d.call("PreToolUse", n, "Edit", map[string]any{
			"file_path": d.file(demoSource), "old_string": "ATTEMPTS = 3", "new_string": s.edit, "replace_all": false,
		})
	case s.shell != "":
		return d.call("PreToolUse", n, "Bash", map[string]any{"command": s.shell})
	case s.first > 0:
		return d.read(n, s.first, s.last)
	}
	return nil
}

// payload is an event of the demo's session with the fields that every event has.
func (d *player) payload(name string, fields map[string]any) map[string]any {
	e := map[string]any{
		"session_id":      demoSession,
		"transcript_path": filepath.ToSlash(filepath.Join(d.Dir, "home", ".claude", "projects", "project", demoSession+".jsonl")),
		"cwd":             d.Project,
		"hook_event_name": name,
	}
	maps.Copy(e, fields)
	return e
}

func (d *player) file(name string) string { return filepath.Join(d.Project, filepath.FromSlash(name)) }

// call is an event about a tool call.
func (d *player) call(name string, n int, tool string, input map[string]any) map[string]any {
	return d.payload(name, map[string]any{
		"permission_mode": "default", "tool_use_id": fmt.Sprintf("toolu_demo_%02d", n), "tool_name": tool, "tool_input": input,
	})
}

// read reports a finished read of lines first to last of the requirement.
func (d *player) read(n, first, last int) map[string]any {
	name := demoRequirement
	lines := strings.Split(demoFiles()[name], "\n")
	input := map[string]any{"file_path": d.file(name)}
	if first == 1 && last == len(lines)-1 {
		last++ // the whole file: what follows its last newline counts as a line, too
	} else {
		input["offset"], input["limit"] = first, last-first+1
	}
	e := d.call("PostToolUse", n, "Read", input)
	e["duration_ms"] = 3
	e["tool_response"] = map[string]any{
		"type": "text",
		"file": map[string]any{
			"filePath": d.file(name), "content": strings.Join(lines[first-1:last], "\n"),
			"numLines": last - first + 1, "startLine": first, "totalLines": len(lines),
		},
	}
	return e
}
