//go:build unix

package config

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
)

// TestReadFIFO would hang, if it failed, until the test binary's own time limit.
func TestReadFIFO(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".mbgate.toml")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	var irregular *unusableError
	if f := ReadFile(path); !errors.As(f.Err, &irregular) || f.Err.Error() != "it is a FIFO and no regular file" {
		t.Errorf("a FIFO: %v", f.Err)
	}
	if f := ReadFile("/dev/null"); !errors.As(f.Err, &irregular) {
		t.Errorf("a device: %v", f.Err)
	}
}
