package state

import (
	"github.com/mbgate/mbgate/internal/capsule"
	"github.com/mbgate/mbgate/internal/gate"
)

// These are the fields of what survives a compaction: notes, write transactions, source anchors and the capsule itself,
// whose names are those of its own JSON (SPEC §13).

func noted(c *coder, n *gate.Noted) { object(c, n, notedFields) }

func notedFields(c *coder, n *gate.Noted) {
	field(c, "id", &n.ID, always, text)
	field(c, "kind", &n.Kind, always, text)
	field(c, "text", &n.Text, always, text)
	field(c, "at", &n.At, always, instant)
	field(c, "agent", &n.Agent, n.Agent, truth)
	list(c, "paths", &n.Paths, len(n.Paths) > 0, text)
	field(c, "blocking", &n.Blocking, n.Blocking, truth)
	field(c, "phase", &n.Phase, n.Phase != "", text)
	field(c, "answer", &n.Answer, n.Answer != "", text)
	field(c, "answered_at", &n.AnsweredAt, !n.AnsweredAt.IsZero(), instant)
	field(c, "suspended", &n.Suspended, n.Suspended, truth)
}

func transaction(c *coder, w *gate.Write) { object(c, w, transactionFields) }

func transactionFields(c *coder, w *gate.Write) {
	field(c, "id", &w.ID, always, text)
	field(c, "path", &w.Path, always, text)
	field(c, "key", &w.Key, w.Key != "", text)
	field(c, "status", &w.Status, always, text)
	field(c, "gone", &w.Gone, w.Gone, truth)
}

func source(c *coder, s *gate.Source) { object(c, s, sourceFields) }

func sourceFields(c *coder, s *gate.Source) {
	field(c, "path", &s.Path, always, text)
	field(c, "key", &s.Key, s.Key != "", text)
	field(c, "stamp", &s.Stamp, always, stamp)
	field(c, "hash", &s.Hash, always, text)
	field(c, "refs", &s.Refs, s.Refs != 0, number)
	field(c, "bound", &s.Bound, s.Bound, truth)
	field(c, "tries", &s.Tries, s.Tries != 0, number)
}

func capsulePointer(c *coder, p **capsule.Capsule) { pointer(c, p, capsuleOf) }
func capsuleOf(c *coder, x *capsule.Capsule)       { object(c, x, capsuleFields) }

func capsuleFields(c *coder, x *capsule.Capsule) {
	field(c, "schema", &x.Schema, always, number)
	field(c, "traceId", &x.TraceID, always, text)
	field(c, "createdAt", &x.CreatedAt, always, instant)
	list(c, "hardDenySummary", &x.HardDenies, always, text)
	list(c, "openQuestions", &x.Questions, always, question)
	field(c, "resumeSnapshot", &x.Resume, always, resumePointer)
	field(c, "currentGate", &x.Gate, always, capsuleGate)
	list(c, "writeTransactions", &x.Writes, always, capsuleWrite)
	list(c, "sourceAnchors", &x.Sources, always, capsuleSource)
	field(c, "completionPromiseId", &x.Promise, x.Promise != "", text)
	field(c, "stopHook", &x.Stop, x.Stop != nil, stopPointer)
}

func question(c *coder, q *capsule.Question) { object(c, q, questionFields) }

func questionFields(c *coder, q *capsule.Question) {
	field(c, "id", &q.ID, always, text)
	field(c, "question", &q.Question, always, text)
	field(c, "blocking", &q.Blocking, always, truth)
	field(c, "phase", &q.Phase, q.Phase != "", text)
}

func resumePointer(c *coder, p **capsule.Resume) { pointer(c, p, resume) }
func resume(c *coder, r *capsule.Resume)         { object(c, r, resumeFields) }

func resumeFields(c *coder, r *capsule.Resume) {
	field(c, "phase", &r.Phase, r.Phase != "", text)
	field(c, "nextAction", &r.NextAction, always, text)
	field(c, "pendingQuestionId", &r.PendingQuestionID, r.PendingQuestionID != "", text)
}

func capsuleGate(c *coder, g *capsule.Gate) { object(c, g, capsuleGateFields) }

func capsuleGateFields(c *coder, g *capsule.Gate) {
	field(c, "passed", &g.Passed, always, truth)
	field(c, "reason", &g.Reason, g.Reason != "", text)
	list(c, "findings", &g.Findings, always, finding)
}

func finding(c *coder, f *capsule.Finding) { object(c, f, findingFields) }

func findingFields(c *coder, f *capsule.Finding) {
	field(c, "severity", &f.Severity, always, text)
	field(c, "policy", &f.Policy, f.Policy != "", text)
	field(c, "message", &f.Message, f.Message != "", text)
}

func capsuleWrite(c *coder, w *capsule.Write) { object(c, w, capsuleWriteFields) }

func capsuleWriteFields(c *coder, w *capsule.Write) {
	field(c, "id", &w.ID, always, text)
	field(c, "path", &w.Path, always, text)
	field(c, "status", &w.Status, always, text)
}

func capsuleSource(c *coder, s *capsule.Source) { object(c, s, capsuleSourceFields) }

func capsuleSourceFields(c *coder, s *capsule.Source) {
	field(c, "path", &s.Path, always, text)
	field(c, "fileHash", &s.Hash, always, text)
	field(c, "refCount", &s.Refs, always, number)
}

func stopPointer(c *coder, p **capsule.Stop) { pointer(c, p, stop) }
func stop(c *coder, s *capsule.Stop)         { object(c, s, stopFields) }

func stopFields(c *coder, s *capsule.Stop) {
	field(c, "type", &s.Type, always, text)
	field(c, "reason", &s.Reason, s.Reason != "", text)
}
