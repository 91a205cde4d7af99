package agents

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/settings"
	"github.com/mbgate/mbgate/internal/wire"
)

// What the app-server of Codex 0.169.0 answered to hooks/list for hooks like these.
func TestTrustHashIsCodexs(t *testing.T) {
	all, said := "*", "hi"
	zero, three, ten, many := 0, 3, 10, 5000
	for _, c := range []struct {
		event   string
		matcher *string
		handler codexHandler
		want    string
	}{
		{"PreToolUse", &all, codexHandler{Command: "'/usr/bin/mbgate' hook codex <a>&", Timeout: &ten, Type: "command"}, "42aafaef835e267aba9429690d0c06c635a24c011d399b1ab61d77f23b0845da"},
		{"SessionEnd", nil, codexHandler{Command: "'/usr/bin/mbgate' hook codex", Timeout: &three, Type: "command"}, "06d7a54eadcccb96fb62b7e765454df718b253ea4b7a8c9250a5fa9d9b8cfff8"},
		{"PreToolUse", nil, codexHandler{Command: "other", Type: "command"}, "b8a89c77833b69fac43e777edfe3be78e8cc430673b510a2bfd971d3fc7aa421"},
		{"Stop", nil, codexHandler{Command: "x", Type: "command", StatusMessage: &said}, "8dc0be4e06dd236240beb2b155ca0646a757eeeb73a1d0571b6271bb202bd867"},
		// What Codex allows is what it hashes.
		{"SessionEnd", nil, codexHandler{Command: "x", Type: "command"}, "f3041eae9d0be5faed5367060d633bb905ed83825e2f4d9c7bc7f5ef19fe4bc7"},
		{"SessionEnd", nil, codexHandler{Command: "x", Timeout: &zero, Type: "command"}, "f3041eae9d0be5faed5367060d633bb905ed83825e2f4d9c7bc7f5ef19fe4bc7"},
		{"SessionEnd", nil, codexHandler{Command: "x", Timeout: &ten, Type: "command"}, "b1aa6329f3a5daf36ae487200db1136f90a884bb805ddb24a6326c98dd6f29f6"},
		{"Interrupt", nil, codexHandler{Command: "x", Timeout: &ten, Type: "command"}, "a5c004c961226f9446832ffd4713c9a952b1b2be25a24b433950f2394329255b"},
		{"Stop", nil, codexHandler{Command: "x", Type: "command"}, "6f14477468be127a92604ce05b51030268ccd6077fa7a807515589cfcfc7fd17"},
		{"Stop", nil, codexHandler{Command: "x", Timeout: &zero, Type: "command"}, "11fd1bf6c8c77203d96105ae853dcf6a961553dd267dbbe78f72ab20a8383a10"},
		{"Stop", nil, codexHandler{Command: "x", Timeout: &many, Type: "command"}, "fb5fc46f61d9309ba2a265827ec2f0bf3592f61646d910d0088126c88aa18ece"},
	} {
		if got := codexHash(c.event, c.matcher, c.handler); got != "sha256:"+c.want {
			t.Errorf("%s %s: %s", c.event, c.handler.Command, got)
		}
	}
}

func TestTrustIsLookedUpAsCodexKeepsIt(t *testing.T) {
	home := t.TempDir()
	client := settingsOf(t, "codex")
	data, err := client.Install(nil, settings.Options{Binary: "/opt/my tools/mbgate"})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(home, ".codex", "hooks.json")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	entries, err := client.Entries(data, settings.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := Machine{Home: home, Getenv: func(string) string { return "" }, Read: func(name string) ([]byte, error) {
		data, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return data, err
	}, Hooks: []HookFile{{Path: file, Data: data, Ours: func(event, command string) bool {
		return slices.ContainsFunc(entries, func(e settings.Entry) bool { return e.Event == event && e.Command == command })
	}}}}
	config := func(change func(event, text string) string) {
		t.Helper()
		var b strings.Builder
		b.WriteString("model = \"x\"\n\n[hooks.state]\n")
		for _, e := range entries {
			var matcher *string
			if e.Matcher != "" {
				matcher = &e.Matcher
			}
			timeout := settings.HookSeconds
			if e.Event == "SessionEnd" {
				timeout = 3
			}
			hash := codexHash(e.Event, matcher, codexHandler{Command: e.Command, Timeout: &timeout, Type: "command"})
			b.WriteString(change(e.Event, fmt.Sprintf("\n[hooks.state.%q]\ntrusted_hash = %q\n", file+":"+snake(e.Event)+":0:0", hash)))
		}
		b.WriteString("\n[projects.\"/x\"]\ntrust_level = \"trusted\"\n")
		if err := os.WriteFile(filepath.Join(filepath.Dir(file), "config.toml"), []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	same := func(_, text string) string { return text }
	only := func(event string, change func(string) string) func(string, string) string {
		return func(e, text string) string {
			if e == event {
				return change(text)
			}
			return text
		}
	}
	for _, c := range []struct {
		name   string
		change func(event, text string) string
		good   bool
		says   string
	}{
		{"all trusted", same, true, "every hook is trusted"},
		{"inline tables", func(_, text string) string {
			_, key, _ := strings.Cut(text, "[hooks.state.")
			key, rest, _ := strings.Cut(key, "]\n")
			return key + " = { " + strings.TrimSpace(rest) + " }\n"
		}, true, "every hook is trusted"},
		{"literal keys and line ends of Windows", func(_, text string) string {
			return strings.NewReplacer(`state."`, `state.'`, `"]`, `']`, "\n", "\r\n").Replace(text)
		}, true, "every hook is trusted"},
		{"one changed since", only("PreToolUse", func(s string) string { return strings.Replace(s, "sha256:", "sha256:0", 1) }), false, "as they are now: PreToolUse"},
		{"one never trusted", only("PostCompact", func(string) string { return "" }), false, "as they are now: PostCompact"},
		{"one turned off", only("Stop", func(s string) string { return s + "enabled = false\n" }), false, "turned off in"},
	} {
		config(c.change)
		found := codexTrusts(m)
		if (found.Remedy == "") != c.good || found.Unknown || !strings.Contains(found.Says, c.says) {
			t.Errorf("%s: %+v", c.name, found)
		}
	}
	if err := os.Remove(filepath.Join(filepath.Dir(file), "config.toml")); err != nil {
		t.Fatal(err)
	}
	if found := codexTrusts(m); found.Remedy == "" || found.Unknown {
		t.Errorf("without a config.toml: %+v", found)
	}
}

// honoured is what doctor asks.
func honoured(t testing.TB, name string, r Reply) (bool, string) {
	t.Helper()
	a, ok := ByName(name)
	if !ok {
		t.Fatal(name)
	}
	return a.Refuses(r)
}

// Every answer of ours to a refused call is one that the client honours, and an allowed call's is none.
func TestOurRefusalsAreHonoured(t *testing.T) {
	for _, x := range Installable() {
		c, _ := Facts(x.Name)
		ev := event.Event{Kind: event.ToolBefore, Client: &c}
		for verdict, want := range map[event.Verdict]bool{event.Block: true, event.Warn: false, event.Allow: false} {
			out := Encode(ev, wire.Answer{Verdict: verdict, Text: "read memory-bank/MEMORY.md first"})
			f := Reply{Exit: out.Exit, Stdout: string(out.Stdout), Stderr: string(out.Stderr)}
			if got, why := honoured(t, c.Name, f); got != want {
				t.Errorf("%s, %s: %v, %s\n%+v", c.Name, verdict, got, why, f)
			}
		}
	}
}

// The tables of the protocols: what each client was seen to do with an answer.
func TestWhatEachClientHonours(t *testing.T) {
	const (
		deny  = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`
		flat  = `{"permissionDecision":"deny","permissionDecisionReason":"no"}`
		block = `{"decision":"block","reason":"no"}`
	)
	for _, c := range []struct {
		client string
		f      Reply
		want   bool
	}{
		{"claude-code", Reply{Exit: 2, Stderr: "no"}, true},
		{"claude-code", Reply{Exit: 2}, false},
		{"claude-code", Reply{Exit: 2, Stdout: "no"}, false},
		{"claude-code", Reply{Stdout: deny}, true},
		{"claude-code", Reply{}, false},
		{"codex", Reply{Exit: 2, Stderr: "no", Stdout: "{}"}, true},
		{"codex", Reply{Exit: 2}, false},
		{"codex", Reply{Stdout: block}, true},
		{"qwen", Reply{Exit: 2, Stderr: "no"}, true},
		{"qwen", Reply{Exit: 2}, false},
		{"gemini", Reply{Exit: 2, Stderr: "no"}, true},
		{"gemini", Reply{Exit: 2, Stderr: "no", Stdout: "{}"}, false},
		{"gemini", Reply{Exit: 2, Stderr: "no", Stdout: flat}, false},
		{"gemini", Reply{Exit: 2}, false},
		{"gemini", Reply{Stdout: block}, true},
		{"copilot", Reply{Exit: 2, Stderr: "no"}, false},
		{"copilot", Reply{Exit: 2, Stderr: "no", Stdout: flat}, true},
		{"copilot", Reply{Exit: 2, Stdout: deny}, true},
		{"copilot", Reply{Stdout: block}, false},
		{"opencode", Reply{Exit: 2, Stderr: "no"}, true},
		{"opencode", Reply{Stdout: deny}, false},
	} {
		if got, why := honoured(t, c.client, c.f); got != c.want || !got && why == "" {
			t.Errorf("%s, %+v: %v, %q", c.client, c.f, got, why)
		}
	}
}

func TestAnAdministratorMayTurnHooksOff(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "{}": 0, `{"disableAllHooks": true}`: 1, `{"allowManagedHooksOnly": true}`: 1, `{"allowManagedHooksOnly": false}`: 0,
		`{"allowManagedHooksOnly": true, "disableAllHooks": true}`: 2, "{": 0,
	} {
		if got := claudePolicy([]byte(text)); len(got) != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}
