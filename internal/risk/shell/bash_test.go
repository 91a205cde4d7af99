//go:build linux

// The commands are those of GNU: sed -i and install -D differ elsewhere, and so does the bash 3.2 of macOS.

package shell

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/place/placetest"
)

// The tests in this file compare the judgement with what bash does. They need bash and the common programs; without
// them they fail, since a test that is left out proves nothing.

// arena is a folder of its own with a project p in it, in which bash may do what it likes.
type arena struct {
	t          *testing.T
	bash       string
	dir, root  string
	start      map[string]string // path below dir → what is there
	startFiles map[string]string
	hung       int // commands that did not end
}

func newArena(t *testing.T, files map[string]string) *arena {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatalf("bash is needed to compare with (%v); install it", err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	a := &arena{t: t, bash: bash, dir: dir, root: dir + "/p", startFiles: files}
	a.reset()
	a.start = a.snapshot()
	return a
}

func (a *arena) reset() {
	a.t.Helper()
	entries, err := os.ReadDir(a.dir)
	if err != nil {
		a.t.Fatal(err)
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(a.dir, e.Name())); err != nil {
			a.t.Fatal(err)
		}
	}
	for _, folder := range []string{"p", "home", "p/d/e", "p/empty"} {
		if err := os.MkdirAll(filepath.Join(a.dir, folder), 0o755); err != nil {
			a.t.Fatal(err)
		}
	}
	for name, text := range a.startFiles {
		if err := os.WriteFile(filepath.Join(a.dir, name), []byte(text), 0o644); err != nil {
			a.t.Fatal(err)
		}
	}
}

// tree is what the judgement is told of the disk.
func (a *arena) tree() *placetest.Tree {
	t := placetest.New(a.root)
	for p, what := range a.start {
		if what == "folder" {
			t.Folder(a.dir + "/" + p)
		}
	}
	for name, text := range a.startFiles {
		t.File(a.dir+"/"+name, text)
	}
	for _, dir := range []string{"/tmp", "/usr/bin", "/bin"} {
		t.Folder(dir)
	}
	return t
}

func (a *arena) snapshot() map[string]string {
	a.t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(a.dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || p == a.dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		what := "folder"
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			to, _ := os.Readlink(p)
			what = "link to " + to
		case info.Mode().IsRegular():
			text, err := os.ReadFile(p)
			if err != nil {
				text = []byte("unreadable")
			}
			what = fmt.Sprintf("%v %s", info.Mode().Perm(), text)
		case !info.IsDir():
			what = info.Mode().String()
		}
		out[strings.TrimPrefix(p, a.dir+"/")] = what
		return nil
	})
	if err != nil {
		a.t.Fatal(err)
	}
	return out
}

// run lets bash do a command; it returns its output and what it changed, and puts everything back.
func (a *arena) run(command string) (stdout string, changed []string) {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(a.t.Context(), 5*time.Second)
	defer cancel()
	// A loop that reads what it appends ends when the file is large.
	cmd := exec.CommandContext(ctx, a.bash, "-c", "ulimit -c 0 -f 64 -t 5; "+command)
	cmd.Dir = a.root
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + a.dir + "/home", "PWD=" + a.root, "LC_ALL=C"}
	var out bytes.Buffer
	cmd.Stdout = &out
	_ = cmd.Run() // what it fails at it does not do
	if ctx.Err() != nil {
		a.hung++ // a loop that feeds itself: what it did so far counts
	}
	after := a.snapshot()
	for p, what := range a.start {
		if after[p] != what {
			changed = append(changed, p)
		}
	}
	for p := range after {
		if _, was := a.start[p]; !was {
			changed = append(changed, p)
		}
	}
	if len(changed) > 0 {
		a.reset()
	}
	return out.String(), changed
}

// reported says whether a report covers the change of a path.
func reported(rep Report, abs string) bool {
	if len(rep.Unbounded) > 0 || len(rep.Unknown) > 0 {
		return true
	}
	for _, e := range rep.Effects {
		for _, p := range []string{e.Place.Abs, e.Place.Phys} {
			// A folder is covered by what is made in it.
			if p == abs || e.Tree && place.Under(abs, p) || place.Under(p, abs) && e.Op != opMode {
				return true
			}
		}
	}
	return false
}

// grammar makes commands: small ones of every kind, put together.
type grammar struct {
	r     *rand.Rand
	depth int
}

func (g *grammar) pick(list ...string) string { return list[g.r.IntN(len(list))] }

func (g *grammar) file() string {
	return g.pick("a.txt", "b.txt", "new.txt", "d/x.txt", "d/e/y.txt", "d/new.txt", "'sp ace.txt'", `"sp ace.txt"`, `sp\ ace.txt`, "./a.txt",
		"d/../b.txt", "nodir/n.txt", "$f", `"$f"`, "${f}", "${f%.txt}.md", `"$PWD/c.txt"`, "$(echo s.txt)", "`echo s.txt`", "n$((1+2)).txt",
		"$'q.txt'", `"a"'.'txt`, "../out.txt", "$g/x.txt", "${none:-fallback.txt}", `"$d"/new.txt`, "{a,b}.txt", "*.txt", "d/*.txt", "[ab].txt", "?.txt", "d//x.txt")
}

func (g *grammar) one() string { // a single file's name: a redirection takes no other
	for {
		if f := g.file(); !strings.ContainsAny(f, "*?[{") || strings.HasPrefix(f, "${") {
			return f
		}
	}
}

func (g *grammar) folder() string {
	return g.pick("d", "d/e", "empty", "newdir", "nodir", ".", "..", "$d", `"$d"`, "d/..", "./d/", "../p")
}

func (g *grammar) redirect() string {
	return g.pick("> ", ">> ", ">| ", "&> ", "2> ", ">& ", "&>> ", "<> ", "1> ", "3> ") + g.one()
}

func (g *grammar) text() string {
	return g.pick("x", "'> no.txt'", `"a > b"`, "'$(touch no.txt)'", `\>`, `"\$(touch no.txt)"`, "-n x", "# touch no.txt", "'a\nb'", "$f", "~", `"it's"`)
}

func (g *grammar) simple() string {
	switch g.r.IntN(34) {
	case 0, 1, 2:
		return "echo " + g.text() + "\n"
	case 3, 4, 5, 6:
		return "echo x " + g.redirect()
	case 7:
		return g.redirect() + " echo x"
	case 8:
		return "cat " + g.file()
	case 9:
		return "cat " + g.file() + " " + g.redirect()
	case 10:
		return "cp " + g.file() + " " + g.pick(g.one(), g.folder())
	case 11:
		return "cp -r " + g.pick(g.folder(), "d") + " " + g.pick("copy", "empty", g.folder())
	case 12:
		return "mv " + g.file() + " " + g.pick(g.one(), "d", "empty")
	case 13:
		return "rm " + g.pick("", "-f ") + g.file()
	case 14:
		return "rm -r " + g.pick("d", "d/e", "empty", "nodir", "$d", "copy")
	case 15:
		return "touch " + g.file()
	case 16:
		return "mkdir " + g.pick("", "-p ") + g.pick("m", "m/n", "d/m", "empty", "nodir/m", "../m")
	case 17:
		return "echo x | tee " + g.pick("", "-a ") + g.one() + g.pick("", " >/dev/null")
	case 18:
		return "sed -i s/one/1/ " + g.file()
	case 19:
		return "sed -i.bak " + g.pick("'s/t/T/'", "1d", "'/two/w w.txt'") + " " + g.one()
	case 20, 21:
		return "cd " + g.folder()
	case 22:
		return "ln -s " + g.pick("a.txt", "../a.txt") + " " + g.pick("l", "d/l", "empty")
	case 23:
		return g.pick("f=", "g=", "d=") + g.pick("v.txt", "d", "empty", "$(echo d)", "'sp ace.txt'", "d/e")
	case 24:
		return "chmod " + g.pick("-w", "-x", "600", "+x", "-R go-r", "u=r") + " " + g.file()
	case 25:
		return "truncate -s 0 " + g.one()
	case 26:
		return "dd if=a.txt of=" + g.one() + " 2>/dev/null"
	case 27:
		return "find " + g.pick(".", "d", "nodir") + " " + g.pick("-name '*.txt' -delete", "-type f -exec rm {} \\;", "-name x.txt", "-empty -delete", "-name '*.txt' -exec touch {}.seen \\;", "-type f -exec cp -t empty {} +")
	case 28:
		return "printf '%s\\n' " + g.one() + " | xargs " + g.pick("touch", "rm -f", "-I{} cp a.txt {}", "cat")
	case 29:
		return "rmdir " + g.folder()
	case 30:
		return "exec " + g.pick("3> ", "4>> ", "> ") + g.one()
	case 31:
		return g.pick("pushd d >/dev/null", "popd >/dev/null", "set -- q1.txt q2.txt", "touch \"$@\"", "shift", "arr=(z1.txt z2.txt)", "touch \"${arr[@]}\"", "echo x >&3", "read f < b.txt", "unset f", "export f", "cd -", "touch ${f:-u.txt}")
	case 32:
		return "install -m 600 " + g.one() + " " + g.pick("i.txt", "d", "-D newdir/i.txt")
	default:
		return "mv -t " + g.pick("d", "empty") + " " + g.file()
	}
}

func (g *grammar) stmt() string {
	if g.depth++; g.depth > 4 {
		g.depth--
		return g.simple()
	}
	defer func() { g.depth-- }()
	switch g.r.IntN(26) {
	case 0, 1, 2:
		return g.line() + g.pick(" && ", " || ", "; ") + g.line()
	case 3:
		return "( " + g.stmt() + "\n)"
	case 4:
		return "{ " + g.stmt() + "\n}"
	case 5:
		return "if " + g.pick("true", "false", "[ -f a.txt ]", "[ -e nope ]", "[[ $f == *.txt ]]", "grep -q one a.txt") + "; then\n" + g.stmt() + "\nelse\n" + g.stmt() + "\nfi"
	case 6:
		return "for f in " + g.pick("a.txt b.txt", "*.txt", "1 2", "$(ls d)", "d/*", `"sp ace.txt"`) + "; do\n" + g.stmt() + "\ndone"
	case 7:
		return "while read f; do\n" + g.stmt() + "\ndone < " + g.pick("b.txt", "a.txt", "d/x.txt")
	case 8:
		return "case $f in *.txt) " + g.line() + ";; *) " + g.line() + ";; esac"
	case 9:
		return "fn() {\n" + g.stmt() + "\n}\nfn a.txt"
	case 10:
		return "cat " + g.pick("", "> ", ">> ") + g.one() + " <<" + g.pick("E\n", "'E'\n") + g.pick("line $f\n", "$(touch hd.txt)\n", "> no.txt\n") + "E"
	case 11:
		return "bash <<'E'\n" + g.stmt() + "\nE"
	case 12:
		return "bash -c '" + strings.ReplaceAll(g.stmt(), "'", `'\''`) + "'"
	case 13:
		return "eval '" + strings.ReplaceAll(g.stmt(), "'", `'\''`) + "'"
	case 14:
		return g.line() + " | " + g.pick("cat", "cat > pipe.out", "tee t1.out > t2.out", "while read f; do touch \"$f\"; done", "xargs -r echo", "bash")
	case 15:
		return "trap '" + strings.ReplaceAll(g.line(), "'", `'\''`) + "' EXIT"
	case 16:
		return "{ " + g.stmt() + "\n} " + g.redirect()
	case 17:
		return "f=$( " + g.stmt() + "\n)"
	case 18:
		return "tee >(cat > ps.txt) < " + g.pick("a.txt", "b.txt") + " > /dev/null; wait"
	case 19:
		return g.pick("env X=1 ", "command ", "nice ", "timeout 5 ", "exec ", "nohup ") + g.pick("touch "+g.one(), "rm -f "+g.one(), "cp a.txt "+g.one())
	default:
		return g.simple()
	}
}

func (g *grammar) line() string {
	for {
		if s := strings.TrimSuffix(g.stmt(), "\n"); !strings.Contains(s, "\n") && !strings.Contains(s, "#") {
			return s
		}
	}
}

func (g *grammar) command() string {
	n := 1 + g.r.IntN(4)
	lines := make([]string, 0, n+1)
	lines = append(lines, "f=b.txt g=d d=empty")
	for range n {
		lines = append(lines, g.stmt())
	}
	return strings.Join(lines, "\n")
}

// TestAgainstBash runs generated commands: what bash changes must have been reported.
func TestAgainstBash(t *testing.T) {
	a := newArena(t, map[string]string{
		"p/a.txt": "one\ntwo\nthree\n", "p/b.txt": "v1.txt\nv2.txt\n", "p/d/x.txt": "x\n", "p/d/e/y.txt": "one\n", "p/sp ace.txt": "one\n",
	})
	tree := a.tree()
	env := Env{Files: tree, Cwd: a.root, Root: a.root, Home: a.dir + "/home"}
	commands, wrote, vague := 0, 0, 0
	began := time.Now()
	for seed := uint64(0); seed < bashRuns(); seed++ {
		g := grammar{r: rand.New(rand.NewPCG(seed, 7))}
		command := g.command()
		rep := Judge(command, env)
		_, changed := a.run(command)
		commands++
		if len(rep.Unbounded)+len(rep.Unknown) > 0 {
			vague++
		}
		if len(changed) > 0 {
			wrote++
		}
		for _, p := range changed {
			if !reported(rep, a.dir+"/"+p) {
				t.Errorf("seed %d: bash changed %s, which is not reported:\n%s\n    got %s", seed, p, command, describe(rep))
				break
			}
		}
	}
	t.Logf("%d commands, of which %d changed files; %d were reported as unbounded or unknown; %v", commands, wrote, vague, time.Since(began).Round(time.Millisecond))
	if a.hung > 1+commands/200 {
		t.Errorf("%d commands did not end", a.hung)
	}
	if wrote < commands/3 || vague > commands/2 {
		t.Errorf("the commands prove too little: %d of %d changed files, %d were vague", wrote, commands, vague)
	}
}

// bashRuns is how many commands are generated: 400 take about 4 s. MBGATE_BASH_RUNS asks for more.
func bashRuns() uint64 {
	var n uint64
	if _, err := fmt.Sscan(os.Getenv("MBGATE_BASH_RUNS"), &n); err != nil {
		return 400
	}
	return n
}

// TestReadsAgainstBash holds that a plain command shows a file in full exactly if it is said to.
func TestReadsAgainstBash(t *testing.T) {
	text := "alpha\nbeta\n\ngamma\ndelta\nepsilon\nzeta\neta\ntheta\niota\nkappa\nlambda\n" // twelve lines
	a := newArena(t, map[string]string{"p/long.md": text, "p/d/other.md": "other\nfile\n"})
	env := Env{Files: a.tree(), Cwd: a.root, Root: a.root, Home: a.dir + "/home"}
	var commands []string
	for _, n := range []int{0, 1, 5, 11, 12, 13, 50} {
		for _, form := range []string{
			"head -n %d long.md", "head -%d long.md", "tail -n %d long.md", "tail -n +%d long.md", "head -n -%d long.md", "sed -n '1,%dp' long.md",
			"sed -n '%d,$p' long.md", "sed '%dq' long.md", "sed '%d,$d' long.md", "cat long.md | head -n %d", "cat long.md | tail -n %d", "tail -%d long.md",
			"sed -n '%dp' long.md", "head -n %d < long.md", "cat d/other.md long.md | head -n %d", "head -n 12 long.md | tail -n %d",
			"sed -n '1,6p' long.md; sed -n '7,%dp' long.md", "awk 'NR<=%d' long.md", "for i in 1; do head -n %d long.md; done", "head -c %d0 long.md",
		} {
			if n == 0 && strings.Contains(form, "sed") {
				continue // an address 0 is none
			}
			commands = append(commands, fmt.Sprintf(form, n))
		}
	}
	commands = append(commands, "cat long.md", "cat < long.md", "cat ./long.md d/other.md", "cat long.md > /dev/null", "cat long.md | cat", "x=$(cat long.md); echo \"$x\"",
		"cat long.md | wc -l", "grep -c a long.md", "grep '' long.md", "grep a long.md", "sed '' long.md", "sed -n p long.md", "sed s/zz/y/ long.md", "cat long.md | grep -v zz",
		"tac long.md", "cd d && cat ../long.md", "cat *.md", "cat nope.md long.md", "while IFS= read -r l; do echo \"$l\"; done < long.md", "echo \"$(<long.md)\"", "cat long.md >&2",
		"(cat long.md)", "{ cat long.md; }", "cat long.md &", "true && cat long.md", "false && cat long.md", "false || cat long.md", "if true; then cat long.md; fi", "cat <(cat long.md)",
		"cat long.md | tee t.md", "cat long.md > t.md; cat t.md", "cp long.md t.md && cat t.md", "sed 3d long.md", "sed -n '/alpha/,/lambda/p' long.md", "bash -c 'cat long.md'", "eval cat long.md",
		"find . -name long.md -exec cat {} +", "ls *.md | xargs cat", "head -n 6 long.md; tail -n +7 long.md", "tail -n 6 long.md; head -n 6 long.md", "cat long.md 1>&2 2>/dev/null", "exec cat long.md")
	full := 0
	for _, command := range commands {
		claimed := false
		for _, r := range Judge(command, env).Reads {
			claimed = claimed || r.Full && r.Verbatim && r.Place.Canon == "long.md"
		}
		out, _ := a.run(command)
		shown := true // every line, as often as it is there
		for line := range strings.Lines(text) {
			shown = shown && strings.Contains("\n"+out, "\n"+line)
		}
		if claimed {
			full++
		}
		switch {
		case claimed && !shown:
			t.Errorf("%s is said to show all of the file, but bash prints %q", command, out)
		case shown && !claimed && plainRead(command):
			t.Errorf("%s shows all of the file, and is not said to", command)
		}
	}
	if full < len(commands)/5 {
		t.Errorf("only %d of %d commands show the file", full, len(commands))
	}
}

// plainRead reports whether a command is a plain form, of which it can be told that it shows all.
func plainRead(command string) bool {
	for _, odd := range []string{"awk", "grep", "tac", "while", "head -c", "/alpha/", "$(", "find", "xargs", "s/zz/", "sed '"} {
		if strings.Contains(command, odd) {
			return false
		}
	}
	return true
}
