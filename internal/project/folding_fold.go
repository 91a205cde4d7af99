//go:build darwin || windows || folded

package project

import "github.com/mbgate/mbgate/internal/place"

// folding is how the names of files are compared on this platform (P3).
const folding = place.Folded
