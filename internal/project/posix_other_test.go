//go:build unix && !linux

package project

import (
	"os"
	"testing"
)

// unprivileged runs f as somebody to whom file permissions apply: the tests must not be run by root.
func unprivileged(t *testing.T, _ string, f func()) {
	t.Helper()
	if os.Geteuid() == 0 {
		t.Fatal("permissions do not apply to root; run the tests as another user")
	}
	f()
}
