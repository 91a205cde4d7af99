// Package agents is everything that mbgate knows of the coding agents that it works with, one file for each: what the
// agent can do, how its hooks' payloads are read and answered, how mbgate is installed for it, and how doctor proves that.
// No other package compares an agent's name with anything.
//
// To add an agent, write one file with a function that returns an Agent and add its line to All; docs/extending.md goes
// through it. Agents that copy another one's payloads share code in a file named for the shape (claudeshape.go). An
// agent's file holds facts, each with the version it was observed with, and no policy.
//
// It may import the mechanisms, wire and settings, event and risk. Start reading with Agent, then generic.go.
package agents

import (
	"encoding/json"
	"path"
	"path/filepath"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/risk"
	"github.com/mbgate/mbgate/internal/settings"
	"github.com/mbgate/mbgate/internal/transcript"
	"github.com/mbgate/mbgate/internal/wire"
)

// All are the agents, in the order in which people are shown them. Where two are equally sure of a payload, the earlier one
// has it; the generic shape claims whatever has a session id, so it stays last.
func All() []Agent {
	return []Agent{
		claudeCode(),
		openCode(),
		kilo(),
		codex(),
		gemini(),
		qwen(),
		copilot(),
		pi(),
		cursor(),
		vsCode(),
		droid(),
		qoder(),
		codeBuddy(),
		kiro(),
		cline(),
		antigravity(),
		claudeShaped(),
		generic(),
	}
}

// Agent is one coding agent. A field that is left out means that the agent lacks the thing, which is the cautious reading.
type Agent struct {
	wire.Adapter

	// Config says how mbgate is installed, without the names, which the facts have; nil is "it cannot be".
	Config func() settings.Client
	// Definitions are further files in which the agent looks for a subagent's definition, with %s for its name. The files
	// of Config need not be listed. A path is relative to the project, or begins with ~/ for the user's, or with ${NAME}/ for the folder that an environment
	// variable names.
	Definitions []string

	// ProjectFiles are globs of the files in a project that configure the agent, HomeFiles of those below the home folder,
	// separated by blanks and in lower case: no agent changes them unseen. "" stands for the files that Config names.
	ProjectFiles, HomeFiles string
	// Moves are further variables that move files of HomeFiles, besides the one of Config: NAME=FOLDER, separated by blanks.
	Moves string

	// Samples are the made-up events of doctor; nil only where Config is.
	Samples func() Samples
	// Honours says whether the agent takes an answer to a call for a refusal; nil is one that does so for status 2
	// with a reason on standard error only.
	Honours func(Reply) (refused bool, why string)
	// Bash is set where the agent gives its command lines to bash rather than sh; ProjectVar is the environment variable
	// in which its hooks find the project, "" for none.
	Bash       bool
	ProjectVar string
	// Program is the agent's name on PATH, "" for its own.
	Program string
	// Trusts says whether the agent runs the hooks that it has; nil where that cannot be told.
	Trusts func(Machine) Finding
	// SwitchedOff finds what else turns hooks off: environment variables, an administrator's files. nil is nothing.
	SwitchedOff func(Machine) []Finding

	// Announcement is the payload with which the agent announces a call; nil is Claude Code's.
	Announcement func(tool string, input json.RawMessage, cwd string) any

	// Records are the records that the agent keeps of its sessions.
	Records Records

	// Trace is what tells a command that the agent runs it; its Title is that of the facts.
	Trace Trace
}

// Records says where an agent keeps records of its sessions, and how a line of one is read; false where it is damaged. The zero
// Records are none that are known.
type Records struct {
	// Files are globs below the home folder, or below the one that the variable names which moves the agent's folder, with a
	// space between them.
	Files string
	Read  func(line []byte) (transcript.Record, bool)
	// Root is a file that names the session's folder, where the records do not. It lies up to three folders above a record.
	Root string
	// Before and After are how hooks call what precedes and follows a call, "" for PreToolUse and PostToolUse.
	Before, After string
	// Database is where sessions are kept that cannot be read, below the home folder.
	Database string
}

// Name is the agent's stable identifier.
func (a Agent) Name() string { return a.Facts().Name }

// Settings is how mbgate is installed for the agent; false where it cannot be.
func (a Agent) Settings() (settings.Client, bool) {
	if a.Config == nil {
		return settings.Client{}, false
	}
	c, facts := a.Config(), a.Facts()
	c.Name, c.Title, c.Observed, c.ProjectVar = facts.Name, facts.Title, facts.Observed, a.ProjectVar
	return c, true
}

// DefinitionFiles are the files in which the agent looks for a subagent's definition, in the form of Definitions.
// Where a variable moves the person's folder, the agent looks there and not below the home folder.
func (a Agent) DefinitionFiles(getenv func(string) string) []string {
	c, ok := a.Settings()
	if !ok || c.UserAgents.Path == "" {
		return a.Definitions
	}
	user := c.UserAgents
	files := append([]string{c.ProjectAgents.Path, "~/" + user.Path}, a.Definitions...)
	moved := ""
	if user.Variable != "" {
		moved = getenv(user.Variable)
	}
	if !filepath.IsAbs(moved) {
		return files
	}
	for i, f := range files {
		if rest, ok := strings.CutPrefix(f, strings.TrimSuffix("~/"+user.Folder(), "/")+"/"); ok {
			files[i] = path.Join(filepath.ToSlash(moved), rest)
		}
	}
	return files
}

// ConfigFiles says where agents, with and without an adapter, are configured, and what the environment moves.
func ConfigFiles(getenv func(string) string) risk.AgentFiles {
	var files risk.AgentFiles
	move := func(name, folder string) {
		if dir := getenv(name); filepath.IsAbs(dir) {
			files.Moved = append(files.Moved, risk.MovedFolder{Path: filepath.ToSlash(dir), Folder: folder})
		}
	}
	var project, home []string
	for _, a := range All() {
		var c settings.Client
		if a.Config != nil {
			c = a.Config()
		}
		if c.User.Variable != "" {
			move(c.User.Variable, c.User.Folder())
		}
		for row := range strings.FieldsSeq(a.Moves) {
			name, folder, _ := strings.Cut(row, "=")
			move(name, folder)
		}
		if a.ProjectFiles == "" && a.Config != nil {
			a.ProjectFiles = globs("**/", c.Project, c.ProjectAgents)
		}
		if a.HomeFiles == "" && a.Config != nil {
			a.HomeFiles = globs("", c.User, c.UserAgents)
		}
		project, home = append(project, a.ProjectFiles), append(home, a.HomeFiles)
	}
	files.Project = strings.Join(append(project, strangersProjectFiles), " ")
	files.Home = strings.Join(append(home, strangersHomeFiles), " ")
	return files
}

// globs are those of the hooks and the subagents of an agent that names no others.
func globs(below string, hooks, subagents settings.Place) string {
	text := below + hooks.Path
	if subagents.Path != "" {
		text += " " + below + strings.ReplaceAll(subagents.Path, "%s", "*")
	}
	return strings.ToLower(text)
}

// Installable are the agents that mbgate can be installed for, with how.
func Installable() []settings.Client {
	var list []settings.Client
	for _, a := range All() {
		if c, ok := a.Settings(); ok {
			list = append(list, c)
		}
	}
	return list
}

// RecordFiles are globs of the agent's records, where a variable may have moved its folder.
func (a Agent) RecordFiles(home string, getenv func(string) string) []string {
	c, _ := a.Settings()
	moved := ""
	if c.User.Variable != "" {
		moved = getenv(c.User.Variable)
	}
	var list []string
	for file := range strings.FieldsSeq(a.Records.Files) {
		rest, below := strings.CutPrefix(file, strings.TrimPrefix(c.User.Folder()+"/", "/"))
		if filepath.IsAbs(moved) && below {
			list = append(list, path.Join(filepath.ToSlash(moved), rest))
		} else {
			list = append(list, path.Join(home, file))
		}
	}
	return list
}

// Default is the agent that is meant where a person names none.
func Default() Agent { return All()[0] }

// ByName finds an agent by its name or an alias.
func ByName(name string) (Agent, bool) {
	for _, a := range All() {
		if a.Named(name) {
			return a, true
		}
	}
	return Agent{}, false
}

// Facts are what the agent of that name can do; false if there is none.
func Facts(name string) (event.Client, bool) {
	a, ok := ByName(name)
	if !ok {
		return event.Client{}, false
	}
	return *a.Facts(), true
}

// SettingsOf is how mbgate is installed for the agent of that name; false where it is not known or cannot be.
func SettingsOf(name string) (settings.Client, bool) {
	a, ok := ByName(name)
	if !ok {
		return settings.Client{}, false
	}
	return a.Settings()
}

// Decode turns a payload into an event of the agent that sent it, as wire.Decode does.
func Decode(data []byte, o wire.Options) (event.Event, error) {
	all := All()
	table := make([]wire.Adapter, len(all))
	for i, a := range all {
		table[i] = a.Adapter
	}
	return wire.Decode(table, data, o)
}

// Encode says an answer in the way of the agent that sent the event.
func Encode(ev event.Event, a wire.Answer) wire.Output { return adapterOf(ev.Client).Answer(ev, a) }

// Failure reports that mbgate could not do its work, as wire.Adapter.Failure does. The agent may be nil when it is not
// known.
func Failure(c *event.Client, message string, closed bool) wire.Output {
	return adapterOf(c).Failure(message, closed)
}

func adapterOf(c *event.Client) wire.Adapter {
	if c != nil {
		if a, ok := ByName(c.Name); ok {
			return a.Adapter
		}
	}
	return generic().Adapter
}
