//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// leftOut is how many blocks and lines of all pages are not run, by the reason; what can be told of them without running
// is checked. A new one has to be added here, so that none is left out unseen.
var leftOut = []struct {
	why string
	n   int
}{
	{"takes it from the network", 8},
	{"asks at a terminal", 1},
	{"it waits for an event", 3},
	{"works on a checkout", 3},
	{"a script of the repository", 5},
	{"tests of the repository", 1},
}

// TestDocsExamplesRun runs what the pages show, each page in a project and a home of its own, its blocks one after the
// other: shell blocks must succeed, console blocks print what stands there, configurations load, payloads are taken.
func TestDocsExamplesRun(t *testing.T) {
	for _, p := range readPages(t) {
		t.Run(p.name, func(t *testing.T) {
			box := newBox(t)
			switch p.name {
			case "docs/troubleshooting.md", "docs/capsule.md":
				box.pending()
			case "docs/extending.md":
				box.extended(p)
			}
			for _, b := range p.blocks {
				fail := func(format string, args ...any) {
					t.Helper()
					t.Errorf("%s:%d: %s", p.name, b.line, fmt.Sprintf(format, args...))
				}
				if b.notRun != "" {
					for _, l := range commandLines(b) {
						if err := plausible(l); err != nil {
							fail("%s: %v", l, err)
						}
					}
					continue
				}
				if b.file != "" && b.lang != "go" {
					box.write(filepath.Join("repo", strings.TrimPrefix(b.file, "internal/agents/testdata/sprout/")), strings.ReplaceAll(b.text, `"/repo"`, `"`+box.project+`"`))
				}
				switch b.lang {
				case "sh":
					box.shell(b, fail)
				case "console":
					box.console(b, fail)
				case "toml":
					box.config(b, fail)
				case "json":
					box.payload(b, fail)
				case "go":
					if text, err := format.Source([]byte(b.text)); err != nil || string(text) != b.text {
						fail("it is not formatted: %v", err)
					}
				case "diff":
					if p.name != "docs/extending.md" {
						fail("nothing applies a difference here")
					}
				case "tbl":
					tables(b, fail)
				case "":
					if !strings.HasPrefix(b.text, "cmd/mbgate/ ") { // CONTRIBUTING's map
						fail("a block needs a language, so that somebody can check it")
					}
				default:
					fail("nothing checks a block in %q", b.lang)
				}
			}
		})
	}
}

// TestDocsLeaveOutWhatIsCounted holds leftOut against the pages.
func TestDocsLeaveOutWhatIsCounted(t *testing.T) {
	skipped, ran := map[string]int{}, 0
	for _, p := range readPages(t) {
		for _, b := range p.blocks {
			if b.notRun != "" {
				skipped[b.notRun]++
				continue
			}
			ran++
			for _, l := range commandLines(b) {
				if _, why, _ := standIn(l); why != "" {
					skipped[why]++
				}
			}
		}
	}
	want := map[string]int{}
	for _, l := range leftOut {
		want[l.why] = l.n
	}
	if !maps.Equal(skipped, want) {
		t.Errorf("not run: %v, want %v", skipped, want)
	}
	t.Logf("%d blocks are run; not run: %v", ran, skipped)
}

// box is the project and the home that a page's examples are run in.
type box struct {
	t            *testing.T
	dir, project string
	env          []string
}

type failure func(format string, args ...any)

func newBox(t *testing.T) *box {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &box{t: t, dir: dir, project: filepath.Join(dir, "repo")}
	mbgate, err := exec.LookPath("mbgate-person") // the examples are for people
	if err != nil {
		t.Fatal(err)
	}
	b.use(mbgate)
	b.write("home/.keep", "")
	b.write("repo/README.md", "# Shop\n\nSells things.\n")
	b.write("repo/src/app.go", "package app\n")
	b.write("repo/src/main.go", "package main // a\n")
	b.write("repo/docs/guide.md", "a guide\n")
	b.write("repo/questions.jsonl", `{"id":"1","command":"rm -rf build"}`+"\n")
	b.env = []string{
		"HOME=" + filepath.Join(dir, "home"), "PATH=" + filepath.Join(dir, "bin") + ":" + os.Getenv("PATH"), "NO_COLOR=1", "COLUMNS=100", "TMPDIR=" + t.TempDir(),
		"XDG_STATE_HOME=" + filepath.Join(dir, "state"), "XDG_CONFIG_HOME=" + filepath.Join(dir, "home/.config"),
	}
	return b
}

// use makes mbgate mean this program.
func (b *box) use(program string) {
	b.write("bin/mbgate", "#!/bin/sh\nexec '"+program+"' \"$@\"\n")
}

// pending starts a session in the project that was compacted after it had read a requirement, and has read 20 of its 180
// lines again.
func (b *box) pending() {
	const requirement = "memory-bank/details/requirements/REQ-005.md"
	var text strings.Builder
	for i := range 180 {
		fmt.Fprintf(&text, "rule %d\n", i+1)
	}
	b.write("repo/memory-bank/MEMORY.md", "# Shop\n\n## Current Focus\n- Goal: refunds (REQ-005)\n")
	b.write("repo/"+requirement, text.String())
	b.write("edit.json", b.event("PreToolUse", `"tool_name":"Edit","tool_input":{"file_path":"src/app.go","old_string":"app","new_string":"main"}`))
	read := func(command string) string {
		out, _ := exec.Command("sh", "-c", "cd '"+b.project+"' && "+command).Output()
		return b.event("PostToolUse", `"tool_name":"Bash","tool_use_id":"c","tool_input":{"command":"`+command+`"},"tool_response":{"stdout":`+string(mustJSON(string(out)))+`,"stderr":""}`)
	}
	for _, e := range []string{
		b.event("SessionStart", `"source":"startup"`),
		read("cat " + requirement),
		b.event("SessionStart", `"source":"compact"`),
		read("sed -n 1,20p " + requirement),
	} {
		if out, code := b.run("mbgate hook claude-code", e); code != 0 {
			b.t.Fatalf("%s: status %d: %s", e, code, out)
		}
	}
}

// extended gives the project a memory bank, and an mbgate with what the page adds to it.
func (b *box) extended(p page) {
	program, _ := extended(b.t, p)
	b.use(program)
	b.write("repo/memory-bank/details/patterns.md", "# Patterns\n")
}

func (b *box) event(name, fields string) string {
	return `{"session_id":"154c11e8","transcript_path":"` + b.dir + `/home/.claude/projects/p/154c11e8.jsonl","cwd":"` + b.project + `","hook_event_name":"` + name + `",` + fields + `}`
}

func (b *box) write(name, text string) {
	b.t.Helper()
	file := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
		b.t.Fatal(err)
	}
}

// run runs a shell text in the project and gives what it printed on both streams.
func (b *box) run(text, input string) (string, int) {
	b.t.Helper()
	cmd := exec.Command("sh", "-euc", text)
	cmd.Dir, cmd.Env, cmd.Stdin = b.project, b.env, strings.NewReader(input)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	_ = cmd.Run() // the status is what counts
	if cmd.ProcessState == nil {
		b.t.Fatal("sh does not run")
	}
	shown := strings.ReplaceAll(out.String(), b.project, "/repo")
	return strings.ReplaceAll(shown, filepath.Join(b.dir, "home"), "~"), cmd.ProcessState.ExitCode()
}

// standIn is what is run instead of a line, and "" for a line that is only looked at, with the reason.
func standIn(line string) (run, why string, err error) {
	words := strings.Fields(line)
	switch {
	case strings.HasPrefix(line, "go run ./cmd/mbgate "):
		return "mbgate " + strings.TrimPrefix(line, "go run ./cmd/mbgate "), "", nil
	case len(words) > 0 && strings.HasPrefix(words[0], "./scripts/"):
		return "", "a script of the repository", plausible(line)
	case strings.HasPrefix(line, "go test "):
		return "", "tests of the repository", plausible(line)
	}
	return line, "", nil
}

func (b *box) shell(bl block, fail failure) {
	var text strings.Builder
	for l := range strings.Lines(bl.text) {
		run, _, err := standIn(strings.TrimSpace(l))
		if err != nil {
			fail("%s: %v", l, err)
		}
		text.WriteString(run + "\n")
	}
	if out, code := b.run(text.String(), ""); code != 0 {
		fail("status %d of:\n%s%s", code, text.String(), out)
	}
}

// console runs the lines after "$ " and compares what they print with the lines that follow. A line of nothing but … is
// any lines, and … in a line any text; how many blanks there are does not matter. A command that is
// shown without what it prints prints nothing, and does not fail.
func (b *box) console(bl block, fail failure) {
	for _, example := range strings.Split("\n"+bl.text, "\n$ ")[1:] {
		line, want, _ := strings.Cut(strings.TrimSuffix(example, "\n"), "\n")
		run, why, err := standIn(line)
		if err != nil {
			fail("%s: %v", line, err)
		}
		if why != "" {
			continue
		}
		got, code := b.run(strings.ReplaceAll(run, `"/repo"`, `"`+b.project+`"`), "")
		if want == "" {
			if code != 0 || got != "" {
				fail("%s: status %d: %s", line, code, got)
			}
			continue
		}
		if !shown(want, got) {
			fail("%s prints\n%s\nand the page shows\n%s", line, got, want)
		}
	}
}

func shown(want, got string) bool {
	var p strings.Builder
	p.WriteString(`\A`)
	for l := range strings.Lines(want + "\n") {
		if l = strings.TrimRight(l, "\n"); strings.TrimSpace(l) == "…" {
			p.WriteString(`(?:.*\n)*?`)
			continue
		}
		words := strings.ReplaceAll(regexp.QuoteMeta(strings.Join(strings.Fields(l), " ")), "…", ".*")
		p.WriteString(` *` + strings.ReplaceAll(words, " ", " +") + ` *\n`)
	}
	p.WriteString(`\n*\z`)
	return regexp.MustCompile(p.String()).MatchString(strings.TrimRight(got, "\n") + "\n")
}

// config loads an example as the configuration of a project.
func (b *box) config(bl block, fail failure) {
	b.write("configured/memory-bank/MEMORY.md", "# Shop\n")
	for _, doc := range []string{"docs/README.md", "docs/specs/a.md"} { // what the pages' examples name
		b.write("configured/"+doc, "text\n")
	}
	b.write("configured/.mbgate.toml", bl.text)
	if out, code := b.run("mbgate config --check --root ../configured", ""); code != 0 {
		fail("mbgate config --check ends with %d: %s", code, out)
	}
}

// payload gives an example to a hook.
func (b *box) payload(bl block, fail failure) {
	if bl.file != "" {
		if !json.Valid([]byte(bl.text)) {
			fail("it is no JSON")
		}
		return
	}
	if out, code := b.run("mbgate tool-before", bl.text); code != 0 {
		fail("mbgate tool-before ends with %d: %s", code, out)
	}
}

// tables looks an example up among the rows that the judge of the shell has.
func tables(bl block, fail failure) {
	files, err := filepath.Glob(filepath.Join(repository, "internal/risk/shell/tables/*.tbl"))
	if err != nil || len(files) == 0 {
		fail("there are no tables: %v", err)
	}
	var rows []string
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			fail("%v", err)
		}
		rows = append(rows, strings.Split(string(text), "\n")...)
	}
	for l := range strings.Lines(bl.text) {
		if l = strings.TrimSpace(l); l != "" && !slices.ContainsFunc(rows, func(r string) bool {
			return strings.Join(strings.Fields(r), " ") == strings.Join(strings.Fields(l), " ")
		}) {
			fail("no table has the row %s", l)
		}
	}
}

// commandLines are the lines of a block that are commands.
func commandLines(b block) []string {
	var out []string
	for l := range strings.Lines(b.text) {
		l = strings.TrimSpace(l)
		prompt := strings.HasPrefix(l, "$ ")
		if l = strings.TrimPrefix(l, "$ "); l != "" && !strings.HasPrefix(l, "#") && (prompt || b.lang == "sh") {
			out = append(out, l)
		}
	}
	return out
}

// plausible says what is wrong with a line that is not run: commands and flags of mbgate, scripts and tests that are not
// there. Of other programs' lines it knows nothing.
func plausible(line string) error {
	words := strings.Fields(line)
	switch {
	case words[0] == "mbgate":
		return realCommand(words[1:])
	case strings.HasPrefix(line, "go run ./cmd/mbgate "):
		return realCommand(words[3:])
	case strings.HasPrefix(words[0], "./scripts/"):
		info, err := os.Stat(filepath.Join(repository, words[0]))
		if err == nil && info.Mode()&0o111 == 0 {
			err = fmt.Errorf("%s cannot be run", words[0])
		}
		return err
	case strings.HasPrefix(line, "go test "):
		return realTest(words[2:])
	}
	for _, w := range words {
		if script, err := os.ReadFile(filepath.Join(repository, "scripts/install.sh")); strings.Contains(line, "sh install.sh") && strings.HasPrefix(w, "--") &&
			(err != nil || !strings.Contains(string(script), "\n  "+w+" ")) {
			return fmt.Errorf("scripts/install.sh has no option %s", w)
		}
	}
	if m := regexp.MustCompile(`raw\.githubusercontent\.com/mbgate/mbgate/main/(\S+)`).FindStringSubmatch(line); m != nil {
		_, err := os.Stat(filepath.Join(repository, m[1]))
		return err
	}
	return nil
}

// realTest looks for the package and the test that a line of go test names.
func realTest(words []string) error {
	var dir, name string
	for i, w := range words {
		if strings.HasPrefix(w, "./") {
			dir = w
		}
		if (w == "-run" || w == "-bench" || w == "-fuzz") && i+1 < len(words) && !strings.ContainsAny(words[i+1], "^.'") {
			name = words[i+1]
		}
	}
	files, _ := filepath.Glob(filepath.Join(repository, dir, "*_test.go"))
	if len(files) == 0 {
		return fmt.Errorf("%s has no tests", dir)
	}
	for _, f := range files {
		if text, err := os.ReadFile(f); err == nil && strings.Contains(string(text), "\nfunc "+name) {
			return nil
		}
	}
	return fmt.Errorf("%s has no test %s", dir, name)
}
