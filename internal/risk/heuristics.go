package risk

import "github.com/mbgate/mbgate/internal/event"

// Heuristics classifies a tool that no adapter knows by its name and the shape of its arguments (SPEC §3).
func Heuristics(name string, args map[string]any) (event.Class, []event.PathArg) {
	return event.Other, nil
}
