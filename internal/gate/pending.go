package gate

import (
	"errors"
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
			own.Required = append(own.Required, Required{Path: r.Path, Bytes: r.Bytes, Dropped: r.Dropped})
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
	u.Path, u.Abs, key = r.Path, spelledAbs(at), at.Key
	if at.Kind == place.Missing {
		return u, key, false
	}
	cr, err := st.credited(at)
	if err != nil {
		// Not let go is what a judged call of this session changed since the compaction (R5), and what the machine, not the
		// file, keeps from being read.
		at, ours := st.s.Changed[key]
		if _, short := errors.AsType[*ShortageError](err); short || ours && !at.Before(rec.ActivatedAt) {
			u.Broken = err.Error()
			return u, key, true
		}
		st.drop(r, DropReason(err.Error()))
		return u, key, false
	}
	st.measure(&u, *r, at, cr)
	return u, key, len(u.Left) > 0
}

// measure says how far a required anchor is read, of which no more may be asked for than its beginning and end (R7).
func (st *step) measure(u *Unread, r Required, at place.Place, cr anchor.Credit) {
	need := cr.Need
	if r.Bytes > 0 {
		if d, err := st.Disk.Doc(at); err == nil {
			need = d.Ends(r.Bytes / 2)
		}
	}
	u.Left = cr.Left().And(need)
	u.Need, u.Total = need.Count(), cr.Total
	u.Read, u.Part, u.Changed = u.Need-u.Left.Count(), u.Need < u.Total, cr.Changed
}

// tracked is the name of a document whose reads are followed, "" for other files, and whether it is an anchor.
func (st *step) tracked(at place.Place) (name string, isAnchor bool) {
	if name = anchor.Match(st.Policy.Anchors, at); name != "" {
		return name, true
	}
	for _, f := range [...]string{bank.Patterns, bank.Entry} {
		if at.Is(f) {
			return f, false
		}
	}
	return anchor.Match(st.Policy.Fallback, at), false
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
	for _, path := range append(st.trackedPaths(), st.Disk.Fallback(st.Policy.Fallback)...) {
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
	st.ctx.ReadOut = rec.Halvings + 1
	for i := range rec.Required {
		if r := &rec.Required[i]; r.Dropped == "" && st.vanished(r.Path, st.Disk.Anchor(r.Path).Key) {
			st.drop(r, DropGone)
		}
	}
	st.log(LogEntry{What: Recovered})
}
