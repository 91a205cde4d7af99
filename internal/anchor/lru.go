package anchor

import "time"

// Cap is how many anchors one context remembers (A2).
const Cap = 5

// Fade is how long an anchor is remembered that is not read for its own sake; FadeKeeps of them stay even then (A2), so
// that old frames fade but no night loses the frame.
const (
	Fade      = 24 * time.Hour
	FadeKeeps = 2
)

// Entry is one anchor that a context has read.
type Entry struct {
	// Path is the canonical path by which it matched the anchor patterns.
	Path string    `json:"path"`
	At   time.Time `json:"at"`
}

// Touch moves path to the newest place of list (newest first) and keeps Cap entries. It returns a new list.
func Touch(list []Entry, path string, now time.Time) []Entry {
	out := make([]Entry, 0, Cap)
	out = append(out, Entry{path, now})
	for _, e := range list {
		if e.Path != path && len(out) < Cap {
			out = append(out, e)
		}
	}
	return out
}

// Kept is what is left of list at a time: the newest FadeKeeps, and what is younger than Fade.
func Kept(list []Entry, now time.Time) []Entry {
	var out []Entry
	for i, e := range list {
		if i < FadeKeeps || now.Sub(e.At) < Fade {
			out = append(out, e)
		}
	}
	return out
}
