package main

import (
	"testing"
	"time"

	"github.com/spf13/pflag"
)

func TestSince(t *testing.T) {
	zone := time.FixedZone("", 2*3600)
	now := time.Date(2026, 11, 20, 15, 4, 5, 0, zone)
	for _, c := range []struct{ in, want string }{
		{"2h", "2026-11-20T13:04:05+02:00"},
		{"2h ago", "2026-11-20T13:04:05+02:00"},
		{"-90m", "2026-11-20T13:34:05+02:00"},
		{"3d", "2026-11-17T15:04:05+02:00"},
		{"1d12h", "2026-11-19T03:04:05+02:00"},
		{"1w", "2026-11-13T15:04:05+02:00"},
		{"now", "2026-11-20T15:04:05+02:00"},
		{"today", "2026-11-20T00:00:00+02:00"},
		{"Yesterday", "2026-11-19T00:00:00+02:00"},
		{"14:30", "2026-11-20T14:30:00+02:00"},
		{"14:30:15", "2026-11-20T14:30:15+02:00"},
		{"2026-11-02", "2026-11-02T00:00:00+02:00"},
		{"2026-11-02 03:04", "2026-11-02T03:04:00+02:00"},
		{"2026-11-02 03:04:05", "2026-11-02T03:04:05+02:00"},
		{"2026-11-02T03:04:05", "2026-11-02T03:04:05+02:00"},
		{"2026-11-02T03:04:05Z", "2026-11-02T03:04:05Z"},
		{"2026-11-02T03:04:05.5-07:00", "2026-11-02T03:04:05-07:00"},
		{"", ""},
		{"soon", ""},
		{"2", ""},
		{"h", ""},
		{"2y", ""},
		{"2h3", ""},
		{"999999h", ""},
		{"2026-13-01", ""},
		{"25:00", ""},
		{"20/11/2026", ""},
	} {
		got, err := parseSince(c.in, now)
		if text := got.Format(time.RFC3339); err == nil && text != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%q is %s, want %s (%v)", c.in, text, c.want, err)
		}
	}
}

func TestAges(t *testing.T) {
	var age time.Duration
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	ageFlag(f, &age, "age", "30d", "")
	const day = 24 * time.Hour
	if age != 30*day || f.Lookup("age").DefValue != "30d" {
		t.Errorf("the default is %s, shown as %s", age, f.Lookup("age").DefValue)
	}
	for in, want := range map[string]time.Duration{
		"30d": 30 * day, "2w": 14 * day, "36h": 36 * time.Hour, "720h0m0s": 30 * day, "1h30m": 90 * time.Minute, "0s": 0,
	} {
		if err := f.Set("age", in); err != nil || age != want {
			t.Errorf("%s is %s, want %s (%v)", in, age, want, err)
		}
	}
	for _, in := range []string{"", "soon", "-5h", "-1d", "d"} {
		if f.Set("age", in) == nil {
			t.Errorf("%q is taken", in)
		}
	}
}
