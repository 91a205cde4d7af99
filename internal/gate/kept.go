package gate

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mbgate/mbgate/internal/prompt"
)

// maxKept is how many sentences of a person are kept (C7), maxKeptBytes how many bytes of them: twelve of 240 Latin characters, or
// of 110 Chinese ones.
const (
	maxKept      = 12
	maxKeptBytes = 4 << 10
)

// Ranks of kept sentences: when there are too many, the oldest of the lowest rank goes.
const (
	saidLater = iota
	saidFirst // in the session's first prompt
	saidKeep  // with mb:keep
)

// Kept is a sentence of the person that sets a bound, as it was written (C7).
type Kept struct {
	Text string `json:"text"`
	Rank int    `json:"rank,omitempty"`
}

// keep keeps a sentence: those of the first prompt and of mb:keep in their order, behind them the others, the newest first. One
// that is said again counts as said now.
func (s *Session) keep(text string, rank int) {
	s.Kept = slices.DeleteFunc(slices.Clone(s.Kept), func(k Kept) bool {
		same := strings.EqualFold(k.Text, text)
		if same {
			rank = max(rank, k.Rank)
		}
		return same
	})
	at := slices.IndexFunc(s.Kept, func(k Kept) bool { return k.Rank == saidLater })
	if at < 0 {
		at = len(s.Kept)
	}
	s.Kept = slices.Insert(s.Kept, at, Kept{text, rank})
	size := 0
	for _, k := range s.Kept {
		size += len(k.Text)
	}
	for len(s.Kept) > maxKept || size > maxKeptBytes {
		n := len(s.Kept) - 1
		if s.Kept[n].Rank != saidLater {
			n = max(0, slices.IndexFunc(s.Kept, func(k Kept) bool { return k.Rank == saidFirst }))
		}
		size -= len(s.Kept[n].Text)
		s.Kept = slices.Delete(s.Kept, n, n+1)
	}
}

// Said are the kept sentences in the order of their numbers, which begin with 1.
func (s Session) Said() []string {
	var out []string
	for _, k := range s.Kept {
		out = append(out, k.Text)
	}
	return out
}

// keepWords keeps what a prompt sets bounds with, and a prompt that is a plan (A7). first is set for the session's first prompt.
func (st *step) keepWords(text string, first bool) {
	switch {
	case !st.Policy.KeepWords:
		st.d.DropPlan = !st.s.Pasted.IsZero()
		st.s.Kept, st.s.Pasted = nil, time.Time{}
		return
	case st.mayBeSubagents():
		return
	}
	rank := saidLater
	if first {
		rank = saidFirst
	}
	plan, words := prompt.PlanOf(text)
	for _, b := range prompt.Bounds(words) {
		st.s.keep(b, rank)
	}
	if plan != "" {
		st.d.Plan, st.s.Pasted = plan, st.Now
	}
}

// mayBeSubagents reports whether a prompt may be a subagent's: one is running, and the client does not mark theirs (SPEC §12).
func (st *step) mayBeSubagents() bool { return st.s.Running > 0 && !st.client().TellsSubagents() }

// keepWord answers mb:keep, dropWord mb:drop.
func (st *step) keepWord(text string) Answer {
	text = prompt.Bound(text)
	switch {
	case !st.Policy.KeepWords:
		return KeepsNothing
	case st.mayBeSubagents():
		return NotNow
	case text == "":
		return HoldsSecret
	}
	st.s.keep(text, saidKeep)
	st.d.Word = text
	return KeptWord
}

func (st *step) dropWord(number string) Answer {
	n, err := strconv.Atoi(number)
	switch {
	case st.mayBeSubagents():
		return NotNow
	case err != nil || n < 1 || n > len(st.s.Kept):
		return NoSuchWord
	}
	st.d.Word = st.s.Kept[n-1].Text
	st.s.Kept = slices.Delete(slices.Clone(st.s.Kept), n-1, n)
	return DroppedWord
}

// Carried is what the person said and approved, and what the agent was doing by a skill, as it is named after a compaction.
type Carried struct {
	// Said are the kept sentences in the order of their numbers.
	Said []string
	// Pasted is set where a prompt was itself the plan; PastedPath is the file that it is kept in, filled in by whoever keeps it.
	Pasted     bool
	PastedPath string
	// Approved is the plan that the person approved, the zero Plan for none.
	Approved Plan
	// Skills are the names of the skills in use.
	Skills []string
}

// Empty reports whether there is nothing to name.
func (c *Carried) Empty() bool {
	return c == nil || len(c.Said) == 0 && !c.Pasted && c.Approved.At.IsZero() && len(c.Skills) == 0
}

// carried is what is named now.
func (st *step) carried() *Carried {
	c := &Carried{Said: st.s.Said(), Pasted: !st.s.Pasted.IsZero()}
	if st.s.hasPlan(st.Now) {
		c.Approved = st.s.Plan
	}
	for _, sk := range st.s.Skills {
		c.Skills = append(c.Skills, sk.Name)
	}
	if c.Empty() {
		return nil
	}
	return c
}

// Caps of the guides (A7).
const (
	maxSkills    = 4
	maxGuideText = 512
	// planLasts is how long an approved plan is named, like an anchor that is not read any more (A2).
	planLasts = 24 * time.Hour
)

// Plan is a plan that the person approved. The zero Plan is none.
type Plan struct {
	At time.Time `json:"at,omitzero"`
	// Path is where the client keeps it, "" where it does not say.
	Path string `json:"path,omitempty"`
}

// Skill is a skill that was invoked, with the last time.
type Skill struct {
	Name string    `json:"name"`
	At   time.Time `json:"at"`
}

func (s *Session) hasPlan(now time.Time) bool {
	return !s.Plan.At.IsZero() && now.Sub(s.Plan.At) < planLasts
}

// guide remembers a plan that was approved and a skill that was invoked, by the client's own report of the call.
func (st *step) guide() {
	g := st.ev.Tool.Guide
	if r := st.ev.Result; !st.ev.Main() || r != nil && r.Failed || len(g.Path) > maxGuideText || len(g.Skill) > maxGuideText || !utf8.ValidString(g.Path+g.Skill) {
		return
	}
	if g.Approved {
		st.s.Plan = Plan{At: st.Now, Path: g.Path}
	}
	if g.Skill != "" {
		list := slices.DeleteFunc(slices.Clone(st.s.Skills), func(s Skill) bool { return s.Name == g.Skill })
		list = slices.Insert(list, 0, Skill{Name: g.Skill, At: st.Now})
		st.s.Skills = list[:min(len(list), maxSkills)]
	}
}

// fadeGuides lets go, at a compaction, of the skills that were not invoked since the one before.
func (st *step) fadeGuides() {
	last := st.ctx.BoundAt
	st.s.Skills = slices.DeleteFunc(slices.Clone(st.s.Skills), func(s Skill) bool { return s.At.Before(last) })
}

// maxSummaryPaths is how many documents the summariser is told to keep.
const maxSummaryPaths = 5

// Summary is what whoever writes the summary is told to keep (R1).
type Summary struct {
	// Paths are the tracked documents, Said the kept sentences, Next the next step.
	Paths, Said []string
	Next        string
}

// summary is what the summary should keep, nil for nothing.
func (st *step) summary() *Summary {
	s := &Summary{Paths: st.trackedPaths(), Said: st.s.Said()}
	s.Paths = s.Paths[:min(len(s.Paths), maxSummaryPaths)]
	if r := st.gather().Resume; r != nil {
		s.Next = r.NextAction
	}
	if len(s.Paths)+len(s.Said) == 0 && s.Next == "" {
		return nil
	}
	return s
}
