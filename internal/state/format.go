package state

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"

	"github.com/mbgate/mbgate/internal/gate"
)

// The form of a state file from schema 2 on, the same for every later schema: an object whose first member is the schema
// number and whose last is the checksum, 16 hexadecimal digits, of all bytes before the comma of that member. A newline
// ends the file. Schema 1 had the same fields and no checksum.
const (
	schemaKey = `{"schema":`
	sumKey    = `,"sum":"`
	sumEnd    = `"}` + "\n"
	sumLength = len(sumKey) + 16 + len(sumEnd)
)

// encode gives the bytes of a state file. The same Session always gives the same bytes: maps are sorted, times lose
// their monotonic reading, and the Session's own times their zone. Times deeper inside must be kept in UTC by whoever
// sets them, else an unchanged Session may be saved once more.
func encode(s gate.Session) ([]byte, error) {
	raw, err := marshal(&s)
	if err != nil {
		return nil, err
	}
	return seal(raw[:len(raw)-1]), nil
}

// seal closes an object that lacks its closing brace with the checksum.
func seal(raw []byte) []byte { return append(raw, end(raw)...) }

// end is how a file ends that begins with raw.
func end(raw []byte) []byte { return fmt.Appendf(nil, "%s%016x%s", sumKey, checksum(raw), sumEnd) }

// decode turns the bytes of a state file into a Session of today's schema. The error is a *NewerSchemaError without a
// path, or says why the bytes are no state.
func decode(raw []byte) (s gate.Session, err error) {
	body, schema, err := unseal(raw)
	if err != nil {
		return s, err
	}
	if schema > gate.Schema {
		return s, &NewerSchemaError{Schema: schema, Known: gate.Schema}
	}
	s, err = unmarshal(body)
	s.Schema = gate.Schema
	return s, err
}

// unseal takes the checksum off a file and gives its schema number. The checksum is compared first: nothing else of a
// damaged file is believed, not even its schema number.
func unseal(raw []byte) (body []byte, schema int, err error) {
	schema = schemaOf(raw)
	at := max(0, len(raw)-sumLength)
	switch sealed := bytes.HasPrefix(raw[at:], []byte(sumKey)); {
	case sealed && !bytes.Equal(raw[at:], end(raw[:at])):
		return nil, 0, errors.New("is changed: the checksum is of other contents")
	case sealed && schema < 2:
		return nil, 0, errors.New("is changed: schema 1 has no checksum")
	case sealed:
		return append(raw[:at:at], '}'), schema, nil
	case schema != 1:
		return nil, 0, errors.New("is cut off or foreign: it ends with no checksum")
	}
	return bytes.TrimSuffix(raw, []byte("\n")), schema, nil
}

// schemaOf is the schema number of a file, 0 if it does not begin with one.
func schemaOf(raw []byte) int {
	rest, ok := bytes.CutPrefix(raw, []byte(schemaKey))
	end := bytes.IndexAny(rest, ",}")
	if !ok || end < 0 {
		return 0
	}
	n, _ := strconv.Atoi(string(rest[:end]))
	return n
}

// checksum is FNV-1a of 64 bits that takes words of eight bytes, the first byte lowest, and the bytes that remain one by
// one; after each step the upper half is mixed into the lower. Every step is reversible, so that no change within one
// word goes unnoticed. It needs no table, which would have to be built in every hook.
func checksum(b []byte) uint64 {
	h := uint64(0xcbf29ce484222325)
	mix := func(word uint64) {
		h = (h ^ word) * 0x100000001b3
		h ^= h >> 32
	}
	for ; len(b) >= 8; b = b[8:] {
		mix(binary.LittleEndian.Uint64(b))
	}
	for _, c := range b {
		mix(uint64(c))
	}
	return h
}
