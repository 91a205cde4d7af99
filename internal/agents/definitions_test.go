package agents

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"github.com/mbgate/mbgate/internal/settings"
)

// The plugin's rules that break a session when they are broken (opencode 1.18.33). What it does is tried under node by
// testdata/shim/check.mjs.
func TestThePluginKeepsItsRules(t *testing.T) {
	text := string(install(t, settingsOf(t, "opencode"), nil, settings.Options{Binary: `/a "b"/it's\mbgate`}))
	if !strings.Contains(text, `const BINARY = "/a \"b\"/it's\\mbgate"`) {
		t.Error("the binary is not in it")
	}
	for pattern, n := range map[string]int{
		`(?m)^export `: 1, // every export is called as a plugin
		`(?m)^export default \{ id: .*, server, setup \}`: 1,
		`\bthrow\b`:                       1 + 1, // and one in a comment
		`(?m)^      if \(refusal\) throw`: 1,
		`\.prompt\b`:                      0, // set, it would drop the context
		`\.context\.push`:                 1,
		`\.system\.push`:                  2,
		`"SIGKILL"`:                       1,
		`\$\(|\$` + "`" + `|Bun\.`:        0, // not there where the host is not Bun, and blind to a missing binary
		`^import |\nimport `:              1,
		`session\.compacted`:              0, // comes too late to arm on
	} {
		if got := len(regexp.MustCompile(pattern).FindAllString(text, -1)); got != n {
			t.Errorf("%s: %d times, want %d", pattern, got, n)
		}
	}
	// The one throw is in the one hook that may.
	_, rest, _ := strings.Cut(text, `"tool.execute.before": async`)
	hook, _, _ := strings.Cut(rest, `"tool.execute.after": safely(`)
	if !strings.Contains(hook, "throw new Error(refusal)") {
		t.Error("the throw is elsewhere")
	}
	for _, h := range []string{"event", `"chat.message"`, `"tool.execute.after"`, `"experimental.session.compacting"`, `"experimental.chat.system.transform"`, `"shell.env"`} {
		if !strings.Contains(text, h+": safely(") {
			t.Errorf("%s may throw", h)
		}
	}
	if strings.Contains(string(install(t, settingsOf(t, "opencode"), nil, plain)), "CLOSED = true") {
		t.Error("closed without being asked")
	}
	if closed := string(install(t, settingsOf(t, "opencode"), nil, settings.Options{Binary: "/m", FailClosed: true})); !strings.Contains(closed, "\nconst CLOSED = true\n") {
		t.Error("not closed")
	}
}

func TestFilesOfOurOwn(t *testing.T) {
	type file interface {
		Install([]byte) ([]byte, error)
		Remove([]byte) ([]byte, error)
	}
	all := map[string]file{"plugin": pluginFile{settingsOf(t, "opencode")}}
	for _, c := range Installable() {
		for _, s := range append(c.Subagents(), c.Skill()...) {
			all[c.Name+" "+s.Name] = s
		}
	}
	for name, f := range all {
		text, err := f.Install(nil)
		if err != nil || len(text) == 0 {
			t.Fatal(name, err)
		}
		again, err := f.Install(text)
		if err != nil || !bytes.Equal(again, text) {
			t.Errorf("%s: again: %v", name, err)
		}
		if out, err := f.Remove(text); out != nil || err != nil {
			t.Errorf("%s: removed: %q, %v", name, out, err)
		}
		// A checkout with other line ends is no change of ours.
		crlf := bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
		if out, err := f.Install(crlf); err != nil || !bytes.Equal(out, crlf) {
			t.Errorf("%s: with CRLF: %v", name, err)
		}
		if out, err := f.Remove(crlf); out != nil || err != nil {
			t.Errorf("%s: with CRLF, removed: %v", name, err)
		}
		for what, changed := range map[string][]byte{
			"in the middle": bytes.Replace(text, []byte("memory"), []byte("memery"), 1),
			"at the end":    append(bytes.Clone(text), "more\n"...),
			"at the start":  append([]byte("x\n"), text...),
		} {
			if out, err := f.Install(changed); !errors.Is(err, settings.ErrChanged) || out != nil {
				t.Errorf("%s changed %s: %v", name, what, err)
			}
			if out, err := f.Remove(changed); !errors.Is(err, settings.ErrChanged) || !bytes.Equal(out, changed) {
				t.Errorf("%s changed %s, removed: %v", name, what, err)
			}
		}
		foreign := []byte("// somebody's\n")
		if out, err := f.Install(foreign); !errors.Is(err, settings.ErrForeign) || out != nil {
			t.Errorf("%s over a file of somebody's: %v", name, err)
		}
		if out, err := f.Remove(foreign); err != nil || !bytes.Equal(out, foreign) {
			t.Errorf("%s: removed a file of somebody's: %v", name, err)
		}
	}
}

type pluginFile struct{ c settings.Client }

func (p pluginFile) Install(data []byte) ([]byte, error) { return p.c.Install(data, plain) }
func (p pluginFile) Remove(data []byte) ([]byte, error)  { return p.c.Remove(data, nil, plain) }

func TestThePluginsEntry(t *testing.T) {
	c := settingsOf(t, "opencode")
	e, err := c.Entries(install(t, c, nil, plain), plain)
	if err != nil || len(e) != 1 || !e[0].Current || e[0].Command != plain.Binary {
		t.Errorf("%+v, %v", e, err)
	}
	if e, _ = c.Entries(install(t, c, nil, settings.Options{Binary: "/old/mbgate"}), plain); len(e) != 1 || e[0].Current || e[0].Command != "/old/mbgate" {
		t.Errorf("%+v", e)
	}
	if e, _ = c.Entries([]byte("export default () => {}\n"), plain); len(e) != 0 {
		t.Errorf("%+v", e)
	}
}

// Every definition must be what its client can read, and must not give the reader a tool that writes nor the writer a
// shell.
func TestSubagentsAreWellFormed(t *testing.T) {
	shell := regexp.MustCompile(`(?i)\b(bash|shell|run_shell_command|execute|task|agent|mcp)\b`)
	writes := regexp.MustCompile(`(?i)\b(edit|write|write_file|replace|notebook_edit)\b`)
	for _, c := range Installable() {
		for _, s := range c.Subagents() {
			text, _ := s.Install(nil)
			head := map[string]any{}
			if c.Name == "codex" {
				if err := toml.Unmarshal(text, &head); err != nil {
					t.Fatal(c.Name, err)
				}
				if body, _ := head["developer_instructions"].(string); !strings.Contains(body, "memory-bank/MEMORY.md") {
					t.Errorf("%s %s: %q", c.Name, s.Name, body)
				}
				if want := map[string]string{"memory-reader": "read-only", "memory-bank-writer": "workspace-write"}[s.Name]; head["sandbox_mode"] != want {
					t.Errorf("%s %s: %v", c.Name, s.Name, head["sandbox_mode"])
				}
			} else {
				rest, ok := strings.CutPrefix(string(text), "---\n")
				front, body, closed := strings.Cut(rest, "\n---\n")
				if !ok || !closed || !strings.Contains(body, "memory-bank/MEMORY.md") {
					t.Fatal(c.Name, front)
				}
				var tools string
				for line := range strings.Lines(front) {
					line = strings.TrimSuffix(line, "\n")
					key, value, ok := strings.Cut(line, ":")
					switch {
					case key == "tools", strings.HasPrefix(line, "  "):
						tools += line + "\n"
					case !ok, value != "" && !strings.HasPrefix(value, " "), strings.Contains(value, ": "), strings.ContainsAny(value, "#\""):
						t.Errorf("%s: %q is no plain line of YAML", c.Name, line)
					default:
						head[key] = strings.TrimSpace(value)
					}
				}
				if tools == "" || shell.MatchString(tools) {
					t.Errorf("%s %s: %s", c.Name, s.Name, tools)
				}
				if writes.MatchString(tools) != (s.Name == "memory-bank-writer") {
					t.Errorf("%s %s: %s", c.Name, s.Name, tools)
				}
			}
			if c.Plugin == nil && head["name"] != s.Name {
				t.Errorf("%s: is called %v", c.Name, head["name"])
			}
			if d, _ := head["description"].(string); len(d) < 50 {
				t.Errorf("%s %s: %q", c.Name, s.Name, d)
			}
		}
	}
}

func settingsOf(t testing.TB, name string) settings.Client {
	t.Helper()
	c, ok := SettingsOf(name)
	if !ok {
		t.Fatalf("%s cannot be installed", name)
	}
	return c
}

// The skill is one text for all clients. As Agent Skills want it, its name is its folder's, the description is short enough and
// its links lead to files beside it; its references say nothing of a caller who waits.
func TestTheSkillIsWellFormed(t *testing.T) {
	with := 0
	for _, c := range Installable() {
		files := map[string]string{}
		for _, f := range c.Skill() {
			text, _ := f.Install(nil)
			files[f.Name] = string(text)
		}
		if (len(files) == 0) != (c.ProjectSkills.Path == "") {
			t.Errorf("%s: %d files for %q", c.Name, len(files), c.ProjectSkills.Path)
		}
		if len(files) == 0 {
			continue
		}
		with++
		text := files["memory-bank/SKILL.md"]
		front, body, _ := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
		_, description, _ := strings.Cut(front, "\ndescription: ")
		description, _, _ = strings.Cut(description, "\n")
		if !strings.HasPrefix(front, "name: memory-bank\n") || len(description) < 100 || len(description) > 1024 || strings.Contains(description, ": ") {
			t.Errorf("%s: %s", c.Name, front)
		}
		links := regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(body, -1)
		if len(links) != 2 {
			t.Errorf("%s: links %v", c.Name, links)
		}
		for _, link := range links {
			if reference := files["memory-bank/"+link[1]]; reference == "" || strings.Contains(reference, "foreground") {
				t.Errorf("%s: %s: %q", c.Name, link[1], reference)
			}
		}
	}
	if with < 8 {
		t.Errorf("only %d clients have the skill", with)
	}
}

// Who calls a subagent is told to do it in the foreground, except where the client knows the background only.
func TestSubagentsRunInTheForeground(t *testing.T) {
	for _, c := range Installable() {
		for _, s := range c.Subagents() {
			text, _ := s.Install(nil)
			want := 2
			if c.Definition.Background {
				want = 0
			}
			if got := strings.Count(string(text), "in the foreground"); got != want {
				t.Errorf("%s, %s: %d times, want %d", c.Name, s.Name, got, want)
			}
		}
	}
}
