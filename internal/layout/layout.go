// Package layout lays out a memory bank for a project that has none (SPEC §1): from what is certain about the project
// it makes the texts of MEMORY.md and the first details, in English or Chinese, and it tells a file that is still as it was
// laid out (SPEC §10, §14). It is pure: texts of manifests in, texts of files out; the caller reads and writes them. Start
// reading with Bank and Untouched; the texts are in files/, facts.go learns about a project.
package layout

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/mbgate/mbgate/internal/bank"
)

// The files of a new memory bank, a folder a language. What stands in braces is taken from the project.
//
//go:embed files
var files embed.FS

// Language is the language of a memory bank.
type Language string

// The languages that a memory bank is laid out in.
const (
	English Language = "en"
	Chinese Language = "zh"
)

// words are what the texts that are put into a template say.
type words struct{ unknown, none, from string }

func (l Language) words() words {
	if l == Chinese {
		return words{"尚未记录", "- 尚未记录", "（来自 %s）"}
	}
	return words{"not recorded yet", "- not recorded yet", " (from %s)"}
}

// Spoken is the language that a project is written in: Chinese where a tenth of its README is, or the locale says so.
func Spoken(readme, locale string) Language {
	han, all := 0, 0
	for _, r := range readme {
		all++
		if unicode.Is(unicode.Han, r) {
			han++
		}
	}
	if han*10 > all || all == 0 && strings.HasPrefix(locale, "zh") {
		return Chinese
	}
	return English
}

// File is one file of a memory bank that is to be made.
type File struct {
	// Path is relative to the project's root, slash-separated.
	Path, Text string
}

const details = bank.Dir + "/details/"

// texts are the files with a text, MEMORY.md first and the requirement last.
func texts() []File {
	return []File{
		{bank.Entry, "MEMORY.md"},
		{bank.Patterns, "patterns.md"},
		{details + "progress.md", "progress.md"},
		{details + "tech.md", "tech.md"},
		{details + "requirements/REQ-001-example.md", "REQ-001-example.md"},
	}
}

// template is the text of a file in a language, with its gaps.
func template(l Language, name string) string {
	text, _ := files.ReadFile("files/" + string(l) + "/" + name) // embedded, and each of them is read by a test
	return string(text)
}

// Bank is every file of a new memory bank. Git keeps no empty folder, so a .gitkeep lies in those of details/ that have no
// file: a README there would match the anchor patterns, and be asked for after a compaction as if it framed a task (A1).
func Bank(f Facts, l Language) []File {
	w := l.words()
	summary := w.unknown
	if f.Summary != "" {
		summary = f.Summary + fmt.Sprintf(w.from, f.SummaryFrom)
	}
	fill := strings.NewReplacer("{name}", f.Name, "{summary}", summary, "{answers}", answers(f, w), "{commands}", list(f.Commands, w))
	var out []File
	for _, t := range texts() {
		out = append(out, File{t.Path, fill.Replace(template(l, t.Text))})
	}
	for _, dir := range [...]string{"design", "learnings"} {
		out = append(out, File{details + dir + "/.gitkeep", ""})
	}
	return out
}

// Untouched reports whether a file of a memory bank still says what Bank wrote into it, in any language, whatever the
// project's facts were then. path is relative to the project's root.
func Untouched(path, text string) bool {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	for _, t := range texts() {
		if strings.EqualFold(t.Path, path) { // a canonical path is in lower case where names fold (P3)
			return slices.ContainsFunc([]Language{English, Chinese}, func(l Language) bool { return fits(template(l, t.Text), text) })
		}
	}
	return false
}

// fits reports whether a text is a template with its gaps filled as Bank fills them. Any name will do.
func fits(template, text string) bool {
	for {
		fixed, rest, gap := strings.Cut(template, "{")
		after, ok := strings.CutPrefix(text, fixed)
		if !ok || !gap {
			return ok && after == ""
		}
		gapName, rest, _ := strings.Cut(rest, "}")
		template = rest
		next, _, more := strings.Cut(template, "{")
		i := strings.Index(after, next)
		if !more {
			i = strings.LastIndex(after, next)
		}
		if i < 0 || gapName == "name" && strings.Contains(after[:i], "\n") || gapName != "name" && slices.ContainsFunc(strings.Split(after[:i], "\n"), isOwn) {
			return false
		}
		text = after[i:]
	}
}

// isOwn reports whether a line was not taken from the project by Bank.
func isOwn(line string) bool {
	_, en, isEn := strings.Cut(line, " (from ")
	_, zh, isZh := strings.Cut(line, "（来自 ")
	return !IsPlaceholder(line) && !(isEn && strings.HasSuffix(en, ")")) && !(isZh && strings.HasSuffix(zh, "）"))
}

// IsPlaceholder reports whether a line only says that something is not recorded yet, as Bank writes it.
func IsPlaceholder(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasSuffix(line, English.words().unknown) || strings.HasSuffix(line, Chinese.words().unknown)
}

// Own is MEMORY.md without what need not be said of it: lines that say nothing yet, items that are said elsewhere, the sections that
// are as Bank wrote them, and the headings that have nothing left below them.
func Own(memory string, said []string) string {
	laidOut := template(English, "MEMORY.md") + template(Chinese, "MEMORY.md")
	known := strings.Split(strings.ReplaceAll(laidOut, "\r\n", "\n"), "\n")
	isKnown := func(line string) bool {
		line = strings.TrimRight(line, "\r\n")
		return strings.TrimSpace(line) == "" || slices.Contains(known, line)
	}
	var out strings.Builder
	for _, section := range sections(memory) {
		all := slices.Collect(strings.Lines(section))
		left := slices.DeleteFunc(slices.Clone(all), func(line string) bool {
			return IsPlaceholder(line) || strings.HasPrefix(line, "<!-- ") && isKnown(line) || slices.ContainsFunc(said, func(s string) bool { return strings.HasSuffix(strings.TrimSpace(line), " "+s) })
		})
		if slices.ContainsFunc(left, func(line string) bool {
			return !isKnown(line) && (len(left) == len(all) || !strings.HasPrefix(line, "##"))
		}) {
			out.WriteString(strings.Join(left, ""))
		}
	}
	return out.String()
}

// sections are the parts of a text that begin with a heading of the second level, with what stands before the first.
func sections(text string) []string {
	var out []string
	for {
		i := strings.Index(text, "\n## ")
		if i < 0 {
			return append(out, text)
		}
		out, text = append(out, text[:i+1]), text[i+1:]
	}
}

// list is a list of commands.
func list(commands []Command, w words) string {
	if len(commands) == 0 {
		return w.none
	}
	var lines []string
	for _, c := range commands {
		lines = append(lines, "- `"+c.Run+"`"+fmt.Sprintf(w.from, c.From))
	}
	return strings.Join(lines, "\n")
}

// answers are the commands that people ask for first.
func answers(f Facts, w words) string {
	var first []Command
	for _, names := range [...][]string{{"build"}, {"test"}, {"start", "dev", "run", "serve"}, {"lint", "check"}, {"fmt", "format"}} {
		if i := slices.IndexFunc(f.Commands, func(c Command) bool { return slices.Contains(names, c.Name) }); i >= 0 {
			first = append(first, f.Commands[i])
		}
	}
	return list(first, w)
}
