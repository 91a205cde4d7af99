package project

import (
	"os"
	"strings"

	"github.com/mbgate/mbgate/internal/place"
)

// checkout is a working tree of git, as its .git describes it; no git is run. The zero checkout lies in no repository.
type checkout struct {
	// top is the folder that holds .git, "" outside of a repository.
	top string
	// common is the folder of the repository that all worktrees share, "" when .git does not say.
	common string
	// linked is set in a linked worktree, as made by git worktree add; own is then its own folder in common.
	linked bool
	own    string
}

// gitLimit is how many bytes of a .git file and its like are read: a path and a newline.
const gitLimit = 8 << 10

// gitAt is the repository or worktree whose topmost folder is the physical folder dir. A .git that is neither a folder
// nor a file that names one is none.
func (w *walker) gitAt(dir string) (checkout, bool) {
	s := w.follow(child(dir, ".git"), nil)
	if len(s.ahead) > 0 {
		return checkout{}, false
	}
	switch s.kind {
	case place.Folder:
		return checkout{top: dir, common: s.at}, true
	case place.File:
	default:
		return checkout{}, false
	}
	to, ok := w.pointer(s.at, dir, "gitdir:")
	if !ok {
		return checkout{}, false
	}
	if base(parent(to)) != "worktrees" {
		return checkout{top: dir, common: to}, true // a submodule, or a repository that is kept elsewhere
	}
	common, ok := w.pointer(child(to, "commondir"), to, "")
	if !ok {
		// Of a worktree that was pruned only the place is left to tell it from a submodule of that name.
		common = parent(parent(to))
		if base(common) != ".git" && !exists(child(common, "HEAD")) {
			return checkout{top: dir, common: to}, true
		}
	}
	return checkout{top: dir, common: common, linked: true, own: to}, true
}

// gitAbove is the repository that dir lies in.
func (w *walker) gitAbove(dir string) checkout {
	for ; !isTop(dir); dir = parent(dir) {
		if g, ok := w.gitAt(dir); ok {
			return g
		}
	}
	return checkout{}
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
func (w *walker) main(g checkout) string {
	switch {
	case g.common == "":
		return ""
	case base(g.common) == ".git":
		return parent(g.common)
	}
	if to := coreWorktree(child(g.common, "config")); to != "" {
		return w.follow(native().Absolute(g.common, to), nil).phys()
	}
	// "git clone --bare url x/.bare" with a .git file beside it: the folder that people call the project.
	beside := parent(g.common)
	if b, ok := w.gitAt(beside); ok && b.common == g.common && !b.linked {
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

// owns reports whether the linked worktree at g.top is one of the repository common. A .git file by itself is no proof:
// anybody can write one that makes a folder of the project look like a worktree, so that its files go by other names.
// The repository has to name the folder too, or one that is gone: git follows a worktree that was moved.
func (w *walker) owns(common string, g checkout) bool {
	if !g.linked || place.Fold(g.common, w.folding) != place.Fold(common, w.folding) {
		return false
	}
	file, ok := w.pointer(child(g.own, "gitdir"), g.own, "")
	return !ok || place.Fold(file, w.folding) == place.Fold(child(g.top, ".git"), w.folding) || !exists(file)
}

func exists(path string) bool {
	_, err := os.Lstat(local(path))
	return err == nil
}
