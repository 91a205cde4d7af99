//go:build !unix

package install

import (
	"io/fs"
	"os"
)

// keepOwner has nothing to do where files inherit their owner.
func keepOwner(*os.File, fs.FileInfo) {}
