package project

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestBankDirtyAgreesWithGit holds the reading of git's index against git itself, in every version of the format.
func TestBankDirtyAgreesWithGit(t *testing.T) {
	for _, version := range []string{"2", "3", "4"} {
		dir := t.TempDir()
		git := func(args ...string) string {
			t.Helper()
			cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "index.version=" + version}, args...)...)
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("git %v: %v\n%s", args, err, out)
			}
			return string(out)
		}
		put := func(name, text string) {
			t.Helper()
			file := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		git("init", "-q")
		put("memory-bank/MEMORY.md", "# MB\n")
		put("memory-bank/details/patterns.md", "p\n")
		put("src/a.go", "package a\n")
		git("add", ".")
		git("update-index", "--index-version", version)
		git("commit", "-q", "-m", "x")
		check := func(what string) {
			t.Helper()
			root, err := Find(Candidates{Flag: filepath.ToSlash(dir)})
			if err != nil {
				t.Fatal(err)
			}
			want := git("status", "--porcelain", "--untracked-files=all", "memory-bank") != ""
			if got := New(root, Options{}).BankDirty(); got != want {
				t.Errorf("version %s, %s: dirty %v, git says %v\n%s", version, what, got, want, git("status", "--porcelain", "--untracked-files=all"))
			}
		}
		check("clean")
		put("src/a.go", "package b\n")
		check("code changed")
		put("memory-bank/MEMORY.md", "# MB\n")
		check("touched")
		put("memory-bank/MEMORY.md", "# mb\n")
		check("changed")
		put("memory-bank/MEMORY.md", "# MB\n")
		put("memory-bank/details/new.md", "n\n")
		check("untracked")
		git("add", ".")
		git("commit", "-q", "-m", "y")
		check("committed")
		put("memory-bank/MEMORY.md", "# staged\n")
		git("add", ".")
		check("changed, in the index only")
		git("commit", "-q", "-m", "s")
		put("memory-bank/details/more/deep.md", "n\n")
		git("add", ".")
		check("new, in the index only")
		git("commit", "-q", "-m", "t")
		git("rm", "-q", "memory-bank/details/more/deep.md")
		check("removed, in the index only")
		git("commit", "-q", "-m", "u")
		check("all committed")
		git("pack-refs", "--all")
		check("the references packed")
		put("memory-bank/MEMORY.md", "# mb\n")
		git("add", ".")
		check("changed, in the index only, the references packed")
		git("commit", "-q", "-m", "v")
		git("checkout", "-q", "--detach")
		check("no branch")
		git("gc", "-q")
		check("everything packed")
		if err := os.Remove(filepath.Join(dir, "memory-bank/details/new.md")); err != nil {
			t.Fatal(err)
		}
		check("deleted")
		git("commit", "-q", "-a", "-m", "z")
		// What git ignores is nothing that a commit could keep.
		put("memory-bank/local/note.md", "n\n")
		put("memory-bank/details/x.tmp", "n\n")
		check("untracked again")
		for _, rules := range []string{
			"local/\n*.tmp\n", "/memory-bank/local\nmemory-bank/**/*.tmp\n", "memory-bank/*\n", "memory-bank/\n", "memory-bank\n", "memory-bank/**\n",
			"*.tmp\n!x.tmp\nlocal\n", "*.tmp\n/local/\n", "**/local/**\nx.*\n", "# local\n\n", "local/  \nx.tm[pq]\n", "local\n*.{tmp}\n", "*\n!*/\n!*.md\n", "/*\n!/src\n",
		} {
			put(".gitignore", rules)
			check("ignoring " + rules)
		}
		put(".gitignore", "")
		put("memory-bank/.gitignore", ".gitignore\n/local/\n")
		check("a .gitignore of its own")
		put("memory-bank/details/.gitignore", "*\n")
		check("and another")
		put("memory-bank/MEMORY.md", "# MB, changed\n")
		check("ignored and changed")
		git("config", "core.autocrlf", "true")
		put("memory-bank/MEMORY.md", "# mb\r\n")
		// git status calls a file changed whose size is another, and git diff finds nothing: there is nothing to lose.
		root, err := Find(Candidates{Flag: filepath.ToSlash(dir)})
		if err != nil {
			t.Fatal(err)
		}
		if New(root, Options{}).BankDirty() {
			t.Errorf("version %s: other line ends are dirty", version)
		}
		put("memory-bank/MEMORY.md", "# MB, changed\r\n")
		check("other line ends, changed")
	}
}

// Where git's own files are of a kind that is not read, nothing is called dirty: the remedy, to commit, would not help.
func TestWhatCannotBeToldIsNotDirty(t *testing.T) {
	for name, set := range map[string][]string{
		"sha256":      {"init", "-q", "--object-format=sha256"},
		"split index": {"init", "-q"},
	} {
		dir := t.TempDir()
		git := func(args ...string) {
			t.Helper()
			cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("git %v: %v\n%s", args, err, out)
			}
		}
		git(set...)
		if err := os.MkdirAll(filepath.Join(dir, "memory-bank"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "memory-bank/MEMORY.md"), []byte("x\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		git("add", ".")
		git("commit", "-q", "-m", "x")
		if name == "split index" {
			git("update-index", "--split-index")
		}
		root, err := Find(Candidates{Flag: filepath.ToSlash(dir)})
		if err != nil {
			t.Fatal(err)
		}
		if New(root, Options{}).BankDirty() {
			t.Errorf("%s: a clean memory bank is dirty", name)
		}
	}
}

func TestSparseCheckoutIsNotDirty(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	for _, f := range []string{"memory-bank/MEMORY.md", "memory-bank/details/patterns.md"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, f)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, f), []byte("x\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git("add", ".")
	git("commit", "-q", "-m", "x")
	git("update-index", "--skip-worktree", "memory-bank/details/patterns.md")
	if err := os.RemoveAll(filepath.Join(dir, "memory-bank/details")); err != nil {
		t.Fatal(err)
	}
	root, err := Find(Candidates{Flag: filepath.ToSlash(dir)})
	if err != nil {
		t.Fatal(err)
	}
	if New(root, Options{}).BankDirty() {
		t.Error("a file that is left out on purpose is dirty")
	}
}

func TestNoIndexIsNotDirty(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "memory-bank"), 0o755); err != nil {
		t.Fatal(err)
	}
	root, err := Find(Candidates{Flag: filepath.ToSlash(dir)})
	if err != nil {
		t.Fatal(err)
	}
	if New(root, Options{}).BankDirty() {
		t.Error("a folder without git is dirty")
	}
}

func FuzzParseIndex(f *testing.F) {
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x00"))
	f.Add(append([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x01"), make([]byte, 80)...))
	f.Fuzz(func(_ *testing.T, b []byte) { parseIndex(b, "memory-bank/") })
}
