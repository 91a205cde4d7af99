package agents

// strangers are agents without an adapter. Editors are left out of the processes, since people have terminals in them.
//
// Left out of the variables on purpose, since people's own terminals have them: CURSOR_TRACE_ID and TERM_PROGRAM (every
// terminal of that editor), CLAUDE_CODE_SSE_PORT (terminals of an editor with the extension), CLAUDE_CODE_USE_BEDROCK and
// the like, AIDER_* and GEMINI_API_KEY (settings that people export), REPL_ID.
func strangers() []Trace {
	return []Trace{
		// microsoft/vscode #311734
		{Title: "Augment", Markers: "AUGMENT_AGENT"},
		// microsoft/vscode #311734
		{Title: "Amp", Markers: "AMP_CURRENT_THREAD_ID", Process: "amp", Package: "@sourcegraph/amp"},
		// survey of agents
		{Title: "Crush", Markers: "CRUSH", Process: "crush", Package: "@charmland/crush"},
		// agentsmd/agents.md #136
		{Title: "goose", Markers: "GOOSE_TERMINAL", Process: "goose"},
		// vercel/vercel packages/detect-agent, a convention; observed, OpenCode 1.18.33; agentsmd/agents.md #136
		{Title: "an agent", Markers: "AI_AGENT AGENT=1|true|amp|claude|codex|copilot|crush|cursor|gemini|goose|opencode|qwen"},
		{Title: "Aider", Process: "aider", Package: "aider"},
		{Title: "Auggie", Process: "auggie", Package: "@augmentcode/auggie"},
		{Title: "Continue", Package: "@continuedev/cli"},
		{Title: "iFlow", Process: "iflow", Package: "@iflow-ai/iflow-cli"},
		{Title: "Kimi CLI", Process: "kimi|kimi-cli", Package: "kimi_cli"},
		{Title: "OpenHands", Process: "openhands", Package: "openhands"},
		{Title: "Plandex", Process: "plandex"},
		{Title: "Trae", Process: "trae-cli"},
		{Title: "Vibe", Process: "mistral-vibe", Package: "mistral-vibe"},
	}
}

// strangersProjectFiles and strangersHomeFiles are where those are configured, as Agent.ProjectFiles and Agent.HomeFiles.
const (
	strangersProjectFiles = `
	**/.factory/settings*.json **/.factory/hooks/** **/.factory/droids/** **/.windsurf/hooks.json **/.kiro/hooks/** **/.kiro/agents/** **/.augment/settings*.json **/.augment/hooks/**
	**/.clinerules/hooks/** **/.cline/hooks/** **/.crush.json **/crush.json **/.amp/settings*.json **/.amp/plugins/**
	**/.goose/hooks/** **/.goose/config.yaml **/.codebuddy/settings*.json **/.codebuddy/agents/** **/.iflow/settings*.json **/.qoder/settings*.json
	**/.trae/hooks/** **/.kilocode/hooks/** **/.vibe/config.toml **/.vibe/hooks/** **/.letta/settings*.json
	**/.agents/hooks/** **/.continue/settings*.json **/.grok/settings*.json`

	strangersHomeFiles = `
	.factory/settings.json .factory/hooks/** .codeium/windsurf/hooks.json .augment/settings.json
	.config/crush/crush.json .config/amp/settings.json .config/goose/** .kiro/agents/** .kiro/hooks/**
	.iflow/settings.json .kimi/config.toml .vibe/config.toml`
)
