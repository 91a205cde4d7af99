package anchor

import "time"

// maxTracked is how many anchors one context remembers (A2).
const maxTracked = 5

// fade is how long an anchor that is not read for its own sake is remembered; the newest keptWhenFaded stay even then (A2), so
// that old frames fade but a night does not lose the frame.
const (
	fade          = 24 * time.Hour
	keptWhenFaded = 2
)

// Entry is one anchor that a context has read.
type Entry struct {
	// Path is the canonical path by which it matched the anchor patterns.
	Path string    `json:"path"`
	At   time.Time `json:"at"`
}

// Touch moves path to the newest place of list (newest first) and keeps maxTracked entries. It returns a new list.
func Touch(list []Entry, path string, now time.Time) []Entry {
	out := make([]Entry, 0, maxTracked)
	out = append(out, Entry{path, now})
	for _, e := range list {
		if e.Path != path && len(out) < maxTracked {
			out = append(out, e)
		}
	}
	return out
}

// Kept is what is left of list at a time: the newest keptWhenFaded, and what is younger than fade.
func Kept(list []Entry, now time.Time) []Entry {
	var out []Entry
	for i, e := range list {
		if i < keptWhenFaded || now.Sub(e.At) < fade {
			out = append(out, e)
		}
	}
	return out
}
