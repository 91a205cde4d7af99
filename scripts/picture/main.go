// Command picture draws the session of the README: it plays events of Claude Code into the real program, in a temporary
// project, and writes what the agent called and what mbgate answered as an SVG, once for dark and once for light pages.
//
// Red and amber lines are the program's own bytes; a green line says that it printed nothing and let the call pass. The command
// fails when an answer or an exit status differs from the picture. The picture does not depend on the time, the machine or its
// fonts, so that the pages' check can compare it.
//
//	go run ./scripts/picture MBGATE FOLDER
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: picture MBGATE FOLDER")
		os.Exit(64)
	}
	if err := draw(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

func draw(mbgate, folder string) error {
	mbgate, err := filepath.Abs(mbgate)
	if err != nil {
		return err
	}
	s, err := newSession(mbgate)
	if err != nil {
		return err
	}
	defer os.RemoveAll(s.dir)
	lines, err := s.story()
	if err != nil {
		return err
	}
	for _, p := range palettes() {
		if err := os.WriteFile(filepath.Join(folder, "session-"+p.name+".svg"), svg(lines, p), 0o644); err != nil {
			return err
		}
	}
	return nil
}
