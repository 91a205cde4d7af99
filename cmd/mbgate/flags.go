package main

import (
	"errors"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mbgate/mbgate/internal/config"
)

// flagValue is a flag's value that is checked when the command line is parsed.
type flagValue struct {
	// kind stands for the value in the help, in lower case; text is the value as it was given, or the default.
	kind, text string
	// take checks a value and keeps it.
	take func(string) error
}

// Set implements pflag.Value.
func (v *flagValue) Set(s string) error {
	v.text = s
	return v.take(s)
}

// Type implements pflag.Value.
func (v *flagValue) Type() string { return v.kind }

// String implements pflag.Value.
func (v *flagValue) String() string { return v.text }

// textFlag adds a flag whose value is any text; kind stands for it in the help.
func textFlag(f *pflag.FlagSet, into *string, name, kind, usage string) {
	f.Var(&flagValue{kind: kind, take: func(s string) error {
		*into = s
		return nil
	}}, name, usage)
}

// sessionFlag adds --session.
func sessionFlag(f *pflag.FlagSet, into *string, usage string) {
	nonEmptyFlag(f, into, "session", "id", usage, "give the id of a session, `mbgate status` shows them")
}

// rootFlag adds --root.
func rootFlag(f *pflag.FlagSet, into *string, usage string) {
	nonEmptyFlag(f, into, "root", "dir", usage, "give a folder, or leave --root out")
}

// nonEmptyFlag adds a flag whose value must not be empty: an empty one comes from a variable that is not set, and would
// mean whatever the command does without the flag.
func nonEmptyFlag(f *pflag.FlagSet, into *string, name, kind, usage, remedy string) {
	f.Var(&flagValue{kind: kind, take: func(s string) error {
		if s == "" {
			return errors.New("it is empty; " + remedy)
		}
		*into = s
		return nil
	}}, name, usage)
}

// ageFlag adds a flag for a length of time as people write it, with days and weeks, and as Go does.
func ageFlag(f *pflag.FlagSet, into *time.Duration, name, standard, usage string) {
	*into, _ = parseAge(standard)
	f.Var(&flagValue{kind: "age", text: standard, take: func(s string) error {
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
		*into = d
		return nil
	}}, name, usage)
}

// configKind is the kind of the flags that are keys of the configuration.
const configKind = "value"

// configFlags adds a flag for every key of the configuration; a flag wins over all other layers (SPEC §16). The
// configuration itself checks the values.
func configFlags(cmd *cobra.Command, into *[]config.Flag) {
	for _, k := range config.Keys() {
		cmd.Flags().Var(&flagValue{kind: configKind, take: func(s string) error {
			*into = append(*into, config.Flag{Name: k.Flag(), Value: s})
			return nil
		}}, k.Flag(), k.Doc)
	}
}

// isConfigFlag reports whether a flag is a key of the configuration.
func isConfigFlag(f *pflag.Flag) bool { return f.Value.Type() == configKind }
