//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// extended builds mbgate with what docs/extending.md adds to it: its files, and its differences of files that are there.
func extended(t *testing.T, p page) (program string, files map[string]string) {
	t.Helper()
	files = map[string]string{}
	for _, b := range p.blocks {
		switch {
		case b.file != "":
			files[b.file] = b.text
		case b.lang == "diff":
			name, text, err := patched(b.text, files)
			if err != nil {
				t.Fatalf("%s:%d: %v", p.name, b.line, err)
			}
			files[name] = text
		}
	}
	dir := t.TempDir()
	replace := map[string]string{}
	for name, text := range files {
		at := filepath.Join(dir, strings.ReplaceAll(name, "/", "+"))
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		full, err := filepath.Abs(filepath.Join(repository, name))
		if err != nil {
			t.Fatal(err)
		}
		replace[full] = at
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, mustJSON(map[string]any{"Replace": replace}), 0o644); err != nil {
		t.Fatal(err)
	}
	program = filepath.Join(dir, "mbgate")
	for _, args := range [][]string{{"vet", "-overlay", overlay, "./internal/agents"}, {"build", "-buildvcs=false", "-overlay", overlay, "-o", program, "./cmd/mbgate"}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = repository
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: go %s: %v\n%s", p.name, args[0], err, out)
		}
	}
	return program, files
}

// patched applies a difference that has no line numbers: what it keeps and takes away must stand in the file once.
func patched(diff string, files map[string]string) (name, text string, err error) {
	head, hunks, ok := strings.Cut(diff, "\n@@\n")
	_, name, found := strings.Cut(head, "\n+++ b/")
	if !ok || !found {
		return "", "", fmt.Errorf("a difference begins with --- a/FILE, +++ b/FILE and @@")
	}
	text, ok = files[name]
	if !ok {
		data, err := os.ReadFile(filepath.Join(repository, name))
		if err != nil {
			return "", "", err
		}
		text = string(data)
	}
	for _, hunk := range strings.Split(hunks, "\n@@\n") {
		var old, new strings.Builder
		for l := range strings.Lines(strings.TrimSuffix(hunk, "\n") + "\n") {
			if l[0] != '+' {
				old.WriteString(l[1:])
			}
			if l[0] != '-' {
				new.WriteString(l[1:])
			}
		}
		if n := strings.Count(text, "\n"+old.String()); n != 1 {
			return "", "", fmt.Errorf("%s has %d times:\n%s", name, n, old.String())
		}
		text = strings.Replace(text, "\n"+old.String(), "\n"+new.String(), 1)
	}
	return name, text, nil
}
