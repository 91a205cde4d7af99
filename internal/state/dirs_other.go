//go:build !linux

package state

import "github.com/adrg/xdg"

// This file is the only one that imports adrg/xdg, which knows the folders of macOS and Windows. The library reads the
// environment when the program starts: a test that sets XDG_STATE_HOME or HOME in its own process must call ReloadDirs
// afterwards; a child process need not.

func stateHome() string { return xdg.StateHome }

func configHome() string { return xdg.ConfigHome }

// ReloadDirs reads the environment again (xdg.Reload). It is for tests.
func ReloadDirs() { xdg.Reload() }
