package main

import "github.com/rogpeppe/go-internal/testscript"

// fifo has no counterpart here; the scripts that need it are marked [unix].
func fifo(ts *testscript.TestScript, _ bool, _ []string) { ts.Fatalf("no FIFO on this platform") }
