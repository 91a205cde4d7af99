package project

import (
	"io/fs"
	"os"
	"strings"

	"github.com/mbgate/mbgate/internal/place"
)

// native is how the platform itself spells paths. Git for Windows brings the shell that agents use there, so /c/x is
// understood as well.
func native() place.Syntax { return place.Syntax{Windows: true, Msys: true} }

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
