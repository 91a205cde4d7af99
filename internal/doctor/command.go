package doctor

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/install"
	"github.com/mbgate/mbgate/internal/render"
)

// pair is what is tried together: the command lines for a call and for a compaction.
type pair struct{ before, compacted commandLine }

// lines are the different command lines of an event.
func (a *agent) lines(event string) []commandLine {
	var list []commandLine
	for _, f := range a.files {
		for _, e := range f.entries {
			l := commandLine{command: e.Command, args: e.Args, exec: e.Args != nil}
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

// commandsRun starts what is configured, and says whether the answers are what the client honours.
func (a *agent) checkCommands() []render.Finding {
	var out []render.Finding
	seen := map[string]bool{}
	for _, l := range a.lines("") {
		name := l.program()
		if name == "" || seen[name] {
			continue
		}
		seen[name] = true
		if f, bad := a.binaryOf(l, name); bad {
			out = append(out, f)
		}
	}
	for _, f := range out {
		if f.Health == render.Bad {
			return out // it cannot run
		}
	}
	s := samples(a.client.Name)
	before, compacted := a.lines(s.before), a.lines(s.compacted)
	if len(before) == 0 || len(compacted) == 0 {
		return append(out, render.Finding{Health: render.Bad, Says: "no hook is there for " + s.before + " or " + s.compacted, Remedy: "`mbgate install " + a.client.Name + "`"})
	}
	for i, l := range before {
		found := a.play(pair{l, compacted[min(i, len(compacted)-1)]})
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
func (a *agent) binaryOf(l commandLine, name string) (f render.Finding, wrong bool) {
	again := "`mbgate install " + a.client.Name + "` writes the path of this mbgate"
	then := "; " + a.fails()
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
		path = filepath.Join(a.Env.Project, name)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return render.Finding{Health: render.Bad, Says: "the program of the hooks is gone: " + path + then, Remedy: again}, true
	case err != nil:
		return render.Finding{Health: render.Bad, Says: "the program of the hooks cannot be looked at: " + path + ": " + install.BareError(err).Error(), Remedy: again}, true
	case !info.Mode().IsRegular():
		return render.Finding{Health: render.Bad, Says: "the program of the hooks is no file: " + path + then, Remedy: again}, true
	}
	if _, err := exec.LookPath(path); err != nil {
		return render.Finding{Health: render.Bad, Says: "the program of the hooks cannot be started: " + path + ": " + lookError(err) + then, Remedy: "chmod +x it, or " + again}, true
	}
	if exe, err := a.Executable(); err == nil && !install.SameFile(exe, path) {
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
	return install.BareError(err).Error()
}

// commandLine is what is configured for an event: a line for a shell, or with exec a program and its arguments.
type commandLine struct {
	command string
	args    []string
	exec    bool
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

// program is the binary that a command line starts, "" where that is not plain. A guard before it is ours: [ -x 'P' ].
func (l commandLine) program() string {
	if l.exec {
		return l.command
	}
	line := strings.TrimPrefix(strings.TrimSpace(l.command), "[ -x ")
	var b strings.Builder
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == ' ' || c == '\t':
			return b.String()
		case c == '\'' || c == '"':
			end := strings.IndexByte(line[i+1:], c)
			if end < 0 {
				return ""
			}
			b.WriteString(line[i+1 : i+1+end])
			i += end + 1
		case c == '\\' && runtime.GOOS != "windows" && i+1 < len(line):
			i++
			b.WriteByte(line[i])
		case strings.IndexByte("$`;|&<>()*?=", c) >= 0:
			return ""
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
