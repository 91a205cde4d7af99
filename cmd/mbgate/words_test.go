package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What people and models read uses the terms of docs/words.md: the pages, the texts in the program, the screens.
func TestWordsAreThoseOfThePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/words.md")
	if err != nil {
		t.Fatal(err)
	}
	var wrong []string
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !strings.Contains(cells[3], "`") {
			continue
		}
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[3], -1) {
			wrong = append(wrong, m[1])
		}
	}
	if len(wrong) < 25 {
		t.Fatalf("only %d words are on the page", len(wrong))
	}
	seen := 0
	check := func(file, text string) {
		seen++
		for _, w := range wrong {
			if regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(w) + `\b`).MatchString(strings.Join(strings.Fields(text), " ")) {
				t.Errorf("%s says %q, which docs/words.md rules out: %s", file, w, text)
			}
		}
	}
	for _, glob := range []string{"../../docs/*.md", "../../README.md", "../../internal/render/testdata/*.golden"} {
		files, _ := filepath.Glob(glob)
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if filepath.Base(f) == "words.md" {
				continue
			}
			for p := range strings.SplitSeq(string(text), "\n\n") {
				check(f, p)
			}
		}
	}
	for _, dir := range []string{".", "agents", "bank", "capsule", "config", "doctor", "gate", "install", "layout", "project", "render", "settings", "state", "wire"} {
		if dir != "." {
			dir = "../../internal/" + dir
		}
		files, _ := filepath.Glob(dir + "/*.go")
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				if s, ok := n.(*ast.BasicLit); ok && s.Kind == token.STRING {
					check(f, s.Value)
				}
				return true
			})
		}
	}
	if seen < 3000 {
		t.Errorf("only %d texts were looked at", seen)
	}
}
