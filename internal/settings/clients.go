package settings

import "strings"

// seconds is how long a client waits for one of our hooks. mbgate gives up by itself long before (2 s for a lock, 5 s for
// standard input); what the client kills, it lets through. SPEC §18 asks for 8 at least.
const seconds = 10

// layout is how the entries of a hook file are nested.
type layout int

const (
	// nested is Claude Code's: "hooks": {"EVENT": [{"matcher": "M", "hooks": [{"type": "command", …}]}]}.
	nested layout = iota
	// flat is Copilot's: "version": 1, "hooks": {"EVENT": [{"type": "command", "bash": "…"}]}.
	flat
	// plugin is OpenCode's: a file of code that is all ours.
	plugin
)

// Client is one agent whose configuration mbgate knows how to edit.
type Client struct {
	// Name is what `mbgate install` and `mbgate hook` call it, as in package wire; Title is for people.
	Name, Title string
	// Observed is the version that the facts here were observed with.
	Observed string
	// User is the file of one person for all projects, Project that of one project.
	User, Project Place
	// UserAgents and ProjectAgents are where subagents are defined, with %s for the name.
	UserAgents, ProjectAgents Place

	layout layout
	form   form
	// strict is set where the client takes plain JSON only: with a comment, a trailing comma or a byte order mark in it the
	// whole file counts for nothing there.
	strict  bool
	timeout member // "timeout": 10, in the client's unit
	extra   object // further members of each entry
	events  []hook
	// writers are the tools that can write and cannot read, by the client's own names: where the client can be told to
	// refuse a call whose hook failed, only theirs may be (SPEC §18). "" where the client has no such switch.
	writers string
	// off are the settings that turn the client's hooks off.
	off []offSwitch
	// StatusLine is the key of the command whose output the client shows as its status line, "" where mbgate knows of
	// none.
	StatusLine string

	// Trust is what a person has to do before the client runs the hooks, "" for nothing; Start is when it reads them.
	Trust, Start string

	agentFormat agentFormat
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

// hook is one event that we want to hear of.
type hook struct {
	event string
	// matcher is "" where all are meant and no matcher is needed.
	matcher string
	// words are the arguments, "" for `hook NAME`.
	words string
	// timeout is the client's own most for this event, in its unit, where that is less than ours; else 0.
	timeout int
}

// offSwitch is a setting that turns hooks off: the path of its key, the value that does, or the element of an array.
type offSwitch struct {
	key, value string
	says       string
}

// All are the clients, in the order in which `mbgate install --list` shows them.
func All() []Client {
	return []Client{claudeCode(), openCode(), codex(), gemini(), qwen(), copilot()}
}

// ByName finds a client by its name or a shorter one.
func ByName(name string) (Client, bool) {
	switch name {
	case "claude":
		name = "claude-code"
	case "codex-cli", "gemini-cli", "copilot-cli":
		name = strings.TrimSuffix(name, "-cli")
	case "qwen-code":
		name = "qwen"
	}
	for _, c := range All() {
		if c.Name == name {
			return c, true
		}
	}
	return Client{}, false
}

// claudeCode: protocols observed with 2.1.328. PostToolBatch repeats PostToolUse, SubagentStart and SubagentStop fire for
// the client's own helper too; mbgate has no use for them.
func claudeCode() Client {
	return Client{
		Name: "claude-code", Title: "Claude Code", Observed: "2.1.328",
		User:          Place{Path: ".claude/settings.json", Variable: "CLAUDE_CONFIG_DIR", Rest: "settings.json"},
		Project:       Place{Path: ".claude/settings.local.json"},
		UserAgents:    Place{Path: ".claude/agents/%s.md", Variable: "CLAUDE_CONFIG_DIR", Rest: "agents/%s.md"},
		ProjectAgents: Place{Path: ".claude/agents/%s.md", Shared: true},

		layout: nested, form: execForm, timeout: member{"timeout", seconds},
		events: []hook{
			{event: "SessionStart"},
			{event: "SessionEnd"},
			{event: "UserPromptSubmit"},
			{event: "PreToolUse", matcher: "*"},
			{event: "PostToolUse", matcher: "*"},
			{event: "PostToolUseFailure", matcher: "*"},
			{event: "PreCompact"},
			{event: "PostCompact"},
			{event: "Stop"},
			{event: "ConfigChange"},
		},
		writers: "Write|Edit|MultiEdit|NotebookEdit",
		off:     []offSwitch{{"disableAllHooks", "true", `"disableAllHooks": true turns every hook off`}},
		// Observed: a shell runs the command with an object on standard input at the start and at a change of the mode; it
		// shows colours, and nothing for an empty output. Documented: after each message of the model, too, and not with
		// disableAllHooks.
		StatusLine: "statusLine",

		Start:       "sessions that run already pick the hooks up, or do when they are started again",
		agentFormat: claudeAgent,
	}
}

// codex: observed with 0.169.0. The hooks stand in hooks.json, which only holds hooks; config.toml may hold them too and
// is not touched. SessionEnd is given 3 s at most: with more asked for, every start warns; with nothing, it is 1 s.
func codex() Client {
	return Client{
		Name: "codex", Title: "Codex CLI", Observed: "0.169.0", strict: true,
		User:          Place{Path: ".codex/hooks.json", Variable: "CODEX_HOME", Rest: "hooks.json"},
		Project:       Place{Path: ".codex/hooks.json", Shared: true},
		UserAgents:    Place{Path: ".codex/agents/%s.toml", Variable: "CODEX_HOME", Rest: "agents/%s.toml"},
		ProjectAgents: Place{Path: ".codex/agents/%s.toml", Shared: true},

		layout: nested, form: shellForm, timeout: member{"timeout", seconds},
		events: []hook{
			{event: "SessionStart"},
			{event: "SessionEnd", timeout: 3},
			{event: "UserPromptSubmit"},
			{event: "PreToolUse", matcher: "*"},
			{event: "PostToolUse", matcher: "*"},
			{event: "PreCompact"},
			{event: "PostCompact"},
			{event: "Stop"},
		},

		Trust: "Codex runs no hook that you have not trusted, and `codex exec` says nothing about it: start `codex` in a terminal, choose " +
			"to review the hooks, and trust them (later: /hooks, key t). The same again whenever install changes an entry",
		Start:       "Codex keeps a server in the background: quit it, or start it again, for a new PATH to count",
		agentFormat: codexAgent,
	}
}

// gemini: observed with 0.61.0. PreCompress fires before every request, and before each /compress, whether or not anything
// is compressed: it tells nothing. The timeout is in milliseconds. A hook that cannot start (status 127 and a message) counts as a refusal.
func gemini() Client {
	return Client{
		Name: "gemini", Title: "Gemini CLI", Observed: "0.61.0",
		User:          Place{Path: ".gemini/settings.json", Variable: "GEMINI_CLI_HOME", Rest: ".gemini/settings.json"},
		Project:       Place{Path: ".gemini/settings.json", Shared: true},
		UserAgents:    Place{Path: ".gemini/agents/%s.md", Variable: "GEMINI_CLI_HOME", Rest: ".gemini/agents/%s.md"},
		ProjectAgents: Place{Path: ".gemini/agents/%s.md", Shared: true},

		layout: nested, form: guardedForm, timeout: member{"timeout", seconds * 1000},
		extra: object{{"name", "mbgate"}},
		events: []hook{
			{event: "SessionStart"},
			{event: "SessionEnd"},
			{event: "BeforeAgent"},
			{event: "BeforeModel"},
			{event: "BeforeTool", matcher: "*"},
			{event: "AfterTool", matcher: "*"},
			{event: "AfterAgent"},
		},
		off: []offSwitch{
			{"hooksConfig.enabled", "false", `"hooksConfig": {"enabled": false} turns every hook off`},
			{"hooksConfig.disabled", `"mbgate"`, `"hooksConfig": {"disabled": ["mbgate"]} turns mbgate's hooks off`},
		},

		Trust:       "hooks of a project run in trusted folders only; those of your own settings need no trust",
		Start:       "start Gemini again",
		agentFormat: geminiAgent,
	}
}

// qwen: observed with 0.24.4. The timeout is in seconds; 1000 and more would be read as milliseconds.
func qwen() Client {
	return Client{
		Name: "qwen", Title: "Qwen Code", Observed: "0.24.4",
		User:          Place{Path: ".qwen/settings.json", Variable: "QWEN_HOME", Rest: "settings.json"},
		Project:       Place{Path: ".qwen/settings.json", Shared: true},
		UserAgents:    Place{Path: ".qwen/agents/%s.md", Variable: "QWEN_HOME", Rest: "agents/%s.md"},
		ProjectAgents: Place{Path: ".qwen/agents/%s.md", Shared: true},

		layout: nested, form: shellForm, timeout: member{"timeout", seconds},
		events: []hook{
			{event: "SessionStart"},
			{event: "SessionEnd"},
			{event: "UserPromptSubmit"},
			{event: "PreToolUse", matcher: "*"},
			{event: "PostToolUse", matcher: "*"},
			{event: "PostToolUseFailure", matcher: "*"},
			{event: "PreCompact"},
			{event: "PostCompact"},
			{event: "Stop"},
		},
		off: []offSwitch{{"disableAllHooks", "true", `"disableAllHooks": true turns every hook off`}},

		Trust:       "hooks of a project run in trusted folders only; those of your own settings need no trust",
		Start:       "start Qwen Code again",
		agentFormat: qwenAgent,
	}
}

// copilot: observed with 1.0.102. Events in camelCase were observed for all of them; their payload does not name the
// event, so the command does. A file of our own beside the others' in the hooks folder. A hook that fails in any way but
// a timeout counts as a refusal.
func copilot() Client {
	return Client{
		Name: "copilot", Title: "GitHub Copilot CLI", Observed: "1.0.102",
		User:          Place{Path: ".copilot/hooks/mbgate.json", Variable: "COPILOT_HOME", Rest: "hooks/mbgate.json"},
		Project:       Place{Path: ".github/hooks/mbgate.json", Shared: true},
		UserAgents:    Place{Path: ".copilot/agents/%s.agent.md", Variable: "COPILOT_HOME", Rest: "agents/%s.agent.md"},
		ProjectAgents: Place{Path: ".github/agents/%s.agent.md", Shared: true},

		layout: flat, form: guardedForm, timeout: member{"timeoutSec", seconds},
		events: []hook{
			{event: "sessionStart", words: "session-start --agent copilot"},
			{event: "sessionEnd", words: "session-end --agent copilot"},
			{event: "userPromptSubmitted", words: "prompt --agent copilot"},
			{event: "preToolUse", words: "tool-before --agent copilot"},
			{event: "postToolUse", words: "tool-after --agent copilot"},
			{event: "postToolUseFailure", words: "tool-after --agent copilot"},
			{event: "preCompact", words: "compact --agent copilot"},
			{event: "agentStop", words: "stop --agent copilot"},
		},

		Trust:       "hooks of a repository run in trusted folders only; those in your own folder need no trust",
		Start:       "start Copilot again",
		agentFormat: copilotAgent,
	}
}

// openCode: observed with 1.18.33. It has no hook commands; a plugin of ours calls mbgate.
func openCode() Client {
	return Client{
		Name: "opencode", Title: "OpenCode", Observed: "1.18.33",
		User:          Place{Path: ".config/opencode/plugin/mbgate.js", Variable: "XDG_CONFIG_HOME", Rest: "opencode/plugin/mbgate.js"},
		Project:       Place{Path: ".opencode/plugin/mbgate.js", Shared: true},
		UserAgents:    Place{Path: ".config/opencode/agent/%s.md", Variable: "XDG_CONFIG_HOME", Rest: "opencode/agent/%s.md"},
		ProjectAgents: Place{Path: ".opencode/agent/%s.md", Shared: true},

		layout: plugin,

		Start:       "plugins are read when OpenCode starts: start it again, a server too",
		agentFormat: openCodeAgent,
	}
}
