package main

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/config"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/render"
)

// A shell asks for completions at every key press. Completions never write, and leave out silently what cannot be read.

// completeSessions is how many sessions are offered at most, the newest.
const completeSessions = 50

// complete registers the completion of every flag and argument whose values are known. A flag of one name takes the same
// values in every command.
func (a *app) complete(root *cobra.Command) {
	flags := map[string]cobra.CompletionFunc{
		"session":  a.completeSession,
		"agent":    completeAgents,
		"preset":   several(presetChoices()),
		"lang":     fixed([]cobra.Completion{"en", "zh"}),
		"decision": several(wordChoices(render.LogDecisions())),
		"rule":     several(wordChoices(render.LogRules())),
		"since":    fixed([]cobra.Completion{"1h", "1d", "1w", "today", "yesterday"}),
		"root":     folders,
		"cwd":      folders,
	}
	for _, k := range config.Keys() {
		if len(k.Allowed) > 0 {
			flags[k.Flag()] = fixed(k.Allowed)
		}
	}
	arguments := map[string]cobra.CompletionFunc{
		"install": separate(completeAgents), "uninstall": single(completeAgents), "doctor": single(completeAgents), "hook": single(completeAgents),
		"config": fixed(keyChoices()), "answer": single(a.completeNote), "drop": single(a.completeNote),
	}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		c.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
			if g, ok := flags[f.Name]; ok {
				_ = c.RegisterFlagCompletionFunc(f.Name, g) // fails where the command has its own
			}
		})
		if c.ValidArgsFunction == nil && len(c.ValidArgs) == 0 {
			c.ValidArgsFunction = arguments[c.Name()]
			if c.ValidArgsFunction == nil && !strings.Contains(c.Use, "FILE") && !strings.Contains(c.Use, "PATH") && !strings.Contains(c.Use, "DIR") && !strings.Contains(c.Use, "COMMAND") {
				c.ValidArgsFunction = cobra.NoFileCompletions
			}
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
}

const inOrder = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder

func fixed(list []cobra.Completion) cobra.CompletionFunc {
	return cobra.FixedCompletions(list, inOrder)
}

// several completes the last of several values with commas between them.
func several(list []cobra.Completion) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		before := begun[:strings.LastIndexByte(begun, ',')+1]
		var out []cobra.Completion
		for _, c := range list {
			if value, _, _ := strings.Cut(c, "\t"); !strings.Contains(","+before, ","+value+",") {
				out = append(out, before+c)
			}
		}
		return out, inOrder
	}
}

// single completes the first argument and no other.
func single(f cobra.CompletionFunc) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return f(c, args, begun)
	}
}

// separate completes arguments that are each given once.
func separate(f cobra.CompletionFunc) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		list, directive := f(c, args, begun)
		return slices.DeleteFunc(list, func(one cobra.Completion) bool {
			value, _, _ := strings.Cut(one, "\t")
			return slices.Contains(args, value)
		}), directive
	}
}

func folders(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// agentChoices are the agents that a command takes: those that mbgate can be installed for, or all whose events it
// understands.
func agentChoices(c *cobra.Command) []cobra.Completion {
	var list []cobra.Completion
	if among(c.Name(), "install|uninstall|doctor|init") {
		for _, c := range agents.Installable() {
			list = append(list, cobra.CompletionWithDesc(c.Name, c.Title))
		}
		return list
	}
	for _, x := range agents.All() {
		list = append(list, cobra.CompletionWithDesc(x.Name(), x.Facts().Title))
	}
	return list
}

// completeAgents offers them.
func completeAgents(c *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if c.Name() == "init" {
		return several(agentChoices(c))(c, nil, begun)
	}
	return agentChoices(c), inOrder
}

func presetChoices() []cobra.Completion {
	var list []cobra.Completion
	for _, p := range config.Presets() {
		list = append(list, cobra.CompletionWithDesc(p.Name, p.Doc))
	}
	return list
}

func keyChoices() []cobra.Completion {
	var list []cobra.Completion
	for _, k := range config.Keys() {
		list = append(list, cobra.CompletionWithDesc(k.Name, k.Doc))
	}
	return list
}

// wordChoices are the words of the log as people call them, one word each.
func wordChoices(table []render.LogWord) []cobra.Completion {
	var list []cobra.Completion
	for _, w := range table {
		word := strings.ReplaceAll(cmp.Or(w.Says, w.Word), " ", "-")
		list = append(list, cobra.CompletionWithDesc(word, w.Means))
	}
	return list
}

// completeSession offers the sessions of this project, the newest first, or where there is none those of all projects.
func (a *app) completeSession(c *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	store, err := a.openStore()
	if err != nil {
		return nil, inOrder
	}
	roots := []string{""}
	if p, err := a.here(flagText(c, "root")); err == nil {
		roots = []string{p.root.Dir, ""}
	}
	var list []cobra.Completion
	for _, root := range roots {
		found, err := store.Newest(root, completeSessions)
		if err != nil || len(found.Entries) == 0 {
			continue
		}
		for _, e := range found.Entries {
			if word(e.Session.ID) {
				list = append(list, cobra.CompletionWithDesc(e.Session.ID, a.sessionHint(e.Session, e.Problem)))
			}
		}
		break
	}
	return list, inOrder
}

// flagText is the value of a flag as it was given, "" where the command has no such flag.
func flagText(c *cobra.Command, name string) string {
	if f := c.Flags().Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

// sessionHint says which agent's session it is, how old its last event is, and its state.
func (a *app) sessionHint(s gate.Session, problem error) string {
	is := "open"
	switch pending := s.Clone(); {
	case problem != nil:
		is = "damaged"
	case pending.Clear():
		is = "recovery pending"
	case !s.EndedAt.IsZero():
		is = "ended"
	}
	agent := clientOf(s.Agent).Title
	if !word(strings.ReplaceAll(agent, " ", "")) {
		agent = "an agent"
	}
	return agent + ", " + shortAge(a.now().Sub(s.LastAt)) + ", " + is
}

// shortAge is a length of time in one unit: 5m, 3h, 12d.
func shortAge(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return strconv.Itoa(int(d.Minutes())) + "m"
	case d < 48*time.Hour:
		return strconv.Itoa(int(d.Hours())) + "h"
	}
	return strconv.Itoa(int(d.Hours()/24)) + "d"
}

// completeNote offers the notes of the session that a note command would take.
func (a *app) completeNote(c *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	_, s, err := a.noteSession(noteOptions{session: flagText(c, "session"), root: flagText(c, "root")})
	if err != nil {
		return nil, inOrder
	}
	var list []cobra.Completion
	for _, n := range s.Notes {
		if word(n.ID) && (c.Name() == "drop" || n.Kind == gate.NoteQuestion && n.Open()) {
			list = append(list, cobra.CompletionWithDesc(n.ID, string(n.Kind)))
		}
	}
	return list, inOrder
}

// word reports whether a shell's completion script may put a text into a command line. An agent may have chosen the text,
// and the quoting of these scripts is not to be relied on.
func word(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && strings.IndexByte("._-:", c) < 0 {
			return false
		}
	}
	return s != "" && s[0] != '-'
}
