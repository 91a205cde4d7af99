package state

import (
	"path/filepath"
	"testing"

	"github.com/adrg/xdg"
)

func TestDirsOfXDG(t *testing.T) {
	t.Cleanup(xdg.Reload) // runs after the environment is set back
	values := []string{"", "/s", "/s/../t/", "rel", "./rel", "~", "~/x", "~x", "$HOME", "$HOME/x", "$HOMEx", "/s/$HOME", " /s"}
	for _, user := range []string{"", "/h", "/h/", "rel"} {
		for _, v := range values {
			t.Setenv("HOME", user)
			t.Setenv("XDG_STATE_HOME", v)
			t.Setenv("XDG_CONFIG_HOME", v)
			xdg.Reload()
			// Without any absolute folder xdg says "", which is no more absolute than what is here.
			for _, c := range [][2]string{{stateHome(), xdg.StateHome}, {configHome(), xdg.ConfigHome}} {
				if c[0] != c[1] && (c[1] != "" || filepath.IsAbs(c[0])) {
					t.Errorf("HOME=%q and %q: %q, xdg says %q", user, v, c[0], c[1])
				}
			}
		}
	}
}

// reload has nothing to do: the environment is read whenever it is asked for.
func reload() {}
