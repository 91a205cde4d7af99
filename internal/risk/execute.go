package risk

import (
	"maps"
	"slices"
	"strings"
)

// Code is the code that a tool of no table is given to run (SPEC §9), with its language as event.Tool has it; "" if there
// is none.
func Code(name string, args map[string]any) (code, language string) {
	words := nameWords(name)
	if !hasWord(words, "shell") && (len(words) != 1 || spoken(words) == "") { // execute_code; python
		return "", ""
	}
	said := ""
	for _, k := range slices.Sorted(maps.Keys(args)) {
		s, _ := args[k].(string)
		switch meaning(argNames, flatten(k)) {
		case "code":
			code = s
		case "language":
			said = s
		}
	}
	if code == "" {
		return "", ""
	}
	if said != "" {
		language = spoken(nameWords(said))
		if language == "" {
			language = said // one that nobody judges
		}
		return code, strings.TrimPrefix(language, "bash")
	}
	language = spoken(allWords(name))
	if language == "" {
		language = "python|node"
	}
	return code, strings.TrimPrefix(language, "bash")
}

// ShellLanguage is the language of the commands that a tool of that name runs, as event.Tool has it.
func ShellLanguage(name string) string {
	if language := spoken(allWords(name)); language == "powershell" {
		return language
	}
	return ""
}

// spoken is the language that one of the words names, "" if none does.
func spoken(words []string) string {
	for _, row := range languages() {
		if slices.ContainsFunc(words, func(w string) bool { return holdsWord(row.words, strings.TrimRight(w, "0123456789.")) }) {
			return row.what
		}
	}
	return ""
}

// StartsAgent is the coding agent that a tool of no table is given a task for, "" if none (SPEC §9).
func StartsAgent(name string, args map[string]any) string {
	if strings.HasPrefix(name, "mcp__claude_ai_") { // what Claude Code calls a person's connectors
		return ""
	}
	for _, w := range allWords(name) {
		if !holdsWord(agentWords, w) {
			continue
		}
		for k, v := range args {
			if s, _ := v.(string); s != "" && holdsWord(taskArgs, flatten(k)) {
				return w
			}
		}
	}
	return ""
}

// allWords are the words of a tool's name with those of its server.
func allWords(name string) []string {
	var words []string
	for part := range strings.SplitSeq(name, "__") {
		words = append(words, nameWords(part)...)
	}
	return words
}
