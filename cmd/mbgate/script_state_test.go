package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// stateScript does something to the one session file there is: state truncate|empty|folder|remove|newer|files N.
func stateScript(ts *testscript.TestScript, neg bool, args []string) {
	found, err := filepath.Glob(filepath.Join(ts.Getenv("XDG_STATE_HOME"), "mbgate", "*.json"))
	ts.Check(err)
	if args[0] == "none" {
		if (len(found) == 0) == neg {
			ts.Fatalf("%d state files", len(found))
		}
		return
	}
	if len(found) != 1 {
		ts.Fatalf("%d state files", len(found))
	}
	file := found[0]
	text, err := os.ReadFile(file)
	ts.Check(err)
	switch args[0] {
	case "truncate":
		ts.Check(os.WriteFile(file, text[:len(text)/2], 0o600))
	case "empty":
		ts.Check(os.WriteFile(file, nil, 0o600))
	case "remove":
		ts.Check(os.Remove(file))
	case "folder":
		ts.Check(os.Remove(file))
		ts.Check(os.MkdirAll(filepath.Join(file, "x"), 0o700))
	case "newer":
		ts.Check(os.WriteFile(file, []byte(strings.Replace(string(text), `"schema":1`, `"schema":99`, 1)), 0o600))
	default:
		ts.Fatalf("state: unknown word %s", args[0])
	}
}
