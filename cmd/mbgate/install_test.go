package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/settings"
	"github.com/mbgate/mbgate/internal/wire"
)

func TestInstalledClientsAreKnownToTheHooks(t *testing.T) {
	for _, c := range agents.Installable() {
		w, ok := agents.ByName(c.Name)
		if !ok || w.Name() != c.Name {
			t.Errorf("%s: the hooks know %q", c.Name, w.Name())
		}
		files := w.DefinitionFiles(func(string) string { return "" })
		for _, file := range []string{c.ProjectAgents.Path, "~/" + c.UserAgents.Path} {
			if len(c.Subagents()) > 0 && !slices.Contains(files, file) {
				t.Errorf("%s: subagents are laid down in %s, and looked for in %v", c.Name, file, files)
			}
		}
		if len(w.Facts().Uncovered) == 0 || w.Samples == nil {
			t.Errorf("%s: nothing is said of what it does not cover, or of how it is proved", c.Name)
		}
	}
}

// payload is an event with the fields that any client would want of it.
func payload(c, name, cwd string) string {
	switch c {
	case "copilot":
		more := map[string]string{
			"sessionStart": `"source":"new"`, "sessionEnd": `"reason":"user_exit"`, "userPromptSubmitted": `"prompt":"p"`,
			"preToolUse": `"toolName":"view","toolArgs":{"path":"a"}`, "postToolUse": `"toolName":"view","toolArgs":{"path":"a"},"toolResult":{"resultType":"success","textResultForLlm":"x"}`,
			"postToolUseFailure": `"toolName":"view","toolArgs":{"path":"a"},"error":"no"`, "preCompact": `"trigger":"auto","customInstructions":""`,
			"agentStop": `"stopReason":"end_turn"`,
		}[name]
		return fmt.Sprintf(`{"sessionId":"s1","timestamp":1795165466157,"cwd":%q,%s}`, cwd, more)
	case "gemini":
		return fmt.Sprintf(`{"session_id":"s1","transcript_path":"/home/dev/.gemini/tmp/x.json","cwd":%q,"hook_event_name":%q,"timestamp":"2026-11-20T09:09:55.078Z","source":"startup","trigger":"manual","reason":"exit","prompt":"p","tool_name":"read_file","tool_input":{"file_path":"a"},"tool_response":{"llmContent":"x"},"llm_request":{"model":"m","messages":[]}}`, cwd, name)
	}
	if c == "antigravity" {
		return fmt.Sprintf(`{"conversationId":"s1","workspacePaths":[%q],"toolCall":{"name":"run_command","args":{"CommandLine":"true"}}}`, cwd)
	}
	own, folder := "", "x"
	switch known, _ := agents.Facts(c); {
	case c == "cursor":
		own = `"conversation_id":"s1","cursor_version":"1",`
	case c == "vscode":
		folder = "Code/User/workspaceStorage"
		name = strings.NewReplacer("Submitted", "Submit", "AgentStop", "Stop").Replace(strings.ToUpper(name[:1]) + name[1:])
	case known.Documented != "":
		folder = c
	}
	return fmt.Sprintf(`{`+own+`"session_id":"s1","transcript_path":"/home/dev/.`+folder+`/x.jsonl","cwd":%q,"hook_event_name":%q,"source":"startup","trigger":"auto","reason":"other","prompt":"p","tool_name":"Bash","tool_use_id":"t","tool_input":{"command":"true"},"file_path":"a"}`, cwd, name)
}

// Every event that is hooked is one that the adapter has a use for, and every installed line starts mbgate, whatever its
// path; with the binary gone, a client that would take that for a refusal gets silence.
func TestInstalledLinesRun(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	odd := "a b"
	if runtime.GOOS != "windows" {
		odd = `it's "a" $HOME ü`
	}
	dir := t.TempDir()
	binary := filepath.Join(dir, odd, "mbgate")
	if runtime.GOOS == "windows" {
		t.Log("no line for a shell of Windows was ever observed; only Claude Code's form without a shell is run here")
		binary += ".exe"
	}
	if err := os.MkdirAll(filepath.Dir(binary), 0o755); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(binary, text, 0o755); err != nil {
		t.Fatal(err)
	}
	opts := settings.Options{Binary: binary, Windows: runtime.GOOS == "windows"}
	lines := map[string]settings.Entry{}
	for _, c := range agents.Installable() {
		if c.Plugin != nil {
			continue // it is a plugin that starts mbgate
		}
		text, err := c.Install(nil, opts)
		if err != nil {
			t.Fatal(err)
		}
		entries, err := c.Entries(text, opts)
		if err != nil || len(entries) == 0 {
			t.Fatal(err)
		}
		w, _ := agents.ByName(c.Name)
		for _, e := range entries {
			args := e.Args
			if args == nil {
				_, after, _ := strings.Cut(e.Command, "exec ")
				args = strings.Fields((e.Command + after)[strings.LastIndex(e.Command, "mbgate'")+len("mbgate'"):])
				if opts.Windows {
					args = strings.Fields(e.Command[strings.LastIndex(e.Command, `"`)+1:])
				}
			}
			o := wire.Options{Subcommand: args[0], Agent: args[len(args)-1]}
			ev, err := agents.Decode([]byte(payload(c.Name, e.Event, dir)), o)
			if err != nil || ev.Client.Name != c.Name {
				t.Errorf("%s %s: %v, %v", c.Name, e.Event, ev.Client.Name, err)
			}
			// A request that follows no compaction is nothing that happened.
			if ev.Kind == event.None && e.Event != "BeforeModel" {
				t.Errorf("%s %s: no use for it", c.Name, e.Event)
			}
			lines[c.Name+" "+e.Command+strings.Join(args, " ")] = e
			if code, out := runLine(t, e, payload(c.Name, e.Event, dir), opts.Windows); code > 0 || strings.TrimSpace(out) != w.Neutral {
				t.Errorf("%s %s: status %d, %s", c.Name, e.Event, code, out)
			}
			if code, out := runLine(t, e, "no JSON", opts.Windows); code >= 0 && !strings.Contains(out, "mbgate: the input") {
				t.Errorf("%s %s: this does not start mbgate: status %d, %s", c.Name, e.Event, code, out)
			}
		}
	}
	if err := os.Remove(binary); err != nil {
		t.Fatal(err)
	}
	for name, e := range lines {
		guarded := strings.HasPrefix(name, "gemini ") || strings.HasPrefix(name, "copilot ")
		if !guarded || opts.Windows {
			continue
		}
		if code, out := runLine(t, e, "{}", false); code != 0 || out != "" {
			t.Errorf("%s: without the binary: status %d, %s", name, code, out)
		}
	}
}

// runLine starts a hook as its client does; a status of -1 is one that was not run.
func runLine(t *testing.T, e settings.Entry, in string, windows bool) (int, string) {
	t.Helper()
	cmd := exec.Command("sh", "-c", e.Command)
	if e.Args != nil {
		cmd = exec.Command(e.Command, e.Args...)
	} else if windows {
		return -1, ""
	}
	home := t.TempDir()
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_STATE_HOME="+home, "XDG_CONFIG_HOME="+home)
	cmd.Stdin = strings.NewReader(in)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}
