package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"unicode/utf8"

	"github.com/mbgate/mbgate/internal/bank"
	"github.com/mbgate/mbgate/internal/config"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/install"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/state"
)

// generalCheck is one thing that is looked at once, whatever the agents.
type generalCheck struct {
	name string
	run  func(*run) []render.Finding
}

func generalChecks() []generalCheck {
	return []generalCheck{
		{"mbgate", (*run).checkSelf},
		{"switched on", (*run).checkEnabled},
		{"memory bank", (*run).checkBank},
		{"configuration", (*run).checkConfig},
		{"state folder", (*run).checkStateFolder},
		{"sessions", (*run).checkSessions},
	}
}

// general is what is true of all agents; agents is how many there are.
func (r *run) general(agents int) render.Examined {
	out := render.Examined{Title: "mbgate and this project"}
	for _, c := range generalChecks() {
		for _, f := range c.run(r) {
			f.Check = c.name
			out.Findings = append(out.Findings, f)
		}
	}
	if agents == 0 {
		out.Findings = append(out.Findings, render.Finding{
			Check: "agents", Health: render.Bad, Says: "mbgate is installed for no agent, so nothing calls it",
			Remedy: "`mbgate install AGENT`; `mbgate install --list` shows them",
		})
	}
	return out
}

// self says which mbgate this is, and whether it is the one that people and agents find.
func (r *run) checkSelf() []render.Finding {
	says := r.Version
	exe, err := r.Executable()
	if err != nil {
		return one(render.Warning, says+", at a path that is not known: "+install.BareError(err).Error(), "start it by its absolute path")
	}
	says += ", " + exe
	name, err := exec.LookPath("mbgate")
	switch {
	case err != nil:
		return one(render.Note, says+"; it is not on PATH, which the hooks do not need", "")
	case !install.SameFile(name, exe):
		return one(render.Warning, says+"; the one on PATH is another, "+name, "remove the older one, or put the newer one first")
	}
	return one(render.Good, says+"; it is the one on PATH", "")
}

// enabled says whether anything turns mbgate off, or its gate.
func (r *run) checkEnabled() []render.Finding {
	var out []render.Finding
	if r.Disabled {
		out = append(out, render.Finding{
			Health: render.Bad, Says: config.DisabledEnv + " turns everything off, for agents that are started with it", Remedy: "unset it",
		})
	}
	if m := r.Project.Config.Recovery; m != event.ModeBlock {
		out = append(out, render.Finding{
			Health: render.Warning, Says: fmt.Sprintf("recovery is %q here (%s): nothing is refused after a compaction", m, r.Project.Config.Origin("recovery")),
			Remedy: `recovery = "block" is the default`,
		})
	}
	if len(out) == 0 {
		return one(render.Good, "writes are refused after a compaction until the anchors are read again", "")
	}
	return out
}

// bankIsThere says whether the project has a memory bank that can be read.
func (r *run) checkBank() []render.Finding {
	p := r.Project
	if !p.Root.HasBank {
		if p.Config.NamesAnchors() {
			return one(render.Note, "there is none; the configuration names the anchors", "")
		}
		return one(render.Warning, "there is none in "+r.Env.Project+", so mbgate does nothing here", "`mbgate init` lays one out")
	}
	file := filepath.Join(r.Env.Project, filepath.FromSlash(bank.Entry))
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return one(render.Warning, "memory-bank/ has no MEMORY.md: nothing is told to the agent at its start, and the write guard is off", "`mbgate init` lays one out, over nothing that is there")
	case err != nil:
		return one(render.Bad, "MEMORY.md cannot be read: "+install.BareError(err).Error(), "mend its permissions")
	case !info.Mode().IsRegular():
		return one(render.Bad, "memory-bank/MEMORY.md is no file", "move it away, then `mbgate init`")
	}
	m := p.Memory()
	switch {
	case m == nil || m.Problem != "":
		says := "MEMORY.md cannot be read"
		if m != nil {
			says += ": " + m.Problem
		}
		return one(render.Bad, says, "mend its permissions")
	case len(strings.TrimSpace(string(m.Text))) == 0:
		return one(render.Warning, "MEMORY.md is empty", "write down what the project is, or let the agent propose it")
	case int64(len(m.Text)) == m.Size && !utf8.Valid(m.Text):
		return one(render.Warning, "MEMORY.md is no UTF-8, and is shown with marks where it is not", "save it as UTF-8")
	}
	says := fmt.Sprintf("MEMORY.md, %d bytes", m.Size)
	if n := utf8.RuneCount(m.Text); n > p.Config.MaxChars {
		return one(render.Note, fmt.Sprintf("%s; only its first %d characters are shown at a session's start", says, p.Config.MaxChars), "")
	}
	return one(render.Good, says, "")
}

// configured says what is wrong with the configuration.
func (r *run) checkConfig() []render.Finding {
	var out []render.Finding
	for _, p := range r.Project.Problems {
		out = append(out, render.Finding{Health: render.Bad, Says: p.String(), Remedy: "mend it; until then that file is left out as a whole (`mbgate config --check`)"})
	}
	if len(out) > 0 {
		return out
	}
	says := "the defaults rule"
	if r.Project.Root.HasConfig {
		says = r.Project.File + " is in order"
	}
	return one(render.Good, says, "")
}

// stateFolder says whether mbgate can remember anything: it makes, locks, writes, reads and removes a session in a folder
// of its own inside the state folder, or beside it where that is not there yet.
func (r *run) checkStateFolder() []render.Finding {
	dir, err := state.Dir()
	if err != nil {
		return one(render.Bad, err.Error(), "")
	}
	mend := "free the disk, or mend the permissions; until then nothing is remembered, and no recovery ends"
	info, err := os.Stat(dir)
	there := err == nil
	var out []render.Finding
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return one(render.Bad, dir+": "+install.BareError(err).Error(), mend)
	case there && !info.IsDir():
		return one(render.Bad, dir+" is not a folder", "move it away")
	case there && foreignTo(info):
		// The usual cause is one run as root.
		return one(render.Bad, dir+" belongs to another user", "give it to yourself: sudo chown -R \"$USER\" "+render.ShellWord(dir))
	case there && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		out = one(render.Warning, fmt.Sprintf("%s is open to others (%s); the next event that is saved closes it", dir, info.Mode().Perm()), "chmod 700 "+render.ShellWord(dir))
	}
	if n, first := foreignIn(dir); n > 0 {
		out = append(out, render.Finding{
			Health: render.Bad, Says: render.Count(n, "file") + " in it of another user, which counts as damaged: " + first,
			Remedy: "sudo chown -R \"$USER\" " + render.ShellWord(dir),
		})
	}
	at := dir
	for !there {
		up := filepath.Dir(at)
		if up == at {
			break
		}
		at = up
		_, err := os.Stat(at)
		there = err == nil
	}
	if err := trial(at); err != nil {
		return append(out, render.Finding{Health: render.Bad, Says: dir + " cannot be used: " + err.Error(), Remedy: mend})
	}
	if len(out) > 0 {
		return out
	}
	if at != dir {
		return one(render.Good, dir+" is not there yet; the first event makes it", "")
	}
	return one(render.Good, dir+" can be written and locked", "")
}

// trial saves a session in a new folder inside dir, reads it back, and removes all of it.
func trial(dir string) error {
	own, err := os.MkdirTemp(dir, ".mbgate-doctor-")
	if err != nil {
		return install.BareError(err)
	}
	defer os.RemoveAll(own)
	store := state.Open(own, state.Options{})
	const id = "doctor"
	if _, err := store.Update(id, func(s gate.Session) (gate.Session, error) {
		s.Root = dir
		return s, nil
	}); err != nil {
		return err
	}
	s, found, err := store.Load(id)
	if err == nil && (!found || s.Root != dir || s.Damaged) {
		err = errors.New("what was saved is not what is read back")
	}
	return err
}

// foreignIn counts the files of other users in a folder.
func foreignIn(dir string) (n int, first string) {
	list, _ := os.ReadDir(dir)
	for _, e := range list {
		if info, err := e.Info(); err == nil && foreignTo(info) {
			if n++; n == 1 {
				first = e.Name()
			}
		}
	}
	return n, first
}

// sessionsAreSound says which of the remembered sessions cannot be used.
func (r *run) checkSessions() []render.Finding {
	dir, err := state.Dir()
	if err != nil {
		return one(render.Bad, err.Error(), "")
	}
	entries, err := state.Open(dir, state.Options{}).List("")
	if err != nil {
		return one(render.Bad, err.Error(), "")
	}
	var damaged, newer, other []string
	for _, e := range entries {
		var bad *state.DamageError
		var ahead *state.NewerSchemaError
		switch {
		case e.Problem == nil:
		case errors.As(e.Problem, &ahead):
			newer = append(newer, e.Problem.Error())
		case errors.As(e.Problem, &bad):
			damaged = append(damaged, e.Problem.Error())
		default:
			other = append(other, e.Problem.Error())
		}
	}
	var out []render.Finding
	if len(newer) > 0 {
		out = append(out, render.Finding{Health: render.Bad, Says: render.Count(len(newer), "session") + " of a newer mbgate: " + newer[0], Remedy: "update this mbgate; the hooks let their calls go on until then"})
	}
	if len(other) > 0 {
		out = append(out, render.Finding{Health: render.Bad, Says: render.Count(len(other), "session") + " cannot be read: " + other[0], Remedy: "mend the permissions of the state folder"})
	}
	if len(damaged) > 0 {
		out = append(out, render.Finding{Health: render.Warning, Says: render.Count(len(damaged), "session") + " damaged: " + damaged[0], Remedy: "nothing to do: at its next event the file is moved aside, and the session starts in recovery"})
	}
	if len(out) == 0 {
		return one(render.Good, render.Count(len(entries), "session")+" remembered, all sound", "")
	}
	return out
}
