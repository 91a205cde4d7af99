package config

import (
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

// Type is what a key's value is.
type Type uint8

// The types of values.
const (
	Words  Type = iota + 1 // one of a few words
	Number                 // a whole number
	Globs                  // a list of patterns
	Paths                  // a list of paths
	Text                   // a string
)

// String is the type as messages and the documentation name it.
func (t Type) String() string {
	switch t {
	case Words:
		return "a string"
	case Number:
		return "a whole number"
	case Globs:
		return "a list of patterns"
	case Paths:
		return "a list of paths"
	case Text:
		return "a string"
	}
	return "unknown"
}

// list reports whether values of the type are lists of strings.
func (t Type) list() bool { return t == Globs || t == Paths }

// Key is one row of the table that parsing, checking, `mbgate config` and the documentation are made from.
type Key struct {
	Name string
	Type Type
	// Allowed are the values of a key of Words.
	Allowed []string
	// Min and Max bound a Number, both inclusive.
	Min, Max int
	// Env is the environment variable that sets the key; a list is separated by commas there.
	Env string
	// Doc says in one line what the key does, with the section of the specification it configures.
	Doc string
	// Example is a value as it stands in a TOML file.
	Example string

	word  string
	num   int
	words []string
	at    func(*Config) any
}

// Flag is the name of the flag that sets the key, without dashes: guard-mode for guard_mode.
func (k Key) Flag() string { return strings.ReplaceAll(k.Name, "_", "-") }

// The rows of the table, in the order of SPEC §16.
const (
	keyAnchors = iota
	keyFallback
	keyPreset
	keyRequiredBudget
	keyRecovery
	keyGuardMode
	keyWriteGuard
	keyProposals
	keySensitive
	keySafe
	keyDenialCeiling
	keyFail
	keyMaxChars
	keyCapsuleTokens
	keyRunFile
	keyCount
)

// table is an array of constants and functions that close over nothing, so it is laid out by the linker and costs no
// start-up; nobody writes to it.
var table = [keyCount]Key{
	keyAnchors: {
		Name: "anchors", Type: Globs, Env: "MBGATE_ANCHORS",
		Doc:     "documents that frame a task and must be read again after a compaction",
		Example: `["docs/specs/**", "docs/PLAN.md"]`,
		words: []string{
			"memory-bank/details/requirements/**", "memory-bank/details/design/**", "memory-bank/details/progress.md",
		},
		at: func(c *Config) any { return &c.Anchors },
	},
	keyFallback: {
		Name: "fallback", Type: Paths, Env: "MBGATE_FALLBACK",
		Doc:     "what must be read again where no anchor was read before the compaction",
		Example: `["docs/README.md"]`,
		words:   []string{"memory-bank/MEMORY.md", "memory-bank/details/patterns.md"},
		at:      func(c *Config) any { return &c.Fallback },
	},
	keyPreset: {
		Name: "preset", Type: Text, Env: "MBGATE_PRESET",
		Doc:     "a named layout that sets anchors and fallback: " + presetNames,
		Example: `"spec-kit"`,
		at:      func(c *Config) any { return &c.Preset },
	},
	keyRequiredBudget: {
		Name: "required_budget", Type: Number, Min: 1_000, Max: 10_000_000, Env: "MBGATE_REQUIRED_BUDGET",
		Doc:     "bytes of anchors that a recovery asks for at most; of a larger file its beginning and end",
		Example: "60000", num: 60_000,
		at: func(c *Config) any { return &c.RequiredBudget },
	},
	keyRecovery: {
		Name: "recovery", Type: Words, Allowed: []string{"block", "warn", "off"}, Env: "MBGATE_RECOVERY",
		Doc:     "what happens to medium- and high-risk writes between a compaction and the reading of the anchors",
		Example: `"warn"`, word: "block",
		at: func(c *Config) any { return &c.Recovery },
	},
	keyGuardMode: {
		Name: "guard_mode", Type: Words, Allowed: []string{"off", "warn", "block"}, Env: "MEMORY_BANK_GUARD_MODE",
		Doc:     "what happens to writes in a turn that has not read patterns.md",
		Example: `"block"`, word: "warn",
		at: func(c *Config) any { return &c.GuardMode },
	},
	keyWriteGuard: {
		Name: "write_guard", Type: Words, Allowed: []string{"writer", "markdown", "off"}, Env: "MBGATE_WRITE_GUARD",
		Doc:     "who may write into memory-bank/: the writer subagent, anybody as long as it is .md, or anybody",
		Example: `"markdown"`, word: "writer",
		at: func(c *Config) any { return &c.WriteGuard },
	},
	keyProposals: {
		Name: "proposals", Type: Words, Allowed: []string{"remind", "off"}, Env: "MBGATE_PROPOSALS",
		Doc:     "whether an agent that stops is reminded to propose an update of the memory bank",
		Example: `"off"`, word: "remind",
		at: func(c *Config) any { return &c.Proposals },
	},
	keySensitive: {
		Name: "sensitive", Type: Globs, Env: "MBGATE_SENSITIVE",
		Doc:     "files whose change is of high risk",
		Example: `["+billing/**"]`,
		at:      func(c *Config) any { return &c.Sensitive },
	},
	keySafe: {
		Name: "safe", Type: Globs, Env: "MBGATE_SAFE",
		Doc:     "files whose change is of low risk",
		Example: `["+notes/**"]`,
		at:      func(c *Config) any { return &c.Safe },
	},
	keyDenialCeiling: {
		Name: "denial_ceiling", Type: Number, Min: 0, Max: 1_000, Env: "MBGATE_DENIAL_CEILING",
		Doc:     "refusals after which a gate that is shown no reads stands down to reminders; 0 is never",
		Example: "12", num: 12,
		at: func(c *Config) any { return &c.DenialCeiling },
	},
	keyFail: {
		Name: "fail", Type: Words, Allowed: []string{"open", "closed"}, Env: "MBGATE_FAIL",
		Doc:     "what happens to medium- and high-risk writes when mbgate itself cannot do its work",
		Example: `"closed"`, word: "open",
		at: func(c *Config) any { return &c.Fail },
	},
	keyMaxChars: {
		Name: "max_chars", Type: Number, Min: 0, Max: 1_000_000, Env: "MEMORY_BANK_MAX_CHARS",
		Doc:     "characters of MEMORY.md that are injected at most",
		Example: "8000", num: 12_000,
		at: func(c *Config) any { return &c.MaxChars },
	},
	keyCapsuleTokens: {
		Name: "capsule_tokens", Type: Number, Min: 50, Max: 100_000, Env: "MBGATE_CAPSULE_TOKENS",
		Doc:     "tokens that the capsule takes at most in what is injected after a compaction",
		Example: "900", num: 600,
		at: func(c *Config) any { return &c.CapsuleTokens },
	},
	keyRunFile: {
		Name: "run_file", Type: Text, Env: "MBGATE_RUN_FILE",
		Doc:     "the session's run file, relative to the project root; its gate binds after a compaction",
		Example: `".runs/current.json"`,
		at:      func(c *Config) any { return &c.RunFile },
	},
}

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
	switch p := table[i].at(c).(type) {
	case *event.Mode:
		*p = event.Mode(table[i].word)
	case *string:
		*p = table[i].word
	case *int:
		*p = table[i].num
	case *[]string:
		switch i {
		case keySensitive:
			*p = slices.Clip(c.base.sensitive) // the caller's own already, and every hook would pay for a copy
		case keySafe:
			*p = slices.Clip(c.base.safe)
		default:
			*p = slices.Clone(table[i].words)
		}
	}
}
