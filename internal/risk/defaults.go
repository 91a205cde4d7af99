package risk

// DefaultSensitive are the globs of files whose change is high risk, over canonical paths (SPEC §8).
func DefaultSensitive() []string { return nil }

// DefaultSafe are the globs of files whose change is low risk, over canonical paths (SPEC §8).
func DefaultSafe() []string { return nil }
