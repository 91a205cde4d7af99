package risk

import (
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/risk/reason"
	"github.com/mbgate/mbgate/internal/risk/shell"
)

// ownCommand is a subcommand of mbgate that an agent may run, with the words that may follow it (nil is anything) and the flag
// that is a person's.
type ownCommand struct {
	name    string
	then    []string
	without string
}

// ownCommands are R6's list. Everything else — hook subcommands, clear, prune, install, words that nobody knows — is
// for clients and people.
func ownCommands() []ownCommand {
	return []ownCommand{
		{name: "status"},
		{name: "explain"},
		{name: "log"},
		{name: "audit", without: "--all-projects"},
		{name: "doctor"},
		{name: "config"},
		{name: "capsule"},
		{name: "note", then: []string{"deny", "question", "answer", "next", "list"}}, // only a person drops a deny (C5)
		{name: "init"}, // where there is no bank
		{name: "demo"},
		{name: "version"},
		{name: "help"},
		{name: "completion"},
	}
}

// Flags that may stand before or between these words, by whether the next word is their value. Of a flag that is not
// here nobody can tell what is the subcommand.
const (
	ownFlagsWithValue = " --root --agent --session --cwd --config --path --id --phase --guard-mode --max-chars "
	ownFlagsAlone     = " --json --jsonl --blocking --all --quiet -q --verbose -v --no-color --dry-run --yes "
	ownFlagsHarmless  = " --help -h --version " // in place of a subcommand
)

// ownRun says why an agent may not run mbgate with these words (args[0] is the program), if it may not. parsed is false
// when the words come from a command that could not be parsed, and are not all of it.
func ownRun(args []string, parsed, hasBank bool) reason.Reason {
	word, rest, fault := nextWord(args[min(1, len(args)):])
	switch {
	case fault.Kind != reason.None:
		return fault
	case word == "" && !parsed:
		return reason.Reason{Kind: reason.OwnUnparsed}
	case word == "":
		return reason.Reason{}
	}
	for _, c := range ownCommands() {
		if c.name != word {
			continue
		}
		if word == "init" && hasBank {
			return reason.Reason{Kind: reason.OwnInit}
		}
		if word == "init" && writesConfig(rest) {
			return reason.Reason{Kind: reason.OwnLayout}
		}
		if c.without != "" && slices.ContainsFunc(rest, func(s string) bool { return s == "" || strings.HasPrefix(s, c.without) }) {
			return reason.Reason{Kind: reason.OwnPerson, Object: word + " " + c.without}
		}
		if c.then == nil {
			return reason.Reason{}
		}
		sub, _, fault := nextWord(rest)
		if fault.Kind != reason.None || sub == "" {
			return fault
		}
		if slices.Contains(c.then, sub) {
			return reason.Reason{}
		}
		return reason.Reason{Kind: reason.OwnPerson, Object: word + " " + sub}
	}
	if word == "clear" {
		return reason.Reason{Kind: reason.OwnClear}
	}
	return reason.Reason{Kind: reason.OwnClient, Object: word}
}

// writesConfig reports whether `mbgate init` with these words may write .mbgate.toml: with any layout but mbgate's own.
func writesConfig(args []string) bool {
	for i, a := range args {
		value, ok := strings.CutPrefix(a, "--preset=")
		switch {
		case a == "": // not known
			return true
		case a == "--preset" && i+1 < len(args):
			value, ok = args[i+1], true
		}
		if ok && value != "memory-bank" {
			return true
		}
	}
	return false
}

// nextWord finds the first word that is no flag. A fault is why it cannot be known.
func nextWord(args []string) (word string, rest []string, fault reason.Reason) {
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "":
			return "", nil, reason.Reason{Kind: reason.OwnUnknown}
		case a == "--":
		case a[0] != '-':
			return a, args[i+1:], reason.Reason{}
		case strings.Contains(ownFlagsHarmless, " "+a+" "):
			return "", nil, reason.Reason{}
		case strings.Contains(ownFlagsAlone, " "+a+" "):
		case strings.Contains(ownFlagsWithValue, " "+a+" "):
			i++
		case strings.HasPrefix(a, "--") && strings.Contains(a, "="):
		default:
			return "", nil, reason.Reason{Kind: reason.OwnFlag, Object: a}
		}
	}
	return "", nil, reason.Reason{}
}

// specials judges the commands of special interest in a report.
func (j *judge) specials(rep shell.Report) {
	for _, s := range rep.Specials {
		switch s.Kind {
		case shell.Agent:
			j.unknown(reason.Reason{Kind: reason.Agent, By: s.Args[0], Part: s.Part})
		case shell.EndsMbgate:
			j.a.Own = reason.Reason{Kind: reason.OwnProgram, By: s.Args[0]}
		case shell.Interactive:
			j.unknown(reason.Reason{Kind: reason.Interactive, By: s.Args[0], Part: s.Part})
		default:
			if fault := ownRun(s.Args, rep.Parsed, j.w.HasBank); fault.Kind != reason.None && j.a.Own.Kind == reason.None {
				j.a.Own = fault
			}
			word, _, _ := nextWord(s.Args[min(1, len(s.Args)):])
			j.a.RunsInit = j.a.RunsInit || word == "init"
		}
	}
}
