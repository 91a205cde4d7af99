// Package event is the agent-neutral form of what a coding agent tells its hooks.
//
// Every client's payload becomes one Event; nothing behind the adapters ever sees a payload. The package is pure: it
// holds values, touches nothing and imports no other package of mbgate. Zero values mean "the client did not say". Start
// with Event; Client has what is known of an agent, verdict.go the verdicts and modes.
package event

// Kind says what happened. The zero Kind is an event that mbgate has no use for.
type Kind string

// The kinds of SPEC §3. Compacting is only remembered for pairing, Compacted arms (R1), Forked arms without counting.
const (
	None         Kind = ""
	SessionStart Kind = "session-start"
	SessionEnd   Kind = "session-end"
	Prompt       Kind = "prompt"
	Stop         Kind = "stop"
	Compacting   Kind = "compacting"
	Compacted    Kind = "compacted"
	Forked       Kind = "forked"
	ToolBefore   Kind = "tool-before"
	ToolAfter    Kind = "tool-after"
	Notice       Kind = "notice"
	Unread       Kind = "unread"
	ConfigChange Kind = "config-change"
)

// Class is what a tool does, whatever its name. The zero Class is an unclassified tool: it is judged by the shape of its
// arguments and never taken for harmless by itself.
type Class string

// The tool classes of SPEC §3.
const (
	Unclassified Class = ""
	Read         Class = "read"
	Write        Class = "write"
	Edit         Class = "edit"
	MultiEdit    Class = "multi-edit"
	Patch        Class = "patch"
	Delete       Class = "delete"
	Move         Class = "move"
	Notebook     Class = "notebook"
	Shell        Class = "shell"
	Search       Class = "search"
	List         Class = "list"
	Subagent     Class = "subagent"
	Fetch        Class = "fetch"
	MCP          Class = "mcp"
	Other        Class = "other"
)

// Op is what is done to one file.
type Op string

// The operations of SPEC §19, and OpRead for arguments that name what is looked at.
const (
	OpRead   Op = "read"
	OpWrite  Op = "write"
	OpAppend Op = "append"
	OpCreate Op = "create"
	OpDelete Op = "delete"
	OpMove   Op = "move" // the path that goes away; where it goes to is an OpWrite or OpCreate
	OpMode   Op = "mode"
	OpLink   Op = "link"
)

// PathArg is one file that a tool's arguments name, spelled as the client sent it.
type PathArg struct {
	Path string
	Op   Op
}

// Replacement is what a call does to the text of a file: one replacement in a file, or with Whole all that the file then holds.
type Replacement struct {
	Old, New string
	// All is set where every occurrence of Old is replaced, else there must be one.
	All, Whole bool
}

// Tool is one tool call.
type Tool struct {
	Name  string // as the client spells it
	Class Class
	// Paths are the files named by the arguments. For a read, the files read; for writes, the files changed.
	Paths []PathArg
	// Command is the text of a shell call, Workdir the folder the call itself asks for (relative to Event.Cwd).
	Command string
	Workdir string
	// Language is what Command is written in where bash does not speak it: a script.Lang, several with | between them where
	// nobody says which.
	Language string
	// Patch is the text of a patch call, in any of the three formats.
	Patch string
	// Edits are what a call does to a file of the memory bank, in their order; nil where its arguments do not tell.
	Edits []Replacement
	// Offset (first line, 1-based) and Limit (number of lines) of a read; 0 is "not given".
	Offset, Limit int
	// PersonWord is an mb: word that the arguments hold, "" if none: only a person's prompt may (SPEC §12).
	PersonWord string
	// Subagent is the type of the subagent that the call starts, Agent the coding agent that it starts elsewhere.
	Subagent, Agent string
	// Guide is what a finished call makes a guide of the work (A7).
	Guide Guide
	// Unreported is set where the client sends no after-event for this call, whether it works or not.
	Unreported bool
}

// Guide is a plan that the person approved by a call, or a skill that it invokes. The zero Guide is neither.
type Guide struct {
	// Approved is set where the call says that the plan was approved, Path is its file where the client tells it.
	Approved bool
	Path     string
	// Skill is the skill's name.
	Skill string
}

// Shown is a range of a file that the client states it gave to the model.
type Shown struct {
	Path string
	// First and Last are 1-based and inclusive; Last < First shows nothing. Total is the client's own count of lines.
	First, Last, Total int
	// Text is what was shown of the lines, when HasText.
	Text    string
	HasText bool
}

// Result is what a tool call brought, as far as the payload carries it.
type Result struct {
	Failed bool
	// Running is set where the client reports a subagent as started and it goes on in the background.
	Running bool
	// Text is what the tool printed, HasText whether the payload carries it at all.
	Text    string
	HasText bool
	// Preview is set when the model was given only a short preview of Text (Claude Code's persistedOutputPath):
	// nothing in Text is proof then.
	Preview bool
	// Unchanged is set when the client answered with a stub that says the file is as before, so showed nothing.
	Unchanged bool
	// Shown are ranges that the client states. They are the strongest proof (A4).
	Shown []Shown
}

// ScriptPart is what a call has to do with a script of a code mode. The zero ScriptPart is nothing.
type ScriptPart string

// The parts: a call that the script makes, of which the model sees nothing by itself; the call that runs or fetches the
// script, whose result is what the model sees.
const (
	InScript ScriptPart = "in-script"
	OfScript ScriptPart = "of-script"
)

// Sub names the subagent an event comes from. Empty for a main context.
type Sub struct {
	ID   string
	Type string
}

// Unnamed is the id of the subagents of a client that gives them none (Client.BracketsSubagents). Those that run at one
// time are one context.
const Unnamed = "unnamed"

// Reminder is how mbgate begins what it says to an agent that wants to stop (SPEC §12). Some clients (Qwen Code 0.24.4,
// Copilot CLI 1.0.102, Gemini CLI) send that to the model as the next prompt and ask the hooks about it, so that a prompt
// which begins like this is nobody's.
const Reminder = "mbgate: this session "

// Event is one canonical event.
type Event struct {
	Kind Kind
	// Name is the client's own name of the event ("PreToolUse"); for Compacted it tells the two kinds of an
	// after-event apart (R1).
	Name string
	// Client is what is known of the client that sent it; never nil after decoding.
	Client *Client
	// Session is the session id that state is kept under: the topmost ancestor's where children have ids of their own.
	Session string
	// Turn and Call are the client's ids of the turn and the tool call, "" when it has none.
	Turn, Call string
	Sub        Sub
	// Cwd is the folder the agent works in; Roots are the payload's own project folders, most trusted first.
	Cwd   string
	Roots []string
	Tool  Tool
	// Result is nil when the payload carries none (SPEC A4: the attempt counts then).
	Result *Result
	// Source is why a session started (startup, resume, clear, compact, fork); Trigger why it was compacted.
	Source, Trigger string
	// Window is the size of the context window in tokens, on a compaction event that tells it; 0 is not known.
	Window int
	// Injects is set on a compaction event whose output the model is given.
	Injects bool
	// Summary identifies the summary that the context begins with, on a Notice of a client that Summarises; "" when it
	// begins with none. One that was not seen before in this context is a compaction.
	Summary string
	// Prompt is what was sent; Synthetic when the client made it up (SPEC §12).
	Prompt    string
	Synthetic bool
	// StopActive is set on a Stop when a stop hook already made the agent go on (SPEC §12).
	StopActive bool
	// Script says what the call has to do with a script of the client's code mode (A6).
	Script ScriptPart
	// ReadsOnly is set on a ToolAfter of which only the reads are to be looked at (`mbgate read`, SPEC §2).
	ReadsOnly bool
	// Transcript is the client's own record of the context, "" where there is none; Records are the files and folders with
	// the records of the session, which no agent may change.
	Transcript string
	Records    []string
	// Path is the file of an Unread or a ConfigChange.
	Path string
	// Digest identifies the payload: two events with the same Digest, Call and Session are copies of one.
	Digest string
}

// Main reports whether the event comes from the session's main context.
func (e Event) Main() bool { return e.Sub.ID == "" }
