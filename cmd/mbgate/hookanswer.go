package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/config"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/journal"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/risk"
	"github.com/mbgate/mbgate/internal/state"
	"github.com/mbgate/mbgate/internal/wire"
)

// answer says what was decided, or what went wrong.
func (h *handler) answer(s gate.Session, err error) error {
	a, ev := h.app, h.event
	unsaved := "" // why the state could not be saved
	var save *state.SaveError
	var lock *state.LockError
	if errors.As(err, &save) || errors.As(err, &lock) {
		// The verdict holds, although it is not remembered (SPEC §18).
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
		return a.emit(ev.Client, agents.Encode(ev, wire.Answer{}), "")
	}
	d := h.decision
	h.log(s, d)
	switch {
	case d.Plan != "":
		_ = h.store.SavePlan(s.ID, d.Plan) // one that cannot be kept is not named
	case d.DropPlan:
		h.store.DropPlan(s.ID)
	}
	text, _ := h.context(d)
	ans := wire.Answer{Verdict: d.Verdict, Context: text + render.Cleared(d.Cleared, *ev.Client) + render.LeftOut(d.LeftOut)}
	if d.Verdict == event.Block || d.Verdict == event.Warn {
		ans.Text = render.Refusal(d, *ev.Client, unsaved)
	}
	if d.Route != "" {
		ans.Context = wire.Joined(ans.Context, render.Route(d.Route))
	}
	switch d.Person {
	case gate.NoAnswer:
	case gate.ShowStatus:
		ans.Verdict, ans.ToPerson = event.Block, h.status(s)
	default:
		if told := render.ToAgent(d.Person); told != "" {
			ans.Context = wire.Joined(ans.Context, told)
			break
		}
		ans.Verdict, ans.ToPerson = event.Block, render.Person(d)
	}
	if ans.ToPerson != "" && ev.Client.ReturnsPrompts {
		ans.ToPerson = wire.Joined(ans.ToPerson, render.EmptyTheBox)
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
	return st.Text(render.NewScreen(io.Discard, h.app.getenv), false)
}

// emit prints the answer of a hook. A state that could not be saved is reported beside it; that never changes a refusal and
// never replaces what the model has to be told.
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

// context is the text that is injected into the model's context, "" for none; whole is set where all of MEMORY.md is in it.
// Its parts stand in the order of SPEC §14; what is dropped first where a client passes on little comes last.
func (h *handler) context(d gate.Decision) (text string, whole bool) {
	if d.Summary != nil {
		return render.Summary(d.Summary), false
	}
	limit := render.LimitOf(h.event.Client)
	if c := d.Carried; c != nil && c.Pasted && h.store.HasPlan(h.event.Session) {
		c.PastedPath = h.store.PlanPath(h.event.Session)
	}
	carried, shown := render.Carried(d.Carried)
	if d.Block != nil || carried != "" {
		text = render.AnchorBlock(d.Block, carried)
	}
	text += render.Capsule(d.Capsule, shown, h.project.config.CapsuleTokens, text, limit)
	if h.event.Kind == event.SessionStart {
		text += h.problems()
	}
	if (d.Bank == gate.Bank{}) {
		return text, false
	}
	return render.Context(text, h.project.memory(h.event.Client, h.event.Session, d), h.project.config.MaxChars, limit)
}

// problems are the faults of the configuration, one a line, and what is wrong with the documents that it names.
func (h *handler) problems() string {
	var b strings.Builder
	for _, p := range h.project.problems {
		b.WriteString("mbgate: configuration problem: " + render.Clean(p.String()) + "\n")
	}
	for _, l := range config.Loosened(h.project.sources) {
		b.WriteString("mbgate: " + render.Loosened(l) + "\n")
	}
	if p := h.project; p.armsNothing() || p.config.NamesAnchors() && p.config.Recovery != event.ModeOff {
		if why := render.MissingDocuments(p.documents()); why != "" {
			b.WriteString("mbgate: " + why + "\n")
		}
	}
	return b.String()
}

// log appends the decision, and what it changed in the session, to the record of decisions. A failure to do so never changes a
// verdict. Harmless calls, which are most of them, are not recorded.
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
