package main

import (
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/bank"
	"github.com/mbgate/mbgate/internal/config"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/state"
	"github.com/mbgate/mbgate/internal/stdin"
	"github.com/mbgate/mbgate/internal/wire"
)

// hookCommand is one of the event commands, which agents run: one JSON object on standard input, an answer by exit status.
type hookCommand struct{ name, on, does string }

// hookCommands are the event commands (SPEC §2).
func hookCommands() []hookCommand {
	return []hookCommand{
		{"compact", "a compaction", "arms the recovery and prints the context to inject"},
		{"tool-before", "a tool call that is about to run", "judges it: allow, remind or refuse"},
		{"tool-after", "a finished tool call", "records what it showed of the anchors"},
		{"read", "a finished read", "records what it showed of the anchors"},
		{"session-start", "a session that starts or resumes", "prints the memory bank's context"},
		{"session-end", "a session that ends", "marks its state"},
		{"prompt", "a prompt that was sent", "starts a turn, obeys the mb: words"},
		{"stop", "an agent that wants to stop", "reminds it to propose an update of the memory bank"},
		{"notice", "a request to the model", "prints the anchor block while a recovery is pending"},
		{"unread", "a result that was dropped from the context", "takes back the credit of that file"},
		{"hook", "any event that names itself", "does what the event's own name says"},
	}
}

// hookNamed finds the event command of a name.
func hookNamed(name string) (hookCommand, bool) {
	all := hookCommands()
	if i := slices.IndexFunc(all, func(h hookCommand) bool { return h.name == name }); i >= 0 {
		return all[i], true
	}
	return hookCommand{}, false
}

// hookOptions are the flags of a hook command.
type hookOptions struct {
	agent, shape, root string
	flags              []config.Flag
}

func newHookCmd(a *app, h hookCommand) *cobra.Command {
	var o hookOptions
	use, most := h.name, 0
	if h.name == "hook" {
		use, most = "hook [AGENT]", 1
	}
	cmd := &cobra.Command{
		Use:   use,
		Short: "On " + h.on + ": " + h.does,
		Long: "For the hooks of an agent, on " + h.on + ": " + h.does + ".\n\n" +
			"Reads one JSON object from standard input.\n\n" +
			"EXIT STATUS\n  0 allowed · 2 refused, the reason on standard error · 1 mbgate's own failure · 64 wrong usage",
		Example: "  mbgate " + h.name + " < event.json",
		Args:    cobra.MaximumNArgs(most), // when a hook is called the tree is not guided
		RunE: a.work(func(args []string) error {
			if len(args) == 1 {
				o.agent = args[0]
			}
			return a.hook(h.name, o)
		}),
	}
	cmd.Flags().StringVar(&o.agent, "agent", "", "the agent whose hook this is, where its events do not tell")
	if h.name == "hook" {
		cmd.Flags().StringVar(&o.shape, "shape", "", "claude: for a host that copies Claude Code's hooks")
	}
	textFlag(cmd.Flags(), &o.root, "root", "dir", "the project root, instead of finding it")
	configFlags(cmd, &o.flags)
	return cmd
}

// hook is the one path behind all hook commands: receive, decide, remember, answer.
func (a *app) hook(name string, o hookOptions) error {
	signal.Ignore(syscall.SIGPIPE) // an agent that hangs up must not turn a refusal into a death by signal
	if o.shape != "" {
		o.agent = agents.ShapeAgent(o.shape)
	}
	var named *event.Client
	if o.agent != "" {
		c, ok := agents.Facts(o.agent)
		if !ok {
			return unknownAgent(o.agent, agentNames())
		}
		named = &c
	}
	data, err := stdin.Read(a.stdin)
	if err != nil {
		return a.failed(named, err, false)
	}
	ev, err := agents.Decode(data, wire.Options{Subcommand: name, Agent: o.agent, Getenv: a.getenv})
	if err != nil {
		return a.failed(ev.Client, err, false)
	}
	if ev.Kind == event.None || disabled(a) {
		return a.emit(ev.Client, agents.Encode(ev, wire.Answer{}), "")
	}
	if !filepath.IsAbs(ev.Cwd) {
		// Paths are relative to an absolute folder; a client that sends none works where it starts its hooks.
		if wd, err := a.getwd(); err == nil {
			ev.Cwd = filepath.Join(wd, ev.Cwd)
		}
	}
	ev.Cwd = filepath.ToSlash(ev.Cwd)
	dir, err := state.Dir()
	if err != nil {
		return a.failed(ev.Client, err, false)
	}
	store := state.Open(dir, state.Options{LockWait: lockWait(ev)})
	h := &handler{app: a, options: o, event: ev, store: store}
	session, err := store.Update(ev.Session, h.decide)
	return h.answer(session, err)
}

// lockWait is how long the session's lock is waited for: longer where a recovery may be armed (S6), else the store's own time.
func lockWait(ev event.Event) time.Duration {
	resumes := ev.Kind == event.SessionStart && ev.Source == "resume" // with some clients that is a fork
	if ev.Kind == event.Compacted || ev.Kind == event.Forked || ev.Summary != "" || resumes {
		return 5 * time.Second
	}
	return 0
}

// handler is one event on its way through the program.
type handler struct {
	app     *app
	options hookOptions
	event   event.Event
	store   *state.Store
	project *project
	// decided is set once the gate was asked; without it the project is inert.
	decided  bool
	decision gate.Decision
}

// decide asks the gate. The store calls it once or twice, so it depends on nothing but the session.
func (h *handler) decide(s gate.Session) (gate.Session, error) {
	h.decided = false
	if err := h.findProject(s.Root); err != nil {
		return s, err
	}
	inert := h.project.inert() && s.Root == ""
	if inert && !h.mayCreateBank() {
		return s, nil
	}
	g := h.project.gate(h.event.Client)
	g.Prints = func(d gate.Decision) bool { _, whole := h.context(d); return whole }
	next, d := g.Handle(s, h.event)
	if inert && !next.Creating {
		return s, nil
	}
	h.decided, h.decision = true, d
	return next, nil
}

// findProject finds the project of the event; pinned is the root that the session was given, "" for none.
func (h *handler) findProject(pinned string) error {
	if h.project != nil && h.project.pinned == pinned {
		return nil
	}
	p, err := h.app.project(start{flag: h.options.root, pinned: pinned, roots: h.event.Roots, cwd: h.event.Cwd, flags: h.options.flags, records: h.event.Records})
	if err == nil {
		h.project = p
	}
	return err
}

// mayCreateBank reports whether a call in a project without a memory bank may be about to create one. The session that does
// may complete it (SPEC §11), so it has to be remembered.
func (h *handler) mayCreateBank() bool {
	t := h.event.Tool
	if h.event.Kind != event.ToolBefore || h.project.config.Disabled {
		return false
	}
	for _, p := range t.Paths {
		if strings.Contains(p.Path, bank.Dir) {
			return true
		}
	}
	return strings.Contains(t.Command, bank.Dir) || strings.Contains(t.Patch, bank.Dir) || strings.Contains(t.Command, "mbgate")
}

// refusesOnFailure says whether a call is refused because nothing is known of its session: with fail = "closed", a
// write of medium or high risk (SPEC §18).
func (h *handler) refusesOnFailure() bool {
	if h.event.Kind != event.ToolBefore {
		return false
	}
	if h.project == nil && h.findProject("") != nil {
		return false
	}
	if h.project.config.Fail != event.ModeClosed || h.project.inert() {
		return false
	}
	d := h.project.gate(h.event.Client).Suppose(h.event.Tool, h.event.Cwd)
	return d.Verdict == event.Block
}

func agentNames() []string {
	var names []string
	for _, c := range agents.All() {
		names = append(names, c.Name())
	}
	return names
}

// disabled reports whether MEMORY_BANK_DISABLED turns everything off (SPEC §14).
func disabled(a *app) bool {
	v := a.getenv(config.DisabledEnv)
	return v == "1" || v == "true"
}
