package place

import "strings"

// Join is the clean absolute form of p on POSIX, relative to the absolute folder cwd.
func Join(cwd, p string) string { return Syntax{}.Join(cwd, p) }

// Rel is the path abs relative to base: "." when they are the same, "" when abs is not below base. Both must be clean and,
// where case folds, folded.
func Rel(base, abs string) string {
	if abs == base {
		return "."
	}
	rest, below := strings.CutPrefix(abs, base)
	switch {
	case !below || base == "":
		return ""
	case strings.HasSuffix(base, "/"): // "/" and "C:/" are the only clean folders that end so
		return rest
	case rest[0] != '/':
		return ""
	}
	return rest[1:]
}
