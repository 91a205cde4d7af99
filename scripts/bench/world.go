package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// world is a project with a memory bank, and an empty home with mbgate's state, in a temporary folder.
type world struct {
	home, project, state string
}

// anchors are the documents that the benchmark reads, of the size that such documents have: 8 and 12 kB.
var anchors = []struct {
	path  string
	lines int
}{
	{"memory-bank/details/requirements/REQ-005.md", 140},
	{"memory-bank/details/design/design-index-first.md", 200},
}

// anchorText is the text of an anchor, the same in every run.
func anchorText(path string, lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "%d. %s says what the index must hold when it is asked %d times.\n", i+1, filepath.Base(path), i*7)
	}
	return b.String()
}

// newWorld lays out a world below dir.
func newWorld(dir string) (world, error) {
	w := world{filepath.Join(dir, "home"), filepath.Join(dir, "project"), filepath.Join(dir, "state")}
	files := map[string]string{
		"memory-bank/MEMORY.md":                "# Memory\n\n## Current Focus\n\n- Goal: an index that answers first\n- In progress: REQ-005\n- Remaining: the migration\n\n" + anchorText("MEMORY.md", 60),
		"memory-bank/details/patterns.md":      anchorText("patterns.md", 80),
		"memory-bank/details/tech.md":          anchorText("tech.md", 40),
		"memory-bank/details/progress.md":      anchorText("progress.md", 40),
		"src/server.go":                        "package server\n\nfunc Serve() error {\n\treturn nil\n}\n",
		".git/HEAD":                            "ref: refs/heads/main\n",
		".git/config":                          "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
		".claude/agents/memory-reader.md":      "---\nname: memory-reader\n---\n",
		".claude/agents/memory-bank-writer.md": "---\nname: memory-bank-writer\n---\n",
	}
	for _, a := range anchors {
		files[a.path] = anchorText(a.path, a.lines)
	}
	for name, text := range files {
		path := filepath.Join(w.project, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return w, err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return w, err
		}
	}
	for _, d := range []string{w.home, w.state} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return w, err
		}
	}
	return w, nil
}

// env is what a hook of Claude Code finds in its environment.
func (w world) env() []string {
	return []string{
		"HOME=" + w.home, "PATH=" + os.Getenv("PATH"), "XDG_STATE_HOME=" + w.state,
		"XDG_CONFIG_HOME=" + filepath.Join(w.home, ".config"), "CLAUDE_PROJECT_DIR=" + w.project, "LANG=C.UTF-8",
	}
}

// payload is what Claude Code 2.x sends, with what the event adds.
func (w world) payload(session, event string, n int, more map[string]any) []byte {
	p := map[string]any{
		"session_id": session, "hook_event_name": event, "cwd": w.project,
		"transcript_path": filepath.Join(w.home, ".claude/projects/-project", session+".jsonl"),
		"prompt_id":       fmt.Sprintf("c3e4cd34-8d7d-45a9-922e-%012d", n),
	}
	for k, v := range more {
		p[k] = v
	}
	data, err := json.Marshal(p)
	if err != nil {
		panic(err) // the maps above hold nothing that JSON cannot
	}
	return data
}

// tool is the payload of a tool call; n makes it a new one, since a copy of a call is not judged again.
func (w world) tool(session, event string, n int, name string, input, response map[string]any) []byte {
	more := map[string]any{
		"permission_mode": "default", "tool_name": name, "tool_input": input,
		"tool_use_id": fmt.Sprintf("toolu_01Bench%011d", n),
	}
	if response != nil {
		more["tool_response"] = response
		more["duration_ms"] = 12
	}
	return w.payload(session, event, n, more)
}

func (w world) bash(session string, n int, command string) []byte {
	return w.tool(session, "PreToolUse", n, "Bash", map[string]any{"command": command, "description": "Look around"}, nil)
}

func (w world) edit(session string, n int) []byte {
	return w.tool(session, "PreToolUse", n, "Edit", map[string]any{
		"file_path":  filepath.Join(w.project, "src/server.go"),
		"old_string": "\treturn nil\n", "new_string": strings.Repeat("\tlog.Print(\"serving\")\n", 10) + "\treturn nil\n",
		"replace_all": false,
	}, nil)
}

// read is the report of a whole read of an anchor; which counts through them.
func (w world) read(session string, n, which int) []byte {
	a := anchors[which%len(anchors)]
	path := filepath.Join(w.project, filepath.FromSlash(a.path))
	return w.tool(session, "PostToolUse", n, "Read", map[string]any{"file_path": path}, map[string]any{
		"type": "text", "file": map[string]any{
			"filePath": path, "content": anchorText(a.path, a.lines),
			"numLines": a.lines + 1, "startLine": 1, "totalLines": a.lines + 1,
		},
	})
}

func (w world) compact(session string, n int) []byte {
	return w.payload(session, "SessionStart", n, map[string]any{"source": "compact", "model": "claude-sonnet-4-5"})
}
