package shell

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// BenchmarkJudge is the cost of commands as agents send them: under 100 µs each on the machine of docs/shell.md.
func BenchmarkJudge(b *testing.B) {
	env := Env{Files: exampleTree(), Cwd: "/repo", Root: "/repo", Home: "/home/me"}
	for _, c := range []struct{ name, command string }{
		{"read", "cd src && sed -n '1,200p' a.go"},
		{"test", "go test ./... 2>&1 | tail -20"},
		{"search", "grep -rn 'func Judge' --include='*.go' . | head -50"},
		{"git", "git status --short && git diff --stat && git log --oneline -5"},
		{"write", "cat > new.txt <<'EOF'\nline\nline\nEOF"},
		{"sed", "sed -i 's/old/new/g' src/a.go && go build ./..."},
		{"loop", "for f in *.txt; do if [ -f \"$f\" ]; then cp \"$f\" dir/; fi; done"},
		{"python", "python3 - <<'EOF'\nimport pathlib\np = pathlib.Path('a.txt')\np.write_text(p.read_text().replace('a', 'b'))\nEOF"},
		{"unknown", "someprog --flag x && otherprog y"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				Judge(c.command, env)
			}
		})
	}
}

// BenchmarkHeredoc is a here-document of a megabyte, quoted and not, written to a file or fed to an interpreter: under
// 50 ms. Texts above maxParsed are not parsed, so half a megabyte is measured too.
func BenchmarkHeredoc(b *testing.B) {
	env := Env{Files: exampleTree(), Cwd: "/repo", Root: "/repo", Home: "/home/me"}
	for _, size := range []int{1 << 20, 500 << 10, 100 << 10} {
		for _, c := range []struct{ name, head, line string }{
			{"quoted", "cat > new.txt <<'EOF'\n", "a line of text, (with brackets) and $dollars\n"},
			{"expanded", "cat > new.txt <<EOF\n", "a line of text with a $variable in it\n"},
			{"python", "python3 - <<'EOF'\n", "x = open('a.txt').read()\n"},
		} {
			text := c.head + strings.Repeat(c.line, size/len(c.line)) + "EOF\n"
			b.Run(fmt.Sprintf("%s/%dkB", c.name, size>>10), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for range b.N {
					Judge(text, env)
				}
			})
		}
	}
}

// BenchmarkCorpus is the mean over all commands of the corpus: a share of them walks folders.
func BenchmarkCorpus(b *testing.B) {
	tree := fixtureTree(b)
	rows := corpus(b)
	b.ResetTimer()
	for range b.N {
		for _, r := range rows {
			r.judge(tree)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(rows)), "µs/command")
}

// BenchmarkWorst is the most expensive of the commands that are made to be: those of TestBounds, and 128 kB, the most that
// Linux passes to `bash -c`, of each unit of TestLinear.
func BenchmarkWorst(b *testing.B) {
	env := Env{Files: exampleTree(), Cwd: "/repo", Root: "/repo", Home: "/home/me"}
	commands := longAndDeep()
	for _, unit := range units() {
		commands["128 kB of "+unit] = strings.Repeat(unit, 128<<10/len(unit))
	}
	worst := time.Duration(0)
	for range b.N {
		for name, command := range commands {
			start := time.Now()
			Judge(command, env)
			if took := time.Since(start); took > worst {
				worst = took
				b.Logf("%v: %s", took, name)
			}
		}
	}
	b.ReportMetric(float64(worst.Microseconds())/1000, "ms/worst")
}
