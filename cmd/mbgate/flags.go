package main

import (
	"errors"
	"strconv"
	"time"

	"github.com/spf13/pflag"
)

// sessionFlag adds --session.
func sessionFlag(f *pflag.FlagSet, into *string, usage string) {
	f.Var(&givenValue{into, "id", "give the id of a session, `mbgate status` shows them"}, "session", usage)
}

// rootFlag adds --root.
func rootFlag(f *pflag.FlagSet, into *string, usage string) {
	f.Var(&givenValue{into, "dir", "give a folder, or leave --root out"}, "root", usage)
}

// givenValue is a text that is not empty: an empty one comes from a variable that is not set, and would mean whatever the
// command does without the flag.
type givenValue struct {
	into         *string
	kind, remedy string
}

// Set implements pflag.Value.
func (v *givenValue) Set(s string) error {
	if s == "" {
		return errors.New("it is empty; " + v.remedy)
	}
	*v.into = s
	return nil
}

// Type implements pflag.Value.
func (v *givenValue) Type() string { return v.kind }

// String implements pflag.Value.
func (v *givenValue) String() string {
	if v.into == nil {
		return ""
	}
	return *v.into
}

// ageValue is a length of time as people write it, with days and weeks, and as Go does.
type ageValue time.Duration

// Set implements pflag.Value.
func (v *ageValue) Set(s string) error {
	d, ok := longAgo(s)
	if !ok {
		var err error
		if d, err = time.ParseDuration(s); err != nil {
			return errors.New("it is no length of time; write one like 30d, 2w or 36h")
		}
	}
	if d < 0 {
		return errors.New("it must not be negative")
	}
	*v = ageValue(d)
	return nil
}

// Type implements pflag.Value.
func (v *ageValue) Type() string { return "age" }

// String implements pflag.Value.
func (v *ageValue) String() string {
	if d := time.Duration(*v); d > 0 && d%(24*time.Hour) == 0 {
		return strconv.Itoa(int(d/(24*time.Hour))) + "d"
	}
	return time.Duration(*v).String()
}
