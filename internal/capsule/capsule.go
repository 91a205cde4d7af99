// Package capsule is the record of what a summary drops although it constrains the work (SPEC §13): what is forbidden,
// what is asked, what comes next, which writes are half done, and which version of which file they rest on. It creates,
// validates and restores capsules; package render turns one into the text for a prompt.
//
// Start with the types below: their tags are the one description of the JSON. The key json names a field (one without
// omitempty is required), check says what its value must be beside the type, doc is for the schema. Validate, ParseRun and
// Schema are made from them. The package is pure: it imports jsonscan, and its callers look at the disk for it.
package capsule

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// version is the number of the layout of a capsule. New optional fields do not raise it.
const version = 1

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

// words are what a value may say, in the order of SPEC §13. A type with words is one of them.
func (Severity) words() []string {
	return []string{string(HardDeny), string(SoftDeny), string(EvidenceRequired), string(Warning)}
}

func (Status) words() []string {
	return []string{string(Planned), string(Blocked), string(Written), string(Verified)}
}

func (StopType) words() []string {
	return []string{
		string(StopDone), string(StopBlocked), string(StopBudget), string(StopStuck), string(StopUnsafe), string(StopScopeDrift),
	}
}

// Capsule is the record itself. Its lists are never nil when it comes from Create or Validate, so that they are [] in
// JSON.
type Capsule struct {
	Schema    int       `json:"schema" check:"version" doc:"The version of this layout; without it, 1."`
	TraceID   string    `json:"traceId" check:"name" doc:"Names the run or session the capsule comes from."`
	CreatedAt time.Time `json:"createdAt" doc:"RFC 3339."`
	// HardDenies are what must not be done, one sentence each.
	HardDenies []string   `json:"hardDenySummary" doc:"What must not be done, one sentence each."`
	Questions  []Question `json:"openQuestions"`
	// Resume is where the work goes on, nil if that is not known.
	Resume  *Resume  `json:"resumeSnapshot" doc:"Where the work goes on, null when nobody said."`
	Gate    Gate     `json:"currentGate"`
	Writes  []Write  `json:"writeTransactions"`
	Sources []Source `json:"sourceAnchors"`
	// Promise is the id of the completion promise, "" for none.
	Promise string `json:"completionPromiseId,omitempty"`
	// Constraints are what holds for all of the work: noted and configured denies, and what the person said. They block nothing.
	Constraints []string `json:"constraints,omitempty" doc:"What holds for all of the work: prohibitions and what the person said."`
	// Stop is why the work stopped, nil while it goes on.
	Stop *Stop `json:"stopHook,omitempty" doc:"Why the work stopped; absent while it goes on."`
}

// Question is a question that is not answered yet.
type Question struct {
	ID       string `json:"id" check:"name"`
	Question string `json:"question" check:"name"`
	Blocking bool   `json:"blocking" doc:"While it is open, risky writes wait for the answer."`
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
	ID     string `json:"id" check:"name"`
	Path   string `json:"path" check:"name" doc:"Relative to the project root."`
	Status Status `json:"status"`
}

// Pending reports whether a write is not done yet.
func (w Write) Pending() bool { return w.Status == Planned || w.Status == Blocked }

// Source is a file that the work rests on, in the version that was read.
type Source struct {
	Path string `json:"path" check:"name" doc:"Relative to the project root."`
	Hash string `json:"fileHash" check:"name" doc:"SHA-256 in hexadecimal digits; sha256: may stand before it."`
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
	ID string `json:"id" check:"name"`
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

// statusBlocked is the status of a repair that gave up.
const statusBlocked = "blocked"

// RunResume is a run's resume snapshot. Its gate reason counts whatever its status; the rest only while it is open.
type RunResume struct {
	Status            string `json:"status" doc:"It counts while this is \"open\"; its gateReason always does."`
	Phase             string `json:"phase,omitempty"`
	NextAction        string `json:"nextAction,omitempty"`
	PendingQuestionID string `json:"pendingQuestionId,omitempty"`
	GateReason        string `json:"gateReason,omitempty"`
}

// Repair is the state of a run's repair loop.
type Repair struct {
	Status   string `json:"status" doc:"\"blocked\" is the stop state blocked."`
	Evidence string `json:"lastFailureEvidence,omitempty"`
}

// RunQuestion is a question of a run, open or not.
type RunQuestion struct {
	ID       string `json:"id" check:"name"`
	Question string `json:"question" check:"name"`
	Blocking bool   `json:"blocking"`
	Phase    string `json:"phase,omitempty"`
	Status   string `json:"status" doc:"It is open while this is \"open\"."`
}

// RunSource is a source anchor of a run. What refers to it is the run's own business and only counted.
type RunSource struct {
	Path string `json:"path" check:"name"`
	Hash string `json:"fileHash" check:"name"`
	Refs []any  `json:"refs,omitempty" doc:"What refers to the file; only their number counts."`
}

// Create makes the capsule of a run (C1). The trace id defaults to the run's id.
func Create(r Run, now time.Time, traceID string) Capsule {
	c := New(now, traceID)
	if c.TraceID == "" {
		c.TraceID = r.ID
	}
	if r.Gate != nil {
		c.Gate.Passed, c.Gate.Reason = r.Gate.Passed, strings.TrimSpace(r.Gate.Reason)
	}
	if !c.Gate.Passed {
		c.deny(c.Gate.Reason)
		c.Gate.Findings = append(c.Gate.Findings, Finding{HardDeny, PolicyGate, cmp.Or(c.Gate.Reason, "gate not passed")})
	}
	if s := r.Resume; s != nil {
		c.deny(s.GateReason)
		if s.Status == StatusOpen {
			c.Resume = &Resume{Phase: s.Phase, NextAction: s.NextAction, PendingQuestionID: s.PendingQuestionID}
		}
	}
	if r.Repair != nil && r.Repair.Status == statusBlocked {
		c.deny(r.Repair.Evidence)
		c.Stop = &Stop{StopBlocked, cmp.Or(strings.TrimSpace(r.Repair.Evidence), "repair blocked")}
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

// New is a capsule with nothing in it, whose gate has passed.
func New(now time.Time, traceID string) Capsule {
	return Capsule{
		Schema: version, TraceID: traceID, CreatedAt: now.UTC().Truncate(time.Second),
		HardDenies: []string{}, Questions: []Question{}, Gate: Gate{Passed: true, Findings: []Finding{}},
		Writes: []Write{}, Sources: []Source{},
	}
}

// deny adds a hard deny unless it is blank or there already.
func (c *Capsule) deny(why string) {
	if why = strings.TrimSpace(why); why != "" && !slices.Contains(c.HardDenies, why) {
		c.HardDenies = append(c.HardDenies, why)
	}
}

// Empty reports whether a capsule says nothing.
func (c Capsule) Empty() bool {
	return len(c.HardDenies) == 0 && len(c.Questions) == 0 && c.Resume == nil && c.Gate.Passed && len(c.Gate.Findings) == 0 &&
		len(c.Writes) == 0 && len(c.Sources) == 0 && c.Promise == "" && c.Stop == nil && len(c.Constraints) == 0
}

// Clone is a copy that shares nothing.
func (c *Capsule) Clone() *Capsule {
	if c == nil {
		return nil
	}
	out := *c
	out.HardDenies = slices.Clone(c.HardDenies)
	out.Questions = slices.Clone(c.Questions)
	out.Constraints = slices.Clone(c.Constraints)
	out.Gate.Findings = slices.Clone(c.Gate.Findings)
	out.Writes = slices.Clone(c.Writes)
	out.Sources = slices.Clone(c.Sources)
	if c.Resume != nil {
		out.Resume = new(*c.Resume)
	}
	if c.Stop != nil {
		out.Stop = new(*c.Stop)
	}
	return &out
}
