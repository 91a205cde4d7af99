// Release writes the notices of a release: the terms of every module that is linked into the program, for whatever system,
// and of Go's own library. A module whose licence is not in the table of notices.go is an error. The notices hold no date
// and no path, so the same commit gives the same bytes.
//
//	go run ./scripts/release notices            the texts of the licences, to standard output
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) != 1 || args[0] != "notices" {
		return errors.New("usage: release notices")
	}
	modules, err := linkedModules()
	if err != nil {
		return err
	}
	return writeNotices(out, modules)
}
