package wire

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/mbgate/mbgate/internal/jsonscan"
)

// This is how the adapters see a payload: package jsonscan with the words of this package.

// Object is a JSON object whose values were not decoded. nil stands for a missing one.
type Object jsonscan.Object

// Get is the value of a key; null counts as absent. Of two equal keys the last one counts.
func (o Object) Get(key string) []byte { return jsonscan.Object(o).Get(key) }

// Text is the value of a key that holds a string, else "".
func (o Object) Text(key string) string {
	text, _ := jsonscan.Object(o).Text(key)
	return text
}

// Members reads the object that v, which was checked before, holds; false if it holds something else.
func Members(v []byte) (Object, bool) {
	o, ok := jsonscan.Members(v)
	return Object(o), ok
}

// Elements lists the values of the array that v holds; false if it holds something else.
func Elements(v []byte) ([][]byte, bool) { return jsonscan.Elements(v) }

// Unquote is the text of a JSON string that was checked before.
func Unquote(v []byte) string { return jsonscan.Unquote(v) }

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
			return Object(o), nil
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
