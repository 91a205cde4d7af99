package jsonscan

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"unicode/utf8"
)

// FuzzScan holds the scanner against encoding/json.
func FuzzScan(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"a":1}`, `{"a":-0.5e+10,"b":[true,false,null,"x"],"c":{"d":{}}}`, `{"a":01}`, `{"a":1.}`, `{"a":-}`, `{"a":1e}`,
		`{"a":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud83d\u0041\ude00\ud83d"}`, `{"a":"` + "\x7f\u0080" + `"}`, "{\"a\":\"\x1f\"}",
		`{"12345678":"12345678901234567890\n"}`, `{"a":[[[]]]}`, `{"a":[1,]}`, `{"a" "b"}`, `{"a":tru}`, `[{}]`, `{}{}`,
		`{"a":"ÿÿÿÿÿÿÿÿ"}`, `{"\u0061":1,"a":2}`, `"x"`, `7`, ``, ` null `,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s := Scanner{Data: data}
		s.Space()
		from := s.Pos
		ok := s.Value()
		to := s.Pos
		s.Space()
		ok = ok && s.Pos == len(data)
		if want := json.Valid(data); ok != want {
			if s.Deep {
				return
			}
			t.Fatalf("%q: %v, encoding/json says %v", data, ok, want)
		}
		if ok && utf8.Valid(data) {
			compare(t, data[from:to])
		}
	})
}

// compare reads a value in both ways, to the bottom.
func compare(t *testing.T, v []byte) {
	t.Helper()
	switch v[0] {
	case '"':
		var want string
		if err := json.Unmarshal(v, &want); err != nil || Unquote(v) != want {
			t.Fatalf("%q: %q, want %q, %v", v, Unquote(v), want, err)
		}
	case '[':
		list, ok := Elements(v)
		var want []json.RawMessage
		if err := json.Unmarshal(v, &want); err != nil || !ok || len(list) != len(want) {
			t.Fatalf("%q: %d elements, want %d, %v", v, len(list), len(want), err)
		}
		for i := range list {
			if !bytes.Equal(list[i], want[i]) {
				t.Fatalf("%q: %q, want %q", v, list[i], want[i])
			}
			compare(t, list[i])
		}
	case '{':
		o, ok := Members(v)
		var want map[string]json.RawMessage
		if err := json.Unmarshal(v, &want); err != nil || !ok {
			t.Fatalf("%q: %v", v, err)
		}
		got := map[string]json.RawMessage{}
		for _, m := range o {
			got[m.Key] = m.Value
			compare(t, m.Value)
		}
		if len(got) != len(want) || len(got) > 0 && !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: %q, want %q", v, got, want)
		}
		for k, v := range want {
			if got := o.Get(k); string(v) != "null" && !bytes.Equal(got, v) || string(v) == "null" && got != nil {
				t.Fatalf("%q is %q, want %q", k, got, v)
			}
		}
	}
}

// FuzzText holds the writing of strings against encoding/json, and reads them back.
func FuzzText(f *testing.F) {
	for _, s := range []string{
		"", "plain", "a\"b\\c/d", "\x00\x01\b\f\n\r\t\x1f\x7f", "<a href='x'>&amp;", "\u2028\u2029\u202a", "é😀\ufffd", "\xff\xc3x\xed\xa0\x80",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := AppendText(nil, s, true); !bytes.Equal(got, want) {
			t.Fatalf("%q: %s, want %s", s, got, want)
		}
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(s); err != nil {
			t.Fatal(err)
		}
		got := AppendText([]byte("x"), s, false)
		if string(got) != "x"+string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))) {
			t.Fatalf("%q: %s, want %s", s, got[1:], b.Bytes())
		}
		if back := Unquote(got[1:]); utf8.ValidString(s) && back != s {
			t.Fatalf("%q: came back as %q", s, back)
		}
	})
}
