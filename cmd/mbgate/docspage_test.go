package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// page is a Markdown file of the repository, taken apart as far as its tests need it.
type page struct {
	// name is the path from the repository's root.
	name     string
	headings []heading
	blocks   []block
	// codes are the code spans, links what is linked and shown, tables the rows of tables.
	codes, links []span
	rows         []span
}

type heading struct {
	level int
	text  string
}

// block is a fenced block. A comment above it may give the reason for not running it, <!-- not run: why -->, or the file
// that it is the text of, <!-- file: name -->.
type block struct {
	line                     int
	lang, text, notRun, file string
}

// span is a piece of a line.
type span struct {
	line int
	text string
}

const repository = "../.."

// readPages reads every page that people are pointed to.
func readPages(t *testing.T) []page {
	t.Helper()
	var pages []page
	for _, pattern := range []string{"README*.md", "CONTRIBUTING.md", "docs/*.md"} {
		files, err := filepath.Glob(filepath.Join(repository, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("no page %s: %v", pattern, err)
		}
		for _, f := range files {
			pages = append(pages, readPage(t, filepath.ToSlash(f[len(repository)+1:])))
		}
	}
	return pages
}

func readPage(t *testing.T, name string) page {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, name))
	if err != nil {
		t.Fatal(err)
	}
	p := page{name: name}
	code := regexp.MustCompile("(`+)(.+?)(`+)")
	link := regexp.MustCompile(`\]\(([^)\s]+)\)|\s(?:src|srcset|href)="([^"]+)"`)
	marker := regexp.MustCompile(`^\s*<!-- (not run|file): (.+) -->$`)
	open, notRun, file := false, "", ""
	var b block
	n := 0
	for raw := range strings.Lines(string(text)) {
		n++
		l := strings.TrimRight(raw, "\r\n")
		trimmed := strings.TrimLeft(l, " ")
		switch {
		case open && trimmed == "```":
			p.blocks, open = append(p.blocks, b), false
		case open:
			b.text += l + "\n"
		case strings.HasPrefix(trimmed, "```"):
			b, open = block{line: n, lang: trimmed[3:], notRun: notRun, file: file}, true
		case marker.MatchString(l):
			if m := marker.FindStringSubmatch(l); m[1] == "file" {
				file = m[2]
			} else {
				notRun = m[2]
			}
			continue
		default:
			if title := strings.TrimLeft(l, "#"); title != l && strings.HasPrefix(title, " ") {
				p.headings = append(p.headings, heading{len(l) - len(title), strings.TrimSpace(title)})
			}
			if strings.HasPrefix(l, "|") && !strings.HasPrefix(l, "|--") {
				p.rows = append(p.rows, span{n, l})
			}
			rest := code.ReplaceAllStringFunc(l, func(s string) string {
				p.codes = append(p.codes, span{n, strings.TrimSpace(strings.Trim(s, "`"))})
				return "x"
			})
			for _, m := range link.FindAllStringSubmatch(rest, -1) {
				p.links = append(p.links, span{n, m[1] + m[2]})
			}
		}
		notRun, file = "", ""
	}
	if open {
		t.Fatalf("%s:%d: the block does not end", name, b.line)
	}
	return p
}

// anchors are the headings as a fragment of a link names them, in GitHub's way.
func (p page) anchors() map[string]bool {
	out := map[string]bool{}
	drop := regexp.MustCompile(`[^\p{L}\p{N}\p{M} _-]`)
	for _, h := range p.headings {
		out[strings.ReplaceAll(drop.ReplaceAllString(strings.ToLower(h.text), ""), " ", "-")] = true
	}
	return out
}
