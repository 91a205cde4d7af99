package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/settings"
)

// hookFile is one file where a client's hooks may be.
type hookFile struct {
	path    string
	project bool
	data    []byte
	err     error
	entries []settings.Entry
	// missing are events that install would hook and that are not; stale is set where an entry is not as install writes it.
	missing []string
	stale   bool
}

func (f hookFile) installed() bool { return len(f.entries) > 0 }

// has reports whether a command line of an event is ours.
func (f hookFile) has(event, command string) bool {
	return slices.ContainsFunc(f.entries, func(e settings.Entry) bool { return e.Event == event && e.Command == command })
}

// hookFiles looks at every file of the client.
func (p *patient) hookFiles() []hookFile {
	var list []hookFile
	home := p.homeDir()
	user := p.app.locate(p.client.User, home)
	for _, path := range p.project.disk.settingsFiles(p.client) {
		path = filepath.FromSlash(path)
		if slices.ContainsFunc(list, func(f hookFile) bool { return f.path == path || sameFile(f.path, path) }) {
			continue
		}
		f := hookFile{path: path, project: path != user}
		if f.data, f.err = readConfig(path); f.err == nil {
			f.look(p)
		}
		list = append(list, f)
	}
	return list
}

func (f *hookFile) look(p *patient) {
	place := site{client: p.client}
	if f.project {
		place.root = p.dir
	}
	opts, bad := p.app.settingsOptions(place)
	if f.entries, f.err = p.client.Entries(f.data, opts); f.err != nil || !f.installed() || bad != nil {
		return // without a path of our own nothing can be compared
	}
	next, err := p.client.Install(f.data, opts)
	if err != nil {
		f.stale = true
		return
	}
	f.stale = !bytes.Equal(next, f.data)
	wanted, _ := p.client.Entries(next, opts)
	for _, e := range wanted {
		if !slices.ContainsFunc(f.entries, func(x settings.Entry) bool { return x.Event == e.Event }) {
			f.missing = append(f.missing, e.Event)
		}
	}
}

func (p *patient) homeDir() string {
	home, _ := p.app.home()
	return home
}

func (p *patient) installed() bool { return slices.ContainsFunc(p.files, hookFile.installed) }

// unreadable reports whether a file that may hold our hooks cannot be read.
func (p *patient) unreadable() bool {
	return slices.ContainsFunc(p.files, func(f hookFile) bool {
		return f.err != nil && (f.data == nil || bytes.Contains(f.data, []byte("mbgate")))
	})
}

func (p *patient) install(f hookFile) string {
	if f.project {
		return "mbgate install " + p.client.Name + " --project"
	}
	return "mbgate install " + p.client.Name
}

// isInstalled says which files hold our hooks, and whether they are as they should be.
func (p *patient) isInstalled() []render.Finding {
	var out []render.Finding
	add := func(h render.Health, says, remedy string) {
		out = append(out, render.Finding{Health: h, Says: says, Remedy: remedy})
	}
	in := 0
	for _, f := range p.files {
		again := "`" + p.install(f) + "` brings it up to date"
		switch {
		case f.err != nil:
			add(render.Bad, f.path+" cannot be read: "+bare(f.err).Error(), "mend the file, then `mbgate doctor "+p.client.Name+"` again")
		case !f.installed():
		case len(f.missing) > 0:
			add(render.Bad, f.path+" lacks hooks for "+strings.Join(f.missing, ", "), again)
		case f.stale:
			add(render.Warning, f.path+" has hooks of another version, for another path or changed by hand", again)
		default:
			add(render.Good, f.path+", "+countOf(len(f.entries), "hook"), "")
		}
		if f.installed() {
			in++
			out = append(out, f.oddities()...)
		}
	}
	switch {
	case in == 0 && len(out) == 0:
		add(render.Bad, "no hook of mbgate is in "+p.paths(), "`mbgate install "+p.client.Name+"`")
	case in > 1:
		add(render.Note, "it is installed in more than one file: every event comes once from each, and counts once", "")
	}
	return out
}

func (p *patient) paths() string {
	var list []string
	for _, f := range p.files {
		list = append(list, f.path)
	}
	return strings.Join(list, " or ")
}

// oddities are what makes a file hard to edit.
func (f hookFile) oddities() []render.Finding {
	var out []render.Finding
	note := func(h render.Health, says, remedy string) {
		out = append(out, render.Finding{Health: h, Says: says, Remedy: remedy})
	}
	if to, err := target(f.path); err == nil && to != f.path {
		note(render.Note, f.path+" is a symlink to "+to+", and that file is what install edits", "")
	}
	if info, err := os.Stat(f.path); err == nil && info.Mode().Perm()&0o200 == 0 {
		note(render.Note, f.path+" is read-only: install and uninstall cannot edit it", "chmod u+w where they should")
	}
	if len(f.data) > maxSettings {
		note(render.Warning, fmt.Sprintf("%s is larger than %d MB: a hook does not look into it, so it cannot keep an agent from taking the hooks out", f.path, maxSettings>>20), "make it smaller")
	}
	return out
}

// isOn says what turns the client's hooks off.
func (p *patient) isOn() []render.Finding {
	var out []render.Finding
	for _, f := range p.files {
		for _, says := range p.client.Off(f.data) {
			out = append(out, render.Finding{Health: render.Bad, Says: says + ", and it stands in " + f.path, Remedy: "take it out, if you want mbgate to be asked"})
		}
	}
	if p.client.Name == "claude-code" {
		if p.app.getenv("CLAUDE_CODE_SIMPLE") == "1" {
			out = append(out, render.Finding{Health: render.Bad, Says: "CLAUDE_CODE_SIMPLE=1 turns every hook off", Remedy: "unset it"})
		}
		file := managedSettings(runtime.GOOS)
		data, _ := readConfig(file)
		for _, says := range policyOff(p.client, data) {
			out = append(out, render.Finding{Health: render.Bad, Says: says + ", and it stands in " + file, Remedy: "ask who administers this machine"})
		}
	}
	if p.client.Name == "codex" {
		file := filepath.Join(filepath.Dir(p.app.locate(p.client.User, p.homeDir())), "config.toml")
		data, _ := readConfig(file)
		if _, features, ok := strings.Cut("\n"+string(data), "\n[features]"); ok {
			features, _, _ = strings.Cut(features, "\n[")
			if v, _ := assigned(features, "\nhooks"); v == "false" {
				out = append(out, render.Finding{Health: render.Bad, Says: "hooks = false under [features] turns every hook off, and it stands in " + file, Remedy: "take it out, if you want mbgate to be asked"})
			}
		}
	}
	if len(out) == 0 {
		return one(render.Good, "no setting turns hooks off", "")
	}
	return out
}

// managedSettings is where Claude Code has what an administrator rules (documented).
func managedSettings(system string) string {
	switch system {
	case "darwin":
		return "/Library/Application Support/ClaudeCode/managed-settings.json"
	case "windows":
		return `C:\Program Files\ClaudeCode\managed-settings.json`
	}
	return "/etc/claude-code/managed-settings.json"
}

// policyOff says what in an administrator's settings turns a person's hooks off (documented).
func policyOff(c settings.Client, data []byte) []string {
	says := c.Off(data)
	var policy struct {
		Only bool `json:"allowManagedHooksOnly"`
	}
	if json.Unmarshal(data, &policy) == nil && policy.Only {
		says = append(says, `"allowManagedHooksOnly": true lets only an administrator's hooks run`)
	}
	return says
}
