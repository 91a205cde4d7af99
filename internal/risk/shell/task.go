package shell

import (
	"strings"

	"github.com/mbgate/mbgate/internal/risk/reason"
)

// Tasks are commands that the project itself gives a name: npm run NAME, make NAME. Their text is in a file of the project, and
// by SPEC §9 the words of the name tell whether they change files of it.

// writingWords are the words of a task that formats, repairs or generates files; lookingWords are those of one that only
// says what would change, whatever else is in its name.
const (
	writingWords = " fix autofix fmt format reformat write gen generate regen regenerate codegen scaffold migrate migration migrations makemigrations snapshot snapshots "
	lookingWords = " check dry test tests verify list diff "
)

// task judges the tasks of the project that the command runs by their names.
func (c *cmd) task() {
	names := c.rest
	if c.row.task == "1" {
		names = names[:min(1, len(names))]
	}
	if c.row.task == "" || c.has("check", "dry-run", "list") {
		return
	}
	for _, a := range names {
		if isKnown(a.s) && writesByName(a.s) {
			c.unnamed(reason.Generates, strings.TrimSuffix(c.name, " *")+" "+show(a.s))
			return
		}
	}
}

// writesByName judges the name of a task by its words: "api:generate" writes, "format:check" does not.
func writesByName(task string) bool {
	writes := false
	for _, w := range strings.FieldsFunc(strings.ToLower(task), func(r rune) bool { return strings.ContainsRune(":-_./", r) }) {
		if strings.Contains(lookingWords, " "+w+" ") {
			return false
		}
		writes = writes || strings.Contains(writingWords, " "+w+" ")
	}
	return writes && !strings.Contains(task, "=")
}
