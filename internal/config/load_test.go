package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/event"
)

const (
	user    = "/home/u/.config/mbgate/config.toml"
	project = "/repo/.mbgate.toml"
)

// load lays the four layers over two small built-in lists; env is NAME=VALUE, flags NAME=VALUE.
func load(userFile, projectFile string, env, flags []string) (Config, []Problem) {
	src := Sources{Sensitive: []string{"go.mod", "auth/**"}, Safe: []string{"memory-bank/details/progress.md"}}
	if userFile != "" {
		src.User = File{Path: user, Data: []byte(userFile)}
	}
	if projectFile != "" {
		src.Project = File{Path: project, Data: []byte(projectFile)}
	}
	src.Env = func(name string) (string, bool) {
		for _, e := range env {
			if n, v, _ := strings.Cut(e, "="); n == name {
				return v, true
			}
		}
		return "", false
	}
	for _, f := range flags {
		n, v, _ := strings.Cut(f, "=")
		src.Flags = append(src.Flags, Flag{n, v})
	}
	return Load(src)
}

// show is the value of a key and the origin of each of its parts.
func show(c Config, key string) string {
	for _, v := range c.Values() {
		if v.Key.Name != key {
			continue
		}
		if v.Items == nil {
			return fmt.Sprintf("%v < %s", v.Value, v.Origin)
		}
		var parts []string
		for _, i := range v.Items {
			parts = append(parts, i.Text+" < "+i.Origin.String())
		}
		return strings.Join(parts, "\n")
	}
	return "no such key"
}

func TestDefaults(t *testing.T) {
	c, problems := Load(Sources{Sensitive: []string{"s"}, Safe: []string{"t"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, v := range c.Values() {
		if v.Origin != (Origin{}) {
			t.Errorf("%s comes from %s", v.Key.Name, v.Origin)
		}
	}
	want := Config{
		Anchors: []string{
			"memory-bank/details/requirements/**", "memory-bank/details/design/**", "memory-bank/details/progress.md",
		},
		Fallback:       []string{"memory-bank/MEMORY.md", "memory-bank/details/patterns.md"},
		RequiredBudget: 60000, Recovery: event.ModeBlock, GuardMode: event.ModeWarn, WriteGuard: event.ModeConsent, Proposals: event.ModeRemind,
		Sensitive: []string{"s"}, Safe: []string{"t"},
		DenialCeiling: 12, Fail: event.ModeOpen, MaxChars: 12000, CapsuleTokens: 600, KeepWords: true,
	}
	want.base = c.base
	if !reflect.DeepEqual(c, want) {
		t.Errorf("defaults are\n%+v, want\n%+v", c, want)
	}
	if c.NamesAnchors() {
		t.Error("defaults count as named anchors")
	}
	// Two configurations share nothing that the one could spoil for the other.
	c.Anchors[0], c.Sensitive[0] = "x", "x"
	if again := defaultConfig([]string{"s"}, nil); again.Anchors[0] == "x" || again.Sensitive[0] == "x" {
		t.Error("a configuration writes into the defaults")
	}
}

// TestKeys sets every key through every layer.
func TestKeys(t *testing.T) {
	for _, k := range Keys() {
		t.Run(k.Name, func(t *testing.T) {
			var toml, plain, want string // a value that is not the default
			switch {
			case k.Allowed != nil:
				for _, a := range k.Allowed {
					if a != k.word {
						plain = a
					}
				}
				toml, want = literal(plain), plain
				if k.Type == Switch {
					toml = plain
				}
			case k.Type == Number:
				plain = fmt.Sprint(k.Min + 1)
				toml, want = plain, plain
			case k.Type == Names:
				plain, toml = "kiro,docs", `["kiro", "docs"]`
			case k.Type.list():
				plain, toml, want = "a/b.md,c.md", `["a/b.md", "c.md"]`, ""
			default:
				plain, toml, want = "x/run.json", `"x/run.json"`, "x/run.json"
			}
			line := k.Name + " = " + toml + "\n"
			tests := []struct {
				where                string
				user, project        string
				env, flags           []string
				origin, originOfItem string
			}{
				{"user", "# one\n" + line, "", nil, nil, user + ":2", ""},
				{"project", "", line, nil, nil, project + ":1", ""},
				{"environment", "", "", []string{k.Env + "=" + plain}, nil, "environment " + k.Env, ""},
				{"flag", "", "", nil, []string{k.Flag() + "=" + plain}, "flag --" + k.Flag(), ""},
				{"flag with underscores", "", "", nil, []string{k.Name + "=" + plain}, "flag --" + k.Name, ""},
			}
			for _, tt := range tests {
				c, problems := load(tt.user, tt.project, tt.env, tt.flags)
				if len(problems) > 0 {
					t.Fatalf("%s: %v", tt.where, problems)
				}
				w := want + " < " + tt.origin
				if k.Type.list() {
					one, other, _ := strings.Cut(plain, ",")
					w = one + " < " + tt.origin + "\n" + other + " < " + tt.origin
				}
				if got := show(c, k.Name); got != w {
					t.Errorf("%s: %s is\n%s, want\n%s", tt.where, k.Name, got, w)
				}
				if c.Origin(k.Name).String() != tt.origin {
					t.Errorf("%s: origin %s, want %s", tt.where, c.Origin(k.Name), tt.origin)
				}
			}
		})
	}
}

func TestLayers(t *testing.T) {
	tests := []struct {
		name          string
		user, project string
		env, flags    []string
		key, want     string
	}{
		{
			"project over user", `recovery = "off"`, `recovery = "warn"`, nil, nil,
			"recovery", "warn < " + project + ":1",
		},
		{
			"environment over both", `guard_mode = "off"`, `guard_mode = "off"`,
			[]string{"MEMORY_BANK_GUARD_MODE=block"},
			nil,
			"guard_mode", "block < environment MEMORY_BANK_GUARD_MODE",
		},
		{
			"flag over all", "", `max_chars = 5`,
			[]string{"MEMORY_BANK_MAX_CHARS=6"},
			[]string{"max-chars=7"},
			"max_chars", "7 < flag --max-chars",
		},
		{
			"an empty variable is unset", "", `max_chars = 5`,
			[]string{"MEMORY_BANK_MAX_CHARS="},
			nil,
			"max_chars", "5 < " + project + ":1",
		},
		{
			"the last of a repeated flag", "", "", nil,
			[]string{"fail=open", "fail=closed"},
			"fail", "closed < flag --fail",
		},
		{
			"lists replace", `sensitive = ["a"]`, `sensitive = ["b"]`, nil, nil,
			"sensitive", "b < " + project + ":1",
		},
		{
			"an empty list replaces", "", `sensitive = []`, nil, nil,
			"sensitive", "[] < " + project + ":1",
		},
		{
			"a plus adds to the default", "", "sensitive = [\n  \"+b\",\n\n  '+c',\n]", nil, nil,
			"sensitive", "go.mod < default\nauth/** < default\nb < " + project + ":2\nc < " + project + ":4",
		},
		{
			"a plus adds to every layer below", `safe = ["a"]`, `safe = ["+b"]`,
			[]string{"MBGATE_SAFE=+c"},
			[]string{"safe=+d"},
			"safe", "a < " + user + ":1\nb < " + project + ":1\nc < environment MBGATE_SAFE\nd < flag --safe",
		},
		{
			"what is there is not added again", "", `safe = ["+memory-bank/details/progress.md", "+./x", "+x"]`, nil, nil,
			"safe", "memory-bank/details/progress.md < default\nx < " + project + ":1",
		},
		{
			"a name that begins with a plus", "", `safe = ["./+page.md"]`, nil, nil,
			"safe", "+page.md < " + project + ":1",
		},
		{
			"commas in braces belong to the pattern", "", "",
			[]string{`MBGATE_SAFE= a/{b,c}.md ,,f`},
			nil,
			"safe", "a/{b,c}.md < environment MBGATE_SAFE\nf < environment MBGATE_SAFE",
		},
		{
			"repeated flags of a list add up", "", "", nil,
			[]string{"safe=a", "safe=b,c"},
			"safe", "a < flag --safe\nb < flag --safe\nc < flag --safe",
		},
		{
			"a preset sets anchors", "", `preset = "cline"`, nil, nil,
			"fallback", "memory-bank/activeContext.md < " + project + ":1 (preset cline)\n" +
				"memory-bank/projectbrief.md < " + project + ":1 (preset cline)",
		},
		{
			"presets combine", "", `preset = ["memory-bank", "cline"]`, nil, nil,
			"fallback", "memory-bank/MEMORY.md < " + project + ":1 (preset memory-bank)\n" +
				"memory-bank/activeContext.md < " + project + ":1 (preset cline)\n" +
				"memory-bank/details/patterns.md < " + project + ":1 (preset memory-bank)\n" +
				"memory-bank/projectbrief.md < " + project + ":1 (preset cline)",
		},
		{
			"a preset adds to those below", `preset = "memory-bank"`, `preset = ["+cline"]`, nil, nil,
			"preset", "memory-bank < " + user + ":1\ncline < " + project + ":1",
		},
		{
			"anchors of the same layer go over the preset", "", "fallback = [\"+README.md\"]\npreset = \"cline\"", nil, nil,
			"fallback", "memory-bank/activeContext.md < " + project + ":2 (preset cline)\nmemory-bank/projectbrief.md < " + project + ":2 (preset cline)\nREADME.md < " + project + ":1",
		},
		{
			"a preset goes over anchors of a lower layer", `fallback = ["x"]`, `preset = "cline"`, nil, nil,
			"fallback", "memory-bank/activeContext.md < " + project + ":1 (preset cline)\nmemory-bank/projectbrief.md < " + project + ":1 (preset cline)",
		},
		{
			"an empty preset takes back a lower one", `preset = "kiro"`, `preset = ""`, nil, nil,
			"fallback", "memory-bank/MEMORY.md < default\nmemory-bank/details/patterns.md < default",
		},
		{
			"numbers in other notations", "", `required_budget = 0x1_0000`, nil, nil,
			"required_budget", "65536 < " + project + ":1",
		},
		{
			"a quoted key, a byte order mark and Windows line ends", "", "\xef\xbb\xbf# x\r\n\"recovery\" = 'off'\r\n", nil, nil,
			"recovery", "off < " + project + ":2",
		},
		{
			"a file with a problem is left out as a whole", "", "recovery = \"off\"\nmax_chars = 'x'", nil, nil,
			"recovery", "block < default",
		},
		{
			"the other file still counts", `recovery = "warn"`, "recovery = \"off\"\nmax_chars = 'x'", nil, nil,
			"recovery", "warn < " + user + ":1",
		},
		{
			"a variable with a problem is left out alone", "", `max_chars = 5`,
			[]string{"MEMORY_BANK_MAX_CHARS=many", "MEMORY_BANK_GUARD_MODE=block"},
			nil,
			"max_chars", "5 < " + project + ":1",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, _ := load(tt.user, tt.project, tt.env, tt.flags)
			if got := show(c, tt.key); got != tt.want {
				t.Errorf("%s is\n%s\nwant\n%s", tt.key, got, tt.want)
			}
		})
	}
}

func TestDisabled(t *testing.T) {
	tests := []struct {
		value    string
		want     bool
		problems int
	}{{"1", true, 0}, {"true", true, 0}, {"0", false, 0}, {"", false, 0}, {"false", false, 0}, {"yes please", false, 1}}
	for _, tt := range tests {
		c, problems := load("", "", []string{"MEMORY_BANK_DISABLED=" + tt.value}, nil)
		if c.Disabled != tt.want || len(problems) != tt.problems {
			t.Errorf("%q: disabled %v with %v", tt.value, c.Disabled, problems)
		}
	}
}

func TestNamesAnchors(t *testing.T) {
	tests := []struct {
		file string
		want bool
	}{
		{`recovery = "warn"`, false},
		{`fallback = ["README.md"]`, false},
		{`anchors = ["docs/**"]`, true},
		{`anchors = ["+docs/**"]`, true},
		{`preset = "docs"`, true},
		{`preset = "memory-bank"`, true},
		{`preset = ""`, false},
		{"anchors = [\"docs/**\"]\nfail = 1", false},
	}
	for _, tt := range tests {
		if c, _ := load("", tt.file, nil, nil); c.NamesAnchors() != tt.want {
			t.Errorf("%s: %v, want %v", tt.file, !tt.want, tt.want)
		}
	}
}

// TestTOML holds the values that `mbgate config` prints against what Load makes of them.
func TestTOML(t *testing.T) {
	files := []string{
		"", `preset = "kiro"`, `sensitive = []`, `safe = ["./+x", "a\"b", "tab", "é/[[]id].md", "a/{b,c}"]`,
		"recovery = \"off\"\nrun_file = \"x y.json\"\ndenial_ceiling = 0\nanchors = [\"+a\"]",
	}
	for _, f := range files {
		c, problems := load("", f, nil, nil)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		text := ""
		for _, v := range c.Values() {
			if v.Key.Name != "preset" { // the anchors that it brought stand there themselves
				text += v.Key.Name + " = " + v.Text + "\n"
			}
		}
		again, problems := load("", text, nil, nil)
		if len(problems) > 0 {
			t.Fatalf("%v in\n%s", problems, text)
		}
		for i, v := range c.Values() {
			if v.Key.Name != "preset" && !reflect.DeepEqual(v.Value, again.Values()[i].Value) {
				t.Errorf("%s: %v became %v", v.Key.Name, v.Value, again.Values()[i].Value)
			}
		}
	}
}

func TestExample(t *testing.T) {
	text := Example([]string{"go.mod"}, []string{"x"})
	if c, problems := load("", text, nil, nil); len(problems) > 0 || c.NamesAnchors() {
		t.Errorf("as it is: %v", problems)
	}
	var b strings.Builder
	body := text[strings.Index(text, "\n\n"):]
	for block := range strings.SplitSeq(body, "\n\n") {
		_, setting, _ := strings.Cut(strings.TrimSpace(block), "\n")
		b.WriteString(strings.ReplaceAll("\n"+setting, "\n# ", "\n"))
	}
	c, problems := load("", b.String(), nil, nil)
	if len(problems) > 0 {
		t.Fatalf("%v in\n%s", problems, b.String())
	}
	for _, v := range c.Values() {
		if v.Origin.Kind != FromFile && v.Key.Name != "anchors" && v.Key.Name != "fallback" || v.Origin.Kind == FromFlag {
			t.Errorf("%s is not in the example", v.Key.Name)
		}
	}
}

// TestTable holds the rows of the table together.
func TestTable(t *testing.T) {
	names := map[string]bool{}
	for _, k := range Keys() {
		if names[k.Name] || names[k.Env] || k.Env == DisabledEnv {
			t.Errorf("%s or %s is there twice", k.Name, k.Env)
		}
		names[k.Name], names[k.Env] = true, true
		if k.Doc == "" || k.Example == "" || k.Type == "" {
			t.Errorf("%s is not documented", k.Name)
		}
		if k.Allowed != nil && (k.Type != Text && k.Type != Switch || !slices.Contains(k.Allowed, k.word)) {
			t.Errorf("%s allows %v and defaults to %q", k.Name, k.Allowed, k.word)
		}
		if k.Type == Number && (k.num < k.Min || k.num > k.Max) {
			t.Errorf("the default of %s is out of range", k.Name)
		}
		if _, problems := load("", k.Name+" = "+k.Example, nil, nil); len(problems) > 0 {
			t.Errorf("the example of %s is wrong: %v", k.Name, problems)
		}
		if f := k.check(&value{text: k.word, number: k.num, list: k.words}); len(f) > 0 {
			t.Errorf("the default of %s is wrong: %v", k.Name, f)
		}
	}
}

// BenchmarkLoad is what a project's file costs a hook, and what the lack of one does.
func BenchmarkLoad(b *testing.B) {
	file := []byte(`# A file of twenty lines.
preset = "spec-kit"
required_budget = 40_000

recovery = "block"
guard_mode = "warn"
write_guard = "markdown"
proposals = "off"

# What is of high risk here.
sensitive = [
  "+billing/**",
  "+deploy/**",
  "+{api,rpc}/**/*.proto",
]
safe = ["+notes/**"]

denial_ceiling = 20
max_chars = 8000
run_file = ".runs/current.json"
`)
	env := func(string) (string, bool) { return "", false }
	for name, data := range map[string][]byte{"none": nil, "20 lines": file} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, p := Load(Sources{Project: File{project, data, nil}, Env: env}); p != nil {
					b.Fatal(p)
				}
			}
		})
	}
}
