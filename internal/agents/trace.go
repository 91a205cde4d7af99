package agents

import "strings"

// Trace is what an agent leaves around the commands that it runs.
type Trace struct {
	// Title is for people.
	Title string
	// Markers are environment variables that the agent sets for the commands that it runs and nobody sets for a person,
	// separated by blanks. Of one with = only the values behind it count, with | between them.
	Markers string
	// Process are the names of its process or program file, Package the folder that it is installed in where an
	// interpreter runs it; each with | between several. A name that other programs share counts by its package only.
	Process, Package string
}

// Traces are those of all agents, with and without an adapter.
func Traces() []Trace {
	var list []Trace
	for _, a := range All() {
		facts := a.Facts()
		t := a.Trace
		t.Title = facts.Title
		if facts.SessionEnv != "" {
			t.Markers = strings.TrimSpace(t.Markers + " " + facts.SessionEnv)
		}
		list = append(list, t)
	}
	return append(list, strangers()...)
}
