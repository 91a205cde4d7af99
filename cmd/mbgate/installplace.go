package main

import (
	"errors"
	"fmt"
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

// site is where install and uninstall work for one client: a person's own files, or those of one project.
type site struct {
	client settings.Client
	// hooks is the file with the hooks, agents the files of the subagents, all absolute.
	hooks  string
	agents []subagentFile
	// root is the project's root, "" for a person's own files; top is the folder above all of them.
	root, top string
	// shared are the files that teammates get when they are committed.
	shared []string
}

type subagentFile struct {
	settings.Subagent
	file string
}

// siteOf finds the files of a client.
func (a *app) siteOf(c settings.Client, project bool, root string) (site, error) {
	p := site{client: c}
	hooks, agents := c.User, c.UserAgents
	if project {
		found, err := a.here(root)
		if err != nil {
			return p, err
		}
		hooks, agents = c.Project, c.ProjectAgents
		p.root = filepath.FromSlash(found.root.Dir)
		p.top = p.root
	} else {
		home, err := a.home()
		if err != nil {
			return p, fmt.Errorf("the home folder is not known: %w; set HOME, or give --project", err)
		}
		p.top = home
	}
	p.hooks = a.locate(hooks, p.top)
	if hooks.Shared {
		p.shared = append(p.shared, p.hooks)
	}
	for _, s := range c.Subagents() {
		file := strings.ReplaceAll(a.locate(agents, p.top), "%s", s.Name)
		p.agents = append(p.agents, subagentFile{s, file})
		if agents.Shared {
			p.shared = append(p.shared, file)
		}
	}
	return p, nil
}

// locate is a file of a client as an absolute path.
func (a *app) locate(w settings.Place, top string) string {
	if w.Variable != "" {
		if dir := a.getenv(w.Variable); filepath.IsAbs(dir) {
			return filepath.Join(dir, filepath.FromSlash(w.Rest))
		}
	}
	return filepath.Join(top, filepath.FromSlash(w.Path))
}

// tidy is a path as people are shown it: from ~ where it lies below the home folder, and safe to print.
func (a *app) tidy(file string) string {
	if home, err := a.home(); err == nil && home != "" {
		if rest, ok := strings.CutPrefix(file, home+string(filepath.Separator)); ok {
			file = "~" + string(filepath.Separator) + rest
		}
	}
	return render.Safe(file)
}

// client finds the agent that a person named.
func (a *app) settingsOf(name string) (settings.Client, error) {
	c, ok := settings.ByName(name)
	if !ok {
		var names []string
		for _, c := range settings.All() {
			names = append(names, c.Name)
		}
		return c, &usageError{problem: "unknown agent " + render.Safe(name) + ", known are " + strings.Join(names, ", ")}
	}
	return c, nil
}

// settingsOptions are what the entries are made of. With a project its configuration counts, else the person's alone: what
// one project says must not rule all.
func (a *app) settingsOptions(p site) (settings.Options, error) {
	o := settings.Options{Windows: runtime.GOOS == "windows"}
	src := config.Sources{Env: a.lookupEnv}
	if dir, err := state.ConfigDir(); err == nil {
		src.User = config.ReadFile(filepath.Join(dir, "config.toml"))
	}
	if p.root != "" {
		src.Project = config.ReadFile(filepath.Join(p.root, ".mbgate.toml"))
	}
	c, _ := config.Load(src)
	o.FailClosed = c.Fail == event.ModeClosed
	var err error
	o.Binary, err = a.binary()
	return o, err
}

// binary is the path by which hooks start mbgate. The name on PATH is preferred to what it leads to: a package manager
// keeps the one and replaces the other with every version.
func (a *app) binary() (string, error) {
	exe, err := a.executable()
	if err != nil {
		return "", fmt.Errorf("mbgate's own path is not known: %w; start it by its absolute path", err)
	}
	if name, err := exec.LookPath("mbgate"); err == nil {
		if name, err = filepath.Abs(name); err == nil && sameFile(name, exe) {
			return name, nil
		}
	}
	if strings.Contains(filepath.ToSlash(exe), "/go-build") {
		return "", errors.New("this binary is a temporary one of `go run`, which is gone when a hook wants it; build it (go install ./cmd/mbgate) and run that one")
	}
	return exe, nil
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
