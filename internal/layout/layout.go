// Package layout lays out a memory bank for a project that has none (SPEC §1): from what is certain about the project
// it makes the texts of MEMORY.md and the first details. It is pure: texts of manifests in, texts of files out; the
// caller reads and writes them. Start reading with Bank; the texts are in files/, facts.go learns about a project.
package layout

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/bank"
)

// The files of a new memory bank. What stands in braces is taken from the project.
var (
	//go:embed files/MEMORY.md
	memory string
	//go:embed files/patterns.md
	patterns string
	//go:embed files/progress.md
	progress string
	//go:embed files/tech.md
	tech string
)

// File is one file of a memory bank that is to be made.
type File struct {
	// Path is relative to the project's root, slash-separated.
	Path, Text string
}

// Bank is every file of a new memory bank, MEMORY.md first. Git keeps no empty folder, so a .gitkeep lies in those of
// details/: a template or a README there would match the anchor patterns, and be asked for after a compaction as if it
// framed a task (A1).
func Bank(f Facts) []File {
	summary, about := f.Summary, f.SummaryFrom+", details/tech.md"
	if summary == "" {
		summary, about = f.Name+"; what it is for is not recorded yet.", "details/tech.md"
	}
	fill := strings.NewReplacer(
		"{name}", f.Name, "{summary}", summary, "{about}", about, "{sources}", strings.Join(sources(f), ", "),
		" {answers}", answers(f), " {commands}", commands(f),
	)
	const details = bank.Dir + "/details/"
	files := []File{
		{bank.Entry, fill.Replace(memory)},
		{bank.Patterns, patterns},
		{details + "progress.md", progress},
		{details + "tech.md", fill.Replace(tech)},
	}
	for _, dir := range [...]string{"requirements", "design", "learnings"} {
		files = append(files, File{details + dir + "/.gitkeep", ""})
	}
	return files
}

// commands is the list of all commands, behind a colon.
func commands(f Facts) string {
	if len(f.Commands) == 0 {
		return " none can be told from the project's manifests."
	}
	var b strings.Builder
	for _, c := range f.Commands {
		fmt.Fprintf(&b, "\n- `%s` (%s)", c.Run, c.From)
	}
	return b.String()
}

// sources are the files that something was taken from.
func sources(f Facts) []string {
	list := []string{f.SummaryFrom, f.NameFrom}
	for _, c := range f.Commands {
		list = append(list, c.From)
	}
	var out []string
	for _, from := range list {
		if from != "" && !slices.Contains(out, from) {
			out = append(out, from)
		}
	}
	if out == nil {
		return []string{"the folder's name"}
	}
	return out
}

// answers are the commands that people ask for first, behind a colon.
func answers(f Facts) string {
	var b strings.Builder
	for _, q := range [...]struct {
		asks  string
		names []string
	}{
		{"How is it built?", []string{"build"}},
		{"How is it tested?", []string{"test"}},
		{"How is it started?", []string{"start", "dev", "run", "serve"}},
		{"How is it checked?", []string{"lint", "check"}},
		{"How is it formatted?", []string{"fmt", "format"}},
	} {
		if i := slices.IndexFunc(f.Commands, func(c Command) bool { return slices.Contains(q.names, c.Name) }); i >= 0 {
			fmt.Fprintf(&b, "\n- %s `%s` (%s)", q.asks, f.Commands[i].Run, f.Commands[i].From)
		}
	}
	if b.Len() == 0 {
		return " none is recorded yet."
	}
	return b.String()
}
