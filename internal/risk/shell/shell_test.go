package shell

import (
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"
)

// TestShell judges the commands of testdata/shell.txt, in the tree of the examples. They are about the shell, not about
// programs: folders, variables, loops, quoting, what feeds a shell.
func TestShell(t *testing.T) {
	text, err := os.ReadFile("testdata/shell.txt")
	if err != nil {
		t.Fatal(err)
	}
	tree := exampleTree()
	count := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#!") {
			continue
		}
		i := strings.LastIndex(line, " => ")
		if i < 0 {
			t.Errorf("%q has no =>", line)
			continue
		}
		command, want := strings.ReplaceAll(line[:i], "⏎", "\n"), strings.Split(line[i+4:], "; ")
		sort.Strings(want)
		got := outcomeText(Judge(command, Env{Files: tree, Cwd: "/repo", Root: "/repo", Home: "/home/me"}))
		if got != strings.Join(want, "; ") {
			t.Errorf("%s\n    is   %s\n    want %s", line[:i], got, line[i+4:])
		}
		count++
	}
	if count < 300 {
		t.Errorf("only %d commands were found", count)
	}
}

// TestOrigin holds whose scripts are trusted: the project's own are, unless this session changed them.
func TestOrigin(t *testing.T) {
	tree := exampleTree().File("/repo/own.py", "exec(input())\n").File("/tmp/x.py", "exec(input())\n").File("/repo/own.sh", "eval \"$1\"\n")
	env := Env{Files: tree, Cwd: "/repo", Root: "/repo", Home: "/home/me"}
	mine := env
	mine.Wrote = func(key string) bool { return key == "own.py" || key == "own.sh" }
	for _, tt := range []struct {
		command string
		env     Env
		unknown bool
	}{
		{"python3 own.py", env, false},
		{"python3 own.py", mine, true},
		{"python3 /tmp/x.py", env, true},
		{"python3 -c 'exec(input())'", env, true},
		{"bash own.sh \"$X\"", env, false},
		{"bash own.sh \"$X\"", mine, true},
		{"make && python3 made.py", env, false},
		{"curl -o dl.sh https://x && bash dl.sh", env, true},
	} {
		if got := len(Judge(tt.command, tt.env).Unknown) > 0; got != tt.unknown {
			t.Errorf("%s (wrote it: %v): unknown is %v", tt.command, tt.env.Wrote != nil, got)
		}
	}
}

// TestCwd holds where the shell is afterwards.
func TestCwd(t *testing.T) {
	env := Env{Files: exampleTree(), Cwd: "/repo", Root: "/repo", Home: "/home/me"}
	for command, want := range map[string]string{
		"ls":                          "/repo",
		"cd src":                      "/repo/src",
		"cd src && cd ..":             "/repo",
		"(cd src)":                    "/repo",
		"cd nowhere":                  "",
		"cd":                          "/home/me",
		"cd \"$X\"":                   "",
		"cd src; cd -":                "/repo",
		"pushd src; pushd ../dir":     "/repo/dir",
		"cd src | cat":                "/repo",
		"mkdir n && cd n":             "/repo/n",
		"git clone https://x/y; cd y": "/repo/y",
		"if a; then cd src; fi":       "",
		"if true; then cd src; fi":    "/repo/src",
		"bash -c 'cd src'":            "/repo",
		"cd src &":                    "/repo",
	} {
		if got := Judge(command, env).Cwd; got != want {
			t.Errorf("after %s the shell is in %q, want %q", command, got, want)
		}
	}
}

// TestSpans holds which lines of a file a command shows. a.txt has three.
func TestSpans(t *testing.T) {
	tree := exampleTree().File("/repo/long.md", strings.Repeat("line\n", 500))
	for command, want := range map[string]string{
		"sed -n '1,200p' long.md":                          "[{1 200}]",
		"sed -n '1,500p' long.md":                          "full",
		"head -n 20 long.md":                               "[{1 20}]",
		"head -20 long.md":                                 "[{1 20}]",
		"head long.md":                                     "[{1 10}]",
		"tail -n +100 long.md":                             "[{100 0}]",
		"tail -5 long.md":                                  "[{-5 0}]",
		"tail -n +100 long.md | head -n 50":                "[{100 149}]",
		"cat long.md | sed -n '10,20p'":                    "[{10 20}]",
		"sed -n '1,250p' long.md; sed -n '251,$p' long.md": "full",
		"cat -n long.md | head -30":                        "[{1 30}]",
		"sed -n '600,700p' long.md":                        "",
		"grep x long.md":                                   "part",
		"cat long.md | wc -l":                              "",
		"cat long.md > /dev/null":                          "",
		"x=$(cat long.md)":                                 "",
		"cat long.md | tr a b":                             "part",
		"awk 'NR<=30' long.md":                             "[{1 30}]",
	} {
		got := ""
		for _, r := range Judge(command, Env{Files: tree, Cwd: "/repo", Root: "/repo"}).Reads {
			switch {
			case r.Full && r.Verbatim:
				got = "full"
			case r.Full:
				got = "full changed"
			case len(r.Spans) > 0 && r.Verbatim:
				got = sprint(r.Spans)
			default:
				got = "part"
			}
		}
		if got != want {
			t.Errorf("%s shows %q, want %q", command, got, want)
		}
	}
}

func sprint(spans []Span) string { return strings.TrimSpace(fmt.Sprint(spans)) }
