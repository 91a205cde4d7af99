package capsule

import (
	"fmt"
	"reflect"
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

// Report is the result of validating.
type Report struct {
	Valid bool `json:"valid"`
	// Missing are the paths of the fields that are missing or unusable: of a wrong type, blank, or there twice.
	Missing []string `json:"missing" doc:"The paths of fields that are missing or unusable."`
	// Warnings do not make a capsule invalid.
	Warnings []string `json:"warnings"`
	// Problems say what is wrong with each invalid thing; one about the whole text has no path.
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

// Error names the first twenty problems.
func (e *InvalidError) Error() string {
	var parts []string
	for i, p := range e.Report.Problems {
		if i == 20 {
			parts = append(parts, fmt.Sprintf("and %d more", len(e.Report.Problems)-i))
			break
		}
		parts = append(parts, strings.TrimSpace(p.Path+" "+p.What))
	}
	return "the " + e.What + " is invalid: " + strings.Join(parts, "; ") + "; `mbgate capsule schema` says what it has to hold"
}

// Validate reads the text of a capsule and names everything that is wrong with it at once (C2). The capsule is the zero
// one unless the report is valid.
func Validate(raw []byte) (Capsule, Report) {
	c := New(time.Time{}, "")
	r := check(raw, &c)
	if !r.Valid {
		return Capsule{}, r
	}
	r.Warnings = append(r.Warnings, c.warnings()...)
	return c, r
}

// ParseRun reads the text of a run file and names everything that is wrong with it at once. The run is the zero one
// unless the report is valid.
func ParseRun(raw []byte) (Run, Report) {
	var run Run
	r := check(raw, &run)
	if !r.Valid {
		return Run{}, r
	}
	return run, r
}

// warnings are what a valid capsule leaves open (C2).
func (c Capsule) warnings() []string {
	var out []string
	blocking := slices.IndexFunc(c.Questions, func(q Question) bool { return q.Blocking })
	if c.Resume == nil && blocking >= 0 {
		out = append(out, "openQuestions: "+shown(c.Questions[blocking].ID)+" is blocking, but there is no resumeSnapshot to say what waits for it")
	}
	planned := slices.IndexFunc(c.Writes, func(w Write) bool { return w.Status == Planned })
	if len(c.Sources) == 0 && planned >= 0 {
		out = append(out, "writeTransactions: "+shown(c.Writes[planned].Path)+" is planned, but there are no sourceAnchors to check it against")
	}
	return out
}

// check reads a text into the struct that into points to, by the struct's tags, and reports what is wrong.
func check(raw []byte, into any) Report {
	var c checker
	if v, problem := document(raw); problem != "" {
		c.bad("", problem)
	} else {
		c.value("", v, reflect.ValueOf(into).Elem(), "")
	}
	r := Report{Valid: len(c.problems) == 0, Missing: []string{}, Warnings: append([]string{}, c.warnings...), Problems: append([]Problem{}, c.problems...)}
	for _, p := range c.problems {
		if p.Path != "" && !slices.Contains(r.Missing, p.Path) {
			r.Missing = append(r.Missing, p.Path)
		}
	}
	if c.more > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("and %d more of the kind", c.more))
	}
	return r
}

// checker reads values from JSON and collects what is wrong.
type checker struct {
	problems []Problem
	warnings []string
	more     int // problems and warnings beyond maxReported
}

func (c *checker) bad(path, what string) { report(c, &c.problems, Problem{path, what}) }

func (c *checker) warn(text string) { report(c, &c.warnings, text) }

// report adds to a list of the checker while it is short.
func report[T any](c *checker, list *[]T, x T) {
	if len(*list) >= maxReported {
		c.more++
		return
	}
	*list = append(*list, x)
}

// document checks a text as a whole: size, encoding, nesting, one value and nothing else. It gives the value, or says
// what is wrong.
func document(raw []byte) (value []byte, problem string) {
	switch {
	case len(raw) > MaxBytes:
		return nil, fmt.Sprintf("the text is larger than %d MB", MaxBytes>>20)
	case !utf8.Valid(raw):
		return nil, "the text is not valid UTF-8"
	}
	s := jsonscan.Scanner{Data: raw}
	s.Space()
	from := s.Pos
	switch {
	case s.Pos == len(raw):
		return nil, "the text is empty"
	case s.Value():
	case s.Deep:
		return nil, fmt.Sprintf("the text is nested deeper than %d levels", jsonscan.MaxDepth)
	default:
		return nil, fmt.Sprintf("the text is not JSON, at byte %d", s.Pos+1)
	}
	value = raw[from:s.Pos]
	if s.Space(); s.Pos != len(raw) {
		return nil, fmt.Sprintf("there is more after the object, at byte %d", s.Pos+1)
	}
	return value, ""
}

// value reads a JSON value into v. rule is the check of its field.
func (c *checker) value(path string, raw []byte, v reflect.Value, rule string) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		c.time(path, raw, v)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		c.value(path, raw, v.Elem(), rule)
	case reflect.Struct:
		c.object(path, raw, v)
	case reflect.Slice:
		elements, ok := jsonscan.Elements(raw)
		if !ok {
			c.bad(path, "must be a list, is "+kind(raw))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), len(elements), len(elements)))
		for i, e := range elements {
			c.value(path+"["+strconv.Itoa(i)+"]", e, v.Index(i), "")
		}
	case reflect.String:
		c.text(path, raw, v, rule)
	case reflect.Bool:
		if raw[0] != 't' && raw[0] != 'f' {
			c.bad(path, "must be true or false, is "+kind(raw))
			return
		}
		v.SetBool(raw[0] == 't')
	case reflect.Int:
		n, err := strconv.ParseInt(string(raw), 10, 32)
		switch {
		case err != nil && kind(raw) == aNumber || n < 0:
			c.bad(path, "must be a whole number from 0 on, is "+shown(string(raw)))
		case err != nil:
			c.bad(path, "must be a whole number from 0 on, is "+kind(raw))
		case rule == "version" && (n < 1 || n > version):
			c.bad(path, fmt.Sprintf("is %d, and this mbgate knows %d only", n, version))
		}
		v.SetInt(n)
	}
}

// object reads the members of an object, each into its field, and names every one that is missing, there twice or
// unknown.
func (c *checker) object(path string, raw []byte, v reflect.Value) {
	members, ok := jsonscan.Members(raw)
	if !ok {
		c.bad(path, "must be an object, is "+kind(raw))
		return
	}
	fields := fieldsOf(v.Type())
	found := make([][]byte, len(fields))
	times := make([]int, len(fields))
	for _, m := range members {
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == m.Key })
		if i < 0 {
			c.warn(join(path, shown(m.Key)) + " is unknown and ignored")
			continue
		}
		times[i]++
		found[i] = m.Value
	}
	for i, f := range fields {
		p := join(path, f.name)
		switch {
		case times[i] > 1:
			c.bad(p, "is there "+strconv.Itoa(times[i])+" times")
		case times[i] == 0 && !f.optional:
			c.bad(p, "is missing")
		case times[i] == 1 && !(f.optional && string(found[i]) == "null"):
			c.value(p, found[i], v.FieldByIndex(f.index), f.check)
		}
	}
}

func (c *checker) quoted(path string, raw []byte) (string, bool) {
	if raw[0] != '"' {
		c.bad(path, "must be a string, is "+kind(raw))
		return "", false
	}
	return jsonscan.Unquote(raw), true
}

// text reads a string, which may have to be one of a few words, or not blank.
func (c *checker) text(path string, raw []byte, v reflect.Value, rule string) {
	s, ok := c.quoted(path, raw)
	if !ok {
		return
	}
	if words := wordsOf(v.Type()); words != nil && !slices.Contains(words, s) {
		c.bad(path, "must be one of "+strings.Join(words, ", ")+`, is "`+shown(s)+`"`)
		return
	}
	if rule == "name" && strings.TrimSpace(s) == "" {
		c.bad(path, "is blank")
	}
	v.SetString(s)
}

func (c *checker) time(path string, raw []byte, v reflect.Value) {
	s, ok := c.quoted(path, raw)
	if !ok {
		return
	}
	t, err := time.Parse(time.RFC3339, s)
	// In UTC it has to be a time that RFC 3339 can say, too.
	if y := t.UTC().Year(); err != nil || y < 0 || y > 9999 {
		c.bad(path, `must be a time as in 2026-05-01T12:00:00Z, is "`+shown(s)+`"`)
		return
	}
	v.Set(reflect.ValueOf(t.UTC()))
}

const aNumber = "a number"

// kind is the type of a JSON value in words.
func kind(raw []byte) string {
	switch raw[0] {
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
	return aNumber
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// shown is the beginning of a text from outside, as it may stand in a line of ours.
func shown(s string) string {
	quoted := strconv.Quote(s[:min(len(s), 40)])
	if len(s) > 40 {
		return quoted[1:len(quoted)-1] + "…"
	}
	return quoted[1 : len(quoted)-1]
}
