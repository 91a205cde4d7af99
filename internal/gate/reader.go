package gate

import (
	"github.com/mbgate/mbgate/internal/anchor"
	"github.com/mbgate/mbgate/internal/event"
)

// startReader notes a call of the reader, which ends the recovery of the main context at once unless that is strict (R4).
func (c *call) startReader() {
	st := c.step
	st.turn().Reader = true
	if c.recovery == nil || !st.ev.Main() || st.isStrict() {
		return
	}
	st.ctx.Reader = &ReaderCall{Call: st.ev.Call, Recovery: c.recovery.rec}
	st.ctx.Recovery = nil
	st.log(LogEntry{What: ReaderCalled})
}

// isStrict reports whether nothing but what was shown ends a recovery.
func (st *step) isStrict() bool { return st.Policy.Recovery == event.ModeStrict }

func (st *step) readerDefined() bool {
	return st.ev.Client != nil && st.Disk.Defined(st.ev.Client, Reader)
}

// settleReader settles a call of the reader subagent: a failed one takes the recovery up again, and under a strict recovery
// one that has returned brings what the reader was shown (R4).
func (st *step) settleReader() {
	if st.ev.Tool.Class != event.Subagent {
		return
	}
	r := st.ev.Result
	if rc := st.ctx.Reader; rc != nil && rc.Call == st.ev.Call {
		st.ctx.Reader = nil
		if r != nil && r.Failed && st.ctx.Recovery == nil {
			st.ctx.Recovery = rc.Recovery
			st.log(LogEntry{What: ReaderFailed})
		}
	}
	if st.ev.Tool.Subagent != Reader {
		return
	}
	st.checkAnswer()
	if st.isStrict() && st.ev.Main() && (r == nil || !r.Failed && !r.Running) {
		st.creditReader()
	}
}

// creditReader credits the main context with what readers were shown of the required anchors since it was armed (arm), if the file
// is still the one that they saw.
func (st *step) creditReader() {
	rec := st.ctx.Recovery
	if rec == nil {
		return
	}
	for _, r := range rec.Required {
		at := st.Disk.Anchor(r.Path)
		stamp, ok := st.Disk.Stamp(at)
		for _, c := range st.s.Contexts {
			if cr := c.Reads[at.Key]; ok && c.Type == Reader && cr.Stamp == stamp {
				st.credit(shown{at, func(anchor.Doc) anchor.Spans { return cr.Got }})
			}
		}
	}
}
