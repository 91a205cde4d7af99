// Package jsonscan reads and writes JSON without reflection. It is pure and imports no other package of mbgate.
//
// A hook reads a payload of up to megabytes (the content of a Write) of which it needs a few short fields, and a state
// of which it needs all: one pass checks everything and remembers where the values are, and no value is decoded that
// nobody asks for. encoding/json takes three passes, at a tenth of the speed, and the first value of a type costs it the
// building of that type's decoder: 0.2 ms of a process that lives for 2. The tests hold the two against each other.
package jsonscan

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// MaxDepth bounds nesting, and with it the scanner's recursion. No tool argument comes near.
const MaxDepth = 500

// Object is a JSON object whose values were not decoded, in the order of the text. nil is "there is none".
type Object []Member

// Member is one key of an object, decoded, with the text of its value.
type Member struct {
	Key   string
	Value []byte
}

// Get is the value of a key; null counts as absent. Of two equal keys the last one counts.
func (o Object) Get(key string) []byte {
	for i := len(o) - 1; i >= 0; i-- {
		if o[i].Key == key {
			if string(o[i].Value) == "null" {
				return nil
			}
			return o[i].Value
		}
	}
	return nil
}

// Has reports whether a key is there at all, be it with null.
func (o Object) Has(key string) bool {
	return slices.ContainsFunc(o, func(m Member) bool { return m.Key == key })
}

// Text is the value of a key that holds a string, else "".
func (o Object) Text(key string) string {
	v := o.Get(key)
	if len(v) == 0 || v[0] != '"' {
		return ""
	}
	return Unquote(v)
}

// Members reads the object that v, which was checked before, holds; false if it holds something else.
func Members(v []byte) (Object, bool) {
	if len(v) == 0 || v[0] != '{' {
		return nil, false
	}
	o := make(Object, 0, 8)
	s := Scanner{Data: v}
	return o, s.Object(&o)
}

// Elements lists the values of the array that v holds; false if it holds something else.
func Elements(v []byte) ([][]byte, bool) {
	if len(v) == 0 || v[0] != '[' {
		return nil, false
	}
	var list [][]byte
	s := Scanner{Data: v}
	return list, s.elements(0, &list)
}

// Scanner walks over JSON. Its methods report whether what they expect is there; if not, Pos is where it stopped. What
// stands in strings need not be valid UTF-8.
type Scanner struct {
	Data []byte
	Pos  int
	// Deep is set when it stopped because the nesting is deeper than MaxDepth.
	Deep bool
}

// Space skips white space.
func (s *Scanner) Space() {
	for s.Pos < len(s.Data) {
		switch s.Data[s.Pos] {
		case ' ', '\t', '\r', '\n':
			s.Pos++
		default:
			return
		}
	}
}

// Byte skips the byte c.
func (s *Scanner) Byte(c byte) bool {
	if s.Pos < len(s.Data) && s.Data[s.Pos] == c {
		s.Pos++
		return true
	}
	return false
}

// Peek is the next byte, 0 at the end.
func (s *Scanner) Peek() byte {
	if s.Pos < len(s.Data) {
		return s.Data[s.Pos]
	}
	return 0
}

// Value skips one value of any kind.
func (s *Scanner) Value() bool { return s.value(0) }

// Object reads the members of an object from its opening brace on.
func (s *Scanner) Object(into *Object) bool { return s.members(0, into) }

func (s *Scanner) value(depth int) bool {
	switch c := s.Peek(); {
	case c == '"':
		return s.Text()
	case c == '{':
		return s.members(depth, nil)
	case c == '[':
		return s.elements(depth, nil)
	case c == '-' || c >= '0' && c <= '9':
		return s.Number()
	case c == 't':
		return s.Word("true")
	case c == 'f':
		return s.Word("false")
	case c == 'n':
		return s.Word("null")
	}
	return false
}

// members reads an object from its opening brace on; into may be nil.
func (s *Scanner) members(depth int, into *Object) bool {
	if depth >= MaxDepth {
		s.Deep = true
		return false
	}
	s.Pos++
	s.Space()
	if s.Byte('}') {
		return true
	}
	for {
		s.Space()
		from := s.Pos
		if s.Peek() != '"' || !s.Text() {
			return false
		}
		key := s.Data[from:s.Pos]
		s.Space()
		if !s.Byte(':') {
			return false
		}
		s.Space()
		from = s.Pos
		if !s.value(depth + 1) {
			return false
		}
		if into != nil {
			*into = append(*into, Member{Unquote(key), s.Data[from:s.Pos]})
		}
		s.Space()
		if s.Byte('}') {
			return true
		}
		if !s.Byte(',') {
			return false
		}
	}
}

// elements reads an array from its opening bracket on; into may be nil.
func (s *Scanner) elements(depth int, into *[][]byte) bool {
	if depth >= MaxDepth {
		s.Deep = true
		return false
	}
	s.Pos++
	s.Space()
	if s.Byte(']') {
		return true
	}
	for {
		s.Space()
		from := s.Pos
		if !s.value(depth + 1) {
			return false
		}
		if into != nil {
			*into = append(*into, s.Data[from:s.Pos])
		}
		s.Space()
		if s.Byte(']') {
			return true
		}
		if !s.Byte(',') {
			return false
		}
	}
}

// Word skips the word w.
func (s *Scanner) Word(w string) bool {
	for i := range len(w) {
		if !s.Byte(w[i]) {
			return false
		}
	}
	return true
}

// Number skips a number.
func (s *Scanner) Number() bool {
	s.Byte('-')
	if !s.Byte('0') && !s.digits() {
		return false
	}
	if s.Byte('.') && !s.digits() {
		return false
	}
	if s.Byte('e') || s.Byte('E') {
		if !s.Byte('+') {
			s.Byte('-')
		}
		return s.digits()
	}
	return true
}

func (s *Scanner) digits() bool {
	from := s.Pos
	for s.Pos < len(s.Data) && s.Data[s.Pos] >= '0' && s.Data[s.Pos] <= '9' {
		s.Pos++
	}
	return s.Pos > from
}

// Text skips a string from its opening quote on; Unquote says what it holds.
func (s *Scanner) Text() bool {
	s.Pos++
	for {
		s.plain()
		if s.Pos >= len(s.Data) {
			return false
		}
		switch c := s.Data[s.Pos]; {
		case c == '"':
			s.Pos++
			return true
		case c != '\\':
			return false // a control character
		}
		s.Pos++
		if s.Pos >= len(s.Data) {
			return false
		}
		switch s.Data[s.Pos] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			s.Pos++
		case 'u':
			s.Pos++
			for range 4 {
				if s.Pos >= len(s.Data) || hexDigit(s.Data[s.Pos]) < 0 {
					return false
				}
				s.Pos++
			}
		default:
			return false
		}
	}
}

// plain skips what stands for itself in a string, eight bytes at a time: in every byte of the word w it looks for one
// below 0x20, a quote or a backslash. A borrow can mark bytes above the first one that is found, never below it.
func (s *Scanner) plain() {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for s.Pos+8 <= len(s.Data) {
		w := binary.LittleEndian.Uint64(s.Data[s.Pos:])
		quote, slash := w^(ones*'"'), w^(ones*'\\')
		found := ((w-ones*0x20)&^w | (quote-ones)&^quote | (slash-ones)&^slash) & highs
		if found != 0 {
			s.Pos += bits.TrailingZeros64(found) / 8
			return
		}
		s.Pos += 8
	}
	for s.Pos < len(s.Data) {
		if c := s.Data[s.Pos]; c < 0x20 || c == '"' || c == '\\' {
			return
		}
		s.Pos++
	}
}
