package agents

import (
	"encoding/json"
	"fmt"
	"strings"
)

// What doctor proves an installation with.

// Samples are made-up events of the shapes that the agent was recorded to send, with %session, %cwd, %read and %write for
// what differs; %home is the home folder, as the path of a transcript names it, %name the name of the file at %read. Each
// goes to the command lines that are configured for the agent's own event of that name.
type Samples struct {
	// Before is the event before a call: Read a call that must pass, Write one that must be refused once the context was
	// compacted.
	Before, Read, Write string
	// Compacted is the event that tells of a compaction, Compaction its payload.
	Compacted, Compaction string
}

// Reply is what a hook answered to a call.
type Reply struct {
	Exit           int
	Stdout, Stderr string
}

// decision is what a reply says on standard output, in the words of any agent.
type decision struct {
	isJSON bool

	Decision   string `json:"decision"`
	Reason     string `json:"reason"`
	Permission string `json:"permissionDecision"`
	Why        string `json:"permissionDecisionReason"`
	Specific   struct {
		Event      string `json:"hookEventName"`
		Permission string `json:"permissionDecision"`
		Why        string `json:"permissionDecisionReason"`
	} `json:"hookSpecificOutput"`
}

func (r Reply) decision() decision {
	var d decision
	d.isJSON = json.Unmarshal([]byte(r.Stdout), &d) == nil
	return d
}

// denies reports a denial with a reason in the words of hookSpecificOutput.
func (d decision) denies() bool { return d.Specific.Permission == "deny" && d.Specific.Why != "" }

// Reasoned reports whether the reply is status 2 with a reason on standard error.
func (r Reply) Reasoned() bool { return r.Exit == 2 && strings.TrimSpace(r.Stderr) != "" }

// unheeded says why a reply is no refusal.
func (r Reply) unheeded() string {
	if r.Exit == 2 {
		return "status 2 comes without a reason, which the agent takes for a broken hook"
	}
	return fmt.Sprintf("the status is %d, and %s", r.Exit, r.Excerpt())
}

// Excerpt is the first line of what was printed.
func (r Reply) Excerpt() string {
	for _, text := range []string{r.Stderr, r.Stdout} {
		if line, _, _ := strings.Cut(strings.TrimSpace(text), "\n"); line != "" {
			if runes := []rune(line); len(runes) > 160 {
				line = string(runes[:160]) + "…"
			}
			return line
		}
	}
	return "nothing is printed"
}

// honoursStatus is for an agent that takes status 2 with a reason on standard error for a refusal, and nothing else.
func honoursStatus(r Reply) (refused bool, why string) {
	if r.Reasoned() {
		return true, ""
	}
	return false, r.unheeded()
}

// Refuses reports whether the agent takes a reply to a call for a refusal, and if not, why.
func (a Agent) Refuses(r Reply) (refused bool, why string) {
	if a.Honours == nil {
		return honoursStatus(r)
	}
	return a.Honours(r)
}

// Machine is where an installation is looked at.
type Machine struct {
	// Home is the person's home folder.
	Home   string
	Getenv func(string) string
	// Read gives a file, nil for one that does not exist.
	Read func(file string) ([]byte, error)
	// Hooks are the files with our entries.
	Hooks []HookFile
}

// HookFile is a configuration file with entries of ours.
type HookFile struct {
	Path string
	Data []byte
	// Ours reports whether a command line of an event is ours.
	Ours func(event, command string) bool
}

// Finding is something that doctor tells a person. Remedy is "" where all is well; Unknown is set where it cannot be told,
// Step where all is well but for one thing that only the person can do.
type Finding struct {
	Says, Remedy  string
	Unknown, Step bool
}

// Announce is the payload with which the agent announces a call of a tool.
func (a Agent) Announce(tool string, input json.RawMessage, cwd string) ([]byte, error) {
	if a.Announcement != nil {
		return json.Marshal(a.Announcement(tool, input, cwd))
	}
	return json.Marshal(map[string]any{
		"session_id": "explain", "hook_event_name": "PreToolUse", "cwd": cwd, "tool_name": tool, "tool_input": input,
	})
}
