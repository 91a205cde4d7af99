// Package patch lists the files that a patch changes. It understands Codex's "*** Begin Patch" format, unified diffs
// and git diffs; it never applies anything.
package patch

import "github.com/mbgate/mbgate/internal/event"

// Change is one file that a patch touches, with the path as the patch spells it.
type Change struct {
	Path string
	Op   event.Op
}
