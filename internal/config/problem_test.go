package config

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestProblems holds every message against testdata/problems.golden. Each of them names the file, the line and the
// key, and ends with what to do.
func TestProblems(t *testing.T) {
	files := []string{
		// names
		`guard_mod = "warn"`,
		`guard-mode = "warn"`,
		`Recovery = "warn"`,
		`wirte_guard = "off"`,
		`frobnicate = 1`,
		`anchors.extra = []`,
		`"" = 1`,
		`"guard mode" = 1`,
		"\"a\\nb\\u001b[31m\" = 1",
		strings.Repeat("k", 200) + " = 1",
		"[recovery]\nmode = \"off\"",
		"[[anchors]]\npath = \"x\"",
		"fail = \"open\"\n\nfail = \"closed\"",
		// types
		`anchors = "docs/**"`,
		`anchors = 'a"b\c'`,
		`anchors = ["a", 1, true]`,
		`anchors = [["a"]]`,
		`preset = ["kiro", "kirro"]`,
		`recovery = false`,
		`denial_ceiling = "12"`,
		`denial_ceiling = 1.5`,
		`denial_ceiling = {a = 1}`,
		`denial_ceiling = 2026-01-01`,
		`max_chars = 99999999999999999999`,
		// values
		`recovery = "hard"`,
		`recovery = ""`,
		`fail = "Open"`,
		`preset = "superpowers"`,
		`denial_ceiling = -1`,
		`required_budget = 12`,
		`capsule_tokens = 1_000_000`,
		`run_file = "/tmp/run.json"`,
		`run_file = "../run.json"`,
		`run_file = "runs/"`,
		`run_file = "runs/*.json"`,
		`run_file = 'C:\run.json'`,
		// patterns
		`anchors = ["docs/["]`,
		`anchors = ["docs/{a,b"]`,
		`anchors = ['docs\adr\**']`,
		`anchors = ["/etc/**"]`,
		`anchors = ["~/notes.md"]`,
		`anchors = ["C:/docs/**"]`,
		`anchors = ["../docs/**"]`,
		`anchors = ["docs/../x"]`,
		`anchors = ["docs//x"]`,
		`anchors = ["docs/"]`,
		`anchors = [""]`,
		`anchors = ["+"]`,
		"anchors = [\"a\\u0000b\"]",
		"anchors = [\n \"a\",\n \"+b\",\n]",
		"anchors = [\n  \"ok\",\n  \"docs/[\",\n  \"/x\",\n]",
		`anchors = ["` + strings.Repeat("x", 2000) + `"]`,
		`anchors = [` + strings.Repeat(`"x",`, 501) + `]`,
		`fallback = ["docs/"]`,
		`fallback = ['docs\a.md']`,
		// TOML
		"recovery = \"warn\"\nfail = open",
		`recovery = "warn`,
		`anchors = ["a"`,
		`= 1`,
		`recovery`,
		"recovery = \"\xff\"",
		"\n\nmax_chars = 012",
		strings.Repeat("zzz = 1\n", 25),
	}
	var b strings.Builder
	for _, f := range files {
		c, problems := load("", f, nil, nil)
		if len(problems) == 0 {
			t.Errorf("no problem in %s", f)
		}
		for _, v := range c.Values() {
			if v.Origin.Kind != FromDefault {
				t.Errorf("%q: %s was taken from a file with problems", f, v.Key.Name)
			}
		}
		write(&b, f, problems)
	}
	for _, env := range []string{
		"MEMORY_BANK_GUARD_MODE=loud", "MEMORY_BANK_MAX_CHARS=12k", "MEMORY_BANK_MAX_CHARS=-1", "MBGATE_ANCHORS=/x,a/[",
		"MBGATE_PRESET=x", "MEMORY_BANK_DISABLED=2",
	} {
		_, problems := load("", "", []string{env}, nil)
		write(&b, env, problems)
	}
	for _, flag := range []string{"fail=maybe", "anchors=+a,b", "no-such=1", "a\nb=1"} {
		_, problems := load("", "", nil, []string{flag})
		write(&b, "--"+flag, problems)
	}
	for _, err := range []error{
		regular(mode(fs.ModeDir)), regular(mode(fs.ModeNamedPipe)), regular(mode(fs.ModeSocket)),
		regular(mode(fs.ModeDevice)), &unusableError{"it " + tooLarge, remedyTooLarge}, &fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission},
		errors.New("input/output\nerror"),
	} {
		_, problems := Load(Sources{User: File{Path: user, Err: err}})
		write(&b, err.Error(), problems)
	}
	_, problems := Load(Sources{User: File{Path: user, Data: make([]byte, maxFile+1)}})
	write(&b, "too many bytes", problems)
	_, problems = Load(Sources{User: File{Path: "a\x1b[2Jb", Data: []byte("x = 1")}})
	write(&b, "a path that steers a terminal", problems)

	const golden = "testdata/problems.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the messages differ from %s; look at them with -update and git diff:\n%s", golden, b.String())
	}
}

// mode is what a stat of a file of that mode gives.
type mode fs.FileMode

func (m mode) Name() string       { return "x" }
func (m mode) Size() int64        { return 0 }
func (m mode) Mode() fs.FileMode  { return fs.FileMode(m) }
func (m mode) ModTime() time.Time { return time.Time{} }
func (m mode) IsDir() bool        { return m.Mode().IsDir() }
func (m mode) Sys() any           { return nil }

func write(b *strings.Builder, input string, problems []Problem) {
	b.WriteString("> " + strings.ReplaceAll(plain(cut(input)), "\n", "\n> ") + "\n")
	for _, p := range problems {
		b.WriteString(p.String() + "\n")
	}
	b.WriteByte('\n')
}

// TestLargeFiles goes through files at the size limit; with a step that grows with the square of the size, it would
// run into the time limit of the test binary.
func TestLargeFiles(t *testing.T) {
	for _, line := range []string{
		"\n", "x=1\n", "[x]\n", "[\n", "anchors=[\n", `"",`, "fail='open'\n", "a.b.", "'\n", "\"\"\"\n", "{a=", "#\r\n",
	} {
		for _, head := range []string{"", "anchors = [\n", "x = "} {
			file := head + strings.Repeat(line, (maxFile-len(head))/len(line))
			c, problems := load("", file, nil, nil)
			if blank := strings.Trim(file, "#\r\n") == ""; (len(problems) == 0) != blank || len(problems) > maxProblems+1 {
				t.Errorf("%q %q: %d problems", head, line, len(problems))
			}
			if c.NamesAnchors() {
				t.Errorf("%q %q: anchors taken", head, line)
			}
		}
	}
}

// TestNearest holds the guesses against what a person would have meant.
func TestNearest(t *testing.T) {
	tests := map[string]string{
		"anchor": "anchors", "ancors": "anchors", "fall_back": "fallback", "requiredBudget": "required_budget",
		"maxchars": "max_chars", "capsule-token": "capsule_tokens", "sensitiv": "sensitive", "runfile": "run_file",
		"fial": "fail", "sfae": "safe", "mode": "", "x": "", "disabled": "", "colour": "",
	}
	for name, want := range tests {
		if got := nearest(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
