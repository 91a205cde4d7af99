//go:build !linux

package state

import "github.com/adrg/xdg"

// reload makes the library read the environment again.
func reload() { xdg.Reload() }
