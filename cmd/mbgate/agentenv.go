package main

import (
	"path"
	"strings"

	"github.com/mbgate/mbgate/internal/wire"
)

// What is for a person (clear, prune) is refused inside an agent (R6). Two things tell: the environment that agents give
// to what they run, and their processes among our ancestors. Neither stops somebody who hides on purpose; both stop an
// agent that tries the obvious.

// marker is an environment variable that an agent gives to the commands it runs.
type marker struct {
	name string
	// values are the values that count, with | between them; "" is any but the empty one.
	values string
	agent  string
	// source is where the fact comes from: observed is "seen in the environment of a command that the agent ran".
	source string
}

// markers are variables that agents set for their commands and nobody sets for a person. Left out on purpose, since
// people's own terminals have them: CURSOR_TRACE_ID and TERM_PROGRAM (every terminal of that editor),
// CLAUDE_CODE_SSE_PORT (terminals of an editor with the extension), CLAUDE_CODE_USE_BEDROCK and the like, AIDER_* and
// GEMINI_API_KEY (settings that people export), REPL_ID.
func markers() []marker {
	return []marker{
		{"CLAUDECODE", "", "Claude Code", "observed, 2.1.328"},
		{"CLAUDE_CODE_SESSION_ID", "", "Claude Code", "observed, 2.1.328"},
		{"CLAUDE_PID", "", "Claude Code", "observed, 2.1.328"},
		{"OPENCODE", "", "OpenCode", "observed, 1.18.33"},
		{"OPENCODE_PID", "", "OpenCode", "observed, 1.18.33"},
		{"CODEX_SESSION_ID", "", "Codex CLI", "observed, 0.169.0"},
		{"CODEX_THREAD_ID", "", "Codex CLI", "observed, 0.169.0"},
		{"CODEX_TOOL_CALL_ID", "", "Codex CLI", "observed, 0.169.0"},
		{"CODEX_SANDBOX", "", "Codex CLI", "openai/codex, codex-rs/core/src/spawn.rs"},
		{"CODEX_SANDBOX_NETWORK_DISABLED", "", "Codex CLI", "openai/codex, codex-rs/core/src/spawn.rs"},
		{"GEMINI_CLI", "", "Gemini CLI", "documented, docs/tools/shell.md"},
		{"QWEN_CODE", "", "Qwen Code", "documented, docs/tools/shell.md"},
		{"COPILOT_CLI", "", "Copilot CLI", "reported for 1.0.63 (dynatrace-oss/dtctl #288), disputed for others"},
		{"COPILOT_AGENT_SESSION_ID", "", "Copilot CLI", "reported for 1.0.63 (dynatrace-oss/dtctl #288)"},
		{"COPILOT_AGENT", "", "Copilot in VS Code", "microsoft/vscode #316267"},
		{"CURSOR_AGENT", "", "Cursor", "aws/aws-cdk-cli detect-agent.ts, microsoft/vscode #311734"},
		{"AUGMENT_AGENT", "", "Augment", "microsoft/vscode #311734"},
		{"AMP_CURRENT_THREAD_ID", "", "Amp", "microsoft/vscode #311734"},
		{"ANTIGRAVITY_AGENT", "", "Antigravity", "microsoft/vscode #311734"},
		{"PI_CODING_AGENT", "", "pi", "earendil-works/pi #1566"},
		{"CRUSH", "", "Crush", "survey of agents"},
		{"GOOSE_TERMINAL", "", "goose", "agentsmd/agents.md #136"},
		{"CLINE_ACTIVE", "", "Cline", "agentsmd/agents.md #136"},
		{"AI_AGENT", "", "an agent", "vercel/vercel packages/detect-agent, a convention"},
		// A common word, so only the values that agents are known to give it count.
		{"AGENT", "1|true|amp|claude|codex|copilot|crush|cursor|gemini|goose|opencode|qwen", "an agent", "observed, OpenCode 1.18.33; agentsmd/agents.md #136"},
	}
}

// marked names the agent whose environment this is and the variable that tells, "" if none is.
func marked(getenv func(string) string) (agent, variable string) {
	for _, m := range markers() {
		if v := getenv(m.name); v != "" && (m.values == "" || among(v, m.values)) {
			return m.agent, m.name
		}
	}
	// What the table of clients says of session ids holds here too.
	for _, c := range wire.Clients() {
		if c.SessionEnv != "" && getenv(c.SessionEnv) != "" {
			return c.Title, c.SessionEnv
		}
	}
	return "", ""
}

func among(word, list string) bool {
	for s := range strings.SplitSeq(list, "|") {
		if s == word {
			return true
		}
	}
	return false
}

// program is a command-line agent as a process.
type program struct {
	agent string
	// names are what the process or its program file is called, packages the folders that it is installed in where an
	// interpreter runs it; both with | between.
	names, packages string
}

// programs are the command-line agents. Editors are left out: people have terminals in them. Names that other programs
// share (pi, q, cn, forge) count by their package only.
func programs() []program {
	return []program{
		{"Claude Code", "claude|claude.exe", "@anthropic-ai/claude-code"},
		{"OpenCode", "opencode|.opencode", "opencode-ai"},
		{"Codex CLI", "codex|codex-cli", "@openai/codex"},
		{"Gemini CLI", "gemini", "@google/gemini-cli"},
		{"Qwen Code", "qwen", "@qwen-code/qwen-code"},
		{"Copilot CLI", "copilot", "@github/copilot"},
		{"Cursor CLI", "cursor-agent", ""},
		{"Aider", "aider", "aider"},
		{"Amp", "amp", "@sourcegraph/amp"},
		{"Antigravity CLI", "agy", ""},
		{"Auggie", "auggie", "@augmentcode/auggie"},
		{"Cline", "cline", ""},
		{"Continue", "", "@continuedev/cli"},
		{"Crush", "crush", "@charmland/crush"},
		{"Droid", "droid", ""},
		{"goose", "goose", ""},
		{"iFlow", "iflow", "@iflow-ai/iflow-cli"},
		{"Kimi CLI", "kimi|kimi-cli", "kimi_cli"},
		{"Kiro CLI", "kiro-cli|kiro-cli-chat", ""},
		{"OpenHands", "openhands", "openhands"},
		{"pi", "", "pi-coding-agent"},
		{"Plandex", "plandex", ""},
		{"Trae", "trae-cli", ""},
		{"Vibe", "mistral-vibe", "mistral-vibe"},
	}
}

// process is one ancestor: its name as the system has it, and its command line as far as that can be read.
type process struct {
	name string
	args []string
}

// parented names the agent among the ancestors, "" if none is.
func parented(ancestors []process) string {
	table := programs()
	for _, p := range ancestors {
		for _, row := range table {
			if row.is(p) {
				return row.agent
			}
		}
	}
	return ""
}

// interpreters run programs that are a file: what counts then is the file.
const interpreters = "node|nodejs|bun|deno|python|python3|npx|npm|uv|uvx|pipx"

func (row program) is(p process) bool {
	if row.named(p.name) {
		return true
	}
	if len(p.args) == 0 {
		return false
	}
	first := base(p.args[0])
	if row.named(first) || row.packaged(p.args[0]) {
		return true
	}
	if !interpreter(first) && !interpreter(p.name) {
		return false
	}
	// Only the program, not its arguments: `node build.js claude` is none.
	for i := 1; i < len(p.args); i++ {
		arg := p.args[i]
		if arg == "-m" && i+1 < len(p.args) {
			return row.named(p.args[i+1]) || row.packaged(p.args[i+1])
		}
		if arg == "" || arg[0] == '-' || arg == "run" || arg == "exec" {
			continue
		}
		return row.named(base(arg)) || row.packaged(arg)
	}
	return false
}

func interpreter(name string) bool {
	return among(strings.TrimRight(name, "0123456789."), interpreters) || among(name, interpreters)
}

func (row program) named(name string) bool { return row.names != "" && among(name, row.names) }

// packaged reports whether a path leads through the folder of one of the packages, or is a package's own name.
func (row program) packaged(p string) bool {
	if row.packages == "" {
		return false
	}
	p = "/" + strings.ReplaceAll(p, `\`, "/") + "/"
	for name := range strings.SplitSeq(row.packages, "|") {
		if strings.Contains(p, "/"+name+"/") || strings.Contains(p, "/"+name+"@") {
			return true
		}
	}
	return false
}

// base is the name of a program without its folder and the ending that says how to run it.
func base(p string) string {
	p = path.Base(strings.ReplaceAll(p, `\`, "/"))
	for _, end := range [...]string{".exe", ".cmd", ".js", ".mjs", ".cjs", ".ts", ".py"} {
		p = strings.TrimSuffix(p, end)
	}
	return p
}
