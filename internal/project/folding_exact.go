//go:build !darwin && !windows

package project

import "github.com/mbgate/mbgate/internal/place"

// Folding is how the names of files are compared on this platform (P3).
const Folding = place.Exact
