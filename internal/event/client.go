package event

// Client is what one agent can do, as data: how it is spoken to, what it reports, what it leaves out. The zero value
// of every field is the cautious one.
type Client struct {
	// Name is the stable identifier ("claude-code"); Title is for people ("Claude Code").
	Name, Title string
	// Observed is the client's version the facts below were observed with, "" when nothing was observed.
	Observed string

	// NamesSubagents: tool events of a subagent carry its id.
	NamesSubagents bool
	// PromptEvents: the client tells when a person sent a prompt.
	PromptEvents bool
	// AfterEvents: the client reports finished calls; false means only attempts are seen and count (A4).
	AfterEvents bool
	// InjectsAtCompaction: what `compact` prints reaches the working model.
	InjectsAtCompaction bool
	// InjectsAtStart: what `session-start` prints reaches the model.
	InjectsAtStart bool
	// MaxOutput is how many UTF-16 units of a hook's output reach the model whole; 0 is no known cap.
	MaxOutput int
	// LineCut is the number of characters after which the client cuts a line it shows; 0 is never.
	LineCut int
	// ReadLines and ReadBytes are what one read call shows at most; 0 is no known cap.
	ReadLines, ReadBytes int

	// ReadTool is how the model reads a file with this client, for the exact call that a refusal prints.
	ReadTool ReadTool
	// AgentFiles are where the client looks for a subagent's definition, with %s for its name: relative to the
	// project, or beginning with ~/ for the user's.
	AgentFiles []string
	// SessionEnv is the environment variable that carries the session id in the agent's own shell, "" if none.
	SessionEnv string
}

// ReadTool is the syntax of a read call. With a Tool, the arguments are named; without one the model reads through its
// shell and the call is a sed or cat command.
type ReadTool struct {
	Tool                string
	Path, Offset, Limit string
}
