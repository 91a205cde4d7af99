package gate

import "github.com/mbgate/mbgate/internal/place"

// Rules know a document by its folded name, and what is shown keeps the spelling on disk (P3): req-1.md is REQ-1.md.

// respell gives the documents of a decision their spelling on disk.
func (st *step) respell() {
	var paths []*string
	if r := st.d.Refusal; r != nil {
		paths = unreadPaths(r.Unread)
		for i := range r.Dropped {
			paths = append(paths, &r.Dropped[i].Path)
		}
	}
	if b := st.d.Block; b != nil {
		paths = append(paths, unreadPaths(b.Unread)...)
		b.Also = append([]string(nil), b.Also...) // the session's own
		for i := range b.Also {
			paths = append(paths, &b.Also[i])
		}
	}
	for i := range st.d.Log {
		paths = append(paths, &st.d.Log[i].Path)
	}
	for _, p := range paths {
		*p = st.spelled(*p)
	}
}

func unreadPaths(list []Unread) (paths []*string) {
	for i := range list {
		paths = append(paths, &list[i].Path)
	}
	return paths
}

// spelled is a canonical path as it is spelled on disk.
func (st *step) spelled(path string) string {
	if path == "" || st.Disk == nil {
		return path
	}
	if at := st.Disk.Anchor(path); at.Folding != place.Exact && place.Fold(at.Shown, at.Folding) == path {
		return at.Shown
	}
	return path
}

// spelledAbs is a document's absolute path as it is spelled on disk.
func spelledAbs(at place.Place) string {
	if at.Folding != place.Exact && place.Fold(at.Abs, at.Folding) == place.Fold(at.Phys, at.Folding) {
		return at.Phys
	}
	return at.Abs
}
