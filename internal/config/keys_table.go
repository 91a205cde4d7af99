package config

// The rows of the table, in the order of SPEC §16.
const (
	keyAnchors = iota
	keyFallback
	keyPreset
	keyDeny
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
	keyKeepWords
	keyRunFile
	keyCount
)

// table has a row for each key. It is an array of constants and of functions that close over nothing, so the linker lays
// it out and it costs no start-up.
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
		Name: "fallback", Type: Globs, Env: "MBGATE_FALLBACK",
		Doc:     "what must be read again where no anchor was read before the compaction; of a pattern the newest files",
		Example: `["docs/README.md"]`,
		words:   []string{"memory-bank/MEMORY.md", "memory-bank/details/patterns.md"},
		at:      func(c *Config) any { return &c.Fallback },
	},
	keyPreset: {
		Name: "preset", Type: Names, Env: "MBGATE_PRESET",
		Doc:     "named layouts that set anchors and fallback: " + presetNames,
		Example: `["spec-kit", "docs"]`,
		at:      func(c *Config) any { return &c.Presets },
	},
	keyDeny: {
		Name: "deny", Type: Globs, strict: larger, Env: "MBGATE_DENY",
		Doc:     "files that no agent may change, in every mode",
		Example: `["api/**"]`,
		at:      func(c *Config) any { return &c.Deny },
	},
	keyRequiredBudget: {
		Name: "required_budget", Type: Number, strict: larger, Min: 1_000, Max: 10_000_000, Env: "MBGATE_REQUIRED_BUDGET",
		Doc:     "bytes of anchors that a recovery asks for at most; of a larger file its beginning and end",
		Example: "60000", num: 60_000,
		at: func(c *Config) any { return &c.RequiredBudget },
	},
	keyRecovery: {
		Name: "recovery", Type: Text, strict: earlier, Allowed: []string{"strict", "block", "warn", "off"}, Env: "MBGATE_RECOVERY",
		Doc:     "what happens to medium- and high-risk writes between a compaction and the reading of the anchors; under strict a call of the reader opens nothing, what it reads counts",
		Example: `"warn"`, word: "block",
		at: func(c *Config) any { return &c.Recovery },
	},
	keyGuardMode: {
		Name: "guard_mode", Type: Text, strict: later, Allowed: []string{"off", "warn", "block", "strict"}, Env: "MEMORY_BANK_GUARD_MODE",
		Doc:     "what happens to writes in a turn that has not read patterns.md: block refuses those of high risk, strict of medium risk too",
		Example: `"block"`, word: "warn",
		at: func(c *Config) any { return &c.GuardMode },
	},
	keyWriteGuard: {
		Name: "write_guard", Type: Text, strict: earlier, Allowed: []string{"consent", "writer", "markdown", "off"}, Env: "MBGATE_WRITE_GUARD",
		Doc:     "who may write into memory-bank/: the writer subagent once a person agreed, that subagent at any time, anybody as long as it is .md, or anybody",
		Example: `"markdown"`, word: "consent",
		at: func(c *Config) any { return &c.WriteGuard },
	},
	keyProposals: {
		Name: "proposals", Type: Text, Allowed: []string{"remind", "off"}, Env: "MBGATE_PROPOSALS",
		Doc:     "whether an agent that stops is reminded to propose an update of the memory bank",
		Example: `"off"`, word: "remind",
		at: func(c *Config) any { return &c.Proposals },
	},
	keySensitive: {
		Name: "sensitive", Type: Globs, strict: larger, Env: "MBGATE_SENSITIVE",
		Doc:     "files whose change is of high risk",
		Example: `["+billing/**"]`,
		at:      func(c *Config) any { return &c.Sensitive },
	},
	keySafe: {
		Name: "safe", Type: Globs, strict: smaller, Env: "MBGATE_SAFE",
		Doc:     "files whose change is of low risk",
		Example: `["+notes/**"]`,
		at:      func(c *Config) any { return &c.Safe },
	},
	keyDenialCeiling: {
		Name: "denial_ceiling", Type: Number, strict: larger, Min: 0, Max: 1_000, Env: "MBGATE_DENIAL_CEILING",
		Doc:     "refusals after which a gate that is shown no reads stands down to reminders; 0 is never",
		Example: "12", num: 12,
		at: func(c *Config) any { return &c.DenialCeiling },
	},
	keyFail: {
		Name: "fail", Type: Text, strict: later, Allowed: []string{"open", "closed"}, Env: "MBGATE_FAIL",
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
	keyKeepWords: {
		Name: "keep_words", Type: Switch, Allowed: []string{"true", "false"}, Env: "MBGATE_KEEP_WORDS",
		Doc:     "whether sentences of your prompts that set a bound, and a plan that you paste, are kept with the session and shown after a compaction",
		Example: "false", word: "true",
		at: func(c *Config) any { return &c.KeepWords },
	},
	keyRunFile: {
		Name: "run_file", Type: Text, Env: "MBGATE_RUN_FILE",
		Doc:     "the session's run file, relative to the project root; its gate binds after a compaction",
		Example: `".runs/current.json"`,
		at:      func(c *Config) any { return &c.RunFile },
	},
}
