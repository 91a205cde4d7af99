package main

import (
	"os"
	"path/filepath"

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
		// The checksum has the same form in every schema, so this is what a newer mbgate would leave.
		ts.Check(os.WriteFile(file, []byte(`{"schema":99,"later":[{"what":1}],"sum":"7bf63d54d01944f9"}`+"\n"), 0o600))
	default:
		ts.Fatalf("state: unknown word %s", args[0])
	}
}
