package main

import (
	"cmp"
	"maps"
	"slices"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/state"
)

// viewer looks at sessions, each in its own project and from the folder that each of its contexts works in.
type viewer struct {
	app *app
	// hideSaid keeps what the person said out of what is shown (C7).
	hideSaid bool
	projects map[key]*project
}

type key struct{ root, cwd string }

func newViewer(a *app) *viewer { return &viewer{app: a, projects: map[key]*project{}} }

// project is the project of a context, nil if its folder is gone.
func (v *viewer) project(root, cwd string) *project {
	k := key{root, cwd}
	p, ok := v.projects[k]
	if !ok && root != "" {
		if cwd == "" {
			cwd = root
		}
		if found, err := v.app.project(start{pinned: root, cwd: cwd}); err == nil && found.root.Dir == root {
			p = found
		}
	}
	v.projects[k] = p
	return p
}

// brief is the part of a session that a status line needs. It leaves out the capsule, the turn and the subagents without a
// recovery.
func (v *viewer) brief(e state.Entry) render.SessionStatus {
	s := e.Session
	out := render.SessionStatus{
		ID: s.ID, Root: s.Root, Client: clientOf(s.Agent), Started: s.StartedAt, Last: s.LastAt, Ended: s.EndedAt,
		Damaged: s.Damaged, Suspended: s.Suspended,
	}
	if e.Problem != nil {
		out.Problem = e.Problem.Error()
	}
	if p := v.project(s.Root, ""); p != nil {
		out.Binds = p.gate(&out.Client).Bindings(s, "", &out.Client)
	}
	out.Main = v.context(s, "", &out.Client)
	for _, id := range slices.Sorted(maps.Keys(s.Contexts)) {
		if id != "" && s.Contexts[id].Recovery != nil {
			out.Subs = append(out.Subs, v.context(s, id, &out.Client))
		}
	}
	return out
}

func (v *viewer) sessions(entries []state.Entry) (out []render.SessionStatus) {
	for _, e := range entries {
		out = append(out, v.session(e))
	}
	return out
}

// session is everything that status shows about a session.
func (v *viewer) session(e state.Entry) render.SessionStatus {
	s, out := e.Session, v.brief(e)
	if p := v.project(s.Root, ""); p != nil {
		g := p.gate(&out.Client)
		turn := g.TurnState(s, "")
		out.PatternsRead, out.Reminded = turn.PatternsRead, turn.Warned
		if v.hideSaid {
			s.Kept = nil
		}
		out.Said, out.SaidHidden = s.Said(), v.hideSaid
		if c, ok := g.Capsule(s, &out.Client); ok {
			out.Capsule = &c
		}
		if _, known := agents.Facts(s.Agent); known && p.root.HasBank {
			mode, why := g.GuardInForce(&out.Client)
			out.WriteGuard, out.WhyGuard = string(mode), render.GuardReason(why)
			out.OneTurn = !out.Client.PromptEvents
		}
	} else if s.Root != "" && out.Problem == "" {
		out.Problem = "its project folder " + s.Root + " is gone; `mbgate prune --session " + render.ShellWord(s.ID) + "` forgets it"
	}
	for id, c := range s.Contexts {
		if id != "" && c.Recovery == nil {
			out.Subs = append(out.Subs, v.context(s, id, &out.Client))
		}
	}
	slices.SortFunc(out.Subs, func(x, y render.ContextStatus) int { return cmp.Or(y.Used.Compare(x.Used), cmp.Compare(x.ID, y.ID)) })
	return out
}

func (v *viewer) context(s gate.Session, id string, c *event.Client) render.ContextStatus {
	out := render.ContextStatus{ID: id}
	ctx := s.Contexts[id]
	cwd := ""
	if ctx != nil {
		out.Type, out.Started, out.Used, out.Compactions = ctx.Type, ctx.StartedAt, ctx.UsedAt, ctx.Compactions
		for _, a := range ctx.Anchors {
			out.Anchors = append(out.Anchors, a.Path)
		}
		cwd = ctx.Cwd
	}
	if p := v.project(s.Root, cwd); p != nil {
		out.Progress = p.gate(c).Progress(s, id, c)
	}
	return out
}
