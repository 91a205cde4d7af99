package main

import (
	"errors"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mbgate/mbgate/internal/config"
)

// sessionFlag adds --session.
func sessionFlag(f *pflag.FlagSet, into *string, usage string) {
	f.Var(&nonEmptyValue{into, "id", "give the id of a session, `mbgate status` shows them"}, "session", usage)
}

// rootFlag adds --root.
func rootFlag(f *pflag.FlagSet, into *string, usage string) {
	f.Var(&nonEmptyValue{into, "dir", "give a folder, or leave --root out"}, "root", usage)
}

// nonEmptyValue is a text that must not be empty: an empty one comes from a variable that is not set, and would mean whatever
// the command does without the flag.
type nonEmptyValue struct {
	into         *string
	kind, remedy string
}

// Set implements pflag.Value.
func (v *nonEmptyValue) Set(s string) error {
	if s == "" {
		return errors.New("it is empty; " + v.remedy)
	}
	*v.into = s
	return nil
}

// Type implements pflag.Value.
func (v *nonEmptyValue) Type() string { return v.kind }

// String implements pflag.Value.
func (v *nonEmptyValue) String() string {
	if v.into == nil {
		return ""
	}
	return *v.into
}

// ageValue is a length of time as people write it, with days and weeks, and as Go does.
type ageValue time.Duration

// Set implements pflag.Value.
func (v *ageValue) Set(s string) error {
	d, ok := parseAge(s)
	if !ok {
		var err error
		if d, err = time.ParseDuration(s); err != nil {
			return errors.New("it is not a length of time; write one like 30d, 2w or 36h")
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

// configFlags adds a flag for every key of the configuration; a flag wins over all other layers (SPEC §16).
func configFlags(cmd *cobra.Command, into *[]config.Flag) {
	for _, k := range config.Keys() {
		cmd.Flags().Var(&configFlag{name: k.Flag(), into: into}, k.Flag(), k.Doc)
	}
}

// configFlag collects one flag; the configuration itself checks the value.
type configFlag struct {
	name string
	into *[]config.Flag
}

// Set implements pflag.Value.
func (f *configFlag) Set(v string) error {
	*f.into = append(*f.into, config.Flag{Name: f.name, Value: v})
	return nil
}

// Type implements pflag.Value.
func (f *configFlag) Type() string { return "value" }

// String implements pflag.Value.
func (f *configFlag) String() string { return "" }
