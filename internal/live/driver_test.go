//go:build live

package live

import (
	"testing"

	"github.com/mbgate/mbgate/internal/live/model"
)

// driver knows how one client is set up, started and talked to. What it says of itself is what the stories expect of
// that client; a story that it cannot play it answers with a reason, and that reason is printed.
type driver interface {
	// name is what `mbgate install` calls the client.
	name() string
	// configure writes what the client needs to find the scripted model, before anything is installed.
	configure(w *world)
	// trust does what a person has to do after an installation before the client runs the hooks.
	trust(w *world)
	// open starts the client in the project: a new conversation, or one that goes on.
	open(w *world, how opening) session
	// fill is what the model answers so that the client finds its context full. It is called before configure, since it may
	// set what the client starts with.
	fill(w *world) []model.Step
	// addServer has the client start an MCP server, a script of Node's, by what a person writes into its configuration.
	addServer(w *world, name, node, script string)
	hands
	traits() traits
}

// opening says which conversation a client is started with. The zero opening is a new one.
type opening struct {
	resume string // the id of the conversation that goes on
	fork   string // the id of the conversation that a new one is forked from
}

// session is one running client with one conversation.
type session interface {
	// id is what the client calls the conversation.
	id() string
	// turn sends a prompt, answers what the client asks the model with these steps, waits until the client is done, and
	// gives back the requests that it sent. It is fatal if the client ends or hangs.
	turn(prompt string, steps ...model.Step) []model.Request
	// compact has the client compact the conversation, by command or by a context that is full, and gives back the
	// requests of it.
	compact() []model.Request
	// close ends the client's process as a person does.
	close()
}

// hands are the calls by which a model does things with this client's tools. Paths are relative to the project.
type hands interface {
	readAll(w *world, path string) model.Call
	readLines(w *world, path string, from, to int) model.Call
	edit(w *world, path, old, new string) model.Call
	create(w *world, path, content string) model.Call
	shell(w *world, command string) model.Call
	// printed is the call that mbgate printed as "Next: NAME ARGS", or as "Next: NAME" where NAME is a whole command for
	// the shell and args is nil.
	printed(name string, args map[string]any) model.Call
	// delegate starts a subagent of a kind ("" for the client's general one) and waits for it. The prompt carries the
	// marker that tells its requests apart.
	delegate(w *world, kind, prompt string) model.Call
	// ofServer calls a tool of an MCP server.
	ofServer(server, tool string, args map[string]any) model.Call
}

// byName makes a printed call with clients whose tool calls are what mbgate prints: a name and its arguments.
type byName struct{}

func (byName) printed(name string, args map[string]any) model.Call {
	return model.Call{Name: name, Args: args}
}

// traits are the facts about a client that a story depends on. A text is the reason why something cannot be played with
// it, "" if it can.
type traits struct {
	// noSubagents is why the client has no subagents, noServers why it starts no MCP servers.
	noSubagents, noServers string
	// noAutomatic is set where all compactions of these stories are automatic ones.
	noAutomatic string
	// summaries is how many requests one automatic compaction takes, 0 for one.
	summaries int
	// sharesPrompts is why the model sees a prompt that mbgate answers itself; passesOn that it sees the answer, too.
	sharesPrompts string
	passesOn      bool
	// mutePrompts is why the model is not told what mbgate says of a prompt.
	mutePrompts string
	// stops is why an agent that wants to stop cannot be asked for something first.
	stops string
	// folder holds the client's configuration, below the home folder. The environment variable can put another in its place;
	// below is the path of the configuration in that one.
	folder, variable, below string
	// config are files of that folder that install writes. beside are files, relative to the project, that would turn hooks
	// off or define others.
	config, beside []string
	// keepsBack is which files of its configuration the client's own tools do not write, whatever the hooks say.
	keepsBack string
	// apart is what the client writes by itself, below the home folder, where that does not lie with its configuration.
	apart string
	// long is how many lines of 50 bytes one call does not show.
	long int
	// trusting are environment variables by which a person trusts the project.
	trusting []string
	// nested are commands that start the client anew, to give it a prompt in a person's place.
	nested []string
	// readerLacks and writerLacks are the tools that the two subagents must not have.
	readerLacks, writerLacks []string
	// reader and writer are how the client names the two subagents that are laid down.
	reader, writer string
}

// drivers is every client that is played. Each has its own file.
var drivers = []driver{claude{}, codex{}, codex{scripts: true}, opencode{}, opencode{kilo: true}, qwen{}, gemini{}, copilot{}, pi{}}

// each runs a story for each client, side by side.
func each(t *testing.T, story func(t *testing.T, d driver)) {
	for _, d := range drivers {
		name := d.name()
		if other, is := d.(interface{ way() string }); is { // the same client in another way
			name += other.way()
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			story(t, d)
		})
	}
}

// cannot reports whether a client cannot play a story, and says why.
func cannot(t *testing.T, why string) bool {
	t.Helper()
	if why != "" {
		t.Logf("not with this client: %s", why)
	}
	return why != ""
}

// setUp makes a world, configures the client in it and has mbgate installed.
func setUp(t *testing.T, d driver) *world {
	t.Helper()
	w := newWorld(t)
	d.configure(w)
	w.run(w.mbgate, "install", d.name())
	d.trust(w)
	return w
}
