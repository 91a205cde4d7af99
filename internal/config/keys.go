package config

import (
	"slices"
	"strings"
)

// Type is what a key's value is, as messages and the documentation name it.
type Type string

// The types of values. The value of a key of Text or Switch with Allowed is one of a few words.
const (
	Text   Type = "a string"
	Number Type = "a whole number"
	Globs  Type = "a list of patterns"
	Names  Type = "a name or a list of names"
	Switch Type = "true or false"
)

// list reports whether values of the type are lists of strings.
func (t Type) list() bool { return t == Globs || t == Names }

// Key is one row of the table. Parsing, checking, `mbgate config` and the documentation are made from it.
type Key struct {
	Name string
	Type Type
	// Allowed are the only values of a Text, nil where any will do.
	Allowed []string
	// Min and Max bound a Number, both inclusive.
	Min, Max int
	// Env is the environment variable that sets the key; a list is separated by commas there.
	Env string
	// Doc says in one line what the key does, with the section of the specification it configures.
	Doc string
	// Example is a value as a TOML file has it.
	Example string

	strict order

	// The default, by type, and the field of Config that holds the value.
	word  string
	num   int
	words []string
	at    func(*Config) any
}

// Flag is the name of the flag that sets the key, without dashes: guard-mode for guard_mode.
func (k Key) Flag() string { return strings.ReplaceAll(k.Name, "_", "-") }

// Keys are all keys in their order. The slice and what it holds are the caller's own.
func Keys() []Key {
	keys := slices.Clone(table[:])
	for i := range keys {
		keys[i].Allowed = slices.Clone(keys[i].Allowed)
	}
	return keys
}

// find is the row of a name.
func find(name string) (int, bool) {
	for i := range table {
		if table[i].Name == name {
			return i, true
		}
	}
	return 0, false
}

// reset puts the default of a key into the configuration.
func (c *Config) reset(i int) {
	c.origins[i], c.items[i] = Origin{}, nil
	c.set(i, table[i].word, table[i].num, func(p *[]string) {
		switch i {
		case keySensitive:
			*p = slices.Clip(c.base.sensitive) // the caller's own already, and every hook would pay for a copy
		case keySafe:
			*p = slices.Clip(c.base.safe)
		default:
			*p = slices.Clone(table[i].words)
		}
	})
}
