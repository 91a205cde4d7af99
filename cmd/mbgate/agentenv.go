package main

import (
	"path"
	"strings"

	"github.com/mbgate/mbgate/internal/agents"
)

// What is for a person (clear, prune) is refused inside an agent (R6). Two things tell: the environment that agents give
// to what they run, and their processes among our ancestors. Neither stops somebody who hides on purpose; both stop an
// agent that tries the obvious.

// marked names the agent whose environment this is and the variable that tells, "" if none is.
func marked(getenv func(string) string) (agent, variable string) {
	for _, a := range agents.Traces() {
		for name := range strings.FieldsSeq(a.Markers) {
			name, values, limited := strings.Cut(name, "=")
			if v := getenv(name); v != "" && (!limited || among(v, values)) {
				return a.Title, name
			}
		}
	}
	return "", ""
}

func among(word, list string) bool {
	for s := range strings.SplitSeq(list, "|") {
		if s == word {
			return true
		}
	}
	return false
}

// process is one ancestor: its name as the system has it, and its command line as far as that can be read.
type process struct {
	name string
	args []string
	// terminal is the number of its controlling terminal, 0 for none or where the system does not tell.
	terminal int
	// opened is set where what it started has another terminal than it has itself.
	opened bool
}

// scripted are programs with which a program types at a terminal that it opened; tmux, ssh, editors and containers open
// terminals for people.
const scripted = "script|expect|unbuffer|tclsh|socat|python|perl|ruby"

// typist names the program that opened the terminal if it is no person's, "" else.
func typist(ancestors []process) string {
	for _, p := range ancestors {
		if p.opened {
			if among(strings.TrimRight(p.name, "0123456789."), scripted) {
				return p.name
			}
			return ""
		}
	}
	return ""
}

// parented names the agent among the ancestors, "" if none is.
func parented(ancestors []process) string {
	table := agents.Traces()
	for _, p := range ancestors {
		for _, t := range table {
			if isProcess(t, p) {
				return t.Title
			}
		}
	}
	return ""
}

// interpreters run programs that are a file: what counts then is the file.
const interpreters = "node|nodejs|bun|deno|python|python3|npx|npm|uv|uvx|pipx"

// isProcess reports whether a process is one of an agent.
func isProcess(t agents.Trace, p process) bool {
	if named(t, p.name) {
		return true
	}
	if len(p.args) == 0 {
		return false
	}
	first := base(p.args[0])
	if named(t, first) || packaged(t, p.args[0]) {
		return true
	}
	if !interpreter(first) && !interpreter(p.name) {
		return false
	}
	// Only the program, not its arguments: `node build.js claude` is none.
	for i := 1; i < len(p.args); i++ {
		arg := p.args[i]
		if arg == "-m" && i+1 < len(p.args) {
			return named(t, p.args[i+1]) || packaged(t, p.args[i+1])
		}
		if arg == "" || arg[0] == '-' || arg == "run" || arg == "exec" {
			continue
		}
		return named(t, base(arg)) || packaged(t, arg)
	}
	return false
}

func interpreter(name string) bool {
	return among(strings.TrimRight(name, "0123456789."), interpreters) || among(name, interpreters)
}

func named(t agents.Trace, name string) bool { return t.Process != "" && among(name, t.Process) }

// packaged reports whether a path leads through the folder of one of the packages, or is a package's own name.
func packaged(t agents.Trace, p string) bool {
	if t.Package == "" {
		return false
	}
	p = "/" + strings.ReplaceAll(p, `\`, "/") + "/"
	for name := range strings.SplitSeq(t.Package, "|") {
		if strings.Contains(p, "/"+name+"/") || strings.Contains(p, "/"+name+"@") {
			return true
		}
	}
	return false
}

// base is the name of a program without its folder and the ending that says how to run it.
func base(p string) string {
	p = path.Base(strings.ReplaceAll(p, `\`, "/"))
	for _, end := range [...]string{".exe", ".cmd", ".js", ".mjs", ".cjs", ".ts", ".py"} {
		p = strings.TrimSuffix(p, end)
	}
	return p
}
