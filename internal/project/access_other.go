//go:build unix && !linux

package project

import "syscall"

// access asks with the rights of the user who started this process.
func access(path string) error {
	const readOK = 4
	return syscall.Access(path, readOK)
}
