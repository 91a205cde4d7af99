package patch

import (
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

// section is what the header lines below "diff --git" say about one file.
type section struct {
	from, to                 string // of a rename or copy
	rename, copied           bool
	created, deleted, chmod  bool
	link                     bool // the new mode is that of a symbolic link
	binary                   bool
	named                    bool // ---/+++ lines were there
	old, fresh               string
	oldMissing, freshMissing bool
	unnamedOld, unnamedFresh string // the names in the "diff --git" line itself
}

// git reads one file of a git diff, from its "diff --git" line to the line behind its last hunk.
func (p *parser) git() {
	p.found = true
	start := p.next
	s := section{}
	s.unnamedOld, s.unnamedFresh = p.gitNames(p.line()[len("diff --git "):])
	for p.next++; p.more() && p.gitHeader(&s); p.next++ {
	}
	if p.atNames() {
		s.named = true
		s.old, s.oldMissing = p.name(p.line()[4:])
		s.fresh, s.freshMissing = p.name(p.peek(1)[4:])
		p.next += 2
	}
	end := p.next
	p.next = start // a fault of the header is reported at its first line
	p.gitChanges(s)
	p.next = end
	if s.binary {
		p.binary()
		return
	}
	p.hunks()
}

// gitHeader takes one extended header line; false for a line that is none.
func (p *parser) gitHeader(s *section) bool {
	key, value := headerLine(p.line())
	switch key {
	case "rename from ", "rename old ":
		s.rename, s.from = true, p.plainName(value)
	case "rename to ", "rename new ":
		s.rename, s.to = true, p.plainName(value)
	case "copy from ":
		s.copied, s.from = true, p.plainName(value)
	case "copy to ":
		s.copied, s.to = true, p.plainName(value)
	case "new file mode ":
		s.created, s.link = true, value == "120000"
	case "deleted file mode ":
		s.deleted = true
	case "new mode ":
		s.chmod = true
	case "Binary files ", "GIT binary patch":
		s.binary = true
	case "":
		return false
	}
	return true
}

// headerLine splits an extended header line of git; the key is "" for any other line.
func headerLine(l string) (key, value string) {
	for _, key := range [...]string{
		"index ", "new file mode ", "deleted file mode ", "old mode ", "new mode ", "similarity index ",
		"dissimilarity index ", "rename from ", "rename to ", "rename old ", "rename new ", "copy from ", "copy to ",
		"Binary files ", "GIT binary patch",
	} {
		if rest, ok := strings.CutPrefix(l, key); ok {
			return key, rest
		}
	}
	return "", ""
}

// gitChanges adds what a section changes. Headers that contradict each other are a fault.
func (p *parser) gitChanges(s section) {
	old, fresh := s.unnamedOld, s.unnamedFresh
	if s.named {
		s.created = s.created || s.oldMissing
		s.deleted = s.deleted || s.freshMissing
		if old != "" && (!s.oldMissing && s.old != old || !s.freshMissing && s.fresh != fresh) {
			p.fail("the names of the file contradict each other")
		}
		// Beside /dev/null the name in the first line shows what the prefixes are.
		if old == "" || !s.oldMissing {
			old = s.old
		}
		if fresh == "" || !s.freshMissing {
			fresh = s.fresh
		}
	}
	if s.rename || s.copied {
		// These two lines have no prefix; git -pN still drops N-1 components.
		q := parser{strip: max(p.strip-1, Guess)}
		if p.strip == Base {
			q.strip = Base
		}
		from, to := q.stripped(s.from), q.stripped(s.to)
		if s.rename {
			p.move(from, to)
		} else {
			p.add(to, event.OpCreate)
		}
		if s.named && (!strings.HasSuffix(old, s.from) || !strings.HasSuffix(fresh, s.to)) {
			p.fail("the names of the moved file contradict each other")
			p.nameChanges(old, fresh, s.oldMissing, s.freshMissing, false)
		}
		return
	}
	if s.created && s.deleted {
		p.fail("the file is both created and deleted")
	}
	if !s.named && (old == "" || fresh == "") {
		p.fail("the names in the diff --git line cannot be told apart")
		return
	}
	before := len(p.changes)
	p.nameChanges(old, fresh, s.created && !s.deleted, s.deleted && !s.created, true)
	switch {
	case len(p.changes) != before+1:
	case s.link:
		p.changes[before].Op = event.OpLink
	case s.chmod && !s.named && !s.binary:
		p.changes[before].Op = event.OpMode
	}
}

// binary skips the data of a binary patch: one or two blocks of "literal N" or "delta N", each ended by a blank line.
func (p *parser) binary() {
	for p.more() && (strings.HasPrefix(p.line(), "literal ") || strings.HasPrefix(p.line(), "delta ")) {
		for p.next++; p.more() && p.line() != ""; p.next++ {
		}
		p.next++
	}
}

// plainName reads a name that ends with its line: quoted or not.
func (p *parser) plainName(s string) string {
	if strings.HasPrefix(s, `"`) {
		name, _ := p.quoted(s)
		return name
	}
	return s
}

// maxNames is how far a "diff --git" line is searched for the blank between its names: Linux has no paths over 4,096 bytes, and
// the search grows with the square of the length.
const maxNames = 8192

// gitNames splits the two names of a "diff --git" line. They are not quoted when they hold blanks, so where both are
// plain they are told apart by being equal behind their prefixes; that is so wherever no other line names the file.
func (p *parser) gitNames(s string) (old, fresh string) {
	if strings.HasPrefix(s, `"`) {
		old, s = p.quoted(s)
		return old, p.plainName(strings.TrimLeft(s, " "))
	}
	if i := strings.Index(s, ` "`); i > 0 && strings.HasSuffix(s, `"`) {
		fresh, _ = p.quoted(s[i+1:])
		return s[:i], fresh
	}
	// With prefixes of one length the blank is in the middle.
	if m := len(s) / 2; len(s)%2 == 1 && s[m] == ' ' && sameBehindPrefix(s[:m], s[m+1:]) {
		return s[:m], s[m+1:]
	}
	for i := range min(len(s), maxNames) {
		if s[i] == ' ' && sameBehindPrefix(s[:i], s[i+1:]) {
			return s[:i], s[i+1:]
		}
	}
	return "", ""
}

// sameBehindPrefix reports whether two names of a diff are one file: equal, or equal behind their first component.
func sameBehindPrefix(a, b string) bool {
	if a == b {
		return true
	}
	_, a, ok := strings.Cut(a, "/")
	_, b, ok2 := strings.Cut(b, "/")
	return ok && ok2 && a == b
}
