package render

import (
	"slices"
	"time"

	"github.com/mbgate/mbgate/internal/capsule"
	"github.com/mbgate/mbgate/internal/gate"
)

// statusSchema is the number of the layout of `mbgate status --json`. New keys do not raise it.
const statusSchema = 1

// statusJSON is the object of SPEC §19; the keys after Sessions were added to it.
type statusJSON struct {
	Schema    int           `json:"schema"`
	Root      string        `json:"root"`
	GuardMode string        `json:"guard_mode"`
	Sessions  []sessionJSON `json:"sessions"`
	Settings  []Setting     `json:"settings"`
	Problems  []string      `json:"problems"`
	Inert     bool          `json:"inert"`
	// How many older sessions --limit left out, and in how many of them a recovery is pending.
	More        int `json:"more"`
	MorePending int `json:"more_pending"`
	// What gets past the hooks of each agent in Sessions.
	Clients []clientJSON `json:"clients"`
	// What a compaction could require here.
	Documents *documentsJSON `json:"documents,omitempty"`
}

// documentsJSON are the documents that the anchors match and the fallbacks that are there; with More some were not looked at.
type documentsJSON struct {
	Files    int      `json:"files"`
	More     bool     `json:"more"`
	Newest   string   `json:"newest"`
	Fallback []string `json:"fallback"`
}

// clientJSON is what an agent leaves uncovered, and the version of the agent with which that was observed.
type clientJSON struct {
	Name      string   `json:"name"`
	Title     string   `json:"title"`
	Observed  string   `json:"observed"`
	Uncovered []string `json:"uncovered"`
}

// contextJSON is one context window, of a session or a subagent.
type contextJSON struct {
	StartedAt   *string       `json:"started_at"`
	LastEventAt *string       `json:"last_event_at"`
	Compactions int           `json:"compactions"`
	Recovery    *recoveryJSON `json:"recovery"`
	Anchors     []string      `json:"anchors"`
}

// sessionJSON is a session of SPEC §19; the keys after Subagents were added to it.
type sessionJSON struct {
	SessionID string `json:"session_id"`
	Agent     string `json:"agent"`
	contextJSON
	Turn       turnJSON         `json:"turn"`
	Capsule    *capsule.Capsule `json:"capsule"`
	Subagents  []subagentJSON   `json:"subagents"`
	WriteGuard *guardJSON       `json:"write_guard"`
	// TurnIs is "prompt", or "session" for an agent that reports no prompts.
	TurnIs  string  `json:"turn_is"`
	State   string  `json:"state"`
	Root    string  `json:"root"`
	EndedAt *string `json:"ended_at"`
	Problem string  `json:"problem,omitempty"`
	// What binds calls beside a recovery, and whether a person suspended it.
	Binds     []bindJSON `json:"binds"`
	Suspended bool       `json:"suspended"`
	// What the person said, in the order of its numbers; null where it is not shown.
	Said []string `json:"said"`
}

// bindJSON is one thing that holds calls (C5), with the next action that lifts it; Paths are the patterns of a deny.
type bindJSON struct {
	By    string   `json:"by"`
	ID    string   `json:"id,omitempty"`
	Text  string   `json:"text,omitempty"`
	Path  string   `json:"path,omitempty"`
	Paths []string `json:"paths,omitempty"`
	Next  string   `json:"next"`
}

type turnJSON struct {
	PatternsRead bool `json:"patterns_read"`
	Warned       bool `json:"warned"`
}

// guardJSON is the mode of the write guard that is in force for a session, and why it is not the configured one.
type guardJSON struct {
	Mode string `json:"mode"`
	Why  string `json:"why,omitempty"`
}

type subagentJSON struct {
	ID   string `json:"id"`
	Type string `json:"type"`
	contextJSON
}

// recoveryJSON is a recovery of SPEC §19; the keys after Required were added to it.
type recoveryJSON struct {
	ActivatedAt *string        `json:"activated_at"`
	Refusals    int            `json:"refusals"`
	StoodDown   bool           `json:"stood_down"`
	Required    []requiredJSON `json:"required"`
	Cause       string         `json:"cause"`
	Why         string         `json:"stood_down_reason,omitempty"`
	Also        []string       `json:"also"`
	Next        *nextJSON      `json:"next"`
}

// requiredJSON is an anchor that a recovery demands. Added: why it no longer does, and whether it demands only the file's
// beginning and end.
type requiredJSON struct {
	Path       string `json:"path"`
	Read       bool   `json:"read"`
	LinesRead  int    `json:"lines_read"`
	LinesTotal int    `json:"lines_total"`
	Stale      bool   `json:"stale"`
	Dropped    string `json:"dropped,omitempty"`
	Part       bool   `json:"part,omitempty"`
}

// nextJSON is the read to make next; first and last are 0 for the whole file.
type nextJSON struct {
	Path  string `json:"path"`
	First int    `json:"first"`
	Last  int    `json:"last"`
}

// JSON is the status for machines.
func (s Status) JSON() any {
	out := statusJSON{
		Schema: statusSchema, Root: s.Root, Inert: s.Inert,
		Sessions: []sessionJSON{}, Settings: append([]Setting{}, s.Settings...), Problems: append([]string{}, s.Problems...),
		More: s.More, MorePending: s.MorePending, Clients: []clientJSON{},
	}
	if d := s.Documents; d != nil {
		out.Documents = &documentsJSON{Files: d.Files, More: d.More, Newest: d.Newest, Fallback: append([]string{}, d.Fallback...)}
	}
	if i := slices.IndexFunc(s.Settings, func(g Setting) bool { return g.Key == "guard_mode" }); i >= 0 {
		out.GuardMode = s.Settings[i].Value
	}
	for _, c := range s.uncovered() {
		out.Clients = append(out.Clients, clientJSON{Name: c.Name, Title: c.Title, Observed: c.Observed, Uncovered: c.Uncovered})
	}
	for _, e := range s.Sessions {
		out.Sessions = append(out.Sessions, e.json())
	}
	return out
}

func (e SessionStatus) json() sessionJSON {
	word, _ := e.state()
	if word == ready {
		word = "clear"
	}
	j := sessionJSON{
		SessionID: e.ID, Agent: e.Client.Name, contextJSON: e.Main.json(e.Started, e.Last),
		Turn:      turnJSON{PatternsRead: e.PatternsRead, Warned: e.Reminded},
		Subagents: []subagentJSON{}, Capsule: e.Capsule, Binds: []bindJSON{}, Suspended: e.Suspended,
		TurnIs: "prompt", State: word, Root: e.Root, EndedAt: moment(e.Ended), Problem: e.Problem,
	}
	if !e.SaidHidden {
		j.Said = append([]string{}, e.Said...)
	}
	if e.OneTurn {
		j.TurnIs = "session"
	}
	if e.WriteGuard != "" {
		j.WriteGuard = &guardJSON{e.WriteGuard, e.WhyGuard}
	}
	for i := range e.Binds {
		h := &e.Binds[i]
		j.Binds = append(j.Binds, bindJSON{By: string(h.Kind), ID: h.ID, Text: h.Text, Path: h.Path, Paths: h.Globs, Next: bindingRemedy(h, e.Client)})
	}
	for _, c := range e.Subs {
		j.Subagents = append(j.Subagents, subagentJSON{ID: c.ID, Type: c.Type, contextJSON: c.json(c.Started, c.Used)})
	}
	return j
}

func (c ContextStatus) json(started, last time.Time) contextJSON {
	return contextJSON{
		StartedAt: moment(started), LastEventAt: moment(last), Compactions: c.Compactions,
		Recovery: recoveryOf(c.Progress), Anchors: append([]string{}, c.Anchors...),
	}
}

func recoveryOf(p *gate.Progress) *recoveryJSON {
	if p == nil {
		return nil
	}
	r := &recoveryJSON{
		ActivatedAt: moment(p.ActivatedAt), Refusals: p.Refusals, StoodDown: p.StoodDown != "", Why: standDown(p.StoodDown),
		Cause: string(p.Cause), Also: append([]string{}, p.Also...), Required: []requiredJSON{},
		Next: &nextJSON{Path: p.Abs, First: p.Next.First, Last: p.Next.Last},
	}
	for _, q := range p.Required {
		if !q.Missing {
			r.Required = append(r.Required, requiredJSON{
				Path: q.Path, Read: q.Done, LinesRead: q.Read, LinesTotal: q.Need, Stale: q.Changed,
				Dropped: dropReason(q.Dropped), Part: q.Part,
			})
		}
	}
	return r
}

// moment is a time for machines, null when it is not known.
func moment(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return new(t.UTC().Format(time.RFC3339))
}
