package state

import (
	"fmt"
	"path/filepath"
)

// Dir is the default state folder, $XDG_STATE_HOME/mbgate. It need not exist. An error means that the home folder is
// not known as an absolute path, so that state would land wherever the agent happens to work. As the XDG specification
// demands, a relative or empty XDG_STATE_HOME or XDG_CONFIG_HOME counts as not set.
func Dir() (string, error) { return under("state", "XDG_STATE_HOME", stateHome()) }

// ConfigDir is the user's configuration folder, $XDG_CONFIG_HOME/mbgate. It need not exist.
func ConfigDir() (string, error) { return under("configuration", "XDG_CONFIG_HOME", configHome()) }

func under(what, variable, base string) (string, error) {
	if !filepath.IsAbs(base) {
		return "", fmt.Errorf("%s folder: %q is not an absolute path: set HOME or %s to one", what, base, variable)
	}
	return filepath.Join(base, "mbgate"), nil
}
