package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// The project of the picture.
const (
	id          = "154c11e8"
	source      = "src/retry.py"
	requirement = "memory-bank/details/requirements/REQ-007-retries.md"
	text        = `# REQ-007: retries

An upload that fails is tried again.

1. At most 3 times.
2. Wait 1, 2 and 4 seconds, with jitter.
3. Never after a 4xx, except 429.
4. Never when the ledger has answered: it may have booked.
`
)

// session is one session of Claude Code in a temporary project.
type session struct{ mbgate, dir, project string }

func newSession(mbgate string) (*session, error) {
	dir, err := os.MkdirTemp("", "mbgate-picture-")
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	s := &session{mbgate, dir, filepath.Join(dir, "repo")}
	for name, content := range map[string]string{
		"memory-bank/MEMORY.md": "# Ledger sync\n\n## Current Focus\n- Goal: uploads survive a flaky network\n",
		requirement:             text,
		source:                  "ATTEMPTS = 3\n",
	} {
		if err := os.MkdirAll(filepath.Dir(s.file(name)), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(s.file(name), []byte(content), 0o644); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *session) file(name string) string { return filepath.Join(s.project, filepath.FromSlash(name)) }

// fire sends one event and gives what was printed, on either stream; it fails unless the exit status is want.
func (s *session) fire(event string, want int, fields map[string]any) (string, error) {
	payload := map[string]any{"session_id": id, "transcript_path": s.dir + "/.claude/projects/repo/" + id + ".jsonl", "cwd": s.project, "hook_event_name": event}
	for k, v := range fields {
		payload[k] = v
	}
	input, err := json.Marshal(payload)
	if err != nil {
		return "", err
	}
	cmd := exec.Command(s.mbgate, "hook", "claude-code")
	cmd.Dir, cmd.Stdin = s.project, bytes.NewReader(input)
	cmd.Env = []string{"HOME=" + s.dir, "XDG_STATE_HOME=" + filepath.Join(s.dir, "state"), "XDG_CONFIG_HOME=" + filepath.Join(s.dir, "config")}
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return "", err
	}
	if got := cmd.ProcessState.ExitCode(); got != want {
		return "", fmt.Errorf("%s ended with %d, the picture tells of %d: %s", event, got, want, out)
	}
	return strings.ReplaceAll(string(out), s.project, "/repo"), nil
}

// before announces a call, after reports a finished one.
func (s *session) before(want int, tool string, input map[string]any) (string, error) {
	return s.fire("PreToolUse", want, map[string]any{"tool_name": tool, "tool_input": input, "tool_use_id": "toolu_1"})
}

func (s *session) read() error {
	lines := strings.Count(text, "\n") + 1
	_, err := s.fire("PostToolUse", 0, map[string]any{
		"tool_name": "Read", "tool_use_id": "toolu_2", "tool_input": map[string]any{"file_path": s.file(requirement)},
		"tool_response": map[string]any{"type": "text", "file": map[string]any{
			"filePath": s.file(requirement), "content": text, "numLines": lines, "startLine": 1, "totalLines": lines,
		}},
	})
	return err
}

func (s *session) edit(want int, to string) (string, error) {
	return s.before(want, "Edit", map[string]any{"file_path": s.file(source), "old_string": "ATTEMPTS = 3", "new_string": to})
}

var next = regexp.MustCompile(`(?m)^Next: Read (\{.*\})$`)

// story plays the session and gives the lines of the picture.
func (s *session) story() ([]line, error) {
	var out []line
	say := func(st style, text string) { out = append(out, wrapped(st, text)...) }
	if err := s.read(); err != nil {
		return nil, err
	}
	if _, err := s.before(0, "Bash", map[string]any{"command": "ls"}); err != nil {
		return nil, err
	}
	say(dim, "● Read "+requirement+" … and hours of work")
	say(none, "")

	block, err := s.fire("SessionStart", 0, map[string]any{"source": "compact"})
	if err != nil {
		return nil, err
	}
	say(note, "── The context was compacted: a summary takes the place of the conversation. ──")
	must := "The context was compacted. Before any medium- or high-risk write you MUST read:\n- " + requirement
	if !strings.Contains(block, must) {
		return nil, fmt.Errorf("the anchor block lacks %q: %s", must, block)
	}
	say(dim, "  mbgate: "+strings.ReplaceAll(must, "\n-", ""))
	say(none, "")

	refusal, err := s.edit(2, "ATTEMPTS = 10")
	if err != nil {
		return nil, err
	}
	say(call, "● Edit "+source+"   ATTEMPTS = 3 → ATTEMPTS = 10")
	for l := range strings.Lines(refusal) {
		st := answer
		if strings.HasPrefix(l, "Next: ") {
			st = remedy
		}
		say(st, "  "+strings.TrimRight(l, "\n"))
	}
	say(none, "")

	sed := "sed -i 's/ATTEMPTS = 3/ATTEMPTS = 10/' " + source
	refusal, err = s.before(2, "Bash", map[string]any{"command": sed})
	if err != nil {
		return nil, err
	}
	say(call, "● Bash "+sed)
	first := strings.Split(refusal, "\n")
	say(answer, "  "+strings.Split(first[0], ":")[0]+": …")
	say(answer, "  "+first[1])
	say(none, "")

	tests := "python -m pytest -q"
	if _, err := s.before(0, "Bash", map[string]any{"command": tests}); err != nil {
		return nil, err
	}
	say(call, "● Bash "+tests)
	say(fine, "  ✓ reads, searches, tests and builds are open")
	say(none, "")

	printed := next.FindStringSubmatch(refusal)
	if printed == nil || !strings.Contains(printed[1], requirement) {
		return nil, fmt.Errorf("the refusal prints no read of %s: %s", requirement, refusal)
	}
	if err := s.read(); err != nil {
		return nil, err
	}
	say(call, "● Read "+requirement)
	say(dim, "  1. At most 3 times. … 4. Never when the ledger has answered: it may have booked.")
	say(fine, "  ✓ every line was shown: the recovery is over")
	say(none, "")

	if _, err := s.edit(0, "ATTEMPTS = 3  # REQ-007, rule 1"); err != nil {
		return nil, err
	}
	say(call, "● Edit "+source+"   ATTEMPTS = 3 → ATTEMPTS = 3  # REQ-007, rule 1")
	say(fine, "  ✓ released")
	return out, nil
}
