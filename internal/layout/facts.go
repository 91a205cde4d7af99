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
	Commands             []Command
}

// Command is something to run: its name in the manifest From ("test") and the whole command line.
type Command struct{ Name, Run, From string }

// Limits of what is taken over.
const (
	// MaxManifest is how many bytes of a manifest are worth looking at.
	MaxManifest = 256 << 10
	maxName     = 80  // characters
	maxSummary  = 300 // characters
	maxCommands = 12  // of one manifest
)

// Learn gathers the facts of a project: folder is the name of its root, and text gives the content of a file there, ""
// where there is none. The first manifest that gives the project a name does.
func Learn(folder string, text func(name string) string) Facts {
	var f Facts
	for _, m := range [...]struct {
		file string
		read func(text string) (name string, commands []Command)
	}{
		{"go.mod", goMod}, {"Cargo.toml", cargo}, {"package.json", packageJSON}, {"pyproject.toml", pyproject}, {"Makefile", makefile},
	} {
		content := text(m.file)
		if content == "" {
			continue
		}
		name, commands := m.read(content)
		if name = oneLine(name, maxName); name != "" && f.Name == "" {
			f.Name, f.NameFrom = name, m.file
		}
		// Only plain names are taken: a shell or a reader of Markdown might take others for code.
		commands = slices.DeleteFunc(commands, func(c Command) bool { return !isPlain(c.Name) })
		for _, c := range commands[:min(len(commands), maxCommands)] {
			c.From = m.file
			f.Commands = append(f.Commands, c)
		}
	}
	if f.Name == "" {
		f.Name = oneLine(folder, maxName)
	}
	if f.Name == "" {
		f.Name = "This project"
	}
	for _, name := range [...]string{"README.md", "Readme.md", "readme.md", "README.rst", "README.txt", "README"} {
		if f.Summary = firstParagraph(text(name)); f.Summary != "" {
			f.SummaryFrom = name
			break
		}
	}
	return f
}

// isPlain reports whether a name consists of letters, digits and a few signs.
func isPlain(name string) bool {
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter && (i == 0 || !strings.ContainsRune("_-.:/", r)) {
			return false
		}
	}
	return name != "" && len(name) <= 60
}

func goMod(text string) (name string, commands []Command) {
	for line := range strings.Lines(text) {
		if module, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
			module, _, _ = strings.Cut(module, "//")
			module = strings.Trim(strings.TrimSpace(module), `"`)
			name = path.Base(module)
			if v, ok := strings.CutPrefix(name, "v"); ok && strings.Trim(v, "0123456789") == "" && strings.Contains(module, "/") {
				name = path.Base(path.Dir(module))
			}
			break
		}
	}
	return name, []Command{{Name: "build", Run: "go build ./..."}, {Name: "test", Run: "go test ./..."}}
}

func cargo(text string) (name string, commands []Command) {
	return tomlString(text, "package", "name"), []Command{{Name: "build", Run: "cargo build"}, {Name: "test", Run: "cargo test"}}
}

func pyproject(text string) (name string, commands []Command) {
	if name = tomlString(text, "project", "name"); name == "" {
		name = tomlString(text, "tool.poetry", "name")
	}
	if strings.Contains(text, "[tool.pytest") {
		commands = []Command{{Name: "test", Run: "pytest"}}
	}
	return name, commands
}

// packageJSON lists the scripts, those that everybody asks for first.
func packageJSON(text string) (name string, commands []Command) {
	var p struct {
		Name           string            `json:"name"`
		PackageManager string            `json:"packageManager"`
		Scripts        map[string]string `json:"scripts"`
	}
	if json.Unmarshal([]byte(strings.TrimPrefix(text, "\ufeff")), &p) != nil {
		return "", nil
	}
	manager, _, _ := strings.Cut(p.PackageManager, "@")
	if !isPlain(manager) {
		manager = "npm"
	}
	for script := range p.Scripts {
		commands = append(commands, Command{Name: script, Run: manager + " run " + script})
	}
	first := []string{"zzz", "check", "format", "lint", "dev", "start", "test", "build"}
	slices.SortFunc(commands, func(a, b Command) int {
		if d := slices.Index(first, b.Name) - slices.Index(first, a.Name); d != 0 {
			return d
		}
		return strings.Compare(a.Name, b.Name)
	})
	return p.Name, commands
}

// makefile takes the targets: a name at the beginning of a line, and a colon that assigns nothing.
func makefile(text string) (name string, commands []Command) {
	for line := range strings.Lines(text) {
		target, rest, ok := strings.Cut(line, ":")
		c := Command{Name: target, Run: "make " + target}
		if ok && !strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, ":=") && !strings.ContainsAny(target, " \t/.") && !slices.Contains(commands, c) {
			commands = append(commands, c)
		}
	}
	return "", commands
}

// tomlString is a string in a table of a TOML file, if it has a line of its own: enough for a name.
func tomlString(text, table, key string) string {
	in := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			in = strings.TrimSpace(strings.Trim(line, "[]"))
			continue
		}
		k, v, ok := strings.Cut(line, "=")
		v = strings.TrimSpace(v)
		if in != table || !ok || strings.TrimSpace(k) != key || len(v) < 2 || v[0] != '"' && v[0] != '\'' {
			continue
		}
		if end := strings.IndexByte(v[1:], v[0]); end >= 0 {
			return v[1 : 1+end]
		}
	}
	return ""
}

// firstParagraph is the first paragraph of running text in a README: no heading, picture, badge, table, list or code.
func firstParagraph(text string) string {
	var words []string
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), ">"))
		fence := strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
		switch {
		case fence, len(words) > 0 && (line == "" || isMarkup(line)):
			return oneLine(strings.Join(words, " "), maxSummary)
		case line == "", isMarkup(line):
		case strings.Trim(line, "=-~*_") == "":
			words = nil // the line above was a heading, or there is none
		default:
			words = append(words, line)
		}
	}
	return oneLine(strings.Join(words, " "), maxSummary)
}

// isMarkup reports whether a line begins a part of a document that is not running text.
func isMarkup(line string) bool {
	for _, p := range [...]string{"#", "<", "[!", "![", "|", "- ", "* ", "+ ", ".. ", "[//]:"} {
		if strings.HasPrefix(line, p) {
			return true
		}
	}
	return false
}

// oneLine is a text from a project on one line, harmless in Markdown that an agent is shown: no control characters, no
// tags, at most n characters.
func oneLine(s string, n int) string {
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
	if runes := []rune(s); len(runes) > n {
		s = string(runes[:n-1])
		if i := strings.LastIndexByte(s, ' '); i > 0 {
			s = s[:i]
		}
		s += "…"
	}
	return s
}
