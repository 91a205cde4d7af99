//go:build unix

package main

import (
	"os"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// fifo puts a FIFO in the place of a file: fifo FILE.
func fifo(ts *testscript.TestScript, _ bool, args []string) {
	_ = os.Remove(ts.MkAbs(args[0]))
	ts.Check(syscall.Mkfifo(ts.MkAbs(args[0]), 0o600))
}
