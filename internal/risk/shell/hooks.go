package shell

import (
	"path"
	"strings"

	"github.com/mbgate/mbgate/internal/risk/reason"
)

// What programs are made to run by their settings: keys of git's configuration, variables, a folder in front of PATH.

// Keys of git's configuration that run something, by their last part or their section, in lower case.
const (
	runningKeys     = " hookspath fsmonitor sshcommand pager editor askpass gitproxy clean smudge process textconv command external driver helper path program cmd uploadpack receivepack packobjectshook difffilter templatedir alternaterefscommand recentobjectshook update "
	runningSections = " alias pager include includeif "
)

// runsByKey reports whether a key of git's configuration runs something, or names a file that does; one that is not known may.
func runsByKey(key string) bool {
	key = strings.ToLower(key)
	section, _, _ := strings.Cut(key, ".")
	return !isKnown(key) || strings.Contains(runningSections, " "+section+" ") ||
		strings.Contains(runningKeys, " "+key[strings.LastIndexByte(key, '.')+1:]+" ")
}

// gitKey judges a key of git's configuration that is set for one command: what it runs, or the files it takes hooks from.
func (w *walker) gitKey(st *shell, key, text string) {
	last := strings.ToLower(key[strings.LastIndexByte(key, '.')+1:])
	switch {
	case !runsByKey(key), text == "", text == "/dev/null":
	case last == "hookspath", last == "path", last == "templatedir":
		if o := w.scriptFile(st, arg{s: text}); o.foreign && !w.setsUp(st, text) {
			w.unknown(reason.Script, "git", show(text))
		}
	case strings.ContainsAny(text, " ;|&$`"):
		w.perhaps(true, func() { w.evalSub(st, strings.TrimPrefix(text, "!"), nil) })
	}
}

// runsCommand judges a variable that programs take a command, a script or git's configuration from: GIT_EDITOR='rm x' git
// commit.
func (w *walker) runsCommand(name string, st *shell) {
	v := st.lookup(name)
	if v == nil || v.s == "" {
		return
	}
	w.updatesByVariable(name, v.s)
	number, isGitKey := strings.CutPrefix(name, "GIT_CONFIG_VALUE_")
	switch {
	case isGitKey:
		if key := st.lookup("GIT_CONFIG_KEY_" + number); key != nil {
			w.gitKey(st, key.s, v.s)
		}
	case name == "GIT_CONFIG_PARAMETERS":
		for pair := range strings.SplitSeq(v.s, "'") {
			key, text, _ := strings.Cut(pair, "=")
			w.gitKey(st, key, text)
		}
	}
	switch name {
	case "EDITOR", "VISUAL", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "PAGER", "GIT_PAGER", "MANPAGER", "GIT_SSH_COMMAND",
		"GIT_EXTERNAL_DIFF", "GIT_ASKPASS", "SSH_ASKPASS", "PROMPT_COMMAND", "RSYNC_RSH", "LESSOPEN":
		if strings.Contains(v.s, " ") {
			w.perhaps(true, func() { w.evalSub(st, strings.TrimPrefix(v.s, "|"), nil) })
		}
	case "BASH_ENV", "ENV":
		w.perhaps(true, func() { w.sourceFile(st.fork(), []arg{{s: v.s}}) })
	case "NODE_OPTIONS", "RUBYOPT", "PERL5OPT", "PYTHONSTARTUP": // files that an interpreter loads first
		for _, word := range strings.FieldsFunc(v.s, func(r rune) bool { return r == ' ' || r == '=' }) {
			file := strings.TrimPrefix(strings.TrimPrefix(word, "-r"), "-I")
			if strings.HasPrefix(word, "data:") || strings.ContainsAny(file, "/"+anyText) && file[0] != '-' && w.scriptFile(st, arg{s: file}).foreign && !w.setsUp(st, file) {
				w.unknown(reason.Script, name, show(file))
			}
		}
	}
}

// inFront is the program of a name that this command made in a folder which it put into PATH.
func (w *walker) inFront(st *shell, name string) (string, bool) {
	v := st.lookup("PATH")
	if v == nil || strings.Contains(name, "/") {
		return "", false
	}
	for dir := range strings.SplitSeq(v.s, ":") {
		if file := path.Join(dir, name); isKnown(dir) && w.made[w.env.Files.Locate(st.cwd, file).Abs] != nil {
			return file, true
		}
	}
	return "", false
}
