package event

import "strconv"

// Client is what one agent can do, as data: how it is spoken to, what it reports, what it leaves out. The zero value
// of every field is the cautious one.
type Client struct {
	// Name is the stable identifier ("claude-code"); Title is for people ("Claude Code").
	Name, Title string
	// Observed is the client's version the facts below were observed with, "" when nothing was observed.
	Observed string
	// Documented is what the facts were read in where nothing was observed: the host's page, with its version if it names one.
	Documented string

	// NamesSubagents: tool events of a subagent carry its id.
	NamesSubagents bool
	// BracketsSubagents: they do not, but a subagent runs between the call that starts it and that call's report, each
	// request to the model tells whether it is a subagent's (Notice, with Unnamed for the id), and while one runs no call
	// of the main context is announced.
	BracketsSubagents bool
	// PromptEvents: the client tells when a person sent a prompt.
	PromptEvents bool
	// AfterEvents: the client reports finished calls; false means only attempts are seen and count (A4).
	AfterEvents bool
	// Results: the report of a finished call carries its result, so that one without a result showed nothing (A4).
	Results bool
	// InjectsAtCompaction: what `compact` prints reaches the working model.
	InjectsAtCompaction bool
	// InjectsAtStart: what `session-start` prints reaches the model.
	InjectsAtStart bool
	// InjectsAtPrompt and InjectsAfterTools: so does context that is said with a prompt, or with a finished call. Where
	// what is said at a compaction does not, that is where the anchor block can go.
	InjectsAtPrompt, InjectsAfterTools bool
	// RemindsBefore: what is said with an allowed tool-before reaches the model, without being a decision.
	RemindsBefore bool
	// RefusesPrompts: a prompt can be kept from the model, and a reason shown to the person instead.
	RefusesPrompts bool
	// ReturnsPrompts: a refused prompt goes back into the input box, and what is typed next is appended to it.
	ReturnsPrompts bool
	// EchoesCall: the client puts the refused call right behind the reason, so that a reason must not end in a call.
	EchoesCall bool
	// HearsStopLate: what is said when the model stops reaches it with the next prompt.
	HearsStopLate bool
	// HearsBeforeSummary: what is said before a compaction reaches whoever writes the summary.
	HearsBeforeSummary bool
	// ArmsBefore: the only awaited sign of a compaction comes before it, so that one arms (R1).
	ArmsBefore bool
	// ForksResume: a fork starts as a session that is resumed, under an id that nobody has heard of (R1).
	ForksResume bool
	// Summarises: a compaction is told by the summary that the next request to the model begins with (Event.Summary).
	Summarises bool
	// MaxOutput is how many UTF-16 units of a hook's output reach the model whole; 0 is no known cap.
	MaxOutput int
	// MaxBytes is the same in bytes of UTF-8, where that is how the client counts; 0 is no known cap.
	MaxBytes int
	// HidesReads: the client turns some calls of its read tool down before any hook hears of them.
	HidesReads bool
	// LineCut is the number of characters after which the client cuts a line it shows; 0 is never.
	LineCut int
	// LoneCR: a lone \r ends a line where the client counts and shows lines.
	LoneCR bool
	// ReadLines and ReadBytes are what one read call shows at most; 0 is no known cap.
	ReadLines, ReadBytes int

	// ReadTool is how the model reads a file with this client, for the exact call that a refusal prints.
	ReadTool ReadTool
	// ScriptRead is the same in its code mode, where a script has to show the file.
	ScriptRead ReadTool
	// Signals are the client's events that say that a compaction happened, with the source or trigger in parentheses.
	Signals []string
	// OnFailure is what the client does with the call when a hook is missing, crashes or takes too long, for people.
	OnFailure string
	// Uncovered are the ways past the hooks that this client leaves, for people: one short sentence each.
	Uncovered []string
	// ShellVars are environment variables that the agent's own shell has with the values that its hooks see.
	ShellVars []string
	// SessionEnv is the environment variable that carries the session id in the agent's own shell, "" if none.
	SessionEnv string
}

// KnownFrom says where the facts come from, for people.
func (c Client) KnownFrom() string {
	switch {
	case c.Observed != "":
		return "observed, " + c.Observed
	case c.Documented != "":
		return "documented, not played: " + c.Documented
	}
	return "the shape's definition"
}

// TellsSubagents reports whether the calls of a subagent can be told from those of the main context.
func (c Client) TellsSubagents() bool { return c.NamesSubagents || c.BracketsSubagents }

// ReadTool is the syntax of a read call. With a Tool, the arguments are named; without one the model reads through its
// shell and the call is a sed or cat command.
type ReadTool struct {
	Tool string
	// Script is an expression of JavaScript with the text of a file, %s being its path as a JSON string.
	Script string
	Path   string
	// Offset is the argument that holds the first line, Limit the one with the number of lines. A client without Limit
	// has Last, for the last line; one without Offset has Range, a list of the first and the last line.
	Offset, Limit, Last, Range string
	// FromZero is set where Offset counts from 0.
	FromZero bool
}

// Lines are the arguments that ask for the lines first to last (1-based, inclusive), as the members of a JSON object
// without the braces.
func (t ReadTool) Lines(first, last int) string {
	if t.Range != "" {
		return `"` + t.Range + `": [` + strconv.Itoa(first) + ", " + strconv.Itoa(last) + "]"
	}
	from := first
	if t.FromZero {
		from--
	}
	s := `"` + t.Offset + `": ` + strconv.Itoa(from)
	if t.Limit == "" {
		return s + `, "` + t.Last + `": ` + strconv.Itoa(last)
	}
	return s + `, "` + t.Limit + `": ` + strconv.Itoa(last-first+1)
}
