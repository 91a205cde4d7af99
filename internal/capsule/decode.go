package capsule

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mbgate/mbgate/internal/jsonscan"
)

// MaxBytes is how large the text of a capsule or a run file may be. A run of a thousand questions takes 200 kB.
const MaxBytes = 8 << 20

// maxReported bounds how many problems and warnings a report names one by one.
const maxReported = 200

// Report is what validating brought.
type Report struct {
	Valid bool `json:"valid"`
	// Missing are the paths of the fields that are missing or unusable: of a wrong type, blank, or there twice.
	Missing []string `json:"missing"`
	// Warnings do not make a capsule invalid.
	Warnings []string `json:"warnings"`
	// Problems say of every invalid thing what is wrong with it; what concerns the text as a whole has no path.
	Problems []Problem `json:"problems"`
}

// Problem is one thing that makes a text invalid.
type Problem struct {
	// Path is the field, as in openQuestions[2].id; "" is the whole text.
	Path string `json:"path"`
	// What is wrong with it: "is missing", "must be a string, is a number".
	What string `json:"what"`
}

// InvalidError is why a capsule or run file was not taken.
type InvalidError struct {
	// What is "capsule" or "run file".
	What   string
	Report Report
}

// Error names every problem.
func (e *InvalidError) Error() string {
	var parts []string
	for i, p := range e.Report.Problems {
		if i == 20 {
			parts = append(parts, fmt.Sprintf("and %d more", len(e.Report.Problems)-i))
			break
		}
		parts = append(parts, strings.TrimSpace(oneLine(p.Path)+" "+p.What))
	}
	return "the " + e.What + " is invalid: " + strings.Join(parts, "; ") + "; `mbgate capsule schema` says what it has to hold"
}

// Validate reads the text of a capsule and names everything that is wrong with it at once (C2). The capsule is the zero
// one unless the report is valid.
func Validate(raw []byte) (Capsule, Report) {
	d := decoder{}
	c := New(time.Time{}, "")
	if v := d.document(raw); v != nil {
		d.capsule(v, &c)
	}
	r := d.report()
	if !r.Valid {
		return Capsule{}, r
	}
	r.Warnings = append(r.Warnings, c.warnings()...)
	return c, r
}

// warnings are what a valid capsule leaves open (C2).
func (c Capsule) warnings() []string {
	var out []string
	if c.Resume == nil {
		for _, q := range c.Questions {
			if q.Blocking {
				out = append(out, "openQuestions: "+oneLine(q.ID)+" is blocking, but there is no resumeSnapshot to say what waits for it")
				break
			}
		}
	}
	for _, w := range c.Writes {
		if w.Status == Planned && len(c.Sources) == 0 {
			out = append(out, "writeTransactions: "+oneLine(w.Path)+" is planned, but there are no sourceAnchors to check it against")
			break
		}
	}
	return out
}

// ParseRun reads the text of a run file and names everything that is wrong with it at once. The run is the zero one
// unless the report is valid.
func ParseRun(raw []byte) (Run, Report) {
	d := decoder{}
	var run Run
	if v := d.document(raw); v != nil {
		d.run(v, &run)
	}
	r := d.report()
	if !r.Valid {
		return Run{}, r
	}
	return run, r
}

// decoder reads values from checked JSON and collects what is wrong.
type decoder struct {
	problems []Problem
	warnings []string
	more     int // problems and warnings beyond maxReported
}

func (d *decoder) report() Report {
	r := Report{Valid: len(d.problems) == 0, Missing: []string{}, Warnings: append([]string{}, d.warnings...), Problems: append([]Problem{}, d.problems...)}
	for _, p := range d.problems {
		if p.Path != "" && !slices.Contains(r.Missing, p.Path) {
			r.Missing = append(r.Missing, p.Path)
		}
	}
	if d.more > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("and %d more of the kind", d.more))
	}
	return r
}

func (d *decoder) bad(path, what string) {
	if len(d.problems) >= maxReported {
		d.more++
		return
	}
	d.problems = append(d.problems, Problem{path, what})
}

func (d *decoder) warn(text string) {
	if len(d.warnings) >= maxReported {
		d.more++
		return
	}
	d.warnings = append(d.warnings, text)
}

// document checks a text as a whole: size, encoding, nesting, one object and nothing else. It gives nil when there is
// nothing to look into.
func (d *decoder) document(raw []byte) []byte {
	switch {
	case len(raw) > MaxBytes:
		d.bad("", fmt.Sprintf("the text is larger than %d MB", MaxBytes>>20))
		return nil
	case !utf8.Valid(raw):
		d.bad("", "the text is not valid UTF-8")
		return nil
	}
	s := jsonscan.Scanner{Data: raw}
	s.Space()
	from := s.Pos
	switch {
	case s.Pos == len(raw):
		d.bad("", "the text is empty")
		return nil
	case !s.Value():
		if s.Deep {
			d.bad("", fmt.Sprintf("the text is nested deeper than %d levels", jsonscan.MaxDepth))
			return nil
		}
		d.bad("", fmt.Sprintf("the text is not JSON, at byte %d", s.Pos+1))
		return nil
	}
	v := raw[from:s.Pos]
	s.Space()
	if s.Pos != len(raw) {
		d.bad("", fmt.Sprintf("there is more after the object, at byte %d", s.Pos+1))
		return nil
	}
	if v[0] != '{' {
		d.bad("", "must be an object, is "+kind(v))
		return nil
	}
	return v
}

// kind is the type of a JSON value in words.
func kind(v []byte) string {
	switch v[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// field is a member that an object may have.
type field struct {
	name string
	need need
	take func(path string, v []byte)
}

// need is whether a member has to be there. Optional ones may be null.
type need bool

const (
	required need = true
	optional need = false
)

// object reads the members of an object: each goes to its field, every one that is missing, there twice or nobody's is
// named.
func (d *decoder) object(path string, v []byte, fields ...field) {
	members, ok := jsonscan.Members(v)
	if !ok {
		d.bad(path, "must be an object, is "+kind(v))
		return
	}
	seen := make([]int, len(fields))
	values := make([][]byte, len(fields))
	for _, m := range members {
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == m.Key })
		if i < 0 {
			d.warn(join(path, oneLine(cut(m.Key, 20))) + " is unknown and ignored")
			continue
		}
		seen[i]++
		values[i] = m.Value
	}
	for i, f := range fields {
		p := join(path, f.name)
		switch {
		case seen[i] > 1:
			d.bad(p, "is there "+strconv.Itoa(seen[i])+" times")
		case seen[i] == 0 && f.need == required:
			d.bad(p, "is missing")
		case seen[i] == 0 || f.need == optional && string(values[i]) == "null":
		default:
			f.take(p, values[i])
		}
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// list reads a list, each element by take.
func list[T any](d *decoder, into *[]T, take func(path string, v []byte) T) func(string, []byte) {
	return func(path string, v []byte) {
		elements, ok := jsonscan.Elements(v)
		if !ok {
			d.bad(path, "must be a list, is "+kind(v))
			return
		}
		*into = make([]T, 0, len(elements))
		for i, e := range elements {
			*into = append(*into, take(path+"["+strconv.Itoa(i)+"]", e))
		}
	}
}

// text reads a string that may be blank, name one that may not.
func (d *decoder) text(into *string) func(string, []byte) {
	return func(path string, v []byte) {
		if v[0] != '"' {
			d.bad(path, "must be a string, is "+kind(v))
			return
		}
		*into = jsonscan.Unquote(v)
	}
}

func (d *decoder) name(into *string) func(string, []byte) {
	return func(path string, v []byte) {
		d.text(into)(path, v)
		if v[0] == '"' && strings.TrimSpace(*into) == "" {
			d.bad(path, "is blank")
		}
	}
}

func word[T ~string](d *decoder, into *T, allowed []string) func(string, []byte) {
	return func(path string, v []byte) {
		if v[0] != '"' {
			d.bad(path, "must be a string, is "+kind(v))
			return
		}
		s := jsonscan.Unquote(v)
		if !slices.Contains(allowed, s) {
			d.bad(path, "must be one of "+strings.Join(allowed, ", ")+", is "+strconv.Quote(cut(s, 10)))
			return
		}
		*into = T(s)
	}
}

func (d *decoder) truth(into *bool) func(string, []byte) {
	return func(path string, v []byte) {
		if v[0] != 't' && v[0] != 'f' {
			d.bad(path, "must be true or false, is "+kind(v))
			return
		}
		*into = v[0] == 't'
	}
}

func (d *decoder) count(into *int) func(string, []byte) {
	return func(path string, v []byte) {
		n, err := strconv.ParseInt(string(v), 10, 32)
		if err != nil || n < 0 {
			d.bad(path, "must be a whole number from 0 on, is "+kindOrNumber(v))
			return
		}
		*into = int(n)
	}
}

func kindOrNumber(v []byte) string {
	if k := kind(v); k != "a number" {
		return k
	}
	return cut(string(v), 10)
}

func (d *decoder) instant(into *time.Time) func(string, []byte) {
	return func(path string, v []byte) {
		var s string
		d.text(&s)(path, v)
		if v[0] != '"' {
			return
		}
		t, err := time.Parse(time.RFC3339, s)
		// In UTC it has to be a time that RFC 3339 can say, too.
		if y := t.UTC().Year(); err != nil || y < 0 || y > 9999 {
			d.bad(path, "must be a time as in 2026-05-01T12:00:00Z, is "+strconv.Quote(cut(s, 10)))
			return
		}
		*into = t.UTC()
	}
}

func (d *decoder) version(into *int) func(string, []byte) {
	return func(path string, v []byte) {
		problems := len(d.problems)
		d.count(into)(path, v)
		if len(d.problems) == problems && (*into < 1 || *into > Version) {
			d.bad(path, fmt.Sprintf("is %d, and this mbgate knows %d only", *into, Version))
		}
	}
}

// capsule reads a capsule. The order of the fields is that of the type.
func (d *decoder) capsule(v []byte, c *Capsule) {
	d.object(
		"", v,
		field{"schema", optional, d.version(&c.Schema)},
		field{"traceId", required, d.name(&c.TraceID)},
		field{"createdAt", required, d.instant(&c.CreatedAt)},
		field{"hardDenySummary", required, list(d, &c.HardDenies, func(p string, v []byte) (s string) {
			d.text(&s)(p, v)
			return s
		})},
		field{"openQuestions", required, list(d, &c.Questions, func(p string, v []byte) (q Question) {
			d.object(
				p, v,
				field{"id", required, d.name(&q.ID)}, field{"question", required, d.name(&q.Question)},
				field{"blocking", required, d.truth(&q.Blocking)}, field{"phase", optional, d.text(&q.Phase)},
			)
			return q
		})},
		field{"resumeSnapshot", optional, func(p string, v []byte) {
			var r Resume
			d.object(
				p, v,
				field{"phase", optional, d.text(&r.Phase)}, field{"nextAction", required, d.text(&r.NextAction)},
				field{"pendingQuestionId", optional, d.text(&r.PendingQuestionID)},
			)
			c.Resume = &r
		}},
		field{"currentGate", required, func(p string, v []byte) {
			d.object(
				p, v,
				field{"passed", required, d.truth(&c.Gate.Passed)}, field{"reason", optional, d.text(&c.Gate.Reason)},
				field{"findings", required, list(d, &c.Gate.Findings, func(p string, v []byte) (f Finding) {
					d.object(
						p, v,
						field{"severity", required, word(d, &f.Severity, severities())},
						field{"policy", optional, d.text(&f.Policy)}, field{"message", optional, d.text(&f.Message)},
					)
					return f
				})},
			)
		}},
		field{"writeTransactions", required, list(d, &c.Writes, d.write)},
		field{"sourceAnchors", required, list(d, &c.Sources, func(p string, v []byte) (s Source) {
			d.object(
				p, v,
				field{"path", required, d.name(&s.Path)}, field{"fileHash", required, d.name(&s.Hash)},
				field{"refCount", required, d.count(&s.Refs)},
			)
			return s
		})},
		field{"completionPromiseId", optional, d.text(&c.Promise)},
		field{"stopHook", optional, func(p string, v []byte) {
			var s Stop
			d.object(
				p, v,
				field{"type", required, word(d, &s.Type, stopTypes())}, field{"reason", optional, d.text(&s.Reason)},
			)
			c.Stop = &s
		}},
	)
}

func (d *decoder) write(p string, v []byte) (w Write) {
	d.object(
		p, v,
		field{"id", required, d.name(&w.ID)}, field{"path", required, d.name(&w.Path)},
		field{"status", required, word(d, &w.Status, statuses())},
	)
	return w
}

// run reads a run file.
func (d *decoder) run(v []byte, r *Run) {
	d.object(
		"", v,
		field{"id", required, d.name(&r.ID)},
		field{"gate", optional, func(p string, v []byte) {
			var g RunGate
			d.object(p, v, field{"passed", required, d.truth(&g.Passed)}, field{"reason", optional, d.text(&g.Reason)})
			r.Gate = &g
		}},
		field{"resumeSnapshot", optional, func(p string, v []byte) {
			var s RunResume
			d.object(
				p, v,
				field{"status", required, d.text(&s.Status)}, field{"phase", optional, d.text(&s.Phase)},
				field{"nextAction", optional, d.text(&s.NextAction)},
				field{"pendingQuestionId", optional, d.text(&s.PendingQuestionID)},
				field{"gateReason", optional, d.text(&s.GateReason)},
			)
			r.Resume = &s
		}},
		field{"repair", optional, func(p string, v []byte) {
			var x Repair
			d.object(
				p, v,
				field{"status", required, d.text(&x.Status)}, field{"lastFailureEvidence", optional, d.text(&x.Evidence)},
			)
			r.Repair = &x
		}},
		field{"questions", optional, list(d, &r.Questions, func(p string, v []byte) (q RunQuestion) {
			d.object(
				p, v,
				field{"id", required, d.name(&q.ID)}, field{"question", required, d.name(&q.Question)},
				field{"blocking", required, d.truth(&q.Blocking)}, field{"phase", optional, d.text(&q.Phase)},
				field{"status", required, d.text(&q.Status)},
			)
			return q
		})},
		field{"writeTransactions", optional, list(d, &r.Writes, d.write)},
		field{"sourceAnchors", optional, list(d, &r.Sources, func(p string, v []byte) (s RunSource) {
			d.object(
				p, v,
				field{"path", required, d.name(&s.Path)}, field{"fileHash", required, d.name(&s.Hash)},
				field{"refs", optional, d.refs(&s.Refs)},
			)
			return s
		})},
		field{"completionPromiseId", optional, d.text(&r.Promise)},
	)
}

// refs reads the places that refer to a source. What one looks like is the run's own business; it is only counted.
func (d *decoder) refs(into *[]string) func(string, []byte) {
	return list(d, into, func(_ string, v []byte) string {
		if v[0] == '"' {
			return jsonscan.Unquote(v)
		}
		return string(v)
	})
}
