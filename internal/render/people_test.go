package render

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/lipgloss"

	"github.com/mbgate/mbgate/internal/config"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/journal"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/risk"
	"github.com/mbgate/mbgate/internal/risk/reason"
	"github.com/mbgate/mbgate/internal/risk/shell"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden holds a text against testdata/NAME.golden.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; look at it, then run with -update\n--- got\n%s--- want\n%s", file, got, want)
	}
}

// testScreen is a screen of a width; the renderer says whether its background is dark.
func testScreen(colour, dark bool, width int) *Screen {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetHasDarkBackground(dark)
	return newScreen(r, colour, width)
}

var now = time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC)

func client() event.Client {
	return event.Client{
		Name: "claude-code", Title: "Claude Code", Observed: "2.1.328", PromptEvents: true,
		Uncovered: []string{
			"@file in a prompt, and the files that the client puts back after a compaction, reach the model without a hook and do not count as read",
			"/rewind takes what was read out of the conversation without an event",
		},
		ReadTool: event.ReadTool{Tool: "Read", Path: "file_path", Offset: "offset", Limit: "limit"},
	}
}

// status is a project with sessions in every state, and names that a terminal must not take for more than names.
func status() Status {
	required := []gate.Standing{
		{Unread: gate.Unread{Path: "memory-bank/details/requirements/REQ-005.md", Read: 20, Need: 180, Total: 180}},
		{Unread: gate.Unread{Path: "memory-bank/details/design/索引-設計.md", Need: 90, Total: 90, Changed: true}},
		{Unread: gate.Unread{Path: "memory-bank/details/design/🚀 launch 👩‍👩‍👧.md", Need: 1000, Total: 4000, Part: true}},
		{Unread: gate.Unread{Path: "memory-bank/details/progress.md", Read: 40, Need: 40, Total: 40}, Done: true},
		{Unread: gate.Unread{Path: "memory-bank/details/design/a.bin"}, Dropped: "it is a binary file"},
	}
	return Status{
		Root: "/home/dev/項目", Now: now,
		Settings: []Setting{
			{Key: "recovery", Value: "block", Origin: "default"}, {Key: "guard_mode", Value: "warn", Origin: ".mbgate.toml:3"}, {Key: "write_guard", Value: "writer", Origin: "default"},
		},
		Problems: []string{`/home/dev/項目/.mbgate.toml:7: max_chars must be a whole number, not a string; write digits only, like 8000`},
		Sessions: []SessionStatus{
			{
				ID: "6d06b814-0d77-449f-833c-d95f9060f114", Root: "/home/dev/項目", Client: client(),
				Started: now.Add(-3 * time.Hour), Last: now.Add(-2 * time.Minute), PatternsRead: true,
				Main: ContextStatus{
					Compactions: 2, Anchors: []string{"memory-bank/details/requirements/REQ-005.md"},
					Progress: &gate.Progress{
						Cause: gate.ByCompaction, ActivatedAt: now.Add(-12 * time.Minute), Refusals: 3, Required: required,
						Also: []string{"memory-bank/details/design/old.md"}, Next: gate.Call{First: 21, Last: 180},
						Abs: "/home/dev/項目/memory-bank/details/requirements/REQ-005.md", Reader: true,
					},
				},
				Subs: []ContextStatus{{
					ID: "a17", Type: "general-purpose", Started: now.Add(-time.Hour), Used: now.Add(-50 * time.Minute),
					Progress: &gate.Progress{Cause: gate.Inherited, ActivatedAt: now, Required: required[:2]},
				}},
			},
			{
				ID: "hidden", Root: "/home/dev/項目", Client: client(), Started: now.Add(-30 * time.Hour), Last: now.Add(-26 * time.Hour),
				Main: ContextStatus{Compactions: 1, Progress: &gate.Progress{
					ActivatedAt: now.Add(-26 * time.Hour), Refusals: 13, Required: required[:1], Abs: "/home/dev/項目/memory-bank/details/requirements/REQ-005.md",
					StoodDown: "this client has reported no read in this session",
				}},
			},
			{
				ID: "\x1b[31mred\x1b]0;title\x07 session", Root: "/home/dev/項目", Client: event.Client{Name: "x\x1b[2J", Title: "x\x1b[2J"},
				Started: now.Add(-49 * time.Hour), Last: now.Add(-48 * time.Hour), Ended: now.Add(-48 * time.Hour),
			},
			{ID: "fresh", Root: "/home/dev/項目", Client: client(), Started: now, Last: now},
			{ID: "torn", Damaged: true, Problem: "/state/ab12.json: damaged: is empty: it is moved aside at the next event"},
		},
		More: 495, MorePending: 1,
	}
}

// bound is a session without a recovery that the capsule holds, in a narrow and a wide script.
func bound() Status {
	return Status{Root: "/home/dev/項目", Now: now, Sessions: []SessionStatus{{
		ID: "b1", Root: "/home/dev/項目", Client: event.Client{Name: "codex", Title: "Codex CLI", PromptEvents: true},
		Started: now.Add(-3 * time.Hour), Last: now.Add(-2 * time.Minute), Main: ContextStatus{Compactions: 3},
		Binds: []gate.Binding{
			{Kind: gate.BindQuestion, ID: "q1", Text: "Which of the two currencies is rounded first, and who confirms it before the release?", Session: "b1"},
			{Kind: gate.BindStale, Path: "src/部品/🚀 launch.go", Abs: "/home/dev/項目/src/部品/🚀 launch.go"},
			{Kind: gate.BindDeny, ID: "d1", Globs: []string{"billing/**", "決済/**"}, Text: "the finance team works on it", Session: "b1"},
		},
		WriteGuard: "markdown", WhyGuard: "the subagent memory-bank-writer is not defined",
	}}}
}

// crowd is a project with 500 sessions, of which the newest are shown.
func crowd() Status {
	s := Status{Root: "/repo", Now: now}
	for i := range 10 {
		e := SessionStatus{
			ID: fmt.Sprintf("%08x-0d77-449f-833c-d95f9060f114", i*7919), Root: "/repo", Client: client(),
			Started: now.Add(-time.Duration(i+1) * time.Hour), Last: now.Add(-time.Duration(i) * time.Hour),
		}
		if i == 1 {
			e.Main = status().Sessions[1].Main
		}
		s.Sessions = append(s.Sessions, e)
	}
	s.More, s.MorePending = 490, 1
	return s
}

func redirected(name string, op event.Op) reason.Reason {
	return reason.Reason{Kind: reason.Redirects, Op: op, Object: name}
}

func explanations() map[string]Explanation {
	in := func(p string) place.Place {
		return place.Place{Canon: p, Shown: p, Abs: "/repo/" + p, Phys: "/repo/" + p}
	}
	block := gate.Decision{
		Verdict: event.Block, Rule: gate.RuleRecovery,
		Assessment: risk.Assessment{
			Level: risk.High, Writes: risk.WritesProject,
			Targets: []risk.Target{
				{Place: in("go.mod"), Op: event.OpWrite, Certain: true, Why: redirected("go.mod", event.OpWrite), Level: risk.High, Rule: risk.RuleSensitive, Group: "manifest"},
				{Place: in("src/部品.go"), Op: event.OpWrite, Why: reason.Reason{Kind: reason.Changes, By: "sed", Op: event.OpWrite, Object: "src/部品.go"}, Level: risk.Medium, Rule: risk.RuleOrdinary},
				{Place: place.Place{Abs: "/tmp/x", Phys: "/tmp/x"}, Op: event.OpDelete, Tree: true, Certain: true, Level: risk.Low, Rule: risk.RuleOutside},
			},
			Reads: []shell.Read{
				{Place: in("memory-bank/MEMORY.md"), Full: true, Verbatim: true},
				{Place: in("README.md")},
				{Place: place.Place{Abs: "/etc/passwd"}, Full: true, Verbatim: true},
			},
		},
	}
	own := gate.Decision{Verdict: event.Block, Rule: gate.RuleOwn, Assessment: risk.Assessment{
		Level: risk.High, Writes: risk.WritesNone, Own: reason.Reason{Kind: reason.OwnClear},
	}}
	session := block
	session.Refusal = &gate.Refusal{Unread: []gate.Unread{{Path: "docs/a.md", Abs: "/repo/docs/a.md"}}, Next: gate.Call{First: 3, Last: 9}}
	allowed := gate.Decision{Verdict: event.Allow, Assessment: risk.Assessment{Level: risk.Low, Writes: risk.WritesNone}}
	fallback := []string{"memory-bank/MEMORY.md", "memory-bank/details/patterns.md"}
	return map[string]Explanation{
		"refused": {Call: "echo x > go.mod; sed -i s/a/b/ src/部品.go\nrm -rf /tmp/x", Decision: block, Fallback: fallback, Client: client()},
		"session": {ID: json.RawMessage(`"7"`), Call: "echo x > go.mod", Decision: session, Session: "s1", Client: client()},
		"own":     {Call: "mbgate clear\x1b[2J", Decision: own, Client: client()},
		"guarded": {Call: "echo x >> memory-bank/MEMORY.md", Session: "s1", Client: client(), Decision: gate.Decision{
			Verdict: event.Block, Rule: gate.RuleGuard, Guarded: &gate.Guarded{Path: "memory-bank/MEMORY.md"},
			Assessment: risk.Assessment{
				Level: risk.Medium, Writes: risk.WritesProject,
				Targets: []risk.Target{{Place: in("memory-bank/MEMORY.md"), Op: event.OpAppend, Certain: true, Why: redirected("memory-bank/MEMORY.md", event.OpAppend), Level: risk.Medium, Rule: risk.RuleOrdinary}},
			},
		}},
		"patterns": {Call: "Edit {}", Session: "s1", Client: client(), Decision: gate.Decision{
			Verdict: event.Block, Rule: gate.RuleRead, Patterns: &gate.Patterns{Path: "memory-bank/details/patterns.md", Abs: "/repo/memory-bank/details/patterns.md", Next: gate.Call{First: 1, Last: 9}, Need: 9},
			Assessment: risk.Assessment{Level: risk.Medium, Writes: risk.WritesProject, Targets: []risk.Target{{Place: in("a.go"), Op: event.OpWrite, Certain: true, Why: reason.Reason{Kind: reason.Changes, Op: event.OpWrite, Object: "a.go"}, Level: risk.Medium, Rule: risk.RuleOrdinary}}},
		}},
		"allowed": {Call: "ls -la", Decision: allowed, Fallback: fallback, Client: client()},
	}
}

func settings() Settings {
	many := make([]string, 30)
	for i := range many {
		many[i] = fmt.Sprintf("**/built-in-%d/**", i)
	}
	c, problems := config.Load(config.Sources{
		Sensitive: many, Safe: []string{"notes/**"},
		Project: config.File{Path: "/repo/.mbgate.toml", Data: []byte("guard_mode = \"block\"\nsensitive = [\"+billing/**\"]\n")},
		User:    config.File{Path: "/home/dev/.config/mbgate/config.toml", Data: []byte("max_chars = \"lots\"\n")},
	})
	return Settings{
		Values: c.Values(), Problems: problems, HasProject: true, HasUser: true,
		ProjectFile: "/repo/.mbgate.toml", UserFile: "/home/dev/.config/mbgate/config.toml",
	}
}

func demoSteps() []DemoStep {
	return []DemoStep{
		{Title: "It tries again.", Command: "mbgate tool-before", Event: `{"hook_event_name": "PreToolUse", "tool_name": "Edit", …}`, Stderr: "mbgate refused this call.\nNext: Read {\"file_path\": \"/project/a.md\"}\n", Exit: 2, Means: "refused"},
		{Title: "A session starts.", Command: "mbgate session-start", Stdout: "<memory-bank>\n" + strings.Repeat("line\n", 30) + "</memory-bank>\n", Means: "what it prints goes into the model's context"},
		{Title: "It goes wrong.", Command: "mbgate compact", Exit: 1, Means: "a recovery is pending now", Fault: "the exit status is 1, it should be 0"},
	}
}

func records() []journal.Record {
	return []journal.Record{
		{At: now, Agent: "claude-code", Session: "s1", Tool: "Edit", Target: "src/a.go", Decision: "block", Risk: "medium", Rule: "R3", Reason: "writes src/a.go"},
		{At: now, Agent: "claude-code", Session: "6d06b814-0d77-449f-833c-d95f9060f114", Tool: "Bash", Programs: "curl, tar, rm", Target: "vendor/third_party", Decision: "warn", Risk: "high", Rule: "R3", Reason: "vendor/third_party written (a whole folder); build deleted (a whole folder); may change more files than mbgate can list"},
		{At: now, Agent: "codex", Session: "s2", Decision: "source known again", Rule: "C5", Target: "src/部品.go"},
		{At: now, Session: "s1", Decision: "cleared", Rule: "R4", Reason: "a person ran mbgate clear: \x1b[2Jenough"},
	}
}

// screens are all screens there are.
func screens(s *Screen) map[string]string {
	out := map[string]string{
		"status": status().Text(s, false), "status-verbose": status().Text(s, true), "config": settings().Text(s), "problems": settings().ProblemList(s, false), "log": (&LogScreen{Screen: s}).Text(records()), "log-verbose": (&LogScreen{Screen: s, Verbose: true, All: true}).Text(records()),
		"status-empty": Status{Root: "/repo", Now: now}.Text(s, false), "status-inert": Status{Root: "/repo", Inert: true, Disabled: true, Now: now}.Text(s, false),
		"status-all": Status{All: true, Now: now, Sessions: status().Sessions[1:2]}.Text(s, false), "short": status().Short(s, "would forget"),
		"status-bound": bound().Text(s, false), "status-many": crowd().Text(s, false),
	}
	for name, e := range explanations() {
		out["explain-"+name] = e.Text(s)
	}
	for i, d := range demoSteps() {
		out["demo"] += d.Text(s, i+1)
	}
	for name, h := range helps() {
		out["help-"+name] = h.Text(s)
	}
	return out
}

// helps are the help of a program with commands and of a command with flags.
func helps() map[string]Help {
	return map[string]Help{
		"program": {
			About: "mbgate keeps a coding agent in the frame of its task.\n\nA long conversation is compacted: a lossy summary takes its place, and the agent forgets why\nit is doing what it does.\n\nEXIT STATUS\n  0 fine · 1 \"no\" to a question, or mbgate's own failure · 64 wrong usage",
			Usage: []string{"mbgate COMMAND [flags]"}, Examples: "  mbgate demo              see it work\n",
			Lists: []HelpList{{"For people:", []HelpRow{{"status", "Show what is required, what is read and what is next"}, {"explain", "Say what the gate would decide for a command or a tool call, and why"}}}},
			More:  "`mbgate COMMAND --help` says more about a command.",
		},
		"command": {
			About: "Judges a call.\n\nLines that are indented stand as they are:\n  {\"id\":\"1\",\"command\":\"rm -rf build\",\"cwd\":\"src\"}\nand it goes on.\n\nEXIT STATUS\n  0, also where it is refused · 64 wrong usage",
			Usage: []string{"mbgate explain [flags] [-- COMMAND...]"},
			Lists: []HelpList{
				{"Arguments:", []HelpRow{{"  COMMAND", "a command for a shell"}}},
				{"Flags:", []HelpRow{{"-n, --last N", "this many at most, of those that came before (default 50 for people, all with --json)"}, {"    --json", "print one JSON object"}}},
			},
		},
	}
}

func TestMain(m *testing.M) {
	time.Local = time.UTC // the log is shown in the reader's zone
	os.Exit(m.Run())
}

func TestScreens(t *testing.T) {
	for _, width := range []int{60, 80, 200} {
		for name, text := range screens(testScreen(false, true, width)) {
			t.Run(fmt.Sprintf("%s-%d", name, width), func(t *testing.T) {
				golden(t, fmt.Sprintf("%s-%d", name, width), text)
			})
		}
	}
}

func TestColoursAreTheTerminalsOwn(t *testing.T) {
	dark, light, none := screens(testScreen(true, true, 80)), screens(testScreen(true, false, 80)), screens(testScreen(false, true, 80))
	for name, text := range dark {
		if text != light[name] {
			t.Errorf("%s differs between a dark and a light terminal", name)
		}
		if bare := uncoloured(text); bare != none[name] {
			t.Errorf("%s says something else in colours\n%s", name, bare)
		}
		if strings.Contains(text, "38;") || strings.Contains(text, "48;") {
			t.Errorf("%s uses colours beyond the terminal's own", name)
		}
	}
	for _, width := range []int{60, 80, 200} {
		all := screens(testScreen(true, true, width))
		golden(t, fmt.Sprintf("status-%d-colour", width), all["status"])
	}
	golden(t, "status-bound-80-colour", dark["status-bound"])
	golden(t, "explain-refused-80-colour", dark["explain-refused"])
	golden(t, "demo-80-colour", dark["demo"])
}

// uncoloured takes the colours out of a text that has nothing else a terminal would obey.
func uncoloured(s string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, "\x1b[")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		_, s, _ = strings.Cut(after, "m")
	}
}

// Nothing but our own colours may steer a terminal, whatever sessions, files and prompts are called.
func TestForeignTextSteersNoTerminal(t *testing.T) {
	for name, text := range screens(testScreen(true, true, 80)) {
		for _, r := range uncoloured(text) {
			if r != '\n' && !shows(r) {
				t.Errorf("%s holds %U", name, r)
			}
		}
	}
	for name, text := range screens(testScreen(false, true, 80)) {
		if strings.Contains(text, "\x1b") {
			t.Errorf("%s holds an escape without colours", name)
		}
	}
}

// No line is wider than the screen but for what is there to be copied: one word, a path, a command, a call.
func TestLinesFit(t *testing.T) {
	for _, width := range []int{60, 80, 120, 200} {
		for name, text := range screens(testScreen(false, true, width)) {
			for line := range strings.Lines(text) {
				line = strings.TrimRight(line, "\n")
				if columns(line) <= width {
					continue
				}
				words := strings.TrimLeft(strings.TrimSpace(line), "●○◐✓–✗ ")
				copied := strings.HasPrefix(words, "Read {") || strings.HasPrefix(words, "mbgate clear") || strings.HasPrefix(words, "answer it: mbgate note")
				if strings.Contains(words, " ") && !copied {
					t.Errorf("%s at %d: %d columns: %s", name, width, columns(line), line)
				}
			}
		}
	}
}

func TestWidthOfAPipe(t *testing.T) {
	for columns, want := range map[string]int{"": 80, "0": 80, "100": 100, "12": minWidth, "4000": maxWidth, "x": 80, "99999999999999999999999": 80} {
		s := NewScreen(io.Discard, func(k string) string { return map[string]string{"COLUMNS": columns, "TERM": "xterm-256color"}[k] })
		if s.Width() != want || s.Colour() {
			t.Errorf("COLUMNS=%s: width %d, colour %v, want %d and none", columns, s.Width(), s.Colour(), want)
		}
	}
}

func TestJSONShape(t *testing.T) {
	out := map[string]any{"status": status().JSON(), "config": settings().JSON()}
	for name, e := range explanations() {
		out["explain-"+name] = e.JSON()
	}
	for name, v := range out {
		b, err := json.MarshalIndent(v, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		golden(t, name+"-json", string(b)+"\n")
	}
}

// TestProse breaks between words only.
func TestProse(t *testing.T) {
	t.Parallel()
	path := "memory-bank/details/requirements/" + strings.Repeat("long", 12) + ".md"
	got := testScreen(false, true, 60).Prose(6, "the recovery that waits for memory-bank/details/design/支付.md, "+path+", b.md")
	want := "      the recovery that waits for\n      memory-bank/details/design/支付.md,\n      " + path + ",\n      b.md\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestNoReasonEndsInACall: where the client puts the refused call behind the reason, the call to make stands above the last line.
func TestNoReasonEndsInACall(t *testing.T) {
	d := gate.Decision{Verdict: event.Block, Rule: gate.RuleRecovery, Refusal: &gate.Refusal{
		Count: 2, Again: true, Unread: []gate.Unread{{Path: "docs/a.md", Abs: "/repo/docs/a.md", Need: 9}}, Session: "s1",
	}}
	text := Refusal(d, event.Client{}, "")
	if n := strings.Count(text, "\n"); n != 2 || !strings.HasSuffix(text, "\nNext: cat /repo/docs/a.md\n") {
		t.Errorf("a second refusal is not two lines, the call last:\n%s", text)
	}
	if got := Refusal(d, event.Client{EchoesCall: true}, ""); got != text+"Then repeat the refused call.\n" {
		t.Errorf("the reason may end in the call:\n%s", got)
	}
}
