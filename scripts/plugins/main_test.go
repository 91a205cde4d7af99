package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// What is committed is what the tables make, and nothing else lies there.
func TestPluginsAreUpToDate(t *testing.T) {
	t.Chdir("../..")
	made := t.TempDir()
	if err := run([]string{made}); err != nil {
		t.Fatal(err)
	}
	n := 0
	compare := func(from, to, remedy string) {
		err := filepath.WalkDir(from, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			rel, err := filepath.Rel(from, file)
			if err != nil {
				return err
			}
			a, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			n++
			if b, err := os.ReadFile(filepath.Join(to, rel)); err != nil || !bytes.Equal(a, b) {
				t.Errorf("%s: %s", rel, remedy)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	compare(made, ".", "out of date; go run ./scripts/plugins .")
	compare("plugins", filepath.Join(made, "plugins"), "no table makes it; remove it, or go run ./scripts/plugins .")
	if n < 60 {
		t.Errorf("only %d files were compared", n)
	}
}
