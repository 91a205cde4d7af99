package state

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mbgate/mbgate/internal/gate"
)

// filler fills values of any type at random. Of every field it knows whether it ever held something.
type filler struct {
	*rand.Rand
	t *testing.T
}

// fill fills v; deep bounds how far lists and maps go.
func (f filler) fill(v reflect.Value, deep int) {
	if at, ok := v.Addr().Interface().(*time.Time); ok {
		switch f.IntN(4) {
		case 0:
			*at = time.Time{}
		case 1:
			*at = time.Unix(f.Int64N(1<<34), 0).In(time.FixedZone("", 60*f.IntN(800)))
		default:
			*at = time.Unix(f.Int64N(1<<34), f.Int64N(1e9)).UTC()
		}
		return
	}
	empty := f.IntN(4) == 0
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			f.fill(v.Field(i), deep)
		}
	case reflect.Pointer:
		if !empty {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem(), deep)
		}
	case reflect.Slice:
		if !empty || f.IntN(2) == 0 {
			v.Set(reflect.MakeSlice(v.Type(), f.IntN(4), 9))
		}
		for i := range v.Len() {
			f.fill(v.Index(i), deep)
		}
	case reflect.Map:
		if empty {
			return
		}
		v.Set(reflect.MakeMap(v.Type()))
		for range f.IntN(4) {
			k, e := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			f.fill(k, deep)
			f.fill(e, deep)
			v.SetMapIndex(k, e)
		}
	case reflect.String:
		words := []string{"", "", "src/a.go", `a"b\c`, "<é😀&>", "\x00\n\u2028\x7f", "\xff", "ab", "B"}
		v.SetString(words[f.IntN(len(words))] + words[f.IntN(len(words))])
	case reflect.Bool:
		v.SetBool(!empty)
	case reflect.Int, reflect.Int64:
		if !empty {
			v.SetInt(f.Int64() >> f.IntN(63) * int64(1-2*f.IntN(2)))
		}
	case reflect.Uint64, reflect.Uint8:
		if !empty {
			v.SetUint(f.Uint64() >> f.IntN(64))
		}
	default:
		f.t.Fatalf("a state holds a %s: teach it to the codec and to this test", v.Type())
	}
}

// TestFields: whatever a Session holds, the codec writes what encoding/json writes and reads what that reads.
func TestFields(t *testing.T) {
	f := filler{rand.New(rand.NewPCG(1, 2)), t}
	for range 3000 {
		var s gate.Session
		f.fill(reflect.ValueOf(&s).Elem(), 0)
		want, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		got, err := marshal(&s)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%v\nwrote %s\n want %s", err, got, want)
		}
		var back gate.Session
		if err := json.Unmarshal(want, &back); err != nil {
			t.Fatal(err)
		}
		own, err := unmarshal(want)
		if err != nil || !reflect.DeepEqual(own, back) {
			t.Fatalf("%v\n read %+v\n want %+v\n from %s", err, own, back, want)
		}
	}
}

// TestEveryField sets one field after the other, so that none is missed by chance, and gives the codec its name alone.
func TestEveryField(t *testing.T) {
	var each func(typ reflect.Type, path string, inside func(reflect.Value) gate.Session)
	seen := 0
	f := filler{rand.New(rand.NewPCG(3, 4)), t}
	each = func(typ reflect.Type, path string, inside func(reflect.Value) gate.Session) {
		for i := range typ.NumField() {
			p := path + "." + typ.Field(i).Name
			set := func(v reflect.Value) gate.Session {
				x := reflect.New(typ).Elem()
				x.Field(i).Set(v)
				return inside(x)
			}
			ft := typ.Field(i).Type
			v := reflect.New(ft).Elem()
			for range 50 {
				if f.fill(v, 0); !v.IsZero() {
					break
				}
			}
			s := set(v)
			want, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := marshal(&s); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %v\nwrote %s\n want %s", p, err, got, want)
			}
			seen++
			wrap := set
			for ft != reflect.TypeFor[time.Time]() && (ft.Kind() == reflect.Pointer || ft.Kind() == reflect.Slice || ft.Kind() == reflect.Map) {
				outer, t0 := wrap, ft
				wrap = func(v reflect.Value) gate.Session { return outer(holding(t0, v)) }
				ft = ft.Elem()
			}
			if ft.Kind() == reflect.Struct && ft != reflect.TypeFor[time.Time]() && strings.Count(p, ".") < 6 {
				each(ft, p, wrap)
			}
		}
	}
	each(reflect.TypeFor[gate.Session](), "Session", func(v reflect.Value) gate.Session { return v.Interface().(gate.Session) })
	if seen < 60 {
		t.Errorf("only %d fields were found", seen)
	}
}

// holding is a pointer, slice or map of type t that holds v alone.
func holding(t reflect.Type, v reflect.Value) reflect.Value {
	switch t.Kind() {
	case reflect.Pointer:
		p := reflect.New(t.Elem())
		p.Elem().Set(v)
		return p
	case reflect.Slice:
		return reflect.Append(reflect.Zero(t), v)
	}
	m := reflect.MakeMap(t)
	m.SetMapIndex(reflect.ValueOf("k"), v)
	return m
}

// FuzzCodec: what the codec reads of a damaged or foreign text is what encoding/json reads of it, it takes nothing that
// encoding/json refuses, and no key that is unknown or stands twice.
func FuzzCodec(f *testing.F) {
	fill := filler{rand.New(rand.NewPCG(5, 6)), &testing.T{}}
	for range 20 {
		var s gate.Session
		fill.fill(reflect.ValueOf(&s).Elem(), 0)
		raw, err := json.Marshal(s)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	for _, s := range []string{
		`{"schema":1,"id":"s1","future":[{"x":null}],"Agent":"a","TURN":{"ID":"t"},"\u0072oot":"r","started_at":null}`,
		`{"contexts":{"":null,"a":{"reads":{"k":null},"anchors":[null],"recovery":null}},"seen":null,"changed":{}}`,
		`{"schema":1.0}`, `{"schema":1e0}`, `{"schema":9223372036854775808}`, `{"schema":-0}`, `{"id":7}`, `{"damaged":1}`,
		`{"started_at":"2026-01-02"}`, `{"started_at":{}}`, `{"seen":{}}`, `{"contexts":[]}`, `{"seen":["a",]}`, `{"":1,"seen":[]}`,
		`{"contexts":{"":{"reads":{"k":{"sums":"AAAA","stamp":{"id":-1}}}}}}`, `{"contexts":{"":{"reads":{"k":{"sums":"A"}}}}}`, `null`, `{} {}`, `{"id":"` + "\xff" + `"}`,
		"{\"\u017fchema\":3,\"\u212aind\":1}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := unmarshal(raw)
		if err != nil {
			return
		}
		d := json.NewDecoder(bytes.NewReader(raw))
		d.DisallowUnknownFields()
		var want gate.Session
		if err := d.Decode(&want); err != nil || d.More() {
			t.Fatalf("%q: read, but encoding/json says %v", raw, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%q:\n read %+v\n want %+v", raw, got, want)
		}
	})
}

// What mbgate never wrote is damage, also where it is JSON that encoding/json would take.
func TestForeignIsNotRead(t *testing.T) {
	for _, s := range []string{
		`{"schema":1,"id":"s1","future":1}`, `{"schema":1,"id":"s1","id":"s1"}`, `{"schema":1,"ID":"s1"}`, `{"schema":1,"\u0069d":"s1"}`,
		`{ "schema":1,"id":"s1"}`, `{"schema":1,"id":"s1"} {}`, `{"schema":1,"id":null}`, `{"schema":1,"seen":["a",]}`, `{"schema":1,}`,
		`{"schema":1,"contexts":{"a":null,"a":null}}`, `{"schema":1,"contexts":{"":{"future":1}}}`, `{"schema":1,"damaged":null}`,
	} {
		if got, err := unmarshal([]byte(s)); err == nil {
			t.Errorf("%s: read %+v", s, got)
		}
	}
}

// A time that RFC 3339 cannot say is an error, as in encoding/json.
func TestMarshalFails(t *testing.T) {
	s := gate.Session{StartedAt: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}
	if raw, err := marshal(&s); err == nil {
		t.Errorf("wrote %s", raw)
	}
	if _, err := json.Marshal(s); err == nil {
		t.Error("encoding/json writes it")
	}
}

func TestNumbers(t *testing.T) {
	for _, n := range []string{strconv.Itoa(math.MaxInt), strconv.Itoa(math.MinInt), "9223372036854775808", "1.0", "1e2", "- 1", "", "-"} {
		raw := []byte(`{"announced":` + n + `}`)
		got, own := unmarshal(raw)
		var want gate.Session
		if err := json.Unmarshal(raw, &want); (err == nil) != (own == nil) || own == nil && got.Announced != want.Announced {
			t.Errorf("%s: %v %d, want %v %d", n, own, got.Announced, err, want.Announced)
		}
	}
}

func BenchmarkCodec(b *testing.B) {
	var s gate.Session
	filler{rand.New(rand.NewPCG(7, 9)), &testing.T{}}.fill(reflect.ValueOf(&s).Elem(), 0)
	raw, err := marshal(&s)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("write", func(b *testing.B) {
		b.SetBytes(int64(len(raw)))
		for b.Loop() {
			_, _ = marshal(&s)
		}
	})
	b.Run("read", func(b *testing.B) {
		b.SetBytes(int64(len(raw)))
		for b.Loop() {
			_, _ = unmarshal(raw)
		}
	})
}
