package place

import (
	"path"
	"strings"
)

// Clean is the shortest spelling of a slash-separated path: without ".", "..", doubled and trailing slashes, as far as
// that can be told without a disk. The empty path is ".". Every character other than the slash is an ordinary one; what
// a client or platform understands beyond that is said by a Syntax.
func Clean(p string) string { return path.Clean(p) }

// Join is the clean absolute form of p for somebody who works in the absolute folder cwd.
func Join(cwd, p string) string { return Syntax{}.Join(cwd, p) }

// Rel is the path abs relative to base, "." when they are the same and "" when abs is not below base. Both must be
// clean; where case is folded, both must have been folded.
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
