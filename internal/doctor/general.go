package doctor

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"unicode/utf8"

	"github.com/mbgate/mbgate/internal/bank"
	"github.com/mbgate/mbgate/internal/config"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/install"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/state"
)

// generalChecks are looked at once, whatever the agents.
func generalChecks() []check[*run] {
	return []check[*run]{
		{name: "mbgate", run: (*run).checkSelf, machine: true},
		{name: "switched on", run: (*run).checkEnabled},
		{name: "memory bank", run: (*run).checkBank},
		{name: "configuration", run: (*run).checkConfig},
		{name: "documents", run: (*run).checkDocuments},
		{name: "state folder", run: (*run).checkStateFolder, machine: true},
		{name: "sessions", run: (*run).checkSessions, machine: true},
	}
}

// general is what is true of all agents; agents is how many there are.
func (r *run) general(agents int) render.Examined {
	out := render.Examined{Title: "mbgate", Says: r.Version + "; documents: " + render.Documents(r.Project.Documents())}
	for _, c := range generalChecks() {
		if r.Repository && c.machine {
			continue
		}
		out.Findings = append(out.Findings, c.findings(r)...)
	}
	if agents == 0 && !r.Repository {
		out.Findings = append(out.Findings, render.Finding{
			Check: "agents", Health: render.Bad, Says: "no agent has mbgate's hooks",
			Remedy: "`mbgate install AGENT`; `mbgate install --list` shows them",
		})
	}
	return out
}

// checkSelf says which mbgate this is, and whether it is the one that people and agents find.
func (r *run) checkSelf() []render.Finding {
	says := r.Version
	exe, err := r.Executable()
	if err != nil {
		return warn(says+", at a path that is not known: "+install.BareError(err).Error(), "start it by its absolute path")
	}
	says += ", " + exe
	name, err := exec.LookPath("mbgate")
	switch {
	case err != nil:
		return note(says + "; it is not on PATH, which the hooks do not need")
	case !install.SameFile(name, exe):
		return warn(says+"; the one on PATH is another, "+name, "remove the older one, or put the newer one first")
	}
	return good(says + "; it is the one on PATH")
}

// checkEnabled says whether anything turns mbgate off, or its gate.
func (r *run) checkEnabled() []render.Finding {
	var out []render.Finding
	if r.Disabled {
		out = bad(config.DisabledEnv+" turns everything off, for agents that are started with it", "unset it")
	}
	if m := r.Project.Config.Recovery; m != event.ModeBlock {
		out = append(out, warn(
			fmt.Sprintf("recovery is %q here (%s): nothing is refused after a compaction", m, r.Project.Config.Origin("recovery")),
			`recovery = "block" is the default`)...)
	}
	switch {
	case len(out) > 0 || r.armsNothing():
		return out
	case r.Project.Inert:
		return note("mbgate has nothing to do in this project")
	}
	return good("after a compaction, writes are refused until the documents are read again")
}

// armsNothing reports whether a compaction should arm and could not.
func (r *run) armsNothing() bool {
	p := r.Project
	return !p.Inert && p.Config.Recovery != event.ModeOff && p.Documents().None()
}

// checkDocuments says which documents a compaction could require.
func (r *run) checkDocuments() []render.Finding {
	p := r.Project
	if p.Inert || p.Config.Recovery == event.ModeOff {
		return nil
	}
	d := p.Documents()
	const remedy = "write them, or name those that there are: `anchors` and `fallback` in .mbgate.toml"
	switch why := render.MissingDocuments(d); {
	case d.None():
		return bad(why, remedy)
	case why != "" && p.Config.NamesAnchors():
		return warn(render.Documents(d)+"; "+why, remedy)
	case why != "":
		return note(render.Documents(d) + "; " + why)
	}
	return good(render.Documents(d))
}

// checkBank says whether the project has a memory bank that can be read.
func (r *run) checkBank() []render.Finding {
	p := r.Project
	switch {
	case !p.Root.HasBank && p.Config.NamesAnchors():
		return note("there is none; the configuration names the anchors")
	case !p.Root.HasBank:
		return warn("there is none in "+r.Env.Project+", so mbgate does nothing here", "`mbgate init` sets it up")
	}
	info, err := os.Stat(filepath.Join(r.Env.Project, filepath.FromSlash(bank.Entry)))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return warn("memory-bank/ has no MEMORY.md: a session starts without it, and the write guard is off", "`mbgate init` adds it and keeps what is there")
	case err != nil:
		return bad("MEMORY.md cannot be read: "+install.BareError(err).Error(), "fix its permissions")
	case !info.Mode().IsRegular():
		return bad("memory-bank/MEMORY.md is not a file", "move it away, then `mbgate init`")
	}
	m := p.Memory()
	switch {
	case m == nil:
		return bad("MEMORY.md cannot be read", "fix its permissions")
	case m.Problem != "":
		return bad("MEMORY.md cannot be read: "+m.Problem, "fix its permissions")
	case len(bytes.TrimSpace(m.Text)) == 0:
		return warn("MEMORY.md is empty", "write down what the project is, or let the agent propose it")
	case int64(len(m.Text)) == m.Size && !utf8.Valid(m.Text):
		return warn("MEMORY.md is not UTF-8", "save it as UTF-8")
	}
	says := fmt.Sprintf("MEMORY.md, %d bytes", m.Size)
	if utf8.RuneCount(m.Text) > p.Config.MaxChars {
		return note(fmt.Sprintf("%s; only its first %d characters are shown at a session's start", says, p.Config.MaxChars))
	}
	return good(says)
}

// checkConfig says what is wrong with the configuration.
func (r *run) checkConfig() []render.Finding {
	var out []render.Finding
	for _, p := range r.Project.Problems {
		out = append(out, bad(p.String(), "fix it; until then mbgate ignores the whole file (`mbgate config --check`)")...)
	}
	for _, l := range r.Project.Loose {
		out = append(out, warn(render.Loosened(l), "it holds; if you did not expect that, ask who changed the file")...)
	}
	switch {
	case len(out) > 0:
		return out
	case r.Project.Root.HasConfig:
		return good(r.Project.File + " is valid")
	}
	return good("defaults")
}

// checkStateFolder says whether mbgate can remember anything.
func (r *run) checkStateFolder() []render.Finding {
	dir, err := state.Dir()
	if err != nil {
		return bad(err.Error(), "")
	}
	const mend = "free the disk, or fix the permissions; until then mbgate remembers nothing, and no recovery ends"
	info, err := os.Stat(dir)
	exists := err == nil
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return bad(dir+": "+install.BareError(err).Error(), mend)
	case exists && !info.IsDir():
		return bad(dir+" is not a folder", "move it away")
	case exists && foreign(info):
		// The usual cause is one run as root.
		return bad(dir+" belongs to another user", `give it to yourself: sudo chown -R "$USER" `+render.ShellWord(dir))
	}
	var out []render.Finding
	if exists && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		out = warn(fmt.Sprintf("%s is open to others (%s); the next event that is saved closes it", dir, info.Mode().Perm()), "chmod 700 "+render.ShellWord(dir))
	}
	if n, first := foreignFiles(dir); n > 0 {
		out = append(out, bad(render.Count(n, "file")+" in it of another user, which counts as damaged: "+first,
			`sudo chown -R "$USER" `+render.ShellWord(dir))...)
	}
	if err := trySession(existingParent(dir)); err != nil {
		return append(out, bad(dir+" cannot be used: "+err.Error(), mend)...)
	}
	switch {
	case len(out) > 0:
		return out
	case !exists:
		return good(dir + " is not there yet; the first event makes it")
	}
	return good(dir + " can be written and locked")
}

// existingParent is the folder itself, or the nearest above it that exists.
func existingParent(dir string) string {
	for up := filepath.Dir(dir); up != dir; dir, up = up, filepath.Dir(up) {
		if _, err := os.Stat(dir); err == nil {
			break
		}
	}
	return dir
}

// trySession makes, locks, writes, reads and removes a session in a new folder inside dir.
func trySession(dir string) error {
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
		err = errors.New("the state read back differs from what was saved")
	}
	return err
}

// foreignFiles counts the files of other users in a folder, and names the first.
func foreignFiles(dir string) (n int, first string) {
	list, _ := os.ReadDir(dir)
	for _, e := range list {
		if info, err := e.Info(); err == nil && foreign(info) {
			if n++; n == 1 {
				first = e.Name()
			}
		}
	}
	return n, first
}

// checkSessions says which of the remembered sessions cannot be used.
func (r *run) checkSessions() []render.Finding {
	dir, err := state.Dir()
	if err != nil {
		return bad(err.Error(), "")
	}
	entries, err := state.Open(dir, state.Options{}).List("")
	if err != nil {
		return bad(err.Error(), "")
	}
	var newer, unreadable, damaged []string
	for _, e := range entries {
		var damage *state.DamageError
		var schema *state.NewerSchemaError
		switch {
		case e.Problem == nil:
		case errors.As(e.Problem, &schema):
			newer = append(newer, e.Problem.Error())
		case errors.As(e.Problem, &damage):
			damaged = append(damaged, e.Problem.Error())
		default:
			unreadable = append(unreadable, e.Problem.Error())
		}
	}
	var out []render.Finding
	for _, group := range []struct {
		health       render.Health
		problems     []string
		says, remedy string
	}{
		{render.Bad, newer, "of a newer mbgate", "update this mbgate; the hooks let their calls go on until then"},
		{render.Bad, unreadable, "cannot be read", "fix the permissions of the state folder"},
		{render.Warning, damaged, "damaged", "nothing to do: its next event moves the file aside and starts a recovery"},
	} {
		if n := len(group.problems); n > 0 {
			out = append(out, one(group.health, render.Count(n, "session")+" "+group.says+": "+group.problems[0], group.remedy)...)
		}
	}
	if len(out) == 0 {
		return good(render.Count(len(entries), "session") + " remembered")
	}
	return out
}
