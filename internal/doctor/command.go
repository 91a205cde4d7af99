package doctor

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/install"
	"github.com/mbgate/mbgate/internal/render"
)

// lines are the different command lines of an event.
func (a *agent) lines(event string) []commandLine {
	var list []commandLine
	for _, f := range a.files {
		for _, e := range f.entries {
			l := commandLine{command: e.Command, args: e.Args, exec: e.Args != nil, program: e.Program}
			if e.Event == "plugin" { // the plugin starts it itself
				l.args, l.exec = []string{"hook", a.client.Name}, true
			}
			if (event == "" || e.Event == event) && !slices.ContainsFunc(list, l.is) {
				list = append(list, l)
			}
		}
	}
	return list
}

// checkCommands starts what is configured, and says whether the answers are what the client honours.
func (a *agent) checkCommands() []render.Finding {
	var out []render.Finding
	seen, broken := map[string]bool{}, false
	for _, l := range a.lines("") {
		name := l.program
		if name == "" || seen[name] {
			continue
		}
		seen[name] = true
		for _, f := range a.checkProgram(l, name) {
			broken = broken || f.Health == render.Bad
			out = append(out, f)
		}
	}
	if broken {
		return out
	}
	s := a.known.Samples()
	before, compacted := a.lines(s.Before), a.lines(s.Compacted)
	if s.Compacted == "" {
		compacted = before
	}
	if len(before) == 0 || len(compacted) == 0 {
		return append(out, bad("no hook is there for "+s.Before+" or "+s.Compacted, "`mbgate install "+a.client.Name+"`")...)
	}
	for i, l := range before {
		found := a.play(l, compacted[min(i, len(compacted)-1)])
		for k := range found {
			if len(before) > 1 {
				found[k].Says += " (" + l.String() + ")"
			}
		}
		out = append(out, found...)
	}
	return out
}

// checkProgram looks at the program of a command line without running it; it finds nothing where all is well.
func (a *agent) checkProgram(l commandLine, name string) []render.Finding {
	again := "`mbgate install " + a.client.Name + "` writes the path of this mbgate"
	then := "; " + a.fails()
	if l.guarded() {
		then = "; the calls go on unchecked"
	}
	path := name
	if !filepath.IsAbs(name) && !strings.ContainsAny(name, `/\`) {
		if _, err := exec.LookPath(filepath.Join(a.Env.Project, "node_modules", ".bin", name)); err == nil {
			return nil
		}
		if _, err := exec.LookPath(name); err != nil {
			return bad(name+" is neither on PATH nor in node_modules/.bin; the calls go on unchecked", "install it so that `"+name+" version` runs in a new terminal")
		}
		return nil // which of several runs is for PATH to say
	} else if !filepath.IsAbs(name) {
		path = filepath.Join(a.Env.Project, name)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return bad("the program of the hooks is gone: "+path+then, again)
	case err != nil:
		return bad("the program of the hooks cannot be examined: "+path+": "+install.BareError(err).Error(), again)
	case !info.Mode().IsRegular():
		return bad("the program of the hooks is not a file: "+path+then, again)
	}
	if _, err := exec.LookPath(path); err != nil {
		return bad("the program of the hooks cannot be started: "+path+": "+lookError(err)+then, "chmod +x it, or "+again)
	}
	if exe, err := a.Executable(); err == nil && !install.SameFile(exe, path) {
		return warn("the hooks run "+path+", which is another file than this mbgate, "+exe,
			again+"; if it is a link that an update renews, run doctor by that path")
	}
	return nil
}

// lookError is why a program was not found, without its name.
func lookError(err error) string {
	var e *exec.Error
	if errors.As(err, &e) {
		err = e.Err
	}
	return install.BareError(err).Error()
}

// commandLine is what is configured for an event: a line for a shell, or with exec a program and its arguments.
type commandLine struct {
	command string
	args    []string
	exec    bool
	// program is mbgate's binary in it, "" where only the shell knows that.
	program string
}

func (l commandLine) String() string {
	if !l.exec {
		return l.command
	}
	words := []string{render.ShellWord(l.command)}
	for _, a := range l.args {
		words = append(words, render.ShellWord(a))
	}
	return strings.Join(words, " ")
}

func (l commandLine) is(other commandLine) bool {
	return l.String() == other.String() && l.exec == other.exec
}

// guarded reports whether a line does nothing where the binary is gone: [ -x 'P' ] || exit 0; …
func (l commandLine) guarded() bool {
	return !l.exec && strings.HasPrefix(strings.TrimSpace(l.command), "[ -x ")
}
