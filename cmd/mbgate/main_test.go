package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mbgate/mbgate/internal/render"
)

// TestMain lets the scripts run the real main: "mbgate" is the program, "mbgate-panics" the same with a clock that
// panics, which is as good as a fault anywhere behind the hook commands, "mbgate-overflows" with one that the runtime
// gives up on.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"mbgate": main,
		"mbgate-panics": func() {
			a := newApp()
			a.now = func() time.Time { panic("the clock\nstruck thirteen") }
			os.Exit(int(run(a, os.Args[1:])))
		},
		"mbgate-overflows": func() {
			debug.SetMaxStack(1 << 20)
			a := newApp()
			a.now = overflow
			os.Exit(int(run(a, os.Args[1:])))
		},
		"mbgate-person": asPerson,
	})
}

// overflow needs more stack than there is, which ends a Go program without a panic that could be recovered.
func overflow() time.Time {
	if os.Getpid() == 0 { // never; a recursion without any end is a finding of linters
		return time.Time{}
	}
	return overflow().Add(1)
}

// TestScripts runs the behaviours in testdata/script, one a file.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, "home")
			for _, v := range []string{"MEMORY_BANK_DISABLED", "MEMORY_BANK_GUARD_MODE", "MEMORY_BANK_MAX_CHARS", "CLAUDE_PROJECT_DIR", "CLAUDECODE"} {
				e.Setenv(v, "")
			}
			e.Setenv("HOME", home)
			e.Setenv("USERPROFILE", home)
			e.Setenv("XDG_STATE_HOME", filepath.Join(e.WorkDir, "state"))
			e.Setenv("XDG_CONFIG_HOME", filepath.Join(e.WorkDir, "config"))
			e.Setenv("NO_COLOR", "1")
			e.Values[followKey{}] = new(*following)
			return os.MkdirAll(home, 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"claude": claude, "opencode": openCode, "claude-cat": claudeCat, "injects": injects, "hook": hookScript, "lines": lines, "state": stateScript, "fifo": fifo, "status-is": statusIs, "exits": exits, "hostile-note": hostileNote, "nested": nested,
			"follow": follow, "follow-sees": followSees, "follow-ends": followEnds,
		},
	})
}

// claude plays one event of Claude Code: claude EVENT [FIELD=VALUE]…, where a VALUE that begins with { or [, true and
// false are JSON. It leaves the output to stdout and stderr and the exit status to status-is.
func claude(ts *testscript.TestScript, neg bool, args []string) {
	payload := map[string]any{
		"session_id": "154c11e8-a6e4-41e4-8ecc-fcdd6fcfbeb4", "transcript_path": "/home/dev/.claude/projects/p/154c11e8.jsonl",
		"cwd": ts.MkAbs("."), "hook_event_name": args[0], "prompt_id": "0ae6bc27",
	}
	sendFields(ts, neg, payload, args[1:])
}

// injects FILE holds what the last command printed, without fingerprints and times, against a file whose name ends with the number
// of its tokens.
func injects(ts *testscript.TestScript, neg bool, args []string) {
	got := ts.ReadFile("stdout")
	for pattern, by := range map[string]string{`fingerprint: [0-9a-f]{12}`: "fingerprint: 0123456789ab", `\d{4}-\d\d-\d\dT[\d:]+Z`: "2026-01-02T03:04:05Z"} {
		got = regexp.MustCompile(pattern).ReplaceAllString(got, by)
	}
	if want := ts.ReadFile(args[0]); neg || got != want {
		ts.Fatalf("it injects\n%swant\n%s", got, want)
	}
	if n := render.Tokens(got); !strings.HasSuffix(args[0], fmt.Sprintf("-%d", n)) {
		ts.Fatalf("%s has %d tokens", args[0], n)
	}
}

// openCode plays one event as OpenCode's plugin sends it: opencode HOOK [FIELD=VALUE]…
func openCode(ts *testscript.TestScript, neg bool, args []string) {
	sendFields(ts, neg, map[string]any{
		"client": "opencode", "hook": args[0], "session_id": "ses_1", "agent": "build",
		"directory": ts.MkAbs("."), "worktree": ts.MkAbs("."),
	}, args[1:])
}

func sendFields(ts *testscript.TestScript, neg bool, payload map[string]any, args []string) {
	for _, a := range args {
		name, value, _ := strings.Cut(a, "=")
		payload[name] = value
		if strings.HasPrefix(value, "{") || strings.HasPrefix(value, "[") || value == "true" || value == "false" {
			payload[name] = json.RawMessage(value)
		}
	}
	data, err := json.Marshal(payload)
	ts.Check(err)
	send(ts, neg, string(data), "hook")
}

// claudeCat plays the shell command that prints a file, and its result.
func claudeCat(ts *testscript.TestScript, neg bool, args []string) {
	result, err := json.Marshal(map[string]string{"stdout": strings.TrimSuffix(ts.ReadFile(args[0]), "\n"), "stderr": ""})
	ts.Check(err)
	input := `tool_input={"command":"cat ` + args[0] + `"}`
	claude(ts, neg, []string{"PreToolUse", "tool_name=Bash", input, "tool_use_id=cat"})
	claude(ts, neg, []string{"PostToolUse", "tool_name=Bash", input, "tool_use_id=cat", "tool_response=" + string(result)})
}

// hookScript sends a payload as it stands in a file: hook COMMAND FILE.
func hookScript(ts *testscript.TestScript, neg bool, args []string) {
	send(ts, neg, ts.ReadFile(args[1]), args[0])
}

// send runs a hook command in the way of an agent. The negated form expects a refusal.
func send(ts *testscript.TestScript, neg bool, payload, command string) {
	in := ts.MkAbs("../in.json")
	ts.Check(os.WriteFile(in, []byte(payload), 0o600))
	f, err := os.Open(in)
	ts.Check(err)
	defer f.Close()
	path, err := exec.LookPath("mbgate")
	ts.Check(err)
	cmd := exec.Command(path, command)
	cmd.Stdin, cmd.Dir = f, ts.MkAbs(".")
	for _, v := range []string{
		"HOME", "USERPROFILE", "PATH", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT",
		"MEMORY_BANK_DISABLED", "MEMORY_BANK_GUARD_MODE", "MEMORY_BANK_MAX_CHARS", "SystemRoot", "TMPDIR",
	} {
		cmd.Env = append(cmd.Env, v+"="+ts.Getenv(v))
	}
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run() // the exit status is what is asked for
	fmt.Fprint(ts.Stdout(), stdout.String())
	fmt.Fprint(ts.Stderr(), stderr.String())
	code := cmd.ProcessState.ExitCode()
	ts.Setenv("status", fmt.Sprint(code))
	switch {
	case code == int(exitRefused) && !neg:
		ts.Fatalf("refused: %s", stderr.String())
	case code != int(exitRefused) && neg:
		ts.Fatalf("not refused: exit status %d", code)
	}
}

// statusIs checks the exit status of the last event.
func statusIs(ts *testscript.TestScript, _ bool, args []string) {
	if got := ts.Getenv("status"); got != args[0] {
		ts.Fatalf("exit status %s, want %s", got, args[0])
	}
}

// lines writes a document: lines FILE N.
func lines(ts *testscript.TestScript, _ bool, args []string) {
	var n int
	_, err := fmt.Sscan(args[1], &n)
	ts.Check(err)
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s, line %d\n", filepath.Base(args[0]), i+1)
	}
	file := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(file), 0o755))
	ts.Check(os.WriteFile(file, []byte(b.String()), 0o644))
}

// mustJSON is v as JSON; v is made of what always has one.
func mustJSON(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}
