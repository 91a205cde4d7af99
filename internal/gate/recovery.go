package gate

import (
	"maps"
	"slices"

	"github.com/mbgate/mbgate/internal/anchor"
	"github.com/mbgate/mbgate/internal/event"
)

// compacted opens a new compaction, or recognises the second event of one (R1).
func (st *step) compacted() {
	p := &st.ctx.Pair
	if p.Opener != "" && p.Opener != st.ev.Name && !p.Closed {
		p.Closed = true
	} else {
		p.Opener, p.Closed = st.ev.Name, false
		st.ctx.Compactions++
		st.arm(ByCompaction)
		st.buildCapsule()
	}
	st.armedAnew = true
	if st.client().HearsBeforeSummary && !st.client().InjectsAtCompaction {
		st.d.Summary = st.summary() // the summariser alone hears what is said now
	}
	if st.ev.Injects {
		if st.client().InjectsAtCompaction {
			st.giveBank()
		}
		if w := st.pending(); w != nil {
			st.d.Block = st.block(w)
			w.rec.Told = true
		}
		st.d.Capsule = st.capsuleForModel()
	}
}

// summarised finds a compaction by the summary that the next request begins with (R1). That request also settles a
// compaction that an event announced, whether or not it happened.
func (st *step) summarised() {
	p := &st.ctx.Pair
	fresh := st.ev.Summary != "" && st.ev.Summary != st.ctx.Summary
	if fresh {
		st.ctx.Summary = st.ev.Summary
	}
	switch {
	case p.Opener != "" && p.Opener != st.ev.Name && !p.Closed:
		p.Closed = true
	case fresh:
		p.Opener, p.Closed = st.ev.Name, true
		st.ctx.Compactions++
		st.arm(ByCompaction)
		st.buildCapsule()
	}
}

// showBlock gives the anchor block with the first event after a compaction whose output reaches the model, where the output
// of the compaction itself did not.
func (st *step) showBlock(reaches bool) {
	rec := st.ctx.Recovery
	if !reaches || rec == nil || rec.Told || rec.Cause == Inherited {
		return
	}
	rec.Told = true
	if p := st.pending(); p != nil {
		st.d.Block, st.d.Capsule = st.block(p), st.capsuleForModel()
	}
}

// forked arms a session that starts on inherited or compacted context, without counting a compaction (R1).
func (st *step) forked() {
	if st.ctx.Recovery == nil {
		st.arm(ByFork)
		st.buildCapsule()
	}
	st.armedAnew = true
	st.giveBank()
	if w := st.pending(); w != nil {
		st.d.Block = st.block(w)
		w.rec.Told = w.rec.Told || st.ev.Injects
	}
	st.d.Capsule = st.capsuleForModel()
}

// damaged turns what is left of a damaged state into a recovery of every context (S3): whose compaction was lost is not known.
func (st *step) damaged() {
	st.s.Damaged = false
	st.s.context("", "", st.Now)
	ctx, sub, log := st.ctx, st.ev.Sub, st.d.Log
	for _, id := range slices.Sorted(maps.Keys(st.s.Contexts)) {
		st.ctx, st.ev.Sub = st.s.Contexts[id], event.Sub{ID: id}
		st.arm(ByDamage)
		if id == "" {
			log = st.d.Log
		}
	}
	st.ctx, st.ev.Sub, st.d.Log = ctx, sub, log
	st.log(LogEntry{What: StateDamaged})
}

// arm sets or renews the recovery of the context (A3, R7). Everything read so far has left the context.
func (st *step) arm(cause Cause) {
	ctx := st.ctx
	if ctx == st.s.Main() {
		st.s.Reminded = false
		for _, c := range st.s.Contexts {
			if c.Type == Reader {
				c.Reads = nil // it must not count for this recovery; times would not tell, since clocks are set back
			}
		}
	}
	var left []string
	if p := st.pending(); p != nil && p.rec == ctx.Recovery {
		for _, u := range p.unread {
			left = append(left, u.Path)
		}
	}
	old := ctx.Recovery
	ctx.Reads, ctx.Reader, ctx.Given = nil, nil, Given{}
	if st.Policy.Recovery == event.ModeOff {
		ctx.Recovery = nil
		return
	}
	choice := st.choose()
	required := choice.Required
	for _, path := range left {
		if !slices.Contains(required, path) {
			required = append(required, path)
		}
	}
	if len(required) == 0 {
		ctx.Recovery = nil
		return
	}
	rec := &Recovery{Cause: cause, ActivatedAt: st.Now}
	if old != nil && old.Cause != Inherited {
		rec.Rearmed, rec.Halvings = old.Rearmed+1, old.Halvings
		if old.StoodDown == "" {
			// The count goes on, so that no two refusals of a session read the same (R9); after a stand-down the ceiling
			// has to be reached anew.
			rec.Refusals = old.Refusals
		}
	} else if ctx.ReadOut > 0 {
		rec.Halvings = ctx.ReadOut - 1
	}
	if read := ctx.ReadOut > 0 || old != nil && old.Credited; read && (rec.Rearmed > 1 || st.bytes(required...) > smallDemand) {
		rec.Halvings++
	}
	ctx.ReadOut = 0
	rec.Also = choice.Also
	st.demand(rec, required)
	ctx.Recovery = rec
	st.log(LogEntry{What: Armed, Path: rec.Required[0].Path, Cause: cause})
}

// Bounds of what a recovery asks for when it is armed again, in bytes (R7). leastAsked is the first and last 2 kB of the newest
// document. A demand of smallDemand fills no window of 16,000 tokens, so the first compaction within a recovery halves only larger ones.
const (
	leastAsked  = 4 << 10
	smallDemand = 16 << 10
)

// demand requires documents, the newest first, until the bytes of all of them, halved as often as rec says, are full. Of the one that
// does not fit the beginning and the end are required; the others are named only.
func (st *step) demand(rec *Recovery, paths []string) {
	left := st.bytes(paths...) >> min(rec.Halvings, 30)
	for i, path := range paths {
		size, room := st.bytes(path), left
		if i == 0 {
			room = max(left, leastAsked)
		}
		switch {
		case len(rec.Required) < maxRequired && size <= room && (size < st.budget() || size == st.Policy.Budget):
			rec.Required = append(rec.Required, Required{Path: path})
		case len(rec.Required) < maxRequired && room >= leastAsked:
			rec.Required = append(rec.Required, Required{Path: path, Bytes: min(room, st.budget())})
		case !slices.Contains(rec.Also, path):
			rec.Also = append(rec.Also, path)
		}
		left = max(left-size, 0)
	}
}

// budget is how many bytes a recovery asks for at most: no more than an eighth of the window where the client tells it, at four bytes
// a token (A3).
func (st *step) budget() int {
	if st.ev.Window > 0 {
		return min(st.Policy.Budget, max(st.ev.Window*4/8, leastAsked))
	}
	return st.Policy.Budget
}

// bytes is how much of some documents a recovery can ask for.
func (st *step) bytes(paths ...string) int {
	n := 0
	for _, path := range paths {
		at := st.Disk.Anchor(path)
		if stamp, ok := st.Disk.Stamp(at); ok {
			if _, err := st.Disk.Doc(at); err == nil {
				n += int(min(stamp.Size, int64(st.budget())))
			}
		}
	}
	return n
}

// trackedPaths are the tracked anchors of the context, newest first; a subagent without any has its parent's (A2).
func (st *step) trackedPaths() []string {
	list := st.ctx.Anchors
	if len(list) == 0 && !st.ev.Main() {
		if main := st.s.Main(); main != nil {
			list = main.Anchors
		}
	}
	var paths []string
	for _, e := range anchor.Kept(list, st.Now) {
		paths = append(paths, e.Path)
	}
	return paths
}

// choose picks what a compaction requires: the tracked anchors that still exist and are not empty, else, or where none of
// them can be read, the fallback (A3).
func (st *step) choose() anchor.Choice {
	readable := 0
	size := func(path string) (int64, bool) {
		at := st.Disk.Anchor(path)
		stamp, ok := st.Disk.Stamp(at)
		if !ok || stamp.Size == 0 {
			return 0, false
		}
		// What cannot be read is dropped as soon as it is asked for (R5). It takes nothing of the budget, or a binary file of
		// 60 kB would stand for all the others and open the gate by itself.
		if _, err := st.Disk.Doc(at); err != nil {
			return 0, true
		}
		readable++
		return stamp.Size, true
	}
	c := anchor.Choose(st.trackedPaths(), st.budget(), size)
	if readable == 0 {
		broken := c.Required
		c = anchor.Choose(st.Disk.Fallback(st.Policy.Fallback), st.budget(), size)
		for _, path := range broken {
			if !slices.Contains(c.Required, path) {
				c.Required = append(c.Required, path)
			}
		}
	}
	return c
}

// block is the anchor block for what is pending (R2).
func (st *step) block(p *pending) *AnchorBlock {
	return &AnchorBlock{
		Compactions: st.ctx.Compactions,
		Cause:       p.rec.Cause,
		Unread:      p.unread,
		Also:        p.rec.Also,
		Focus:       st.currentFocus(),
		Mode:        st.Policy.Recovery,
	}
}
