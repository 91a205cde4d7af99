package project

import "syscall"

// access asks with the rights that this process acts with.
func access(path string) error {
	const readOK, atEaccess = 4, 0x200
	return syscall.Faccessat(-0x64, path, readOK, atEaccess) // -0x64 is AT_FDCWD
}
