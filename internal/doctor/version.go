package doctor

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mbgate/mbgate/internal/install"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/sandbox"
)

// versionWait is how long a client has to say its version. Those written in JavaScript take up to a second.
const versionWait = 3 * time.Second

// version says which version of the client there is, and whether it is the one that was observed.
func (a *agent) checkVersion() []render.Finding {
	if a.client.Observed == "" {
		return note(a.facts.KnownFrom())
	}
	name := a.client.Name
	if a.known.Program != "" {
		name = a.known.Program
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return note(name + " is not on PATH; mbgate was tested with " + a.client.Observed)
	}
	ctx, cancel := context.WithTimeout(context.Background(), versionWait)
	defer cancel()
	command := exec.CommandContext(ctx, path, "--version")
	command.WaitDelay = time.Second
	command.Dir = os.TempDir()
	var text sandbox.Bounded
	command.Stdout, command.Stderr = &text, &text
	err = command.Run()
	v := versionIn(text.String())
	switch {
	case v == "" && err != nil:
		return note(name + " does not say its version: " + install.BareError(err).Error() + "; mbgate was tested with " + a.client.Observed)
	case v == "":
		return note(name + " does not say its version; mbgate was tested with " + a.client.Observed)
	}
	switch compareVersions(v, a.client.Observed) {
	case 0:
		return good(v + ", the version that mbgate was tested with")
	case 1:
		return note(v + ", newer than " + a.client.Observed + ", which mbgate was tested with")
	}
	return warn(v+", older than "+a.client.Observed+", which mbgate was tested with: events may be missing", "update "+a.client.Title)
}

// versionIn is the first version number in a text: three numbers with dots.
func versionIn(text string) string {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return r != '.' && (r < '0' || r > '9') }) {
		if w = strings.Trim(w, "."); strings.Count(w, ".") == 2 && !strings.Contains(w, "..") {
			return w
		}
	}
	return ""
}

// compareVersions is -1, 0 or 1.
func compareVersions(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(x, y string) int {
		m, _ := strconv.Atoi(x)
		n, _ := strconv.Atoi(y)
		return cmp.Compare(m, n)
	})
}
