package patch

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/event"
)

// list writes changes as "op path" for comparison.
func list(changes []Change) string {
	var b strings.Builder
	for _, c := range changes {
		b.WriteString(string(c.Op) + " " + c.Path + "\n")
	}
	return b.String()
}

func lines(l ...string) string { return strings.Join(l, "\n") }

// The files were sent by real clients or written by git 2.x and GNU diff 3.x.
func TestRealPatches(t *testing.T) {
	gitChanges := lines(
		"write a dir/with space.txt", "write a/k.txt", "write bin.dat", "write cp.txt", "create cp2.txt",
		"move empty-gone", "create empty new.txt", "create fresh.txt", "delete gone.txt", "link link", `write q"t.txt`,
		"mode run.sh", "write sql.sql", "write src/mod.txt", "move old-name.txt", "create src/new name.txt",
		"write tab\there", "write ä.txt", "")
	for file, want := range map[string]string{
		"codex-pretooluse-apply_patch.patch":                     "create T_deny.txt\n",
		"codex-pretooluse-apply_patch-update.patch":              "write a.txt\n",
		"codex-pretooluse-apply_patch-multi.patch":               "create new.txt\ndelete sub/b.txt\nmove README.md\ncreate docs/README.md\n",
		"codex-pretooluse-apply_patch-absolute.patch":            "create /home/dev/run/s03/abs.txt\n",
		"codex-pretooluse-bash-heredoc_apply_patch.patch":        "create heredoc.txt\n",
		"copilot-pretooluse-apply_patch.patch":                   "create p.txt\n",
		"copilot-cli-pretooluse_apply_patch.patch":               "write src/a.ts\n",
		"factory-droid-pretooluse_applypatch.patch":              "write a.ts\n",
		"vscode-copilot-pretooluse_apply_patch.patch":            "write /project/a.ts\n",
		"opencode-tool.execute.before.apply_patch.patch":         "create new/p.txt\nwrite src/b.txt\nmove src/c.txt\ncreate src/moved.txt\ndelete src/d.txt\n",
		"opencode-tool.execute.before.apply_patch-heredoc.patch": "create heredoc.txt\n",
		"git.diff":              gitChanges,
		"git-binary.diff":       gitChanges,
		"git-noprefix.diff":     gitChanges,
		"git-mnemonic.diff":     gitChanges,
		"git-format-patch.diff": gitChanges,
		"git-norenames.diff": lines(
			"write a dir/with space.txt", "write a/k.txt", "write bin.dat", "write cp.txt", "create cp2.txt",
			"create empty new.txt", "delete empty-gone", "create fresh.txt", "delete gone.txt", "link link",
			"delete old-name.txt", `write q"t.txt`, "mode run.sh", "write sql.sql", "write src/mod.txt",
			"create src/new name.txt", "write tab\there", "write ä.txt", ""),
		"gnu-orig.diff": "write created.txt\n",
		// Without -p it cannot be told that old and new are no folders of the project.
		"gnu-recursive.diff": "create new/created.txt\ndelete old/removed.txt\nwrite old/s/m.txt\nwrite new/s/m.txt\n",
	} {
		t.Run(file, func(t *testing.T) {
			text, err := os.ReadFile("testdata/" + file)
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range map[string]string{"as is": string(text), "CRLF": strings.ReplaceAll(string(text), "\n", "\r\n")} {
				got, err := Parse(text)
				if err != nil || list(got) != want {
					t.Errorf("%s: error %v\ngot:\n%s\nwant:\n%s", name, err, list(got), want)
				}
			}
		})
	}
}

func TestOpenCodeResultDiff(t *testing.T) {
	text, err := os.ReadFile("testdata/opencode-result.diff")
	if err != nil {
		t.Fatal(err)
	}
	// OpenCode's diff of the result miscounts no hunk, and names a new file twice instead of /dev/null.
	got, err := Parse(string(text))
	if err != nil || !strings.Contains(list(got), "src/b.txt\n") || len(got) != 4 {
		t.Errorf("error %v, got:\n%s", err, list(got))
	}
}

func TestBlocks(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"two blocks":       {"*** Begin Patch\n*** Delete File: a\n*** End Patch\nand\n*** Begin Patch\n*** Delete File: b\n*** End Patch", "delete a\ndelete b\n"},
		"text around":      {"Here:\n--- rule\n*** Begin Patch\n*** Delete File: a\n*** End Patch\n*** done\n", "delete a\n"},
		"cat heredoc":      {"cat <<EOF\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF\n", "delete a\n"},
		"end of file mark": {"*** Begin Patch\n*** Update File: a\n@@ def f\n-x\n+y\n*** End of File\n*** Delete File: b\n*** End Patch", "write a\ndelete b\n"},
		"no chunk header":  {"*** Begin Patch\n*** Update File: a\n x\n-y\n+z\n*** End Patch", "write a\n"},
		"blank lines":      {"*** Begin Patch\n\n*** Add File: a\n+1\n\n*** Add File: b\n+1\n*** End Patch", "create a\ncreate b\n"},
		"header look-alikes in text": {
			"*** Begin Patch\n*** Add File: a\n+*** Delete File: no\n*** Update File: b\n@@\n *** Delete File: no\n-*** Add File: no\n+*** Move to: no\n*** End Patch",
			"create a\nwrite b\n",
		},
		"indented header behind an addition (Codex)": {"*** Begin Patch\n*** Add File: a\n+x\n  *** Delete File: b\n*** End Patch", "create a\ndelete b\n"},
		"indented marks (Codex)":                     {"  *** Begin Patch\n*** Delete File: b\n *** End Patch ", "delete b\n"},
		"no blank behind the colon (OpenCode)":       {"*** Begin Patch\n*** Add File:a\n+x\n*** End Patch", "create a\n"},
		"move to itself":                             {"*** Begin Patch\n*** Update File: a\n*** Move to: a\n@@\n-x\n+y\n*** End Patch", "write a\n"},
		"move without change":                        {"*** Begin Patch\n*** Update File: a b\n*** Move to: ../c\n*** End Patch", "move a b\ncreate ../c\n"},
		"unified diff before it":                     {"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-*** Begin Patch\n+y\n*** Begin Patch\n*** Delete File: z\n*** End Patch", "write x\ndelete z\n"},
		"empty block":                                {"*** Begin Patch\n*** End Patch", ""},
	} {
		got, err := Parse(test.text)
		if err != nil || list(got) != test.want {
			t.Errorf("%s: error %v\ngot:\n%s\nwant:\n%s", name, err, list(got), test.want)
		}
	}
}

func TestDiffs(t *testing.T) {
	const hunk = "@@ -1 +1 @@\n-x\n+y\n"
	for name, test := range map[string]struct {
		strip      int
		text, want string
	}{
		"look-alike of a header in a hunk": {Guess, "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n--- no\n+++ no\n-@@ -1 +1 @@\n+@@ no\n z\n", "write x\n"},
		"date behind a blank":              {Guess, "--- my file.txt 2026-01-02 10:11:12\n+++ my file.txt 2026-01-02 10:11:13\n" + hunk, "write my file.txt\n"},
		"one prefix only":                  {Guess, "--- a/src/x\n+++ src/x\n" + hunk, "write src/x\n"},
		"two files of two names":           {Guess, "--- package.json\n+++ x.txt\n" + hunk, "write package.json\nwrite x.txt\n"},
		"other folder, same rest":          {Guess, "--- lib/x.go\n+++ src/x.go\n" + hunk, "write lib/x.go\nwrite src/x.go\n"},
		"backup":                           {Guess, "--- x.go~\n+++ x.go\n" + hunk, "write x.go\n"},
		"empty context lines":              {Guess, "--- x\n+++ x\n@@ -1,3 +1,3 @@\n\n-a\n+b\n\n", "write x\n"},
		"hunks of zero length":             {Guess, "--- x\n+++ x\n@@ -3,0 +4,2 @@ func\n+a\n+b\n@@ -9,1 +11,0 @@\n-c\n", "write x\n"},
		"svn":                              {Guess, "Index: x.c\n=====\n--- x.c\t(revision 5)\n+++ x.c\t(working copy)\n" + hunk, "write x.c\n"},
		"only in":                          {Guess, "Only in new: z\n--- x\n+++ x\n" + hunk, "write x\n"},
		"-p1":                              {1, "--- old/src/x\n+++ new/src/x\n" + hunk, "write src/x\n"},
		"-p0":                              {0, "--- a/src/x\n+++ a/src/x\n" + hunk, "write a/src/x\n"},
		"no -p":                            {Base, "--- old/src/x\n+++ new/src/x\n" + hunk, "write x\n"},
		"-p1 without git's prefixes":       {1, "diff --git src/x src/x\n--- src/x\n+++ src/x\n" + hunk, "write x\n"},
		"-p1 new file":                     {1, "--- /dev/null\n+++ new/src/x\n@@ -0,0 +1 @@\n+y\n", "create src/x\n"},
		"-p2 rename":                       {2, "diff --git a/s/x b/s/y\nrename from s/x\nrename to s/y\n", "move x\ncreate y\n"},
		"own prefixes": {
			Guess, "diff --git old/x new/x\nnew file mode 100644\n--- /dev/null\n+++ new/x\n@@ -0,0 +1 @@\n+y\n",
			"create x\n",
		},
		"mode and content":  {Guess, "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n--- a/x\n+++ b/x\n" + hunk, "write x\n"},
		"mode only, blanks": {Guess, "diff --git a/x y b/x y\nold mode 100644\nnew mode 100755\n", "mode x y\n"},
		"signature":         {Guess, "diff --git a/x b/x\n--- a/x\n+++ b/x\n" + hunk + "-- \n2.47.1\n", "write x\n"},
	} {
		got, err := ParseStrip(test.text, test.strip)
		if err != nil || list(got) != test.want {
			t.Errorf("%s: error %v\ngot:\n%s\nwant:\n%s", name, err, list(got), test.want)
		}
	}
}

// A patch that cannot be read to its end is an error, and the files that can be told are named all the same.
func TestFaults(t *testing.T) {
	const names = "--- a/x\n+++ b/x\n"
	for name, test := range map[string]struct {
		text, want string
		line       int
	}{
		"no end":                       {"*** Begin Patch\n*** Delete File: a\n", "delete a\n", 3},
		"no begin":                     {"*** Delete File: a\n*** End Patch", "delete a\n", 1},
		"behind the end":               {"*** Begin Patch\n*** End Patch\n*** Delete File: a", "delete a\n", 3},
		"unknown header":               {"*** Begin Patch\n*** Rename File: a\n*** Delete File: b\n*** End Patch", "delete b\n", 2},
		"no name":                      {"*** Begin Patch\n*** Delete File: \n*** End Patch", "", 2},
		"stray move":                   {"*** Begin Patch\n*** Update File: a\n@@\n-x\n*** Move to: b\n*** End Patch", "write a\ncreate b\n", 5},
		"addition without plus":        {"*** Begin Patch\n*** Add File: a\nx\n*** End Patch", "create a\n", 3},
		"hunk too short":               {names + "@@ -1,9 +1,9 @@\n-x\n+y\n", "write x\n", 6},
		"hunk too short, file follows": {names + "@@ -1,9 +1,9 @@\n-x\n+y\n--- a/z\n+++ b/z\n@@ -1 +1 @@\n-x\n+y\n", "write x\n", 8},
		"hunk too long":                {names + "@@ -1 +1 @@\n-x\n+y\n+z\n", "write x\n", 6},
		"hunk without numbers":         {names + "@@ ... @@\n-x\n+y\n--- a/z\n+++ b/z\n@@ -1 +1 @@\n-x\n+y\n", "write x\nwrite z\n", 3},
		"no names":                     {"@@ -1 +1 @@\n-x\n+y\n", "", 1},
		"indented":                     {"  --- a/x\n  +++ b/x\n  @@ -1 +1 @@\n  -x\n  +y\n", "", 3},
		"context diff":                 {"*** a/x\n--- b/x\n***************\n*** 1 ****\n! x\n--- 1 ----\n! y\n", "", 3},
		"plain diff":                   {"1c1\n< x\n---\n> y\n", "", 1},
		"combined diff":                {"diff --cc x\n" + names + "@@@ -1,1 -1,1 +1,2 @@@\n", "write x\n", 4},
		"broken quotes":                {"--- \"a/x\n+++ \"b/x\n@@ -1 +1 @@\n-x\n+y\n", "", 1},
		"names of git contradict":      {"diff --git a/x b/x\n--- a/go.mod\n+++ b/go.mod\n@@ -1 +1 @@\n-x\n+y\n", "write go.mod\n", 1},
		"rename contradicts":           {"diff --git a/x b/y\nrename from x\nrename to y\n--- a/go.mod\n+++ b/go.mod\n@@ -1 +1 @@\n-x\n+y\n", "move x\ncreate y\nwrite go.mod\n", 1},
		"git names unclear":            {"diff --git a/x b/y\nold mode 100644\nnew mode 100755\n", "", 1},
		"created and deleted":          {"--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-x\n+y\n", "", 3},
	} {
		got, err := Parse(test.text)
		var syntax *syntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%s: error %v, want a syntaxError", name, err)
			continue
		}
		if syntax.Line != test.line || list(got) != test.want {
			t.Errorf("%s: %v (want line %d)\ngot:\n%s\nwant:\n%s", name, err, test.line, list(got), test.want)
		}
	}
}

func TestNoPatch(t *testing.T) {
	for _, text := range []string{"", "\n", "hello", "--- a\n--- b", "--- a\n+++ b\ntext\n", "-- \n", "1c1\n", "diff -u a b\n", "```\n+x\n```"} {
		if got, err := Parse(text); !errors.Is(err, NotPatchError{}) || got != nil {
			t.Errorf("Parse(%q) = %v, %v; want NotPatchError", text, got, err)
		}
	}
}

// Every change keeps its place in the list when a patch is put behind another.
func TestConcatenation(t *testing.T) {
	a, b := "*** Begin Patch\n*** Delete File: a\n*** End Patch\n", "--- x\n+++ x\n@@ -1 +1 @@\n-x\n+y\n"
	got, err := Parse(a + b + a)
	want := []Change{{"a", event.OpDelete}, {"x", event.OpWrite}, {"a", event.OpDelete}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
}
