package state

import (
	"fmt"
	"path/filepath"

	"github.com/adrg/xdg"
)

// This file is the only one that imports adrg/xdg. The library reads the environment when the program starts: a test
// that sets XDG_STATE_HOME or HOME in its own process must call ReloadDirs afterwards; a child process need not. As the
// XDG specification demands, a relative or empty XDG_STATE_HOME or XDG_CONFIG_HOME counts as not set.

// Dir is the default state folder, $XDG_STATE_HOME/mbgate. It need not exist. An error means that the home folder is
// not known as an absolute path, so that state would land wherever the agent happens to work.
func Dir() (string, error) { return under("state", "XDG_STATE_HOME", xdg.StateHome) }

// ConfigDir is the user's configuration folder, $XDG_CONFIG_HOME/mbgate. It need not exist.
func ConfigDir() (string, error) { return under("configuration", "XDG_CONFIG_HOME", xdg.ConfigHome) }

// ReloadDirs reads the environment again (xdg.Reload). It is for tests.
func ReloadDirs() { xdg.Reload() }

func under(what, variable, base string) (string, error) {
	if !filepath.IsAbs(base) {
		return "", fmt.Errorf("%s folder: %q is not an absolute path: set HOME or %s to one", what, base, variable)
	}
	return filepath.Join(base, "mbgate"), nil
}
