package settings

import (
	"bytes"
	"strings"
)

// sharedName is the program of entries that a team commits: found on PATH, else in the project's node_modules/.bin.
const sharedName = "mbgate"

// sharedTry runs it where it is there. POSIX shells, in which it is wrapped, are on every machine that a client's hooks run
// a shell on; fish is not one.
const sharedTry = "command -v " + sharedName + " >/dev/null && exec " + sharedName + " "

// sharedLine is the command line of an entry that a team commits. Without the binary the hook does nothing and is no fault;
// where a session starts, the person is told in one line.
func (c Client) sharedLine(h Hook, words string) string {
	project := "."
	if c.ProjectVar != "" {
		project = "${" + c.ProjectVar + ":-.}"
	}
	missing := ""
	if strings.EqualFold(h.Event, "SessionStart") {
		const says = "hooks of mbgate are set up, but mbgate is not installed here: see docs/install.md of github.com/mbgate/mbgate"
		missing = "; echo \"mbgate: " + says + "\" >&2"
		if c.Layout == Nested { // systemMessage is shown to the person and not given to the model
			missing = "; echo \"{\\\"systemMessage\\\":\\\"" + says + "\\\"}\""
		}
	}
	return "sh -c 'PATH=\"$PATH:" + project + "/node_modules/.bin\"; " + sharedTry + words + missing + "; exit 0'"
}

// shares reports whether a file has entries that a team commits.
func (c Client) shares(data []byte) bool {
	if c.Plugin != nil {
		return pluginBinary(data) == sharedName
	}
	return bytes.Contains(data, []byte("&& exec "+sharedName+" ")) || bytes.Contains(data, []byte(`\u0026\u0026 exec `+sharedName+" "))
}

// SharedPlace is the file of a project that a team commits.
func (c Client) SharedPlace() Place {
	for _, p := range c.Others {
		if p.Shared && !c.Project.Shared {
			return p
		}
	}
	return c.Project
}
