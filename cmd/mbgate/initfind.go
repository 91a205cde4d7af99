package main

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/config"
	"github.com/mbgate/mbgate/internal/install"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/settings"
)

// survey is what `mbgate init` finds before it proposes anything.
type survey struct {
	here *project
	// layouts are the presets whose documents lie here, ours among them.
	layouts []foundLayout
	// other are Markdown files below docs/ that no preset takes for documents which frame a task.
	other int
	// found are the agents of this machine or project, wanting those of them that mbgate is not installed for.
	found, wanting []settings.Client
	env            install.Env
}

// foundLayout is a preset and the documents that it was known by, in words ("2 features, constitution").
type foundLayout struct {
	config.Preset
	what string
}

// look finds what is there. Where agents were named, no others are looked for.
func (a *app) look(dir string, named []settings.Client) (survey, error) {
	env, here, err := a.installEnv(dir)
	if err != nil {
		return survey{}, err
	}
	s := survey{here: here, found: named, env: env}
	for _, p := range config.Presets() {
		var what []string
		for _, sign := range p.Signs {
			files, more := here.disk.Matching(sign.Glob)
			switch n := len(files); {
			case n == 0:
			case sign.Many == "" || n == 1 && p.Name == ownLayout:
				what = append(what, sign.One)
			case n == 1 && !more:
				what = append(what, "1 "+sign.One)
			default:
				what = append(what, strconv.Itoa(n)+" "+sign.Many)
			}
		}
		if what != nil {
			s.layouts = append(s.layouts, foundLayout{p, strings.Join(what, ", ")})
		}
	}
	if !s.has("docs") {
		files, _ := here.disk.Matching("docs/**/*.md")
		s.other = len(files)
	}
	if named == nil {
		s.found = a.agentsFound(dir)
	}
	for _, c := range s.found {
		if !env.Has(c) {
			s.wanting = append(s.wanting, c)
		}
	}
	return s, nil
}

// agentsFound are the agents that have a folder of the person or in a project.
func (a *app) agentsFound(dir string) []settings.Client {
	var found []settings.Client
	home, _ := a.home()
	taken := map[string]bool{} // VS Code reads Copilot's file, and Antigravity has a folder in Gemini's
	for _, c := range agents.Installable() {
		if taken[c.User.Path] {
			continue
		}
		folder := firstFolder(c.User.Path)
		if taken[folder] {
			folder = filepath.Dir(filepath.FromSlash(c.User.Path))
		}
		taken[folder], taken[c.User.Path] = true, true
		// The project's folder whole: .github is no sign of Copilot, .github/hooks is.
		if home != "" && exists(filepath.Join(home, folder)) || exists(filepath.Join(dir, filepath.Dir(filepath.FromSlash(c.Project.Path)))) {
			found = append(found, c)
		}
	}
	return found
}

func (s survey) has(preset string) bool {
	for _, l := range s.layouts {
		if l.Name == preset {
			return true
		}
	}
	return false
}

// follow are the presets that name all documents which are there. Specs come first and plain documents last, since a
// recovery asks for five fallbacks at most, in this order.
func (s survey) follow() []string {
	var names, plain []string
	for _, l := range s.layouts {
		if l.Name == "docs" {
			plain = append(plain, l.Name)
		} else {
			names = append(names, l.Name)
		}
	}
	return append(names, plain...)
}

// titles names agents for people.
func titles(list []settings.Client) string {
	var names []string
	for _, c := range list {
		names = append(names, c.Title)
	}
	return strings.Join(names, ", ")
}

// text says what was found.
func (s survey) text(dir string) string {
	var b strings.Builder
	row := func(name, what string) {
		b.WriteString("  " + name + strings.Repeat(" ", max(1, 22-len(name))) + what + "\n")
	}
	b.WriteString("Found in " + render.Safe(dir) + ":\n")
	for _, l := range s.layouts {
		row(l.Title, l.what)
	}
	if len(s.layouts) == 0 {
		row("documents", "no specs, decision records or memory bank")
	}
	if s.other > 0 {
		files := "1 Markdown file"
		if s.other > 1 {
			files = strconv.Itoa(s.other) + " Markdown files"
		}
		row("docs/", files+"; to follow some of them, name them as anchors in .mbgate.toml")
	}
	switch {
	case len(s.found) == 0:
		row("agents", "none; `mbgate install --list` shows those that mbgate knows")
	case len(s.wanting) == 0:
		row("agents", titles(s.found)+" (mbgate is installed)")
	default:
		row("agents", titles(s.found))
	}
	return b.String()
}

// firstFolder is the part of a path by which an agent's folder is known: two elements below .config, else one.
func firstFolder(p string) string {
	parts := strings.Split(p, "/")
	n := 1
	if parts[0] == ".config" {
		n = 2
	}
	return filepath.Join(parts[:min(n, len(parts))]...)
}
