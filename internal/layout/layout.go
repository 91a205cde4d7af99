// Package layout lays out a memory bank for a project that has none (SPEC §1): from what is certain about the project
// it makes the texts of MEMORY.md and the first details. It is pure: texts of manifests in, texts of files out; whoever
// calls it reads and writes them.
package layout

import (
	"fmt"
	"path"
	"strings"

	"github.com/mbgate/mbgate/internal/bank"
)

// File is one file of a memory bank that is to be made.
type File struct {
	// Path is relative to the project's root, slash-separated.
	Path, Text string
}

// The marks of the two blocks of MEMORY.md: what agents keep up to date, and what is a person's own.
const (
	MachineStart = "<!-- MACHINE_BLOCK_START -->"
	MachineEnd   = "<!-- MACHINE_BLOCK_END -->"
	UserStart    = "<!-- USER_BLOCK_START -->"
	UserEnd      = "<!-- USER_BLOCK_END -->"
)

// maxAnswers is how many quick answers MEMORY.md holds.
const maxAnswers = 8

// folders are those of details/ that begin empty. Git keeps no empty folder, so a .gitkeep lies in each: a template or a README
// there would match the anchor patterns, and be asked for after a compaction as if it framed a task (A1).
var folders = [...]string{"requirements", "design", "learnings"}

// Bank is every file of a new memory bank, MEMORY.md first.
func Bank(f Facts) []File {
	details := bank.Dir + "/details/"
	files := []File{
		{bank.Entry, memory(f)},
		{bank.Patterns, patterns(f)},
		{details + "progress.md", progress},
		{details + "tech.md", tech(f)},
	}
	for _, dir := range folders {
		files = append(files, File{details + dir + "/.gitkeep", ""})
	}
	return files
}

// section is one section of a document: what holds, where that ends, where the rest is.
type section struct{ title, conclusion, limits, pointer string }

func (s section) String() string {
	conclusion := strings.TrimRight(s.conclusion, "\n")
	if !strings.HasPrefix(conclusion, "\n") { // a list begins on a line of its own
		conclusion = " " + conclusion
	}
	return "## " + s.title + "\n\nConclusion:" + conclusion + "\n\nLimits: " + s.limits + "\nPointer: " + s.pointer + "\n\n"
}

func memory(f Facts) string {
	var b strings.Builder
	b.WriteString("# " + f.Name + "\n\n" + MachineStart + "\n\n")
	for _, s := range []section{
		{
			"Project Snapshot", snapshot(f),
			"taken from " + sources(f) + " when this file was made; what is not said there is not known.",
			pointer(f.SummaryFrom, "details/tech.md"),
		},
		{
			"Current Focus", "\n- Goal: not recorded yet\n- In progress: nothing recorded yet\n- Remaining: nothing recorded yet",
			"at most five items of one line each; they are repeated after every compaction.",
			"details/progress.md, and the requirement and the design that are worked on",
		},
		{
			"Decision Highlights", "no decision is recorded yet.",
			"only what binds further work, one line each with its date.",
			"details/patterns.md, details/design/",
		},
		{
			"Routing Rules", routing,
			"one to three files; where more seem needed, ask the subagent memory-reader.",
			"details/",
		},
		{
			"Drill-Down Protocol", `read this file, then the one to three details that the routing names, then the code. Call the
subagent memory-reader where evidence is asked for, where two files contradict each other, or where it takes more than three
files or 300 lines. Answers name the file they rest on. Where memory and code disagree, the code is right: say so, and
propose the correction.`,
			"two layers only, this file and details/; no index files.",
			"details/",
		},
		{
			"Write Safety Rules", `nobody writes here unasked. Propose the target file and two to five points, wait for the
user's mb:write, then call the subagent memory-bank-writer. A bug and its cause go to learnings/, a feature to requirements/,
a redesign to design/, a decision or convention to patterns.md, the rest to progress.md. Every section keeps this form: conclusion,
limits, pointer.`,
			"Markdown files only; the block below, between the USER marks, is people's own and stays as it is.",
			"details/requirements/REQ-001-short-name.md (goal, acceptance, out of scope), details/design/short-name.md " +
				"(problem, decision, alternatives), details/learnings/short-name.md (symptom, cause, remedy)",
		},
		{
			"Top Quick Answers", answers(f),
			fmt.Sprintf("at most %d, each one line that was true when it was written.", maxAnswers),
			"details/tech.md",
		},
	} {
		b.WriteString(s.String())
	}
	b.WriteString(MachineEnd + "\n\n" + UserStart + "\n\n## Notes of People\n\n" + UserEnd + "\n")
	return b.String()
}

const routing = `read before you act:

| what you are about to do | what triggers it | read |
|---|---|---|
| change code | the first write of a turn | details/patterns.md |
| build or change a feature | its name, or a number like REQ-001 | its file in details/requirements/ and in details/design/ |
| go on with earlier work | "continue", a new session, a compaction | details/progress.md and what it points to |
| choose a technology, add a dependency | a manifest is about to change | details/tech.md |
| change structure, interfaces, shared modules | more than one module is touched | details/design/ |
| find a bug that was there before | an error text, "again" | details/learnings/ |

Skip it for small talk and for questions about what was just said; in doubt read.`

func snapshot(f Facts) string {
	s := f.Summary
	if s == "" {
		s = f.Name + "; what it is for is not recorded yet."
	}
	if len(f.Languages) > 0 {
		s += "\n" + languages(f) + "."
	}
	return s
}

func languages(f Facts) string {
	var list []string
	for _, l := range f.Languages {
		list = append(list, l.Name+" ("+l.From+")")
	}
	return "Languages: " + strings.Join(list, ", ")
}

// sources are the files that something was taken from.
func sources(f Facts) string {
	seen := map[string]bool{"": true}
	var list []string
	add := func(from string) {
		if !seen[from] {
			seen[from] = true
			list = append(list, from)
		}
	}
	add(f.SummaryFrom)
	add(f.NameFrom)
	for _, l := range f.Languages {
		add(l.From)
	}
	for _, c := range f.Commands {
		add(c.From)
	}
	if len(list) == 0 {
		return "the folder's name"
	}
	return strings.Join(list, ", ")
}

func pointer(names ...string) string {
	var list []string
	for _, n := range names {
		if n != "" {
			list = append(list, n)
		}
	}
	return strings.Join(list, ", ")
}

// answers are the commands that people ask for first.
func answers(f Facts) string {
	var b strings.Builder
	n := 0
	for _, q := range []struct{ words, asks string }{
		{"build", "How is it built?"},
		{"test", "How is it tested?"},
		{"start dev run serve", "How is it started?"},
		{"lint check", "How is it checked?"},
		{"fmt format", "How is it formatted?"},
	} {
		for _, c := range f.Commands {
			if n < maxAnswers && has(strings.Fields(q.words), c.Name) {
				fmt.Fprintf(&b, "\n- %s `%s` (%s)", q.asks, c.Run, c.From)
				n++
				break
			}
		}
	}
	if n == 0 {
		return "none is recorded yet."
	}
	return b.String()
}

func has(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func patterns(f Facts) string {
	conclusion := "no convention is recorded yet. Follow the code that is there."
	if len(f.Guides) > 0 {
		conclusion = "no convention is recorded here yet. What the project has written down stands in " + strings.Join(f.Guides, ", ") + "."
	}
	return "# Patterns\n\n" +
		section{"Conventions", conclusion, "what holds for all code; what holds for one feature belongs to its design.", pointer(append(f.Guides, "design/")...)}.String() +
		strings.TrimRight(section{"Decisions", "none is recorded yet.", "one line each, with its date and its reason.", "design/"}.String(), "\n") + "\n"
}

const progress = `# Progress

## State

Conclusion: nothing is recorded yet.

Limits: what is done, what is under way, what is left; newest first, no diary.
Pointer: requirements/, design/
`

func tech(f Facts) string {
	var b strings.Builder
	b.WriteString("# Technology\n\n")
	langs := "none can be told from the project's manifests."
	if len(f.Languages) > 0 {
		langs = ""
		for _, l := range f.Languages {
			langs += "\n- " + l.Name + " (" + l.From + ")"
		}
	}
	b.WriteString(section{"Languages", langs, "told by the manifests at the project's root; folders below were not looked at.", pointer(manifests(f)...)}.String())
	cmds := "none can be told from the project's manifests."
	if len(f.Commands) > 0 {
		cmds = ""
		for _, c := range f.Commands {
			cmds += "\n- `" + c.Run + "` (" + c.From + ")"
		}
	}
	b.WriteString(strings.TrimRight(section{"Commands", cmds, "what the manifests offer; none of them was run.", pointer(manifests(f)...)}.String(), "\n") + "\n")
	return b.String()
}

func manifests(f Facts) []string {
	var list []string
	for _, l := range f.Languages {
		if !has(list, l.From) {
			list = append(list, l.From)
		}
	}
	for _, c := range f.Commands {
		if !has(list, c.From) {
			list = append(list, c.From)
		}
	}
	if len(list) == 0 {
		return []string{"README of the project"}
	}
	return list
}

// Other names a layout that a memory bank folder already has, by the names of the files in it: "cline" (docs.cline.bot,
// memory bank), or "". With a MEMORY.md it is ours.
func Other(names []string) string {
	if has(names, path.Base(bank.Entry)) {
		return ""
	}
	for _, n := range [...]string{"projectbrief.md", "activeContext.md", "productContext.md"} {
		if has(names, n) {
			return "cline"
		}
	}
	return ""
}
