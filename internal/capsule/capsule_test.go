package capsule

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

const hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

const fullCapsule = `{"schema":1,"traceId":"run-7","createdAt":"2026-05-01T12:00:00Z","hardDenySummary":["no push to main"],
"openQuestions":[{"id":"q1","question":"Which table?","blocking":true,"phase":"design"}],
"resumeSnapshot":{"phase":"implement","nextAction":"write the migration","pendingQuestionId":"q1"},
"currentGate":{"passed":false,"reason":"tests fail","findings":[{"severity":"hard-deny","policy":"gate-result","message":"tests fail"}]},
"writeTransactions":[{"id":"w1","path":"src/a.go","status":"planned"}],
"sourceAnchors":[{"path":"docs/spec.md","fileHash":"` + hash + `","refCount":2}],
"completionPromiseId":"p1","stopHook":{"type":"stuck","reason":"three tries"}}`

const fullRun = `{"id":"run-7","gate":{"passed":false,"reason":"tests fail"},
"resumeSnapshot":{"status":"open","phase":"implement","nextAction":"write the migration","pendingQuestionId":"q1","gateReason":"no push to main"},
"repair":{"status":"blocked","lastFailureEvidence":"still red"},
"questions":[{"id":"q1","question":"Which table?","blocking":true,"phase":"design","status":"open"},{"id":"q0","question":"Old?","blocking":true,"status":"answered"}],
"writeTransactions":[{"id":"w1","path":"src/a.go","status":"planned"}],
"sourceAnchors":[{"path":"docs/spec.md","fileHash":"` + hash + `","refs":["q1","w1"]}],"completionPromiseId":"p1"}`

var at = time.Date(2026, 5, 1, 12, 0, 0, 7, time.FixedZone("", 3600))

func TestCreate(t *testing.T) {
	run, rep := ParseRun([]byte(fullRun))
	if !rep.Valid {
		t.Fatal(rep)
	}
	got := Create(run, at, "")
	want := Capsule{
		Schema: 1, TraceID: "run-7", CreatedAt: time.Date(2026, 5, 1, 11, 0, 0, 0, time.UTC),
		HardDenies: []string{"tests fail", "no push to main", "still red"},
		Questions:  []Question{{ID: "q1", Question: "Which table?", Blocking: true, Phase: "design"}},
		Resume:     &Resume{Phase: "implement", NextAction: "write the migration", PendingQuestionID: "q1"},
		Gate:       Gate{Reason: "tests fail", Findings: []Finding{{HardDeny, "gate-result", "tests fail"}}},
		Writes:     []Write{{"w1", "src/a.go", Planned}},
		Sources:    []Source{{"docs/spec.md", hash, 2}},
		Promise:    "p1", Stop: &Stop{StopBlocked, "still red"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestCreateByParts(t *testing.T) {
	for _, c := range []struct {
		name, run string
		check     func(Capsule) bool
	}{
		{"nothing", `{"id":"r"}`, func(c Capsule) bool {
			return c.Gate.Passed && len(c.HardDenies) == 0 && c.Resume == nil && c.Stop == nil && c.TraceID == "r" && c.Empty()
		}},
		{"a passed gate denies nothing", `{"id":"r","gate":{"passed":true,"reason":"all green"}}`, func(c Capsule) bool {
			return c.Gate.Passed && c.Gate.Reason == "all green" && len(c.HardDenies) == 0 && len(c.Gate.Findings) == 0
		}},
		{"a gate that failed without a reason", `{"id":"r","gate":{"passed":false,"reason":" "}}`, func(c Capsule) bool {
			return !c.Gate.Passed && len(c.HardDenies) == 0 && c.Gate.Findings[0] == Finding{HardDeny, "gate-result", "gate not passed"}
		}},
		{"the same reason three times", `{"id":"r","gate":{"passed":false,"reason":"red"},"resumeSnapshot":{"status":"open","nextAction":"","gateReason":" red "},"repair":{"status":"blocked","lastFailureEvidence":"red\n"}}`, func(c Capsule) bool {
			return slices.Equal(c.HardDenies, []string{"red"}) && c.Stop.Reason == "red"
		}},
		{"a closed snapshot is no resume point, its gate reason stays", `{"id":"r","resumeSnapshot":{"status":"closed","nextAction":"x","gateReason":"no"}}`, func(c Capsule) bool {
			return c.Resume == nil && slices.Equal(c.HardDenies, []string{"no"})
		}},
		{"a repair that works denies nothing", `{"id":"r","repair":{"status":"running","lastFailureEvidence":"red"}}`, func(c Capsule) bool {
			return c.Stop == nil && len(c.HardDenies) == 0
		}},
		{"a blocked repair without a reason", `{"id":"r","repair":{"status":"blocked"}}`, func(c Capsule) bool {
			return *c.Stop == Stop{StopBlocked, "repair blocked"} && len(c.HardDenies) == 0
		}},
	} {
		run, rep := ParseRun([]byte(c.run))
		if got := Create(run, at, ""); !rep.Valid || !c.check(got) {
			t.Errorf("%s: %+v %+v", c.name, rep, got)
		}
	}
	if c := Create(Run{ID: "r"}, at, "trace"); c.TraceID != "trace" {
		t.Error(c.TraceID)
	}
}

func TestValidateNamesEverything(t *testing.T) {
	for _, c := range []struct {
		name, text string
		missing    []string
		problem    string
	}{
		{"nothing", `{}`, []string{"traceId", "createdAt", "hardDenySummary", "openQuestions", "currentGate", "writeTransactions", "sourceAnchors"}, "is missing"},
		{
			"deep", `{"traceId":" ","createdAt":"today","hardDenySummary":[1],"openQuestions":[{"id":"a","question":"b","blocking":true},7,{"question":"c","blocking":"yes"}],
			"currentGate":{"findings":[{"severity":"bad"}]},"writeTransactions":{},"sourceAnchors":[{"path":"p","fileHash":"h","refCount":1.5}],"stopHook":{"type":"tired"},"resumeSnapshot":[]}`,
			[]string{
				"traceId", "createdAt", "hardDenySummary[0]", "openQuestions[1]", "openQuestions[2].id", "openQuestions[2].blocking",
				"resumeSnapshot", "currentGate.passed", "currentGate.findings[0].severity", "writeTransactions", "sourceAnchors[0].refCount", "stopHook.type",
			},
			"must be one of hard-deny",
		},
		{"twice", strings.Replace(fullCapsule, `"traceId"`, `"traceId":"a","traceId"`, 1), []string{"traceId"}, "is there 2 times"},
		{"a newer layout", strings.Replace(fullCapsule, `"schema":1`, `"schema":2`, 1), []string{"schema"}, "knows 1 only"},
		{"a list", `[]`, []string{}, "must be an object, is a list"},
		{"two", `{} {}`, []string{}, "more after the object"},
		{"empty", " \n", []string{}, "is empty"},
		{"torn", `{"a":`, []string{}, "not JSON, at byte 6"},
		{"bytes", "{\"a\":\"\xff\"}", []string{}, "not valid UTF-8"},
		{"nested", strings.Repeat(`{"a":`, 10000) + "1" + strings.Repeat("}", 10000), []string{}, "nested deeper"},
		{"large", `{"a":"` + strings.Repeat("x", 50<<20) + `"}`, []string{}, "larger than 8 MB"},
	} {
		got, r := Validate([]byte(c.text))
		if r.Valid || !slices.Equal(r.Missing, c.missing) {
			t.Errorf("%s: missing %q, want %q", c.name, r.Missing, c.missing)
		}
		if !reflect.DeepEqual(got, Capsule{}) {
			t.Errorf("%s: half a capsule was made: %+v", c.name, got)
		}
		err := (&InvalidError{"capsule", r}).Error()
		if !strings.Contains(err, c.problem) {
			t.Errorf("%s: %s", c.name, err)
		}
	}
	_, r := Validate([]byte(strings.Replace(fullCapsule, `"blocking"`, `"<\u001b[2J>":1,"blocking"`, 1)))
	if !r.Valid || !slices.Equal(r.Warnings, []string{`openQuestions[0].<\x1b[2J> is unknown and ignored`}) {
		t.Errorf("%+v", r)
	}
	many := `{"openQuestions":[` + strings.TrimSuffix(strings.Repeat("0,", 5000), ",") + `]}`
	if _, r := Validate([]byte(many)); len(r.Problems) > maxReported || len(r.Warnings) != 1 {
		t.Errorf("%d problems, %q", len(r.Problems), r.Warnings)
	}
}

func TestValidateWarns(t *testing.T) {
	c := New(at, "t")
	c.Questions = []Question{{ID: "q", Question: "?", Blocking: true}}
	c.Writes = []Write{{"w", "a", Planned}}
	raw, _ := json.Marshal(c)
	_, r := Validate(raw)
	if !r.Valid || len(r.Warnings) != 2 || !strings.Contains(r.Warnings[0], "no resumeSnapshot") || !strings.Contains(r.Warnings[1], "no sourceAnchors") {
		t.Errorf("%+v", r)
	}
	c.Resume, c.Sources = &Resume{}, []Source{{"a", hash, 1}}
	raw, _ = json.Marshal(c)
	if _, r := Validate(raw); len(r.Warnings) != 0 {
		t.Errorf("%+v", r)
	}
}

// TestNextAction goes through every combination of what the next action depends on.
func TestNextAction(t *testing.T) {
	type want struct{ next, reason string }
	for bits := range 1 << 5 {
		for _, stop := range []StopType{"", StopDone, StopBlocked} {
			stopped := stop != ""
			deny, blocking, resume, failed, plain := bits&1 > 0, bits&2 > 0, bits&4 > 0, bits&8 > 0, bits&16 > 0
			c := New(at, "t")
			if stopped {
				c.Stop = &Stop{stop, "S"}
			}
			if deny {
				c.HardDenies = []string{"D1", "D2"}
			}
			if plain {
				c.Questions = append(c.Questions, Question{ID: "q0", Question: "Q0"})
			}
			if blocking {
				c.Questions = append(c.Questions, Question{ID: "q1", Question: "Q1", Blocking: true}, Question{ID: "q2", Question: "Q2", Blocking: true})
			}
			if resume {
				c.Resume = &Resume{Phase: "verify", NextAction: "R"}
			}
			if failed {
				c.Gate = Gate{Findings: []Finding{{Severity: SoftDeny, Message: "F"}}}
			}
			var w want
			switch {
			case stop == StopDone:
				w.next = "report the result and stop: the work is done: S"
			case stopped:
				w.next = "resolve the stop state blocked: S"
			case deny:
				w.next = "resolve the hard deny, do not bypass it: D1"
			case blocking:
				w.next = "answer the blocking question q1: Q1"
			case resume:
				w.next = "R"
			case failed:
				w.next = "make the gate pass: F"
			default:
				w.next = "continue the work"
			}
			switch {
			case deny:
				w.reason = "hard deny: D1 (and 1 more)"
			case blocking:
				w.reason = "blocking question q1: Q1 (and 1 more)"
			case stop == StopBlocked:
				w.reason = "stopped, blocked: S"
			}
			r := Restore(c, func(string) (string, bool) { return "", false })
			if r.NextAction != w.next || r.Reason != w.reason || r.Blocked != (w.reason != "") {
				t.Errorf("%+v:\n got %q %q\nwant %q %q", c, r.NextAction, r.Reason, w.next, w.reason)
			}
			if phase := map[bool]string{true: "verify", false: "execute"}[resume]; r.Phase != phase {
				t.Errorf("phase %q, want %q", r.Phase, phase)
			}
		}
	}
}

func TestRestoreMarksStaleSources(t *testing.T) {
	c := New(at, "t")
	c.Sources = []Source{{"same", "SHA256:" + strings.ToUpper(hash), 1}, {"changed", hash, 2}, {"gone", hash, 3}}
	c.Writes = []Write{{"1", "a", Planned}, {"2", "b", Blocked}, {"3", "c", Written}, {"4", "d", Verified}}
	r := Restore(c, func(p string) (string, bool) {
		return map[string]string{"same": hash, "changed": hash[1:] + "0"}[p], p != "gone"
	})
	var stale []bool
	for _, s := range r.Sources {
		stale = append(stale, s.Stale)
	}
	if !slices.Equal(stale, []bool{false, true, true}) || len(r.Writes) != 2 {
		t.Errorf("%v %v", stale, r.Writes)
	}
	raw, err := json.Marshal(r)
	if err != nil || !strings.Contains(string(raw), `{"path":"gone","fileHash":"`+hash+`","refCount":3,"stale":true}`) || strings.Contains(string(raw), "null") {
		t.Errorf("%s %v", raw, err)
	}
}
