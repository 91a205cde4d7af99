package shell

import (
	"slices"
	"strings"
	"testing"
)

// simpleWords are the words of a command that holds nothing but plain words and names a program with a row of its own, and
// that row.
func simpleWords(command string) ([]string, *row) {
	if strings.ContainsAny(command, "|&;<>()$`\\\"'*?[]{}~#\n") {
		return nil, nil
	}
	words := strings.Fields(command)
	w := &walker{}
	r := w.row(words[0])
	for i := 1; r != nil && r.sub; i++ {
		if i == len(words) || strings.HasPrefix(words[i], "-") {
			return nil, nil
		}
		r = w.row(r.name + ":" + words[i])
	}
	if r == nil || r.single || r.name == "unknown" {
		return nil, nil
	}
	return words, r
}

// otherForms writes the options of a command as its program takes them too: -a -b as -ab, -a V as -aV, --a V as --a=V, and
// long ones without their last letter.
func otherForms(r *row, words []string) (forms [][]string) {
	put := func(i, n int, with ...string) {
		forms = append(forms, slices.Concat(words[:i], with, words[i+n:]))
	}
	flag := func(s string) bool {
		_, takes := r.spec(strings.TrimLeft(s, "-"))
		return len(s) == 2 && s[0] == '-' && s[1] >= 'A' && !takes && !slices.Contains(r.opt, s[1:]) && !slices.Contains(r.num, s[1:])
	}
	for i := 1; i < len(words); i++ {
		s := words[i]
		name, value, has := strings.Cut(strings.TrimLeft(s, "-"), "=")
		spec, takes := r.spec(name)
		next := i+1 < len(words)
		switch {
		case s == "--", spec.role == "fdexec": // what follows are words of another command
			return forms
		case len(s) < 2 || s[0] != '-':
			if r.posix {
				return forms
			}
		case flag(s) && next && flag(words[i+1]):
			put(i, 2, s+words[i+1][1:])
		case len(s) == 2 && takes && next && words[i+1] != "":
			put(i, 2, s+words[i+1])
		case len(s) > 2 && s[1] != '-' && flag(s[:2]) && flag("-"+s[2:3]) && !r.lists(s[1:]):
			put(i, 1, s[:2], "-"+s[2:])
		case strings.HasPrefix(s, "--") && takes && has:
			put(i, 1, "--"+name, value)
		case strings.HasPrefix(s, "--") && takes && next:
			put(i, 2, s+"="+words[i+1])
		}
		if short := name[:max(len(name)-1, 0)]; strings.HasPrefix(s, "--") && r.whole(short, has) == name && short != name {
			put(i, 1, strings.Replace(s, name, short, 1))
		}
		if takes && !has && strings.HasSuffix(spec.role, "!") {
			return forms
		}
		if takes && !has && next {
			i++
		}
	}
	return forms
}

// TestOptionForms holds that it makes no difference in which form the options of the examples are written.
func TestOptionForms(t *testing.T) {
	env := Env{Files: exampleTree(), Cwd: "/repo", Root: "/repo", Home: "/home/me"}
	all := examples(t)
	for _, c := range []string{ // forms that no example has, each the same as the one before it
		"git clean --force -d", "rm --recursive --force dir", "git reset --hard", "sed --in-place s/a/b/ a.txt", "tar --extract --file a.tar",
		"cp --target-directory dir a.txt", "git restore --staged --worktree a.txt", "sort --output b.txt a.txt", "touch --date now n.txt",
		"git apply --check p.patch", "gzip --stdout a.txt", "black --check src", "timeout --kill-after 5 9 rm a.txt", "env --chdir dir rm x.txt",
	} {
		all = append(all, example{command: c})
	}
	tried := 0
	for _, e := range all {
		words, r := simpleWords(e.command)
		if words == nil {
			continue
		}
		want := outcomeText(Judge(e.command, env))
		for _, form := range otherForms(r, words) {
			tried++
			if got := outcomeText(Judge(strings.Join(form, " "), env)); got != want {
				t.Errorf("%q => %s\n    %q => %s", e.command, want, strings.Join(form, " "), got)
			}
		}
	}
	t.Logf("%d forms", tried)
	if tried < 200 {
		t.Errorf("only %d forms were tried", tried)
	}
}

// TestPlusOptions holds that a shell's options may begin with + and end nothing.
func TestPlusOptions(t *testing.T) {
	env := Env{Files: exampleTree(), Cwd: "/repo", Root: "/repo", Home: "/home/me"}
	for _, options := range []string{"-c", "+x -c", "+o posix -c", "-e +x -c", "+ex -c", "-eo pipefail -c", "-c --"} {
		for _, name := range []string{"bash", "sh", "zsh"} {
			command := name + " " + options + " 'rm a.txt'"
			if got := outcomeText(Judge(command, env)); got != "delete a.txt" {
				t.Errorf("%s => %s", command, got)
			}
		}
	}
}
