// Release makes what a release holds beside the program and its pages: the licences of everything that is linked, and the
// list of it for machines. Both hold no date and no random number, so that the same commit gives the same bytes.
//
//	go run ./scripts/release notices            the texts of the licences, to standard output
//	go run ./scripts/release sbom ARCHIVE FILE  the bill of materials of an archive's program, as CycloneDX
package main

import (
	"errors"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 1 && args[0] == "notices":
		modules, err := linkedModules()
		if err != nil {
			return err
		}
		return writeNotices(os.Stdout, modules)
	case len(args) == 3 && args[0] == "sbom":
		return writeSBOM(args[1], args[2])
	default:
		return errors.New("usage: release notices | release sbom ARCHIVE FILE")
	}
}
