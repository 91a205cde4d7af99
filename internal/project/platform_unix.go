//go:build unix

package project

import (
	"io/fs"

	"github.com/mbgate/mbgate/internal/place"
)

// native is how the platform spells paths.
func native() place.Syntax { return place.Syntax{} }

// local is a path as the system's calls want it.
func local(p string) string { return p }

// isLink reports whether an entry leads somewhere else.
func isLink(_ string, m fs.FileMode) bool { return m&fs.ModeSymlink != 0 }

// fullName is the name that an entry of dir has in full.
func fullName(_, name string) string { return name }
