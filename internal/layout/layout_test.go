package layout

import (
	"path"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/bank"
)

func learn(folder string, files map[string]string) Facts {
	return Learn(folder, func(n string) string { return files[n] })
}

func TestNames(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  string
		from  string
	}{
		"go":               {map[string]string{"go.mod": "// x\nmodule github.com/a/tool\n\ngo 1.26\n"}, "tool", "go.mod"},
		"go, a version":    {map[string]string{"go.mod": "module github.com/a/tool/v3 // x\n"}, "tool", "go.mod"},
		"go, only v2":      {map[string]string{"go.mod": "module v2\n"}, "v2", "go.mod"},
		"rust":             {map[string]string{"Cargo.toml": "[workspace]\nname = \"no\"\n[package]\nname = \"crab\" # x\n"}, "crab", "Cargo.toml"},
		"npm":              {map[string]string{"package.json": `{"name":"@scope/web"}`}, "@scope/web", "package.json"},
		"python":           {map[string]string{"pyproject.toml": "[project]\nname = 'snake'\n"}, "snake", "pyproject.toml"},
		"poetry":           {map[string]string{"pyproject.toml": "[tool.poetry]\nname=\"snake\"\n"}, "snake", "pyproject.toml"},
		"go before npm":    {map[string]string{"go.mod": "module x/y\n", "package.json": `{"name":"web"}`}, "y", "go.mod"},
		"broken json":      {map[string]string{"package.json": `{"name":`}, "folder", ""},
		"a name of no use": {map[string]string{"package.json": "{\"name\":\" \\u0000\\n\"}"}, "folder", ""},
		"nothing":          {nil, "folder", ""},
	} {
		f := learn("folder", c.files)
		if f.Name != c.want || f.NameFrom != c.from {
			t.Errorf("%s: %q from %q", name, f.Name, f.NameFrom)
		}
	}
	if f := learn("\x1b[31m", nil); f.Name != "[31m" {
		t.Errorf("%q", f.Name)
	}
	if f := learn("", nil); f.Name == "" {
		t.Error("no name at all")
	}
}

func TestSummaries(t *testing.T) {
	for readme, want := range map[string]string{
		"# Tool\n\nDoes things\nwell.\n\nMore.\n":                          "Does things well.",
		"Tool\n====\n\nDoes things.\n":                                     "Does things.",
		"<p align=center>\n\n[![b](x)](y) ![c](z)\n\n> A tagline.\n\nMore": "A tagline.",
		"\ufeff# T\r\n\r\nWindows text.\r\n":                               "Windows text.",
		"# T\n\n```\ncode\n```\n":                                          "",
		"# T\n\n- a\n- b\n\nText.\n":                                       "Text.",
		"":                                                                 "",
		"# T\n\nUses <b>tags</b> --> and \x1b[31mcolours\x1b[0m.\n":        "Uses &lt;b>tags&lt;/b> and [31mcolours[0m.",
		"# T\n\n" + strings.Repeat("word ", 200) + "\n":                    strings.TrimSpace(strings.Repeat("word ", 59)) + "…",
		"# T\n\n" + strings.Repeat("x", 1000) + "\n":                       strings.Repeat("x", 299) + "…",
		"# T\n\n<!-- MACHINE_BLOCK_END -->\n\nMACHINE <!-- x --> and </memory-bank>\n": "MACHINE &lt;!-- x and &lt;/memory-bank>",
	} {
		if got := learn("f", map[string]string{"README.md": readme}).Summary; got != want {
			t.Errorf("%q gives %q, want %q", readme, got, want)
		}
	}
}

func TestCommands(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"go":      {map[string]string{"go.mod": "module x\n"}, "go build ./..., go test ./..."},
		"npm":     {map[string]string{"package.json": `{"scripts":{"zed":"z","test":"jest","build":"tsc"}}`}, "npm run build, npm run test, npm run zed"},
		"pnpm":    {map[string]string{"package.json": `{"packageManager":"pnpm@9.1.0","scripts":{"test":"x"}}`}, "pnpm run test"},
		"hostile": {map[string]string{"package.json": `{"packageManager":"$(x)","scripts":{"test":"x"}}`}, "npm run test"},
		"names that are code": {
			map[string]string{"package.json": "{\"scripts\":{\"a b\":\"x\",\"`x`\":\"x\",\"$(x)\":\"x\",\"-x\":\"x\",\"ok:1\":\"x\"}}"}, "npm run ok:1",
		},
		"make": {
			map[string]string{"Makefile": ".PHONY: all\nX := 1\nY::=2\nall: build\n\tgo build: x\nbuild test: dep\n%.o: %.c\nlint:\n\tgo vet\nlint: more\n"},
			"make all, make lint",
		},
		"many": {map[string]string{"Makefile": targets(40)}, ""},
	} {
		var got []string
		for _, c := range learn("f", c.files).Commands {
			got = append(got, c.Run)
		}
		if name == "many" {
			if len(got) != maxCommands {
				t.Errorf("%d commands", len(got))
			}
			continue
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s: %s", name, s)
		}
	}
}

func targets(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("t" + strings.Repeat("x", i) + ":\n")
	}
	return b.String()
}

// The bank that is laid out is one that the rest of mbgate understands, in every language, and short.
func TestBank(t *testing.T) {
	for name, f := range map[string]Facts{
		"empty": learn("folder", nil),
		"full": learn("folder", map[string]string{
			"go.mod": "module x/tool\n", "README.md": "# T\n\nDoes things.\n", "CONTRIBUTING.md": "", "package.json": `{"scripts":{"dev":"x","lint":"y","format":"z"}}`,
			"Makefile": targets(40), "tsconfig.json": "",
		}),
	} {
		for _, l := range []Language{English, Chinese} {
			checkBank(t, name+" "+string(l), Bank(f, l))
		}
	}
}

func checkBank(t *testing.T, name string, list []File) {
	files := map[string]string{}
	for _, file := range list {
		if !strings.HasPrefix(file.Path, bank.Dir+"/") || path.Clean(file.Path) != file.Path {
			t.Errorf("%s: %s", name, file.Path)
		}
		files[file.Path] = file.Text
		if strings.Contains(file.Text, "{") {
			t.Errorf("%s: %s has a gap", name, file.Path)
		}
		if strings.HasSuffix(file.Path, ".md") != (file.Text != "") {
			t.Errorf("%s: %s", name, file.Path)
		}
		// It is told from one that a person wrote into, wherever that is, with the line ends of Windows too.
		if file.Text == "" {
			continue
		}
		if !Untouched(file.Path, file.Text) || !Untouched(file.Path, strings.ReplaceAll(file.Text, "\n", "\r\n")) {
			t.Errorf("%s: %s is not known as laid out", name, file.Path)
		}
		lines := strings.SplitAfter(file.Text, "\n")
		for i := 1; i <= len(lines); i++ {
			if touched := strings.Join(lines[:i], "") + "- a person's\n" + strings.Join(lines[i:], ""); Untouched(file.Path, touched) {
				t.Errorf("%s: %s with a line after line %d counts as laid out", name, file.Path, i)
			}
		}
	}
	entry := files[bank.Entry]
	if got := bank.Focus(entry); len(got) != 3 || !IsPlaceholder(got[0]) {
		t.Errorf("%s: the focus is %q", name, got)
	}
	if n := strings.Count(entry, "\n"); n > 40 {
		t.Errorf("%s: MEMORY.md has %d lines", name, n)
	}
	at := -1
	for _, m := range []string{"<!-- MACHINE_BLOCK_START -->", "<!-- MACHINE_BLOCK_END -->", "<!-- USER_BLOCK_START -->", "<!-- USER_BLOCK_END -->"} {
		i := strings.Index(entry, m)
		if i <= at || strings.Count(entry, m) != 1 {
			t.Errorf("%s: the mark %s is at %d", name, m, i)
		}
		at = i
	}
	if n := strings.Count(entry, "\n## "); n != 5 {
		t.Errorf("%s: %d sections", name, n)
	}
	for _, want := range []string{"patterns.md", "progress.md", "tech.md", "requirements/REQ-001-example.md", "design/.gitkeep", "learnings/.gitkeep"} {
		if _, ok := files[bank.Dir+"/details/"+want]; !ok {
			t.Errorf("%s: no %s", name, want)
		}
	}
	if Untouched("docs/a.md", entry) || IsPlaceholder("- Goal: ship it") {
		t.Errorf("%s: too much counts as laid out", name)
	}
}

func TestSpoken(t *testing.T) {
	for _, c := range []struct {
		readme, locale string
		want           Language
	}{
		{"# 商城\n\n一个在线商城。", "", Chinese},
		{"# Shop\n\nA shop, also known as 商城.", "zh_CN.UTF-8", English},
		{"", "zh_CN.UTF-8", Chinese},
		{"", "en_US.UTF-8", English},
	} {
		if got := Spoken(c.readme, c.locale); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
