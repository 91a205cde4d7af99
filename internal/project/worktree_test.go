package project

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/place"
)

const anchor = "memory-bank/details/progress.md"

func TestLocateInWorktree(t *testing.T) {
	for _, top := range []string{"m/.claude/worktrees/w", "elsewhere/w"} {
		t.Run(top, func(t *testing.T) {
			tree := grow(t, "m/"+anchor, "m/memory-bank/MEMORY.md", top+"/"+anchor, top+"/src/a.go", top+"x/src/a.go", "m/src/b.go")
			worktree(t, tree, "m", "w", top)
			w := tree + "/" + top
			d := at(tree+"/m", w+"/src")
			if d.Base() != w {
				t.Fatalf("base %q", d.Base())
			}
			for _, c := range []struct{ cwd, path, canon, base string }{
				{w + "/src", "a.go", "src/a.go", w},
				{w + "/src", "../" + anchor, anchor, w},
				{w, "new/x", "new/x", w},
				{w, ".", ".", w},
				{tree, top + "/src/a.go", "src/a.go", w},
				{tree + "/m", "src/b.go", "src/b.go", tree + "/m"},
				{tree + "/m", anchor, anchor, tree + "/m"},
			} {
				p := d.Locate(c.cwd, c.path)
				if p.Canon != c.canon || p.Base != c.base || p.Lex != "" {
					t.Errorf("%s in %s: %q of %q", c.path, c.cwd, p.Canon, p.Base)
				}
			}
			if p := d.Locate(tree, top+"x/src/a.go"); p.Base == w {
				t.Errorf("a neighbour whose name begins alike: %+v", p)
			}
			a, b := d.Locate(w, anchor), d.Locate(tree+"/m", anchor)
			if a.Key == b.Key {
				t.Errorf("two files with the key %q", a.Key)
			}
			wantKey := strings.TrimPrefix(top+"/"+anchor, "m/")
			if !strings.HasPrefix(top, "m/") {
				wantKey = w + "/" + anchor
			}
			if a.Key != wantKey || b.Key != anchor {
				t.Errorf("keys %q and %q", a.Key, b.Key)
			}

			if p := d.Anchor(anchor); p.Key != a.Key || p.Canon != anchor {
				t.Errorf("anchor of the worktree: %+v", p)
			}
			if p := d.Anchor("memory-bank/MEMORY.md"); p.Key != "memory-bank/MEMORY.md" || p.Base != tree+"/m" || p.Kind != place.File {
				t.Errorf("anchor that only the root has: %+v", p)
			}
			if p := d.Anchor("memory-bank/new.md"); p.Base != w || p.Kind != place.Missing {
				t.Errorf("anchor that nobody has: %+v", p)
			}
			if p := at(tree+"/m", tree+"/m/src").Anchor(anchor); p.Key != anchor {
				t.Errorf("anchor of the root: %+v", p)
			}
		})
	}
}

func TestWorktreeOfAProjectInASubFolder(t *testing.T) {
	top := grow(t, "m/pkg/memory-bank/M.md", "m/other/x", "w/pkg/a/b.go", "w/other/x", "m/pkg/w2/pkg/c.go", "m/pkg/w2/other/x")
	worktree(t, top, "m", "w", "w")
	worktree(t, top, "m", "w2", "m/pkg/w2")
	d := at(top+"/m/pkg", top+"/w/pkg/a")
	if d.Base() != top+"/w/pkg" {
		t.Errorf("base %q", d.Base())
	}
	for path, want := range map[string][2]string{
		"w/pkg/a/b.go":      {"a/b.go", "w/pkg"},
		"w/other/x":         {"", ""},
		"w":                 {"", ""},
		"m/other/x":         {"", ""},
		"m/pkg/x":           {"x", "m/pkg"},
		"m/pkg/w2/pkg/c.go": {"c.go", "m/pkg/w2/pkg"},
		// Part of the root's folder, if of no counterpart of the project.
		"m/pkg/w2/other/x": {"w2/other/x", "m/pkg"},
	} {
		p := d.Locate(top, path)
		if p.Canon != want[0] || strings.TrimPrefix(p.Base, top+"/") != want[1] {
			t.Errorf("%s: %q of %q", path, p.Canon, p.Base)
		}
	}
	if b := at(top+"/m/pkg", top+"/w/other").Base(); b != top+"/m/pkg" {
		t.Errorf("beside the project the base is %q", b)
	}
}

// The root may be a linked worktree itself, when it has a bank of its own.
func TestRootIsALinkedWorktree(t *testing.T) {
	top := grow(t, "m/memory-bank/M.md", "m/.claude/worktrees/a/memory-bank/M.md", "b/x.go", "m/src/y.go")
	worktree(t, top, "m", "a", "m/.claude/worktrees/a")
	worktree(t, top, "m", "b", "b")
	root := top + "/m/.claude/worktrees/a"
	d := at(root, root)
	for path, want := range map[string]string{
		"m/.claude/worktrees/a/memory-bank/M.md": root,
		"b/x.go":                                 top + "/b",
		"m/src/y.go":                             top + "/m",
		"m/memory-bank/M.md":                     top + "/m",
		"m/.claude/settings.json":                top + "/m",
	} {
		if p := d.Locate(top, path); p.Base != want {
			t.Errorf("%s: %q of %q", path, p.Canon, p.Base)
		}
	}
	if p := d.Anchor("memory-bank/M.md"); p.Key != "memory-bank/M.md" {
		t.Errorf("anchor %+v", p)
	}
}

func TestWorktreeWithALinkedBank(t *testing.T) {
	top := grow(t, "m/memory-bank/M.md", "m/src/", "w/src/", "w/memory-bank -> @/m/memory-bank", "v/memory-bank -> @/shared/bank", "shared/bank/M.md")
	worktree(t, top, "m", "w", "w")
	worktree(t, top, "m", "v", "v")
	d := at(top+"/m", top+"/w")
	root := d.Locate(top+"/m", "memory-bank/M.md")
	for _, p := range []place.Place{d.Locate(top+"/w", "memory-bank/M.md"), d.Anchor("memory-bank/M.md")} {
		if p.Key != root.Key || p.Canon != root.Canon || p.Kind != place.File {
			t.Errorf("the root's bank through the worktree: %+v", p)
		}
	}
	e := at(top+"/m", top+"/v")
	for _, p := range []place.Place{e.Locate(top+"/v", "memory-bank/M.md"), e.Anchor("memory-bank/M.md"), e.Locate(top, "shared/bank/M.md")} {
		if p.Canon != "memory-bank/M.md" || p.Key != top+"/shared/bank/M.md" || p.Base != top+"/v" {
			t.Errorf("a worktree's bank elsewhere: %+v", p)
		}
	}
}

// What only looks like a worktree must not give files other names: rules would no longer find them.
func TestNotAWorktree(t *testing.T) {
	for name, tree := range map[string][]string{
		"of another repository": {"n/.git/worktrees/w/commondir=../..\n", "n/.git/worktrees/w/gitdir=@/p/src/.git\n", "p/src/.git=gitdir: @/n/.git/worktrees/w\n"},
		"the repository names another folder": {
			"p/.git/worktrees/w/commondir=../..\n", "p/.git/worktrees/w/gitdir=@/w/.git\n", "w/.git=gitdir: @/p/.git/worktrees/w\n",
			"p/src/.git=gitdir: @/p/.git/worktrees/w\n",
		},
		"a submodule":         {"p/.git/worktrees/", "p/.git/modules/s/HEAD", "p/src/.git=gitdir: ../.git/modules/s\n"},
		"a repository inside": {"p/.git/worktrees/", "p/src/.git/worktrees/"},
		"garbage":             {"p/.git/worktrees/", "p/src/.git=gitdir:\x00\n"},
	} {
		t.Run(name, func(t *testing.T) {
			top := grow(t, append(tree, "p/memory-bank/", "p/.git/HEAD", "p/src/a.go")...)
			d := at(top+"/p", top+"/p/src")
			if p := d.Locate(top+"/p/src", "a.go"); p.Canon != "src/a.go" || p.Base != top+"/p" || d.Base() != top+"/p" {
				t.Errorf("%q of %q", p.Canon, p.Base)
			}
		})
	}
	t.Run("in the bank", func(t *testing.T) {
		top := grow(t, "p/memory-bank/details/r.md", "p/src/")
		worktree(t, top, "p", "w", "p/memory-bank/details")
		if p := at(top+"/p", top+"/p").Locate(top+"/p", "memory-bank/details/r.md"); p.Canon != "memory-bank/details/r.md" {
			t.Errorf("%+v", p)
		}
	})
	t.Run("in the bank elsewhere", func(t *testing.T) {
		top := grow(t, "bank/details/r.md", "p/memory-bank -> @/bank")
		worktree(t, top, "p", "w", "bank/details")
		d := at(top+"/p", top+"/bank/details")
		if p := d.Locate(top, "bank/details/r.md"); p.Canon != "memory-bank/details/r.md" || d.Base() != top+"/p" {
			t.Errorf("%+v, base %q", p, d.Base())
		}
	})
}

// A worktree that was moved by hand is still one to git, which mends the repository's note when it next runs there.
func TestMovedWorktree(t *testing.T) {
	top := grow(t, "m/memory-bank/M.md", "w/a.go")
	worktree(t, top, "m", "w", "w")
	must(t, os.Rename(top+"/w", top+"/moved"))
	if p := at(top+"/m", top+"/m").Locate(top, "moved/a.go"); p.Canon != "a.go" || p.Base != top+"/moved" {
		t.Errorf("%+v", p)
	}
}

func TestWorktreeByGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		// The same layouts, made by hand, are in the tests above.
		t.Logf("git is not installed: %v", err)
		return
	}
	for _, relative := range []string{"false", "true"} { // git before 2.48 does not know the setting and writes absolute paths
		top := grow(t, "m/memory-bank/M.md", "m/src/a.go", "sub/x")
		git := func(dir string, args ...string) {
			t.Helper()
			args = append([]string{
				"-C", top + "/" + dir, "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main",
				"-c", "protocol.file.allow=always", "-c", "worktree.useRelativePaths=" + relative,
			}, args...)
			cmd := exec.Command("git", args...)
			// A hook of git that runs the tests sets where git looks; that must not lead out of the tree.
			for _, v := range os.Environ() {
				if !strings.HasPrefix(v, "GIT_") {
					cmd.Env = append(cmd.Env, v)
				}
			}
			cmd.Env = append(cmd.Env, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("git %v: %v\n%s", args, err, out)
			}
		}
		git("sub", "init", "-q")
		git("sub", "add", ".")
		git("sub", "commit", "-q", "-m", "s")
		git("m", "init", "-q")
		plant(t, top, "m/.gitignore=memory-bank\n")
		git("m", "add", ".")
		git("m", "submodule", "add", "-q", top+"/sub", "vendored")
		git("m", "commit", "-q", "-m", "m")
		git("m", "worktree", "add", "-q", ".claude/worktrees/in")
		git("m", "worktree", "add", "-q", "../out")
		git("m", "worktree", "add", "-q", "../gone")
		must(t, os.RemoveAll(top+"/gone"))
		git("m/vendored", "worktree", "add", "-q", top+"/vendored-out")

		d := at(top+"/m", top+"/out/src")
		for path, want := range map[string]string{
			"m/.claude/worktrees/in/src/a.go": "m/.claude/worktrees/in",
			"out/src/a.go":                    "out",
			"m/src/a.go":                      "m",
			"m/vendored/x":                    "m",
			"vendored-out/x":                  "",
			"sub/x":                           "",
		} {
			p := d.Locate(top, path)
			if got := strings.TrimPrefix(strings.TrimPrefix(p.Base, top), "/"); got != want || p.Kind != place.File {
				t.Errorf("relative %s: %s is %q of %q, %s", relative, path, p.Canon, got, kindName(p.Kind))
			}
		}
		if d.Base() != top+"/out" {
			t.Errorf("base %q", d.Base())
		}
		for start, want := range map[string]string{"out/src": "m", "m/.claude/worktrees/in": "m", "m/vendored": "m/vendored", "vendored-out": "vendored-out"} {
			if r := find(t, Candidates{Cwd: top + "/" + start, Home: top}); r.Dir != top+"/"+want {
				t.Errorf("from %s the root is %q", start, r.Dir)
			}
		}
		r := find(t, Candidates{Cwd: top + "/m", Home: top})
		if mainWorktree(r) != top+"/m" {
			t.Errorf("the main worktree is %q", mainWorktree(r))
		}
		s := find(t, Candidates{Flag: top + "/vendored-out"})
		if mainWorktree(s) != top+"/m/vendored" {
			t.Errorf("the submodule's main worktree is %q", mainWorktree(s))
		}
	}
}
