package shell

import (
	"path"
	"strings"

	"github.com/mbgate/mbgate/internal/place"
)

// What a build puts out is no write of the project (SPEC §9): rows with the field built. The exception is an existing text
// file that the command line names as output and that no build or test writes.

// Where builds and tests write by custom: folders, and what names of files end with or hold.
const (
	builtFolders = " dist build target out site public coverage "
	builtEnds    = ".out .lcov .prof .o .obj .s .class .map .tsbuildinfo"
	builtNames   = "coverage report junit results"
)

// maxOutput bounds what is read to tell a text from a program.
const maxOutput = 1 << 20

// named reports whether an output that a word names is an existing text file that no build writes.
func (c *cmd) named(a arg, ch change) bool {
	if ch.dir || !isKnown(a.s) || c.st.cwd == "" && !strings.HasPrefix(a.s, "/") {
		return false
	}
	pl := c.w.env.Files.Locate(c.st.cwd, a.s)
	if pl.Kind != place.File || builtByCustom(pl) {
		return false
	}
	text, ok := c.w.env.Files.Text(pl.Abs, maxOutput)
	return ok && strings.IndexByte(string(text), 0) < 0
}

func builtByCustom(pl place.Place) bool {
	for _, n := range pl.Names() {
		for dir := range strings.SplitSeq(path.Dir(n), "/") {
			if strings.Contains(builtFolders, " "+dir+" ") {
				return true
			}
		}
		name := strings.ToLower(path.Base(n))
		for word := range strings.FieldsSeq(builtEnds) {
			if strings.HasSuffix(name, word) {
				return true
			}
		}
		for word := range strings.FieldsSeq(builtNames) {
			if strings.Contains(name, word) {
				return true
			}
		}
	}
	return false
}

// ofProject reports whether all files that are named for a build are the project's and were not made by this command.
func (c *cmd) ofProject() bool {
	if c.st.cwd == "" {
		return false
	}
	for _, a := range c.rest {
		if !isKnown(a.s) {
			return false
		}
		if pl := c.w.env.Files.Locate(c.st.cwd, a.s); !pl.Inside() || c.w.made[pl.Abs] != nil {
			return false
		}
	}
	return c.w.env.Files.Locate("/", c.st.cwd).Inside()
}
