//go:build !linux

package state

import "errors"

func exchange(string, string) error { return errors.ErrUnsupported }
