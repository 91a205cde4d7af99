package layout

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
	"unicode"
)

// Facts are what is certain about a project: each with the file that says so.
type Facts struct {
	// Name is the project's name, from the manifest NameFrom, or of its folder ("").
	Name, NameFrom string
	// Summary is the first paragraph of SummaryFrom, the README; "" if there is none.
	Summary, SummaryFrom string
	Languages            []Language
	Commands             []Command
	// Guides are files that state conventions.
	Guides []string
}

// Language is a programming language and the manifest that tells it.
type Language struct{ Name, From string }

// Command is something to run: its name in the manifest From ("test") and the whole command line.
type Command struct{ Name, Run, From string }

// Limits of what is taken over.
const (
	// MaxManifest is how many bytes of a manifest are worth looking at.
	MaxManifest  = 256 << 10
	maxSummary   = 300 // characters
	maxCommands  = 12  // of one manifest
	maxLanguages = 6
)

// manifest is a file that tells something about a project. A name that begins with * is an ending.
type manifest struct {
	file, language string
	// read takes the name and the commands from the text; nil takes nothing.
	read func(l *learner, file, text string)
}

// manifestTable is in the order in which the project's name is looked for.
func manifestTable() []manifest {
	return []manifest{
		{"go.mod", "Go", (*learner).goMod},
		{"Cargo.toml", "Rust", (*learner).cargo},
		{"package.json", "", (*learner).packageJSON},
		{"deno.json", "TypeScript (Deno)", nil},
		{"pyproject.toml", "Python", (*learner).pyproject},
		{"setup.py", "Python", nil},
		{"requirements.txt", "Python", nil},
		{"pom.xml", "Java (Maven)", nil},
		{"build.gradle", "JVM (Gradle)", nil},
		{"build.gradle.kts", "JVM (Gradle)", nil},
		{"Gemfile", "Ruby", nil},
		{"composer.json", "PHP", (*learner).composer},
		{"mix.exs", "Elixir", nil},
		{"Package.swift", "Swift", nil},
		{"pubspec.yaml", "Dart", nil},
		{"CMakeLists.txt", "C or C++ (CMake)", nil},
		{"build.zig", "Zig", nil},
		{"*.sln", ".NET", nil},
		{"*.csproj", "C#", nil},
		{"Makefile", "", (*learner).makefile},
		{"makefile", "", (*learner).makefile},
		{"GNUmakefile", "", (*learner).makefile},
		{"justfile", "", (*learner).justfile},
		{"tox.ini", "", func(l *learner, file, _ string) { l.command("test", "tox", file) }},
		{"pytest.ini", "", func(l *learner, file, _ string) { l.command("test", "pytest", file) }},
	}
}

// guideFiles are files in which projects state conventions.
var guideFiles = [...]string{
	"CONTRIBUTING.md", "AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md", "STYLE.md", "STYLEGUIDE.md",
	"ARCHITECTURE.md", ".editorconfig", ".golangci.yml", "eslint.config.js", ".eslintrc.json", ".prettierrc", "ruff.toml", "rustfmt.toml",
}

// learner collects facts.
type learner struct {
	f     Facts
	names []string
}

// Learn gathers the facts of a project: folder is the name of its root, names what lies there, and text gives the
// content of one of these files, "" where it cannot be read.
func Learn(folder string, names []string, text func(name string) string) Facts {
	l := &learner{names: names}
	for _, m := range manifestTable() {
		file := l.find(m.file)
		if file == "" {
			continue
		}
		if m.language != "" {
			l.language(m.language, file)
		}
		if m.read != nil {
			m.read(l, file, text(file))
		}
	}
	if l.f.Name == "" {
		l.f.Name = one(folder, 80)
	}
	if l.f.Name == "" {
		l.f.Name = "This project"
	}
	for _, name := range [...]string{"README.md", "Readme.md", "readme.md", "README.markdown", "README.rst", "README.txt", "README"} {
		if l.find(name) == "" {
			continue
		}
		if s := firstParagraph(text(name)); s != "" {
			l.f.Summary, l.f.SummaryFrom = s, name
			break
		}
	}
	for _, g := range guideFiles {
		if l.find(g) != "" {
			l.f.Guides = append(l.f.Guides, g)
		}
	}
	return l.f
}

// find is the file of that name, or the first with that ending.
func (l *learner) find(name string) string {
	if end, ok := strings.CutPrefix(name, "*"); ok {
		for _, n := range l.names {
			if strings.HasSuffix(n, end) && one(n, 200) == n {
				return n
			}
		}
		return ""
	}
	if slices.Contains(l.names, name) {
		return name
	}
	return ""
}

func (l *learner) language(name, from string) {
	same := func(x Language) bool { return x.Name == name }
	if len(l.f.Languages) < maxLanguages && !slices.ContainsFunc(l.f.Languages, same) {
		l.f.Languages = append(l.f.Languages, Language{name, from})
	}
}

// named takes a name for the project's, if it is the first.
func (l *learner) named(name, from string) {
	if name = one(name, 80); name != "" && l.f.Name == "" {
		l.f.Name, l.f.NameFrom = name, from
	}
}

// command adds a command, of each manifest a dozen. Only plain names are taken: what is in the file is code to a shell and a
// Markdown reader.
func (l *learner) command(name, run, from string) {
	n := 0
	for _, c := range l.f.Commands {
		if c.Run == run {
			return
		}
		if c.From == from {
			n++
		}
	}
	if n < maxCommands && plain(name) {
		l.f.Commands = append(l.f.Commands, Command{name, run, from})
	}
}

// plain reports whether a name is one of letters, digits and a few signs.
func plain(name string) bool {
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter && (i == 0 || !strings.ContainsRune("_-.:/", r)) {
			return false
		}
	}
	return name != "" && len(name) <= 60
}

func (l *learner) goMod(file, text string) {
	for line := range strings.Lines(text) {
		if module, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
			module, _, _ = strings.Cut(module, "//")
			module = strings.Trim(strings.TrimSpace(module), `"`)
			name := path.Base(module)
			if v, ok := strings.CutPrefix(name, "v"); ok && strings.Trim(v, "0123456789") == "" && strings.Contains(module, "/") {
				name = path.Base(path.Dir(module))
			}
			l.named(name, file)
			break
		}
	}
	l.command("build", "go build ./...", file)
	l.command("test", "go test ./...", file)
}

func (l *learner) cargo(file, text string) {
	l.named(tomlString(text, "package", "name"), file)
	l.command("build", "cargo build", file)
	l.command("test", "cargo test", file)
}

func (l *learner) pyproject(file, text string) {
	name := tomlString(text, "project", "name")
	if name == "" {
		name = tomlString(text, "tool.poetry", "name")
	}
	l.named(name, file)
	if strings.Contains(text, "[tool.pytest") {
		l.command("test", "pytest", file)
	}
}

func (l *learner) composer(file, text string) {
	var p struct {
		Name string `json:"name"`
	}
	if json.Unmarshal([]byte(text), &p) == nil {
		l.named(path.Base(p.Name), file)
	}
}

// packageJSON also tells the language: TypeScript where the project says so.
func (l *learner) packageJSON(file, text string) {
	var p struct {
		Name    string            `json:"name"`
		Scripts map[string]string `json:"scripts"`
		Dev     map[string]any    `json:"devDependencies"`
		Deps    map[string]any    `json:"dependencies"`
	}
	language := "JavaScript"
	if json.Unmarshal([]byte(strings.TrimPrefix(text, "\ufeff")), &p) == nil {
		if p.Dev["typescript"] != nil || p.Deps["typescript"] != nil {
			language = "TypeScript"
		}
		l.named(p.Name, file)
	}
	if l.find("tsconfig.json") != "" {
		language = "TypeScript"
	}
	l.language(language, file)
	run := "npm run "
	for _, m := range [...][2]string{{"pnpm-lock.yaml", "pnpm run "}, {"yarn.lock", "yarn run "}, {"bun.lock", "bun run "}, {"bun.lockb", "bun run "}} {
		if l.find(m[0]) != "" {
			run = m[1]
			break
		}
	}
	var names []string
	for name := range p.Scripts {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if d := known(a) - known(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for _, name := range names {
		l.command(name, run+name, file)
	}
}

// known orders names so that those everybody asks for come first.
func known(name string) int {
	const first = "build test start dev lint format check"
	for i, w := range strings.Fields(first) {
		if w == name {
			return i
		}
	}
	return 100
}

// makefile takes the targets: a name at the beginning of a line, and a colon that assigns nothing.
func (l *learner) makefile(file, text string) {
	for line := range strings.Lines(text) {
		name, rest, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, ":=") || strings.ContainsAny(name, " \t/.") {
			continue
		}
		l.command(name, "make "+name, file)
	}
}

// justfile takes the recipes that want no argument.
func (l *learner) justfile(file, text string) {
	for line := range strings.Lines(text) {
		name, rest, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(rest, "=") || strings.ContainsAny(name, " \t/.") || strings.HasPrefix(name, "_") {
			continue
		}
		l.command(strings.TrimPrefix(name, "@"), "just "+strings.TrimPrefix(name, "@"), file)
	}
}

// tomlString is a string of a table of a TOML file, as far as it stands on a line of its own: enough for a name.
func tomlString(text, table, key string) string {
	in := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			in = strings.TrimSpace(strings.Trim(line, "[]"))
			continue
		}
		k, v, ok := strings.Cut(line, "=")
		if in != table || !ok || strings.TrimSpace(k) != key {
			continue
		}
		v = strings.TrimSpace(v)
		if len(v) > 1 && (v[0] == '"' || v[0] == '\'') {
			if end := strings.IndexByte(v[1:], v[0]); end >= 0 {
				return v[1 : 1+end]
			}
		}
	}
	return ""
}

// firstParagraph is the first paragraph of running text in a README: no heading, picture, badge, table, list or code.
func firstParagraph(text string) string {
	var words []string
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		line = strings.TrimSpace(line)
		line = strings.TrimSpace(strings.TrimPrefix(line, ">"))
		switch {
		case line == "" && len(words) > 0:
			return one(strings.Join(words, " "), maxSummary)
		case strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~"):
			return one(strings.Join(words, " "), maxSummary)
		case strings.Trim(line, "=-~*_") == "" && line != "":
			words = nil // what stands above was a heading, or nothing
		case line == "" || notText(line):
			if len(words) > 0 {
				return one(strings.Join(words, " "), maxSummary)
			}
		default:
			words = append(words, line)
		}
	}
	return one(strings.Join(words, " "), maxSummary)
}

func notText(line string) bool {
	for _, p := range [...]string{"#", "<", "[!", "![", "|", "- ", "* ", "+ ", ".. ", "[//]:", "---"} {
		if strings.HasPrefix(line, p) {
			return true
		}
	}
	return false
}

// one is a text from a project on one line, harmless in Markdown that an agent is shown: no control characters, no tags,
// at most n characters.
func one(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == unicode.ReplacementChar || !unicode.IsGraphic(r) || unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	s = strings.Join(strings.Fields(strings.NewReplacer("<", "&lt;", "-->", "").Replace(s)), " ")
	count, space := 0, 0
	for i, r := range s {
		if count == n-1 && len(s) > i+len(string(r)) {
			if space == 0 {
				space = i
			}
			return s[:space] + "…"
		}
		if r == ' ' {
			space = i
		}
		count++
	}
	return s
}
