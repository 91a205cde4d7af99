package state

import (
	"encoding/base64"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/jsonscan"
)

// The codec of a Session, byte for byte what encoding/json makes of it. It is not encoding/json because that builds the
// decoders and encoders of all the types by reflection when it meets the first value, in every hook anew: measured,
// 220 µs to load a state of 600 bytes that this code reads in 3. The tests hold the two against each other, so that
// encoding/json and the tags of the types stay the definition of the format.
//
// One list of fields (fields.go) serves both directions: when writing, every line of it appends its field; when
// reading, each key of the text goes through the list, and the line that bears its name takes the value.

// coder writes to out or reads from in.
type coder struct {
	reading bool

	out   []byte
	comma bool // out ends with a member or element, so that a comma comes before the next one

	in  jsonscan.Scanner
	key []byte // the key that was read, nil once a field took its value

	// err is set by the first thing that cannot be written or read; nothing after it counts.
	err error
}

// always marks the fields that are written whatever they hold.
const always = true

// errForeign is why a text could not be read here. It is never shown: decode then asks encoding/json.
var errForeign = errors.New("not what this mbgate writes")

// marshal is what json.Marshal gives.
func marshal(s gate.Session) ([]byte, error) {
	// A state is 0.6 to 8 kB; what is too much here costs nothing, since no page of it is touched.
	c := coder{out: make([]byte, 0, 16<<10)}
	session(&c, &s)
	return c.out, c.err
}

// unmarshal reads what marshal writes, in any spelling of JSON. It is stricter than json.Unmarshal (invalid UTF-8,
// arrays of numbers for bytes, deep nesting) but never takes what that refuses, and never takes it for something else;
// only of a key that is there twice it believes the last one alone.
func unmarshal(raw []byte) (s gate.Session, ok bool) {
	c := coder{reading: true, in: jsonscan.Scanner{Data: raw}}
	c.in.Space()
	if c.in.Peek() != '{' || !utf8.Valid(raw) {
		return s, false
	}
	session(&c, &s)
	c.in.Space()
	return s, c.err == nil && c.in.Pos == len(raw)
}

// ok makes the reading fail unless good.
func (c *coder) ok(good bool) bool {
	if !good && c.err == nil {
		c.err = errForeign
	}
	return c.err == nil
}

// put takes over what was appended to out.
func (c *coder) put(out []byte, err error) {
	c.out = out
	if err != nil && c.err == nil {
		c.err = err
	}
}

// next writes the comma between two members or elements.
func (c *coder) next() {
	if c.comma {
		c.out = append(c.out, ',')
	}
	c.comma = true
}

// open begins an object or array, close ends it.
func (c *coder) open(b byte)  { c.out, c.comma = append(c.out, b), false }
func (c *coder) close(b byte) { c.out, c.comma = append(c.out, b), true }

// null skips a null, which leaves a value as it is, or empties what can be nil.
func (c *coder) null() bool { return c.in.Peek() == 'n' && c.ok(c.in.Word("null")) }

// field is a member of an object. keep says whether it is written.
func field[T any](c *coder, name string, p *T, keep bool, value func(*coder, *T)) {
	if c.reading {
		if c.takes(name) {
			value(c, p)
		}
		return
	}
	if keep {
		c.next()
		c.name(name)
		value(c, p)
	}
}

// list is a member that is an array.
func list[T any](c *coder, name string, p *[]T, keep bool, value func(*coder, *T)) {
	if c.reading {
		if c.takes(name) {
			readList(c, p, value)
		}
		return
	}
	if !keep {
		return
	}
	c.next()
	c.name(name)
	if *p == nil {
		c.out = append(c.out, "null"...)
		return
	}
	c.open('[')
	for i := range *p {
		c.next()
		value(c, &(*p)[i])
	}
	c.close(']')
}

func readList[T any](c *coder, p *[]T, value func(*coder, *T)) {
	*p = nil
	if c.null() {
		return
	}
	if !c.ok(c.in.Byte('[')) {
		return
	}
	out := []T{}
	c.in.Space()
	if !c.in.Byte(']') {
		for more := true; more; {
			c.in.Space()
			var v T
			value(c, &v)
			out = append(out, v)
			c.in.Space()
			more = c.in.Byte(',')
			if !c.ok(more || c.in.Byte(']')) {
				return
			}
		}
	}
	*p = out
}

// table is a member that is an object with any keys, sorted when written.
func table[T any](c *coder, name string, p *map[string]T, keep bool, value func(*coder, *T)) {
	if c.reading {
		if c.takes(name) {
			readTable(c, p, value)
		}
		return
	}
	if !keep {
		return
	}
	c.next()
	c.name(name)
	if *p == nil {
		c.out = append(c.out, "null"...)
		return
	}
	c.open('{')
	for _, k := range slices.Sorted(maps.Keys(*p)) {
		c.next()
		c.out = append(jsonscan.AppendText(c.out, k, true), ':')
		v := (*p)[k]
		value(c, &v)
	}
	c.close('}')
}

func readTable[T any](c *coder, p *map[string]T, value func(*coder, *T)) {
	*p = nil
	if c.null() {
		return
	}
	out := map[string]T{}
	c.members(func(key []byte) {
		var v T
		value(c, &v)
		out[jsonscan.Unquote(key)] = v
	})
	*p = out
}

// object is a struct, by its list of fields.
func object[T any](c *coder, p *T, fields func(*coder, *T)) {
	if c.reading {
		if c.null() {
			return
		}
		c.members(func(key []byte) {
			c.key = key
			fields(c, p)
			if c.key != nil { // nobody's
				c.key = nil
				c.ok(c.in.Value())
			}
		})
		return
	}
	c.open('{')
	fields(c, p)
	c.close('}')
}

// members reads an object; take has to read the value of each key, which is still quoted.
func (c *coder) members(take func(key []byte)) {
	if !c.ok(c.in.Byte('{')) {
		return
	}
	c.in.Space()
	if c.in.Byte('}') {
		return
	}
	for more := true; more; {
		c.in.Space()
		from := c.in.Pos
		if !c.ok(c.in.Peek() == '"' && c.in.Text()) {
			return
		}
		key := c.in.Data[from:c.in.Pos]
		c.in.Space()
		if !c.ok(c.in.Byte(':')) {
			return
		}
		c.in.Space()
		take(key)
		c.in.Space()
		more = c.in.Byte(',')
		if !c.ok(more || c.in.Byte('}')) {
			return
		}
	}
}

// takes reports whether the field of that name takes the value that comes next. Like encoding/json it does not mind the
// case of keys.
func (c *coder) takes(name string) bool {
	if c.key == nil {
		return false
	}
	if len(c.key) == len(name)+2 && string(c.key[1:len(c.key)-1]) == name {
		c.key = nil
		return true
	}
	if c.key[1]|0x20 == name[0] || c.key[1] >= utf8.RuneSelf || c.key[1] == '\\' {
		if strings.EqualFold(jsonscan.Unquote(c.key), name) {
			c.key = nil
			return true
		}
	}
	return false
}

// name writes the key of a member; no name of ours needs escaping.
func (c *coder) name(s string) {
	c.out = append(append(append(c.out, '"'), s...), '"', ':')
}

// pointer is a struct behind a pointer, null if there is none.
func pointer[T any](c *coder, p **T, value func(*coder, *T)) {
	if c.reading {
		*p = nil
		if !c.null() {
			*p = new(T)
			value(c, *p)
		}
		return
	}
	if *p == nil {
		c.out = append(c.out, "null"...)
		return
	}
	value(c, *p)
}

// text is a string.
func text[T ~string](c *coder, p *T) {
	if !c.reading {
		c.out = jsonscan.AppendText(c.out, string(*p), true)
		return
	}
	if c.null() {
		return
	}
	if from := c.in.Pos; c.ok(c.in.Peek() == '"' && c.in.Text()) {
		*p = T(jsonscan.Unquote(c.in.Data[from:c.in.Pos]))
	}
}

// number is a whole number.
func number[T int | int64](c *coder, p *T) {
	if !c.reading {
		c.out = strconv.AppendInt(c.out, int64(*p), 10)
		return
	}
	if c.null() {
		return
	}
	from := c.in.Pos
	if !c.ok(c.in.Number()) {
		return
	}
	// A fraction or an exponent is an error here, as in encoding/json.
	n, err := strconv.ParseInt(string(c.in.Data[from:c.in.Pos]), 10, 64)
	if c.ok(err == nil && int64(T(n)) == n) {
		*p = T(n)
	}
}

// natural is a whole number that is not negative.
func natural(c *coder, p *uint64) {
	if !c.reading {
		c.out = strconv.AppendUint(c.out, *p, 10)
		return
	}
	if c.null() {
		return
	}
	from := c.in.Pos
	if !c.ok(c.in.Number()) {
		return
	}
	n, err := strconv.ParseUint(string(c.in.Data[from:c.in.Pos]), 10, 64)
	if c.ok(err == nil) {
		*p = n
	}
}

// truth is a boolean.
func truth(c *coder, p *bool) {
	switch {
	case !c.reading:
		c.out = strconv.AppendBool(c.out, *p)
	case c.null():
	case c.in.Peek() == 't':
		*p = c.ok(c.in.Word("true"))
	default:
		*p = !c.ok(c.in.Word("false"))
	}
}

// octets are bytes in base64.
func octets(c *coder, p *[]byte) {
	if !c.reading {
		if *p == nil {
			c.out = append(c.out, "null"...)
			return
		}
		c.out = append(c.out, '"')
		c.out = append(base64.StdEncoding.AppendEncode(c.out, *p), '"')
		return
	}
	*p = nil
	if c.null() {
		return
	}
	from := c.in.Pos
	if !c.ok(c.in.Peek() == '"' && c.in.Text()) {
		return
	}
	raw := []byte(jsonscan.Unquote(c.in.Data[from:c.in.Pos]))
	out := make([]byte, base64.StdEncoding.DecodedLen(len(raw)))
	n, err := base64.StdEncoding.Decode(out, raw)
	if c.ok(err == nil) {
		*p = out[:n]
	}
}
