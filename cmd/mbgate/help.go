package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mbgate/mbgate/internal/render"
)

// help prints the help of a command. cobra's own knows no width and mixes a command's flags with the fifteen that are keys
// of the configuration.
func (a *app) help(c *cobra.Command, _ []string) {
	_ = a.print(helpOf(c).Text(a.screen()))
}

func helpOf(c *cobra.Command) render.Help {
	h := render.Help{About: c.Long, Examples: c.Example}
	if h.About == "" {
		h.About = c.Short // cobra's own help command
	}
	if c.Runnable() {
		h.Usage = []string{c.UseLine()}
	}
	if c.HasAvailableSubCommands() {
		h.Usage = []string{c.CommandPath() + " COMMAND [flags]"}
		h.More = "`" + c.CommandPath() + " COMMAND --help` says more about a command."
		groups := c.Groups()
		if len(groups) == 0 {
			groups = []*cobra.Group{{Title: "Commands:"}}
		}
		for _, g := range groups {
			list := render.HelpList{Title: g.Title}
			for _, sub := range c.Commands() {
				if sub.GroupID == g.ID && (sub.IsAvailableCommand() || sub.Name() == "help") {
					list.Rows = append(list.Rows, render.HelpRow{Name: sub.Name(), What: sub.Short})
				}
			}
			if len(list.Rows) > 0 {
				h.Lists = append(h.Lists, list)
			}
		}
	}
	if list := argumentsOf(c); len(list) > 0 {
		h.Lists = append(h.Lists, render.HelpList{Title: "Arguments:", Rows: list})
	}
	h.Lists = append(h.Lists, flagsOf(c)...)
	return h
}

// argumentsOf explains the arguments that a command's usage names.
func argumentsOf(c *cobra.Command) []render.HelpRow {
	var names []string
	for _, a := range agentChoices(c) {
		name, _, _ := strings.Cut(a, "\t")
		names = append(names, name)
	}
	known := map[string]string{
		"AGENT":   "one of " + strings.Join(names, ", "),
		"KEY":     "a key of the configuration, as its file spells it",
		"COMMAND": "a command for a shell",
		"DIR":     "a folder, made if it is not there",
		"PATH":    "a record of a session, or a folder of them",
		"FILE":    "the text of a capsule, - for standard input",
		"ID":      "the id of a note, as `mbgate note list` shows it",
		"TEXT":    "the text, in quotes",
		"ACTION":  "the next step, in quotes",
	}
	var list []render.HelpRow
	for word := range strings.FieldsSeq(c.Use) {
		word = strings.Trim(word, "[].")
		if what, ok := known[word]; ok {
			list = append(list, render.HelpRow{Name: "  " + word, What: what})
		}
	}
	return list
}

// flagsOf are a command's flags: its own, those of the command above it, and those that are keys of the configuration.
func flagsOf(c *cobra.Command) []render.HelpList {
	lists := []render.HelpList{{Title: "Flags:"}, {Title: "Flags of the configuration, over all its other places:"}}
	add := func(f *pflag.Flag) {
		n := 0
		if isConfigFlag(f) {
			n = 1
		}
		if f.Name == "help" {
			f.Usage = "print this help"
		}
		if !f.Hidden {
			lists[n].Rows = append(lists[n].Rows, render.HelpRow{Name: flagName(f), What: flagUsage(f)})
		}
	}
	c.InitDefaultHelpFlag()
	c.LocalFlags().VisitAll(add)
	c.InheritedFlags().VisitAll(add)
	if len(lists[1].Rows) == 0 {
		lists = lists[:1]
	}
	return lists
}

// flagName is a flag with the placeholder for its value; the long names share one column.
func flagName(f *pflag.Flag) string {
	name := "    --" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", --" + f.Name
	}
	if word := flagWord(f); word != "" {
		name += " " + word
	}
	return name
}

// flagWord is the placeholder for a flag's value, "" for a switch.
func flagWord(f *pflag.Flag) string {
	switch t := f.Value.Type(); t {
	case "bool":
		return ""
	case "int":
		return "N"
	case "string", "stringSlice", "stringArray":
		return strings.ToUpper(f.Name[strings.LastIndexByte(f.Name, '-')+1:])
	default:
		return strings.ToUpper(t)
	}
}

// flagUsage says what a flag does, and its default where there is one.
func flagUsage(f *pflag.Flag) string {
	switch f.DefValue {
	case "", "false", "0", "[]", "0s":
		return f.Usage
	}
	if strings.Contains(f.Usage, "(default") {
		return f.Usage
	}
	return f.Usage + " (default " + f.DefValue + ")"
}
