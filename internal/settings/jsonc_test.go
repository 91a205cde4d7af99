package settings

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// FuzzParse: JSON is taken, and what is taken comes out as it was.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "\n", "{}", "// x", "/* x */ {\"a\": [1, /**/ 2,],}", "\xef\xbb\xbf{}\r\n", "{\"a\":{}} // y", "[[[", "{\"hooks\":{/**/\"Stop\" :[1 ,/* */],}//\n,}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := parse(data)
		if err != nil {
			if json.Valid(data) && !strings.Contains(err.Error(), "nested more") {
				t.Fatalf("valid JSON, and refused: %v", err)
			}
			return
		}
		if out := d.pack(); !bytes.Equal(out, data) {
			t.Fatalf("%q became %q", data, out)
		}
	})
}
