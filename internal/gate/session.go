package gate

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/mbgate/mbgate/internal/anchor"
	"github.com/mbgate/mbgate/internal/bank"
	"github.com/mbgate/mbgate/internal/capsule"
)

// Schema is the number of the state's layout. A file with a larger one was written by a newer mbgate (S1).
const Schema = 3

// Caps of what one session remembers (S5). What was used longest ago is dropped first.
const (
	maxReads   = 64
	maxChanged = 64
	// maxSubs is how many contexts of subagents stay; a silent one goes after subSilence. maxSubReads is how many reads all of
	// them keep together that no recovery requires.
	maxSubs     = 32
	subSilence  = time.Hour
	maxSubReads = 16
	maxSeen     = 16
	maxRequired = 16
)

// Session is everything that is remembered of one session of one agent (S5). It is a plain value that encodes to JSON.
type Session struct {
	Schema int    `json:"schema"`
	ID     string `json:"id"`
	Agent  string `json:"agent,omitempty"`
	// Root is the absolute folder the session is pinned to (P1), "" while it is not.
	Root      string    `json:"root,omitempty"`
	StartedAt time.Time `json:"started_at"`
	// LastAt is the last event that changed anything.
	LastAt time.Time `json:"last_at"`
	// EndedAt is set when the client said that the session ended; the next event takes it back (S4).
	EndedAt time.Time `json:"ended_at,omitzero"`
	// Damaged is set by the store when the file could not be read and this is the previous generation, or nothing at
	// all: the next event turns it into a recovery (S3).
	Damaged bool `json:"damaged,omitempty"`

	// Contexts are the session's context windows by subagent id; "" is the main one (S0).
	Contexts map[string]*Context `json:"contexts,omitempty"`
	Turn     Turn                `json:"turn,omitzero"`
	// Announced counts allowed calls that were announced, up to announcedEnough; Reported is set once one was reported
	// back. Together they tell a client that hides reads from one whose reads are seen (R5).
	Announced int  `json:"announced,omitempty"`
	Reported  bool `json:"reported,omitempty"`
	// Changed are the files, by place.Key, that judged calls of this session changed, with the time of the last one.
	Changed map[string]time.Time `json:"changed,omitempty"`
	// Hooks are the agent's configuration files that held mbgate's hooks when the session started: a change that takes
	// them away is refused while a recovery is pending (R6).
	Hooks []string `json:"hooks,omitempty"`
	// Creating is set from when this session makes the memory bank to the next prompt of a person: it may complete the bank
	// (SPEC §11).
	Creating  bool      `json:"creating,omitempty"`
	Proposals Proposals `json:"proposals,omitzero"`
	// Routed are the documents that prompts were answered with, each once (SPEC §12).
	Routed []string `json:"routed,omitempty"`
	// Reminded is set once the read gate reminded of the patterns, until the main context is compacted (SPEC §10).
	Reminded bool `json:"reminded,omitempty"`
	// Consent is that to write the memory bank (SPEC §12).
	Consent Consent `json:"consent,omitzero"`
	// Running counts the subagents that were started and not reported back, with a client that does not name them: events
	// that arrive meanwhile may be theirs (SPEC §12).
	Running int `json:"running,omitempty"`
	// Bracket is set while unnamed subagents run.
	Bracket *Bracket `json:"bracket,omitempty"`
	// Notes are what somebody wants to survive a compaction, Writes the write transactions, both the oldest first. Seq
	// counts them, for their ids (C6).
	Notes  []Note  `json:"notes,omitempty"`
	Writes []Write `json:"writes,omitempty"`
	Seq    int     `json:"seq,omitempty"`
	// Capsule is that of the main context's last compaction. BindingRefusals counts what it refused since; Suspended is set
	// from a person's clear until the next compaction (C5).
	Capsule         *capsule.Capsule `json:"capsule,omitempty"`
	BindingRefusals int              `json:"held,omitempty"`
	Suspended       bool             `json:"suspended,omitempty"`
	// Kept are sentences of the person in the order of their numbers (C7), Pasted is when a prompt was last kept as the plan.
	Kept   []Kept    `json:"kept,omitempty"`
	Pasted time.Time `json:"pasted,omitzero"`
	// Plan is the plan that the person approved last, Skills those invoked since the last compaction, the newest first (A7).
	Plan   Plan    `json:"plan,omitzero"`
	Skills []Skill `json:"skills,omitempty"`
	// Seen are the newest counted events, so that a copy of one is not counted again (SPEC §15).
	Seen []string `json:"seen,omitempty"`
}

// Turn is what happens between two prompts of a person (SPEC §1).
type Turn struct {
	ID    string    `json:"id,omitempty"`
	Since time.Time `json:"since"`
}

// Context is one context window: the main agent's or a subagent's (S0).
type Context struct {
	// Type is the subagent's type, as the client says.
	Type string `json:"type,omitempty"`
	// Cwd is the folder the agent was in before its latest call (P3).
	Cwd       string    `json:"cwd,omitempty"`
	StartedAt time.Time `json:"started_at"`
	// UsedAt is the last event that changed this context.
	UsedAt time.Time `json:"used_at"`
	// Anchors are the tracked anchors, newest first (A2).
	Anchors []anchor.Entry `json:"anchors,omitempty"`
	// Reads are the credits since the last compaction, by place.Key (A4).
	Reads map[string]anchor.Credit `json:"reads,omitempty"`
	// Given is what it was given of the memory bank since then.
	Given       Given `json:"given,omitzero"`
	Compactions int   `json:"compactions,omitempty"`
	Pair        Pair  `json:"pair,omitzero"`
	// Summary is the one that the context was last seen to begin with (event.Event.Summary).
	Summary  string    `json:"summary,omitempty"`
	Recovery *Recovery `json:"recovery,omitempty"`
	// ReadOut is set from when reading ended a recovery to the next risky write that is allowed or prompt of a person: one more than
	// its halvings. A compaction in between was caused by those reads (R7).
	ReadOut int `json:"readout,omitempty"`
	// Turn is what this context did in the present turn (SPEC §10).
	Turn InTurn `json:"turn,omitzero"`
	// Sources are the files that were read or written, the newest first. BoundAt is the last compaction: since then the
	// capsule binds (C5).
	Sources []Source `json:"sources,omitempty"`
	// Counted is the finished call whose reads were counted last, so that a copy of it counts none (SPEC §15).
	Counted string    `json:"counted,omitempty"`
	BoundAt time.Time `json:"bound_at,omitzero"`
	// Reader is a call of the reader subagent whose outcome is not known yet (R4).
	Reader *ReaderCall `json:"reader,omitempty"`
	// Deferred is the reminder of a pending recovery that the model has not heard yet.
	Deferred *Deferred `json:"owed,omitempty"`
}

// Given is what a context was given of the memory bank since its last compaction (SPEC §14): the rules, and MEMORY.md in a version.
type Given struct {
	Rules bool         `json:"rules,omitempty"`
	Entry anchor.Stamp `json:"entry,omitzero"`
}

// Deferred is a reminder that was due before a call, with a client whose model hears nothing there: the next finished call
// gives it.
type Deferred struct {
	// Dropped are the anchors that are no longer demanded.
	Dropped []Dropped `json:"dropped,omitempty"`
}

// Dropped is an anchor that a recovery let go, and why (R5).
type Dropped struct {
	Path string     `json:"path"`
	Why  DropReason `json:"why"`
}

// Pair remembers which event opened the last compaction, so that its second after-event does not open another (R1).
type Pair struct {
	// Opener is the client's name of that event, Closed that a further one has to open a new compaction.
	Opener string `json:"opener,omitempty"`
	Closed bool   `json:"closed,omitempty"`
}

// Cause is why a recovery is pending.
type Cause string

// The causes of a recovery.
const (
	ByCompaction Cause = "compaction"
	ByFork       Cause = "fork"
	ByDamage     Cause = "damage"
	// ByClearing: the client took tracked documents out of the context without a compaction (A8).
	ByClearing Cause = "clearing"
	// Inherited is the recovery of a subagent's context that its parent's imposes on it (R8).
	Inherited Cause = "inherited"
)

// Recovery is the state from a compaction until the required anchors are read again (R1).
type Recovery struct {
	Cause       Cause     `json:"cause"`
	ActivatedAt time.Time `json:"activated_at"`
	// From is, for an inherited recovery, when the parent's was activated.
	From     time.Time  `json:"from,omitzero"`
	Required []Required `json:"required"`
	Also     []string   `json:"also,omitempty"`
	Refusals int        `json:"refusals,omitempty"`
	// StoodDown is why refusals became reminders (R5).
	StoodDown StandDown `json:"stood_down,omitempty"`
	// Rearmed counts the compactions within this recovery, Credited whether a line was credited since the last (R7).
	Rearmed  int  `json:"rearmed,omitempty"`
	Halvings int  `json:"halvings,omitempty"`
	Credited bool `json:"credited,omitempty"`
	// Told is set once the model was given the anchor block.
	Told bool `json:"told,omitempty"`
}

// Required is one anchor that a recovery demands.
type Required struct {
	// Path is the canonical path by which it is known.
	Path string `json:"path"`
	// Bytes is set where only its first and last lines of so many bytes in all are required (R7); 0 is as much as the budget allows.
	Bytes int `json:"bytes,omitempty"`
	// Dropped is why it is not demanded any more, "" while it is (R5).
	Dropped DropReason `json:"dropped,omitempty"`
	// Printed is the read call that the last refusal printed for it.
	Printed *Call `json:"printed,omitempty"`
	// ReadMade is set when that very call was made since; Tries counts the refusals before which it was made in vain.
	ReadMade bool `json:"made,omitempty"`
	// Looked is set when this context read any file since.
	Looked bool `json:"looked,omitempty"`
	Tries  int  `json:"tries,omitempty"`
}

// Call is a read of a range of lines, as a refusal prints it. Last 0 means that no range is given.
type Call struct {
	First int `json:"first"`
	Last  int `json:"last"`
	// Shell is set where the read is printed as a command of the shell.
	Shell bool `json:"shell,omitempty"`
}

// ReaderCall is a call of the reader subagent that ended a recovery. It is kept until the call is reported, because a
// failed one takes the recovery up again (R4).
type ReaderCall struct {
	Call     string    `json:"call"`
	Recovery *Recovery `json:"recovery"`
}

// Main is the session's main context, nil when it has none yet.
func (s Session) Main() *Context { return s.Contexts[""] }

// context gives the context of a subagent id, made when it is new.
func (s *Session) context(id, typ string, now time.Time) *Context {
	if c := s.Contexts[id]; c != nil {
		if typ != "" {
			c.Type = typ
		}
		return c
	}
	if s.Contexts == nil {
		s.Contexts = map[string]*Context{}
	}
	if id != "" {
		s.dropSubs(maxSubs-1, now)
	}
	c := &Context{Type: typ, StartedAt: now, UsedAt: now}
	s.Contexts[id] = c
	return c
}

// dropSubs lets the contexts of subagents go that were silent for long, and the longest silent until at most so many are left;
// those with a recovery of their own that is not over go last (S5). The main context stays.
func (s *Session) dropSubs(most int, now time.Time) {
	inRecovery := func(c *Context) bool { return c.Recovery != nil && c.Recovery.Cause != Inherited }
	maps.DeleteFunc(s.Contexts, func(id string, c *Context) bool {
		return id != "" && !inRecovery(c) && now.Sub(c.UsedAt) > subSilence
	})
	for {
		var subs []string
		for id := range s.Contexts {
			if id != "" {
				subs = append(subs, id)
			}
		}
		if len(subs) <= most {
			return
		}
		delete(s.Contexts, slices.MinFunc(subs, func(a, b string) int {
			x, y := s.Contexts[a], s.Contexts[b]
			if inRecovery(x) != inRecovery(y) {
				if inRecovery(y) {
					return -1
				}
				return 1
			}
			return cmp.Or(x.UsedAt.Compare(y.UsedAt), cmp.Compare(a, b))
		}))
	}
}

// trim shortens what the context at hand remembers to what a recovery can ask of it (S5). Lines are told apart only for the main
// context, in files that its own recovery or the read gate asks for.
func (st *step) trim() {
	if st.ctx == st.s.Main() && len(st.ctx.Reads) == 0 {
		return
	}
	required := map[string]bool{st.Disk.Anchor(bank.Patterns).Key: true, st.Disk.Anchor(bank.Entry).Key: true}
	main := st.s.Main()
	if main != nil && main.Recovery != nil {
		for _, r := range main.Recovery.Required {
			required[st.Disk.Anchor(r.Path).Key] = true
		}
	}
	for key, c := range st.ctx.Reads {
		if st.ctx != main || !required[key] {
			st.ctx.Reads[key] = c.Brief()
		}
	}
	if st.ctx != main {
		st.ctx.Sources = nil // those of the main context bind
		if rec := st.ctx.Recovery; rec != nil && rec.Cause == Inherited {
			// What says no more than the parent's recovery is taken from that (effective).
			rec.Required = slices.DeleteFunc(rec.Required, func(r Required) bool { return r == Required{Path: r.Path, Bytes: r.Bytes} })
		}
		st.s.trimSubReads(required)
	}
}

// trimSubReads lets the oldest reads of subagents go that are not required, until at most maxSubReads are left.
func (s *Session) trimSubReads(required map[string]bool) {
	type read struct{ sub, key string }
	var all []read
	for id, c := range s.Contexts {
		for key := range c.Reads {
			if id != "" && !required[key] && (c.Recovery == nil || c.Recovery.Cause == Inherited) {
				all = append(all, read{id, key})
			}
		}
	}
	if len(all) <= maxSubReads {
		return
	}
	slices.SortFunc(all, func(a, b read) int {
		x, y := s.Contexts[a.sub].Reads[a.key].At, s.Contexts[b.sub].Reads[b.key].At
		return cmp.Or(x.Compare(y), cmp.Compare(a.sub, b.sub), cmp.Compare(a.key, b.key))
	})
	for _, r := range all[:len(all)-maxSubReads] {
		delete(s.Contexts[r.sub].Reads, r.key)
	}
}

// credit stores what c was shown of the file key.
func (c *Context) credit(key string, cr anchor.Credit) {
	if c.Reads == nil {
		c.Reads = map[string]anchor.Credit{}
	}
	c.Reads[key] = cr
	evictOldest(c.Reads, maxReads, key, func(r anchor.Credit) time.Time { return r.At })
}

// change remembers that a judged call changes a file.
func (s *Session) change(key string, now time.Time) {
	if s.Changed == nil {
		s.Changed = map[string]time.Time{}
	}
	s.Changed[key] = now
	evictOldest(s.Changed, maxChanged, key, func(t time.Time) time.Time { return t })
}

// evictOldest removes what was used longest ago until at most so many entries are left. The entry kept stays.
func evictOldest[V any](entries map[string]V, most int, kept string, used func(V) time.Time) {
	for len(entries) > most {
		oldest, found := "", false
		for k, v := range entries {
			if k != kept && (!found || used(v).Before(used(entries[oldest]))) {
				oldest, found = k, true
			}
		}
		if !found {
			return
		}
		delete(entries, oldest)
	}
}

// first reports whether an event was not counted yet, and remembers it.
func (s *Session) first(id string) bool {
	if id == "" {
		return true
	}
	if slices.Contains(s.Seen, id) {
		return false
	}
	s.Seen = append(s.Seen, id)
	if n := len(s.Seen) - maxSeen; n > 0 {
		s.Seen = s.Seen[n:]
	}
	return true
}
