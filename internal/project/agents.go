package project

import (
	"path/filepath"
	"strings"

	"github.com/mbgate/mbgate/internal/place"
)

// SubagentDefined reports whether one of the files in which a client looks for a subagent's definition is there. The
// files are those of agents.Agent.DefinitionFiles: %s stands for the name, a leading ~/ for the user's home folder, ${NAME}/ for
// the absolute folder that an environment variable names, if it does; anything else is relative to the project and to the
// worktree that the context works in.
func (d *Disk) SubagentDefined(files []string, name string) bool {
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\\\x00") {
		return false
	}
	for _, file := range files {
		file = strings.ReplaceAll(file, "%s", name)
		if rest, ok := strings.CutPrefix(file, "~/"); ok {
			if d.opts.Home != "" && d.isFile(child(d.opts.Home, rest)) {
				return true
			}
			continue
		}
		if rest, ok := strings.CutPrefix(file, "${"); ok {
			variable, rest, _ := strings.Cut(rest, "}/")
			if dir := d.getenv(variable); filepath.IsAbs(dir) && d.isFile(child(filepath.ToSlash(dir), rest)) {
				return true
			}
			continue
		}
		if d.root.Dir != "" && (d.isFile(native().Absolute(d.Base(), file)) || d.isFile(native().Absolute(d.root.Dir, file))) {
			return true
		}
	}
	return false
}

func (d *Disk) getenv(name string) string {
	if d.opts.Getenv == nil {
		return ""
	}
	return d.opts.Getenv(name)
}

func (d *Disk) isFile(abs string) bool {
	s := d.walk.follow(native().Absolute("/", abs), nil)
	return s.kind == place.File && len(s.ahead) == 0
}
