package config

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Kind is what sort of place a value comes from. The zero Kind is the default.
type Kind string

// The kinds of origins.
const (
	FromDefault Kind = ""
	FromFile    Kind = "file"
	FromEnv     Kind = "environment"
	FromFlag    Kind = "flag"
)

// MarshalText names the default, for JSON.
func (k Kind) MarshalText() ([]byte, error) {
	if k == FromDefault {
		return []byte("default"), nil
	}
	return []byte(k), nil
}

// Origin is the place that a value, or a problem, comes from.
type Origin struct {
	Kind Kind `json:"kind"`
	// Name is the file's path, the variable or the flag with its dashes; "" for a default.
	Name string `json:"name,omitempty"`
	// Line is the line in the file, from 1; 0 for the file as a whole.
	Line int `json:"line,omitempty"`
	// Preset is the layout named there that gave the value, "" if the value itself is there.
	Preset string `json:"preset,omitempty"`
}

// String is the origin for people: "default", "file:line", "environment NAME", "flag --name".
func (o Origin) String() string {
	s := "default"
	switch o.Kind {
	case FromFile:
		s = plain(o.Name)
		if o.Line > 0 {
			s += ":" + strconv.Itoa(o.Line)
		}
	case FromEnv:
		s = "environment " + o.Name
	case FromFlag:
		s = "flag " + plain(o.Name)
	}
	if o.Preset != "" {
		s += " (preset " + o.Preset + ")"
	}
	return s
}

// Problem is one thing that is wrong with the configuration. Nothing in its text can end a line or steer a terminal:
// what comes from a file is quoted.
type Problem struct {
	Origin Origin `json:"origin"`
	// Key is the key as written, a table's in brackets; "" when the file as a whole is meant.
	Key string `json:"key,omitempty"`
	// What is wrong, as a predicate of the key or the file.
	What string `json:"what"`
	// Remedy says what to write instead.
	Remedy string `json:"remedy"`
}

// String is the problem on one line: "file:line: key is …; remedy".
func (p Problem) String() string {
	key := ""
	if p.Key != "" {
		key = name(p.Key) + " "
	}
	return p.Origin.String() + ": " + key + p.What + "; " + p.Remedy
}

// shown is how many bytes of a foreign text a message repeats.
const shown = 80

// quote is a foreign text in a message.
func quote(s string) string {
	return strconv.Quote(cut(s))
}

// plain is a foreign name in a message: as it is if nothing in it could mislead, else quoted.
func plain(s string) string {
	for _, r := range s {
		if r == utf8.RuneError || !strconv.IsPrint(r) {
			return quote(s)
		}
	}
	return s
}

// emptyKey is how messages name the empty key.
const emptyKey = `""`

// name is a key in a message: as it is if it is one that TOML needs no quotes for, else quoted.
func name(s string) string {
	if s == emptyKey {
		return s
	}
	for _, r := range s {
		if !strings.ContainsRune("[]._-", r) && (r >= utf8.RuneSelf || !('0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z')) {
			return quote(s)
		}
	}
	return cut(s)
}

// cut shortens a foreign text to what a message repeats of it.
func cut(s string) string {
	if len(s) <= shown {
		return s
	}
	n := shown
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
