package gate

import (
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/bank"
	"github.com/mbgate/mbgate/internal/capsule"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/layout"
)

// maxFocus is how much of MEMORY.md is searched for the current focus, in bytes.
const maxFocus = 256 << 10

// The policies of the findings that a session gives itself.
const (
	policyRecovery = "recovery"
	policyFocus    = "current-focus"
)

// reasonRecovery is why a session's own gate has not passed.
const reasonRecovery = "required anchors are not read again"

// buildCapsule builds the capsule at a compaction and binds the context by it (C5). What was suspended binds again.
func (st *step) buildCapsule() {
	st.s.Suspended = false
	for i := range st.s.Notes {
		st.s.Notes[i].Suspended = false
	}
	if st.ev.Main() {
		st.fadeGuides()
	}
	st.ctx.BoundAt = st.Now
	for i := range st.ctx.Sources {
		st.ctx.Sources[i].Bound, st.ctx.Sources[i].Tries = true, 0
	}
	if !st.ev.Main() {
		return // the session's capsule is that of its main context
	}
	st.s.BindingRefusals = 0
	c := st.gather()
	c.Constraints = nil // they are taken from the session as it is
	st.s.Capsule = &c
	st.log(LogEntry{What: CapsuleMade})
}

// capsuleForModel is the capsule to give to the model, nil when the anchor block says all of it.
func (st *step) capsuleForModel() *capsule.Capsule {
	c := st.s.Capsule
	if !st.ev.Main() && st.ev.Kind != event.Notice {
		own := st.gather()
		c = &own
	}
	if c == nil {
		return nil
	}
	c = c.Clone()
	c.Constraints = st.gather().Constraints
	st.leaveOutSaid(c)
	if !saysMore(*c) || (st.d.Block != nil || st.emptyEntry) && onlySources(*c) {
		return nil
	}
	return c
}

// leaveOutSaid takes out of a capsule what stands beside it: in the anchor block what is to be read and the current focus, which
// MEMORY.md has as well. Finished writes need no word.
func (st *step) leaveOutSaid(c *capsule.Capsule) {
	c.Writes = slices.DeleteFunc(c.Writes, func(w capsule.Write) bool { return !w.Pending() })
	var focus []string
	if b := st.d.Block; b != nil {
		focus = b.Focus
		c.Gate.Findings = slices.DeleteFunc(c.Gate.Findings, func(f capsule.Finding) bool { return f.Policy == policyRecovery })
		if c.Gate.Reason == reasonRecovery {
			c.Gate.Reason = ""
		}
		c.Sources = slices.DeleteFunc(c.Sources, func(s capsule.Source) bool {
			return slices.ContainsFunc(b.Unread, func(u Unread) bool { return u.Path == s.Path })
		})
	} else if st.d.Bank.Entry {
		focus = st.currentFocus()
	}
	c.Gate.Findings = slices.DeleteFunc(c.Gate.Findings, func(f capsule.Finding) bool {
		return f.Policy == policyFocus && slices.Contains(focus, f.Message)
	})
	if r := c.Resume; r != nil && slices.Contains(focus, r.NextAction) {
		if r.NextAction = ""; r.PendingQuestionID == "" {
			c.Resume = nil
		}
	}
}

// onlySources reports whether a capsule holds no more than the versions of files.
func onlySources(c capsule.Capsule) bool {
	c.Sources = nil
	return !saysMore(c)
}

// saysMore reports whether a capsule holds more than that a recovery is pending.
func saysMore(c capsule.Capsule) bool {
	c.Gate.Passed = true
	c.Gate.Findings = slices.DeleteFunc(slices.Clone(c.Gate.Findings), func(f capsule.Finding) bool { return f.Policy == policyRecovery })
	return !c.Empty()
}

// gather is the capsule of the session as it is now, with the sources of the context at hand.
func (st *step) gather() capsule.Capsule {
	c := capsule.New(st.Now, st.s.ID)
	if run, _, _ := st.run(); run != nil {
		c = capsule.Create(*run, st.Now, st.s.ID)
		c.Questions = slices.DeleteFunc(c.Questions, func(q capsule.Question) bool { return st.s.answers(q.ID) })
	}
	for _, n := range st.s.Notes {
		switch {
		case n.Kind == NoteDeny:
			text := n.Text
			if len(n.Paths) > 0 {
				text += " (paths: " + strings.Join(n.Paths, ", ") + ")"
			}
			if !slices.Contains(c.Constraints, text) {
				c.Constraints = append(c.Constraints, text)
			}
		case n.Kind == NoteQuestion && n.Open():
			c.Questions = append(c.Questions, capsule.Question{ID: n.ID, Question: n.Text, Blocking: n.Blocking, Phase: n.Phase})
		case n.Kind == NoteNext:
			c.Resume = &capsule.Resume{Phase: n.Phase, NextAction: n.Text}
		}
	}
	if len(st.Policy.Deny) > 0 {
		c.Constraints = append(c.Constraints, "deny (paths: "+strings.Join(st.Policy.Deny, ", ")+")")
	}
	c.Constraints = append(c.Constraints, st.s.Said()...)
	st.focus(&c)
	if c.Resume != nil && c.Resume.PendingQuestionID == "" {
		if i := slices.IndexFunc(c.Questions, func(q capsule.Question) bool { return q.Blocking }); i >= 0 {
			c.Resume.PendingQuestionID = c.Questions[i].ID
		}
	}
	if p := st.pending(); p != nil {
		c.Gate.Passed = false
		if c.Gate.Reason == "" {
			c.Gate.Reason = reasonRecovery
		}
		for _, u := range p.unread {
			c.Gate.Findings = append(c.Gate.Findings, capsule.Finding{
				Severity: capsule.EvidenceRequired, Policy: policyRecovery, Message: "read " + st.spelled(u.Path),
			})
		}
	}
	for _, w := range st.s.Writes {
		c.Writes = append(c.Writes, capsule.Write{ID: w.ID, Path: w.Path, Status: w.Status})
	}
	for _, s := range st.ctx.Sources {
		if s.Refs > 0 && !slices.ContainsFunc(c.Sources, func(o capsule.Source) bool { return o.Path == s.Path }) {
			c.Sources = append(c.Sources, capsule.Source{Path: s.Path, Hash: s.Hash, Refs: s.Refs})
		}
	}
	return c
}

// focus fills in what MEMORY.md says about the current focus, as text that never binds (C6): what blocks the work, and what
// comes next unless a note says it.
func (st *step) focus(c *capsule.Capsule) {
	items := st.currentFocus()
	next := ""
	for _, label := range [...]string{"next", "下一步", "remaining", "待办", "in progress", "进行中"} {
		if i := slices.IndexFunc(items, func(s string) bool { return labelled(s, label) }); i >= 0 && next == "" {
			next = items[i]
		}
	}
	for _, s := range items {
		if labelled(s, "block") || labelled(s, "阻塞") {
			c.Gate.Findings = append(c.Gate.Findings, capsule.Finding{Severity: capsule.Warning, Policy: policyFocus, Message: s})
		} else if next == "" {
			next = s
		}
	}
	if c.Resume == nil && next != "" {
		c.Resume = &capsule.Resume{NextAction: next}
	}
}

// currentFocus are the items of MEMORY.md's current focus, without what init left to be filled in.
func (st *step) currentFocus() []string {
	text, _ := st.Disk.Text(st.Disk.Anchor(bank.Entry).Phys, maxFocus)
	return slices.DeleteFunc(bank.Focus(string(text)), layout.IsPlaceholder)
}

// labelled reports whether an item of the current focus begins with a label, as in "**Blocked by**: the schema".
func labelled(item, label string) bool {
	return strings.HasPrefix(strings.ToLower(strings.TrimLeft(item, "*_`[ ]x")), label)
}

// Capsule is the capsule of a session as it is now, for people; false when there is nothing in it. Nothing is changed.
func (g Gate) Capsule(old Session, c *event.Client) (capsule.Capsule, bool) {
	st := g.peek(old, "", c)
	out := st.gather()
	return out, saysMore(out) || !out.Gate.Passed
}
