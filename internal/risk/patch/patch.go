// Package patch lists the files that a patch changes. It understands Codex's "*** Begin Patch" format, unified diffs
// and git diffs; it never applies anything.
package patch

import (
	"fmt"

	"github.com/mbgate/mbgate/internal/event"
)

// Change is one file that a patch touches, with the path as the patch spells it.
type Change struct {
	Path string
	Op   event.Op
}

// NotPatchError says that a text is no patch at all: it names no file in any of the formats known here.
type NotPatchError struct{}

func (NotPatchError) Error() string {
	return "the text is no patch: send a *** Begin Patch block, a unified diff or a git diff"
}

// SyntaxError says that a text is a patch that cannot be read to its end.
type SyntaxError struct {
	Line    int // 1-based
	Problem string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("patch line %d: %s", e.Line, e.Problem)
}

// How many leading components of a path in a unified diff are dropped: a count as of patch -pN, or one of these.
const (
	Guess = -1 // a/ and b/ (and git's i/ w/ c/ o/) are prefixes, other first components are not
	Base  = -2 // only the last component stays: what patch does without -p
)

// Parse lists what a patch changes, in the order of the text, with the prefixes of git diffs removed. The error is a
// NotPatchError or a *SyntaxError; with a SyntaxError the changes that were understood are returned as well.
func Parse(text string) ([]Change, error) { return ParseStrip(text, Guess) }

// ParseStrip is Parse for a patch program that was told how many leading path components to drop.
func ParseStrip(text string, strip int) ([]Change, error) { return nil, NotPatchError{} }
