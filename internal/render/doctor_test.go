package render

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func examined() Doctor {
	return Doctor{Root: "~/項目", Groups: []Examined{
		{Title: "mbgate", Findings: []Finding{
			{Check: "mbgate", Health: Good, Says: "v0.1.0 (linux/amd64), ~/bin/mbgate; it is the one on PATH"},
			{Check: "memory bank", Health: Warning, Says: "there is none in ~/項目, so mbgate does nothing here", Remedy: "`mbgate init` sets it up"},
			{Check: "configuration", Health: Bad, Says: "~/項目/.mbgate.toml:7: max_chars must be a whole number, not a string", Remedy: "fix it; until then mbgate ignores the whole file (`mbgate config --check`)"},
		}},
		{Agent: "codex", Title: "Codex CLI", Findings: []Finding{
			{Check: "installed", Health: Good, Says: "~/.codex/hooks.json, 8 hooks"},
			{Check: "trusted", Health: Warning, Says: "one step left: Codex runs these hooks once you trust them as they are now: PreToolUse", Remedy: "start `codex` in a terminal, choose to review the hooks, and trust them (later: /hooks, key t)"},
			{Check: "command", Health: Warning, Says: "a read passes, but something is printed where nothing should be: \x1b[31mred\x1b]0;title\x07", Remedy: "take it out"},
			{Check: "not covered", Health: Note, Says: "what is typed into a running program (write_stdin) fires no hook"},
			{Check: "not covered", Health: Note, Says: "in code mode a script can read a file and show the model nothing of it; mbgate sees no difference to a read"},
			{Check: "forgotten"},
		}},
	}}
}

func doctorScreens(s *Screen) map[string]string {
	sound := Doctor{Root: "/repo", Groups: []Examined{{Title: "mbgate", Says: "v0.1.0, 3 files; fallback 2 of 2", Findings: []Finding{{Check: "mbgate", Health: Good, Says: "v0.1.0"}}}}}
	return map[string]string{"doctor": examined().Text(s, false), "doctor-verbose": examined().Text(s, true), "doctor-sound": sound.Text(s, false), "doctor-table": Doctor{Groups: examined().Groups[1:]}.Table(s)}
}

func TestDoctorScreens(t *testing.T) {
	for _, width := range []int{60, 80, 200} {
		for name, text := range doctorScreens(testScreen(false, true, width)) {
			golden(t, fmt.Sprintf("%s-%d", name, width), text)
			for line := range strings.Lines(text) {
				if line = strings.TrimSpace(line); columns(line) > width {
					t.Errorf("%s at %d: %d columns: %s", name, width, columns(line), line)
				}
			}
		}
	}
	colour := doctorScreens(testScreen(true, true, 80))
	for name, none := range doctorScreens(testScreen(false, true, 80)) {
		if bare := uncoloured(colour[name]); bare != none {
			t.Errorf("%s says something else in colours\n%s", name, bare)
		}
		for _, r := range none {
			if r != '\n' && !shows(r) {
				t.Errorf("%s holds %U", name, r)
			}
		}
	}
	golden(t, "doctor-80-colour", colour["doctor"])
}

func TestDoctorJSON(t *testing.T) {
	b, err := json.MarshalIndent(examined().JSON(), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "doctor-json", string(b)+"\n")
}

// A result that was forgotten must never mean that all is well.
func TestForgottenResultIsNoGoodOne(t *testing.T) {
	d := Doctor{Groups: []Examined{{Findings: []Finding{{Check: "x", Health: Good}, {Check: "y"}}}}}
	if d.Worst() != Bad || !strings.Contains(d.Text(testScreen(false, true, 80), false), "1 error") {
		t.Errorf("worst is %v", d.Worst())
	}
}
