// Command docs writes the pages of docs/ that are made from the program's own tables: configuration.md from the keys of
// package config, agents.md from the agents of package agents. scripts/docs.sh runs it, and compares in CI.
// Start with main; each page is one function.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/config"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/risk"
	"github.com/mbgate/mbgate/internal/wire"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./scripts/docs FOLDER")
		os.Exit(64)
	}
	for name, text := range map[string]string{"configuration.md": configuration(), "agents.md": agentsPage()} {
		if err := os.WriteFile(filepath.Join(os.Args[1], name), []byte(text), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

const generated = "<!-- Made by scripts/docs.sh from the program's tables; change those. -->\n\n"

func configuration() string {
	var b strings.Builder
	b.WriteString(generated + `# Configuration

mbgate needs none. What a project wants otherwise goes into ` + "`.mbgate.toml`" + ` at its root, what a person wants
everywhere into ` + "`$XDG_CONFIG_HOME/mbgate/config.toml`" + ` (without that variable ` + "`~/.config/mbgate/config.toml`" + ` on Linux,
` + "`~/Library/Application Support/mbgate/config.toml`" + ` on macOS, ` + "`%LOCALAPPDATA%\\mbgate\\config.toml`" + ` on Windows). The project's file
wins over the person's, environment variables over both, flags of a command over all.

` + "- `mbgate config` shows what is in effect and where each value comes from; `--json` for machines.\n" +
		"- `mbgate config --check` says what is wrong and exits with 1 if anything is: for CI.\n" +
		"- `mbgate config --example` prints a file to start from.\n" + `
A list replaces the one below it; an element that begins with ` + "`+`" + ` is added to it instead. In a variable the elements of a
list are separated by commas. A flag is the key with dashes: ` + "`--guard-mode block`" + `.

An unknown key, a wrong type and a bad pattern are errors that name the file, the line and the nearest known key. A file with
an error is left out as a whole: the defaults rule, the agent goes on, and ` + "`mbgate config --check`, `mbgate status`" + ` and the
start of a session say so. No agent may change these files; a person does.

` + "`MEMORY_BANK_DISABLED=1` turns everything off." + `

## Keys

`)
	b.WriteString(reference())
	b.WriteString("\n## Examples\n\n```toml\n# .mbgate.toml\n")
	for _, k := range config.Keys() {
		if k.Name == "preset" || k.Name == "fallback" || k.Name == "run_file" {
			continue
		}
		fmt.Fprintf(&b, "%s = %s\n", k.Name, k.Example)
	}
	b.WriteString("```\n\n## Presets\n\nA preset names where a project keeps the documents that frame its tasks. It is used only where a configuration names it.\n\n")
	b.WriteString("| preset | for | anchors | asked for where none was read yet |\n|---|---|---|---|\n")
	for _, p := range config.Presets() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", p.Name, p.Doc, codes(p.Anchors), codes(p.Fallback))
	}
	b.WriteString("\n## What is built in\n\nHigh risk (`sensitive`):\n\n" + codes(risk.DefaultSensitive(agents.ConfigFiles(os.Getenv).Project)) +
		"\n\nLow risk (`safe`):\n\n" + codes(risk.DefaultSafe()) + "\n")
	return b.String()
}

// reference is the table of the keys.
func reference() string {
	var b strings.Builder
	b.WriteString("| key | value | default | variable | what it does |\n|---|---|---|---|---|\n")
	defaults, _ := config.Load(config.Sources{})
	for _, v := range defaults.Values() {
		k := v.Key
		kind, def := string(k.Type), "`"+strings.Join(strings.Fields(v.Text), " ")+"`"
		switch {
		case k.Allowed != nil:
			kind = "`" + strings.Join(k.Allowed, "` `") + "`"
		case k.Type == config.Number:
			kind = strconv.Itoa(k.Min) + " to " + strconv.Itoa(k.Max)
		case k.Type != config.Text && len(v.Items) == 0:
			def = "built in, see `mbgate config`"
		}
		b.WriteString("| `" + k.Name + "` | " + kind + " | " + def + " | `" + k.Env + "` | " + k.Doc + " |\n")
	}
	return b.String()
}

func codes(list []string) string {
	var out []string
	for _, s := range list {
		out = append(out, "`"+strings.ReplaceAll(s, "|", `\|`)+"`")
	}
	return strings.Join(out, " ")
}

// rule is one row of the table of agents: what the reader wants to know, and what a client's capabilities say about it.
type rule struct {
	name string
	says func(c event.Client) string
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func rules() []rule {
	return []rule{
		{"known from", func(c event.Client) string {
			if c.Observed == "" {
				return "the shape's definition"
			}
			return "observed, " + c.Observed
		}},
		{"recovery gate refuses writes", func(event.Client) string { return "yes" }},
		{"armed by", func(c event.Client) string {
			if len(c.Signals) == 0 {
				return "a compaction event"
			}
			return strings.Join(c.Signals, ", ")
		}},
		{"anchor block reaches the model", func(c event.Client) string { return reaches(c, c.InjectsAtCompaction, "with the compaction") }},
		{"memory bank reaches the model", func(c event.Client) string { return reaches(c, c.InjectsAtStart, "at the start") }},
		{"reads are proved by results", func(c event.Client) string { return yes(c.AfterEvents) }},
		{"write guard refuses", func(c event.Client) string {
			if c.TellsSubagents() {
				return "all but the writer"
			}
			return "all but Markdown (it does not name subagents)"
		}},
		{"read gate, block", func(event.Client) string { return "yes" }},
		{"read gate, reminder", func(c event.Client) string {
			switch {
			case c.RemindsBefore:
				return "before the call"
			case c.InjectsAfterTools:
				return "with the call's result"
			}
			return "not heard"
		}},
		{"a turn is", func(c event.Client) string {
			if c.PromptEvents {
				return "a prompt"
			}
			return "the session"
		}},
		{"subagents judged for themselves", func(c event.Client) string { return yes(c.TellsSubagents()) }},
		{"`mb:clear`, `mb:status`", func(c event.Client) string {
			switch {
			case !c.PromptEvents:
				return "not seen; `mbgate clear` in a terminal"
			case !c.RefusesPrompts:
				return "obeyed; the model sees the prompt too"
			case !c.TellsSubagents():
				return "answered to the person; `mb:clear` not while a subagent runs"
			}
			return "answered to the person"
		}},
		{"`mb:write`, `mb:no`", func(c event.Client) string {
			if c.PromptEvents {
				return "yes"
			}
			return "not seen"
		}},
		{"reminder to propose an update", func(c event.Client) string {
			out := agents.Encode(event.Event{Kind: event.Stop, Client: &c}, wire.Answer{Text: "reminder"})
			switch {
			case !strings.Contains(string(out.Stdout)+string(out.Stderr), "reminder"):
				return "not heard"
			case c.HearsStopLate:
				return "with the next prompt"
			}
			return "when it stops"
		}},
		{"a hook that fails", func(c event.Client) string {
			switch {
			case c.OnFailure != "":
				return c.OnFailure
			case c.Observed != "": // a plugin of ours calls mbgate
				return "runs the tool, as mbgate's plugin has it"
			}
			return "the caller's business"
		}},
	}
}

func reaches(c event.Client, at bool, when string) string {
	switch {
	case at:
		return when
	case c.InjectsAfterTools:
		return "with the next call's result"
	case c.InjectsAtPrompt:
		return "with the next prompt"
	}
	return "before each request (`notice`)"
}

func agentsPage() string {
	var b strings.Builder
	b.WriteString(generated + "# Which rules reach which agent\n\nWhat each agent lets its hooks do, as mbgate's adapters know it. Where a rule does not reach, mbgate " +
		"says so in `mbgate status`.\n\n| |")
	var clients []event.Client
	for _, a := range agents.All() {
		clients = append(clients, *a.Facts())
	}
	for _, c := range clients {
		b.WriteString(" " + c.Title + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(clients)) + "\n")
	for _, r := range rules() {
		b.WriteString("| " + r.name + " |")
		for _, c := range clients {
			b.WriteString(" " + strings.NewReplacer("|", `\|`, "<", "&lt;").Replace(r.says(c)) + " |")
		}
		b.WriteByte('\n')
	}
	b.WriteString("\n## Where the hooks are\n\n`mbgate install` writes them there, `--project` into the file of the project. A copy of what was there " +
		"before lies beside it (`*.mbgate-backup`).\n\n| agent | yours | of a project | besides |\n|---|---|---|---|\n")
	for _, c := range agents.Installable() {
		user := "`~/" + c.User.Path + "`"
		if c.User.Variable != "" {
			user += ", or below `$" + c.User.Variable + "`"
		}
		fmt.Fprintf(&b, "| %s | %s | `%s` | %s |\n", c.Title, user, c.Project.Path, strings.ReplaceAll(c.Trust, "|", `\|`))
	}
	b.WriteString("\n## What stays uncovered\n\n")
	for _, c := range clients {
		if len(c.Uncovered) == 0 {
			continue
		}
		b.WriteString("**" + c.Title + "**\n\n")
		for _, u := range c.Uncovered {
			b.WriteString("- " + u + "\n")
		}
		b.WriteByte('\n')
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}
