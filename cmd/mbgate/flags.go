package main

import (
	"errors"
	"strconv"
	"time"

	"github.com/spf13/pflag"
)

// sessionFlag adds --session. An empty value is wrong usage: it comes from a variable that is not set, and would mean
// whatever the command does without the flag.
func sessionFlag(f *pflag.FlagSet, into *string, usage string) {
	f.Var((*sessionValue)(into), "session", usage)
}

type sessionValue string

// Set implements pflag.Value.
func (v *sessionValue) Set(s string) error {
	if s == "" {
		return errors.New("it is empty; give the id of a session, `mbgate status` shows them")
	}
	*v = sessionValue(s)
	return nil
}

// Type implements pflag.Value.
func (v *sessionValue) Type() string { return "id" }

// String implements pflag.Value.
func (v *sessionValue) String() string { return string(*v) }

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
