package wire

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/mbgate/mbgate/internal/jsonscan"
)

// Object is a payload, or an object in one: a JSON object whose values were not decoded. nil stands for a missing one.
type Object = jsonscan.Object

const remedyObject = "send one JSON object on standard input, as an agent's hook does"

// Parse reads a payload: exactly one JSON object, in valid UTF-8.
func Parse(data []byte) (Object, *InputError) {
	if len(data) > MaxInput {
		return nil, &InputError{Problem: "is larger than 64 MB", Remedy: "send less"}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	s := jsonscan.Scanner{Data: data}
	s.Space()
	if s.Pos == len(data) {
		return nil, &InputError{Problem: "is empty", Remedy: remedyObject}
	}
	if !utf8.Valid(data) {
		return nil, &InputError{Problem: "is not valid UTF-8", Remedy: "send JSON in UTF-8"}
	}
	if c := data[s.Pos]; c != '{' {
		what := "is not JSON"
		if s.Value() {
			what = "is JSON, but not an object"
			if c == '[' {
				what = "is a JSON array, not an object"
			}
		}
		return nil, &InputError{Problem: what, Remedy: remedyObject}
	}
	o := make(jsonscan.Object, 0, 16)
	ok := s.Object(&o)
	if ok {
		s.Space()
		if s.Pos == len(data) {
			return o, nil
		}
		if rest := (jsonscan.Scanner{Data: data, Pos: s.Pos}); rest.Value() {
			return nil, &InputError{Problem: "holds more than one JSON value", Remedy: remedyObject}
		}
	}
	switch {
	case s.Deep:
		return nil, &InputError{Problem: "is nested more than " + strconv.Itoa(jsonscan.MaxDepth) + " levels deep", Remedy: "send a flatter object"}
	case s.Pos >= len(data):
		return nil, &InputError{Problem: "is truncated: it ends in the middle of the JSON object", Remedy: "send the whole object, then close standard input"}
	}
	return nil, &InputError{Problem: "is not JSON: unexpected character at byte " + strconv.Itoa(s.Pos), Remedy: remedyObject}
}
