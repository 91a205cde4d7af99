package gate

import (
	"slices"
	"time"

	"github.com/mbgate/mbgate/internal/anchor"
	"github.com/mbgate/mbgate/internal/bank"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
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

// giveBank gives the model what it was not given of the memory bank since its last compaction, and nothing of a MEMORY.md that
// says no more than init wrote; then a compaction repeats no rules either. Before each request all of it stands anew (SPEC §14).
func (st *step) giveBank() {
	at := st.Disk.Anchor(bank.Entry)
	st.givesBank, st.emptyEntry = true, at.Kind == place.Missing || st.isBlank(at) || st.untouched(at)
	known := st.ctx.Given
	if st.ev.Kind == event.Notice {
		known = Given{}
	}
	stamp, _ := st.Disk.Stamp(at)
	st.d.Bank = Bank{
		Rules: !known.Rules && (st.ev.Kind == event.SessionStart || st.ev.Kind == event.Notice || !st.emptyEntry),
		Entry: !st.emptyEntry && (stamp == anchor.Stamp{} || stamp != known.Entry),
	}
}

// creditPrinted remembers what the answer gives the model of the memory bank. The entry that is given whole, or has nothing to be
// given, is credited and no longer asked for (A6).
func (st *step) creditPrinted() {
	reaches := st.ev.Injects || st.ev.Kind == event.Notice || st.ev.Kind == event.SessionStart && st.client().InjectsAtStart
	if !st.givesBank || !reaches {
		return
	}
	if st.ev.Kind != event.Notice {
		st.ctx.Given.Rules = st.ctx.Given.Rules || st.d.Bank.Rules
		if st.d.Bank.Entry {
			st.ctx.Given.Entry, _ = st.Disk.Stamp(st.Disk.Anchor(bank.Entry))
		}
	}
	if !st.emptyEntry && (!st.d.Bank.Entry || st.Prints == nil || !st.Prints(st.d)) {
		return
	}
	lines, _ := st.credit(shown{st.Disk.Anchor(bank.Entry), func(d anchor.Doc) anchor.Spans { return d.Need }})
	if !lines || st.d.Block == nil {
		return
	}
	st.d.Block = nil
	if p := st.pending(); p != nil {
		st.d.Block = st.block(p)
	} else if c := st.d.Capsule; c != nil && c.Gate.Reason == "" && len(c.Gate.Findings) == 0 {
		c.Gate.Passed = true // nothing but the recovery was in its way
	}
}
