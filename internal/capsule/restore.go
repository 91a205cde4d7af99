package capsule

import (
	"fmt"
	"strings"
)

// Restored says how to go on with the work of a capsule (C3).
type Restored struct {
	Phase string `json:"phase"`
	// NextAction is the one thing to do next.
	NextAction string     `json:"nextAction"`
	Questions  []Question `json:"pendingQuestions" doc:"The blocking ones."`
	HardDenies []string   `json:"activeHardDenies"`
	// Constraints hold for all of the work and block nothing.
	Constraints []string `json:"constraints"`
	Writes      []Write  `json:"pendingWriteTransactions" doc:"Planned or blocked."`
	Sources     []Reread `json:"staleSourceAnchors" doc:"All source anchors, to be read again."`
	// Context is where to go on, on one line.
	Context string `json:"resumeContext" doc:"Where to go on, on one line: phase, next action, the question that waits."`
	Blocked bool   `json:"isBlocked"`
	Reason  string `json:"blockReason"`
}

// Reread is a source anchor to read again.
type Reread struct {
	Source
	// Stale is set when the file changed or is gone.
	Stale bool `json:"stale" doc:"The file on disk is not the one that was read."`
}

// defaultPhase is the phase of a capsule without a resume snapshot.
const defaultPhase = "execute"

// Restore says where to go on. hashOf gives the SHA-256 of a file of the project in hexadecimal digits, false when
// it cannot be read. The capsule has to be valid.
func Restore(c Capsule, hashOf func(path string) (string, bool)) Restored {
	r := Restored{
		Phase: defaultPhase, Questions: []Question{}, HardDenies: append([]string{}, c.HardDenies...),
		Constraints: append([]string{}, c.Constraints...),
		Writes:      []Write{}, Sources: []Reread{},
	}
	if c.Resume != nil && strings.TrimSpace(c.Resume.Phase) != "" {
		r.Phase = c.Resume.Phase
	}
	for _, q := range c.Questions {
		if q.Blocking {
			r.Questions = append(r.Questions, q)
		}
	}
	for _, w := range c.Writes {
		if w.Pending() {
			r.Writes = append(r.Writes, w)
		}
	}
	for _, s := range c.Sources {
		now, ok := hashOf(s.Path)
		r.Sources = append(r.Sources, Reread{Source: s, Stale: !ok || !sameHash(now, s.Hash)})
	}
	r.Blocked, r.Reason = c.blocked(r.Questions)
	r.NextAction = c.next(r.Questions)
	r.Context = "phase " + r.Phase + " · next: " + r.NextAction
	if c.Resume != nil && c.Resume.PendingQuestionID != "" {
		r.Context += " · waits for question " + c.Resume.PendingQuestionID
	}
	r.Context = strings.Join(strings.Fields(r.Context), " ")
	return r
}

// sameHash compares two hashes whatever their case and the name of the algorithm before them.
func sameHash(a, b string) bool {
	bare := func(h string) string { return strings.TrimPrefix(strings.ToLower(strings.TrimSpace(h)), "sha256:") }
	return bare(a) == bare(b)
}

// blocked says whether the work is blocked and why: hard denies before blocking questions before a stop state.
func (c Capsule) blocked(blocking []Question) (bool, string) {
	switch {
	case len(c.HardDenies) > 0:
		return true, "hard deny: " + c.HardDenies[0] + others(len(c.HardDenies))
	case len(blocking) > 0:
		return true, "blocking question " + blocking[0].ID + ": " + blocking[0].Question + others(len(blocking))
	case c.Stop != nil && c.Stop.Type != StopDone:
		return true, "stopped, " + string(c.Stop.Type) + because(c.Stop.Reason)
	}
	return false, ""
}

// next is the one next action by the priority of C3: stop state, hard deny, blocking question, resume snapshot, failed
// gate, continue. Each names its first item.
func (c Capsule) next(blocking []Question) string {
	switch {
	case c.Stop != nil && c.Stop.Type == StopDone:
		return "report the result and stop: the work is done" + because(c.Stop.Reason)
	case c.Stop != nil:
		return "resolve the stop state " + string(c.Stop.Type) + because(c.Stop.Reason)
	case len(c.HardDenies) > 0:
		return "resolve the hard deny, do not bypass it: " + c.HardDenies[0]
	case len(blocking) > 0:
		return "answer the blocking question " + blocking[0].ID + ": " + blocking[0].Question
	case c.Resume != nil && strings.TrimSpace(c.Resume.NextAction) != "":
		return c.Resume.NextAction
	case c.Resume != nil && strings.TrimSpace(c.Resume.Phase) != "":
		return "resume the phase " + c.Resume.Phase
	case !c.Gate.Passed:
		return "make the gate pass" + because(c.GateReason())
	}
	return "continue the work"
}

// GateReason is why the gate failed, in the words of the gate or of its first finding.
func (c Capsule) GateReason() string {
	if strings.TrimSpace(c.Gate.Reason) != "" {
		return c.Gate.Reason
	}
	for _, f := range c.Gate.Findings {
		if strings.TrimSpace(f.Message) != "" {
			return f.Message
		}
	}
	return ""
}

func because(reason string) string {
	if strings.TrimSpace(reason) == "" {
		return ""
	}
	return ": " + reason
}

func others(n int) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf(" (and %d more)", n-1)
}
