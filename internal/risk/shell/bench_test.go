package shell

import "testing"

// BenchmarkJudge is the cost of commands as agents send them.
func BenchmarkJudge(b *testing.B) {
	env := Env{Files: exampleTree(), Cwd: "/repo", Root: "/repo", Home: "/home/me"}
	for name, command := range map[string]string{
		"read":    "cd src && sed -n '1,200p' a.go",
		"test":    "go test ./... 2>&1 | tail -20",
		"write":   "cat > new.txt <<'EOF'\nline\nline\nEOF",
		"python":  "python3 - <<'EOF'\nimport pathlib\np = pathlib.Path('a.txt')\np.write_text(p.read_text().replace('a', 'b'))\nEOF",
		"unknown": "someprog --flag x && otherprog y",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				Judge(command, env)
			}
		})
	}
}
