package settings

import "strings"

// HookSeconds is how long a client waits for one of our hooks. mbgate gives up by itself before (8 s for standard input,
// 5 s for the lock of an arming); what the client kills, it lets through. SPEC §18 asks for 15 at least.
const HookSeconds = 15

// Layout is how the entries of a hook file are nested.
type Layout int

const (
	// Nested is Claude Code's: "hooks": {"EVENT": [{"matcher": "M", "hooks": [{"type": "command", …}]}]}.
	Nested Layout = iota
	// Flat is Copilot's: "version": 1, "hooks": {"EVENT": [{"type": "command", "bash": "…"}]}.
	Flat
)

// Client is one agent whose configuration mbgate knows how to edit. Package agents has them.
type Client struct {
	// Name is what `mbgate install` and `mbgate hook` call it; Title is for people.
	Name, Title string
	// Observed is the version that the facts here were observed with.
	Observed string
	// User is the file of one person for all projects, Project that of one project.
	User, Project Place
	// Others are further files of a project that the client reads hooks from.
	Others []Place
	// UserAgents and ProjectAgents are where subagents are defined, with %s for the name.
	UserAgents, ProjectAgents Place
	// UserSkills and ProjectSkills are where skills lie, with %s for a file from the skill's folder on; none without skills.
	UserSkills, ProjectSkills Place

	Layout Layout
	// Holder is the member of the file that holds the events: "" for "hooks", "." for the top of the file itself.
	Holder string
	// CommandKey is the member of an entry of the flat layout that holds the command line, "" for "bash".
	CommandKey string
	Form       Form
	// Plugin gives the text of a file of code that is all ours, for a client without hook commands. Its lines
	// `const BINARY = "mbgate"` and `const CLOSED = false` are filled in, and so is mbgate in command lines in quotes.
	Plugin func() string
	// Comment begins the line in Plugin that says whose it is, "" for "//".
	Comment string
	// Strict is set where the client takes plain JSON only: with a comment, a trailing comma or a byte order mark in it the
	// whole file counts for nothing there.
	Strict bool
	// TimeoutKey is the member of an entry that says how long the client waits, "" for "timeout"; Timeout is that time in
	// the client's unit, 0 for HookSeconds.
	TimeoutKey string
	Timeout    int
	// EntryName is the member "name" of each entry, "" for none.
	EntryName string
	Events    []Hook
	// Off are the settings that turn the client's hooks off.
	Off []OffSwitch
	// StatusLine is the key of the command whose output the client shows as its status line, "" where mbgate knows of
	// none.
	StatusLine string

	// ProjectVar is the environment variable in which the client's hooks find the project, "" for none.
	ProjectVar string
	// Compact is what a person types to compact the conversation.
	Compact string
	// Trust is what a person has to do before the client runs the hooks, "" for nothing; Start is when it reads them.
	Trust, Start string

	// Definition is how a subagent is defined.
	Definition Definition
	// Bundle is how the client's own plugins look.
	Bundle Bundle
}

// Place is where a file lies.
type Place struct {
	// Path is relative to the home folder or the project root, slash-separated.
	Path string
	// Variable names the environment variable that moves the folder, Rest is the path below it then.
	Variable, Rest string
	// Shared is set for a file of a project that is meant to be committed, so that teammates get it.
	Shared bool
}

// Folder is the folder that Variable moves, relative to the home folder: "" for that itself.
func (p Place) Folder() string { return strings.TrimSuffix(strings.TrimSuffix(p.Path, p.Rest), "/") }

// Hook is one event that we want to hear of.
type Hook struct {
	Event string
	// Matcher is "" where all are meant and no matcher is needed.
	Matcher string
	// Words are the arguments, "" for `hook NAME`.
	Words string
	// Timeout is the client's own most for this event, in its unit, where that is less than ours; else 0.
	Timeout int
	// Writers are the tools that can write and cannot read, by the client's own names with | between: where the client can
	// be told to refuse a call whose hook failed, only theirs may be (SPEC §18). "" where the client has no such switch.
	Writers string
}

// OffSwitch is a setting that turns hooks off: the path of its key, the value that does, or the element of an array.
type OffSwitch struct {
	Key, Value string
	// Says is a sentence without its full stop.
	Says string
}
