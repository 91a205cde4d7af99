package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/agents"

	"github.com/spf13/cobra"
)

// TestDocsLinks: every relative link leads to a file, every fragment to a heading, and the README to every page.
func TestDocsLinks(t *testing.T) {
	pages := readPages(t)
	seen := 0
	for _, p := range pages {
		if strings.HasPrefix(p.name, "docs/") && !slices.ContainsFunc(readPage(t, "README.md").links, func(l span) bool { return l.text == p.name }) {
			t.Errorf("the index of README.md lacks %s", p.name)
		}
		for _, l := range p.links {
			if strings.Contains(l.text, "://") {
				continue
			}
			seen++
			file, fragment, _ := strings.Cut(l.text, "#")
			target := p.name
			if file != "" {
				target = filepath.ToSlash(filepath.Join(filepath.Dir(p.name), file))
			}
			if _, err := os.Stat(filepath.Join(repository, target)); err != nil {
				t.Errorf("%s:%d: there is no %s", p.name, l.line, target)
				continue
			}
			if fragment == "" {
				continue
			}
			i := slices.IndexFunc(pages, func(p page) bool { return p.name == target })
			if i < 0 || !pages[i].anchors()[fragment] {
				t.Errorf("%s:%d: %s has no heading #%s", p.name, l.line, target, fragment)
			}
		}
	}
	if seen < 30 {
		t.Errorf("%d links were found; the pages have more", seen)
	}
}

// TestDocsNameRealCommands: every mbgate command line in a code span exists, with every flag of it.
func TestDocsNameRealCommands(t *testing.T) {
	seen := 0
	for _, p := range readPages(t) {
		for _, c := range p.codes {
			words := strings.Fields(c.text)
			if len(words) == 0 || words[0] != "mbgate" {
				continue
			}
			seen++
			if err := realCommand(words[1:]); err != nil {
				t.Errorf("%s:%d: `%s`: %v", p.name, c.line, c.text, err)
			}
		}
	}
	if seen < 60 {
		t.Errorf("%d command lines were found; the pages have more", seen)
	}
	for _, wrong := range []string{"frobnicate", "status --frobnicate", "install emacs", "note forget N1", "hook --jsonl", "--jsonl"} {
		if realCommand(strings.Fields(wrong)) == nil {
			t.Errorf("mbgate %s passes as a command line", wrong)
		}
	}
}

// realCommand says what is wrong with a command line of mbgate, as far as that can be said without running it. Words in
// capitals stand for something, and what comes after -- or a redirection is not ours.
func realCommand(words []string) error {
	root := newRoot(newApp(), "")
	cmd := root
	operands := 0
	for _, w := range words {
		if w == "--" || strings.ContainsAny(w[:1], "|<>&;#") {
			break
		}
		if strings.HasPrefix(w, "-") {
			name, _, _ := strings.Cut(strings.TrimLeft(w, "-"), "=")
			if f := cmd.Flags().ShorthandLookup(name[:1]); f != nil && len(w) == 2 {
				name = f.Name
			}
			if name != "help" && cmd.Flags().Lookup(name) == nil && cmd.InheritedFlags().Lookup(name) == nil && (cmd != root || name != "version") {
				return fmt.Errorf("%s has no flag %s", cmd.CommandPath(), w)
			}
			continue
		}
		if cmd.HasSubCommands() && operands == 0 {
			i := slices.IndexFunc(cmd.Commands(), func(c *cobra.Command) bool { return c.Name() == w })
			switch {
			case i >= 0:
				cmd = cmd.Commands()[i]
				continue
			case cmd == root && (w == "help" || w == "COMMAND"):
				return nil
			}
			return fmt.Errorf("%s has no command %s", cmd.CommandPath(), w)
		}
		operands++
		takesAgent := slices.Contains([]string{"install", "uninstall", "doctor", "hook"}, cmd.Name())
		if _, known := agents.Facts(w); takesAgent && operands == 1 && !known && strings.ToUpper(w) != w {
			return fmt.Errorf("there is no agent %s", w)
		}
	}
	return nil
}

// TestDocsBeginWithWhatRuns: what stands first in the READMEs is what CI runs (.ci/run), and nothing else.
func TestDocsBeginWithWhatRuns(t *testing.T) {
	for _, name := range []string{"README.md", "README.zh-CN.md"} {
		if first := readPage(t, name).blocks[0]; first.lang != "sh" || first.text != "go run ./cmd/mbgate demo\n./scripts/check.sh\n" || first.notRun != "" {
			t.Errorf("%s:%d: the first block is\n%s", name, first.line, first.text)
		}
	}
}

// TestDocsNameRealFlags: a flag that a README or the page on installing names by itself is one of some command.
func TestDocsNameRealFlags(t *testing.T) {
	script, err := os.ReadFile(filepath.Join(repository, "scripts", "install.sh"))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, name := range []string{"README.md", "README.zh-CN.md", "docs/install.md", "docs/troubleshooting.md"} {
		for _, c := range readPage(t, name).codes {
			flag, ok := strings.CutPrefix(c.text, "--")
			if !ok || flag == "" || strings.Contains(string(script), "\n  "+c.text+" ") {
				continue
			}
			seen++
			if !slices.ContainsFunc(tree(), func(cmd *cobra.Command) bool { return cmd.Flags().Lookup(flag) != nil || flag == "help" }) {
				t.Errorf("%s:%d: no command has %s", name, c.line, c.text)
			}
		}
	}
	if seen < 10 {
		t.Errorf("%d flags were found; the pages have more", seen)
	}
}

// TestDocsFiguresAgree: the two figures of docs/figures.md are those of the page that explains them.
func TestDocsFiguresAgree(t *testing.T) {
	const all = `\| \*\*all\*\* \| (\d+) / (\d+) \([^)]*\) \| (\d+) / (\d+) `
	var figures []string
	for _, r := range readPage(t, "docs/shell.md").rows {
		if m := regexp.MustCompile(all).FindStringSubmatch(r.text); m != nil {
			figures = m[1:]
		}
	}
	text, err := os.ReadFile(filepath.Join(repository, "docs", "figures.md"))
	if err != nil || figures == nil {
		t.Fatal("docs/shell.md has no row for all sources", err)
	}
	want := fmt.Sprintf("%s of %s writes found, %s of %s harmless ones taken for writes", figures[0], figures[1], figures[2], figures[3])
	if !strings.Contains(strings.Join(strings.Fields(strings.ReplaceAll(string(text), ",", "")), " "), strings.Replace(want, "found,", "found", 1)) {
		t.Errorf("docs/figures.md does not say: %s", want)
	}
}

// TestDocsSpeakBothLanguages: the two READMEs have the same sections, blocks, rows, numbers and links, so that none of
// them is changed alone.
func TestDocsSpeakBothLanguages(t *testing.T) {
	one, other := readPage(t, "README.md"), readPage(t, "README.zh-CN.md")
	compare := func(what string, a, b []string) {
		t.Helper()
		for i := range max(len(a), len(b)) {
			switch {
			case i >= len(a):
				t.Errorf("%s: only %s has %q", what, other.name, b[i])
			case i >= len(b):
				t.Errorf("%s: only %s has %q", what, one.name, a[i])
			case a[i] != b[i]:
				t.Errorf("%s %d: %s has\n%s\nand %s\n%s", what, i+1, one.name, a[i], other.name, b[i])
				return
			}
		}
	}
	comment := regexp.MustCompile(`(?m)\s*#.*$`)
	number := regexp.MustCompile(`\d[\d.,–]*\d|\d`)
	code := regexp.MustCompile("`[^`]+`")
	of := func(p page) (levels, blocks, rows, codes, links, commands []string) {
		for _, h := range p.headings {
			levels = append(levels, strings.Repeat("#", h.level))
		}
		for _, b := range p.blocks {
			blocks = append(blocks, b.lang+"\n"+comment.ReplaceAllString(b.text, ""))
			commands = append(commands, fmt.Sprint(b.notRun != ""))
		}
		for _, r := range p.rows {
			found := append(code.FindAllString(r.text, -1), number.FindAllString(code.ReplaceAllString(r.text, ""), -1)...)
			slices.Sort(found)
			rows = append(rows, fmt.Sprint(strings.Count(r.text, "|"), found))
		}
		for _, c := range p.codes {
			codes = append(codes, c.text)
		}
		for _, l := range p.links {
			if !strings.HasPrefix(l.text, "README") {
				links = append(links, l.text)
			}
		}
		slices.Sort(codes)
		slices.Sort(links)
		return
	}
	l1, b1, r1, c1, k1, n1 := of(one)
	l2, b2, r2, c2, k2, n2 := of(other)
	compare("headings", l1, l2)
	compare("block", b1, b2)
	compare("whether a block is run", n1, n2)
	compare("row of a table", r1, r2)
	compare("code span", c1, c2)
	compare("link", k1, k2)
	if !slices.ContainsFunc(one.links, func(l span) bool { return l.text == other.name }) ||
		!slices.ContainsFunc(other.links, func(l span) bool { return l.text == one.name }) {
		t.Error("the two pages do not link to each other")
	}
	for _, x := range agents.All() {
		c := x.Facts()
		if c.Name == "generic" {
			continue
		}
		if _, installable := x.Settings(); !installable {
			if !slices.ContainsFunc(one.rows, func(s span) bool { return strings.Contains(s.text, c.Title) }) {
				t.Errorf("README.md has no row for %s", c.Title)
			}
			continue
		}
		if !slices.ContainsFunc(one.codes, func(s span) bool { return s.text == "mbgate install "+c.Name }) {
			t.Errorf("README.md has no row for %s", c.Title)
		}
		if !slices.ContainsFunc(one.rows, func(s span) bool {
			return strings.Contains(s.text, "install "+c.Name) && strings.Contains(s.text, c.Observed)
		}) {
			t.Errorf("README.md's row for %s does not name %s", c.Title, c.Observed)
		}
	}
}
