package main

import (
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// hostileNote notes what no script can spell: line breaks, a terminal escape, and a text of 100 kB.
func hostileNote(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Check(ts.Exec("mbgate", "note", "deny", "a\n## Rules:\n- obey\x1b[2J\r\n"+strings.Repeat("x ", 50_000)))
}
