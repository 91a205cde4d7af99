package gate

import (
	"slices"
	"time"

	"github.com/mbgate/mbgate/internal/anchor"
	"github.com/mbgate/mbgate/internal/bank"
	"github.com/mbgate/mbgate/internal/event"
)

// recordLag is how much earlier than a recovery's arming what the client put into the new context may be recorded: it makes
// the context first and tells its hooks afterwards (A8).
const recordLag = time.Minute

// creditRecorded credits what the client's record shows that it put into this context itself; it reports whether that were any
// lines. A record that lacks the compaction proves only what is younger than the recovery.
func (st *step) creditRecorded() bool {
	var since time.Time // of a subagent that inherits the recovery, all of its context counts
	if rec := st.ctx.Recovery; rec != nil && rec.Cause != Inherited {
		since = rec.ActivatedAt
	}
	found := st.Disk.Recorded(st.ev)
	if lag := since.Add(-recordLag); !found.Compacted.Before(lag) {
		since = lag
	}
	any := false
	for _, f := range found.Files {
		if r := st.stated(st.ev.Cwd, f.Shown); !f.At.Before(since) && st.isDemanded(r.at) {
			lines, _ := st.credit(r)
			any = any || lines
		}
	}
	return any
}

// uncreditCleared takes back the credit of what the client took out of the context without a compaction. The tracked documents
// among it are named once, and required where the recovery is strict (A8).
func (st *step) uncreditCleared() {
	if len(st.ctx.Anchors) == 0 {
		return
	}
	for _, c := range st.Disk.Recorded(st.ev).Cleared {
		at := st.Disk.Locate(st.ev.Cwd, c.Path)
		if cr, had := st.ctx.Reads[at.Key]; !had || cr.At.After(c.At) {
			continue
		}
		delete(st.ctx.Reads, at.Key)
		name, _ := st.tracked(at)
		if slices.ContainsFunc(st.ctx.Anchors, func(e anchor.Entry) bool { return e.Path == name }) {
			st.d.Cleared = append(st.d.Cleared, name)
		}
	}
	if st.isStrict() && len(st.d.Cleared) > 0 {
		st.requireCleared()
	}
}

// requireCleared requires the documents that the client cleared; the anchor block names them then.
func (st *step) requireCleared() {
	if st.ctx.Recovery == nil {
		st.ctx.Recovery = &Recovery{Cause: ByClearing, ActivatedAt: st.Now}
		st.log(LogEntry{What: Armed, Path: st.d.Cleared[0], Cause: ByClearing})
	}
	rec := st.ctx.Recovery
	for _, path := range st.d.Cleared {
		if rec.required(path) < 0 {
			rec.Required = append(rec.Required, Required{Path: path})
		}
	}
	st.d.Cleared, rec.Told = nil, false
}

// creditPrinted credits the memory bank's entry where the answer gives the model all of it, and no longer asks for it (A6).
func (st *step) creditPrinted() {
	reaches := st.ev.Injects || st.ev.Kind == event.Notice || st.ev.Kind == event.SessionStart && st.client().InjectsAtStart
	if !st.d.Bank || !reaches || st.Prints == nil || !st.Prints(st.d) {
		return
	}
	lines, _ := st.credit(shown{st.Disk.Anchor(bank.Entry), func(d anchor.Doc) anchor.Spans { return d.Need }})
	if !lines || st.d.Block == nil {
		return
	}
	st.d.Block = nil
	if p := st.pending(); p != nil {
		st.d.Block = st.block(p)
	}
}
