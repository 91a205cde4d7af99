package risk

import (
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
)

// World is what a judgement may ask about the machine.
type World struct {
	// Files answers questions about the disk; never nil.
	Files place.Files
	// Root is the project's root, Home the user's home folder ("" if unknown); both absolute.
	Root, Home string
	// Vars are environment variables whose value is known.
	Vars map[string]string
	// HasBank says that the project has a memory bank: `mbgate init` is then not for agents (R6).
	HasBank bool
}

// Judge says how dangerous a tool call is, which files it changes and which it shows (SPEC §8). cwd is the absolute
// folder the call starts in; t.Workdir is applied to it.
func Judge(t event.Tool, cwd string, w World, rules Rules) Assessment {
	return Assessment{Level: High, Writes: WritesUnknown, Reasons: []string{"not judged yet"}, Cwd: cwd}
}
