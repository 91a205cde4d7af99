// Package capsule is the record of what a summary drops although it constrains the work (SPEC §13): what is forbidden,
// what is asked, what comes next, which writes are half done, and which version of which file they rest on. It creates,
// validates, restores and renders capsules. It is pure: what it needs of the disk it is told.
//
// The JSON of a capsule and of a run file is described by Schema. The tests hold that description against the types and
// against what Validate accepts.
package capsule

import (
	_ "embed"
	"strings"
	"time"
)

// Version is the number of the layout of a capsule. New optional fields do not raise it.
const Version = 1

// Schema is the JSON schema of a capsule, with those of a run file, of what restoring gives and of a report in $defs.
//
//go:embed schema.json
var Schema string

// Severity is how much a finding of a gate weighs.
type Severity string

// The severities.
const (
	HardDeny         Severity = "hard-deny"
	SoftDeny         Severity = "soft-deny"
	EvidenceRequired Severity = "evidence-required"
	Warning          Severity = "warning"
)

// Status is how far a write is.
type Status string

// The states of a write.
const (
	Planned  Status = "planned"
	Blocked  Status = "blocked"
	Written  Status = "written"
	Verified Status = "verified"
)

// StopType is why work stopped.
type StopType string

// The stop states.
const (
	StopDone       StopType = "done"
	StopBlocked    StopType = "blocked"
	StopBudget     StopType = "budget-exhausted"
	StopStuck      StopType = "stuck"
	StopUnsafe     StopType = "unsafe"
	StopScopeDrift StopType = "scope-drift"
)

// The words of the three types, in the order of SPEC §13.
func severities() []string {
	return []string{string(HardDeny), string(SoftDeny), string(EvidenceRequired), string(Warning)}
}

func statuses() []string {
	return []string{string(Planned), string(Blocked), string(Written), string(Verified)}
}

func stopTypes() []string {
	return []string{
		string(StopDone), string(StopBlocked), string(StopBudget), string(StopStuck), string(StopUnsafe), string(StopScopeDrift),
	}
}

// Capsule is the record itself. Its lists are never nil when it comes from Create or Validate, so that they are [] in
// JSON.
type Capsule struct {
	// Schema is Version; a capsule without it has the first layout.
	Schema    int       `json:"schema"`
	TraceID   string    `json:"traceId"`
	CreatedAt time.Time `json:"createdAt"`
	// HardDenies are what must not be done, one sentence each.
	HardDenies []string   `json:"hardDenySummary"`
	Questions  []Question `json:"openQuestions"`
	// Resume is where the work goes on, nil when nobody said.
	Resume  *Resume  `json:"resumeSnapshot"`
	Gate    Gate     `json:"currentGate"`
	Writes  []Write  `json:"writeTransactions"`
	Sources []Source `json:"sourceAnchors"`
	// Promise is the id of the completion promise, "" for none.
	Promise string `json:"completionPromiseId,omitempty"`
	// Stop is why the work stopped, nil while it goes on.
	Stop *Stop `json:"stopHook,omitempty"`
}

// Question is a question that is not answered yet.
type Question struct {
	ID       string `json:"id"`
	Question string `json:"question"`
	Blocking bool   `json:"blocking"`
	Phase    string `json:"phase,omitempty"`
}

// Resume is where the work goes on.
type Resume struct {
	Phase             string `json:"phase,omitempty"`
	NextAction        string `json:"nextAction"`
	PendingQuestionID string `json:"pendingQuestionId,omitempty"`
}

// Gate is what the last gate said.
type Gate struct {
	Passed   bool      `json:"passed"`
	Reason   string    `json:"reason,omitempty"`
	Findings []Finding `json:"findings"`
}

// Finding is one thing that a gate found.
type Finding struct {
	Severity Severity `json:"severity"`
	Policy   string   `json:"policy,omitempty"`
	Message  string   `json:"message,omitempty"`
}

// Write is one write and how far it is.
type Write struct {
	ID     string `json:"id"`
	Path   string `json:"path"`
	Status Status `json:"status"`
}

// Source is a file that the work rests on, in the version that was read.
type Source struct {
	Path string `json:"path"`
	// Hash is the SHA-256 of the file's content, in hexadecimal digits.
	Hash string `json:"fileHash"`
	// Refs is how often the file was read or referred to.
	Refs int `json:"refCount"`
}

// Stop is why the work stopped.
type Stop struct {
	Type   StopType `json:"type"`
	Reason string   `json:"reason,omitempty"`
}

// Run is what a run file says (C1).
type Run struct {
	ID string `json:"id"`
	// Gate is nil when the file has none: an absent gate has passed.
	Gate      *RunGate      `json:"gate,omitempty"`
	Resume    *RunResume    `json:"resumeSnapshot,omitempty"`
	Repair    *Repair       `json:"repair,omitempty"`
	Questions []RunQuestion `json:"questions,omitempty"`
	Writes    []Write       `json:"writeTransactions,omitempty"`
	Sources   []RunSource   `json:"sourceAnchors,omitempty"`
	Promise   string        `json:"completionPromiseId,omitempty"`
}

// RunGate is the result of a run's gate.
type RunGate struct {
	Passed bool   `json:"passed"`
	Reason string `json:"reason,omitempty"`
}

// StatusOpen is the status of a question or a resume snapshot that still counts.
const StatusOpen = "open"

// StatusBlocked is the status of a repair that gave up.
const StatusBlocked = "blocked"

// RunResume is a run's resume snapshot. Its gate reason counts whatever its status; the rest only while it is open.
type RunResume struct {
	Status            string `json:"status"`
	Phase             string `json:"phase,omitempty"`
	NextAction        string `json:"nextAction,omitempty"`
	PendingQuestionID string `json:"pendingQuestionId,omitempty"`
	GateReason        string `json:"gateReason,omitempty"`
}

// Repair is the state of a run's repair loop.
type Repair struct {
	Status   string `json:"status"`
	Evidence string `json:"lastFailureEvidence,omitempty"`
}

// RunQuestion is a question of a run, open or not.
type RunQuestion struct {
	ID       string `json:"id"`
	Question string `json:"question"`
	Blocking bool   `json:"blocking"`
	Phase    string `json:"phase,omitempty"`
	Status   string `json:"status"`
}

// RunSource is a source anchor of a run, with the places that refer to it.
type RunSource struct {
	Path string   `json:"path"`
	Hash string   `json:"fileHash"`
	Refs []string `json:"refs,omitempty"`
}

// Create makes the capsule of a run (C1). The trace id defaults to the run's id.
func Create(r Run, now time.Time, traceID string) Capsule {
	c := New(now, traceID)
	if c.TraceID == "" {
		c.TraceID = r.ID
	}
	if r.Gate != nil && !r.Gate.Passed {
		c.deny(r.Gate.Reason)
		c.Gate.Passed, c.Gate.Reason = false, strings.TrimSpace(r.Gate.Reason)
		message := c.Gate.Reason
		if message == "" {
			message = "gate not passed"
		}
		c.Gate.Findings = append(c.Gate.Findings, Finding{Severity: HardDeny, Policy: PolicyGate, Message: message})
	} else if r.Gate != nil {
		c.Gate.Reason = strings.TrimSpace(r.Gate.Reason)
	}
	if s := r.Resume; s != nil {
		c.deny(s.GateReason)
		if s.Status == StatusOpen {
			c.Resume = &Resume{Phase: s.Phase, NextAction: s.NextAction, PendingQuestionID: s.PendingQuestionID}
		}
	}
	if r.Repair != nil && r.Repair.Status == StatusBlocked {
		c.deny(r.Repair.Evidence)
		c.Stop = &Stop{Type: StopBlocked, Reason: strings.TrimSpace(r.Repair.Evidence)}
		if c.Stop.Reason == "" {
			c.Stop.Reason = "repair blocked"
		}
	}
	for _, q := range r.Questions {
		if q.Status == StatusOpen {
			c.Questions = append(c.Questions, Question{ID: q.ID, Question: q.Question, Blocking: q.Blocking, Phase: q.Phase})
		}
	}
	c.Writes = append(c.Writes, r.Writes...)
	for _, s := range r.Sources {
		c.Sources = append(c.Sources, Source{Path: s.Path, Hash: s.Hash, Refs: len(s.Refs)})
	}
	c.Promise = r.Promise
	return c
}

// PolicyGate is the policy of the finding that a failed gate of a run gives.
const PolicyGate = "gate-result"

// New is a capsule with nothing in it, whose gate has passed. Who gathers one from a session begins here.
func New(now time.Time, traceID string) Capsule {
	return Capsule{
		Schema: Version, TraceID: traceID, CreatedAt: now.UTC().Truncate(time.Second),
		HardDenies: []string{}, Questions: []Question{}, Gate: Gate{Passed: true, Findings: []Finding{}},
		Writes: []Write{}, Sources: []Source{},
	}
}

// deny adds a hard deny unless it is blank or there already.
func (c *Capsule) deny(why string) {
	why = strings.TrimSpace(why)
	if why == "" {
		return
	}
	for _, d := range c.HardDenies {
		if d == why {
			return
		}
	}
	c.HardDenies = append(c.HardDenies, why)
}

// Empty reports whether a capsule says nothing that a session without one would not know.
func (c Capsule) Empty() bool {
	return len(c.HardDenies) == 0 && len(c.Questions) == 0 && c.Resume == nil && c.Gate.Passed && len(c.Gate.Findings) == 0 &&
		len(c.Writes) == 0 && len(c.Sources) == 0 && c.Promise == "" && c.Stop == nil
}

// Clone is a copy that shares nothing.
func (c *Capsule) Clone() *Capsule {
	if c == nil {
		return nil
	}
	out := *c
	out.HardDenies = clone(c.HardDenies)
	out.Questions = clone(c.Questions)
	out.Gate.Findings = clone(c.Gate.Findings)
	out.Writes = clone(c.Writes)
	out.Sources = clone(c.Sources)
	if c.Resume != nil {
		r := *c.Resume
		out.Resume = &r
	}
	if c.Stop != nil {
		s := *c.Stop
		out.Stop = &s
	}
	return &out
}

// clone copies a list and leaves nil nil, an empty one empty.
func clone[T any](list []T) []T {
	if list == nil {
		return nil
	}
	return append([]T{}, list...)
}
