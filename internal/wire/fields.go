package wire

import (
	"math"
	"strconv"
	"unicode"
)

// fields reads the values of one object by their types. The first wrong one is remembered in err, which the readers of
// nested objects share, and everything read after it does not matter.
type fields struct {
	object
	at  string // the path of the object, with a final dot: "tool_input."
	err **InputError
}

func newFields(p object) fields {
	return fields{object: p, err: new(*InputError)}
}

func (f fields) fail(key, problem, remedy string) {
	if *f.err == nil {
		*f.err = &InputError{Field: f.at + key, Problem: problem, Remedy: remedy}
	}
}

// str is a string, "" when absent.
func (f fields) str(key string) string {
	v := f.get(key)
	if v == nil {
		return ""
	}
	if v[0] != '"' {
		f.fail(key, "must be a string, not "+kindOf(v), "send a string or leave it out")
		return ""
	}
	return unquote(v)
}

// maxID is the longest id that is accepted, in bytes (SPEC §3).
const maxID = 1024

// id is an opaque identifier, "" when absent.
func (f fields) id(key string) string {
	s := f.str(key)
	if len(s) > maxID {
		f.fail(key, "is longer than 1 kB", "send the client's own short id")
		return ""
	}
	for _, r := range s {
		if unicode.IsControl(r) {
			f.fail(key, "holds a control character", "send the client's own id as it is")
			return ""
		}
	}
	return s
}

// session is an identifier that must be there.
func (f fields) session(key string) string {
	s := f.id(key)
	switch {
	case s != "":
	case f.get(key) == nil:
		f.fail(key, "is missing", "send the session's id as a string")
	default:
		f.fail(key, "is empty", "send the session's id as a string")
	}
	return s
}

// number is a whole number, 0 when absent. Models send "3" and 3.0 where 3 is meant and clients accept it, so it is
// accepted here.
func (f fields) number(key string) int {
	v := f.get(key)
	if v == nil {
		return 0
	}
	s := string(v)
	if v[0] == '"' {
		s = unquote(v)
		if s == "" {
			return 0
		}
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(n, 0) || math.IsNaN(n) || n != math.Trunc(n) {
		f.fail(key, "must be a whole number, not "+kindOf(v), "send a number or leave it out")
		return 0
	}
	return int(max(-math.MaxInt32, min(math.MaxInt32, n)))
}

// truth is a boolean, false when absent.
func (f fields) truth(key string) bool {
	v := f.get(key)
	switch string(v) {
	case "", "false":
		return false
	case "true":
		return true
	}
	f.fail(key, "must be true or false, not "+kindOf(v), "send a boolean or leave it out")
	return false
}

// sub is an object, empty when absent.
func (f fields) sub(key string) fields {
	out := fields{at: f.at + key + ".", err: f.err}
	v := f.get(key)
	if v == nil {
		return out
	}
	o, ok := members(v)
	if !ok {
		f.fail(key, "must be an object, not "+kindOf(v), "send a JSON object or leave it out")
	}
	out.object = o
	return out
}

// strs is a string or a list of strings.
func (f fields) strs(key string) []string {
	list, ok := elements(f.get(key))
	if !ok {
		if s := f.str(key); s != "" {
			return []string{s}
		}
		return nil
	}
	var out []string
	for _, v := range list {
		if v[0] != '"' {
			f.fail(key, "must hold strings, not "+kindOf(v), "send a list of strings")
			return nil
		}
		if s := unquote(v); s != "" {
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

// has reports whether a key is there at all, be it with null.
func (o object) has(key string) bool {
	for i := range o {
		if o[i].Key == key {
			return true
		}
	}
	return false
}
