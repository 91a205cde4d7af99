package patch

import (
	"strconv"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

const devNull = "/dev/null"

// atNames reports whether the current line and the next are the two file names of a unified diff. Without a hunk behind
// them nothing is changed, and they may as well be a rule in a commit message.
func (p *parser) atNames() bool {
	return strings.HasPrefix(p.peek(0), "--- ") && strings.HasPrefix(p.peek(1), "+++ ") && strings.HasPrefix(p.peek(2), "@@")
}

// unified reads the names and hunks of one file of a diff that is not git's.
func (p *parser) unified() {
	old, isNew := p.name(p.line()[4:])
	fresh, isGone := p.name(p.peek(1)[4:])
	p.next += 2
	p.nameChanges(old, fresh, isNew, isGone, false)
	p.hunks()
}

// nameChanges adds what the two names of a diff say. isNew and isGone are set when the old or the new side did not
// exist, pair when the names are known to be one file's.
func (p *parser) nameChanges(old, fresh string, isNew, isGone, pair bool) {
	if p.strip == Guess {
		old, fresh = guessPrefix(old, fresh, pair)
	}
	old, fresh = p.stripped(old), p.stripped(fresh)
	switch {
	case isNew && isGone:
		p.fail("both names are " + devNull)
	case isNew:
		p.add(fresh, event.OpCreate)
	case isGone:
		p.add(old, event.OpDelete)
	case old == fresh || strings.HasPrefix(old, fresh):
		p.add(fresh, event.OpWrite) // x.orig or x~ against x: git and patch change x
	case strings.HasPrefix(fresh, old):
		p.add(old, event.OpWrite)
	default:
		// Which of the two is changed depends on which exists.
		p.add(old, event.OpWrite)
		p.add(fresh, event.OpWrite)
	}
}

// hunks reads the hunks of one file. Their lines are counted, not guessed at: "--- x" inside one is a removed line.
func (p *parser) hunks() {
	n := 0
	for ; p.more() && strings.HasPrefix(p.line(), "@@"); n++ {
		old, fresh, ok := hunkSize(p.line())
		if !ok {
			p.fail("the hunk header has no line numbers")
			p.next++
			return
		}
		p.next++
		for old > 0 || fresh > 0 {
			if !p.more() {
				p.fail("the patch ends within a hunk")
				return
			}
			l := p.line()
			switch {
			case l == "" && p.next == len(p.lines)-1: // what follows the last line break is no line
				p.fail("the patch ends within a hunk")
				return
			case l == "" || l[0] == ' ' || l[0] == '\t': // diff and editors drop the blank of an empty line
				old, fresh = old-1, fresh-1
			case l[0] == '-':
				old--
			case l[0] == '+':
				fresh--
			case l[0] == '\\': // "\ No newline at end of file"
			default:
				old = -1
			}
			if old < 0 || fresh < 0 {
				p.fail("the hunk has other lines than its header says")
				return
			}
			p.next++
		}
		if strings.HasPrefix(p.peek(0), `\ `) {
			p.next++
		}
	}
	if n == 0 {
		return
	}
	// "-- " is the signature line that git format-patch writes below a diff.
	if l := p.peek(0); l != "" && strings.IndexByte("+-", l[0]) >= 0 && l != "-- " && l != "--" && !p.atNames() {
		p.fail("the hunk has more lines than its header says")
	}
}

// hunkSize reads "@@ -1,7 +1,8 @@ …": how many lines the hunk has of the old and the new file.
func hunkSize(l string) (old, fresh int, ok bool) {
	ranges, _, ok := strings.Cut(strings.TrimPrefix(l, "@@ -"), " @@")
	before, after, ok2 := strings.Cut(ranges, " +")
	if !ok || !ok2 || !strings.HasPrefix(l, "@@ -") {
		return 0, 0, false
	}
	old, ok = rangeSize(before)
	fresh, ok2 = rangeSize(after)
	return old, fresh, ok && ok2
}

// rangeSize is the length in "start,length"; without one it is 1.
func rangeSize(s string) (int, bool) {
	start, length, has := strings.Cut(s, ",")
	if !has {
		length = "1"
	}
	_, err := strconv.ParseUint(start, 10, 31)
	n, err2 := strconv.ParseUint(length, 10, 31)
	return int(n), err == nil && err2 == nil
}
