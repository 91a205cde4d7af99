package config

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	put := func(name string, size int) {
		t.Helper()
		if err := os.WriteFile(path(name), make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("empty", 0)
	put("full", maxFile)
	put("large", maxFile+1)
	for name, size := range map[string]int{"empty": 0, "full": maxFile} {
		if f := ReadFile(path(name)); f.Err != nil || f.Data == nil || len(f.Data) != size || f.Path != path(name) {
			t.Errorf("%s: %d bytes, %v", name, len(f.Data), f.Err)
		}
	}
	for _, p := range []string{"", path("none"), path("none/config.toml"), path("full/config.toml")} {
		if f := ReadFile(p); f.Err != nil || f.Data != nil {
			t.Errorf("%s: %d bytes, %v", p, len(f.Data), f.Err)
		}
	}
	var large *unusableError
	if f := ReadFile(path("large")); !errors.As(f.Err, &large) || large.remedy != remedyTooLarge || f.Data != nil {
		t.Errorf("large: %v", f.Err)
	}
	var irregular *unusableError
	if f := ReadFile(dir); !errors.As(f.Err, &irregular) {
		t.Errorf("a folder: %v", f.Err)
	}
}
