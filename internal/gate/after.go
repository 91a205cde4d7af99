package gate

import (
	"slices"

	"github.com/mbgate/mbgate/internal/anchor"
	"github.com/mbgate/mbgate/internal/capsule"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/risk"
	"github.com/mbgate/mbgate/internal/risk/shell"
)

// after records what a finished call showed of tracked documents, and may end a recovery (A4, R4).
func (st *step) after() {
	if st.client().AfterEvents {
		st.s.Reported = true
	}
	if !st.ev.ReadsOnly {
		st.settleReader()
		st.settleWriter()
		if st.ev.Tool.Class == event.Subagent {
			if st.s.Running = max(0, st.s.Running-1); st.s.Running == 0 {
				st.s.Bracket = nil
			}
		}
	}
	st.guide()
	p := st.pending()
	// A shell command that failed may have printed a file before; its text proves what.
	if r := st.ev.Result; r != nil && r.Failed && (st.ev.Tool.Class != event.Shell || !r.HasText) {
		st.noteFutileRead(p)
		st.cancelPlanned()
		return
	}
	// The event's own folder is the one after a shell command ran; the one before is what its paths are relative to. Both
	// are tried, and the shown lines decide (P3).
	cwd := st.ctx.Cwd
	if cwd == "" {
		cwd = st.ev.Cwd
	}
	a := st.judge(cwd)
	st.noteLooked(a.Reads)
	if st.asksForPatterns(a.Reads) {
		st.turn().Asked = true
	}
	if !st.ev.ReadsOnly {
		st.noteWritten(a)
		st.recordWrites(a, capsule.Written)
		st.finishRemovals()
		st.rememberWritten(a)
		if !st.flushReminder(a) && st.remindsLater() {
			st.d.Assessment = a
			st.d.Verdict, st.d.Rule = st.askForPatterns(a, false)
		}
	}
	defer st.markCounted()
	if !st.creditReads(cwd) && (st.ev.Cwd == "" || st.ev.Cwd == cwd || !st.creditReads(st.ev.Cwd)) {
		st.noteFutileRead(p)
	}
	if st.ctx.Recovery != nil {
		st.pending()
	}
}

// noteFutileRead remembers a read that brought nothing, if a refusal printed that very read (R5).
func (st *step) noteFutileRead(p *pending) {
	if p != nil {
		st.notePrintedRead(p, st.judge(st.ev.Cwd).Reads)
	}
}

// judge judges the finished call with its paths relative to cwd. Several questions are asked of the result, and judging a
// shell command is most of the work of a hook, so it is done once for each folder.
func (st *step) judge(cwd string) risk.Assessment {
	a, ok := st.judgements[cwd]
	if !ok {
		a = risk.Judge(st.ev.Tool, cwd, st.world(), risk.Rules{Sensitive: st.Policy.Sensitive, Safe: st.Policy.Safe})
		if st.judgements == nil {
			st.judgements = map[string]risk.Assessment{}
		}
		st.judgements[cwd] = a
	}
	return a
}

// creditReads credits what the call showed, with its paths relative to cwd; it reports whether it credited any line.
func (st *step) creditReads(cwd string) bool {
	any := false
	for _, r := range st.shown(st.judge(cwd), cwd) {
		st.rememberShown(r)
		name, isAnchor := st.tracked(r.at)
		demanded := st.isDemanded(r.at)
		if name == "" && !demanded {
			continue
		}
		if !st.client().AfterEvents {
			st.s.Reported = true
		}
		lines, first := st.credit(r)
		any = any || lines
		if isAnchor && first && !demanded {
			st.ctx.Anchors = anchor.Touch(st.ctx.Anchors, name, st.Now)
		}
	}
	return any
}

// credit credits the lines of a file that were shown; it reports whether there were any, and whether they are the first.
func (st *step) credit(r shown) (lines, first bool) {
	cr, err := st.credited(r.at)
	if err != nil {
		return false, false
	}
	d, err := st.Disk.Doc(r.at)
	if err != nil {
		return false, false
	}
	got := r.lines(d)
	if len(got) == 0 {
		return false, false
	}
	had := cr.Got.Count()
	cr = cr.Show(got, st.Now)
	if cr.Got.Count() > had {
		st.ctx.credit(r.at.Key, cr)
		st.noteProgress(r.at, cr.Done())
	}
	return true, had == 0
}

// isDemanded reports whether the recovery of the context at hand, or its parent's, requires the file.
func (st *step) isDemanded(at place.Place) bool {
	rec := st.effective()
	if rec == nil {
		return false
	}
	return slices.ContainsFunc(rec.Required, func(r Required) bool {
		return r.Dropped == "" && st.Disk.Anchor(r.Path).Key == at.Key
	})
}

// noteProgress notes that a pending recovery got lines of a file.
func (st *step) noteProgress(at place.Place, done bool) {
	rec := st.ctx.Recovery
	if rec == nil {
		return
	}
	for i := range rec.Required {
		r := &rec.Required[i]
		if r.Dropped == "" && st.Disk.Anchor(r.Path).Key == at.Key {
			rec.Credited = true
			r.ReadMade, r.Tries = false, 0
			if done {
				st.log(LogEntry{What: AnchorRead, Path: r.Path})
			}
		}
	}
}

// shown is one file that the call may have shown, with the way to tell which of its lines.
type shown struct {
	at    place.Place
	lines func(d anchor.Doc) anchor.Spans
}

// shown lists what the call may have shown: what the client states, else the files that the call reads, proved by the
// text of its result, else by the claim alone where the client reports no results (A4).
func (st *step) shown(a risk.Assessment, cwd string) []shown {
	res, cut := st.ev.Result, st.client().LineCut
	var out []shown
	switch st.ev.Script {
	case event.InScript:
		return nil
	case event.OfScript:
		// The script may have made up the paths that it read.
		if rec := st.effective(); rec != nil {
			for _, r := range rec.Required {
				out = append(out, shown{st.Disk.Anchor(r.Path), func(d anchor.Doc) anchor.Spans { return anchor.Found(d, d.Need, res.Text, cut) }})
			}
		}
	}
	if res != nil && len(res.Shown) > 0 {
		for _, s := range res.Shown {
			out = append(out, st.stated(cwd, s))
		}
		return out
	}
	if res != nil && (res.Preview || res.Unchanged) {
		return nil
	}
	for _, r := range a.Reads {
		if !r.Verbatim {
			continue
		}
		switch {
		case res != nil && res.HasText:
			out = append(out, shown{r.Place, func(d anchor.Doc) anchor.Spans {
				return anchor.Found(d, asked(r, d), res.Text, cut)
			}})
		case (r.Full || len(r.Spans) > 0) && (res == nil && !st.client().Results || !st.client().AfterEvents):
			out = append(out, shown{r.Place, func(d anchor.Doc) anchor.Spans { return asked(r, d) }})
		}
	}
	return out
}

// stated is what a client states that it showed of a file, whose path is relative to cwd.
func (st *step) stated(cwd string, s event.Shown) shown {
	return shown{st.Disk.Locate(cwd, s.Path), func(d anchor.Doc) anchor.Spans {
		return anchor.Stated(d, s.First, s.Last, s.Text, s.HasText, st.client().LineCut)
	}}
}

// asked are the lines of d that a read asks for.
func asked(r shell.Read, d anchor.Doc) anchor.Spans {
	if r.Full {
		return d.Need
	}
	var out anchor.Spans
	for _, s := range r.Spans {
		first, last := s.First, s.Last
		if first < 0 {
			first = d.Total + first + 1
		}
		if last <= 0 {
			last = d.Total
		}
		out = out.Union(anchor.Of(first, min(last, d.Total)))
	}
	if len(r.Spans) == 0 {
		// Which part is not known: the output has to tell.
		return d.Need
	}
	return out.And(d.Need)
}
