package gate

import (
	"slices"

	"github.com/mbgate/mbgate/internal/anchor"
	"github.com/mbgate/mbgate/internal/bank"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
)

// pending is what a context still has to read before it may write.
type pending struct {
	rec    *Recovery
	unread []Unread
	keys   []string // place.Key of each of unread
}

// has reports whether a place is one of the unread required anchors.
func (p *pending) has(at place.Place) bool {
	if p == nil {
		return false
	}
	return slices.Contains(p.keys, at.Key)
}

// pending brings the recovery of the context up to date with the disk and says what is unread, nil when nothing is. It ends
// a recovery that has nothing left to demand.
func (st *step) pending() *pending {
	if st.Policy.Recovery == event.ModeOff {
		return nil
	}
	rec := st.effective()
	if rec == nil {
		return nil
	}
	p := &pending{rec: rec}
	for i := 0; i < len(rec.Required); i++ { // a replacement is appended
		r := &rec.Required[i]
		if r.Dropped != "" {
			continue
		}
		u, key, demanded := st.inspect(rec, r)
		if !demanded {
			if st.vanished(u.Path, key) {
				st.replace(rec, i)
			}
			continue
		}
		p.unread = append(p.unread, u)
		p.keys = append(p.keys, key)
	}
	if len(p.unread) > 0 {
		return p
	}
	st.endRecovery(rec)
	return nil
}

// required is the position of a required anchor, -1 when it is none.
func (r *Recovery) required(path string) int {
	return slices.IndexFunc(r.Required, func(q Required) bool { return q.Path == path })
}

// effective is the recovery that binds the context: its own, or in a subagent the parent's too (R8). An inherited recovery
// is stored with the context only once it refuses something.
func (st *step) effective() *Recovery {
	main := st.s.Main()
	if st.ev.Main() || main == nil || main == st.ctx {
		return st.ctx.Recovery
	}
	own := st.ctx.Recovery
	if own != nil && own.Cause == Inherited && (main.Recovery == nil || !own.From.Equal(main.Recovery.ActivatedAt)) {
		st.ctx.Recovery, own = nil, nil
	}
	if main.Recovery == nil {
		return own
	}
	if own == nil {
		own = &Recovery{Cause: Inherited, ActivatedAt: st.Now, From: main.Recovery.ActivatedAt}
	}
	for _, r := range main.Recovery.Required {
		if own.required(r.Path) < 0 {
			own.Required = append(own.Required, Required{Path: r.Path, Dropped: r.Dropped})
		}
	}
	if own.StoodDown == "" {
		own.StoodDown = main.Recovery.StoodDown
	}
	return own
}

// inspect says how far one required anchor is read, and whether it is still demanded.
func (st *step) inspect(rec *Recovery, r *Required) (u Unread, key string, demanded bool) {
	at := st.Disk.Anchor(r.Path)
	u.Path, u.Abs, key = r.Path, at.Abs, at.Key
	if at.Kind == place.Missing {
		return u, key, false
	}
	cr, err := st.credited(at)
	if err != nil {
		if at, ours := st.s.Changed[key]; ours && !at.Before(rec.ActivatedAt) {
			// A judged call of this session changed it since the compaction, so it is not let go (R5).
			u.Broken = err.Error()
			return u, key, true
		}
		st.drop(r, DropReason(err.Error()))
		return u, key, false
	}
	if cr.Done() {
		return u, key, false
	}
	u.Read, u.Need, u.Total = cr.Got.Count(), cr.Need.Count(), cr.Total
	u.Part, u.Changed, u.Left = u.Need < u.Total, cr.Changed, cr.Left()
	return u, key, true
}

// tracked is the name of a document whose reads are followed, "" for other files, and whether it is an anchor.
func (st *step) tracked(at place.Place) (name string, isAnchor bool) {
	if name = anchor.Match(st.Policy.Anchors, at); name != "" {
		return name, true
	}
	for _, f := range append([]string{bank.Patterns, bank.Entry}, st.Policy.Fallback...) {
		if at.Is(f) {
			return f, false
		}
	}
	return "", false
}

// drop lets a required anchor go.
func (st *step) drop(r *Required, why DropReason) {
	r.Dropped = why
	st.log(LogEntry{What: AnchorDropped, Path: r.Path, Drop: why})
}

// vanished reports whether a required anchor that is not demanded was never read: it is gone, or was emptied.
func (st *step) vanished(path, key string) bool {
	at := st.Disk.Anchor(path)
	if cr, had := st.ctx.Reads[key]; had && cr.Total > 0 && cr.Done() {
		return false
	}
	return at.Kind == place.Missing || st.isBlank(at)
}

// isBlank reports whether a file has nothing to be read.
func (st *step) isBlank(at place.Place) bool {
	stamp, ok := st.Disk.Stamp(at)
	return ok && stamp.Size == 0
}

// replace requires the next tracked or fallback anchor in the place of one that vanished unread, one for one (R4). Without
// one the vanished anchor stays required, for the case that it comes back.
func (st *step) replace(rec *Recovery, i int) {
	for _, path := range append(st.trackedPaths(), st.Policy.Fallback...) {
		at := st.Disk.Anchor(path)
		if rec.required(path) >= 0 || at.Kind != place.File || st.isBlank(at) || len(rec.Required) >= 2*maxRequired {
			continue
		}
		if _, err := st.Disk.Doc(at); err != nil {
			continue
		}
		st.drop(&rec.Required[i], DropReplaced)
		rec.Required = append(rec.Required, Required{Path: path})
		if rec.Cause == Inherited {
			st.ctx.Recovery = rec // so that it is replaced and logged once
		}
		return
	}
}

// credited is what the context was shown of a file, as the file is now.
func (st *step) credited(at place.Place) (anchor.Credit, error) {
	cr, had := st.ctx.Reads[at.Key]
	stamp, ok := st.Disk.Stamp(at)
	if had && ok && cr.Stamp == stamp {
		return cr, nil
	}
	d, err := st.Disk.Doc(at)
	if err != nil {
		return anchor.Credit{}, err
	}
	if !had {
		return anchor.Fresh(d, stamp), nil
	}
	cr = cr.Carry(d, stamp)
	st.ctx.credit(at.Key, cr)
	return cr, nil
}

// endRecovery ends a recovery because nothing is left to be read.
func (st *step) endRecovery(rec *Recovery) {
	if st.ctx.Recovery == rec {
		st.ctx.Recovery = nil
	}
	if rec.Cause == Inherited {
		return
	}
	for i := range rec.Required {
		if r := &rec.Required[i]; r.Dropped == "" && st.vanished(r.Path, st.Disk.Anchor(r.Path).Key) {
			st.drop(r, DropGone)
		}
	}
	st.log(LogEntry{What: Recovered})
}

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
	if st.ev.Injects {
		st.d.Bank = st.client().InjectsAtCompaction
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
	st.d.Bank = true
	if w := st.pending(); w != nil {
		st.d.Block = st.block(w)
		w.rec.Told = w.rec.Told || st.ev.Injects
	}
	st.d.Capsule = st.capsuleForModel()
}

// damaged turns what is left of a damaged state into a recovery (S3).
func (st *step) damaged() {
	st.s.Damaged = false
	main := st.s.context("", "", st.Now)
	ctx := st.ctx
	st.ctx = main
	st.arm(ByDamage)
	st.ctx = ctx
	st.log(LogEntry{What: StateDamaged})
}

// arm sets or renews the recovery of the context (A3, R7). Everything read so far has left the context.
func (st *step) arm(cause Cause) {
	ctx := st.ctx
	var left []string
	if p := st.pending(); p != nil && p.rec == ctx.Recovery {
		for _, u := range p.unread {
			left = append(left, u.Path)
		}
	}
	old := ctx.Recovery
	ctx.Reads, ctx.Reader = nil, nil
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
		if rec.Rearmed > 1 && old.Credited {
			rec.Halvings++
		}
	}
	keep := min(maxRequired, max(1, len(required)>>min(rec.Halvings, 8)))
	for i, path := range required {
		if i < keep {
			rec.Required = append(rec.Required, Required{Path: path})
		}
	}
	rec.Also = choice.Also
	for _, path := range required[min(keep, len(required)):] {
		if !slices.Contains(rec.Also, path) {
			rec.Also = append(rec.Also, path)
		}
	}
	ctx.Recovery = rec
	st.log(LogEntry{What: Armed, Path: rec.Required[0].Path, Cause: cause})
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
	c := anchor.Choose(st.trackedPaths(), st.Policy.Budget, size)
	if readable == 0 {
		broken := c.Required
		c = anchor.Choose(st.Policy.Fallback, st.Policy.Budget, size)
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
		Mode:        st.Policy.Recovery,
	}
}
