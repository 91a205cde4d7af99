package wire

import (
	"math"
	"strconv"
	"unicode"

	"github.com/mbgate/mbgate/internal/jsonscan"
)

// Fields reads the values of one object by their types. The first wrong one is remembered for Err, which the readers of
// nested objects share, and everything read after it does not matter.
type Fields struct {
	Object
	at  string // the path of the object, with a final dot: "tool_input."
	err **InputError
}

// NewFields reads a payload.
func NewFields(p Object) Fields {
	return Fields{Object: p, err: new(*InputError)}
}

// Err describes the first bad field; nil means that every field was good.
func (f Fields) Err() *InputError { return *f.err }

// At is a reader of an object that stands under key in another form, with the same error.
func (f Fields) At(key string, o Object) Fields {
	return Fields{Object: o, at: f.at + key + ".", err: f.err}
}

// Fail remembers what is wrong with a field.
func (f Fields) Fail(key, problem, remedy string) {
	if *f.err == nil {
		*f.err = &InputError{Field: f.at + key, Problem: problem, Remedy: remedy}
	}
}

// Str is a string, "" when absent.
func (f Fields) Str(key string) string {
	v := f.Get(key)
	if v == nil {
		return ""
	}
	if v[0] != '"' {
		f.Fail(key, "must be a string, not "+kindOf(v), "send a string or leave it out")
		return ""
	}
	return jsonscan.Unquote(v)
}

// maxID is the longest id that is accepted, in bytes (SPEC §3).
const maxID = 1024

// ID is an opaque identifier, "" when absent.
func (f Fields) ID(key string) string {
	s := f.Str(key)
	if len(s) > maxID {
		f.Fail(key, "is longer than 1 kB", "send the client's own short id")
		return ""
	}
	for _, r := range s {
		if unicode.IsControl(r) {
			f.Fail(key, "holds a control character", "send the client's own id as it is")
			return ""
		}
	}
	return s
}

// Session is an identifier that must be there.
func (f Fields) Session(key string) string {
	s := f.ID(key)
	switch {
	case s != "":
	case f.Get(key) == nil:
		f.Fail(key, "is missing", "send the session's id as a string")
	default:
		f.Fail(key, "is empty", "send the session's id as a string")
	}
	return s
}

// Number is a whole number, 0 when absent. Models send "3" and 3.0 where 3 is meant and clients accept it, so it is
// accepted here.
func (f Fields) Number(key string) int {
	v := f.Get(key)
	if v == nil {
		return 0
	}
	s := string(v)
	if v[0] == '"' {
		s = jsonscan.Unquote(v)
		if s == "" {
			return 0
		}
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(n, 0) || math.IsNaN(n) || n != math.Trunc(n) {
		f.Fail(key, "must be a whole number, not "+kindOf(v), "send a number or leave it out")
		return 0
	}
	return int(max(-math.MaxInt32, min(math.MaxInt32, n)))
}

// Bool is a boolean, false when absent.
func (f Fields) Bool(key string) bool {
	v := f.Get(key)
	switch string(v) {
	case "", "false":
		return false
	case "true":
		return true
	}
	f.Fail(key, "must be true or false, not "+kindOf(v), "send a boolean or leave it out")
	return false
}

// Sub is an object, empty when absent.
func (f Fields) Sub(key string) Fields {
	out := Fields{at: f.at + key + ".", err: f.err}
	v := f.Get(key)
	if v == nil {
		return out
	}
	o, ok := jsonscan.Members(v)
	if !ok {
		f.Fail(key, "must be an object, not "+kindOf(v), "send a JSON object or leave it out")
	}
	out.Object = o
	return out
}

// Strs is a string or a list of strings.
func (f Fields) Strs(key string) []string {
	list, ok := jsonscan.Elements(f.Get(key))
	if !ok {
		if s := f.Str(key); s != "" {
			return []string{s}
		}
		return nil
	}
	var out []string
	for _, v := range list {
		if v[0] != '"' {
			f.Fail(key, "must hold strings, not "+kindOf(v), "send a list of strings")
			return nil
		}
		if s := jsonscan.Unquote(v); s != "" {
			out = append(out, s)
		}
	}
	return out
}

func kindOf(v []byte) string {
	switch v[0] {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "a list"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}
