package shell

import (
	"slices"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/risk/reason"
	"mvdan.cc/sh/v3/syntax"
)

// FuzzJudge holds three things of every command: judging does not panic; a redirection behind it into a file of the
// project is always reported; and the same text quoted as an argument of echo does nothing.
func FuzzJudge(f *testing.F) {
	for i, r := range corpus(f) {
		if i%7 == 0 {
			f.Add(r.Command)
		}
	}
	for _, s := range []string{
		"a <<E\nx\nE\n", "for i in {1..9}; do echo $i; done", "${x:-$(y)}", "f() { f; }; f", "case $x in a) b;; esac", "a[$((i++))]=1",
		"x=$'\\x41'; echo ${x^^}", "exec 3>&1 >/dev/null", "while read l; do echo $l; done < a.txt", "find . -exec sh -c 'echo {}' \\;",
		"trap 'rm a' EXIT", "alias a=b; a", "[[ a =~ b ]]", "((i=1<<2))", "a | b |& c && d || e & f",
	} {
		f.Add(s)
	}
	tree := exampleTree()
	env := Env{Files: tree, Cwd: "/repo", Root: "/repo", Home: "/home/me"}
	f.Fuzz(func(t *testing.T, command string) {
		if len(command) > 4096 {
			return
		}
		rep := Judge(command, env)
		if slices.ContainsFunc(rep.Unknown, isFault) {
			t.Errorf("%q: %v", command, rep.Unknown)
		}
		if len(rep.Effects) > maxFields+8 || len(rep.Unknown) > maxReasons {
			t.Errorf("the report is not bounded: %d effects", len(rep.Effects))
		}
		if _, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command+"\n"), ""); err == nil && !strings.HasSuffix(command, "\\") && strings.IndexByte(command, 0) < 0 {
			if !names(Judge(command+"\n; echo x > /repo/dir/probe", env), "dir/probe") && !names(Judge(command+"\necho x > /repo/dir/probe", env), "dir/probe") {
				t.Errorf("what stands behind %q is not seen", command)
			}
		}
		if strings.IndexByte(command, 0) >= 0 || strings.ContainsAny(command, "\r") {
			return
		}
		quoted := Judge("echo '"+strings.ReplaceAll(command, "'", `'\''`)+"'", env)
		if len(quoted.Effects)+len(quoted.Unbounded)+len(quoted.Unknown)+len(quoted.Specials) > 0 {
			t.Errorf("quoted %q does something: %s", command, describe(quoted))
		}
	})
}

func names(rep Report, canon string) bool {
	for _, e := range rep.Effects {
		if e.Place.Canon == canon || e.Tree && place.Under(canon, e.Place.Canon) {
			return true
		}
	}
	// Beyond its bounds a judgement says so instead.
	return len(rep.Effects) >= maxFields || slices.ContainsFunc(rep.Unknown, func(r reason.Reason) bool { return r.Kind >= reason.TooNested && r.Kind <= reason.TooManyWords })
}
