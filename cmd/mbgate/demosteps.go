package main

import (
	"path/filepath"
	"strings"
)

// The events have the shape that Claude Code 2.1.328 sends.

// event is an event of the demo's session with the fields that every event has.
func (d *player) event(name string, fields map[string]any) map[string]any {
	e := map[string]any{
		"session_id":      demoSession,
		"transcript_path": filepath.ToSlash(filepath.Join(d.dir, "home", ".claude", "projects", "project", demoSession+".jsonl")),
		"cwd":             d.project,
		"hook_event_name": name,
	}
	for k, v := range fields {
		e[k] = v
	}
	return e
}

func (d *player) file(name string) string { return filepath.Join(d.project, filepath.FromSlash(name)) }

// write announces an edit of the source file, shell a command.
func (d *player) write(call, text string) map[string]any {
	return d.event("PreToolUse", map[string]any{
		"permission_mode": "default", "tool_use_id": call, "tool_name": "Edit",
		"tool_input": map[string]any{
			"file_path": d.file(demoSource), "old_string": "ATTEMPTS = 3", "new_string": text, "replace_all": false,
		},
	})
}

func (d *player) shell(call, command string) map[string]any {
	return d.event("PreToolUse", map[string]any{
		"permission_mode": "default", "tool_use_id": call, "tool_name": "Bash", "tool_input": map[string]any{"command": command},
	})
}

// read reports a finished read of lines first to last, 0 for the last one of the file.
func (d *player) read(call, name string, first, last int) map[string]any {
	lines := strings.Split(demoFiles()[name], "\n")
	input := map[string]any{"file_path": d.file(name)}
	if last == 0 {
		last = len(lines)
	}
	if first != 1 || last != len(lines) {
		input["offset"], input["limit"] = first, last-first+1
	}
	return d.event("PostToolUse", map[string]any{
		"permission_mode": "default", "tool_use_id": call, "tool_name": "Read", "tool_input": input,
		"tool_response": map[string]any{
			"type": "text",
			"file": map[string]any{
				"filePath": d.file(name), "content": strings.Join(lines[first-1:last], "\n"),
				"numLines": last - first + 1, "startLine": first, "totalLines": len(lines),
			},
		},
		"duration_ms": 3,
	})
}

// steps are the events of the session, in order.
func (d *player) steps() []demoStep {
	return []demoStep{
		{
			title: "A session starts. The agent is given the entry of the memory bank.", command: []string{"session-start"},
			event: d.event("SessionStart", map[string]any{"source": "startup"}),
			out:   "<memory-bank>", means: "what it prints goes into the model's context",
		},
		{
			title: "The agent reads the requirement it works on. mbgate remembers it: this document frames the task.", command: []string{"tool-after"},
			event: d.read("toolu_demo_01", demoRequirement, 1, 0), silent: true, means: "nothing to say",
		},
		{
			title: "It edits the code. No recovery is pending, so nothing is refused; once a turn it is reminded of the project's patterns.", command: []string{"tool-before"},
			event: d.write("toolu_demo_02", "ATTEMPTS = 10"), out: "patterns.md", means: "allowed, with a reminder",
		},
		{
			title: "Hours later the conversation is compacted: a summary takes its place. The model is pointed to what it must read again.", command: []string{"compact"},
			event: d.event("SessionStart", map[string]any{"source": "compact", "model": "claude-sonnet-4-5"}),
			out:   demoRequirement, means: "a recovery is pending now",
		},
		{
			title: "The agent goes on with what the summary left, and raises the attempts to 10.", command: []string{"tool-before"},
			event: d.write("toolu_demo_03", "ATTEMPTS = 10"), exit: 2, err: demoRequirement, means: "refused, with the read to make next",
		},
		{
			title: "It tries the shell.", command: []string{"tool-before"},
			event: d.shell("toolu_demo_04", "sed -i 's/ATTEMPTS = 3/ATTEMPTS = 10/' "+demoSource), exit: 2, err: demoRequirement,
			means: "refused too: a command is judged by what it would do",
		},
		{
			title: "Tests and searches stay open.", command: []string{"tool-before"},
			event: d.shell("toolu_demo_05", "python -m pytest -q && grep -rn ATTEMPTS src"), silent: true, means: "allowed",
		},
		{
			title: "It reads the first five lines, which is not the requirement.", command: []string{"tool-after"},
			event: d.read("toolu_demo_06", demoRequirement, 1, 5), silent: true, means: "five lines are credited",
		},
		{
			title: "It tries again.", command: []string{"tool-before"},
			event: d.write("toolu_demo_07", "ATTEMPTS = 10"), exit: 2, err: "5 of 11 lines read", means: "still refused, and told which lines are left",
		},
		{
			title: "It makes the read that the refusal printed.", command: []string{"tool-after"},
			event: d.read("toolu_demo_08", demoRequirement, 6, 11), silent: true, means: "every line is read: the recovery is over",
		},
		{
			title: "Now it knows rule 1 again, leaves the attempts at 3 and says why.", command: []string{"tool-before"},
			event: d.write("toolu_demo_09", "ATTEMPTS = 3  # REQ-007, rule 1"), silent: true, means: "allowed",
		},
		{
			title: "What was decided stands in the log.", command: []string{"log", "--json", "--last", "1"},
			out: `"decision"`, means: "one object a line, for machines",
		},
	}
}
