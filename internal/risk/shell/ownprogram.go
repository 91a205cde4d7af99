package shell

import (
	"path"
	"slices"
	"strings"
)

// mbgate's processes and packages are a person's (R6): programs that end processes, and those that install and remove
// programs, with the words by which they change something.
const (
	enders   = " kill pkill killall skill killall5 xkill taskkill "
	finders  = " pgrep pidof "
	managers = " apt apt-get aptitude nala dpkg dnf yum rpm zypper pacman apk brew snap npm pnpm yarn bun pip pip3 pipx uv cargo go mise asdf nix nix-env guix scoop choco winget port flatpak systemctl "
	changing = " install i add upgrade update reinstall remove rm un uninstall purge autoremove autopurge erase del delete unlink stop disable mask -r -P -e -i -U -R -Rs -Rns --remove --purge --erase --install --upgrade --uninstall "
)

// endsOwn reports whether a command ends processes of mbgate or changes its package, and notes it. What looks for its
// processes prints their name, so that a kill behind it is seen.
func (w *walker) endsOwn(st *shell, args []arg) bool {
	is := func(list, word string) bool { return strings.Contains(list, " "+word+" ") }
	name := base(args[0].s)
	if !is(enders+finders+managers, name) {
		return false
	}
	named := slices.ContainsFunc(args[1:], func(a arg) bool {
		if is(managers, name) {
			word, _, _ := strings.Cut(path.Base(a.s), "@")
			word, _, _ = strings.Cut(word, "=")
			return word == "mbgate"
		}
		return strings.Contains(strings.NewReplacer("[", "", "]", "").Replace(a.s), "mbgate")
	})
	switch {
	case !named:
		return false
	case is(finders, name):
		w.emit(st, 1, "mbgate\n", nil)
		return true
	case is(enders, name), is(managers, name) && slices.ContainsFunc(args[1:], func(a arg) bool { return is(changing, a.s) }):
		w.special(EndsMbgate, []arg{{s: name}})
		return true
	}
	return false
}
