package project

import (
	"errors"
	"os"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	// "@" in candidates is the tree's top.
	for _, c := range []struct {
		name string
		tree []string
		c    Candidates
		want string // "@/…"; "" is a *noRootError
	}{
		{"bank at the cwd", []string{"p/memory-bank/"}, Candidates{Cwd: "@/p"}, "@/p"},
		{"configuration only", []string{"p/.mbgate.toml", "p/a/"}, Candidates{Cwd: "@/p/a"}, "@/p"},
		{"start in a sub-folder", []string{"p/.git/", "p/memory-bank/", "p/a/b/c/"}, Candidates{Cwd: "@/p/a/b/c"}, "@/p"},
		{"start in the bank", []string{"p/memory-bank/details/"}, Candidates{Cwd: "@/p/memory-bank/details"}, "@/p"},
		{"no git", []string{"p/memory-bank/", "p/a/b/"}, Candidates{Cwd: "@/p/a/b"}, "@/p"},
		{"project in a project", []string{"p/memory-bank/", "p/.git/", "p/q/memory-bank/", "p/q/a/"}, Candidates{Cwd: "@/p/q/a"}, "@/p/q"},
		{"configuration is as good as a bank", []string{"p/memory-bank/", "p/q/.mbgate.toml", "p/q/a/"}, Candidates{Cwd: "@/p/q/a"}, "@/p/q"},
		{"not above the repository", []string{"p/memory-bank/", "p/q/.git/", "p/q/a/"}, Candidates{Cwd: "@/p/q/a"}, "@/p/q"},
		{"bank at the repository's top", []string{"memory-bank/", "p/.git/", "p/memory-bank/", "p/a/"}, Candidates{Cwd: "@/p/a"}, "@/p"},
		{"submodule is its own", []string{"p/.git/modules/s/HEAD", "p/memory-bank/", "p/s/.git=gitdir: ../.git/modules/s\n", "p/s/a/"}, Candidates{Cwd: "@/p/s/a"}, "@/p/s"},
		{"submodule named worktrees/x", []string{"p/.git/modules/worktrees/x/HEAD", "p/memory-bank/", "p/s/.git=gitdir: ../.git/modules/worktrees/x"}, Candidates{Cwd: "@/p/s"}, "@/p/s"},
		{"nothing anywhere: the repository", []string{"p/.git/", "p/a/"}, Candidates{Cwd: "@/p/a"}, "@/p"},
		{"nothing anywhere: cwd", []string{"p/a/"}, Candidates{Cwd: "@/p/a"}, "@/p/a"},
		{"a file named memory-bank", []string{"p/a/", "p/memory-bank"}, Candidates{Cwd: "@/p/a"}, "@/p/a"},
		{"a folder named .mbgate.toml", []string{"p/a/", "p/.mbgate.toml/"}, Candidates{Cwd: "@/p/a"}, "@/p/a"},

		{"home is exclusive", []string{"h/memory-bank/", "h/p/a/"}, Candidates{Cwd: "@/h/p/a", Home: "@/h"}, "@/h/p/a"},
		{"above home neither", []string{"memory-bank/", "h/p/"}, Candidates{Cwd: "@/h/p", Home: "@/h"}, "@/h/p"},
		{"home itself is worked in", []string{"h/memory-bank/"}, Candidates{Cwd: "@/h", Home: "@/h"}, "@/h"},
		{"home is a repository", []string{"h/memory-bank/", "h/.git/", "h/p/"}, Candidates{Cwd: "@/h/p", Home: "@/h"}, "@/h"},
		{"home by another name", []string{"h/memory-bank/", "h/p/a/", "l -> h"}, Candidates{Cwd: "@/h/p/a", Home: "@/l"}, "@/h/p/a"},
		{"deleted below home", []string{"h/memory-bank/", "h/p/"}, Candidates{Cwd: "@/h/gone/x", Roots: []string{"@/h/p"}, Home: "@/h"}, "@/h/p"},

		{"home by way of a symlink in it", []string{"h/memory-bank/", "x/y/", "h/l -> @/x/y"}, Candidates{Cwd: "@/h/l", Home: "@/h"}, "@/x/y"},

		{"flag before all", []string{"f/memory-bank/", "p/memory-bank/"}, Candidates{Flag: "@/f", Pinned: "@/p", Cwd: "@/p"}, "@/f"},
		{"flag alone counts", []string{"f/a/", "p/memory-bank/"}, Candidates{Flag: "@/f/a", Pinned: "@/p", Cwd: "@/p"}, "@/f/a"},
		{"flag goes upwards", []string{"f/a/", "f/memory-bank/"}, Candidates{Flag: "@/f/a"}, "@/f"},
		{"flag, repository", []string{"f/a/", "f/.git/"}, Candidates{Flag: "@/f/a"}, "@/f"},
		{"flag names nothing", []string{"p/memory-bank/"}, Candidates{Flag: "@/gone", Cwd: "@/p"}, ""},
		{"flag names a file", []string{"p/memory-bank/", "p/f"}, Candidates{Flag: "@/p/f"}, ""},
		{"flag is the top", nil, Candidates{Flag: "/"}, ""},
		{"pinned before the others", []string{"a/memory-bank/", "b/memory-bank/"}, Candidates{Pinned: "@/a", Roots: []string{"@/b", "@/b"}, Cwd: "@/b"}, "@/a"},
		{"pinned stays without its bank", []string{"a/", "b/memory-bank/"}, Candidates{Pinned: "@/a", Cwd: "@/b"}, "@/a"},
		{"pinned is gone", []string{"b/memory-bank/"}, Candidates{Pinned: "@/a", Cwd: "@/b"}, "@/b"},
		{"payload's roots in order", []string{"a/x/", "b/memory-bank/", "c/memory-bank/"}, Candidates{Roots: []string{"@/a/x", "@/b", "@/c", "@/c"}, Cwd: "@/c"}, "@/b"},
		{"the variable before cwd", []string{"a/memory-bank/", "b/memory-bank/"}, Candidates{Roots: []string{"@/a"}, Cwd: "@/b"}, "@/a"},
		{"first that has a bank", []string{"a/.git/", "b/memory-bank/"}, Candidates{Roots: []string{"@/a"}, Cwd: "@/b"}, "@/b"},
		{"first repository", []string{"a/.git/", "b/.git/"}, Candidates{Roots: []string{"@/a"}, Cwd: "@/b"}, "@/a"},
		{"relative to cwd", []string{"p/a/", "p/q/memory-bank/"}, Candidates{Roots: []string{"../q"}, Cwd: "@/p/a"}, "@/p/q"},
		{"the top is no root", []string{"p/memory-bank/"}, Candidates{Roots: []string{"/"}, Cwd: "@/p"}, "@/p"},
		{"the top is not even a fallback", []string{"p/a/"}, Candidates{Roots: []string{"/", "/"}, Cwd: "@/p/a"}, "@/p/a"},
		{"cwd was deleted", []string{"p/memory-bank/"}, Candidates{Cwd: "@/p/gone/deep"}, "@/p"},
		{"a start is a file", []string{"p/memory-bank/", "p/f"}, Candidates{Roots: []string{"@/p/f"}, Cwd: "@"}, "@/p"},
		{"empty ones are left out", []string{"p/memory-bank/"}, Candidates{Roots: []string{"", ""}, Cwd: "@/p"}, "@/p"},

		{"the root is a symlink", []string{"p/memory-bank/", "l -> p"}, Candidates{Cwd: "@/l"}, "@/p"},
		{"an ancestor of cwd is", []string{"p/memory-bank/", "p/a/b/", "l -> p/a"}, Candidates{Cwd: "@/l/b"}, "@/p"},
		{"the bank is", []string{"shared/bank/", "p/memory-bank -> @/shared/bank", "p/a/"}, Candidates{Cwd: "@/p/a"}, "@/p"},
		{"the bank is a dangling one", []string{"p/memory-bank -> nowhere", "p/a/"}, Candidates{Cwd: "@/p/a"}, "@/p/a"},
		{"the bank is a loop", []string{"p/memory-bank -> memory-bank", "p/a/"}, Candidates{Cwd: "@/p/a"}, "@/p/a"},
		{"cwd leads out of the project", []string{"p/memory-bank/", "x/src/", "p/src -> @/x/src"}, Candidates{Cwd: "@/p/src"}, "@/p"},
		{"… deeper", []string{"p/memory-bank/", "x/src/a/b/", "p/src -> @/x/src"}, Candidates{Cwd: "@/p/src/a/b"}, "@/p"},
		{"… but the physical one is nearer", []string{"p/memory-bank/", "x/src/a/", "x/memory-bank/", "p/src -> @/x/src"}, Candidates{Cwd: "@/p/src/a"}, "@/x"},
		{"cwd is a loop", []string{"p/memory-bank/", "p/l -> l"}, Candidates{Cwd: "@/p/l"}, "@/p"},
		{"dots behind a symlink", []string{"p/memory-bank/", "p/a/", "x/l -> @/p/a", "x/memory-bank/"}, Candidates{Cwd: "@/x/l/.."}, "@/p"},

		{"empty .git file", []string{"p/memory-bank/", "p/a/.git="}, Candidates{Cwd: "@/p/a"}, "@/p"},
		{"garbage .git file", []string{"p/memory-bank/", "p/a/.git=hello"}, Candidates{Cwd: "@/p/a"}, "@/p"},
		{".git file without a path", []string{"p/memory-bank/", "p/a/.git=gitdir: \n"}, Candidates{Cwd: "@/p/a"}, "@/p"},
		{"huge .git file", []string{"p/memory-bank/", "p/a/.git=gitdir: " + strings.Repeat("x", 1<<20)}, Candidates{Cwd: "@/p/a"}, "@/p"},
		{".git file that leads nowhere", []string{"p/memory-bank/", "p/a/.git=gitdir: /nowhere\n"}, Candidates{Cwd: "@/p/a"}, "@/p/a"},
		{".git is a dangling symlink", []string{"p/memory-bank/", "p/a/.git -> nowhere"}, Candidates{Cwd: "@/p/a"}, "@/p"},
		{".git is a symlink to a folder", []string{"p/memory-bank/", "g/HEAD", "p/a/.git -> @/g"}, Candidates{Cwd: "@/p/a"}, "@/p/a"},
		{"repository kept elsewhere", []string{"p/.git=gitdir: ../.bare\n", ".bare/HEAD", "p/memory-bank/", "p/a/"}, Candidates{Cwd: "@/p/a"}, "@/p"},
	} {
		t.Run(c.name, func(t *testing.T) {
			top := grow(t, c.tree...)
			in := func(s string) string { return strings.Replace(s, "@", top, 1) }
			c.c.Flag, c.c.Pinned, c.c.Cwd = in(c.c.Flag), in(c.c.Pinned), in(c.c.Cwd)
			for i, r := range c.c.Roots {
				c.c.Roots[i] = in(r)
			}
			// The tree's top is the boundary for those who do not set one: nothing above it belongs to the test.
			if c.c.Home = in(c.c.Home); c.c.Home == "" {
				c.c.Home = top
			}
			t.Chdir(top)
			got, err := Find(c.c)
			var none *noRootError
			if err != nil != (c.want == "") || err != nil && !errors.As(err, &none) {
				t.Fatalf("error %v", err)
			}
			if got.Dir != in(c.want) {
				t.Fatalf("root %q, want %q", got.Dir, in(c.want))
			}
			if bank, config := isFolder(got.Dir+"/memory-bank"), isFile(got.Dir+"/.mbgate.toml"); err == nil && (got.HasBank != bank || got.HasConfig != config) {
				t.Errorf("root says bank %v, configuration %v", got.HasBank, got.HasConfig)
			}
		})
	}
}

func TestFindFacts(t *testing.T) {
	top := grow(t, "p/memory-bank/", "p/q/.mbgate.toml", "x/bank/", "r/memory-bank -> @/x/bank", "r/.mbgate.toml")
	for dir, want := range map[string][2]bool{"p": {true, false}, "p/q": {false, true}, "r": {true, true}, "x": {false, false}} {
		r := find(t, Candidates{Cwd: top + "/" + dir, Home: top})
		if r.HasBank != want[0] || r.HasConfig != want[1] || r.checkout().top != "" {
			t.Errorf("%s: %+v", dir, r)
		}
	}
}

func TestGit(t *testing.T) {
	top := grow(t, "p/.git/modules/worktrees/x/HEAD", "p/memory-bank/", "p/a/.mbgate.toml", "p/s/.git=gitdir: ../.git/modules/worktrees/x", "n/")
	for dir, want := range map[string]checkout{
		"p":   {top: top + "/p", common: top + "/p/.git"},
		"p/a": {top: top + "/p", common: top + "/p/.git"},
		"p/s": {top: top + "/p/s", common: top + "/p/.git/modules/worktrees/x"},
		"n":   {},
	} {
		r := Root{Dir: top + "/" + dir}
		if got := r.checkout(); got != want || mainWorktree(r) != want.top {
			t.Errorf("%s: %+v, main %q", dir, got, mainWorktree(r))
		}
	}
	if r := (Root{}); r.checkout().top != "" || mainWorktree(r) != "" {
		t.Error("no root is in a repository")
	}
}

func TestFindInTheProcessFolder(t *testing.T) {
	top := grow(t, "p/memory-bank/", "p/a/", "q/memory-bank/", "gone/")
	t.Chdir(top + "/p/a")
	if r := find(t, Candidates{Home: top}); r.Dir != top+"/p" {
		t.Errorf("without a cwd the root is %q", r.Dir)
	}
	if r := find(t, Candidates{Home: top, Cwd: top + "/nowhere"}); r.Dir != top+"/p" {
		t.Errorf("with a cwd that is gone the root is %q", r.Dir)
	}
	if r := find(t, Candidates{Home: top, Flag: "../../q"}); r.Dir != top+"/q" {
		t.Errorf("with a relative --root the root is %q", r.Dir)
	}
	if r := find(t, Candidates{Home: top, Cwd: "../../q"}); r.Dir != top+"/q" {
		t.Errorf("with a relative cwd the root is %q", r.Dir)
	}
	must(t, os.Chdir(top+"/gone"))
	must(t, os.Remove(top+"/gone"))
	if r := find(t, Candidates{Home: top, Roots: []string{top + "/q"}}); r.Dir != top+"/q" {
		t.Errorf("in a deleted folder the root is %q", r.Dir)
	}
	if _, err := Find(Candidates{Home: top, Flag: "q"}); err == nil {
		t.Error("a relative --root in a deleted folder names something")
	}
	must(t, os.Chdir("/"))
	var none *noRootError
	if r, err := Find(Candidates{Home: top}); !errors.As(err, &none) {
		t.Errorf("at the top of the file system the root is %q, error %v", r.Dir, err)
	}
}

func TestFindInWorktree(t *testing.T) {
	for _, top := range []string{"m/.claude/worktrees/w", "elsewhere/w"} {
		t.Run(top, func(t *testing.T) {
			tree := grow(t, "m/memory-bank/", "m/pkg/memory-bank/", top+"/pkg/a/", top+"/src/", "memory-bank/")
			worktree(t, tree, "m", "w", top)
			for start, want := range map[string]string{top: "m", top + "/src": "m", top + "/pkg/a": "m/pkg", top + "/pkg/gone": "m/pkg"} {
				r := find(t, Candidates{Cwd: tree + "/" + start, Home: tree})
				if r.Dir != tree+"/"+want || !r.HasBank {
					t.Errorf("from %s the root is %q, want %s", start, r.Dir, want)
				}
			}
			plant(t, tree, top+"/memory-bank/")
			r := find(t, Candidates{Cwd: tree + "/" + top + "/src", Home: tree})
			if r.Dir != tree+"/"+top {
				t.Errorf("a worktree with a bank of its own has the root %q", r.Dir)
			}
			if g := r.checkout(); !g.linked || g.top != r.Dir || g.common != tree+"/m/.git" || mainWorktree(r) != tree+"/m" {
				t.Errorf("git: %+v, main %q", g, mainWorktree(r))
			}
		})
	}
}

func TestFindInWorktreeOfWhat(t *testing.T) {
	for _, c := range []struct {
		name string
		tree []string
		cwd  string
		want string
	}{
		{
			"main without a bank either",
			[]string{"m/.git/worktrees/w/commondir=../..\n", "w/.git=gitdir: ../m/.git/worktrees/w\n", "w/a/"},
			"w/a", "w",
		},
		{
			"main is gone",
			[]string{"w/.git=gitdir: @/m/.git/worktrees/w\n", "w/a/"},
			"w/a", "w",
		},
		{
			"pruned, main is there",
			[]string{"m/.git/HEAD", "m/memory-bank/", "w/.git=gitdir: @/m/.git/worktrees/w\n", "w/a/"},
			"w/a", "m",
		},
		{
			"bare repository beside its worktrees",
			[]string{".bare/worktrees/w/commondir=../..\n", ".git=gitdir: ./.bare\n", "memory-bank/", "w/.git=gitdir: @/.bare/worktrees/w\n", "w/a/"},
			"w/a", ".",
		},
		{
			"bare repository without a worktree",
			[]string{"b.git/worktrees/w/commondir=../..\n", "memory-bank/", "w/.git=gitdir: @/b.git/worktrees/w\n", "w/a/"},
			"w/a", "w",
		},
		{
			"worktree of a submodule",
			[]string{
				"p/.git/modules/s/worktrees/w/commondir=../..\n", "p/.git/modules/s/config=[core]\n\tbare = false\n\tworktree = ../../../s\n[x]\n\tworktree = no\n",
				"p/s/memory-bank/", "p/s/.git=gitdir: ../.git/modules/s\n", "w/.git=gitdir: @/p/.git/modules/s/worktrees/w\n", "w/a/",
			},
			"w/a", "p/s",
		},
		{
			"main through a symlink",
			[]string{"real/.git/worktrees/w/commondir=../..\n", "real/memory-bank/", "m -> real", "w/.git=gitdir: @/m/.git/worktrees/w\r\n", "w/a/"},
			"w/a", "real",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			top := grow(t, c.tree...)
			want := strings.TrimSuffix(top+"/"+c.want, "/.")
			if r := find(t, Candidates{Cwd: top + "/" + c.cwd}); r.Dir != want {
				t.Errorf("root %q, want %q", r.Dir, want)
			}
		})
	}
}

// checkout is the working tree of git that the root lies in.
func (r Root) checkout() checkout {
	if r.Dir == "" {
		return checkout{}
	}
	return r.walker().gitAbove(r.Dir)
}

func (r Root) walker() *walker {
	if r.walk == nil {
		return newWalker(folding)
	}
	return r.walk
}
