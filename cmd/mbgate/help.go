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
		h.Usage = append(h.Usage, c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		if !c.Runnable() {
			h.Usage = append(h.Usage, c.CommandPath()+" COMMAND [flags]")
		} else {
			h.Usage = []string{c.CommandPath() + " COMMAND [flags]"}
		}
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

// argumentsOf are a command's arguments as its usage names them, and what they are.
func argumentsOf(c *cobra.Command) []render.HelpRow {
	agents := func() string {
		var names []string
		list, _ := completeAgents(c, nil, "")
		for _, a := range list {
			name, _, _ := strings.Cut(a, "\t")
			names = append(names, name)
		}
		return strings.Join(names, ", ")
	}
	var list []render.HelpRow
	for word := range strings.FieldsSeq(c.Use) {
		what := ""
		word = strings.Trim(word, "[].")
		switch word {
		case "AGENT":
			what = "the agent: " + agents()
		case "KEY":
			what = "a key of the configuration, as its file spells it"
		case "COMMAND":
			what = "a command for a shell"
		case "DIR":
			what = "a folder, made if it is not there"
		case "FILE":
			what = "the text of a capsule, - for standard input"
		case "ID":
			what = "the id of a note, as `mbgate note list` shows it"
		case "TEXT", "ACTION":
			what = "what is noted, one argument"
		default:
			continue
		}
		list = append(list, render.HelpRow{Name: "  " + word, What: what})
	}
	return list
}

// flagsOf are a command's flags: its own, those of the command above it, and those that are keys of the configuration.
func flagsOf(c *cobra.Command) []render.HelpList {
	lists := []render.HelpList{{Title: "Flags:"}, {Title: "Flags of the configuration, over all its other places:"}}
	add := func(f *pflag.Flag) {
		n := 0
		if _, ok := f.Value.(*configFlag); ok {
			n = 1
		}
		if f.Name == "help" {
			f.Usage = "print this help"
		}
		if !f.Hidden {
			lists[n].Rows = append(lists[n].Rows, render.HelpRow{Name: flagName(f), What: flagText(f)})
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

// flagName is a flag as it is written, with a word for its value; the long names stand in one column.
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

// flagWord is what stands for a flag's value, "" for a switch.
func flagWord(f *pflag.Flag) string {
	switch t := f.Value.Type(); t {
	case "bool":
		return ""
	case "int":
		return "N"
	case "string", "stringSlice", "stringArray":
		switch f.Name {
		case "root", "cwd":
			return "DIR"
		case "since":
			return "WHEN"
		case "run":
			return "FILE"
		case "input":
			return "JSON"
		}
		return strings.ToUpper(f.Name[strings.LastIndexByte(f.Name, '-')+1:])
	default:
		return strings.ToUpper(t)
	}
}

// flagText is what a flag does, with what holds without it where that is anything.
func flagText(f *pflag.Flag) string {
	switch f.DefValue {
	case "", "false", "0", "[]", "0s":
		return f.Usage
	}
	if strings.Contains(f.Usage, "(default") {
		return f.Usage
	}
	return f.Usage + " (default " + f.DefValue + ")"
}
