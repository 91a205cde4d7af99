package shell

import (
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/risk/reason"
)

// Tasks are commands that the project itself gives a name: npm run NAME, make NAME. By SPEC §9 their text decides where it
// is one simple command of a program that the tables know (taskfile.go), else the words of their name. Of a program or
// subcommand without a row the words of its subcommand and of its flags decide.

// writingWords are the words of a task that formats, repairs or generates files; lookingWords are those of one that only
// says what would change, whatever else is in its name.
const (
	writingWords = " fix autofix autocorrect fmt format reformat write gen generate regen regenerate codegen scaffold migrate migration migrations makemigrations snapshot snapshots "
	lookingWords = " check dry test tests verify list diff no help status pretend "
)

// Words of subcommands. migrate is none of makingWords: it changes a database, and files only with one of migrationVerbs.
const (
	makingWords    = " autofix codegen fix fmt format reformat gen generate regen regenerate scaffold init makemigrations "
	migrationWords = " migrate migration migrations revision "
	migrationVerbs = " make create add new generate gen diff remove "
)

// Words of flags and variables: --fix-all, --autocorrect; --update-snapshots, UPDATE_GOLDEN=1.
const (
	repairWords   = " fix autofix autocorrect inplace "
	updateWords   = " update regenerate rewrite accept "
	expectedWords = " snap snaps snapshot snapshots golden goldens goldenfiles expect expected insta baseline "
)

// task judges the tasks of the project that the command runs.
func (c *cmd) task() {
	if c.row.task == "" || c.has("list") {
		return
	}
	names, behind := c.rest, []arg(nil)
	switch {
	case c.row.task == "1" && len(names) > 0:
		i := slices.IndexFunc(c.args, func(a arg) bool { return a.s == names[0].s })
		names, behind = names[:1], c.args[i+1:]
	case c.row.task == "2":
		names = names[min(1, len(names)):min(2, len(names))]
	case c.row.task != "1" && c.row.task != "*":
		names, behind = []arg{{s: c.row.task}}, c.args
	}
	if i := slices.IndexFunc(behind, func(a arg) bool { return a.s == "--" }); i >= 0 {
		behind = behind[i+1:]
	}
	for _, a := range names {
		if isKnown(a.s) && !c.runsTask(a.s, behind) && writesByName(a.s) {
			c.generatesTask(a)
			return
		}
	}
}

func (c *cmd) generatesTask(a arg) {
	c.unnamed(reason.Generates, strings.TrimSuffix(c.name, " *")+" "+show(a.s))
}

// writesByName judges the name of a task by its words: "api:generate" writes, "format:check" does not.
func writesByName(task string) bool {
	words := nameWords(task)
	return !strings.Contains(task, "=") && (wordsSay(words, writingWords) || makes(words))
}

// makes reports words like make:model and migration:create, migrations add.
func makes(words []string) bool {
	return len(words) > 1 && words[0] == "make" || haveWord(words, migrationWords) && haveWord(words, migrationVerbs)
}

// saysByWords judges a program or subcommand that has no row by the words of its subcommand and flags.
func (c *cmd) saysByWords() {
	rest := c.rest
	if c.row.parent != "" {
		rest = append([]arg{{s: c.word}}, rest...)
	}
	var words []string
	for i, a := range rest[:min(len(rest), 3)] {
		if !isKnown(a.s) || strings.ContainsAny(a.s, "/=") {
			break
		}
		words = append(words, nameWords(a.s)...)
		if i == 0 && wordsSay(words, makingWords) && !printsSetup(rest) || makes(words) {
			c.unnamed(reason.Generates, strings.TrimSuffix(c.name, " "+c.word)+" "+show(joined(rest[:i+1])))
			return
		}
	}
	c.eachFlag(func(name string) bool {
		named := len(c.rest) > 0 && slices.Contains(c.row.when, name) // the operands are what it changes
		if len(name) > 2 && !named && wordsSay(nameWords(name), repairWords) {
			c.unnamed(reason.Generates, c.name+" --"+show(name))
			return true
		}
		return false
	})
}

// printsSetup reports operands that ask for text which a shell is to run: rbenv init -, starship init bash.
func printsSetup(operands []arg) bool {
	return slices.ContainsFunc(operands, func(a arg) bool { return strings.Contains(" - --path sh bash zsh fish ", " "+a.s+" ") })
}

// updates reports a flag that makes tests write what they expect: --update-snapshots.
func (c *cmd) updates() {
	for _, a := range c.rest { // cargo test -- --update-snapshots
		if name, _, _ := strings.Cut(strings.TrimLeft(a.s, "-"), "="); strings.HasPrefix(a.s, "--") && updatesExpected(name) {
			c.unnamed(reason.Generates, c.name+" "+show(a.s))
			return
		}
	}
	c.eachFlag(func(name string) bool {
		if updatesExpected(name) {
			c.unnamed(reason.Generates, c.name+" --"+show(name))
			return true
		}
		return false
	})
}

// eachFlag calls f for the flags that are given, until it returns true.
func (c *cmd) eachFlag(f func(name string) bool) {
	for _, name := range c.flags {
		if f(name) {
			return
		}
	}
	for _, v := range c.vals {
		if c.has(v.name) && f(v.name) {
			return
		}
	}
}

// updatesExpected reports whether a flag or variable of that name makes tests write what they expect.
func updatesExpected(name string) bool {
	if len(name) < 8 {
		return false
	}
	words := nameWords(name)
	return wordsSay(words, updateWords) && wordsSay(words, expectedWords)
}

// updatesByVariable judges UPDATE_GOLDEN=1 and the like before a command.
func (w *walker) updatesByVariable(name, value string) {
	switch strings.ToLower(value) {
	case "", "0", "no", "none", "false", "never":
		return
	}
	if updatesExpected(name) {
		w.unbounded(reason.Reason{Kind: reason.Generates, By: name + "=" + show(value)})
	}
}

// wordsSay reports whether one of the words is in the set, and none says that nothing is changed.
func wordsSay(words []string, set string) bool {
	return haveWord(words, set) && !haveWord(words, lookingWords)
}

func haveWord(words []string, set string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(set, " "+w+" ") })
}

// nameWords are the words of the name of a task or flag, in lower case: "api:generate", "updateSnapshots".
func nameWords(name string) []string {
	var b strings.Builder
	lower := false
	for _, r := range name {
		switch {
		case r >= 'A' && r <= 'Z':
			if lower {
				b.WriteByte(' ')
			}
			b.WriteRune(r + 'a' - 'A')
			lower = false
		case strings.ContainsRune(":-_./", r):
			b.WriteByte(' ')
			lower = false
		default:
			b.WriteRune(r)
			lower = true
		}
	}
	return strings.Fields(b.String())
}
