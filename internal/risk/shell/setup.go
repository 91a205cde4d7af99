package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/place"
	"mvdan.cc/sh/v3/syntax"
)

// Setting up a shell is harmless (SPEC §9): `eval "$(direnv export bash)"`, `. ~/.nvm/nvm.sh`. The text of these is not known, or
// too long to follow.

// What prints text that sets up a shell: programs, and words of others that have no output of their own.
const (
	setupPrograms = " ssh-agent gpg-agent keychain dircolors lesspipe luarocks thefuck "
	setupWords    = " init env hook export activate shellenv shell-hook virtualenv-init docker-env completion shell.bash shell.posix export-credentials setup "
)

// Files that set up a shell: by name where their folder is not known, else those of these folders and of the home folder.
const (
	setupFiles   = " nvm.sh conda.sh asdf.sh sdkman-init.sh activate "
	setupFolders = "/etc /opt /usr /nix /home/linuxbrew"
	maxSetup     = 32 << 10 // bytes of a file that are followed; nvm.sh has 150 kB of functions
)

// printsSetUp reports whether statements are one command that prints text which sets up a shell.
func (w *walker) printsSetUp(st *shell, list []*syntax.Stmt) bool {
	if len(list) != 1 {
		return false
	}
	call, ok := list[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	name := w.single(st, call.Args[0]).s
	r := w.row(base(name))
	switch {
	case strings.Contains(setupPrograms, " "+base(name)+" "):
	case r != nil && !r.sub && !r.elsewhere, !slices.ContainsFunc(call.Args[1:], func(a *syntax.Word) bool {
		return strings.Contains(setupWords, " "+a.Lit()+" ")
	}):
		return false
	}
	return isKnown(base(name)) && (!strings.Contains(name, "/") || w.setsUp(st, name))
}

// setsUp reports whether a path is that of a file or program which sets up a shell, and not of this command's making.
func (w *walker) setsUp(st *shell, name string) bool {
	if !isKnown(name) || st.cwd == "" && !strings.HasPrefix(name, "/") {
		return strings.Contains(setupFiles, " "+path.Base(name)+" ")
	}
	pl := w.env.Files.Locate(st.cwd, name)
	if w.made[pl.Abs] != nil || pl.Inside() || w.env.Wrote != nil && w.env.Wrote(pl.Key) {
		return false
	}
	return path.Base(name) == "activate" || w.env.Home != "" && place.Under(pl.Abs, w.env.Home) ||
		slices.ContainsFunc(strings.Fields(setupFolders), func(dir string) bool { return place.Under(pl.Abs, dir) })
}

// substitutions are the statements of a word that is a command substitution and nothing else.
func substitutions(word *syntax.Word) []*syntax.Stmt {
	if word == nil || len(word.Parts) != 1 {
		return nil
	}
	part := word.Parts[0]
	if q, ok := part.(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
		part = q.Parts[0]
	}
	if s, ok := part.(*syntax.CmdSubst); ok {
		return s.Stmts
	}
	return nil
}

// sourceSetUp follows a file that sets up a shell as far as it is short: for what it does to files, not for the functions and
// variables that it leaves.
func (w *walker) sourceSetUp(st *shell, o origin, args []arg) {
	st.status = likely
	if !o.known || o.text == "" || len(o.text) > maxSetup {
		return
	}
	unknown, budget := len(w.rep.Unknown), w.budget
	w.budget = min(budget, minSteps/4)
	w.within("the script "+show(args[0].s), func() { w.evalText(st.fork(), o.text) })
	w.budget = budget - minSteps/4
	w.rep.Unknown = w.rep.Unknown[:unknown]
}
