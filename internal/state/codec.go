package state

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/jsonscan"
)

//go:generate go run ./gen

// The codec of a Session writes, byte for byte, what encoding/json makes of it. It is not encoding/json because that
// builds the decoders and encoders of all types by reflection when it meets the first value, in every hook anew:
// measured, 220 µs to load a state of 600 bytes that this code reads in 3. The list of fields in session_gen.go is
// generated from the struct tags: a field is added in its struct, followed by `go generate ./internal/state`. The tests
// compare the codec with encoding/json.
//
// The reader takes only what the writer writes: a key that is unknown or stands twice, another case, white space or a
// value of another type is an error, so that damage that happens to be JSON is not believed (S1).

// marshal encodes a Session. The same Session always gives the same bytes: maps are sorted. The error is a time that
// RFC 3339 cannot express.
func marshal(s *gate.Session) ([]byte, error) {
	// A state has 0.6 to 8 kB. Too large a buffer costs nothing here: pages that are not written to are not touched.
	w := writer{out: make([]byte, 0, 16<<10)}
	writeGateSession(&w, s)
	return w.out, w.err
}

// unmarshal decodes what marshal encodes.
func unmarshal(raw []byte) (s gate.Session, err error) {
	if !utf8.Valid(raw) {
		return s, errors.New("is not valid UTF-8")
	}
	r := reader{in: jsonscan.Scanner{Data: raw}}
	readGateSession(&r, &s)
	if r.in.Pos < len(raw) {
		r.fail("more than one state")
	}
	return s, r.err
}

// writer appends to out.
type writer struct {
	out []byte
	// comma is set when out ends with a member or element, so that a comma comes before the next one.
	comma bool
	// err is the first thing that could not be written.
	err error
}

func (w *writer) next() {
	if w.comma {
		w.out = append(w.out, ',')
	}
	w.comma = true
}

func (w *writer) open(bracket byte)  { w.out, w.comma = append(w.out, bracket), false }
func (w *writer) close(bracket byte) { w.out, w.comma = append(w.out, bracket), true }
func (w *writer) null()              { w.out = append(w.out, "null"...) }

// name writes the key of a member; no field's name needs escaping.
func (w *writer) name(s string) {
	w.next()
	w.out = append(append(append(w.out, '"'), s...), `":`...)
}

func writeText[T ~string](w *writer, p *T) { w.out = jsonscan.AppendText(w.out, string(*p), true) }

func writeInt[T int | int64](w *writer, p *T) { w.out = strconv.AppendInt(w.out, int64(*p), 10) }

func writeUint(w *writer, p *uint64) { w.out = strconv.AppendUint(w.out, *p, 10) }

func writeBool(w *writer, p *bool) { w.out = strconv.AppendBool(w.out, *p) }

// writeTime writes RFC 3339 in the time's own zone with nanoseconds.
func writeTime(w *writer, t *time.Time) {
	out, err := t.AppendText(append(w.out, '"'))
	if err != nil && w.err == nil {
		w.err = err
	}
	w.out = append(out, '"')
}

// writeBytes writes base64.
func writeBytes(w *writer, p *[]byte) {
	if *p == nil {
		w.null()
		return
	}
	w.out = append(w.out, '"')
	w.out = append(base64.StdEncoding.AppendEncode(w.out, *p), '"')
}

func writePointer[T any](w *writer, p *T, value func(*writer, *T)) {
	if p == nil {
		w.null()
		return
	}
	value(w, p)
}

func writeList[T any](w *writer, list []T, element func(*writer, *T)) {
	if list == nil {
		w.null()
		return
	}
	w.open('[')
	for i := range list {
		w.next()
		element(w, &list[i])
	}
	w.close(']')
}

func writeMap[T any](w *writer, m map[string]T, element func(*writer, *T)) {
	if m == nil {
		w.null()
		return
	}
	w.open('{')
	for _, k := range slices.Sorted(maps.Keys(m)) {
		w.next()
		w.out = append(jsonscan.AppendText(w.out, k, true), ':')
		v := m[k]
		element(w, &v)
	}
	w.close('}')
}

// reader reads from in. Nothing that it reads after an error counts.
type reader struct {
	in  jsonscan.Scanner
	err error
}

// fail makes the reading fail at this place, and says what is wrong there.
func (r *reader) fail(wrong string) {
	if r.err == nil {
		r.err = fmt.Errorf("is not a state: %s at byte %d", wrong, r.in.Pos)
	}
}

// null skips a null, which only lists, maps, bytes and pointers can be.
func (r *reader) null() bool { return r.in.Peek() == 'n' && r.in.Word("null") }

// more reports whether another member or element follows the n that were read, up to the bracket that ends them.
func (r *reader) more(n int, end byte) bool {
	if r.err != nil || r.in.Byte(end) {
		return false
	}
	if n > 0 && !r.in.Byte(',') {
		r.fail("no comma")
	}
	return r.err == nil
}

// quoted reads a string and gives it with its quotes.
func (r *reader) quoted() []byte {
	from := r.in.Pos
	if r.in.Peek() != '"' || !r.in.Text() {
		r.fail("no text")
		return []byte(`""`)
	}
	return r.in.Data[from:r.in.Pos]
}

// key reads the key of a member, and gives it with its quotes.
func (r *reader) key() []byte {
	key := r.quoted()
	if !r.in.Byte(':') {
		r.fail("no colon")
	}
	return key
}

// readStruct reads an object. field reads the value of the field that has a name, and gives its number, -1 if there is none.
func readStruct[T any](r *reader, p *T, field func(*reader, *T, []byte) int) {
	if !r.in.Byte('{') {
		r.fail("no object")
		return
	}
	var seen uint64
	for n := 0; r.more(n, '}'); n++ {
		key := r.key()
		i := field(r, p, key[1:len(key)-1])
		if i < 0 || seen&(1<<i) != 0 {
			r.fail("an unknown or doubled key")
			return
		}
		seen |= 1 << i
	}
}

func readList[T any](r *reader, element func(*reader, *T)) []T {
	if r.null() {
		return nil
	}
	if !r.in.Byte('[') {
		r.fail("no list")
	}
	list := []T{}
	for n := 0; r.more(n, ']'); n++ {
		var v T
		element(r, &v)
		list = append(list, v)
	}
	return list
}

func readMap[T any](r *reader, element func(*reader, *T)) map[string]T {
	if r.null() {
		return nil
	}
	if !r.in.Byte('{') {
		r.fail("no object")
	}
	m := map[string]T{}
	for n := 0; r.more(n, '}'); n++ {
		key := jsonscan.Unquote(r.key())
		if _, twice := m[key]; twice {
			r.fail("a doubled key")
		}
		var v T
		element(r, &v)
		m[key] = v
	}
	return m
}

func readPointer[T any](r *reader, value func(*reader, *T)) *T {
	if r.null() {
		return nil
	}
	p := new(T)
	value(r, p)
	return p
}

func readText[T ~string](r *reader, p *T) { *p = T(jsonscan.Unquote(r.quoted())) }

// digits reads a number and gives its text.
func (r *reader) digits() string {
	from := r.in.Pos
	if !r.in.Number() {
		r.fail("no number")
	}
	return string(r.in.Data[from:r.in.Pos])
}

func readInt[T int | int64](r *reader, p *T) {
	n, err := strconv.ParseInt(r.digits(), 10, 64)
	if *p = T(n); err != nil || int64(*p) != n {
		r.fail("no number")
	}
}

func readUint(r *reader, p *uint64) {
	n, err := strconv.ParseUint(r.digits(), 10, 64)
	if *p = n; err != nil {
		r.fail("no number")
	}
}

func readBool(r *reader, p *bool) {
	if *p = r.in.Peek() == 't'; !r.in.Word(strconv.FormatBool(*p)) {
		r.fail("no true or false")
	}
}

func readTime(r *reader, t *time.Time) {
	if t.UnmarshalJSON(r.quoted()) != nil {
		r.fail("no time")
	}
}

func readBytes(r *reader, p *[]byte) {
	*p = nil
	if r.null() {
		return
	}
	text := r.quoted()
	var err error
	if *p, err = base64.StdEncoding.AppendDecode([]byte{}, text[1:len(text)-1]); err != nil {
		r.fail("no base64")
	}
}
