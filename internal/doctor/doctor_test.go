package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/install"
	"github.com/mbgate/mbgate/internal/render"
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

// codexAgent is Codex with our hooks in a home folder of its own, and the hooks.json.
func codexAgent(t *testing.T) (*agent, string) {
	t.Helper()
	home := t.TempDir()
	client, _ := settings.ByName("codex")
	data, err := client.Install(nil, settings.Options{Binary: "/opt/my tools/mbgate"})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(home, ".codex", "hooks.json")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	r := run{Options: Options{Env: install.Env{
		Home:       func() (string, error) { return home, nil },
		Executable: func() (string, error) { return "/opt/my tools/mbgate", nil },
		LookupEnv:  func(string) (string, bool) { return "", false },
		Project:    home,
	}}}
	return r.agent(client), file
}

func TestTrustIsLookedUpAsCodexKeepsIt(t *testing.T) {
	p, file := codexAgent(t)
	config := func(change func(event, text string) string) {
		t.Helper()
		var b strings.Builder
		b.WriteString("model = \"x\"\n\n[hooks.state]\n")
		for _, e := range p.files[0].entries {
			var matcher *string
			if e.Matcher != "" {
				matcher = &e.Matcher
			}
			timeout := 10
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
		want   render.Health
		says   string
	}{
		{"all trusted", same, render.Good, "every hook is trusted"},
		{"inline tables", func(_, text string) string {
			_, key, _ := strings.Cut(text, "[hooks.state.")
			key, rest, _ := strings.Cut(key, "]\n")
			return key + " = { " + strings.TrimSpace(rest) + " }\n"
		}, render.Good, "every hook is trusted"},
		{"literal keys and line ends of Windows", func(_, text string) string {
			return strings.NewReplacer(`state."`, `state.'`, `"]`, `']`, "\n", "\r\n").Replace(text)
		}, render.Good, "every hook is trusted"},
		{"one changed since", only("PreToolUse", func(s string) string { return strings.Replace(s, "sha256:", "sha256:0", 1) }), render.Bad, "as they are now: PreToolUse"},
		{"one never trusted", only("PostCompact", func(string) string { return "" }), render.Bad, "as they are now: PostCompact"},
		{"one turned off", only("Stop", func(s string) string { return s + "enabled = false\n" }), render.Bad, "turned off in"},
	} {
		config(c.change)
		found := p.codexTrust()
		if len(found) != 1 || found[0].Health != c.want || !strings.Contains(found[0].Says, c.says) {
			t.Errorf("%s: %+v", c.name, found)
		}
	}
	if err := os.Remove(filepath.Join(filepath.Dir(file), "config.toml")); err != nil {
		t.Fatal(err)
	}
	if found := p.codexTrust(); found[0].Health != render.Bad {
		t.Errorf("without a config.toml: %+v", found)
	}
}

// The samples must be what the clients send: recognised without a hint, but for Copilot's events, which do not name
// themselves.
func TestSamplesAreTheClients(t *testing.T) {
	for _, c := range settings.All() {
		s := samples(c.Name)
		for _, x := range []struct {
			sample, command string
			kinds           []event.Kind
		}{
			{s.read, "tool-before", []event.Kind{event.ToolBefore}},
			{s.write, "tool-before", []event.Kind{event.ToolBefore}},
			{s.compaction, "compact", []event.Kind{event.Compacted, event.Compacting, event.Notice}},
		} {
			o := wire.Options{Subcommand: "hook"}
			if c.Name == "copilot" {
				o = wire.Options{Subcommand: x.command, Agent: "copilot"}
			}
			ev, err := wire.Decode([]byte(fill(x.sample, `s"1`, "/home/dev", `/tmp/a "b"`)), o)
			ok := false
			for _, k := range x.kinds {
				ok = ok || ev.Kind == k && (k != event.Notice || ev.Summary != "")
			}
			if err != nil || ev.Client.Name != c.Name || !ok || ev.Session != `s"1` {
				t.Errorf("%s: %s: %v, %v, kind %s", c.Name, x.sample, err, ev.Client.Name, ev.Kind)
			}
		}
	}
}

// Every answer of ours to a refused call is one that the client honours, and an allowed call's is none.
func TestOurRefusalsAreHonoured(t *testing.T) {
	for _, c := range wire.Clients() {
		if _, ok := settings.ByName(c.Name); !ok {
			continue
		}
		ev := event.Event{Kind: event.ToolBefore, Client: &c}
		for verdict, want := range map[event.Verdict]bool{event.Block: true, event.Warn: false, event.Allow: false} {
			out := wire.Encode(ev, wire.Answer{Verdict: verdict, Text: "read memory-bank/MEMORY.md first"})
			f := response{exit: out.Exit, stdout: string(out.Stdout), stderr: string(out.Stderr)}
			if got, why := honoured(c.Name, f); got != want {
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
		f      response
		want   bool
	}{
		{"claude-code", response{exit: 2, stderr: "no"}, true},
		{"claude-code", response{exit: 2}, false},
		{"claude-code", response{exit: 2, stdout: "no"}, false},
		{"claude-code", response{stdout: deny}, true},
		{"claude-code", response{}, false},
		{"codex", response{exit: 2, stderr: "no", stdout: "{}"}, true},
		{"codex", response{exit: 2}, false},
		{"codex", response{stdout: block}, true},
		{"qwen", response{exit: 2, stderr: "no"}, true},
		{"qwen", response{exit: 2}, false},
		{"gemini", response{exit: 2, stderr: "no"}, true},
		{"gemini", response{exit: 2, stderr: "no", stdout: "{}"}, false},
		{"gemini", response{exit: 2, stderr: "no", stdout: flat}, false},
		{"gemini", response{exit: 2}, false},
		{"gemini", response{stdout: block}, true},
		{"copilot", response{exit: 2, stderr: "no"}, false},
		{"copilot", response{exit: 2, stderr: "no", stdout: flat}, true},
		{"copilot", response{exit: 2, stdout: deny}, true},
		{"copilot", response{stdout: block}, false},
		{"opencode", response{exit: 2, stderr: "no"}, true},
		{"opencode", response{stdout: deny}, false},
	} {
		if got, why := honoured(c.client, c.f); got != c.want || !got && why == "" {
			t.Errorf("%s, %+v: %v, %q", c.client, c.f, got, why)
		}
	}
}

func TestProgramOfACommandLine(t *testing.T) {
	lines := map[string]string{
		`'/opt/my tools/mbgate' hook codex`:                                      "/opt/my tools/mbgate",
		`'/opt/it'\''s/mbgate' hook codex`:                                       "/opt/it's/mbgate",
		`[ -x '/opt/a b/mbgate' ] || exit 0; exec '/opt/a b/mbgate' hook gemini`: "/opt/a b/mbgate",
		`mbgate hook codex`:                                                      "mbgate",
		`"/opt/my tools/mbgate" hook`:                                            "/opt/my tools/mbgate",
		`$HOME/bin/mbgate hook codex`:                                            "",
		`FOO=1 mbgate hook codex`:                                                "",
		`'/opt/unclosed hook codex`:                                              "",
		``:                                                                       "",
	}
	if runtime.GOOS == "windows" {
		delete(lines, `'/opt/it'\''s/mbgate' hook codex`) // a backslash separates folders there
	}
	for line, want := range lines {
		if got := (commandLine{command: line}).program(); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func TestVersionsOfClients(t *testing.T) {
	for text, want := range map[string]string{
		"2.1.328 (Claude Code)\n": "2.1.328", "codex-cli 0.169.0": "0.169.0", "v1.0.102.": "1.0.102", "1.18.33\n": "1.18.33",
		"GitHub Copilot CLI 1.0.102.\nRun 'copilot update'": "1.0.102", "no version": "", "1.2": "", "1..2": "",
	} {
		if got := versionIn(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	for _, c := range []struct {
		a, b string
		want int
	}{{"2.1.328", "2.1.328", 0}, {"2.1.99", "2.1.328", -1}, {"2.10.0", "2.9.9", 1}, {"0.170.0", "0.169.0", 1}} {
		if got := compareVersions(c.a, c.b); got != c.want {
			t.Errorf("%s and %s: %d", c.a, c.b, got)
		}
	}
}

func TestAnAdministratorMayTurnHooksOff(t *testing.T) {
	client, _ := settings.ByName("claude-code")
	for text, want := range map[string]int{
		"": 0, "{}": 0, `{"disableAllHooks": true}`: 1, `{"allowManagedHooksOnly": true}`: 1, `{"allowManagedHooksOnly": false}`: 0,
		`{"allowManagedHooksOnly": true, "disableAllHooks": true}`: 2, "{": 0,
	} {
		if got := policyOff(client, []byte(text)); len(got) != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestHomeIsShownShort(t *testing.T) {
	r := run{Options: Options{Env: install.Env{Home: func() (string, error) { return "/root", nil }}}}
	for text, want := range map[string]string{
		"/root": "~", "/root/a": "~/a", "in /root/a and (/root/b): /rooted/c": "in ~/a and (~/b): /rooted/c", "/mnt/root/a": "/mnt/root/a",
		"chmod 700 '/root/my state'": "chmod 700 '/root/my state'",
	} {
		d := r.shortenHome(render.Doctor{Groups: []render.Examined{{Findings: []render.Finding{{Says: text, Remedy: text}}}}})
		if f := d.Groups[0].Findings[0]; f.Says != want || f.Remedy != want {
			t.Errorf("%s: %s, %s", text, f.Says, f.Remedy)
		}
	}
}
