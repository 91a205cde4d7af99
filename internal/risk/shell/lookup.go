package shell

import "github.com/mbgate/mbgate/internal/place"

// programFolders are where a program is looked for whose path a command asks for: the PATH of the agent's shell is not
// known.
var programFolders = [...]string{"/usr/local/bin/", "/usr/bin/", "/bin/"}

// located is what `which`, `command -v` and `type -P` print of a program. Of one that is found in no usual folder only
// the name is known: the rest stays unknown, so that a write to it is not taken for one outside of the project.
func (w *walker) located(name string) string {
	name = base(name)
	if name == "mbgate" && w.env.Self != "" {
		return w.env.Self
	}
	for _, dir := range programFolders {
		if w.env.Files.Locate("/", dir+name).Kind == place.File {
			return dir + name
		}
	}
	return anyText + "/" + name
}

// lookUp prints where programs are, as `command -v` and `type` do.
func (w *walker) lookUp(st *shell, args []arg) {
	for _, a := range args {
		if len(a.s) == 0 || a.s[0] == '-' {
			continue
		}
		w.emit(st, 1, w.located(a.s)+"\n", nil)
		return
	}
	w.emit(st, 1, anyText, nil)
}
