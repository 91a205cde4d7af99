package project

import (
	"os"
	"strings"

	"github.com/mbgate/mbgate/internal/place"
)

// Git is what the .git of a folder says of its repository; no git is run. The zero Git is a folder outside of any.
type Git struct {
	// Top is the folder that holds .git, "" outside of a repository.
	Top string
	// Common is the repository that all worktrees share, "" when .git does not say.
	Common string
	// Linked is set in a linked worktree, as made by git worktree add.
	Linked bool
	// dir is the worktree's own folder in Common.
	dir string
}

// gitLimit is how many bytes of a .git file and its like are read: a path and a newline.
const gitLimit = 8 << 10

// gitAt is the repository or worktree whose topmost folder is the physical folder dir. A .git that is neither a folder
// nor a file that names one is none.
func (w *walker) gitAt(dir string) (Git, bool) {
	s := w.follow(child(dir, ".git"), nil)
	if len(s.ahead) > 0 {
		return Git{}, false
	}
	switch s.kind {
	case place.Folder:
		return Git{Top: dir, Common: s.at}, true
	case place.File:
	default:
		return Git{}, false
	}
	to, ok := w.pointer(s.at, dir, "gitdir:")
	if !ok {
		return Git{}, false
	}
	if base(parent(to)) != "worktrees" {
		return Git{Top: dir, Common: to}, true // a submodule, or a repository that is kept elsewhere
	}
	common, ok := w.pointer(child(to, "commondir"), to, "")
	if !ok {
		// Of a worktree that was pruned only the place is left to tell it from a submodule of that name.
		common = parent(parent(to))
		if base(common) != ".git" && !exists(child(common, "HEAD")) {
			return Git{Top: dir, Common: to}, true
		}
	}
	return Git{Top: dir, Common: common, Linked: true, dir: to}, true
}

// gitAbove is the repository that dir lies in.
func (w *walker) gitAbove(dir string) Git {
	for ; !isTop(dir); dir = parent(dir) {
		if g, ok := w.gitAt(dir); ok {
			return g
		}
	}
	return Git{}
}

// pointer reads a file that holds one path, relative to dir, and gives the physical path.
func (w *walker) pointer(file, dir, prefix string) (string, bool) {
	text, err := readSmall(file, gitLimit)
	if err != nil {
		return "", false
	}
	to, ok := strings.CutPrefix(string(text), prefix)
	to = strings.TrimRight(to, "\r\n")
	if prefix != "" {
		to = strings.TrimLeft(to, " ")
	}
	if !ok || to == "" || strings.ContainsAny(to, "\x00") {
		return "", false
	}
	return w.follow(native().Absolute(dir, to), nil).phys(), true
}

// main is the topmost folder of the main worktree, "" when there is none.
func (w *walker) main(g Git) string {
	switch {
	case g.Common == "":
		return ""
	case base(g.Common) == ".git":
		return parent(g.Common)
	}
	if to := coreWorktree(child(g.Common, "config")); to != "" {
		return w.follow(native().Absolute(g.Common, to), nil).phys()
	}
	// "git clone --bare url x/.bare" with a .git file beside it: the folder that people call the project.
	beside := parent(g.Common)
	if b, ok := w.gitAt(beside); ok && b.Common == g.Common && !b.Linked {
		return beside
	}
	return ""
}

// coreWorktree is core.worktree of a repository's configuration: where the worktree of a submodule, or of a repository
// that is kept elsewhere, is.
func coreWorktree(config string) string {
	text, err := readSmall(config, 64<<10)
	if err != nil {
		return ""
	}
	core := false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			core = strings.EqualFold(line, "[core]")
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		if core && strings.EqualFold(strings.TrimSpace(key), "worktree") {
			return strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return ""
}

// worktrees are the topmost folders of the linked worktrees that the repository knows, those that are gone included.
func (w *walker) worktrees(g Git) []string {
	if g.Common == "" {
		return nil
	}
	list := child(g.Common, "worktrees")
	entries, ok := w.list(list)
	if !ok {
		return nil
	}
	var tops []string
	for _, name := range entries {
		dir := child(list, name)
		if file, ok := w.pointer(child(dir, "gitdir"), dir, ""); ok && base(file) == ".git" {
			tops = append(tops, parent(file))
		}
	}
	return tops
}

// owns reports whether the linked worktree at g.Top is one of the repository common. A .git file by itself is no proof:
// anybody can write one that makes a folder of the project look like a worktree, so that its files go by other names.
// The repository has to name the folder too, or one that is gone: git follows a worktree that was moved.
func (w *walker) owns(common string, g Git) bool {
	if !g.Linked || place.Fold(g.Common, w.folding) != place.Fold(common, w.folding) {
		return false
	}
	file, ok := w.pointer(child(g.dir, "gitdir"), g.dir, "")
	return !ok || place.Fold(file, w.folding) == place.Fold(child(g.Top, ".git"), w.folding) || !exists(file)
}

func exists(path string) bool {
	_, err := os.Lstat(local(path))
	return err == nil
}
