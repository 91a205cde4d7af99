package project

import (
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/mbgate/mbgate/internal/place"
)

// native is how the platform spells paths.
func native() place.Syntax { return place.Syntax{Windows: true} }

// local is a path as the system's calls want it.
func local(p string) string { return strings.ReplaceAll(p, "/", `\`) }

// isLink reports whether an entry leads somewhere else: a symlink or a junction, which Go calls irregular.
func isLink(path string, m fs.FileMode) bool {
	if m&fs.ModeSymlink != 0 {
		return true
	}
	if m&fs.ModeIrregular == 0 {
		return false
	}
	_, err := os.Readlink(local(path))
	return err == nil
}

// fullName is the name that an entry of dir has in full: PROGRA~1 is Program Files, and TEMP is often spelled so.
func fullName(dir, name string) string {
	if !strings.Contains(name, "~") {
		return name
	}
	from, err := syscall.UTF16PtrFromString(local(child(dir, name)))
	if err != nil {
		return name
	}
	long := make([]uint16, syscall.MAX_LONG_PATH)
	n, err := syscall.GetLongPathName(from, &long[0], uint32(len(long)))
	if err != nil || n == 0 || int(n) > len(long) {
		return name
	}
	return base(native().Clean(syscall.UTF16ToString(long[:n])))
}
