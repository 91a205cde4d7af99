package project

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// gitFolder is a folder in which a test runs git.
type gitFolder struct {
	testing.TB
	dir string
}

func (f gitFolder) git(args ...string) string {
	f.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
	cmd.Dir = f.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		f.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func (f gitFolder) put(name, text string) {
	f.Helper()
	plant(f.TB, filepath.ToSlash(f.dir), name+"="+text)
}

func (f gitFolder) dirty() bool {
	f.Helper()
	return New(find(f.TB, Candidates{Flag: filepath.ToSlash(f.dir)}), Options{}).BankDirty()
}

// TestBankDirtyAgreesWithGit holds the reading of git's index against git itself, in every version of the format.
func TestBankDirtyAgreesWithGit(t *testing.T) {
	for _, version := range []string{"2", "3", "4"} {
		f := gitFolder{t, t.TempDir()}
		dir, put := f.dir, f.put
		git := func(args ...string) string {
			t.Helper()
			return f.git(append([]string{"-c", "index.version=" + version}, args...)...)
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
			want := git("status", "--porcelain", "--untracked-files=all", "memory-bank") != ""
			if got := f.dirty(); got != want {
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
		if f.dirty() {
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
		f := gitFolder{t, t.TempDir()}
		f.git(set...)
		f.put("memory-bank/MEMORY.md", "x\n")
		f.git("add", ".")
		f.git("commit", "-q", "-m", "x")
		if name == "split index" {
			f.git("update-index", "--split-index")
		}
		if f.dirty() {
			t.Errorf("%s: a clean memory bank is dirty", name)
		}
	}
}

func TestSparseCheckoutIsNotDirty(t *testing.T) {
	f := gitFolder{t, t.TempDir()}
	f.git("init", "-q")
	f.put("memory-bank/MEMORY.md", "x\n")
	f.put("memory-bank/details/patterns.md", "x\n")
	f.git("add", ".")
	f.git("commit", "-q", "-m", "x")
	f.git("update-index", "--skip-worktree", "memory-bank/details/patterns.md")
	must(t, os.RemoveAll(filepath.Join(f.dir, "memory-bank/details")))
	if f.dirty() {
		t.Error("a file that is left out on purpose is dirty")
	}
}

func TestNoIndex(t *testing.T) {
	f := gitFolder{t, t.TempDir()}
	plant(t, filepath.ToSlash(f.dir), "memory-bank/")
	if f.dirty() {
		t.Error("a folder without git is dirty")
	}
	f.put("memory-bank/MEMORY.md", "x\n")
	f.git("init", "-q")
	if !f.dirty() {
		t.Error("a repository to which nothing was added yet is clean")
	}
}

func FuzzParseIndex(f *testing.F) {
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x00"))
	f.Add(append([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x01"), make([]byte, 80)...))
	f.Fuzz(func(_ *testing.T, b []byte) { parseIndex(b, "memory-bank/") })
}
