// Package patch lists the files that a patch changes. It understands Codex's "*** Begin Patch" format, unified diffs
// and git diffs; it never applies anything. It is pure and imports event alone. Start with Parse.
//
// It is our own code because a guard needs other things than the libraries give: sourcegraph/go-diff does not count
// hunk lines, so a removed "-- x" hides or invents a file, and skips what it does not know; bluekeyes/go-gitdiff counts
// them, but links net and mime, which makes every hook's process 0.11 ms (a tenth) slower. The latter is the oracle of the
// tests.
package patch

import (
	"fmt"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

// Change is one file that a patch touches, with the path as the patch spells it. A move is two changes: OpMove of the
// path that goes away, then OpCreate of the path it gets; whether that exists already is the caller's to find out.
type Change struct {
	Path string
	Op   event.Op
}

// NotPatchError says that a text is no patch at all: it names no file in any of the formats known here.
type NotPatchError struct{}

func (NotPatchError) Error() string {
	return "the text is no patch: send a *** Begin Patch block, a unified diff or a git diff"
}

// syntaxError says that a text is a patch that cannot be read to its end.
type syntaxError struct {
	Line    int // 1-based
	Problem string
}

func (e *syntaxError) Error() string {
	return fmt.Sprintf("patch line %d: %s", e.Line, e.Problem)
}

// How many leading components of a path in a unified diff are dropped: a count as of patch -pN, or one of these.
const (
	Guess = -1 // a/ and b/ (and git's i/ w/ c/ o/) are prefixes, other first components are not
	Base  = -2 // only the last component stays: what patch does without -p
)

// Parse lists what a patch changes, in the order of the text, with the prefixes of git diffs removed. Text around the
// patches is ignored, as the programs that apply them do. The error is a NotPatchError or a *syntaxError; with a
// syntaxError the changes that were understood are returned as well, also those after the faulty line.
func Parse(text string) ([]Change, error) { return ParseStrip(text, Guess) }

// ParseStrip is Parse for a program that was told how many leading components of the names in a diff to drop: 1 for
// git apply, N for patch -pN, Base for patch without -p. Names in a "*** Begin Patch" block are never shortened.
func ParseStrip(text string, strip int) ([]Change, error) {
	p := &parser{lines: strings.Split(text, "\n"), strip: strip}
	for i, l := range p.lines {
		p.lines[i] = strings.TrimSuffix(l, "\r")
	}
	for p.more() {
		switch l := p.line(); {
		case strings.TrimSpace(l) == "*** Begin Patch":
			p.block()
		case strings.HasPrefix(l, "diff --git "):
			p.git()
		case p.atNames():
			p.unified()
		default:
			p.prose(l)
			p.next++
		}
	}
	if p.err != nil {
		return p.changes, p.err
	}
	if !p.found {
		return nil, NotPatchError{}
	}
	return p.changes, nil
}

// parser walks over the lines of a text.
type parser struct {
	lines   []string
	next    int // index of the current line
	strip   int
	changes []Change
	found   bool  // something of a known format was seen
	err     error // the first fault
}

func (p *parser) more() bool   { return p.next < len(p.lines) }
func (p *parser) line() string { return p.lines[p.next] }

// peek is the line that lies n lines ahead, "" behind the end.
func (p *parser) peek(n int) string {
	if p.next+n < len(p.lines) {
		return p.lines[p.next+n]
	}
	return ""
}

func (p *parser) add(path string, op event.Op) {
	p.found = true
	if path == "" {
		p.fail("a file name is missing")
		return
	}
	p.changes = append(p.changes, Change{Path: path, Op: op})
}

// fail remembers the first fault, at the current line. Parsing goes on, so that the files behind it are known too.
func (p *parser) fail(problem string) {
	p.found = true
	if p.err == nil {
		p.err = &syntaxError{Line: min(p.next+1, len(p.lines)), Problem: problem}
	}
}

// prose looks at a line outside of all patches. Most of it is a commit message or an explanation; what a patch program
// might take for a patch that is not understood here is a fault.
func (p *parser) prose(l string) {
	switch {
	case strings.HasPrefix(strings.TrimLeft(l, " \tX"), "@@ -"):
		// GNU patch accepts a diff that is indented as a whole by blanks or X.
		p.fail("a hunk without the name of its file")
	case l == "***************":
		p.fail("context diffs are not understood: send a unified diff")
	case isNormalHunk(l) && (strings.HasPrefix(p.peek(1), "< ") || strings.HasPrefix(p.peek(1), "> ")):
		p.fail("diffs without context are not understood: send a unified diff")
	default:
		if op, path := blockHeader(l); op != "" {
			p.fail("a file header outside of *** Begin Patch and *** End Patch")
			p.add(path, op)
		}
	}
}

// isNormalHunk reports whether a line has the form of a header in a plain diff: 3c3, 1,2d0, 4a5,9.
func isNormalHunk(l string) bool {
	i := strings.IndexAny(l, "acd")
	return i > 0 && i < len(l)-1 && strings.Trim(l[:i]+l[i+1:], "0123456789,") == ""
}
