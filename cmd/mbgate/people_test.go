package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/agents"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
)

// asPerson is the program with no agent above it: whoever runs these tests may be one.
func asPerson() {
	a := newApp()
	a.ancestors = func() []process { return nil }
	os.Exit(int(run(a, os.Args[1:])))
}

// exits runs a program and checks its exit status: exits N PROGRAM [ARG]…
func exits(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if want, _ := strconv.Atoi(args[0]); code != want {
		ts.Fatalf("exit status %d, want %d", code, want)
	}
}

// tree is every command that people see.
func tree() []*cobra.Command {
	var list []*cobra.Command
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		list = append(list, c)
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(newApp(), ""))
	return list
}

func TestEveryCommandSaysHowItIsUsed(t *testing.T) {
	for _, c := range tree() {
		if c.Example == "" || !strings.Contains(c.Long, "\nEXIT STATUS\n") || c.Short == "" {
			t.Errorf("%s lacks an example, a line of what it does or its exit statuses", c.CommandPath())
		}
	}
}

func TestEveryHookIsListed(t *testing.T) {
	listed := map[string]bool{}
	for _, c := range tree() {
		listed[c.Name()] = c.GroupID == groupHooks
	}
	for _, h := range hookCommands() {
		if !listed[h.name] {
			t.Errorf("%s is not in the help", h.name)
		}
	}
}

func TestManualPagesAreTheSameEverywhere(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	for _, dir := range []string{one, two} {
		if err := writeManual(newRoot(newApp(), ""), dir); err != nil {
			t.Fatal(err)
		}
	}
	pages, err := filepath.Glob(filepath.Join(one, "*.1"))
	if err != nil || len(pages) < 10 {
		t.Fatal(pages, err)
	}
	for _, p := range pages {
		a, _ := os.ReadFile(p)
		b, err := os.ReadFile(filepath.Join(two, filepath.Base(p)))
		if err != nil || string(a) != string(b) {
			t.Errorf("%s differs", filepath.Base(p))
		}
		// A line that begins with a dot is a command to the formatter, so only ours may.
		for line := range strings.Lines(string(a)) {
			if !strings.HasPrefix(line, ".") {
				continue
			}
			name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			if !among(name, ".TH|.SH|.SS|.B|.BR|.PP|.TP|.nf|.fi") {
				t.Errorf("%s: %q", filepath.Base(p), line)
			}
		}
	}
}

func TestAgentsAreKnownByTheirEnvironment(t *testing.T) {
	seen := 0
	for _, trace := range agents.Traces() {
		for marker := range strings.FieldsSeq(trace.Markers) {
			name, values, limited := strings.Cut(marker, "=")
			value, _, _ := strings.Cut(values, "|")
			if !limited {
				value = "1"
			}
			env := func(k string) string { return map[string]string{name: value}[k] }
			if agent, variable := marked(env); agent == "" || variable != name {
				t.Errorf("%s=%s: %q, %q", name, value, agent, variable)
			}
			seen++
		}
	}
	if seen < 25 {
		t.Errorf("only %d variables are known", seen)
	}
	// What people's own terminals and settings have.
	for _, v := range []string{
		"PATH=/bin", "TERM_PROGRAM=vscode", "CURSOR_TRACE_ID=x", "CLAUDE_CODE_SSE_PORT=1", "CLAUDE_CODE_USE_BEDROCK=1",
		"AIDER_MODEL=x", "GEMINI_API_KEY=x", "OPENAI_API_KEY=x", "AGENT=ssh-agent", "AGENT=", "CLAUDECODE=", "SSH_AGENT_PID=1", "CI=true",
	} {
		name, value, _ := strings.Cut(v, "=")
		if agent, _ := marked(func(k string) string { return map[string]string{name: value}[k] }); agent != "" {
			t.Errorf("%s is taken for %s", v, agent)
		}
	}
}

func TestAgentsAreKnownByTheirProcesses(t *testing.T) {
	for _, c := range []struct {
		process string // name, then its command line
		agent   string
	}{
		{"claude claude --resume", "Claude Code"},
		{"node /usr/bin/node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js -p", "Claude Code"},
		{"node node --no-warnings /usr/local/bin/claude", "Claude Code"},
		{"node-MainThread node /home/dev/.npm/_npx/1/node_modules/.bin/gemini", "Gemini CLI"},
		{"codex /usr/lib/node_modules/@openai/codex/vendor/codex/codex exec", "Codex CLI"},
		{"opencode opencode", "OpenCode"},
		{"python3.12 /usr/bin/python3.12 /home/dev/.local/bin/aider --model x", "Aider"},
		{"python3 python3 -m aider", "Aider"},
		{"npx npx @qwen-code/qwen-code@latest", "Qwen Code"},
		{"bun bun run /opt/node_modules/@sourcegraph/amp/dist/main.js", "Amp"},
		{`claude.exe C:\Users\dev\.local\bin\claude.exe`, "Claude Code"},
		{"copilot copilot", "GitHub Copilot CLI"},
		{"bash -bash", ""},
		{"bash bash /home/dev/bin/claude-logs.sh", ""},
		{"vim vim claude", ""},
		{"node node build.js claude", ""},
		{"python3 python3 train.py --name aider", ""},
		{"code /usr/share/code/code --type=renderer", ""},
		{"cursor /opt/Cursor/cursor", ""},
		{"tmux: tmux new -s codex", ""},
		{"pi pi 1000", ""},
		{"sshd sshd: dev@pts/0", ""},
		{"", ""},
	} {
		var p process
		if f := strings.Fields(c.process); len(f) > 0 {
			p = process{name: f[0], args: f[1:]}
		}
		if got := parented([]process{{name: "zsh", args: []string{"-zsh"}}, p}); got != c.agent {
			t.Errorf("%s: %q, want %q", c.process, got, c.agent)
		}
	}
}

// TestTerminalsOfProgramsAreTold finds who opened the terminal: the first process above that has another one.
func TestTerminalsOfProgramsAreTold(t *testing.T) {
	for _, c := range []struct {
		opener string
		beyond string
		want   string
	}{
		{"script", "", "script"},
		{"python3.12", "", "python3.12"},
		{"expect", "", "expect"},
		{"tmux: server", "python3", ""}, // a person's, whatever started it
		{"sshd", "", ""},
		{"code", "", ""},
	} {
		list := []process{{name: "zsh"}, {name: c.opener, opened: true}, {name: c.beyond, opened: true}}
		if got := typist(list); got != c.want {
			t.Errorf("%s: %q, want %q", c.opener, got, c.want)
		}
	}
	if got := typist([]process{{name: "python3"}, {name: "zsh"}}); got != "" {
		t.Errorf("a person's own script at the person's terminal: %q", got)
	}
}

// A status that another program reads keeps its keys (SPEC §19).
func TestStatusOfNothingHasItsKeys(t *testing.T) {
	var out struct {
		Schema   *int
		Root     *string
		Mode     *string `json:"guard_mode"`
		Sessions *[]any
	}
	a := newApp()
	dir := t.TempDir()
	a.getwd = func() (string, error) { return dir, nil }
	st, err := a.statusOf(statusOptions{session: "", root: dir})
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(st.JSON())
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &out); err != nil || out.Schema == nil || out.Root == nil || out.Mode == nil || out.Sessions == nil {
		t.Errorf("%s: %v", b, err)
	}
}

func TestLongLinesAreLeftOut(t *testing.T) {
	long := strings.Repeat("x", 300)
	r := bufio.NewReaderSize(strings.NewReader("a\n"+long+"\n\nb\n"+long[:100]), 16)
	for _, want := range []struct {
		line string
		long bool
	}{{"a\n", false}, {"", true}, {"\n", false}, {"b\n", false}, {long[:100], false}} {
		line, tooLong, err := readLine(r, 100)
		if string(line) != want.line || tooLong != want.long || (err != nil) != (want.line == long[:100]) {
			t.Errorf("%q, %v, %v, want %q, %v", line, tooLong, err, want.line, want.long)
		}
	}
}
