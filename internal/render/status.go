package render

import (
	"fmt"
	"slices"
	"time"

	"github.com/mbgate/mbgate/internal/capsule"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/project"
)

// This file has the values of `mbgate status`. statustext.go shows them on a screen, statusjson.go to machines, statusline.go
// a session in one line.

// Status is what `mbgate status` shows, on a screen and as JSON.
type Status struct {
	// Root is the project's folder; with All the sessions of every project are listed.
	Root string
	All  bool
	// Inert is set where mbgate has nothing to do (P2), Disabled where it is turned off.
	Inert, Disabled bool
	Now             time.Time
	// Settings are the modes of the guards and where they come from.
	Settings []Setting
	// Problems are the faults of the configuration.
	Problems []string
	// Loose says what the project's file makes looser than the person's own configuration.
	Loose []string
	// Documents are those that a compaction could require, nil where mbgate has nothing to do and where projects are many.
	Documents *project.Documents
	Sessions  []SessionStatus
	// More is how many older sessions are not shown, MorePending in how many of them a recovery is pending.
	More, MorePending int
}

// Setting is one mode of a guard: a key of the configuration. InForce says what really holds, where that is not the value
// for every agent, and why; "" if it is.
type Setting struct {
	Key     string `json:"key"`
	Value   string `json:"value"`
	Origin  string `json:"origin"`
	InForce string `json:"in_force,omitempty"`
}

// SessionStatus is one session, Main its main context and Subs those of its subagents.
type SessionStatus struct {
	ID, Root               string
	Client                 event.Client
	Started, Last, Ended   time.Time
	Main                   ContextStatus
	Subs                   []ContextStatus
	PatternsRead, Reminded bool
	// WriteGuard is the mode of the write guard that is in force for the session's agent, "" where it is not known;
	// WhyGuard is why it is not the configured one (SPEC §11).
	WriteGuard, WhyGuard string
	// OneTurn is set when the agent reports no prompts, so that the session is one turn (SPEC §10).
	OneTurn bool
	// Damaged is set when the state could not be read and the previous generation stands for it (S3); Problem is why
	// the session cannot be used as it is, "" if it can.
	Damaged bool
	Problem string
	// Binds are what binds the main context's calls beside a recovery, in order; Suspended is set where a
	// person lifted it until the next compaction (C5).
	Binds     []gate.Binding
	Suspended bool
	// Said are the sentences of the person that are kept, in the order of their numbers; SaidHidden is set where they are not shown.
	Said       []string
	SaidHidden bool
	// Capsule is what would survive a compaction now, nil for nothing.
	Capsule *capsule.Capsule
}

// ContextStatus is one context window.
type ContextStatus struct {
	ID, Type    string
	Started     time.Time
	Used        time.Time
	Compactions int
	Anchors     []string
	// Progress is nil when no recovery is pending.
	Progress *gate.Progress
}

// Pending reports whether a recovery is pending in any of the sessions, shown or not.
func (s Status) Pending() bool {
	return slices.ContainsFunc(s.Sessions, SessionStatus.pending) || s.MorePending > 0
}

func (e SessionStatus) pending() bool {
	// The next event of a damaged session finds a recovery (S3).
	return e.Damaged || e.Main.Progress != nil ||
		slices.ContainsFunc(e.Subs, func(c ContextStatus) bool { return c.Progress != nil })
}

// state is a session in one word or two: ready, recovery 2/3, bound, stood down, ended, damaged, unusable (written by a newer
// mbgate, not readable, or its project is gone).
func (e SessionStatus) state() (string, ink) {
	p := e.Main.Progress
	switch {
	case e.Damaged:
		return "damaged", inkBad
	case e.Problem != "":
		return "unusable", inkBad
	case p != nil && p.StoodDown != "":
		return "stood down", inkWarn
	case p != nil:
		read, of := count(p)
		return fmt.Sprintf("recovery %d/%d", read, of), inkWarn
	case e.binding() != nil:
		return "bound", inkWarn
	case !e.Ended.IsZero():
		return "ended", inkFaint
	}
	return ready, inkGood
}

// ready is the state of a session in which nothing is refused; the JSON calls it clear.
const ready = "ready"

// uncovered lists the agents of the shown sessions that leave ways past the hooks.
func (s Status) uncovered() []event.Client {
	var list []event.Client
	for _, e := range s.Sessions {
		known := slices.ContainsFunc(list, func(c event.Client) bool { return c.Name == e.Client.Name })
		if len(e.Client.Uncovered) > 0 && !known {
			list = append(list, e.Client)
		}
	}
	return list
}

// binding is the first binding that an agent or a person can resolve, nil if there is none. A deny is not
// resolved but kept.
func (e SessionStatus) binding() *gate.Binding {
	i := slices.IndexFunc(e.Binds, func(h gate.Binding) bool { return h.Kind != gate.BindDeny })
	if i < 0 {
		return nil
	}
	return &e.Binds[i]
}

// count is how many of the required anchors are read, of those that are still demanded.
func count(p *gate.Progress) (read, of int) {
	for _, r := range p.Required {
		if r.Dropped != "" || r.Missing {
			continue
		}
		of++
		if r.Done {
			read++
		}
	}
	return read, of
}

// wordInk is the ink for a word of status: green is for marks (see Screen).
func wordInk(i ink) ink {
	if i == inkGood {
		return inkPlain
	}
	return i
}
