package patch

import (
	"strconv"
	"strings"
)

// name reads a file name behind "--- " or "+++ ": quoted as in C, or up to a tab or a time stamp. none is set when the
// file does not exist on that side: /dev/null, or the epoch, by which GNU diff -N marks it.
func (p *parser) name(s string) (name string, none bool) {
	if strings.HasPrefix(s, `"`) {
		name, rest := p.quoted(s)
		return name, isEpoch(rest)
	}
	name, stamp, tab := strings.Cut(s, "\t")
	if !tab {
		if i := stampStart(s); i > 0 {
			name, stamp = strings.TrimRight(s[:i], " "), s[i:]
		}
	}
	return name, name == devNull || isEpoch(stamp)
}

// quoted reads the C string that s begins with, and returns what follows it.
func (p *parser) quoted(s string) (name, rest string) {
	q, err := strconv.QuotedPrefix(s)
	if err == nil {
		name, err = strconv.Unquote(q)
	}
	if err != nil {
		p.fail("a quoted file name cannot be read")
		return "", ""
	}
	return name, s[len(q):]
}

// stampStart finds a date (2026-01-31 10:00) behind a name that no tab ends, as models write it; 0 is none.
func stampStart(s string) int {
	const form = " dddd-dd-dd dd:dd"
	for i := strings.IndexByte(s, ' '); i >= 0 && i+len(form) <= len(s); i++ {
		if matchesForm(s[i:], form) {
			return i
		}
	}
	return 0
}

// matchesForm compares the beginning of s with a form in which d is a digit.
func matchesForm(s, form string) bool {
	for j := range len(form) {
		if digit := s[j] >= '0' && s[j] <= '9'; form[j] == 'd' && !digit || form[j] != 'd' && s[j] != form[j] {
			return false
		}
	}
	return true
}

// isEpoch reports whether a time stamp is the start of 1970 in its zone: the UTC day before or that day, full hours.
func isEpoch(stamp string) bool {
	stamp = strings.TrimSpace(stamp)
	if !strings.HasPrefix(stamp, "1970-01-01 ") && !strings.HasPrefix(stamp, "1969-12-31 ") || len(stamp) < 16 {
		return false
	}
	clock, zone, ok := strings.Cut(stamp[11:], " ")
	if !ok || len(clock) < 5 || strings.Trim(clock[5:], ":.0") != "" {
		return false
	}
	h, err := strconv.Atoi(clock[:2])
	m, err1 := strconv.Atoi(clock[3:5])
	zone = strings.Replace(zone, ":", "", 1)
	z, err2 := strconv.Atoi(zone)
	if err != nil || err1 != nil || err2 != nil {
		return false
	}
	if stamp[2] == '6' { // 1969
		h -= 24
	}
	return h*60+m == z/100*60+z%100
}

// guessPrefix removes the prefixes that git puts before the two names of a diff. A name is only shortened where the
// letters, or in a "diff --git" line (pair) the difference, show that its first component is a prefix.
func guessPrefix(old, fresh string, pair bool) (string, string) {
	o, oldRest, oldHas := strings.Cut(old, "/")
	f, freshRest, freshHas := strings.Cut(fresh, "/")
	switch {
	case old == devNull:
		if freshHas && isGitPrefix(f) {
			return old, freshRest
		}
	case fresh == devNull:
		if oldHas && isGitPrefix(o) {
			return oldRest, fresh
		}
	case old == fresh: // no prefixes were written
	case oldHas && freshHas && (pair && oldRest == freshRest || isGitPrefix(o) && isGitPrefix(f)):
		return oldRest, freshRest
	case oldHas && isGitPrefix(o) && oldRest == fresh:
		return oldRest, fresh
	case freshHas && isGitPrefix(f) && freshRest == old:
		return old, freshRest
	}
	return old, fresh
}

// isGitPrefix tells the prefixes of git diff: a/ and b/, with diff.mnemonicPrefix i(ndex), w(orktree), c(ommit),
// o(bject), with --no-index 1 and 2.
func isGitPrefix(c string) bool {
	return len(c) == 1 && strings.Contains("abiwco12", c)
}

// stripped drops leading components as the program that applies the patch was told to.
func (p *parser) stripped(name string) string {
	if name == devNull || p.strip == Guess {
		return name
	}
	if p.strip == Base {
		return name[strings.LastIndexByte(name, '/')+1:]
	}
	for n := p.strip; n > 0; n-- {
		_, rest, ok := strings.Cut(name, "/")
		if !ok {
			break // patch and git refuse such a name
		}
		name = strings.TrimLeft(rest, "/")
	}
	return name
}
