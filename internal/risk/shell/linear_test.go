package shell

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/place"
)

// counting counts the questions asked about the disk.
type counting struct {
	place.Files
	asked int
}

func (c *counting) Locate(cwd, p string) place.Place {
	c.asked++
	return c.Files.Locate(cwd, p)
}

func (c *counting) Names(abs string) ([]string, bool) {
	c.asked++
	return c.Files.Names(abs)
}

func (c *counting) Text(abs string, limit int) ([]byte, bool) {
	c.asked++
	return c.Files.Text(abs, limit)
}

// cost is what a judgement took, in units that do not depend on the machine: allocations of the parser and the walk,
// their bytes, and questions about the disk.
type cost struct{ allocs, bytes, asked uint64 }

func measure(command string) cost {
	files := &counting{Files: exampleTree()}
	env := Env{Files: files, Cwd: "/repo", Root: "/repo", Home: "/home/me"}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	Judge(command, env)
	runtime.ReadMemStats(&after)
	return cost{after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc, uint64(files.asked)}
}

// units are what long commands are made of: each is repeated, most without end.
func units() []string {
	return []string{
		"(", "$(", "{ ", "((", "`", "[[ ( ", "<(", "${a:-", "$((", "if ", "if a; then ", "while ", "case a in a) ", "for i in a; do ",
		"time ", "f() ", "! ", "a=(", "a[", "@(", "{a,", "1?", "'", `"`, "\\\n", ";", "&", "|", "$", "#", "~", "*", "*/", "{1..9}", "> a ",
		"ls -l a.txt\n", "x=1\n", "a && ", "a | ", "a || ", "echo x >> a.txt; ", "x=$x$y; ", "echo *.txt; ", "cat <<E\nx\nE\n", "cat a.txt; ",
		"rm a.txt b.txt; ", "cd src; ", "cd ..; ", "cp a.txt b.txt; ", "prog x; ", "eval 'ls'; ", "bash -c 'ls'; ", "x=$(cat a.txt); ",
		"sed -i s/a/b/ a.txt; ", "find . -name x; ", "for i in 1 2 3; do echo $i; done; ", "f() { ls; }; f; ", "[ -f a.txt ] && ls; ",
		"case a in a) ls;; esac; ", "echo a > n$((i++)).txt; ", "ln -s a.txt l; ", "python3 -c 'print(1)'; ", "awk '{print}' a.txt; ",
		"cd missing; ", "mkdir n; ", "git status; ", "a.txt ", "mbgate status; ", "echo {a,b}{c,d}; ", "tee a.txt <<< x; ", "trap ls EXIT; ",
		"find . -exec ", "find . -exec find . \\; | ",
	}
}

// TestLinear holds that what a command costs grows with its length, not faster: four times the text may cost at most
// six times as much, whatever it is made of, and no more than 6 kB of short-lived memory for each of its bytes.
func TestLinear(t *testing.T) {
	const small = 20 << 10
	for _, unit := range units() {
		text := strings.Repeat(unit, 4*small/len(unit)+1)
		one, four := measure(text[:small]), measure(text[:4*small])
		for name, v := range map[string][2]uint64{
			"allocations": {one.allocs, four.allocs}, "bytes": {one.bytes, four.bytes}, "questions": {one.asked, four.asked},
		} {
			if v[1] > 6*v[0]+20000 && (name != "bytes" || v[1] > 6*v[0]+4<<20) {
				t.Errorf("%q: %d %s for %d bytes, %d for four times as many", unit, v[0], name, small, v[1])
			}
		}
		if four.bytes > 6<<10*4*small {
			t.Errorf("%q: %d bytes of memory for a command of %d bytes", unit, four.bytes, 4*small)
		}
	}
}

// TestNestedFind holds that finds within finds are not followed into each other's hits without end: 2 kB of them ask less of
// the disk than five finds over the largest tree that one walks, and make fewer than 100,000 objects.
func TestNestedFind(t *testing.T) {
	for _, command := range []string{
		strings.Repeat("find . -exec ", 150) + "grep x {} \\;",
		strings.Repeat("find . -exec ", 100) + "grep x {} " + strings.Repeat("\\; ", 100),
		strings.Repeat("find . -type f -exec ", 90) + "rm x {} \\;",
		strings.Repeat("find . -exec find . \\; | ", 90) + "cat",
	} {
		if got := measure(command); got.asked > 5*maxLooks || got.allocs > 100000 {
			t.Errorf("%.30s…: %d questions, %d allocations", command, got.asked, got.allocs)
		}
	}
}

// TestLong gives 128 kB, the most that Linux passes to `bash -c`, and a megabyte of each, with a write behind: it is judged or said to be unknown, and the write is seen.
func TestLong(t *testing.T) {
	env := Env{Files: exampleTree(), Cwd: "/repo", Root: "/repo", Home: "/home/me"}
	for _, unit := range units() {
		for _, size := range []int{128 << 10, 1 << 20} {
			rep := Judge(strings.Repeat(unit, size/len(unit))+"\necho x > /repo/dir/probe", env)
			if slices.ContainsFunc(rep.Unknown, isFault) {
				t.Errorf("%q: %v", unit, rep.Unknown)
			}
			if len(rep.Unbounded) == 0 && !names(rep, "dir/probe") {
				t.Errorf("%q × %d: what stands behind it is not seen: %s", unit, size/len(unit), describe(rep))
			}
		}
	}
}
