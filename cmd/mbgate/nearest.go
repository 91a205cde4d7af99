package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/config"
	"github.com/mbgate/mbgate/internal/render"
)

// Who mistypes is answered with what was missing or the nearest right thing.

// strayWords are commands that mbgate has not, and what to do instead.
func strayWords() map[string]string {
	return map[string]string{
		"upgrade": "mbgate does not update itself: install the new version as you installed this one",
		"setup":   "run `mbgate init`",
		"reset":   "run `mbgate clear` to end a recovery",
		"set":     "mbgate writes no configuration: edit .mbgate.toml, `mbgate config --example` prints one",
	}
}

// unknownCommand answers a word that names no command below c.
func unknownCommand(c *cobra.Command, word string) error {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	answer := strayWords()[strings.Replace(nearest(word, []string{"upgrade", "update", "setup", "reset"}), "update", "upgrade", 1)]
	name := nearest(word, names)
	preset := nearest(word, presetNames())
	switch {
	case c.HasParent():
		answer = choose(word, names)
	case name != "":
		answer = "did you mean " + name + "?"
	case answer != "":
	case preset != "":
		answer = "did you mean mbgate init --preset " + preset + "?"
	default:
		if agent := nearest(word, agentArgs()); agent != "" {
			answer = "did you mean mbgate install " + agent + "?"
		}
	}
	return &usageError{problem: strings.TrimSuffix("there is no command "+render.Safe(word)+"; "+answer, "; ")}
}

func presetNames() []string {
	var names []string
	for _, p := range config.Presets() {
		names = append(names, p.Name)
	}
	return names
}

// unknownAgent answers a name that is not among those known.
func unknownAgent(name string, known []string) error {
	problem := "unknown agent " + render.Safe(name) + "; "
	if _, listed := agents.Facts(name); !listed && nearest(name, known) == "" {
		return &usageError{problem: problem + "mbgate knows " + strings.Join(known, ", ") + "; another agent with hooks like Claude Code's can run `mbgate hook` in them"}
	}
	return &usageError{problem: problem + choose(name, known)}
}

// guide makes every command below root say what is missing on its command line, and what may be meant.
func guide(c *cobra.Command) {
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		_, word, unknown := strings.Cut(err.Error(), "unknown flag: --")
		if !unknown {
			return err
		}
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := nearest(word, names); near != "" {
			return &usageError{problem: "there is no flag --" + render.Safe(word) + "; did you mean --" + near + "?"}
		}
		return &usageError{problem: "there is no flag --" + render.Safe(word)}
	})
	for _, sub := range c.Commands() {
		sub.Args = arguments
		guide(sub)
	}
}

// arguments holds a command's arguments against its usage: ARGUMENT is needed, [ARGUMENT] is not, ... stands for several.
func arguments(c *cobra.Command, args []string) error {
	words := strings.Fields(c.Use)[1:]
	least, most := 0, 0
	for _, w := range words {
		switch {
		case strings.HasSuffix(w, "..."), strings.HasSuffix(w, "...]"):
			most = len(args)
		case strings.HasPrefix(w, "["):
			most++
		default:
			least, most = least+1, most+1
		}
	}
	preset := ""
	if len(args) > most && c.Flags().Lookup("preset") != nil {
		preset = nearest(args[most], presetNames())
	}
	switch {
	case len(args) < least:
		problem := c.CommandPath() + " needs " + words[len(args)]
		if list := argumentsOf(c); len(list) > len(args) {
			problem += ", " + list[len(args)].What
		}
		return &usageError{problem: problem}
	case len(args) > most && c.HasSubCommands():
		return unknownCommand(c, args[0])
	case preset != "":
		return &usageError{problem: c.Name() + " takes no argument here; did you mean --preset " + preset + "?"}
	case len(args) > most:
		return &usageError{problem: c.Name() + " takes no argument here, and got " + render.Safe(args[most])}
	}
	if least == 1 && len(words) == 1 && strings.Contains(words[0], "|") {
		if known := strings.Split(words[0], "|"); !slices.Contains(known, args[0]) {
			return &usageError{problem: "there is no " + c.Name() + " for " + render.Safe(args[0]) + "; " + choose(args[0], known)}
		}
	}
	return nil
}

// flagProblem says in mbgate's words what cobra has against the flags.
func flagProblem(text string) string {
	group := func(before, after string) string {
		_, rest, _ := strings.Cut(text, before)
		names, _, _ := strings.Cut(rest, after)
		return "--" + strings.Join(strings.Fields(names), ", --")
	}
	switch {
	case strings.HasPrefix(text, "if any flags in the group ["):
		return group("; [", "]") + " exclude each other; give one of them"
	case strings.HasPrefix(text, "at least one of the flags in the group ["):
		return "give one of " + group("[", "]")
	case strings.HasPrefix(text, "flag needs an argument: "):
		return strings.TrimPrefix(text, "flag needs an argument: ") + " needs a value"
	}
	return text
}

// choose offers the nearest of the words that there are, or all of them where none is near.
func choose(word string, known []string) string {
	if near := nearest(word, known); near != "" {
		return "did you mean " + near + "?"
	}
	return "choose from " + strings.Join(known, ", ")
}

// nearest is the known word that somebody who wrote word may have meant: one that is written alike without hyphens, that is
// at most a third of its letters away, or that begins so; "" for none.
func nearest(word string, known []string) string {
	bare := func(s string) string {
		return strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(s))
	}
	word = bare(word)
	best, least := "", len(word)/3+1
	for _, k := range known {
		is := bare(k)
		switch d := distance(word, is); {
		case word == "":
		case d == 0:
			return k
		case d < least:
			best, least = k, d
		case best == "" && len(word) >= 3 && (strings.HasPrefix(is, word) || strings.HasPrefix(word, is)):
			best = k
		}
	}
	return best
}

// distance is how many letters differ: added, left out, changed. Two neighbours that changed places are one.
func distance(a, b string) int {
	for i := range min(len(a), len(b)) - 1 {
		if a[i] != b[i] {
			if a[:i]+a[i+1:i+2]+a[i:i+1]+a[i+2:] == b {
				return 1
			}
			break
		}
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := corner
			if a[i] != b[j] {
				change++
			}
			corner = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
