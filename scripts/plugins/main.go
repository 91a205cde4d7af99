// Plugins writes mbgate as the clients' own plugins and extensions, from the tables that install works by, and the files that make the
// repository a marketplace of them. Their version is that of the newest release in the change log.
//
//	go run ./scripts/plugins .                       plugins/ and the marketplaces, below the folder that is named
//	go run ./scripts/plugins npm FOLDER VERSION DIST   the npm packages, from the programs in goreleaser's DIST
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/mbgate/mbgate/internal/agents"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "plugins:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 4 && args[0] == "npm" {
		return npmPackages(args[1], args[2], args[3])
	}
	if len(args) != 1 {
		return errors.New("usage: plugins FOLDER, or plugins npm FOLDER VERSION DIST")
	}
	version, err := released("CHANGELOG.md")
	if err != nil {
		return err
	}
	for _, c := range agents.Installable() {
		files, err := c.Bundled(version)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		folder := "plugins/" + c.Name
		for name, data := range files {
			if err := write(filepath.Join(args[0], folder, filepath.FromSlash(name)), data); err != nil {
				return err
			}
		}
		if c.Bundle.Market == "" {
			continue
		}
		data, err := c.Marketplace(folder)
		if err == nil {
			err = write(filepath.Join(args[0], filepath.FromSlash(c.Bundle.Market)), data)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return nil
}

// released is the newest version that the change log names, 0.0.0 before the first.
func released(file string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if m := regexp.MustCompile(`(?m)^## \[?v?(\d+\.\d+\.\d+[^\]\s]*)`).FindSubmatch(data); m != nil {
		return string(m[1]), nil
	}
	return "0.0.0", nil
}

func write(file string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}
