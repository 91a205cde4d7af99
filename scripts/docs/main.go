// Command docs writes the pages of docs/ that are made from the program's own tables: configuration.md and mbgate.schema.json from the
// keys of package config, agents.md from the agents of package agents. scripts/docs.sh runs it, and compares in CI.
// Start with main; each page is one function.
package main

import (
	_ "embed"
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
	figures, err := evidence("docs/evidence.json")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for name, text := range map[string]string{
		"configuration.md": configuration(), "agents.md": agentsPage(), "evidence.md": figures, "mbgate.schema.json": string(config.Schema()),
	} {
		if err := os.WriteFile(filepath.Join(os.Args[1], name), []byte(text), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

const generated = "<!-- Made by scripts/docs.sh from the program's tables; change those. -->\n\n"

// page is configuration.md; what stands in braces comes from the tables.
//
//go:embed configuration.tmpl
var page string

func configuration() string {
	var examples, presets strings.Builder
	for _, k := range config.Keys() {
		if k.Name != "preset" && k.Name != "fallback" && k.Name != "run_file" {
			fmt.Fprintf(&examples, "%s = %s\n", k.Name, k.Example)
		}
	}
	for _, p := range config.Presets() {
		fmt.Fprintf(&presets, "| `%s` | %s | %s | %s |\n", p.Name, p.Doc, codes(p.Anchors), codes(p.Fallback))
	}
	return strings.NewReplacer(
		"{keys}", reference(), "{examples}", examples.String(), "{presets}", presets.String(),
		"{sensitive}", codes(risk.DefaultSensitive(agents.ConfigFiles(os.Getenv).Project)), "{safe}", codes(risk.DefaultSafe()),
	).Replace(page)
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
		case k.Name == "sensitive" || k.Name == "safe":
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
		{"known from", event.Client.KnownFrom},
		{"recovery gate refuses writes", func(event.Client) string { return "yes" }},
		{"armed by", func(c event.Client) string {
			switch {
			case len(c.Signals) > 0:
				return strings.Join(c.Signals, ", ")
			case c.Documented != "":
				return "nothing: no event tells of a compaction"
			}
			return "a compaction event"
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
	b.WriteString(generated + "# Which rules reach which agent\n\nWhat each agent lets its hooks do, as mbgate's adapters know it. Where a rule does not reach, `mbgate doctor -v` " +
		"says so.\n\n| |")
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
