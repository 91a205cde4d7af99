package settings

import "path/filepath"

// MaxFile is the largest configuration file of an agent that a hook looks at, in bytes.
const MaxFile = 8 << 20

// File is the absolute path of a place below top, the home folder or the project root, unless an environment variable
// moves it.
func (p Place) File(top string, getenv func(string) string) string {
	if p.Variable != "" {
		if dir := getenv(p.Variable); filepath.IsAbs(dir) {
			return filepath.Join(dir, filepath.FromSlash(p.Rest))
		}
	}
	return filepath.Join(top, filepath.FromSlash(p.Path))
}

// Files are the absolute paths where a client's hooks may be: the person's own file, unless home is "", and those of the
// project.
func (c Client) Files(home, project string, getenv func(string) string) []string {
	var list []string
	if home != "" {
		list = append(list, c.User.File(home, getenv))
	}
	list = append(list, c.Project.File(project, getenv))
	for _, p := range c.Others {
		list = append(list, p.File(project, getenv))
	}
	return list
}
