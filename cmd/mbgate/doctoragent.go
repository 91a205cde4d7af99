package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mbgate/mbgate/internal/journal"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/settings"
	"github.com/mbgate/mbgate/internal/state"
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

// pair is what is tried together: the command lines for a call and for a compaction.
type pair struct{ before, compacted commandLine }

// lines are the different command lines of an event.
func (p *patient) lines(event string) []commandLine {
	var list []commandLine
	for _, f := range p.files {
		for _, e := range f.entries {
			l := commandLine{command: e.Command, args: e.Args, exec: e.Args != nil}
			if e.Event == "plugin" { // the plugin starts it itself
				l.args, l.exec = []string{"hook", p.client.Name}, true
			}
			if (event == "" || e.Event == event) && !slices.ContainsFunc(list, l.is) {
				list = append(list, l)
			}
		}
	}
	return list
}

// commandsRun starts what is configured, and says whether the answers are what the client honours.
func (p *patient) commandsRun() []render.Finding {
	var out []render.Finding
	seen := map[string]bool{}
	for _, l := range p.lines("") {
		name := l.program()
		if name == "" || seen[name] {
			continue
		}
		seen[name] = true
		if f, bad := p.binaryOf(l, name); bad {
			out = append(out, f)
		}
	}
	for _, f := range out {
		if f.Health == render.Bad {
			return out // it cannot run
		}
	}
	s := samples(p.client.Name)
	before, compacted := p.lines(s.before), p.lines(s.compacted)
	if len(before) == 0 || len(compacted) == 0 {
		return append(out, render.Finding{Health: render.Bad, Says: "no hook is there for " + s.before + " or " + s.compacted, Remedy: "`mbgate install " + p.client.Name + "`"})
	}
	for i, l := range before {
		found := p.play(pair{l, compacted[min(i, len(compacted)-1)]})
		if len(before) > 1 {
			for k := range found {
				found[k].Says += " (" + l.String() + ")"
			}
		}
		out = append(out, found...)
	}
	return out
}

// binaryOf looks at the program of a command line without running it.
func (p *patient) binaryOf(l commandLine, name string) (f render.Finding, wrong bool) {
	again := "`mbgate install " + p.client.Name + "` writes the path of this mbgate"
	then := "; " + p.fails()
	if !l.exec && strings.HasPrefix(strings.TrimSpace(l.command), "[ -x ") {
		then = "; the calls go on unchecked" // the guard lets them through
	}
	path := name
	if !filepath.IsAbs(name) && !strings.ContainsAny(name, `/\`) {
		found, err := exec.LookPath(name)
		if err != nil {
			return render.Finding{Health: render.Bad, Says: name + " is not on PATH" + then, Remedy: again}, true
		}
		path = found
	} else if !filepath.IsAbs(name) {
		path = filepath.Join(p.dir, name)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return render.Finding{Health: render.Bad, Says: "the program of the hooks is gone: " + path + then, Remedy: again}, true
	case err != nil:
		return render.Finding{Health: render.Bad, Says: "the program of the hooks cannot be looked at: " + path + ": " + bare(err).Error(), Remedy: again}, true
	case !info.Mode().IsRegular():
		return render.Finding{Health: render.Bad, Says: "the program of the hooks is no file: " + path + then, Remedy: again}, true
	}
	if _, err := exec.LookPath(path); err != nil {
		return render.Finding{Health: render.Bad, Says: "the program of the hooks cannot be started: " + path + ": " + lookError(err) + then, Remedy: "chmod +x it, or " + again}, true
	}
	if exe, err := p.app.executable(); err == nil && !sameFile(exe, path) {
		return render.Finding{
			Health: render.Warning, Says: "the hooks run " + path + ", which is another file than this mbgate, " + exe,
			Remedy: again + "; if it is a link that an update renews, run doctor by that path",
		}, true
	}
	return f, false
}

// lookError is why a program was not found, without its name.
func lookError(err error) string {
	var e *exec.Error
	if errors.As(err, &e) {
		err = e.Err
	}
	return bare(err).Error()
}

// guards says which mode of the write guard is in force for this client here.
func (p *patient) guards() []render.Finding {
	switch {
	case p.project.inert() || !p.project.root.HasBank:
		return one(render.Note, "no memory bank is here, so there is nothing to guard", "")
	}
	mode, why := p.project.gate(&p.facts).GuardInForce(&p.facts)
	word := guardWord(mode)
	switch {
	case why != "" && !p.facts.NamesSubagents:
		return one(render.Note, word+": "+why, "")
	case why != "":
		return one(render.Warning, word+" instead of "+string(p.project.config.WriteGuard)+": "+why, "`mbgate install "+p.client.Name+"` lays the subagents down")
	case word == "off":
		return one(render.Warning, "off, by the configuration: anybody may write into memory-bank/", "take write_guard = \"off\" out")
	}
	return one(render.Good, word, "")
}

// hasFired says when the client last called mbgate in this project, by the sessions and the log.
func (p *patient) hasFired() []render.Finding {
	if p.project.inert() {
		return one(render.Note, "mbgate does nothing in this project, so nothing is remembered", "")
	}
	dir, err := state.Dir()
	if err != nil {
		return one(render.Note, "cannot be told: "+err.Error(), "")
	}
	var here, elsewhere time.Time
	see := func(agent, root string, at time.Time) {
		switch {
		case agent != p.client.Name:
		case root == p.project.root.Dir && at.After(here):
			here = at
		case root != p.project.root.Dir && at.After(elsewhere):
			elsewhere = at
		}
	}
	if entries, err := state.Open(dir, state.Options{}).List(""); err == nil {
		for _, e := range entries {
			see(e.Session.Agent, e.Session.Root, e.Session.LastAt)
		}
	}
	_ = journal.Read(dir, func(r journal.Record) bool {
		see(r.Agent, r.Root, r.At)
		return true
	})
	now := p.app.now()
	switch {
	case !here.IsZero():
		return one(render.Good, "the last event that left a trace came "+render.Age(here, now), "")
	case !elsewhere.IsZero():
		return one(render.Warning, "never in this project; elsewhere "+render.Age(elsewhere, now), "let "+p.client.Title+" read a file here, then look again; "+p.client.Start)
	}
	return one(render.Warning, p.client.Title+" has never called mbgate, in any project", "let it read a file here, then look again; "+p.client.Start)
}

// onFailure says what the client does where mbgate cannot answer.
func (p *patient) onFailure() []render.Finding {
	return one(render.Note, p.fails(), "")
}

// fails is the same in a sentence. Where the table does not say, a plugin of ours calls mbgate, and lets the call go on.
func (p *patient) fails() string {
	if p.facts.OnFailure == "" {
		return p.client.Title + " lets the call go on"
	}
	return p.client.Title + " " + p.facts.OnFailure
}

// uncovered says what goes past the hooks.
func (p *patient) uncovered() []render.Finding {
	var out []render.Finding
	for _, u := range p.facts.Uncovered {
		out = append(out, render.Finding{Health: render.Note, Says: u})
	}
	return out
}

// versionWait is how long a client has to say its version. Those written in JavaScript take up to a second.
const versionWait = 3 * time.Second

// version says which version of the client there is, and whether it is the one that was observed.
func (p *patient) version() []render.Finding {
	name := p.client.Name
	if name == "claude-code" {
		name = "claude"
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return one(render.Note, name+" is not on PATH; mbgate was proved with "+p.client.Observed, "")
	}
	ctx, cancel := context.WithTimeout(context.Background(), versionWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.WaitDelay = time.Second
	cmd.Dir = os.TempDir()
	var text bounded
	cmd.Stdout, cmd.Stderr = &text, &text
	err = cmd.Run()
	v := versionIn(text.String())
	switch {
	case v == "" && err != nil:
		return one(render.Note, name+" does not say its version: "+bare(err).Error()+"; mbgate was proved with "+p.client.Observed, "")
	case v == "":
		return one(render.Note, name+" does not say its version; mbgate was proved with "+p.client.Observed, "")
	}
	switch compareVersions(v, p.client.Observed) {
	case 0:
		return one(render.Good, v+", the version that mbgate was proved with", "")
	case 1:
		return one(render.Note, v+", newer than "+p.client.Observed+", which mbgate was proved with", "")
	}
	return one(render.Warning, v+", older than "+p.client.Observed+", which mbgate was proved with: events may be missing", "update "+p.client.Title)
}

// versionIn is the first version number in a text: three numbers with dots.
func versionIn(text string) string {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return r != '.' && (r < '0' || r > '9') }) {
		if w = strings.Trim(w, "."); strings.Count(w, ".") == 2 && !strings.Contains(w, "..") {
			return w
		}
	}
	return ""
}

// compareVersions is -1, 0 or 1.
func compareVersions(a, b string) int {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range min(len(x), len(y)) {
		m, _ := strconv.Atoi(x[i])
		n, _ := strconv.Atoi(y[i])
		if m != n {
			if m < n {
				return -1
			}
			return 1
		}
	}
	return 0
}
