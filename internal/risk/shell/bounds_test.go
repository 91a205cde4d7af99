package shell

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// longAndDeep are commands made to be expensive.
func longAndDeep() map[string]string {
	return map[string]string{
		"subshells":    strings.Repeat("(", 5000) + "ls" + strings.Repeat(")", 5000),
		"groups":       strings.Repeat("{ ", 5000) + "ls" + strings.Repeat("; }", 5000),
		"if":           strings.Repeat("if a; then ", 3000) + "ls" + strings.Repeat("; fi", 3000),
		"open if":      strings.Repeat("if ", 100000),
		"while":        strings.Repeat("while a; do ", 3000) + "ls" + strings.Repeat("; done", 3000),
		"pipes":        strings.Repeat("a|", 100000) + "tee a.txt",
		"ands":         strings.Repeat("a&&", 100000) + "touch a.txt",
		"ors":          strings.Repeat("a||", 100000) + "touch a.txt",
		"nots":         strings.Repeat("! ", 100000) + "touch a.txt",
		"times":        strings.Repeat("time ", 50000) + "touch a.txt",
		"lines":        strings.Repeat("x=1\n", 100000) + "touch a.txt",
		"commands":     strings.Repeat("ls -l a.txt\n", 20000) + "touch a.txt",
		"substitution": strings.Repeat("$(", 2000) + "ls" + strings.Repeat(")", 2000),
		"backquotes":   strings.Repeat("`", 3000),
		"parameters":   strings.Repeat("${a:-", 3000) + strings.Repeat("}", 3000),
		"arithmetic":   "$((" + strings.Repeat("(", 3000) + "1" + strings.Repeat(")", 3000) + "))",
		"minus":        "echo $((" + strings.Repeat("- ", 100000) + "1))",
		"sums":         "echo $((" + strings.Repeat("1+", 50000) + "1))",
		"tests":        "[[ " + strings.Repeat("! ", 50000) + "a ]]",
		"test ands":    "[[ " + strings.Repeat("a && ", 50000) + "a ]]",
		"braces":       "echo " + strings.Repeat("{a,b}", 60),
		"nested brace": "echo " + strings.Repeat("{a,", 3000) + strings.Repeat("}", 3000),
		"range":        "echo {1..1000000000}",
		"recursion":    "f() { f; f; }; f",
		"recursion 2":  "f() { f $1 x; f $1 y; }; f a",
		"growing":      "f() { f \"$@\" \"$@\"; }; f a",
		"doubling":     "x=aaaaaaaa; " + strings.Repeat("x=$x$x; ", 60) + "echo $x",
		"loops":        strings.Repeat("for i in {1..100}; do ", 8) + "echo $i" + strings.Repeat("; done", 8),
		"while true":   "while true; do echo x; done",
		"eval":         strings.Repeat("eval ", 20000) + "ls",
		"sh":           strings.Repeat("sh -c '", 1) + strings.Repeat("eval ", 20000) + "ls'",
		"wrappers":     strings.Repeat("sudo ", 50000) + "rm a.txt",
		"heredocs":     strings.Repeat("cat <<E\nx\nE\n", 20000),
		"words":        "rm " + strings.Repeat("a.txt ", 50000),
		"globs":        strings.Repeat("echo *.txt; ", 20000),
		"cases":        strings.Repeat("case a in a) ", 3000),
		"functions":    strings.Repeat("f() ", 50000) + "{ :; }",
		"unparsed":     strings.Repeat("'", 100001),
		"appends":      strings.Repeat("echo x >> a.txt; ", 20000),
		"variables":    strings.Repeat("a=$a$b; ", 20000),
		"long word":    "echo " + strings.Repeat("a", 400000) + " > b.txt",
		"names":        manyNames(20000),
	}
}

// TestBounds feeds what is long or deep: a judgement ends, and the last command is seen or the rest is said to be
// unknown.
func TestBounds(t *testing.T) {
	env := Env{Files: exampleTree(), Cwd: "/repo", Root: "/repo", Home: "/home/me"}
	for name, command := range longAndDeep() {
		t.Log(name)
		start := time.Now()
		rep := Judge(command, env)
		if slices.ContainsFunc(rep.Unknown, isFault) {
			t.Errorf("%s: %v", name, rep.Unknown)
		}
		if strings.HasSuffix(command, "a.txt") && len(rep.Effects) == 0 && len(rep.Unknown) == 0 {
			t.Errorf("%s: the last command is not seen", name)
		}
		t.Logf("%-13s %7d bytes %8s unknown %v", name, len(command), time.Since(start).Round(time.Millisecond), rep.Unknown)
	}
}

func manyNames(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("prog" + strings.Repeat("x", i%50) + string(rune('a'+i%26)) + "; ")
	}
	return b.String()
}
