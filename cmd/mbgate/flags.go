package main

import (
	"errors"

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
