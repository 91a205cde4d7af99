package gate

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/mbgate/mbgate/internal/bank"
	"github.com/mbgate/mbgate/internal/capsule"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/prompt"
	"github.com/mbgate/mbgate/internal/risk"
)

// proposalPause is the least time between two proposals; maxSigned is how many signatures are remembered (SPEC §12).
const (
	proposalPause = 30 * time.Minute
	maxSigned     = 32
	maxWritten    = 256
)

// Proposals is what is remembered of proposals to update the memory bank.
type Proposals struct {
	// Written are the files that the session's own calls wrote since its last update of the memory bank, by canonical
	// path, sorted.
	Written []string `json:"written,omitempty"`
	// Settled is set once a prompt of a person settled something, until a proposal was asked for or the bank was updated.
	Settled bool `json:"settled,omitempty"`
	// Asked is when a proposal was asked for last, Signed the contents it was asked for, oldest first.
	Asked  time.Time `json:"asked,omitzero"`
	Signed []string  `json:"signed,omitempty"`
	// Answered is the turn in which a person answered by mb:write or mb:no.
	Answered time.Time `json:"answered,omitzero"`
}

// Proposal is the reminder to propose an update of the memory bank.
type Proposal struct {
	// Files are what was written, sorted; none where a person settled something in a prompt.
	Files []string
	// Writer is set where the writer subagent is the one to write what is agreed to; else the agent does it itself.
	Writer bool
}

// signature names a set of files.
func signature(files []string) string {
	sum := sha256.Sum256([]byte(strings.Join(files, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// stop asks for a proposal when the agent wants to stop after it wrote code, or a person settled something: at most once in half an hour, once for the
// same files, never in a turn in which a person answered one, never twice in a row (SPEC §12).
func (st *step) stop() {
	st.s.Running = 0
	p := &st.s.Proposals
	switch {
	case st.Policy.Proposals == event.ModeOff, !st.ev.Main(), st.ev.StopActive, len(p.Written) == 0 && !p.Settled:
		return
	case st.Disk.Anchor(bank.Entry).Kind != place.File:
		return // no memory bank, or one of another layout, for which the targets would be wrong
	case !p.Answered.IsZero() && p.Answered.Equal(st.s.Turn.Since):
		return
	case !p.Asked.IsZero() && st.Now.Sub(p.Asked) < proposalPause:
		return
	}
	sig := signature(p.Written)
	if slices.Contains(p.Signed, sig) && !p.Settled || !st.bankHasContent() {
		return
	}
	p.Asked, p.Settled = st.Now, false
	p.Signed = append(p.Signed, sig)
	if n := len(p.Signed) - maxSigned; n > 0 {
		p.Signed = p.Signed[n:]
	}
	mode, _ := st.GuardInForce(st.ev.Client)
	st.d.Proposal = &Proposal{Files: slices.Clone(p.Written), Writer: onlyWriter(mode)}
	st.log(LogEntry{What: ProposalAsked, Signature: sig})
}

// bankHasContent reports whether the memory bank says more than init wrote.
func (st *step) bankHasContent() bool {
	names := []string{bank.Entry, bank.Patterns, bank.Details + "/progress.md", bank.Details + "/tech.md"}
	for _, dir := range [...]string{"/requirements", "/design", "/learnings"} {
		list, _ := st.Disk.Names(st.Disk.Anchor(bank.Details + dir).Phys)
		for _, n := range list {
			names = append(names, bank.Details+dir+"/"+n)
		}
	}
	return slices.ContainsFunc(names, func(n string) bool {
		at := st.Disk.Anchor(n)
		return at.Kind == place.Folder || at.Kind == place.File && path.Ext(n) == ".md" && !st.untouched(at)
	})
}

// routes are the documents that answer a topic, the best one first.
func routes(t prompt.Topic) []string {
	switch t {
	case prompt.Background:
		return []string{bank.Entry}
	case prompt.Technology:
		return []string{bank.Details + "/tech.md", bank.Patterns, bank.Entry}
	case prompt.Decisions:
		return []string{bank.Patterns, bank.Entry}
	}
	return nil
}

// route names the document that answers what a prompt asks about: once a session each, and none that the context was shown
// or that says nothing yet.
func (st *step) route() {
	for _, name := range routes(prompt.AsksAbout(st.ev.Prompt)) {
		at := st.Disk.Anchor(name)
		if at.Kind != place.File || st.untouched(at) {
			continue
		}
		if cr, err := st.credited(at); err == nil && !cr.Done() && !slices.Contains(st.s.Routed, name) {
			st.s.Routed = append(st.s.Routed, name)
			st.d.Route = name
		}
		return
	}
}

// noteWritten remembers what a finished call wrote: code waits for a proposal, an update of the memory bank answers it.
func (st *step) noteWritten(a risk.Assessment) {
	p := &st.s.Proposals
	for _, t := range a.Targets {
		switch {
		case !t.Place.Inside() || t.Rule == risk.RuleGit || t.Rule == risk.RuleMissing || t.Rule == risk.RuleBuilt:
		case !t.Certain && !st.s.hasWrite(t.Place.Key): // behind a move its source is missing, so that it looks uncertain
		case t.Place.Under(bank.Dir):
			if t.Op != event.OpMode {
				p.Written, p.Settled = nil, false
				return
			}
		default:
			p.add(t.Place.Shown)
		}
	}
	// A file that the call removed or moved is gone when the call is reported, so the report does not show it; the
	// announcement did.
	for _, w := range st.s.Writes {
		if w.Status == capsule.Planned && !place.Under(w.Path, bank.Dir) && st.Disk.Anchor(w.Path).Kind == place.Missing {
			p.add(w.Path)
		}
	}
}

// add remembers a file that was written.
func (p *Proposals) add(name string) {
	if i, there := slices.BinarySearch(p.Written, name); !there && len(p.Written) < maxWritten {
		p.Written = slices.Insert(p.Written, i, name)
	}
}
