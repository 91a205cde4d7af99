package journal

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"time"
)

// TestEncode holds the writing of records against encoding/json, with all fields, with each alone, and with none: a
// field that encode does not know fails here.
func TestEncode(t *testing.T) {
	full := Record{At: time.Date(2026, 3, 1, 12, 0, 0, 120, time.FixedZone("", 3600))}
	v := reflect.ValueOf(&full).Elem()
	for i := 1; i < v.NumField(); i++ {
		v.Field(i).SetString(v.Type().Field(i).Name + " <\"é\\\n\u2028\xff>&")
	}
	records := []Record{full, {}}
	for i := 1; i < v.NumField(); i++ {
		var r Record
		reflect.ValueOf(&r).Elem().Field(i).Set(v.Field(i))
		records = append(records, r)
	}
	for _, r := range records {
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		if err := e.Encode(r); err != nil {
			t.Fatal(err)
		}
		if got, err := r.encode(); err != nil || !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%v\nwrote %s want %s", err, got, want.Bytes())
		}
	}
	if b, err := (Record{At: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}).encode(); err == nil {
		t.Errorf("wrote a time that cannot be read: %s", b)
	}
}
