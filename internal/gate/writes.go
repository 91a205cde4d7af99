package gate

import (
	"slices"
	"strconv"

	"github.com/mbgate/mbgate/internal/capsule"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/risk"
)

// maxWrites is how many write transactions a session remembers.
const maxWrites = 32

// Write is a write transaction: a file of the project that the session writes, and how far that is (C6). There is one per
// file, and the latest status counts.
type Write struct {
	ID   string `json:"id"`
	Path string `json:"path"`
	// Key is the place.Key of the file where it differs from Path (P4).
	Key    string         `json:"key,omitempty"`
	Status capsule.Status `json:"status"`
	// Gone is set where the file is removed: it is done when the file is not there any more.
	Gone bool `json:"gone,omitempty"`
}

func (w Write) key() string {
	if w.Key != "" {
		return w.Key
	}
	return w.Path
}

// recordWrites gives every file that a call writes a status.
func (st *step) recordWrites(a risk.Assessment, status capsule.Status) {
	for _, t := range a.Targets {
		name, key := t.Place.Shown, t.Place.Key
		if !t.Place.Inside() || key == "" || t.Op == event.OpMode || t.Rule == risk.RuleGit || t.Rule == risk.RuleOwn || t.Rule == risk.RuleBuilt {
			continue
		}
		// Behind a move its source is missing, so that it looks uncertain what was certain before.
		if !t.Certain && (status != capsule.Written || !st.s.hasWrite(key)) {
			continue
		}
		if t.Rule == risk.RuleMissing {
			continue // what is not there cannot be removed
		}
		if name == key {
			key = ""
		}
		gone := t.Op == event.OpDelete || t.Op == event.OpMove
		st.s.write(Write{Path: name, Key: key, Status: status, Gone: gone})
	}
}

// finishRemovals finishes the removals of a call that did not fail: judged now, it finds nothing to remove.
func (st *step) finishRemovals() {
	for _, w := range slices.Clone(st.s.Writes) {
		if w.Gone && w.Status == capsule.Planned && st.Disk.Locate(st.Root, w.key()).Kind == place.Missing {
			w.Status = capsule.Written
			st.s.write(w)
		}
	}
}

// hasWrite reports whether there is a write transaction for a file.
func (s *Session) hasWrite(key string) bool {
	return slices.ContainsFunc(s.Writes, func(w Write) bool { return w.key() == key })
}

// write remembers a write transaction. The oldest finished one is dropped first.
func (s *Session) write(w Write) {
	if i := slices.IndexFunc(s.Writes, func(o Write) bool { return o.key() == w.key() }); i >= 0 {
		if s.Writes[i].Status == w.Status && s.Writes[i].Gone == w.Gone {
			return
		}
		w.ID = s.Writes[i].ID
		s.Writes = slices.Delete(s.Writes, i, i+1)
	} else {
		s.Seq++
		w.ID = "w" + strconv.Itoa(s.Seq)
	}
	s.Writes = append(s.Writes, w)
	if len(s.Writes) > maxWrites {
		i := slices.IndexFunc(s.Writes, func(o Write) bool { return o.Status == capsule.Written || o.Status == capsule.Verified })
		i = max(i, 0)
		s.Writes = slices.Delete(s.Writes, i, i+1)
	}
}

// cancelPlanned takes back what a call planned that failed. A shell command may have done a part of it, so its writes stay
// half done.
func (st *step) cancelPlanned() {
	if st.ev.ReadsOnly || st.ev.Tool.Class == event.Shell || !st.s.hasPlanned() {
		return
	}
	a := st.judge(st.ev.Cwd)
	st.s.Writes = slices.DeleteFunc(st.s.Writes, func(w Write) bool {
		return w.Status == capsule.Planned && slices.ContainsFunc(a.Targets, func(t risk.Target) bool { return t.Place.Key == w.key() })
	})
}

// hasPlanned reports whether a write was announced and not reported yet.
func (s *Session) hasPlanned() bool {
	return slices.ContainsFunc(s.Writes, func(w Write) bool { return w.Status == capsule.Planned })
}

// dropPlanned forgets writes that were announced and never reported (C6).
func (s *Session) dropPlanned() {
	if s.hasPlanned() {
		s.Writes = slices.DeleteFunc(s.Writes, func(w Write) bool { return w.Status == capsule.Planned })
	}
}
