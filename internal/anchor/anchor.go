// Package anchor knows the documents that frame a task: which files are anchors, which of them a context has read, line
// by line, and which have to be read again after a compaction (SPEC §6). It is pure and imports place; files are read
// through an io.ReaderAt that the caller opened. Start with Match (is it an anchor?), Choose (what to read again) and Credit
// (which lines were shown).
package anchor

import (
	"github.com/bmatcuk/doublestar/v4"

	"github.com/mbgate/mbgate/internal/place"
)

// Match is the name by which a place is an anchor, "" when it is none: its physical or its lexical form, whichever matches
// one of the globs (P3).
func Match(globs []string, p place.Place) string {
	for _, name := range p.Names() {
		for _, g := range globs {
			if ok, err := doublestar.Match(place.Fold(g, p.Folding), name); err == nil && ok {
				return name
			}
		}
	}
	return ""
}

// Choice is what a compaction requires (A3).
type Choice struct {
	Required []string
	// Also are tracked anchors beyond the budget.
	Also []string
}

// Choose takes candidates, newest first, until the budget of bytes is full, at least one. size gives the bytes of a candidate
// and whether it can be required.
func Choose(candidates []string, budget int, size func(path string) (int64, bool)) Choice {
	var c Choice
	var used int64
	full := false
	for _, p := range candidates {
		n, ok := size(p)
		if !ok {
			continue
		}
		n = min(n, int64(budget))
		if full || (len(c.Required) > 0 && used+n > int64(budget)) {
			full = true
			c.Also = append(c.Also, p)
			continue
		}
		used += n
		c.Required = append(c.Required, p)
	}
	return c
}
