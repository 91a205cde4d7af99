package wire

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzJSON holds the reading of payloads against encoding/json; package jsonscan does the same for every value.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"a":1}`, `{"a":-0.5e+10,"b":[true,false,null,"x"],"c":{"d":{}}}`, `{"a":01}`, `{"a":1.}`, `{"a":-}`, `{"a":1e}`,
		`{"a":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud83d\u0041\ude00\ud83d"}`, `{"a":"` + "\x7f\u0080" + `"}`, "{\"a\":\"\x1f\"}",
		`{"12345678":"12345678901234567890\n"}`, `{"a":[[[]]]}`, `{"a":[1,]}`, `{"a" "b"}`, `{"a":tru}`, `[{}]`, `{}{}`, "\ufeff{}",
		`{"a":"ÿÿÿÿÿÿÿÿ"}`, `{"\u0061":1,"a":2}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		o, bad := Parse(data)
		plain := bytes.TrimPrefix(data, []byte("\ufeff"))
		valid := json.Valid(plain) && utf8.Valid(data) && bytes.TrimLeft(plain, " \t\r\n")[0] == '{'
		if (bad == nil) != valid {
			if bad != nil && strings.Contains(bad.Problem, "levels deep") {
				return
			}
			t.Fatalf("%q: %v, encoding/json says %v", data, bad, valid)
		}
		if bad != nil {
			return
		}
		var want map[string]json.RawMessage
		if err := json.Unmarshal(plain, &want); err != nil {
			t.Fatal(err)
		}
		keys := map[string]bool{}
		for _, m := range o {
			keys[m.Key] = true
		}
		if len(keys) != len(want) {
			t.Fatalf("%q: keys %v, want %v", data, keys, want)
		}
		for k, v := range want {
			got := o.Get(k)
			if string(v) == "null" {
				if got != nil {
					t.Fatalf("%q: %q is %q", data, k, got)
				}
				continue
			}
			if !bytes.Equal(got, v) {
				t.Fatalf("%q: %q is %q, want %q", data, k, got, v)
			}
		}
	})
}

func decodeInto(t *testing.T, in string, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(in), v); err != nil {
		t.Fatal(err)
	}
}
