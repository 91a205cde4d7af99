//go:build !linux

package rawfile

import "errors"

// Exchange is for Linux only.
func Exchange(string, string) error { return errors.ErrUnsupported }
