package wire

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// This is a JSON reader of our own because a hook reads a payload of up to megabytes (the content of a Write) of which
// it needs a few short fields: one pass checks everything and remembers where the values are, and no value is decoded
// that nobody asks for. encoding/json takes three passes, at a tenth of the speed, to say less about what is wrong.
// The tests hold the two against each other.

// object is a JSON object whose values were not decoded. nil is "there is none".
type object []member

type member struct {
	key   string
	value []byte
}

// get is the value of a key; null counts as absent. Of two equal keys the last one counts.
func (o object) get(key string) []byte {
	for i := len(o) - 1; i >= 0; i-- {
		if o[i].key == key {
			if string(o[i].value) == "null" {
				return nil
			}
			return o[i].value
		}
	}
	return nil
}

// text is the value of a key that holds a string, else "".
func (o object) text(key string) string {
	if v := o.get(key); len(v) > 0 && v[0] == '"' {
		return unquote(v)
	}
	return ""
}

const remedyObject = "send one JSON object on standard input, as an agent's hook does"

// parse reads a payload: exactly one JSON object, in valid UTF-8.
func parse(data []byte) (object, *InputError) {
	if len(data) > MaxInput {
		return nil, &InputError{Problem: "is larger than 64 MB", Remedy: "send less"}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	s := scanner{data: data}
	s.space()
	if s.pos == len(data) {
		return nil, &InputError{Problem: "is empty", Remedy: remedyObject}
	}
	if !utf8.Valid(data) {
		return nil, &InputError{Problem: "is not valid UTF-8", Remedy: "send JSON in UTF-8"}
	}
	if c := data[s.pos]; c != '{' {
		what := "is not JSON"
		if s.value(0) {
			what = "is JSON, but not an object"
			if c == '[' {
				what = "is a JSON array, not an object"
			}
		}
		return nil, &InputError{Problem: what, Remedy: remedyObject}
	}
	o := make(object, 0, 16)
	ok := s.members(0, &o)
	if ok {
		s.space()
		if s.pos == len(data) {
			return o, nil
		}
		if rest := (scanner{data: data, pos: s.pos}); rest.value(0) {
			return nil, &InputError{Problem: "holds more than one JSON value", Remedy: remedyObject}
		}
	}
	switch {
	case s.deep:
		return nil, &InputError{Problem: "is nested more than " + strconv.Itoa(maxDepth) + " levels deep", Remedy: "send a flatter object"}
	case s.pos >= len(data):
		return nil, &InputError{Problem: "is truncated: it ends in the middle of the JSON object", Remedy: "send the whole object, then close standard input"}
	}
	return nil, &InputError{Problem: "is not JSON: unexpected character at byte " + strconv.Itoa(s.pos), Remedy: remedyObject}
}

// members reads the object that v, which was checked before, holds; false if it holds something else.
func members(v []byte) (object, bool) {
	if len(v) == 0 || v[0] != '{' {
		return nil, false
	}
	o := make(object, 0, 8)
	s := scanner{data: v}
	return o, s.members(0, &o)
}

// elements lists the values of the array that v holds; false if it holds something else.
func elements(v []byte) ([][]byte, bool) {
	if len(v) == 0 || v[0] != '[' {
		return nil, false
	}
	var list [][]byte
	s := scanner{data: v}
	return list, s.elements(0, &list)
}

// maxDepth bounds nesting, and with it the scanner's recursion. No tool argument comes near.
const maxDepth = 500

// scanner walks over JSON. Its methods report whether what they expect is there; if not, pos is where it stopped.
type scanner struct {
	data []byte
	pos  int
	deep bool
}

func (s *scanner) space() {
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ' ', '\t', '\r', '\n':
			s.pos++
		default:
			return
		}
	}
}

func (s *scanner) byte(c byte) bool {
	if s.pos < len(s.data) && s.data[s.pos] == c {
		s.pos++
		return true
	}
	return false
}

func (s *scanner) value(depth int) bool {
	if s.pos >= len(s.data) {
		return false
	}
	switch c := s.data[s.pos]; {
	case c == '"':
		return s.str()
	case c == '{':
		return s.members(depth, nil)
	case c == '[':
		return s.elements(depth, nil)
	case c == '-' || c >= '0' && c <= '9':
		return s.number()
	case c == 't':
		return s.word("true")
	case c == 'f':
		return s.word("false")
	case c == 'n':
		return s.word("null")
	}
	return false
}

// members reads an object from its opening brace on; into may be nil.
func (s *scanner) members(depth int, into *object) bool {
	if depth >= maxDepth {
		s.deep = true
		return false
	}
	s.pos++
	s.space()
	if s.byte('}') {
		return true
	}
	for {
		s.space()
		from := s.pos
		if s.pos >= len(s.data) || s.data[s.pos] != '"' || !s.str() {
			return false
		}
		key := s.data[from:s.pos]
		s.space()
		if !s.byte(':') {
			return false
		}
		s.space()
		from = s.pos
		if !s.value(depth + 1) {
			return false
		}
		if into != nil {
			*into = append(*into, member{unquote(key), s.data[from:s.pos]})
		}
		s.space()
		if s.byte('}') {
			return true
		}
		if !s.byte(',') {
			return false
		}
	}
}

// elements reads an array from its opening bracket on; into may be nil.
func (s *scanner) elements(depth int, into *[][]byte) bool {
	if depth >= maxDepth {
		s.deep = true
		return false
	}
	s.pos++
	s.space()
	if s.byte(']') {
		return true
	}
	for {
		s.space()
		from := s.pos
		if !s.value(depth + 1) {
			return false
		}
		if into != nil {
			*into = append(*into, s.data[from:s.pos])
		}
		s.space()
		if s.byte(']') {
			return true
		}
		if !s.byte(',') {
			return false
		}
	}
}

func (s *scanner) word(w string) bool {
	for i := range len(w) {
		if !s.byte(w[i]) {
			return false
		}
	}
	return true
}

func (s *scanner) number() bool {
	s.byte('-')
	if !s.byte('0') && !s.digits() {
		return false
	}
	if s.byte('.') && !s.digits() {
		return false
	}
	if s.byte('e') || s.byte('E') {
		if !s.byte('+') {
			s.byte('-')
		}
		return s.digits()
	}
	return true
}

func (s *scanner) digits() bool {
	from := s.pos
	for s.pos < len(s.data) && s.data[s.pos] >= '0' && s.data[s.pos] <= '9' {
		s.pos++
	}
	return s.pos > from
}

// str reads a string from its opening quote on.
func (s *scanner) str() bool {
	s.pos++
	for {
		s.plain()
		if s.pos >= len(s.data) {
			return false
		}
		switch c := s.data[s.pos]; {
		case c == '"':
			s.pos++
			return true
		case c != '\\':
			return false // a control character
		}
		s.pos++
		if s.pos >= len(s.data) {
			return false
		}
		switch s.data[s.pos] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			s.pos++
		case 'u':
			s.pos++
			for range 4 {
				if s.pos >= len(s.data) || hexDigit(s.data[s.pos]) < 0 {
					return false
				}
				s.pos++
			}
		default:
			return false
		}
	}
}

// plain skips what stands for itself in a string, eight bytes at a time: in every byte of the word w it looks for one
// below 0x20, a quote or a backslash. A borrow can mark bytes above the first one that is found, never below it.
func (s *scanner) plain() {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for s.pos+8 <= len(s.data) {
		w := binary.LittleEndian.Uint64(s.data[s.pos:])
		quote, slash := w^(ones*'"'), w^(ones*'\\')
		found := ((w-ones*0x20)&^w | (quote-ones)&^quote | (slash-ones)&^slash) & highs
		if found != 0 {
			s.pos += bits.TrailingZeros64(found) / 8
			return
		}
		s.pos += 8
	}
	for s.pos < len(s.data) {
		if c := s.data[s.pos]; c < 0x20 || c == '"' || c == '\\' {
			return
		}
		s.pos++
	}
}

func hexDigit(c byte) rune {
	switch {
	case c >= '0' && c <= '9':
		return rune(c - '0')
	case c >= 'a' && c <= 'f':
		return rune(c - 'a' + 10)
	case c >= 'A' && c <= 'F':
		return rune(c - 'A' + 10)
	}
	return -1
}

// unquote is the text of a JSON string that was checked before. Half a surrogate pair becomes U+FFFD, as in
// encoding/json.
func unquote(v []byte) string {
	v = v[1 : len(v)-1]
	at := bytes.IndexByte(v, '\\')
	if at < 0 {
		return string(v)
	}
	out := make([]byte, 0, len(v))
	for at >= 0 {
		out = append(out, v[:at]...)
		c := v[at+1]
		v = v[at+2:]
		switch c {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r := hex4(v)
			v = v[4:]
			if utf16.IsSurrogate(r) {
				pair := rune(utf8.RuneError)
				if len(v) >= 6 && v[0] == '\\' && v[1] == 'u' {
					pair = utf16.DecodeRune(r, hex4(v[2:]))
				}
				if r = utf8.RuneError; pair != utf8.RuneError {
					r, v = pair, v[6:]
				}
			}
			out = utf8.AppendRune(out, r)
		default: // a quote, a slash, a backslash
			out = append(out, c)
		}
		at = bytes.IndexByte(v, '\\')
	}
	return string(append(out, v...))
}

func hex4(v []byte) rune {
	var r rune
	for _, c := range v[:4] {
		r = r<<4 | hexDigit(c)
	}
	return r
}
