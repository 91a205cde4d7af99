package doctor

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/install"
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

// hookFiles looks at every file of the agent.
func (a *agent) hookFiles() []hookFile {
	var list []hookFile
	user := a.client.User.File(a.home(), a.Getenv)
	for _, path := range a.client.Files(a.home(), a.Env.Project, a.Getenv) {
		if slices.ContainsFunc(list, func(f hookFile) bool { return f.path == path || install.SameFile(f.path, path) }) {
			continue
		}
		if path == user && a.Repository {
			continue
		}
		f := hookFile{path: path, project: path != user}
		if f.data, f.err = install.ReadConfig(path); f.err == nil {
			f.compare(a)
		}
		list = append(list, f)
	}
	return list
}

// compare finds our entries in a file, and what an installation would change.
func (f *hookFile) compare(a *agent) {
	site := install.Site{Client: a.client}
	if f.project {
		site.Root = a.Env.Project
	}
	opts, bad := a.Env.Options(site)
	if f.entries, f.err = a.client.Entries(f.data, opts); f.err != nil || !f.installed() || bad != nil {
		return // without a path of our own nothing can be compared
	}
	next, err := a.client.Install(f.data, opts)
	if err != nil {
		f.stale = true
		return
	}
	f.stale = !bytes.Equal(next, f.data)
	wanted, _ := a.client.Entries(next, opts)
	for _, e := range wanted {
		if !slices.ContainsFunc(f.entries, func(x settings.Entry) bool { return x.Event == e.Event }) {
			f.missing = append(f.missing, e.Event)
		}
	}
}

func (a *agent) installed() bool { return slices.ContainsFunc(a.files, hookFile.installed) }

// unreadable reports whether a file where our hooks may be cannot be read.
func (a *agent) unreadable() bool {
	return slices.ContainsFunc(a.files, func(f hookFile) bool { return f.err != nil })
}

// checkInstalled says which files hold our hooks, and whether they are as they should be.
func (a *agent) checkInstalled() []render.Finding {
	var out []render.Finding
	var paths []string
	count := 0
	for _, f := range a.files {
		paths = append(paths, f.path)
		out = append(out, f.check(a.client.Name)...)
		if f.installed() {
			count++
		}
	}
	switch {
	case len(out) == 0:
		return bad("no hook of mbgate is in "+strings.Join(paths, " or "), "`mbgate install "+a.client.Name+"`")
	case count > 1:
		out = append(out, note("installed in more than one file; an event that comes twice counts once")...)
	}
	return out
}

// check says how a file stands, nothing where it holds no hook of ours.
func (f hookFile) check(client string) []render.Finding {
	if f.err != nil {
		health := render.Bad
		if f.data != nil && !bytes.Contains(f.data, []byte("mbgate")) {
			health = render.Warning
		}
		return one(health, f.path+" cannot be read: "+install.BareError(f.err).Error(), "fix the file, then run `mbgate doctor "+client+"` again")
	}
	if !f.installed() {
		return nil
	}
	again := "`mbgate install " + client + "` brings it up to date"
	if f.project {
		again = "`mbgate install " + client + " --project` brings it up to date"
	}
	var out []render.Finding
	switch {
	case len(f.missing) > 0:
		out = bad(f.path+" lacks hooks for "+strings.Join(f.missing, ", "), again)
	case f.stale:
		out = warn(f.path+" has hooks that this mbgate would write differently", again)
	default:
		out = good(f.path + ", " + render.Count(len(f.entries), "hook"))
	}
	if to, err := install.Target(f.path); err == nil && to != f.path {
		out = append(out, note(f.path+" is a symlink to "+to+", and that file is what install edits")...)
	}
	if info, err := os.Stat(f.path); err == nil && info.Mode().Perm()&0o200 == 0 {
		out = append(out, one(render.Note, f.path+" is read-only: install and uninstall cannot edit it", "chmod u+w where they should")...)
	}
	personal := slices.ContainsFunc(f.entries, func(e settings.Entry) bool { return filepath.IsAbs(e.Program) })
	if f.project && personal && tracked(f.path) {
		out = append(out, bad("git tracks "+f.path+", and it holds a path of this machine: the hooks work for nobody else",
			"`mbgate uninstall "+client+" --project`, then `mbgate install "+client+" --shared`")...)
	}
	if len(f.data) > settings.MaxFile {
		out = append(out, warn(fmt.Sprintf("%s is larger than %d MB: a hook does not look into it, so it cannot keep an agent from taking the hooks out", f.path, settings.MaxFile>>20), "make it smaller")...)
	}
	return out
}

// checkTexts says where the subagents and the skill differ from what this version writes, and so from the protocol that it prints.
func (a *agent) checkTexts() []render.Finding {
	var out []render.Finding
	again := "`mbgate install " + a.client.Name + "` brings it up to date"
	count := 0
	for _, project := range []bool{false, true} {
		if !slices.ContainsFunc(a.files, func(f hookFile) bool { return f.installed() && f.project == project }) {
			continue
		}
		site, err := a.Env.Site(a.client, project)
		if err != nil {
			return note("unclear: " + err.Error())
		}
		remedy := again
		if project {
			remedy = "`mbgate install " + a.client.Name + " --project` (or --shared) brings it up to date"
		}
		for file, s := range site.Own() {
			count++
			switch s {
			case install.Missing:
				out = append(out, warn(file+" is missing", remedy)...)
			case install.Older:
				out = append(out, warn(file+" was written by another version of mbgate, and may say what the protocol no longer says", remedy)...)
			case install.Theirs:
				out = append(out, warn(file+" was changed by hand or is not mbgate's, so it may contradict the protocol", "move it away, then run `mbgate install "+a.client.Name+"` again")...)
			}
		}
	}
	switch {
	case len(out) > 0:
		return out
	case count == 0:
		return note(a.client.Title + " has neither, or takes them from its plugin")
	}
	return good(render.Count(count, "file") + " that agree with the protocol, " + settings.SkillProtocol())
}

// tracked reports whether git tracks a file; without git it is false.
func tracked(file string) bool {
	return exec.Command("git", "-C", filepath.Dir(file), "ls-files", "--error-unmatch", "--", filepath.Base(file)).Run() == nil
}

// checkSwitchedOn says what turns the client's hooks off.
func (a *agent) checkSwitchedOn() []render.Finding {
	var out []render.Finding
	for _, f := range a.files {
		for _, says := range a.client.SwitchedOff(f.data) {
			out = append(out, bad(says+", in "+f.path, "remove it if you want mbgate to work")...)
		}
	}
	if a.known.SwitchedOff != nil {
		for _, f := range a.known.SwitchedOff(a.machine()) {
			out = append(out, found(f))
		}
	}
	if len(out) == 0 {
		return good("no setting turns the hooks off")
	}
	return out
}
