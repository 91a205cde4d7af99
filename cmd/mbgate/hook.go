package main

import (
	"errors"
	"fmt"
	"io"
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
	"github.com/mbgate/mbgate/internal/journal"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/risk"
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
	agent, root string
	flags       []config.Flag
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
		Args:    cobra.MaximumNArgs(most),
		RunE: a.work(func(args []string) error {
			if len(args) == 1 {
				o.agent = args[0]
			}
			return a.hook(h.name, o)
		}),
	}
	cmd.Flags().StringVar(&o.agent, "agent", "", "the agent whose hook this is, where its events do not tell")
	textFlag(cmd.Flags(), &o.root, "root", "dir", "the project root, instead of finding it")
	configFlags(cmd, &o.flags)
	return cmd
}

// hook is the one path behind all hook commands: receive, decide, remember, answer.
func (a *app) hook(name string, o hookOptions) error {
	signal.Ignore(syscall.SIGPIPE) // an agent that hangs up must not turn a refusal into a death by signal
	var named *event.Client
	if o.agent != "" {
		c, ok := agents.Facts(o.agent)
		if !ok {
			return &usageError{problem: "unknown agent " + render.Safe(o.agent) + ", known are " + agentNames()}
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
		return nil
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
	next, d := h.project.gate(h.event.Client).Handle(s, h.event)
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
	p, err := h.app.project(start{flag: h.options.root, pinned: pinned, roots: h.event.Roots, cwd: h.event.Cwd, flags: h.options.flags})
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

// answer says what was decided, or what went wrong.
func (h *handler) answer(s gate.Session, err error) error {
	a, ev := h.app, h.event
	unsaved := "" // why the state could not be saved
	var save *state.SaveError
	var lock *state.LockError
	if errors.As(err, &save) || errors.As(err, &lock) {
		// The verdict stands; it is only not remembered (SPEC §18).
		unsaved, err = err.Error(), nil
		if why := h.bindUnsaved(); why != nil {
			unsaved += "; the recovery that was just armed will refuse no writes"
		}
	}
	if err != nil {
		var unread *state.ReadError
		if errors.As(err, &unread) && (ev.Kind == event.Compacted || ev.Kind == event.Forked) {
			// What this would have armed is not known, so the next event that can read asks for the documents (S6).
			if h.store.Distrust(ev.Session) != nil {
				err = fmt.Errorf("%w; this %s will refuse no writes", err, ev.Kind)
			}
		}
		return a.failed(ev.Client, err, h.refusesOnFailure())
	}
	if !h.decided {
		// mbgate may be inert because the configuration could not be read, so that is reported all the same.
		if ev.Kind == event.SessionStart && h.project != nil && h.project.root.HasConfig && len(h.project.problems) > 0 {
			return a.emit(ev.Client, agents.Encode(ev, wire.Answer{Context: h.problems()}), "")
		}
		return nil
	}
	d := h.decision
	h.log(s, d)
	ans := wire.Answer{Verdict: d.Verdict, Context: h.context(d)}
	if d.Verdict == event.Block || d.Verdict == event.Warn {
		ans.Text = render.Refusal(d, *ev.Client, unsaved)
	}
	switch d.Person {
	case gate.NoAnswer:
	case gate.CallWriter, gate.WriteItself:
		ans.Context = render.Agreed(d.Person)
	case gate.ShowStatus:
		ans.Verdict, ans.ToPerson = event.Block, h.status(s)
	default:
		ans.Verdict, ans.ToPerson = event.Block, render.Person(d.Person)
	}
	if d.Proposal != nil {
		ans.Text = render.Proposal(d.Proposal)
	}
	out := agents.Encode(ev, ans)
	if ev.Kind == event.SessionStart {
		_, _ = h.store.Sweep(a.now())
	}
	return a.emit(ev.Client, out, unsaved)
}

// bindUnsaved makes a recovery hold that was armed and could not be saved (S6). The error says why it cannot; then the
// anchor block says so too.
func (h *handler) bindUnsaved() error {
	armed := func(e gate.LogEntry) bool { return e.What == gate.Armed }
	if !h.decided || !slices.ContainsFunc(h.decision.Log, armed) {
		return nil
	}
	err := h.store.Distrust(h.event.Session)
	if err == nil {
		return nil
	}
	if old, _, e := h.store.Load(h.event.Session); e == nil {
		if c := old.Contexts[h.event.Sub.ID]; c != nil && c.Recovery != nil && c.Recovery.StoodDown == "" {
			return nil // what was saved before refuses them too
		}
	}
	if h.decision.Block != nil {
		h.decision.Block.Unbound = err.Error()
	}
	return err
}

// status is what mb:status answers: the session as `mbgate status` shows it, without colour.
func (h *handler) status(s gate.Session) string {
	st, err := h.app.statusOf(statusOptions{session: s.ID})
	if err != nil {
		return "mbgate: " + render.Safe(err.Error()) + "\n"
	}
	return st.Text(render.NewScreen(io.Discard, h.app.getenv))
}

// emit prints the answer of a hook. A state that could not be saved is reported beside it; that never changes a refusal and
// never takes the place of what the model has to be told.
func (a *app) emit(client *event.Client, out wire.Output, unsaved string) error {
	if unsaved != "" && out.Exit == 0 && len(out.Stdout) == 0 {
		return a.failed(client, errors.New(unsaved), false)
	}
	if len(out.Stdout) > 0 {
		if _, err := a.stdout.Write(out.Stdout); err != nil && out.Exit == 0 {
			return a.failed(client, err, false)
		}
	}
	if out.Exit == wire.Blocked {
		return &refusedError{string(out.Stderr)}
	}
	if unsaved != "" {
		out.Stderr = append(out.Stderr, "mbgate: "+render.Safe(unsaved)+"\n"...)
	}
	if len(out.Stderr) > 0 {
		_, _ = a.stderr.Write(out.Stderr)
	}
	if out.Exit != 0 {
		return &quietError{status(out.Exit)}
	}
	return nil
}

// failed reports mbgate's own failure in the way that lets the call go on with that client, or refuses it (SPEC §18).
func (a *app) failed(client *event.Client, err error, refuse bool) error {
	out := agents.Failure(client, "mbgate: "+render.Safe(err.Error()), refuse)
	_, _ = a.stdout.Write(out.Stdout)
	if out.Exit == wire.Blocked {
		return &refusedError{string(out.Stderr)}
	}
	_, _ = a.stderr.Write(out.Stderr)
	return &quietError{status(out.Exit)}
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

// context is the text that is injected into the model's context, "" for none.
func (h *handler) context(d gate.Decision) string {
	if d.Block == nil && !d.Bank && d.Capsule == nil {
		return ""
	}
	memory := h.project.memory(h.event.Client, h.event.Session)
	limit := render.LimitOf(h.event.Client)
	block := ""
	if d.Block != nil {
		var focus []string
		if memory != nil {
			focus = bank.Focus(string(memory.Text))
		}
		block = render.AnchorBlock(d.Block, focus)
	}
	block += render.Capsule(d.Capsule, h.project.config.CapsuleTokens, block, limit)
	if !d.Bank {
		return block
	}
	if h.event.Kind == event.SessionStart {
		block += h.problems()
	}
	return render.Context(block, memory, h.project.config.MaxChars, limit)
}

// problems are the faults of the configuration, one a line, and what is wrong with the documents that it names.
func (h *handler) problems() string {
	var b strings.Builder
	for _, p := range h.project.problems {
		b.WriteString("mbgate: configuration problem: " + render.Clean(p.String()) + "\n")
	}
	if p := h.project; p.armsNothing() || p.config.NamesAnchors() && p.config.Recovery != event.ModeOff {
		if why := render.MissingDocuments(p.documents()); why != "" {
			b.WriteString("mbgate: " + why + "\n")
		}
	}
	return b.String()
}

// log appends the decision, and what it changed in the session, to the record of decisions. A failure to do so never changes a
// verdict. Harmless calls are not recorded: most calls are, and nobody asks about them.
func (h *handler) log(s gate.Session, d gate.Decision) {
	write := func(r journal.Record) {
		r.At, r.Agent, r.Session, r.Sub, r.Root = h.app.now(), s.Agent, s.ID, h.event.Sub.ID, s.Root
		r.Event, r.Tool = string(h.event.Kind), h.event.Tool.Name
		_ = journal.Append(h.store.Dir(), r)
	}
	for _, e := range d.Log {
		write(journal.Record{Decision: string(e.What), Rule: string(e.What.Rule()), Target: e.Path, Reason: render.LogReason(e, s)})
	}
	if d.Verdict == event.NoOpinion || d.Verdict == event.Allow && d.Assessment.Level < risk.Medium {
		return
	}
	write(render.LogRecord(d))
}

func agentNames() string {
	var names []string
	for _, c := range agents.All() {
		names = append(names, c.Name())
	}
	return strings.Join(names, ", ")
}

// disabled reports whether MEMORY_BANK_DISABLED turns everything off (SPEC §14).
func disabled(a *app) bool {
	v := a.getenv(config.DisabledEnv)
	return v == "1" || v == "true"
}
