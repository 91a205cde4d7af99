package shell

import (
	"os"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/place"
	"mvdan.cc/sh/v3/syntax"
)

// wrapper puts a command into another one that runs it.
type commandWrapper struct {
	name   string
	wrap   func(string) string
	simple bool // only for simple commands that run a program
}

func wrappers() []commandWrapper {
	quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
	around := func(before, after string) func(string) string {
		return func(c string) string {
			if strings.ContainsAny(c, "\n#") { // a here-document or comment needs its end of line
				return before + c + "\n" + strings.TrimPrefix(after, ";")
			}
			return before + c + after
		}
	}
	before := func(s string) func(string) string { return func(c string) string { return s + c } }
	return []commandWrapper{
		{"subshell", around("( ", ")"), false},
		{"group", around("{ ", "; }"), false},
		{"then true", around("", "; true"), false},
		{"after true", before("true && "), false},
		{"after false", before("false || "), false},
		{"background", func(c string) string { return "{ " + c + "\n} &" }, false},
		{"bash -c", func(c string) string { return "bash -c " + quote(c) }, false},
		{"sh -ec", func(c string) string { return "sh -ec " + quote(c) }, false},
		{"eval", func(c string) string { return "eval " + quote(c) }, false},
		{"bash on a here-document", func(c string) string { return "bash <<'END OF IT'\n" + c + "\nEND OF IT\n" }, false},
		{"bash on a pipe", func(c string) string { return "echo " + quote(c) + " | bash" }, false},
		{"newline", before("\n\n"), false},
		{"comment", before("# rm -rf is not run\n"), false},
		{"time", before("time "), false},
		{"not", around("! { ", "; }"), false},
		{"if", around("if true; then ", "; fi"), false},
		{"else", around("if false; then :; else ", "; fi"), false},
		{"while", around("while true; do ", "; done"), false},
		{"for", around("for unused in 1 2; do ", "; done"), false},
		{"case", around("case x in x) ", ";; esac"), false},
		{"function", around("unused() { ", "; }; unused"), false},
		{"pipe", around("{ ", "; } | cat"), false},
		{"assignment", around("unused=$( ", ")"), false},
		{"argument", around(`echo "$( `, `)"`), false},
		{"process", around("cat <( ", ")"), false},
		{"trap", func(c string) string { return "trap " + quote(c) + " EXIT" }, false},
		{"env", before("env UNUSED=1 "), true},
		{"assigned", before("UNUSED=1 "), true},
		{"timeout", before("timeout 5 "), true},
		{"sudo", before("sudo "), true},
		{"nohup", before("nohup nice -n 5 "), true},
		{"xargs", before("echo | xargs "), true},
		{"command", before("command "), true},
		{"exec", before("exec "), true},
		{"path", before("/usr/bin/"), true},
		{"backslash", before(`\`), true},
		{"find", func(c string) string { return "find . -maxdepth 0 -exec " + c + " \\;" }, true},
	}
}

// simpleProgram reports whether a command is one simple command that runs a program by its plain name: no builtin, no
// function, no redirection before it, nothing that another program would take apart.
func simpleProgram(command string) bool {
	f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command), "")
	if err != nil || len(f.Stmts) != 1 || f.Stmts[0].Background || f.Stmts[0].Negated || len(f.Stmts[0].Redirs) > 0 {
		return false
	}
	call, ok := f.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 || len(call.Args) == 0 {
		return false
	}
	name := call.Args[0].Lit()
	line, known := findRow(name)
	if !known || strings.ContainsAny(name, `\/*?[{~`) || strings.ContainsAny(command, ";{}$`&|") {
		return false
	}
	switch name {
	case "cd", "eval", "exec", "source", "export", "alias", "command", "builtin", "trap", "set", "shift", "unset", "time", "test", "[",
		"read", "mapfile", "printf", "echo", "type", "hash", "xargs", "parallel", "find", "sudo", "env", "script":
		return false
	}
	// What a wrapper feeds, or where it runs, decides what these do.
	r := parseRow(line)
	return r.do != "shell" && r.do != "script" && !strings.HasPrefix(name, "git")
}

// keeps reports whether what a command was found to do to the project is found in the wrapped one too.
func keeps(plain, wrapped Report) (string, bool) {
	vague := len(wrapped.Unbounded) > 0 || len(wrapped.Unknown) > 0
	if (len(plain.Unbounded) > 0 || len(plain.Unknown) > 0) && !vague {
		return "it is bounded now", false
	}
	for _, e := range plain.Effects {
		if !e.Place.Inside() || vague || strings.Contains(e.Place.Abs, "/dev/fd/") { // the number depends on where it stands
			continue
		}
		found := false
		for _, o := range wrapped.Effects {
			found = found || o.Place.Abs == e.Place.Abs || o.Tree && place.Under(e.Place.Abs, o.Place.Abs)
		}
		if !found {
			return "missing: " + effectText(e), false
		}
	}
	for _, s := range plain.Specials {
		found := s.Kind == Interactive // it gets an input from a wrapper
		for _, o := range wrapped.Specials {
			found = found || o.Kind == s.Kind
		}
		if !found && !vague {
			return "missing: " + s.Kind.String(), false
		}
	}
	return "", true
}

// checkWrap holds that a wrapper never lowers the judgement of a command. It returns false if that cannot be asked:
// the command is none that could be wrapped.
func checkWrap(t *testing.T, command string, plain Report, env Env, w commandWrapper) bool {
	t.Helper()
	if !plain.Parsed || strings.HasSuffix(command, "\\") || w.simple && (!simpleProgram(command) || strings.TrimSpace(command) != command) {
		return false
	}
	wrapped := w.wrap(command)
	if strings.Contains(command, "$0") || strings.Contains(command, "${0") {
		return false // which shell runs it is what it asks
	}
	if w.name == "trap" && strings.Contains(command, "trap") {
		return false // one that is set while the last one runs is not run
	}
	got := Judge(wrapped, env)
	if !got.Parsed {
		return false
	}
	if what, ok := keeps(plain, got); !ok {
		t.Errorf("%s: %q: %s\n    plain   %s\n    wrapped %s", w.name, wrapped, what, describe(plain), describe(got))
	}
	return true
}

// TestWrapped wraps the commands of the corpus, the examples and shell.txt, each in one of nine of the wrappers.
func TestWrapped(t *testing.T) {
	fixture := Env{Files: fixtureTree(t), Root: "/testbed", Home: "/home/dev"}
	example := Env{Files: exampleTree(), Cwd: "/repo", Root: "/repo", Home: "/home/me"}
	list := wrappers()
	asked, kept := 0, map[string]int{}
	try := func(n int, command string, env Env) {
		plain := Judge(command, env)
		for i, w := range list {
			if (n+i)%9 == 0 {
				asked++
				if checkWrap(t, command, plain, env, w) {
					kept[w.name]++
				}
			}
		}
	}
	for n, r := range corpus(t) {
		fixture.Cwd = "/testbed"
		if r.Cwd != "" && r.Cwd != "." {
			fixture.Cwd += "/" + r.Cwd
		}
		try(n, r.Command, fixture)
	}
	for n, e := range examples(t) {
		try(n, e.command, example)
	}
	text, err := os.ReadFile("testdata/shell.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		if i := strings.LastIndex(line, " => "); i > 0 && !strings.HasPrefix(line, "#!") {
			n++
			try(n, strings.ReplaceAll(line[:i], "⏎", "\n"), example)
		}
	}
	t.Logf("%d wrappings asked", asked)
	for _, w := range list {
		t.Logf("%-24s %d commands", w.name, kept[w.name])
		if kept[w.name] < 100 {
			t.Errorf("%s was tried on %d commands only", w.name, kept[w.name])
		}
	}
}

// FuzzWrapped asks the same of any text.
func FuzzWrapped(f *testing.F) {
	for i, r := range corpus(f) {
		if i%11 == 0 {
			f.Add(r.Command, byte(i))
		}
	}
	env := Env{Files: exampleTree(), Cwd: "/repo", Root: "/repo", Home: "/home/me"}
	list := wrappers()
	f.Fuzz(func(t *testing.T, command string, n byte) {
		if len(command) > 2048 || strings.ContainsAny(command, "\x00\r") {
			return
		}
		checkWrap(t, command, Judge(command, env), env, list[int(n)%len(list)])
	})
}
