//go:build !linux

package state

import "github.com/adrg/xdg"

// This file is the only one that imports adrg/xdg, which knows the folders of macOS and Windows. The library reads the
// environment when the program starts.

func stateHome() string { return xdg.StateHome }

func configHome() string { return xdg.ConfigHome }
