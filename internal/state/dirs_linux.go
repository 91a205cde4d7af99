package state

import (
	"os"
	"path/filepath"
	"strings"
)

// These are the folders of adrg/xdg, which TestDirsOfXDG holds them against. The library itself takes 0.06 ms to start:
// it works out every folder of a desktop and reads user-dirs.dirs, in each hook.

func stateHome() string { return home("XDG_STATE_HOME", ".local", "state") }

func configHome() string { return home("XDG_CONFIG_HOME", ".config") }

// home is the folder that a variable names, else the one below the home folder.
func home(variable string, below ...string) string {
	user := os.Getenv("HOME")
	if user == "" {
		user = "/"
	}
	dir := os.Getenv(variable)
	if rest, ok := strings.CutPrefix(dir, "~"); ok {
		dir = filepath.Join(user, rest)
	} else if rest, ok := strings.CutPrefix(dir, "$HOME"); ok {
		dir = filepath.Join(user, rest)
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(append([]string{user}, below...)...)
	}
	return dir
}
