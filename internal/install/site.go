package install

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/mbgate/mbgate/internal/config"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/settings"
	"github.com/mbgate/mbgate/internal/state"
)

// Env is what an installation depends on besides the files that it edits.
type Env struct {
	LookupEnv func(string) (string, bool)
	// Home is the home folder, Executable the path of this binary.
	Home, Executable func() (string, error)
	// Project is the root of the project that the person means, as the system writes paths.
	Project string
}

// Getenv is the value of an environment variable, "" when it is not set.
func (e Env) Getenv(name string) string {
	v, _ := e.LookupEnv(name)
	return v
}

// Site is where install and uninstall work for one agent: a person's own files, or those of one project.
type Site struct {
	Client settings.Client
	// Hooks is the file with the hooks, absolute.
	Hooks string
	// Shared is set for files that a team commits.
	Shared bool
	// Root is the project's root, "" for a person's own files.
	Root string

	// own are the subagents and the skill.
	own []ownFile
	// top is the folder above all of the files.
	top string
	// exposed is set where teammates get Hooks, with a path of this machine, once it is committed.
	exposed bool
}

type ownFile struct {
	settings.OwnFile
	file string
}

// Site finds the files of an agent: those of the project, or the person's own.
func (e Env) Site(c settings.Client, project bool) (Site, error) {
	s := Site{Client: c}
	hooks, subagents, skills := c.User, c.UserAgents, c.UserSkills
	if project {
		hooks, subagents, skills = c.Project, c.ProjectAgents, c.ProjectSkills
		s.Root, s.top = e.Project, e.Project
	} else {
		home, err := e.Home()
		if err != nil {
			return s, fmt.Errorf("the home folder is not known: %w; set HOME, or give --project", err)
		}
		s.top = home
	}
	s.Hooks = hooks.File(s.top, e.Getenv)
	s.exposed = hooks.Shared
	s.lay(c.Subagents(), subagents, e.Getenv)
	s.lay(c.Skill(), skills, e.Getenv)
	return s, nil
}

// lay adds files of ours to the site.
func (s *Site) lay(files []settings.OwnFile, in settings.Place, getenv func(string) string) {
	for _, f := range files {
		file := strings.ReplaceAll(in.File(s.top, getenv), "%s", filepath.FromSlash(f.Name))
		s.own = append(s.own, ownFile{f, file})
	}
}

// Drift says how a file of ours differs from what this version writes.
type Drift int

const (
	// Same is a file as it should be.
	Same Drift = iota
	// Missing is one that is not there, Older one of another version, Theirs one that a person changed or wrote.
	Missing
	Older
	Theirs
)

// Own are the subagents and the files of the skill at the site, each by its path.
func (s Site) Own() iter.Seq2[string, Drift] {
	return func(yield func(string, Drift) bool) {
		for _, f := range s.own {
			data, err := ReadConfig(f.file)
			next, changed := f.Install(data)
			drift := Same
			switch {
			case err != nil || changed != nil:
				drift = Theirs
			case data == nil:
				drift = Missing
			case !bytes.Equal(next, data):
				drift = Older
			}
			if !yield(f.file, drift) {
				return
			}
		}
	}
}

// SharedSite finds the files of a project that a team commits.
func (e Env) SharedSite(c settings.Client) (Site, error) {
	s, err := e.Site(c, true)
	s.Hooks, s.Shared, s.exposed = c.SharedPlace().File(e.Project, e.Getenv), true, false
	return s, err
}

// other is the other file in which mbgate is installed for the same agent, "" if there is none.
func (e Env) other(s Site) string {
	o, err := e.Site(s.Client, s.Root == "")
	if err != nil || o.Hooks == s.Hooks || !o.installed() {
		return ""
	}
	return o.Hooks
}

// Has reports whether mbgate is installed for an agent, for the person or for the project.
func (e Env) Has(c settings.Client) bool {
	for _, project := range []bool{false, true} {
		if s, err := e.Site(c, project); err == nil && s.installed() {
			return true
		}
	}
	return false
}

func (s Site) installed() bool {
	data, err := ReadConfig(s.Hooks)
	if err != nil {
		return false
	}
	entries, err := s.Client.Entries(data, settings.Options{})
	return err == nil && len(entries) > 0
}

// tidy is a path as people are shown it: from ~ where it lies below the home folder, and safe to print.
func (e Env) tidy(file string) string {
	if home, err := e.Home(); err == nil && home != "" {
		if rest, ok := strings.CutPrefix(file, home+string(filepath.Separator)); ok {
			file = "~" + string(filepath.Separator) + rest
		}
	}
	return render.Safe(file)
}

// Options are what the entries at a site are made of. In a project its configuration counts, else the person's alone: what
// one project says must not rule all. With an error, which says that the path of this binary is not known, they still tell
// mbgate's entries by their names.
func (e Env) Options(s Site) (settings.Options, error) {
	o := settings.Options{Windows: runtime.GOOS == "windows"}
	src := config.Sources{Env: e.LookupEnv}
	if dir, err := state.ConfigDir(); err == nil {
		src.User = config.ReadFile(filepath.Join(dir, "config.toml"))
	}
	if s.Root != "" {
		src.Project = config.ReadFile(filepath.Join(s.Root, ".mbgate.toml"))
	}
	c, _ := config.Load(src)
	o.FailClosed = c.Fail == event.ModeClosed
	var err error
	o.Binary, err = e.binary()
	if s.Shared {
		o.Shared, err = true, nil
	}
	return o, err
}

// binary is the path by which hooks start mbgate. The name on PATH is preferred to what it leads to: a package manager
// keeps the one and replaces the other with every version.
func (e Env) binary() (string, error) {
	exe, err := e.Executable()
	if err != nil {
		return "", fmt.Errorf("mbgate's own path is not known: %w; start it by its absolute path", err)
	}
	if name, err := exec.LookPath("mbgate"); err == nil {
		if name, err = filepath.Abs(name); err == nil && SameFile(name, exe) {
			return name, nil
		}
	}
	if strings.Contains(filepath.ToSlash(exe), "/go-build") {
		return "", errors.New("this binary is a temporary one of `go run`, which is gone when a hook wants it; build it (go install ./cmd/mbgate) and run that one")
	}
	if strings.Contains(filepath.ToSlash(exe), "/_npx/") {
		return "", errors.New("this binary lies in the cache of npx, which npm empties; install mbgate (npm install --global mbgate) and run that one")
	}
	return exe, nil
}

// SameFile reports whether two paths lead to one file.
func SameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
